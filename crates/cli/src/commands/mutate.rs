//! `tioga mutate`: the mutants of a model, which of them can be told from it, and how.

use std::path::Path;

use tioga::words::count;
use tioga::{
    JUDGED_STATES, Judge, JudgeOptions, Judged, Loaded, Status, judged, operators, rewritten,
};
use tioga_base::Diagnostic;

use crate::args::MutateArgs;
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::mutants::{Listed, caution, shown, to_json};

/// Runs the command.
pub fn run(args: &MutateArgs, session: &mut Session) -> Result<Exit, Stop> {
    let operators = operators(&args.operators)?;
    let loaded = session.read(&args.model)?;
    let model = &loaded.model;
    let options = JudgeOptions {
        operators,
        environment: args.all,
        as_is: args.as_is,
        compare: !args.list,
        max_states: args.search.max_states.unwrap_or(JUDGED_STATES),
    };
    let mut effort = args.search.effort(session);
    let Judged { judge, mutants, skipped } = judged(model, &options, &mut effort);
    drop(effort);
    let wanted = mutants.into_iter().filter(|(_, status)| {
        !args.only_nonconforming || matches!(status, Some(Status::NonConforming { .. }))
    });
    let listed = wanted.map(|(mutant, status)| Listed { mutant, status, written: None });
    let mut listed: Vec<Listed> = listed.collect();
    if let Some(folder) = &args.out {
        write_all(session, &loaded, &judge, folder, &mut listed)?;
    }
    let value = to_json(model, &listed, judge.completion, skipped);
    let mut text = shown(model, &listed, skipped);
    if !args.list {
        text.push_str(caution(&judge));
    }
    if let Some(folder) = &args.out {
        session.write_file(&folder.join("mutants.json"), format!("{value:#}\n").as_bytes())?;
        let written = listed.iter().filter(|one| matches!(one.written, Some(Ok(_)))).count();
        let written = count(written, "mutant");
        text.push_str(&format!("{written} written to {}\n", folder.display()));
    }
    session.print(&text)?;
    session.set_result(value);
    let unknown = listed.iter().any(|one| matches!(one.status, Some(Status::Unknown(_))));
    Ok(match (listed.is_empty(), unknown) {
        (true, _) => Exit::Negative,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Success,
    })
}

/// Writes every mutant to a file of its own.
fn write_all(
    session: &mut Session,
    loaded: &Loaded,
    judge: &Judge,
    folder: &Path,
    listed: &mut [Listed],
) -> Result<(), Stop> {
    session.create_directory(folder)?;
    let mut failed = None;
    for one in listed.iter_mut() {
        let network = judge.completed(&loaded.model, &one.mutant);
        let head = [one.mutant.id.clone(), one.mutant.description.clone()];
        let text = rewritten(loaded, &network, &head);
        one.written = Some(match text {
            Ok(text) => {
                let name = format!("{}.tioga", one.mutant.id.replace(['/', '\\'], "_"));
                session.write_file(&folder.join(&name), text.as_bytes())?;
                Ok(name)
            }
            Err(reason) => {
                failed.get_or_insert_with(|| (one.mutant.id.clone(), reason.clone()));
                Err(reason)
            }
        });
    }
    if let Some((id, reason)) = failed {
        let many = listed.iter().filter(|one| matches!(one.written, Some(Err(_)))).count();
        let message = format!("{} could not be written", count(many, "mutant"));
        session.warn(Diagnostic::global("unwritten", message).note(format!("{id}: {reason}")));
    }
    Ok(())
}
