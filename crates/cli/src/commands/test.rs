//! `tioga test`: test cases are made and run in one go; or there are none, and the model is followed on
//! line.

use std::path::Path;

use tioga_base::{Diagnostic, Rational, Severity};
use tioga_execute::Online;
use tioga_model::Direction;
use tioga_testcase::{Action, Suite, TestCase};

use super::run::{Matter, begin, expect_outputs, model_text, settings};
use super::{cover, synth};
use crate::args::TestArgs;
use crate::exit::{Exit, Stop};
use crate::load;
use crate::output::Session;
use crate::systems::Source;

/// Runs the command.
pub fn run(args: &TestArgs, session: &mut Session) -> Result<Exit, Stop> {
    let argument = &args.wanted.model.model;
    if argument == "-" {
        let message = "the journal keeps the model, which needs a name";
        let help = "put the model into a file";
        return Err(session.stop(Diagnostic::global("no-name", message).help(help)));
    }
    expect_outputs(&args.runs, session)?;
    let (cases, online, missing) = if args.online {
        let (case, online) = online(args, session)?;
        (vec![case], Some(online), false)
    } else {
        let (cases, missed) = synth::cases(&args.wanted, session)?;
        for one in missed.iter().filter(|_| args.wanted.cover.is_none()) {
            let message = format!("no test case for {}: {}", one.purpose, one.why);
            let mut warning = Diagnostic::global("no-test-case", message);
            warning.severity = Severity::Warning;
            session.diagnostics.push(warning);
        }
        (cases, None, args.wanted.cover.is_none() && !missed.is_empty())
    };
    if cases.is_empty() {
        session.print("there is nothing to run\n")?;
        return Ok(Exit::Negative);
    }
    let system = args.sut.clone().unwrap_or_else(|| format!("model:{argument}"));
    if args.sut.is_none() {
        session.print("no --sut: the model is tested against itself\n")?;
    }
    let model = Some(model_text(session, argument)?);
    let matter = Matter { suite: Suite::new(cases), model, online, system };
    let settings = settings(matter, &args.runs, &args.reach, session)?;
    let source = Source::open(session, &settings)?;
    let name = Path::new(argument.trim_start_matches('@'));
    let exit = begin(settings, source, name, &args.runs, &args.pace, session)?;
    Ok(if missing && exit == Exit::Success { Exit::Negative } else { exit })
}

/// What is tested on line: the interface, and how.
fn online(args: &TestArgs, session: &mut Session) -> Result<(TestCase, Online), Stop> {
    let goal = match &args.wanted.purpose[..] {
        [] => None,
        [purpose] if purpose.starts_with("reach ") && !purpose.contains(" within ") => {
            purpose.strip_prefix("reach ").map(str::to_owned)
        }
        _ => {
            let message = "on line there is one purpose at most, of the form `reach CONDITION`";
            return Err(session.stop(Diagnostic::global("unsupported", message)));
        }
    };
    let model = load::model(session, &args.wanted.model)?.model;
    let longest_wait =
        args.longest_wait.unwrap_or_else(|| cover::largest_constant(&model).max(Rational::ONE));
    let actions = |direction: Direction| {
        let channels =
            model.channels.iter().filter(move |channel| channel.direction == Some(direction));
        channels
            .map(|channel| Action { channel: channel.name.clone(), values: Vec::new() })
            .collect()
    };
    let (inputs, outputs) = (actions(Direction::Input), actions(Direction::Output));
    let mut case = TestCase::without_purpose("online", &model.name, inputs, outputs);
    case.summary.purpose = goal.as_ref().map_or_else(
        || format!("{} actions that conform", args.actions),
        |goal| format!("reach {goal}"),
    );
    Ok((case, Online { goal, actions: args.actions, longest_wait }))
}
