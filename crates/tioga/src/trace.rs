//! Runs as traces that name every edge.

use tioga_base::Rational;
use tioga_concrete::{Record, Trace, move_record};
use tioga_model::{Model, Move};
use tioga_symbolic::TimedStep;

/// Delays and steps as records; delays of zero are left out.
pub fn timed_records<'s>(
    model: &Model,
    steps: impl IntoIterator<Item = (Rational, Option<&'s Move>)>,
) -> Vec<Record> {
    let mut records = Vec::new();
    for (delay, step) in steps {
        if !delay.is_zero() {
            records.push(Record::Delay(delay));
        }
        records.extend(step.map(|step| Record::Move(move_record(model, step))));
    }
    records
}

/// A run with exact delays as a trace.
pub fn trace(model: &Model, steps: &[TimedStep]) -> Trace {
    let records = timed_records(model, steps.iter().map(|one| (one.delay, one.step.as_ref())));
    Trace { model: model.name.clone(), seed: None, records }
}
