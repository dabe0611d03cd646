//! The kill matrix: which mutants a suite killed, which survived, and what is known of those; for
//! people, as JSON and as CSV.

use std::fmt::Write;

use serde_json::{Value, json};
use tioga_model::Model;
use tioga_mutate::{Mutant, Operator};
use tioga_testcase::TestCase;

use super::super::judge::Status;
use super::trials::Row;
use tioga::words::count;
use crate::text::run::align;

/// A mutant that was run.
pub struct Tried {
    /// The mutant.
    pub mutant: Mutant,
    /// What its runs showed.
    pub row: Row,
    /// What its comparison with the model showed, if there was one.
    pub status: Option<Status>,
}

impl Tried {
    /// Whether a run failed.
    pub fn is_killed(&self) -> bool {
        self.row.kill().is_some()
    }

    /// Whether it behaves as the model allows.
    pub fn is_equivalent(&self) -> bool {
        self.status == Some(Status::Equivalent)
    }

    /// Whether it survived although it can be told from the model.
    pub fn is_missed(&self) -> bool {
        !self.is_killed() && matches!(self.status, Some(Status::NonConforming { .. }))
    }

    /// Whether it survived and nobody knows what that means.
    pub fn is_unknown(&self) -> bool {
        !self.is_killed() && !self.is_missed() && !self.is_equivalent()
    }

    /// In one word, for tables.
    fn result(&self) -> &'static str {
        match self {
            _ if self.is_killed() => "killed",
            _ if self.is_equivalent() => "equivalent",
            _ if self.is_missed() => "missed",
            _ => "unknown",
        }
    }
}

/// How many mutants there are of what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// All.
    pub mutants: usize,
    /// Those that failed a run.
    pub killed: usize,
    /// Those that survived rightly.
    pub equivalent: usize,
    /// Those that survived although they can be told from the model.
    pub missed: usize,
    /// Those that survived, of which nothing is known.
    pub unknown: usize,
}

impl Score {
    /// Counts.
    pub fn of<'t>(tried: impl IntoIterator<Item = &'t Tried>) -> Self {
        let mut score = Self::default();
        for one in tried {
            score.mutants += 1;
            score.killed += usize::from(one.is_killed());
            score.missed += usize::from(one.is_missed());
            score.unknown += usize::from(one.is_unknown());
            score.equivalent += usize::from(!one.is_killed() && one.is_equivalent());
        }
        score
    }

    /// How many should have been killed, as far as is known.
    fn worth(&self) -> usize {
        self.mutants - self.equivalent
    }

    /// `12 of 13 (92%)`; rounded down, so that only all are 100 percent.
    fn text(&self) -> String {
        let (killed, worth) = (self.killed, self.worth());
        match (killed * 100).checked_div(worth) {
            None => "0 of 0".to_owned(),
            Some(percent) => format!("{killed} of {worth} ({percent}%)"),
        }
    }
}

/// A campaign that is over, or was interrupted.
pub struct Matrix<'m> {
    /// The model.
    pub model: &'m Model,
    /// The test cases, one for each column.
    pub cases: &'m [TestCase],
    /// The mutants, in order of operators.
    pub tried: Vec<Tried>,
    /// How many changes made no sense.
    pub skipped: usize,
    /// How many runs the model itself had, none of which failed.
    pub own_runs: u64,
    /// How often each test case was run at most.
    pub repeat: u64,
    /// Whether it ended before everything was run and judged, so that survivors might still die.
    pub interrupted: bool,
}

impl Matrix<'_> {
    /// The operators that have mutants, in order.
    fn operators(&self) -> Vec<Operator> {
        let mut operators: Vec<Operator> =
            self.tried.iter().map(|one| one.mutant.operator).collect();
        operators.sort_unstable();
        operators.dedup();
        operators
    }

    fn of(&self, operator: Operator) -> impl Iterator<Item = &Tried> {
        self.tried.iter().filter(move |one| one.mutant.operator == operator)
    }

    /// How many runs there were against mutants.
    fn runs(&self) -> u64 {
        self.tried.iter().map(|one| one.row.runs()).sum()
    }

    /// For each test case, how many mutants it killed, and how many nothing else killed.
    fn kills(&self, case: usize) -> (usize, usize) {
        let killed = |one: &&Tried| one.row.cells[case].kill.is_some();
        let alone =
            |one: &&Tried| one.row.cells.iter().filter(|cell| cell.kill.is_some()).count() == 1;
        let all = self.tried.iter().filter(killed);
        (all.clone().count(), all.filter(alone).count())
    }

    /// The repetition of the last first kill, counted from 1.
    fn last_kill(&self) -> Option<u64> {
        let runs = self.tried.iter().filter_map(|one| Some(one.row.kill()?.1.run));
        Some(runs.max()? / (self.cases.len() as u64).max(1) + 1)
    }

    /// Everything for people.
    pub fn text(&self, full: bool) -> String {
        let cases = count(self.cases.len(), "test case");
        let mutants = count(self.tried.len(), "mutant");
        let mut text = format!("{}: {cases} against {mutants}\n\n", self.model.name);
        let only = if full { "only" } else { "" };
        let mut rows = vec![["", "test case", "purpose", "kills", only].map(str::to_owned)];
        for (position, case) in self.cases.iter().enumerate() {
            let (all, alone) = self.kills(position);
            let alone = if full { alone.to_string() } else { String::new() };
            let number = (position + 1).to_string();
            let purpose = case.summary.purpose.clone();
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
        for operator in self.operators() {
            for one in self.of(operator) {
                let result = match &one.status {
                    _ if one.is_killed() => "killed".to_owned(),
                    Some(Status::NonConforming { .. }) => {
                        format!(
                            "SURVIVES, {}",
                            one.status.as_ref().map_or_else(String::new, ToString::to_string)
                        )
                    }
                    Some(status) => status.to_string(),
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
        (1..=self.cases.len()).map(digit).collect()
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
                score.text(),
            ]);
        };
        for operator in self.operators() {
            put(operator.name(), Score::of(self.of(operator)));
        }
        put("all", Score::of(&self.tried));
        align(&rows, &[1, 2, 3, 4, 5])
    }

    fn ending(&self) -> String {
        let mut text = String::new();
        if self.skipped > 0 {
            let changes = count(self.skipped, "change");
            let _ = writeln!(text, "{changes} left out that make no sense");
        }
        let interrupted = if self.interrupted { "interrupted after " } else { "" };
        let _ = write!(text, "{interrupted}{} runs against mutants", self.runs());
        if let Some(last) = self.last_kill() {
            let _ = write!(text, ", the last to be killed in repetition {last} of {}", self.repeat);
        }
        let own = self.own_runs;
        let _ = writeln!(text, "; {own} runs against the model itself, none of which failed");
        let score = Score::of(&self.tried);
        let _ = write!(text, "killed {}", score.text());
        if score.missed > 0 {
            let missed = if self.interrupted { "not killed yet" } else { "missed" };
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
        let cases = self.cases.iter().enumerate().map(|(position, case)| {
            let (kills, alone) = self.kills(position);
            let purpose = &case.summary.purpose;
            json!({ "name": case.name, "purpose": purpose, "kills": kills, "only": alone })
        });
        let mutants = self.tried.iter().map(|one| {
            let mut value = json!({
                "id": one.mutant.id,
                "operator": one.mutant.operator.name(),
                "description": one.mutant.description,
                "result": one.result(),
                "cells": one.row.marks(),
                "runs": one.row.runs(),
            });
            if let Some((case, kill)) = one.row.kill() {
                value["kill"] = json!({
                    "case": self.cases[case].name,
                    "run": kill.run,
                    "seed": kill.seed,
                    "at": kill.at.to_string(),
                    "reason": kill.reason,
                });
            }
            if let Some(status) = &one.status {
                status.add_to(&mut value);
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
        let operators = self.operators().into_iter().map(|operator| {
            let mut value = score(Score::of(self.of(operator)));
            value["operator"] = json!(operator.name());
            value
        });
        json!({
            "format": "tioga-kill-matrix",
            "version": 1,
            "model": self.model.name,
            "repeat": self.repeat,
            "interrupted": self.interrupted,
            "runs": self.runs(),
            "own_runs": self.own_runs,
            "last_kill": self.last_kill(),
            "skipped": self.skipped,
            "cases": cases.collect::<Vec<_>>(),
            "mutants": mutants.collect::<Vec<_>>(),
            "operators": operators.collect::<Vec<_>>(),
            "score": score(Score::of(&self.tried)),
        })
    }

    /// The matrix as comma-separated values, a line for each mutant.
    pub fn csv(&self) -> String {
        let head = ["mutant", "operator", "result", "runs"].map(str::to_owned).into_iter();
        let mut text = line(head.chain(self.cases.iter().map(|case| case.name.clone())));
        for one in &self.tried {
            let mutant = &one.mutant;
            let runs = one.row.runs().to_string();
            let own =
                [mutant.id.clone(), mutant.operator.to_string(), one.result().to_owned(), runs];
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
        assert_eq!(score(399, 0).text(), "399 of 400 (99%)");
        assert_eq!(score(399, 1).text(), "399 of 399 (100%)");
        assert_eq!(score(0, 400).text(), "0 of 0");
    }

    #[test]
    fn fields_with_commas_and_quotes_are_quoted() {
        let fields = ["a", "b,c", "d\"e"].map(str::to_owned).into_iter();
        assert_eq!(line(fields), "a,\"b,c\",\"d\"\"e\"\r\n");
    }
}
