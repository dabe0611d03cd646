//! `tioga machine suite`: complete suites, as lines or as test cases.

use std::io::Write;
use std::time::Instant;

use serde_json::json;
use tioga::machines::{
    OpenedMachine, SuiteKind, classes_in, machine_cases, machine_suite, open_machine, read_tests,
    test_line,
};
use tioga::words::count;
use tioga_base::Diagnostic;
use tioga_machines::{Machine, Method, Word};
use tioga_testcase::Suite;

use super::opened::opened;
use crate::args::{MachineSuiteArgs, MethodArg};
use crate::exit::{Exit, Stop};
use crate::output::{OutputFormat, Session};
use crate::text::machine as text;

/// Runs the command.
pub fn run(args: &MachineSuiteArgs, session: &mut Session) -> Result<Exit, Stop> {
    let OpenedMachine { machine, interface, source } = opened(&args.machine, session)?;
    let begin = Instant::now();
    let kind = kind(args, &machine)?;
    doubt(args, &machine, &kind, session)?;
    let suite = machine_suite(&machine, &kind, args.extra_states)?;
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

/// Warns if an implementation shows that the words of the method G do not do what is said of them.
fn doubt(
    args: &MachineSuiteArgs,
    machine: &Machine,
    kind: &SuiteKind,
    session: &mut Session,
) -> Result<(), Stop> {
    let (Some(name), SuiteKind::G(words, classes)) = (&args.implementation, kind) else {
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
