//! What is refused because ignoring it would change the meaning of a model.

use tioga_base::Diagnostic;

use crate::clike::{Parsed, Parser, TokenKind};

/// Refuses what would change the meaning of a model if it were ignored.
pub(super) fn refuse_unsupported(parser: &mut Parser<'_>) -> Parsed<()> {
    let token = parser.peek();
    let followed = parser.peek_at(1);
    let (feature, message, span, why, help) = match token.text {
        "chan" if parser.is(1, "priority") => (
            "priority",
            "channel priorities are not supported",
            token.span.to(followed.span),
            "a step is then possible only where no better one is, and such states form no zone",
            "leave the line out if precedence does not matter",
        ),
        "before_update" if followed.text == "{" => (
            "before-update",
            "updates before every edge (`before_update`) are not supported",
            token.span,
            "they run once for each transition, whichever processes take part, and no edge stands for that",
            "write the updates at the edges",
        ),
        "after_update" if followed.text == "{" => (
            "after-update",
            "updates after every edge (`after_update`) are not supported",
            token.span,
            "they run once for each transition, whichever processes take part, and no edge stands for that",
            "write the updates at the edges",
        ),
        "import" if followed.kind == TokenKind::Quoted => (
            "import",
            "external functions (`import`) are not supported",
            token.span,
            "external code cannot be analysed",
            "write the function in the model",
        ),
        "dynamic" if followed.kind == TokenKind::Word => (
            "dynamic-template",
            "dynamic templates are not supported",
            token.span,
            "the processes of a network are fixed",
            "instantiate as many processes as there can be at once",
        ),
        _ => return Ok(()),
    };
    parser.fail(Diagnostic::unsupported(feature, span, message).note(why).help(help))
}
