//! Models for which no game is needed, or only one answer to each challenge.

use tioga_base::Id;
use tioga_model::{
    ChannelUse, Label, Model, Property, PropertySubject, PropertyVerdict, StepLabel, Update,
    properties,
};

use crate::Resources;

/// Whether the text of the model's only process says that it is deterministic and hides nothing.
pub(crate) fn is_deterministic(model: &Model) -> bool {
    holds(model, &[Property::Deterministic, Property::Observable])
}

/// For event-recording automata, the clocks that each action resets, with the resources used: one
/// clock for each clock of the model, always with the same value (AFH94). Nothing if the resources
/// do not suffice.
pub(crate) fn event_recording(
    model: &Model,
    resources: Resources,
) -> Option<(Resources, Vec<(StepLabel, u32)>)> {
    let needed = Resources::of(model)?;
    let clocks = model.clocks.len();
    let suffices = resources.clocks >= clocks && resources.max_constant >= needed.max_constant;
    let simple = model.channels.iter().all(|channel| !channel.broadcast);
    let class = [
        Property::EventRecording,
        Property::Observable,
        Property::DataFree,
        // Where time stands still, a clock that nobody compares with would be needed.
        Property::UrgencyFree,
    ];
    if !suffices || !simple || !holds(model, &class) {
        return None;
    }
    let process = model.processes.iter().next()?;
    let mut resets: Vec<(StepLabel, u32)> = Vec::new();
    for edge in &process.edges {
        let label = label(&edge.label)?;
        let mut clocks = 0;
        for update in &edge.updates {
            if let Update::Clock(update) = update {
                clocks |= 1 << update.clock.clock.index();
            }
        }
        if edge.reply.is_some() {
            return None;
        }
        match resets.iter().find(|(known, _)| *known == label) {
            Some((_, known)) if *known != clocks => return None,
            Some(_) => {}
            None => resets.push((label, clocks)),
        }
    }
    Some((Resources { clocks, ..resources }, resets))
}

fn label(label: &Label) -> Option<StepLabel> {
    let plain = |used: &ChannelUse| used.index.is_none().then_some(used.channel);
    match label {
        Label::Receive(used) => plain(used).map(StepLabel::Input),
        Label::Send(used) => plain(used).map(StepLabel::Output),
        Label::Silent | Label::Plain(_) => None,
    }
}

fn holds(model: &Model, wanted: &[Property]) -> bool {
    model.processes.len() == 1
        && properties(model)
            .iter()
            .filter(|report| matches!(report.scope, PropertySubject::Process(_)))
            .filter(|report| wanted.contains(&report.property))
            .all(|report| report.verdict == PropertyVerdict::Holds)
}
