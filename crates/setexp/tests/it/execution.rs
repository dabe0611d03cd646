//! Tests run against simulated systems: correct ones, and systems with faults in time, in data and in both.

use tioga_base::Rational;
use tioga_setexp::{
    Atom, Message, Relation, RunOptions, Simulated, SystemUnderTest, Tiosa, Verdict,
};
use tioga_terms::{Assignment, Exact, Formula, Term};

use crate::sptg::{run, start};
use crate::stages::{Stages, example, stages};

/// After a request, the system acknowledges its value after 2 to 5 time units.
const ECHO: &str = "
model echo;
param integer least;
input req(integer m);
output ack(integer v);
automaton Echo {
  clock c;
  integer last;
  init location Idle;
  location Busy invariant c <= 5;
  Idle -> Busy : req(m)? when m >= least do last = m, c = 0;
  Busy -> Idle : ack(last)! when c >= 2;
}
purpose Twice {
  init location Start;
  location One, Between, Two;
  accept location A;
  refuse location R;
  Start -> One : req(m)?;
  One -> Between : ack(v)!;
  Between -> Two : req(m)? when m != 3;
  Two -> A : ack(v)!;
  otherwise -> R;
}";

/// A system that remembers what passed its interface.
struct Recorded<S> {
    inner: S,
    log: Vec<(Rational, Message)>,
}

impl<S: SystemUnderTest> SystemUnderTest for Recorded<S> {
    fn input(&mut self, at: Rational, message: &Message) {
        self.log.push((at, message.clone()));
        self.inner.input(at, message);
    }

    fn output(&mut self, after: Rational, until: Option<Rational>) -> Option<(Rational, Message)> {
        let found = self.inner.output(after, until);
        self.log.extend(found.clone());
        found
    }
}

/// Whether a log has a fault, by the text of the specification: an answer with another value than the last
/// request's, or not between 2 and 5 time units after it.
fn faulty(log: &[(Rational, Message)]) -> bool {
    log.windows(2).any(|pair| {
        let [(asked, request), (came, answer)] = pair else { return false };
        if answer.action != "ack" {
            return false;
        }
        let delay = came.sub(*asked).unwrap();
        answer.values != request.values
            || delay < Rational::integer(2)
            || delay > Rational::integer(5)
    })
}

fn data(stages: &Stages) -> Assignment {
    start(stages, &[("least", 1)])
}

fn options(stages: &Stages, known: bool) -> RunOptions {
    let mut options = RunOptions::default();
    if known {
        options.constants.insert(stages.product.constants[0], Rational::ONE);
    }
    options
}

/// Runs a variant of the specification 40 times; gives how often it failed and passed. Verdicts are compared
/// with what the log shows.
fn campaign(stages: &Stages, variant: &Tiosa, known: bool) -> (usize, usize) {
    let (mut failed, mut passed) = (0, 0);
    for seed in 0..40 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let inner =
            Simulated::new(variant, Exact::new(), data(stages), move |below| rng.u64(0..below));
        let mut system = Recorded { inner, log: Vec::new() };
        let outcome = run(stages, &options(stages, known), &mut system);
        let fails = outcome.verdict == Verdict::Fail;
        let late = outcome.reason.starts_with("no output came");
        assert_eq!(fails, faulty(&system.log) || late, "{outcome:?} {:?}", system.log);
        failed += usize::from(fails);
        passed += usize::from(outcome.verdict == Verdict::Pass);
    }
    (failed, passed)
}

/// The edge of the answer.
fn answer(tiosa: &Tiosa) -> tioga_setexp::EdgeId {
    let ack = tiosa.action("ack").unwrap();
    tiosa.edges.iter_ids().find(|(_, edge)| edge.action == ack).unwrap().0
}

fn early(tiosa: &mut Tiosa) {
    let edge = answer(tiosa);
    tiosa.edges[edge].guard[0].threshold = Term::int(1);
}

fn late(tiosa: &mut Tiosa) {
    let busy = tiosa.location("Busy").unwrap();
    tiosa.locations[busy].invariant[0].threshold = Term::int(8);
    let edge = answer(tiosa);
    let clock = tiosa.edges[edge].guard[0].clock;
    tiosa.edges[edge].guard =
        vec![Atom { clock, relation: Relation::AtLeast, threshold: Term::int(4) }];
}

/// The answer is larger by one if the request was above 2.
fn wrong_value(tiosa: &mut Tiosa) {
    let id = answer(tiosa);
    let v = tiosa.actions[tiosa.edges[id].action].parameters[0];
    let last = tiosa.variables[0];
    let symbols = &tiosa.symbols;
    let one_more = Term::symbol(last).plus(&Term::int(1)).unwrap();
    tiosa.edges[id].condition = Formula::equal(symbols, &Term::symbol(v), &one_more).unwrap();
}

#[test]
fn a_correct_system_passes_always() {
    let stages = stages(ECHO, "Twice");
    assert_eq!(stages.game.losses(&stages.graph), Some(0));
    assert_eq!(campaign(&stages, &stages.spec, true), (0, 40));
}

/// The specification accepts only requests from the constant on. A tester that does not know the constant may
/// send one that is left open, after which anything may happen: it does not judge.
#[test]
fn without_the_constant_a_request_may_be_open() {
    let stages = stages(ECHO, "Twice");
    let mut rng = fastrand::Rng::with_seed(7);
    let mut system =
        Simulated::new(&stages.spec, Exact::new(), data(&stages), move |below| rng.u64(0..below));
    let outcome = run(&stages, &options(&stages, false), &mut system);
    assert_eq!(outcome.verdict, Verdict::Inconclusive);
    assert!(outcome.reason.contains("without knowing the constants"), "{}", outcome.reason);
}

#[test]
fn faults_in_time_in_data_and_in_both_are_found() {
    let stages = stages(ECHO, "Twice");
    type Change = fn(&mut Tiosa);
    let changes: [&[Change]; 4] = [&[early], &[late], &[wrong_value], &[early, wrong_value]];
    for changes in changes {
        let mut variant = stages.spec.clone();
        for change in changes {
            change(&mut variant);
        }
        let (failed, _) = campaign(&stages, &variant, true);
        assert!(failed > 0);
    }
}

#[test]
fn a_failure_is_explained_with_its_data() {
    let stages = stages(ECHO, "Twice");
    let mut variant = stages.spec.clone();
    wrong_value(&mut variant);
    let mut rng = fastrand::Rng::with_seed(1);
    let mut system =
        Simulated::new(&variant, Exact::new(), data(&stages), move |below| rng.u64(0..below));
    let outcome = run(&stages, &options(&stages, true), &mut system);
    assert_eq!(outcome.verdict, Verdict::Fail);
    let expected = "ack(v) with last == v, where last = 1 was allowed";
    assert!(outcome.reason.starts_with("ack(2) came at "), "{}", outcome.reason);
    assert!(outcome.reason.ends_with(expected), "{}", outcome.reason);
}

/// KHO's running example, with the constant p known and unknown: a correct system never fails.
#[test]
fn khoumsi_runs_with_and_without_the_constant() {
    let stages = stages(&example("khoumsi/fig5.tioga"), "FirstRho");
    let p = stages.product.constants[0];
    for known in [true, false] {
        let mut passed = 0;
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut options = RunOptions::default();
            if known {
                options.constants.insert(p, Rational::integer(5));
            }
            let data = start(&stages, &[("p", 5)]);
            let mut system =
                Simulated::new(&stages.spec, Exact::new(), data, move |below| rng.u64(0..below));
            let outcome = run(&stages, &options, &mut system);
            assert_ne!(outcome.verdict, Verdict::Fail, "{outcome:?}");
            passed += usize::from(outcome.verdict == Verdict::Pass);
        }
        assert!(passed > 0);
    }
}
