//! `tioga solve`: what a tester can enforce, with what strategy and how much luck.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tioga_base::{Cancel, Diagnostic};
use tioga_certify::{CheckOptions, Extent, check, check_trap};
use tioga_concrete::State;
use tioga_games::{Method, Progress, Root, Solution, SolveOptions, Standing, solve};
use tioga_model::{Model, Objective};
use tioga_testcase::{Concept, Scope, Terms};

mod luck;
mod question;

pub use luck::plan;
pub use question::{
    Observation, Question, doubts, observation, questions, require_observation, terms,
};

use crate::args::{CheckArg, GameArgs, MethodArg, SolveArgs};
use crate::exit::{Exit, Stop};
use crate::load::{self, Loaded};
use crate::measure::{cancel_flag, peak_bytes, seconds, threads};
use crate::output::Session;
use crate::progress;
use crate::run_text::count;
use crate::{state_argument, strategy_text};

/// What became of a question.
struct Finding<'m> {
    question: Question,
    /// Whether the query holds, if that is known.
    holds: Option<bool>,
    /// The answer asked for.
    solution: Solution<'m>,
    /// If the strict answer is negative: how much luck it would take.
    luck: Option<Solution<'m>>,
    elapsed: Duration,
    /// What the independent checker says.
    checked: Option<String>,
}

/// Beyond so many discrete states, answers are checked by samples unless more is asked for.
const CHECKED_CASUALLY: usize = 2_000;

/// Beyond so many discrete states, luck is looked into only when asked for.
const CASUALLY: usize = 50_000;

/// Runs the command.
pub fn run(args: &SolveArgs, session: &mut Session) -> Result<Exit, Stop> {
    let game = &args.game;
    let Loaded { document, mut model } =
        load::asked_within(session, &args.model, &game.query, game.within)?;
    if let Some(purpose) = &game.purpose {
        model = load::with_purpose(session, model, purpose)?;
    }
    let questions = questions(game, session, &document, &model)?;
    let states = args.at.iter().map(|text| state_argument::read(&model, text));
    let states: Vec<State> = match states.collect::<Result<_, _>>() {
        Ok(states) => states,
        Err(diagnostic) => return Err(session.stop(*diagnostic)),
    };
    if game.ranks || game.safety_first || !states.is_empty() {
        require_observation(game, session, &model)?;
    }
    let cancel = cancel_flag(game.timeout);
    if !states.is_empty() {
        return standings(args, session, &model, &questions[0], &states, &cancel);
    }
    let mut findings = Vec::new();
    for question in questions {
        findings.push(answer(args, session, &model, question, &cancel)?);
    }
    report(args, session, &model, &findings)
}

fn options(args: &SolveArgs, terms: &Terms, cancel: &Cancel) -> SolveOptions {
    SolveOptions {
        method: match args.method {
            MethodArg::OnTheFly => Method::OnTheFly,
            MethodArg::Backward => Method::Backward,
        },
        early: terms.concept == Concept::Strict && args.at.is_empty(),
        threads: threads(args.game.threads),
        max_nodes: args.game.max_states,
        cancel: cancel.clone(),
    }
}

/// Solves a game within the limits, and shows how far that is.
pub fn solved<'m>(
    args: &GameArgs,
    session: &mut Session,
    model: &'m Model,
    question: &Question,
    terms: Terms,
    roots: &[Root],
    options: &SolveOptions,
) -> Result<Solution<'m>, Stop> {
    let most = args.max_memory.map(|mib| mib << 20);
    let mut line = progress::Progress::new(session.format);
    let solution = solve(model, terms, question.span, roots, options, &mut |at: Progress| {
        line.say(|| format!("{} discrete states, {} updates", at.nodes, at.updates));
        if most.is_some_and(|most| peak_bytes().is_some_and(|bytes| bytes > most)) {
            options.cancel.cancel();
        }
    });
    line.clear();
    solution.map_err(|error| session.stop(Diagnostic::global("unsupported", error.to_string())))
}

/// `--at`: one line for each state.
fn standings(
    args: &SolveArgs,
    session: &mut Session,
    model: &Model,
    question: &Question,
    states: &[State],
    cancel: &Cancel,
) -> Result<Exit, Stop> {
    let mut roots = vec![Root::initial(model)];
    roots.extend(
        states
            .iter()
            .map(|state| Root { state: state.discrete.clone(), clocks: state.clocks.clone() }),
    );
    let terms = terms(&args.game, question, true);
    let scope = terms.scope;
    let options = options(args, &terms, cancel);
    let solution = solved(&args.game, session, model, question, terms, &roots, &options)?;
    let mut text = String::new();
    let mut results = Vec::new();
    let mut unknown = false;
    for root in &roots[1..] {
        let standing = solution.standing(root);
        let word = match standing {
            Standing::Rank(rank) if scope == Scope::SafetyFirst => {
                format!("{} {} {}", rank.risks, rank.losses, rank.steps)
            }
            Standing::Rank(rank) => format!("{} {}", rank.losses, rank.steps),
            Standing::None => "none".to_owned(),
            Standing::Fail => "fail".to_owned(),
        };
        unknown |= !solution.complete && standing != Standing::Fail;
        text.push_str(&word);
        text.push('\n');
        results.push(word);
    }
    session.print(&text)?;
    session.set_result(json!({
        "query": question.text,
        "complete": solution.complete,
        "at": args.at.iter().zip(results).map(|(state, rank)| {
            json!({ "state": state, "rank": rank })
        }).collect::<Vec<_>>(),
    }));
    Ok(if unknown { Exit::Unknown } else { Exit::Success })
}

fn answer<'m>(
    args: &SolveArgs,
    session: &mut Session,
    model: &'m Model,
    question: Question,
    cancel: &Cancel,
) -> Result<Finding<'m>, Stop> {
    let start = Instant::now();
    let roots = [Root::initial(model)];
    let asked = terms(&args.game, &question, false);
    let fair = asked.concept == Concept::Fair;
    let reaches = asked.scope != Scope::Winning || !question.cooperative && !avoids(&asked);
    let how = options(args, &asked, cancel);
    let solution = solved(&args.game, session, model, &question, asked, &roots, &how)?;
    let holds = if question.cooperative {
        match solution.standing(&roots[0]) {
            Standing::Rank(_) => Some(true),
            Standing::None | Standing::Fail => solution.complete.then_some(false),
        }
    } else {
        solution.is_won(&roots[0])
    };
    // Who lost wants to know how much luck it would have taken.
    let casual = !args.game.strict_only && !fair && !question.cooperative && reaches;
    let luck = if casual && holds == Some(false) && solution.progress.nodes <= CASUALLY {
        let objective = question.objective.clone();
        let terms = Terms { objective, concept: Concept::Fair, scope: Scope::Cooperative };
        let how = options(args, &terms, cancel);
        Some(solved(&args.game, session, model, &question, terms, &roots, &how)?)
    } else {
        None
    };
    let elapsed = start.elapsed();
    let checked = checked(args, session, model, &question, &solution, cancel)?;
    Ok(Finding { question, holds, solution, luck, elapsed, checked })
}

/// Lets the independent checker look at an answer.
fn checked(
    args: &SolveArgs,
    session: &mut Session,
    model: &Model,
    question: &Question,
    solution: &Solution<'_>,
    cancel: &Cancel,
) -> Result<Option<String>, Stop> {
    let casual = solution.progress.nodes <= CHECKED_CASUALLY;
    let options = match args.check {
        CheckArg::Quick if casual => CheckOptions {
            max_regions: 4000,
            plays: 20,
            moves: 20,
            points: 1,
            ..Default::default()
        },
        CheckArg::Quick => CheckOptions {
            extent: Extent::Sampled,
            plays: 20,
            moves: 20,
            points: 1,
            ..Default::default()
        },
        CheckArg::Full => {
            CheckOptions { max_regions: 1_000_000, plays: 1000, ..Default::default() }
        }
        CheckArg::None => return Ok(None),
    };
    let options = CheckOptions { span: question.span, cancel: cancel.clone(), ..options };
    let result = match solution.trap() {
        Some(trap) => check_trap(model, &trap, &options),
        None => check(model, &solution.table(), &options),
    };
    match result {
        Ok(report) => {
            let text = report.to_string();
            Ok(Some(text.split(';').next().unwrap_or_default().to_owned()))
        }
        Err(tioga_certify::Error::Refuted(refutation)) => {
            let message = format!("the answer is wrong: {refutation}");
            let note = "please report this; the model and the query suffice to reproduce it";
            Err(session.fail(Diagnostic::global("refuted", message).note(note)))
        }
        Err(error) => Ok(Some(format!("not checked: {error}"))),
    }
}

fn avoids(terms: &Terms) -> bool {
    matches!(terms.objective, Objective::Stay(_) | Objective::WeakUntil(..))
}

fn report(
    args: &SolveArgs,
    session: &mut Session,
    model: &Model,
    findings: &[Finding<'_>],
) -> Result<Exit, Stop> {
    let mut text = format!("{}\n", model.name);
    let mut results = Vec::new();
    let mut exit = Exit::Success;
    for finding in findings {
        exit = match (finding.holds, exit) {
            (Some(true), before) => before,
            (Some(false), _) | (None, Exit::Negative) => Exit::Negative,
            (None, _) => Exit::Unknown,
        };
        let (shown, result) = described(args, model, finding);
        text.push_str(&shown);
        results.push(result);
    }
    if let (Some(path), Some(finding)) = (&args.strategy, findings.last()) {
        let solution = finding.luck.as_ref().unwrap_or(&finding.solution);
        let contents = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => {
                format!("{:#}\n", strategy_text::json(solution, &finding.question.text))
            }
            Some("dot") => strategy_text::dot(solution),
            _ => strategy_text::text(solution),
        };
        session.write_file(path, contents.as_bytes())?;
        text.push_str(&format!("strategy written to {}\n", path.display()));
    }
    session.print(&text)?;
    session.set_results(results);
    Ok(exit)
}

/// A finding as text and as JSON.
fn described(args: &SolveArgs, model: &Model, finding: &Finding<'_>) -> (String, Value) {
    let question = &finding.question;
    let mut text = String::from("\n");
    if let Some(comment) = &question.comment {
        let words: Vec<&str> = comment.split_whitespace().collect();
        text.push_str(&format!("{}\n", words.join(" ")));
    }
    let word = match finding.holds {
        Some(true) => "holds",
        Some(false) => "does not hold",
        None => "unknown",
    };
    text.push_str(&format!("{}: {word}\n", question.text));
    if finding.holds.is_none() {
        text.push_str("  a limit was reached first\n");
    }
    let solution = finding.luck.as_ref().unwrap_or(&finding.solution);
    let scope = solution.game.terms().scope;
    let standing = solution.standing(&Root::initial(model));
    let mut rank = Value::Null;
    let mut luck = Vec::new();
    let mut losses = None;
    if let (Standing::Rank(own), false) = (standing, solution.avoids()) {
        rank = strategy_text::rank_json(scope, own, false);
        let exact = if solution.complete { "" } else { "at most " };
        let shown = strategy_text::rank(scope, own);
        let lost = count(own.losses as usize, "control loss").replace("losss", "losses");
        let risks = match own.risks {
            0 => String::new(),
            risks => format!(", {}", count(risks as usize, "risk")),
        };
        text.push_str(&format!("  rank {exact}{shown}: {lost}{risks}\n"));
        losses = Some(own.losses);
        let (shown, found, run) = plan(model, solution);
        text.push_str(&shown);
        luck = found;
        text.push_str(&run);
    } else if finding.holds == Some(false) && !solution.avoids() && scope != Scope::Winning {
        text.push_str("  the objective cannot be reached, whoever helps\n");
    }
    let arena = &finding.solution.game.arena;
    let zones: usize = finding
        .solution
        .levels
        .iter()
        .flat_map(|levels| levels.iter().map(|(_, set)| set.len()))
        .sum();
    let early = if finding.solution.complete { "" } else { ", not all explored" };
    text.push_str(&format!(
        "  {}, {}, {}{early}, {} s\n",
        count(arena.len(), "discrete state"),
        count(arena.edge_count(), "edge"),
        count(zones, "zone"),
        seconds(finding.elapsed),
    ));
    if let Some(checked) = &finding.checked {
        text.push_str(&format!("  {checked}\n"));
    }
    let result = json!({
        "comment": question.comment,
        "checked": finding.checked,
        "query": question.text,
        "holds": finding.holds,
        "concept": if args.game.ranks || args.game.safety_first { "fair" } else { "strict" },
        "complete": finding.solution.complete,
        "rank": rank,
        "rank_exact": solution.complete,
        "losses": losses,
        "luck": luck,
        "stats": {
            "states": arena.len(),
            "edges": arena.edge_count(),
            "zones": zones,
            "updates": finding.solution.progress.updates,
            "seconds": serde_json::from_str::<Value>(&seconds(finding.elapsed)).unwrap_or(Value::Null),
            "peak_bytes": peak_bytes(),
        },
    });
    (text, result)
}
