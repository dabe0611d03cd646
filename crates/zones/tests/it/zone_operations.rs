//! Every operation on zones against the slow reference, on random zones of several dimensions,
//! and against points.

use crate::reference::{Slow, bound, point, points, slow, zones};
use proptest::prelude::*;
use tioga_zones::{Bound, Constraint, Empty, LuBounds, OpenZone, Point, SetRelation, Zone};

/// A dimension with code of its own mostly, sometimes the smallest or a large one.
fn dimensions() -> impl Strategy<Value = usize> {
    prop_oneof![12 => 2_usize..=7, 2 => 8_usize..=16, 1 => 17_usize..=19]
}

fn one() -> impl Strategy<Value = Slow> {
    dimensions().prop_flat_map(|n| zones(n, 9))
}

fn two() -> impl Strategy<Value = (Slow, Slow)> {
    dimensions().prop_flat_map(|n| (zones(n, 6), zones(n, 6)))
}

fn with_clocks() -> impl Strategy<Value = (Slow, usize, usize)> {
    dimensions().prop_flat_map(|n| (zones(n, 9), 1..n, 1..n))
}

/// Compares a zone with its reference, and checks that it is closed by the definition.
fn same(zone: &Zone, expected: &Slow) -> Result<(), TestCaseError> {
    prop_assert!(zone.is_canonical());
    prop_assert_eq!(&slow(zone), expected);
    Ok(())
}

/// As [`same`] for operations that may leave nothing.
fn same_or_empty(
    result: Result<(), Empty>,
    zone: &Zone,
    expected: Option<&Slow>,
) -> Result<(), TestCaseError> {
    match expected {
        Some(expected) => {
            prop_assert_eq!(result, Ok(()));
            same(zone, expected)
        }
        None => {
            prop_assert_eq!(result, Err(Empty));
            prop_assert!(zone.is_canonical(), "the zone stays a zone");
            Ok(())
        }
    }
}

proptest! {
    #[test]
    fn closing_finds_the_tightest_bounds(slow in one()) {
        same(&slow.zone(), &slow)?;
    }

    #[test]
    fn closing_detects_emptiness(
        n in dimensions(),
        constraints in proptest::collection::vec((0..19_usize, 0..19_usize, -5..=9_i64, any::<bool>()), 0..30),
    ) {
        let mut expected = Slow::universal(n);
        let mut open = OpenZone::new(n);
        for (i, j, c, weak) in constraints {
            expected.add(i % n, j % n, Some((c, weak)));
            open.constrain(i % n, j % n, bound(Some((c, weak))));
        }
        let mut reused = Zone::zero(n);
        let filled = open.close_into(&mut reused);
        match (open.close(), expected.closed()) {
            (None, None) => prop_assert!(!filled && reused == Zone::zero(n)),
            (Some(zone), Some(expected)) => {
                same(&zone, &expected)?;
                prop_assert!(filled && reused == zone);
            }
            (zone, expected) => prop_assert!(false, "{zone:?} but {expected:?}"),
        }
    }

    #[test]
    fn delay_lets_time_pass(slow in one()) {
        let mut zone = slow.zone();
        zone.delay();
        same(&zone, &slow.delayed())?;
        prop_assert!(zone.is_delay_closed());
        prop_assert_eq!(slow.zone().is_delay_closed(), slow == slow.delayed());
    }

    #[test]
    fn past_turns_time_back(slow in one()) {
        let mut zone = slow.zone();
        zone.past();
        same(&zone, &slow.past())?;
        prop_assert!(zone.is_past_closed());
        prop_assert_eq!(slow.zone().is_past_closed(), slow == slow.past());
    }

    #[test]
    fn one_constraint_is_kept(
        (slow, i, j) in with_clocks(), reference in 0..3, c in -9..=9_i64, weak: bool,
    ) {
        let (i, j) = match reference { 0 => (0, j), 1 => (i, 0), _ => (i, j) };
        let weight = Some((c, weak));
        let expected = slow.with(i, j, weight);
        let before = slow.zone();
        prop_assert_eq!(before.meets(i, j, bound(weight)), expected.is_some());
        prop_assert_eq!(before.implies(i, j, bound(weight)), expected.as_ref() == Some(&slow));
        let mut zone = before.clone();
        let result = zone.constrain(i, j, bound(weight));
        same_or_empty(result, &zone, expected.as_ref())?;
        prop_assert!(result.is_ok() || zone == before, "unchanged when empty");
    }

    #[test]
    fn many_constraints_are_kept((slow, other) in two()) {
        let constraints = other.zone().minimal_constraints();
        let mut zone = slow.zone();
        let result = zone.constrain_all(&constraints);
        same_or_empty(result, &zone, slow.and(&other).as_ref())?;
    }

    #[test]
    fn intersection_keeps_common_points((slow, other) in two()) {
        let expected = slow.and(&other);
        let mut zone = slow.zone();
        let result = zone.intersect(&other.zone());
        same_or_empty(result, &zone, expected.as_ref())?;
        prop_assert!(result.is_ok() || zone == other.zone());
        prop_assert_eq!(slow.zone().intersects(&other.zone()), expected.is_some());
    }

    #[test]
    fn free_forgets_a_clock((slow, x, _) in with_clocks()) {
        let mut zone = slow.zone();
        zone.free(x);
        same(&zone, &slow.freed(x))?;
    }

    #[test]
    fn reset_sets_a_clock((slow, x, _) in with_clocks(), c in 0..9_u32) {
        let mut zone = slow.zone();
        zone.reset(x, c);
        same(&zone, &slow.assigned(x, 0, c.into()).unwrap())?;
    }

    #[test]
    fn assign_copies_and_shifts((slow, x, y) in with_clocks(), c in -9..9_i32) {
        let mut zone = slow.zone();
        let result = zone.assign(x, y, c);
        same_or_empty(result, &zone, slow.assigned(x, y, c.into()).as_ref())?;
    }

    #[test]
    fn reset_predecessor_inverts_reset((slow, x, _) in with_clocks(), c in 0..9_u32) {
        let mut zone = slow.zone();
        let result = zone.reset_predecessor(x, c);
        same_or_empty(result, &zone, slow.assigned_predecessor(x, 0, c.into()).as_ref())?;
    }

    #[test]
    fn assign_predecessor_inverts_assign((slow, x, y) in with_clocks(), c in -9..9_i32) {
        let mut zone = slow.zone();
        let result = zone.assign_predecessor(x, y, c);
        same_or_empty(result, &zone, slow.assigned_predecessor(x, y, c.into()).as_ref())?;
    }

    #[test]
    fn relation_compares_sets((slow, other) in two(), nested: bool) {
        let other = if nested { slow.and(&other).unwrap_or(other) } else { other };
        let (a, b) = (slow.zone(), other.zone());
        let expected = match (slow.includes(&other), other.includes(&slow)) {
            (true, true) => SetRelation::Equal,
            (true, false) => SetRelation::Superset,
            (false, true) => SetRelation::Subset,
            (false, false) => SetRelation::Incomparable,
        };
        prop_assert_eq!(a.relation(&b), expected);
        prop_assert_eq!(a.includes(&b), slow.includes(&other));
        prop_assert_eq!(a == b, expected == SetRelation::Equal);
    }

    #[test]
    fn hull_is_the_least_zone_around_both((slow, other) in two()) {
        let mut zone = slow.zone();
        zone.hull(&other.zone());
        same(&zone, &slow.hull(&other).closed().unwrap())?;
        prop_assert!(zone.includes(&slow.zone()) && zone.includes(&other.zone()));
    }

    #[test]
    fn samples_are_points_of_the_zone(slow in one()) {
        let zone = slow.zone();
        prop_assert!(zone.contains(&zone.sample()));
        prop_assert!(zone.contains(&zone.sample_interior()));
    }

    #[test]
    fn interior_samples_keep_clear_of_every_bound_they_can(slow in one()) {
        let zone = slow.zone();
        let n = zone.dimension();
        let sample = zone.sample_interior();
        for i in 0..n {
            for j in 0..n {
                let bound = zone.bound(i, j);
                let fixed = bound + zone.bound(j, i) == Bound::LE_ZERO;
                if let (false, Some(c)) = (fixed, bound.constant()) {
                    let (a, d) = sample.coordinate(i);
                    prop_assert!(a - sample.coordinate(j).0 < i64::from(c) * d);
                }
            }
        }
    }

    #[test]
    fn minimal_constraints_determine_the_zone(slow in one()) {
        let zone = slow.zone();
        let compact = zone.to_compact();
        prop_assert_eq!(compact.to_zone(), zone.clone());
        // Without any one of them the zone is larger.
        for left_out in 0..compact.constraints().len() {
            let mut open = OpenZone::new(zone.dimension());
            let others = compact.constraints().enumerate();
            open.extend(others.filter(|(i, _)| *i != left_out).map(|(_, c)| c));
            prop_assert_eq!(open.close().unwrap().relation(&zone), SetRelation::Superset);
        }
    }

    #[test]
    fn a_projection_keeps_its_clocks_and_frees_the_others(
        (slow, _) in two(), chosen in any::<u32>(), scale in prop_oneof![Just(1), Just(9000)],
    ) {
        let zone = slow.scaled(scale).zone();
        let clocks: Vec<usize> =
            (1..zone.dimension()).filter(|clock| chosen >> clock & 1 == 1).collect();
        let packed = zone.pack_clocks(&clocks);
        prop_assert_eq!(packed.dimension(), clocks.len() + 1);
        prop_assert!(packed.unpack().is_canonical());
        let mut unpacked = Zone::zero(zone.dimension());
        packed.unpack_clocks_into(&clocks, &mut unpacked);
        let mut expected = zone.clone();
        for clock in (1..zone.dimension()).filter(|clock| !clocks.contains(clock)) {
            expected.free(clock);
        }
        prop_assert!(unpacked.is_canonical());
        prop_assert_eq!(unpacked, expected);
    }

    #[test]
    fn packed_zones_compare_as_zones_do(
        (slow, other) in two(), nested: bool, scale in prop_oneof![Just(1), Just(1500), Just(9000)],
        other_scale in prop_oneof![Just(1), Just(1500)],
    ) {
        // Large constants need the wide form, for one zone or for both.
        let other = if nested { slow.and(&other).unwrap_or(other) } else { other };
        let other_scale = if nested { scale } else { other_scale };
        let (a, b) = (slow.scaled(scale).zone(), other.scaled(other_scale).zone());
        let (pa, pb) = (a.pack(), b.pack());
        prop_assert_eq!(pa.unpack(), a.clone());
        prop_assert_eq!(pa.dimension(), a.dimension());
        prop_assert!(pa.bounds().eq(a.bounds().iter().copied()));
        let less = |(a, b): (i16, i16)| a < b;
        let sketches = pa.sketch().into_iter().zip(pb.sketch());
        prop_assert!(!a.includes(&b) || !sketches.into_iter().any(less), "the sketches say otherwise");
        prop_assert_eq!(pa.includes(&pb), a.includes(&b));
        prop_assert_eq!(pa.relation(&pb), a.relation(&b));
        prop_assert_eq!(pa == pb, a == b);
        let widest = a.bounds().iter().filter_map(|b| b.constant()).map(i32::abs).max().unwrap();
        prop_assert_eq!(pa.bytes() == 2 * a.bounds().len(), widest <= 16382);
        let mut bounds = LuBounds::none(a.dimension());
        bounds.raise_lower(1, 3);
        bounds.raise_upper(1, 3);
        let expected = a.includes_modulo_alu(&b, &bounds);
        prop_assert_eq!(pa.includes_modulo_alu(&pb, &bounds), expected);
    }

    #[test]
    fn zones_can_be_written_and_read(slow in one(), change in -3..3_i32) {
        let zone = slow.zone();
        let packed: Vec<i32> = zone.bounds().iter().map(|b| b.packed()).collect();
        let read = |packed: &[i32]| {
            let bounds: Option<Vec<Bound>> = packed.iter().map(|&p| Bound::from_packed(p)).collect();
            Zone::from_bounds(zone.dimension(), &bounds?)
        };
        prop_assert_eq!(read(&packed), Some(zone.clone()));
        let mut changed = packed.clone();
        changed[1] += change;
        prop_assert!(read(&changed).is_none_or(|other| other.is_canonical()));
        prop_assert_eq!(read(&packed[1..]), None);
    }

    #[test]
    fn compact_zones_decide_inclusion((slow, other) in two(), nested: bool) {
        let other = if nested { slow.and(&other).unwrap_or(other) } else { other };
        prop_assert_eq!(slow.zone().to_compact().includes(&other.zone()), slow.includes(&other));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn membership_of_all_grid_points(slow in zones(3, 4)) {
        let zone = slow.zone();
        for values in points(2, 6, 6) {
            prop_assert_eq!(zone.contains(&point(&values, 6)), slow.contains(&values, 6));
        }
    }

    /// The same for the reference: its reduction to variables agrees with the definition, point by
    /// point. Delays are searched on a grid twice as fine, which has a point in each interval.
    #[test]
    fn the_reference_obeys_the_definitions(slow in zones(3, 3), c in 0..4_i64) {
        let (delayed, past, freed) = (slow.delayed(), slow.past(), slow.freed(1));
        let reset = slow.assigned(1, 0, c).unwrap();
        let copied = slow.assigned(1, 2, c).unwrap();
        let before_copy = slow.assigned_predecessor(1, 2, c);
        let grid = 6;
        for values in points(2, 3, 7) {
            let v: Vec<i64> = values.iter().map(|value| value * 2).collect();
            let after = |d: i64| [v[0] + d, v[1] + d];
            let reach = 0..=20 * grid;
            let led = reach.clone().any(|d| v[0] >= d && v[1] >= d && slow.contains(&after(-d), grid));
            prop_assert_eq!(delayed.contains(&v, grid), led);
            let leads = reach.clone().any(|d| slow.contains(&after(d), grid));
            prop_assert_eq!(past.contains(&v, grid), leads);
            let somewhere = reach.clone().any(|x| slow.contains(&[x, v[1]], grid));
            prop_assert_eq!(freed.contains(&v, grid), somewhere);
            prop_assert_eq!(reset.contains(&v, grid), somewhere && v[0] == c * grid);
            prop_assert_eq!(copied.contains(&v, grid), somewhere && v[0] == v[1] + c * grid);
            let leads = slow.contains(&[v[1] + c * grid, v[1]], grid);
            prop_assert_eq!(before_copy.as_ref().is_some_and(|z| z.contains(&v, grid)), leads);
        }
    }
}

#[test]
fn the_first_zones_are_canonical() {
    for n in 1..20 {
        assert!(Zone::zero(n).is_canonical() && Zone::universal(n).is_canonical());
        assert!(Zone::universal(n).is_universal());
        assert!(Zone::universal(n).includes(&Zone::zero(n)));
        assert_eq!(Zone::zero(n).is_universal(), n == 1);
    }
}

#[test]
fn zones_print_as_constraints() {
    let mut zone = Zone::universal(4);
    let names = ["x", "y", "z"];
    assert_eq!(zone.display(&names).to_string(), "true");
    zone.constrain(0, 1, Bound::le(-1).unwrap()).unwrap();
    zone.constrain(1, 0, Bound::lt(5).unwrap()).unwrap();
    zone.constrain(2, 1, Bound::le(2).unwrap()).unwrap();
    assert_eq!(zone.display(&names).to_string(), "x >= 1 && x < 5 && y - x <= 2");
    zone.constrain(1, 2, Bound::le(-2).unwrap()).unwrap();
    assert_eq!(zone.display(&names).to_string(), "x >= 1 && x < 5 && y - x == 2");
    assert_eq!(Zone::zero(3).display(&names).to_string(), "x == 0 && y == 0");
}

#[test]
fn samples_are_as_simple_as_possible() {
    let mut zone = Zone::universal(3);
    assert_eq!(zone.sample().to_string(), "(0, 0)");
    zone.constrain(0, 1, Bound::lt(-1).unwrap()).unwrap();
    assert_eq!(zone.sample().to_string(), "(2, 0)");
    zone.constrain(1, 0, Bound::lt(2).unwrap()).unwrap();
    assert_eq!(zone.sample().to_string(), "(3/2, 0)");
    zone.constrain_all(&[
        Constraint::new(0, 2, Bound::lt(-1).unwrap()),
        Constraint::new(2, 1, Bound::lt(0).unwrap()),
    ])
    .unwrap();
    assert_eq!(zone.sample(), Point::new(&[5, 4], 3));
}

#[test]
fn zones_without_clocks_have_one_point() {
    let mut zone = Zone::universal(1);
    zone.delay();
    zone.past();
    assert_eq!(zone.intersect(&Zone::zero(1)), Ok(()));
    assert_eq!(zone.constrain(0, 0, Bound::LT_ZERO), Err(Empty));
    assert_eq!(zone.display::<&str>(&[]).to_string(), "true");
    assert_eq!(zone.sample().to_string(), "()");
    assert_eq!(zone.subtract(&Zone::zero(1)).len(), 0);
    assert_eq!(zone.to_compact().to_zone(), zone);
}

#[test]
fn many_clocks_are_no_different() {
    let n = 70;
    let mut zone = Zone::zero(n);
    zone.delay();
    for clock in 1..n {
        zone.reset(clock, 0);
        zone.delay();
        zone.constrain(clock, 0, Bound::lt(2).unwrap()).unwrap();
    }
    assert!(zone.is_canonical());
    let mut other = Zone::universal(n);
    other.constrain(69, 68, Bound::le(-1).unwrap()).unwrap();
    other.constrain(65, 3, Bound::le(-100).unwrap()).unwrap();
    assert!(other.is_canonical());
    let mut common = zone.clone();
    common.intersect(&other).unwrap();
    assert_eq!(slow(&common), slow(&zone).and(&slow(&other)).unwrap());
    assert_eq!(zone.subtract(&other).len(), 2);
    let mut bounds = LuBounds::none(n);
    (1..n).for_each(|clock| bounds.raise_lower(clock, 3));
    let mut extrapolated = common.clone();
    extrapolated.extrapolate_lu_plus(&bounds);
    assert!(extrapolated.is_canonical() && extrapolated.includes(&common));
    assert_eq!(common.to_compact().to_zone(), common);
}

#[test]
fn bounds_at_the_limit_neither_wrap_nor_panic() {
    let most = tioga_zones::MAX_CONSTANT;
    for n in [3, 8, 20] {
        let mut zone = Zone::universal(n);
        for _ in 0..50 {
            for i in 1..n {
                let before = if i == 1 { 0 } else { i - 1 };
                let _ = zone.constrain(before, i, Bound::lt(-most).unwrap());
                zone.reset(1, most.unsigned_abs());
                let _ = zone.assign(i, i, most);
                zone.delay();
                let _ = zone.intersect(&Zone::universal(n));
            }
            zone.past();
        }
    }
}
