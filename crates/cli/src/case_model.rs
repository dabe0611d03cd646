//! A test case as a model of the tester, in Tioga's language; other languages and pictures follow.
//!
//! What the system answers is what the tester receives. Each place is a location; answers that are
//! not expected, and silence for too long, lead to `Fail`, verdicts to `Pass`, `Fail` and
//! `Inconclusive`. Where something has to happen at once, a clock of its own measures whether it
//! does; if only the tester could have gone on, waiting leads to `Inconclusive`.

use std::collections::BTreeMap;
use std::fmt::Write;

use tioga_base::Rational;
use tioga_testcase::{
    Action, CaseBound, CaseEdge, CasePlace, CaseZone as Bounds, Side, TestCase, Verdict,
};
use tioga_zones::{Bound, Federation, OutOfRange, Zone};

use crate::case_urgency::Overdue;
use crate::run_text::number;

/// The text of the model.
///
/// # Errors
/// If a constant is too large.
pub fn text(case: &TestCase) -> Result<String, OutOfRange> {
    let writer = Writer::new(case);
    let mut text = format!(
        "// The tester of the test case {}, for {}.\nmodel {};\n\n",
        case.name,
        case.summary.purpose,
        word(&case.name)
    );
    for (kind, actions) in [("input", &case.outputs), ("output", &case.inputs)] {
        let names: Vec<&str> = actions.iter().map(|action| writer.channel(action)).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "{kind} {};", names.join(", "));
        }
    }
    let _ = writeln!(text, "\nautomaton Test {{");
    for clock in &writer.clocks {
        let _ = writeln!(text, "  clock {clock};");
    }
    for (index, place) in case.places.iter().enumerate() {
        let init = if index == 0 { "init " } else { "" };
        let _ = writeln!(text, "  {init}location {}; // {}", location(index), place.name);
    }
    let _ = writeln!(text, "  accept location Pass;\n  fail location Fail;");
    let _ = writeln!(text, "  location Inconclusive;\n");
    for (index, place) in case.places.iter().enumerate() {
        writer.place(&mut text, index, place)?;
    }
    text.push_str("}\n");
    Ok(text)
}

/// A name made of letters, digits and underscores.
fn word(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = text.chars().map(plain).collect();
    let name = name.trim_matches('_').to_owned();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("m_{name}") }
}

fn location(index: usize) -> String {
    format!("P{index}")
}

/// Where the edges of one place are written.
struct Page<'p> {
    text: &'p mut String,
    from: String,
    known: &'p Zone,
}

struct Writer<'c> {
    case: &'c TestCase,
    /// The clocks of the test case, and one that measures the time since a place was entered, if
    /// something has to happen at once anywhere.
    clocks: Vec<String>,
    channels: BTreeMap<&'c Action, String>,
}

impl<'c> Writer<'c> {
    fn new(case: &'c TestCase) -> Self {
        let mut clocks: Vec<String> = Vec::new();
        for clock in &case.clocks {
            let bare = word(clock.rsplit('.').next().unwrap_or(clock));
            let taken = clocks.contains(&bare);
            clocks.push(if taken { word(clock) } else { bare });
        }
        if case.places.iter().any(|place| !place.urgent.is_empty()) {
            let mut name = "here".to_owned();
            while clocks.contains(&name) {
                name.push('_');
            }
            clocks.push(name);
        }
        let mut channels = BTreeMap::new();
        for action in case.inputs.iter().chain(&case.outputs) {
            let values: String = action.values.iter().map(|value| format!("_{value}")).collect();
            channels.insert(action, word(&format!("{}{values}", action.channel)));
        }
        Self { case, clocks, channels }
    }

    fn channel(&self, action: &Action) -> &str {
        self.channels.get(action).map_or("unknown", String::as_str)
    }

    fn place(&self, text: &mut String, index: usize, place: &CasePlace) -> Result<(), OutOfRange> {
        let known = self.known(place);
        let page = &mut Page { text, from: location(index), known: &known };
        let mut over = self.nothing();
        let mut verdicts = Vec::new();
        for judgement in &place.verdicts {
            let mut zones = self.set(&judgement.zones)?;
            zones.intersect_zone(&known);
            over.unite(&zones);
            verdicts.push((judgement.verdict, zones));
        }
        let mut invariant = self.set(&place.invariant)?;
        let mut outside = invariant.complement();
        outside.intersect_zone(&known);
        invariant.intersect_zone(&known);
        let overdue = self.overdue(place, &invariant, &over)?;
        for (verdict, zones) in verdicts {
            let target = match verdict {
                Verdict::Pass => "Pass",
                Verdict::Fail => "Fail",
                Verdict::Inconclusive => "Inconclusive",
            };
            self.edges(page, target, None, &overdue.in_time(&zones), "");
        }
        let mut going = overdue.in_time(&invariant);
        going.subtract(&over);
        going.merge();
        for edge in place.edges.iter().filter(|edge| edge.by == Side::Tester) {
            let mut guard = self.set(&edge.guard)?;
            guard.intersect(&going);
            if !place.rules.is_empty() {
                guard.intersect(&self.played(place, edge)?);
            }
            let label = format!("{}!", self.channel(&edge.action));
            let target = location(edge.target as usize);
            self.edges(page, &target, Some(&label), &guard, &self.sets(edge));
        }
        let over_everywhere = going.is_empty();
        for action in self.case.outputs.iter().filter(|_| !over_everywhere) {
            let label = format!("{}?", self.channel(action));
            let mut unexpected = going.clone();
            for edge in &place.edges {
                if edge.by != Side::System || edge.action != *action {
                    continue;
                }
                let mut guard = self.set(&edge.guard)?;
                guard.intersect(&going);
                unexpected.subtract(&guard);
                let target = location(edge.target as usize);
                self.edges(page, &target, Some(&label), &guard, &self.sets(edge));
            }
            unexpected.merge();
            self.edges(page, "Fail", Some(&label), &unexpected, "");
        }
        let mut late = overdue.in_time(&outside);
        late.subtract(&over);
        late.unite(&overdue.silence);
        late.merge();
        self.edges(page, "Fail", None, &late, "");
        let mut hesitation = overdue.hesitation;
        hesitation.merge();
        self.edges(page, "Inconclusive", None, &hesitation, "");
        page.text.push('\n');
        Ok(())
    }

    /// What always holds in a place: where the time since it was entered matters, no clock shows
    /// less.
    fn known(&self, place: &CasePlace) -> Zone {
        let mut known = Zone::universal(self.clocks.len() + 1);
        let last = self.clocks.len();
        for clock in (1..last).filter(|_| !place.urgent.is_empty()) {
            known.constrain(last, clock, Bound::LE_ZERO).expect("all clocks may be equal");
        }
        known
    }

    /// Where it is too late in a place because something had to happen at once.
    fn overdue(
        &self,
        place: &CasePlace,
        invariant: &Federation,
        over: &Federation,
    ) -> Result<Overdue, OutOfRange> {
        let mut answers = self.nothing();
        for edge in place.edges.iter().filter(|edge| edge.by == Side::System) {
            answers.unite(&self.set(&edge.guard)?);
        }
        Overdue::new(invariant, &self.set(&place.urgent)?, over, &answers)
    }

    /// Where the rules play an edge; the first rule that holds decides.
    fn played(&self, place: &CasePlace, edge: &CaseEdge) -> Result<Federation, OutOfRange> {
        let (mut played, mut earlier) = (self.nothing(), self.nothing());
        for rule in &place.rules {
            let zones = self.set(&rule.zones)?;
            let this = rule.play.and_then(|play| place.edges.get(play as usize));
            if this.is_some_and(|this| std::ptr::eq(this, edge)) {
                let mut own = zones.clone();
                own.subtract(&earlier);
                played.unite(&own);
            }
            earlier.unite(&zones);
        }
        Ok(played)
    }

    fn edges(
        &self,
        page: &mut Page<'_>,
        target: &str,
        label: Option<&str>,
        guard: &Federation,
        sets: &str,
    ) {
        for zone in guard.zones() {
            let label = label.unwrap_or("");
            let guard = if zone.includes(page.known) {
                String::new()
            } else {
                format!(" when {}", self.guard(zone, page.known))
            };
            let sets = if sets.is_empty() { String::new() } else { format!(" do {sets}") };
            let rest = format!("{label}{guard}{sets}");
            let colon = if rest.is_empty() { "" } else { " : " };
            let (from, rest) = (&page.from, rest.trim_start());
            let _ = writeln!(page.text, "  {from} -> {target}{colon}{rest};");
        }
    }

    /// A zone in words, without what is known anyway.
    fn guard(&self, zone: &Zone, known: &Zone) -> String {
        let mut constraints = zone.minimal_constraints();
        let mut index = 0;
        while !known.is_universal() && index < constraints.len() {
            let mut others = constraints.clone();
            others.remove(index);
            let mut wider = Federation::from(known.clone());
            wider.constrain_all(&others);
            if wider.zones().iter().all(|wider| zone.includes(wider)) {
                constraints = others;
            } else {
                index += 1;
            }
        }
        let parts = constraints.into_iter().filter_map(|constraint| {
            let value = i64::from(constraint.bound.constant()?);
            let shown = |value: i64| {
                Rational::new(value, self.case.scale)
                    .map_or_else(|_| value.to_string(), |value| value.to_string())
            };
            let strict = constraint.bound.is_strict();
            let (upper, lower) = if strict { ("<", ">") } else { ("<=", ">=") };
            let name = |clock: usize| &self.clocks[clock - 1];
            Some(match (constraint.left, constraint.right) {
                (0, right) => format!("{} {lower} {}", name(right), shown(-value)),
                (left, 0) => format!("{} {upper} {}", name(left), shown(value)),
                (left, right) => {
                    format!("{} - {} {upper} {}", name(left), name(right), shown(value))
                }
            })
        });
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() { "true".to_owned() } else { parts.join(" && ") }
    }

    fn sets(&self, edge: &CaseEdge) -> String {
        let sets = edge.sets.iter().map(|set| {
            let clock = &self.clocks[set.clock as usize];
            let value = Rational::new(set.value, self.case.scale)
                .map_or_else(|_| set.value.to_string(), number);
            match set.source {
                None => format!("{clock} = {value}"),
                Some(source) if set.value == 0 => {
                    format!("{clock} = {}", self.clocks[source as usize])
                }
                Some(source) => format!("{clock} = {} + {value}", self.clocks[source as usize]),
            }
        });
        let mut sets: Vec<String> = sets.collect();
        if !self.case.places[edge.target as usize].urgent.is_empty() {
            sets.extend(self.clocks.last().map(|clock| format!("{clock} = 0")));
        }
        sets.join(", ")
    }

    fn nothing(&self) -> Federation {
        Federation::empty(self.clocks.len() + 1)
    }

    fn set(&self, zones: &[Bounds]) -> Result<Federation, OutOfRange> {
        let mut set = self.nothing();
        for bounds in zones {
            let mut zone = Zone::universal(self.clocks.len() + 1);
            let mut possible = true;
            for CaseBound { left, right, strict, bound } in bounds {
                let index = |clock: &Option<u32>| clock.map_or(0, |clock| clock as usize + 1);
                let constant = i32::try_from(*bound).unwrap_or(i32::MAX);
                let bound = if *strict { Bound::lt(constant) } else { Bound::le(constant) }?;
                possible &= zone.constrain(index(left), index(right), bound).is_ok();
            }
            if possible {
                set.add(zone);
            }
        }
        Ok(set)
    }
}
