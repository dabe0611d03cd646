//! Properties inside model files.

use tioga_base::Diagnostics;

use crate::clike::{Origin, TokenKind, lex};
use crate::query::parse_formula;
use crate::syntax::{Dialect, Formula};

/// Parses a property; a blank text is none.
pub(super) fn parse(text: &str, origin: &Origin, diagnostics: &mut Diagnostics) -> Option<Formula> {
    let blank = lex(text, origin).tokens.iter().all(|token| token.kind == TokenKind::End);
    (!blank).then(|| parse_formula(text, origin, Dialect::Uppaal, diagnostics))
}
