//! `tioga machine`: finite machines, complete suites for them, and whether a suite is complete.

mod opened;
mod suite;

use serde_json::json;
use tioga::Effort;
use tioga::confirm::extended_machine;
use tioga::machines::{
    MachineFormat, OpenedMachine, machine_check, machine_info, machine_text, read_tests,
};
use tioga::texts::read_file;
use tioga_machines::complete::Completeness;

use crate::args::{
    MachineArgs, MachineCheckArgs, MachineCommand, MachineConvertArgs, MachineExtendedArgs,
    MachineInfoArgs,
};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::machine as text;
use opened::opened;

pub use suite::kind;

/// Runs the command.
pub fn run(args: &MachineArgs, session: &mut Session) -> Result<Exit, Stop> {
    match &args.command {
        MachineCommand::Info(args) => info(args, session),
        MachineCommand::Suite(args) => suite::run(args, session),
        MachineCommand::Check(args) => check(args, session),
        MachineCommand::Convert(args) => convert(args, session),
        MachineCommand::Extended(args) => extended(args, session),
    }
}

fn info(args: &MachineInfoArgs, session: &mut Session) -> Result<Exit, Stop> {
    let OpenedMachine { machine, .. } = opened(&args.machine, session)?;
    let info = machine_info(&machine);
    session.print(&text::info(&machine, &info))?;
    session.set_result(text::info_json(&machine, &info));
    Ok(Exit::Success)
}

fn check(args: &MachineCheckArgs, session: &mut Session) -> Result<Exit, Stop> {
    let OpenedMachine { machine, .. } = opened(&args.machine, session)?;
    let tests = read_file(&mut session.texts, &args.suite)?;
    let words = read_tests(&machine, &tests)?;
    let found = machine_check(&machine, &words, args.extra_states, args.max_steps);
    session.print(&text::completeness(&machine, &found, args.extra_states))?;
    session.set_result(text::completeness_json(&machine, &found));
    Ok(match found {
        Completeness::Complete => Exit::Success,
        Completeness::Survivor(..) => Exit::Negative,
        Completeness::Unknown => Exit::Unknown,
    })
}

fn extended(args: &MachineExtendedArgs, session: &mut Session) -> Result<Exit, Stop> {
    let loaded = session.read(&args.model)?;
    let mut effort = Effort::default();
    let machine = extended_machine(&loaded.model, args.as_printed, &mut effort)?;
    session.print(&text::extended(&loaded.model.name, &machine))?;
    session.set_result(text::extended_json(&machine));
    Ok(Exit::Success)
}

fn convert(args: &MachineConvertArgs, session: &mut Session) -> Result<Exit, Stop> {
    let OpenedMachine { machine, .. } = opened(&args.machine, session)?;
    match &args.out {
        Some(path) => {
            let format = MachineFormat::of_file(&path.display().to_string());
            let written = machine_text(&machine, format)?;
            session.write_file(path, written.as_bytes())?;
        }
        None => session.print_as_is(&machine_text(&machine, MachineFormat::Dot)?)?,
    }
    session.set_result(json!({ "written": args.out }));
    Ok(Exit::Success)
}
