//! A place of a test case: what is done there, and what may come meanwhile.

use std::fmt::Write;

use tioga_testcase::{CaseEdge, CasePlace, CaseRule, CaseZone, Side, TestCase, Verdict};

use super::condition::{Slack, changes, is_moment, sets, time, zones};
use super::vocabulary::{Vocabulary, words};
use crate::text::{action_text, one_line};

/// Writes the altstep and the function of a place.
pub(super) fn place(
    text: &mut String,
    vocabulary: &Vocabulary,
    case: &TestCase,
    number: usize,
    position: usize,
) {
    let place = &case.places[position];
    let name = format!("{number}_{position}");
    let writer = Writer { vocabulary, case, place, name };
    let _ = writeln!(text, "  // Place {position}: {}", one_line(&place.name));
    let ends = place.verdicts.iter().any(|judgement| always(case, &judgement.zones));
    if !ends && writer.expects() {
        writer.altstep(text);
    }
    writer.function(text, ends);
}

/// Whether a condition always holds, so that nothing after it is ever done.
fn always(case: &TestCase, condition: &[CaseZone]) -> bool {
    zones(case, condition, Slack::None).is_none()
}

struct Writer<'w> {
    vocabulary: &'w Vocabulary,
    case: &'w TestCase,
    place: &'w CasePlace,
    /// The numbers of the test case and the place.
    name: String,
}

impl Writer<'_> {
    /// Whether some output may come here.
    fn expects(&self) -> bool {
        self.place.edges.iter().any(|edge| edge.by == Side::System)
    }

    /// What may come: expected outputs at their times. The default knows what else there is.
    fn altstep(&self, text: &mut String) {
        let _ = writeln!(text, "  altstep a_{}() runs on Tester {{", self.name);
        let mut done = Vec::new();
        let outputs = || self.place.edges.iter().filter(|edge| edge.by == Side::System);
        for edge in outputs() {
            if done.contains(&&edge.action) {
                continue;
            }
            done.push(&edge.action);
            let value = self.vocabulary.value(Side::System, &edge.action);
            let _ = writeln!(text, "    [] sut.receive({value}) {{\n      t_wait.stop;");
            let _ = writeln!(text, "      f_read();");
            let same = outputs().filter(|other| other.action == edge.action);
            self.branches(text, same.collect());
            text.push_str("    }\n");
        }
        text.push_str("  }\n\n");
    }

    /// The edges of one output, told apart by when it came.
    fn branches(&self, text: &mut String, edges: Vec<&CaseEdge>) {
        let mut indent = "      ".to_owned();
        let mut closed = false;
        for (index, edge) in edges.iter().enumerate() {
            let condition = zones(self.case, &edge.guard, Slack::Tolerance);
            let statements = self.taken(edge);
            match condition {
                None if index == 0 => indent = "    ".to_owned(),
                None => text.push_str(" else {\n"),
                Some(condition) => {
                    let word = if index == 0 { "      if" } else { " else if" };
                    let _ = writeln!(text, "{word} ({condition}) {{");
                }
            }
            for statement in statements {
                let _ = writeln!(text, "{indent}  {statement}");
            }
            closed = zones(self.case, &edge.guard, Slack::Tolerance).is_none();
            if closed {
                if index > 0 {
                    text.push_str("      }\n");
                }
                break;
            }
            text.push_str("      }");
        }
        if !closed {
            let action = edges.first().map(|edge| action_text(&edge.action)).unwrap_or_default();
            let reason = words(&format!("the output {action} is not allowed now"));
            let _ = writeln!(text, " else {{\n        f_end(fail, {reason});\n      }}");
        }
    }

    /// What an edge does.
    fn taken(&self, edge: &CaseEdge) -> Vec<String> {
        let mut statements = sets(self.case, &edge.sets);
        statements.push(format!("v_place := {};", edge.target));
        statements
    }

    /// What is done: judge, send, or wait.
    fn function(&self, text: &mut String, ends: bool) {
        let _ = writeln!(text, "  function f_{}() runs on Tester {{\n    f_read();", self.name);
        for judgement in &self.place.verdicts {
            let verdict = match judgement.verdict {
                Verdict::Pass => "pass",
                Verdict::Fail => "fail",
                // TTCN-3 has no uncertain pass, and it must not be taken for a certain one.
                Verdict::Uncertain | Verdict::Inconclusive => "inconc",
            };
            let statements = vec![
                format!("f_end({verdict}, {});", words(&judgement.reason)),
                "return;".to_owned(),
            ];
            self.when(text, &judgement.zones, Slack::None, &statements);
            if always(self.case, &judgement.zones) {
                break;
            }
        }
        if ends {
            text.push_str("  }\n\n");
            return;
        }
        if let Some(invariant) = zones(self.case, &self.place.invariant, Slack::Tolerance) {
            let _ = writeln!(text, "    if (not ({invariant})) {{");
            let _ = writeln!(text, "      f_end(fail, \"the system stayed silent for too long\");");
            let _ = writeln!(text, "      return;\n    }}");
        }
        if self.place.rules.is_empty() {
            self.choices(text);
            self.wait(text);
        } else if !self.rules(text) {
            self.wait(text);
        }
        text.push_str("  }\n\n");
    }

    /// Statements under a condition, or alone if that is always true.
    fn when(&self, text: &mut String, condition: &[CaseZone], slack: Slack, statements: &[String]) {
        match zones(self.case, condition, slack) {
            None => {
                for statement in statements {
                    let _ = writeln!(text, "    {statement}");
                }
            }
            Some(condition) => {
                let _ = writeln!(text, "    if ({condition}) {{");
                for statement in statements {
                    let _ = writeln!(text, "      {statement}");
                }
                text.push_str("    }\n");
            }
        }
    }

    /// Sends, unless something came first. Beside `else` the default is not tried, so it is written
    /// out.
    fn send(&self, edge: &CaseEdge) -> Vec<String> {
        let value = self.vocabulary.value(Side::Tester, &edge.action);
        let mut statements = vec!["alt {".to_owned()];
        if self.expects() {
            statements.push(format!("  [] a_{}() {{ }}", self.name));
        }
        statements.push("  [] a_other() { }".to_owned());
        statements.push("  [else] {".to_owned());
        if !self.vocabulary.is_own_move(&edge.action) {
            statements.push(format!("    sut.send({value});"));
        }
        statements.extend(self.taken(edge).into_iter().map(|statement| format!("    {statement}")));
        statements.extend(["  }", "}", "return;"].map(str::to_owned));
        statements
    }

    /// When a rule holds. What is to be done at one moment would never be without tolerance.
    fn condition(&self, rule: &CaseRule) -> Option<String> {
        let exact = rule.play.is_some() && rule.zones.iter().any(is_moment);
        let slack = if exact { Slack::Tolerance } else { Slack::None };
        zones(self.case, &rule.zones, slack)
    }

    /// What the strategy says; the first rule that holds decides. To wait is to do nothing here, so
    /// rules that say so only matter before others. Says whether something is sent in any case, so
    /// that there is nothing to wait for.
    fn rules(&self, text: &mut String) -> bool {
        let mut waits: Vec<String> = Vec::new();
        for rule in &self.place.rules {
            let condition = self.condition(rule);
            let play = rule.play.and_then(|play| self.place.edges.get(play as usize));
            let Some(edge) = play else {
                let Some(condition) = condition else { return false };
                waits.push(format!("not ({condition})"));
                continue;
            };
            if rule.zones.iter().any(is_moment) {
                let _ = writeln!(
                    text,
                    "    // To be sent at one exact moment, which is hit within PX_TOLERANCE only."
                );
            }
            let mut all = waits.clone();
            all.extend(condition.map(|condition| format!("({condition})")));
            let statements = self.send(edge);
            if all.is_empty() {
                for statement in statements {
                    let _ = writeln!(text, "    {statement}");
                }
                return true;
            }
            let _ = writeln!(text, "    if ({}) {{", all.join(" and "));
            for statement in statements {
                let _ = writeln!(text, "      {statement}");
            }
            text.push_str("    }\n");
        }
        false
    }

    /// The test case leaves the choice open: a coin decides.
    fn choices(&self, text: &mut String) {
        let inputs = self.place.edges.iter().filter(|edge| edge.by == Side::Tester);
        let inputs: Vec<&CaseEdge> = inputs.collect();
        if !inputs.is_empty() {
            let _ = writeln!(text, "    // The test case leaves open what to send and when.");
        }
        for edge in inputs {
            let condition = zones(self.case, &edge.guard, Slack::None);
            let and = condition.map(|condition| format!(" and ({condition})")).unwrap_or_default();
            let _ = writeln!(text, "    if (rnd() < 0.25{and}) {{");
            for statement in self.send(edge) {
                let _ = writeln!(text, "      {statement}");
            }
            text.push_str("    }\n");
        }
    }

    /// Waits for the next clock bound, or an output.
    fn wait(&self, text: &mut String) {
        let _ = writeln!(text, "    f_begin();");
        let verdicts = self.place.verdicts.iter().flat_map(|judgement| &judgement.zones);
        let rules = self.place.rules.iter().flat_map(|rule| &rule.zones);
        let open = self
            .place
            .edges
            .iter()
            .filter(|edge| edge.by == Side::Tester && self.place.rules.is_empty());
        let guards = open.clone().flat_map(|edge| &edge.guard);
        for (clock, value) in changes(verdicts.chain(rules).chain(guards)) {
            let _ = writeln!(text, "    f_until({}, v_zero{clock});", time(self.case, value));
        }
        for (clock, value) in changes(&self.place.invariant) {
            let value = time(self.case, value);
            let _ = writeln!(text, "    f_until({value} + PX_TOLERANCE, v_zero{clock});");
        }
        if open.count() > 0 {
            let _ = writeln!(text, "    // The coin is tossed again after a while.");
            let _ = writeln!(text, "    f_until(v_now + 1.0, 0.0);");
        }
        let name = if self.expects() { self.name.as_str() } else { "other" };
        let _ = writeln!(text, "    t_wait.start(v_wait * PX_UNIT);\n    a_{name}();");
    }
}
