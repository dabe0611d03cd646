//! Whether a test case is well-formed, so that it can be followed: positions, units and declared
//! actions.

use crate::{CaseBound, CasePlace, Shape, Side, TestCase};

impl TestCase {
    /// The mistake that makes it impossible to follow, if any. A reader of existing test cases
    /// checks this first.
    pub fn flaw(&self) -> Option<String> {
        if self.scale <= 0 {
            return Some(format!("its scale is {}, and must be positive", self.scale));
        }
        if self.places.is_empty() {
            return Some("it has no place to start in".to_owned());
        }
        if self.patience.is_some_and(|patience| patience < 0) {
            return Some("the tester cannot wait for less than no time".to_owned());
        }
        if let Some(walk) = &self.walk {
            if self.shape != Shape::Automaton {
                return Some("a random walk leaves all choices open".to_owned());
            }
            if walk.runs == 0 || walk.longest_wait <= 0 {
                return Some("a random walk has runs and waits for some time".to_owned());
            }
        }
        self.places.iter().enumerate().find_map(|(position, place)| {
            let wrong = self.place_flaw(place)?;
            Some(format!("in place {position}, {wrong}"))
        })
    }

    fn place_flaw(&self, place: &CasePlace) -> Option<String> {
        // Named one by one, so that what is added to places is not forgotten here.
        let CasePlace { name: _, origin: _, invariant, urgent, verdicts, edges, rules } = place;
        let zones = invariant
            .iter()
            .chain(urgent)
            .chain(verdicts.iter().flat_map(|one| &one.zones))
            .chain(edges.iter().flat_map(|edge| &edge.guard))
            .chain(rules.iter().flat_map(|rule| &rule.zones));
        let bounds = zones.flatten();
        let named = bounds.flat_map(|CaseBound { left, right, .. }| [*left, *right]).flatten();
        let sets = edges.iter().flat_map(|edge| &edge.sets);
        let set = sets.flat_map(|set| [Some(set.clock), set.source]).flatten();
        if let Some(clock) = named.chain(set).find(|clock| *clock as usize >= self.clocks.len()) {
            return Some(format!("there is a clock {clock}, which does not exist"));
        }
        let mut targets = edges.iter().map(|edge| edge.target);
        if let Some(target) = targets.find(|target| *target as usize >= self.places.len()) {
            return Some(format!("an edge leads to place {target}, which does not exist"));
        }
        let undeclared = edges.iter().find(|edge| {
            let declared = if edge.by == Side::Tester { &self.inputs } else { &self.outputs };
            !declared.contains(&edge.action)
        });
        if let Some(edge) = undeclared {
            return Some(format!("the action `{}` of an edge is not declared", edge.action));
        }
        let mut used = rules.iter().flat_map(|rule| rule.play.iter().chain(&rule.awaited));
        if let Some(edge) = used.find(|edge| **edge as usize >= edges.len()) {
            return Some(format!("a rule speaks of edge {edge}, which does not exist"));
        }
        let by = |edge: u32| edges[edge as usize].by;
        let sent = rules.iter().filter_map(|rule| rule.play).find(|edge| by(*edge) != Side::Tester);
        if let Some(edge) = sent {
            return Some(format!("a rule plays edge {edge}, which is the system's"));
        }
        let mut awaited = rules.iter().flat_map(|rule| rule.awaited.iter().copied());
        let edge = awaited.find(|edge| by(*edge) != Side::System)?;
        Some(format!("a rule awaits edge {edge}, which is the tester's"))
    }
}
