//! Complete suites of timed models: of all mutants that are machines in the same units with few states more, exactly those
//! that differ are killed.

use tioga::machines::{SuiteKind, TimedMachine, each_timed_case, machine_suite, timed_machine};
use tioga::{
    Cancel, Effort, Loaded, ModelFormat, ModelSource, Outcome, RunOptions, Sources, Suite,
    SystemRef, TargetFormat, TestCase, network_text, prepare, read, settings,
};
use tioga_machines::Method;
use tioga_machines::partition::difference;
use tioga_machines::separation::characterisation_set;
use tioga_mutate::{MutantOptions, mutants};

fn loaded(text: &str, texts: &mut Sources) -> Loaded {
    read(ModelSource::of_text("model.tioga", text).unwrap(), &[], texts).unwrap()
}

fn timed(loaded: &Loaded, parts: i64) -> Option<TimedMachine> {
    timed_machine(&loaded.model, Some(parts), 100_000, &mut Effort::default()).ok()
}

fn cases(loaded: &Loaded, timed: &TimedMachine, kind: &SuiteKind, extra: usize) -> Vec<TestCase> {
    let suite = machine_suite(&timed.machine, kind, extra, &Effort::default()).unwrap();
    let mut cases = Vec::new();
    let made = each_timed_case(&loaded.model, timed, &suite, &mut |case| {
        assert_eq!(case.flaw(), None, "it can be followed");
        cases.push(case);
        Ok(())
    });
    made.unwrap();
    cases
}

fn outcomes(text: &str, cases: &[TestCase], seed: u64) -> Vec<Outcome> {
    let mut texts = Sources::new();
    let system = loaded(text, &mut texts);
    let suite = Suite::of_model(system.source.clone(), cases.to_vec());
    let options = RunOptions { keep_going: true, seed, ..RunOptions::default() };
    let settings = settings(suite, None, SystemRef::Itself, &options, Some(&system.model)).unwrap();
    let prepared = prepare(settings, Some(system), &mut texts, &mut Effort::default()).unwrap();
    let records = prepared.records(Cancel::new()).unwrap();
    records.iter().map(|record| record.outcome().unwrap().0).collect()
}

/// A machine with two timeouts, of which one depends on when an input came.
const RETRY: &str = "input send, ack; output frame, again, lost;
automaton Sender { clock x;
  init location Idle; location Now invariant x <= 0; location Waiting invariant x <= 2;
  location Once invariant x <= 0; location Last invariant x <= 1;
  Idle -> Now : send? do x = 0; Idle -> self : ack?;
  Now -> Waiting : frame!; Now -> self : send?; Now -> self : ack?;
  Waiting -> Idle : ack?; Waiting -> self : send?;
  Waiting -> Last : again! when x >= 2 do x = 0;
  Once -> Last : again!;
  Last -> Idle : ack?; Last -> self : send?;
  Last -> Idle : lost! when x >= 1; }";

#[test]
fn of_the_mutants_in_the_domain_exactly_those_that_differ_are_killed() {
    let light = tioga::example("stairs-light").unwrap().text;
    let subjects = [(light, 1, 0, 15), (light, 1, 1, 20), (light, 2, 0, 15), (RETRY, 1, 1, 20)];
    for (text, parts, extra, least) in subjects {
        let mut texts = Sources::new();
        let spec = loaded(text, &mut texts);
        let machine = timed(&spec, parts).expect("it is a machine");
        let words = characterisation_set(&machine.machine).unwrap();
        let states = machine.machine.state_count();
        let mut kinds: Vec<SuiteKind> = Method::ALL.map(SuiteKind::By).into();
        kinds.push(SuiteKind::G(words, states, None));
        let suites: Vec<Vec<TestCase>> =
            kinds.iter().map(|kind| cases(&spec, &machine, kind, extra)).collect();
        for suite in &suites {
            assert!(outcomes(text, suite, 1).iter().all(|one| *one == Outcome::Pass));
        }
        let (mut same, mut different) = (0, 0);
        for mutant in mutants(&spec.model, &MutantOptions::default()).list {
            let network = mutant.network(&spec.model);
            let target = TargetFormat::Model(ModelFormat::Tioga);
            let Ok(text) = network_text(&network, &[], target) else { continue };
            let mut own = Sources::new();
            let system = loaded(&text, &mut own);
            let Some(built) = timed(&system, parts) else { continue };
            // In the domain: as many inputs, all of them taken everywhere, and few states more.
            let inputs = built.machine.input_count() == machine.machine.input_count();
            let few = built.machine.state_count() <= states + extra;
            if !inputs || !few || built.machine.gap().is_some() {
                continue;
            }
            let differs = difference(&machine.machine, &built.machine).is_some();
            *(if differs { &mut different } else { &mut same }) += 1;
            for (kind, suite) in kinds.iter().zip(&suites) {
                let found = outcomes(&text, suite, 7);
                let killed = found.contains(&Outcome::Fail);
                let seen = found.iter().all(|one| matches!(one, Outcome::Pass | Outcome::Fail));
                assert!(differs || seen, "{kind:?}: {found:?}\n{text}");
                assert_eq!(killed, differs, "{kind:?}: {found:?}\n{text}");
            }
        }
        assert!(different >= least && same >= 1, "{different} differ, {same} do not");
    }
}

#[test]
fn what_is_no_machine_in_units_of_time_is_refused() {
    let refused = |text: &str, parts: i64| {
        let mut texts = Sources::new();
        let model = loaded(text, &mut texts);
        let made = timed_machine(&model.model, Some(parts), 1000, &mut Effort::default());
        made.unwrap_err().to_string()
    };
    let model = |rest: &str| {
        format!(
            "input a; output b, c; automaton M {{ clock x; init location p; \
             location q invariant x <= 2; p -> q : a? do x = 0; {rest} }}"
        )
    };
    let later = refused(&model("q -> p : b!;"), 1);
    assert_eq!(later, "`b!` may come in `q; M.x=0` or later");
    let either = refused(&model("q -> p : b! when x >= 2; q -> p : c! when x >= 2;"), 1);
    assert_eq!(either, "`b!` or `c!` may come in `q; M.x=2`");
    let between = refused(&model("q -> p : b! when x > 1 && x < 2; q -> p : c! when x >= 2;"), 1);
    assert_eq!(between, "`b!` may come between two units of time, in `q; M.x=3/2`");
    let endless = "input a; output b; automaton M { clock x; init location p; \
                   location q invariant x <= 0; p -> q : a? do x = 0; q -> self : b!; }";
    assert_eq!(refused(endless, 1), "outputs never end at the instant of `q; M.x=0`");
    let early = "input a; output b; automaton M { clock x; init location p invariant x <= 0; \
                 location q; p -> q : b!; q -> self : a?; }";
    assert!(refused(early, 1).contains("before the first input"));
    let thirds = "input a; output b; automaton M { clock x; init location p; \
                  location q invariant x <= 2/3; p -> q : a? do x = 0; q -> p : b! when x >= 2/3; }";
    assert!(refused(thirds, 2).contains("1/2"));
}
