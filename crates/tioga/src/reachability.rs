//! Whether states can be reached, whether runs can avoid them for ever, with a run as evidence, and which
//! values occur in them.

use std::time::{Duration, Instant};

use tioga_base::{Diagnostic, Span};
use tioga_explore::{Order, SearchOptions, Statistics, Stop};
use tioga_model::{Ends, Formula, Measured, Model, Predicate, RelevantPart};
use tioga_parse::query::print_formula;
use tioga_parse::syntax::{Dialect, Formula as Written};
use tioga_symbolic::{
    Abstraction, Extent, ExtentAnswer, ExtentQuestion, Goes, Lasso, Maximal, MaximalAnswer,
    MaximalQuestion, MaximalRun, Reach, ReachAnswer, ZoneGraph,
};

use crate::data::{DataView, conditions};
use crate::lifted::lifted;
use crate::{Effort, Failure, Loaded};

/// The target of a search.
#[derive(Clone, Debug)]
pub(crate) enum LookedFor {
    /// A reachable state.
    State(Predicate),
    /// A maximal run that stays in a set of states: see [`MaximalQuestion`].
    Run {
        /// The states from which on it stays there; none for the start.
        from: Option<Predicate>,
        /// The set of states.
        inside: Predicate,
        /// Whether the other states are meant.
        outside: bool,
    },
    /// No target: the query is of an unsupported kind, or was left out.
    Nothing(String),
    /// The ends of values: see [`ExtentQuestion`].
    Extent {
        /// Which ends.
        ends: Ends,
        /// The states that count.
        inside: Predicate,
        /// What is measured.
        measured: Vec<Measured>,
    },
}

impl LookedFor {
    fn predicates(&self) -> Vec<&Predicate> {
        match self {
            Self::State(one) => vec![one],
            Self::Run { from, inside, .. } => from.iter().chain([inside]).collect(),
            Self::Extent { inside, .. } => vec![inside],
            Self::Nothing(_) => Vec::new(),
        }
    }
}

/// A query about reachable states or about runs.
#[derive(Clone, Debug)]
pub struct ReachQuestion {
    /// The query as text.
    pub text: String,
    /// The comment of its author.
    pub comment: Option<String>,
    /// The target.
    pub(crate) looked_for: LookedFor,
    /// Where it was written.
    pub span: Span,
    /// Whether the query holds if it is found.
    pub wanted: bool,
    /// Whether it treats all values of scalar sets alike.
    pub symmetric: bool,
    /// What it measures, as text, and whether that is an amount of time.
    pub measured: Vec<(String, bool)>,
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
    /// Whether only runs count on which time diverges.
    pub divergent: bool,
    /// Whether states may stand for others that arise by exchanging values of scalar sets.
    pub symmetry: bool,
    /// Whether all processes are explored, also those on which the question does not depend.
    pub whole: bool,
}

/// The result of a question, or of a mere exploration.
#[derive(Debug)]
pub struct Reached {
    /// The question; nothing for an exploration.
    pub question: Option<ReachQuestion>,
    /// The answer. A run that goes on for ever is followed for one turn.
    pub answer: ReachAnswer,
    /// The run of the answer, if it is a maximal one.
    pub maximal: Option<MaximalRun>,
    /// The values, if they are asked for. There is no run then.
    pub values: Option<ExtentAnswer>,
    /// The statistics of the search.
    pub statistics: Statistics,
    /// How long it took.
    pub elapsed: Duration,
    /// The abstraction that was used.
    pub abstraction: Abstraction,
    /// Whether states stood for others that arise by exchanging values of scalar sets.
    pub reduced: bool,
    /// How many classes of data there are, if they were explored instead of values.
    pub classes: Option<usize>,
    /// The processes that stood still during the search, because the query does not depend on them.
    pub left_out: Vec<String>,
}

impl ReachQuestion {
    /// Whether the query is of a kind that can be answered.
    pub fn is_supported(&self) -> bool {
        !matches!(self.looked_for, LookedFor::Nothing(_))
    }
}

impl Reached {
    /// Whether the query holds, if that is known; a mere exploration holds if it is complete, and a
    /// measurement if the values are known.
    pub fn holds(&self) -> Option<bool> {
        let wanted = self.question.as_ref().is_some_and(|question| question.wanted);
        if self.values.is_some() {
            return Some(true);
        }
        match self.answer {
            ReachAnswer::Reachable(_) => Some(wanted),
            ReachAnswer::Unreachable => Some(!wanted),
            ReachAnswer::Unknown(_) => None,
        }
    }
}

/// The queries that ask for reachable states or for runs: those that were added when the model was read, or else
/// its own.
pub fn reach_questions(loaded: &Loaded) -> Result<Vec<ReachQuestion>, Failure> {
    let asked = loaded.asked();
    let mut questions = Vec::new();
    let run = |from: Option<&Predicate>, inside: &Predicate, outside| {
        let (from, inside) = (from.cloned(), inside.clone());
        LookedFor::Run { from, inside, outside }
    };
    for query in if asked.is_empty() { &loaded.model.queries[..] } else { asked } {
        let (looked_for, wanted) = match &query.formula {
            Formula::Reachable(predicate) => (LookedFor::State(predicate.clone()), true),
            Formula::Always { outside } => (LookedFor::State(outside.clone()), false),
            Formula::Possibly(inside) => (run(None, inside, false), true),
            Formula::Inevitable(goal) => (run(None, goal, true), false),
            Formula::LeadsTo(from, goal) => (run(Some(from), goal, true), false),
            Formula::Extent { ends, inside, measured } => {
                let (inside, measured) = (inside.clone(), measured.clone());
                (LookedFor::Extent { ends: *ends, inside, measured }, true)
            }
            // What a tester can enforce is asked elsewhere.
            Formula::Control(_) | Formula::Cooperative(_) if asked.is_empty() => continue,
            Formula::Control(_) | Formula::Cooperative(_) => {
                let message = "`reach` answers queries about runs, and this one is about a game";
                let diagnostic = Diagnostic::error("wrong-query", query.span, message);
                return Err(diagnostic.help("`tioga solve` answers it").into());
            }
        };
        let (text, comment) = (loaded.query_text(query), query.comment.clone());
        let (span, measured) = (query.span, loaded.measured_texts(query));
        let symmetric = query.symmetric;
        let question =
            ReachQuestion { text, comment, looked_for, span, wanted, symmetric, measured };
        questions.push(question);
    }
    if asked.is_empty() {
        questions.extend(unanswered(loaded));
        questions.sort_by_key(|question| (question.span.file, question.span.start));
    }
    Ok(questions)
}

/// The queries of the model that nothing answers: those of a kind that is not supported, and those that were
/// left out with a warning.
fn unanswered(loaded: &Loaded) -> impl Iterator<Item = ReachQuestion> {
    let known = |span: Span| loaded.model.queries.iter().any(|query| query.span == span);
    loaded.document.queries().filter(move |query| !known(query.span)).map(|query| {
        let reason = match query.formula {
            Written::Other(_) => "queries of this kind are not supported",
            _ => "the query was left out; a warning says why",
        };
        ReachQuestion {
            text: print_formula(&query.formula, Dialect::Tioga),
            comment: query.comment.clone(),
            looked_for: LookedFor::Nothing(reason.to_owned()),
            span: query.span,
            wanted: true,
            symmetric: false,
            measured: Vec::new(),
        }
    })
}

/// Answers a question, or explores everything.
pub fn reach(
    model: &Model,
    question: Option<ReachQuestion>,
    options: &ReachOptions,
    effort: &mut Effort<'_>,
) -> Reached {
    let start = Instant::now();
    if let Some(LookedFor::Nothing(reason)) = question.as_ref().map(|one| &one.looked_for) {
        let reason = reason.clone();
        return unknown(question, reason, options);
    }
    let predicates = question.iter().flat_map(|one| one.looked_for.predicates());
    let view = match DataView::of(model, &conditions(predicates), effort) {
        Ok(view) => view,
        Err(failure) => return unknown(question, failure.to_string(), options),
    };
    let model = view.as_ref().map_or(model, DataView::model);
    let search = SearchOptions { order: options.order, ..effort.options(options.max_states) };
    let goal = match question.as_ref().map(|one| (&one.looked_for, one.span)) {
        Some((LookedFor::Run { from, inside, outside }, span)) => {
            let (from, divergent) = (from.as_ref(), options.divergent);
            let asked = MaximalQuestion { from, inside, outside: *outside, divergent, span };
            let (maximal, left_out) = match staying(model, asked, (search, options.whole), effort) {
                Ok(answered) => answered,
                Err(error) => return unknown(question, error.to_string(), options),
            };
            let (answer, run) = followed(maximal.answer, view.as_ref());
            return Reached {
                answer,
                maximal: run,
                values: None,
                classes: view.as_ref().map(DataView::count),
                statistics: maximal.statistics,
                elapsed: start.elapsed(),
                abstraction: maximal.abstraction,
                reduced: false,
                left_out,
                question,
            };
        }
        Some((LookedFor::Extent { ends, inside, measured }, span)) => {
            if view.is_some() {
                let reason = "values are measured only where data is enumerated";
                return unknown(question, reason.to_owned(), options);
            }
            let asked = ExtentQuestion { ends: *ends, inside, measured, span };
            let report = &mut |statistics: &Statistics| effort.search(statistics);
            let extent = match Extent::ask(model, asked, &search, report) {
                Ok(extent) => extent,
                Err(error) => return unknown(question, error.to_string(), options),
            };
            let (answer, values) = match extent.answer {
                ExtentAnswer::Unknown(reason) => (ReachAnswer::Unknown(reason), None),
                known => (ReachAnswer::Unreachable, Some(known)),
            };
            return Reached {
                answer,
                maximal: None,
                values,
                classes: None,
                statistics: extent.statistics,
                elapsed: start.elapsed(),
                abstraction: extent.abstraction,
                reduced: false,
                left_out: Vec::new(),
                question,
            };
        }
        Some((LookedFor::State(predicate), span)) => Some((predicate, span)),
        Some((LookedFor::Nothing(_), _)) | None => None,
    };
    let asked: Vec<&Predicate> = goal.iter().map(|(looked_for, _)| *looked_for).collect();
    let graph = match ZoneGraph::for_reach(model, options.abstraction, &asked) {
        Ok(graph) => graph,
        Err(error) => return unknown(question, error.to_string(), options),
    };
    let alike = question.as_ref().is_none_or(|question| question.symmetric);
    let graph = match options.symmetry && alike && view.is_none() {
        true => graph.up_to_symmetry(),
        false => graph,
    };
    let (answer, statistics, left_out) = looked_for(&graph, goal, (search, options.whole), effort);
    Reached {
        answer: real(answer, view.as_ref()),
        maximal: None,
        values: None,
        classes: view.as_ref().map(DataView::count),
        statistics,
        elapsed: start.elapsed(),
        abstraction: graph.abstraction(),
        reduced: graph.is_reduced(),
        left_out,
        question,
    }
}

/// How many states are visited before and while the search looks ahead.
const BEFORE_LOOKING_AHEAD: u64 = 20_000;

/// The answer of a search, and the processes that stood still. Breadth first finds short runs, and may visit nearly all
/// states before a long one. So if it has visited many, a search of as many states looks ahead, depth first. Then only the
/// part of the model that decides is searched, if there is one. All of them count against the limit.
fn looked_for(
    graph: &ZoneGraph<'_>,
    goal: Option<(&Predicate, Span)>,
    (mut search, whole): (SearchOptions, bool),
    effort: &mut Effort<'_>,
) -> (ReachAnswer, Statistics, Vec<String>) {
    let mut visited = 0;
    let limit = search.limits.visited;
    let looks_ahead = search.order == Order::BreadthFirst
        && goal.is_some()
        && limit.is_none_or(|limit| limit > 4 * BEFORE_LOOKING_AHEAD);
    if looks_ahead {
        search.limits.visited = Some(BEFORE_LOOKING_AHEAD);
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            search.order = order;
            let reach = Reach::ask(graph, goal, &search, &mut |one| effort.search(one));
            let mut statistics = reach.outcome.statistics;
            if !matches!(reach.outcome.stop, Stop::VisitedLimit(_)) {
                statistics.visited += visited;
                return (reach.answer, statistics, Vec::new());
            }
            visited += statistics.visited;
        }
        search.order = Order::BreadthFirst;
        search.limits.visited = limit.map(|limit| limit - visited);
        if let Some(goal) = goal.filter(|_| !whole && !graph.is_reduced())
            && let model = graph.model()
            && let Some(part) = relevant(model, &[goal.0], false)
            && let Ok(graph) = ZoneGraph::for_reach(&part.model, graph.abstraction(), &[goal.0])
        {
            let reach = Reach::ask(&graph, Some(goal), &search, &mut |one| effort.search(one));
            let answer = match reach.answer {
                ReachAnswer::Reachable(run) => {
                    lifted(model, &part.left_out, &run).map(ReachAnswer::Reachable)
                }
                other => Some(other),
            };
            if let Some(answer) = answer {
                return (answer, reach.outcome.statistics, names(&part));
            }
        }
    }
    let reach = Reach::ask(graph, goal, &search, &mut |one| effort.search(one));
    let answer = match (reach.answer, reach.outcome.stop, limit) {
        (ReachAnswer::Unknown(_), Stop::VisitedLimit(_), Some(limit)) => {
            ReachAnswer::Unknown(format!("the limit of {limit} visited states was reached"))
        }
        (answer, ..) => answer,
    };
    // A finished search counts what it visited itself, as if nothing had looked ahead.
    let mut statistics = reach.outcome.statistics;
    if matches!(answer, ReachAnswer::Unknown(_)) {
        statistics.visited += visited;
    }
    (answer, statistics, Vec::new())
}

/// The answer about maximal runs, and the processes that stood still: those of a large model on which the question does
/// not depend.
fn staying(
    model: &Model,
    asked: MaximalQuestion<'_>,
    (search, whole): (SearchOptions, bool),
    effort: &mut Effort<'_>,
) -> Result<(Maximal, Vec<String>), tioga_symbolic::Error> {
    let predicates: Vec<&Predicate> = asked.from.into_iter().chain([asked.inside]).collect();
    let looks_ahead = search.limits.visited.is_none_or(|limit| limit > 4 * BEFORE_LOOKING_AHEAD);
    if looks_ahead
        && !whole
        && let Some(part) = relevant(model, &predicates, true)
        && is_large(model, &search, effort)?
    {
        let found = staying_in(&part.model, asked, search.clone(), effort)?;
        let answer = match found.answer {
            MaximalAnswer::Found(run) => onwards(run.goes).and_then(|goes| {
                let stem = lifted(model, &part.left_out, &run.stem)?;
                Some(MaximalAnswer::Found(MaximalRun { stem, turn: Vec::new(), goes }))
            }),
            other => Some(other),
        };
        if let Some(answer) = answer {
            return Ok((Maximal { answer, ..found }, names(&part)));
        }
    }
    Ok((staying_in(model, asked, search, effort)?, Vec::new()))
}

/// Whether a model has many states.
fn is_large(
    model: &Model,
    search: &SearchOptions,
    effort: &mut Effort<'_>,
) -> Result<bool, tioga_symbolic::Error> {
    let mut search = search.clone();
    search.limits.visited = Some(BEFORE_LOOKING_AHEAD);
    let graph = ZoneGraph::new(model, Abstraction::M, &[])?;
    let reach = Reach::ask(&graph, None, &search, &mut |one| effort.search(one));
    Ok(!matches!(reach.outcome.stop, Stop::Exhausted))
}

/// The answer about maximal runs. A run that is found is one whatever else can be reached, so the first states of a large
/// model are looked at alone first, as by [`looked_for`]. They do not count against the limit.
fn staying_in(
    model: &Model,
    asked: MaximalQuestion<'_>,
    mut search: SearchOptions,
    effort: &mut Effort<'_>,
) -> Result<Maximal, tioga_symbolic::Error> {
    let limit = search.limits.visited;
    let looks_ahead = search.order == Order::BreadthFirst
        && limit.is_none_or(|limit| limit > 4 * BEFORE_LOOKING_AHEAD);
    if looks_ahead {
        search.limits.visited = Some(BEFORE_LOOKING_AHEAD);
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            search.order = order;
            let maximal = Maximal::ask(model, asked, &search, &mut |one| effort.search(one))?;
            let ended = maximal.statistics.visited < BEFORE_LOOKING_AHEAD;
            if ended || !matches!(maximal.answer, MaximalAnswer::Unknown(_)) {
                return Ok(maximal);
            }
        }
        (search.order, search.limits.visited) = (Order::BreadthFirst, limit);
    }
    Maximal::ask(model, asked, &search, &mut |one| effort.search(one))
}

/// How a run of a part goes on in the model, where the other processes make steps, too. They are not told. Whether
/// the run ends in the model just where it ends in the part is not known.
fn onwards(goes: Goes) -> Option<Goes> {
    match goes {
        Goes::Diverges | Goes::Waits => Some(Goes::Diverges),
        Goes::Zeno => Some(Goes::Zeno),
        Goes::Ends | Goes::Approaches => None,
    }
}

/// The part of a model that decides predicates, unless all of it is needed.
fn relevant(model: &Model, predicates: &[&Predicate], runs: bool) -> Option<RelevantPart> {
    let plain = predicates.iter().all(|one| matches!(one, Predicate::Holds(_)));
    let conditions: Vec<_> = predicates.iter().flat_map(|one| one.conditions()).collect();
    if plain { model.relevant_to(&conditions, runs) } else { None }
}

/// The processes that stand still in a part of a model.
fn names(part: &RelevantPart) -> Vec<String> {
    part.left_out.iter().map(|id| part.model.processes[*id].name.clone()).collect()
}

/// A run over representatives as a run of the model.
fn real(answer: ReachAnswer, view: Option<&DataView>) -> ReachAnswer {
    match (answer, view) {
        (ReachAnswer::Reachable(run), Some(view)) => match view.run(&run) {
            Ok(run) => ReachAnswer::Reachable(run),
            Err(why) => {
                ReachAnswer::Unknown(format!("there is a run, but no values for it: {why}"))
            }
        },
        (answer, _) => answer,
    }
}

/// A maximal run, as one of the model, and followed for one turn.
fn followed(answer: MaximalAnswer, view: Option<&DataView>) -> (ReachAnswer, Option<MaximalRun>) {
    let mut run = match answer {
        MaximalAnswer::Found(run) => run,
        MaximalAnswer::None => return (ReachAnswer::Unreachable, None),
        MaximalAnswer::Unknown(reason) => return (ReachAnswer::Unknown(reason), None),
    };
    if let Some(view) = view {
        match view.lasso(&Lasso { stem: run.stem, turn: run.turn }) {
            Ok(Lasso { stem, turn }) => run = MaximalRun { stem, turn, goes: run.goes },
            Err(why) => {
                let reason = format!("there is a run, but no values for it: {why}");
                return (ReachAnswer::Unknown(reason), None);
            }
        }
    }
    let steps = run.stem.iter().chain(&run.turn).cloned().collect();
    (ReachAnswer::Reachable(steps), Some(run))
}

/// No answer, for this reason.
fn unknown(question: Option<ReachQuestion>, reason: String, options: &ReachOptions) -> Reached {
    Reached {
        question,
        answer: ReachAnswer::Unknown(reason),
        maximal: None,
        values: None,
        statistics: Statistics::default(),
        elapsed: Duration::ZERO,
        abstraction: options.abstraction,
        reduced: false,
        classes: None,
        left_out: Vec::new(),
    }
}
