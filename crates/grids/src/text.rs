//! Conditions and edges of automata in words, as models write them. Values that an action carries have no names; they
//! are `#1`, `#2` and so on.

use tioga_base::Rational;

use crate::automaton::{Automaton, Edge};
use crate::condition::Condition;
use crate::form::Form;

impl Automaton {
    /// A condition: `c <= 5 && w + #1 < 3`.
    pub fn condition_text(&self, condition: &Condition) -> String {
        match condition {
            Condition::All(parts) if parts.is_empty() => "true".to_owned(),
            Condition::Any(parts) if parts.is_empty() => "false".to_owned(),
            Condition::All(parts) => self.joined(parts, " && "),
            Condition::Any(parts) => self.joined(parts, " || "),
            Condition::Not(inside) => match &**inside {
                Condition::Clock { clock, strict, bound } => {
                    format!("{} {} {bound}", self.clocks[*clock], above(*strict))
                }
                Condition::Data { form, strict, bound } => {
                    format!("{} {} {bound}", self.form_text(form), above(*strict))
                }
                other => format!("!({})", self.condition_text(other)),
            },
            Condition::Clock { clock, strict, bound } => {
                format!("{} {} {bound}", self.clocks[*clock], up_to(*strict))
            }
            Condition::Data { form, strict, bound } => {
                format!("{} {} {bound}", self.form_text(form), up_to(*strict))
            }
        }
    }

    fn joined(&self, parts: &[Condition], with: &str) -> String {
        let part = |part: &Condition| match part {
            Condition::All(inside) | Condition::Any(inside)
                if inside.len() > 1 && parts.len() > 1 =>
            {
                let same = matches!(part, Condition::All(_)) == (with == " && ");
                let text = self.condition_text(part);
                if same { text } else { format!("({text})") }
            }
            other => self.condition_text(other),
        };
        parts.iter().map(part).collect::<Vec<_>>().join(with)
    }

    /// A sum: `2 * w + #1 + 1`.
    pub fn form_text(&self, form: &Form) -> String {
        let times = |name: String, factor: i64| match factor {
            1 => name,
            _ => format!("{factor} * {name}"),
        };
        let variables = form.variables.iter();
        let mut parts: Vec<String> =
            variables.map(|(at, factor)| times(self.context[*at].name.clone(), *factor)).collect();
        let parameters = form.parameters.iter();
        parts.extend(parameters.map(|(at, factor)| times(format!("#{}", at + 1), *factor)));
        if !form.constant.is_zero() || parts.is_empty() {
            parts.push(form.constant.to_string());
        }
        parts.join(" + ")
    }

    /// An edge with its guard and its updates: `(q0,s0) -> (q1,s1) : on? when c >= 1 do c = 0`.
    pub fn edge_text(&self, edge: &Edge) -> String {
        let mut text = self.edge_name(edge);
        let guard = self.condition_text(&edge.guard);
        if guard != "true" {
            text.push_str(&format!(" when {guard}"));
        }
        let resets = edge
            .resets
            .iter()
            .map(|(clock, value): &(usize, Rational)| format!("{} = {value}", self.clocks[*clock]));
        let updates = edge.updates.iter().map(|(variable, form)| {
            format!("{} = {}", self.context[*variable].name, self.form_text(form))
        });
        let all: Vec<String> = resets.chain(updates).collect();
        if !all.is_empty() {
            text.push_str(&format!(" do {}", all.join(", ")));
        }
        text
    }
}

fn up_to(strict: bool) -> &'static str {
    if strict { "<" } else { "<=" }
}

fn above(strict: bool) -> &'static str {
    if strict { ">=" } else { ">" }
}
