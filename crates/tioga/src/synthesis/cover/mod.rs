//! Test cases that together cover a specification, by one criterion or another: what there is to cover, and the
//! networks that have it as their objective.

mod boundaries;
mod decisions;
mod definitions;
mod edges;
mod target;

use tioga_model::{Direction, EdgePlace, Label, Milestone, Milestones, Model, Network, Role};

pub(crate) use edges::in_units;
use edges::{edge_words, is_visible, system_edges};
use target::AND_THEN;
pub(crate) use target::{Covered, Target, Way};

/// What test cases cover.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cover {
    /// Every location is entered.
    Locations,
    /// Every edge is taken.
    Edges,
    /// Every two edges of a process that can follow each other are taken one after the other.
    EdgePairs,
    /// Every output is given.
    Outputs,
    /// Every edge is taken at the ends of its windows: with a clock at a bound, just below and just above it; and
    /// at the boundary values of the data that decides about it.
    Boundaries,
    /// Every clock that is set and every variable that is written is used by every edge that can see it.
    DefinitionsUses,
}

impl Cover {
    /// All criteria.
    pub const ALL: [Self; 6] = [
        Self::Locations,
        Self::Edges,
        Self::EdgePairs,
        Self::Outputs,
        Self::Boundaries,
        Self::DefinitionsUses,
    ];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Locations => "locations",
            Self::Edges => "edges",
            Self::EdgePairs => "edge-pairs",
            Self::Outputs => "outputs",
            Self::Boundaries => "boundaries",
            Self::DefinitionsUses => "definitions-uses",
        }
    }

    /// Whether its test cases go on after what they cover in any case: what it is about shows only later.
    pub fn looks_further(self) -> bool {
        matches!(self, Self::EdgePairs | Self::Boundaries | Self::DefinitionsUses)
    }

    /// What one thing to cover is called.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Locations => "location",
            Self::Edges => "edge",
            Self::EdgePairs => "edge pair",
            Self::Outputs => "output",
            Self::Boundaries => "boundary value",
            Self::DefinitionsUses => "definition-use pair",
        }
    }
}

/// What there is to cover in the processes of the system, in order.
pub(crate) fn targets(model: &Model, cover: Cover) -> Vec<Target> {
    match cover {
        Cover::Locations => locations(model),
        Cover::Edges => every_edge(model),
        Cover::EdgePairs => edge_pairs(model),
        Cover::Outputs => outputs(model),
        Cover::Boundaries => boundaries::targets(model),
        Cover::DefinitionsUses => definitions::targets(model),
    }
}

fn locations(model: &Model) -> Vec<Target> {
    let mut all = Vec::new();
    let system = model.processes.iter_ids().filter(|(_, body)| body.role == Role::System);
    for (process, body) in system {
        for (id, location) in body.locations.iter_ids() {
            let text = format!("{}.{}", body.name, location.name);
            let mut entering = body.edges.iter().filter(|edge| edge.target == id);
            let hidden = entering.any(|edge| !is_visible(model, edge));
            let name = format!("{}-{text}", model.name);
            let ways = vec![Way::new("", Covered::Location(process, id))];
            all.push(Target { name, text, ways, hidden, process });
        }
    }
    all
}

fn every_edge(model: &Model) -> Vec<Target> {
    let all = system_edges(model).map(|(place, edge)| {
        let (process, id) = place;
        let name = format!("{}-{}.{id}", model.name, model.processes[process].name);
        let text = format!("{}: {}", model.processes[process].name, edge_words(model, place));
        let ways = vec![Way::new("", Covered::Edge(process, id))];
        Target { name, text, ways, hidden: !is_visible(model, edge), process }
    });
    all.collect()
}

fn edge_pairs(model: &Model) -> Vec<Target> {
    let mut all = Vec::new();
    for ((process, first), one) in system_edges(model) {
        let body = &model.processes[process];
        for (second, other) in body.edges.iter_ids() {
            if one.target != other.source {
                continue;
            }
            let name = format!("{}-{}.{first}-{second}", model.name, body.name);
            let [from, to] = [first, second].map(|edge| edge_words(model, (process, edge)));
            let text = format!("{}: {from}, then {to}", body.name);
            let others = body.edges.ids().filter(|edge| *edge != first);
            let milestones = [
                Milestone { edges: vec![(process, first)], ..Milestone::default() },
                Milestone {
                    edges: vec![(process, second)],
                    undone_by: others.map(|edge| (process, edge)).collect(),
                    ..Milestone::default()
                },
            ];
            let way = Milestones { list: milestones.to_vec(), silence: None };
            let ways = vec![Way::new("", Covered::Milestones(way))];
            let hidden = !is_visible(model, one) || !is_visible(model, other);
            all.push(Target { name, text, ways, hidden, process });
        }
    }
    all
}

fn outputs(model: &Model) -> Vec<Target> {
    let mut all = Vec::new();
    for (id, channel) in model.channels.iter_ids() {
        if channel.direction != Some(Direction::Output) {
            continue;
        }
        let giving = system_edges(model).filter(|(_, edge)| {
            let reply = edge.reply.as_ref().map(|reply| reply.channel);
            matches!(&edge.label, Label::Send(used) if used.channel == id) || reply == Some(id)
        });
        let edges: Vec<EdgePlace> = giving.map(|(place, _)| place).collect();
        let Some((process, _)) = edges.first().copied() else { continue };
        let list = vec![Milestone { edges, ..Milestone::default() }];
        let way = Covered::Milestones(Milestones { list, silence: None });
        let name = format!("{}-output.{}", model.name, channel.name);
        let (text, ways) = (format!("output {}!", channel.name), vec![Way::new("", way)]);
        all.push(Target { name, text, ways, hidden: false, process });
    }
    all
}

/// The model with what a text says as its only objective, if there is something like it to cover. What follows is
/// written after what it follows.
pub(crate) fn covering(model: &Model, text: &str) -> Option<Network> {
    let mut parts = text.split(AND_THEN).map(|part| written(model, part));
    let (target, way) = parts.next()??;
    if !text.contains(AND_THEN) {
        return Some(target.network(model, &way));
    }
    let mut all = way.milestones(model)?;
    for part in parts {
        let (_, way) = part?;
        all = all.then(&way.milestones(model)?);
    }
    Some(Network::clone(model).covering_milestones(&all, text))
}

/// The same for a tester that goes on with the model after it has covered something: nothing ends there.
pub(crate) fn covering_on(model: &Model, text: &str) -> Option<Network> {
    let (_, way) = written(model, text)?;
    let entered = |(process, location)| Milestones::entering(model, process, location);
    let milestones = way.milestones(model).or_else(|| way.location().map(entered))?;
    Some(Network::clone(model).covering_milestones(&milestones, text))
}

/// What a text says, if there is something like it to cover.
fn written(model: &Model, text: &str) -> Option<(Target, Way)> {
    let all = Cover::ALL.into_iter().flat_map(|cover| targets(model, cover));
    all.filter(|target| text.starts_with(target.text.as_str())).find_map(|target| {
        let way = target.ways(model, true).into_iter().find(|way| target.text_of(way) == text)?;
        Some((target, way))
    })
}
