//! The kill matrix: which mutants a suite killed, which survived, and what is known of those; for
//! people, as JSON and as CSV.

use std::fmt::Write;

use serde_json::{Value, json};
use tioga::words::count;
use tioga::{Matrix, Score, Status, Tried};

use crate::text::mutants::{add_status, status_text};
use crate::text::run::align;

/// In one word, for tables.
fn result(tried: &Tried) -> &'static str {
    match tried {
        _ if tried.is_killed() => "killed",
        _ if tried.is_equivalent() => "equivalent",
        _ if tried.is_missed() => "missed",
        _ => "unknown",
    }
}

/// `12 of 13 (92 %)`; rounded down, so that only all are 100 percent.
fn score_text(score: &Score) -> String {
    let (killed, worth) = (score.killed, score.worth());
    match (killed * 100).checked_div(worth) {
        None => "0 of 0".to_owned(),
        Some(percent) => format!("{killed} of {worth} ({percent} %)"),
    }
}

/// The matrix and how to write it.
pub struct Shown<'m>(pub &'m Matrix);

impl Shown<'_> {
    /// Everything for people.
    pub fn text(&self, full: bool) -> String {
        let cases = count(self.0.cases.len(), "test case");
        let mutants = count(self.0.tried.len(), "mutant");
        let mut text = format!("{}: {cases} against {mutants}\n\n", self.0.model);
        let only = if full { "only" } else { "" };
        let mut rows = vec![["", "test case", "purpose", "kills", only].map(str::to_owned)];
        for (position, case) in self.0.cases.iter().enumerate() {
            let (all, alone) = self.0.kills(position);
            let alone = if full { alone.to_string() } else { String::new() };
            let number = (position + 1).to_string();
            let purpose = case.summary.goal.to_string();
            rows.push([number, case.name.clone(), purpose, all.to_string(), alone]);
        }
        text.push_str(&align(&rows, &[0, 3, 4]));
        text.push('\n');
        text.push_str(&self.table());
        text.push('\n');
        text.push_str(&self.scores());
        text.push_str(&self.ending());
        text
    }

    /// The matrix itself, with what is known of survivors.
    fn table(&self) -> String {
        let mut rows = vec![["mutant", &self.scale(), "result"].map(str::to_owned)];
        for operator in self.0.operators() {
            for one in self.0.of(operator) {
                let result = match &one.status {
                    _ if one.is_killed() => "killed".to_owned(),
                    Some(Status::NonConforming { .. }) => {
                        format!(
                            "SURVIVES, {}",
                            one.status.as_ref().map_or_else(String::new, status_text)
                        )
                    }
                    Some(status) => status_text(status),
                    None => "unknown: not compared".to_owned(),
                };
                rows.push([one.mutant.id.clone(), one.row.marks(), result]);
            }
        }
        align(&rows, &[])
    }

    /// The last digits of the numbers of the test cases.
    fn scale(&self) -> String {
        let digit = |number| char::from_digit(number as u32 % 10, 10).unwrap_or('0');
        (1..=self.0.cases.len()).map(digit).collect()
    }

    /// The mutants of each operator, and all together.
    fn scores(&self) -> String {
        let head = ["operator", "mutants", "killed", "equivalent", "missed", "unknown", "score"];
        let mut rows = vec![head.map(str::to_owned)];
        let mut put = |name: &str, score: Score| {
            let Score { mutants, killed, equivalent, missed, unknown } = score;
            let [mutants, killed, equivalent, missed, unknown] =
                [mutants, killed, equivalent, missed, unknown].map(|number| number.to_string());
            rows.push([
                name.to_owned(),
                mutants,
                killed,
                equivalent,
                missed,
                unknown,
                score_text(&score),
            ]);
        };
        for operator in self.0.operators() {
            put(operator.name(), Score::of(self.0.of(operator)));
        }
        put("all", Score::of(&self.0.tried));
        align(&rows, &[1, 2, 3, 4, 5])
    }

    fn ending(&self) -> String {
        let mut text = String::new();
        if self.0.skipped > 0 {
            let changes = count(self.0.skipped, "change");
            let _ = writeln!(text, "{changes} left out that make no sense");
        }
        let interrupted = if self.0.interrupted { "interrupted after " } else { "" };
        let _ = write!(text, "{interrupted}{} runs against mutants", self.0.runs());
        if let Some(last) = self.0.last_kill() {
            let _ = write!(text, ", the last to be killed in repetition {last}");
        }
        let own = self.0.own_runs;
        let _ = writeln!(text, "; {own} runs against the model itself, none of which failed");
        let score = Score::of(&self.0.tried);
        let _ = write!(text, "killed {}, each test case run ", score_text(&score));
        let _ = match self.0.repeat {
            1 => write!(text, "once"),
            repeat => write!(text, "up to {repeat} times"),
        };
        if score.missed > 0 {
            let missed = if self.0.interrupted { "not killed yet" } else { "missed" };
            let _ = write!(text, "; {} non-conforming and {missed}", score.missed);
        }
        if score.unknown > 0 {
            let _ = write!(text, "; {} unknown", score.unknown);
        }
        text.push('\n');
        text
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        let cases = self.0.cases.iter().enumerate().map(|(position, case)| {
            let (kills, alone) = self.0.kills(position);
            let purpose = &case.summary.goal.to_string();
            json!({ "name": case.name, "purpose": purpose, "kills": kills, "only": alone })
        });
        let mutants = self.0.tried.iter().map(|one| {
            let mut value = json!({
                "id": one.mutant.id,
                "operator": one.mutant.operator.name(),
                "description": one.mutant.description,
                "result": result(one),
                "cells": one.row.marks(),
                "runs": one.row.runs(),
            });
            if let Some((case, kill)) = one.row.kill() {
                value["kill"] = json!({
                    "case": self.0.cases[case].name,
                    "run": kill.run,
                    "seed": kill.seed,
                    "at": kill.at.to_string(),
                    "reason": kill.reason,
                });
            }
            if let Some(status) = &one.status {
                add_status(status, &mut value);
            }
            value
        });
        let score = |score: Score| {
            let Score { mutants, killed, equivalent, missed, unknown } = score;
            json!({
                "mutants": mutants,
                "killed": killed,
                "equivalent": equivalent,
                "missed": missed,
                "unknown": unknown,
            })
        };
        let operators = self.0.operators().into_iter().map(|operator| {
            let mut value = score(Score::of(self.0.of(operator)));
            value["operator"] = json!(operator.name());
            value
        });
        json!({
            "format": "tioga-kill-matrix",
            "version": 1,
            "model": self.0.model,
            "repeat": self.0.repeat,
            "interrupted": self.0.interrupted,
            "runs": self.0.runs(),
            "own_runs": self.0.own_runs,
            "last_kill": self.0.last_kill(),
            "skipped": self.0.skipped,
            "cases": cases.collect::<Vec<_>>(),
            "mutants": mutants.collect::<Vec<_>>(),
            "operators": operators.collect::<Vec<_>>(),
            "score": score(Score::of(&self.0.tried)),
        })
    }

    /// The matrix as comma-separated values, a line for each mutant.
    pub fn csv(&self) -> String {
        let head = ["mutant", "operator", "result", "runs"].map(str::to_owned).into_iter();
        let mut text = line(head.chain(self.0.cases.iter().map(|case| case.name.clone())));
        for one in &self.0.tried {
            let mutant = &one.mutant;
            let runs = one.row.runs().to_string();
            let own =
                [mutant.id.clone(), mutant.operator.to_string(), result(one).to_owned(), runs];
            let cells = one.row.cells.iter().map(|cell| cell.mark().to_string());
            text.push_str(&line(own.into_iter().chain(cells)));
        }
        text
    }
}

/// A line of comma-separated values, quoted where that is needed (RFC 4180).
fn line(fields: impl Iterator<Item = String>) -> String {
    let quoted = |field: String| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    };
    let mut text = fields.map(quoted).collect::<Vec<_>>().join(",");
    text.push_str("\r\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_are_a_hundred_percent() {
        let score =
            |killed, equivalent| Score { mutants: 400, killed, equivalent, ..Score::default() };
        assert_eq!(score_text(&score(399, 0)), "399 of 400 (99 %)");
        assert_eq!(score_text(&score(399, 1)), "399 of 399 (100 %)");
        assert_eq!(score_text(&score(0, 400)), "0 of 0");
    }

    #[test]
    fn fields_with_commas_and_quotes_are_quoted() {
        let fields = ["a", "b,c", "d\"e"].map(str::to_owned).into_iter();
        assert_eq!(line(fields), "a,\"b,c\",\"d\"\"e\"\r\n");
    }
}
