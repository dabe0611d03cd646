//! Test cases that together cover a specification, by one criterion or another: what there is to cover, and the
//! networks that have it as their objective.

mod boundaries;
mod decisions;
mod definitions;
mod edges;
mod target;

use tioga_model::{Direction, EdgePlace, Label, Milestone, Milestones, Model, Network, Role};
use tioga_testcase::{Cover, CoverItem, Goal};

pub(crate) use edges::in_units;
use edges::{edge_words, is_visible, system_edges};
pub(crate) use target::{Covered, Target, Way};

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
            let ways = vec![Way::new(Covered::Location(process, id))];
            let (criterion, element) = (Cover::Locations, text.clone());
            all.push(Target { criterion, element, text, ways, hidden, process });
        }
    }
    all
}

fn every_edge(model: &Model) -> Vec<Target> {
    let all = system_edges(model).map(|(place, edge)| {
        let (process, id) = place;
        let element = format!("{}.{id}", model.processes[process].name);
        let text = format!("{}: {}", model.processes[process].name, edge_words(model, place));
        let ways = vec![Way::new(Covered::Edge(process, id))];
        let (criterion, hidden) = (Cover::Edges, !is_visible(model, edge));
        Target { criterion, element, text, ways, hidden, process }
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
            let element = format!("{}.{first}-{second}", body.name);
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
            let ways = vec![Way::new(Covered::Milestones(way))];
            let hidden = !is_visible(model, one) || !is_visible(model, other);
            let criterion = Cover::EdgePairs;
            all.push(Target { criterion, element, text, ways, hidden, process });
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
        let (criterion, element) = (Cover::Outputs, format!("output.{}", channel.name));
        let (text, ways) = (format!("output {}!", channel.name), vec![Way::new(way)]);
        all.push(Target { criterion, element, text, ways, hidden: false, process });
    }
    all
}

/// The model with coverage items as its only objective, one after the other. `None` if it has none of them.
pub(crate) fn covering(model: &Model, items: &[CoverItem]) -> Option<Network> {
    let (first, rest) = items.split_first()?;
    let (target, way) = found(model, first)?;
    if rest.is_empty() {
        return Some(target.network(model, &way));
    }
    let mut all = way.milestones(model)?;
    for item in rest {
        let (_, way) = found(model, item)?;
        all = all.then(&way.milestones(model)?);
    }
    let text = Goal::Cover(items.to_vec()).to_string();
    Some(Network::clone(model).covering_milestones(&all, text))
}

/// The same for a tester that goes on with the model after it has covered an item: nothing ends there.
pub(crate) fn covering_on(model: &Model, items: &[CoverItem]) -> Option<Network> {
    let [item] = items else { return None };
    let (target, way) = found(model, item)?;
    let entered = |(process, location)| Milestones::entering(model, process, location);
    let milestones = way.milestones(model).or_else(|| way.location().map(entered))?;
    let text = target.goal(&way).to_string();
    Some(Network::clone(model).covering_milestones(&milestones, text))
}

/// What an item of a goal is about, if the model has it.
fn found(model: &Model, item: &CoverItem) -> Option<(Target, Way)> {
    let mut all = targets(model, item.criterion).into_iter();
    let target = all.find(|target| target.element == item.element)?;
    let mut ways = target.ways(model, true).into_iter();
    let way = ways.find(|way| target.item(way) == *item)?;
    Some((target, way))
}
