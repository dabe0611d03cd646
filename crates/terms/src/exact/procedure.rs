//! The decision procedure itself: a formula becomes a problem, and the search answers.

use crate::{Answer, Assignment, Decide, Formula, Symbols};

use super::number::Number;
use super::problem::Problem;
use super::search::search;
use super::state::State;
use super::stop::{Steps, Stop, Unknown};

/// The embedded decision procedure.
#[derive(Clone, Debug)]
pub struct Exact {
    pub(super) limit: u64,
}

/// A condition under which many questions are asked: its own part of the work is done once.
#[derive(Clone, Debug)]
pub struct Under<'s> {
    symbols: &'s Symbols,
    problem: Problem,
    /// What the condition comes to, if it was understood and is not contradictory at first sight.
    state: Result<Option<State>, Stop>,
    condition: Formula,
    limit: u64,
}

impl Default for Exact {
    fn default() -> Self {
        Self { limit: 1_000_000 }
    }
}

impl Exact {
    /// With the usual limit on steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// With another limit on the steps of one question.
    pub fn with_limit(limit: u64) -> Self {
        Self { limit }
    }

    /// Prepares a condition for many questions.
    pub fn under<'s>(&self, symbols: &'s Symbols, condition: &Formula) -> Under<'s> {
        let mut problem = Problem::default();
        let state = State { generous: true, ..State::default() };
        let state = assume(symbols, &mut problem, state, condition).and_then(|state| {
            let Some(mut state) = state else { return Ok(None) };
            Ok(state.propagate(&problem)?.then_some(state))
        });
        Under { symbols, problem, state, condition: condition.clone(), limit: self.limit }
    }

    /// Whether `conclusion` holds wherever `premise` does.
    pub fn implies(
        &mut self,
        symbols: &Symbols,
        premise: &Formula,
        conclusion: &Formula,
    ) -> Result<bool, Unknown> {
        self.under(symbols, premise).implies(conclusion)
    }

    /// Whether two formulas hold for the same values.
    pub fn equivalent(
        &mut self,
        symbols: &Symbols,
        one: &Formula,
        other: &Formula,
    ) -> Result<bool, Unknown> {
        Ok(one == other
            || (self.implies(symbols, one, other)? && self.implies(symbols, other, one)?))
    }
}

impl Decide for Exact {
    fn decide(&mut self, symbols: &Symbols, formula: &Formula) -> Answer {
        self.under(symbols, &Formula::True).decide(formula)
    }
}

/// A state with one formula more, and the ranges of its symbols; nothing if they contradict each other at
/// first sight.
pub(super) fn assume(
    symbols: &Symbols,
    problem: &mut Problem,
    mut state: State,
    formula: &Formula,
) -> Result<Option<State>, Stop> {
    let known = problem.domains.len();
    let sides = problem.sides.len();
    // Room for a typical question, so that nodes are not moved about.
    problem.nodes.reserve(24);
    problem.domains.reserve(8);
    problem.symbols.reserve(8);
    let root = problem.lower(symbols, formula)?;
    problem.roots.push(root);
    state.domains.extend_from_slice(&problem.domains[known..]);
    for domain in &state.domains[known..] {
        if domain.is_empty()? {
            return Ok(None);
        }
    }
    for side in &problem.sides[sides..] {
        if !state.assume(problem, *side)? {
            return Ok(None);
        }
    }
    Ok(state.assume(problem, root)?.then_some(state))
}

impl Under<'_> {
    /// Whether the condition and a formula can hold together.
    ///
    /// Post: an assignment has a value for each symbol of both, within its range; with it both hold.
    pub fn decide(&mut self, formula: &Formula) -> Answer {
        let found = self.ask(formula);
        match found {
            Ok(Some(assignment)) => Answer::Holds(assignment),
            Ok(None) => Answer::Never,
            Err(unknown) => Answer::Unknown(unknown.0),
        }
    }

    /// Whether the condition implies a formula.
    pub fn implies(&mut self, formula: &Formula) -> Result<bool, Unknown> {
        let opposite = formula
            .negated(self.symbols)
            .map_err(|_| Stop::Overflow.explain(self.symbols, formula))?;
        Ok(self.ask(&opposite)?.is_none())
    }

    fn ask(&mut self, formula: &Formula) -> Result<Option<Assignment>, Unknown> {
        let size = self.problem.size();
        let found = self.values(formula);
        self.problem.shrink(size);
        found.map_err(|stop| match stop {
            Stop::Nonlinear(_) | Stop::NoInteger(_) => stop.explain(self.symbols, formula),
            stop => {
                let both = self.condition.clone().and(formula.clone());
                stop.explain(self.symbols, &both)
            }
        })
    }

    fn values(&mut self, formula: &Formula) -> Result<Option<Assignment>, Stop> {
        let Some(state) = self.state.clone()? else { return Ok(None) };
        let mut steps = Steps::new(self.limit);
        let Some(state) = assume(self.symbols, &mut self.problem, state, formula)? else {
            return Ok(None);
        };
        let Some(values) = search(&self.problem, state, &mut steps)? else {
            return Ok(None);
        };
        let assignment = assignment(&self.problem, &values)?;
        let Some(reason) = self.problem.nonlinear(self.symbols) else {
            return Ok(Some(assignment));
        };
        // Operations that are not linear were taken to hold whatever they are. Either these values show that
        // they can, or the formula holds without them, or the procedure does not know.
        let check = |formula: &Formula| matches!(formula.holds(&assignment), Ok(Some(true)));
        if check(&self.condition) && check(formula) {
            return Ok(Some(assignment));
        }
        let mut problem = Problem::default();
        let strict = State { generous: false, ..State::default() };
        if let Some(strict) = assume(self.symbols, &mut problem, strict, &self.condition)?
            && let Some(strict) = assume(self.symbols, &mut problem, strict, formula)?
            && let Some(values) = search(&problem, strict, &mut steps)?
        {
            return Ok(Some(self::assignment(&problem, &values)?));
        }
        Err(reason)
    }
}

/// The values of the symbols.
fn assignment(problem: &Problem, values: &[Number]) -> Result<Assignment, Stop> {
    let named = problem.symbols.iter().zip(values);
    let named = named.filter_map(|(symbol, value)| Some(((*symbol)?, value.rational())));
    named.map(|(symbol, value)| Ok((symbol, value?))).collect()
}
