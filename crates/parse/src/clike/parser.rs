//! The parser's position in a token list, its complaints and its limits.

use std::collections::BTreeSet;

use tioga_base::{Diagnostic, Diagnostics, Span};

use super::{Lexed, Token, TokenKind};
use crate::syntax::{Dialect, Direction, Name};

/// How deeply expressions, statements and types may nest.
const NESTING_LIMIT: u32 = 64;

/// A construct could not be parsed; the reason is among the diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failed;

/// The result of parsing a construct.
pub type Parsed<T> = Result<T, Failed>;

/// Words with a meaning of their own in the C-like core of both dialects.
const COMMON_KEYWORDS: [&str; 30] = [
    "and",
    "bool",
    "broadcast",
    "chan",
    "clock",
    "const",
    "deadlock",
    "do",
    "else",
    "exists",
    "false",
    "for",
    "forall",
    "if",
    "imply",
    "init",
    "int",
    "meta",
    "not",
    "or",
    "return",
    "scalar",
    "struct",
    "sum",
    "true",
    "typedef",
    "urgent",
    "void",
    "while",
    "system",
];

/// Further words with a meaning in `.tioga`. Words that mean something in few places only, such as
/// `restart` or `self`, are not among them: they stay usable as names.
const TIOGA_KEYWORDS: [&str; 17] = [
    "accept",
    "automaton",
    "committed",
    "desired",
    "environment",
    "input",
    "integer",
    "internal",
    "invariant",
    "location",
    "otherwise",
    "output",
    "param",
    "purpose",
    "rational",
    "refuse",
    "when",
];

/// Further words with a meaning in UPPAAL.
const UPPAAL_KEYWORDS: [&str; 9] =
    ["assign", "commit", "guard", "process", "select", "state", "sync", "trans", "branchpoint"];

/// Whether a word is a keyword of a dialect.
pub fn is_keyword(word: &str, dialect: Dialect) -> bool {
    let special: &[&str] = match dialect {
        Dialect::Tioga => &TIOGA_KEYWORDS,
        Dialect::Uppaal | Dialect::Tchecker => &UPPAAL_KEYWORDS,
    };
    COMMON_KEYWORDS.contains(&word) || special.contains(&word)
}

/// A recursive-descent parser over one token list.
///
/// Every method that fails has pushed a diagnostic first. Tokens are consumed only forwards, so
/// parsing ends.
#[derive(Debug)]
pub struct Parser<'p> {
    tokens: &'p [Token<'p>],
    at: usize,
    nesting: u32,
    /// Operators of the outermost expression so far, and how many expressions are open.
    pub(super) operators: usize,
    pub(super) open_expressions: u32,
    /// The names given by `typedef` so far, whatever their scope.
    pub(super) type_names: BTreeSet<String>,
    pub(crate) dialect: Dialect,
    /// What the text says about which way channels go.
    pub(crate) directions: Vec<(String, Direction)>,
    /// Where complaints go.
    pub diagnostics: &'p mut Diagnostics,
}

impl<'p> Parser<'p> {
    /// A parser at the start of the tokens. The dialect decides which words are keywords, whether
    /// the quotient of two literals is a rational literal (`.tioga`) and whether the old form
    /// `const N 5;` is read (UPPAAL).
    pub fn new(lexed: &'p Lexed<'p>, dialect: Dialect, diagnostics: &'p mut Diagnostics) -> Self {
        if let Some(span) = lexed.unclosed {
            diagnostics.push(
                Diagnostic::error("unclosed-comment", span, "this comment is never closed")
                    .help("close it with `*/`"),
            );
        }
        Self {
            tokens: &lexed.tokens,
            at: 0,
            nesting: 0,
            operators: 0,
            open_expressions: 0,
            type_names: BTreeSet::new(),
            dialect,
            directions: Vec::new(),
            diagnostics,
        }
    }

    /// The token at the current position.
    pub fn peek(&self) -> Token<'p> {
        self.peek_at(0)
    }

    /// The token this many positions ahead; the end token if there are fewer.
    pub fn peek_at(&self, ahead: usize) -> Token<'p> {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + ahead).min(last)]
    }

    /// Consumes and returns the current token; the end token is never consumed.
    pub fn advance(&mut self) -> Token<'p> {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    /// The place of the token consumed last.
    pub fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// Whether the token consumed last is a number.
    pub fn previous_is_number(&self) -> bool {
        let kind = self.tokens[self.at.saturating_sub(1)].kind;
        matches!(kind, TokenKind::Number | TokenKind::Decimal)
    }

    /// The place from `start` to the token consumed last.
    pub fn span_from(&self, start: Span) -> Span {
        let end = self.previous_span();
        if end.start >= start.start { start.to(end) } else { start }
    }

    /// Whether the whole text was consumed.
    pub fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    /// Whether the current token is this symbol or word.
    pub fn at(&self, text: &str) -> bool {
        self.is(0, text)
    }

    /// Whether the token this many positions ahead is this symbol or word.
    pub fn is(&self, ahead: usize, text: &str) -> bool {
        let token = self.peek_at(ahead);
        matches!(token.kind, TokenKind::Word | TokenKind::Symbol) && token.text == text
    }

    /// Consumes the current token if it is this symbol or word.
    pub fn eat(&mut self, text: &str) -> bool {
        let there = self.at(text);
        if there {
            self.advance();
        }
        there
    }

    /// Consumes this symbol or word, or complains.
    pub fn expect(&mut self, text: &str) -> Parsed<Span> {
        if self.at(text) { Ok(self.advance().span) } else { self.complain(&format!("`{text}`")) }
    }

    /// Whether a word is a keyword of the dialect.
    pub fn is_keyword(&self, word: &str) -> bool {
        is_keyword(word, self.dialect)
    }

    /// Whether a `typedef` gave this name so far, in any scope.
    pub(crate) fn is_type_name(&self, word: &str) -> bool {
        self.type_names.contains(word)
    }

    /// How many tokens were consumed.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The tokens from a position up to the current one.
    pub(crate) fn tokens_since(&self, position: usize) -> &'p [Token<'p>] {
        &self.tokens[position.min(self.at)..self.at]
    }

    /// Goes back to where `position` was taken.
    pub(crate) fn rewind(&mut self, position: usize) {
        self.at = position;
    }

    /// Skips a broken item that started at `start`: to just after the first `;` outside braces or
    /// the brace that closes it, or to a `}` that closes something around it. Starting over at the
    /// item's first token keeps a mistake deep inside it from spoiling what follows.
    pub(crate) fn skip_item(&mut self, start: usize) {
        let failed_at = self.at;
        self.at = start;
        let mut depth = 0usize;
        while !self.at_end() {
            if depth == 0 && self.at("}") && self.at > start {
                return;
            }
            let token = self.advance();
            match (token.kind, token.text) {
                (TokenKind::Symbol, "{") => depth += 1,
                (TokenKind::Symbol, "}") => {
                    depth = depth.saturating_sub(1);
                    let names_follow =
                        self.is_name(0) && (self.is(1, ";") || self.is(1, "[") || self.is(1, "="));
                    if depth == 0 && self.at >= failed_at && !names_follow {
                        return;
                    }
                }
                (TokenKind::Symbol, ";") if depth == 0 && self.at >= failed_at => return,
                _ => {}
            }
        }
    }

    /// Whether the token this many positions ahead is an identifier, not a keyword.
    pub fn is_name(&self, ahead: usize) -> bool {
        let token = self.peek_at(ahead);
        token.kind == TokenKind::Word && !self.is_keyword(token.text)
    }

    /// Consumes an identifier; `what` says what it would name, such as "a location".
    pub fn name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.peek();
        if self.is_name(0) {
            self.advance();
            return Ok(Name::new(token.text, token.span));
        }
        if token.kind == TokenKind::Word {
            let message = format!("`{}` is a keyword and cannot name {what}", token.text);
            let diagnostic = Diagnostic::error("syntax", token.span, message)
                .fix(token.span, format!("{}_", token.text));
            self.diagnostics.push(diagnostic);
            return Err(Failed);
        }
        self.complain(&format!("the name of {what}"))
    }

    /// Complains that something else was expected at the current token.
    pub fn complain<T>(&mut self, expected: &str) -> Parsed<T> {
        let token = self.peek();
        let (span, found) = match token.kind {
            TokenKind::End => (token.span, "the end of the text".to_owned()),
            TokenKind::Unknown => {
                (token.span, format!("{:?}, which is no part of the language", token.text))
            }
            _ => (token.span, format!("`{}`", token.text)),
        };
        let message = format!("expected {expected}, found {found}");
        let mut diagnostic = Diagnostic::error("syntax", span, message);
        if expected == "`;`" && self.at > 0 {
            diagnostic = diagnostic
                .fix(self.previous_span().after(), ";")
                .help("add `;` after the previous item");
        }
        self.diagnostics.push(diagnostic);
        Err(Failed)
    }

    /// Complains about a place.
    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.diagnostics.push(diagnostic);
        Err(Failed)
    }

    /// Parses one level deeper, or complains that the text nests too deeply.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.enter()?;
        let result = parse(self);
        self.leave();
        result
    }

    /// Goes one level deeper, or complains; for parsers that wrap this one.
    pub fn enter(&mut self) -> Parsed<()> {
        if self.nesting >= NESTING_LIMIT {
            let message = format!("nested more than {NESTING_LIMIT} levels deep");
            let span = self.peek().span;
            return self.fail(
                Diagnostic::error("too-deep", span, message)
                    .help("name a part of it with a constant, a variable or a function"),
            );
        }
        self.nesting += 1;
        Ok(())
    }

    /// Comes back from a level that [`enter`](Self::enter) allowed.
    pub fn leave(&mut self) {
        self.nesting = self.nesting.saturating_sub(1);
    }

    /// Skips to just after the next `;` outside brackets, or to a `}` or the end.
    pub fn recover(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() {
            if depth == 0 && self.at("}") {
                return;
            }
            let token = self.advance();
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return;
                    }
                }
                ";" if depth == 0 => return,
                _ => {}
            }
        }
    }

    /// Parses items separated by commas, at least one.
    pub fn comma_separated<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }
}
