//! Formulas of properties and objectives, and UPPAAL's query files.
//!
//! The forms Tioga knows are parsed; a mistake inside one of them is an error. Any other form is
//! kept word for word as [`Formula::Other`], with a warning.

use tioga_base::{Diagnostic, Diagnostics, FileId, Severity};

use crate::clike::{Origin, Parsed, Parser, TokenKind, lex};
use crate::print::Printer;
use crate::syntax::{Dialect, Ends, Expr, Formula, Objective, Query};

/// How many tokens a formula may have.
const LONGEST_FORMULA: usize = 10_000;

/// Parses a formula that makes up a whole text. If an error was reported, the formula is
/// [`Formula::Other`].
pub fn parse_formula(
    text: &str,
    origin: &Origin,
    dialect: Dialect,
    diagnostics: &mut Diagnostics,
) -> Formula {
    let lexed = lex(text, origin);
    let mut parser = Parser::new(&lexed, dialect, diagnostics);
    let formula = parser.formula();
    let _ = parser.eat(";");
    match formula {
        Ok(formula) if parser.at_end() => formula,
        Ok(_) => {
            // The complaint is what matters; the text is kept for showing.
            let _: Parsed<()> = parser.complain("the end of the formula");
            Formula::Other(text.trim().to_owned())
        }
        Err(_) => Formula::Other(text.trim().to_owned()),
    }
}

/// Parses a formula of a foreign file. One that is wrong does not spoil the model: it is warned about
/// and left out.
pub(crate) fn parse_foreign(
    text: &str,
    origin: &Origin,
    diagnostics: &mut Diagnostics,
) -> Option<Formula> {
    let mut found = Diagnostics::new();
    let formula = parse_formula(text, origin, Dialect::Uppaal, &mut found);
    let wrong = found.has_errors();
    for diagnostic in &found {
        let mut diagnostic = diagnostic.clone();
        if diagnostic.severity == Severity::Error {
            diagnostic.severity = Severity::Warning;
            diagnostic.notes.push("the query is left out".to_owned());
        }
        diagnostics.push(diagnostic);
    }
    (!wrong).then_some(formula)
}

/// The text of a formula.
pub fn print_formula(formula: &Formula, dialect: Dialect) -> String {
    Printer::new(dialect).formula(formula)
}

impl Parser<'_> {
    /// Parses a formula up to a `;` or the end.
    pub(crate) fn formula(&mut self) -> Parsed<Formula> {
        let start = self.position();
        if self.at_end() || self.at(";") {
            return self.complain("a formula");
        }
        if self.under_strategy() {
            return self.other_formula();
        }
        let known = if self.path_formula("E", "<>") {
            self.skip(2);
            if self.is(0, "control") && self.is(1, ":") {
                self.skip(2);
                return self.objective(start, Formula::Cooperative);
            }
            Formula::Reachable(self.expression()?)
        } else if self.path_formula("A", "<>") {
            self.skip(2);
            Formula::Inevitable(self.expression()?)
        } else if self.path_formula("A", "[]") {
            self.skip(3);
            Formula::Always(self.expression()?)
        } else if self.path_formula("E", "[]") {
            self.skip(3);
            Formula::Possibly(self.expression()?)
        } else if self.is(0, "control") && self.is(1, ":") {
            self.skip(2);
            return self.objective(start, Formula::Control);
        } else if let Some(ends) = self.ends() {
            self.advance();
            return self.extent(ends);
        } else if self.has_top_level("-->") {
            let premise = self.expression()?;
            self.expect("-->")?;
            Formula::LeadsTo(premise, self.expression()?)
        } else {
            return self.other_formula();
        };
        Ok(known)
    }

    fn objective(&mut self, start: usize, wrap: fn(Objective) -> Formula) -> Parsed<Formula> {
        let objective = if self.path_formula("A", "<>") {
            self.skip(2);
            Objective::Reach(self.expression()?)
        } else if self.path_formula("A", "[]") {
            self.skip(3);
            Objective::Stay(self.expression()?)
        } else if self.is(0, "A") && self.is(1, "[") {
            self.skip(2);
            let (holds, weak, goal) = self.until()?;
            self.expect("]")?;
            if weak { Objective::WeakUntil(holds, goal) } else { Objective::Until(holds, goal) }
        } else {
            self.rewind(start);
            return self.other_formula();
        };
        Ok(wrap(objective))
    }

    /// Which ends of a range the formula asks for, if it does.
    fn ends(&self) -> Option<Ends> {
        let begins = |ends: &Ends| self.is(0, ends.word()) && (self.is(1, "{") || self.is(1, ":"));
        Ends::ALL.into_iter().find(begins)
    }

    fn extent(&mut self, ends: Ends) -> Parsed<Formula> {
        let mut inside = None;
        if self.eat("{") {
            inside = Some(self.expression()?);
            self.expect("}")?;
        }
        self.expect(":")?;
        let mut measured = vec![self.expression()?];
        while self.eat(",") {
            measured.push(self.expression()?);
        }
        Ok(Formula::Extent(ends, inside, measured))
    }

    fn until(&mut self) -> Parsed<(Expr, bool, Expr)> {
        let holds = self.expression()?;
        let weak = self.at("W");
        if !weak && !self.at("U") {
            return self.complain("`U` or `W`");
        }
        self.advance();
        Ok((holds, weak, self.expression()?))
    }

    /// Whether the formula ends in `under S`, where `S` is a strategy.
    fn under_strategy(&self) -> bool {
        let length = self.formula_length();
        let ends_operand = |ahead: usize| {
            let token = self.peek_at(ahead);
            matches!(token.kind, TokenKind::Word | TokenKind::Number)
                || matches!(token.text, ")" | "]")
        };
        length > 3
            && self.is(length - 2, "under")
            && self.is_name(length - 1)
            && ends_operand(length - 3)
    }

    fn path_formula(&self, path: &str, state: &str) -> bool {
        self.is(0, path)
            && match state {
                "<>" => self.is(1, "<>"),
                _ => self.is(1, "[") && self.is(2, "]"),
            }
    }

    fn skip(&mut self, tokens: usize) {
        for _ in 0..tokens {
            self.advance();
        }
    }

    /// How many tokens the formula has: up to a `;`, a closing bracket too many, or the end. Looks
    /// ahead a bounded way only, so that many broken formulas cost no more than their length.
    fn formula_length(&self) -> usize {
        let mut depth = 0usize;
        let mut length = 0;
        loop {
            let token = self.peek_at(length);
            match (token.kind, token.text) {
                (TokenKind::End, _) => return length,
                _ if length == LONGEST_FORMULA => return length,
                (TokenKind::Symbol, ";") if depth == 0 => return length,
                (TokenKind::Symbol, "(" | "[" | "{") => depth += 1,
                (TokenKind::Symbol, ")" | "]" | "}") => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return length,
                },
                _ => {}
            }
            length += 1;
        }
    }

    fn has_top_level(&self, text: &str) -> bool {
        let mut depth = 0usize;
        (0..self.formula_length()).any(|ahead| {
            let token = self.peek_at(ahead);
            match (token.kind, token.text) {
                (TokenKind::Symbol, "(" | "[" | "{") => depth += 1,
                (TokenKind::Symbol, ")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && self.is(ahead, text)
        })
    }

    /// Keeps a formula as its tokens, with one space where the text has any.
    fn other_formula(&mut self) -> Parsed<Formula> {
        let length = self.formula_length();
        let start = self.peek().span;
        let mut text = String::new();
        for _ in 0..length {
            let token = self.peek();
            if token.kind == TokenKind::Unknown {
                return self.complain("a formula");
            }
            if !text.is_empty() && token.span.start != self.previous_span().end {
                text.push(' ');
            }
            text.push_str(token.text);
            self.advance();
        }
        if length == 0 {
            return self.complain("a formula");
        }
        self.diagnostics.push(
            Diagnostic::warning(
                "unknown-formula",
                self.span_from(start),
                "this kind of formula is kept but not understood",
            )
            .note("understood are `E<>`, `A[]`, `A<>`, `E[]`, `-->`, `sup`, `inf`, `bounds` and `control:` formulas"),
        );
        Ok(Formula::Other(text))
    }
}

impl Printer<'_> {
    /// The text of a formula.
    pub fn formula(&mut self, formula: &Formula) -> String {
        match formula {
            Formula::Reachable(expr) => format!("E<> {}", self.expr(expr)),
            Formula::Always(expr) => format!("A[] {}", self.expr(expr)),
            Formula::Inevitable(expr) => format!("A<> {}", self.expr(expr)),
            Formula::Possibly(expr) => format!("E[] {}", self.expr(expr)),
            Formula::LeadsTo(premise, then) => {
                format!("{} --> {}", self.expr(premise), self.expr(then))
            }
            Formula::Control(objective) => format!("control: {}", self.objective(objective)),
            Formula::Cooperative(objective) => {
                format!("E<> control: {}", self.objective(objective))
            }
            Formula::Extent(ends, inside, measured) => {
                let inside = inside.as_ref().map(|inside| format!("{{{}}}", self.expr(inside)));
                let measured: Vec<String> = measured.iter().map(|one| self.expr(one)).collect();
                format!("{}{}: {}", ends.word(), inside.unwrap_or_default(), measured.join(", "))
            }
            Formula::Other(text) => text.clone(),
        }
    }

    fn objective(&mut self, objective: &Objective) -> String {
        match objective {
            Objective::Reach(expr) => format!("A<> {}", self.expr(expr)),
            Objective::Stay(expr) => format!("A[] {}", self.expr(expr)),
            Objective::Until(holds, goal) => {
                format!("A[ {} U {} ]", self.expr(holds), self.expr(goal))
            }
            Objective::WeakUntil(holds, goal) => {
                format!("A[ {} W {} ]", self.expr(holds), self.expr(goal))
            }
        }
    }
}

/// Parses UPPAAL's query file: one query per line, where a backslash at the end of a line continues
/// it. The comments just before a query become its comment.
pub fn parse_query_file(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Vec<Query> {
    let mut queries = Vec::new();
    let mut comment: Vec<String> = Vec::new();
    let mut at = 0;
    let mut blank_line = false;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            let gap = rest.len() - rest.trim_start().len();
            blank_line = rest[..gap].matches('\n').count() > 1;
            at += gap;
            continue;
        }
        if rest.starts_with("//") || rest.starts_with("/*") {
            // A comment set apart by a blank line, such as a file header, is not the query's.
            if std::mem::take(&mut blank_line) {
                comment.clear();
            }
            let length = comment_length(rest);
            if rest.starts_with("/*") && !rest[2..length].ends_with("*/") {
                let span = Origin::whole(file).span(at, at + 2);
                diagnostics.push(
                    Diagnostic::error("unclosed-comment", span, "this comment is never closed")
                        .help("close it with `*/`"),
                );
            }
            comment.extend(comment_text(&rest[..length]));
            at += length;
            continue;
        }
        let length = query_length(rest);
        // Replacing byte by byte keeps the places right.
        let line = rest[..length].replace("\\\r\n", "   ").replace("\\\n", "  ");
        let origin = Origin::piece(file, vec![(0, at)]);
        let said = std::mem::take(&mut comment).join("\n");
        let comment = (!said.is_empty()).then_some(said);
        let span = origin.span(0, line.trim_end().len());
        if let Some(formula) = parse_foreign(&line, &origin, diagnostics) {
            queries.push(Query { formula, comment, span });
        }
        at += length;
    }
    queries
}

fn comment_length(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    rest[2..].find("*/").map_or(rest.len(), |end| end + 4)
}

/// What a comment says, without its delimiters; nothing if it is empty.
fn comment_text(comment: &str) -> Option<String> {
    let inner = comment.trim_start_matches("/*").trim_start_matches("//").trim_end_matches("*/");
    let lines: Vec<&str> = inner.trim().lines().map(str::trim).collect();
    let text = lines.join("\n");
    (!text.is_empty()).then_some(text)
}

/// The length of the query at the start of the text: to the end of its line, continued lines and
/// block comments included.
fn query_length(rest: &str) -> usize {
    let mut at = 0;
    while let Some(character) = rest[at..].chars().next() {
        let here = &rest[at..];
        at += match character {
            '\n' => return at,
            '/' if here.starts_with("/*") => comment_length(here),
            '\\' if here.starts_with("\\\r\n") => 3,
            '\\' if here.starts_with("\\\n") => 2,
            _ => character.len_utf8(),
        };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, printed: &str, warnings: usize) {
        let mut diagnostics = Diagnostics::new();
        let origin = Origin::whole(FileId(0));
        let formula = parse_formula(text, &origin, Dialect::Uppaal, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{diagnostics:?}");
        assert_eq!(diagnostics.iter().len(), warnings, "{diagnostics:?}");
        assert_eq!(matches!(formula, Formula::Other(_)), warnings > 0);
        assert_eq!(print_formula(&formula, Dialect::Uppaal), printed);
    }

    #[test]
    fn known_formulas_are_parsed() {
        check("E<>P.a and x>=3", "E<> P.a && x >= 3", 0);
        check("A[] not deadlock", "A[] !deadlock", 0);
        check("A<>(P.a)", "A<> P.a", 0);
        check("E[] forall (i:id) P(i).a", "E[] forall (i : id) P(i).a", 0);
        check("P.a --> Q.b or c", "P.a --> Q.b || c", 0);
        check("control: A<> P.a", "control: A<> P.a", 0);
        check("control: A[ not a U b ]", "control: A[ !a U b ]", 0);
        check("control: A[a W b]", "control: A[ a W b ]", 0);
        check("E<> control: A[] a;", "E<> control: A[] a", 0);
        check("A[] under == 3", "A[] under == 3", 0);
        check("sup{P.a}:x,y-z", "sup{P.a}: x, y - z", 0);
        check("inf:n+1", "inf: n + 1", 0);
        check("bounds{P.a || b} : P.n", "bounds{P.a || b}: P.n", 0);
        check("sup --> inf", "sup --> inf", 0);
    }

    #[test]
    fn unknown_formulas_are_kept_word_for_word() {
        for text in [
            "Pr[<=20](<> P.a)",
            "E[<=10; 100] (max: x)",
            "simulate [<=10] {x, y}",
            "strategy S = control: A<> P.a",
            "control: A<> P.a under S",
            "control_t*(3,2): A<> a",
            "saveStrategy(\"a.json\", S)",
        ] {
            check(text, text, 1);
        }
    }

    #[test]
    fn mistakes_in_known_formulas_are_errors() {
        for text in [
            "E<> ",
            "A[] x >",
            "a --> ",
            "control: A[ a ]",
            "A[] (x",
            "E<> a b",
            "",
            "sup: ",
            "inf{a} x",
        ] {
            let mut diagnostics = Diagnostics::new();
            let origin = Origin::whole(FileId(0));
            parse_formula(text, &origin, Dialect::Uppaal, &mut diagnostics);
            assert_eq!(diagnostics.error_count(), 1, "{text}: {diagnostics:?}");
        }
    }

    #[test]
    fn query_files_have_a_query_per_line() {
        let text = "//This file was generated\n\n/*\nFirst,\n  really.\n*/\nE<> a\n\n// x\n// y\n\
                    A[] b && \\\n  c // after\n/* */\nA<> d";
        let mut diagnostics = Diagnostics::new();
        let queries = parse_query_file(FileId(0), text, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let found: Vec<_> = queries
            .iter()
            .map(|query| (print_formula(&query.formula, Dialect::Uppaal), query.comment.as_deref()))
            .collect();
        let expected = [
            ("E<> a".to_owned(), Some("First,\nreally.")),
            ("A[] b && c".to_owned(), Some("x\ny")),
            ("A<> d".to_owned(), None),
        ];
        assert_eq!(found, expected);
        assert_eq!(&text[queries[2].span.range()], "A<> d");
    }
}
