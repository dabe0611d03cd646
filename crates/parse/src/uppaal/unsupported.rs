//! What is refused because ignoring it would change the meaning of a model.

use tioga_base::Diagnostic;

use crate::clike::{Parsed, Parser, TokenKind};

/// Refuses what would change the meaning of a model if it were ignored.
pub(super) fn refuse_unsupported(parser: &mut Parser<'_>) -> Parsed<()> {
    let token = parser.peek();
    let followed = parser.peek_at(1);
    let (feature, message, span) = match token.text {
        "chan" if parser.is(1, "priority") => {
            ("priority", "channel priorities are not supported", token.span.to(followed.span))
        }
        "before_update" if followed.text == "{" => (
            "before-update",
            "updates before every edge (`before_update`) are not supported",
            token.span,
        ),
        "after_update" if followed.text == "{" => (
            "after-update",
            "updates after every edge (`after_update`) are not supported",
            token.span,
        ),
        "import" if followed.kind == TokenKind::Quoted => {
            ("import", "external functions (`import`) are not supported", token.span)
        }
        "dynamic" if followed.kind == TokenKind::Word => {
            ("dynamic-template", "dynamic templates are not supported", token.span)
        }
        _ => return Ok(()),
    };
    parser.fail(Diagnostic::unsupported(feature, span, message))
}
