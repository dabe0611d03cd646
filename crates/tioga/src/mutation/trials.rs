//! Runs of all test cases against a model that plays the system, up to a number of repetitions or
//! until one fails. The memory does not grow with the number of runs.

use std::ops::Range;

use tioga_adapters::{Ignored, ModelSystem, Policy, WithoutOwnMoves};
use tioga_base::{Cancel, Moment, Rational, Times};
use tioga_execute::{Ending, Error, Outcome, RunLimits, Settings, drive};
use tioga_model::Model;
use tioga_testcase::{TestCase, Walk};

use super::options::MutationOptions;
use crate::Effort;
use crate::runs::virtual_tester;

/// How many things may happen in a run; longer ones are not conclusive. A hostile system keeps a
/// test from its purpose for ever, and what it does meanwhile was seen before.
const EVENTS: u64 = 1000;

/// Test cases to run, with their options.
pub struct Trials<'t> {
    /// The specification.
    pub model: &'t Model,
    /// The test cases.
    pub cases: &'t [TestCase],
    /// The seed of all random choices.
    pub seed: u64,
    /// How long to wait if the model does not bound the wait.
    pub patience: Option<Rational>,
    /// Whether other test cases are run after one has failed.
    pub full: bool,
    /// Stops everything.
    pub cancel: Cancel,
}

/// The first run of a test case that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kill {
    /// Its number, as in a campaign of `tioga run` with the same suite.
    pub run: u64,
    /// The seed of its choices.
    pub seed: u64,
    /// Why it failed.
    pub reason: String,
    /// When it was over.
    pub at: Moment,
    /// The input that the system ignored before, if there was one.
    pub ignored: Option<Ignored>,
    /// When it stopped time before, if it did.
    pub stopped: Option<Moment>,
}

impl Kill {
    /// What the model that was run did before as no system does, in words; nothing if it did nothing of the kind.
    pub fn unlike_a_system(&self, times: Times) -> Option<String> {
        let ignored = self.ignored.as_ref().map(|Ignored { at, action }| {
            let at = times.moment(*at);
            format!(
                "it ignored `{action}` at {at}, which it takes in other states that look the same to a \
                 tester; a system that ignores inputs there does not conform to the model"
            )
        });
        let stopped = self.stopped.map(|at| {
            format!(
                "it stopped time at {}, where nothing was possible; no system does that, and the run \
                 goes on",
                times.moment(at)
            )
        });
        ignored.or(stopped)
    }
}

/// The results of the runs of one test case against one system.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// How many there were.
    pub runs: u64,
    /// How many passed.
    pub passed: u64,
    /// How many were errors.
    pub errors: u64,
    /// The first that failed.
    pub kill: Option<Kill>,
}

impl Cell {
    /// The cell in one character.
    pub fn mark(&self) -> char {
        match self {
            Self { kill: Some(_), .. } => 'K',
            Self { runs: 0, .. } => '-',
            Self { errors: 1.., .. } => '!',
            Self { passed: 1.., .. } => '.',
            _ => '?',
        }
    }
}

/// The results of the runs against one system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// For each test case.
    pub cells: Vec<Cell>,
}

impl Row {
    /// The first failure, with the position of its test case.
    pub fn kill(&self) -> Option<(usize, &Kill)> {
        let killed = |(case, cell): (usize, &'_ Cell)| cell.kill.is_some().then_some(case);
        let kills = self.cells.iter().enumerate().filter_map(killed);
        let kills = kills.filter_map(|case| Some((case, self.cells[case].kill.as_ref()?)));
        kills.min_by_key(|(_, kill)| kill.run)
    }

    /// How many runs there were.
    pub fn runs(&self) -> u64 {
        self.cells.iter().map(|cell| cell.runs).sum()
    }

    /// The cells, one character each.
    pub fn marks(&self) -> String {
        self.cells.iter().map(Cell::mark).collect()
    }
}

impl<'t> Trials<'t> {
    /// The test cases of a campaign.
    pub fn new(
        model: &'t Model,
        cases: &'t [TestCase],
        options: &MutationOptions,
        effort: &Effort<'_>,
    ) -> Self {
        let MutationOptions { seed, patience, full, .. } = *options;
        Self { model, cases, seed, patience, full, cancel: effort.cancel.clone() }
    }

    /// A row without runs.
    pub fn blank(&self) -> Row {
        Row { cells: vec![Cell::default(); self.cases.len()] }
    }

    /// Runs all test cases against a model, for these repetitions, and adds the results to the row.
    /// Runs are numbered as in a campaign of `tioga run`, and each has its own seed, so a run does
    /// not depend on earlier runs.
    pub fn add(&self, mut row: Row, model: &Model, policy: Policy, repetitions: Range<u64>) -> Row {
        let mut system = WithoutOwnMoves::new(ModelSystem::new(model, policy), self.cases);
        let limits =
            RunLimits { events: EVENTS, cancel: self.cancel.clone(), ..RunLimits::default() };
        let order = Walk::schedule(self.cases);
        for repetition in repetitions {
            for (number, position) in order.iter().enumerate() {
                let (case, cell) = (&self.cases[*position], &mut row.cells[*position]);
                if cell.kill.is_some() {
                    continue;
                }
                let run = repetition * order.len() as u64 + number as u64;
                let seed = Settings::run_seed(self.seed, run);
                let tester = virtual_tester(self.model, case, seed, self.patience, true);
                let ending = tester.and_then(|mut tester| {
                    drive(&mut system, &mut *tester, seed, &limits, &mut |_| Ok(()))
                });
                if let Err(Error::Cancelled) = ending {
                    return row;
                }
                cell.runs += 1;
                match ending {
                    Ok(Ending { outcome: Outcome::Fail, reason, at, ignored, stopped, .. }) => {
                        cell.kill = Some(Kill { run, seed, reason, at, ignored, stopped });
                    }
                    Ok(Ending { outcome: Outcome::Pass, .. }) => cell.passed += 1,
                    Ok(Ending { outcome: Outcome::Error, .. }) => cell.errors += 1,
                    // What became too large to be followed is no verdict.
                    Ok(_) | Err(_) => {}
                }
                if cell.kill.is_some() && !self.full {
                    return row;
                }
            }
            if row.cells.iter().all(|cell| cell.kill.is_some()) {
                break;
            }
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_shows_the_worst_that_is_certain() {
        let (reason, at) = (String::new(), Moment::START);
        let kill = Kill { run: 3, seed: 0, reason, at, ignored: None, stopped: None };
        let cell = |runs, passed, errors, kill| Cell { runs, passed, errors, kill }.mark();
        assert_eq!(cell(0, 0, 0, None), '-');
        assert_eq!(cell(2, 0, 0, None), '?');
        assert_eq!(cell(2, 1, 0, None), '.');
        assert_eq!(cell(2, 1, 1, None), '!');
        assert_eq!(cell(2, 1, 0, Some(kill)), 'K');
    }
}
