//! A test case as a graph: a node for each place, coloured by its verdicts, an arrow for each edge with its window, and
//! beside each place where the system can fail what it fails by.

use tioga_base::{Rational, decimal};
use tioga_testcase::{CaseBound, CasePlace, CaseZone, Side, TestCase, Verdict};

use super::{Arrow, ArrowKind, Graph, Node, NodeMark, Urgency};
use crate::text::{action_text, one_line};

/// How many alternatives of a window are shown.
const ALTERNATIVES: usize = 3;

/// How many characters of the name of a place stand in a line.
const NAME: usize = 32;

/// The graph of a test case. Its nodes come in the order of places and its edges in the order of places, and of edges at
/// each place; after these come what the system fails by. Edges of the tester have the windows in which the test case
/// plays them, if it says so.
pub fn case(case: &TestCase) -> Graph {
    let mut graph = Graph { name: one_line(&case.name), ..Graph::default() };
    let windows = Windows::new(case);
    for (position, place) in case.places.iter().enumerate() {
        let mut lines = crate::text::wrap(&format!("{position} {}", one_line(&place.name)), NAME);
        lines.extend(windows.lines(&place.invariant, &[]));
        let mut mark = NodeMark::Plain;
        for (verdict, word, own) in [
            (Verdict::Fail, "fail", NodeMark::Fail),
            (Verdict::Inconclusive, "inconclusive", NodeMark::Inconclusive),
            (Verdict::Uncertain, "pass, uncertain", NodeMark::Inconclusive),
            (Verdict::Pass, "pass", NodeMark::Accept),
        ] {
            for judgement in place.verdicts.iter().filter(|one| one.verdict == verdict) {
                mark = own;
                let when = windows.lines(&judgement.zones, &place.invariant);
                // A place that is called by its verdict says it already.
                if when.is_empty() && place.name == word {
                    continue;
                }
                lines.push(match when.first() {
                    Some(first) if when.len() == 1 => format!("({word} {first})"),
                    _ => format!("({word})"),
                });
            }
        }
        graph.nodes.push(Node {
            lines,
            initial: position == 0,
            mark,
            urgency: if place.urgent.is_empty() { Urgency::None } else { Urgency::Urgent },
            visits: None,
        });
        for (index, edge) in place.edges.iter().enumerate() {
            let target = edge.target as usize;
            let by_tester = edge.by == Side::Tester;
            let mark = if by_tester { '?' } else { '!' };
            let mut lines = vec![format!("{}{mark}", action_text(&edge.action))];
            let played: Vec<&CaseZone> = place
                .rules
                .iter()
                .filter(|rule| rule.play.is_some_and(|play| play as usize == index))
                .flat_map(|rule| &rule.zones)
                .collect();
            let when = if by_tester && !played.is_empty() {
                let played: Vec<CaseZone> = played.into_iter().cloned().collect();
                windows.lines(&played, &place.invariant)
            } else {
                windows.lines(&edge.guard, &place.invariant)
            };
            lines.extend(when.iter().flat_map(|line| broken(line)));
            if target < case.places.len() {
                graph.edges.push(Arrow {
                    source: position,
                    target,
                    lines,
                    kind: if by_tester { ArrowKind::Input } else { ArrowKind::Output },
                    dashed: !by_tester,
                    visits: None,
                });
            }
        }
    }
    for (position, place) in case.places.iter().enumerate() {
        let lines = windows.failures(case, place);
        if lines.is_empty() {
            continue;
        }
        let target = graph.nodes.len();
        let (mark, fail) = (NodeMark::Fail, vec!["fail".to_owned()]);
        graph.nodes.push(Node { lines: fail, mark, ..Node::default() });
        let kind = ArrowKind::Output;
        graph.edges.push(Arrow {
            source: position,
            target,
            lines,
            kind,
            dashed: true,
            visits: None,
        });
    }
    graph
}

/// How the windows of a test case are written.
struct Windows {
    clocks: Vec<String>,
    scale: i64,
}

impl Windows {
    /// Clocks are called by their names without the process, unless two have the same.
    fn new(case: &TestCase) -> Self {
        let bare = |name: &String| name.rsplit('.').next().unwrap_or(name).to_owned();
        let short: Vec<String> = case.clocks.iter().map(bare).collect();
        let clocks = case.clocks.iter().zip(&short).map(|(full, own)| {
            let unique = short.iter().filter(|other| *other == own).count() == 1;
            one_line(if unique { own } else { full })
        });
        Self { clocks: clocks.collect(), scale: case.scale }
    }

    /// What the system fails by at a place: an output that no edge expects, and silence beyond the time it has. Nothing if
    /// the test is over there.
    fn failures(&self, case: &TestCase, place: &CasePlace) -> Vec<String> {
        let over = place.verdicts.iter().any(|judgement| {
            let always = |zone: &CaseZone| place.invariant.iter().all(|own| within(own, zone));
            judgement.zones.iter().any(always)
        });
        if over || place.invariant.is_empty() {
            return Vec::new();
        }
        let mut expected = place.edges.iter().filter(|edge| edge.by == Side::System).peekable();
        let mut lines = Vec::new();
        if !case.outputs.is_empty() {
            let some = expected.peek().is_some();
            lines.push(if some { "any other output" } else { "any output" }.to_owned());
        }
        // An urgent place that expects an output expects it at once.
        if place.urgent.iter().any(Vec::is_empty) {
            if expected.peek().is_some() {
                lines.push("silence".to_owned());
            }
            return lines;
        }
        let ends: Vec<String> = place.invariant.iter().map(|zone| self.end(zone)).collect();
        if ends.iter().all(|end| !end.is_empty()) {
            lines.push(match &ends[..] {
                [end] => format!("silence beyond {end}"),
                _ => "silence beyond its bounds".to_owned(),
            });
        }
        lines
    }

    /// When time ends in a zone: `x = 2`; nothing if it does not.
    fn end(&self, zone: &CaseZone) -> String {
        let upper = |bound: &&CaseBound| bound.left.is_some() && bound.right.is_none();
        let ends = zone.iter().filter(upper).map(|bound| {
            let clock = bound.left.and_then(|clock| self.clocks.get(clock as usize));
            format!("{} = {}", clock.map_or("?", String::as_str), self.value(bound.bound))
        });
        ends.collect::<Vec<_>>().join(" or ")
    }

    fn value(&self, bound: i64) -> String {
        Rational::new(bound, self.scale).map_or_else(|_| bound.to_string(), decimal)
    }

    /// The alternatives of a condition, a line each, without the bounds that hold anyway; nothing if it always holds.
    fn lines(&self, zones: &[CaseZone], known: &[CaseZone]) -> Vec<String> {
        let said =
            |bound: &CaseBound| !known.is_empty() && known.iter().all(|zone| zone.contains(bound));
        let rest = zones
            .iter()
            .map(|zone| zone.iter().copied().filter(|bound| !said(bound)).collect::<CaseZone>());
        let rest: Vec<CaseZone> = rest.collect();
        if rest.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let mut lines: Vec<String> =
            rest.iter().take(ALTERNATIVES).map(|zone| self.zone(zone)).collect();
        let left = rest.len().saturating_sub(ALTERNATIVES);
        if left > 0 {
            lines.push(format!("or {left} more"));
        }
        lines
    }

    /// One conjunction: `1 <= x <= 2, y < 3`.
    fn zone(&self, zone: &CaseZone) -> String {
        let name = |clock: u32| self.clocks.get(clock as usize).map_or("?", String::as_str);
        let value = |bound: i64| self.value(bound);
        let sign = |bound: &CaseBound| if bound.strict { "<" } else { "<=" };
        let mut parts = Vec::new();
        for (clock, _) in self.clocks.iter().enumerate() {
            let clock = u32::try_from(clock).unwrap_or(u32::MAX);
            let lower = zone.iter().find(|one| one.left.is_none() && one.right == Some(clock));
            let upper = zone.iter().find(|one| one.left == Some(clock) && one.right.is_none());
            parts.extend(match (lower, upper) {
                (Some(low), Some(high)) if -low.bound == high.bound => {
                    Some(format!("{} = {}", name(clock), value(high.bound)))
                }
                (Some(low), Some(high)) => Some(format!(
                    "{} {} {} {} {}",
                    value(-low.bound),
                    sign(low),
                    name(clock),
                    sign(high),
                    value(high.bound)
                )),
                (Some(low), None) => {
                    let more = if low.strict { ">" } else { ">=" };
                    Some(format!("{} {more} {}", name(clock), value(-low.bound)))
                }
                (None, Some(high)) => {
                    Some(format!("{} {} {}", name(clock), sign(high), value(high.bound)))
                }
                (None, None) => None,
            });
        }
        for bound in zone {
            if let (Some(left), Some(right)) = (bound.left, bound.right) {
                let (left, right, sign) = (name(left), name(right), sign(bound));
                parts.push(match bound.bound {
                    0 => format!("{left} {sign} {right}"),
                    most => format!("{left} - {right} {sign} {}", value(most)),
                });
            }
        }
        parts.join(", ")
    }
}

/// Whether a zone says all bounds of another, so that it is within it.
fn within(zone: &CaseZone, other: &CaseZone) -> bool {
    other.iter().all(|bound| zone.contains(bound))
}

/// A conjunction in lines of limited length, broken between its bounds.
fn broken(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in text.split_inclusive(", ") {
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.trim_end().chars().count() <= NAME => {
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}
