//! What online tests aim at: test cases without test steps, one for each purpose or coverage item.

use std::collections::BTreeMap;

use tioga_execute::{LeftOut, OnlineCoverage};
use tioga_testcase::{Cover, Goal, Summary, TestCase};

use super::interface::online_case;
use super::testers::OnlineGoal;
use crate::cover::targets;
use crate::games::questions;
use crate::given_purpose::GivenPurpose;
use crate::synthesis::{Aim, Missed, WhyMissed, accepting, named, unused};
use crate::{Effort, Failure, Loaded, Reason};

/// Test cases without test steps, and what they aim at.
#[derive(Debug, Default)]
pub struct OnlineCases {
    /// The test cases; their purposes say what their runs aim at.
    pub cases: Vec<TestCase>,
    /// The goals, by the names of the test cases.
    pub goals: BTreeMap<String, OnlineGoal>,
    /// What cannot be aimed at.
    pub missed: Vec<Missed>,
    /// What the test cases are to cover, if that is their aim.
    pub coverage: Option<OnlineCoverage>,
}

impl OnlineCases {
    /// Notes that the test cases and misses since then are the coverage items of a criterion.
    pub(crate) fn criterion(&mut self, of: &str, (cases, missed): (usize, usize)) {
        let left_out = self.missed[missed..].iter().map(|Missed { purpose, why }| LeftOut {
            purpose: purpose.clone(),
            why: why.to_string(),
            proved: why.is_proof(),
        });
        let (left_out, cases) = (left_out.collect(), self.cases.len() - cases);
        self.coverage.get_or_insert_default().add(of, cases, left_out);
    }

    /// How many test cases and misses there are.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.cases.len(), self.missed.len())
    }

    /// Aims again at the same, in a model that was read with more purposes. If there is no time for all, nothing changes
    /// and the answer is no.
    pub(crate) fn aim_again(
        &mut self,
        loaded: &Loaded,
        effort: &mut Effort<'_>,
    ) -> Result<bool, Failure> {
        let mut goals = BTreeMap::new();
        for case in &self.cases {
            match OnlineGoal::of(loaded, &case.summary.goal, effort) {
                Ok(goal) => drop(goals.insert(case.name.clone(), goal)),
                Err(_) if effort.cancel.is_cancelled() => return Ok(false),
                Err(failure) => return Err(failure),
            }
        }
        self.goals = goals;
        Ok(true)
    }

    /// Adds the first of some goals that it is possible to get to. A name that is taken gets a number.
    pub(crate) fn add(
        &mut self,
        loaded: &Loaded,
        name: String,
        goals: &[Goal],
        effort: &mut Effort<'_>,
    ) -> Result<(), Failure> {
        let mut missed = None;
        for goal in goals {
            let limit = || Some(Missed { purpose: goal.to_string(), why: WhyMissed::Limit });
            if effort.cancel.is_cancelled() {
                missed = limit();
                break;
            }
            match OnlineGoal::of(loaded, goal, effort) {
                Ok(aim) => {
                    let name = unused(name, |name| self.goals.contains_key(name));
                    let (case, _) = online_case(&loaded.model, 0);
                    let summary = Summary { goal: goal.clone(), ..case.summary };
                    self.cases.push(TestCase { name: name.clone(), summary, ..case });
                    self.goals.insert(name, aim);
                    return Ok(());
                }
                Err(failure) if failure.reason == Some(Reason::Unreachable) => {
                    let why = WhyMissed::Unreachable;
                    missed.get_or_insert(Missed { purpose: goal.to_string(), why });
                }
                Err(_) if effort.cancel.is_cancelled() => missed = limit(),
                Err(failure) => return Err(failure),
            }
        }
        self.missed.extend(missed);
        Ok(())
    }
}

/// A test case without test steps for each purpose, with the name that test cases for it have. Conditions to reach
/// were added as queries when the model was read.
pub fn online_purposes(
    loaded: &Loaded,
    aim: &Aim,
    effort: &mut Effort<'_>,
) -> Result<OnlineCases, Failure> {
    let model = &loaded.model.name;
    let given = |purpose: &GivenPurpose| match purpose {
        GivenPurpose::Named(name) => (Some(name.clone()), purpose.online_goal()),
        GivenPurpose::Walk(_) => (Some(format!("{model}-walk")), purpose.online_goal()),
        GivenPurpose::Reach { .. } => (None, purpose.online_goal()),
    };
    let wanted: Vec<(Option<String>, Goal)> = match aim {
        Aim::Purposes(purposes) => purposes.iter().map(given).collect(),
        Aim::Cover { what, .. } => return online_cover(loaded, what, effort),
        Aim::Model if accepting(&loaded.model).next().is_some() => {
            let own = accepting(&loaded.model);
            own.map(|name| (Some(name.to_owned()), Goal::Purpose(name.to_owned()))).collect()
        }
        Aim::Model => {
            let questions = questions(loaded)?.into_iter();
            questions
                .map(|one| (named(&one).map(str::to_owned), Goal::query(one.text.as_str())))
                .collect()
        }
    };
    let mut all = OnlineCases::default();
    for (number, (name, goal)) in wanted.iter().enumerate() {
        effort.part(number, wanted.len(), "purposes looked at");
        let name = name.clone().unwrap_or_else(|| format!("{model}-{}", all.cases.len() + 1));
        all.add(loaded, name, std::slice::from_ref(goal), effort)?;
    }
    Ok(all)
}

/// A test case without test steps for each reachable coverage item.
pub fn online_cover(
    loaded: &Loaded,
    covers: &[Cover],
    effort: &mut Effort<'_>,
) -> Result<OnlineCases, Failure> {
    let mut all = OnlineCases::default();
    for cover in covers {
        let (before, targets) = (all.counts(), targets(&loaded.model, *cover));
        for (number, target) in targets.iter().enumerate() {
            effort.part(number, targets.len(), "targets looked at");
            // The last way is the one with the least conditions.
            let Some(way) = target.ways.last() else { continue };
            all.add(loaded, target.name(&loaded.model), &[target.goal(way)], effort)?;
        }
        all.criterion(cover.name(), before);
    }
    Ok(all)
}
