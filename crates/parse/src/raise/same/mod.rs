//! Whether two networks are the same, up to what raising and lowering may change.

mod normal;

use tioga_base::Id;
use tioga_model::{
    Channel, ChannelUse, Edge, Home, Label, Marks, Network, Process, Purpose, Type, Variable,
};

use self::normal::{Norm, Reader};
use super::names::{identifier, one_line};

/// The first thing in which two networks differ, if they do: names that are not compared, numbers
/// of parts, the order of edges, and edges that can never be taken, are no difference, nor is what
/// the [module above](super) lists. Both networks are valid.
pub fn difference(one: &Network, other: &Network) -> Option<String> {
    Pair { one: Reader::new(one), other: Reader::new(other) }.compare().err()
}

struct Pair<'a> {
    one: Reader<'a>,
    other: Reader<'a>,
}

/// The same, or a complaint about what is named.
fn alike<T: PartialEq>(one: T, other: T, what: impl FnOnce() -> String) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(what()) }
}

impl Pair<'_> {
    fn both<T>(&self, of: impl Fn(&Reader<'_>) -> T) -> (T, T) {
        (of(&self.one), of(&self.other))
    }

    fn compare(&self) -> Result<(), String> {
        let (one, other) = self.both(|reader| {
            let network = reader.network;
            (network.time_unit, network.observing.is_some(), network.actions.len())
        });
        alike(one, other, || "the time unit, the observer or the plain actions".to_owned())?;
        let (one, other) = self.both(|reader| reader.clock_owners());
        alike(one, other, || "the clocks".to_owned())?;
        let (one, other) = self.both(variables);
        alike(one, other, || "the variables or their initial values".to_owned())?;
        let channel = |channel: &Channel| {
            let Channel { urgent, broadcast, direction, open, .. } = *channel;
            let types = channel.parameters.iter().map(plain).collect::<Vec<_>>();
            (urgent, broadcast, direction, open, types)
        };
        let (one, other) =
            self.both(|reader| reader.network.channels.iter().map(channel).collect::<Vec<_>>());
        alike(one.len(), other.len(), || "the number of channels".to_owned())?;
        for (at, (one, other)) in one.into_iter().zip(other).enumerate() {
            let name = || self.one.network.channels.as_slice()[at].name.clone();
            alike(one, other, || format!("the channel `{}` or who uses it", name()))?;
        }
        let (one, other) = self.both(|reader| {
            let tables = reader.network.code.tables.iter();
            tables.map(|table| (plain(&table.ty), table.first_slot)).collect::<Vec<_>>()
        });
        let tables = one.len().min(other.len());
        alike(&one[..tables], &other[..tables], || "the constant arrays".to_owned())?;
        let (one, other) = self.both(|reader| reader.network.code.constants.clone());
        let constants = one.len().min(other.len());
        alike(&one[..constants], &other[..constants], || "the constants".to_owned())?;
        self.functions()?;
        let (one, other) = self.both(syncs);
        alike(one, other, || "the synchronisation vectors".to_owned())?;
        let (one, other) = (in_order(&self.one), in_order(&self.other));
        alike(one.len(), other.len(), || "the number of processes".to_owned())?;
        for (one, other) in one.into_iter().zip(other) {
            self.process(one, other)?;
        }
        let (one, other) = (&self.one.network.purposes, &self.other.network.purposes);
        alike(one.len(), other.len(), || "the number of purposes".to_owned())?;
        for (one, other) in one.iter().zip(other) {
            self.purpose(one, other)?;
        }
        let (one, other) = self.both(|reader| {
            let queries = reader.network.queries.iter();
            queries
                .map(|one| (reader.formula(&one.formula), one.comment.as_deref().map(one_line)))
                .collect::<Vec<_>>()
        });
        alike(one, other, || "the queries".to_owned())
    }

    fn functions(&self) -> Result<(), String> {
        let (one, other) = (self.one.functions(), self.other.functions());
        alike(one.len(), other.len(), || "the number of functions".to_owned())?;
        for (one, other) in one.into_iter().zip(other) {
            let read = |reader: &Reader<'_>, function: &tioga_model::Function| {
                let home = match function.home {
                    Home::Process(process) => Some(reader.processes[process.index()]),
                    Home::Global | Home::Purpose(_) => None,
                };
                let shape = (function.frame, function.parameters, function.result, function.range);
                (home, shape, reader.statement(&function.body))
            };
            let (left, right) = (read(&self.one, one), read(&self.other, other));
            alike(left, right, || format!("the function `{}`", one.name))?;
        }
        Ok(())
    }

    fn process(&self, one: &Process, other: &Process) -> Result<(), String> {
        let name = &one.name;
        alike(one.role, other.role, || format!("the side of `{name}`"))?;
        alike(one.initial, other.initial, || format!("the initial location of `{name}`"))?;
        let read = |reader: &Reader<'_>, process: &Process| {
            let locations = process.locations.iter_ids().map(|(id, location)| {
                let marks = Marks { initial: id == process.initial, ..location.marks };
                let labels: Vec<String> = location.labels.iter().map(|l| identifier(l)).collect();
                (marks, labels, reader.condition(&location.invariant))
            });
            locations.collect::<Vec<_>>()
        };
        let (left, right) = (read(&self.one, one), read(&self.other, other));
        alike(left, right, || format!("the locations of `{name}`"))?;
        let left: Vec<_> = one.edges.iter().filter_map(|edge| edge_of(&self.one, edge)).collect();
        let mut right: Vec<_> =
            other.edges.iter().filter_map(|edge| edge_of(&self.other, edge)).collect();
        alike(left.len(), right.len(), || format!("the number of edges of `{name}`"))?;
        for (position, edge) in left.iter().enumerate() {
            match right.iter().position(|other| other == edge) {
                Some(found) => drop(right.remove(found)),
                None => return Err(format!("edge {position} of `{name}`")),
            }
        }
        Ok(())
    }

    fn purpose(&self, one: &Purpose, other: &Purpose) -> Result<(), String> {
        let read = |reader: &Reader<'_>, purpose: &Purpose| {
            let label = purpose.restart.as_ref().map(|label| label_of(reader, label));
            let slots = purpose.slots.iter().map(|one| (one.kind, one.range, one.initial));
            (label, purpose.otherwise, purpose.clocks.len(), slots.collect::<Vec<_>>())
        };
        let (left, right) = (read(&self.one, one), read(&self.other, other));
        alike(left, right, || format!("the purpose `{}`", one.process.name))?;
        self.process(&one.process, &other.process)
    }
}

fn in_order<'a>(reader: &Reader<'a>) -> Vec<&'a Process> {
    let mut all: Vec<(usize, &Process)> =
        reader.processes.iter().copied().zip(reader.network.processes.iter()).collect();
    all.sort_by_key(|(position, _)| *position);
    all.into_iter().map(|(_, process)| process).collect()
}

type Declared = (Option<usize>, Type, bool, Vec<i64>);

fn variables(reader: &Reader<'_>) -> Vec<Declared> {
    let read = |variable: &Variable| {
        let slots = reader.network.slots.iter().skip(variable.first_slot as usize);
        let count = usize::try_from(variable.ty.slots()).unwrap_or(usize::MAX);
        let values = slots.take(count).map(|slot| slot.initial).collect();
        (reader.owner(variable.owner), plain(&variable.ty), variable.symbolic, values)
    };
    reader.variables().into_iter().map(read).collect()
}

/// Parts and the channel that is shown.
type Vector = (Vec<(usize, usize, bool)>, Option<usize>);

fn syncs(reader: &Reader<'_>) -> Vec<Vector> {
    let vectors = reader.network.syncs.iter().map(|sync| {
        let parts = sync.parts.iter();
        let parts =
            parts.map(|one| (reader.processes[one.process.index()], one.action.index(), one.weak));
        (parts.collect(), sync.shown.map(Id::index))
    });
    vectors.collect()
}

/// A type without scalar sets and without the names of fields.
fn plain(ty: &Type) -> Type {
    match ty {
        Type::Scalar { size, .. } => Type::Int { min: 0, max: size - 1 },
        Type::Array { element, first, length, .. } => {
            let element = Box::new(plain(element));
            Type::Array { element, first: *first, length: *length, set: None }
        }
        Type::Record(fields) => {
            Type::Record(fields.iter().map(|(_, field)| (String::new(), plain(field))).collect())
        }
        other => other.clone(),
    }
}

/// An edge; nothing if it can never be taken.
fn edge_of(reader: &Reader<'_>, edge: &Edge) -> Option<impl PartialEq + use<>> {
    let guard = reader.condition(&edge.guard);
    if guard.is_empty() {
        return None;
    }
    let reply = edge.reply.as_ref().map(|reply| used(reader, reply));
    let shown = (label_of(reader, &edge.label), reply, edge.control, edge.frame);
    Some((edge.source, edge.target, shown, guard, reader.updates(&edge.updates)))
}

/// What kind of label, on what, with which index and values.
#[derive(PartialEq)]
struct Shown {
    kind: &'static str,
    on: usize,
    index: Option<(Norm, u32)>,
    values: Vec<Norm>,
}

fn label_of(reader: &Reader<'_>, label: &Label) -> Shown {
    let bare = |kind, on| Shown { kind, on, index: None, values: Vec::new() };
    match label {
        Label::Silent => bare("silent", 0),
        Label::Plain(action) => bare("plain", action.index()),
        Label::Send(channel) => used(reader, channel),
        Label::Receive(channel) => Shown { kind: "receive", ..used(reader, channel) },
    }
}

fn used(reader: &Reader<'_>, channel: &ChannelUse) -> Shown {
    Shown {
        kind: "send",
        on: channel.channel.index(),
        index: channel.index.map(|(index, length)| (reader.expr(index), length)),
        values: channel.arguments.iter().map(|value| reader.expr(*value)).collect(),
    }
}
