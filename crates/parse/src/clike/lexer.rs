//! Tokens. Lexing never fails: what is no token becomes [`TokenKind::Unknown`].

use tioga_base::{FileId, Span};

use crate::syntax::Comment;

/// Where a text to be parsed comes from: a whole file, or a piece of one whose bytes may have been
/// decoded (XML entities).
#[derive(Clone, Debug)]
pub struct Origin {
    file: FileId,
    /// Pairs of an offset in the text and the offset in the file it came from, ascending. Between
    /// two pairs bytes correspond one to one. Two pairs with the same offset in the text stand for
    /// bytes of the file that are not in the text.
    anchors: Vec<(usize, usize)>,
}

impl Origin {
    /// The text is the whole file.
    pub fn whole(file: FileId) -> Self {
        Self { file, anchors: vec![(0, 0)] }
    }

    /// The text is a piece of the file; `anchors` maps its offsets, ascending, starting at 0.
    pub fn piece(file: FileId, anchors: Vec<(usize, usize)>) -> Self {
        Self { file, anchors }
    }

    /// The place in the file of a range of the text.
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.offset(start), self.end_offset(end))
    }

    /// Where a range that ends at `end` ends in the file: before any skipped bytes.
    fn end_offset(&self, end: usize) -> usize {
        let first = self.anchors.partition_point(|&(text, _)| text < end);
        match self.anchors.get(first) {
            Some(&(text, file)) if text == end => file,
            _ => self.offset(end),
        }
    }

    fn offset(&self, offset: usize) -> usize {
        let after = self.anchors.partition_point(|&(text, _)| text <= offset);
        match after.checked_sub(1).map(|index| self.anchors[index]) {
            Some((text, file)) => file + (offset - text),
            None => offset,
        }
    }
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'t> {
    /// What it is.
    pub kind: TokenKind,
    /// Its text.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
}

/// The kinds of tokens. Keywords are identifiers here; the parser knows its dialect's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An identifier or keyword.
    Word,
    /// Decimal digits.
    Number,
    /// Digits with a decimal point.
    Decimal,
    /// An operator or bracket; its text tells which.
    Symbol,
    /// A quoted text, quotes included.
    Quoted,
    /// No token of the language.
    Unknown,
    /// The end of the text.
    End,
}

/// The tokens of a text, closed by [`TokenKind::End`], and its comments.
#[derive(Clone, Debug)]
pub struct Lexed<'t> {
    /// The tokens.
    pub tokens: Vec<Token<'t>>,
    /// The comments.
    pub comments: Vec<Comment>,
    /// Where a block comment starts that never ends.
    pub unclosed: Option<Span>,
}

/// Operators, longest first so that the first match is the right one.
const SYMBOLS: [&str; 57] = [
    "-u->", "-c->", "<<=", ">>=", "-->", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", ":=", "==", "!=", "<=", ">=", "<?", ">?", "<<", ">>", "&&", "||", "**", "<>", "..",
    "(", ")", "[", "]", "{", "}", ";", ",", ":", ".", "=", "<", ">", "+", "-", "*", "/", "%", "&",
    "|", "^", "!", "?", "'", "#", "@", "~",
];

/// Splits a text into tokens.
pub fn lex<'t>(text: &'t str, origin: &Origin) -> Lexed<'t> {
    let mut lexed = Lexed { tokens: Vec::new(), comments: Vec::new(), unclosed: None };
    let mut at = 0;
    let mut line_has_token = false;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        // Some editors open a file with a byte order mark.
        if first.is_whitespace() || (at == 0 && first == '\u{feff}') {
            line_has_token &= first != '\n';
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") || rest.starts_with("/*") {
            let (length, closed) = comment_length(rest);
            let span = origin.span(at, at + length);
            let text = rest[..length].trim_end().to_owned();
            lexed.comments.push(Comment { text, span, trailing: line_has_token });
            if !closed {
                lexed.unclosed = Some(origin.span(at, at + 2));
            }
            at += length;
            continue;
        }
        let (kind, length) = token_at(rest, first);
        let span = origin.span(at, at + length);
        lexed.tokens.push(Token { kind, text: &rest[..length], span });
        line_has_token = true;
        at += length;
    }
    let span = origin.span(text.len(), text.len());
    lexed.tokens.push(Token { kind: TokenKind::End, text: "", span });
    lexed
}

/// The length of the comment at the start of the text, and whether it is closed.
fn comment_length(rest: &str) -> (usize, bool) {
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), true);
    }
    match rest[2..].find("*/") {
        Some(end) => (end + 4, true),
        None => (rest.len(), false),
    }
}

fn token_at(rest: &str, first: char) -> (TokenKind, usize) {
    if first.is_ascii_alphabetic() || first == '_' {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        return (TokenKind::Word, rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
    }
    if first.is_ascii_digit() {
        return number_at(rest);
    }
    if first == '"' {
        let end = rest[1..].find(['"', '\n']).map_or(rest.len(), |end| end + 1);
        let closed = rest[end..].starts_with('"');
        let kind = if closed { TokenKind::Quoted } else { TokenKind::Unknown };
        return (kind, end + usize::from(closed));
    }
    match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        Some(symbol) => (TokenKind::Symbol, symbol.len()),
        None => (TokenKind::Unknown, first.len_utf8()),
    }
}

fn number_at(rest: &str) -> (TokenKind, usize) {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let whole = digits(rest);
    let fraction = rest[whole..].strip_prefix('.').map_or(0, digits);
    if fraction > 0 {
        (TokenKind::Decimal, whole + 1 + fraction)
    } else {
        (TokenKind::Number, whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        lex(text, &Origin::whole(FileId(0))).tokens.iter().map(|token| token.text).collect()
    }

    #[test]
    fn longest_operators_win() {
        assert_eq!(texts("a-u->b-->c<<=1"), ["a", "-u->", "b", "-->", "c", "<<=", "1", ""]);
        assert_eq!(texts("x<?y>=0.5..3"), ["x", "<?", "y", ">=", "0.5", "..", "3", ""]);
    }

    #[test]
    fn comments_are_kept_apart() {
        let lexed = lex("a // one\n/* two */ b", &Origin::whole(FileId(0)));
        let comments: Vec<_> = lexed
            .comments
            .iter()
            .map(|comment| (comment.text.as_str(), comment.trailing))
            .collect();
        assert_eq!(comments, [("// one", true), ("/* two */", false)]);
        assert_eq!(lexed.tokens.len(), 3);
        assert!(lex("/* open", &Origin::whole(FileId(0))).unclosed.is_some());
    }

    #[test]
    fn spans_follow_anchors() {
        // The file holds `x &lt; 3`, the text `x < 3`.
        let origin = Origin::piece(FileId(0), vec![(0, 10), (3, 16)]);
        let lexed = lex("x < 3", &origin);
        assert_eq!(lexed.tokens[0].span.range(), 10..11);
        assert_eq!(lexed.tokens[1].span.range(), 12..16);
        assert_eq!(lexed.tokens[2].span.range(), 17..18);
    }

    #[test]
    fn any_text_is_lexed_to_its_end() {
        assert_eq!(texts("é\u{0}\"x"), ["é", "\u{0}", "\"x", ""]);
    }
}
