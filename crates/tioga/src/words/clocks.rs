//! Clock conditions as text, in written time units.

use tioga_base::{Id, Rational};
use tioga_model::{ClockBound, ClockId, Model};

use super::number;

/// Short names of the clocks: without their process where that is unambiguous.
pub fn names(model: &Model) -> Vec<String> {
    let bare = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let short: Vec<String> = model.clocks.iter().map(|clock| bare(&clock.name)).collect();
    let unique = |name: &String| short.iter().filter(|other| *other == name).count() == 1;
    let both = model.clocks.iter().zip(&short);
    both.map(|(clock, short)| if unique(short) { short.clone() } else { clock.name.clone() })
        .collect()
}

/// One of these holds: `x > 2 && x <= 5 || y == 0`; `always` if one has no bounds.
pub fn disjunction<'z>(
    model: &Model,
    names: &[String],
    zones: impl IntoIterator<Item = &'z [ClockBound]>,
) -> String {
    let parts: Vec<String> =
        zones.into_iter().map(|bounds| conjunction(model, names, bounds)).collect();
    if parts.is_empty() { "never".to_owned() } else { parts.join(" || ") }
}

/// All of these hold.
fn conjunction(model: &Model, names: &[String], bounds: &[ClockBound]) -> String {
    let mut bounds = bounds.to_vec();
    // Lower bounds before upper bounds, by clock.
    bounds.sort_by_key(|bound| {
        let (left, right) = (bound.left.map(|clock| clock.0), bound.right.map(|clock| clock.0));
        (left.max(right), left.min(right), left > right)
    });
    let mut parts = Vec::new();
    let mut skip = false;
    for (index, bound) in bounds.iter().enumerate() {
        if std::mem::take(&mut skip) {
            continue;
        }
        let next = bounds.get(index + 1);
        let equal = next.is_some_and(|next| {
            (next.left, next.right) == (bound.right, bound.left)
                && next.bound == -bound.bound
                && !next.strict
                && !bound.strict
        });
        skip = equal;
        let bound = if equal { next.unwrap_or(bound) } else { bound };
        parts.push(one(model, names, bound, equal));
    }
    if parts.is_empty() { "always".to_owned() } else { parts.join(" && ") }
}

fn one(model: &Model, names: &[String], bound: &ClockBound, equal: bool) -> String {
    let name = |clock: ClockId| names[clock.index()].as_str();
    let value =
        |bound: i64| Rational::new(bound, model.scale).map_or_else(|_| bound.to_string(), number);
    let (upper, lower) = match (equal, bound.strict) {
        (true, _) => ("==", "=="),
        (false, true) => ("<", ">"),
        (false, false) => ("<=", ">="),
    };
    match (bound.left, bound.right) {
        (Some(left), None) => format!("{} {upper} {}", name(left), value(bound.bound)),
        (None, Some(right)) => format!("{} {lower} {}", name(right), value(-bound.bound)),
        (Some(left), Some(right)) if bound.bound == 0 => {
            format!("{} {upper} {}", name(left), name(right))
        }
        (Some(left), Some(right)) => {
            format!("{} - {} {upper} {}", name(left), name(right), value(bound.bound))
        }
        (None, None) => "true".to_owned(),
    }
}
