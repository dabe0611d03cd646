//! Purposes, which UPPAAL does not know, kept as `.tioga` text in a comment.

use tioga_base::Diagnostics;

use super::export::inexpressible;
use crate::syntax::Template;

/// The comment that keeps a purpose.
pub(super) fn print(template: &Template, diagnostics: &mut Diagnostics) -> String {
    diagnostics.push(inexpressible(template.name.span, "a test purpose"));
    String::new()
}
