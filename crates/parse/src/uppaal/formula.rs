//! Properties inside model files.

use tioga_base::Diagnostics;

use crate::clike::Origin;
use crate::query::parse_formula;
use crate::syntax::{Dialect, Formula};

/// Parses a property; a blank text is none. Without a result, an error was reported.
pub(super) fn parse(
    text: &str,
    origin: &Origin,
    diagnostics: &mut Diagnostics,
) -> Option<Option<Formula>> {
    if text.trim().is_empty() {
        return Some(None);
    }
    let errors = diagnostics.error_count();
    let formula = parse_formula(text, origin, Dialect::Uppaal, diagnostics);
    (diagnostics.error_count() == errors).then_some(Some(formula))
}
