//! The tasks of test synthesis, one by one: what test cases are made for.

use tioga_base::Rational;
use tioga_model::Model;
use tioga_testcase::Goal;

use super::wanted::Aim;
use crate::Loaded;
use crate::cover::{Target, Way, targets};
use crate::games::Question;
use crate::given_purpose::GivenPurpose;

/// What test cases are made for.
pub(super) enum Task<'m> {
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

impl Task<'_> {
    /// The goal of its test case for a question.
    pub fn goal(&self, loaded: &Loaded, question: &Question) -> Goal {
        match self {
            Self::Named(name) => Goal::Purpose((*name).to_owned()),
            Self::Asked(position, within) => {
                let query = loaded.asked().get(*position).map(|query| loaded.query_text(query));
                Goal::Query { query: query.unwrap_or_default(), within: *within }
            }
            Self::Queries => Goal::query(question.text.as_str()),
            Self::Walk(time) => Goal::Walk(*time),
            Self::Covered(target, ways) => {
                ways.first().map_or_else(Goal::default, |way| target.goal(way))
            }
        }
    }

    /// Whether the observations determine the state of the model with this task if they determine that of the model.
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

/// The tasks of test synthesis.
pub(super) fn tasks<'m>(model: &'m Model, aim: &'m Aim) -> Vec<Task<'m>> {
    match aim {
        Aim::Cover { what, then } => {
            let all = what.iter().flat_map(|what| {
                let task = |target: Target| {
                    let ways = target.ways(model, *then || what.looks_further());
                    Task::Covered(target, ways)
                };
                targets(model, *what).into_iter().map(task)
            });
            all.collect()
        }
        Aim::Model => {
            let named: Vec<Task<'_>> = accepting(model).map(Task::Named).collect();
            if named.is_empty() { vec![Task::Queries] } else { named }
        }
        Aim::Purposes(purposes) => {
            let mut asked = 0..;
            let task = |purpose: &'m GivenPurpose| match purpose {
                GivenPurpose::Named(name) => Task::Named(name),
                GivenPurpose::Walk(time) => Task::Walk(*time),
                GivenPurpose::Reach { within, .. } => {
                    Task::Asked(asked.next().expect("numbers do not end"), *within)
                }
            };
            purposes.iter().map(task).collect()
        }
    }
}
