//! Event-recording automata (AFH94): each clock measures the time since one action last occurred.
//!
//! Every clock the process sets must be set to 0 by exactly the edges of one action, and by no
//! other process. A clock that is never set measures the time since the start and is accepted. In a
//! model with an interface the action must cross it: a clock that records what no observer sees does
//! not make the automaton determinizable.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::Id;

use super::marks::constant;
use super::subject::{Findings, Subject, assignments, edge_witness};
use super::verdict::PropertyVerdict;
use crate::{ActionId, ChannelId, ClockId, ClockUpdate, Edge, EdgeId, Label};

/// An action, as far as this class is concerned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Plain(ActionId),
    Send(ChannelId),
    Receive(ChannelId),
}

pub(super) fn decide(subject: &Subject<'_>) -> PropertyVerdict {
    let mut findings = Findings::default();
    let mut setters: BTreeMap<ClockId, Vec<(EdgeId, &ClockUpdate)>> = BTreeMap::new();
    let mut unclear = BTreeSet::new();
    for (id, edge) in subject.process.edges.iter_ids() {
        let Some(updates) = assignments(edge) else {
            findings
                .unknown(format!("which clock {} sets depends on data", subject.describe(edge)));
            unclear.insert(id);
            continue;
        };
        for update in updates {
            setters.entry(update.clock.clock).or_default().push((id, update));
        }
    }
    for (clock, setters) in &setters {
        if let Err(reason) = check(subject, *clock, setters, &unclear, &mut findings) {
            findings.unknown(reason);
        }
    }
    findings.verdict()
}

fn check(
    subject: &Subject<'_>,
    clock: ClockId,
    setters: &[(EdgeId, &ClockUpdate)],
    unclear: &BTreeSet<EdgeId>,
    findings: &mut Findings,
) -> Result<(), String> {
    let name = subject.clock_name(clock);
    let mut fail = |id: EdgeId, sentence: String| {
        let words = format!("`{name}` here");
        findings.fail(edge_witness(subject, id, sentence, &words), format!("clock `{name}`"));
    };
    let Some(&(first, _)) = setters.first() else { return Ok(()) };
    if let Some(other) = set_elsewhere(subject, clock) {
        fail(first, format!("clock `{name}` is also set by `{other}`"));
        return Ok(());
    }
    for &(id, update) in setters {
        let description = subject.describe(subject.edge(id));
        if update.source.is_some() {
            fail(id, format!("{description} sets `{name}` from another clock"));
        } else if constant(subject.model, update.value) != Some(0) {
            fail(id, format!("{description} sets `{name}` to something else than 0"));
        }
    }
    let Some(event) = event(subject, subject.edge(first))? else {
        let description = subject.describe(subject.edge(first));
        fail(first, format!("{description} resets `{name}` without an action"));
        return Ok(());
    };
    if hidden(subject, event) {
        let description = subject.describe(subject.edge(first));
        fail(first, format!("{description} resets `{name}`, and no observer sees it"));
        return Ok(());
    }
    for &(id, _) in setters {
        let edge = subject.edge(id);
        if self::event(subject, edge)? != Some(event) {
            let (one, two) = (subject.edge(first), edge);
            let (one, two) = (subject.describe(one), subject.describe(two));
            fail(id, format!("clock `{name}` is reset by different actions: {one}, {two}"));
            return Ok(());
        }
    }
    for (id, edge) in subject.process.edges.iter_ids() {
        let sets = unclear.contains(&id) || setters.iter().any(|(setter, _)| *setter == id);
        if !sets && self::event(subject, edge)? == Some(event) {
            let (other, edge) = (subject.describe(subject.edge(first)), subject.describe(edge));
            fail(id, format!("{edge} does not reset `{name}`, but {other} does"));
            return Ok(());
        }
    }
    Ok(())
}

/// Whether an event stays inside of a model that has an interface.
fn hidden(subject: &Subject<'_>, event: Event) -> bool {
    let channels = &subject.model.channels;
    let interface = channels.iter().any(|channel| channel.direction.is_some());
    interface
        && match event {
            Event::Plain(_) => true,
            Event::Send(channel) | Event::Receive(channel) => channels[channel].direction.is_none(),
        }
}

/// The event of an edge; silent edges have none.
fn event(subject: &Subject<'_>, edge: &Edge) -> Result<Option<Event>, String> {
    let channel = |used: &crate::ChannelUse| match used.index {
        None => Ok(used.channel),
        Some((index, _)) => {
            let index = subject.model.code.constant(index).and_then(|i| usize::try_from(i).ok());
            let channel = index.map(|index| ChannelId::from_index(used.channel.index() + index));
            channel.ok_or_else(|| {
                format!("which action {} is depends on data", subject.describe(edge))
            })
        }
    };
    match &edge.label {
        Label::Silent => Ok(None),
        Label::Plain(action) => Ok(Some(Event::Plain(*action))),
        Label::Send(used) => channel(used).map(|channel| Some(Event::Send(channel))),
        Label::Receive(used) => channel(used).map(|channel| Some(Event::Receive(channel))),
    }
}

/// Another process that sets the clock.
fn set_elsewhere<'m>(subject: &Subject<'m>, clock: ClockId) -> Option<&'m str> {
    if subject.is_purpose() {
        return None;
    }
    let mut setters = subject.setters(clock).iter().filter(|id| Some(**id) != subject.id);
    setters.next().map(|id| subject.model.processes[*id].name.as_str())
}
