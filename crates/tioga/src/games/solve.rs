//! Solving a game for a question, checking the answer with the independent checker, and, if the
//! tester cannot enforce the objective, computing the cooperation needed.

use std::time::{Duration, Instant};

use tioga_base::Diagnostic;
use tioga_certify::{CheckOptions, CheckReport, Error, Extent, check, check_trap};
use tioga_games::{Root, Solution, SolveMethod, SolveOptions, SolveProgress, Standing};
use tioga_model::{Model, Objective};
use tioga_testcase::{Concept, Scope, Terms};

use super::Question;
use crate::data::{conditions, parts};
use crate::{DataView, Effort, Failure, Progress};

/// Beyond so many discrete states, answers are checked by samples unless more is asked for.
const CHECKED_CASUALLY: usize = 2_000;

/// Beyond so many discrete states, cooperation is looked into only when asked for.
const CASUALLY: usize = 50_000;

/// How a game is solved.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameOptions {
    /// Compute ranks: how often the system must cooperate, and how many steps can be enforced.
    pub ranks: bool,
    /// Compute ranks that first count moves which could make the test inconclusive.
    pub safety_first: bool,
    /// Answer as UPPAAL-TIGA would, without cooperation.
    pub strict_only: bool,
    /// The algorithm.
    pub method: SolveMethod,
    /// How thoroughly the independent checker looks at the answer.
    pub check: Thoroughness,
    /// How many discrete states may be explored; all if `None`.
    pub max_states: Option<usize>,
}

/// How thoroughly an answer is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Thoroughness {
    /// Not at all.
    None,
    /// Quickly: all regions of small games, samples of larger ones.
    #[default]
    Quick,
    /// All regions, up to a million, or many samples.
    Full,
}

/// The answer to a question.
pub struct Answered<'m> {
    /// The question.
    pub question: Question,
    /// Whether the query holds, if that is known.
    pub holds: Option<bool>,
    /// The answer asked for.
    pub solution: Solution<'m>,
    /// If the strict answer is negative: the cooperation needed.
    pub cooperative: Option<Solution<'m>>,
    /// How long it took.
    pub elapsed: Duration,
    /// The result of the independent checker, if it was used.
    pub checked: Option<Checked>,
}

/// The result of the independent checker for an answer that it did not refute.
#[derive(Clone, PartialEq, Debug)]
pub enum Checked {
    /// It checked this part of it.
    Verified(CheckReport),
    /// It could not check it, for this reason.
    Unchecked(Error),
}

/// The game that a question is about. `ranked` asks for ranks where the options do not say.
pub fn terms(options: &GameOptions, question: &Question, ranked: bool) -> Terms {
    let objective = question.objective.clone();
    let (concept, scope) = if avoids(&objective) {
        (Concept::Strict, Scope::Winning)
    } else if options.safety_first {
        (Concept::Fair, Scope::SafetyFirst)
    } else if options.ranks || (ranked && !options.strict_only) {
        (Concept::Fair, Scope::Cooperative)
    } else if question.cooperative {
        (Concept::Strict, Scope::Cooperative)
    } else {
        (Concept::Strict, Scope::Winning)
    };
    Terms { objective, concept, scope }
}

fn avoids(objective: &Objective) -> bool {
    matches!(objective, Objective::Stay(_) | Objective::WeakUntil(..))
}

/// The classes of a model's data with respect to a question, if its messages carry many values.
///
/// # Errors
/// If there are no classes.
pub fn data_view(
    model: &Model,
    question: &Question,
    effort: &mut Effort<'_>,
) -> Result<Option<DataView>, Failure> {
    let help =
        "`tioga simulate` and `tioga test --online` follow such a model, without solving a game";
    classes(model, question, effort).map_err(|failure| failure.help_with(&["data"], help))
}

/// The same, for callers that know another remedy.
pub(crate) fn classes(
    model: &Model,
    question: &Question,
    effort: &mut Effort<'_>,
) -> Result<Option<DataView>, Failure> {
    DataView::of(model, &conditions(parts(&question.objective)), effort)
}

/// Solves a game from some states, within the limits.
pub fn solved<'m>(
    model: &'m Model,
    question: &Question,
    terms: Terms,
    roots: &[Root],
    options: SolveOptions,
    effort: &mut Effort<'_>,
) -> Result<Solution<'m>, Failure> {
    let solution = tioga_games::solve(
        model,
        terms,
        question.span,
        roots,
        &options,
        &mut |at: SolveProgress| {
            (effort.progress)(&Progress::Game { states: at.nodes, updates: at.updates });
            effort.stop_if_too_large();
        },
    );
    solution.map_err(|error| Diagnostic::global("unsupported", error.to_string()).into())
}

/// How to solve the game of these terms.
fn how(options: &GameOptions, early: bool, effort: &Effort<'_>) -> SolveOptions {
    SolveOptions {
        method: options.method,
        early,
        threads: effort.threads,
        max_nodes: options.max_states,
        cancel: effort.cancel.clone(),
    }
}

/// The ranks of some states, reachable or not; and whether they are final.
pub fn standings<'m>(
    model: &'m Model,
    question: &Question,
    states: &[Root],
    options: &GameOptions,
    effort: &mut Effort<'_>,
) -> Result<(Vec<Standing>, Solution<'m>), Failure> {
    let mut roots = vec![Root::initial(model)];
    roots.extend_from_slice(states);
    let how = how(options, false, effort);
    let solution = solved(model, question, terms(options, question, true), &roots, how, effort)?;
    Ok((states.iter().map(|root| solution.standing(root)).collect(), solution))
}

/// Answers a question about a model.
pub fn solve<'m>(
    model: &'m Model,
    question: Question,
    options: &GameOptions,
    effort: &mut Effort<'_>,
) -> Result<Answered<'m>, Failure> {
    let start = Instant::now();
    let roots = [Root::initial(model)];
    let asked = terms(options, &question, false);
    let fair = asked.concept == Concept::Fair;
    let reaches =
        asked.scope != Scope::Winning || !question.cooperative && !avoids(&asked.objective);
    let early = asked.concept == Concept::Strict;
    let solution = solved(model, &question, asked, &roots, how(options, early, effort), effort)?;
    let holds = if question.cooperative {
        match solution.standing(&roots[0]) {
            Standing::Rank(_) => Some(true),
            Standing::None | Standing::Fail => solution.complete.then_some(false),
        }
    } else {
        solution.is_won(&roots[0])
    };
    // If the tester cannot enforce it, the next question is how much cooperation it would take.
    let casual = !options.strict_only && !fair && !question.cooperative && reaches;
    let lost = holds == Some(false) && solution.progress.nodes <= CASUALLY;
    let cooperative = if casual && lost {
        let objective = question.objective.clone();
        let terms = Terms { objective, concept: Concept::Fair, scope: Scope::Cooperative };
        // In large games, the least cooperation would cost far more than the answer.
        let early = solution.progress.nodes > CHECKED_CASUALLY;
        Some(solved(model, &question, terms, &roots, how(options, early, effort), effort)?)
    } else {
        None
    };
    let elapsed = start.elapsed();
    let checked = checked(model, &question, &solution, options.check, effort)?;
    Ok(Answered { question, holds, solution, cooperative, elapsed, checked })
}

/// Lets the independent checker look at an answer.
fn checked(
    model: &Model,
    question: &Question,
    solution: &Solution<'_>,
    thoroughness: Thoroughness,
    effort: &Effort<'_>,
) -> Result<Option<Checked>, Failure> {
    let casual = solution.progress.nodes <= CHECKED_CASUALLY;
    let quick = CheckOptions { plays: 20, steps: 20, points: 1, ..CheckOptions::default() };
    let options = match thoroughness {
        Thoroughness::None => return Ok(None),
        Thoroughness::Quick if casual => CheckOptions { max_regions: 4000, ..quick },
        Thoroughness::Quick => CheckOptions { extent: Extent::Sampled, ..quick },
        Thoroughness::Full => {
            CheckOptions { max_regions: 1_000_000, plays: 1000, ..CheckOptions::default() }
        }
    };
    let cancel = effort.cancel.clone();
    let options = CheckOptions { span: question.span, cancel, ..options };
    let result = match solution.trap() {
        Some(trap) => check_trap(model, &trap, &options),
        None => check(model, &solution.table(), &options),
    };
    match result {
        Ok(report) => Ok(Some(Checked::Verified(report))),
        Err(Error::Refuted(refutation)) => {
            let message = format!("the answer is wrong: {refutation}");
            let note = "please report this; the model and the query suffice to reproduce it";
            Err(Failure::internal(Diagnostic::global("refuted", message).note(note)))
        }
        Err(error) => Ok(Some(Checked::Unchecked(error))),
    }
}
