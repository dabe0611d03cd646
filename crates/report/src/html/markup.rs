//! Markup that is written while it is made: a page may be larger than memory should be.
//!
//! Markup comes from `maud`, which escapes all text and closes all elements. Names and messages are
//! shown as a [`Line`], which also makes visible what moves a cursor or turns the direction of writing.

use std::io::{self, Write};

use maud::{Markup, PreEscaped, Render, html};

use crate::text::escape;

/// A text from a user or a system, on one line.
pub(super) struct Line<'t>(pub &'t str);

impl Render for Line<'_> {
    fn render_to(&self, buffer: &mut String) {
        buffer.push_str(&escape(self.0));
    }
}

/// The same in a cell of a table, in which no word is broken: browsers break words after hyphens and slashes, too.
pub(super) struct Cell<'t>(pub &'t str);

impl Render for Cell<'_> {
    fn render_to(&self, buffer: &mut String) {
        let escaped = escape(self.0);
        for (position, word) in escaped.split(' ').enumerate() {
            if position > 0 {
                buffer.push(' ');
            }
            if word.trim_end_matches(BREAKABLE).contains(BREAKABLE) {
                buffer.push_str(&format!("<span class=\"word\">{word}</span>"));
            } else {
                buffer.push_str(word);
            }
        }
    }
}

/// Characters after which a browser may break a word.
const BREAKABLE: [char; 6] = ['-', '/', '?', '!', '|', '\u{2026}'];

/// Where [`around`] inserts what it writes. Text cannot contain it, because `<` is escaped there.
pub(super) const HOLE: PreEscaped<&str> = PreEscaped("<!--hole-->");

/// Writes markup on a line of its own.
pub(super) fn put(markup: Markup, writer: &mut dyn Write) -> io::Result<()> {
    writeln!(writer, "{}", markup.into_string())
}

/// Writes markup with a [`HOLE`], and at its place what `inner` writes.
pub(super) fn around(
    markup: Markup,
    writer: &mut dyn Write,
    inner: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let markup = markup.into_string();
    let (before, after) = markup.split_once(HOLE.0).unwrap_or((&markup, ""));
    writeln!(writer, "{before}")?;
    inner(writer)?;
    writeln!(writer, "{after}")
}

/// A table of names and values.
pub(super) fn facts(rows: &[(&str, String)]) -> Markup {
    html! {
        div.wide tabindex="0" {
            table.facts {
                @for (name, value) in rows { "\n" tr { th { (name) } td { (Cell(value)) } } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn what_is_written_goes_into_the_hole() {
        let text = "<!--hole-->\u{202e}'";
        let mut written = Vec::new();
        let frame = html! { section title=(Line(text)) { h2 { (text) } (HOLE) p { "end" } } };
        around(frame, &mut written, |writer| put(html! { p { (Line(text)) } }, writer)).unwrap();
        assert_eq!(
            String::from_utf8(written).unwrap(),
            "<section title=\"&lt;!--hole--&gt;\\u{202e}&#39;\">\
             <h2>&lt;!--hole--&gt;\u{202e}'</h2>\n\
             <p>&lt;!--hole--&gt;\\u{202e}&#39;</p>\n<p>end</p></section>\n"
        );
    }
}
