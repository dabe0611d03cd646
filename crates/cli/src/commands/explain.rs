//! `tioga explain`: what happened in a run of a campaign, what was expected when, and why the run means
//! what it means.

use serde_json::json;
use tioga::{explained, read_of_suite, worst_run};
use tioga_execute::SentInputs;
use tioga_model::Model;
use tioga_report::{Sequence, finding, sequence};

use crate::args::ExplainArgs;
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::{diagram, explain as told};

/// How many steps are explained unless more are asked for.
const STEPS: usize = 20;

/// Runs the command.
pub fn run(args: &ExplainArgs, session: &mut Session) -> Result<Exit, Stop> {
    let recorded = worst_run(&args.journal, args.run)?;
    let (settings, record) = (&recorded.settings, &recorded.record);
    let case = recorded.case()?;
    let model: Option<Model> = match (&args.model, settings.model()) {
        (Some(name), _) => {
            let source = session.open_as_named(name)?;
            Some(session.read_of_suite(&settings.suite, source)?.model)
        }
        (None, Some(source)) => {
            Some(read_of_suite(&settings.suite, source.clone(), &[], &mut session.texts)?.model)
        }
        (None, None) => None,
    };
    let explained = explained(&recorded, model.as_ref(), args.last.unwrap_or(STEPS))?;
    let drawn = match args.last {
        Some(last) => Sequence::last(record, last, settings.times()),
        None => Sequence::new(record, sequence::STEPS, settings.times()),
    };
    if let Some(path) = &args.diagram {
        diagram::write(session, &drawn, path)?;
    }
    let seed = record.seed();
    let never_sent = match settings.is_online(case) {
        true => SentInputs::of(&record.events).never_sent(case, model.as_ref()),
        false => Vec::new(),
    };
    let about = told::About { run: record.run, case, settings, seed, never_sent: &never_sent };
    session.print(&told::text(&about, &sequence::text(&drawn), &explained))?;
    session.set_result(json!({
        "run": record.run,
        "case": case.name,
        "purpose": case.summary.goal.to_string(),
        "seed": seed,
        "system": settings.system_name(),
        "steps": explained.steps,
        "left_out": explained.left_out,
        "never_sent": never_sent,
        "conclusion": explained.conclusion,
        "message": finding::conclusion(&explained.conclusion, settings.times()),
        "diagram": args.diagram.as_ref().map(|path| path.display().to_string()),
    }));
    Ok(Exit::Success)
}
