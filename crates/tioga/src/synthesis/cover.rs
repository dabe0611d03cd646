//! Test cases that together take every edge of a specification, or enter every location.

use tioga_base::Rational;
use tioga_model::{
    Edge, EdgeId, Label, LocationId, MaximalConstant, Model, Network, ProcessId, Role,
    maximal_constants,
};
use tioga_mutate::edge_text;

/// What test cases cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cover {
    /// Every edge is taken.
    Edges,
    /// Every location is entered.
    Locations,
}

/// Something to cover. The networks that have it as their objective are made when they are needed: there
/// are as many as there are edges, and each is as large as the model.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// What its test case is called.
    pub name: String,
    /// What is to happen, in words.
    pub text: String,
    /// What is to happen.
    what: Covered,
    /// Whether it happens, or may happen, without anything to be observed.
    pub hidden: bool,
}

/// What is to happen.
#[derive(Clone, Copy, Debug)]
enum Covered {
    Edge(ProcessId, EdgeId),
    /// The edge, and one more output after it.
    EdgeAndOutput(ProcessId, EdgeId),
    /// The edge, and so many units of time after it in which nothing happens.
    EdgeAndTime(ProcessId, EdgeId, i64),
    Location(ProcessId, LocationId),
}

impl Target {
    /// The model with this as its only objective.
    pub fn network(&self, model: &Model) -> Network {
        let (network, text) = (Network::clone(model), self.text.as_str());
        match self.what {
            Covered::Edge(process, edge) => network.covering_edge(process, edge, text.to_owned()),
            Covered::EdgeAndOutput(process, edge) => {
                network.covering_edge_and_output(process, edge, text)
            }
            Covered::EdgeAndTime(process, edge, silence) => {
                network.covering_edge_and_time(process, edge, silence, text)
            }
            Covered::Location(process, location) => {
                network.covering_location(process, location, text.to_owned())
            }
        }
    }

    /// The same with more to follow; the best comes first.
    pub fn further(&self, model: &Model) -> Vec<Self> {
        let Covered::Edge(process, edge) = self.what else { return Vec::new() };
        let silence = in_units(model, largest_constant(model));
        let more = |what, then: &str| Self {
            text: format!("{}, then {then}", self.text),
            what,
            ..self.clone()
        };
        vec![
            more(Covered::EdgeAndOutput(process, edge), "an output"),
            more(Covered::EdgeAndTime(process, edge, silence), "silence"),
        ]
    }
}

/// Whether an edge does something at the interface.
fn is_visible(model: &Model, edge: &Edge) -> bool {
    let (Label::Send(used) | Label::Receive(used)) = &edge.label else { return false };
    model.channels[used.channel].direction.is_some()
}

/// What there is to cover in the processes of the system, in order.
pub(super) fn targets(model: &Model, cover: Cover) -> Vec<Target> {
    let mut all = Vec::new();
    let system = model.processes.iter_ids().filter(|(_, body)| body.role == Role::System);
    for (process, body) in system {
        let mut put = |place: &str, text: String, what: Covered, hidden: bool| {
            let name = format!("{}-{}.{place}", model.name, body.name);
            all.push(Target { name, text, what, hidden });
        };
        match cover {
            Cover::Edges => {
                let texts: Vec<String> =
                    body.edges.ids().map(|edge| edge_text(model, process, edge)).collect();
                for ((edge, taken), own) in body.edges.iter_ids().zip(&texts) {
                    let mut text = format!("{}: {own}", body.name);
                    // Edges that differ in guards or updates only are told by their numbers.
                    if texts.iter().filter(|other| *other == own).count() > 1 {
                        text.push_str(&format!(" ({edge})"));
                    }
                    let what = Covered::Edge(process, edge);
                    put(&edge.to_string(), text, what, !is_visible(model, taken));
                }
            }
            Cover::Locations => {
                for (id, location) in body.locations.iter_ids() {
                    let text = format!("{}.{}", body.name, location.name);
                    let mut entering = body.edges.iter().filter(|edge| edge.target == id);
                    let hidden = entering.any(|edge| !is_visible(model, edge));
                    put(&location.name, text, Covered::Location(process, id), hidden);
                }
            }
        }
    }
    all
}

/// The model with the target of this text as its only objective, if there is one to cover.
pub(crate) fn cover_texts(model: &Model, cover: Cover, text: &str) -> Option<Network> {
    targets(model, cover).into_iter().find_map(|target| {
        // What follows is written after what it follows.
        if !text.starts_with(target.text.as_str()) {
            return None;
        }
        let further = target.further(model);
        let own = std::iter::once(target).chain(further).find(|own| own.text == text);
        own.map(|own| own.network(model))
    })
}

/// The largest bound of a clock that is known.
pub fn largest_constant(model: &Model) -> Rational {
    let constants = maximal_constants(model);
    let known = constants.iter().filter_map(|constant| match constant {
        MaximalConstant::Known(value) => Some(*value),
        MaximalConstant::None | MaximalConstant::Unknown(_) => None,
    });
    known.max().unwrap_or(Rational::ZERO)
}

/// A time in units of `1 / scale`, rounded up.
fn in_units(model: &Model, time: Rational) -> i64 {
    time.mul(Rational::integer(model.scale)).map_or(i64::from(i32::MAX), Rational::ceil)
}
