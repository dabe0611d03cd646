//! One process: its parameters, declarations, locations, and what others may see of it.

use std::collections::BTreeMap;

use tioga_base::{Diagnostic, Id, IdVec, Span};
use tioga_model::{
    Channel, Clock, ClockConstraint, ClockTerm, Condition, Control, Edge, EdgeId, Expr as Code,
    Kind, Location, LocationId, Lvalue, Network, Process, ProcessId, Role, Slot, TimeBound, Type,
};

use super::Lowering;
use super::expression::{Denoted, Value, kind_of, range_of};
use super::scope::{Access, Constant, Meaning, Owner, Symbol, Ty};
use super::system::Prepared;
use crate::clike::Parsed;
use crate::syntax::{
    BinaryOp, Declarator, Dialect, Expr, ExprKind, Initializer, Name, Parameter, Template,
    TemplateItem, TypeKind, UnaryOp,
};

/// The locations of a template by name.
pub(super) type Locations<'d> = BTreeMap<&'d str, (LocationId, Span)>;

/// How much a network holds of what a process may add to it.
struct Sizes {
    clocks: usize,
    variables: usize,
    slots: usize,
    channels: usize,
    actions: usize,
    nodes: usize,
    functions: usize,
    constants: usize,
    tables: usize,
}

impl Sizes {
    fn of(network: &Network) -> Self {
        Self {
            clocks: network.clocks.len(),
            variables: network.variables.len(),
            slots: network.slots.len(),
            channels: network.channels.len(),
            actions: network.actions.len(),
            nodes: network.code.nodes.len(),
            functions: network.code.functions.len(),
            constants: network.code.constants.len(),
            tables: network.code.tables.len(),
        }
    }

    /// Takes back what was added since.
    fn restore(&self, network: &mut Network) {
        network.clocks.truncate(self.clocks);
        network.variables.truncate(self.variables);
        network.slots.truncate(self.slots);
        network.channels.truncate(self.channels);
        network.actions.truncate(self.actions);
        network.code.nodes.truncate(self.nodes);
        network.code.functions.truncate(self.functions);
        network.code.constants.truncate(self.constants);
        network.code.tables.truncate(self.tables);
    }
}

impl<'d> Lowering<'d> {
    /// Lowers a process and adds it to the network.
    pub(super) fn process(&mut self, prepared: &Prepared<'d>) -> Parsed<()> {
        let id = self.network.processes.next_id();
        let owner = Owner { process: Some(id), name: prepared.name.clone() };
        self.scopes.push();
        let lowered = self.body(prepared, &owner);
        let names = self.scopes.pop();
        let (process, controls) = lowered?;
        self.network.processes.push(process);
        self.note_process(prepared);
        self.controls.push(controls);
        self.process_names.push(names);
        Ok(())
    }

    /// Lowers the contents of a template in the innermost scope.
    pub(super) fn body(
        &mut self,
        prepared: &Prepared<'d>,
        owner: &Owner,
    ) -> Parsed<(Process, Vec<Option<Control>>)> {
        let template = prepared.template;
        for (parameter, (name, meaning)) in template.params.iter().zip(&prepared.bindings) {
            match meaning {
                Meaning::Constant(Constant::Int(value), _)
                    if !parameter.constant && self.assigns(template, &name.text) =>
                {
                    self.own_parameter(parameter, *value, owner)?;
                }
                _ => self.declare(name, meaning.clone())?,
            }
        }
        let mut failed = false;
        for item in &template.items {
            if let TemplateItem::Declaration(declaration) = item {
                failed |= self.declaration(declaration, Some(owner)).is_err();
            }
        }
        let (locations, by_name, initial) = self.locations(template)?;
        let mut edges: IdVec<EdgeId, Edge> = IdVec::new();
        let mut controls = Vec::new();
        for item in &template.items {
            if let TemplateItem::Edge(edge) = item {
                failed |= self.edge(edge, &by_name, &mut edges, &mut controls).is_err();
            }
        }
        if failed {
            return Err(crate::clike::Failed);
        }
        let process = Process {
            name: prepared.name.clone(),
            role: prepared.role,
            initial,
            locations,
            edges,
            outgoing: IdVec::new(),
            span: template.span,
        };
        Ok((process, controls))
    }

    /// Whether a template assigns something of this name, looked up once for each template.
    fn assigns(&mut self, template: &'d Template, name: &str) -> bool {
        let assigned = self.assigned.entry(template.span);
        assigned.or_insert_with(|| template.assigned()).contains(name)
    }

    /// A parameter that its template assigns is a variable of the process.
    fn own_parameter(&mut self, parameter: &Parameter, value: i64, owner: &Owner) -> Parsed<()> {
        let ty = self.data_type(&parameter.ty, &parameter.dimensions)?;
        let initial = Expr::new(ExprKind::Int(value), parameter.name.span);
        let declarator = Declarator {
            name: parameter.name.clone(),
            dimensions: Vec::new(),
            parameters: Vec::new(),
            initializer: Some(Initializer::Expr(initial)),
        };
        self.variable(ty, &declarator, Some(owner), false)
    }

    fn locations(
        &mut self,
        template: &'d Template,
    ) -> Parsed<(IdVec<LocationId, Location>, Locations<'d>, LocationId)> {
        let mut locations = IdVec::new();
        let mut by_name: Locations<'d> = BTreeMap::new();
        let mut initial: Option<(LocationId, Span)> = None;
        let mut failed = false;
        for item in &template.items {
            let TemplateItem::Locations(declared) = item else { continue };
            let invariant = self.condition(declared.invariant.as_ref(), "an invariant");
            failed |= invariant.is_err();
            let invariant = invariant.unwrap_or_else(|_| Condition::always());
            if let Some(written) = declared.invariant.as_ref().filter(|_| !declared.marks.initial) {
                self.bounded_from_below(&invariant, written.span);
            }
            for name in &declared.names {
                let id = locations.push(Location {
                    name: name.text.clone(),
                    marks: declared.marks,
                    labels: declared.labels.iter().map(|label| label.text.clone()).collect(),
                    invariant: invariant.clone(),
                    origin: Vec::new(),
                    span: name.span,
                });
                if let Some((_, earlier)) = by_name.insert(&name.text, (id, name.span)) {
                    failed = true;
                    let message = format!("the location `{}` is declared twice", name.text);
                    self.diagnostics.push(
                        Diagnostic::error("duplicate-name", name.span, message)
                            .also(earlier, "first declared here"),
                    );
                }
                if declared.marks.initial {
                    failed |= self.initial_location(&mut initial, id, name).is_err();
                    failed |= self.holds_initially(&invariant, name).is_err();
                }
            }
        }
        if failed {
            return Err(crate::clike::Failed);
        }
        let Some((initial, _)) = initial else {
            let message = format!("`{}` has no initial location", template.name.text);
            return self.fail(
                Diagnostic::error("no-initial-location", template.name.span, message)
                    .help("mark one location with `init`"),
            );
        };
        Ok((locations, by_name, initial))
    }

    fn initial_location(
        &mut self,
        initial: &mut Option<(LocationId, Span)>,
        id: LocationId,
        name: &Name,
    ) -> Parsed<()> {
        if let Some((_, earlier)) = initial {
            let earlier = *earlier;
            return self.fail(
                Diagnostic::error("duplicate-name", name.span, "a second initial location")
                    .also(earlier, "the first one"),
            );
        }
        *initial = Some((id, name.span));
        Ok(())
    }

    /// Warns of an invariant that bounds clocks from below only: it lets time pass for ever.
    fn bounded_from_below(&mut self, invariant: &Condition, span: Span) {
        let mut below = invariant.disjuncts.iter().map(|conjunct| {
            let lower = |one: &ClockConstraint| {
                one.left.is_none() && matches!(one.bound, TimeBound::Constant(bound) if bound < 0)
            };
            conjunct.clocks.iter().any(lower)
                && conjunct.clocks.iter().all(|one| one.left.is_none())
        });
        if self.document.dialect != Dialect::Tioga || !below.all(|below| below) {
            return;
        }
        let message = "an invariant says how long a location may last, and this one gives no end";
        let diagnostic = Diagnostic::warning("lower-bound", span, message)
            .note("it only keeps the location from being entered before")
            .help("put a lower bound into the guards of edges; an invariant is an upper bound such as `x <= 5`");
        self.diagnostics.push(diagnostic);
    }

    /// All clocks are zero at the start; an invariant that excludes this excludes every run.
    fn holds_initially(&mut self, invariant: &Condition, name: &Name) -> Parsed<()> {
        let possible = invariant.disjuncts.iter().any(|conjunct| {
            conjunct.clocks.iter().all(|constraint| match constraint.bound {
                TimeBound::Constant(bound) => bound > 0 || (bound == 0 && !constraint.strict),
                TimeBound::Expr(_) => true,
            })
        });
        if possible {
            return Ok(());
        }
        let message = format!("no run can start in `{}`", name.text);
        self.fail(
            Diagnostic::error("unreachable-initial-location", name.span, message)
                .note("its invariant does not hold when all clocks are zero"),
        )
    }

    /// The meaning of an argument for a template's parameter.
    pub(super) fn process_argument(
        &mut self,
        parameter: &Parameter,
        argument: &Expr,
    ) -> Parsed<Meaning> {
        let expected = self.ty(&parameter.ty, &parameter.dimensions)?;
        match expected {
            Ty::Data(ty) => self.data_argument(parameter, ty, argument),
            Ty::Clock(dimensions) => match self.denoted(argument)? {
                Denoted::Clock(term, given, access)
                    if self.same_dimensions(&given, &dimensions) =>
                {
                    Ok(Meaning::Clock(term, given, access))
                }
                _ => self.wrong_argument(argument, "a clock"),
            },
            Ty::Channel(_, dimensions) => {
                let (channel, given) = self.channel_argument(argument)?;
                let lengths = |dimensions: &[super::scope::Dimension]| {
                    dimensions.iter().map(|dimension| dimension.length).collect::<Vec<_>>()
                };
                if lengths(&given) != lengths(&dimensions) {
                    return self.wrong_argument(argument, "a channel of the same dimensions");
                }
                Ok(Meaning::Channel(channel, given))
            }
            Ty::Void => self.wrong_argument(argument, "a value"),
        }
    }

    fn wrong_argument<T>(&mut self, argument: &Expr, needed: &str) -> Parsed<T> {
        let message = format!("{needed} is needed here");
        self.fail(Diagnostic::error("wrong-arguments", argument.span, message))
    }

    fn data_argument(
        &mut self,
        parameter: &Parameter,
        ty: Type,
        argument: &Expr,
    ) -> Parsed<Meaning> {
        let by_place = parameter.reference || !ty.is_scalar_value();
        if by_place {
            return match self.denoted(argument)? {
                Denoted::Place(place, given, access)
                    if super::operators::same_shape(&ty, &given) =>
                {
                    self.paired(&ty, &given);
                    let access = Self::argument_access(parameter, access);
                    Ok(Meaning::Data(place, given, access))
                }
                _ => self.wrong_argument(argument, &format!("a variable of type {ty}")),
            };
        }
        // As for constants, UPPAAL checks no range for a plain `int`.
        let ty = match parameter.ty.kind {
            TypeKind::Int(None) => Type::Integer,
            _ => ty,
        };
        let value = self.value(argument)?;
        let converted = self.convert(value, &ty, argument.span)?;
        match &self.network.code.nodes[converted].expr {
            Code::Int(value) => Ok(Meaning::Constant(Constant::Int(*value), ty)),
            Code::Rational(value) => Ok(Meaning::Constant(Constant::Rational(*value), ty)),
            _ => self.fail(
                Diagnostic::error(
                    "not-constant",
                    argument.span,
                    "this argument must be a constant",
                )
                .help("pass variables by reference (`&`)"),
            ),
        }
    }

    /// Checks a template that never runs, with stand-ins for its parameters.
    pub(super) fn check_template(&mut self, template: &'d Template) {
        let before = Sizes::of(&self.network);
        let mut bindings = Vec::new();
        for parameter in &template.params {
            let Ok(ty) = self.ty(&parameter.ty, &parameter.dimensions) else {
                before.restore(&mut self.network);
                return;
            };
            bindings.push((&parameter.name, self.stand_in(parameter, ty)));
        }
        let prepared = Prepared {
            template,
            name: template.name.text.clone(),
            role: Role::System,
            bindings,
            span: template.span,
        };
        let owner = Owner { process: None, name: prepared.name.clone() };
        self.scopes.push();
        // Only the complaints matter.
        let _ = self.body(&prepared, &owner);
        self.scopes.pop();
        before.restore(&mut self.network);
    }

    fn stand_in(&mut self, parameter: &Parameter, ty: Ty) -> Meaning {
        match ty {
            Ty::Data(ty) if !parameter.reference && ty.bounds().is_some() => {
                let (min, _) = ty.bounds().expect("just checked");
                Meaning::Constant(Constant::Int(min), ty)
            }
            Ty::Data(ty) => {
                let first = u32::try_from(self.network.slots.len()).expect("sizes are limited");
                for _ in 0..ty.slots() {
                    let (name, kind) = (parameter.name.text.clone(), kind_of(&ty));
                    let slot = Slot { name, kind, range: range_of(&ty), initial: 0 };
                    self.network.slots.push(slot);
                }
                Meaning::Data(Lvalue::global(first), ty, Access::ReadWrite)
            }
            Ty::Clock(dimensions) => {
                let first = self.network.clocks.next_id();
                for _ in 0..dimensions.iter().map(|d| d.length).product::<u32>() {
                    let name = parameter.name.text.clone();
                    self.network.clocks.push(Clock { name, owner: None });
                }
                Meaning::Clock(ClockTerm::from(first), dimensions, Access::ReadWrite)
            }
            Ty::Channel(channel, dimensions) => {
                let first = self.network.channels.next_id();
                for _ in 0..dimensions.iter().map(|d| d.length).product::<u32>() {
                    self.network.channels.push(Channel {
                        name: parameter.name.text.clone(),
                        urgent: channel.urgent,
                        broadcast: channel.broadcast,
                        direction: channel.direction,
                        open: false,
                        parameters: Vec::new(),
                        names: Vec::new(),
                        span: parameter.name.span,
                    });
                }
                Meaning::Channel(first, dimensions)
            }
            Ty::Void => Meaning::Constant(Constant::Int(0), Type::Integer),
        }
    }

    /// The name of the process an expression stands for: `Gate`, `Train(0)`. Names that mean
    /// something else here do not count.
    pub(super) fn process_name(&self, expr: &Expr) -> Option<String> {
        let known = |name: &str| {
            self.scopes.find(name).is_none()
                && self.document.items.iter().any(|item| match item {
                    crate::syntax::Item::Template(template) => template.name.text == name,
                    crate::syntax::Item::Instance(instance) => instance.name.text == name,
                    _ => false,
                })
        };
        match &expr.kind {
            ExprKind::Name(name) => known(name).then(|| name.clone()),
            ExprKind::Call(function, arguments) => {
                let ExprKind::Name(name) = &function.kind else { return None };
                if !known(name) {
                    return None;
                }
                let value = |argument| self.known_int(argument).map(|value| value.to_string());
                let values: Option<Vec<String>> = arguments.iter().map(value).collect();
                Some(format!("{name}({})", values?.join(",")))
            }
            _ => None,
        }
    }

    /// The value of an expression over constants.
    fn known_int(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Bool(value) => Some(i64::from(*value)),
            ExprKind::Name(name) => match self.scopes.find(name)?.meaning {
                Meaning::Constant(Constant::Int(value), _) => Some(value),
                _ => None,
            },
            ExprKind::Unary(UnaryOp::Neg, one) => self.known_int(one)?.checked_neg(),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.known_int(left)?, self.known_int(right)?);
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Sub => left.checked_sub(right),
                    BinaryOp::Mul => left.checked_mul(right),
                    BinaryOp::Div => left.checked_div(right),
                    BinaryOp::Mod => left.checked_rem(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn process_id(&self, name: &str) -> Option<ProcessId> {
        self.network.processes.iter_ids().find(|(_, p)| p.name == name).map(|(id, _)| id)
    }

    /// Whether `process.name` is a clock. Of `Train(i)` any process of that name tells, since `i`
    /// may be bound only later.
    pub(super) fn is_foreign_clock(&self, process: &Expr, name: &str) -> bool {
        let base = match &process.kind {
            ExprKind::Name(base) => base,
            ExprKind::Call(function, _) => match &function.kind {
                ExprKind::Name(base) => base,
                _ => return false,
            },
            _ => return false,
        };
        let called = |full: &str| full.split('(').next() == Some(base);
        let processes = self.network.processes.iter().zip(&self.process_names);
        processes.filter(|(process, _)| called(&process.name)).any(|(_, names)| {
            matches!(names.get(name).map(|symbol| &symbol.meaning), Some(Meaning::Clock(..)))
        })
    }

    /// What `Process.name` denotes: only purposes may look into other processes.
    pub(super) fn foreign(&mut self, process: &str, name: &Name, span: Span) -> Parsed<Denoted> {
        if self.observer.is_none() {
            let message = format!("`{process}.{}` belongs to another process", name.text);
            return self.fail(
                Diagnostic::error("foreign-name", span, message)
                    .note("a process reads only its own and global names")
                    .help("declare it globally, or look at it from a purpose or a query"),
            );
        }
        let Some(id) = self.process_id(process) else {
            let message = format!("no process is called `{process}`");
            return self.fail(Diagnostic::error("unknown-name", span, message));
        };
        let found = &self.network.processes[id];
        let location = found.locations.iter_ids().find(|(_, l)| l.name == name.text);
        if let Some((location, _)) = location {
            let expr = self.network.code.push(Code::At(id, location), Kind::Bool, span);
            return Ok(Denoted::Value(Value { expr, ty: Type::Bool }));
        }
        match self.process_names[id.index()].get(&name.text).map(|s: &Symbol| s.meaning.clone()) {
            Some(Meaning::Data(place, ty, _)) => Ok(Denoted::Place(place, ty, Access::Observed)),
            Some(Meaning::Clock(clock, dimensions, _)) => {
                Ok(Denoted::Clock(clock, dimensions, Access::Observed))
            }
            Some(Meaning::Constant(Constant::Int(value), ty)) => {
                let expr = self.network.code.push(Code::Int(value), kind_of(&ty), span);
                Ok(Denoted::Value(Value { expr, ty }))
            }
            _ => {
                let message =
                    format!("`{process}` has no location, clock or variable `{}`", name.text);
                let known: Vec<String> = self.process_names[id.index()]
                    .keys()
                    .cloned()
                    .chain(self.network.processes[id].locations.iter().map(|l| l.name.clone()))
                    .collect();
                self.fail(Diagnostic::error("unknown-name", name.span, message).suggest(
                    name.span,
                    &name.text,
                    known.iter().map(String::as_str),
                ))
            }
        }
    }
}
