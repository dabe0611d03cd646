//! Two configurations side by side, by the reference semantics: what a timed input does to both.
//!
//! This is the product with the fail component (BON09, chapter 4, section 4), walked one exact step at a time.
//! Everything that the search over zones finds is checked here.

use std::collections::BTreeMap;

use tioga_base::{Id, Rational};
use tioga_concrete::{Observable, Semantics, State, rational_values};
use tioga_model::{ChannelId, EdgeId, Label, Step, StepLabel, Type, Values};

use crate::error::Error;
use crate::machine::Machine;
use crate::moves::Engine;

/// Which product.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// The first component answers, and the second has no compatible answer: that is fail. Answers are compared with
    /// the values they carry. A second component that takes no such input, or cannot let the time pass, has none.
    #[default]
    Sound,
    /// As printed: edges are compared in pairs, and values as expressions.
    AsPrinted,
}

/// The second component.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Second {
    /// It still answers as the first one does.
    At(State),
    /// It could not let time pass; it answers nothing any more.
    Stuck,
    /// It gave no compatible answer.
    Fail,
}

/// Two configurations.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pair {
    /// The first component.
    pub first: State,
    /// The second component.
    pub second: Second,
}

/// An answer: the output and the values it carries.
pub type Reply = (ChannelId, Vec<Rational>);

/// The product of a machine with itself.
#[derive(Debug)]
pub struct Pairs<'m> {
    machine: Machine<'m>,
    semantics: Semantics<'m>,
    rule: Rule,
    coincide: BTreeMap<(EdgeId, EdgeId), bool>,
}

impl<'m> Pairs<'m> {
    /// The product.
    pub fn new(machine: Machine<'m>, rule: Rule) -> Self {
        let semantics = Semantics::new(machine.model);
        Self { machine, semantics, rule, coincide: BTreeMap::new() }
    }

    /// The pair after a delay; nothing if it is not allowed.
    ///
    /// # Errors
    /// If a number is too large.
    pub fn delay(&mut self, pair: &Pair, delay: Rational) -> Result<Option<Pair>, Error> {
        let Ok(first) = self.semantics.delay(&pair.first, delay)? else { return Ok(None) };
        let second = match &pair.second {
            Second::At(state) => match self.semantics.delay(state, delay)? {
                Ok(later) => Second::At(later),
                Err(_) if self.rule == Rule::AsPrinted => return Ok(None),
                Err(_) => Second::Stuck,
            },
            other => other.clone(),
        };
        Ok(Some(Pair { first, second }))
    }

    /// The steps that a configuration has for an input now.
    fn steps(
        &mut self,
        state: &State,
        input: ChannelId,
        values: &[Rational],
    ) -> Result<Vec<Step>, Error> {
        let mut arguments = Values::new();
        for (value, ty) in values.iter().zip(&self.machine.model.channels[input].parameters) {
            arguments.push(value.numerator());
            if *ty == Type::Rational {
                arguments.push(value.denominator());
            }
        }
        let (label, reply) = (StepLabel::Input(input), Values::new());
        let wanted = Observable { label, arguments: arguments.clone(), reply };
        let allowed = self.semantics.options_for(state, Some(&wanted))?;
        let fits = |step: &&Step| {
            matches!(step.label, StepLabel::Exchange(own, _) if own == input)
                && step.arguments == arguments
        };
        Ok(allowed.now().filter(fits).cloned().collect())
    }

    /// Where an input leads, with the answer of the first component; several pairs if something is not
    /// deterministic, none if the first component does not take it.
    ///
    /// # Errors
    /// If a number is too large.
    pub fn input(
        &mut self,
        pair: &Pair,
        input: ChannelId,
        values: &[Rational],
    ) -> Result<Vec<(Reply, Pair)>, Error> {
        let mut all = Vec::new();
        for step in self.steps(&pair.first, input, values)? {
            let first = self.semantics.step(&pair.first, &step)?;
            let reply = self.reply(&step);
            let mut add = |second: Second| {
                let found = (reply.clone(), Pair { first: first.clone(), second });
                if !all.contains(&found) {
                    all.push(found);
                }
            };
            let Second::At(state) = &pair.second else {
                add(Second::Fail);
                continue;
            };
            let others = self.steps(state, input, values)?;
            match self.rule {
                Rule::Sound => {
                    let mut compatible = false;
                    for other in &others {
                        if self.reply(other) != reply {
                            continue;
                        }
                        compatible = true;
                        add(Second::At(self.semantics.step(state, other)?));
                    }
                    if !compatible {
                        add(Second::Fail);
                    }
                }
                Rule::AsPrinted => {
                    let location = state.discrete.location(self.machine.id());
                    let own = edge_of(&step);
                    for (id, edge) in self.machine.edges(location) {
                        let takes =
                            matches!(&edge.label, Label::Receive(used) if used.channel == input);
                        if !takes {
                            continue;
                        }
                        let enabled = others.iter().find(|other| edge_of(other) == id);
                        match enabled {
                            Some(other) if self.coincide(own, id)? => {
                                add(Second::At(self.semantics.step(state, other)?));
                            }
                            _ => add(Second::Fail),
                        }
                    }
                }
            }
        }
        Ok(all)
    }

    fn reply(&self, step: &Step) -> Reply {
        match step.label {
            StepLabel::Exchange(_, output) => {
                (output, rational_values(self.machine.model, output, &step.reply))
            }
            _ => (ChannelId::from_index(0), Vec::new()),
        }
    }

    /// Whether two edges answer alike as functions of the values of the input and of the context.
    fn coincide(&mut self, first: EdgeId, second: EdgeId) -> Result<bool, Error> {
        if let Some(known) = self.coincide.get(&(first, second)) {
            return Ok(*known);
        }
        let answer = Engine::coincide(self.machine, first, second)?;
        self.coincide.insert((first, second), answer);
        Ok(answer)
    }
}

fn edge_of(step: &Step) -> EdgeId {
    step.participants.first().map_or(EdgeId(u32::MAX), |one| one.edge)
}
