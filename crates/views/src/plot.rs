//! Clock zones as polygons over two clocks, exactly: the other clocks have fixed values, or may have any.
//!
//! A conjunction of bounds is cut out of a box, one half-plane after the other. What remains is convex: a polygon, a
//! segment or a point. Each side knows whether it belongs to the set, and whether it is only the end of the box.

use serde::Serialize;
use serde_json::Value;
use tioga_base::{Id, Overflow, Rational};
use tioga_model::{ClockBound, ClockId, Model};
use tioga_zones::Federation;

use crate::results::state::number_json;

/// What a plot is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axes {
    /// The clock to the right.
    pub x: ClockId,
    /// The clock upwards; a model with one clock has strips.
    pub y: Option<ClockId>,
    /// Where the plot ends in both directions.
    pub limit: Rational,
}

/// A convex set of valuations of two clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polygon {
    /// The corners, counterclockwise; two of a segment, one of a point.
    pub corners: Vec<[Rational; 2]>,
    /// Whether each corner belongs to the set.
    pub inside: Vec<bool>,
    /// What the side from each corner to the next is, without its ends.
    pub sides: Vec<Side>,
}

/// What a side of a polygon is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// It belongs to the set.
    Closed,
    /// It does not belong to the set.
    Open,
    /// The set goes on beyond it, where the plot ends.
    Cut,
}

/// `a * x + b * y <= c`, or `<`.
#[derive(Clone, Copy, Debug)]
struct Half {
    a: i64,
    b: i64,
    c: Rational,
    strict: bool,
    /// Whether the plot ends here, and not the set.
    cut: bool,
}

impl Half {
    /// How far a point is beyond the line.
    fn beyond(&self, point: &[Rational; 2]) -> Result<Rational, Overflow> {
        let x = point[0].mul(Rational::integer(self.a))?;
        let y = point[1].mul(Rational::integer(self.b))?;
        x.add(y)?.sub(self.c)
    }
}

/// The valuations of two clocks that satisfy all bounds, where every other clock has its value in `others`. Bounds are
/// in units of `1 / scale`.
///
/// # Errors
/// If a number does not fit in 64 bits.
pub fn slice(
    bounds: &[ClockBound],
    scale: i64,
    axes: &Axes,
    others: &[Rational],
) -> Result<Option<Polygon>, Overflow> {
    let mut halves = sides_of_box(axes);
    for bound in bounds {
        let (mut a, mut b, mut c) = (0, 0, Rational::new(bound.bound, scale)?);
        for (clock, sign) in [(bound.left, 1), (bound.right, -1)] {
            match clock {
                None => {}
                Some(clock) if clock == axes.x => a += sign,
                Some(clock) if Some(clock) == axes.y => b += sign,
                Some(clock) => c = c.sub(others[clock.index()].mul(Rational::integer(sign))?)?,
            }
        }
        if a == 0 && b == 0 {
            if c.is_negative() || bound.strict && c.is_zero() {
                return Ok(None);
            }
            continue;
        }
        halves.push(Half { a, b, c, strict: bound.strict, cut: false });
    }
    cut_out(&halves)
}

/// The valuations of two clocks that a federation has with any values of the other clocks.
///
/// # Errors
/// If a number does not fit in 64 bits.
pub fn shadow(set: &Federation, scale: i64, axes: &Axes) -> Result<Vec<Polygon>, Overflow> {
    let mut polygons = Vec::new();
    // In a canonical zone, the bounds of two clocks say everything about these two.
    let names: Vec<Option<ClockId>> =
        [None, Some(axes.x)].into_iter().chain(axes.y.map(Some)).collect();
    let index = |clock: Option<ClockId>| clock.map_or(0, |clock| clock.index() + 1);
    for zone in set.zones() {
        let mut bounds = Vec::new();
        for &left in &names {
            for &right in names.iter().filter(|right| **right != left) {
                let bound = zone.bound(index(left), index(right));
                if let Some(constant) = bound.constant() {
                    let (strict, bound) = (bound.is_strict(), i64::from(constant));
                    bounds.push(ClockBound { left, right, strict, bound });
                }
            }
        }
        polygons.extend(slice(&bounds, scale, axes, &[])?);
    }
    Ok(polygons)
}

fn sides_of_box(axes: &Axes) -> Vec<Half> {
    let half = |a, b, c, cut| Half { a, b, c, strict: false, cut };
    vec![
        half(0, -1, Rational::ZERO, false),
        half(1, 0, axes.limit, true),
        half(0, 1, axes.limit, true),
        half(-1, 0, Rational::ZERO, false),
    ]
}

/// What all half-planes have in common; the first four are a box.
fn cut_out(halves: &[Half]) -> Result<Option<Polygon>, Overflow> {
    let limit = halves[1].c;
    let zero = Rational::ZERO;
    let mut corners = vec![[zero, zero], [limit, zero], [limit, limit], [zero, limit]];
    for half in &halves[4..] {
        corners = clipped(&corners, half)?;
        if corners.is_empty() {
            return Ok(None);
        }
    }
    // The middle of all corners is in every open half-plane, unless all corners are on its line.
    for half in halves.iter().filter(|half| half.strict) {
        if on_line(half, &corners)? {
            return Ok(None);
        }
    }
    let (mut inside, mut sides) = (Vec::new(), Vec::new());
    for (index, corner) in corners.iter().enumerate() {
        let ends = [*corner, corners[(index + 1) % corners.len()]];
        let (mut belongs, mut side) = (true, Side::Closed);
        for half in halves.iter().filter(|half| half.strict || half.cut) {
            belongs &= !(half.strict && on_line(half, &ends[..1])?);
            match (on_line(half, &ends)?, half.strict) {
                (true, true) => side = Side::Open,
                (true, false) if side == Side::Closed => side = Side::Cut,
                _ => {}
            }
        }
        inside.push(belongs);
        sides.push(side);
    }
    Ok(Some(Polygon { corners, inside, sides }))
}

fn on_line(half: &Half, points: &[[Rational; 2]]) -> Result<bool, Overflow> {
    for point in points {
        if !half.beyond(point)?.is_zero() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A convex polygon without what is beyond a line (Sutherland and Hodgman's step).
fn clipped(corners: &[[Rational; 2]], half: &Half) -> Result<Vec<[Rational; 2]>, Overflow> {
    let mut kept: Vec<[Rational; 2]> = Vec::new();
    let mut add = |point: [Rational; 2]| {
        if kept.last() != Some(&point) {
            kept.push(point);
        }
    };
    for (index, point) in corners.iter().enumerate() {
        let next = &corners[(index + 1) % corners.len()];
        let (here, there) = (half.beyond(point)?, half.beyond(next)?);
        let outside = |beyond: Rational| beyond > Rational::ZERO;
        if !outside(here) {
            add(*point);
        }
        if outside(here) != outside(there) {
            let share = here.div(here.sub(there)?)?;
            let mix = |from: Rational, to: Rational| from.add(to.sub(from)?.mul(share)?);
            add([mix(point[0], next[0])?, mix(point[1], next[1])?]);
        }
    }
    while kept.len() > 1 && kept.first() == kept.last() {
        kept.pop();
    }
    Ok(kept)
}

/// How far a plot of a model goes: a fifth beyond its largest constant, and beyond these values.
pub fn limit(model: &Model, values: &[Rational]) -> Rational {
    let largest = model.largest_constant();
    let largest = values.iter().copied().fold(largest, Ord::max).max(Rational::ONE);
    let fifth = Rational::new(6, 5).and_then(|factor| largest.mul(factor));
    Rational::integer(fifth.map_or(largest.ceil(), Rational::ceil))
}

/// A polygon as JSON: its corners, which of them belong to the set, and its sides.
pub fn json(polygon: &Polygon) -> Value {
    let corners = polygon.corners.iter().map(|[x, y]| [number_json(*x), number_json(*y)]);
    serde_json::json!({
        "corners": corners.collect::<Vec<_>>(),
        "inside": polygon.inside,
        "sides": polygon.sides,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(left: Option<u32>, right: Option<u32>, strict: bool, bound: i64) -> ClockBound {
        ClockBound { left: left.map(ClockId), right: right.map(ClockId), strict, bound }
    }

    fn axes() -> Axes {
        Axes { x: ClockId(0), y: Some(ClockId(1)), limit: Rational::integer(6) }
    }

    /// The slow, obvious meaning of bounds.
    fn satisfies(bounds: &[ClockBound], clocks: &[Rational]) -> bool {
        bounds.iter().all(|bound| {
            let value =
                |clock: Option<ClockId>| clock.map_or(Rational::ZERO, |one| clocks[one.index()]);
            let difference = value(bound.left).sub(value(bound.right)).unwrap();
            let limit = Rational::integer(bound.bound);
            if bound.strict { difference < limit } else { difference <= limit }
        })
    }

    /// Whether a point is in a polygon, by the side of each edge it is on.
    fn contains(polygon: &Polygon, point: [Rational; 2]) -> bool {
        let corners = &polygon.corners;
        let minus =
            |a: [Rational; 2], b: [Rational; 2]| [a[0].sub(b[0]).unwrap(), a[1].sub(b[1]).unwrap()];
        let cross = |a: [Rational; 2], b: [Rational; 2]| {
            a[0].mul(b[1]).unwrap().sub(a[1].mul(b[0]).unwrap()).unwrap()
        };
        let dot = |a: [Rational; 2], b: [Rational; 2]| {
            a[0].mul(b[0]).unwrap().add(a[1].mul(b[1]).unwrap()).unwrap()
        };
        if let Some(index) = corners.iter().position(|corner| *corner == point) {
            return polygon.inside[index];
        }
        (0..corners.len()).all(|index| {
            let (from, to) = (corners[index], corners[(index + 1) % corners.len()]);
            let (along, here) = (minus(to, from), minus(point, from));
            let turn = cross(along, here);
            match corners.len() {
                1 => false,
                2 => turn.is_zero() && dot(along, here) > Rational::ZERO,
                _ => turn > Rational::ZERO || turn.is_zero() && polygon.sides[index] != Side::Open,
            }
        })
    }

    #[test]
    fn a_zone_becomes_its_polygon() {
        // x <= 5, y - x < 2, y >= 1: a trapezoid, whose side along y - x = 2 is open.
        let bounds = [
            bound(Some(0), None, false, 5),
            bound(Some(1), Some(0), true, 2),
            bound(None, Some(1), false, -1),
        ];
        let polygon = slice(&bounds, 1, &axes(), &[]).unwrap().unwrap();
        let corners: Vec<String> =
            polygon.corners.iter().map(|[x, y]| format!("{x},{y}")).collect();
        assert_eq!(corners, ["5,1", "5,6", "4,6", "0,2", "0,1"]);
        let closed = Side::Closed;
        assert_eq!(polygon.sides, [closed, Side::Cut, Side::Open, closed, closed]);
        assert_eq!(polygon.inside, [true, true, false, false, true]);
    }

    #[test]
    fn what_strict_bounds_leave_nothing_of_is_empty() {
        let bounds = [bound(Some(0), None, true, 3), bound(None, Some(0), false, -3)];
        assert_eq!(slice(&bounds, 1, &axes(), &[]).unwrap(), None);
    }

    #[test]
    fn random_zones_have_the_points_their_bounds_allow() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut seen = [0u32; 4];
        for _ in 0..3000 {
            let clock = |random: &mut fastrand::Rng| match random.u32(0..4) {
                3 => None,
                one => Some(one),
            };
            let mut bounds = Vec::new();
            for _ in 0..random.usize(1..5) {
                let (left, right) = (clock(&mut random), clock(&mut random));
                let one = bound(left, right, random.bool(), random.i64(-4..6));
                // Half of the time an equation, so that lines and points occur.
                if random.bool() {
                    bounds.push(bound(right, left, false, -one.bound));
                }
                bounds.push(one);
            }
            let others =
                [Rational::ZERO, Rational::ZERO, Rational::new(random.i64(0..9), 2).unwrap()];
            let polygon = slice(&bounds, 1, &axes(), &others).unwrap();
            let corners = polygon.as_ref().map_or(0, |polygon| polygon.corners.len());
            seen[corners.min(3)] += 1;
            for (x, y) in (0..=24).flat_map(|x| (0..=24).map(move |y| (x, y))) {
                let [x, y] = [x, y].map(|one| Rational::new(one, 4).unwrap());
                let truth = satisfies(&bounds, &[x, y, others[2]]);
                let drawn = polygon.as_ref().is_some_and(|polygon| contains(polygon, [x, y]));
                assert_eq!(truth, drawn, "{bounds:?} at {x}, {y}: {polygon:?}");
            }
        }
        assert!(seen.iter().all(|count| *count > 10), "all kinds of sets occur: {seen:?}");
    }
}
