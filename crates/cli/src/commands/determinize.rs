//! `tioga determinize`: what an observer can know of a model, as a deterministic automaton.

use serde_json::json;
use tioga::{
    Cause, Effort, Failure, TargetFormat, converted, determinized, network_text, verified,
    with_purpose,
};
use tioga_base::{Diagnostic, ModelFormat};
use tioga_determinize::{Determinized, Exactness};
use tioga_model::Model;

use crate::args::DeterminizeArgs;
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::determinize::{agreement, disagreement, report, to_json};

/// Runs the command.
pub fn run(args: &DeterminizeArgs, session: &mut Session) -> Result<Exit, Stop> {
    let named = args.out.as_deref().and_then(TargetFormat::of_path);
    let target = named.unwrap_or(TargetFormat::Model(ModelFormat::Tioga));
    let loaded = session.read(&args.model)?;
    let product =
        args.purpose.as_ref().map(|name| with_purpose(&loaded.model, name)).transpose()?;
    let model = product.as_ref().unwrap_or(&loaded.model);
    let limits = args.memory.limits(args.timeout);
    let mut effort = Effort { view: args.view.options(), ..session.effort(limits) };
    let found = determinized(model, &mut effort);
    drop(effort);
    let result = match found {
        Ok(result) => result,
        Err(failure) => {
            let help = "allow more with `--max-steps`, or give fewer `--clocks` or a smaller `--max-constant`";
            return unsolved(session, failure.help_with(&["no-view"], help));
        }
    };
    let mut report = report(model, &result);
    if args.verify > 0 {
        report.push(compared(model, &result, args, session)?);
    }
    let text = if result.exactness == Exactness::Unchanged && product.is_none() {
        // Comments would have to be placed among those of the file.
        converted(&loaded.document, model, target)?
    } else {
        network_text(&result.network, &report, target)?
    };
    let mut json = to_json(model, &result);
    match &args.out {
        Some(path) => {
            session.write_file(path, text.as_bytes())?;
            json["written"] = path.display().to_string().into();
            session.print(&(report.join("\n") + "\n"))?;
        }
        None => {
            session.print_as_is(&text)?;
            json["text"] = text.into();
        }
    }
    session.set_result(json);
    Ok(if result.exactness.is_exact() { Exit::Success } else { Exit::Negative })
}

/// Compares random traces of model and result, and says how many.
fn compared(
    model: &Model,
    result: &Determinized,
    args: &DeterminizeArgs,
    session: &Session,
) -> Result<String, Stop> {
    let view = result.network.clone().validate()?;
    let effort = session.effort(args.memory.limits(args.timeout));
    let exact = result.exactness.is_exact();
    let found = verified(model, &view, exact, args.verify, &effort.cancel);
    drop(effort);
    match &found.difference {
        None => Ok(agreement(&found)),
        Some(difference) => {
            let diagnostic = Diagnostic::global("view-differs", disagreement(difference));
            let note = "please report this; the model suffices to reproduce it";
            Err(Failure::internal(diagnostic.note(note)).into())
        }
    }
}

/// The budget was exhausted before anything was known, or the model is not supported.
fn unsolved(session: &mut Session, failure: Failure) -> Result<Exit, Stop> {
    if failure.cause == Cause::Limit {
        session.set_result(json!({ "exactness": null, "reason": failure.to_string() }));
    }
    Err(failure.into())
}
