//! Older suites: until version 2, the goal of a test case was a sentence. This is the only place that reads one.

use serde::{Deserialize, Deserializer};
use tioga_base::Rational;

use crate::goal::Goal;

/// Reads a goal, or the sentence that stands in its place in version 2.
pub(crate) fn read_goal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Goal, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Sentence(String),
        Goal(Goal),
    }
    Ok(match Written::deserialize(deserializer)? {
        Written::Sentence(sentence) if sentence == "anything" => Goal::Anything,
        Written::Sentence(sentence) => goal_of_sentence(&sentence),
        Written::Goal(goal) => goal,
    })
}

/// The goal that a sentence of version 2 means, as far as it says so itself.
fn goal_of_sentence(text: &str) -> Goal {
    parsed(text).unwrap_or_else(|| match text.is_empty() {
        true => Goal::Anything,
        false => Goal::Sentence(text.to_owned()),
    })
}

fn parsed(text: &str) -> Option<Goal> {
    if let Some(count) = text.strip_suffix(" actions that conform") {
        return count.parse().ok().map(Goal::Actions);
    }
    if let Some(name) = text.strip_prefix("purpose ") {
        return Some(Goal::Purpose(name.to_owned()));
    }
    if let Some(time) = text.strip_prefix("walk ") {
        return time.parse().ok().map(Goal::Walk);
    }
    if let Some(rest) = text.strip_prefix("reach ") {
        let (condition, within) = timed(rest);
        return Some(Goal::Reach { condition, within });
    }
    if let Some(rest) = text.strip_prefix("inputs in units of ") {
        let (unit, inputs) = rest.split_once(": ")?;
        let unit = unit.parse().ok()?;
        return Some(Goal::Inputs { unit: Some(unit), inputs: inputs.to_owned() });
    }
    if let Some(inputs) = text.strip_prefix("inputs ") {
        return Some(Goal::Inputs { unit: None, inputs: inputs.to_owned() });
    }
    if let Some(rest) = text.strip_prefix("grid word of ") {
        let (purpose, word) =
            rest.rsplit_once(": ").or_else(|| Some((rest.strip_suffix(':')?, "")))?;
        return Some(Goal::GridWord { purpose: purpose.to_owned(), word: word.to_owned() });
    }
    if let Some(rest) = text.strip_prefix("confirm ") {
        let (at, rest) = rest.split_once(" against ")?;
        let (against, words) = rest.rsplit_once(": ")?;
        let (way, sequence) = words.split_once('|')?;
        let [at, against, way, sequence] =
            [at, against, way, sequence].map(|part| part.trim().to_owned());
        return Some(Goal::Confirm { at, against, way, sequence });
    }
    // A query names what is controlled, or begins with a quantifier over runs; coverage items do not.
    let quantified = ["control:", "E<> control:", "E<>", "A<>", "E[]", "A[]"];
    if quantified.iter().any(|start| text.starts_with(start)) {
        let (query, within) = timed(text);
        return Some(Goal::Query { query, within });
    }
    None
}

/// A text with the time behind it, if there is one.
fn timed(text: &str) -> (String, Option<Rational>) {
    let parts = text.rsplit_once(" within ");
    let parts = parts.and_then(|(text, time)| Some((text.to_owned(), time.parse().ok()?)));
    parts.map_or_else(|| (text.to_owned(), None), |(text, time)| (text, Some(time)))
}
