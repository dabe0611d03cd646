//! When clock conditions hold: the set of delays after which a guard is true.
//!
//! After a delay `d`, a clock that was not assigned has the value `k + d`, and one that was set to
//! a constant has the value `k`. Every clock bound is therefore a bound on `d`, a bound on `−d`, or
//! constant, and a conjunction of bounds holds in one interval of delays.

use smallvec::SmallVec;
use tioga_base::{Id, Overflow, Rational};
use tioga_model::{ClockAssignment, ClockBound, ClockGuard, ClockId};

use crate::interval::{Cut, Interval, Intervals};

/// Clock values as functions of a delay not yet chosen.
#[derive(Clone, Debug)]
pub struct MovingClocks {
    values: SmallVec<[Moving; 8]>,
    scale: Rational,
}

/// `constant + d` if it grows, `constant` if not.
#[derive(Clone, Copy, Debug)]
struct Moving {
    constant: Rational,
    grows: bool,
}

impl MovingClocks {
    /// Clocks that start from these values and grow. `scale` is the model's.
    pub fn new(clocks: &[Rational], scale: i64) -> Self {
        let mut values = SmallVec::with_capacity(clocks.len());
        for &constant in clocks {
            values.push(Moving { constant, grows: true });
        }
        Self { values, scale: Rational::integer(scale) }
    }

    /// The values after the delay 0.
    pub fn now(&self) -> Box<[Rational]> {
        self.values.iter().map(|value| value.constant).collect()
    }

    /// Carries out the assignments after the delay. Returns the delays for which no clock becomes
    /// negative.
    pub fn assign(&mut self, assignments: &[ClockAssignment]) -> Result<Intervals, Overflow> {
        let mut allowed = Intervals::all();
        for assignment in assignments {
            let added = self.time(assignment.value)?;
            let source = assignment.source.map(|source| self.values[source.index()]);
            let source = source.unwrap_or(Moving { constant: Rational::ZERO, grows: false });
            let value = Moving { constant: source.constant.add(added)?, ..source };
            allowed = allowed.intersect(&at_least_zero(value)?);
            self.values[assignment.clock.index()] = value;
        }
        Ok(allowed)
    }

    /// The delays after which the condition holds.
    pub fn when(&self, guard: &ClockGuard) -> Result<Intervals, Overflow> {
        self.when_any(guard.disjuncts.iter().map(|bounds| bounds.iter().copied()))
    }

    /// The delays after which all bounds of one of these sets hold.
    pub fn when_any<B>(&self, sets: impl Iterator<Item = B>) -> Result<Intervals, Overflow>
    where
        B: Iterator<Item = ClockBound>,
    {
        sets.filter_map(|bounds| self.when_all(bounds).transpose()).collect()
    }

    /// The delays after which all bounds hold, if there are any.
    fn when_all(
        &self,
        bounds: impl Iterator<Item = ClockBound>,
    ) -> Result<Option<Interval>, Overflow> {
        let mut all = Interval::ALL;
        for bound in bounds {
            let both = self.when_bound(&bound)?.and_then(|one| all.intersect(&one));
            let Some(both) = both else { return Ok(None) };
            all = both;
        }
        Ok(Some(all))
    }

    fn when_bound(&self, bound: &ClockBound) -> Result<Option<Interval>, Overflow> {
        let zero = Moving { constant: Rational::ZERO, grows: false };
        let value = |clock: Option<ClockId>| clock.map_or(zero, |clock| self.values[clock.index()]);
        let (left, right) = (value(bound.left), value(bound.right));
        // The bound asks for slope * d ≤ room, or <.
        let difference = left.constant.sub(right.constant)?;
        let room = self.time(bound.bound)?.sub(difference)?;
        Ok(match (left.grows, right.grows) {
            (true, false) => {
                let to = if bound.strict { Cut::before(room) } else { Cut::after(room) };
                Interval::between(Cut::ZERO, Some(to))
            }
            (false, true) => {
                let least = room.neg()?;
                let from = if bound.strict { Cut::after(least) } else { Cut::before(least) };
                Interval::between(from, None)
            }
            _ if room.is_negative() || (bound.strict && room.is_zero()) => None,
            _ => Some(Interval::ALL),
        })
    }

    /// An amount in units of `1 / scale` as time.
    fn time(&self, amount: i64) -> Result<Rational, Overflow> {
        Rational::integer(amount).div(self.scale)
    }
}

fn at_least_zero(value: Moving) -> Result<Intervals, Overflow> {
    if !value.constant.is_negative() {
        return Ok(Intervals::all());
    }
    if !value.grows {
        return Ok(Intervals::none());
    }
    let from = Cut::before(value.constant.neg()?);
    Ok(Interval::between(from, None).into_iter().collect())
}
