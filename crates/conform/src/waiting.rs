//! Where a system may wait, and where one may wait longer than another.

use tioga_symbolic::Elapse;
use tioga_zones::{Bound, Federation, OpenZone, Zone};

/// The points from which an allowed delay above 0 is possible.
pub fn may_wait(place: &Elapse) -> Federation {
    let dimension = place.invariant().dimension();
    if !place.passes_time() {
        return Federation::empty(dimension);
    }
    let mut points = soon_in(place.invariant());
    points.intersect(place.invariant());
    points.subtract(place.urgent());
    points.subtract(&soon_in(place.urgent()));
    points
}

/// The points of both invariants from which some delay is allowed by the first place and not by the
/// second: it leads out of the second's invariant, or beyond a point where time stands still there.
pub fn waits_longer(first: &Elapse, first_may_wait: &Federation, second: &Elapse) -> Federation {
    let mut longer = first.past(&second.invariant().complement());
    let mut stopped = first_may_wait.clone();
    if second.passes_time() {
        stopped.intersect(second.urgent());
    }
    longer.unite(&first.past(&stopped));
    longer.intersect(first.invariant());
    longer.intersect(second.invariant());
    longer
}

/// The points from which all short delays above 0 lead into the set. Of finitely many zones one holds
/// the beginning of a way.
fn soon_in(set: &Federation) -> Federation {
    Federation::from_zones(set.dimension(), set.zones().iter().filter_map(soon))
}

/// The points from which all short delays above 0 lead into the zone: upper bounds hold strictly,
/// and lower bounds at least weakly.
fn soon(zone: &Zone) -> Option<Zone> {
    let mut points = OpenZone::new(zone.dimension());
    for i in 0..zone.dimension() {
        for j in 0..zone.dimension() {
            let bound = zone.bound(i, j);
            let Some(constant) = bound.constant().filter(|_| i != j) else { continue };
            let changed = match (i, j) {
                (_, 0) => Bound::lt(constant),
                (0, _) => Bound::le(constant),
                _ => Ok(bound),
            };
            points.constrain(i, j, changed.expect("the constant is that of a bound"));
        }
    }
    points.close()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The set of one clock between bounds: `(value, whether excluded)`.
    fn between(from: (i32, bool), to: Option<(i32, bool)>) -> Federation {
        let mut set = Federation::universal(2);
        let bound = |constant, strict| {
            if strict { Bound::lt(constant).unwrap() } else { Bound::le(constant).unwrap() }
        };
        set.constrain(0, 1, bound(-from.0, from.1));
        if let Some((constant, strict)) = to {
            set.constrain(1, 0, bound(constant, strict));
        }
        set
    }

    fn place(invariant: Federation) -> Elapse {
        Elapse::new(invariant, Federation::empty(2), true)
    }

    fn longer(first: &Elapse, second: &Elapse) -> String {
        waits_longer(first, &may_wait(first), second).display(&["x"]).to_string()
    }

    #[test]
    fn one_may_wait_up_to_the_bound_but_not_at_it() {
        let invariant = between((0, false), Some((2, false)));
        assert_eq!(may_wait(&place(invariant.clone())).display(&["x"]).to_string(), "x < 2");
        let urgent = between((1, true), None);
        let place = Elapse::new(invariant, urgent, true);
        assert_eq!(may_wait(&place).display(&["x"]).to_string(), "x < 1");
    }

    #[test]
    fn what_leaves_the_other_invariant_is_longer() {
        let (two, below_two) =
            (between((0, false), Some((2, false))), between((0, false), Some((2, true))));
        let (free, two, below_two) =
            (place(Federation::universal(2)), place(two), place(below_two));
        assert_eq!(longer(&two, &two), "false");
        assert_eq!(longer(&below_two, &two), "false");
        assert_eq!(longer(&two, &below_two), "x < 2");
        assert_eq!(longer(&free, &two), "x <= 2");
        assert_eq!(longer(&two, &free), "false");
    }

    #[test]
    fn time_that_stands_still_is_shorter_than_any_that_passes() {
        let free = place(Federation::universal(2));
        let urgent = |set| Elapse::new(Federation::universal(2), set, true);
        let standing = Elapse::new(Federation::universal(2), Federation::empty(2), false);
        assert_eq!(longer(&free, &standing), "true");
        assert_eq!(longer(&standing, &standing), "false");
        // The moment itself is allowed, and nothing after it.
        assert_eq!(longer(&free, &urgent(between((1, false), Some((1, false))))), "x <= 1");
        let from_one = urgent(between((1, false), None));
        assert_eq!(longer(&from_one, &from_one), "false");
        assert_eq!(longer(&urgent(between((2, false), None)), &from_one), "x < 2");
        assert_eq!(longer(&from_one, &urgent(between((1, true), None))), "false");
    }
}
