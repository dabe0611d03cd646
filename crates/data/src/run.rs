//! One symbolic run of a piece of code: memory of terms, and decisions where the way depends on symbols.
//!
//! A run goes straight on. Where the way depends on a condition that neither holds nor fails for certain, it
//! takes the decision that a script says, or decides by itself and appends to the script; all ways are found
//! by running again with another script.

use tioga_base::{Overflow, Rational, Span};
use tioga_model::{Base, Code, EvalFault, EvalFaultKind, Kind, LocationId, Lvalue, Range, Slot};
use tioga_terms::{Answer, Decide, Formula, Relation, Symbols, Term};

/// How many values a variable may have at most to be followed value by value.
pub const SMALL: i64 = 16;

/// Steps one run may take.
const STEP_LIMIT: u32 = 100_000;

/// Addresses from here on lie among the constants.
const CONSTANTS: usize = 1 << 31;

/// Addresses from here on lie on the stack.
const STACK: usize = 1 << 33;

/// Why a run ends early.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// What the code does has no result: such a step is no step.
    Fault(EvalFault),
    /// A value may leave the range of the place it is stored in.
    OutOfRange(Range, Span),
    /// The way cannot be followed, and why.
    Beyond(String, Span),
}

impl From<EvalFault> for Stop {
    fn from(fault: EvalFault) -> Self {
        Self::Fault(fault)
    }
}

/// The decisions of a run: what was decided, and whether the opposite is still to be tried.
pub(crate) type Script = Vec<(bool, bool)>;

/// A run in progress.
pub(crate) struct Run<'r> {
    pub(crate) code: &'r Code,
    pub(crate) slots: &'r [Slot],
    pub(crate) locations: &'r [LocationId],
    pub(crate) symbols: &'r Symbols,
    pub(crate) solver: &'r mut dyn Decide,
    /// What holds before.
    pub(crate) given: &'r Formula,
    pub(crate) script: &'r mut Script,
    pub(crate) taken: usize,
    /// What was decided.
    pub(crate) condition: Vec<Formula>,
    pub(crate) data: Vec<Term>,
    pub(crate) stack: Vec<Term>,
    /// Where the current frame starts in the stack.
    pub(crate) frame: usize,
    pub(crate) steps: u32,
    pub(crate) calls: u32,
}

impl Run<'_> {
    /// Which way to go where a condition decides.
    pub(crate) fn decide(&mut self, condition: &Formula, span: Span) -> Result<bool, Stop> {
        match condition {
            Formula::True => return Ok(true),
            Formula::False => return Ok(false),
            _ => {}
        }
        let negated = self.sure(condition.negated(self.symbols), span)?;
        let value = match self.script.get(self.taken) {
            Some((value, _)) => *value,
            None => {
                let holds = self.possible(condition);
                let both = holds && self.possible(&negated);
                self.script.push((holds, both));
                holds
            }
        };
        self.taken += 1;
        self.condition.push(if value { condition.clone() } else { negated });
        Ok(value)
    }

    fn possible(&mut self, condition: &Formula) -> bool {
        let so_far = self.condition.iter().chain([self.given, condition]).cloned();
        let all = Formula::all(so_far);
        !matches!(self.solver.decide(self.symbols, &all), Answer::Never)
    }

    pub(crate) fn tick(&mut self, span: Span) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > STEP_LIMIT {
            return Err(EvalFault::new(EvalFaultKind::StepLimit, span).into());
        }
        Ok(())
    }

    pub(crate) fn sure<T>(&self, result: Result<T, Overflow>, span: Span) -> Result<T, Stop> {
        result.map_err(|_| EvalFault::new(EvalFaultKind::Overflow, span).into())
    }

    /// A truth value as a number.
    pub(crate) fn bit(&mut self, truth: &Formula, span: Span) -> Result<Term, Stop> {
        Ok(Term::int(i64::from(self.decide(truth, span)?)))
    }

    /// The truth value of a number.
    pub(crate) fn nonzero(&self, term: Term, span: Span) -> Result<Formula, Stop> {
        self.sure(Formula::compare(self.symbols, term, Relation::NotZero), span)
    }

    /// The value of a term that has to be known, by deciding among the values of a range if it is not.
    pub(crate) fn known(&mut self, term: &Term, range: Range, span: Span) -> Result<Term, Stop> {
        if term.as_number().is_some() {
            return Ok(term.clone());
        }
        for value in range.min..=range.max {
            let here = Formula::equal(self.symbols, term, &Term::int(value));
            let here = self.sure(here, span)?;
            if self.decide(&here, span)? {
                return Ok(Term::int(value));
            }
        }
        Err(Stop::OutOfRange(range, span))
    }

    /// Decides that a value lies in its range, or ends.
    pub(crate) fn check_range(
        &mut self,
        value: &Term,
        range: Option<Range>,
        span: Span,
    ) -> Result<(), Stop> {
        let Some(range) = range else { return Ok(()) };
        let least = Formula::at_most(self.symbols, &Term::int(range.min), value);
        let most = Formula::at_most(self.symbols, value, &Term::int(range.max));
        let inside = self.sure(least, span)?.and(self.sure(most, span)?);
        if self.decide(&inside, span)? {
            return Ok(());
        }
        match value.as_number().and_then(Rational::to_integer) {
            Some(value) => {
                Err(EvalFault::new(EvalFaultKind::OutOfRange { value, range }, span).into())
            }
            None => Err(Stop::OutOfRange(range, span)),
        }
    }

    /// Where a place is.
    pub(crate) fn address(
        &mut self,
        place: &Lvalue,
        index: &mut dyn FnMut(&mut Self, tioga_model::ExprId) -> Result<Term, Stop>,
        span: Span,
    ) -> Result<usize, Stop> {
        let base = match place.base {
            Base::Global => 0,
            Base::Constant => CONSTANTS,
            Base::Frame => STACK + self.frame,
            Base::Reference(slot) => {
                let stored = self.load(STACK + self.frame + slot as usize, Kind::Int, span)?;
                let address = stored.as_number().and_then(Rational::to_integer);
                let bad = EvalFault::new(EvalFaultKind::BadAddress, span);
                usize::try_from(address.ok_or(bad)?).map_err(|_| bad)?
            }
        };
        let mut address = base + place.offset as usize;
        for dynamic in &place.indices {
            let (first, length) = (dynamic.first, dynamic.length);
            let at = index(self, dynamic.index)?;
            let span = self.code.nodes[dynamic.index].span;
            let last = first.saturating_add(i64::from(length)) - 1;
            let inside = Range { min: first, max: last };
            let position = match at.as_number().and_then(Rational::to_integer) {
                Some(value) if (inside.min..=inside.max).contains(&value) => value,
                Some(index) => {
                    let kind = EvalFaultKind::IndexOutOfBounds { index, first, length };
                    return Err(EvalFault::new(kind, span).into());
                }
                None => {
                    let known = self.known(&at, inside, span)?;
                    known.as_number().and_then(Rational::to_integer).unwrap_or(first)
                }
            };
            address += (position - first) as usize * dynamic.stride as usize;
        }
        Ok(address)
    }

    /// What is at an address. A rational stands in its first slot.
    pub(crate) fn load(&self, address: usize, kind: Kind, span: Span) -> Result<Term, Stop> {
        let bad = EvalFault::new(EvalFaultKind::BadAddress, span);
        if let Some(position) = address.checked_sub(STACK) {
            return self.stack.get(position).cloned().ok_or(bad.into());
        }
        let Some(position) = address.checked_sub(CONSTANTS) else {
            return self.data.get(address).cloned().ok_or(bad.into());
        };
        let constant = |position: usize| self.code.constants.get(position).copied().ok_or(bad);
        let value = constant(position)?;
        if kind != Kind::Rational {
            return Ok(Term::int(value));
        }
        let number = Rational::new(value, constant(position + 1)?);
        Ok(Term::number(self.sure(number, span)?))
    }

    /// Stores a value. What a variable with few values is given becomes known.
    pub(crate) fn store(&mut self, address: usize, value: Term, span: Span) -> Result<(), Stop> {
        let bad = EvalFault::new(EvalFaultKind::BadAddress, span);
        if let Some(position) = address.checked_sub(STACK) {
            *self.stack.get_mut(position).ok_or(bad)? = value;
            return Ok(());
        }
        let value = match self.slots.get(address).and_then(is_small) {
            Some(range) => self.known(&value, range, span)?,
            None => value,
        };
        *self.data.get_mut(address).ok_or(bad)? = value;
        Ok(())
    }

    /// The address of a slot of the current frame.
    pub(crate) fn frame_address(&self, slot: u32) -> usize {
        STACK + self.frame + slot as usize
    }
}

/// The range of a slot whose values are followed one by one.
pub fn is_small(slot: &Slot) -> Option<Range> {
    let range = match (slot.kind, slot.range) {
        (Kind::Bool, _) => Range { min: 0, max: 1 },
        (Kind::Int, Some(range)) => range,
        _ => return None,
    };
    (range.max.checked_sub(range.min)? < SMALL).then_some(range)
}
