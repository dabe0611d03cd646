//! Test cases in words.

use std::fmt::Write;

use tioga::words::number;
use tioga_base::Rational;
use tioga_testcase::{
    Action, CaseBound, CaseEdge, CaseRule, CaseZone, Shape, Side, TestCase, Verdict,
};

/// How many reasons for approximate verdicts are shown.
const SHOWN: usize = 3;

/// A test case as text: its summary and, for each place, what to do and what to expect.
pub fn text(case: &TestCase) -> String {
    let mut text = String::new();
    let summary = &case.summary;
    let rank = summary.rank_text();
    let shape = match case.shape {
        Shape::Automaton => "automaton",
        Shape::Strategy => "strategy",
        Shape::Tree => "tree",
    };
    let _ = writeln!(text, "test case {}: {shape} for {}", case.name, summary.goal);
    let exact = if summary.exact { "exact verdicts" } else { "approximate verdicts" };
    let end = match (summary.may_be_inconclusive, summary.restarts) {
        (false, _) => "never inconclusive",
        (true, true) => "may be inconclusive, with restarts",
        (true, false) => "may be inconclusive",
    };
    let doubt = if summary.may_be_uncertain { ", a pass may be uncertain" } else { "" };
    let _ = writeln!(text, "  {exact}, rank {rank}, {end}{doubt}");
    for reason in summary.approximated.iter().take(SHOWN) {
        let _ = writeln!(text, "  approximated: {reason}");
    }
    if let Some(more) = summary.approximated.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(text, "  approximated: {more} more, in the suite");
    }
    for luck in &summary.luck {
        let _ = writeln!(text, "  at {}", luck.text(summary.times()));
    }
    let case = &case.shown();
    let words = Words::new(case);
    for (index, place) in case.places.iter().enumerate() {
        let limit = match &place.invariant[..] {
            [zone] if zone.is_empty() => String::new(),
            zones => format!(" (while {})", words.zones(zones)),
        };
        let ends = place.verdicts.iter().any(|one| one.zones.iter().any(Vec::is_empty));
        let haste = if ends || place.urgent.is_empty() {
            String::new()
        } else {
            format!(" (at once{})", words.when(&beyond(&place.urgent, &place.invariant)))
        };
        let _ = writeln!(text, "{index} {}{limit}{haste}", place.name);
        for judgement in &place.verdicts {
            let verdict = match judgement.verdict {
                Verdict::Pass => "PASS",
                Verdict::Uncertain => "PASS, UNCERTAIN",
                Verdict::Fail => "FAIL",
                Verdict::Inconclusive => "INCONCLUSIVE",
            };
            let when = words.when(&judgement.zones);
            let _ = writeln!(text, "    {verdict}{when}: {}", judgement.reason);
        }
        for rule in &place.rules {
            let _ = writeln!(text, "    {}", words.rule(rule, &place.edges));
        }
        for edge in &place.edges {
            match edge.by {
                Side::System => {
                    let _ = writeln!(text, "    {}", words.expected(edge));
                }
                Side::Tester if place.rules.is_empty() => {
                    let _ = writeln!(text, "    may send {}", words.step(edge));
                }
                // What the strategy does not send is not worth a line.
                Side::Tester => {}
            }
        }
        if !ends {
            let answers = place.edges.iter().any(|edge| edge.by == Side::System);
            let late = match (limit.is_empty(), haste.is_empty() || !answers) {
                (_, false) if words.when(&place.urgent).is_empty() => ", or silence",
                (true, true) => "",
                _ => ", or silence for too long",
            };
            let _ = writeln!(text, "    FAIL: any other answer{late}");
        }
    }
    text
}

/// Zones without the bounds that the invariant says anyway.
fn beyond(zones: &[CaseZone], invariant: &[CaseZone]) -> Vec<CaseZone> {
    let said = |bound: &CaseBound| invariant.iter().all(|zone| zone.contains(bound));
    zones.iter().map(|zone| zone.iter().copied().filter(|bound| !said(bound)).collect()).collect()
}

struct Words {
    clocks: Vec<String>,
    /// What the tester does by itself.
    own_moves: Vec<String>,
    scale: i64,
}

impl Words {
    fn new(case: &TestCase) -> Self {
        let bare = |name: &String| name.rsplit('.').next().unwrap_or(name).to_owned();
        let short: Vec<String> = case.clocks.iter().map(bare).collect();
        let unique = |name: &String| short.iter().filter(|other| *other == name).count() == 1;
        let clocks = case.clocks.iter().zip(&short);
        let clocks = clocks.map(|(full, short)| if unique(short) { short } else { full }.clone());
        let own_moves = case.own_moves.clone();
        Self { clocks: clocks.collect(), own_moves, scale: case.scale }
    }

    fn zones(&self, zones: &[CaseZone]) -> String {
        let parts: Vec<String> = zones.iter().map(|zone| self.zone(zone)).collect();
        parts.join(" or ")
    }

    fn zone(&self, zone: &CaseZone) -> String {
        let name = |clock: u32| self.clocks[clock as usize].as_str();
        let value = |bound: i64| {
            Rational::new(bound, self.scale).map_or_else(|_| bound.to_string(), number)
        };
        let parts = zone.iter().map(|bound| {
            let (upper, lower) = if bound.strict { ("<", ">") } else { ("<=", ">=") };
            match (bound.left, bound.right) {
                (Some(left), None) => format!("{} {upper} {}", name(left), value(bound.bound)),
                (None, Some(right)) => format!("{} {lower} {}", name(right), value(-bound.bound)),
                (Some(left), Some(right)) => {
                    format!("{} - {} {upper} {}", name(left), name(right), value(bound.bound))
                }
                (None, None) => "true".to_owned(),
            }
        });
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() { "always".to_owned() } else { parts.join(" && ") }
    }

    /// ` when …`, or nothing if always.
    fn when(&self, zones: &[CaseZone]) -> String {
        if zones.iter().any(Vec::is_empty) {
            return String::new();
        }
        format!(" when {}", self.zones(zones))
    }

    fn rule(&self, rule: &CaseRule, edges: &[CaseEdge]) -> String {
        let when = self.when(&rule.zones);
        match rule.play {
            Some(play) => {
                let edge = &edges[play as usize];
                let action = called(&edge.action);
                match self.own_moves.contains(&edge.action.channel) {
                    true => format!("do {action}{when}, then {}", edge.target),
                    false => format!("send {action}?{when}, then {}", edge.target),
                }
            }
            None => {
                let awaited = rule
                    .awaited
                    .iter()
                    .map(|index| format!("{}!", called(&edges[*index as usize].action)));
                let mut awaited: Vec<String> = awaited.collect();
                awaited.dedup();
                match &awaited[..] {
                    [] => format!("wait{when}"),
                    some => format!("wait for {}{when}", some.join(" or ")),
                }
            }
        }
    }

    fn expected(&self, edge: &CaseEdge) -> String {
        let when = self.when(&edge.guard);
        format!("expect {}!{when}, then {}", called(&edge.action), edge.target)
    }

    fn step(&self, edge: &CaseEdge) -> String {
        let when = self.when(&edge.guard);
        format!("{}?{when}, then {}", called(&edge.action), edge.target)
    }
}

fn called(action: &Action) -> String {
    if action.values.is_empty() {
        return action.channel.clone();
    }
    format!("{}({})", action.channel, action.values.join(", "))
}
