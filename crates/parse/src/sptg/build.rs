//! From a state machine to a document: channels with parameters, data, an automaton.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Diagnostic, Diagnostics, Span};

use super::read::{
    Machine, Port, State, Statement, StatementKind, Transition, ValueKind, ValueType, Variable,
};
use super::transition::{comparisons, is_plain, names, size, with_values};
use crate::syntax::{
    ActionUse, AssignOp, BinaryOp, ChannelType, Communication, Declaration, DeclarationKind,
    Declarator, Dialect, Direction, Document, EdgeDecl, Expr, ExprKind, Initializer, Item,
    LocationDecl, Marks, Name, Parameter, Target, Template, TemplateItem, TemplateKind, TypeExpr,
    TypeKind,
};

/// How large an expression may become by values in the place of names.
const SIZE_LIMIT: usize = 10_000;

/// The document of a machine; `None` if there is an error among the diagnostics.
pub(super) fn document(machine: Machine, diagnostics: &mut Diagnostics) -> Option<Document> {
    let mut build = Build::of(&machine, diagnostics);
    let edges: Vec<EdgeDecl> =
        machine.transitions.iter().filter_map(|one| build.edge(one)).collect();
    let initial = build.initial_values();
    build.find_measured(&edges);
    build.is_deterministic_start();
    if build.failed {
        return None;
    }
    let mut document = Document::new(Dialect::Tioga);
    document.items.push(Item::Name(machine.system.clone()));
    let channels = machine.ports.iter().map(|port| build.channel(port));
    document.items.extend(channels.map(Item::Declaration));
    let (constants, variables): (Vec<_>, Vec<_>) =
        machine.variables.iter().partition(|one| one.constant);
    let constants = constants.into_iter().map(|one| build.variable(one, one.value.clone()));
    document.items.extend(constants.map(Item::Declaration));
    let mut items = Vec::new();
    for variable in variables {
        let value = initial.get(&variable.name.text).or(variable.value.as_ref()).cloned();
        items.push(TemplateItem::Declaration(build.variable(variable, value)));
    }
    items.extend(machine.states.iter().map(|state| TemplateItem::Locations(location(state))));
    items.extend(edges.into_iter().map(|edge| TemplateItem::Edge(Box::new(edge))));
    let (name, span) = (machine.name.clone(), machine.span);
    let kind = TemplateKind::Automaton;
    let template = Template { kind, name, params: Vec::new(), items, span };
    document.items.push(Item::Template(template));
    Some(document)
}

fn location(state: &State) -> LocationDecl {
    let marks = Marks { initial: state.start, ..Marks::default() };
    let names = vec![state.name.clone()];
    LocationDecl { names, marks, labels: Vec::new(), invariant: None, span: state.span }
}

struct Build<'m> {
    machine: &'m Machine,
    diagnostics: &'m mut Diagnostics,
    failed: bool,
    /// All names of the machine, and those given to received values.
    taken: BTreeSet<String>,
    /// Rational variables that are read as integers.
    measured: BTreeSet<String>,
    /// Parameters of ports that integers receive: the port and the position.
    whole: BTreeSet<(String, usize)>,
    /// What variables receive: port, position, variable, and the name of the received value.
    received: Vec<(String, usize, String, String)>,
}

impl<'m> Build<'m> {
    fn of(machine: &'m Machine, diagnostics: &'m mut Diagnostics) -> Self {
        let names = machine.ports.iter().map(|port| &port.name);
        let names = names.chain(machine.variables.iter().map(|variable| &variable.name));
        let names = names.chain(machine.states.iter().map(|state| &state.name));
        let names = names.chain([&machine.name, &machine.system]);
        Self {
            taken: names.map(|name| name.text.clone()).collect(),
            machine,
            diagnostics,
            failed: false,
            measured: BTreeSet::new(),
            whole: BTreeSet::new(),
            received: Vec::new(),
        }
    }

    fn fail(&mut self, diagnostic: Diagnostic) {
        self.failed = true;
        self.diagnostics.push(diagnostic);
    }

    fn variable_of(&self, name: &str) -> Option<&'m Variable> {
        self.machine.variables.iter().find(|one| one.name.text == name)
    }

    fn is_clock(&self, name: &str) -> bool {
        self.variable_of(name).is_some_and(|one| one.ty.kind == ValueKind::Clock)
    }

    /// A name that nothing has.
    fn fresh(&mut self, name: &str) -> String {
        let mut fresh = format!("{name}_in");
        while self.taken.contains(&fresh) {
            fresh.push('_');
        }
        fresh
    }

    fn edge(&mut self, transition: &Transition) -> Option<EdgeDecl> {
        let mut edge = EdgeDecl {
            sources: vec![transition.source.clone()],
            target: Target::Location(transition.target.clone()),
            control: None,
            action: None,
            reply: None,
            selects: Vec::new(),
            guard: None,
            updates: Vec::new(),
            span: transition.span,
        };
        let mut values = BTreeMap::new();
        for statement in &transition.statements {
            self.statement(statement, &mut edge, &mut values)?;
        }
        Some(edge)
    }

    fn statement(
        &mut self,
        statement: &Statement,
        edge: &mut EdgeDecl,
        values: &mut BTreeMap<String, Expr>,
    ) -> Option<()> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Guard(guard) => {
                let guard = self.with_values(guard, values)?;
                conjoin(&mut edge.guard, guard);
            }
            StatementKind::Assign(assignment) => self.assign(assignment, edge, values)?,
            StatementKind::Input(port, arguments) => {
                let port = self.port(port, Direction::Input, arguments, edge, span)?;
                let mut bound = Vec::new();
                for (at, argument) in arguments.iter().enumerate() {
                    bound.push(self.receive(port, at, argument, edge, values)?);
                }
                edge.action = Some(action(port, bound, Communication::Receive, span));
            }
            StatementKind::Output(port, arguments) => {
                let port = self.port(port, Direction::Output, arguments, edge, span)?;
                let sent: Option<Vec<Expr>> =
                    arguments.iter().map(|one| self.with_values(one, values)).collect();
                edge.action = Some(action(port, sent?, Communication::Send, span));
            }
        }
        Some(())
    }

    fn assign(
        &mut self,
        assignment: &Expr,
        edge: &mut EdgeDecl,
        values: &mut BTreeMap<String, Expr>,
    ) -> Option<()> {
        let ExprKind::Assign(op, target, value) = &assignment.kind else { return None };
        let ExprKind::Name(name) = &target.kind else {
            let message = "only whole variables are assigned";
            self.fail(Diagnostic::unsupported("assignment", target.span, message));
            return None;
        };
        let value = match op {
            AssignOp::Set => value.as_ref().clone(),
            AssignOp::Compound(op) => {
                let kind = ExprKind::Binary(*op, target.clone(), value.clone());
                Expr::new(kind, assignment.span)
            }
        };
        let new = self.with_values(&value, values)?;
        values.insert(name.clone(), new);
        let kind = ExprKind::Assign(AssignOp::Set, target.clone(), Box::new(value));
        edge.updates.push(Expr::new(kind, assignment.span));
        Some(())
    }

    /// The port that a message is exchanged at; there is at most one for each transition.
    fn port(
        &mut self,
        name: &Name,
        direction: Direction,
        arguments: &[Expr],
        edge: &EdgeDecl,
        span: Span,
    ) -> Option<&'m Port> {
        if edge.action.is_some() {
            let message = "a transition with several messages is not supported";
            let help = "put a state between them";
            self.fail(Diagnostic::unsupported("several-messages", span, message).help(help));
            return None;
        }
        let Some(port) = self.machine.ports.iter().find(|one| one.name.text == name.text) else {
            let known = self.machine.ports.iter().map(|one| one.name.text.as_str());
            let message = format!("unknown port `{}`", name.text);
            let diagnostic = Diagnostic::error("unknown-name", name.span, message);
            self.fail(diagnostic.suggest(name.span, &name.text, known));
            return None;
        };
        if port.direction != direction {
            let message = format!("the port `{}` goes the other way", name.text);
            self.fail(Diagnostic::error("wrong-direction", name.span, message));
            return None;
        }
        if port.parameters.len() != arguments.len() {
            let (needed, given) = (port.parameters.len(), arguments.len());
            let message =
                format!("the port `{}` has {needed} parameters, and {given} are given", name.text);
            self.fail(Diagnostic::error("wrong-arguments", span, message));
            return None;
        }
        Some(port)
    }

    /// Receives a value into a variable: the name it has on the edge.
    fn receive(
        &mut self,
        port: &Port,
        at: usize,
        argument: &Expr,
        edge: &mut EdgeDecl,
        values: &mut BTreeMap<String, Expr>,
    ) -> Option<Expr> {
        let variable = match &argument.kind {
            ExprKind::Name(name) => self.variable_of(name),
            _ => None,
        };
        let Some(variable) =
            variable.filter(|one| !one.constant && one.ty.kind != ValueKind::Clock)
        else {
            let message = "a value is received into a variable";
            self.fail(Diagnostic::error("wrong-arguments", argument.span, message));
            return None;
        };
        let name = &variable.name.text;
        let fresh = match self.received.iter().find(|(.., known, _)| known == name) {
            Some((.., fresh)) => fresh.clone(),
            None => self.fresh(name),
        };
        self.taken.insert(fresh.clone());
        self.received.push((port.name.text.clone(), at, name.clone(), fresh.clone()));
        let bound = Expr::new(ExprKind::Name(fresh), argument.span);
        let kind =
            ExprKind::Assign(AssignOp::Set, Box::new(argument.clone()), Box::new(bound.clone()));
        edge.updates.push(Expr::new(kind, argument.span));
        if port.parameters[at].ty.unsigned || variable.ty.unsigned {
            let zero = Expr::new(ExprKind::Int(0), argument.span);
            let kind = ExprKind::Binary(BinaryOp::Ge, Box::new(bound.clone()), Box::new(zero));
            conjoin(&mut edge.guard, Expr::new(kind, argument.span));
        }
        values.insert(name.clone(), bound.clone());
        Some(bound)
    }

    fn with_values(&mut self, expr: &Expr, values: &BTreeMap<String, Expr>) -> Option<Expr> {
        if !is_plain(expr) {
            let message = "this expression is not supported";
            let note = "numbers, truth values, names and operators are";
            self.fail(Diagnostic::unsupported("expression", expr.span, message).note(note));
            return None;
        }
        let mut used = BTreeSet::new();
        names(expr, &mut used);
        let grown: usize = used.iter().filter_map(|name| values.get(name)).map(size).sum();
        if size(expr).saturating_mul(grown.max(1)) > SIZE_LIMIT * 100 {
            return self.too_long(expr);
        }
        let expr = with_values(expr, values);
        if size(&expr) > SIZE_LIMIT { self.too_long(&expr) } else { Some(expr) }
    }

    fn too_long(&mut self, expr: &Expr) -> Option<Expr> {
        let message = format!("more than {SIZE_LIMIT} operators with the values assigned before");
        self.fail(Diagnostic::error("too-long", expr.span, message));
        None
    }

    /// The values that `@init` gives.
    fn initial_values(&mut self) -> BTreeMap<String, Expr> {
        let mut initial = BTreeMap::new();
        for assignment in &self.machine.beginning {
            let ExprKind::Assign(AssignOp::Set, target, value) = &assignment.kind else {
                let message = "only plain assignments are supported in `@init`";
                self.fail(Diagnostic::unsupported("assignment", assignment.span, message));
                continue;
            };
            let known = match &target.kind {
                ExprKind::Name(name) => self.variable_of(name).filter(|one| !one.constant),
                _ => None,
            };
            let is_zero = value.kind == ExprKind::Int(0);
            match known {
                Some(one) if one.ty.kind == ValueKind::Clock && is_zero => {}
                Some(one) if one.ty.kind != ValueKind::Clock => {
                    if let Some(value) = self.with_values(value, &initial) {
                        initial.insert(one.name.text.clone(), value);
                    }
                }
                _ => {
                    let message = "this cannot be set when the machine starts";
                    self.fail(Diagnostic::unsupported("assignment", assignment.span, message));
                }
            }
        }
        initial
    }

    /// Which rational variables and parameters are integers, since clocks are compared with them.
    fn find_measured(&mut self, edges: &[EdgeDecl]) {
        let mut measured: BTreeSet<String> = BTreeSet::new();
        for guard in edges.iter().filter_map(|edge| edge.guard.as_ref()) {
            comparisons(guard, &mut |both| {
                if both.iter().any(|name| self.is_clock(name)) {
                    measured.extend(both);
                }
            });
        }
        for (.., variable, fresh) in &self.received {
            if measured.contains(fresh) {
                measured.insert(variable.clone());
            }
        }
        // What is assigned to an integer is one.
        let updates: Vec<&Expr> = edges.iter().flat_map(|edge| &edge.updates).collect();
        loop {
            let before = measured.len();
            for update in &updates {
                let ExprKind::Assign(_, target, value) = &update.kind else { continue };
                if matches!(&target.kind, ExprKind::Name(name) if measured.contains(name)) {
                    names(value, &mut measured);
                }
            }
            if measured.len() == before {
                break;
            }
        }
        for variable in &self.machine.variables {
            let name = &variable.name.text;
            let varies = !variable.constant || variable.value.is_none();
            if variable.ty.kind == ValueKind::Rational && varies && measured.contains(name) {
                let message = format!("`{name}` is read as an integer");
                let note = "a clock is compared with it, and such bounds are integers";
                let help = "choose a smaller time unit if fractions matter";
                let warning = Diagnostic::warning("read-as-integer", variable.name.span, message);
                self.diagnostics.push(warning.note(note).help(help));
                self.measured.insert(name.clone());
            }
        }
        for (port, at, variable, _) in &self.received {
            let declared =
                self.variable_of(variable).is_some_and(|one| one.ty.kind == ValueKind::Integer);
            if declared || self.measured.contains(variable) {
                self.whole.insert((port.clone(), *at));
            }
        }
    }

    fn is_deterministic_start(&mut self) {
        if let Some(second) = self.machine.states.iter().filter(|state| state.start).nth(1) {
            let message = "a machine starts in one state";
            let span = second.span;
            self.fail(Diagnostic::unsupported("several-initial-locations", span, message));
        }
    }

    fn channel(&self, port: &Port) -> Declaration {
        let direction = Some(port.direction);
        let channel = ChannelType { direction, ..ChannelType::default() };
        let ty = TypeExpr { kind: TypeKind::Channel(channel), span: port.span };
        let parameter = |(at, one): (usize, &super::read::PortParameter)| {
            let whole = self.whole.contains(&(port.name.text.clone(), at));
            let kind = if whole { ValueKind::Integer } else { one.ty.kind };
            Parameter {
                constant: false,
                reference: false,
                ty: type_of(ValueType { kind, ..one.ty }, one.name.span),
                name: one.name.clone(),
                dimensions: Vec::new(),
            }
        };
        let parameters = port.parameters.iter().enumerate().map(parameter).collect();
        declared(port.name.clone(), parameters, None, ty, port.span, (false, false), None)
    }

    fn variable(&self, variable: &Variable, value: Option<Expr>) -> Declaration {
        let Variable { name, ty, constant, span, .. } = variable;
        let whole = self.measured.contains(&name.text);
        let kind = if whole { ValueKind::Integer } else { ty.kind };
        let written = type_of(ValueType { kind, ..*ty }, *span);
        let symbolic = *constant && value.is_none();
        let condition = (symbolic && ty.unsigned).then(|| {
            let own = Expr::new(ExprKind::Name(name.text.clone()), name.span);
            let zero = Expr::new(ExprKind::Int(0), name.span);
            let kind = ExprKind::Binary(BinaryOp::Ge, Box::new(own), Box::new(zero));
            Expr::new(kind, name.span)
        });
        let kinds = (*constant && !symbolic, symbolic);
        declared(name.clone(), Vec::new(), value, written, *span, kinds, condition)
    }
}

fn declared(
    name: Name,
    parameters: Vec<Parameter>,
    value: Option<Expr>,
    ty: TypeExpr,
    span: Span,
    (constant, symbolic): (bool, bool),
    condition: Option<Expr>,
) -> Declaration {
    let initializer = value.map(Initializer::Expr);
    let declarators = vec![Declarator { name, dimensions: Vec::new(), parameters, initializer }];
    let meta = false;
    let kind = DeclarationKind::Variables { constant, symbolic, meta, ty, declarators, condition };
    Declaration { kind, span }
}

fn type_of(ty: ValueType, span: Span) -> TypeExpr {
    let kind = match ty.kind {
        ValueKind::Bool => TypeKind::Bool,
        ValueKind::Integer => TypeKind::Integer,
        ValueKind::Rational => TypeKind::Rational,
        ValueKind::Clock => TypeKind::Clock,
    };
    TypeExpr { kind, span }
}

fn action(port: &Port, arguments: Vec<Expr>, side: Communication, span: Span) -> ActionUse {
    let name = Name::new(port.name.text.clone(), span);
    ActionUse { name, indices: Vec::new(), arguments, communication: side, span }
}

fn conjoin(guard: &mut Option<Expr>, further: Expr) {
    *guard = Some(match guard.take() {
        None => further,
        Some(first) => {
            let span = first.span.to(further.span);
            let kind = ExprKind::Binary(BinaryOp::And, Box::new(first), Box::new(further));
            Expr::new(kind, span)
        }
    });
}
