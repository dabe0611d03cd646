//! `tioga diff`: what a change of a model affects.

use tioga::{Effort, diff};
use tioga_base::Diagnostic;

use crate::args::DiffArgs;
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::diff::Told;

/// Runs the command.
pub fn run(args: &DiffArgs, session: &mut Session) -> Result<Exit, Stop> {
    if args.old == "-" && args.new == "-" {
        let message = "the two versions cannot both come from standard input";
        let diagnostic = Diagnostic::global("two-readers", message);
        return Err(diagnostic.help("put one of them into a file").into());
    }
    let suite = args.suite.as_ref().map(|path| session.read_suite(path)).transpose()?;
    let mut read = |name: &str| {
        let source = session.open_as_in(name, &args.load, suite.as_slice())?;
        session.read_source(source)
    };
    let (old, new) = (read(&args.old)?, read(&args.new)?);
    if let Some(source) = suite.as_ref().and_then(|suite| suite.model.as_ref())
        && source.text != old.source.text
    {
        let message = format!("the suite was made from another model than `{}`", args.old);
        session.warn(Diagnostic::global("other-model", message));
    }
    let mut effort = Effort { view: args.view.options(), ..args.search.effort(session) };
    let max_states = args.search.max_states;
    let found = diff(&old, &new, suite.as_ref(), max_states, &mut session.texts, &mut effort)?;
    drop(effort);
    let told =
        Told { models: (&old.model, &new.model), names: (&args.old, &args.new), found: &found };
    session.print(&told.text())?;
    session.set_result(told.result());
    Ok(match found.same() {
        Some(true) => Exit::Success,
        Some(false) => Exit::Negative,
        None => Exit::Unknown,
    })
}
