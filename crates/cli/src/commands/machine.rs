//! `tioga machine`: finite machines, complete suites for them, and whether a suite is complete.

use std::io::Write;
use std::time::Instant;

use serde_json::json;
use tioga::machines::{
    MachineFormat, OpenedMachine, SuiteKind, machine_cases, machine_check, machine_info,
    machine_suite, machine_text, minimised, open_machine, read_tests, test_line,
};
use tioga::texts::read_file;
use tioga::words::count;
use tioga_base::Diagnostic;
use tioga_machines::complete::Completeness;
use tioga_machines::{Machine, Method, Word};
use tioga_testcase::Suite;

use crate::args::{
    MachineArgs, MachineCheckArgs, MachineCommand, MachineConvertArgs, MachineInfoArgs,
    MachineSuiteArgs, MethodArg, OneMachineArgs,
};
use crate::exit::{Exit, Stop};
use crate::output::{OutputFormat, Session};
use crate::text::machine as text;

/// Runs the command.
pub fn run(args: &MachineArgs, session: &mut Session) -> Result<Exit, Stop> {
    match &args.command {
        MachineCommand::Info(args) => info(args, session),
        MachineCommand::Suite(args) => suite(args, session),
        MachineCommand::Check(args) => check(args, session),
        MachineCommand::Convert(args) => convert(args, session),
    }
}

fn opened(args: &OneMachineArgs, session: &mut Session) -> Result<OpenedMachine, Stop> {
    let format = args.machine_format.map(text::format);
    let opened = open_machine(&args.machine, format, &args.load.options(), &mut session.texts)?;
    let machine = if args.minimise { minimised(&opened.machine)? } else { opened.machine };
    Ok(OpenedMachine { machine, ..opened })
}

fn info(args: &MachineInfoArgs, session: &mut Session) -> Result<Exit, Stop> {
    let OpenedMachine { machine, .. } = opened(&args.machine, session)?;
    let info = machine_info(&machine);
    session.print(&text::info(&machine, &info))?;
    session.set_result(text::info_json(&machine, &info));
    Ok(Exit::Success)
}

fn suite(args: &MachineSuiteArgs, session: &mut Session) -> Result<Exit, Stop> {
    let OpenedMachine { machine, interface, source } = opened(&args.machine, session)?;
    let begin = Instant::now();
    let suite = machine_suite(&machine, &kind(args, &machine)?, args.extra_states)?;
    if let Some(path) = &args.out {
        let cases = machine_cases(&machine, &interface, &suite, text::method(args.method));
        let written = match source {
            Some(source) => Suite::of_model(source, cases),
            None => Suite::new(cases),
        };
        session.write_file(path, format!("{:#}\n", json!(written)).as_bytes())?;
        session.print(&format!(
            "{} written to {}\n",
            count(written.cases.len(), "test case"),
            path.display()
        ))?;
    } else if session.format == OutputFormat::Text {
        let mut failed = None;
        let mut lines = std::io::BufWriter::new(std::io::stdout().lock());
        suite.each(&mut |word| {
            if failed.is_none() {
                failed = writeln!(lines, "{}", test_line(&machine, word)).err();
            }
        });
        let written = failed.map_or_else(|| lines.flush(), Err);
        drop(lines);
        return match written {
            Ok(()) => Ok(Exit::Success),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Stop::BrokenPipe),
            Err(error) => {
                let message = format!("cannot write the tests: {error}");
                Err(Diagnostic::global("cannot-write", message).into())
            }
        };
    }
    let cost = suite.cost();
    session.set_result(json!({
        "method": text::method(args.method),
        "extra_states": args.extra_states,
        "states": machine.state_count(),
        "count": cost.tests,
        "inputs": cost.inputs,
        "cost": cost.total(),
        "seconds": begin.elapsed().as_secs_f64(),
    }));
    Ok(Exit::Success)
}

fn kind(args: &MachineSuiteArgs, machine: &Machine) -> Result<SuiteKind, Stop> {
    Ok(SuiteKind::By(match args.method {
        MethodArg::G => {
            let words = read_tests(machine, &args.word.join("\n"))?.words();
            // The empty word is a word, too.
            let words = if words.is_empty() { vec![Word::new()] } else { words };
            return Ok(SuiteKind::G(words, args.classes.unwrap_or(1)));
        }
        MethodArg::W => Method::W,
        MethodArg::Wp => Method::Wp,
        MethodArg::Hsi => Method::Hsi,
        MethodArg::H => Method::H,
        MethodArg::Spy => Method::Spy,
        MethodArg::Spyh => Method::Spyh,
    }))
}

fn check(args: &MachineCheckArgs, session: &mut Session) -> Result<Exit, Stop> {
    let OpenedMachine { machine, .. } = opened(&args.machine, session)?;
    let tests = read_file(&mut session.texts, &args.suite)?;
    let suite = read_tests(&machine, &tests)?;
    let found = machine_check(&machine, &suite, args.extra_states, args.max_steps);
    session.print(&text::completeness(&machine, &found, args.extra_states))?;
    session.set_result(text::completeness_json(&machine, &found));
    Ok(match found {
        Completeness::Complete => Exit::Success,
        Completeness::Survivor(..) => Exit::Negative,
        Completeness::Unknown => Exit::Unknown,
    })
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
