//! A run made by hand: one delay or step after the other, each of which can be undone.

use std::fmt;

use tioga_base::Rational;
use tioga_concrete::{
    Allowed, Choice, Error, Intervals, Observable, Record, Semantics, State, Trace, TraceEvent,
    observable, step_record,
};
use tioga_model::{Awaiting, Model};

use crate::games::play::earliest;

/// A run in the making.
pub struct HandRun<'m> {
    semantics: Semantics<'m>,
    /// Where it is.
    pub state: State,
    /// How long it took.
    pub time: Rational,
    /// What happened.
    pub trace: Trace,
    /// Where each change started: the state, the time and the length of the trace.
    past: Vec<(State, Rational, usize)>,
}

/// Why a run does not continue as requested. It stays unchanged.
#[derive(Debug)]
pub enum Refusal {
    /// There is no step of this number.
    NoStep(usize),
    /// The step comes only after these delays.
    NotThen(Intervals),
    /// Time cannot pass that long.
    NotThatLong,
    /// This input carries values, and none were given.
    NoValues(String),
    /// This input is not possible with these values.
    NotWithThese(String),
    /// The values do not fit.
    Values(String),
    /// The successor cannot be computed.
    Fault(Error),
    /// Nothing was done yet.
    NothingToUndo,
}

impl<'m> HandRun<'m> {
    /// A run that has not begun.
    ///
    /// # Errors
    /// If the model has no initial state.
    pub fn new(model: &'m Model) -> Result<Self, Error> {
        let mut semantics = Semantics::new(model);
        let state = semantics.initial()?;
        let trace = Trace { model: model.name.clone(), seed: None, records: Vec::new() };
        Ok(Self { semantics, state, time: Rational::ZERO, trace, past: Vec::new() })
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.semantics.model()
    }

    /// What is possible now.
    ///
    /// # Errors
    /// If that cannot be computed.
    pub fn options(&mut self) -> Result<Allowed, Error> {
        self.semantics.options(&self.state)
    }

    /// Takes the last change back.
    ///
    /// # Errors
    /// If there was none.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        let (state, time, length) = self.past.pop().ok_or(Refusal::NothingToUndo)?;
        (self.state, self.time) = (state, time);
        self.trace.records.truncate(length);
        Ok(())
    }

    /// Lets time pass.
    ///
    /// # Errors
    /// If it cannot pass that long.
    pub fn wait(&mut self, delay: Rational, options: &Allowed) -> Result<(), Refusal> {
        if !options.delays.contains(delay) {
            return Err(Refusal::NotThatLong);
        }
        self.change(|run| run.pass(delay))
    }

    /// Takes a step, numbered from one as [`Allowed`] lists them, inputs that await values last; after a
    /// delay, or as early as possible.
    ///
    /// # Errors
    /// If there is no such step, or not with these values or after this delay.
    pub fn take(
        &mut self,
        number: usize,
        values: Option<Vec<Rational>>,
        delay: Option<Rational>,
        options: &Allowed,
    ) -> Result<(), Refusal> {
        let index = number.wrapping_sub(1);
        let choice = match options.choices.get(index) {
            Some(choice) => choice.clone(),
            None => {
                let awaiting = options.awaiting.get(index.wrapping_sub(options.choices.len()));
                self.supplied(*awaiting.ok_or(Refusal::NoStep(number))?, values)?
            }
        };
        let delay = delay.unwrap_or_else(|| earliest(&choice.windows));
        if !choice.windows.contains(delay) {
            return Err(Refusal::NotThen(choice.windows));
        }
        self.change(|run| {
            run.pass(delay)?;
            run.state = run.semantics.step(&run.state, &choice.step)?;
            run.trace.records.push(Record::Step(step_record(run.semantics.model(), &choice.step)));
            Ok(())
        })
    }

    /// The step that takes an input with these values.
    fn supplied(
        &mut self,
        awaiting: Awaiting,
        values: Option<Vec<Rational>>,
    ) -> Result<Choice, Refusal> {
        let model = self.semantics.model();
        let name = model.channels[awaiting.channel].name.clone();
        let values = values.ok_or_else(|| Refusal::NoValues(name.clone()))?;
        let wanted = observable(model, &TraceEvent::Input(name.clone(), values))
            .map_err(|complaint| Refusal::Values(complaint.to_string()))?
            .ok_or_else(|| Refusal::NotWithThese(name.clone()))?;
        let options = self.semantics.options_for(&self.state, Some(&wanted));
        let fits = |choice: &Choice| {
            let takes = |(process, edge)| {
                let mut edges = choice.step.participants.iter();
                edges.any(|one| (one.process, one.edge) == (process, edge))
            };
            awaiting.receiver.is_none_or(takes)
                && Observable::of(&choice.step).as_ref() == Some(&wanted)
        };
        let mut choices = options.map_err(Refusal::Fault)?.choices.into_iter();
        choices.find(fits).ok_or(Refusal::NotWithThese(name))
    }

    fn pass(&mut self, delay: Rational) -> Result<(), Error> {
        if delay.is_zero() {
            return Ok(());
        }
        self.state = self.state.later(delay)?;
        self.time = self.time.add(delay)?;
        self.trace.records.push(Record::Delay(delay));
        Ok(())
    }

    /// Makes a change that can be undone; one that fails is undone at once.
    fn change(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Refusal> {
        self.past.push((self.state.clone(), self.time, self.trace.records.len()));
        change(self).or_else(|error| {
            self.undo()?;
            Err(Refusal::Fault(error))
        })
    }
}

impl fmt::Debug for HandRun<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HandRun").field("time", &self.time).field("state", &self.state).finish()
    }
}
