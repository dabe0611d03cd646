//! Sets of delays: intervals with open or closed ends, and finite unions of them.
//!
//! An end is a *cut* of the time line just before or just after a point. An interval is what lies
//! between two cuts, so `[2,3)` goes from before 2 to before 3, and all set operations are
//! comparisons of cuts.

use std::fmt;

use smallvec::{SmallVec, smallvec};
use tioga_base::{Overflow, Rational};

/// A position on the time line between points: just before or just after a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Cut {
    pub value: Rational,
    pub after: bool,
}

impl Cut {
    /// The start of time.
    pub const ZERO: Self = Self { value: Rational::ZERO, after: false };

    pub fn before(value: Rational) -> Self {
        Self { value, after: false }
    }

    pub fn after(value: Rational) -> Self {
        Self { value, after: true }
    }
}

/// A non-empty interval of delays, none of them negative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    from: Cut,
    to: Option<Cut>,
}

impl Interval {
    /// All delays.
    pub const ALL: Self = Self { from: Cut::ZERO, to: None };

    /// The interval between two cuts, clipped to what is not negative, unless it is empty.
    pub(crate) fn between(from: Cut, to: Option<Cut>) -> Option<Self> {
        let from = from.max(Cut::ZERO);
        to.is_none_or(|to| from < to).then_some(Self { from, to })
    }

    /// The single delay `value`, which is not negative.
    pub fn point(value: Rational) -> Option<Self> {
        Self::closed(value, value)
    }

    /// All delays from `lower` to `upper`, ends included; nothing if there is none.
    pub fn closed(lower: Rational, upper: Rational) -> Option<Self> {
        Self::between(Cut::before(lower), Some(Cut::after(upper)))
    }

    /// The greatest lower bound, and whether it is excluded.
    pub fn lower(&self) -> (Rational, bool) {
        (self.from.value, self.from.after)
    }

    /// The least upper bound and whether it is excluded; nothing if there is no bound.
    pub fn upper(&self) -> Option<(Rational, bool)> {
        self.to.map(|to| (to.value, !to.after))
    }

    /// Whether a delay lies in the interval.
    pub fn contains(&self, delay: Rational) -> bool {
        self.from <= Cut::before(delay) && self.to.is_none_or(|to| Cut::after(delay) <= to)
    }

    /// The delays in both, if there are any.
    pub fn intersect(&self, other: &Self) -> Option<Self> {
        let to = match (self.to, other.to) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        };
        Self::between(self.from.max(other.from), to)
    }

    /// The first delay, or one just inside where there is no first: half a unit in, or half way if
    /// the interval is shorter.
    pub fn earliest(&self) -> Rational {
        if !self.from.after {
            return self.from.value;
        }
        let room = self.to.map_or(Ok(Rational::ONE), |to| to.value.sub(self.from.value));
        room.and_then(half).and_then(|half| self.from.value.add(half)).unwrap_or(self.from.value)
    }

    /// The last delay, or one just inside where there is no last; the first if time does not end.
    pub fn latest(&self) -> Rational {
        match self.to {
            None => self.earliest(),
            Some(to) if to.after => to.value,
            Some(to) => {
                let room = to.value.sub(self.from.value).and_then(half);
                room.and_then(|room| to.value.sub(room)).unwrap_or(self.from.value)
            }
        }
    }
}

/// Half of it, or of a unit if that is shorter.
fn half(room: Rational) -> Result<Rational, Overflow> {
    room.min(Rational::ONE).div(Rational::integer(2))
}

/// Prints `[1,3)`, `(2,inf)`, or `{2}` for a single delay.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = if self.from.after { '(' } else { '[' };
        match self.to {
            None => write!(f, "{open}{},inf)", self.from.value),
            Some(to) if to.value == self.from.value => write!(f, "{{{}}}", to.value),
            Some(to) => {
                let close = if to.after { ']' } else { ')' };
                write!(f, "{open}{},{}{close}", self.from.value, to.value)
            }
        }
    }
}

/// A finite union of intervals of delays.
///
/// Invariant: the intervals are in order, disjoint, and no two of them touch, so equal sets are
/// equal values.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Intervals {
    parts: Parts,
}

/// Most sets of delays are a single interval.
type Parts = SmallVec<[Interval; 1]>;

impl Intervals {
    /// No delay.
    pub fn none() -> Self {
        Self::default()
    }

    /// All delays.
    pub fn all() -> Self {
        Self { parts: smallvec![Interval::ALL] }
    }

    /// The intervals, in order.
    pub fn parts(&self) -> &[Interval] {
        &self.parts
    }

    /// Whether there is no delay.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether a delay is in the set.
    pub fn contains(&self, delay: Rational) -> bool {
        self.parts.iter().any(|part| part.contains(delay))
    }

    /// The delays in both.
    pub fn intersect(&self, other: &Self) -> Self {
        if let ([left], [right]) = (&self.parts[..], &other.parts[..]) {
            return left.intersect(right).map_or_else(Self::none, Self::from);
        }
        let pairs = self
            .parts
            .iter()
            .flat_map(|left| other.parts.iter().filter_map(|right| left.intersect(right)));
        pairs.collect()
    }

    /// The delays in one or the other.
    pub fn unite(&self, other: &Self) -> Self {
        self.parts.iter().chain(&other.parts).copied().collect()
    }

    /// The delays that are not in the set.
    pub fn complement(&self) -> Self {
        let mut gaps = Parts::new();
        let mut from = Some(Cut::ZERO);
        for part in &self.parts {
            if let Some(gap) = from.and_then(|from| Interval::between(from, Some(part.from))) {
                gaps.push(gap);
            }
            from = part.to;
        }
        gaps.extend(from.and_then(|from| Interval::between(from, None)));
        Self { parts: gaps }
    }

    /// The delays before all of the set and its lower bound itself: what can pass without having
    /// been in the set. All delays if the set is empty.
    pub fn until(&self) -> Interval {
        let to = self.parts.first().map(|part| Cut::after(part.from.value));
        Interval { from: Cut::ZERO, to }
    }

    /// The longest interval that starts at 0 and lies in the set or is 0 itself.
    pub fn initial_stretch(&self) -> Interval {
        if let [only] = &self.parts[..]
            && only.from == Cut::ZERO
        {
            return *only;
        }
        let zero = Interval { from: Cut::ZERO, to: Some(Cut::after(Rational::ZERO)) };
        let with_zero: Self = self.parts.iter().copied().chain([zero]).collect();
        with_zero.parts[0]
    }
}

impl From<Interval> for Intervals {
    fn from(interval: Interval) -> Self {
        Self { parts: smallvec![interval] }
    }
}

/// The union of the intervals.
impl FromIterator<Interval> for Intervals {
    fn from_iter<A: IntoIterator<Item = Interval>>(intervals: A) -> Self {
        let mut sorted = Parts::new();
        for interval in intervals {
            sorted.push(interval);
        }
        if sorted.len() < 2 {
            return Self { parts: sorted };
        }
        sorted.sort_by_key(|interval| interval.from);
        let mut parts = Parts::with_capacity(sorted.len());
        for next in sorted {
            match parts.last_mut() {
                Some(last) if last.to.is_none_or(|to| next.from <= to) => {
                    last.to = match (last.to, next.to) {
                        (Some(left), Some(right)) => Some(left.max(right)),
                        _ => None,
                    };
                }
                _ => parts.push(next),
            }
        }
        Self { parts }
    }
}

/// Prints the intervals joined by ` or `; the empty set is `never`.
impl fmt::Display for Intervals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return f.write_str("never");
        }
        for (position, part) in self.parts.iter().enumerate() {
            if position > 0 {
                f.write_str(" or ")?;
            }
            part.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_and_the_last_moment_lie_inside() {
        let value = |text: &str| text.parse::<Rational>().unwrap();
        let three: Intervals = Interval::point(value("3")).into_iter().collect();
        let around = three.complement();
        let (before, after) = (around.parts()[0], around.parts()[1]);
        assert_eq!((before.earliest(), before.latest()), (value("0"), value("5/2")));
        assert_eq!((after.earliest(), after.latest()), (value("7/2"), value("7/2")));
        let closed = Interval::closed(value("1"), value("3")).unwrap();
        assert_eq!((closed.earliest(), closed.latest()), (value("1"), value("3")));
    }

    /// Cuts at small half-integers, so that ends coincide often.
    fn cut() -> impl Strategy<Value = Cut> {
        (0i64..16, any::<bool>())
            .prop_map(|(half, after)| Cut { value: Rational::new(half, 2).unwrap(), after })
    }

    fn intervals() -> impl Strategy<Value = Intervals> {
        let interval = (cut(), proptest::option::weighted(0.9, cut()))
            .prop_map(|(from, to)| Interval::between(from, to));
        proptest::collection::vec(interval, 0..5)
            .prop_map(|parts| parts.into_iter().flatten().collect())
    }

    /// All ends, the points between them, and one beyond.
    fn samples() -> impl Iterator<Item = Rational> {
        (0..40).map(|quarter| Rational::new(quarter, 4).unwrap())
    }

    proptest! {
        #[test]
        fn set_operations_agree_with_membership_of_points(a in intervals(), b in intervals()) {
            let (both, either, not) = (a.intersect(&b), a.unite(&b), a.complement());
            for point in samples() {
                prop_assert_eq!(both.contains(point), a.contains(point) && b.contains(point));
                prop_assert_eq!(either.contains(point), a.contains(point) || b.contains(point));
                prop_assert_eq!(not.contains(point), !a.contains(point));
            }
        }

        #[test]
        fn equal_sets_are_equal_values(a in intervals(), b in intervals()) {
            prop_assert_eq!(a.complement().complement(), a.clone());
            let de_morgan = a.complement().intersect(&b.complement()).complement();
            prop_assert_eq!(a.unite(&b), de_morgan);
            let same = samples().all(|point| a.contains(point) == b.contains(point));
            prop_assert_eq!(same, a == b);
        }

        #[test]
        fn stretches_from_zero_agree_with_all_earlier_points(a in intervals()) {
            let (stretch, until) = (a.initial_stretch(), a.until());
            // Between an open end and the next sample there must be a point to look at.
            let fine = || (0..80).map(|eighth| Rational::new(eighth, 8).unwrap());
            for point in samples() {
                let earlier = || fine().filter(|other| *other <= point);
                let inside = earlier().filter(|other| !other.is_zero()).all(|o| a.contains(o));
                prop_assert_eq!(stretch.contains(point), inside);
                let untouched = earlier().filter(|other| *other < point).all(|o| !a.contains(o));
                prop_assert_eq!(until.contains(point), untouched);
            }
        }
    }

    #[test]
    fn intervals_print_their_ends() {
        let half = Rational::new(1, 2).unwrap();
        let open = Interval::between(Cut::after(half), Some(Cut::before(Rational::integer(3))));
        assert_eq!(open.unwrap().to_string(), "(1/2,3)");
        assert_eq!(Interval::point(half).unwrap().to_string(), "{1/2}");
        assert_eq!(Intervals::from(open.unwrap()).complement().to_string(), "[0,1/2] or [3,inf)");
        assert_eq!(Intervals::none().to_string(), "never");
    }
}
