//! The federation: a finite union of zones, the smallest class of sets that is closed under
//! union, difference and all operations on zones.

use std::fmt;

use crate::bound::Bound;
use crate::constrain::Constraint;
use crate::point::Point;
use crate::zone::Zone;

/// A finite union of zones of one dimension, possibly none: then the federation is empty.
///
/// The zones may overlap, and one set has many forms; [`Federation::is_same_set`] compares sets.
/// There is no `==`, because it would compare forms.
///
/// Clocks are numbered as in [`Zone`], and methods panic under the same conditions.
#[derive(Clone)]
pub struct Federation {
    pub(crate) zones: Vec<Zone>,
    pub(crate) dimension: usize,
}

impl Federation {
    /// The empty set.
    ///
    /// # Panics
    /// If `dimension` is 0.
    #[must_use]
    pub fn empty(dimension: usize) -> Self {
        assert!(dimension > 0, "the reference clock counts");
        Self { zones: Vec::new(), dimension }
    }

    /// The set of all points.
    ///
    /// # Panics
    /// If `dimension` is 0.
    #[must_use]
    pub fn universal(dimension: usize) -> Self {
        Zone::universal(dimension).into()
    }

    /// The union of some zones.
    ///
    /// # Panics
    /// If one of them has another dimension.
    #[must_use]
    pub fn from_zones(dimension: usize, zones: impl IntoIterator<Item = Zone>) -> Self {
        let mut federation = Self::empty(dimension);
        zones.into_iter().for_each(|zone| federation.add(zone));
        federation
    }

    /// The number of clocks plus one.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The zones whose union this is.
    #[must_use]
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// The zones whose union this is, given away.
    #[must_use]
    pub fn into_zones(self) -> Vec<Zone> {
        self.zones
    }

    /// The number of zones in this form.
    #[must_use]
    pub fn len(&self) -> usize {
        self.zones.len()
    }

    /// Whether the set has no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    /// Adds the points of a zone.
    ///
    /// Zones that the new one includes are dropped, and it is not added if one zone includes it.
    pub fn add(&mut self, zone: Zone) {
        assert_eq!(self.dimension, zone.dimension(), "a zone of a different dimension");
        if self.zones.iter().any(|own| own.includes(&zone)) {
            return;
        }
        self.zones.retain(|own| !zone.includes(own));
        self.zones.push(zone);
    }

    /// Adds the points of `other`.
    pub fn unite(&mut self, other: &Self) {
        self.same_dimension(other);
        other.zones.iter().for_each(|zone| self.add(zone.clone()));
    }

    /// Keeps the points that are also in `zone`.
    pub fn intersect_zone(&mut self, zone: &Zone) {
        assert_eq!(self.dimension, zone.dimension(), "a zone of a different dimension");
        self.zones.retain_mut(|own| own.intersect(zone).is_ok());
    }

    /// Keeps the points that are also in `other`.
    pub fn intersect(&mut self, other: &Self) {
        self.same_dimension(other);
        if let [zone] = &other.zones[..] {
            return self.intersect_zone(zone);
        }
        let mut result = Self::empty(self.dimension);
        for own in &self.zones {
            for zone in &other.zones {
                let mut common = own.clone();
                if common.intersect(zone).is_ok() {
                    result.add(common);
                }
            }
        }
        *self = result;
    }

    /// Whether the sets have a point in common.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.same_dimension(other);
        self.zones.iter().any(|own| other.zones.iter().any(|zone| own.intersects(zone)))
    }

    /// Keeps the points with `x_i − x_j ≺ bound`.
    pub fn constrain(&mut self, i: usize, j: usize, bound: Bound) {
        self.zones.retain_mut(|zone| zone.constrain(i, j, bound).is_ok());
    }

    /// Keeps the points that satisfy all constraints.
    pub fn constrain_all(&mut self, constraints: &[Constraint]) {
        self.zones.retain_mut(|zone| zone.constrain_all(constraints).is_ok());
    }

    /// Lets time pass, see [`Zone::delay`].
    pub fn delay(&mut self) {
        self.each(Zone::delay);
    }

    /// Turns time back, see [`Zone::past`].
    pub fn past(&mut self) {
        self.each(Zone::past);
    }

    /// Forgets a clock, see [`Zone::free`].
    pub fn free(&mut self, clock: usize) {
        self.each(|zone| zone.free(clock));
    }

    /// Sets a clock, see [`Zone::reset`].
    pub fn reset(&mut self, clock: usize, value: u32) {
        self.each(|zone| zone.reset(clock, value));
    }

    /// Assigns a clock to another, shifted, see [`Zone::assign`].
    pub fn assign(&mut self, clock: usize, source: usize, offset: i32) {
        self.zones.retain_mut(|zone| zone.assign(clock, source, offset).is_ok());
        self.reduce();
    }

    /// The points `v` with `v[clock := value]` in the set, see [`Zone::reset_predecessor`].
    pub fn reset_predecessor(&mut self, clock: usize, value: u32) {
        self.zones.retain_mut(|zone| zone.reset_predecessor(clock, value).is_ok());
        self.reduce();
    }

    /// The points `v` with `v[clock := v(source) + offset]` in the set, see
    /// [`Zone::assign_predecessor`].
    pub fn assign_predecessor(&mut self, clock: usize, source: usize, offset: i32) {
        self.zones.retain_mut(|zone| zone.assign_predecessor(clock, source, offset).is_ok());
        self.reduce();
    }

    /// The smallest zone that includes the set, or `None` if it is empty.
    #[must_use]
    pub fn hull(&self) -> Option<Zone> {
        let (first, rest) = self.zones.split_first()?;
        let mut hull = first.clone();
        rest.iter().for_each(|zone| hull.hull(zone));
        Some(hull)
    }

    /// Whether time can diverge inside the set from some of its points.
    ///
    /// A ray is covered by finitely many zones, so one of them holds its unbounded end.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        self.zones.iter().any(Zone::is_delay_closed)
    }

    /// Whether the point is in the set.
    #[must_use]
    pub fn contains(&self, point: &Point) -> bool {
        self.zones.iter().any(|zone| zone.contains(point))
    }

    /// A point of the set, or `None` if it is empty: that of the first zone, see
    /// [`Zone::sample`].
    #[must_use]
    pub fn sample(&self) -> Option<Point> {
        self.zones.first().map(Zone::sample)
    }

    /// A form that prints the federation as a disjunction over the given clock names, `false` if
    /// it is empty.
    #[must_use]
    pub fn display<'a, S: AsRef<str>>(&'a self, names: &'a [S]) -> FederationDisplay<'a, S> {
        FederationDisplay { federation: self, names }
    }

    fn each(&mut self, operation: impl Fn(&mut Zone)) {
        self.zones.iter_mut().for_each(operation);
        self.reduce();
    }

    pub(crate) fn same_dimension(&self, other: &Self) {
        assert_eq!(self.dimension, other.dimension, "federations of different dimensions");
    }
}

impl From<Zone> for Federation {
    fn from(zone: Zone) -> Self {
        Self { dimension: zone.dimension(), zones: vec![zone] }
    }
}

impl fmt::Debug for Federation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.zones).finish()
    }
}

/// Prints a federation over given clock names, zones joined by `||`.
#[derive(Clone, Copy)]
pub struct FederationDisplay<'a, S> {
    federation: &'a Federation,
    names: &'a [S],
}

impl<S: AsRef<str>> fmt::Display for FederationDisplay<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zones = self.federation.zones();
        for (index, zone) in zones.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { " || " })?;
            write!(f, "{}", zone.display(self.names))?;
        }
        f.write_str(if zones.is_empty() { "false" } else { "" })
    }
}
