//! A whole network as a document: declarations, automata, purposes and queries.

use tioga_base::{Id, Span};
use tioga_model::{
    Channel, ChannelId, Control, Direction, Label, Location, Network, Process, ProcessId, Purpose,
    Range, Role, Slot, Type, Variable,
};

use super::arrays::Row;
use super::edge::usual_control;
use super::names::{Taken, identifier, one_line};
use super::naming;
use super::refused::{Raised, Refused};
use super::sheet::Sheet;
use super::tree::name;
use super::types::{self, Quality};
use super::view::View;
use crate::lower::{kind_of, range_of};
use crate::syntax::{
    ChannelType, Communication, Declaration, DeclarationKind, Declarator, Document, Item,
    LocationDecl, Otherwise, Parameter, ProcessUse, Query, SyncPart, SyncVector, System, Target,
    TemplateItem, TemplateKind, TimeUnit, TypeExpr, TypeKind,
};

/// The document of a network, with these comments at its top.
pub fn document(network: &Network, comments: &[String]) -> Raised<Document> {
    check(network)?;
    let view = naming::view(network);
    let mut sheet = Sheet::new();
    comments.iter().for_each(|line| sheet.comment(line));
    // A document without a name is a model.
    if network.name != "model" {
        sheet.item(Item::Name(name(identifier(&network.name))));
    }
    if let Some(unit) = network.time_unit {
        let (amount, unit, span) = (unit.amount, unit.unit, Span::default());
        sheet.item(Item::TimeUnit(TimeUnit { amount, unit, span }));
    }
    sheet.blank();
    for declaration in globals(&view)? {
        sheet.declare(declaration);
    }
    for (id, process) in network.processes.iter_ids() {
        sheet.blank();
        let inside = &mut view.inside(id);
        automaton(inside, id, process, &mut sheet)
            .map_err(|refused| refused.within(&format!("process `{}`", process.name)))?;
    }
    system(&view, &mut sheet)?;
    syncs(&view, &mut sheet)?;
    let mut taken = view.taken.clone();
    for (position, one) in network.purposes.iter().enumerate() {
        sheet.blank();
        let inside = &mut view.inside_purpose(position, one);
        let text = taken.give(&one.process.name);
        purpose(inside, one, &text, &mut sheet)
            .map_err(|refused| refused.within(&format!("purpose `{}`", one.process.name)))?;
    }
    if !network.queries.is_empty() {
        sheet.blank();
    }
    for query in &network.queries {
        let formula = view.clone().formula(&query.formula);
        let formula = formula.map_err(|refused| refused.within("query"))?;
        let comment = query.comment.as_deref().map(one_line);
        let span = Span::default();
        sheet.item(Item::Query(Query { formula, comment, span }));
    }
    Ok(sheet.finish())
}

/// Refuses what no document can say.
fn check(network: &Network) -> Raised<()> {
    if network.observing.is_some() {
        return Err(Refused::new("a product with a purpose has no document of its own"));
    }
    let owned = network.variables.iter().flat_map(|one| slots_of(one, &network.slots));
    if owned.count() != network.slots.len() {
        return Err(Refused::new("some data is part of no variable"));
    }
    for variable in &network.variables {
        let mut expected = Vec::new();
        leaves(&variable.ty, &mut expected);
        let found = slots_of(variable, &network.slots).map(|slot| (slot.kind, slot.range));
        if !found.eq(expected) {
            let message = format!("`{}` has other slots than its type", variable.name);
            return Err(Refused::new(message));
        }
    }
    for (id, channel) in network.channels.iter_ids() {
        let environment = network.processes.iter().any(|process| {
            process.role == Role::Environment && process.edges.iter().any(|edge| uses(edge, id))
        });
        if channel.open != (channel.direction.is_some() && !environment) {
            let partner = if channel.open { "has the tester" } else { "does not have the tester" };
            let message = format!("`{}` {partner} as partner, against its users", channel.name);
            return Err(Refused::new(message));
        }
    }
    let roles: Vec<Role> = network.processes.iter().map(|process| process.role).collect();
    if !roles.is_empty() && !roles.contains(&Role::System) {
        return Err(Refused::new("the system has no process"));
    }
    let sorted = roles.is_sorted_by_key(|role| *role == Role::Environment);
    let ordered = !network.syncs.is_empty() || network.channels.iter().any(|one| one.broadcast);
    if !sorted && ordered {
        let message = "a process of the environment comes before one of the system, \
                       and receivers move in order";
        return Err(Refused::new(message));
    }
    Ok(())
}

fn uses(edge: &tioga_model::Edge, channel: ChannelId) -> bool {
    let label = match &edge.label {
        Label::Send(used) | Label::Receive(used) => Some(used),
        Label::Silent | Label::Plain(_) => None,
    };
    label.into_iter().chain(&edge.reply).any(|used| {
        let length = used.index.map_or(1, |(_, length)| length);
        (used.channel.0..used.channel.0.saturating_add(length)).contains(&channel.0)
    })
}

fn slots_of<'s>(variable: &Variable, slots: &'s [Slot]) -> impl Iterator<Item = &'s Slot> {
    let count = usize::try_from(variable.ty.slots()).unwrap_or(usize::MAX);
    slots.iter().skip(variable.first_slot as usize).take(count)
}

/// The kind and range of each slot of a type.
fn leaves(ty: &Type, all: &mut Vec<(tioga_model::Kind, Option<Range>)>) {
    match ty {
        Type::Array { element, length, .. } => (0..*length).for_each(|_| leaves(element, all)),
        Type::Record(fields) => fields.iter().for_each(|(_, field)| leaves(field, all)),
        _ => {
            all.extend(vec![(kind_of(ty), range_of(ty)); usize::try_from(ty.slots()).unwrap_or(1)])
        }
    }
}

/// The global declarations: channels, actions, constants, data, clocks and functions.
fn globals(view: &View<'_>) -> Raised<Vec<Declaration>> {
    let network = view.network;
    let mut all = channels(view);
    if !view.actions.is_empty() {
        let names = view.actions.iter().map(name).collect();
        all.push(Declaration { kind: DeclarationKind::Internal(names), span: Span::default() });
    }
    for (table, text) in network.code.tables.iter().zip(&view.tables) {
        let count = usize::try_from(table.ty.slots()).unwrap_or(usize::MAX);
        let values = network.code.constants.iter().skip(table.first_slot as usize).take(count);
        let values = types::listed(&table.ty, &mut values.copied());
        all.push(types::declaration(Quality::Constant, text, &table.ty, Some(values)));
    }
    let outside = &mut view.clone();
    outside.observes = false;
    all.extend(locals(outside, network.variables.as_slice(), &network.slots)?);
    Ok(all)
}

fn channels(view: &View<'_>) -> Vec<Declaration> {
    let mut all: Vec<(ChannelType, Vec<Declarator>)> = Vec::new();
    let mut last_plain = false;
    for (row, called) in view.channels.iter().zip(&view.channel_names) {
        let channel = &view.network.channels[ChannelId::from_index(row.first)];
        let Channel { urgent, broadcast, direction, .. } = *channel;
        let ty = ChannelType { urgent, broadcast, direction };
        let parameters = channel.parameters.iter().enumerate().map(|(position, ty)| {
            let (ty, dimensions) = types::split(ty);
            let name = name(format!("v{}", position + 1));
            Parameter { constant: false, reference: false, ty, name, dimensions }
        });
        let declarator = Declarator {
            name: name(&called.name),
            dimensions: dimensions(row),
            parameters: parameters.collect(),
            initializer: None,
        };
        // Plain channels of one kind in a row share a line.
        let plain = row.dimensions.is_empty() && channel.parameters.is_empty();
        match all.last_mut() {
            Some((known, names)) if *known == ty && plain && last_plain => names.push(declarator),
            _ => all.push((ty, vec![declarator])),
        }
        last_plain = plain;
    }
    let declared = all.into_iter().map(|(channel, declarators)| {
        let ty = TypeExpr { kind: TypeKind::Channel(channel), span: Span::default() };
        types::variables(Quality::Plain, ty, declarators)
    });
    declared.collect()
}

fn dimensions(row: &Row) -> Vec<TypeExpr> {
    row.dimensions.iter().map(|(first, length)| types::dimension(*first, *length)).collect()
}

/// What is declared at one place: clocks, variables and functions.
fn locals(view: &mut View<'_>, variables: &[Variable], slots: &[Slot]) -> Raised<Vec<Declaration>> {
    let mut all = Vec::new();
    let here = view.here;
    let clocks = view.clocks.iter().zip(&view.clock_names);
    let clocks = clocks.filter(|(_, called)| called.home == here).map(|(row, called)| Declarator {
        name: name(&called.name),
        dimensions: dimensions(row),
        parameters: Vec::new(),
        initializer: None,
    });
    let clocks: Vec<Declarator> = clocks.collect();
    if !clocks.is_empty() {
        let ty = TypeExpr { kind: TypeKind::Clock, span: Span::default() };
        all.push(types::variables(Quality::Plain, ty, clocks));
    }
    for root in view.roots.iter().filter(|root| root.called.home == here) {
        let variable = variables.iter().find(|variable| variable.first_slot == root.first);
        let variable = variable.ok_or_else(|| Refused::new("a variable without slots"))?;
        let values: Vec<i64> = slots_of(variable, slots).map(|slot| slot.initial).collect();
        let quality = if variable.symbolic { Quality::Symbolic } else { Quality::Plain };
        let initial = types::initial(&variable.ty, &values);
        all.push(types::declaration(quality, &root.called.name, &variable.ty, initial));
    }
    for (id, function) in view.network.code.functions.iter_ids() {
        if function.home == here {
            all.push(view.function_declaration(id)?);
        }
    }
    Ok(all)
}

fn automaton(
    view: &mut View<'_>,
    id: ProcessId,
    process: &Process,
    sheet: &mut Sheet,
) -> Raised<()> {
    let network = view.network;
    sheet.begin(TemplateKind::Automaton, &view.processes[id.index()].clone());
    let declared = locals(view, network.variables.as_slice(), &network.slots)?;
    put(declared, sheet);
    let usual = |edge: &_| usual_control(network, process.role, edge);
    body(view, process, usual, sheet)?;
    sheet.end();
    Ok(())
}

fn put(declared: Vec<Declaration>, sheet: &mut Sheet) {
    let some = !declared.is_empty();
    declared.into_iter().for_each(|one| sheet.part(TemplateItem::Declaration(one)));
    if some {
        sheet.blank();
    }
}

/// Locations and edges.
fn body(
    view: &mut View<'_>,
    process: &Process,
    usual: impl Fn(&tioga_model::Edge) -> Control,
    sheet: &mut Sheet,
) -> Raised<()> {
    for (id, location) in process.locations.iter_ids() {
        let Location { labels, invariant, .. } = location;
        let mut taken = Taken::default();
        let text = view.location(view.own, id)?.to_owned();
        let mut marks = location.marks;
        marks.initial = id == process.initial;
        let invariant = view.condition(invariant);
        let invariant =
            invariant.map_err(|refused| refused.within(&format!("invariant of `{text}`")))?;
        sheet.part(TemplateItem::Locations(LocationDecl {
            names: vec![name(&text)],
            marks,
            labels: labels.iter().map(|label| name(taken.give(label))).collect(),
            invariant,
            span: Span::default(),
        }));
    }
    if !process.edges.is_empty() {
        sheet.blank();
    }
    for edge in &process.edges {
        let written = view.edge(edge, &[], usual(edge)).map_err(|refused| {
            let source = view.location(view.own, edge.source).unwrap_or_default();
            let target = view.location(view.own, edge.target).unwrap_or_default();
            refused.within(&format!("edge `{source} -> {target}`"))
        })?;
        sheet.part(TemplateItem::Edge(Box::new(written)));
    }
    Ok(())
}

fn purpose(view: &mut View<'_>, purpose: &Purpose, text: &str, sheet: &mut Sheet) -> Raised<()> {
    sheet.begin(TemplateKind::Purpose, text);
    let mut slots = view.network.slots.clone();
    slots.extend(purpose.slots.iter().cloned());
    let declared = locals(view, &purpose.variables, &slots)?;
    put(declared, sheet);
    body(view, &purpose.process, |_| Control::Uncontrollable, sheet)?;
    if let Some(target) = purpose.otherwise {
        let span = Span::default();
        let target = match target {
            None => Target::Same(span),
            Some(location) => Target::Location(name(view.location(view.own, location)?)),
        };
        sheet.part(TemplateItem::Otherwise(Otherwise { target, span }));
    }
    if let Some(label) = &purpose.restart {
        let (used, communication) = match label {
            Label::Send(used) => (used, Communication::Send),
            Label::Receive(used) => (used, Communication::Receive),
            Label::Silent | Label::Plain(_) => {
                return Err(Refused::new("a restart shows nothing"));
            }
        };
        sheet.part(TemplateItem::Restart(view.used(used, Vec::new(), communication)?));
    }
    sheet.end();
    Ok(())
}

/// The system line, if there are processes of the environment.
fn system(view: &View<'_>, sheet: &mut Sheet) -> Raised<()> {
    let processes = &view.network.processes;
    if !processes.iter().any(|process| process.role == Role::Environment) {
        return Ok(());
    }
    let side = |role: Role| -> Raised<Vec<ProcessUse>> {
        let mut uses = Vec::new();
        for (id, _) in processes.iter_ids().filter(|(_, process)| process.role == role) {
            let (name, span) = (name(view.process(id)?), Span::default());
            uses.push(ProcessUse { name, arguments: None, span });
        }
        Ok(uses)
    };
    let (system, environment) = (side(Role::System)?, side(Role::Environment)?);
    sheet.blank();
    sheet.item(Item::System(System { system, environment, span: Span::default() }));
    Ok(())
}

fn syncs(view: &View<'_>, sheet: &mut Sheet) -> Raised<()> {
    let network = view.network;
    if !network.syncs.is_empty() {
        sheet.blank();
    }
    for sync in &network.syncs {
        let mut parts = Vec::new();
        for part in &sync.parts {
            let action = view.actions.get(part.action.index());
            let action = action.ok_or_else(|| Refused::new("an action that is not declared"))?;
            let (process, action) = (name(view.process(part.process)?), name(action));
            parts.push(SyncPart { process, action, weak: part.weak });
        }
        let shown = match sync.shown {
            None => None,
            Some(channel) => Some(shown(view, channel)?),
        };
        sheet.item(Item::Sync(SyncVector { parts, shown, span: Span::default() }));
    }
    Ok(())
}

fn shown(view: &View<'_>, channel: ChannelId) -> Raised<(Direction, crate::syntax::Name)> {
    let (text, row, _) = view.channel(channel)?;
    match view.network.channels[channel].direction {
        Some(direction) if view.channels[row].dimensions.is_empty() => Ok((direction, name(text))),
        _ => {
            let message = format!("a vector shows `{text}`, which is no single interface channel");
            Err(Refused::new(message))
        }
    }
}
