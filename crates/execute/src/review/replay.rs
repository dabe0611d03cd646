//! A recorded run once more: the same inputs at the same times, and what came of it.

use tioga_base::Rational;
use tioga_model::{Model, Predicate};

use super::difference::{Difference, first_difference};
use super::script::Script;
use super::script_tester::ScriptTester;
use super::stand::Stand;
use crate::error::Error;
use crate::journal::event::Event;
use crate::journal::record::RunRecord;
use crate::run::driver::Ending;
use crate::testers::choice::oracle_for;
use crate::testers::oracle::Oracle;
use crate::testers::tester::Conclusion;

/// What came of a run that was made again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// What happened.
    pub record: RunRecord,
    /// How it ended.
    pub ending: Ending,
    /// Where it differs first from the recorded run, if it does.
    pub difference: Option<Difference>,
    /// Whether both runs have the same verdict.
    pub same_verdict: bool,
}

impl Replayed {
    /// Whether everything that was observed was the same.
    pub fn is_reproduced(&self) -> bool {
        self.same_verdict && self.difference.is_none()
    }
}

impl Stand<'_, '_> {
    /// Makes a run again. The test case judges it; or the model, if it is known and the recorded run is
    /// not one of the test case, as those that were shrunk or tested online. An online test may have had
    /// a goal, or may have lasted for a given time.
    pub fn replay(
        &mut self,
        recorded: &RunRecord,
        model: Option<&Model>,
        aim: (Option<&Predicate>, Option<Rational>),
    ) -> Result<Replayed, Error> {
        let (settings, case) = (self.settings(), self.case_of(recorded));
        let seed = recorded.seed().unwrap_or(0);
        let oracle = |model| oracle_for(settings, case, model, aim, seed);
        let model = match model {
            Some(model) if settings.is_online(case) => Some(model),
            Some(model) if !agrees(oracle(None)?.as_mut(), recorded)? => Some(model),
            _ => None,
        };
        let mut script = Script::of(recorded);
        if model.is_some() {
            script = script.without_own_moves(case);
        }
        let (record, ending, _) = self.run(recorded, || {
            let oracle = oracle(model)?;
            ScriptTester::new(oracle, script.clone(), recorded.events.clone()).paced_by(settings)
        })?;
        let difference = first_difference(&recorded.events, &record.events);
        let same_verdict = recorded.outcome().is_some_and(|(outcome, _)| outcome == ending.outcome);
        Ok(Replayed { record, ending, difference, same_verdict })
    }
}

/// Whether an oracle accepts all inputs of a run, and gives the same verdict.
fn agrees(oracle: &mut dyn Oracle, record: &RunRecord) -> Result<bool, Error> {
    for event in &record.events {
        let over = match event {
            Event::Sent { at, action } => {
                let over = oracle.quiet(*at)?;
                if over.is_none() && !oracle.allows(action)? {
                    return Ok(false);
                }
                over.map_or_else(|| oracle.sent(action, *at), |over| Ok(Some(over)))?
            }
            Event::Heard { at, action } => oracle.heard(action, *at)?,
            Event::Quiet { now } => oracle.quiet(*now)?,
            Event::Begin { .. } | Event::Sending { .. } | Event::Fault { .. } => None,
            Event::End { .. } => None,
        };
        if let Some(Conclusion { verdict, .. }) = over {
            let recorded = record.outcome().map(|(outcome, _)| outcome);
            return Ok(recorded.is_none_or(|outcome| outcome == verdict.into()));
        }
    }
    Ok(true)
}
