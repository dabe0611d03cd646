//! Checking a test case: all joint states with the model, or those of random plays.

use std::collections::VecDeque;

use fastrand::Rng;
use indexmap::IndexMap;
use tioga_model::{Model, Objective};
use tioga_testcase::{Concept, Rank, Scope, Terms, TestCase, ViewPass};

use super::hope::Hope;
use super::joint::{At, Joint};
use super::random_play::{play, with_path};
use super::ranking::ranking;
use super::scout::{Least, scout};
use super::{bound, form, summary};
use crate::states::{CheckedStates, Claims, Grid, simplest};
use crate::{CheckCoverage, CheckOptions, CheckReport, Error, Extent, Flaw, Refutation};

/// Checks a test case against the model it was made from: a deterministic specification in which
/// the tester sees every step, or its product with a purpose.
///
/// At every joint state that model and test case reach together: the test case is *sound* (every
/// output and every delay of the model is expected, unless a verdict has ended the test), *strict*
/// (no others are), it is never in doubt which edge to take, its inputs are possible and keep the
/// purpose in reach, its rules can be followed, and its verdicts are right: pass exactly where the
/// goal holds, fail only in locations marked so, inconclusive exactly where the goal is out of
/// reach, and never if the summary says so. (A tree may give up earlier. Where the model has too
/// many regions, it is not known what is out of reach, and the report says so.) A test case that
/// leaves the choice open has all inputs that keep the purpose in reach. Where it is known what is
/// in reach, so are the ranks: those of rules and summary are right, and each rule lowers the rank.
///
/// The same model, objective, test case and options give the same answer.
///
/// # Errors
/// [`Error::Refuted`] says what is wrong and how to get there. [`Error::Unsupported`] if a tester
/// cannot follow the model, or if the objective says what to avoid rather than what to reach.
pub fn check_case(
    model: &Model,
    objective: &Objective,
    case: &TestCase,
    options: &CheckOptions,
) -> Result<CheckReport, Error> {
    check_case_of_view(model, objective, &ViewPass::default(), case, options)
}

/// Checks a test case as [`check_case`], for a deterministic view in which the goal may be uncertain, and other
/// states may count where the goal is out of reach.
///
/// # Errors
/// As [`check_case`].
pub fn check_case_of_view(
    model: &Model,
    objective: &Objective,
    counted: &ViewPass,
    case: &TestCase,
    options: &CheckOptions,
) -> Result<CheckReport, Error> {
    if matches!(objective, Objective::Stay(_) | Objective::WeakUntil(..)) {
        let why = "test cases are about something to be reached, not to be avoided";
        return Err(Error::Unsupported(why.to_owned()));
    }
    if let Some(flaw) = form::flaw(model, case) {
        return Err(Error::Refuted(Box::new(flaw)));
    }
    if case.summary.rank_is_bound
        && let Some(message) = bound::flaw(case)
    {
        let flaw = Flaw::Rule { rule: None };
        return Err(Error::Refuted(Box::new(Refutation { state: None, flaw, message })));
    }
    // The file does not say what its ranks count first, so either may be meant.
    let checked = |scope| in_scope(model, objective, counted, case, scope, options);
    match checked(Scope::Cooperative) {
        Err(first) if speaks_of_ranks(&first) => checked(Scope::SafetyFirst).map_err(|_| first),
        answer => answer,
    }
}

/// The rank of the initial state by its definition, if it has one, and how many regions there are;
/// nothing if there are too many to know it.
pub fn start_rank(
    model: &Model,
    objective: &Objective,
    scope: Scope,
    options: &CheckOptions,
) -> Result<Option<(Option<Rank>, u64)>, Error> {
    let terms = Terms { objective: objective.clone(), concept: Concept::Fair, scope };
    let mut known_states = CheckedStates::new(model, Claims::None(&terms), options.span);
    let Some(hope) = Hope::find(&mut known_states, objective, options)? else { return Ok(None) };
    let ranks = ranking(&hope, scope, options)?;
    // The walk starts in the initial state.
    Ok(ranks.first().map(|rank| (*rank, ranks.len() as u64)))
}

/// Whether something is refuted that depends on ranks.
fn speaks_of_ranks(error: &Error) -> bool {
    let Error::Refuted(refutation) = error else { return false };
    matches!(
        refutation.flaw,
        Flaw::Rank { .. } | Flaw::Rule { .. } | Flaw::Verdict { .. } | Flaw::Summary
    )
}

/// Checks a test case whose ranks count what this scope says.
fn in_scope(
    model: &Model,
    objective: &Objective,
    counted: &ViewPass,
    case: &TestCase,
    scope: Scope,
    options: &CheckOptions,
) -> Result<CheckReport, Error> {
    let terms = Terms { objective: objective.clone(), concept: Concept::Fair, scope };
    let known_states = CheckedStates::new(model, Claims::None(&terms), options.span);
    let mut joint = Joint::new(known_states, case, counted);
    joint.of_classes = options.of_classes;
    joint.scope = scope;
    let (mut exhaustive, feasible) = (false, options.extent == Extent::Feasible);
    let least = if feasible { scout(&mut joint, options) } else { Least::default() };
    if feasible && least.model <= options.max_regions {
        joint.hope = Hope::find(&mut joint.known_states, objective, options)?;
        let ranked = joint.hope.as_ref().filter(|_| !case.summary.rank_is_bound);
        let ranks = ranked.map(|hope| ranking(hope, scope, options));
        joint.ranks = ranks.transpose()?;
        debug_assert!(joint.hope.as_ref().is_none_or(|hope| least.model <= hope.len()));
    }
    joint.begins()?;
    if feasible && least.joint <= options.max_regions {
        joint.stepwise = true;
        exhaustive = every(&mut joint, options)?;
        joint.stepwise = false;
        debug_assert!(!exhaustive || least.joint as u64 <= joint.states);
    }
    let coverage = if exhaustive { CheckCoverage::Exhaustive } else { plays(&mut joint, options)? };
    summary::check(&mut joint)?;
    let exact = joint.hope.is_some();
    let unknown = "it is not known where the purpose is out of reach, so inconclusive verdicts, \
                   ranks and the choice of inputs were not checked";
    Ok(CheckReport {
        coverage,
        states: joint.states,
        advised: joint.advised,
        discrete_states: joint.known_states.len(),
        exact,
        left_open: match case.summary.rank_is_bound {
            _ if !exact => Some(unknown),
            true => {
                Some("ranks are upper bounds, so only their fall along every branch was checked")
            }
            false => None,
        },
    })
}

/// How a joint state was found: from the one at a position, by a step or by waiting.
type Origin = Option<(usize, Option<String>)>;

/// Checks a joint state of each region; whether that is all there is to check.
fn every(joint: &mut Joint<'_, '_, '_>, options: &CheckOptions) -> Result<bool, Error> {
    let mut grid = joint.grid();
    for checked in 0..joint.known_states.len() {
        grid.note(&joint.known_states.at(checked));
    }
    loop {
        (joint.states, joint.advised) = (0, 0);
        let (seen, queue) = (IndexMap::new(), VecDeque::new());
        let mut search = Search { grid: &mut grid, seen, queue };
        match search.run(joint, options)? {
            Round::Done => return Ok(grid.is_exact()),
            Round::Full => return Ok(false),
            Round::Finer => {}
        }
    }
}

enum Round {
    Done,
    Full,
    /// A larger constant was found, so regions must be finer.
    Finer,
}

struct Search<'g, 't> {
    grid: &'g mut Grid,
    seen: IndexMap<(usize, usize, Vec<i64>), Origin>,
    queue: VecDeque<(usize, At<'t>)>,
}

impl<'t> Search<'_, 't> {
    fn run(
        &mut self,
        joint: &mut Joint<'_, 't, '_>,
        options: &CheckOptions,
    ) -> Result<Round, Error> {
        let start = joint.start()?;
        self.grid.note(&start.checked);
        self.add(start, None)?;
        while let Some((position, at)) = self.queue.pop_front() {
            if options.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let delay = self.grid.next(&at.clocks)?;
            let look = joint.look(&at, delay).map_err(|error| self.told(error, position))?;
            if let Some(delay) = delay.filter(|_| look.passes) {
                let clocks = at.clocks.later(delay)?;
                self.add(At { clocks, ..at }, Some((position, None)))?;
            }
            for next in look.next {
                if self.grid.note(&next.at.checked) {
                    return Ok(Round::Finer);
                }
                self.add(next.at, Some((position, Some(next.name))))?;
            }
            if self.seen.len() > options.max_regions {
                return Ok(Round::Full);
            }
        }
        Ok(Round::Done)
    }

    fn add(&mut self, mut at: At<'t>, origin: Origin) -> Result<(), Error> {
        at.clocks = simplest(&at.clocks)?;
        let key = (at.checked.index, at.place, self.grid.key(&at.clocks)?);
        let (position, old) = self.seen.insert_full(key, origin.clone());
        match old {
            None => self.queue.push_back((position, at)),
            Some(old) => self.seen[position] = old,
        }
        Ok(())
    }

    /// Adds to a refutation how its state is reached.
    fn told(&self, error: Error, mut position: usize) -> Error {
        let mut names = Vec::new();
        while let Some((before, name)) = &self.seen[position] {
            names.extend(name.as_deref());
            position = *before;
        }
        names.reverse();
        with_path(error, &names)
    }
}

/// Checks joint states of random plays.
fn plays(joint: &mut Joint<'_, '_, '_>, options: &CheckOptions) -> Result<CheckCoverage, Error> {
    let regions = joint.states;
    let mut random = Rng::with_seed(options.seed);
    for number in 0..options.plays {
        play(joint, options, number, &mut random, &mut |_| Ok(()))?;
    }
    Ok(CheckCoverage::Sampled { regions, plays: options.plays, points: 0 })
}
