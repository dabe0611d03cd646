//! Automata and purposes: locations, edges, and what only purposes have.

use tioga_base::{Diagnostic, Span, closest};

use super::item::UNITS;
use crate::clike::{Parsed, Parser, TokenKind};
use crate::syntax::{
    ActionUse, Communication, Control, EdgeDecl, Expr, LocationDecl, Marks, Otherwise, Select,
    Target, Template, TemplateItem, TemplateKind,
};

/// Marks of locations.
const MARKS: [&str; 7] = ["init", "urgent", "committed", "accept", "refuse", "fail", "desired"];

/// Words that start an item of an automaton, for suggestions.
const ITEM_WORDS: [&str; 13] = [
    "location",
    "init",
    "urgent",
    "committed",
    "accept",
    "refuse",
    "fail",
    "desired",
    "otherwise",
    "restart",
    "clock",
    "typedef",
    "const",
];

/// What locations are called elsewhere.
const FOREIGN_LOCATIONS: [&str; 5] = ["state", "states", "loc", "node", "place"];

/// Operators that a guard may begin with after its first name.
const COMPARISONS: [&str; 8] = ["<", "<=", "==", "!=", ">=", ">", "=", "-"];

impl Parser<'_> {
    /// Parses an automaton or purpose at its first word.
    pub(super) fn template_head(&mut self) -> Parsed<Template> {
        let kind = if self.advance().text == "purpose" {
            TemplateKind::Purpose
        } else {
            TemplateKind::Automaton
        };
        self.template(kind)
    }

    /// Parses an automaton or purpose after its first word.
    pub(super) fn template(&mut self, kind: TemplateKind) -> Parsed<Template> {
        let start = self.previous_span();
        let name = self.name(match kind {
            TemplateKind::Automaton => "an automaton",
            TemplateKind::Purpose => "a purpose",
        })?;
        let params = if self.at("(") { self.parameters(true)? } else { Vec::new() };
        let open = self.expect("{")?;
        let mut items = Vec::new();
        while !self.at("}") {
            if self.at_end() {
                let message = format!("`{}` is never closed", name.text);
                return self.fail(
                    Diagnostic::error("syntax", self.peek().span, message)
                        .also(open, "opened here")
                        .fix(self.peek().span, "}"),
                );
            }
            let first = self.position();
            match self.template_item(kind) {
                Ok(item) => items.push(item),
                // The end of the text was complained about already.
                Err(failed) if self.at_end() => return Err(failed),
                Err(_) => self.skip_item(first),
            }
        }
        self.advance();
        Ok(Template { kind, name, params, items, span: self.span_from(start) })
    }

    fn template_item(&mut self, kind: TemplateKind) -> Parsed<TemplateItem> {
        let start = self.peek().span;
        if self.at_locations() {
            return self.locations().map(TemplateItem::Locations);
        }
        if self.at("otherwise") {
            self.only_in_purposes(kind, start);
            return self.otherwise().map(TemplateItem::Otherwise);
        }
        if self.at("restart") && self.peek_at(1).kind == TokenKind::Word {
            self.only_in_purposes(kind, start);
            self.advance();
            let action = self.action()?;
            self.expect(";")?;
            return Ok(TemplateItem::Restart(action));
        }
        if self.is_name(0) && (self.is(1, ",") || self.arrow_length(1).is_some()) {
            return self.edge().map(|edge| TemplateItem::Edge(Box::new(edge)));
        }
        self.misspelt_word()?;
        if self.at_declaration() {
            return self.declaration().map(TemplateItem::Declaration);
        }
        if MARKS.contains(&self.peek().text) && self.is_name(1) {
            let span = self.peek_at(1).span;
            if self.is_name(2) {
                let message = format!("expected `location`, found `{}`", self.peek_at(1).text);
                return self.fail(Diagnostic::error("syntax", span, message).fix(span, "location"));
            }
            return self.fail(
                Diagnostic::error("syntax", span, "expected `location` before its name")
                    .fix(Span { end: span.start, ..span }, "location "),
            );
        }
        if self.is_name(0) {
            self.advance();
            return self.complain("an arrow `->` or a name");
        }
        self.complain("a declaration, a location or an edge")
    }

    fn only_in_purposes(&mut self, kind: TemplateKind, span: Span) {
        if kind == TemplateKind::Automaton {
            let word = self.peek().text;
            self.diagnostics.push(
                Diagnostic::error("syntax", span, format!("`{word}` in an automaton"))
                    .note("only a `purpose` can be completed or restarted"),
            );
        }
    }

    /// Reports `locaton A;`, which would otherwise be taken for a declaration with its own type.
    fn misspelt_word(&mut self) -> Parsed<()> {
        let token = self.peek();
        let next = self.peek_at(1);
        let two_words = self.is_name(0) && next.kind == TokenKind::Word;
        let foreign = FOREIGN_LOCATIONS.contains(&token.text).then_some("location");
        let meant = foreign.or_else(|| closest(token.text, ITEM_WORDS));
        let Some(word) = meant.filter(|_| two_words) else {
            return Ok(());
        };
        if self.is_type_name(token.text) {
            return Ok(());
        }
        let message = format!("unknown word `{}`", token.text);
        self.fail(Diagnostic::error("syntax", token.span, message).fix(token.span, word))
    }

    /// Whether marks, possibly none, and the word `location` follow.
    fn at_locations(&self) -> bool {
        let marks = (0..MARKS.len() + 1)
            .take_while(|&ahead| {
                let token = self.peek_at(ahead);
                token.kind == TokenKind::Word && MARKS.contains(&token.text)
            })
            .count();
        self.is(marks, "location")
    }

    fn locations(&mut self) -> Parsed<LocationDecl> {
        let start = self.peek().span;
        let mut marks = Marks::default();
        while !self.eat("location") {
            let token = self.advance();
            let mark = match token.text {
                "init" => &mut marks.initial,
                "urgent" => &mut marks.urgent,
                "committed" => &mut marks.committed,
                "accept" => &mut marks.accept,
                "refuse" => &mut marks.refuse,
                "fail" => &mut marks.fail,
                _ => &mut marks.desired,
            };
            if std::mem::replace(mark, true) {
                let message = format!("the mark `{}` is given twice", token.text);
                self.diagnostics.push(Diagnostic::error("syntax", token.span, message));
            }
        }
        let names = self.comma_separated(|parser| parser.name("a location"))?;
        let invariant =
            if self.eat("invariant") { Some(self.guard("an invariant")?) } else { None };
        let labels = if self.eat("labels") {
            self.comma_separated(|parser| parser.name("a label"))?
        } else {
            Vec::new()
        };
        self.end_of_item(&["invariant", "labels"])?;
        Ok(LocationDecl { names, marks, labels, invariant, span: self.span_from(start) })
    }

    fn otherwise(&mut self) -> Parsed<Otherwise> {
        let start = self.advance().span;
        let target = if self.at("self") {
            Target::Same(self.advance().span)
        } else if self.arrow_length(0).is_some() {
            self.arrow()?;
            self.target()?
        } else {
            return self.complain("`self` or `-> LOCATION`");
        };
        self.expect(";")?;
        Ok(Otherwise { target, span: self.span_from(start) })
    }

    fn edge(&mut self) -> Parsed<EdgeDecl> {
        let start = self.peek().span;
        let sources = self.comma_separated(|parser| parser.name("a location"))?;
        let control = self.arrow()?;
        let target = self.target()?;
        let mut edge = EdgeDecl {
            sources,
            target,
            control,
            action: None,
            reply: None,
            selects: Vec::new(),
            guard: None,
            updates: Vec::new(),
            span: start,
        };
        if self.edge_label_follows()? {
            self.edge_label(&mut edge)?;
        }
        self.misplaced_guard(&edge)?;
        self.end_of_item(&["when", "do", "for"])?;
        edge.span = self.span_from(start);
        Ok(edge)
    }

    /// Consumes the `:` before what an edge does; a forgotten one is reported and assumed.
    fn edge_label_follows(&mut self) -> Parsed<bool> {
        if self.eat(":") {
            return Ok(true);
        }
        if self.at("when") && self.colon_follows() {
            let message = "the guard of an edge comes after `:` and the action";
            let help = "write `A -> B : action? when GUARD`";
            return self.fail(Diagnostic::error("syntax", self.peek().span, message).help(help));
        }
        let forgotten = self.at("when") || self.at("do") || self.at("for");
        let action = self.is_name(0)
            && (self.is(1, "?") || self.is(1, "!") || self.is(1, "when") || self.is(1, "do"));
        if forgotten || action {
            let span = self.peek().span;
            self.diagnostics.push(
                Diagnostic::error("syntax", span, "expected `:` before what the edge does")
                    .fix(self.previous_span().after(), " :"),
            );
        }
        Ok(forgotten || action)
    }

    /// Whether a `:` follows in the same item.
    fn colon_follows(&self) -> bool {
        let mut ahead = 0;
        loop {
            let token = self.peek_at(ahead);
            match (token.kind, token.text) {
                (TokenKind::End, _) | (TokenKind::Symbol, ";" | "{" | "}") => return false,
                (TokenKind::Symbol, ":") => return true,
                _ => ahead += 1,
            }
        }
    }

    /// Reports a guard before the action, or without its word.
    fn misplaced_guard(&mut self, edge: &EdgeDecl) -> Parsed<()> {
        let token = self.peek();
        let action = self.is_name(0) && (self.is(1, "?") || self.is(1, "!") || self.is(1, "("));
        let help = "write `A -> B : action? when GUARD`";
        if edge.guard.is_some() && edge.action.is_none() && action {
            let message = "the action of an edge comes before its guard";
            let mut diagnostic = Diagnostic::error("syntax", token.span, message);
            if let Some((span, text)) = self.exchanged() {
                diagnostic = diagnostic.fix(span, text);
            }
            return self.fail(diagnostic.help(help));
        }
        let bare = edge.action.as_ref().is_some_and(|action| {
            action.communication == Communication::Plain && edge.guard.is_none()
        });
        let compares = token.kind == TokenKind::Symbol && COMPARISONS.contains(&token.text);
        let bracket = edge.guard.is_none() && self.at("[");
        if bare && compares || bracket {
            let message = "a guard begins with `when` and comes after the action";
            return self.fail(Diagnostic::error("syntax", token.span, message).help(help));
        }
        Ok(())
    }

    /// A guard that was read and the action after it in the right order, and where they stand.
    fn exchanged(&mut self) -> Option<(Span, String)> {
        let (written, here) = (self.tokens_since(0), self.position());
        let when = written.iter().rposition(|token| token.text == "when")?;
        let condition: Vec<&str> = written[when + 1..].iter().map(|token| token.text).collect();
        let start = written[when].span;
        self.action().ok()?;
        let action: String = self.tokens_since(here).iter().map(|token| token.text).collect();
        Some((self.span_from(start), format!("{action} when {}", condition.join(" "))))
    }

    fn edge_label(&mut self, edge: &mut EdgeDecl) -> Parsed<()> {
        if self.is_name(0) {
            edge.action = Some(self.action()?);
            if self.eat("/") {
                edge.reply = Some(self.action()?);
            }
        }
        if self.eat("for") {
            edge.selects = self.comma_separated(|parser| {
                let name = parser.name("a chosen value")?;
                parser.expect(":")?;
                Ok(Select { name, ty: parser.type_expr()? })
            })?;
        }
        if self.eat("when") {
            edge.guard = Some(self.guard("a guard")?);
        }
        if self.eat("do") {
            edge.updates = self.expressions()?;
        }
        let late = self.peek();
        if late.kind == TokenKind::Word && matches!(late.text, "for" | "when" | "do") {
            let message = format!("`{}` comes too late or twice", late.text);
            return self.fail(
                Diagnostic::error("syntax", late.span, message)
                    .help("the order is: action, `for`, `when`, `do`"),
            );
        }
        Ok(())
    }

    /// Consumes the `;` of an item. A word in its place may be a misspelt one of `words`.
    fn end_of_item(&mut self, words: &[&str]) -> Parsed<()> {
        let token = self.peek();
        let after_number = self.position() > 0 && self.previous_is_number();
        let unit = UNITS.iter().find(|(name, _)| *name == token.text);
        if let Some((unit, _)) = unit.filter(|_| after_number && token.kind == TokenKind::Word) {
            let message = "a time has no unit here";
            let rest = Span { start: self.previous_span().end, ..token.span };
            return self.fail(
                Diagnostic::error("syntax", token.span, message)
                    .note("all times of a model count its time unit")
                    .help(format!("declare the unit once, with `time unit 1 {unit};`"))
                    .fix(rest, ""),
            );
        }
        let meant = closest(token.text, words.iter().copied());
        if let Some(word) = meant.filter(|_| token.kind == TokenKind::Word) {
            let message = format!("unknown word `{}`", token.text);
            return self
                .fail(Diagnostic::error("syntax", token.span, message).fix(token.span, word));
        }
        self.expect(";").map(|_| ())
    }

    /// Parses a condition; an assignment in its place is reported and read as a comparison.
    fn guard(&mut self, what: &str) -> Parsed<Expr> {
        let guard = self.condition()?;
        if self.at(",") {
            let span = self.peek().span;
            let message = format!("a comma in {what}");
            return self.fail(
                Diagnostic::error("syntax", span, message)
                    .note("conditions are joined with `&&`")
                    .fix(span, " &&"),
            );
        }
        if !self.at("=") && !self.at(":=") {
            return Ok(guard);
        }
        let span = self.peek().span;
        self.diagnostics.push(
            Diagnostic::error("syntax", span, format!("an assignment in {what}"))
                .note("`=` changes a variable, `==` compares")
                .fix(span, "=="),
        );
        self.advance();
        self.guard(what)
    }

    fn target(&mut self) -> Parsed<Target> {
        if self.at("self") {
            return Ok(Target::Same(self.advance().span));
        }
        self.name("a location").map(Target::Location)
    }

    /// The length of the arrow this many tokens ahead, misspelt ones included.
    fn arrow_length(&self, ahead: usize) -> Option<usize> {
        let right = ["->", "-c->", "-u->", "-->"].iter().any(|arrow| self.is(ahead, arrow));
        let touching = self.peek_at(ahead).span.end == self.peek_at(ahead + 1).span.start;
        if right {
            Some(1)
        } else if self.is(ahead, "=") && self.is(ahead + 1, ">") && touching {
            Some(2)
        } else {
            None
        }
    }

    fn arrow(&mut self) -> Parsed<Option<Control>> {
        let Some(length) = self.arrow_length(0) else {
            return self.complain("an arrow `->`");
        };
        let first = self.advance();
        let span = if length == 2 { first.span.to(self.advance().span) } else { first.span };
        match first.text {
            "->" => return Ok(None),
            "-c->" => return Ok(Some(Control::Controllable)),
            "-u->" => return Ok(Some(Control::Uncontrollable)),
            _ => {}
        }
        let written = if length == 2 { "=>" } else { "-->" };
        self.diagnostics.push(
            Diagnostic::error("syntax", span, format!("`{written}` is not the arrow of an edge"))
                .fix(span, "->"),
        );
        Ok(None)
    }

    fn action(&mut self) -> Parsed<ActionUse> {
        let name = self.name("an action")?;
        let mut indices = Vec::new();
        while self.eat("[") {
            indices.push(self.expression()?);
            self.expect("]")?;
        }
        let arguments = if self.at("(") { self.arguments()? } else { Vec::new() };
        let communication = if self.eat("?") {
            Communication::Receive
        } else if self.eat("!") {
            Communication::Send
        } else {
            Communication::Plain
        };
        let span = self.span_from(name.span);
        Ok(ActionUse { name, indices, arguments, communication, span })
    }
}
