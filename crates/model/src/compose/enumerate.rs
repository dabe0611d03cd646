//! The enumeration of joint steps; the rules are in the module above.

use smallvec::SmallVec;

use super::joint::{Part, expand};
use super::values::check_values;
use super::{Awaiting, ClockGuard, Composer, Hidden, Participant, Step, StepLabel, Steps};
use crate::{
    ChannelId, ChannelUse, Control, Direction, DiscreteState, EdgeId, EvalFault, Label, ProcessId,
    SyncPart, SyncVector, Values,
};

impl Composer<'_> {
    /// Fills `steps` with the joint steps of a state, in a fixed order.
    ///
    /// Pre: the state has a location for each process and a value for each slot.
    /// Post: every step possible for some clock values is in `steps.list`, or comes from an entry
    /// of `steps.awaiting`; each participant's data guard holds.
    pub fn steps(&mut self, state: &DiscreteState, steps: &mut Steps) {
        steps.clear();
        let model = self.model;
        let committed = self.is_committed(state);
        let observer = model.observing.as_ref().map(|observing| observing.process);
        for (process, automaton) in model.processes.iter_ids() {
            if Some(process) == observer {
                continue;
            }
            let location = state.location(process);
            for &edge in &automaton.outgoing[location] {
                if let Err(fault) = self.edge_steps(state, committed, process, edge, steps) {
                    steps.faults.push(fault);
                }
            }
        }
        for &channel in &model.index().open_broadcasts {
            self.open_broadcast(state, committed, channel, steps);
        }
        for (position, sync) in model.syncs.iter().enumerate() {
            self.sync_vector(state, committed, position, sync, steps);
        }
        self.observe(state, steps, 0);
    }

    /// Adds the steps in which an open input listed in [`Steps::awaiting`] carries these values.
    ///
    /// Pre: `awaiting` was enumerated for this state.
    pub fn supply(
        &mut self,
        state: &DiscreteState,
        awaiting: Awaiting,
        arguments: &[i64],
        steps: &mut Steps,
    ) {
        let committed = self.is_committed(state);
        let before = steps.list.len();
        let result =
            check_values(&self.model.channels[awaiting.channel], arguments).and_then(|()| {
                match awaiting.receiver {
                    Some((process, edge)) => {
                        self.receive_alone(state, process, edge, awaiting.channel, arguments, steps)
                    }
                    None => {
                        self.broadcast_values(state, committed, awaiting.channel, arguments, steps);
                        Ok(())
                    }
                }
            });
        if let Err(fault) = result {
            steps.faults.push(fault);
        }
        self.observe(state, steps, before);
    }

    /// The steps an edge starts.
    fn edge_steps(
        &mut self,
        state: &DiscreteState,
        committed: bool,
        process: ProcessId,
        edge_id: EdgeId,
        steps: &mut Steps,
    ) -> Result<(), EvalFault> {
        let model = self.model;
        let edge = &model.processes[process].edges[edge_id];
        let alone = !committed || self.in_committed(state, process);
        match &edge.label {
            Label::Silent if alone => {
                let label = StepLabel::Internal(Hidden::Silent);
                self.alone(state, process, edge_id, label, steps)
            }
            Label::Plain(action) if alone && !model.index().is_bound(process, *action) => {
                let label = StepLabel::Internal(Hidden::Action(*action));
                self.alone(state, process, edge_id, label, steps)
            }
            Label::Receive(channel_use) if alone => {
                let channel = self.channel(state, channel_use, edge, &[])?;
                let declared = &model.channels[channel];
                if !declared.open || declared.broadcast {
                    return Ok(());
                }
                self.each_value(state, channel, |this, values| {
                    this.receive_alone(state, process, edge_id, channel, values, steps)
                })
                .unwrap_or_else(|| {
                    let receiver = Some((process, edge_id));
                    steps.awaiting.push(Awaiting { channel, receiver });
                    Ok(())
                })
            }
            Label::Send(channel_use) => {
                self.send(state, committed, process, edge_id, channel_use, steps)
            }
            _ => Ok(()),
        }
    }

    fn alone(
        &mut self,
        state: &DiscreteState,
        process: ProcessId,
        edge: EdgeId,
        label: StepLabel,
        steps: &mut Steps,
    ) -> Result<(), EvalFault> {
        let guard = self.guard(state, process, edge, &[])?;
        if !guard.is_never() {
            let mut step = self.seed(label, process, edge);
            step.guard = guard;
            step.participants.push(Participant { process, edge, receives: false });
            steps.list.push(step);
        }
        Ok(())
    }

    /// An open input, with the output of a Mealy step if there is one.
    fn receive_alone(
        &mut self,
        state: &DiscreteState,
        process: ProcessId,
        edge_id: EdgeId,
        channel: ChannelId,
        arguments: &[i64],
        steps: &mut Steps,
    ) -> Result<(), EvalFault> {
        let guard = self.guard(state, process, edge_id, arguments)?;
        if guard.is_never() {
            return Ok(());
        }
        let model = self.model;
        let edge = &model.processes[process].edges[edge_id];
        let mut label = self.shown(channel);
        let mut reply_values = Values::new();
        if let Some(reply) = &edge.reply {
            let output = self.channel(state, reply, edge, arguments)?;
            reply_values = self.arguments(state, reply, output, edge, arguments)?;
            label = StepLabel::Exchange(channel, output);
        }
        let mut step = self.seed(label, process, edge_id);
        step.arguments = Values::from_slice(arguments);
        step.reply = reply_values;
        step.guard = guard;
        step.participants.push(Participant { process, edge: edge_id, receives: true });
        steps.list.push(step);
        Ok(())
    }

    fn send(
        &mut self,
        state: &DiscreteState,
        committed: bool,
        process: ProcessId,
        edge_id: EdgeId,
        channel_use: &ChannelUse,
        steps: &mut Steps,
    ) -> Result<(), EvalFault> {
        let model = self.model;
        let edge = &model.processes[process].edges[edge_id];
        let guard = self.guard(state, process, edge_id, &[])?;
        if guard.is_never() {
            return Ok(());
        }
        let channel = self.channel(state, channel_use, edge, &[])?;
        let declared = &model.channels[channel];
        let sender_committed = self.in_committed(state, process);
        let mut step = self.seed(self.shown(channel), process, edge_id);
        step.urgent = declared.urgent;
        step.guard = guard;
        step.participants.push(Participant { process, edge: edge_id, receives: false });
        step.arguments = self.arguments(state, channel_use, channel, edge, &[])?;
        if declared.broadcast {
            let arguments = step.arguments.clone();
            let parts = self.receivers(state, Some(process), channel, &arguments, steps);
            expand(&mut step, &parts, &self.committed_rule(state, committed), steps);
            return Ok(());
        }
        if declared.open {
            if !committed || sender_committed {
                steps.list.push(step);
            }
            return Ok(());
        }
        for &receiver in &model.index().receivers[channel] {
            let fits = !committed || sender_committed || self.in_committed(state, receiver);
            if receiver == process || !fits {
                continue;
            }
            for &edge in model.index().receiving(receiver, state.location(receiver)) {
                match self.receives(state, receiver, edge, channel, &step.arguments) {
                    Ok(Some(guard)) => {
                        let mut joint = step.clone();
                        joint.guard = joint.guard.and(&guard);
                        let process = receiver;
                        joint.participants.push(Participant { process, edge, receives: true });
                        steps.list.push(joint);
                    }
                    Ok(None) => {}
                    Err(fault) => steps.faults.push(fault),
                }
            }
        }
        Ok(())
    }

    fn open_broadcast(
        &mut self,
        state: &DiscreteState,
        committed: bool,
        channel: ChannelId,
        steps: &mut Steps,
    ) {
        let unrolled = self.each_value(state, channel, |this, values| {
            this.broadcast_values(state, committed, channel, values, steps);
            Ok(())
        });
        if unrolled.is_none() {
            steps.awaiting.push(Awaiting { channel, receiver: None });
        }
    }

    fn broadcast_values(
        &mut self,
        state: &DiscreteState,
        committed: bool,
        channel: ChannelId,
        arguments: &[i64],
        steps: &mut Steps,
    ) {
        let parts = self.receivers(state, None, channel, arguments, steps);
        if parts.is_empty() {
            return;
        }
        let mut step = Step::new(self.shown(channel), Control::Controllable);
        step.arguments = Values::from_slice(arguments);
        expand(&mut step, &parts, &self.committed_rule(state, committed), steps);
    }

    /// The processes other than the sender that may receive a broadcast, with their edges.
    fn receivers(
        &mut self,
        state: &DiscreteState,
        sender: Option<ProcessId>,
        channel: ChannelId,
        arguments: &[i64],
        steps: &mut Steps,
    ) -> Vec<Part> {
        let model = self.model;
        let mut parts = Vec::new();
        for &process in &model.index().receivers[channel] {
            if Some(process) == sender {
                continue;
            }
            let mut options = SmallVec::new();
            for &edge in model.index().receiving(process, state.location(process)) {
                match self.receives(state, process, edge, channel, arguments) {
                    Ok(Some(guard)) => options.push((edge, guard)),
                    Ok(None) => {}
                    Err(fault) => steps.faults.push(fault),
                }
            }
            if !options.is_empty() {
                parts.push(Part { process, options, weak: true, receives: true });
            }
        }
        parts
    }

    /// The clock guard of an edge if it receives on this channel and its data guard may hold.
    fn receives(
        &mut self,
        state: &DiscreteState,
        process: ProcessId,
        edge_id: EdgeId,
        channel: ChannelId,
        arguments: &[i64],
    ) -> Result<Option<ClockGuard>, EvalFault> {
        let model = self.model;
        let edge = &model.processes[process].edges[edge_id];
        let Label::Receive(channel_use) = &edge.label else { return Ok(None) };
        if !channel_use.covers(channel) || self.channel(state, channel_use, edge, &[])? != channel {
            return Ok(None);
        }
        let guard = self.guard(state, process, edge_id, arguments)?;
        Ok((!guard.is_never()).then_some(guard))
    }

    fn sync_vector(
        &mut self,
        state: &DiscreteState,
        committed: bool,
        position: usize,
        sync: &SyncVector,
        steps: &mut Steps,
    ) {
        let model = self.model;
        let edges = |part: &SyncPart| {
            model.index().labelled(part.process, state.location(part.process), part.action)
        };
        // Most vectors fail here, before any guard is looked at.
        if sync.parts.iter().any(|part| !part.weak && edges(part).is_empty()) {
            return;
        }
        let mut parts = SmallVec::<[Part; 4]>::new();
        for part in &sync.parts {
            let process = part.process;
            let mut options = SmallVec::new();
            for &edge in edges(part) {
                match self.guard(state, process, edge, &[]) {
                    Ok(guard) if guard.is_never() => {}
                    Ok(guard) => options.push((edge, guard)),
                    Err(fault) => steps.faults.push(fault),
                }
            }
            if options.is_empty() && !part.weak {
                return;
            }
            parts.push(Part { process, options, weak: part.weak, receives: false });
        }
        let label = match sync.shown {
            Some(channel) => self.shown(channel),
            None => StepLabel::Internal(Hidden::Sync(position as u32)),
        };
        // The first part with an edge stands for the one who starts the step.
        let first = sync.parts.iter().zip(&parts).filter(|(_, part)| !part.options.is_empty());
        let starter = first.min_by_key(|(declared, _)| declared.weak);
        let Some((_, starter)) = starter else { return };
        let mut step = self.seed(label, starter.process, starter.options[0].0);
        step.urgent = sync.shown.is_some_and(|channel| model.channels[channel].urgent);
        expand(&mut step, &parts, &self.committed_rule(state, committed), steps);
    }

    /// A step with no participant yet, controlled as `edge` is unless the interface decides.
    fn seed(&self, label: StepLabel, process: ProcessId, edge: EdgeId) -> Step {
        let control = match label {
            StepLabel::Input(_) | StepLabel::Exchange(..) => Control::Controllable,
            StepLabel::Output(_) => Control::Uncontrollable,
            StepLabel::Internal(_) => self.model.processes[process].edges[edge].control,
        };
        Step::new(label, control)
    }

    fn shown(&self, channel: ChannelId) -> StepLabel {
        match self.model.channels[channel].direction {
            Some(Direction::Input) => StepLabel::Input(channel),
            Some(Direction::Output) => StepLabel::Output(channel),
            None => StepLabel::Internal(Hidden::Channel(channel)),
        }
    }

    fn in_committed(&self, state: &DiscreteState, process: ProcessId) -> bool {
        self.model.processes[process].locations[state.location(process)].marks.committed
    }

    fn committed_rule(&self, state: &DiscreteState, committed: bool) -> impl Fn(&Step) -> bool {
        move |step| {
            let mut participants = step.participants.iter();
            !committed || participants.any(|one| self.in_committed(state, one.process))
        }
    }
}

impl Step {
    fn new(label: StepLabel, control: Control) -> Self {
        Self {
            participants: SmallVec::new(),
            label,
            arguments: Values::new(),
            reply: Values::new(),
            guard: ClockGuard::always(),
            blocked: SmallVec::new(),
            urgent: false,
            control,
        }
    }
}
