//! From the text to one state machine: its ports, variables, constants, states and transitions.

use tioga_base::{Diagnostic, Span};

use crate::clike::{Parsed, Parser, TokenKind};
use crate::syntax::{Direction, Expr, ExprKind, Name};

use super::transition::conjunctions;

/// A number or a truth value, as SPTG types them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ValueType {
    /// What kind of value.
    pub kind: ValueKind,
    /// Whether it is at least 0.
    pub unsigned: bool,
}

/// The kinds of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ValueKind {
    /// A truth value.
    Bool,
    /// An integer.
    Integer,
    /// A rational number.
    Rational,
    /// A clock.
    Clock,
}

/// A port.
#[derive(Clone, Debug)]
pub(super) struct Port {
    pub name: Name,
    pub direction: Direction,
    pub parameters: Vec<PortParameter>,
    pub span: Span,
}

/// What a port carries.
#[derive(Clone, Debug)]
pub(super) struct PortParameter {
    pub ty: ValueType,
    /// Its name; empty if it has none.
    pub name: Name,
}

/// A variable, clock or constant.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: Name,
    pub ty: ValueType,
    pub constant: bool,
    pub value: Option<Expr>,
    pub span: Span,
}

/// A state.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub name: Name,
    pub start: bool,
    pub span: Span,
}

/// A transition.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub source: Name,
    pub target: Name,
    pub statements: Vec<Statement>,
    pub span: Span,
}

/// One statement of a transition.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub(super) enum StatementKind {
    /// Receives into variables.
    Input(Name, Vec<Expr>),
    /// Sends values.
    Output(Name, Vec<Expr>),
    /// What has to hold at this point.
    Guard(Expr),
    /// An assignment.
    Assign(Expr),
}

/// A state machine.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub system: Name,
    pub name: Name,
    pub ports: Vec<Port>,
    pub variables: Vec<Variable>,
    /// Assignments when it starts.
    pub beginning: Vec<Expr>,
    pub states: Vec<State>,
    pub transitions: Vec<Transition>,
    pub span: Span,
}

/// Reads a whole file.
pub(super) fn system(parser: &mut Parser<'_>) -> Parsed<Machine> {
    parser.expect("@")?;
    parser.expect("xlia")?;
    while !parser.eat(":") {
        if parser.at_end() || parser.at("{") {
            return parser.complain("`:` behind `@xlia<…>`");
        }
        parser.advance();
    }
    parser.eat("timed");
    parser.expect("system")?;
    let system = parser.name("a system")?;
    parser.expect("{")?;
    section(parser, &["composite"])?;
    let machine = machine(parser, system)?;
    if !parser.at("}") && !parser.at_end() {
        let span = parser.peek().span;
        let message = "systems of several state machines are not supported";
        return parser.fail(
            Diagnostic::unsupported("several-machines", span, message)
                .help("write them as automata of one `.tioga` file"),
        );
    }
    parser.expect("}")?;
    if parser.at_end() { Ok(machine) } else { parser.complain("the end of the text") }
}

/// Consumes `@NAME:` if it is one of these sections, and says which.
fn section<'s>(parser: &mut Parser<'_>, sections: &[&'s str]) -> Parsed<&'s str> {
    let known = sections.iter().find(|one| parser.at("@") && parser.is(1, one));
    let Some(known) = known else {
        let names: Vec<String> = sections.iter().map(|one| format!("`@{one}:`")).collect();
        return parser.complain(&names.join(" or "));
    };
    parser.advance();
    parser.advance();
    parser.expect(":")?;
    Ok(known)
}

fn machine(parser: &mut Parser<'_>, system: Name) -> Parsed<Machine> {
    let start = parser.peek().span;
    for word in ["lifeline", "timed"] {
        parser.eat(word);
    }
    parser.expect("statemachine")?;
    let name = parser.name("a state machine")?;
    parser.expect("{")?;
    let mut machine = Machine {
        system,
        name,
        ports: Vec::new(),
        variables: Vec::new(),
        beginning: Vec::new(),
        states: Vec::new(),
        transitions: Vec::new(),
        span: start,
    };
    while !parser.eat("}") {
        let sections = ["public", "private", "property", "region", "com"];
        match section(parser, &sections)? {
            "region" => region(parser, &mut machine)?,
            "com" => connections(parser)?,
            _ => declarations(parser, &mut machine)?,
        }
    }
    machine.span = parser.span_from(start);
    Ok(machine)
}

fn declarations(parser: &mut Parser<'_>, machine: &mut Machine) -> Parsed<()> {
    loop {
        let start = parser.peek().span;
        if parser.eat("port") {
            let port = port(parser, start)?;
            machine.ports.push(port);
        } else if parser.at("var") || parser.at("const") {
            let constant = parser.advance().text == "const";
            let ty = value_type(parser)?;
            let name = parser.name(if constant { "a constant" } else { "a variable" })?;
            let value = match parser.eat("=") || parser.eat(":=") {
                true => Some(conjunctions(parser.expression()?)),
                false => None,
            };
            parser.expect(";")?;
            let span = parser.span_from(start);
            machine.variables.push(Variable { name, ty, constant, value, span });
        } else if parser.at("@") || parser.at("}") {
            return Ok(());
        } else {
            return parser.complain("`port`, `var`, `const` or a section");
        }
    }
}

fn port(parser: &mut Parser<'_>, start: Span) -> Parsed<Port> {
    let direction = if parser.eat("input") {
        Direction::Input
    } else if parser.eat("output") {
        Direction::Output
    } else {
        return parser.complain("`input` or `output`");
    };
    let name = parser.name("a port")?;
    let mut parameters = Vec::new();
    if parser.eat("(") {
        parameters = parser.comma_separated(|parser| {
            let span = parser.peek().span;
            let ty = value_type(parser)?;
            if ty.kind == ValueKind::Clock {
                return parser.fail(Diagnostic::error(
                    "wrong-type",
                    span,
                    "a port carries no clock",
                ));
            }
            let name = match parser.is_name(0) {
                true => parser.name("a parameter")?,
                false => Name::new("", parser.span_from(span)),
            };
            Ok(PortParameter { ty, name })
        })?;
        parser.expect(")")?;
    }
    parser.expect(";")?;
    Ok(Port { name, direction, parameters, span: parser.span_from(start) })
}

fn value_type(parser: &mut Parser<'_>) -> Parsed<ValueType> {
    if parser.eat("clock") {
        value_type(parser)?;
        return Ok(ValueType { kind: ValueKind::Clock, unsigned: true });
    }
    // How long something takes; the type of the number follows.
    parser.eat("time");
    let (kind, unsigned) = match parser.peek().text {
        "boolean" | "bool" => (ValueKind::Bool, false),
        "int" | "integer" => (ValueKind::Integer, false),
        "uint" | "uinteger" => (ValueKind::Integer, true),
        "rational" => (ValueKind::Rational, false),
        "urational" => (ValueKind::Rational, true),
        _ if parser.peek().kind == TokenKind::Word => {
            let token = parser.peek();
            let message = format!("the type `{}` is not supported", token.text);
            let note = "known are `boolean`, `int`, `uint`, `integer`, `uinteger`, `rational`, `urational` and `clock`";
            return parser.fail(Diagnostic::unsupported("type", token.span, message).note(note));
        }
        _ => return parser.complain("a type"),
    };
    parser.advance();
    Ok(ValueType { kind, unsigned })
}

fn region(parser: &mut Parser<'_>, machine: &mut Machine) -> Parsed<()> {
    while !parser.at("@") && !parser.at("}") {
        parser.nested(|parser| state(parser, machine))?;
    }
    Ok(())
}

fn state(parser: &mut Parser<'_>, machine: &mut Machine) -> Parsed<()> {
    let begin = parser.expect("state")?;
    let mut start = false;
    if parser.eat("<") {
        let kind = parser.advance();
        start = match kind.text {
            "start" | "initial" => true,
            "simple" | "terminal" | "final" => false,
            other => {
                let message = format!("states of the kind `{other}` are not supported");
                return parser.fail(Diagnostic::unsupported("state-kind", kind.span, message));
            }
        };
        parser.expect(">")?;
    }
    let name = parser.name("a state")?;
    machine.states.push(State { name: name.clone(), start, span: parser.span_from(begin) });
    if parser.eat(";") {
        return Ok(());
    }
    parser.expect("{")?;
    while !parser.eat("}") {
        if parser.at("@") {
            beginning(parser, machine, start)?;
        } else {
            let transition = transition(parser, &name)?;
            machine.transitions.push(transition);
        }
    }
    Ok(())
}

/// `@init { … }` of the state in which the machine starts.
fn beginning(parser: &mut Parser<'_>, machine: &mut Machine, start: bool) -> Parsed<()> {
    let span = parser.expect("@")?;
    if !start || !parser.at("init") {
        let message = "only `@init` of the start state is supported";
        return parser.fail(Diagnostic::unsupported("state-action", span, message));
    }
    parser.advance();
    parser.expect("{")?;
    while !parser.eat("}") {
        machine.beginning.push(assignment(parser)?);
    }
    Ok(())
}

fn assignment(parser: &mut Parser<'_>) -> Parsed<Expr> {
    let expr = parser.expression()?;
    parser.expect(";")?;
    match expr.kind {
        ExprKind::Assign(..) => Ok(conjunctions(expr)),
        _ => parser.fail(Diagnostic::error("syntax", expr.span, "expected an assignment")),
    }
}

fn transition(parser: &mut Parser<'_>, source: &Name) -> Parsed<Transition> {
    let start = parser.expect("transition")?;
    if parser.is_name(0) {
        parser.advance();
    }
    parser.expect("-->")?;
    let target = parser.name("a state")?;
    let mut statements = Vec::new();
    if !parser.eat(";") {
        parser.expect("{")?;
        while !parser.eat("}") {
            statements.push(statement(parser)?);
        }
    }
    Ok(Transition { source: source.clone(), target, statements, span: parser.span_from(start) })
}

fn statement(parser: &mut Parser<'_>) -> Parsed<Statement> {
    let start = parser.peek().span;
    let kind = if parser.at("input") || parser.at("output") {
        let receives = parser.advance().text == "input";
        let port = parser.name("a port")?;
        let mut arguments = Vec::new();
        if parser.eat("(") {
            arguments = parser.comma_separated(|parser| Ok(conjunctions(parser.expression()?)))?;
            parser.expect(")")?;
        }
        parser.expect(";")?;
        match receives {
            true => StatementKind::Input(port, arguments),
            false => StatementKind::Output(port, arguments),
        }
    } else if parser.eat("guard") {
        let guard = conjunctions(parser.expression()?);
        parser.expect(";")?;
        StatementKind::Guard(guard)
    } else {
        StatementKind::Assign(assignment(parser)?)
    };
    Ok(Statement { kind, span: parser.span_from(start) })
}

/// `connect< env > { … }`: all ports lead to the environment.
fn connections(parser: &mut Parser<'_>) -> Parsed<()> {
    while !parser.at("@") && !parser.at("}") {
        parser.expect("connect")?;
        parser.expect("<")?;
        if !parser.at("env") {
            let span = parser.peek().span;
            let message = "only ports of the environment are supported";
            return parser.fail(Diagnostic::unsupported("connection", span, message));
        }
        parser.advance();
        parser.expect(">")?;
        parser.expect("{")?;
        while !parser.eat("}") {
            if !parser.eat("input") && !parser.eat("output") {
                return parser.complain("`input` or `output`");
            }
            parser.name("a port")?;
            parser.expect(";")?;
        }
    }
    Ok(())
}
