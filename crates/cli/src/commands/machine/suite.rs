//! `tioga machine suite`: complete suites, as lines or as test cases.

use std::io::Write;
use std::time::Instant;

use serde_json::json;
use tioga::certify_made;
use tioga::machines::{
    OpenedMachine, Stages, SuiteKind, classes_in, complete_for, each_case, g_parts, machine_suite,
    open_machine, read_tests, test_line,
};
use tioga::words::count;
use tioga_base::Diagnostic;
use tioga_machines::{Machine, Word};
use tioga_testcase::Suite;

use super::opened::opened;
use crate::args::{CompleteArgs, MachineSuiteArgs, MethodArg};
use crate::exit::{Exit, Stop};
use crate::measure::WorkLimits;
use crate::output::{OutputFormat, Session};
use crate::suite_file::SuiteFile;
use crate::text::machine as text;

/// Runs the command.
pub fn run(args: &MachineSuiteArgs, session: &mut Session) -> Result<Exit, Stop> {
    let OpenedMachine { machine, interface, loaded } = opened(&args.machine, session)?;
    let begin = Instant::now();
    let kind = kind(args.method, &args.complete, &machine)?;
    doubt(args, &machine, &kind, session)?;
    if args.parts {
        return print_parts(args, &machine, &kind, session);
    }
    let effort = session.effort(WorkLimits::default());
    let suite = machine_suite(&machine, &kind, args.complete.extra_states(), &effort)?;
    if let Some(path) = &args.out {
        let mut empty = match &loaded {
            Some(loaded) => Suite::of_model(loaded.source.clone(), Vec::new()),
            None => Suite::new(Vec::new()),
        };
        empty.complete = Some(complete_for(&machine, &kind, args.complete.extra_states()));
        let mut file = SuiteFile::begin(session, path, empty)?;
        let mut made = 0;
        each_case(&machine, &interface, &suite, &mut |case| {
            made += 1;
            // The checker reads the machine from the model once more.
            if let Some(loaded) = &loaded {
                certify_made(loaded, &case, &effort.cancel)?;
            }
            file.add(&case)
        })?;
        file.finish()?;
        let written = format!("{} written to {}\n", count(made, "test case"), path.display());
        session.print(&written)?;
    } else if session.format == OutputFormat::Text {
        return lines(&machine, &suite);
    }
    let cost = suite.cost();
    session.set_result(json!({
        "method": args.method.name(),
        "stages": suite.methods(),
        "extra_states": args.complete.extra_states(),
        "states": machine.state_count(),
        "count": cost.tests,
        "inputs": cost.inputs,
        "cost": cost.total(),
        "seconds": begin.elapsed().as_secs_f64(),
    }));
    Ok(Exit::Success)
}

/// Prints what the G-method makes its tests of.
fn print_parts(
    args: &MachineSuiteArgs,
    machine: &Machine,
    kind: &SuiteKind,
    session: &mut Session,
) -> Result<Exit, Stop> {
    let Some(parts) = g_parts(machine, kind, args.complete.extra_states())? else {
        let message = "--parts is for the method g";
        let help = "add `--method g`, or leave the option out";
        return Err(Diagnostic::global("option", message).help(help).into());
    };
    session.print(&text::parts(machine, &parts))?;
    session.set_result(text::parts_json(machine, &parts));
    Ok(Exit::Success)
}

/// Prints one test per line, as they are found.
fn lines(machine: &Machine, suite: &Stages) -> Result<Exit, Stop> {
    let mut failed = None;
    let mut lines = std::io::BufWriter::new(std::io::stdout().lock());
    suite.each(&mut |_, word| {
        if failed.is_none() {
            failed = writeln!(lines, "{}", test_line(machine, word)).err();
        }
    });
    let written = failed.map_or_else(|| lines.flush(), Err);
    drop(lines);
    match written {
        Ok(()) => Ok(Exit::Success),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Stop::BrokenPipe),
        Err(error) => {
            let message = format!("cannot write the tests: {error}");
            Err(Diagnostic::global("cannot-write", message).into())
        }
    }
}

/// Warns if an implementation shows that the words of the method G get fewer answers than stated.
fn doubt(
    args: &MachineSuiteArgs,
    machine: &Machine,
    kind: &SuiteKind,
    session: &mut Session,
) -> Result<(), Stop> {
    let (Some(name), SuiteKind::G(words, classes, _)) = (&args.implementation, kind) else {
        return Ok(());
    };
    let load = args.machine.load.options();
    let built = open_machine(name, None, &load, &mut session.texts)?.machine;
    let found = classes_in(machine, words, &built);
    if found < *classes {
        let message = format!(
            "the words get {} in `{name}`, not at least {classes}: the suite is not complete for it",
            count(found, "different answer")
        );
        session.warn(Diagnostic::global("few-classes", message));
    }
    Ok(())
}

/// How the suite is made that is asked for.
pub fn kind(method: MethodArg, args: &CompleteArgs, machine: &Machine) -> Result<SuiteKind, Stop> {
    if let Some(method) = method.method() {
        let unused = args.given_for_g();
        return match unused {
            None => Ok(SuiteKind::By(method)),
            Some(option) => {
                let message = format!("{option} is for the method g");
                let help = "add `--method g`, or leave the option out";
                Err(Diagnostic::global("option", message).help(help).into())
            }
        };
    }
    let second = match args.second_stage.map(|second| (second.method(), second)) {
        Some((None, _)) => {
            let message = "the method g cannot be its own second stage";
            let help = "name another one, such as `--second-stage s`";
            return Err(Diagnostic::global("option", message).help(help).into());
        }
        second => second.and_then(|(method, _)| method),
    };
    let mut words = read_tests(machine, &args.word.join("\n"))?;
    // The empty word is a word, too.
    if words.is_empty() {
        words.push(Word::new());
    }
    Ok(SuiteKind::G(words, args.classes.unwrap_or(1), second))
}
