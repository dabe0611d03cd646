//! Lines: indentation, wrapping, blank lines, and comments put back by position.
//!
//! A unit is what gets a line of its own, with the place it came from. Comments before a unit
//! stay before it; a comment that followed something on its line is appended to the line printed
//! last; a comment inside a unit moves before it. Every comment is printed exactly once.

use tioga_base::Span;

use super::Printer;

/// The column lines are wrapped at where possible.
const WIDTH: usize = 100;

impl Printer<'_> {
    /// Prints a line for the unit at `span`.
    pub(crate) fn line(&mut self, span: Span, text: &str) {
        self.flush_comments(span.start);
        self.hoist_comments(span.end);
        self.raw_line(text);
    }

    /// Prints the line of a unit that opens an indented part; `span` covers its head.
    pub(crate) fn open(&mut self, span: Span, text: &str) {
        self.line(span, text);
        self.indent_more();
    }

    /// Prints the line that closes an indented part which ended just before `end`.
    pub(crate) fn close(&mut self, end: u32, text: &str) {
        self.flush_comments(end);
        self.blank_pending = false;
        self.indent -= 1;
        self.raw_line(text);
    }

    /// Indents what follows by one more level.
    pub(crate) fn indent_more(&mut self) {
        self.indent += 1;
        self.after_opening = true;
    }

    /// Ends an indented part that has no closing line.
    pub(crate) fn indent_less(&mut self) {
        self.indent -= 1;
    }

    /// Asks for a blank line before the next line.
    pub fn blank(&mut self) {
        self.blank_pending = true;
    }

    /// Prints all comments that start before an offset.
    pub(crate) fn flush_comments(&mut self, before: u32) {
        while let Some((comment, rest)) = self.comments.split_first()
            && comment.span.start < before
        {
            self.comments = rest;
            if comment.text.is_empty() {
                self.blank_pending = true;
            } else if comment.trailing && !self.output.is_empty() && !self.after_line_comment {
                self.output.pop();
                self.output.push(' ');
                self.output.push_str(&comment.text);
                self.output.push('\n');
                self.after_line_comment = comment.text.starts_with("//");
            } else {
                self.comment_line(&comment.text);
            }
        }
    }

    fn hoist_comments(&mut self, before: u32) {
        while let Some((comment, rest)) = self.comments.split_first()
            && comment.span.start < before
        {
            self.comments = rest;
            if !comment.text.is_empty() {
                self.comment_line(&comment.text);
            }
        }
    }

    fn comment_line(&mut self, text: &str) {
        self.start_line();
        self.output.push_str(text);
        self.output.push('\n');
        // A comment of its own has nothing a trailing comment could belong to.
        self.after_line_comment = true;
    }

    fn raw_line(&mut self, text: &str) {
        self.start_line();
        wrap(text, 2 * self.indent, &mut self.output);
        self.output.push('\n');
        self.after_line_comment = false;
    }

    fn start_line(&mut self) {
        if self.blank_pending && !self.after_opening && !self.output.is_empty() {
            self.output.push('\n');
        }
        self.blank_pending = false;
        self.after_opening = false;
        self.output.push_str(&"  ".repeat(self.indent));
    }
}

/// Appends a text, broken at spaces outside quotes so that lines stay within [`WIDTH`]; of the
/// possible places one after a quoted text is best, then the one in the fewest brackets, then the
/// last.
fn wrap(text: &str, indent: usize, output: &mut String) {
    let mut rest = text;
    let mut left = text.chars().count();
    let mut column = indent;
    while column + left > WIDTH {
        let Some(at) = break_point(rest, WIDTH.saturating_sub(column)) else { break };
        left -= rest[..at].chars().count() + 1;
        output.push_str(&rest[..at]);
        output.push('\n');
        column = indent + 4;
        output.push_str(&" ".repeat(column));
        rest = &rest[at + 1..];
    }
    output.push_str(rest);
}

/// The byte of the space to break at so that at most `room` characters come before it.
fn break_point(text: &str, room: usize) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    let mut depth = 0usize;
    let mut quoted = false;
    let mut previous = ' ';
    for (column, (at, character)) in text.char_indices().enumerate() {
        if column > room && best.is_some() {
            break;
        }
        match character {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            // Very short first parts look worse than a long line.
            ' ' if column >= 20 => {
                let rank = if previous == '"' { 0 } else { depth + 1 };
                if best.is_none_or(|(_, least)| rank <= least) {
                    best = Some((at, rank));
                }
            }
            _ => {}
        }
        previous = character;
    }
    best.map(|(at, _)| at)
}
