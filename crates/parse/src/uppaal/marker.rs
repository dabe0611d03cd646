//! Markers: comments that start with `tioga:`.

use tioga_base::Span;

use crate::syntax::Comment;

/// What every marker starts with.
pub(super) const PREFIX: &str = "tioga:";

/// The text of a marker and its place.
#[derive(Clone, Debug)]
pub(super) struct Marker {
    /// What follows the prefix.
    pub text: String,
    /// The place of the whole comment.
    pub span: Span,
}

/// The markers among comments, in order.
pub(super) fn markers(comments: &[Comment]) -> impl Iterator<Item = Marker> {
    comments.iter().filter_map(|comment| {
        let text = comment.text.as_str();
        let inner = match text.strip_prefix("/*") {
            Some(rest) => rest.strip_suffix("*/")?,
            None => text.strip_prefix("//")?,
        };
        let text = inner.trim().strip_prefix(PREFIX)?.trim().to_owned();
        Some(Marker { text, span: comment.span })
    })
}

/// The markers in the lines of a `comments` label.
pub(super) fn label_markers(text: &str, span: Span) -> Vec<Marker> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix(PREFIX))
        .map(|rest| Marker { text: rest.trim().to_owned(), span })
        .collect()
}
