//! What an observed run means: whether the product with a purpose explains it, whether it reaches an end, and
//! the verdicts of BON09 (chapter 3, section 4.4, and chapter 5, section 5.2).
//!
//! Runs are replayed on the automaton itself, in units fine enough for all their numbers, without building a
//! grid; or on a grid that is built, which knows multiples of its granularity only and bounds values. All
//! configurations that explain what was seen are followed, so a nondeterministic model is no obstacle.

use std::collections::BTreeSet;

use crate::automaton::Automaton;
use crate::error::Error;
use crate::grid::{GridAutomaton, StateIndex};
use crate::resolution::{Resolution, lcm};
use crate::stepper::{Configuration, Stepper, Values};
use crate::timed_word::{GridSymbol, TimedWord, UnitSymbol, in_units};

/// How far a run was replayed, and what it reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// How many symbols were replayed.
    pub symbols: usize,
    /// Whether these are all of the run.
    pub complete: bool,
    /// Whether a fail location was reached on the way.
    pub reached_fail: bool,
    /// Whether the run was replayed and ends in a desired location.
    pub ends_desired: bool,
    /// The most configurations that explained a part of the run.
    pub most_explanations: usize,
    /// The locations in which the run may be in the end.
    pub locations: Vec<usize>,
}

/// A resolution in which all numbers of a run are whole.
pub(crate) fn refined(resolution: &Resolution, word: &TimedWord) -> Result<Resolution, Error> {
    let (time, data) = word.parts()?;
    Ok(Resolution {
        parts: lcm(resolution.parts, time)?,
        context_parts: lcm(resolution.context_parts, data)?,
        ..resolution.clone()
    })
}

/// Replays a run on an automaton, exactly: delays and values may be any rational numbers, and nothing is
/// bounded.
///
/// # Errors
/// If the run names something that the automaton does not know, or numbers are too large.
pub fn replay(
    automaton: &Automaton,
    resolution: &Resolution,
    run: &TimedWord,
) -> Result<Replayed, Error> {
    let resolution = refined(resolution, run)?;
    let stepper = Stepper::unbounded(automaton, &resolution)?;
    let mut now = BTreeSet::from([stepper.initial().clone()]);
    let mut found = Seen::new(automaton, run);
    found.see(&now);
    for symbol in in_units(&run.0, automaton, &resolution)? {
        let mut after = BTreeSet::new();
        for at in &now {
            match &symbol {
                UnitSymbol::Delay(ticks) => {
                    if stepper.may_wait(at, *ticks) {
                        after.insert(stepper.later(at, *ticks)?);
                    }
                }
                UnitSymbol::Unused(_) => {}
                UnitSymbol::Action(action, values) => {
                    let action = u32::try_from(*action).map_err(|_| Error::Overflow)?;
                    stepper.each_by(at, action, values, &mut |one| {
                        after.insert(one);
                    })?;
                }
            }
        }
        if after.is_empty() {
            return Ok(found.end(&now));
        }
        now = after;
        found.symbols += 1;
        found.see(&now);
    }
    Ok(found.end(&now))
}

struct Seen<'a> {
    automaton: &'a Automaton,
    length: usize,
    symbols: usize,
    reached_fail: bool,
    most: usize,
}

impl<'a> Seen<'a> {
    fn new(automaton: &'a Automaton, run: &TimedWord) -> Self {
        Self { automaton, length: run.0.len(), symbols: 0, reached_fail: false, most: 0 }
    }

    fn see(&mut self, now: &BTreeSet<Configuration>) {
        let mut locations = now.iter().map(|at| &self.automaton.locations[at.location as usize]);
        self.reached_fail |= locations.any(|location| location.fail);
        self.most = self.most.max(now.len());
    }

    fn end(self, now: &BTreeSet<Configuration>) -> Replayed {
        let locations: BTreeSet<usize> = now.iter().map(|at| at.location as usize).collect();
        let complete = self.symbols == self.length;
        let desired = locations.iter().any(|at| self.automaton.locations[*at].desired);
        Replayed {
            symbols: self.symbols,
            complete,
            reached_fail: self.reached_fail,
            ends_desired: complete && desired,
            most_explanations: self.most,
            locations: locations.into_iter().collect(),
        }
    }
}

/// Replays a run on a grid, with the states after each symbol of the grid; a delay is several of them.
/// Values are bounded before they are compared.
///
/// # Errors
/// If a delay or value is no multiple of the granularity, or an action is not known.
pub fn replay_on(
    grid: &GridAutomaton,
    run: &TimedWord,
) -> Result<(Replayed, Vec<Vec<StateIndex>>), Error> {
    let mut states = vec![vec![0]];
    let mut found = Seen::new(grid.automaton(), run);
    let configurations =
        |states: &[StateIndex]| states.iter().map(|state| grid.configuration(*state)).collect();
    found.see(&configurations(&[0]));
    for symbol in &run.0 {
        let unused = |name: &str| grid.automaton().unused.iter().any(|one| one.name == name);
        if symbol.name().is_some_and(unused) {
            let now = states.last().map_or(&[][..], Vec::as_slice);
            let end = found.end(&configurations(now));
            return Ok((end, states));
        }
        for label in TimedWord(vec![symbol.clone()]).to_grid(grid)? {
            let label = label.label(grid);
            let now = states.last().map_or(&[][..], Vec::as_slice);
            let after: BTreeSet<StateIndex> = now
                .iter()
                .flat_map(|state| grid.transitions(*state))
                .filter(|(own, _)| Some(*own) == label)
                .map(|(_, target)| target)
                .collect();
            if after.is_empty() {
                let end = found.end(&configurations(now));
                return Ok((end, states));
            }
            states.push(after.into_iter().collect());
        }
        let now = states.last().map_or(&[][..], Vec::as_slice);
        found.see(&configurations(now));
        found.symbols += 1;
    }
    let now = states.last().map_or(&[][..], Vec::as_slice);
    let end = found.end(&configurations(now));
    Ok((end, states))
}

/// What all runs of a test case together mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The purpose was met: a fault is confirmed, or every run ended as desired.
    Positive,
    /// It was not.
    Inconclusive,
}

/// The verdicts on a purpose's fail locations and on its desired ones, as far as it has them. The first is
/// positive if some run reaches a fail location, the second if there are runs and all end in desired ones.
pub fn verdict(automaton: &Automaton, runs: &[Replayed]) -> (Option<Verdict>, Option<Verdict>) {
    let positive = |positive: bool| match positive {
        true => Verdict::Positive,
        false => Verdict::Inconclusive,
    };
    let fails = automaton.locations.iter().any(|location| location.fail);
    let desires = automaton.locations.iter().any(|location| location.desired);
    let failed = runs.iter().any(|run| run.reached_fail);
    let desired = !runs.is_empty() && runs.iter().all(|run| run.ends_desired);
    (fails.then(|| positive(failed)), desires.then(|| positive(desired)))
}

/// A run of the automaton that a word of the grid stands for: with the values that its outputs carry, which the
/// grid shows bounded (Theorem 35). Nothing if the word is none of the grid.
///
/// # Errors
/// If numbers are too large.
pub fn exact_word(grid: &GridAutomaton, labels: &[u32]) -> Result<Option<TimedWord>, Error> {
    let automaton = grid.automaton();
    let stepper = Stepper::unbounded(automaton, &grid.stepper().resolution)?;
    let resolution = &stepper.resolution;
    // Each configuration with the values that led to it: the first way to each is kept.
    let mut layers: Vec<Vec<(Configuration, usize, Values)>> =
        vec![vec![(stepper.initial().clone(), 0, Values::new())]];
    for label in labels {
        let mut after: Vec<(Configuration, usize, Values)> = Vec::new();
        let mut add = |one: Configuration, from: usize, values: Values| {
            if !after.iter().any(|(known, ..)| *known == one) {
                after.push((one, from, values));
            }
        };
        for (position, (at, ..)) in layers.last().map_or(&[][..], Vec::as_slice).iter().enumerate()
        {
            let Some((action, shown)) = grid.label(*label) else {
                if stepper.may_tick(at) {
                    add(stepper.later(at, 1)?, position, Values::new());
                }
                continue;
            };
            stepper.each_step(at, &mut |_, own, values, one| {
                if own as usize == action
                    && grid.stepper().shown(action, &values).as_slice() == shown
                {
                    add(one, position, values);
                }
            })?;
        }
        if after.is_empty() {
            return Ok(None);
        }
        layers.push(after);
    }
    let mut symbols = Vec::new();
    let mut at = 0;
    for (label, layer) in labels.iter().zip(&layers[1..]).rev() {
        let (_, from, values) = &layer[at];
        symbols.push(match grid.label(*label) {
            None => GridSymbol::Tick,
            Some((action, _)) => GridSymbol::Action(action, values.clone()),
        });
        at = *from;
    }
    symbols.reverse();
    Ok(Some(TimedWord::of_grid(&symbols, automaton, resolution).merged()?))
}

/// The edges that a run takes, in order; if there are several ways, one to an end is preferred. Nothing if it is no
/// run. Also whether at some moment there were several configurations that explain it.
///
/// # Errors
/// If the run names something that the automaton does not know, or numbers are too large.
pub fn path(
    automaton: &Automaton,
    resolution: &Resolution,
    run: &TimedWord,
) -> Result<(Option<Vec<u32>>, bool), Error> {
    let resolution = refined(resolution, run)?;
    let stepper = Stepper::unbounded(automaton, &resolution)?;
    let mut layers: Vec<Vec<(Configuration, usize, u32)>> =
        vec![vec![(stepper.initial().clone(), 0, u32::MAX)]];
    let mut several = false;
    for symbol in in_units(&run.0, automaton, &resolution)? {
        let mut after: Vec<(Configuration, usize, u32)> = Vec::new();
        let now = layers.last().map_or(&[][..], Vec::as_slice);
        for (position, (at, ..)) in now.iter().enumerate() {
            match &symbol {
                UnitSymbol::Delay(ticks) => {
                    if stepper.may_wait(at, *ticks) {
                        after.push((stepper.later(at, *ticks)?, position, u32::MAX));
                    }
                }
                UnitSymbol::Unused(_) => {}
                UnitSymbol::Action(action, values) => {
                    let action = u32::try_from(*action).map_err(|_| Error::Overflow)?;
                    stepper.each_edge_by(at, action, values, &mut |edge, one| {
                        several |= after.iter().any(|(_, _, other)| *other != edge);
                        if !after.iter().any(|(known, ..)| *known == one) {
                            after.push((one, position, edge));
                        }
                    })?;
                }
            }
        }
        if after.is_empty() {
            return Ok((None, several));
        }
        layers.push(after);
    }
    let ends = |(at, ..): &(Configuration, usize, u32)| {
        let location = &automaton.locations[at.location as usize];
        location.fail || location.desired
    };
    let last = layers.last().map_or(&[][..], Vec::as_slice);
    let mut at = last.iter().position(ends).unwrap_or(0);
    let mut edges = Vec::new();
    for layer in layers[1..].iter().rev() {
        let (_, from, edge) = &layer[at];
        if *edge != u32::MAX {
            edges.push(*edge);
        }
        at = *from;
    }
    edges.reverse();
    Ok((Some(edges), several))
}
