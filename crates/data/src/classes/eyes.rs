//! What can be asked about the steps of one model in a block: what they carry, what they do, and whether a
//! condition holds in the whole block.

use tioga_base::Rational;
use tioga_model::{
    ChannelId, Composer, DiscreteState, Hidden, Label, Model, Step, StepLabel, Steps,
};
use tioga_terms::{Assignment, Formula, SymbolId, Term};

use super::halt::{Halt, NoClasses};
use crate::alphabet::Alphabet;
use crate::decisions::widened;
use crate::interpreter::{Interpreter, Symbolic};
use crate::reason::{Asking, Reason, overflow};
use crate::run::Stop;

/// Looks at one model with a decision procedure.
pub(super) struct Eyes<'e, R: ?Sized> {
    pub(super) model: &'e Model,
    pub(super) alphabet: &'e Alphabet,
    pub(super) solver: &'e mut R,
}

impl<R: Reason> Eyes<'_, R> {
    /// The opposite of a formula.
    pub(super) fn opposite(&mut self, formula: &Formula) -> Result<Formula, Halt> {
        Ok(self.asking().opposite(formula)?)
    }

    fn asking(&mut self) -> Asking<'_, R> {
        Asking { symbols: &self.alphabet.symbols, solver: self.solver }
    }

    /// The steps with these values of an input.
    pub(super) fn supplied(
        &self,
        composer: &mut Composer<'_>,
        representative: &DiscreteState,
        steps: &Steps,
        channel: ChannelId,
        values: &[Rational],
    ) -> Vec<Step> {
        let message = self.alphabet.message(channel, self.model, values);
        let mut found = Steps::new();
        for awaiting in steps.awaiting.iter().filter(|one| one.channel == channel) {
            composer.supply(representative, *awaiting, &message, &mut found);
        }
        found.list
    }

    /// Values of an input in a cell, at a representative; nothing if the cell is empty in the whole block.
    pub(super) fn in_cell(
        &mut self,
        block: &Formula,
        cell: &Formula,
        symbols: &[SymbolId],
        known: &Assignment,
    ) -> Result<Option<Vec<Rational>>, Halt> {
        let mut asking = self.asking();
        let table = asking.symbols;
        let whole = block.clone().and(cell.clone());
        let possible = asking.solver.project(table, &whole, symbols)?;
        match asking.decided(block, &possible)? {
            Some(true) => Ok(asking.values(cell, known, symbols)?),
            Some(false) => Ok(None),
            None => Err(Halt::Split(asking.solver.simplify(table, &possible, block))),
        }
    }

    /// The formula or its opposite, whichever holds with these values.
    pub(super) fn as_at(&self, formula: &Formula, here: &Assignment) -> Result<Formula, NoClasses> {
        let holds = formula.holds(here).map_err(|_| overflow())?;
        match holds {
            Some(true) => Ok(formula.clone()),
            Some(false) => Ok(formula.negated(&self.alphabet.symbols).map_err(|_| overflow())?),
            None => Err("a condition has no value for some data".to_owned().into()),
        }
    }

    /// The block must be split unless a formula holds in all of it or nowhere in it.
    pub(super) fn must_decide(&mut self, block: &Formula, formula: Formula) -> Result<(), Halt> {
        match self.asking().decided(block, &formula)? {
            Some(_) => Ok(()),
            None => Err(Halt::Split(formula)),
        }
    }

    pub(super) fn equal(&self, one: &[Term], other: &[Term]) -> Result<Formula, NoClasses> {
        let symbols = &self.alphabet.symbols;
        let pairs = one.iter().zip(other).map(|(one, other)| Formula::equal(symbols, one, other));
        let pairs = pairs.collect::<Result<Vec<_>, _>>().map_err(|_| overflow())?;
        Ok(Formula::all(pairs))
    }

    /// What an output, or the reply of a Mealy step, carries.
    pub(super) fn arguments(
        &mut self,
        skeleton: &DiscreteState,
        given: &Formula,
        step: &Step,
        frame: &[Term],
    ) -> Result<Vec<Term>, Halt> {
        let model = self.model;
        let Some(first) = step.participants.first() else { return Ok(Vec::new()) };
        let edge = &model.processes[first.process].edges[first.edge];
        let (used, channel) = match (step.label, &edge.label, &edge.reply) {
            (StepLabel::Output(channel), Label::Send(used), _) => (used, channel),
            (StepLabel::Exchange(_, channel), _, Some(used)) => (used, channel),
            _ => return Ok(Vec::new()),
        };
        let data = self.alphabet.data(skeleton);
        let state = Symbolic { locations: &skeleton.locations, data: &data };
        let types = &model.channels[channel].parameters;
        let own = own_frame(step, frame);
        let mut interpreter = Interpreter::new(model, &self.alphabet.symbols, self.solver);
        let ways = interpreter.arguments(given, state, &own, edge, used, types);
        for way in ways {
            match way.outcome {
                Ok(arguments) if way.condition == Formula::True => return Ok(arguments),
                Err(stop @ Stop::Beyond(..)) => return Err(stop.into()),
                _ if self.asking().decided(given, &way.condition)? == Some(false) => {}
                Ok(arguments) => {
                    // The guards' decisions hold, so only one way is possible; otherwise divide.
                    return match self.asking().decided(given, &way.condition)? {
                        Some(_) => Ok(arguments),
                        None => Err(Halt::Split(way.condition)),
                    };
                }
                Err(_) => {}
            }
        }
        Ok(Vec::new())
    }

    /// What a step does to the data, by condition; ways that fault are no steps.
    pub(super) fn effects(
        &mut self,
        skeleton: &DiscreteState,
        given: &Formula,
        step: &Step,
        frame: &[Term],
    ) -> Result<Vec<(Formula, bool, Vec<Term>)>, Halt> {
        let model = self.model;
        let data = self.alphabet.data(skeleton);
        let state = Symbolic { locations: &skeleton.locations, data: &data };
        let passed = match step.label {
            StepLabel::Input(_) | StepLabel::Exchange(..) => own_frame(step, frame),
            _ => {
                let channel = match step.label {
                    StepLabel::Output(channel) | StepLabel::Internal(Hidden::Channel(channel)) => {
                        Some(channel)
                    }
                    _ => None,
                };
                match channel {
                    Some(channel) => self.passed(skeleton, given, step, channel)?,
                    None => own_frame(step, frame),
                }
            }
        };
        let none: &[Term] = &[];
        let edges: Vec<_> = step
            .participants
            .iter()
            .map(|one| {
                let edge = &model.processes[one.process].edges[one.edge];
                (edge, if one.receives { &passed[..] } else { none })
            })
            .collect();
        let mut interpreter = Interpreter::new(model, &self.alphabet.symbols, self.solver);
        let mut effects = Vec::new();
        for way in interpreter.effect(given, state, &edges) {
            match way.outcome {
                Ok(effect) => effects.push((way.condition, true, effect.data)),
                Err(Stop::Fault(_) | Stop::OutOfRange(..)) => {
                    effects.push((way.condition, false, data.clone()));
                }
                Err(stop) => return Err(stop.into()),
            }
        }
        Ok(effects)
    }

    /// What a sender passes to receivers inside the model and to an observing purpose.
    pub(super) fn passed(
        &mut self,
        skeleton: &DiscreteState,
        given: &Formula,
        step: &Step,
        channel: ChannelId,
    ) -> Result<Vec<Term>, Halt> {
        let model = self.model;
        let Some(first) = step.participants.first() else { return Ok(Vec::new()) };
        let edge = &model.processes[first.process].edges[first.edge];
        let Label::Send(used) = &edge.label else { return Ok(Vec::new()) };
        let data = self.alphabet.data(skeleton);
        let state = Symbolic { locations: &skeleton.locations, data: &data };
        let types = &model.channels[channel].parameters;
        let mut interpreter = Interpreter::new(model, &self.alphabet.symbols, self.solver);
        let ways = interpreter.arguments(given, state, &[], edge, used, types);
        let fitting = ways.into_iter().find_map(|way| way.outcome.ok());
        Ok(widened(fitting.unwrap_or_default(), types))
    }

    /// What a step does to the data with these values: the condition of the way it takes, and the data after,
    /// unless that way faults.
    pub(super) fn effect_at(
        &mut self,
        skeleton: &DiscreteState,
        given: &Formula,
        step: &Step,
        frame: &[Term],
        here: &Assignment,
    ) -> Result<(Formula, Option<Vec<Term>>), Halt> {
        for (condition, done, data) in self.effects(skeleton, given, step, frame)? {
            if condition.holds(here).map_err(|_| NoClasses::from(overflow()))? == Some(true) {
                return Ok((condition, done.then_some(data)));
            }
        }
        Err(NoClasses::from("an update takes no way".to_owned()).into())
    }
}

/// The frame that a step's message fills: symbols where it carries many values, and otherwise its values.
fn own_frame(step: &Step, frame: &[Term]) -> Vec<Term> {
    if frame.is_empty() {
        step.arguments.iter().map(|value| Term::int(*value)).collect()
    } else {
        frame.to_vec()
    }
}
