//! Confirming sequences: timed inputs with the answers of one configuration that another one does not give (BON09,
//! chapter 4, section 5).

use tioga_base::{Budget, Id, Rational, Span};
use tioga_concrete::{Semantics, State};
use tioga_model::{ChannelId, ClockId, Composer, Kind};
use tioga_zones::Federation;

use crate::clocks::{Set, Space};
use crate::error::Error;
use crate::legs::{Planned, Way};
use crate::machine::Machine;
use crate::pairs::{Pair, Pairs, Rule, Second};
use crate::reach::{self, Goal};
use crate::search::{Found, search};

/// An input after a delay, and its answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// How much time passes before it.
    pub delay: Rational,
    /// The input.
    pub input: ChannelId,
    /// The values it carries.
    pub values: Vec<Rational>,
    /// The answer.
    pub output: ChannelId,
    /// The values that the answer carries.
    pub reply: Vec<Rational>,
    /// The configuration that it leads to.
    pub after: State,
    /// The clock values with which it can come so that the others can follow. In a sequence that tells
    /// configurations apart, they are those of both components, and the rest still tells them apart.
    pub window: Federation,
    /// What it does to the clocks.
    pub sets: Vec<Set>,
}

/// Exchanges from a configuration.
#[derive(Clone, Debug)]
pub struct Run {
    /// Where it starts.
    pub start: State,
    /// What happens.
    pub exchanges: Vec<Exchange>,
    /// How much time passes after the last one.
    pub rest: Rational,
    /// What the dimensions of windows are.
    pub space: Space,
}

/// Whether two configurations are told apart.
#[derive(Clone, Debug)]
pub enum Separation {
    /// They are, by this sequence.
    By(Box<Run>),
    /// No timed input that the first one takes tells them apart.
    Equivalent,
    /// Unknown, because a condition on data could not be decided.
    Unknown,
    /// The limit was reached. No timed input with at most this number of inputs tells them apart.
    Limit(usize),
}

/// Whether a goal is reached.
#[derive(Clone, Debug)]
pub enum Reached {
    /// It is, by this run.
    By(Box<Run>),
    /// No run leads to it.
    Never,
    /// Unknown, because a condition on data could not be decided.
    Unknown,
    /// The limit was reached. No run with at most this number of inputs leads to it.
    Limit(usize),
}

/// A timed input, with as few inputs as possible, that the first configuration answers as the second does not.
///
/// # Errors
/// If a configuration is not valid, the model is not deterministic there, or the work was cancelled.
pub fn separate(
    machine: Machine<'_>,
    rule: Rule,
    first: &State,
    second: &State,
    budget: &mut Budget,
) -> Result<Separation, Error> {
    for state in [first, second] {
        check(machine, state)?;
    }
    let way = match search(machine, rule, first, second, budget)? {
        Found::Way(way) => way,
        Found::Nothing => return Ok(Separation::Equivalent),
        Found::Unknown => return Ok(Separation::Unknown),
        Found::Limit(inputs) => return Ok(Separation::Limit(inputs)),
    };
    let start = Pair { first: first.clone(), second: Second::At(second.clone()) };
    Ok(Separation::By(Box::new(followed(machine, rule, start, way)?)))
}

/// The run along a way, by the reference semantics.
fn followed(machine: Machine<'_>, rule: Rule, start: Pair, way: Way) -> Result<Run, Error> {
    let mut pairs = Pairs::new(machine, rule);
    let mut at = start.clone();
    let mut exchanges = Vec::new();
    let last = way.steps.len().saturating_sub(1);
    let alone = start.second == Second::Stuck;
    for (position, step) in way.steps.into_iter().enumerate() {
        let wrong =
            || Error::unsupported("the model does not follow its own path", Span::default());
        at = pairs.delay(&at, step.delay)?.ok_or_else(wrong)?;
        let mut ways = pairs.input(&at, step.input, &step.values)?;
        let fails = |pair: &Pair| pair.second == Second::Fail;
        let fits = |pair: &Pair| alone || fails(pair) == (position == last);
        let found = ways.iter().position(|(_, pair)| fits(pair)).ok_or_else(wrong)?;
        let ((output, reply), next) = ways.swap_remove(found);
        let after = next.first.clone();
        let Planned { delay, input, values, window, sets } = step;
        exchanges.push(Exchange { delay, input, values, output, reply, after, window, sets });
        at = if alone { Pair { second: Second::Stuck, ..next } } else { next };
    }
    Ok(Run { start: start.first, exchanges, rest: way.rest, space: way.space })
}

/// A run from the initial configuration to a goal.
///
/// # Errors
/// If a number is too large, or the work was cancelled.
pub fn reach(machine: Machine<'_>, goal: &Goal, budget: &mut Budget) -> Result<Reached, Error> {
    let start = Semantics::new(machine.model).initial()?;
    if let Goal::Configuration(state) = goal {
        check(machine, state)?;
    }
    let way = match reach::reach(machine, &start, goal, budget)? {
        Found::Way(way) => way,
        Found::Nothing => return Ok(Reached::Never),
        Found::Unknown => return Ok(Reached::Unknown),
        Found::Limit(inputs) => return Ok(Reached::Limit(inputs)),
    };
    // The second component does not matter.
    let pair = Pair { first: start, second: Second::Stuck };
    followed(machine, Rule::Sound, pair, way).map(|run| Reached::By(Box::new(run)))
}

impl Run {
    /// The configuration at the end.
    ///
    /// # Errors
    /// If a number is too large.
    pub fn end(&self) -> Result<State, Error> {
        let last = self.exchanges.last().map_or(&self.start, |exchange| &exchange.after);
        Ok(last.later(self.rest)?)
    }
}

/// Whether the invariant holds in a configuration.
fn check(machine: Machine<'_>, state: &State) -> Result<(), Error> {
    let mut composer = Composer::new(machine.model);
    let invariant = composer.invariant(&state.discrete).map_err(tioga_concrete::Error::from)?;
    let holds = Semantics::new(machine.model).when(state, &invariant)?.contains(Rational::ZERO);
    if holds { Ok(()) } else { Err(Error::Invalid(configuration(machine, state))) }
}

/// A configuration in words: `s1, x = 0, y = 0, w = 2`.
pub fn configuration(machine: Machine<'_>, state: &State) -> String {
    let location = state.discrete.location(machine.id());
    let mut text = machine.process.locations[location].name.clone();
    let own = format!("{}.", machine.process.name);
    for (position, clock) in machine.model.clocks.iter().enumerate() {
        let name = clock.name.strip_prefix(&own).unwrap_or(&clock.name);
        text.push_str(&format!(", {name} = {}", state.clock(ClockId::from_index(position))));
    }
    let mut slots = machine.model.slots.iter().zip(&state.discrete.data);
    while let Some((slot, value)) = slots.next() {
        let name = slot.name.strip_prefix(&own).unwrap_or(&slot.name);
        text.push_str(&format!(", {name} = {value}"));
        if slot.kind == Kind::Rational
            && let Some((_, below)) = slots.next()
            && *below != 1
        {
            text.push_str(&format!("/{below}"));
        }
    }
    text
}
