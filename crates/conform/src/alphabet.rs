//! The alphabets of two models: channels are the same if their names are, and both models must have
//! the same channels, the same way round, with the same parameters.

use tioga_base::{Diagnostic, Diagnostics, Id};
use tioga_model::{Channel, ChannelId, Direction, Label, LocationId, Model, Process, Role};

/// Why two models cannot be compared: what crosses the interface of one and not of the other, or
/// differently. None if there is nothing in the way.
pub fn mismatches(implementation: &Model, specification: &Model) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let named = [("implementation", implementation), ("specification", specification)];
    environments(implementation, specification, &mut diagnostics);
    for (name, model) in named {
        enclosed(name, model, &mut diagnostics);
        if interface(model).next().is_none() {
            let message = format!("the {name} has no inputs and no outputs");
            let diagnostic = Diagnostic::global("no-interface", message);
            diagnostics.push(diagnostic.help("say which channels cross its interface"));
        }
    }
    units(implementation, specification, &mut diagnostics);
    if diagnostics.has_errors() {
        return diagnostics;
    }
    let mut complained = None;
    for channel in interface(implementation) {
        match interface(specification).find(|other| other.name == channel.name) {
            // The channels of an array are declared together.
            None if complained == Some(channel.span) => {}
            None => {
                diagnostics.push(missing(channel, "specification", specification));
                complained = Some(channel.span);
            }
            Some(other) => differences(channel, other, &mut diagnostics),
        }
    }
    complained = None;
    for channel in interface(specification) {
        let lacking = interface(implementation).all(|other| other.name != channel.name);
        if lacking && complained != Some(channel.span) {
            diagnostics.push(missing(channel, "implementation", implementation));
            complained = Some(channel.span);
        }
    }
    diagnostics
}

/// For each channel of `model`, the one of the same name of `other`; itself where there is none,
/// which concerns channels inside the model only.
pub(crate) fn translation(model: &Model, other: &Model) -> Vec<ChannelId> {
    let found = |channel: &Channel| {
        let mut fitting = other.channels.iter_ids().filter(|(_, other)| other.direction.is_some());
        fitting.find(|(_, other)| other.name == channel.name).map(|(id, _)| id)
    };
    let channels = model.channels.iter_ids();
    channels.map(|(id, channel)| found(channel).unwrap_or(ChannelId(id.index() as u32))).collect()
}

fn interface(model: &Model) -> impl Iterator<Item = &Channel> {
    model.channels.iter().filter(|channel| channel.direction.is_some())
}

fn environment(model: &Model) -> impl Iterator<Item = &Process> {
    model.processes.iter().filter(|process| process.role == Role::Environment)
}

/// Whether a model brings its environment along.
pub(crate) fn has_environment(model: &Model) -> bool {
    environment(model).next().is_some()
}

/// An environment of the implementation restricts what it is asked, which is fine. One of the
/// specification restricts what may happen, and must restrict the implementation, too.
fn environments(implementation: &Model, specification: &Model, diagnostics: &mut Diagnostics) {
    for process in environment(specification) {
        let partner = environment(implementation).find(|other| other.name == process.name);
        let name = &process.name;
        let (span, what) = match partner {
            None => (process.span, "belongs to the environment of the specification only"),
            Some(other) if shape(implementation, other) != shape(specification, process) => {
                (other.span, "of the environment differs between the models")
            }
            Some(_) => continue,
        };
        diagnostics.push(
            Diagnostic::error("closed-model", span, format!("the process `{name}` {what}"))
                .note("a model with an environment is compared within the same environment")
                .help("write the same environment processes into both models, or into neither"),
        );
    }
}

/// What an environment process looks like: its locations, and the actions of its edges.
fn shape<'m>(model: &'m Model, process: &'m Process) -> impl PartialEq + use<'m> {
    let place = |location: &LocationId| process.locations[*location].name.as_str();
    let edges = process.edges.iter().map(|edge| {
        let action = match &edge.label {
            Label::Send(used) => Some((true, model.channels[used.channel].name.as_str())),
            Label::Receive(used) => Some((false, model.channels[used.channel].name.as_str())),
            _ => None,
        };
        (place(&edge.source), place(&edge.target), action)
    });
    let locations: Vec<&str> =
        process.locations.iter().map(|location| location.name.as_str()).collect();
    (place(&process.initial), locations, edges.collect::<Vec<_>>())
}

/// Complains about an interface whose other side is part of the model and not said to be one.
fn enclosed(name: &str, model: &Model, diagnostics: &mut Diagnostics) {
    if has_environment(model) {
        return;
    }
    let Some(channel) = interface(model).find(|channel| !channel.open) else { return };
    let message = format!("the {name} has an environment");
    diagnostics.push(
        Diagnostic::error("closed-model", channel.span, message)
            .note("conformance compares systems, each with the tester as its partner")
            .help("say which processes belong to the environment, or leave them out"),
    );
}

fn units(implementation: &Model, specification: &Model, diagnostics: &mut Diagnostics) {
    let (Some(one), Some(other)) = (implementation.time_unit, specification.time_unit) else {
        return;
    };
    if one != other {
        let message = format!(
            "time is in {} {} in the implementation and in {} {} in the specification",
            one.amount,
            one.unit.name(),
            other.amount,
            other.unit.name(),
        );
        let diagnostic = Diagnostic::global("different-units", message);
        diagnostics.push(diagnostic.help("write both models in the same unit of time"));
    }
}

fn missing(channel: &Channel, side: &str, model: &Model) -> Diagnostic {
    let kind = direction(channel);
    let message = format!("the {side} has no {kind} `{}`", channel.name);
    let diagnostic = Diagnostic::error("different-alphabets", channel.span, message)
        .note("the models must have the same inputs and outputs; channels are matched by name");
    let names = interface(model).map(|other| other.name.as_str());
    match tioga_base::closest(&channel.name, names) {
        Some(near) => diagnostic.help(format!("the {side} has `{near}`")),
        None => diagnostic.help(format!("declare the {kind} there, if only for completeness")),
    }
}

fn differences(channel: &Channel, other: &Channel, diagnostics: &mut Diagnostics) {
    let name = &channel.name;
    if channel.direction != other.direction {
        let (one, two) = (direction(channel), direction(other));
        let message =
            format!("`{name}` is an {one} of the implementation and an {two} of the specification");
        let diagnostic = Diagnostic::error("different-alphabets", channel.span, message);
        diagnostics.push(diagnostic.also(other.span, format!("declared as an {two} here")));
    } else if channel.parameters != other.parameters {
        let message = format!(
            "`{name}` carries ({}) in the implementation and ({}) in the specification",
            types(channel),
            types(other),
        );
        let diagnostic = Diagnostic::error("different-alphabets", channel.span, message);
        diagnostics.push(diagnostic.also(other.span, "declared differently here"));
    }
}

fn types(channel: &Channel) -> String {
    channel.parameters.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn direction(channel: &Channel) -> &'static str {
    match channel.direction {
        Some(Direction::Input) => "input",
        _ => "output",
    }
}
