//! Guards, arguments and updates over data that is not known: every way the code may take, with its condition.

use tioga_base::{Rational, Span};
use tioga_model::{
    ChannelUse, ClockAssignment, ClockBound, ClockConjunction, ClockConstraint, ClockId, ClockTerm,
    Condition, DiscreteState, Edge, EvalFault, EvalFaultKind, Kind, LocationId, Model, Network,
    TimeBound, Type, Update,
};
use tioga_terms::{Decide, Formula, Symbols, Term};

use crate::run::{Run, Script, Stop};

/// One way through a piece of code.
#[derive(Clone, PartialEq, Debug)]
pub struct Way<T> {
    /// When it is taken, over the symbols.
    pub condition: Formula,
    /// What comes of it.
    pub outcome: Result<T, Stop>,
}

/// What an edge changes.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// The data after it.
    pub data: Vec<Term>,
    /// The clock assignments, in order.
    pub clocks: Vec<ClockAssignment>,
}

/// One alternative of a condition: what holds of the data, and what must hold of the clocks.
pub type Alternative = (Formula, ClockConjunction);

/// A symbolic state: locations, and a term for each data slot. A rational stands in its first slot.
#[derive(Clone, Copy, Debug)]
pub struct Symbolic<'s> {
    /// Where each process is.
    pub locations: &'s [LocationId],
    /// The data.
    pub data: &'s [Term],
}

/// How many ways one piece of code may have.
const WAY_LIMIT: usize = 4096;

/// Follows the code of a model over symbols.
pub struct Interpreter<'i> {
    pub(crate) network: &'i Network,
    symbols: &'i Symbols,
    solver: &'i mut dyn Decide,
}

/// The data of a state as terms.
///
/// # Errors
/// If a rational is none, which no valid state has.
pub fn known_data(network: &Network, state: &DiscreteState) -> Result<Vec<Term>, Stop> {
    let mut terms: Vec<Term> = state.data.iter().map(|value| Term::int(*value)).collect();
    let mut position = 0;
    while position < terms.len() {
        if network.slots.get(position).is_some_and(|slot| slot.kind == Kind::Rational) {
            let (above, below) = (state.data[position], state.data.get(position + 1).copied());
            let number = Rational::new(above, below.unwrap_or(1));
            let bad = EvalFault::new(EvalFaultKind::Overflow, Span::default());
            terms[position] = Term::number(number.map_err(|_| bad)?);
            if let Some(next) = terms.get_mut(position + 1) {
                *next = Term::int(1);
            }
            position += 1;
        }
        position += 1;
    }
    Ok(terms)
}

impl<'i> Interpreter<'i> {
    /// An interpreter of a model's code over these symbols.
    pub fn new(model: &'i Model, symbols: &'i Symbols, solver: &'i mut dyn Decide) -> Self {
        Self { network: model, symbols, solver }
    }

    /// Every way of a piece of work.
    pub(crate) fn ways<T>(
        &mut self,
        given: &Formula,
        state: Symbolic<'_>,
        mut work: impl FnMut(&mut Run<'_>) -> Result<T, Stop>,
    ) -> Vec<Way<T>> {
        let mut script = Script::new();
        let mut ways = Vec::new();
        loop {
            let mut run = Run {
                code: &self.network.code,
                slots: &self.network.slots,
                locations: state.locations,
                symbols: self.symbols,
                solver: self.solver,
                given,
                script: &mut script,
                taken: 0,
                condition: Vec::new(),
                data: state.data.to_vec(),
                stack: Vec::new(),
                frame: 0,
                steps: 0,
                calls: 0,
            };
            let outcome = work(&mut run);
            let condition = Formula::all(std::mem::take(&mut run.condition));
            ways.push(Way { condition, outcome });
            while script.last().is_some_and(|(_, open)| !open) {
                script.pop();
            }
            let Some((value, open)) = script.last_mut() else { return ways };
            (*value, *open) = (!*value, false);
            if ways.len() >= WAY_LIMIT {
                let why = format!("the data decide in more than {WAY_LIMIT} ways");
                let outcome = Err(Stop::Beyond(why, Span::default()));
                return vec![Way { condition: Formula::True, outcome }];
            }
        }
    }

    /// A condition over data and clocks: for each way, its alternatives.
    pub fn condition(
        &mut self,
        given: &Formula,
        state: Symbolic<'_>,
        frame: &[Term],
        size: u32,
        condition: &Condition,
        span: Span,
    ) -> Vec<Way<Vec<Alternative>>> {
        let scale = self.network.scale;
        self.alternatives(given, state, padded(frame, size), condition, |run, constraints| {
            let mut clocks = ClockConjunction::new();
            let mut possible = true;
            for constraint in constraints {
                let bound = clock_bound(run, constraint, scale, span)?;
                if bound.left == bound.right {
                    possible &= bound.bound > 0 || (bound.bound == 0 && !bound.strict);
                } else {
                    clocks.push(bound);
                }
            }
            Ok(possible.then_some(clocks))
        })
    }

    /// The alternatives of a condition whose data may hold, for each way; `clocks` says what must hold of the clocks,
    /// or nothing if that is impossible.
    pub(crate) fn alternatives<C>(
        &mut self,
        given: &Formula,
        state: Symbolic<'_>,
        stack: Vec<Term>,
        condition: &Condition,
        mut clocks: impl FnMut(&mut Run<'_>, &[ClockConstraint]) -> Result<Option<C>, Stop>,
    ) -> Vec<Way<Vec<(Formula, C)>>> {
        self.ways(given, state, |run| {
            run.stack.clone_from(&stack);
            let mut alternatives = Vec::new();
            for conjunct in &condition.disjuncts {
                let data = match conjunct.data {
                    Some(data) => run.truth(data)?,
                    None => Formula::True,
                };
                if data == Formula::False {
                    continue;
                }
                if let Some(clocks) = clocks(run, &conjunct.clocks)? {
                    alternatives.push((data, clocks));
                }
            }
            Ok(alternatives)
        })
    }

    /// The values an edge sends.
    pub fn arguments(
        &mut self,
        given: &Formula,
        state: Symbolic<'_>,
        frame: &[Term],
        edge: &Edge,
        used: &ChannelUse,
        types: &[Type],
    ) -> Vec<Way<Vec<Term>>> {
        self.ways(given, state, |run| {
            run.stack = padded(frame, edge.frame);
            let mut values = Vec::new();
            for (&argument, ty) in used.arguments.iter().zip(types) {
                let value = run.term(argument)?;
                let range = ty.bounds().map(|(min, max)| tioga_model::Range { min, max });
                run.check_range(&value, range, run.code.nodes[argument].span)?;
                values.push(value);
            }
            Ok(values)
        })
    }

    /// What several edges change together, each with its frame, in order.
    pub fn effect(
        &mut self,
        given: &Formula,
        state: Symbolic<'_>,
        edges: &[(&Edge, &[Term])],
    ) -> Vec<Way<Effect>> {
        let scale = self.network.scale;
        self.ways(given, state, |run| {
            let mut clocks = Vec::new();
            for (edge, frame) in edges {
                for update in &edge.updates {
                    run.stack = padded(frame, edge.frame);
                    match update {
                        Update::Data(statement) => run.run(statement, edge.span)?,
                        Update::Clock(update) => {
                            if let Some(when) = update.when {
                                let truth = run.truth(when)?;
                                if !run.decide(&truth, edge.span)? {
                                    continue;
                                }
                            }
                            let source = match update.source {
                                Some(term) => Some(clock(run, term, edge.span)?),
                                None => None,
                            };
                            let value = amount(run, update.value, scale, edge.span)?;
                            if source.is_none() && value < 0 {
                                let kind = EvalFaultKind::NegativeClock { value };
                                return Err(EvalFault::new(kind, edge.span).into());
                            }
                            let clock = clock(run, update.clock, edge.span)?;
                            clocks.push(ClockAssignment { clock, source, value });
                        }
                    }
                }
            }
            Ok(Effect { data: std::mem::take(&mut run.data), clocks })
        })
    }

    /// The position of an edge's channel in its array.
    pub fn channel(
        &mut self,
        given: &Formula,
        state: Symbolic<'_>,
        frame: &[Term],
        edge: &Edge,
        used: &ChannelUse,
    ) -> Vec<Way<u32>> {
        self.ways(given, state, |run| {
            run.stack = padded(frame, edge.frame);
            let Some((index, length)) = used.index else { return Ok(used.channel.0) };
            Ok(used.channel.0 + position(run, index, length, edge.span)?)
        })
    }
}

pub(crate) fn padded(frame: &[Term], size: u32) -> Vec<Term> {
    let mut stack = frame.to_vec();
    stack.resize(stack.len().max(size as usize), Term::int(0));
    stack
}

fn clock_bound(
    run: &mut Run<'_>,
    constraint: &ClockConstraint,
    scale: i64,
    span: Span,
) -> Result<ClockBound, Stop> {
    let mut side = |term: Option<ClockTerm>| match term {
        Some(term) => clock(run, term, span).map(Some),
        None => Ok(None),
    };
    let (left, right) = (side(constraint.left)?, side(constraint.right)?);
    let bound = amount(run, constraint.bound, scale, span)?;
    Ok(ClockBound { left, right, strict: constraint.strict, bound })
}

pub(crate) fn clock(run: &mut Run<'_>, term: ClockTerm, span: Span) -> Result<ClockId, Stop> {
    match term.index {
        None => Ok(term.clock),
        Some((index, length)) => Ok(ClockId(term.clock.0 + position(run, index, length, span)?)),
    }
}

/// The value of an index, which has to be known.
fn position(
    run: &mut Run<'_>,
    index: tioga_model::ExprId,
    length: u32,
    span: Span,
) -> Result<u32, Stop> {
    let term = run.term(index)?;
    let range = tioga_model::Range { min: 0, max: i64::from(length) - 1 };
    let known = run.known(&term, range, span)?;
    let value = known.as_number().and_then(Rational::to_integer).unwrap_or(-1);
    let inside = u32::try_from(value).ok().filter(|position| *position < length);
    let kind = EvalFaultKind::IndexOutOfBounds { index: value, first: 0, length };
    inside.ok_or_else(|| EvalFault::new(kind, span).into())
}

/// An amount of time in units of `1 / scale`, which has to be known.
fn amount(run: &mut Run<'_>, bound: TimeBound, scale: i64, span: Span) -> Result<i64, Stop> {
    let expr = match bound {
        TimeBound::Constant(value) => return Ok(value),
        TimeBound::Expr(expr) => expr,
    };
    let term = run.term(expr)?;
    let Some(number) = term.as_number() else {
        let why = "a clock is compared with data that may have too many values".to_owned();
        return Err(Stop::Beyond(why, run.code.nodes[expr].span));
    };
    let scaled = number.to_integer().and_then(|number| number.checked_mul(scale));
    scaled.ok_or_else(|| EvalFault::new(EvalFaultKind::Overflow, span).into())
}
