//! Test cases that together take every edge of a specification, or enter every location.

use tioga_base::Rational;
use tioga_model::{Edge, Label, MaximalConstant, Model, Network, Role, maximal_constants};
use tioga_mutate::edge_text;

/// What test cases cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cover {
    /// Every edge is taken.
    Edges,
    /// Every location is entered.
    Locations,
}

/// Something to cover.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// What its test case is called.
    pub name: String,
    /// What is to happen, in words.
    pub text: String,
    /// The model with that as its only objective.
    pub network: Network,
    /// The same with more to follow, if that is wanted, each with what it is; the best comes first.
    pub then: Vec<(Network, String)>,
    /// Whether it happens, or may happen, without anything to be observed.
    pub hidden: bool,
}

/// Whether an edge does something at the interface.
fn is_visible(model: &Model, edge: &Edge) -> bool {
    let (Label::Send(used) | Label::Receive(used)) = &edge.label else { return false };
    model.channels[used.channel].direction.is_some()
}

/// What there is to cover in the processes of the system, in order.
pub(super) fn targets(model: &Model, cover: Cover, then: bool) -> Vec<Target> {
    let mut all = Vec::new();
    let silence = in_units(model, largest_constant(model));
    let system = model.processes.iter_ids().filter(|(_, body)| body.role == Role::System);
    for (process, body) in system {
        let mut put = |place: &str, text: String, network: Network, then, hidden: bool| {
            let name = format!("{}-{}.{place}", model.name, body.name);
            all.push(Target { name, text, network, then, hidden });
        };
        let network: &Network = model;
        match cover {
            Cover::Edges => {
                for (edge, taken) in body.edges.iter_ids() {
                    let text = format!("{}: {}", body.name, edge_text(model, process, edge));
                    let mut further = Vec::new();
                    if then {
                        let (output, silent) =
                            (format!("{text}, then an output"), format!("{text}, then silence"));
                        let copy = network.clone();
                        let answered = copy.covering_edge_and_output(process, edge, &output);
                        let copy = network.clone();
                        let waited = copy.covering_edge_and_time(process, edge, silence, &silent);
                        further.extend([(answered, output), (waited, silent)]);
                    }
                    let network = network.clone().covering_edge(process, edge, text.clone());
                    put(&edge.to_string(), text, network, further, !is_visible(model, taken));
                }
            }
            Cover::Locations => {
                for (id, location) in body.locations.iter_ids() {
                    let text = format!("{}.{}", body.name, location.name);
                    let network = network.clone().covering_location(process, id, text.clone());
                    let mut entering = body.edges.iter().filter(|edge| edge.target == id);
                    let hidden = entering.any(|edge| !is_visible(model, edge));
                    put(&location.name, text, network, Vec::new(), hidden);
                }
            }
        }
    }
    all
}

/// The model with the target of this text as its only objective, if there is one to cover.
pub(crate) fn cover_texts(model: &Model, cover: Cover, text: &str) -> Option<Network> {
    targets(model, cover, true).into_iter().find_map(|target| {
        let further = target.then.into_iter().find(|(_, own)| own == text);
        let own = (target.text == text).then_some(target.network);
        own.or(further.map(|(network, _)| network))
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
