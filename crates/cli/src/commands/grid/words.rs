//! `tioga grid words`: words of a grid, one by one, or test cases of them.

use std::collections::HashSet;
use std::io::{BufWriter, Write};

use serde_json::json;
use tioga::certify_made;
use tioga::grids::{GridSuiteOptions, grid_suite, word_graph};
use tioga_base::Diagnostic;
use tioga_grids::words::{Way, WordGraph, Words};
use tioga_grids::{Ends, GridAutomaton, TimedWord};
use tioga_testcase::{Suite, TestCase};

use super::opened::{Unnamed, built, more_states, opened};
use crate::args::GridWordsArgs;
use crate::exit::{Exit, Stop};
use crate::output::{OutputFormat, Session};
use crate::suite_file::SuiteFile;
use crate::text::grid as text;

/// How many words there are where all of them are kept, or become test cases.
const KEPT: usize = 1000;

/// Runs the command.
pub fn run(args: &GridWordsArgs, session: &mut Session) -> Result<Exit, Stop> {
    if args.out.is_some() {
        return suite(args, session);
    }
    let (_, one, grid) = built(&args.grid, Unnamed::Needed, Ends::Expanded, session)?;
    let mut effort = session.effort(args.grid.memory.limits(args.grid.timeout));
    let graph = word_graph(&grid, &args.which.wanted(), u64::MAX, &mut effort)?;
    let cancel = effort.cancel.clone();
    let mut listed = Listed { args, grid: &grid, seen: HashSet::new(), model: &one.model };
    if session.format == OutputFormat::Text {
        let mut lines = BufWriter::new(std::io::stdout().lock());
        let written = listed.each(&graph, args.limit.unwrap_or(usize::MAX), &mut |line| {
            writeln!(lines, "{line}")?;
            Ok(!cancel.is_cancelled())
        });
        let written = written.and_then(|complete| lines.flush().map(|()| complete));
        drop(lines);
        drop(effort);
        return match written {
            Ok(_) if cancel.is_cancelled() => Ok(Exit::Unknown),
            Ok(_) if graph.is_empty() => {
                session.warn(text::warning("no end of the purpose can be reached".to_owned()));
                Ok(Exit::Negative)
            }
            Ok(_) => Ok(Exit::Success),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Stop::BrokenPipe),
            Err(error) => {
                let message = format!("cannot write the words: {error}");
                Err(Diagnostic::global("cannot-write", message).into())
            }
        };
    }
    drop(effort);
    let mut words = Vec::new();
    let complete = listed.each(&graph, args.limit.unwrap_or(KEPT), &mut |line| {
        words.push(line);
        Ok(true)
    });
    let complete = complete.unwrap_or(false);
    session.set_result(json!({ "words": words, "complete": complete }));
    Ok(if graph.is_empty() { Exit::Negative } else { Exit::Success })
}

struct Listed<'a> {
    args: &'a GridWordsArgs,
    grid: &'a GridAutomaton,
    model: &'a tioga_grids::Automaton,
    seen: HashSet<TimedWord>,
}

impl Listed<'_> {
    /// Hands out lines until there are enough, or the taker has enough; whether these are all.
    fn each(
        &mut self,
        graph: &WordGraph,
        most: usize,
        take: &mut dyn FnMut(String) -> std::io::Result<bool>,
    ) -> std::io::Result<bool> {
        let mut words = Words::new(graph, self.args.which.criterion());
        let mut count = 0;
        while let Some(way) = words.next_way() {
            let Some(line) = self.line(&way) else { continue };
            if count == most || !take(line)? {
                return Ok(false);
            }
            count += 1;
        }
        Ok(true)
    }

    fn line(&mut self, way: &Way<'_>) -> Option<String> {
        if self.args.shared {
            let rest = TimedWord::of_labels(&way.labels[way.kept..], self.grid);
            return Some(format!("{} {rest}", way.kept));
        }
        let word = TimedWord::of_labels(way.labels, self.grid);
        if !self.args.inputs {
            return Some(word.to_string());
        }
        let case = word.test_case(self.model).merged().unwrap_or_default();
        self.seen.insert(case.clone()).then(|| case.to_string())
    }
}

/// Writes test cases of the words.
fn suite(args: &GridWordsArgs, session: &mut Session) -> Result<Exit, Stop> {
    let Some(path) = &args.out else { return Ok(Exit::Success) };
    let (loaded, one) = opened(&args.grid, Unnamed::Needed, session)?;
    let empty = Suite::of_model(loaded.source.clone(), Vec::new());
    let mut file = SuiteFile::begin(session, path, empty)?;
    let options = GridSuiteOptions {
        grid: args.grid.fineness.options(),
        criterion: args.which.criterion(),
        wanted: args.which.wanted(),
        words: args.limit.unwrap_or(KEPT),
        max_states: args.grid.max_states,
    };
    let mut effort = session.effort(args.grid.memory.limits(args.grid.timeout));
    let cancel = effort.cancel.clone();
    let take = &mut |case: TestCase| {
        certify_made(&loaded, &case, &cancel)?;
        file.add(&case)
    };
    let made = grid_suite(&loaded.model, &one, &options, &mut effort, take);
    drop(effort);
    let made = made.map_err(more_states)?;
    made.warnings.iter().for_each(|warning| session.warn(warning.clone()));
    file.finish()?;
    session.print(&text::written(&made, path))?;
    session.set_result(json!({ "cases": made.cases, "no_runs": made.no_runs, "written": path }));
    Ok(if made.cases == 0 { Exit::Negative } else { Exit::Success })
}
