//! The assumptions of testing in words and as JSON, with the runs that refute them.

use serde_json::{Value, json};
use tioga_base::Rational;
use tioga_concrete::step_record;
use tioga_model::Model;
use tioga_symbolic::{AssumptionAnswer, Assumptions, Endless, Lasso, Restart, TimedStep};

use crate::results::obstacle::shown;
use crate::results::run::align;
use crate::results::state;
use crate::results::survey::reached;
use tioga::trace::trace;
use tioga::words::{action, amount};

/// How many moves of a turn are listed in a text.
const SHOWN: usize = 6;

/// One assumption and what is known of it.
struct Row<'a> {
    name: String,
    answer: Answer<'a>,
    /// What is wrong in the state a run leads to.
    wrong: String,
}

enum Answer<'a> {
    Yes,
    No(&'a [TimedStep]),
    Endless(&'a Lasso),
    Unknown(&'a str),
    /// The question does not arise.
    NotApplicable(&'static str),
}

impl<'a> From<&'a AssumptionAnswer> for Answer<'a> {
    fn from(decision: &'a AssumptionAnswer) -> Self {
        match decision {
            AssumptionAnswer::Holds => Self::Yes,
            AssumptionAnswer::Fails(run) => Self::No(run),
            AssumptionAnswer::Unknown(reason) => Self::Unknown(reason),
        }
    }
}

impl<'a> From<&'a Endless> for Answer<'a> {
    fn from(endless: &'a Endless) -> Self {
        match endless {
            Endless::None => Self::Yes,
            Endless::Found(lasso) => Self::Endless(lasso),
            Endless::Unknown(reason) => Self::Unknown(reason),
        }
    }
}

fn rows<'a>(model: &Model, found: &'a Assumptions) -> Vec<Row<'a>> {
    let unit = Rational::new(1, model.scale).map(|unit| amount(model, unit));
    let unit = unit.unwrap_or_else(|_| "one unit".to_owned());
    let row = |name: &str, answer: Answer<'a>, wrong: &str| {
        let (name, wrong) = (name.to_owned(), wrong.to_owned());
        Row { name, answer, wrong }
    };
    let shows = model.channels.iter().any(|channel| channel.direction.is_some());
    let observable = match shows {
        true => (&found.repeatedly_observable).into(),
        false => Answer::NotApplicable("the model has no inputs and outputs"),
    };
    let mut rows = vec![
        row(
            "non-blocking",
            (&found.non_blocking).into(),
            &format!("without an input less than {unit} can pass"),
        ),
        row("repeatedly-observable", observable, "nothing can be observed any more"),
        row("non-zeno", (&found.zeno).into(), &format!("within {unit}")),
        row("non-zeno-without-inputs", (&found.zeno_alone).into(), &format!("within {unit}")),
    ];
    for Restart { action: label, possible, returns } in &found.restarts {
        let action = shown(model, *label);
        let name = match found.restarts.len() {
            1 => "restartable".to_owned(),
            _ => format!("restartable-{}", action.trim_end_matches(['?', '!'])),
        };
        // What is refuted counts before what is unknown.
        rows.push(match (returns, possible) {
            (AssumptionAnswer::Fails(run), _) => {
                let wrong = format!("`{action}` leads elsewhere than to the start:");
                row(&name, Answer::No(run), &wrong)
            }
            (AssumptionAnswer::Unknown(reason), AssumptionAnswer::Holds) => {
                row(&name, Answer::Unknown(reason), "")
            }
            (_, possible) => {
                let wrong = format!("`{action}` cannot be taken any more");
                row(&name, possible.into(), &wrong)
            }
        });
    }
    if found.restarts.is_empty() {
        let none = Answer::NotApplicable("no purpose declares a restart action");
        rows.push(row("restartable", none, ""));
    }
    rows
}

/// The assumptions as aligned lines.
pub fn text(model: &Model, found: &Assumptions) -> String {
    let mut lines: Vec<[String; 3]> = Vec::new();
    for Row { name, answer, wrong } in rows(model, found) {
        let (word, why) = match answer {
            Answer::Yes => ("yes", String::new()),
            Answer::No(run) => ("no", format!("{wrong} {}", reached(model, run))),
            Answer::Endless(lasso) => ("no", endless(model, lasso, &wrong)),
            Answer::Unknown(reason) => ("?", reason.to_owned()),
            Answer::NotApplicable(reason) => ("-", reason.to_owned()),
        };
        lines.push([name, word.to_owned(), why]);
    }
    align(&lines, &[])
}

fn endless(model: &Model, lasso: &Lasso, within: &str) -> String {
    let from = reached(model, &lasso.stem);
    let moves = lasso.turn.iter().filter_map(|step| step.step.as_ref());
    let names: Vec<String> = moves.map(|step| action(&step_record(model, step).event)).collect();
    if names.is_empty() {
        return format!("steps without end {within} {from}");
    }
    let mut shown = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        shown.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    format!("{shown} without end {within} {from}")
}

/// The assumptions as a JSON array.
pub fn json(model: &Model, found: &Assumptions) -> Value {
    let end = |run: &[TimedStep]| {
        tioga::trace::run_end(model, run).map(|state| state::json(model, &state))
    };
    let steps = |run: &[TimedStep]| trace(model, run).record_values();
    let row = |Row { name, answer, wrong }: Row<'_>| match answer {
        Answer::Yes => json!({ "assumption": name, "verdict": "yes" }),
        Answer::No(run) => json!({
            "assumption": name, "verdict": "no", "reason": wrong,
            "trace": steps(run), "end": end(run),
        }),
        Answer::Endless(lasso) => json!({
            "assumption": name, "verdict": "no", "reason": endless(model, lasso, &wrong),
            "trace": steps(&lasso.stem), "end": end(&lasso.stem), "turn": steps(&lasso.turn),
        }),
        Answer::Unknown(reason) => {
            json!({ "assumption": name, "verdict": "unknown", "reason": reason })
        }
        Answer::NotApplicable(reason) => {
            json!({ "assumption": name, "verdict": "not applicable", "reason": reason })
        }
    };
    rows(model, found).into_iter().map(row).collect()
}

/// The runs that refute something, each with the name of what it refutes. A run without end is
/// followed for one turn.
pub fn runs(model: &Model, found: &Assumptions) -> Vec<(String, Vec<TimedStep>)> {
    let run = |Row { name, answer, .. }: Row<'_>| match answer {
        Answer::No(run) => Some((name, run.to_vec())),
        Answer::Endless(Lasso { stem, turn }) => {
            Some((name, stem.iter().chain(turn).cloned().collect()))
        }
        Answer::Yes | Answer::Unknown(_) | Answer::NotApplicable(_) => None,
    };
    rows(model, found).into_iter().filter_map(run).collect()
}
