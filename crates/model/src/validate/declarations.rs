//! Rules about clocks, variables, slots, channels and synchronisation vectors.

use tioga_base::{Diagnostic, Diagnostics, Span};

use super::complain::complain;
use crate::{ClockId, Direction, Kind, Label, Network, ProcessId, Role, Slot, SyncPart, Type};

pub(super) fn check(network: &Network, diagnostics: &mut Diagnostics) {
    let nowhere = Span::default();
    if network.scale <= 0 {
        let message = format!("the time scale {} is not positive", network.scale);
        complain(diagnostics, "time-scale", nowhere, message);
    }
    let owned =
        |owner: Option<ProcessId>| owner.is_none_or(|owner| network.processes.get(owner).is_some());
    for clock in network.clocks.iter().filter(|clock| !owned(clock.owner)) {
        let message = format!("the clock `{}` belongs to an unknown process", clock.name);
        complain(diagnostics, "unknown-owner", nowhere, message);
    }
    for variable in &network.variables {
        if !owned(variable.owner) {
            let message = format!("the variable `{}` belongs to an unknown process", variable.name);
            complain(diagnostics, "unknown-owner", variable.span, message);
        }
        let end = u64::from(variable.first_slot).saturating_add(variable.ty.slots());
        if end > network.slots.len() as u64 {
            let message = format!("the variable `{}` lies outside the data", variable.name);
            complain(diagnostics, "data-layout", variable.span, message);
            continue;
        }
        let slots = &network.slots[variable.first_slot as usize..end as usize];
        let mut rest = slots.iter();
        if !fits(&variable.ty, &mut rest) {
            let message = format!(
                "the slots of the variable `{}` do not fit its type {}",
                variable.name, variable.ty
            );
            complain(diagnostics, "data-layout", variable.span, message);
        }
        for slot in slots {
            check_slot(slot, variable.span, diagnostics);
        }
    }
    check_channels(network, diagnostics);
    check_syncs(network, diagnostics);
    for purpose in &network.purposes {
        for slot in &purpose.slots {
            check_slot(slot, purpose.process.span, diagnostics);
        }
    }
}

/// Whether the slots have the kinds of a type; takes as many as the type has.
fn fits<'a>(ty: &Type, slots: &mut impl Iterator<Item = &'a Slot>) -> bool {
    let mut next = |kind: Kind| slots.next().filter(|slot| slot.kind == kind);
    match ty {
        Type::Bool => next(Kind::Bool).is_some(),
        Type::Int { .. } | Type::Integer | Type::Scalar { .. } => next(Kind::Int).is_some(),
        Type::Rational => {
            let numerator = next(Kind::Rational);
            let denominator = next(Kind::Rational);
            numerator.is_some() && denominator.is_some_and(|slot| slot.initial > 0)
        }
        Type::Array { element, length, .. } => (0..*length).all(|_| fits(element, slots)),
        Type::Record(fields) => fields.iter().all(|(_, field)| fits(field, slots)),
    }
}

fn check_slot(slot: &Slot, span: Span, diagnostics: &mut Diagnostics) {
    let initial = slot.initial;
    if slot.kind == Kind::Bool && !(0..=1).contains(&initial) {
        let message = format!("the initial value {initial} of `{}` is no truth value", slot.name);
        complain(diagnostics, "initial-value", span, message);
    }
    let Some(range) = slot.range else { return };
    if range.min > range.max {
        let message =
            format!("the range [{},{}] of `{}` is empty", range.min, range.max, slot.name);
        complain(diagnostics, "empty-range", span, message);
    } else if initial < range.min || initial > range.max {
        let message = format!(
            "the initial value {initial} of `{}` lies outside its range [{},{}]",
            slot.name, range.min, range.max
        );
        diagnostics.push(Diagnostic::error("initial-value", span, message));
    }
}

fn check_channels(network: &Network, diagnostics: &mut Diagnostics) {
    for channel in &network.channels {
        if !channel.parameters.iter().all(Type::is_scalar_value) {
            let message = format!("a parameter of `{}` is not a single value", channel.name);
            complain(diagnostics, "channel-parameter", channel.span, message);
        }
        let empty = |ty: &Type| ty.bounds().is_some_and(|(min, max)| min > max);
        if channel.parameters.iter().any(empty) {
            let message = format!("a parameter of `{}` admits no value", channel.name);
            complain(diagnostics, "empty-range", channel.span, message);
        }
        if channel.open && channel.direction.is_none() {
            let message = format!("the channel `{}` is open but has no direction", channel.name);
            complain(diagnostics, "open-channel", channel.span, message);
        }
    }
    let observer = network.observing.as_ref().map(|observing| observing.process);
    for (id, process) in network.processes.iter_ids() {
        if Some(id) == observer {
            continue;
        }
        for edge in &process.edges {
            let (channel_use, sends) = match &edge.label {
                Label::Send(channel_use) => (channel_use, true),
                Label::Receive(channel_use) => (channel_use, false),
                _ => continue,
            };
            // For an array the first element speaks for all.
            let Some(channel) = network.channels.get(channel_use.channel) else { continue };
            if !channel.open {
                continue;
            }
            let name = &channel.name;
            let problem = match (process.role, channel.direction) {
                (Role::Environment, _) => {
                    "is used by the environment, so the tester is not its partner"
                }
                (Role::System, Some(Direction::Input)) if sends => {
                    "is an input of the system, but the system sends on it"
                }
                (Role::System, Some(Direction::Output)) if !sends && !channel.broadcast => {
                    "is an output of the system, but the system receives on it"
                }
                _ => continue,
            };
            diagnostics.push(
                Diagnostic::error("open-channel", edge.span, format!("`{name}` {problem}"))
                    .also(channel.span, "declared here")
                    .help("make one of the processes part of the environment, or the channel internal"),
            );
        }
    }
}

fn check_syncs(network: &Network, diagnostics: &mut Diagnostics) {
    for sync in &network.syncs {
        let mut say = |message: String| complain(diagnostics, "sync-vector", sync.span, message);
        if sync.parts.is_empty() {
            say("a synchronisation vector needs at least one part".into());
        }
        let twice = |(position, part): (usize, &SyncPart)| {
            sync.parts[..position].iter().any(|earlier| earlier.process == part.process)
        };
        if sync.parts.iter().enumerate().any(twice) {
            say("a process takes part twice in a synchronisation vector".into());
        }
        for part in &sync.parts {
            if network.processes.get(part.process).is_none() {
                say(format!("a synchronisation vector names the unknown {}", part.process));
            }
            if network.actions.get(part.action).is_none() {
                say(format!("a synchronisation vector names the unknown {}", part.action));
            }
        }
        let Some(shown) = sync.shown else { continue };
        match network.channels.get(shown) {
            None => say(format!("a synchronisation vector shows the unknown {shown}")),
            Some(channel) if channel.direction.is_none() => {
                say(format!("the shown channel `{}` has no direction", channel.name));
            }
            Some(channel) if !channel.parameters.is_empty() => {
                say(format!("the shown channel `{}` has parameters", channel.name));
            }
            Some(_) => {}
        }
    }
}

/// How many clocks a process may use: the network's, and a purpose's own.
pub(super) fn clock_exists(count: usize, clock: ClockId, length: u32) -> bool {
    (clock.0 as usize).saturating_add(length as usize) <= count
}
