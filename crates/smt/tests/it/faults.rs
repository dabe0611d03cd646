//! Solvers that are missing, die, hang, flood or lie give a reason and never a hang or a crash.

use std::process::Command;
use std::time::{Duration, Instant};

use tioga_smt::Solver;
use tioga_terms::{Answer, Decide, Formula, Symbols, Term};

use crate::agreement::z3;

/// After this long a test hangs: far more than a busy machine needs.
pub const HANGING: Duration = Duration::from_secs(600);

fn question() -> (Symbols, Formula) {
    let mut symbols = Symbols::new();
    let x = symbols.int("x", Some(0), Some(9));
    let formula = Formula::at_most(&symbols, &Term::int(5), &Term::symbol(x)).unwrap();
    (symbols, formula)
}

fn shell(script: &str) -> Solver {
    let arguments = ["-c", script].map(str::to_owned);
    Solver::with_arguments("sh", arguments).with_limit(Duration::from_millis(500))
}

fn reason(solver: &mut Solver) -> String {
    let (symbols, formula) = question();
    let begin = Instant::now();
    let answer = solver.decide(&symbols, &formula);
    assert!(begin.elapsed() < HANGING, "the solver hangs");
    let Answer::Unknown(reason) = answer else { panic!("{answer:?}") };
    reason
}

#[test]
fn a_missing_solver_is_said() {
    let reason = reason(&mut Solver::new("no-such-solver"));
    let start = "no-such-solver: the solver `no-such-solver` cannot be started: ";
    assert!(reason.starts_with(start), "{reason}");
}

#[test]
fn faults_are_reasons() {
    let reason_of_sleep = reason(&mut shell("exec sleep 1000"));
    assert_eq!(reason_of_sleep, "sh: the solver did not answer within 0.5 s");
    for (script, expected) in [
        ("exit 3", "the solver ended"),
        ("exec cat", "the solver gave an answer that cannot be used: "),
        ("exec yes", "the solver answered with more than "),
        ("exec cat /dev/zero", "the solver answered with more than "),
        // Dies in the middle of an answer.
        ("read line; echo sat; kill -9 $$", "the solver ended"),
    ] {
        let mut solver = shell(script).with_limit(HANGING);
        for _ in 0..2 {
            let reason = reason(&mut solver);
            assert!(reason.contains(expected), "{script}: {reason}");
        }
    }
}

/// Answers what a script says for the words `check-sat` and `get-value`, and repeats markers.
fn answering(check: &str, value: &str) -> Solver {
    let script = format!(
        "while read -r line; do case \"$line\" in \
         *check-sat*) echo '{check}';; *get-value*) echo '{value}';; \
         *echo*) echo \"$line\" | sed 's/.*\"\\(.*\\)\".*/\\1/';; esac; done"
    );
    shell(&script).with_limit(HANGING)
}

#[test]
fn values_are_checked() {
    let (symbols, formula) = question();
    let Answer::Holds(values) = answering("sat", "((|s0| 7))").decide(&symbols, &formula) else {
        panic!("the right answer is refused")
    };
    assert_eq!(values.iter().next().unwrap().1.to_integer(), Some(7));
    assert_eq!(answering("unsat", "").decide(&symbols, &formula), Answer::Never);
    for (check, value, expected) in [
        ("sat", "((|s0| 4))", "the values of the solver do not satisfy the condition"),
        ("sat", "((|s0| 10))", "the values of the solver do not satisfy the condition"),
        ("sat", "((|s0| (/ 15 2)))", "the values of the solver do not satisfy the condition"),
        ("sat", "((|s1| 7))", "the solver has values that are no exact numbers of 64 bits: "),
        ("sat", "((|s0| 7.3?))", "the solver has values that are no exact numbers of 64 bits: "),
        ("sat", "", "the solver has values that are no exact numbers of 64 bits: \"\""),
        ("unknown", "", "the solver does not know"),
        ("error", "", "the solver gave an answer that cannot be used: \"error\""),
        ("(error \"no\")", "", "the solver gave an answer that cannot be used: "),
    ] {
        let reason = reason(&mut answering(check, value));
        assert!(reason.contains(expected), "{check} {value}: {reason}");
    }
}

#[test]
fn a_solver_that_was_killed_is_started_again_with_its_conditions() {
    let Some(mut z3) = z3() else { return };
    let (symbols, formula) = question();
    let x = formula.symbols().into_iter().next().unwrap();
    let small = Formula::at_most(&symbols, &Term::symbol(x), &Term::int(5)).unwrap();
    z3.push(&symbols, &small);
    let Answer::Holds(values) = z3.decide(&symbols, &formula) else { panic!() };
    assert_eq!(values.get(x).unwrap().to_integer(), Some(5));
    let number = z3.process().unwrap();
    let killed = Command::new("kill").args(["-9", &number.to_string()]).status().unwrap();
    assert!(killed.success());
    let answer = z3.decide(&symbols, &formula);
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    let Answer::Holds(values) = z3.decide(&symbols, &formula) else { panic!() };
    assert_eq!(values.get(x).unwrap().to_integer(), Some(5));
    assert_ne!(z3.process(), Some(number));
}
