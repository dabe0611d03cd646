//! Every operation on federations against its definition, on all points of a grid that has a point
//! in each region.

use crate::reference::{Slow, point, points, zones};
use proptest::prelude::*;
use tioga_zones::{Arrival, Bound, Constraint, Federation, SetRelation, Zone};

/// A union of zones in the reference.
type Union = Vec<Slow>;

/// Dimension, largest constant, and how far to look. What is compared point by point is compared
/// in the most interesting part only; what needs all regions looks as far as [`all_regions`].
const CASES: [(usize, i64, i64); 2] = [(3, 3, 7), (4, 1, 3)];

/// A range with a point in each region of the grid, see [`points`].
fn all_regions(case: usize) -> i64 {
    let (n, most, _) = CASES[case];
    2 * most * i64::try_from(n - 1).unwrap() + 1
}

fn unions() -> impl Strategy<Value = (usize, Union, Union)> {
    prop_oneof![3 => Just(0_usize), 1 => Just(1_usize)].prop_flat_map(|case| {
        let (n, most, _) = CASES[case];
        let union = || proptest::collection::vec(zones(n, most), 0..4);
        (Just(case), union(), union())
    })
}

fn federation(case: usize, union: &Union) -> Federation {
    Federation::from_zones(CASES[case].0, union.iter().map(Slow::zone))
}

fn holds(union: &Union, values: &[i64], grid: i64) -> bool {
    union.iter().any(|slow| slow.contains(values, grid))
}

/// Checks membership of all points of the grid against a predicate, which gets a point in units
/// of half the grid, so that it has room to look between the points.
fn agrees(
    case: usize,
    federation: &Federation,
    mut expected: impl FnMut(&[i64], i64) -> bool,
) -> Result<(), TestCaseError> {
    let (n, _, range) = CASES[case];
    let grid = 2 * i64::try_from(n).unwrap();
    prop_assert!(federation.zones().iter().all(Zone::is_canonical));
    for values in points(n - 1, grid / 2, range) {
        let values: Vec<i64> = values.iter().map(|value| value * 2).collect();
        let found = federation.contains(&point(&values, grid));
        prop_assert_eq!(found, expected(&values, grid), "at {:?}/{}", values, grid);
    }
    Ok(())
}

fn after(values: &[i64], delay: i64) -> Vec<i64> {
    values.iter().map(|value| value + delay).collect()
}

/// Delays in half steps of the grid: even ones are moments where a bound can be met, odd ones
/// stand for the open intervals between, on which nothing changes.
fn delays(case: usize, grid: i64) -> std::ops::Range<i64> {
    0..(2 * CASES[case].2 + 1) * grid
}

fn disjoint(zones: &[Zone]) -> bool {
    zones.iter().enumerate().all(|(i, zone)| zones[..i].iter().all(|other| !zone.intersects(other)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn union_and_intersection((case, a, b) in unions()) {
        let mut union = federation(case, &a);
        union.unite(&federation(case, &b));
        agrees(case, &union, |v, grid| holds(&a, v, grid) || holds(&b, v, grid))?;
        let mut common = federation(case, &a);
        common.intersect(&federation(case, &b));
        agrees(case, &common, |v, grid| holds(&a, v, grid) && holds(&b, v, grid))?;
        let intersects = federation(case, &a).intersects(&federation(case, &b));
        prop_assert_eq!(intersects, !common.is_empty());
    }

    #[test]
    fn subtraction_and_complement((case, a, b) in unions()) {
        let mut rest = federation(case, &a);
        rest.subtract(&federation(case, &b));
        agrees(case, &rest, |v, grid| holds(&a, v, grid) && !holds(&b, v, grid))?;
        let complement = federation(case, &b).complement();
        agrees(case, &complement, |v, grid| !holds(&b, v, grid))?;
        prop_assert!(disjoint(complement.zones()));
    }

    #[test]
    fn limited_operations_are_the_same_or_nothing((case, a, b) in unions(), most in 0_usize..6) {
        let (a, b) = (federation(case, &a), federation(case, &b));
        for arrival in [Arrival::Safe, Arrival::MayBeBad] {
            let all = a.timed_predecessor(&b, arrival);
            match a.timed_predecessor_within(&b, arrival, most) {
                Some(same) => prop_assert!(same.is_same_set(&all)),
                None => prop_assert!(!a.is_empty()),
            }
        }
        let (mut rest, mut all) = (a.clone(), a.clone());
        all.subtract(&b);
        if rest.subtract_within(&b, most) {
            prop_assert!(rest.is_same_set(&all));
        }
        let mut unlimited = a;
        prop_assert!(unlimited.subtract_within(&b, usize::MAX) && unlimited.is_same_set(&all));
    }

    #[test]
    fn what_remains_piece_by_piece_is_the_difference((case, a, b) in unions()) {
        let (whole, taken) = (federation(case, &a), federation(case, &b));
        let pieces: Vec<Zone> = whole.remainder(&taken).collect();
        prop_assert!(pieces.iter().all(|piece| !taken.zones().iter().any(|zone| zone.intersects(piece))));
        let rest = Federation::from_zones(CASES[case].0, pieces);
        agrees(case, &rest, |v, grid| holds(&a, v, grid) && !holds(&b, v, grid))?;
        // Of a zone the pieces are disjoint.
        for zone in whole.zones() {
            let pieces: Vec<Zone> = Federation::from(zone.clone()).remainder(&taken).collect();
            prop_assert!(disjoint(&pieces));
        }
    }

    #[test]
    fn pieces_of_a_zone_are_disjoint_and_few((n, a, b) in (2_usize..=6)
        .prop_flat_map(|n| (Just(n), zones(n, 6), zones(n, 6))))
    {
        let (a, b) = (a.zone(), b.zone());
        let pieces = a.subtract(&b);
        prop_assert!(disjoint(pieces.zones()));
        prop_assert!(pieces.zones().iter().all(|piece| a.includes(piece) && !piece.intersects(&b)));
        let mut common = Federation::from(a.clone());
        common.intersect_zone(&b);
        let mut whole = pieces.clone();
        whole.unite(&common);
        prop_assert!(whole.is_same_set(&a.clone().into()));
        // No more pieces than facets, and one piece if there is nothing to take away.
        let facets = common.zones().first().map_or(1, |zone| zone.minimal_constraints().len());
        let slack = common.zones().first().map_or(0, |zone| {
            let fixed = |i: usize| (0..i).any(|j| {
                zone.bound(i, j) + zone.bound(j, i) == Bound::LE_ZERO
            });
            (0..n).filter(|&i| fixed(i)).count()
        });
        prop_assert!(pieces.len() <= facets + slack, "{pieces:?} for {facets} facets");
    }

    #[test]
    fn inclusion_and_equality((case, a, b) in unions(), cover: bool) {
        let n = CASES[case].0;
        // Covering pieces of `b` by `a` makes inclusion likely.
        let (fa, mut fb) = (federation(case, &a), federation(case, &b));
        if cover {
            fb.intersect(&fa);
        }
        let grid = i64::try_from(n).unwrap();
        let all = points(n - 1, grid, all_regions(case));
        let includes = |one: &Federation, other: &Federation| {
            all.iter().map(|v| point(v, grid)).all(|p| !other.contains(&p) || one.contains(&p))
        };
        let (above, below) = (includes(&fa, &fb), includes(&fb, &fa));
        prop_assert_eq!(fa.includes(&fb), above);
        prop_assert_eq!(fb.includes(&fa), below);
        prop_assert_eq!(fa.is_same_set(&fb), above && below);
        let expected = match (above, below) {
            (true, true) => SetRelation::Equal,
            (true, false) => SetRelation::Superset,
            (false, true) => SetRelation::Subset,
            (false, false) => SetRelation::Incomparable,
        };
        prop_assert_eq!(fa.relation(&fb), expected);
    }

    #[test]
    fn smaller_forms_are_the_same_set((case, a, b) in unions()) {
        // Differences give pieces that fit together.
        let mut original = federation(case, &a);
        original.subtract(&federation(case, &b));
        for reduce in [Federation::reduce, Federation::reduce_exactly, Federation::merge] {
            let mut reduced = original.clone();
            reduce(&mut reduced);
            prop_assert!(reduced.len() <= original.len());
            prop_assert!(reduced.is_same_set(&original));
            prop_assert!(reduced.zones().iter().all(Zone::is_canonical));
        }
        let mut merged = original.clone();
        merged.merge();
        for (i, zone) in merged.zones().iter().enumerate() {
            for other in &merged.zones()[..i] {
                prop_assert!(zone.convex_union(other).is_none(), "all pairs are merged");
            }
        }
    }

    #[test]
    fn convex_unions_are_found((case, a, _) in unions(), c in -1..3_i32, weak: bool) {
        for slow in a {
            // Cut a zone in two and put it together again.
            let zone = slow.zone();
            let cut = if weak { Bound::le(c).unwrap() } else { Bound::lt(c).unwrap() };
            let constraint = Constraint::new(1, if c < 0 { 2 } else { 0 }, cut);
            let (mut below, mut above) = (zone.clone(), zone.clone());
            let met = below.constrain_all(&[constraint]).is_ok();
            if met && above.constrain_all(&[constraint.complement()]).is_ok() {
                prop_assert_eq!(below.convex_union(&above), Some(zone.clone()));
                let mut federation = Federation::from_zones(CASES[case].0, [below, above]);
                federation.merge();
                prop_assert_eq!(federation.zones(), &[zone]);
            }
        }
    }

    #[test]
    fn delay_and_past((case, a, _) in unions()) {
        let mut delayed = federation(case, &a);
        delayed.delay();
        agrees(case, &delayed, |v, grid| delays(case, grid).any(|d| {
            let before = after(v, -d);
            before.iter().all(|&x| x >= 0) && holds(&a, &before, grid)
        }))?;
        let mut past = federation(case, &a);
        past.past();
        agrees(case, &past, |v, grid| delays(case, grid).any(|d| holds(&a, &after(v, d), grid)))?;
    }

    #[test]
    fn resets_and_their_predecessors((case, a, _) in unions(), c in 0..2_i64) {
        let other_value = |v: &[i64], grid: i64| {
            let mut v = v.to_vec();
            delays(case, grid).any(|x| { v[0] = x; holds(&a, &v, grid) })
        };
        let with = |v: &[i64], value: i64| { let mut v = v.to_vec(); v[0] = value; v };
        let mut result = federation(case, &a);
        result.free(1);
        agrees(case, &result, other_value)?;
        let mut result = federation(case, &a);
        result.reset(1, c.try_into().unwrap());
        agrees(case, &result, |v, grid| v[0] == c * grid && other_value(v, grid))?;
        let mut result = federation(case, &a);
        result.reset_predecessor(1, c.try_into().unwrap());
        agrees(case, &result, |v, grid| holds(&a, &with(v, c * grid), grid))?;
        let mut result = federation(case, &a);
        result.assign(1, 2, -1);
        agrees(case, &result, |v, grid| v[0] == v[1] - grid && other_value(v, grid))?;
        let mut result = federation(case, &a);
        result.assign_predecessor(1, 2, -1);
        agrees(case, &result, |v, grid| v[1] >= grid && holds(&a, &with(v, v[1] - grid), grid))?;
    }

    #[test]
    fn constraints((case, a, _) in unions(), c in 0..3_i32) {
        let bound = Bound::lt(c).unwrap();
        let mut result = federation(case, &a);
        result.constrain(1, 2, bound);
        let expected = |v: &[i64], grid: i64| {
            holds(&a, v, grid) && v[0] - v[1] < i64::from(c) * grid
        };
        agrees(case, &result, expected)?;
        let mut result = federation(case, &a);
        result.constrain_all(&[Constraint::new(1, 2, bound)]);
        agrees(case, &result, expected)?;
    }

    #[test]
    fn the_timed_predecessor_reaches_the_goal_safely((case, goal, bad) in unions()) {
        for arrival in [Arrival::Safe, Arrival::MayBeBad] {
            let result = federation(case, &goal)
                .timed_predecessor(&federation(case, &bad), arrival);
            agrees(case, &result, |v, grid| {
                for d in delays(case, grid) {
                    let (now, bad) = (after(v, d), holds(&bad, &after(v, d), grid));
                    // A bad interval has bad points before each of its points.
                    let arrive = !bad || arrival == Arrival::MayBeBad && d % 2 == 0;
                    if arrive && holds(&goal, &now, grid) {
                        return true;
                    }
                    if bad {
                        return false;
                    }
                }
                false
            })?;
        }
    }

    #[test]
    fn the_timed_successor_is_reached_safely((case, start, bad) in unions()) {
        for arrival in [Arrival::Safe, Arrival::MayBeBad] {
            let result = federation(case, &start)
                .timed_successor(&federation(case, &bad), arrival);
            agrees(case, &result, |v, grid| {
                for d in delays(case, grid) {
                    let before = after(v, -d);
                    let may_be_bad = d == 0 && arrival == Arrival::MayBeBad;
                    if before.iter().any(|&x| x < 0) || !may_be_bad && holds(&bad, &before, grid) {
                        return false;
                    }
                    if holds(&start, &before, grid) {
                        return true;
                    }
                }
                false
            })?;
        }
    }

    #[test]
    fn samples_hulls_and_emptiness((case, a, _) in unions()) {
        let federation = federation(case, &a);
        prop_assert_eq!(federation.is_empty(), a.is_empty());
        let sample = federation.sample();
        prop_assert!(sample.map_or(a.is_empty(), |sample| federation.contains(&sample)));
        let hull = federation.hull();
        prop_assert!(hull.is_none_or(|hull| federation.zones().iter().all(|z| hull.includes(z))));
        let unbounded = a.iter().any(|slow| *slow == slow.delayed());
        prop_assert_eq!(federation.is_unbounded(), unbounded);
    }
}

fn interval(low: i32, high: i32) -> Zone {
    let mut zone = Zone::universal(2);
    zone.constrain(0, 1, Bound::le(-low).unwrap()).unwrap();
    zone.constrain(1, 0, Bound::le(high).unwrap()).unwrap();
    zone
}

fn shown(federation: &Federation) -> String {
    federation.display(&["x"]).to_string()
}

#[test]
fn arrival_decides_whether_the_goal_may_be_bad() {
    let goal = Federation::from(interval(5, 5));
    let bad = Federation::from(interval(5, 6));
    assert_eq!(shown(&goal.timed_predecessor(&bad, Arrival::Safe)), "false");
    assert_eq!(shown(&goal.timed_predecessor(&bad, Arrival::MayBeBad)), "x <= 5");
    let mut open = bad.clone();
    open.constrain(0, 1, Bound::lt(-4).unwrap());
    open.unite(&interval(3, 3).into());
    assert_eq!(shown(&goal.timed_predecessor(&open, Arrival::MayBeBad)), "x > 3 && x <= 5");
}

#[test]
fn the_successor_ends_where_something_bad_begins() {
    let start = Federation::from_zones(2, [interval(1, 2), interval(8, 9)]);
    let bad = Federation::from_zones(2, [interval(4, 5), interval(9, 10)]);
    let safe = start.timed_successor(&bad, Arrival::Safe);
    assert_eq!(shown(&safe), "x >= 1 && x < 4 || x >= 8 && x < 9");
    let last = start.timed_successor(&bad, Arrival::MayBeBad);
    assert_eq!(shown(&last), "x >= 1 && x <= 4 || x >= 8 && x <= 9");
}

#[test]
fn goals_on_both_sides_of_something_bad() {
    let goal = Federation::from_zones(2, [interval(1, 2), interval(8, 9)]);
    let bad = Federation::from_zones(2, [interval(4, 5), interval(7, 7)]);
    let safe = goal.timed_predecessor(&bad, Arrival::Safe);
    assert_eq!(shown(&safe), "x <= 2 || x > 7 && x <= 9");
}

#[test]
fn clocks_that_meet_their_bounds_together_begin_and_end_a_zone() {
    // All zones are on the line `x = y`.
    let part = |low: i32, high: i32| {
        let mut zone = Zone::zero(3);
        zone.delay();
        zone.constrain(0, 2, Bound::le(-low).unwrap()).unwrap();
        zone.constrain(1, 0, Bound::le(high).unwrap()).unwrap();
        Federation::from(zone)
    };
    let shown = |federation: Federation| federation.display(&["x", "y"]).to_string();
    for arrival in [Arrival::Safe, Arrival::MayBeBad] {
        let before = part(5, 6).timed_predecessor(&part(2, 3), arrival);
        assert_eq!(shown(before), "x > 3 && x <= 6 && y - x == 0");
        let after = part(2, 3).timed_successor(&part(3, 5), arrival);
        let end = if arrival == Arrival::Safe { "<" } else { "<=" };
        assert_eq!(shown(after), format!("x >= 2 && x {end} 3 && y - x == 0"));
    }
}

#[test]
fn a_facet_that_does_not_cut_makes_no_piece() {
    // The upper bounds of the second zone lie outside the first.
    let mut square = Zone::universal(3);
    for clock in [1, 2] {
        square.constrain(clock, 0, Bound::le(4).unwrap()).unwrap();
    }
    let mut corner = Zone::universal(3);
    for clock in [1, 2] {
        corner.constrain(0, clock, Bound::le(-3).unwrap()).unwrap();
        corner.constrain(clock, 0, Bound::le(9).unwrap()).unwrap();
    }
    assert_eq!(square.subtract(&corner).len(), 2);
    assert_eq!(corner.subtract(&square).len(), 2);
    assert_eq!(square.subtract(&square).len(), 0);
}

#[test]
fn something_bad_may_begin_with_the_goal_at_any_clock() {
    // Bad begins at `y = 2` where `x` exceeds 1 already.
    let mut bad = Zone::universal(3);
    bad.constrain(0, 1, Bound::lt(-1).unwrap()).unwrap();
    bad.constrain(0, 2, Bound::le(-2).unwrap()).unwrap();
    let mut goal = bad.clone();
    goal.constrain(2, 0, Bound::le(2).unwrap()).unwrap();
    let reached = Federation::from(goal).timed_predecessor(&bad.into(), Arrival::MayBeBad);
    assert_eq!(reached.display(&["x", "y"]).to_string(), "y <= 2 && y - x < 1");
}
