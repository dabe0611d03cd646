//! Online tests against mutants: there are no test cases, but a purpose for each way in which mutants differ from the
//! model, and the tester sends what leads there.

use tioga_base::Sources;
use tioga_concrete::Trace;
use tioga_execute::{AimedMutants, LeftOut};
use tioga_mutate::Operator;

use super::killing::purposes;
use crate::mutation::{JUDGED_STATES, JudgeOptions, Status, judged_each};
use crate::purpose_from::Slack;
use crate::runs::OnlineCases;
use crate::{Effort, Failure, Loaded, read};

/// Aims online tests at where mutants differ from the model, as far as that is known, besides others. Returns the
/// model with purposes that lead there.
pub fn online_mutants(
    loaded: &Loaded,
    all: &mut OnlineCases,
    effort: &mut Effort<'_>,
    texts: &mut Sources,
) -> Result<Loaded, Failure> {
    let options = JudgeOptions {
        operators: Operator::ALL.to_vec(),
        environment: false,
        as_is: false,
        compare: true,
        max_states: JUDGED_STATES,
    };
    let mut told: Vec<(String, Trace)> = Vec::new();
    let mut mutants = AimedMutants::default();
    let judged = judged_each(&loaded.model, &options, effort, &mut |_, (mutant, status)| {
        match status {
            Some(Status::NonConforming { run, .. }) => told.push((mutant.id, run)),
            Some(Status::Unknown(why)) => {
                mutants.undecided.push(LeftOut { purpose: mutant.id, why, proved: false });
            }
            Some(Status::Equivalent) => mutants.equivalent += 1,
            None => {}
        }
        Ok(())
    })?;
    (mutants.aimed, mutants.stopped) = (told.len(), judged.stopped.is_some());
    let runs: Vec<(&str, &Trace)> = told.iter().map(|(id, run)| (id.as_str(), run)).collect();
    let (aimed, text) = purposes(&loaded.model, &runs, &[Slack::Outputs]);
    let mut source = loaded.source.clone();
    source.options.purposes.get_or_insert_default().push_str(&text);
    let aiming = read(source, &[], texts)?;
    let before = all.counts();
    for (number, (_, name)) in aimed.iter().enumerate() {
        effort.part(number, aimed.len(), "mutants looked at");
        all.add(&aiming, name.clone(), format!("purpose {name}"), effort)?;
    }
    all.criterion("mutants", before);
    all.coverage.get_or_insert_default().mutants = Some(mutants);
    Ok(aiming)
}
