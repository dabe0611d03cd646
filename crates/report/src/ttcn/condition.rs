//! Clock constraints as conditions of TTCN-3 over the present moment and the moments at which clocks
//! were zero.

use tioga_base::Rational;
use tioga_testcase::{CaseBound, CaseSet, CaseZone, TestCase};

/// Whether a condition may be missed by the tolerance.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slack {
    /// As written.
    None,
    /// In favour of what happened.
    Tolerance,
}

/// A constant of the test case as a float.
pub(super) fn time(case: &TestCase, bound: i64) -> String {
    match Rational::new(bound, case.scale) {
        Ok(value) => match value.to_integer() {
            Some(integer) => signed(format!("{integer}.0")),
            None => format!("({}.0 / {}.0)", value.numerator(), value.denominator()),
        },
        Err(_) => format!("({bound}.0 / {}.0)", case.scale),
    }
}

fn signed(text: String) -> String {
    if text.starts_with('-') { format!("({text})") } else { text }
}

/// One of the zones; nothing if always.
pub(super) fn zones(case: &TestCase, zones: &[CaseZone], slack: Slack) -> Option<String> {
    let parts: Vec<String> = zones.iter().filter_map(|zone| one(case, zone, slack)).collect();
    if parts.len() < zones.len() {
        return None;
    }
    match &parts[..] {
        [] => Some("false".to_owned()),
        [only] => Some(only.clone()),
        more => Some(more.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(" or ")),
    }
}

/// All of the bounds; nothing if there are none that matter.
fn one(case: &TestCase, zone: &CaseZone, slack: Slack) -> Option<String> {
    let parts: Vec<String> = zone.iter().filter_map(|bound| written(case, bound, slack)).collect();
    if parts.is_empty() { None } else { Some(parts.join(" and ")) }
}

/// A bound; nothing if it always holds.
fn written(case: &TestCase, bound: &CaseBound, slack: Slack) -> Option<String> {
    let (upper, lower) = if bound.strict { ("<", ">") } else { ("<=", ">=") };
    let (more, less) = match slack {
        Slack::None => ("", ""),
        Slack::Tolerance => (" + PX_TOLERANCE", " - PX_TOLERANCE"),
    };
    let value = |bound: i64| time(case, bound);
    match (bound.left, bound.right) {
        (Some(left), None) => {
            Some(format!("v_now - v_zero{left} {upper} {}{more}", value(bound.bound)))
        }
        // A clock is never below zero.
        (None, Some(_)) if bound.bound >= 0 && !bound.strict => None,
        (None, Some(right)) => {
            Some(format!("v_now - v_zero{right} {lower} {}{less}", value(-bound.bound)))
        }
        (Some(left), Some(right)) => {
            Some(format!("v_zero{right} - v_zero{left} {upper} {}{more}", value(bound.bound)))
        }
        (None, None) => {
            let holds = bound.bound > 0 || (bound.bound == 0 && !bound.strict);
            (!holds).then(|| "false".to_owned())
        }
    }
}

/// Whether a zone holds at one moment only: a clock is bound to a single value.
pub(super) fn is_moment(zone: &CaseZone) -> bool {
    zone.iter().any(|upper| {
        upper.right.is_none()
            && upper.left.is_some()
            && zone.iter().any(|lower| {
                (lower.left, lower.right) == (None, upper.left) && lower.bound == -upper.bound
            })
    })
}

/// The values at which clocks change what holds: each with the position of its clock.
pub(super) fn changes<'z>(zones: impl IntoIterator<Item = &'z CaseZone>) -> Vec<(u32, i64)> {
    let bounds = zones.into_iter().flatten().filter_map(|bound| match (bound.left, bound.right) {
        (Some(clock), None) => Some((clock, bound.bound)),
        (None, Some(clock)) => Some((clock, -bound.bound)),
        _ => None,
    });
    let mut changes: Vec<(u32, i64)> = bounds.filter(|(_, value)| *value > 0).collect();
    changes.sort_unstable();
    changes.dedup();
    changes
}

/// What happens to the clocks: statements, in order.
pub(super) fn sets(case: &TestCase, sets: &[CaseSet]) -> Vec<String> {
    let statements = sets.iter().map(|set| {
        let from = set.source.map_or_else(|| "v_now".to_owned(), |clock| format!("v_zero{clock}"));
        let less = match set.value {
            0 => String::new(),
            value => format!(" - {}", time(case, value)),
        };
        format!("v_zero{} := {from}{less};", set.clock)
    });
    statements.collect()
}
