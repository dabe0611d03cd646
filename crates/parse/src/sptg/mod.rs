//! SPTG's `.xlia`: timed state machines with ports, in the subset that its examples use.
//!
//! A file is one system with one state machine. Ports become inputs and outputs, states locations,
//! transitions edges; the document is one of Tioga's own language.
//!
//! # Statements run in order
//! A transition is a list of statements: `input`, `output`, `guard` and assignments. What a guard or an
//! output reads may have been received or assigned before it, while an edge evaluates its guard and what it
//! sends first. So the values that were received or assigned stand in the place of the names there.
//!
//! # Types
//! Numbers are unbounded. A value of an unsigned type that is received is at least 0. A clock is compared
//! with integers only: a rational variable that is compared with one is read as an integer, and so is the
//! parameter of a port that such a variable receives.

mod build;
mod read;
mod transition;

use std::collections::BTreeSet;

use tioga_base::{Diagnostics, FileId};

use crate::clike::{Lexed, Origin, Parser, Token, TokenKind, is_keyword, lex};
use crate::syntax::{Dialect, Document};

/// Words of Tioga's language that mean the same or that this reader asks for.
const OWN_WORDS: [&str; 15] = [
    "and", "bool", "clock", "const", "false", "init", "input", "int", "integer", "not", "or",
    "output", "rational", "system", "true",
];

/// Parses an `.xlia` text. A document results only if there is no error among the diagnostics.
pub fn parse(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Option<Document> {
    let origin = Origin::whole(file);
    let lexed = lex(text, &origin);
    let names = names(&lexed);
    let tokens = renamed(&lexed, &names);
    let lexed = Lexed { tokens, comments: Vec::new(), unclosed: lexed.unclosed };
    let errors_before = diagnostics.error_count();
    let mut parser = Parser::new(&lexed, Dialect::Tioga, diagnostics);
    let document =
        read::system(&mut parser).ok().and_then(|machine| build::document(machine, diagnostics));
    document.filter(|_| diagnostics.error_count() == errors_before)
}

/// Whether a word is a name here and a keyword in Tioga's language.
fn is_taken(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Word
        && is_keyword(token.text, Dialect::Tioga)
        && !OWN_WORDS.contains(&token.text)
}

/// Names that are keywords of Tioga's language, with names that nothing has.
fn names<'t>(lexed: &Lexed<'t>) -> Vec<(&'t str, String)> {
    let words: BTreeSet<&str> = lexed.tokens.iter().map(|token| token.text).collect();
    let taken: BTreeSet<&str> =
        lexed.tokens.iter().filter(|token| is_taken(token)).map(|token| token.text).collect();
    let free = |word: &str| {
        let mut name = format!("{word}_");
        while words.contains(name.as_str()) {
            name.push('_');
        }
        name
    };
    taken.into_iter().map(|word| (word, free(word))).collect()
}

/// The tokens with these names.
fn renamed<'t>(lexed: &Lexed<'t>, names: &'t [(&str, String)]) -> Vec<Token<'t>> {
    let own = |token: &Token<'t>| {
        let name = names.iter().find(|(word, _)| is_taken(token) && *word == token.text);
        name.map_or(*token, |(_, name)| Token { text: name, ..*token })
    };
    lexed.tokens.iter().map(own).collect()
}

#[cfg(test)]
mod tests;
