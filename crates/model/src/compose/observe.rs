//! The part of an observing purpose in the steps of a network.

use smallvec::SmallVec;

use super::joint::{Part, expand};
use super::{ClockGuard, Composer, Hidden, Participant, Step, StepLabel, Steps};
use crate::{ActionId, ChannelId, DiscreteState, EdgeId, EvalFault, Label};

impl Composer<'_> {
    /// Lets the observing purpose, if there is one, take part in the steps from a position on.
    pub(super) fn observe(&mut self, state: &DiscreteState, steps: &mut Steps, from: usize) {
        let model = self.model;
        let Some(observing) = &model.observing else { return };
        let process = observing.process;
        let location = state.location(process);
        for mut step in steps.list.split_off(from) {
            let mut options: SmallVec<[(EdgeId, ClockGuard); 2]> = SmallVec::new();
            let restart = observing.restart.as_ref().filter(|(label, _)| {
                matches!(label, Label::Send(used) | Label::Receive(used)
                    if used.index.is_none() && shows(&step, used.channel))
            });
            if let Some((_, edges)) = restart {
                options.push((edges[location], ClockGuard::always()));
            } else {
                for &edge in &model.processes[process].outgoing[location] {
                    let added = observing.otherwise[location] == Some(edge)
                        || observing.restart.as_ref().is_some_and(|(_, all)| all[location] == edge);
                    if added {
                        continue;
                    }
                    match self.observed(state, edge, &step) {
                        Ok(Some(guard)) => options.push((edge, guard)),
                        Ok(None) => {}
                        Err(fault) => steps.faults.push(fault),
                    }
                }
            }
            let start = steps.list.len();
            let part = Part { process, options, weak: true, receives: true };
            expand(&mut step, &[part], &|_: &Step| true, steps);
            if let Some(edge) = observing.otherwise[location] {
                for step in &mut steps.list[start..] {
                    if step.participants.iter().all(|one| one.process != process) {
                        step.participants.push(Participant { process, edge, receives: false });
                    }
                }
            }
        }
    }

    /// The clock guard of an edge of the purpose if it names what a step shows.
    fn observed(
        &mut self,
        state: &DiscreteState,
        edge_id: EdgeId,
        step: &Step,
    ) -> Result<Option<ClockGuard>, EvalFault> {
        let model = self.model;
        let Some(observing) = &model.observing else { return Ok(None) };
        let edge = &model.processes[observing.process].edges[edge_id];
        let named = match &edge.label {
            Label::Silent => step.label == StepLabel::Internal(Hidden::Silent),
            Label::Plain(action) => self.is_called(step, *action),
            Label::Send(used) | Label::Receive(used) => match channels(step) {
                (Some(channel), other) => {
                    let mut named = false;
                    for one in [Some(channel), other].into_iter().flatten() {
                        named |= used.covers(one) && self.channel(state, used, edge, &[])? == one;
                    }
                    named
                }
                (None, _) => false,
            },
        };
        if !named {
            return Ok(None);
        }
        let guard = self.guard(state, observing.process, edge_id, &step.arguments)?;
        Ok((!guard.is_never()).then_some(guard))
    }

    /// Whether a step is an internal action of this name, or one that several processes share.
    fn is_called(&self, step: &Step, action: ActionId) -> bool {
        match step.label {
            StepLabel::Internal(Hidden::Action(own)) => own == action,
            StepLabel::Internal(Hidden::Sync(_)) => step.participants.iter().any(|one| {
                let edge = &self.model.processes[one.process].edges[one.edge];
                edge.label == Label::Plain(action)
            }),
            _ => false,
        }
    }
}

/// The channels that a step is about: that of the communication, and that of a reply.
fn channels(step: &Step) -> (Option<ChannelId>, Option<ChannelId>) {
    match step.label {
        StepLabel::Input(channel)
        | StepLabel::Output(channel)
        | StepLabel::Internal(Hidden::Channel(channel)) => (Some(channel), None),
        StepLabel::Exchange(input, output) => (Some(input), Some(output)),
        StepLabel::Internal(_) => (None, None),
    }
}

fn shows(step: &Step, channel: ChannelId) -> bool {
    let (one, other) = channels(step);
    one == Some(channel) || other == Some(channel)
}
