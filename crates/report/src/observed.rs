//! The run of the model that a run of a campaign shows: locations, edges and times, as far as observations tell.

use tioga_estimate::{Error, Latencies, ModelRun, RunFinder, Seen};
use tioga_execute::{Event, RunRecord, Settings};
use tioga_testcase::TestCase;

/// What a tester observed in a run. Moves that the environment of the model makes by itself have names of the test case,
/// which the model does not know; it finds them as silent steps.
pub(crate) fn observations(case: &TestCase, record: &RunRecord) -> Vec<Seen> {
    let seen = record.steps().into_iter().filter_map(|event| match event {
        Event::Sent { action, .. } if case.own_moves.contains(&action.channel) => None,
        Event::Sent { at, action } => Some(Seen::Input(action, at)),
        Event::Heard { at, action } => Some(Seen::Output(action, at)),
        Event::Quiet { now } => Some(Seen::Quiet(now.earliest())),
        _ => None,
    });
    seen.collect()
}

/// The run of the model that explains a run. What latencies do not explain, scheduling delays may.
///
/// # Errors
/// If the model cannot be followed.
pub(crate) fn model_run(
    finder: &RunFinder<'_>,
    settings: &Settings,
    case: &TestCase,
    record: &RunRecord,
) -> Result<ModelRun, Error> {
    let seen = observations(case, record);
    let latencies = settings.latencies;
    let run = finder.find(&latencies, &seen)?;
    let delay = record.events.iter().rev().find_map(|event| match event {
        Event::End { longest_delay, .. } => Some(*longest_delay),
        _ => None,
    });
    let Some(delay) = delay.filter(|delay| !delay.is_zero() && run.explained < seen.len()) else {
        return Ok(run);
    };
    let wider = Latencies { jitter: latencies.jitter.add(delay)?, ..latencies };
    let other = finder.find(&wider, &seen)?;
    Ok(if other.explained > run.explained { other } else { run })
}
