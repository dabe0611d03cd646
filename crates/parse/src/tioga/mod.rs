//! Tioga's own language, `.tioga`: [`parse`] and [`print()`]. The reference is `docs/language.md`.

mod item;
mod print;
mod template;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

pub(crate) use item::UNITS;
pub use print::{is_reserved, print};

use tioga_base::{Diagnostic, Diagnostics, FileId};

use crate::clike::{Lexed, Origin, Parser, TokenKind, lex};
use crate::syntax::{Comment, Dialect, Document};

/// Parses a `.tioga` text. All mistakes found are reported, several per text; a document results
/// only if none of them is an error.
pub fn parse(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Option<Document> {
    let origin = Origin::whole(file);
    let mut lexed = lex(text, &origin);
    let errors_before = diagnostics.error_count();
    foreign_comments(&mut lexed, text, diagnostics);
    let mut document = Document::new(Dialect::Tioga);
    document.items = Parser::new(&lexed, Dialect::Tioga, diagnostics).document();
    if diagnostics.error_count() > errors_before {
        return None;
    }
    document.comments = comments_and_blank_lines(&lexed, text);
    Some(document)
}

/// Reports comments that begin with `#`, as in other languages, and leaves them out.
fn foreign_comments(lexed: &mut Lexed<'_>, text: &str, diagnostics: &mut Diagnostics) {
    let mut end = 0;
    lexed.tokens.retain(|token| {
        if token.kind == TokenKind::End {
            return true;
        }
        let start = token.span.start as usize;
        if start >= end && token.kind == TokenKind::Symbol && token.text == "#" {
            end = text[start..].find('\n').map_or(text.len(), |length| start + length);
            let message = "a comment begins with `//`, not with `#`";
            diagnostics
                .push(Diagnostic::error("syntax", token.span, message).fix(token.span, "//"));
        }
        start >= end
    });
}

/// The comments, and an empty one wherever two things are more than a line apart.
fn comments_and_blank_lines(lexed: &Lexed<'_>, text: &str) -> Vec<Comment> {
    let mut things: Vec<(tioga_base::Span, Option<&Comment>)> = Vec::new();
    things.extend(lexed.tokens.iter().map(|token| (token.span, None)));
    things.extend(lexed.comments.iter().map(|comment| (comment.span, Some(comment))));
    things.sort_by_key(|(span, _)| span.start);
    let mut comments = Vec::new();
    let mut previous = None;
    for (span, comment) in things {
        if let Some(previous) = previous {
            let previous: tioga_base::Span = previous;
            let gap = text.get(previous.end as usize..span.start as usize).unwrap_or("");
            if gap.matches('\n').count() > 1 {
                let span = previous.after();
                comments.push(Comment { text: String::new(), span, trailing: false });
            }
        }
        comments.extend(comment.cloned());
        previous = Some(span);
    }
    comments
}
