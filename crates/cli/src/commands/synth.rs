//! `tioga synth`: test cases for the purposes of a model.

use serde_json::json;
use tioga::{
    Cover, Failure, Loaded, Missed, Purpose, Synthesis, synthesize, target_of, tester_text,
};
use tioga_testcase::Suite;

use crate::args::{SynthArgs, WantedArgs};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::{case, cover};

/// Runs the command.
pub fn run(args: &SynthArgs, session: &mut Session) -> Result<Exit, Stop> {
    let (loaded, made) = made(&args.wanted, session)?;
    let Synthesis { cases, missed } = made;
    let covered = args.wanted.cover.map(Cover::from);
    let mut text = String::new();
    if let Some(what) = covered {
        text = cover::text(what, &cases, &missed);
    } else {
        for one in &cases {
            text.push_str(&case::text(one));
            text.push('\n');
        }
        for Missed { purpose, why } in &missed {
            text.push_str(&format!("no test case for {purpose}: {why}\n"));
        }
    }
    let suite = Suite::of_model(loaded.source, cases);
    let value = json!(suite);
    if let Some(path) = &args.out {
        session.write_file(path, format!("{value:#}\n").as_bytes())?;
        text.push_str(&format!("suite written to {}\n", path.display()));
    }
    if let (Some(path), Some(case)) = (&args.tester, suite.cases.first()) {
        let contents = tester_text(case, target_of(path)?)?;
        session.write_file(path, contents.as_bytes())?;
        text.push_str(&format!("tester written to {}\n", path.display()));
    }
    session.print(text.trim_start_matches('\n'))?;
    let names: Vec<&str> = missed.iter().map(|one| one.purpose.as_str()).collect();
    let mut result = json!({ "suite": value, "impossible": names });
    if let Some(what) = covered {
        result["coverage"] = cover::to_json(what, suite.cases.len(), &missed);
    }
    session.set_result(result);
    let done = match covered {
        Some(_) => !suite.cases.is_empty(),
        None => missed.is_empty(),
    };
    Ok(if done { Exit::Success } else { Exit::Negative })
}

/// Reads the model and makes the test cases that are wanted.
pub fn made(args: &WantedArgs, session: &mut Session) -> Result<(Loaded, Synthesis), Stop> {
    let queries = Purpose::queries(&args.purpose);
    let (loaded, from_run) = match &args.purpose_from {
        None => (session.read_asking(&args.model, &queries)?, None),
        Some(run) => {
            let (loaded, name) =
                session.read_with_run(&args.model, run, args.purpose_slack, &queries)?;
            (loaded, Some(name))
        }
    };
    let mut effort = session.effort(args.synth_timeout);
    let aim = args.aim(from_run);
    let made = synthesize(&loaded, &aim, &args.options(), &mut effort).map_err(helped)?;
    drop(effort);
    let cover = args.cover.map(Cover::from);
    if let Some(warning) = cover.and_then(|what| cover::warning(what, &made.missed)) {
        session.warn(warning);
    }
    Ok((loaded, made))
}

/// What a user of test synthesis can do about a failure.
fn helped(failure: Failure) -> Failure {
    let online = "`tioga test --online` tests with such a model, without test cases";
    let purpose = "say what to test with -p 'reach CONDITION', or give the model a purpose";
    let failure = failure.help_with(&["not-observable", "nondeterministic"], online);
    failure.help_with(&["no-query"], purpose)
}
