//! How two models relate, in words and as JSON.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use tioga::words::{action, amount, count, times, windows};
use tioga::{AllowedNext, peak_bytes};
use tioga_base::Rational;
use tioga_concrete::{Trace, TraceEvent, label_of};
use tioga_conform::{Decided, ObservedViolation, Relation, RelationAnswer, Violation};
use tioga_explore::Statistics;
use tioga_model::{Model, Type};

use crate::measure::seconds;
use crate::text::run::table;

/// How an implementation and a specification relate.
pub struct Related<'m> {
    /// The two models.
    pub models: (&'m Model, &'m Model),
    /// What they are called.
    pub names: (String, String),
    /// What was asked.
    pub relation: Relation,
    /// The answer.
    pub decided: Decided,
    /// How long it took.
    pub elapsed: Duration,
}

/// Two components whose alphabets exclude that one refines the other.
pub struct Different<'m> {
    /// The two models.
    pub models: (&'m Model, &'m Model),
    /// What they are called.
    pub names: (String, String),
    /// How their alphabets differ.
    pub reason: String,
}

impl Different<'_> {
    /// The answer in words.
    pub fn text(&self) -> String {
        let (one, other) = &self.names;
        format!("{one} {} {other}\n  {}\n", verbs(Relation::Refines).1, self.reason)
    }

    /// The answer as JSON.
    pub fn result(&self) -> Value {
        let answer = Answer { holds: Some(false), reason: Some(&self.reason), violation: None };
        answer.result(self.models, Relation::Refines, (&Statistics::default(), Duration::ZERO))
    }
}

/// An answer for JSON.
struct Answer<'a> {
    holds: Option<bool>,
    reason: Option<&'a String>,
    violation: Option<Value>,
}

impl Answer<'_> {
    fn result(
        &self,
        models: (&Model, &Model),
        relation: Relation,
        (statistics, elapsed): (&Statistics, Duration),
    ) -> Value {
        json!({
            "implementation": models.0.name,
            "specification": models.1.name,
            "relation": match relation {
                Relation::Conforms => "tioco",
                Relation::ConformsWhenServed => "tioco-when-served",
                Relation::Refines => "io-refinement",
            },
            "holds": self.holds,
            "reason": self.reason,
            "violation": self.violation,
            "stats": {
                "visited": statistics.visited,
                "stored": statistics.stored,
                "covered": statistics.covered,
                "transitions": statistics.transitions,
                "milliseconds": u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
                "peak_bytes": peak_bytes().unwrap_or(statistics.peak_bytes),
            },
        })
    }
}

/// What a relation is called, and its opposite.
fn verbs(relation: Relation) -> (&'static str, &'static str) {
    match relation {
        Relation::Conforms => ("conforms to", "does not conform to"),
        Relation::ConformsWhenServed => {
            ("conforms, when served, to", "does not conform, even when served, to")
        }
        Relation::Refines => ("refines", "does not refine"),
    }
}

/// What shows that the relation is violated: how, a run, and what was allowed instead.
pub type Shown<'v> = (&'v Violation, &'v Trace, Option<&'v AllowedNext>);

impl Related<'_> {
    /// The answer in words.
    pub fn text(&self, shown: Option<Shown<'_>>) -> String {
        let (one, other) = &self.names;
        let (verb, negated) = verbs(self.relation);
        let mut text = match (&self.decided.answer, shown) {
            (RelationAnswer::Violated(_), Some((violation, run, allowed))) => {
                format!("{one} {negated} {other}\n") + &self.described(violation, run, allowed)
            }
            (RelationAnswer::Unknown(reason), _) => {
                format!("whether {one} {verb} {other}: unknown\n  {reason}\n")
            }
            _ => format!("{one} {verb} {other}\n"),
        };
        let Statistics { visited, stored, covered, transitions, .. } = self.decided.statistics;
        let states = count(usize::try_from(visited).unwrap_or(usize::MAX), "state");
        text.push_str(&format!(
            "  {states} visited, {stored} stored, {covered} of {transitions} steps covered, {} s\n",
            seconds(self.elapsed),
        ));
        text
    }

    /// The run, what was observed and what was allowed.
    pub fn described(
        &self,
        violation: &Violation,
        run: &Trace,
        allowed: Option<&AllowedNext>,
    ) -> String {
        let shown = times(self.models.0);
        let mut text =
            table(&run.records, shown).unwrap_or_else(|overflow| format!("  {overflow}\n"));
        let (one, other) = &self.names;
        let after = if violation.after.is_zero() {
            "at once".to_owned()
        } else {
            amount(self.models.0, violation.after)
        };
        let since = self.since(violation);
        text.push_str(&match &violation.observed {
            ObservedViolation::Delay => format!("  {one} lets {after} pass {since}\n"),
            ObservedViolation::Output(_) => {
                format!("  {one} emits {} {after} {since}\n", self.observed(violation))
            }
            ObservedViolation::Refusal(_) => {
                format!("  {one} refuses {} {after} {since}\n", self.observed(violation))
            }
        });
        let Some(allowed) = allowed else { return text };
        text.push_str(&format!(
            "  {other} allows {since}:\n    wait for {}\n",
            windows(&allowed.waiting, shown)
        ));
        for (event, when) in &allowed.actions {
            text.push_str(&format!("    {} after {}\n", action(event), windows(when, shown)));
        }
        text
    }

    /// Since when the last delay is counted.
    fn since(&self, violation: &Violation) -> String {
        let Some(event) = violation.last_event(self.models.0) else {
            return "after the start".to_owned();
        };
        format!("after {}", action(&event))
    }

    /// The action that violates the relation.
    fn observed(&self, violation: &Violation) -> String {
        match &violation.observed {
            ObservedViolation::Output(step) => action(&label_of(self.models.0, step)),
            ObservedViolation::Delay => "(wait)".to_owned(),
            ObservedViolation::Refusal(step) => match label_of(self.models.1, step) {
                // Only the input of a Mealy step is refused.
                TraceEvent::Exchange(input, values, ..) => {
                    action(&TraceEvent::Input(input, values))
                }
                event => action(&event),
            },
        }
    }

    /// The values of symbolic constants that the answer is about. `None` if there are no constants.
    pub fn constants(&self) -> Option<String> {
        let (one, other) = self.models;
        let all: BTreeSet<String> = [one, other].into_iter().flat_map(constants).collect();
        let all: Vec<String> = all.into_iter().collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// The answer as JSON.
    pub fn result(&self, shown: Option<Shown<'_>>) -> Value {
        let (holds, reason) = match &self.decided.answer {
            RelationAnswer::Holds => (Some(true), None),
            RelationAnswer::Violated(_) => (Some(false), None),
            RelationAnswer::Unknown(reason) => (None, Some(reason)),
        };
        let violation = shown.map(|(violation, run, allowed)| {
            let kind = match violation.observed {
                ObservedViolation::Output(_) => "output",
                ObservedViolation::Delay => "delay",
                ObservedViolation::Refusal(_) => "refusal",
            };
            json!({
                "kind": kind,
                "action": self.observed(violation),
                "after": violation.after.to_string(),
                "trace": run.record_values(),
                "allowed": allowed.map(|allowed| json!({
                    "waiting": allowed.waiting.to_string(),
                    "actions": allowed.actions.iter().map(|(event, when)| json!({
                        "action": action(event),
                        "windows": when.to_string(),
                    })).collect::<Vec<_>>(),
                })),
            })
        });
        let answer = Answer { holds, reason, violation };
        answer.result(self.models, self.relation, (&self.decided.statistics, self.elapsed))
    }
}

/// The symbolic constants of a model with their values.
fn constants(model: &Model) -> Vec<String> {
    let constants = model.variables.iter().filter(|variable| variable.symbolic);
    let shown = constants.map(|variable| {
        let slot = |number: u32| model.slots.get(number as usize).map_or(0, |slot| slot.initial);
        let first = slot(variable.first_slot);
        let value = match variable.ty {
            Type::Rational => Rational::new(first, slot(variable.first_slot + 1)),
            _ => Ok(Rational::integer(first)),
        };
        let value = value.map_or_else(|_| first.to_string(), |value| value.to_string());
        format!("{} = {value}", variable.name)
    });
    shown.collect()
}
