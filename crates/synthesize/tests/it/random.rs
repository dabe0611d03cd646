//! Random specifications and purposes: what conforms never fails, and what does not conform fails
//! at once where verdicts are exact.

use crate::drawn::bench::{Bench, MANNERS, Outcome, Wrong};
use crate::drawn::specification::{Kind, Specification};
use crate::drawn::{Prepared, conforms, prepare};
use fastrand::Rng;
use tioga_model::Model;
use tioga_testcase::{Followed, Verdict};
use tioga_testkit::model;

const KINDS: [Kind; 3] = [Kind::Deterministic, Kind::Choices, Kind::Silent];

/// Specifications of each kind.
const SPECIFICATIONS: u64 = 40;

/// Runs of each test case in each manner.
const RUNS: u64 = 3;

/// Random specifications whose goal can be reached.
fn specifications(kind: Kind) -> impl Iterator<Item = (Specification, String, Prepared)> {
    (0..SPECIFICATIONS).filter_map(move |seed| {
        let specification = Specification::random(kind, &mut Rng::with_seed(seed));
        let text = specification.text();
        prepare(&text).map(|prepared| (specification, text, prepared))
    })
}

/// A model with the traces of the specification in which no step is hidden, if there is one.
fn oracle(kind: Kind, prepared: &Prepared) -> Option<&Model> {
    match kind {
        Kind::Deterministic | Kind::Choices => Some(&prepared.product),
        Kind::Silent => prepared.exact.then_some(&prepared.view),
    }
}

#[derive(Default, Debug)]
struct Counts {
    passed: usize,
    inconclusive: usize,
    open: usize,
}

impl Counts {
    /// Runs a system that conforms against all test cases.
    fn run(&mut self, text: &str, (kind, prepared): (Kind, &Prepared), system: &Model, seed: u64) {
        // Where verdicts are exact, what passes is accepted.
        let oracle = oracle(kind, prepared).filter(|_| prepared.exact);
        for case in &prepared.cases {
            let bench = Bench { case, system, oracle };
            for manner in MANNERS {
                for turn in 0..RUNS {
                    let outcome = bench.run(manner, None, &mut Rng::with_seed(seed + turn));
                    let context = || format!("{:?}, {manner:?}, {turn}\n{text}", case.shape);
                    match outcome {
                        Outcome::Verdict(Verdict::Pass, _) => self.passed += 1,
                        Outcome::Verdict(Verdict::Uncertain, _) if prepared.exact => {
                            panic!("{}", context())
                        }
                        Outcome::Verdict(Verdict::Uncertain | Verdict::Inconclusive, _) => {
                            self.inconclusive += 1;
                        }
                        Outcome::Verdict(Verdict::Fail, reason) => {
                            panic!("{reason}: {}", context())
                        }
                        Outcome::Open => self.open += 1,
                        Outcome::Wronged(_) => unreachable!("nothing wrong was asked for"),
                    }
                }
            }
        }
    }
}

#[test]
fn a_specification_that_resolves_its_choices_somehow_never_fails() {
    for kind in KINDS {
        let mut counts = Counts::default();
        let mut approximated = 0;
        for (_, text, prepared) in specifications(kind) {
            approximated += usize::from(!prepared.exact);
            counts.run(&text, (kind, &prepared), &prepared.specification, 0);
        }
        assert!(counts.passed > 100 && counts.inconclusive > 10, "{kind:?}: {counts:?}");
        match kind {
            Kind::Deterministic => assert_eq!(approximated, 0),
            Kind::Choices => {}
            Kind::Silent => assert!(approximated > 0, "views that are not exact are met too"),
        }
    }
}

#[test]
fn a_system_that_does_less_than_is_allowed_never_fails() {
    for kind in KINDS {
        let (mut counts, mut systems) = (Counts::default(), 0);
        for (specification, _, prepared) in specifications(kind) {
            let mut random = Rng::with_seed(7);
            for _ in 0..3 {
                let reduced = specification.reduced(&mut random).text();
                let system = model(&reduced);
                // It conforms to what it was made from, or else nothing is claimed.
                if !conforms(&system, &prepared.view) {
                    continue;
                }
                systems += 1;
                counts.run(&reduced, (kind, &prepared), &system, 100);
            }
        }
        assert!(systems > 20 && counts.passed > 50, "{kind:?}: {systems}, {counts:?}");
    }
}

#[test]
fn what_is_wrong_fails_at_that_step() {
    for kind in KINDS {
        for wrong in [Wrong::Output, Wrong::Silence] {
            let mut noticed = 0;
            for (_, text, prepared) in specifications(kind) {
                let Some(oracle) = oracle(kind, &prepared) else { continue };
                let (system, oracle) = (&prepared.specification, Some(oracle));
                for case in prepared.cases.iter().filter(|case| case.summary.exact) {
                    let bench = Bench { case, system, oracle };
                    for seed in 0..16 {
                        let mut random = Rng::with_seed(seed);
                        let at = random.usize(0..6);
                        let manner = random.choice(MANNERS).unwrap();
                        let outcome = bench.run(manner, Some((wrong, at)), &mut random);
                        let context = || format!("{:?}, seed {seed}\n{text}", case.shape);
                        match outcome {
                            Outcome::Wronged(Followed::Over { verdict: Verdict::Fail, .. }) => {
                                noticed += 1;
                            }
                            Outcome::Wronged(step) => panic!("{wrong:?}: {step:?}, {}", context()),
                            Outcome::Verdict(Verdict::Fail, reason) => {
                                panic!("{reason}, before anything wrong, {}", context())
                            }
                            Outcome::Verdict(..) | Outcome::Open => {}
                        }
                    }
                }
            }
            assert!(noticed > 50, "{kind:?}, {wrong:?}: {noticed}");
        }
    }
}
