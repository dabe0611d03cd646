//! Observability: whether every edge of a process shows an action of the interface.
//!
//! In testing, an internal step makes the state after a trace uncertain even where guards are
//! disjoint: HJM22 2.1 defines determinism for observable actions, so this is reported on its own.

use tioga_base::Id;

use super::subject::{Findings, Subject, edge_witness};
use super::verdict::PropertyVerdict;
use crate::{ActionId, ChannelId, ChannelUse, Edge, Label};

pub(super) fn decide(subject: &Subject<'_>) -> PropertyVerdict {
    let mut findings = Findings::default();
    for (id, edge) in subject.process.edges.iter_ids() {
        let Some(reason) = hidden(subject, edge) else { continue };
        let description = subject.describe(edge);
        let sentence = format!("{description} is an internal step: {reason}");
        let short = subject.describe(edge);
        findings.fail(edge_witness(subject, id, sentence, "not observable"), short);
    }
    findings.verdict()
}

/// Why an edge shows nothing, if so.
fn hidden(subject: &Subject<'_>, edge: &Edge) -> Option<String> {
    match &edge.label {
        Label::Silent => Some("it has no action".into()),
        Label::Plain(action) => hidden_label(subject, *action),
        Label::Send(used) | Label::Receive(used) => {
            let channel = hidden_channel(subject, used)?;
            let name = &subject.model.channels[channel].name;
            Some(format!("`{name}` is not part of the interface"))
        }
    }
}

fn hidden_label(subject: &Subject<'_>, action: ActionId) -> Option<String> {
    let name = &subject.model.actions[action].name;
    let takes_part = |sync: &&crate::SyncVector| {
        sync.parts.iter().any(|part| Some(part.process) == subject.id && part.action == action)
    };
    let mut syncs = subject.model.syncs.iter().filter(takes_part).peekable();
    if syncs.peek().is_none() {
        return Some(format!("the label `{name}` is not part of the interface"));
    }
    let hidden = syncs.any(|sync| sync.shown.is_none());
    hidden.then(|| format!("a synchronisation of `{name}` is not part of the interface"))
}

/// A channel the edge may use that does not cross the interface.
fn hidden_channel(subject: &Subject<'_>, used: &ChannelUse) -> Option<ChannelId> {
    let first = used.channel.index();
    let length = used.index.map_or(1, |(_, length)| length as usize);
    let channels = (first..first + length).map(ChannelId::from_index);
    channels.into_iter().find(|id| subject.model.channels[*id].direction.is_none())
}
