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

use tioga_base::{Diagnostics, FileId};

use crate::clike::{Lexed, Origin, Parser, lex};
use crate::syntax::{Comment, Dialect, Document};

/// Parses a `.tioga` text. All mistakes found are reported, several per text; a document results
/// only if none of them is an error.
pub fn parse(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Option<Document> {
    let origin = Origin::whole(file);
    let lexed = lex(text, &origin);
    let errors_before = diagnostics.error_count();
    let mut document = Document::new(Dialect::Tioga);
    document.items = Parser::new(&lexed, Dialect::Tioga, diagnostics).document();
    if diagnostics.error_count() > errors_before {
        return None;
    }
    document.comments = comments_and_blank_lines(&lexed, text);
    Some(document)
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
