//! Whether a test case is the right one for a word of a model's grid, and whether a play may pass.

use tioga_certify::Played;
use tioga_grids::TimedWord;
use tioga_model::Model;
use tioga_testcase::{Goal, TestCase};

use super::automata::{GridModel, grid_model};
use super::cases::{NoCase, word_case};
use super::suite::{end_of, provenance};
use crate::Failure;

/// Whether a test case claims to follow a word of a grid.
pub fn is_grid_case(written: &TestCase) -> bool {
    matches!(written.summary.goal, Goal::GridWord { .. })
}

/// The flaw of such a test case, if any: its word must lead to an end of its purpose, and the rest
/// must match the model and the purpose.
///
/// # Errors
/// If the model or the purpose is none that grids know.
pub fn flaw(model: &Model, written: &TestCase) -> Result<Option<String>, Failure> {
    let Goal::GridWord { purpose, word } = &written.summary.goal else {
        return Ok(Some("its goal is not a word".to_owned()));
    };
    let word = match word.parse::<TimedWord>() {
        Ok(word) => word,
        Err(error) => return Ok(Some(error.to_string())),
    };
    let one = grid_model(model, Some(purpose))?;
    let end = match end_of(&one, &word) {
        Ok(end) if !end.is_empty() => end,
        Ok(_) => return Ok(Some(format!("the word leads to no end of the purpose `{purpose}`"))),
        Err(failure) => return Ok(Some(failure.to_string())),
    };
    let right = match word_case(&one, &word, &provenance(model, &end), written.name.clone()) {
        Ok(right) => right,
        Err(NoCase::NoRun) => return Ok(Some("the word is no run of the model".to_owned())),
        Err(NoCase::Ambiguous) => {
            return Ok(Some("the model has two edges for one action of the word".to_owned()));
        }
        Err(NoCase::Overflow) => return Ok(Some("its numbers are too large".to_owned())),
    };
    if right == *written {
        return Ok(None);
    }
    let places = right.places.iter().zip(&written.places);
    let wrong = places.enumerate().find(|(_, (right, written))| right != written);
    Ok(Some(match wrong {
        Some((position, (right, _))) => {
            format!("place {position} is not as the model has it in {}", right.name)
        }
        None => "the test case is not as the model has it".to_owned(),
    }))
}

/// The meaning of a pass of such a test case.
pub struct Passes {
    one: GridModel,
}

impl Passes {
    /// That of a test case.
    ///
    /// # Errors
    /// If the model or the purpose is none that grids know.
    pub fn of(model: &Model, written: &TestCase) -> Result<Self, Failure> {
        let purpose = match &written.summary.goal {
            Goal::GridWord { purpose, .. } => Some(purpose.as_str()),
            _ => None,
        };
        Ok(Self { one: grid_model(model, purpose)? })
    }

    /// The flaw of a pass after these events, if any: the run must be one of model and purpose, and reach an end.
    pub fn wrong(&self, events: &[Played]) -> Option<String> {
        let word = match word_of(events).parse::<TimedWord>() {
            Ok(word) => word,
            Err(error) => return Some(error.to_string()),
        };
        match end_of(&self.one, &word) {
            Ok(end) if end.is_empty() => Some("the run reaches no end of the purpose".to_owned()),
            Ok(_) => None,
            Err(failure) => Some(failure.to_string()),
        }
    }
}

/// What was played, as a timed word.
fn word_of(events: &[Played]) -> String {
    let shown = events.iter().map(|event| match event {
        Played::Delay(delay) => delay.to_string(),
        Played::Action(_, action) => action.to_string().replace(' ', ""),
    });
    shown.collect::<Vec<_>>().join(" ")
}
