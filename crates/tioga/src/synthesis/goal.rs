//! The goals of test synthesis, one by one.

use tioga_base::Rational;
use tioga_model::Model;

use super::cover::{Target, Way, targets};
use super::purpose::GivenPurpose;
use super::wanted::Aim;

/// A goal of test synthesis.
pub(super) enum Goal<'m> {
    /// A purpose of the model.
    Named(&'m str),
    /// The query at this position among those that were added, perhaps within a time.
    Asked(usize, Option<Rational>),
    /// The control queries of the model.
    Queries,
    /// Whatever happens in so much time.
    Walk(Rational),
    /// Something to cover, in the first of these ways that is possible.
    Covered(Target, Vec<Way>),
}

impl Goal<'_> {
    /// Whether the observations determine the state of the model with this goal if they determine that of the model.
    pub fn keeps_observations(&self) -> bool {
        matches!(self, Self::Covered(_, ways) if ways.iter().all(Way::keeps_observations))
    }
}

/// The names of the purposes of a model that accept something.
pub(crate) fn accepting(model: &Model) -> impl Iterator<Item = &str> {
    let accepting = model
        .purposes
        .iter()
        .filter(|purpose| purpose.process.locations.iter().any(|location| location.marks.accept));
    accepting.map(|purpose| purpose.process.name.as_str())
}

/// The goals of test synthesis.
pub(super) fn goals<'m>(model: &'m Model, aim: &'m Aim) -> Vec<Goal<'m>> {
    match aim {
        Aim::Cover { what, then } => {
            let all = what.iter().flat_map(|what| {
                let goal = |target: Target| {
                    let ways = target.ways(model, *then || what.looks_further());
                    Goal::Covered(target, ways)
                };
                targets(model, *what).into_iter().map(goal)
            });
            all.collect()
        }
        Aim::Model => {
            let named: Vec<Goal<'_>> = accepting(model).map(Goal::Named).collect();
            if named.is_empty() { vec![Goal::Queries] } else { named }
        }
        Aim::Purposes(purposes) => {
            let mut asked = 0..;
            let goal = |purpose: &'m GivenPurpose| match purpose {
                GivenPurpose::Named(name) => Goal::Named(name),
                GivenPurpose::Walk(time) => Goal::Walk(*time),
                GivenPurpose::Reach { within, .. } => {
                    Goal::Asked(asked.next().expect("numbers do not end"), *within)
                }
            };
            purposes.iter().map(goal).collect()
        }
    }
}
