//! Extrapolations against their definition in the literature and against each other; the aLU test
//! against the definition of aLU, point by point.

use crate::reference::{Slow, Weight, points, slow, zones};
use proptest::prelude::*;
use tioga_zones::{Bound, LuBounds, Zone};

/// `L` and `U` per clock; the reference clock comes first and has 0.
#[derive(Clone, Debug)]
struct Constants {
    lower: Vec<Option<i64>>,
    upper: Vec<Option<i64>>,
}

impl Constants {
    fn bounds(&self) -> LuBounds {
        let mut bounds = LuBounds::none(self.lower.len());
        for clock in 1..self.lower.len() {
            if let Some(c) = self.lower[clock] {
                bounds.raise_lower(clock, c.try_into().unwrap());
            }
            if let Some(c) = self.upper[clock] {
                bounds.raise_upper(clock, c.try_into().unwrap());
            }
        }
        bounds
    }

    fn maximal(&self) -> Self {
        let both = self.lower.iter().zip(&self.upper);
        let maximal: Vec<_> = both.map(|(&l, &u)| l.max(u)).collect();
        Self { lower: maximal.clone(), upper: maximal }
    }
}

fn constants(n: usize, most: i64) -> impl Strategy<Value = Constants> {
    let one = prop_oneof![1 => Just(None), 4 => (0..=most).prop_map(Some)];
    let all = proptest::collection::vec((one.clone(), one), n);
    all.prop_map(|pairs| {
        let (mut lower, mut upper): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        (lower[0], upper[0]) = (Some(0), Some(0));
        Constants { lower, upper }
    })
}

fn zone_and_constants() -> impl Strategy<Value = (Slow, Constants)> {
    (2_usize..=6).prop_flat_map(|n| (zones(n, 9), constants(n, 8)))
}

/// `c > k`, where `k = None` is −∞ and `c = None` is ∞.
fn exceeds(c: Weight, k: Option<i64>) -> bool {
    match (c, k) {
        (None, _) | (_, None) => true,
        (Some((c, _)), Some(k)) => c > k,
    }
}

/// `−c > k`.
fn negative_exceeds(c: Weight, k: Option<i64>) -> bool {
    c.is_some_and(|(c, weak)| exceeds(Some((-c, weak)), k))
}

/// The definitions of Behrmann, Bouyer, Larsen and Pelánek, read off the page.
fn by_definition(zone: &Slow, k: &Constants, plus: bool) -> Slow {
    let n = zone.n();
    let mut result = zone.clone();
    for i in 0..n {
        for j in (0..n).filter(|&j| j != i) {
            let c = zone.rows[i][j];
            let low = |x: usize| zone.rows[0][x];
            let raised = k.upper[j].map(|u| (-u, false));
            let dropped = exceeds(c, k.lower[i])
                || plus && negative_exceeds(low(i), k.lower[i])
                || plus && i != 0 && negative_exceeds(low(j), k.upper[j]);
            let replaced = if dropped {
                None
            } else if (!plus || i == 0) && negative_exceeds(c, k.upper[j]) {
                raised
            } else {
                c
            };
            result.rows[i][j] = replaced;
        }
    }
    // Clocks are not negative, whatever a clock without constants lost.
    for j in 1..n {
        result.add(0, j, Some((0, true)));
    }
    result.closed().unwrap()
}

proptest! {
    #[test]
    fn extrapolations_follow_their_definitions((original, k) in zone_and_constants()) {
        let bounds = k.bounds();
        let check = |zone: Zone, expected: Slow| {
            prop_assert!(zone.is_canonical());
            prop_assert_eq!(slow(&zone), expected);
            Ok(())
        };
        let mut zone = original.zone();
        zone.extrapolate_m(&bounds);
        check(zone, by_definition(&original, &k.maximal(), false))?;
        let mut zone = original.zone();
        zone.extrapolate_m_plus(&bounds);
        check(zone, by_definition(&original, &k.maximal(), true))?;
        let mut zone = original.zone();
        zone.extrapolate_lu(&bounds);
        check(zone, by_definition(&original, &k, false))?;
        let mut zone = original.zone();
        zone.extrapolate_lu_plus(&bounds);
        check(zone, by_definition(&original, &k, true))?;
    }

    #[test]
    fn coarser_extrapolations_include_finer_ones((original, k) in zone_and_constants()) {
        let bounds = k.bounds();
        let zone = original.zone();
        let apply = |extrapolate: fn(&mut Zone, &LuBounds)| {
            let mut zone = original.zone();
            extrapolate(&mut zone, &bounds);
            zone
        };
        let m = apply(Zone::extrapolate_m);
        let m_plus = apply(Zone::extrapolate_m_plus);
        let lu = apply(Zone::extrapolate_lu);
        let lu_plus = apply(Zone::extrapolate_lu_plus);
        prop_assert!(m.includes(&zone) && m_plus.includes(&m) && lu.includes(&m));
        prop_assert!(lu_plus.includes(&lu) && lu_plus.includes(&m_plus));
        // The coarsest of all is not a zone, but inclusion in it can be tested.
        prop_assert!(zone.includes_modulo_alu(&lu_plus, &bounds));
    }

    #[test]
    fn recorded_constants_can_be_read((_, k) in zone_and_constants()) {
        let bounds = k.bounds();
        let maximal = bounds.to_maximal();
        for x in 0..k.lower.len() {
            prop_assert_eq!(bounds.lower(x).map(i64::from), k.lower[x]);
            prop_assert_eq!(bounds.upper(x).map(i64::from), k.upper[x]);
            prop_assert_eq!(maximal.lower(x).map(i64::from), k.maximal().lower[x]);
            prop_assert_eq!(maximal.upper(x).map(i64::from), k.maximal().upper[x]);
        }
        let mut raised = LuBounds::none(k.lower.len());
        raised.raise_to(&bounds);
        prop_assert_eq!(&raised, &bounds);
        prop_assert!(!raised.raise_to(&bounds));
    }
}

/// Whether some point `w` of `zone` simulates the point `v`, given in units of `1/grid`. The
/// candidates for each clock form an interval around `v(x)`, so together they form a zone.
fn simulated(zone: &Slow, k: &Constants, v: &[i64], grid: i64) -> bool {
    let mut candidates = zone.scaled(grid);
    for (x, &value) in (1..).zip(v) {
        let below = k.lower[x].is_none_or(|l| l * grid < value);
        let low = match k.lower[x] {
            Some(l) if below => Some((-l * grid, false)),
            None => None,
            Some(_) => Some((-value, true)),
        };
        candidates.add(0, x, low);
        let may_rise = k.upper[x].is_none_or(|u| u * grid < value);
        candidates.add(x, 0, if may_rise { None } else { Some((value, true)) });
    }
    candidates.closed().is_some()
}

fn check_alu(
    zone: &Slow,
    other: &Slow,
    k: &Constants,
    all: &[Vec<i64>],
    grid: i64,
) -> Result<(), TestCaseError> {
    let mut of_other = all.iter().filter(|v| other.contains(v, grid));
    let expected = of_other.all(|v| simulated(zone, k, v, grid));
    prop_assert_eq!(zone.zone().includes_modulo_alu(&other.zone(), &k.bounds()), expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn alu_inclusion_follows_its_definition_on_two_clocks(
        zone in zones(3, 3), other in zones(3, 3), k in constants(3, 3),
    ) {
        check_alu(&zone, &other, &k, &points(2, 3, 13), 3)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn alu_inclusion_follows_its_definition_on_three_clocks(
        zone in zones(4, 1), other in zones(4, 1), k in constants(4, 2),
    ) {
        check_alu(&zone, &other, &k, &points(3, 4, 7), 4)?;
    }
}

/// Two clocks that grow apart: `x ≤ 1` is reset at the end of each round while `y` goes on.
#[test]
fn a_loop_reaches_a_fixed_point_under_each_extrapolation() {
    let mut bounds = LuBounds::none(3);
    bounds.raise_upper(1, 1);
    bounds.raise_lower(1, 1);
    bounds.raise_lower(2, 5);
    // With only a lower bound on `y` to observe, its own lower bound does not matter under LU.
    for (extrapolate, last) in [
        (Zone::extrapolate_m as fn(&mut Zone, &LuBounds), "x == 0 && y > 5"),
        (Zone::extrapolate_m_plus, "x == 0 && y > 5"),
        (Zone::extrapolate_lu, "x == 0"),
        (Zone::extrapolate_lu_plus, "x == 0"),
    ] {
        let mut seen: Vec<Zone> = Vec::new();
        let mut zone = Zone::zero(3);
        while !seen.contains(&zone) {
            assert!(seen.len() < 10, "no fixed point");
            seen.push(zone.clone());
            zone.delay();
            zone.constrain(1, 0, Bound::le(1).unwrap()).unwrap();
            zone.constrain(0, 1, Bound::le(-1).unwrap()).unwrap();
            zone.reset(1, 0);
            extrapolate(&mut zone, &bounds);
        }
        assert_eq!(seen.len(), 7, "one zone for each of y = 0, …, y = 5 and one for y > 5");
        assert_eq!(seen[6].display(&["x", "y"]).to_string(), last);
    }
}

#[test]
fn a_clock_without_constants_is_forgotten() {
    let mut zone = Zone::zero(3);
    zone.delay();
    zone.constrain(0, 1, Bound::lt(-3).unwrap()).unwrap();
    let mut bounds = LuBounds::none(3);
    bounds.raise_lower(1, 7);
    bounds.raise_upper(1, 7);
    let mut freed = zone.clone();
    freed.free(2);
    zone.extrapolate_lu_plus(&bounds);
    assert_eq!(zone, freed);
}

/// A point of the other zone has `x` just above 1 and may lower `y`, but not to 1: it fits below
/// the diagonal only because `x` exceeds 1.
#[test]
fn alu_inclusion_tells_strict_lower_bounds_from_weak_ones() {
    let mut bounds = LuBounds::none(3);
    bounds.raise_lower(1, 5);
    bounds.raise_upper(1, 5);
    bounds.raise_lower(2, 1);
    let mut zone = Zone::universal(3);
    zone.constrain(2, 1, Bound::le(0).unwrap()).unwrap();
    let other = |low: Bound| {
        let mut other = Zone::universal(3);
        other.constrain(0, 1, low).unwrap();
        other.constrain(1, 0, Bound::le(3).unwrap()).unwrap();
        other.constrain(2, 1, Bound::le(2).unwrap()).unwrap();
        other
    };
    assert!(zone.includes_modulo_alu(&other(Bound::lt(-1).unwrap()), &bounds));
    assert!(!zone.includes_modulo_alu(&other(Bound::le(-1).unwrap()), &bounds));
}
