//! What decides, in a state, which steps there are: the formulas of all guards, arguments and invariants.

use std::collections::BTreeMap;

use tioga_base::{Id, Span};
use tioga_model::{
    ChannelId, ChannelUse, Condition, Direction, DiscreteState, Edge, Label, Model, ProcessId, Type,
};
use tioga_terms::{Decide, Formula, Term};

use crate::alphabet::Alphabet;
use crate::interpreter::{Interpreter, Symbolic, Way};
use crate::run::Stop;

/// The formulas that decide, without those that are constant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decisions {
    /// Over variables only.
    pub(crate) state: Vec<Formula>,
    /// Over variables and what an input carries.
    pub(crate) inputs: BTreeMap<ChannelId, Vec<Formula>>,
}

/// A message that may be exchanged: its channel and what it carries.
struct Message {
    channel: ChannelId,
    frame: Vec<Term>,
    given: Formula,
}

/// Collects the decisions of a state.
pub(crate) struct Collector<'c> {
    pub(crate) model: &'c Model,
    pub(crate) alphabet: &'c Alphabet,
    pub(crate) solver: &'c mut dyn Decide,
    /// Further conditions that are asked about.
    pub(crate) asked: &'c [Condition],
    found: Decisions,
}

impl<'c> Collector<'c> {
    pub(crate) fn new(
        model: &'c Model,
        alphabet: &'c Alphabet,
        solver: &'c mut dyn Decide,
        asked: &'c [Condition],
    ) -> Self {
        Self { model, alphabet, solver, asked, found: Decisions::default() }
    }

    /// All that decides in the states of a skeleton in which `given` holds.
    pub(crate) fn collect(
        self,
        skeleton: &DiscreteState,
        given: &Formula,
    ) -> Result<Decisions, Stop> {
        let data = self.alphabet.data(skeleton);
        self.collect_from(skeleton, &data, given)
    }

    /// The same with these data.
    pub(crate) fn collect_from(
        mut self,
        skeleton: &DiscreteState,
        data: &[Term],
        given: &Formula,
    ) -> Result<Decisions, Stop> {
        let model = self.model;
        let state = Symbolic { locations: &skeleton.locations, data };
        for (process, location) in model.processes.iter().zip(&skeleton.locations) {
            let location = &process.locations[*location];
            self.condition(given, state, &[], 0, &location.invariant, location.span)?;
        }
        for condition in self.asked {
            self.condition(given, state, &[], 0, condition, Span::default())?;
        }
        let mut messages = Vec::new();
        let observer = model.observing.as_ref().map(|observing| observing.process);
        for (process, edge) in self.edges(skeleton) {
            if Some(process) == observer {
                continue;
            }
            match &edge.label {
                Label::Silent | Label::Plain(_) => {
                    self.condition(given, state, &[], edge.frame, &edge.guard, edge.span)?;
                }
                Label::Send(used) => {
                    self.condition(given, state, &[], edge.frame, &edge.guard, edge.span)?;
                    self.send(given, state, &[], edge, used, &mut messages)?;
                }
                Label::Receive(used) => {
                    self.receive(given, state, edge, used, &mut messages)?;
                }
            }
        }
        for message in &messages {
            for (process, edge) in self.edges(skeleton) {
                let observes = Some(process) == observer;
                let named = match &edge.label {
                    Label::Receive(used) => used.covers(message.channel),
                    Label::Send(used) => observes && used.covers(message.channel),
                    Label::Silent | Label::Plain(_) => false,
                };
                let open = self.is_open_input(message.channel);
                if named && (observes || !open) {
                    let Message { frame, given, .. } = message;
                    self.condition(given, state, frame, edge.frame, &edge.guard, edge.span)?;
                }
            }
        }
        if let Some(observer) = observer {
            for (process, edge) in self.edges(skeleton) {
                if process == observer && matches!(edge.label, Label::Silent | Label::Plain(_)) {
                    self.condition(given, state, &[], edge.frame, &edge.guard, edge.span)?;
                }
            }
        }
        Ok(self.found)
    }

    fn edges(&self, skeleton: &DiscreteState) -> Vec<(ProcessId, &'c Edge)> {
        let mut edges = Vec::new();
        for (id, process) in self.model.processes.iter_ids() {
            let outgoing = &process.outgoing[skeleton.location(id)];
            edges.extend(outgoing.iter().map(|edge| (id, &process.edges[*edge])));
        }
        edges
    }

    fn is_open_input(&self, channel: ChannelId) -> bool {
        let channel = &self.model.channels[channel];
        channel.open && channel.direction == Some(Direction::Input)
    }

    /// What an edge receives from the tester, and what it replies.
    fn receive(
        &mut self,
        given: &Formula,
        state: Symbolic<'_>,
        edge: &Edge,
        used: &ChannelUse,
        messages: &mut Vec<Message>,
    ) -> Result<(), Stop> {
        self.channel(given, state, &[], edge, used)?;
        for channel in covered(used) {
            if !self.is_open_input(channel) {
                continue;
            }
            for frame in frames(self.model, self.alphabet, channel) {
                self.condition(given, state, &frame, edge.frame, &edge.guard, edge.span)?;
                if let Some(reply) = &edge.reply {
                    self.send(given, state, &frame, edge, reply, messages)?;
                }
                messages.push(Message { channel, frame, given: given.clone() });
            }
        }
        Ok(())
    }

    fn send(
        &mut self,
        given: &Formula,
        state: Symbolic<'_>,
        frame: &[Term],
        edge: &Edge,
        used: &ChannelUse,
        messages: &mut Vec<Message>,
    ) -> Result<(), Stop> {
        self.channel(given, state, frame, edge, used)?;
        let model = self.model;
        for channel in covered(used) {
            let types = &model.channels[channel].parameters;
            let ways = self.interpreter().arguments(given, state, frame, edge, used, types);
            for way in self.ways(ways)? {
                let frame = widened(way.1, types);
                messages.push(Message { channel, frame, given: given.clone().and(way.0) });
            }
        }
        Ok(())
    }

    fn channel(
        &mut self,
        given: &Formula,
        state: Symbolic<'_>,
        frame: &[Term],
        edge: &Edge,
        used: &ChannelUse,
    ) -> Result<(), Stop> {
        if used.index.is_some() {
            let ways = self.interpreter().channel(given, state, frame, edge, used);
            self.ways(ways)?;
        }
        Ok(())
    }

    fn condition(
        &mut self,
        given: &Formula,
        state: Symbolic<'_>,
        frame: &[Term],
        size: u32,
        condition: &Condition,
        span: Span,
    ) -> Result<(), Stop> {
        if condition.is_always() {
            return Ok(());
        }
        let ways = self.interpreter().condition(given, state, frame, size, condition, span);
        for (_, alternatives) in self.ways(ways)? {
            for (data, _) in alternatives {
                self.note(data);
            }
        }
        Ok(())
    }

    fn interpreter(&mut self) -> Interpreter<'_> {
        Interpreter::new(self.model, &self.alphabet.symbols, self.solver)
    }

    /// The ways that come to a result; those that fault only decide.
    fn ways<T>(&mut self, ways: Vec<Way<T>>) -> Result<Vec<(Formula, T)>, Stop> {
        let mut results = Vec::new();
        for way in ways {
            self.note(way.condition.clone());
            match way.outcome {
                Ok(result) => results.push((way.condition, result)),
                Err(stop @ Stop::Beyond(..)) => return Err(stop),
                Err(Stop::Fault(_) | Stop::OutOfRange(..)) => {}
            }
        }
        Ok(results)
    }

    fn note(&mut self, formula: Formula) {
        if matches!(formula, Formula::True | Formula::False) {
            return;
        }
        let symbols = formula.symbols();
        let carries = |ids: &Vec<_>| ids.iter().any(|id| symbols.contains(id));
        let channel = self.alphabet.inputs.iter().find(|(_, ids)| carries(ids));
        let list = match channel {
            Some((channel, _)) => self.found.inputs.entry(*channel).or_default(),
            None => &mut self.found.state,
        };
        if !list.contains(&formula) {
            list.push(formula);
        }
    }
}

/// The channels that a use may mean.
pub(crate) fn covered(used: &ChannelUse) -> impl Iterator<Item = ChannelId> + use<> {
    let length = used.index.map_or(1, |(_, length)| length);
    let first = used.channel.index();
    (first..first + length as usize).map(ChannelId::from_index)
}

/// Values as they fill a frame: a rational takes two slots.
pub(crate) fn widened(values: Vec<Term>, types: &[Type]) -> Vec<Term> {
    let mut frame = Vec::new();
    for (value, ty) in values.into_iter().zip(types) {
        frame.push(value);
        if *ty == Type::Rational {
            frame.push(Term::int(1));
        }
    }
    frame
}

/// What an open input may carry: symbols, or each combination if there are few.
fn frames(model: &Model, alphabet: &Alphabet, channel: ChannelId) -> Vec<Vec<Term>> {
    if let Some(frame) = alphabet.frame(channel, model) {
        return vec![frame];
    }
    let mut frames = vec![Vec::new()];
    for ty in &model.channels[channel].parameters {
        let Some((min, max)) = ty.bounds() else { return Vec::new() };
        let longer = |frame: &Vec<Term>| {
            let values = (min..=max).map(Term::int);
            values.map(|value| [&frame[..], &[value]].concat()).collect::<Vec<_>>()
        };
        frames = frames.iter().flat_map(longer).collect();
    }
    frames
}
