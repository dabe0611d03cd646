//! `tioga conform` and `tioga refines`: how two models relate, and if not as asked, a run that shows
//! it and what was allowed instead.

use tioga::{Alphabets, Effort, allowed, compare, united};
use tioga_base::Diagnostic;
use tioga_conform::{Relation, RelationAnswer};
use tioga_model::Model;

use super::walks::write_trace;
use crate::args::CompareArgs;
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::conform::{Different, Related};

/// Runs either command.
pub fn run(args: &CompareArgs, relation: Relation, session: &mut Session) -> Result<Exit, Stop> {
    if args.implementation == "-" && args.specification == "-" {
        let message = "the two models cannot both come from standard input";
        let diagnostic = Diagnostic::global("two-readers", message);
        return Err(diagnostic.help("put one of them into a file").into());
    }
    let implementation = session.read_named(&args.implementation, &args.load, &[])?;
    let specification = session.read_named(&args.specification, &args.load, &[])?;
    let specification = specification.model_or_same(&implementation).clone();
    let mut models = (implementation.model, specification);
    let is_component = |name: &str| tioga::is_component(name, args.load.from);
    if relation == Relation::Refines
        && is_component(&args.implementation)
        && is_component(&args.specification)
    {
        models = match united(&models.0, &models.1)? {
            Alphabets::United(united) => *united,
            Alphabets::Differ(reason) => return different(args, &models, reason, session),
        };
    }
    let (implementation, specification) = models;
    let mut effort = Effort { view: args.view.options(), ..args.search.effort(session) };
    let max_states = args.search.max_states;
    let (compared, elapsed) =
        compare(&implementation, &specification, relation, max_states, &mut effort)?;
    drop(effort);
    let names = names(&implementation, &specification, args);
    let run = compared.violating_run(&implementation);
    let implementation = compared.implementation.as_ref().unwrap_or(&implementation);
    let related = Related {
        models: (implementation, compared.view.as_ref().unwrap_or(&specification)),
        names,
        relation,
        decided: compared.decided,
        elapsed,
    };
    let evidence = match (&related.decided.answer, run) {
        (RelationAnswer::Violated(violation), Some(run)) => {
            Some((violation, run, allowed(related.models.1, violation)))
        }
        _ => None,
    };
    let shown = evidence
        .as_ref()
        .map(|(violation, run, allowed)| (violation.as_ref(), run, allowed.as_ref()));
    let mut text = related.text(shown);
    if let Some(note) = &compared.note {
        text.push_str(&format!("  {note}\n"));
    }
    if let Some(constants) = related.constants() {
        text.push_str(&format!("  for {constants}; `--set` chooses other values\n"));
    }
    if let Some(path) = &args.out {
        match &evidence {
            Some((_, run, _)) => {
                write_trace(session, path, run)?;
                text.push_str(&format!("run written to {}\n", path.display()));
            }
            None => text.push_str("there is no run to write\n"),
        }
    }
    session.print(&text)?;
    let mut result = related.result(shown);
    if let Some(constants) = related.constants() {
        result["constants"] = constants.into();
    }
    session.set_result(result);
    Ok(match related.decided.answer {
        RelationAnswer::Holds => Exit::Success,
        RelationAnswer::Violated(_) => Exit::Negative,
        RelationAnswer::Unknown(_) => Exit::Unknown,
    })
}

/// Components of ECDAR that do not refine each other because of their alphabets.
fn different(
    args: &CompareArgs,
    models: &(Model, Model),
    reason: String,
    session: &mut Session,
) -> Result<Exit, Stop> {
    let (implementation, specification) = models;
    let names = names(implementation, specification, args);
    let different = Different { models: (implementation, specification), names, reason };
    let mut text = different.text();
    if args.out.is_some() {
        text.push_str("there is no run to write\n");
    }
    session.print(&text)?;
    session.set_result(different.result());
    Ok(Exit::Negative)
}

/// What the models are called; as they were given, if both have the same name.
fn names(implementation: &Model, specification: &Model, args: &CompareArgs) -> (String, String) {
    let named = (implementation.name.clone(), specification.name.clone());
    let given = (args.implementation.clone(), args.specification.clone());
    if named.0 == named.1 && given.0 != given.1 { given } else { named }
}
