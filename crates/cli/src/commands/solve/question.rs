//! What is asked of a game, and what a model must be like for ranks.

use tioga_base::{Diagnostic, Span};
use tioga_concrete::step_record;
use tioga_explore::{Limits, SearchOptions};
use tioga_model::{
    Formula, Model, Objective, Property, PropertyReport, PropertyVerdict, Role, properties,
};
use tioga_parse::syntax::Document;
use tioga_symbolic::Survey;
use tioga_testcase::{Concept, Scope, Terms};

use crate::args::GameArgs;
use crate::exit::Stop;
use crate::load;
use crate::output::Session;
use crate::run_text::action;

/// A query about a game.
pub struct Question {
    /// The query as text.
    pub text: String,
    /// What its author says.
    pub comment: Option<String>,
    /// What the tester wants.
    pub objective: Objective,
    /// Whether the system is asked to cooperate.
    pub cooperative: bool,
    /// Where it was written.
    pub span: Span,
}

/// The queries about games: those on the command line, or the model's own.
pub fn questions(
    args: &GameArgs,
    session: &mut Session,
    document: &Document,
    model: &Model,
) -> Result<Vec<Question>, Stop> {
    let given = args.query.len();
    let skip = if given > 0 { model.queries.len().saturating_sub(given) } else { 0 };
    let mut questions = Vec::new();
    for query in model.queries.iter().skip(skip) {
        let (objective, cooperative) = match &query.formula {
            Formula::Control(objective) => (objective.clone(), false),
            Formula::Cooperative(objective) => (objective.clone(), true),
            _ if given > 0 => {
                let message = "only `control: …` and `E<> control: …` ask about games";
                return Err(session.stop(Diagnostic::error("wrong-query", query.span, message)));
            }
            _ => continue,
        };
        let text = load::query_text(document, query);
        let comment = query.comment.clone();
        let (text, comment) = match comment {
            Some(comment) if text.is_empty() => (comment, None),
            comment => (text, comment),
        };
        questions.push(Question { text, comment, objective, cooperative, span: query.span });
    }
    if questions.is_empty() {
        let diagnostic = Diagnostic::global("no-query", "there is no objective to solve for")
            .help("give one with -q 'control: A<> …'");
        return Err(session.stop(diagnostic));
    }
    Ok(questions)
}

/// What the text does not show about the system: that it is deterministic and observable.
pub fn doubts(model: &Model) -> Vec<PropertyReport> {
    let of_system = |name: &str| {
        model
            .processes
            .iter()
            .any(|process| process.name == name && process.role != Role::Environment)
    };
    properties(model)
        .into_iter()
        .filter(|report| matches!(report.property, Property::Deterministic | Property::Observable))
        .filter(|report| {
            !matches!(report.verdict, PropertyVerdict::Holds | PropertyVerdict::NotApplicable(_))
        })
        .filter(|report| match &report.scope {
            tioga_model::PropertySubject::Process(name) => of_system(name),
            tioga_model::PropertySubject::Purpose(_) => false,
        })
        .collect()
}

/// Ranks tell a tester what to do, so it must be able to tell where it is: a model with an
/// interface must be deterministic and observable.
pub fn require_observation(
    args: &GameArgs,
    session: &mut Session,
    model: &Model,
) -> Result<(), Stop> {
    let has_interface = model.channels.iter().any(|channel| channel.direction.is_some());
    if args.full_information || !has_interface {
        return Ok(());
    }
    if doubts(model).is_empty() {
        return Ok(());
    }
    let help = "`--full-information` plays as if the tester saw every move";
    match observation(model) {
        Err(error) => Err(session.stop(Diagnostic::global("unsupported", error.to_string()))),
        Ok(Observation::Clear) => Ok(()),
        Ok(Observation::Hidden(message)) => {
            Err(session.stop(Diagnostic::global("not-observable", message).help(help)))
        }
        Ok(Observation::Ambiguous(message)) => {
            Err(session.stop(Diagnostic::global("nondeterministic", message).help(help)))
        }
    }
}

/// Whether a tester can tell from what it sees where a model is.
pub enum Observation {
    /// Always.
    Clear,
    /// Not after some internal move.
    Hidden(String),
    /// Not after some visible move, or that is not known.
    Ambiguous(String),
}

/// Looks at what is reachable, where the text of a model leaves it open.
pub fn observation(model: &Model) -> Result<Observation, tioga_symbolic::Error> {
    let limits = Limits { visited: Some(100_000), ..Limits::default() };
    let options = SearchOptions { limits, threads: 1, ..SearchOptions::default() };
    let survey = Survey::of(model, &options, &mut |_| {})?;
    let edges = |step: &tioga_model::Step| {
        crate::run_text::edges(&step_record(model, step).edges.unwrap_or_default())
    };
    if let Some((_, step)) = &survey.internal {
        return Ok(Observation::Hidden(format!(
            "ranks need a model without internal moves: nobody sees {}",
            edges(step)
        )));
    }
    if let Some((_, moves)) = &survey.nondeterminism {
        let [one, other] = &**moves;
        return Ok(Observation::Ambiguous(format!(
            "ranks need a deterministic model: after `{}` the tester cannot tell {} from {}",
            action(&step_record(model, one).event),
            edges(one),
            edges(other)
        )));
    }
    Ok(match survey.incomplete {
        None => Observation::Clear,
        Some(reason) => Observation::Ambiguous(format!(
            "ranks need a deterministic model, and that is unknown: {reason}"
        )),
    })
}

/// The game that a question is about, as the options want it.
pub fn terms(args: &GameArgs, question: &Question, at: bool) -> Terms {
    let objective = question.objective.clone();
    let avoids = matches!(objective, Objective::Stay(_) | Objective::WeakUntil(..));
    let (concept, scope) = if avoids {
        (Concept::Strict, Scope::Winning)
    } else if args.safety_first {
        (Concept::Fair, Scope::SafetyFirst)
    } else if args.ranks || (at && !args.strict_only) {
        (Concept::Fair, Scope::Cooperative)
    } else if question.cooperative {
        (Concept::Strict, Scope::Cooperative)
    } else {
        (Concept::Strict, Scope::Winning)
    };
    Terms { objective, concept, scope }
}
