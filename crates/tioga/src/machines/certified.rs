//! Whether a test case is the one that a machine has for its inputs.

use tioga_model::Model;
use tioga_testcase::TestCase;

use super::cases::{INPUTS, case};
use super::of_model::machine_of;
use super::test_lines::read_tests;
use crate::Failure;

/// Whether a test case says that it is a test of a machine.
pub fn is_machine_case(written: &TestCase) -> bool {
    written.summary.purpose.starts_with(INPUTS)
}

/// What is wrong with such a test case, if anything: its inputs must be possible, and their answers and
/// everything else as the machine of the model has them.
///
/// # Errors
/// If the model is no machine.
pub fn flaw(model: &Model, written: &TestCase) -> Result<Option<String>, Failure> {
    let (machine, interface) = machine_of(model)?;
    let inputs = written.summary.purpose.strip_prefix(INPUTS).unwrap_or_default();
    let words = match read_tests(&machine, inputs) {
        Ok(suite) => suite.words(),
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
