//! Random traces of random models and of their views, each explained by the other: outputs, inputs and
//! delays of an exact view, outputs and delays of the model in any view.

use proptest::prelude::*;
use tioga_base::{Budget, Moment, Rational};
use tioga_concrete::{Record, TraceEvent, WalkOptions, walk};
use tioga_determinize::{Resources, determinize};
use tioga_estimate::{Estimator, Explained, Latencies, ModelBoard};
use tioga_model::Model;
use tioga_testcase::Action;

use crate::random::automaton;

/// Where a trace stops being one of a model; nothing if it is one, or if that cannot be told.
fn departs(model: &Model, records: &[Record]) -> Option<(usize, Explained)> {
    let mut estimator = Estimator::new(ModelBoard::new(model, &[]).ok()?, Latencies::NONE).ok()?;
    let mut now = Rational::ZERO;
    for (at, record) in records.iter().enumerate() {
        let moment = Moment::exactly(now);
        let explained = match record {
            Record::Delay(delay) => {
                now = now.add(*delay).ok()?;
                estimator.quiet(now)
            }
            Record::Step(step) => match &step.event {
                TraceEvent::Input(name, values) => {
                    estimator.sent(&Action::new(name, values), moment)
                }
                TraceEvent::Output(name, values) => {
                    estimator.heard(&Action::new(name, values), moment)
                }
                TraceEvent::Exchange(..) => return None,
                TraceEvent::Internal(_) => continue,
            },
        };
        match explained.ok()? {
            Explained::Yes => {}
            why => return Some((at, why)),
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn traces_of_model_and_view_explain_each_other(text in automaton(), seed in 0..1000u64) {
        let model = tioga_testkit::model(&text);
        let resources = Resources { clocks: 2, max_constant: 2 };
        let Ok(result) = determinize(&model, resources, &mut Budget::steps(20_000)) else {
            return Ok(());
        };
        let exact = result.exactness.is_exact();
        let view = result.network.validate().unwrap();
        for seed in seed..seed + 5 {
            let horizon = Rational::integer(3);
            let options = WalkOptions { seed, steps: 10, horizon, ..WalkOptions::default() };
            if let Ok(run) = walk(&model, &options) {
                let found = departs(&view, &run.trace.records)
                    .filter(|(_, why)| exact || *why != Explained::Unspecified);
                prop_assert!(found.is_none(), "model: {found:?}\n{:?}\n{text}", run.trace.records);
            }
            if let Ok(run) = walk(&view, &options)
                && exact
            {
                let found = departs(&model, &run.trace.records);
                prop_assert!(found.is_none(), "view: {found:?}\n{:?}\n{text}", run.trace.records);
            }
        }
    }
}
