//! Conditions with the data filled in, and the effect of steps.

use smallvec::SmallVec;
use tioga_base::{Id, Span};

use super::{
    Applied, ClockAssignment, ClockBound, ClockConjunction, ClockGuard, Composer, Participant, Step,
};
use crate::{
    ClockConstraint, ClockId, ClockTerm, ClockUpdate, Condition, DiscreteState, EdgeId, EvalFault,
    EvalFaultKind, Evaluator, ExprId, ProcessId, TimeBound, Update,
};

impl Composer<'_> {
    /// The clock part of all invariants together in this discrete state. It is literally false if
    /// the data part of one fails.
    pub fn invariant(&mut self, state: &DiscreteState) -> Result<ClockGuard, EvalFault> {
        let model = self.model;
        let mut all = ClockGuard::always();
        for (process, &location) in model.processes.iter().zip(&state.locations) {
            let location = &process.locations[location];
            if location.invariant.is_always() {
                continue;
            }
            let guard = self.resolve(state, &location.invariant, &[], 0, location.span)?;
            if guard.is_never() {
                return Ok(guard);
            }
            all = all.and(&guard);
        }
        Ok(all)
    }

    /// The clock part of an edge's guard when its frame starts with these values.
    pub(super) fn guard(
        &mut self,
        state: &DiscreteState,
        process: ProcessId,
        edge: EdgeId,
        frame: &[i64],
    ) -> Result<ClockGuard, EvalFault> {
        let model = self.model;
        let edge = &model.processes[process].edges[edge];
        if edge.guard.is_always() {
            return Ok(ClockGuard::always());
        }
        self.resolve(state, &edge.guard, frame, edge.frame, edge.span)
    }

    /// The clock part of the guard of one of the edges that a step of this state takes.
    pub fn guard_in(
        &mut self,
        state: &DiscreteState,
        step: &Step,
        participant: &Participant,
    ) -> Result<ClockGuard, EvalFault> {
        let frame = if participant.receives { &step.arguments[..] } else { &[] };
        self.guard(state, participant.process, participant.edge, frame)
    }

    /// The clock part of any condition over the data of this state, such as a query's.
    /// `span` is where the condition was written.
    pub fn condition(
        &mut self,
        state: &DiscreteState,
        condition: &Condition,
        span: Span,
    ) -> Result<ClockGuard, EvalFault> {
        self.resolve(state, condition, &[], 0, span)
    }

    /// The value of an integer expression over the data of this state, such as a query's.
    pub fn value(&mut self, state: &DiscreteState, expr: ExprId) -> Result<i64, EvalFault> {
        self.evaluator(state, &[], 0).int(expr)
    }

    /// How many parts of a condition's data are false in a state; of the alternative that is nearest
    /// to holding. Clocks do not count.
    pub fn shortfall(
        &mut self,
        state: &DiscreteState,
        condition: &Condition,
    ) -> Result<u32, EvalFault> {
        let mut least = u32::MAX;
        for conjunct in &condition.disjuncts {
            let missing = match conjunct.data {
                Some(data) => self.evaluator(state, &[], 0).shortfall(data)?,
                None => 0,
            };
            least = least.min(missing);
        }
        Ok(least)
    }

    /// The clock part of a condition when the frame starts with these values and has this size.
    pub(crate) fn resolve(
        &mut self,
        state: &DiscreteState,
        condition: &Condition,
        frame: &[i64],
        size: u32,
        span: Span,
    ) -> Result<ClockGuard, EvalFault> {
        let scale = self.model.scale;
        let mut guard = ClockGuard::never();
        for conjunct in &condition.disjuncts {
            if let Some(data) = conjunct.data
                && !self.evaluator(state, frame, size).holds(data)?
            {
                continue;
            }
            let mut conjunction = ClockConjunction::new();
            let mut possible = true;
            for constraint in &conjunct.clocks {
                let bound = match constraint.fixed() {
                    Some(bound) => bound,
                    None => {
                        let mut evaluator = self.evaluator(state, frame, size);
                        clock_bound(&mut evaluator, constraint, scale, span)?
                    }
                };
                if bound.left == bound.right {
                    // The clocks cancel out, so the bound alone decides.
                    possible &= bound.bound > 0 || (bound.bound == 0 && !bound.strict);
                } else {
                    conjunction.push(bound);
                }
            }
            if possible {
                guard.or(conjunction);
            }
        }
        Ok(guard)
    }

    /// Carries out the updates of a step enumerated for this state.
    ///
    /// A fault means that the step does not exist. An assignment from a clock with a negative value
    /// may still make a clock negative; the caller, which knows clock values, checks that.
    pub fn apply(&mut self, state: &DiscreteState, step: &Step) -> Result<Applied, EvalFault> {
        let model = self.model;
        let mut target = state.clone();
        let mut assignments = SmallVec::new();
        for participant in &step.participants {
            let edge = &model.processes[participant.process].edges[participant.edge];
            let frame: &[i64] = if participant.receives { &step.arguments } else { &[] };
            let size = edge.frame.max(model.index().frame);
            for update in &edge.updates {
                let mut evaluator = Evaluator::writing(
                    &model.code,
                    &state.locations,
                    &mut target.data,
                    &mut self.stack,
                );
                evaluator.set_frame(frame, size);
                match update {
                    Update::Data(statement) => evaluator.run(statement, edge.span)?,
                    Update::Clock(update) => assignments.extend(clock_assignment(
                        &mut evaluator,
                        update,
                        model.scale,
                        edge.span,
                    )?),
                }
            }
        }
        for participant in &step.participants {
            let edge = &model.processes[participant.process].edges[participant.edge];
            target.locations[participant.process.index()] = edge.target;
        }
        if let Some(classes) = model.classes() {
            target = classes.canonical(target);
        }
        Ok(Applied { target, assignments })
    }
}

impl ClockConstraint {
    /// The constraint itself if no data is in it, which is the common case.
    fn fixed(&self) -> Option<ClockBound> {
        let fixed = |term: Option<ClockTerm>| match term {
            None => Some(None),
            Some(ClockTerm { clock, index: None }) => Some(Some(clock)),
            Some(_) => None,
        };
        let TimeBound::Constant(bound) = self.bound else { return None };
        let (left, right) = (fixed(self.left)?, fixed(self.right)?);
        Some(ClockBound { left, right, strict: self.strict, bound })
    }
}

fn clock_bound(
    evaluator: &mut Evaluator<'_>,
    constraint: &ClockConstraint,
    scale: i64,
    span: Span,
) -> Result<ClockBound, EvalFault> {
    let left = constraint.left.map(|term| clock(evaluator, term, span)).transpose()?;
    let right = constraint.right.map(|term| clock(evaluator, term, span)).transpose()?;
    let bound = amount(evaluator, constraint.bound, scale, span)?;
    Ok(ClockBound { left, right, strict: constraint.strict, bound })
}

/// What an update sets; nothing if its condition does not hold.
fn clock_assignment(
    evaluator: &mut Evaluator<'_>,
    update: &ClockUpdate,
    scale: i64,
    span: Span,
) -> Result<Option<ClockAssignment>, EvalFault> {
    if let Some(when) = update.when
        && !evaluator.holds(when)?
    {
        return Ok(None);
    }
    let source = update.source.map(|term| clock(evaluator, term, span)).transpose()?;
    let value = amount(evaluator, update.value, scale, span)?;
    if source.is_none() && value < 0 {
        return Err(EvalFault::new(EvalFaultKind::NegativeClock { value }, span));
    }
    Ok(Some(ClockAssignment { clock: clock(evaluator, update.clock, span)?, source, value }))
}

fn clock(evaluator: &mut Evaluator<'_>, term: ClockTerm, span: Span) -> Result<ClockId, EvalFault> {
    let Some((index, length)) = term.index else { return Ok(term.clock) };
    let index = evaluator.int(index)?;
    let position = u32::try_from(index).ok().filter(|position| *position < length);
    let kind = EvalFaultKind::IndexOutOfBounds { index, first: 0, length };
    position.map(|position| ClockId(term.clock.0 + position)).ok_or(EvalFault::new(kind, span))
}

/// An amount of time in units of `1 / scale`.
fn amount(
    evaluator: &mut Evaluator<'_>,
    bound: TimeBound,
    scale: i64,
    span: Span,
) -> Result<i64, EvalFault> {
    match bound {
        TimeBound::Constant(value) => Ok(value),
        TimeBound::Expr(expr) => evaluator
            .int(expr)?
            .checked_mul(scale)
            .ok_or_else(|| EvalFault::new(EvalFaultKind::Overflow, span)),
    }
}
