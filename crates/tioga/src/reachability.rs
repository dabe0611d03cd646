//! Whether states can be reached, with a run that reaches them.

use std::time::{Duration, Instant};

use tioga_base::{Diagnostic, Span};
use tioga_explore::{Order, SearchOptions, Statistics};
use tioga_model::{Formula, Model, Predicate};
use tioga_symbolic::{Abstraction, Reach, ReachAnswer, ZoneGraph};

use crate::{Effort, Failure, Loaded};

/// A query about reachable states.
#[derive(Clone, Debug)]
pub struct ReachQuestion {
    /// The query as text.
    pub text: String,
    /// What its author says.
    pub comment: Option<String>,
    /// What is looked for; nothing if that is not how the query is answered.
    pub looked_for: Option<Predicate>,
    /// Where it was written.
    pub span: Span,
    /// Whether the query holds if a state is found.
    pub wanted: bool,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReachOptions {
    /// How zones are coarsened so that finitely many suffice.
    pub abstraction: Abstraction,
    /// Which states are explored first.
    pub order: Order,
    /// How many states may be visited.
    pub max_states: Option<u64>,
}

/// What became of a question, or of a mere exploration.
#[derive(Debug)]
pub struct Reached {
    /// The question; nothing if everything was explored.
    pub question: Option<ReachQuestion>,
    /// The answer.
    pub answer: ReachAnswer,
    /// What was explored.
    pub statistics: Statistics,
    /// How long it took.
    pub elapsed: Duration,
    /// The abstraction that was used.
    pub abstraction: Abstraction,
}

impl Reached {
    /// Whether the query holds, if that is known; a mere exploration holds if it is complete.
    pub fn holds(&self) -> Option<bool> {
        let wanted = self.question.as_ref().is_some_and(|question| question.wanted);
        match self.answer {
            ReachAnswer::Reachable(_) => Some(wanted),
            ReachAnswer::Unreachable => Some(!wanted),
            ReachAnswer::Unknown(_) => None,
        }
    }
}

/// The queries that ask for reachable states: those that were added when the model was read, or else
/// its own.
pub fn reach_questions(loaded: &Loaded) -> Result<Vec<ReachQuestion>, Failure> {
    let asked = loaded.asked();
    let mut questions = Vec::new();
    for query in if asked.is_empty() { &loaded.model.queries[..] } else { asked } {
        let (looked_for, wanted) = match &query.formula {
            Formula::Reachable(predicate) => (Some(predicate.clone()), true),
            Formula::Always { outside } => (Some(outside.clone()), false),
            // What a tester can enforce is asked elsewhere.
            Formula::Control(_) | Formula::Cooperative(_) if asked.is_empty() => continue,
            Formula::Control(_) | Formula::Cooperative(_) => {
                let message = "`reach` answers queries about runs, and this one is about a game";
                let diagnostic = Diagnostic::error("wrong-query", query.span, message);
                return Err(diagnostic.help("`tioga solve` answers it").into());
            }
            Formula::Inevitable(_) | Formula::Possibly(_) | Formula::LeadsTo(..) => (None, true),
        };
        let (text, comment) = (loaded.query_text(query), query.comment.clone());
        questions.push(ReachQuestion { text, comment, looked_for, span: query.span, wanted });
    }
    Ok(questions)
}

/// Answers a question, or explores everything.
pub fn reach(
    model: &Model,
    question: Option<ReachQuestion>,
    options: &ReachOptions,
    effort: &mut Effort<'_>,
) -> Reached {
    if question.as_ref().is_some_and(|question| question.looked_for.is_none()) {
        let answer = ReachAnswer::Unknown("queries about endless runs are not answered".to_owned());
        let (statistics, elapsed) = (Statistics::default(), Duration::ZERO);
        let abstraction = options.abstraction;
        return Reached { question, answer, statistics, elapsed, abstraction };
    }
    let search = SearchOptions { order: options.order, ..effort.options(options.max_states) };
    let goal = question.as_ref().and_then(|one| Some((one.looked_for.as_ref()?, one.span)));
    let asked: Vec<&Predicate> = goal.iter().map(|(looked_for, _)| *looked_for).collect();
    let graph = match ZoneGraph::new(model, options.abstraction, &asked) {
        Ok(graph) => graph,
        Err(error) => {
            let answer = ReachAnswer::Unknown(error.to_string());
            let (statistics, elapsed) = (Statistics::default(), Duration::ZERO);
            let abstraction = options.abstraction;
            return Reached { question, answer, statistics, elapsed, abstraction };
        }
    };
    let start = Instant::now();
    let reach = Reach::ask(&graph, goal, &search, &mut |statistics| effort.search(statistics));
    Reached {
        answer: reach.answer,
        statistics: reach.outcome.statistics,
        elapsed: start.elapsed(),
        abstraction: graph.abstraction(),
        question,
    }
}
