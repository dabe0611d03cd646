//! Identifiers of `.tck` for the names of a model.

use std::collections::BTreeSet;

use crate::tchecker::expression::WORDS;
use crate::tchecker::scan::KEYWORDS;

/// The names given out in one scope.
#[derive(Default, Debug)]
pub struct Scope {
    taken: BTreeSet<String>,
}

impl Scope {
    /// An identifier close to the name that nothing else in the scope has: `Train(0).x` becomes
    /// `Train_0_x`.
    pub fn give(&mut self, name: &str) -> String {
        let base = identifier(name);
        let mut candidate = base.clone();
        let mut number = 1;
        while !self.taken.insert(candidate.clone()) {
            number += 1;
            candidate = format!("{base}_{number}");
        }
        candidate
    }
}

fn identifier(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if character.is_ascii_alphanumeric() || character == '_' {
            text.push(character);
        } else if !text.ends_with('_') {
            text.push('_');
        }
    }
    let replaced = name.chars().next_back().is_none_or(|last| !last.is_ascii_alphanumeric());
    if replaced && !name.ends_with('_') {
        text.truncate(text.trim_end_matches('_').len());
    }
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if !starts {
        text.insert(0, '_');
    }
    if KEYWORDS.contains(&text.as_str()) || WORDS.contains(&text.as_str()) {
        text.push('_');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_distinct_identifiers() {
        let mut scope = Scope::default();
        assert_eq!(scope.give("Train(0).x"), "Train_0_x");
        assert_eq!(scope.give("Train_0_x"), "Train_0_x_2");
        assert_eq!(scope.give("a[2]"), "a_2");
        assert_eq!(scope.give("a_"), "a_");
        assert_eq!(scope.give("process"), "process_");
        assert_eq!(scope.give("3é"), "_3");
        assert_eq!(scope.give(""), "_");
    }
}
