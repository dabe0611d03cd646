//! Ranks that are upper bounds, as those of a tree whose game was looked at in part: they fall along every branch.
//!
//! Where they fall, the tree is finite and leads to a pass as its rules say; whether less cooperation would do is left
//! open.

use tioga_testcase::{CasePlace, TestCase};

/// What does not fall; `None` if all ranks do.
pub(crate) fn flaw(case: &TestCase) -> Option<String> {
    let greatest = |place: &CasePlace| place.rules.iter().map(|rule| rule.rank).max();
    for place in &case.places {
        let Some(own) = greatest(place) else { continue };
        let next = place.rules.iter().flat_map(|rule| rule.play.iter().chain(&rule.awaited));
        for edge in next {
            let edge = &place.edges[*edge as usize];
            let target = &case.places[edge.target as usize];
            if greatest(target).is_some_and(|rank| rank >= own) {
                let (action, from, to) = (&edge.action, &place.name, &target.name);
                return Some(format!(
                    "the rank does not fall by `{action}` from `{from}` to `{to}`"
                ));
            }
        }
    }
    None
}
