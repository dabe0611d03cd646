//! Identifiers for names that are none: `Train(0).x` becomes `Train_0_x`.

use std::collections::BTreeSet;

use crate::clike::is_keyword;
use crate::syntax::Dialect;

/// The names given out in one scope.
#[derive(Clone, Default, Debug)]
pub struct Taken(BTreeSet<String>);

impl Taken {
    /// An identifier close to the wish that nothing else in the scope has.
    pub fn give(&mut self, wish: &str) -> String {
        let base = identifier(wish);
        let numbered = (2u64..).map(|number| format!("{base}_{number}"));
        let mut candidates = std::iter::once(base.clone()).chain(numbered);
        let free = candidates.find(|name| !self.0.contains(name)).unwrap_or_default();
        self.0.insert(free.clone());
        free
    }

    /// Nothing else gets this name.
    pub fn reserve(&mut self, name: &str) {
        self.0.insert(name.to_owned());
    }

    /// Whether something has this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// The text with everything replaced that an identifier of the language cannot have.
pub fn identifier(text: &str) -> String {
    let mut name = String::new();
    for character in text.chars() {
        if character.is_ascii_alphanumeric() || character == '_' {
            name.push(character);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    if !text.ends_with('_') {
        name.truncate(name.trim_end_matches('_').len());
    }
    if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        name.insert(0, '_');
    }
    if is_keyword(&name, Dialect::Tioga) || name == "self" {
        name.push('_');
    }
    name
}

/// A comment as a text in quotes can hold it.
pub fn one_line(comment: &str) -> String {
    let words: Vec<&str> = comment.split_whitespace().collect();
    words.join(" ").replace('"', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_distinct_identifiers() {
        let mut taken = Taken::default();
        assert_eq!(taken.give("P(1).x"), "P_1_x");
        assert_eq!(taken.give("P_1_x"), "P_1_x_2");
        assert_eq!(taken.give("Train(0)"), "Train_0");
        assert_eq!(taken.give("location"), "location_");
        assert_eq!(taken.give("self"), "self_");
        assert_eq!(taken.give("x_"), "x_");
        assert_eq!(taken.give("3é"), "_3");
        assert_eq!(taken.give(""), "_");
        taken.reserve("y");
        assert_eq!(taken.give("y"), "y_2");
    }
}
