//! Why a run fails, with its data: what came, and what was allowed with which values.

use std::fmt::Write as _;

use tioga_base::{Moment, Rational};
use tioga_terms::{Formula, Names};

use crate::determinize::ObservableStep;
use crate::follower::{Explanation, ScriptFollower};
use crate::graph::Role;
use crate::message::Message;
use crate::setexp::Expiration;

impl ScriptFollower<'_> {
    /// What was allowed instead of an output that nothing explains.
    pub(crate) fn wrong(&self, before: &[Explanation], at: Moment, message: &Message) -> String {
        let mut now: Vec<String> = Vec::new();
        let mut otherwise: Vec<(String, String)> = Vec::new();
        for from in before.iter().filter(|one| self.is_open(one)) {
            let due = due(from, at);
            for step in self.outputs(from) {
                let line = self.allowed(from, step);
                if step.expirations == due {
                    if !now.contains(&line) {
                        now.push(line);
                    }
                    continue;
                }
                let when = if step.expirations.is_empty() {
                    format!(", but not at {}", self.instant(&due))
                } else {
                    format!(" at {}", self.instant(&step.expirations))
                };
                otherwise.push((line, when));
            }
        }
        for (line, when) in otherwise {
            let known = now.iter().any(|known| known.starts_with(&line));
            if !known {
                now.push(line + &when);
            }
        }
        let came = format!("{message} came at {at}");
        match &now[..] {
            [] => format!("{came}, no output was allowed"),
            all => format!("{came}, {} was allowed", all.join(" or ")),
        }
    }

    /// Why an expiration fails: what was to come before it.
    pub(crate) fn late(&self, before: &[Explanation], until: Rational) -> String {
        let mut awaited: Vec<String> = Vec::new();
        let mut ends: Vec<Expiration> = Vec::new();
        for from in before.iter().filter(|one| self.is_open(one)) {
            let first = from.pending.iter().filter(|one| one.latest <= until);
            let first = first.map(|one| (one.latest, one.expiration.clone())).min();
            if let Some((_, end)) = first
                && !ends.contains(&end)
            {
                ends.push(end);
            }
            for step in self.outputs(from) {
                let line = self.allowed(from, step);
                if !awaited.contains(&line) {
                    awaited.push(line);
                }
            }
        }
        format!(
            "no output came until {}, {} had to come",
            self.instant(&ends),
            if awaited.is_empty() { "one".to_owned() } else { awaited.join(" or ") }
        )
    }

    /// The outputs that an explanation allows, each as a line: `ack(v) with v == last, where last = 5`.
    pub fn allowed_outputs(&self, from: &Explanation) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for step in self.outputs(from) {
            let mut line = self.allowed(from, step);
            if !step.expirations.is_empty() {
                line = format!("{line} at {}", self.instant(&step.expirations));
            }
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    /// What the node of an explanation is called.
    pub fn name(&self, from: &Explanation) -> &str {
        &self.script.nodes[from.node].name
    }

    /// The registers of an explanation whose value is known: `last = 5`.
    pub fn registers(&self, from: &Explanation) -> Vec<String> {
        let symbols = &self.script.symbols;
        let each = from.registers.iter().map(|(register, value)| {
            format!("{} = {}", symbols[*register].name, Names(symbols, value))
        });
        each.collect()
    }

    /// What is programmed in an explanation: `Exp(c1, 2) at 4`.
    pub fn programmed(&self, from: &Explanation) -> Vec<String> {
        let each = from.pending.iter().map(|one| {
            let at = Moment::between(one.earliest, one.latest);
            let at = at.unwrap_or(Moment::exactly(one.latest));
            format!("{} at {at}", self.instant(std::slice::from_ref(&one.expiration)))
        });
        each.collect()
    }

    fn outputs<'f>(&'f self, from: &Explanation) -> impl Iterator<Item = &'f ObservableStep> {
        let steps = self.script.leaving(from.node).map(|(_, step)| step);
        steps.filter(|step| self.script.role(step) == Role::Output && step.action.is_some())
    }

    fn instant(&self, expirations: &[Expiration]) -> String {
        let all = expirations.iter().map(|one| {
            let threshold = Names(&self.script.symbols, &one.threshold);
            format!("Exp({}, {threshold})", self.script.clocks[one.clock])
        });
        let all: Vec<String> = all.collect();
        if all.is_empty() { "this time".to_owned() } else { all.join(", ") }
    }

    /// `ack(v) with v == last, where last = 5`
    fn allowed(&self, from: &Explanation, step: &ObservableStep) -> String {
        let symbols = &self.script.symbols;
        let Some(action) = step.action.map(|action| &self.script.actions[action]) else {
            return String::new();
        };
        let names: Vec<_> =
            action.parameters.iter().map(|one| symbols[*one].name.as_str()).collect();
        let mut line = action.name.clone();
        if !names.is_empty() {
            let _ = write!(line, "({})", names.join(", "));
        }
        if step.guard != Formula::True {
            let _ = write!(line, " with {}", Names(symbols, &step.guard));
            let own = step.guard.symbols();
            let known = own.iter().filter(|symbol| !action.parameters.contains(symbol));
            let known = known.filter_map(|symbol| {
                let value = self.value(from, *symbol, &[], &[])?;
                Some(format!("{} = {}", symbols[*symbol].name, Names(symbols, &value)))
            });
            let known: Vec<_> = known.collect();
            if !known.is_empty() {
                let _ = write!(line, ", where {}", known.join(", "));
            }
        }
        line
    }
}

/// What expires exactly at a moment.
fn due(from: &Explanation, at: Moment) -> Vec<Expiration> {
    let now = from.pending.iter().filter(|one| at.is_exact() && one.latest == at.latest());
    let mut names: Vec<_> = now.map(|one| one.expiration.clone()).collect();
    names.sort();
    names
}
