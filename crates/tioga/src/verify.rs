//! Whether a deterministic view has the traces it claims to have: random traces of model and view, each
//! explained by the other, with exact time.

use tioga_base::{Cancel, Moment, Rational};
use tioga_concrete::{Record, TraceEvent, WalkOptions, walk};
use tioga_estimate::{Estimator, Explained, Latencies, ModelBoard};
use tioga_model::Model;
use tioga_testcase::Action;

use crate::words::{action, number};

/// How many moves a random trace has at most.
const MOVES: u64 = 20;

/// The result of the comparison.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// How many traces were compared.
    pub traces: u64,
    /// How many were left out, because one side cannot be followed that far.
    pub skipped: u64,
    /// The first difference, if there is one.
    pub difference: Option<Difference>,
}

/// A trace of one side that the other does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The trace up to where the two differ: actions and delays.
    pub trace: Vec<String>,
    /// Whether it is a trace of the view, and not of the model.
    pub of_view: bool,
    /// The missing continuation of the other side.
    pub why: &'static str,
}

/// Compares this number of random traces of each side. An approximate view may allow more, and accept
/// fewer inputs, so only the outputs and delays of the model are looked for in it.
pub fn verified(
    model: &Model,
    view: &Model,
    exact: bool,
    traces: u64,
    cancel: &Cancel,
) -> Verified {
    let mut done = Verified::default();
    for seed in 0..traces {
        if cancel.is_cancelled() {
            break;
        }
        for (own, other, of_view) in [(model, view, false), (view, model, true)] {
            if of_view && !exact {
                continue;
            }
            let horizon = Rational::integer(5);
            let options = WalkOptions { seed, steps: MOVES, horizon, ..WalkOptions::default() };
            let Ok(run) = walk(own, &options) else {
                done.skipped += 1;
                continue;
            };
            let records = &run.trace.records;
            let (at, why) = match compared(other, records) {
                None => {
                    done.skipped += 1;
                    continue;
                }
                Some(None) => {
                    done.traces += 1;
                    continue;
                }
                Some(Some(found)) => found,
            };
            let why = match why {
                Explained::Unspecified if !exact => {
                    done.traces += 1;
                    continue;
                }
                Explained::Unspecified => "does not take this input",
                Explained::Late => "does not let time pass for so long",
                Explained::NoOutput | Explained::Yes => "allows no such output",
            };
            let trace = records[..=at].iter().filter_map(shown).collect();
            done.difference = Some(Difference { trace, of_view, why });
            return done;
        }
    }
    done
}

fn shown(record: &Record) -> Option<String> {
    match record {
        Record::Delay(delay) => Some(number(*delay)),
        Record::Step(step) if matches!(step.event, TraceEvent::Internal(_)) => None,
        Record::Step(step) => Some(action(&step.event)),
    }
}

/// Where a trace stops being one of a model, and why; nothing at all if that cannot be told.
fn compared(model: &Model, records: &[Record]) -> Option<Option<(usize, Explained)>> {
    let board = ModelBoard::new(model, &[]).ok()?;
    let mut estimator = Estimator::new(board, Latencies::NONE).ok()?;
    let mut now = Rational::ZERO;
    for (at, record) in records.iter().enumerate() {
        let explained = match record {
            Record::Delay(delay) => {
                now = now.add(*delay).ok()?;
                estimator.quiet(now)
            }
            Record::Step(step) => match &step.event {
                TraceEvent::Input(channel, values) => {
                    estimator.sent(&Action::new(channel, values), Moment::exactly(now))
                }
                TraceEvent::Output(channel, values) => {
                    estimator.heard(&Action::new(channel, values), Moment::exactly(now))
                }
                TraceEvent::Exchange(..) => return None,
                TraceEvent::Internal(_) => continue,
            },
        };
        match explained.ok()? {
            Explained::Yes => {}
            why => return Some(Some((at, why))),
        }
    }
    Some(None)
}
