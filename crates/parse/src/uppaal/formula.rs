//! Properties inside model files.

use tioga_base::Diagnostics;

use crate::clike::{Origin, TokenKind, lex};
use crate::query::parse_foreign;
use crate::syntax::Formula;

/// Parses a property; a blank text is none, and a wrong one is warned about and left out.
pub(super) fn parse(text: &str, origin: &Origin, diagnostics: &mut Diagnostics) -> Option<Formula> {
    let blank = lex(text, origin).tokens.iter().all(|token| token.kind == TokenKind::End);
    if blank { None } else { parse_foreign(text, origin, diagnostics) }
}
