//! The boundary values of data: every edge where a comparison of data decides about it, with sides that are equal
//! or differ by one.
//!
//! The comparisons that decide about an edge are those of its guard, which would not hold with another outcome, and of
//! the guards of edges that leave the same location on the same action, which would: only then does a wrong comparison
//! show. Guards that read received values are left to what chooses values.

use tioga_model::{Decision, EdgePlace, Margin, Milestone, Milestones, Model};
use tioga_mutate::Wording;
use tioga_testcase::Cover;

use super::edges::{edge_words, rivals};
use super::target::{Covered, Target, Way};

/// What there is to cover with one edge.
pub fn targets(model: &Model, place: EdgePlace) -> Vec<Target> {
    let (process, id) = place;
    let body = &model.processes[process];
    let mut all: Vec<Target> = Vec::new();
    let mut number = 0;
    for other in rivals(model, place) {
        let own = other == id;
        let whose = if own { String::new() } else { format!(" of {other}") };
        for condition in body.edges[other].guard.disjuncts.iter().filter_map(|one| one.data) {
            for deciding in model.deciding_parts(condition) {
                let compared = Wording::new(model, process).expr(deciding.part);
                for (margin, outcome) in model.margins(deciding.part) {
                    // The edge is taken just inside of its own guard and just outside of the others.
                    if own != (outcome == deciding.positive) {
                        continue;
                    }
                    let (short, words) = near(margin);
                    let element = format!("{}.{id}-data{number}-{short}", body.name);
                    let text = format!(
                        "{}: {}, where `{compared}`{whose} decides{words}",
                        body.name,
                        edge_words(model, place),
                    );
                    let decision = Some(Decision { condition, part: deciding.part, margin });
                    let milestone =
                        Milestone { edges: vec![place], decision, ..Milestone::default() };
                    let way = Milestones { list: vec![milestone], silence: None };
                    let ways = vec![Way::new(Covered::Milestones(way))];
                    // Of comparisons that look the same, the first will do.
                    if all.iter().all(|known| known.text != text) {
                        let (criterion, hidden) = (Cover::Boundaries, false);
                        all.push(Target { criterion, element, text, ways, hidden, process });
                    }
                }
                number += 1;
            }
        }
    }
    all
}

/// How near a comparison is to its other outcome, for names and in words.
fn near(margin: Margin) -> (&'static str, &'static str) {
    match margin {
        Margin::Difference(0) => ("equal", ", sides equal"),
        Margin::Difference(less) if less < 0 => ("less", ", left side one less"),
        Margin::Difference(_) => ("more", ", left side one more"),
        Margin::Outcome(true) => ("true", ", true"),
        Margin::Outcome(false) => ("false", ", false"),
    }
}
