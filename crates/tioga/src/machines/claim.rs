//! The claim of a suite that it is complete, and its check by a search that shares nothing with the methods.

use tioga_base::Cancel;
use tioga_machines::complete::{Assumption, Completeness, Domain, survivor};
use tioga_machines::{Machine, Word};
use tioga_model::Model;
use tioga_testcase::{CompleteFor, Goal, TestCase};

use super::certified::MOST_STATES;
use super::of_model::machine_of;
use super::stages::SuiteKind;
use super::test_lines::{read_tests, test_line};
use super::timed::timed_machine;
use crate::words::count;
use crate::{Effort, Failure};

/// How much the search may do: some seconds.
const STEPS: u64 = 1_000_000_000;

/// The claim of a suite that was made for this number of extra states.
pub fn complete_for(machine: &Machine, kind: &SuiteKind, extra_states: usize) -> CompleteFor {
    let states = (kind.states(machine) + extra_states) as u64;
    match kind {
        SuiteKind::G(words, classes, None) => CompleteFor {
            states,
            classes: Some(*classes as u64),
            words: words.iter().map(|word| test_line(machine, word)).collect(),
        },
        SuiteKind::G(_, _, Some(_)) | SuiteKind::By(_) => {
            CompleteFor { states, classes: None, words: Vec::new() }
        }
    }
}

/// The claim in words.
pub fn claim_text(claim: &CompleteFor) -> String {
    let states = count(usize::try_from(claim.states).unwrap_or(usize::MAX), "state");
    match claim.classes {
        None => format!("complete for systems with at most {states}"),
        Some(classes) => {
            let classes = usize::try_from(classes).unwrap_or(usize::MAX);
            let (number, words) = (count(classes, "different answer"), claim.words.join("`, `"));
            format!(
                "complete for systems with at most {states}, among which `{words}` gets at least {number}"
            )
        }
    }
}

/// What is known about the claim of a suite.
pub(crate) enum ClaimFinding {
    /// It is true; what was checked.
    True(String),
    /// It is false, for this reason.
    False(String),
    /// It is open, for this reason.
    Open(String),
}

/// Checks the claim of a suite with these test cases.
///
/// # Errors
/// If the model is no machine.
pub(crate) fn check_claim(
    model: &Model,
    claim: &CompleteFor,
    cases: &[&TestCase],
    cancel: &Cancel,
) -> Result<ClaimFinding, Failure> {
    let (machine, lines) = match timed_lines(cases) {
        Some((parts, lines)) => {
            let effort = &mut Effort::default();
            (timed_machine(model, Some(parts), MOST_STATES, effort)?.machine, lines)
        }
        None => {
            let lines = cases.iter().filter_map(|case| match &case.summary.goal {
                Goal::Inputs { inputs, .. } => Some(inputs.as_str()),
                _ => None,
            });
            (machine_of(model)?.0, lines.collect())
        }
    };
    let mut tests: Vec<Word> = Vec::new();
    for line in &lines {
        tests.extend(read_tests(&machine, line)?);
    }
    let assumption = match claim.classes {
        None => None,
        Some(classes) => {
            let mut words = Vec::new();
            for line in &claim.words {
                let read = read_tests(&machine, line)?;
                words.push(read.into_iter().next().unwrap_or_default());
            }
            Some(Assumption { words, classes: usize::try_from(classes).unwrap_or(usize::MAX) })
        }
    };
    let states = usize::try_from(claim.states).unwrap_or(usize::MAX);
    let domain = Domain { states, assumption };
    let found = survivor(&machine, &tests, &domain, STEPS, &|| !cancel.is_cancelled());
    let passes = count(tests.len(), "test");
    Ok(match found {
        Completeness::Complete => {
            ClaimFinding::True(format!("no faulty machine of these passes {passes}"))
        }
        Completeness::Survivor(built, word) => ClaimFinding::False(format!(
            "a faulty machine with {} passes {passes}, and answers `{}` differently",
            count(built.state_count(), "state"),
            test_line(&machine, &word)
        )),
        Completeness::Unknown => ClaimFinding::Open(
            "the search for a faulty machine that passes reached its limit".to_owned(),
        ),
    })
}

/// The unit of timed test cases as parts of 1, and their inputs. `None` if they are not timed.
fn timed_lines<'c>(cases: &[&'c TestCase]) -> Option<(i64, Vec<&'c str>)> {
    let mut all: Option<(i64, Vec<&str>)> = None;
    for case in cases {
        let Goal::Inputs { unit: Some(unit), inputs: line } = &case.summary.goal else {
            return None;
        };
        let (parts, lines) = all.get_or_insert((unit.denominator(), Vec::new()));
        if unit.numerator() == 1 && unit.denominator() == *parts {
            lines.push(line);
        }
    }
    all
}
