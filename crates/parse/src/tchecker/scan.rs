//! Splits a text into declarations: a keyword, fields between colons, and attributes.
//!
//! A declaration ends with its line, except that an attribute list `{…}` may span lines. A colon
//! always separates; no quoting exists.

use tioga_base::{Diagnostic, Diagnostics, FileId, Span};

use crate::syntax::Name;

/// The words that start a declaration.
pub const KEYWORDS: [&str; 8] =
    ["clock", "edge", "event", "int", "location", "process", "sync", "system"];

/// One declaration, not yet interpreted.
#[derive(Debug)]
pub struct Raw<'t> {
    /// The word it starts with.
    pub keyword: Piece<'t>,
    /// What stands between the colons after it.
    pub fields: Vec<Piece<'t>>,
    /// Its attributes in order.
    pub attributes: Vec<Attribute<'t>>,
    /// Its place.
    pub span: Span,
}

/// A part of the text without surrounding spaces.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'t> {
    /// The text.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
}

/// `key:value`
#[derive(Debug)]
pub struct Attribute<'t> {
    /// The key.
    pub key: Piece<'t>,
    /// The value; often empty.
    pub value: Piece<'t>,
}

impl Piece<'_> {
    /// The piece as a name.
    pub fn name(self) -> Name {
        Name::new(self.text, self.span)
    }
}

impl<'t> Raw<'t> {
    /// The first attribute with this key.
    pub fn attribute(&self, key: &str) -> Option<&Attribute<'t>> {
        self.attributes.iter().find(|attribute| attribute.key.text == key)
    }
}

/// Splits the text into declarations; malformed ones are reported and left out.
pub fn scan<'t>(file: FileId, text: &'t str, diagnostics: &mut Diagnostics) -> Vec<Raw<'t>> {
    let mut scanner = Scanner { file, text, diagnostics };
    let mut declarations = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (declaration, end) = scanner.declaration(at);
        declarations.extend(declaration);
        at = end + 1;
    }
    declarations
}

struct Scanner<'t, 'd> {
    file: FileId,
    text: &'t str,
    diagnostics: &'d mut Diagnostics,
}

impl<'t> Scanner<'t, '_> {
    fn piece(&self, start: usize, end: usize) -> Piece<'t> {
        let text = &self.text[start..end];
        let trimmed = text.trim();
        let start = start + (text.len() - text.trim_start().len());
        Piece { text: trimmed, span: Span::new(self.file, start, start + trimmed.len()) }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    /// Where the next of these characters stands, at or after a position; the end if none does.
    fn find(&self, from: usize, characters: &[char]) -> usize {
        self.text[from..].find(characters).map_or(self.text.len(), |found| from + found)
    }

    /// The declaration that starts at this position, if there is one, and where its line ends.
    fn declaration(&mut self, start: usize) -> (Option<Raw<'t>>, usize) {
        let line_end = self.find(start, &['\n']);
        let head_end = self.find(start, &['\n', '#', '{']);
        let head = self.piece(start, head_end);
        if !self.text[head_end..].starts_with('{') {
            if head.text.is_empty() {
                return (None, line_end);
            }
            return (self.assemble(head, start, head_end, Vec::new()), line_end);
        }
        let open = self.span(head_end, head_end + 1);
        let Some(close) = self.closing_brace(head_end + 1) else {
            self.diagnostics.push(
                Diagnostic::error("syntax", open, "this attribute list is never closed")
                    .help("close it with `}`; a comment cannot stand inside it"),
            );
            return (None, line_end);
        };
        let attributes = self.attributes(head_end + 1, close);
        let line_end = self.find(close, &['\n']);
        let rest = self.piece(close + 1, self.find(close + 1, &['\n', '#']));
        if !rest.text.is_empty() {
            let message = "nothing may follow the attribute list of a declaration";
            self.diagnostics.push(Diagnostic::error("syntax", rest.span, message));
        }
        let declaration = self.assemble(head, start, head_end, attributes).map(|raw| {
            let span = raw.span.to(self.span(close, close + 1));
            Raw { span, ..raw }
        });
        (declaration, line_end)
    }

    /// Finds the end of an attribute list. A line that starts a declaration ends the search, so
    /// that a forgotten brace costs one declaration and not the rest of the file.
    fn closing_brace(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            at = self.find(at, &['}', '{', '#', '\n']);
            match self.text[at..].chars().next()? {
                '}' => return Some(at),
                '\n' => {
                    let line = &self.text[at + 1..self.find(at + 1, &['\n'])];
                    let first = line.split_once(':').map(|(first, _)| first.trim());
                    if first.is_some_and(|first| KEYWORDS.contains(&first)) {
                        return None;
                    }
                    at += 1;
                }
                _ => return None,
            }
        }
    }

    /// Splits an attribute list: keys and values alternate between colons.
    fn attributes(&mut self, start: usize, end: usize) -> Vec<Attribute<'t>> {
        let mut pieces = self.split(start, end);
        if let [only] = pieces.as_slice()
            && only.text.is_empty()
        {
            return Vec::new();
        }
        if pieces.len() % 2 == 1
            && let Some(last) = pieces.pop()
        {
            let diagnostic = match last.text {
                "" => {
                    let message = "an attribute is missing after this colon";
                    Diagnostic::error("syntax", last.span, message)
                }
                text => {
                    let message = format!("attribute `{text}` lacks its colon");
                    Diagnostic::error("syntax", last.span, message)
                        .fix(last.span, format!("{text}:"))
                }
            };
            self.diagnostics.push(diagnostic);
        }
        let mut attributes = Vec::new();
        for pair in pieces.chunks_exact(2) {
            let (key, value) = (pair[0], pair[1]);
            if is_identifier(key.text) {
                attributes.push(Attribute { key, value });
            } else {
                let message = format!("expected the key of an attribute, found `{}`", key.text);
                self.diagnostics.push(
                    Diagnostic::error("syntax", key.span, message)
                        .note("keys and values alternate, separated by colons"),
                );
            }
        }
        attributes
    }

    fn split(&self, start: usize, end: usize) -> Vec<Piece<'t>> {
        let mut pieces = Vec::new();
        let mut from = start;
        for (colon, _) in self.text[start..end].match_indices(':') {
            pieces.push(self.piece(from, start + colon));
            from = start + colon + 1;
        }
        pieces.push(self.piece(from, end));
        pieces
    }

    fn assemble(
        &mut self,
        head: Piece<'t>,
        start: usize,
        end: usize,
        attributes: Vec<Attribute<'t>>,
    ) -> Option<Raw<'t>> {
        let pieces = self.split(start, end);
        let keyword = pieces[0];
        if !KEYWORDS.contains(&keyword.text) {
            let message = match keyword.text {
                "" => "expected a declaration".to_owned(),
                text => format!("`{text}` starts no declaration"),
            };
            self.diagnostics.push(
                Diagnostic::error("syntax", keyword.span, message)
                    .suggest(keyword.span, keyword.text, KEYWORDS)
                    .note(format!("declarations start with one of {}", KEYWORDS.join(", "))),
            );
            return None;
        }
        let fields = pieces[1..].to_vec();
        Some(Raw { keyword, fields, attributes, span: head.span })
    }
}

/// Whether a text is an identifier of `.tck`: letters, digits, underscores and dots, starting with
/// a letter or an underscore.
pub fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    let starts = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    starts && characters.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
}
