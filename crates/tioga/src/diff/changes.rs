//! The changes of a model, in words: channels, clocks, variables, locations and edges, matched by their names.

use tioga_model::{
    Channel, Direction, Edge, EdgeId, Location, Model, Network, ProcessId, Purpose, Role, Variable,
};
use tioga_mutate::{Wording, edge_text};

/// The kind of a change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChangeKind {
    /// Only the new version has it.
    Added,
    /// Only the old version has it.
    Removed,
    /// Both have it, and it differs.
    Changed,
}

/// One change of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelChange {
    /// Its kind.
    pub kind: ChangeKind,
    /// The process or purpose it belongs to; empty if it belongs to none.
    pub process: String,
    /// The item, and the difference.
    pub what: String,
}

/// All changes from one version to the other.
pub(super) fn changes(old: &Model, new: &Model) -> Vec<ModelChange> {
    let mut found = Found(Vec::new());
    if old.time_unit != new.time_unit {
        found.add(ChangeKind::Changed, "", "the time unit".to_owned());
    }
    found.named(
        "",
        &channels(old),
        &channels(new),
        |one, other| format!("channel `{}`: {} becomes {}", one.0, one.1, other.1),
        |one| format!("channel `{}`: {}", one.0, one.1),
    );
    found.named(
        "",
        &declared(old),
        &declared(new),
        |one, other| format!("`{}`: {} becomes {}", one.0, one.1, other.1),
        |one| format!("`{}`: {}", one.0, one.1),
    );
    let own = |model: &Model| -> Vec<(Network, ProcessId)> {
        let processes = model.processes.iter_ids();
        let mut all: Vec<_> = processes.map(|(id, _)| ((**model).clone(), id)).collect();
        all.extend(purposes(model));
        all
    };
    let (before, after) = (own(old), own(new));
    let name = |of: &(Network, ProcessId)| of.0.processes[of.1].name.clone();
    let told = |model: &Model, name: &str| {
        let purpose = model.purposes.iter().any(|one| one.process.name == name);
        format!("{} {name}", if purpose { "purpose" } else { "process" })
    };
    for one in &before {
        match after.iter().find(|other| name(other) == name(one)) {
            None => found.add(ChangeKind::Removed, "", told(old, &name(one))),
            Some(other) => found.process((&one.0, one.1), (&other.0, other.1)),
        }
    }
    for other in &after {
        if before.iter().all(|one| name(one) != name(other)) {
            found.add(ChangeKind::Added, "", told(new, &name(other)));
        }
    }
    found.0
}

/// Each purpose as a process of a network with its clocks and data, which is only read.
fn purposes(model: &Model) -> Vec<(Network, ProcessId)> {
    let purpose = |one: &Purpose| {
        let mut network: Network = (**model).clone();
        for clock in &one.clocks {
            network.clocks.push(clock.clone());
        }
        network.slots.extend(one.slots.iter().cloned());
        let id = network.processes.push(one.process.clone());
        (network, id)
    };
    model.purposes.iter().map(purpose).collect()
}

/// The channels of the interface and others, with what they are.
fn channels(model: &Model) -> Vec<(String, String)> {
    let text = |channel: &Channel| {
        let mut words = Vec::new();
        if channel.urgent {
            words.push("urgent".to_owned());
        }
        if channel.broadcast {
            words.push("broadcast".to_owned());
        }
        let direction = match channel.direction {
            Some(Direction::Input) => "input",
            Some(Direction::Output) => "output",
            None => "internal",
        };
        words.push(direction.to_owned());
        if !channel.parameters.is_empty() {
            let types: Vec<String> = channel.parameters.iter().map(ToString::to_string).collect();
            words.push(format!("with {}", types.join(", ")));
        }
        (channel.name.clone(), words.join(" "))
    };
    model.channels.iter().map(text).collect()
}

/// Clocks and variables, with what they are.
fn declared(model: &Model) -> Vec<(String, String)> {
    let clocks = model.clocks.iter().map(|clock| (clock.name.clone(), "clock".to_owned()));
    let initial = |variable: &Variable| {
        model.slots.get(variable.first_slot as usize).map_or(0, |slot| slot.initial)
    };
    let variables = model.variables.iter().map(|variable| {
        let text = format!("{}, first value {}", variable.ty, initial(variable));
        (variable.name.clone(), text)
    });
    clocks.chain(variables).collect()
}

/// A process of a network.
type Of<'n> = (&'n Network, ProcessId);

/// An edge in words: its ends and label, its guard, its updates, and whether the tester decides.
#[derive(Clone, PartialEq, Eq, Debug)]
struct EdgeWords {
    source: String,
    target: String,
    label: String,
    /// Its ends and its label as one text.
    name: String,
    guard: String,
    updates: Vec<String>,
    control: String,
}

impl EdgeWords {
    fn new((network, process): Of<'_>, id: EdgeId, edge: &Edge) -> Self {
        let body = &network.processes[process];
        let mut words = Wording::new(network, process);
        Self {
            source: body.locations[edge.source].name.clone(),
            target: body.locations[edge.target].name.clone(),
            label: words.label(&edge.label, edge.reply.as_ref()),
            name: edge_text(network, process, id),
            guard: words.condition(&edge.guard),
            updates: edge.updates.iter().map(|update| words.update(update)).collect(),
            control: format!("{:?}", edge.control).to_lowercase(),
        }
    }

    /// All of it.
    fn text(&self) -> String {
        let mut text = format!("edge {}", self.name);
        if self.guard != "true" {
            text.push_str(&format!(" when {}", self.guard));
        }
        if !self.updates.is_empty() {
            text.push_str(&format!(" do {}", self.updates.join(", ")));
        }
        text
    }

    /// What differs from this edge in another that has its place.
    fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let name = &self.name;
        if self.guard != other.guard {
            found.push(format!("guard of {name}: {} becomes {}", self.guard, other.guard));
        }
        if self.updates != other.updates {
            let text = |one: &Self| match one.updates.is_empty() {
                true => "nothing".to_owned(),
                false => one.updates.join(", "),
            };
            found.push(format!("update of {name}: {} becomes {}", text(self), text(other)));
        }
        if self.target != other.target {
            found.push(format!("{name} leads to {}", other.target));
        }
        if self.control != other.control {
            found.push(format!("{name} is {} now", other.control));
        }
        found
    }
}

/// The changes found so far.
struct Found(Vec<ModelChange>);

impl Found {
    fn add(&mut self, kind: ChangeKind, process: &str, what: String) {
        self.0.push(ModelChange { kind, process: process.to_owned(), what });
    }

    /// Compares two lists of things by their names.
    fn named(
        &mut self,
        process: &str,
        old: &[(String, String)],
        new: &[(String, String)],
        changed: impl Fn(&(String, String), &(String, String)) -> String,
        whole: impl Fn(&(String, String)) -> String,
    ) {
        for one in old {
            match new.iter().find(|other| other.0 == one.0) {
                None => self.add(ChangeKind::Removed, process, whole(one)),
                Some(other) if other.1 != one.1 => {
                    self.add(ChangeKind::Changed, process, changed(one, other));
                }
                Some(_) => {}
            }
        }
        for other in new.iter().filter(|other| old.iter().all(|one| one.0 != other.0)) {
            self.add(ChangeKind::Added, process, whole(other));
        }
    }

    /// Compares two processes of the same name.
    fn process(&mut self, old: Of<'_>, new: Of<'_>) {
        let (one, other) = (&old.0.processes[old.1], &new.0.processes[new.1]);
        let name = one.name.clone();
        if one.role != other.role {
            let side = if other.role == Role::System { "system" } else { "environment" };
            self.add(ChangeKind::Changed, &name, format!("it belongs to the {side} now"));
        }
        let start = |of: Of<'_>| {
            let body = &of.0.processes[of.1];
            body.locations[body.initial].name.clone()
        };
        if start(old) != start(new) {
            let what = format!("it starts in {}, no longer in {}", start(new), start(old));
            self.add(ChangeKind::Changed, &name, what);
        }
        self.locations(&name, old, new);
        self.edges(&name, old, new);
    }

    fn locations(&mut self, name: &str, old: Of<'_>, new: Of<'_>) {
        let find = |of: Of<'_>, name: &str| {
            of.0.processes[of.1].locations.iter().find(|one| one.name == name).cloned()
        };
        for location in &old.0.processes[old.1].locations {
            let Some(other) = find(new, &location.name) else {
                self.add(ChangeKind::Removed, name, format!("location {}", location.name));
                continue;
            };
            let before = Wording::new(old.0, old.1).condition(&location.invariant);
            let after = Wording::new(new.0, new.1).condition(&other.invariant);
            if before != after {
                let what = format!("invariant of {}: {before} becomes {after}", location.name);
                self.add(ChangeKind::Changed, name, what);
            }
            let (before, after) = (marks(location), marks(&other));
            if before != after {
                let what = format!("{} was {before} and is {after}", location.name);
                self.add(ChangeKind::Changed, name, what);
            }
        }
        for location in &new.0.processes[new.1].locations {
            if find(old, &location.name).is_none() {
                self.add(ChangeKind::Added, name, format!("location {}", location.name));
            }
        }
    }

    fn edges(&mut self, name: &str, old: Of<'_>, new: Of<'_>) {
        let words = |of: Of<'_>| -> Vec<EdgeWords> {
            let edges = of.0.processes[of.1].edges.iter_ids();
            edges.map(|(id, edge)| EdgeWords::new(of, id, edge)).collect()
        };
        let (mut before, mut after) = (words(old), words(new));
        // What is the same on both sides is left out first, then what has the same ends, then the same start.
        take_pairs(&mut before, &mut after, |one, other| one == other);
        let mut pairs = take_pairs(&mut before, &mut after, |one, other| one.name == other.name);
        pairs.extend(take_pairs(&mut before, &mut after, |one, other| {
            (&one.source, &one.label) == (&other.source, &other.label)
        }));
        for (one, other) in pairs {
            for what in one.differences(&other) {
                self.add(ChangeKind::Changed, name, what);
            }
        }
        before.iter().for_each(|one| self.add(ChangeKind::Removed, name, one.text()));
        after.iter().for_each(|one| self.add(ChangeKind::Added, name, one.text()));
    }
}

/// Takes pairs that belong together out of both lists, in order.
fn take_pairs(
    before: &mut Vec<EdgeWords>,
    after: &mut Vec<EdgeWords>,
    same: impl Fn(&EdgeWords, &EdgeWords) -> bool,
) -> Vec<(EdgeWords, EdgeWords)> {
    let mut pairs = Vec::new();
    let mut rest = Vec::new();
    for one in before.drain(..) {
        match after.iter().position(|other| same(&one, other)) {
            Some(at) => pairs.push((one, after.remove(at))),
            None => rest.push(one),
        }
    }
    *before = rest;
    pairs
}

/// The marks of a location in words.
fn marks(location: &Location) -> String {
    let marks = &location.marks;
    let all = [
        (marks.urgent, "urgent"),
        (marks.committed, "committed"),
        (marks.accept, "accept"),
        (marks.refuse, "refuse"),
        (marks.fail, "fail"),
        (marks.desired, "desired"),
    ];
    let set: Vec<&str> = all.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
    if set.is_empty() { "unmarked".to_owned() } else { set.join(" and ") }
}
