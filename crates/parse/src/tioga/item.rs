//! The items of a document, with recovery after each so that one run reports several mistakes.

use tioga_base::{Diagnostic, Rational, closest};

use crate::clike::{Failed, Parsed, Parser, TokenKind};
use crate::syntax::{
    Direction, Instance, Item, ProcessUse, Query, SyncPart, SyncVector, System, TemplateKind,
    TimeUnit, WallUnit,
};

/// Words that start an item, for suggestions.
const ITEM_WORDS: [&str; 10] = [
    "automaton",
    "purpose",
    "system",
    "query",
    "model",
    "input",
    "output",
    "internal",
    "typedef",
    "sync",
];

/// The units of wall-clock time.
pub(crate) const UNITS: [(&str, WallUnit); 6] = [
    ("ns", WallUnit::Nanosecond),
    ("us", WallUnit::Microsecond),
    ("ms", WallUnit::Millisecond),
    ("s", WallUnit::Second),
    ("min", WallUnit::Minute),
    ("h", WallUnit::Hour),
];

impl Parser<'_> {
    /// Parses all items. What cannot be parsed is reported and left out.
    pub(super) fn document(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.at_end() {
            let start = self.position();
            if self.at("}") {
                let span = self.advance().span;
                let message = "this `}` closes nothing";
                self.diagnostics.push(Diagnostic::error("syntax", span, message));
                continue;
            }
            match self.item() {
                Ok(item) => items.push(item),
                Err(_) => self.skip_item(start),
            }
        }
        items
    }

    fn item(&mut self) -> Parsed<Item> {
        if self.at("automaton") || self.at("purpose") {
            return self.template_head().map(Item::Template);
        }
        if self.at("system") {
            return self.system().map(Item::System);
        }
        if self.at("model") && self.is_name(1) && self.is(2, ";") {
            self.advance();
            let name = self.name("a model")?;
            self.advance();
            return Ok(Item::Name(name));
        }
        if self.at("time") && self.is(1, "unit") && self.peek_at(2).kind != TokenKind::Symbol {
            return self.time_unit().map(Item::TimeUnit);
        }
        if self.at("sync") && self.peek_at(1).kind == TokenKind::Word && self.is(2, ".") {
            return self.sync().map(Item::Sync);
        }
        if self.at("query") && !self.is(1, "=") {
            return self.query().map(Item::Query);
        }
        if let Some(kind) = self.misspelt_item()? {
            return self.template(kind).map(Item::Template);
        }
        if self.at_declaration() {
            return self.declaration().map(Item::Declaration);
        }
        if self.is_name(0) && (self.is(1, "=") || self.is(1, ":=") || self.is(1, "(")) {
            return self.instance().map(Item::Instance);
        }
        self.unknown_item()
    }

    /// Reports `automation Light {` or `sytem A;`, which would otherwise be taken for declarations
    /// with a type of that name. A misspelt automaton is parsed nevertheless.
    fn misspelt_item(&mut self) -> Parsed<Option<TemplateKind>> {
        let token = self.peek();
        let suggestion = closest(token.text, ITEM_WORDS);
        let body = self.is(2, "{");
        if !self.is_name(0) || !self.is_name(1) || (suggestion.is_none() && !body) {
            return Ok(None);
        }
        if !body && self.is_type_name(token.text) {
            return Ok(None);
        }
        let message = format!("unknown kind of item `{}`", token.text);
        let diagnostic = Diagnostic::error("syntax", token.span, message);
        self.diagnostics.push(match suggestion {
            Some(word) => diagnostic.fix(token.span, word),
            None => diagnostic.help("write `automaton` or `purpose`"),
        });
        match suggestion {
            Some("purpose") => {
                self.advance();
                Ok(Some(TemplateKind::Purpose))
            }
            Some("automaton") | None => {
                self.advance();
                Ok(Some(TemplateKind::Automaton))
            }
            _ => Err(Failed),
        }
    }

    fn unknown_item<T>(&mut self) -> Parsed<T> {
        let token = self.peek();
        let misplaced = matches!(token.text, "location" | "init" | "accept" | "otherwise");
        if token.kind == TokenKind::Word && misplaced {
            let message = format!("`{}` outside an automaton", token.text);
            return self.fail(
                Diagnostic::error("syntax", token.span, message)
                    .help("locations and edges stand inside `automaton NAME { … }`"),
            );
        }
        if token.kind == TokenKind::Word && !self.is_keyword(token.text) {
            let message = format!("no item starts with `{}`", token.text);
            return self.fail(
                Diagnostic::error("syntax", token.span, message)
                    .suggest(token.span, token.text, ITEM_WORDS),
            );
        }
        self.complain("a declaration, automaton, purpose, instance, system or query")
    }

    fn time_unit(&mut self) -> Parsed<TimeUnit> {
        let start = self.advance().span;
        self.advance();
        let amount = self.amount()?;
        let token = self.peek();
        let Some((_, unit)) =
            UNITS.iter().find(|(word, _)| token.kind == TokenKind::Word && *word == token.text)
        else {
            return self.complain("a unit of time (ns, us, ms, s, min, h)");
        };
        self.advance();
        self.expect(";")?;
        Ok(TimeUnit { amount, unit: *unit, span: self.span_from(start) })
    }

    fn amount(&mut self) -> Parsed<Rational> {
        let start = self.peek().span;
        let first = self.literal()?;
        let amount = if self.eat("/") { first.div(self.literal()?).ok() } else { Some(first) };
        match amount {
            Some(amount) if amount > Rational::ZERO => Ok(amount),
            _ => {
                let span = self.span_from(start);
                self.fail(Diagnostic::error("syntax", span, "a unit of time must be positive"))
            }
        }
    }

    fn literal(&mut self) -> Parsed<Rational> {
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Number | TokenKind::Decimal) {
            return self.complain("a number");
        }
        match token.text.parse() {
            Ok(value) => {
                self.advance();
                Ok(value)
            }
            Err(reason) => {
                let message = format!("this number cannot be used: {reason}");
                self.fail(Diagnostic::error("number-too-large", token.span, message))
            }
        }
    }

    fn instance(&mut self) -> Parsed<Instance> {
        let name = self.name("an instance")?;
        let params = if self.at("(") { self.parameters(true)? } else { Vec::new() };
        if !self.eat(":=") {
            self.expect("=")?;
        }
        let template = self.name("an automaton")?;
        let arguments = self.arguments()?;
        self.expect(";")?;
        let span = self.span_from(name.span);
        Ok(Instance { name, params, template, arguments, span })
    }

    /// Parses `(a, b)`, possibly empty.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<crate::syntax::Expr>> {
        self.expect("(")?;
        let arguments = if self.at(")") { Vec::new() } else { self.expressions()? };
        self.expect(")")?;
        Ok(arguments)
    }

    fn system(&mut self) -> Parsed<System> {
        let start = self.advance().span;
        if self.at("environment") {
            let span = self.peek().span;
            return self.fail(
                Diagnostic::error("syntax", span, "the system has no process")
                    .note("an environment needs a system to be tested")
                    .help("name the processes of the system before `environment`"),
            );
        }
        let system = self.comma_separated(Self::process_use)?;
        let environment = if self.eat("environment") {
            self.comma_separated(Self::process_use)?
        } else {
            Vec::new()
        };
        self.expect(";")?;
        Ok(System { system, environment, span: self.span_from(start) })
    }

    fn process_use(&mut self) -> Parsed<ProcessUse> {
        let name = self.name("a process")?;
        let arguments = if self.at("(") { Some(self.arguments()?) } else { None };
        let span = self.span_from(name.span);
        Ok(ProcessUse { name, arguments, span })
    }

    fn sync(&mut self) -> Parsed<SyncVector> {
        let start = self.advance().span;
        let parts = self.comma_separated(|parser| {
            let process = parser.name("a process")?;
            parser.expect(".")?;
            let action = parser.name("an action")?;
            Ok(SyncPart { process, action, weak: parser.eat("?") })
        })?;
        let shown = if self.eat("as") {
            let direction = if self.eat("input") {
                Direction::Input
            } else if self.eat("output") {
                Direction::Output
            } else {
                return self.complain("`input` or `output`");
            };
            Some((direction, self.name("an action")?))
        } else {
            None
        };
        self.expect(";")?;
        Ok(SyncVector { parts, shown, span: self.span_from(start) })
    }

    fn query(&mut self) -> Parsed<Query> {
        let start = self.advance().span;
        let token = self.peek();
        let comment = if token.kind == TokenKind::Quoted {
            self.advance();
            Some(token.text.trim_matches('"').to_owned())
        } else {
            None
        };
        let formula = self.formula()?;
        self.expect(";")?;
        Ok(Query { formula, comment, span: self.span_from(start) })
    }
}
