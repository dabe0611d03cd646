//! Online tests against mutants: there are no test cases, but a purpose for each way in which mutants differ from the
//! model, and the tester sends what leads there.

use tioga_base::Sources;
use tioga_concrete::Trace;
use tioga_mutate::Operator;

use super::killing::purposes;
use crate::mutation::{JUDGED_STATES, JudgeOptions, Status, judged_each};
use crate::purpose_from::Slack;
use crate::runs::OnlineCases;
use crate::synthesis::{Missed, WhyMissed};
use crate::{Effort, Failure, Loaded, read};

/// What online tests against mutants need.
#[derive(Debug)]
pub struct OnlineMutants {
    /// The model with purposes that lead to where mutants differ from it.
    pub loaded: Loaded,
    /// Test cases without test steps, one for each way in which mutants differ, and the mutants that are not known
    /// to differ.
    pub cases: OnlineCases,
    /// How many mutants can be told from the model.
    pub mutants: usize,
}

/// Aims online tests at where mutants differ from the model, as far as that is known.
pub fn online_mutants(
    loaded: &Loaded,
    effort: &mut Effort<'_>,
    texts: &mut Sources,
) -> Result<OnlineMutants, Failure> {
    let options = JudgeOptions {
        operators: Operator::ALL.to_vec(),
        environment: false,
        as_is: false,
        compare: true,
        max_states: JUDGED_STATES,
    };
    let (mut told, mut missed): (Vec<(String, Trace)>, Vec<Missed>) = Default::default();
    judged_each(&loaded.model, &options, effort, &mut |_, (mutant, status)| {
        match status {
            Some(Status::NonConforming { run, .. }) => told.push((mutant.id, run)),
            Some(Status::Unknown(_)) => {
                missed.push(Missed { purpose: mutant.id, why: WhyMissed::Undecided });
            }
            Some(Status::Equivalent) | None => {}
        }
        Ok(())
    })?;
    let mutants = told.len();
    let runs: Vec<(&str, &Trace)> = told.iter().map(|(id, run)| (id.as_str(), run)).collect();
    let (aimed, text) = purposes(&loaded.model, &runs, &[Slack::Outputs]);
    let mut source = loaded.source.clone();
    source.options.purposes.get_or_insert_default().push_str(&text);
    let aiming = read(source, &[], texts)?;
    let mut all = OnlineCases { missed, ..OnlineCases::default() };
    for (number, (_, name)) in aimed.iter().enumerate() {
        effort.part(number, aimed.len(), "mutants looked at");
        all.add(&aiming, name.clone(), format!("purpose {name}"), effort)?;
    }
    Ok(OnlineMutants { loaded: aiming, cases: all, mutants })
}
