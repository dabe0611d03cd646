//! `tioga determinize`: what an observer can know of a model, as a deterministic automaton.

use serde_json::{Value, json};
use tioga_base::{Budget, Cancel, Diagnostic, Rational};
use tioga_determinize::{
    Determinized, Error, Exactness, Loss, Resources, determinize, determinize_auto,
};
use tioga_model::Model;
use tioga_parse::raise::raise;

use super::convert;
use crate::args::{ClocksArg, DeterminizeArgs};
use crate::exit::{Exit, Stop};
use crate::format::TargetFormat;
use crate::load::{self, Loaded};
use crate::made_text;
use crate::measure::cancel_flag;
use crate::output::Session;
use crate::run_text::count;

/// How much of the work allowed goes into each attempt to find resources that suffice.
const SHARE_OF_SUGGESTION: u64 = 5;

/// Runs the command.
pub fn run(args: &DeterminizeArgs, session: &mut Session) -> Result<Exit, Stop> {
    let Loaded { document, model } = load::model(session, &args.model)?;
    let cancel = cancel_flag(args.timeout);
    let max_constant = max_constant(args, session, &model)?;
    let result = match attempt(args, session, &model, max_constant, &cancel)? {
        Ok(result) => result,
        Err(error) => return unsolved(session, &error),
    };
    let report = report(&model, &result);
    let target = args.out.as_deref().and_then(TargetFormat::of_path).unwrap_or(TargetFormat::Tioga);
    let text = if result.exactness == Exactness::Unchanged {
        // Comments would have to be placed among those of the file.
        convert::written(session, document, &model, target)?
    } else {
        let document = raise(&result.network, &report).map_err(|refused| {
            let why = made_text::reason(&refused);
            session.fail(Diagnostic::global("view", "the result cannot be written").note(why))
        })?;
        made_text::text(session, &document, target)?
    };
    let mut json = to_json(&model, &result);
    match &args.out {
        Some(path) => {
            session.write_file(path, text.as_bytes())?;
            json["written"] = path.display().to_string().into();
            session.print(&(report.join("\n") + "\n"))?;
        }
        None => {
            session.print(&text)?;
            json["text"] = text.into();
        }
    }
    session.set_result(json);
    Ok(if result.exactness.is_exact() { Exit::Success } else { Exit::Negative })
}

/// The greatest constant in the units of the model.
fn max_constant(
    args: &DeterminizeArgs,
    session: &mut Session,
    model: &Model,
) -> Result<Option<u32>, Stop> {
    let Some(time) = args.max_constant else { return Ok(None) };
    let scaled = time.mul(Rational::integer(model.scale)).ok().and_then(Rational::to_integer);
    match scaled.and_then(|constant| u32::try_from(constant).ok()) {
        Some(constant) => Ok(Some(constant)),
        None => {
            let message =
                format!("the constant {time} is not a multiple of the model's finest unit");
            let unit = format!("clock constants are multiples of 1/{}", model.scale);
            Err(session.stop(Diagnostic::global("bad-constant", message).note(unit)))
        }
    }
}

fn attempt(
    args: &DeterminizeArgs,
    session: &mut Session,
    model: &Model,
    max_constant: Option<u32>,
    cancel: &Cancel,
) -> Result<Result<Determinized, Error>, Stop> {
    let clocks = match args.clocks {
        ClocksArg::Auto => {
            return Ok(determinize_auto(model, max_constant, args.max_steps, cancel));
        }
        ClocksArg::Count(clocks) => clocks,
    };
    let Some(max_constant) =
        max_constant.or_else(|| Resources::of(model).map(|own| own.max_constant))
    else {
        let message = "the greatest constant of the model is not known";
        let help = "give one with `--max-constant`";
        return Err(session.stop(Diagnostic::global("unknown-constant", message).help(help)));
    };
    let mut budget = Budget::steps(args.max_steps).with_cancel(cancel.clone());
    let result = determinize(model, Resources { clocks, max_constant }, &mut budget);
    Ok(result.map(|mut result| {
        result.suggest(model, args.max_steps / SHARE_OF_SUGGESTION);
        result
    }))
}

fn unsolved(session: &mut Session, error: &Error) -> Result<Exit, Stop> {
    match error {
        Error::Limit(limit) => {
            let help = "allow more with `--max-steps`, or give fewer `--clocks` or a smaller \
                        `--max-constant`";
            session.print(&format!("no result: {limit}\n{help}\n"))?;
            session.set_result(json!({ "exactness": null, "reason": limit.to_string() }));
            Ok(Exit::Unknown)
        }
        Error::Invalid(_) => Err(session.fail(Diagnostic::global("view", format!("{error}")))),
        _ => Err(session.stop(Diagnostic::global("not-determinized", format!("{error}")))),
    }
}

/// What there is to say about the result, in lines.
fn report(model: &Model, result: &Determinized) -> Vec<String> {
    let resources = |resources: Resources| {
        let constant = constant(model, resources);
        format!("{} and constants up to {constant}", count(resources.clocks, "clock"))
    };
    let used = resources(result.resources);
    let mut lines = match &result.exactness {
        Exactness::Unchanged => vec!["unchanged: the model is deterministic".to_owned()],
        Exactness::Exact => vec![format!("exact with {used}")],
        Exactness::Approximate { losses, suggestion } => {
            let mut lines = vec![format!("not exact with {used}")];
            lines.extend(losses.iter().map(loss_text));
            lines.push(match suggestion {
                Some(better) => format!("it would be exact with {}", resources(*better)),
                None => "no slightly larger resources were found to be exact".to_owned(),
            });
            lines
        }
    };
    let (locations, edges) = size(result);
    lines.push(format!("{}, {}", count(locations, "location"), count(edges, "edge")));
    lines
}

fn size(result: &Determinized) -> (usize, usize) {
    let processes = || result.network.processes.iter();
    let locations = processes().map(|process| process.locations.len()).sum();
    (locations, processes().map(|process| process.edges.len()).sum())
}

/// A constant as it is written.
fn constant(model: &Model, resources: Resources) -> String {
    let constant = i64::from(resources.max_constant);
    Rational::new(constant, model.scale).map_or_else(|_| constant.to_string(), |c| c.to_string())
}

pub fn loss_text(loss: &Loss) -> String {
    let Loss { location, when, configuration, .. } = loss;
    let action = loss.action.as_deref().unwrap_or("");
    let what = match loss.kind {
        tioga_determinize::LossKind::Delay => "time may pass for too long".to_owned(),
        tioga_determinize::LossKind::Output => format!("{action} may be allowed too often"),
        tioga_determinize::LossKind::Input => format!("{action} is left out"),
        tioga_determinize::LossKind::Mark => {
            "it is in doubt whether the goal is reached".to_owned()
        }
        tioga_determinize::LossKind::Effort => {
            return format!(
                "  in {location}: everything may happen, because the effort ended, for instance \
                 at {configuration}"
            );
        }
    };
    format!("  in {location}, {when}: {what}, because of {configuration}")
}

fn to_json(model: &Model, result: &Determinized) -> Value {
    let name = match &result.exactness {
        Exactness::Unchanged => "unchanged",
        Exactness::Exact => "exact",
        Exactness::Approximate { .. } => "approximate",
    };
    let resources = |resources: Resources| json!({ "clocks": resources.clocks, "max_constant": constant(model, resources) });
    let (locations, edges) = size(result);
    let mut json = json!({
        "exactness": name,
        "resources": resources(result.resources),
        "game_states": result.game_states,
        "locations": locations,
        "edges": edges,
    });
    if let Exactness::Approximate { losses, suggestion } = &result.exactness {
        let loss = |loss: &Loss| {
            json!({
                "location": loss.location,
                "kind": loss.kind.name(),
                "action": loss.action,
                "when": loss.when,
                "configuration": loss.configuration,
            })
        };
        json["losses"] = losses.iter().map(loss).collect();
        json["suggestion"] = suggestion.map_or(Value::Null, resources);
    }
    json
}
