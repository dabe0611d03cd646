//! `tioga reach`: whether states can be reached, with a run that does, or how many there are.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tioga_base::{Cancel, Diagnostic, Span};
use tioga_concrete::{State, Trace};
use tioga_explore::{Limits, Order, SearchOptions, Statistics};
use tioga_games::conjunctions;
use tioga_model::{Formula, Model, Predicate};
use tioga_parse::syntax::Document;
use tioga_symbolic::{Abstraction, Reach, ReachAnswer, ZoneGraph, symbolic_run};

use super::simulate::write_trace;
use crate::args::{AbstractionArg, OrderArg, ReachArgs};
use crate::exit::{Exit, Stop};
use crate::load::{self, Loaded};
use crate::measure::{cancel_flag, peak_bytes, seconds as shown_seconds, threads};
use crate::output::Session;
use crate::progress::Progress;
use crate::run_text::{count, records, table, trace};
use crate::{clock_text, state_text, strategy_text};

/// A question with what is looked for and what finding it means.
struct Question {
    text: String,
    comment: Option<String>,
    looked_for: Predicate,
    span: Span,
    /// Whether the query holds if a state is found.
    wanted: bool,
}

/// What became of a question.
struct Finding {
    question: Option<Question>,
    answer: ReachAnswer,
    statistics: Statistics,
    elapsed: Duration,
    abstraction: Abstraction,
}

/// Runs the command.
pub fn run(args: &ReachArgs, session: &mut Session) -> Result<Exit, Stop> {
    let Loaded { document, model } = load::asked(session, &args.model, &args.query)?;
    let questions = questions(args, session, &document, &model)?;
    let cancel = cancel_flag(args.search.timeout);
    let mut findings = Vec::new();
    if questions.is_empty() {
        findings.push(answer(args, session, &model, None, &cancel)?);
    }
    for question in questions {
        findings.push(answer(args, session, &model, Some(question), &cancel)?);
    }
    report(args, session, &model, &findings)
}

/// The queries that ask for reachable states: those on the command line, or the model's own.
fn questions(
    args: &ReachArgs,
    session: &mut Session,
    document: &Document,
    model: &Model,
) -> Result<Vec<Question>, Stop> {
    let mut questions = Vec::new();
    if args.all {
        return Ok(questions);
    }
    // What was given on the command line stands last.
    let given = args.query.len();
    let skip = if given > 0 { model.queries.len().saturating_sub(given) } else { 0 };
    for query in model.queries.iter().skip(skip) {
        let (looked_for, wanted) = match &query.formula {
            Formula::Reachable(predicate) => (predicate.clone(), true),
            Formula::Always { outside } => (outside.clone(), false),
            _ if given > 0 => {
                let message = "`reach` answers `E<> p` and `A[] p` only";
                return Err(session.stop(Diagnostic::error("wrong-query", query.span, message)));
            }
            _ => continue,
        };
        let text = load::query_text(document, query);
        let comment = query.comment.clone();
        questions.push(Question { text, comment, looked_for, span: query.span, wanted });
    }
    Ok(questions)
}

fn answer(
    args: &ReachArgs,
    session: &mut Session,
    model: &Model,
    question: Option<Question>,
    cancel: &Cancel,
) -> Result<Finding, Stop> {
    let options = SearchOptions {
        order: match args.order {
            OrderArg::Bfs => Order::BreadthFirst,
            OrderArg::Dfs => Order::DepthFirst,
        },
        threads: threads(args.search.threads),
        limits: Limits {
            visited: args.search.max_states,
            bytes: args.search.max_memory.map(|mib| mib << 20),
            cancel: cancel.clone(),
        },
    };
    let asked: Vec<&Predicate> = question.iter().map(|one| &one.looked_for).collect();
    let graph = match ZoneGraph::new(model, abstraction(args.abstraction), &asked) {
        Ok(graph) => graph,
        Err(error) => {
            let answer = ReachAnswer::Unknown(error.to_string());
            let (statistics, elapsed) = (Statistics::default(), Duration::ZERO);
            let abstraction = abstraction(args.abstraction);
            return Ok(Finding { question, answer, statistics, elapsed, abstraction });
        }
    };
    let start = Instant::now();
    let mut progress = Progress::new(session.format);
    let goal = question.as_ref().map(|one| (&one.looked_for, one.span));
    let reach = Reach::ask(&graph, goal, &options, &mut |statistics| progress.show(statistics));
    progress.clear();
    Ok(Finding {
        answer: reach.answer,
        statistics: reach.outcome.statistics,
        elapsed: start.elapsed(),
        abstraction: graph.abstraction(),
        question,
    })
}

/// The symbolic run behind a concrete one: each discrete state with its clock valuations.
fn zones(model: &Model, answer: &ReachAnswer) -> Option<Vec<String>> {
    let ReachAnswer::Reachable(steps) = answer else { return None };
    let names = clock_text::names(model);
    let run = symbolic_run(model, steps).ok()?;
    let shown = run.iter().map(|(state, set)| {
        let zones = conjunctions(set);
        let zones = zones.iter().map(|zone| &zone[..]);
        let zones = clock_text::disjunction(model, &names, zones);
        format!("{}: {zones}", strategy_text::discrete(model, state))
    });
    Some(shown.collect())
}

fn abstraction(argument: AbstractionArg) -> Abstraction {
    match argument {
        AbstractionArg::None => Abstraction::None,
        AbstractionArg::M => Abstraction::M,
        AbstractionArg::MPlus => Abstraction::MPlus,
        AbstractionArg::Lu => Abstraction::Lu,
        AbstractionArg::LuPlus => Abstraction::LuPlus,
        AbstractionArg::Alu => Abstraction::Alu,
    }
}

fn report(
    args: &ReachArgs,
    session: &mut Session,
    model: &Model,
    findings: &[Finding],
) -> Result<Exit, Stop> {
    let mut text = format!("{}\n", model.name);
    let mut results = Vec::new();
    let mut exit = Exit::Success;
    let mut last_run = None;
    for finding in findings {
        let verdict = verdict(finding);
        exit = match (verdict, exit) {
            (Some(true), before) => before,
            (Some(false), _) | (None, Exit::Negative) => Exit::Negative,
            (None, _) => Exit::Unknown,
        };
        let run = match &finding.answer {
            ReachAnswer::Reachable(steps) => {
                Some((trace(model, steps), state_text::run_end(model, steps)))
            }
            _ => None,
        };
        text.push_str(&described(model, finding, verdict, run.as_ref()));
        results.push(result(model, finding, verdict, run.as_ref()));
        last_run = run.map(|(trace, _)| trace).or(last_run);
    }
    if let Some(path) = &args.out {
        match &last_run {
            Some(trace) => {
                write_trace(session, path, trace)?;
                text.push_str(&format!("run written to {}\n", path.display()));
            }
            None => text.push_str("there is no run to write\n"),
        }
    }
    session.print(&text)?;
    session.set_results(results);
    Ok(exit)
}

/// Whether the query holds; a mere exploration holds if it is complete.
fn verdict(finding: &Finding) -> Option<bool> {
    let wanted = finding.question.as_ref().is_some_and(|question| question.wanted);
    match finding.answer {
        ReachAnswer::Reachable(_) => Some(wanted),
        ReachAnswer::Unreachable => Some(!wanted),
        ReachAnswer::Unknown(_) => None,
    }
}

fn described(
    model: &Model,
    finding: &Finding,
    verdict: Option<bool>,
    run: Option<&(Trace, Option<State>)>,
) -> String {
    let mut text = String::from("\n");
    let word = match verdict {
        Some(true) => "holds",
        Some(false) => "does not hold",
        None => "unknown",
    };
    match &finding.question {
        Some(question) => {
            if let Some(comment) = &question.comment {
                let words: Vec<&str> = comment.split_whitespace().collect();
                text.push_str(&format!("{}\n", words.join(" ")));
            }
            text.push_str(&format!("{}: {word}\n", question.text));
        }
        None if verdict.is_some() => text.push_str("explored completely\n"),
        None => text.push_str("explored in part\n"),
    }
    if let ReachAnswer::Unknown(reason) = &finding.answer {
        text.push_str(&format!("  {reason}\n"));
    }
    if let Some((trace, end)) = run {
        let rows = table(&trace.records).unwrap_or_else(|overflow| format!("  {overflow}\n"));
        text.push_str(&rows);
        if let Some(state) = end {
            text.push_str(&state_text::block(model, state, "  "));
        }
        for (index, zone) in zones(model, &finding.answer).unwrap_or_default().iter().enumerate() {
            let title = if index == 0 { "zones" } else { "" };
            text.push_str(&format!("  {title:9}  {zone}\n"));
        }
    }
    let Statistics { visited, stored, covered, transitions, .. } = finding.statistics;
    let states = count(usize::try_from(visited).unwrap_or(usize::MAX), "state");
    text.push_str(&format!(
        "  {states} visited, {stored} stored, {covered} of {transitions} steps covered, {} s\n",
        shown_seconds(finding.elapsed),
    ));
    text
}

fn result(
    model: &Model,
    finding: &Finding,
    verdict: Option<bool>,
    run: Option<&(Trace, Option<State>)>,
) -> Value {
    let statistics = &finding.statistics;
    let micros = u64::try_from(finding.elapsed.as_micros()).unwrap_or(u64::MAX);
    let seconds: Value =
        serde_json::from_str(&format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000))
            .unwrap_or(Value::Null);
    json!({
        "comment": finding.question.as_ref().and_then(|question| question.comment.clone()),
        "query": finding.question.as_ref().map(|question| question.text.clone()),
        "holds": verdict,
        "reason": match &finding.answer { ReachAnswer::Unknown(reason) => Some(reason), _ => None },
        "abstraction": format!("{:?}", finding.abstraction),
        "trace": run.map(|(trace, _)| records(trace)),
        "zones": zones(model, &finding.answer),
        "end": run.and_then(|(_, end)| end.as_ref()).map(|state| state_text::json(model, state)),
        "stats": {
            "visited": statistics.visited,
            "stored": statistics.stored,
            "covered": statistics.covered,
            "transitions": statistics.transitions,
            "waiting": statistics.waiting,
            "seconds": seconds,
            "peak_bytes": peak_bytes().unwrap_or(statistics.peak_bytes),
        },
    })
}
