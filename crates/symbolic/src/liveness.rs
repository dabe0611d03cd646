//! Whether some maximal run never leaves a set of states, from the start or from a reachable state.
//!
//! Everything reachable is explored with [`Abstraction::M`] at most; if the run begins at the start, only what
//! is reached while it may still be in the set. Then the question is decided backwards on it (see [`staying`] and
//! [`diverging`]). If exploration did not end, a run may still be found, and that none is found decides nothing.

use tioga_base::Span;
use tioga_explore::{SearchOptions, Statistics};
use tioga_model::{Composer, Condition, Model, Predicate};
use tioga_zones::{Federation, Point};

use crate::arena::Arena;
use crate::effort::Effort;
use crate::lasso::Signs;
use crate::stay_walk::{Goes, MaximalRun, Walk};
use crate::stays::{Inside, Place, diverging, holding, places, staying};
use crate::witness::TimedStep;
use crate::{Abstraction, Error, Reach, ReachAnswer, ZoneGraph};

/// What kind of maximal run is looked for.
#[derive(Clone, Copy, Debug)]
pub struct MaximalQuestion<'p> {
    /// In which states it may begin to stay inside, wherever they are reached; none for the start only.
    pub from: Option<&'p Predicate>,
    /// The states inside which it stays.
    pub inside: &'p Predicate,
    /// Whether it stays in the other states instead.
    pub outside: bool,
    /// Whether time has to diverge on it.
    pub divergent: bool,
    /// Where the question was written.
    pub span: Span,
}

/// Whether there is such a run.
#[derive(Clone, PartialEq, Debug)]
pub enum MaximalAnswer {
    /// There is; here is one with exact delays. Time diverges on it if it does on any.
    Found(MaximalRun),
    /// There is none.
    None,
    /// A limit was reached first, or the model is not supported.
    Unknown(String),
}

/// A finished question.
#[derive(Clone, Debug)]
pub struct Maximal {
    /// The answer.
    pub answer: MaximalAnswer,
    /// The search behind it.
    pub statistics: Statistics,
    /// The abstraction it was made with.
    pub abstraction: Abstraction,
}

impl Maximal {
    /// Looks for a maximal run.
    pub fn ask(
        model: &Model,
        question: MaximalQuestion<'_>,
        options: &SearchOptions,
        report: &mut dyn FnMut(&Statistics),
    ) -> Result<Self, Error> {
        let asked: Vec<&Predicate> = question.from.into_iter().chain([question.inside]).collect();
        let graph = ZoneGraph::new(model, Abstraction::M, &asked)?;
        // A run that has to stay inside from the start is not followed where it has left.
        let graph = match question.from {
            None => graph.within(question.inside, question.outside, question.span),
            Some(_) => graph,
        };
        let reach = Reach::ask(&graph, None, options, report);
        let incomplete = match reach.answer {
            ReachAnswer::Unknown(reason) => Some(reason),
            ReachAnswer::Reachable(_) | ReachAnswer::Unreachable => None,
        };
        let mut effort = Effort::patient(options.limits.cancel.clone());
        let arena = Arena::of(&graph, &reach.outcome.store, incomplete.clone(), &effort)?;
        let found = found(&graph, &arena, question, &mut effort);
        let answer = match found {
            Ok(Some(run)) => MaximalAnswer::Found(run),
            Ok(None) => incomplete.map_or(MaximalAnswer::None, MaximalAnswer::Unknown),
            Err(error) => MaximalAnswer::Unknown(error.to_string()),
        };
        let statistics = reach.outcome.statistics;
        Ok(Self { answer, statistics, abstraction: graph.abstraction() })
    }
}

/// A run of the kind asked for, if there is one.
fn found<'m>(
    graph: &ZoneGraph<'m>,
    arena: &Arena<'_, 'm>,
    question: MaximalQuestion<'_>,
    effort: &mut Effort,
) -> Result<Option<MaximalRun>, Error> {
    let MaximalQuestion { inside: predicate, outside: negated, span, .. } = question;
    let begin = beginnings(graph, arena, question)?;
    let inside = Inside { predicate, negated, span };
    let places = places(graph, arena, inside, begin.as_deref(), effort)?;
    let sets = staying(arena, &places, effort)?;
    let Some((state, stem)) = run_into(arena, begin.as_deref(), &sets)? else { return Ok(None) };
    let signs = || Signs::of(arena.model(), &constants(&places), question.compares());
    let untold = |stem: Vec<TimedStep>, goes| MaximalRun { stem, turn: Vec::new(), goes };
    let diverging = diverging(arena, &places, sets.clone(), &|_| true, effort)?;
    if let Some((state, stem)) = run_into(arena, begin.as_deref(), &diverging.sets)? {
        let walk = Walk::after(arena, &places, signs(), state, stem.clone());
        let run = walk.and_then(|walk| walk.diverging(&diverging));
        return Ok(Some(run.unwrap_or_else(|| untold(stem, Goes::Diverges))));
    }
    if question.divergent {
        return Ok(None);
    }
    let walk = Walk::after(arena, &places, signs(), state, stem.clone());
    let run = walk.and_then(|walk| walk.staying(&sets));
    Ok(Some(run.unwrap_or_else(|| untold(stem, Goes::Zeno))))
}

/// For each discrete state the points at which a run may begin to stay inside; none for the start.
fn beginnings<'m>(
    graph: &ZoneGraph<'m>,
    arena: &Arena<'_, 'm>,
    question: MaximalQuestion<'_>,
) -> Result<Option<Vec<Federation>>, Error> {
    let Some(from) = question.from else { return Ok(None) };
    let mut composer = Composer::new(arena.model());
    let states = 0..arena.states.len();
    let begin = states
        .map(|state| holding(graph, &mut composer, arena, state, (from, question.span)))
        .collect::<Result<_, _>>()?;
    Ok(Some(begin))
}

/// A run into the sets that ends where it may begin to stay inside, and its last discrete state.
fn run_into(
    arena: &Arena<'_, '_>,
    begin: Option<&[Federation]>,
    sets: &[Federation],
) -> Result<Option<(usize, Vec<TimedStep>)>, Error> {
    if let Some(begin) = begin {
        return arena.run_inside(&met(begin, sets));
    }
    // A way back to the start need not stay inside, so the run begins there.
    let initial = Composer::new(arena.model()).initial();
    let start = Point::new(&vec![0; arena.dimension() - 1], 1);
    let state = arena.states.iter().position(|state| state.discrete == initial);
    Ok(state.filter(|state| sets[*state].contains(&start)).map(|state| (state, Vec::new())))
}

fn met(begin: &[Federation], sets: &[Federation]) -> Vec<Federation> {
    let both = |(begin, set): (&Federation, &Federation)| {
        let mut both = begin.clone();
        both.intersect(set);
        both
    };
    begin.iter().zip(sets).map(both).collect()
}

/// For each clock as zones number them, the greatest constant around the points inside.
fn constants(places: &[Place]) -> Vec<i64> {
    let mut greatest = Vec::new();
    for zone in places.iter().flat_map(|place| place.inside.invariant().zones()) {
        greatest.resize(zone.dimension(), -1);
        for (clock, greatest) in greatest.iter_mut().enumerate().skip(1) {
            for bound in [zone.bound(clock, 0), zone.bound(0, clock)] {
                let constant = bound.constant().map_or(-1, |one| i64::from(one).abs());
                *greatest = constant.max(*greatest);
            }
        }
    }
    greatest
}

impl MaximalQuestion<'_> {
    /// Whether a condition compares clocks with each other.
    fn compares(&self) -> bool {
        let conditions = self.from.into_iter().chain([self.inside]).flat_map(Predicate::conditions);
        let mut constraints = conditions
            .flat_map(|condition: &Condition| &condition.disjuncts)
            .flat_map(|one| &one.clocks);
        constraints.any(|one| one.left.is_some() && one.right.is_some())
    }
}
