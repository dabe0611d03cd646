//! Online tests against mutants: there are no test cases, but a purpose for each way in which mutants differ from the
//! model, and the tester sends what leads there. The instants of such a run may be out of reach if steps are hidden, so
//! there is another purpose for each edge that mutants change: to take it and wait for its effect.

use std::collections::BTreeSet;

use tioga_base::Sources;
use tioga_concrete::Trace;
use tioga_execute::{AimedMutants, LeftOut};
use tioga_model::EdgePlace;
use tioga_mutate::Operator;

use super::killing::{changed, purposes, with_purposes};
use tioga_testcase::{Cover, Goal};

use crate::cover::{Way, targets};
use crate::mutation::{JUDGED_STATES, JudgeOptions, Status, judged_each};
use crate::purpose_from::{MadePurpose, Slack};
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
    let mut edges: BTreeSet<EdgePlace> = BTreeSet::new();
    let mut mutants = AimedMutants::default();
    let judged = judged_each(&loaded.model, &options, effort, &mut |_, (mutant, status)| {
        match status {
            Some(Status::NonConforming { run, .. }) => {
                edges.extend(changed(&loaded.model, &mutant));
                told.push((mutant.id, run));
            }
            Some(Status::Unknown(why)) => {
                edges.extend(changed(&loaded.model, &mutant));
                mutants.undecided.push(LeftOut { purpose: mutant.id, why, proved: false });
            }
            Some(Status::Equivalent) => mutants.equivalent += 1,
            None => {}
        }
        Ok(())
    })?;
    (mutants.aimed, mutants.stopped) = (told.len(), judged.stopped.is_some());
    let runs: Vec<(&str, &Trace)> = told.iter().map(|(id, run)| (id.as_str(), run)).collect();
    let aimed = purposes(&loaded.model, &runs, &[Slack::Outputs]);
    let source = with_purposes(&loaded.source, aimed.iter().map(|(_, purpose)| purpose));
    let mut aiming = read(source, &[], texts)?;
    // A finer unit of time is that of all runs; without time for that, no run aims at mutants.
    if aiming.model.scale != loaded.model.scale && !all.aim_again(&aiming, effort)? {
        aiming = loaded.clone();
    }
    let before = all.counts();
    for (number, (_, MadePurpose { name, .. })) in aimed.iter().enumerate() {
        effort.part(number, aimed.len(), "mutants looked at");
        all.add(&aiming, name.clone(), &[Goal::Purpose(name.clone())], effort)?;
    }
    all.criterion("mutants", before);
    let before = all.counts();
    for target in targets(&aiming.model, Cover::Edges) {
        if target.ways.iter().filter_map(Way::edge).any(|edge| edges.contains(&edge)) {
            let ways = target.ways(&aiming.model, true);
            let effects = ways.iter().filter(|way| way.edge().is_none());
            let goals: Vec<Goal> = effects.map(|way| target.goal(way)).collect();
            all.add(&aiming, format!("{}-effect", target.name(&aiming.model)), &goals, effort)?;
        }
    }
    all.criterion("effects", before);
    all.coverage.get_or_insert_default().mutants = Some(mutants);
    Ok(aiming)
}

#[cfg(test)]
mod tests {
    use tioga_base::Cancel;

    use super::*;
    use crate::{OpenOptions, online_cover, open};

    /// Also if time is over while goals are built again in a finer unit.
    #[test]
    fn all_goals_count_in_the_unit_of_the_model() {
        let mut texts = Sources::new();
        let source = open("@conveyor", &OpenOptions::default(), &mut texts).unwrap();
        let loaded = read(source, &[], &mut texts).unwrap();
        let (mut asks, mut scales) = (1, BTreeSet::new());
        loop {
            let mut all = online_cover(&loaded, &[Cover::Edges], &mut Effort::default()).unwrap();
            let mut effort = Effort { cancel: Cancel::after(asks), ..Effort::default() };
            let aiming = online_mutants(&loaded, &mut all, &mut effort, &mut texts).unwrap();
            let scale = aiming.model.scale;
            assert!(all.goals.values().all(|goal| goal.model.scale == scale), "{asks}");
            assert_eq!(all.goals.len(), all.cases.len());
            scales.insert(scale);
            if effort.cancel.reason().is_none() {
                break;
            }
            asks += asks / 12 + 1;
        }
        assert_eq!(scales.len(), 2, "{scales:?}");
    }
}
