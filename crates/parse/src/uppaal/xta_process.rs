//! Processes and queries of the text form.

use tioga_base::{Diagnostic, Span};

use super::ignored::{Ignored, ignore};
use super::marker::{self, Marker};
use super::scope::{Scope, Text};
use super::unsupported::refuse_unsupported;
use super::{branches, formula, label, markers};
use crate::clike::{Failed, Origin, Parsed, Parser, TokenKind};
use crate::syntax::{
    Control, EdgeDecl, Expr, Item, LocationDecl, Marks, Name, Query, Target, Template,
    TemplateItem, TemplateKind,
};

/// Parses `process P(…) { … }`.
pub(super) fn process(parser: &mut Parser<'_>, context: &Text<'_>) -> Parsed<Template> {
    let start = parser.expect("process")?;
    let name = parser.name("a process")?;
    let mut params = Vec::new();
    if parser.eat("(") && !parser.eat(")") {
        params = label::parameters(parser)?;
        parser.expect(")")?;
    }
    let first = parser.expect("{")?;
    let mut body = Body {
        context,
        declarations: Vec::new(),
        locations: Vec::new(),
        edges: Vec::new(),
        branchpoints: Vec::new(),
    };
    let mut initial = None;
    let mut declarations_end = None;
    while !parser.at("}") {
        if parser.at_end() {
            return parser.complain(&format!("`}}` at the end of process `{}`", name.text));
        }
        let part = parser.peek();
        if declarations_end.is_none() && part.text == "state" {
            declarations_end = Some(part.span);
        }
        if let Err(Failed) = body.part(parser, &mut initial) {
            parser.recover();
        }
    }
    parser.advance();
    let last = declarations_end.unwrap_or(parser.previous_span());
    let inside: Vec<_> = (context.lexed.comments.iter())
        .filter(|comment| first.start <= comment.span.start && comment.span.start < last.start)
        .cloned()
        .collect();
    markers::apply(&inside, Scope::Local, &mut body.declarations, parser.diagnostics);
    body.set_initial(parser, &name, initial)?;
    let span = parser.span_from(start);
    Ok(Template { kind: TemplateKind::Automaton, name, params, items: body.items(), span })
}

/// Parses `query { … }`.
pub(super) fn query(parser: &mut Parser<'_>, context: &Text<'_>) -> Parsed<Option<Query>> {
    let before = parser.previous_span().end;
    let start = parser.advance().span;
    let comment = comment_between(context, before, start.start);
    let open = parser.expect("{")?;
    let mut depth = 0usize;
    while depth > 0 || !parser.at("}") {
        match parser.peek() {
            token if token.kind == TokenKind::End => return parser.complain("`}`"),
            token if token.text == "{" => depth += 1,
            token if token.text == "}" => depth -= 1,
            _ => {}
        }
        parser.advance();
    }
    let close = parser.advance().span;
    let text = context.source.get(open.end as usize..close.start as usize).unwrap_or("");
    let origin = Origin::piece(open.file, vec![(0, open.end as usize)]);
    let formula = formula::parse(text, &origin, parser.diagnostics);
    Ok(formula.map(|formula| Query { formula, comment, span: start.to(close) }))
}

/// What the line comments between two offsets say.
fn comment_between(context: &Text<'_>, from: u32, until: u32) -> Option<String> {
    let comments = &context.lexed.comments;
    let first = comments.partition_point(|comment| comment.span.start < from);
    let lines: Vec<&str> = comments[first..]
        .iter()
        .take_while(|comment| comment.span.start < until)
        .filter(|comment| !comment.trailing)
        .filter_map(|comment| comment.text.strip_prefix("//"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .filter(|line| !line.trim_start().starts_with(marker::PREFIX))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

struct Body<'b> {
    context: &'b Text<'b>,
    declarations: Vec<Item>,
    locations: Vec<LocationDecl>,
    edges: Vec<EdgeDecl>,
    branchpoints: Vec<String>,
}

impl Body<'_> {
    fn items(self) -> Vec<TemplateItem> {
        let declarations = self.declarations.into_iter().filter_map(|item| match item {
            Item::Declaration(declaration) => Some(TemplateItem::Declaration(declaration)),
            _ => None,
        });
        declarations
            .chain(self.locations.into_iter().map(TemplateItem::Locations))
            .chain(self.edges.into_iter().map(|edge| TemplateItem::Edge(Box::new(edge))))
            .collect()
    }

    fn part(&mut self, parser: &mut Parser<'_>, initial: &mut Option<Name>) -> Parsed<()> {
        refuse_unsupported(parser)?;
        let token = parser.peek();
        match token.text {
            "state" => {
                parser.advance();
                self.states(parser)?;
            }
            "commit" => self.flag(parser, |marks| marks.committed = true)?,
            "urgent" if !parser.is(1, "chan") && !parser.is(1, "broadcast") => {
                self.flag(parser, |marks| marks.urgent = true)?;
            }
            "init" => {
                parser.advance();
                *initial = Some(location_name(parser)?);
                parser.expect(";")?;
            }
            "trans" => {
                parser.advance();
                self.transitions(parser)?;
            }
            "branchpoint" => {
                parser.advance();
                let names = parser.comma_separated(location_name)?;
                self.branchpoints.extend(names.into_iter().map(|name| name.text));
                parser.expect(";")?;
            }
            _ if parser.eat(";") => {}
            _ if parser.at_declaration() => {
                self.declarations.push(Item::Declaration(parser.declaration()?));
            }
            _ => return parser.complain("a declaration, `state`, `init`, `trans` or `}`"),
        }
        Ok(())
    }

    fn states(&mut self, parser: &mut Parser<'_>) -> Parsed<()> {
        loop {
            let name = location_name(parser)?;
            let mut invariant = None;
            if parser.eat("{") {
                match state_body(parser) {
                    Ok(parsed) => invariant = parsed,
                    Err(Failed) => skip_to_closing_brace(parser),
                }
            }
            if let Some(other) = self.find(&name) {
                let other = other.names[0].span;
                parser.diagnostics.push(duplicate_location(&name, other));
            }
            let span = parser.span_from(name.span);
            let names = vec![name];
            let labels = Vec::new();
            let mut location =
                LocationDecl { names, marks: Marks::default(), labels, invariant, span };
            let until = parser.peek_at(1).span.start;
            let after = self.markers(span.end, until);
            markers::mark_location(after, &mut location, parser.diagnostics);
            self.locations.push(location);
            if !parser.eat(",") {
                parser.expect(";")?;
                return Ok(());
            }
        }
    }

    /// The markers in comments between two offsets.
    fn markers(&self, from: u32, until: u32) -> Vec<Marker> {
        let comments = &self.context.lexed.comments;
        let first = comments.partition_point(|comment| comment.span.start < from);
        let last = comments.partition_point(|comment| comment.span.start < until);
        marker::markers(&comments[first..last.max(first)]).collect()
    }

    /// The end of an edge, which may be a branchpoint.
    fn end(&self, name: Name) -> Name {
        match self.branchpoints.contains(&name.text) {
            true => Name::new(branches::name(&name.text), name.span),
            false => name,
        }
    }

    fn find(&mut self, name: &Name) -> Option<&mut LocationDecl> {
        self.locations.iter_mut().find(|location| location.names[0].text == name.text)
    }

    fn flag(&mut self, parser: &mut Parser<'_>, set: impl Fn(&mut Marks)) -> Parsed<()> {
        parser.advance();
        for name in parser.comma_separated(location_name)? {
            match self.find(&name) {
                Some(location) => set(&mut location.marks),
                None => self.unknown(parser, &name),
            }
        }
        parser.expect(";").map(|_| ())
    }

    fn set_initial(
        &mut self,
        parser: &mut Parser<'_>,
        process: &Name,
        initial: Option<Name>,
    ) -> Parsed<()> {
        let Some(name) = initial else {
            // A part that failed may have hidden the line; say it only when all was read.
            if self.locations.is_empty() && parser.diagnostics.has_errors() {
                return Err(Failed);
            }
            return parser.fail(no_initial(process));
        };
        match self.find(&name) {
            Some(location) => location.marks.initial = true,
            None => self.unknown(parser, &name),
        }
        Ok(())
    }

    fn unknown(&self, parser: &mut Parser<'_>, name: &Name) {
        let known = self.locations.iter().map(|location| location.names[0].text.as_str());
        let message = format!("unknown location `{}`", name.text);
        parser.diagnostics.push(
            Diagnostic::error("unknown-name", name.span, message)
                .suggest(name.span, &name.text, known),
        );
    }

    fn transitions(&mut self, parser: &mut Parser<'_>) -> Parsed<()> {
        let mut source: Option<Name> = None;
        loop {
            let start = parser.peek().span;
            let repeated = parser.at("->") || parser.at("-u->");
            let from = match source.take() {
                Some(previous) if repeated => previous,
                _ => location_name(parser)?,
            };
            source = Some(from.clone());
            let control = if parser.eat("-u->") {
                Some(Control::Uncontrollable)
            } else {
                parser.expect("->")?;
                None
            };
            let target = location_name(parser)?;
            for name in [&from, &target] {
                if self.find(name).is_none() && !self.branchpoints.contains(&name.text) {
                    self.unknown(parser, name);
                }
            }
            let (from, target) = (self.end(from), self.end(target));
            let mut edge = EdgeDecl {
                sources: vec![from],
                target: Target::Location(target),
                control,
                action: None,
                reply: None,
                selects: Vec::new(),
                guard: None,
                updates: Vec::new(),
                span: start,
            };
            parser.expect("{")?;
            edge_body(parser, &mut edge)?;
            edge.span = parser.span_from(start);
            let inside = self.markers(edge.span.start, edge.span.end);
            markers::mark_edge(inside, &mut edge, parser.diagnostics);
            self.edges.push(edge);
            if !parser.eat(",") {
                return parser.expect(";").map(|_| ());
            }
        }
    }
}

/// Parses the rest of `{ invariant }`.
fn state_body(parser: &mut Parser<'_>) -> Parsed<Option<Expr>> {
    let mut invariant = None;
    if !parser.at("}") && !parser.at(";") {
        invariant = Some(label::condition(parser)?);
    }
    if parser.eat(";") && !parser.at("}") {
        let start = parser.peek().span;
        parser.expression()?;
        if parser.eat(":") {
            parser.expression()?;
        }
        let span = parser.span_from(start);
        ignore(Ignored::ExponentialRate, span, parser.diagnostics);
        parser.eat(";");
    }
    parser.expect("}")?;
    Ok(invariant)
}

/// Leaves a part in braces that could not be parsed, so that what follows still can.
fn skip_to_closing_brace(parser: &mut Parser<'_>) {
    let mut depth = 0usize;
    while !parser.at_end() {
        match parser.advance().text {
            "{" => depth += 1,
            "}" if depth == 0 => return,
            "}" => depth -= 1,
            _ => {}
        }
    }
}

/// The labels of an edge. One that cannot be read has complained and is skipped.
fn edge_body(parser: &mut Parser<'_>, edge: &mut EdgeDecl) -> Parsed<()> {
    while !parser.eat("}") {
        if parser.at_end() {
            return parser.complain("`}`");
        }
        if edge_label(parser, edge).is_err() {
            parser.recover();
        }
    }
    Ok(())
}

fn edge_label(parser: &mut Parser<'_>, edge: &mut EdgeDecl) -> Parsed<()> {
    let token = parser.advance();
    match token.text {
        "select" => edge.selects = label::selects(parser)?,
        "guard" => edge.guard = Some(label::condition(parser)?),
        "sync" => edge.action = Some(label::synchronisation(parser)?),
        "assign" => edge.updates = parser.expressions()?,
        "probability" => {
            parser.expression()?;
            ignore(Ignored::Weight, token.span, parser.diagnostics);
        }
        ";" => return Ok(()),
        _ => {
            let message = format!(
                "expected `select`, `guard`, `sync`, `assign` or `}}`, found `{}`",
                token.text
            );
            return parser.fail(Diagnostic::error("syntax", token.span, message));
        }
    }
    parser.expect(";").map(|_| ())
}

/// Locations may be named like words that are keywords only elsewhere.
fn location_name(parser: &mut Parser<'_>) -> Parsed<Name> {
    let token = parser.peek();
    let structural = ["state", "commit", "urgent", "init", "trans", "process", "system"];
    if token.kind == TokenKind::Word && !structural.contains(&token.text) {
        parser.advance();
        return Ok(Name::new(token.text, token.span));
    }
    parser.name("a location")
}

/// Two locations share a name.
pub(super) fn duplicate_location(name: &Name, other: Span) -> Diagnostic {
    let message = format!("a second location named `{}`", name.text);
    Diagnostic::error("duplicate-name", name.span, message)
        .also(other, "the first one")
        .help("rename one of them")
}

/// A template does not say where it starts.
pub(super) fn no_initial(template: &Name) -> Diagnostic {
    let message = format!("`{}` has no initial location", template.text);
    Diagnostic::error("no-initial", template.span, message)
}
