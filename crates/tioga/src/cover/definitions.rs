//! Definitions and uses: an edge sets a clock or writes a variable, and another edge that depends on it is taken
//! before it is set again.
//!
//! What is set only under a condition is no definition, for a run through the edge need not set it; it may end the
//! reach of another.
//!
//! That a clock is set shows only if it had another value before. So a test first looks for a run in which the
//! clock is beyond all bounds when it is set, then for one in which some time has passed, and then for any.

use tioga_base::Id;
use tioga_model::{
    Accessed, Accesses, ClockConstraint, ClockId, ClockTerm, EdgePlace, MaximalConstant, Milestone,
    Milestones, Model, TimeBound, maximal_constants,
};
use tioga_testcase::{Before, Cover};

use super::edges::{edge_words, in_units, is_visible, system_edges};
use super::target::{Covered, Target, Way};

/// What there is to cover.
pub fn targets(model: &Model) -> Vec<Target> {
    let edges: Vec<(EdgePlace, Accesses, bool)> = system_edges(model)
        .map(|(place, edge)| (place, model.accesses(place), is_visible(model, edge)))
        .collect();
    let mut all = Vec::new();
    for (defining, own, seen) in &edges {
        for what in &own.defined {
            let redefining: Vec<EdgePlace> = edges
                .iter()
                .filter(|(place, other, _)| place != defining && other.may_define(what))
                .map(|(place, ..)| *place)
                .collect();
            let using = edges.iter().filter(|(_, other, _)| other.used.contains(what));
            for (used_by, _, shown) in using {
                if !follows(model, *defining, *used_by) {
                    continue;
                }
                let pair = Pair { model, what: *what, defining: *defining, using: *used_by };
                let hidden = !seen || !shown;
                all.push(pair.target(&redefining, hidden));
            }
        }
    }
    all
}

/// Whether the use may come after the definition, as far as the graph of their process tells.
fn follows(model: &Model, defining: EdgePlace, using: EdgePlace) -> bool {
    if defining.0 != using.0 {
        return true;
    }
    let body = &model.processes[defining.0];
    let mut reached = vec![false; body.locations.len()];
    let mut waiting = vec![body.edges[defining.1].target];
    while let Some(at) = waiting.pop() {
        if !std::mem::replace(&mut reached[at.index()], true) {
            let leaving = body.edges.iter().filter(|edge| edge.source == at);
            waiting.extend(leaving.map(|edge| edge.target));
        }
    }
    reached[body.edges[using.1].source.index()]
}

struct Pair<'m> {
    model: &'m Model,
    what: Accessed,
    defining: EdgePlace,
    using: EdgePlace,
}

impl Pair<'_> {
    fn target(&self, redefining: &[EdgePlace], hidden: bool) -> Target {
        let model = self.model;
        let full = match self.what {
            Accessed::Clock(clock) => &model.clocks[clock].name,
            Accessed::Variable(variable) => &model.variables[variable].name,
        };
        let short = full.rsplit('.').next().unwrap_or(full);
        let (process, first) = self.defining;
        let (other, second) = self.using;
        let body = &model.processes[process].name;
        let inside = if other == process {
            String::new()
        } else {
            format!("{}.", model.processes[other].name)
        };
        let element = format!("{body}.{short}-{first}-{inside}{second}");
        let elsewhere = if other == process {
            String::new()
        } else {
            format!("{}: ", model.processes[other].name)
        };
        let text = format!(
            "{body}: {short} set by {} and used by {elsewhere}{}",
            edge_words(model, self.defining),
            edge_words(model, self.using)
        );
        let mut ways = Vec::new();
        if let Accessed::Clock(clock) = self.what {
            for (least, before) in self.noticeable(clock) {
                let way = Way::new(self.way(vec![least], redefining));
                ways.push(Way { before: Some(before), ..way });
            }
        }
        ways.push(Way::new(self.way(Vec::new(), redefining)));
        let criterion = Cover::DefinitionsUses;
        Target { criterion, element, text, ways, hidden, process: other }
    }

    fn way(&self, when: Vec<ClockConstraint>, redefining: &[EdgePlace]) -> Covered {
        let set = Milestone { edges: vec![self.defining], when, ..Milestone::default() };
        let (edges, undone_by) = (vec![self.using], redefining.to_vec());
        let used = Milestone { edges, undone_by, ..Milestone::default() };
        Covered::Milestones(Milestones { list: vec![set, used], silence: None })
    }

    /// Values of the clock before it is set at which that can be noticed.
    fn noticeable(&self, clock: ClockId) -> Vec<(ClockConstraint, Before)> {
        let more_than = |bound: i64| ClockConstraint {
            left: None,
            right: Some(ClockTerm::from(clock)),
            strict: true,
            bound: TimeBound::Constant(-bound),
        };
        let mut all = Vec::new();
        if let Some(MaximalConstant::Known(largest)) = maximal_constants(self.model).get(clock) {
            let largest = in_units(self.model, *largest);
            all.push((more_than(largest), Before::BeyondBounds));
        }
        all.push((more_than(0), Before::NotZero));
        all
    }
}
