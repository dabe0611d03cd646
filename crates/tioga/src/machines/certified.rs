//! Whether a test case is the right one for a machine and its inputs.

use tioga_model::Model;
use tioga_testcase::{Goal, TestCase};

use super::cases::case;
use super::of_model::machine_of;
use super::test_lines::read_tests;
use super::timed::timed_machine;
use crate::{Effort, Failure};

/// How many states of a grid are looked at.
pub(super) const MOST_STATES: u64 = 5_000_000;

/// The flaw of a test case of a timed machine, if any; nothing if it is another test case.
///
/// # Errors
/// If the model is no machine in these units.
pub fn timed_flaw(model: &Model, written: &TestCase) -> Result<Option<Option<String>>, Failure> {
    let Goal::Inputs { unit: Some(unit), inputs: line } = &written.summary.goal else {
        return Ok(None);
    };
    if unit.numerator() != 1 {
        return Ok(Some(Some("its unit is not a part of 1".to_owned())));
    }
    let parts = Some(unit.denominator());
    let timed = timed_machine(model, parts, MOST_STATES, &mut Effort::default())?;
    let words = match read_tests(&timed.machine, line) {
        Ok(words) => words,
        Err(failure) => return Ok(Some(Some(failure.to_string()))),
    };
    let [word] = &words[..] else {
        return Ok(Some(Some("the purpose names no inputs".to_owned())));
    };
    let flaw = match timed.case(model, word, written.name.clone()) {
        Ok(right) if right == *written => None,
        Ok(_) => Some("the test case is not as the model has it".to_owned()),
        Err(failure) => Some(failure.to_string()),
    };
    Ok(Some(flaw))
}

/// Whether a test case claims to be a test of a machine.
pub fn is_machine_case(written: &TestCase) -> bool {
    matches!(written.summary.goal, Goal::Inputs { unit: None, .. })
}

/// The flaw of such a test case, if any: its inputs must be possible, and their answers and the rest
/// must match the machine of the model.
///
/// # Errors
/// If the model is no machine.
pub fn flaw(model: &Model, written: &TestCase) -> Result<Option<String>, Failure> {
    let (machine, interface) = machine_of(model)?;
    let inputs = match &written.summary.goal {
        Goal::Inputs { inputs, .. } => inputs.as_str(),
        _ => "",
    };
    let words = match read_tests(&machine, inputs) {
        Ok(words) => words,
        Err(failure) => return Ok(Some(failure.to_string())),
    };
    let [word] = &words[..] else { return Ok(Some("the purpose names no inputs".to_owned())) };
    if machine.after(machine.initial(), word).is_none() {
        return Ok(Some("the inputs are not possible in the model".to_owned()));
    }
    let mut right = case(&machine, &interface, word, written.name.clone());
    // What places are called does not matter: a minimal machine has names for fewer states.
    for (right, written) in right.places.iter_mut().zip(&written.places) {
        right.name.clone_from(&written.name);
    }
    if right == *written {
        return Ok(None);
    }
    let places = right.places.iter().zip(&written.places);
    let wrong = places.enumerate().find(|(_, (right, written))| right != written);
    Ok(Some(match wrong {
        Some((position, (right, _))) => {
            format!("place {position} is not as the machine has it in {}", right.name)
        }
        None => "the test case is not as the machine has it".to_owned(),
    }))
}
