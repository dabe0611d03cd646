//! Intervals of variables, and what they say of rows.

use std::cmp::Ordering;

use super::number::{Number, add};
use super::row::{Atom, Kind, Row};
use super::stop::Stop;

/// What is known of a variable alone: an interval.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Domain {
    pub(super) low: Option<Number>,
    pub(super) high: Option<Number>,
    /// Whether the ends do not belong to it; for rationals.
    pub(super) low_open: bool,
    pub(super) high_open: bool,
    pub(super) integer: bool,
}

/// The least or greatest value of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extreme {
    /// The sum of those ends that exist.
    pub(super) sum: Number,
    /// How many parts have no such end.
    pub(super) unbounded: u32,
    /// How many parts do not reach their end.
    pub(super) open: u32,
}

/// What happened to a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    None,
    Smaller,
    Empty,
    /// The condition holds for all values that are left.
    Settled,
}

impl Domain {
    pub(super) fn is_empty(&self) -> Result<bool, Stop> {
        let (Some(low), Some(high)) = (self.low, self.high) else { return Ok(false) };
        Ok(match low.compare(high)? {
            Ordering::Less => false,
            Ordering::Equal => self.low_open || self.high_open,
            Ordering::Greater => true,
        })
    }

    /// The only value in it, if there is only one.
    pub(super) fn fixed(&self) -> Option<Number> {
        self.low.filter(|_| self.low == self.high)
    }

    /// The simplest value in it.
    pub(super) fn value(&self) -> Result<Option<Number>, Stop> {
        let low = self.low.map(|low| (low, self.low_open));
        let high = self.high.map(|high| (high, self.high_open));
        Number::simplest(low, high)
    }

    /// Only what is not above an end.
    pub(super) fn at_most(&mut self, end: Number, open: bool) -> Result<Change, Stop> {
        let (end, open) = if self.integer {
            let whole = end.floor();
            (Number::int(if open && end.is_int() { add(whole, -1)? } else { whole }), false)
        } else {
            (end, open)
        };
        if let Some(high) = self.high {
            let order = end.compare(high)?;
            let smaller =
                order == Ordering::Less || (order == Ordering::Equal && open && !self.high_open);
            if !smaller {
                return Ok(Change::None);
            }
        }
        self.high = Some(end);
        self.high_open = open;
        Ok(if self.is_empty()? { Change::Empty } else { Change::Smaller })
    }

    /// Only what is not below an end.
    pub(super) fn at_least(&mut self, end: Number, open: bool) -> Result<Change, Stop> {
        let (end, open) = if self.integer {
            let whole = end.ceil();
            (Number::int(if open && end.is_int() { add(whole, 1)? } else { whole }), false)
        } else {
            (end, open)
        };
        if let Some(low) = self.low {
            let order = end.compare(low)?;
            let smaller =
                order == Ordering::Greater || (order == Ordering::Equal && open && !self.low_open);
            if !smaller {
                return Ok(Change::None);
            }
        }
        self.low = Some(end);
        self.low_open = open;
        Ok(if self.is_empty()? { Change::Empty } else { Change::Smaller })
    }

    /// Only what differs from a value, as far as an interval can say that.
    pub(super) fn differs(&mut self, value: Number) -> Result<Change, Stop> {
        if self.low == Some(value) {
            return self.at_least(value, true);
        }
        if self.high == Some(value) {
            return self.at_most(value, true);
        }
        Ok(Change::None)
    }

    /// What a condition `factor · variable + constant` leaves of it; whether the domain says all of the
    /// condition now.
    pub(super) fn restrict(
        &mut self,
        factor: i128,
        constant: i128,
        kind: Kind,
    ) -> Result<(Change, bool), Stop> {
        let end = Number::new(-constant, factor);
        let change = match kind {
            Kind::AtMost | Kind::Below if factor > 0 => self.at_most(end, kind == Kind::Below)?,
            Kind::AtMost | Kind::Below => self.at_least(end, kind == Kind::Below)?,
            Kind::Zero => {
                if self.integer && !end.is_int() {
                    return Ok((Change::Empty, true));
                }
                let (above, below) = (self.at_least(end, false)?, self.at_most(end, false)?);
                match (above, below) {
                    (Change::Empty, _) | (_, Change::Empty) => Change::Empty,
                    (Change::None, Change::None) => Change::None,
                    _ => Change::Smaller,
                }
            }
            Kind::NotZero => {
                let change = self.differs(end)?;
                let outside = self.low.is_some_and(|low| low.compare(end) == Ok(Ordering::Greater))
                    || self.high.is_some_and(|high| high.compare(end) == Ok(Ordering::Less))
                    || (self.low == Some(end) && self.low_open)
                    || (self.high == Some(end) && self.high_open);
                return Ok((change, outside));
            }
            Kind::Divides(_) | Kind::NotDivides(_) => return Ok((Change::None, false)),
        };
        Ok((change, true))
    }
}

/// The least or the greatest value of a row.
pub(super) fn extreme(row: &Row, domains: &[Domain], greatest: bool) -> Result<Extreme, Stop> {
    let mut extreme = Extreme { sum: Number::int(row.constant), unbounded: 0, open: 0 };
    for (var, factor) in &row.parts {
        let domain = &domains[*var as usize];
        if (*factor > 0) == greatest {
            extreme.add(domain.high.as_ref(), domain.high_open, *factor)?;
        } else {
            extreme.add(domain.low.as_ref(), domain.low_open, *factor)?;
        }
    }
    Ok(extreme)
}

/// The least and the greatest value of a row.
pub(super) fn extremes(row: &Row, domains: &[Domain]) -> Result<(Extreme, Extreme), Stop> {
    let start = Extreme { sum: Number::int(row.constant), unbounded: 0, open: 0 };
    let (mut least, mut most) = (start, start);
    for (var, factor) in &row.parts {
        let domain = &domains[*var as usize];
        let (low, high) =
            if *factor > 0 { (&mut least, &mut most) } else { (&mut most, &mut least) };
        low.add(domain.low.as_ref(), domain.low_open, *factor)?;
        high.add(domain.high.as_ref(), domain.high_open, *factor)?;
    }
    Ok((least, most))
}

/// The end of a domain that makes its product with a factor least or greatest.
pub(super) fn end(domain: &Domain, factor: i128, greatest: bool) -> Option<(Number, bool)> {
    if (factor > 0) == greatest {
        domain.high.map(|high| (high, domain.high_open))
    } else {
        domain.low.map(|low| (low, domain.low_open))
    }
}

impl Extreme {
    #[inline]
    fn add(&mut self, end: Option<&Number>, open: bool, factor: i128) -> Result<(), Stop> {
        let Some(value) = end else {
            self.unbounded += 1;
            return Ok(());
        };
        self.sum.add_product(value, factor)?;
        self.open += u32::from(open);
        Ok(())
    }

    /// The sign of the value: as an extreme, it is reached unless an end is open.
    fn sign(self) -> Option<(i128, bool)> {
        (self.unbounded == 0).then(|| (self.sum.signum(), self.open > 0))
    }
}

/// What the extremes of a row say of a comparison with zero: whether it always holds, or never.
pub(super) fn verdict(kind: Kind, least: Extreme, most: Extreme) -> Option<bool> {
    let (least, most) = (least.sign(), most.sign());
    // Strictly above zero, strictly below zero, above or at zero, below or at zero.
    let above = least.is_some_and(|(sign, open)| sign > 0 || (sign == 0 && open));
    let below = most.is_some_and(|(sign, open)| sign < 0 || (sign == 0 && open));
    let not_below = least.is_some_and(|(sign, _)| sign >= 0);
    let not_above = most.is_some_and(|(sign, _)| sign <= 0);
    match kind {
        Kind::AtMost if above => Some(false),
        Kind::AtMost if not_above => Some(true),
        Kind::Below if not_below => Some(false),
        Kind::Below if below => Some(true),
        Kind::Zero if above || below => Some(false),
        Kind::Zero if not_above && not_below => Some(true),
        Kind::NotZero if above || below => Some(true),
        Kind::NotZero if not_above && not_below => Some(false),
        _ => None,
    }
}

/// Whether a condition holds for all values of the domains, or for none; nothing if neither is seen.
pub(super) fn judge(atom: &Atom, domains: &[Domain]) -> Result<Option<bool>, Stop> {
    let row = &atom.row;
    match atom.kind {
        Kind::Divides(_) | Kind::NotDivides(_) => {
            let mut sum = Number::int(row.constant);
            for (var, factor) in &row.parts {
                let domain = &domains[*var as usize];
                let Some(value) = domain.fixed() else { return Ok(None) };
                sum = sum.plus(value.times(*factor)?)?;
            }
            Ok(Some(atom.kind.holds(sum)))
        }
        kind => {
            let (least, most) = extremes(row, domains)?;
            Ok(verdict(kind, least, most))
        }
    }
}
