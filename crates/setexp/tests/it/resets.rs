//! Resets and the inputs that wait for expirations: a reset cancels what is pending, and an input is sent only at the
//! expirations that its step names.

use tioga_setexp::{Outcome, RunOptions, Simulated, Verdict};
use tioga_terms::Exact;

use crate::sptg::{run, start};
use crate::stages::{Stages, stages};

/// The resets of `k` and `o` are followed by no comparison of the clock.
const CANCEL: &str = "
input j, k;
output q, o;
automaton S {
  clock c;
  init location l0;
  location l1, l2, l3, l4;
  l0 -> l1 : j? do c = 0;
  l1 -> l2 : q! when c >= 3 do c = 0;
  l1 -> l3 : k? do c = 0;
  l3 -> l4 : o! do c = 0;
}
purpose Q { init location P0; accept location A; P0 -> A : o!; otherwise self; }
";

/// The input waits for c to reach 3, and d may pass 2 before.
const ORDER: &str = "
input i;
output q, o;
automaton S {
  clock c, d;
  init location l0;
  location l1, l2, l3;
  l0 -> l1 : q! do d = 0;
  l1 -> l2 : i? when c >= 3 && d > 1;
  l2 -> l3 : o! when d <= 2;
}
purpose Q { init location P0; accept location A; P0 -> A : o!; otherwise self; }
";

/// Runs the test of a model against the model, with many seeds.
fn outcomes(stages: &Stages) -> Vec<Outcome> {
    let one = |seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let data = start(stages, &[]);
        let mut system =
            Simulated::new(&stages.spec, Exact::new(), data, move |below| rng.u64(0..below));
        run(stages, &RunOptions::default(), &mut system)
    };
    (0..100).map(one).collect()
}

#[test]
fn a_reset_without_later_comparison_cancels_what_is_pending() {
    let stages = stages(CANCEL, "Q");
    let cancels = stages.graph.steps.iter().flat_map(|step| &step.sets);
    assert_eq!(cancels.filter(|set| set.thresholds.is_empty()).count(), 1, "only k cancels");
    let outcomes = outcomes(&stages);
    for outcome in &outcomes {
        assert_ne!(outcome.verdict, Verdict::Fail, "{outcome:?}");
    }
    assert!(outcomes.iter().any(|outcome| outcome.verdict == Verdict::Pass));
}

#[test]
fn an_input_is_sent_only_at_the_expirations_of_its_step() {
    let stages = stages(ORDER, "Q");
    let outcomes = outcomes(&stages);
    for outcome in &outcomes {
        assert!(!outcome.reason.contains("does not send now"), "{outcome:?}");
        assert_ne!(outcome.verdict, Verdict::Fail, "{outcome:?}");
    }
    assert!(outcomes.iter().any(|outcome| outcome.verdict == Verdict::Pass));
}
