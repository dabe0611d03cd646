//! `tioga synth`: test cases for the purposes of a model.

use serde_json::{Value, json};
use tioga::{
    Aim, Cover, Failure, Loaded, Missed, Purpose, Synthesis, synthesize, synthesize_each,
    target_of, tester_text,
};
use tioga_testcase::{Suite, TestCase};

use crate::args::{SynthArgs, WantedArgs};
use crate::exit::{Exit, Stop};
use crate::list_file::ListFile;
use crate::output::{OutputFormat, Session};
use crate::text::{case, cover};

/// Runs the command.
pub fn run(args: &SynthArgs, session: &mut Session) -> Result<Exit, Stop> {
    let wanted = &args.wanted;
    let (loaded, aim) = read(wanted, session)?;
    let covered = wanted.cover.map(Cover::from);
    let frame = json!(Suite::of_model(loaded.source.clone(), Vec::new()));
    let file = args.out.as_ref().map(|path| ListFile::begin(session, path, &frame, "cases"));
    let mut sink = Sink {
        covered: covered.is_some(),
        tester: args.tester.is_some(),
        whole: session.format == OutputFormat::Json,
        file: file.transpose()?,
        ..Sink::default()
    };
    let mut effort = session.effort(wanted.memory.limits(wanted.synth_timeout));
    let take = &mut |one| sink.take(one);
    let made = synthesize_each(&loaded, &aim, &wanted.options(), &mut effort, take);
    drop(effort);
    let Synthesis { missed, stopped, .. } = made.map_err(helped)?;
    if let Some(warning) = covered.and_then(|what| cover::warning(what, &missed)) {
        session.warn(warning);
    }
    let mut text = sink.text;
    match covered {
        Some(what) => text = cover::text(what, &sink.rows, &missed),
        None => {
            for Missed { purpose, why } in &missed {
                text.push_str(&format!("no test case for {purpose}: {why}\n"));
            }
        }
    }
    if let (Some(file), Some(path)) = (sink.file, &args.out) {
        file.finish(&frame)?;
        text.push_str(&format!("suite written to {}\n", path.display()));
    }
    if let (Some(path), Some(case)) = (&args.tester, &sink.first) {
        let contents = tester_text(case, target_of(path)?)?;
        session.write_file(path, contents.as_bytes())?;
        text.push_str(&format!("tester written to {}\n", path.display()));
    }
    session.print(text.trim_start_matches('\n'))?;
    let names: Vec<&str> = missed.iter().map(|one| one.purpose.as_str()).collect();
    let mut suite = frame;
    suite["cases"] = sink.values.into();
    let mut result = json!({ "suite": suite, "impossible": names });
    if let Some(what) = covered {
        result["coverage"] = cover::to_json(what, sink.count, &missed);
    }
    session.set_result(result);
    let done = match covered {
        Some(_) => sink.count > 0,
        None => missed.is_empty(),
    };
    if let Some(why) = stopped {
        session.warn(why);
        return Ok(Exit::Unknown);
    }
    Ok(if done { Exit::Success } else { Exit::Negative })
}

/// What is done with each test case. What is kept of it is little, unless all of it is asked for.
#[derive(Default)]
struct Sink {
    covered: bool,
    tester: bool,
    whole: bool,
    file: Option<ListFile>,
    count: usize,
    first: Option<TestCase>,
    /// The rows of the table of what is covered.
    rows: Vec<[String; 4]>,
    /// Otherwise the test cases in words.
    text: String,
    /// All of them, for `--format json`.
    values: Vec<Value>,
}

impl Sink {
    fn take(&mut self, case: TestCase) -> Result<(), Failure> {
        self.count += 1;
        if self.covered {
            self.rows.push(cover::row(&case));
        } else {
            self.text.push_str(&case::text(&case));
            self.text.push('\n');
        }
        if self.file.is_some() || self.whole {
            let value = json!(case);
            if let Some(file) = &mut self.file {
                file.add(&value)?;
            }
            self.values.extend(self.whole.then_some(value));
        }
        if self.tester {
            self.first.get_or_insert(case);
        }
        Ok(())
    }
}

/// Reads the model, with a purpose made from a run if there is one, and says what is wanted.
fn read(args: &WantedArgs, session: &mut Session) -> Result<(Loaded, Aim), Stop> {
    let queries = Purpose::queries(&args.purpose);
    let (loaded, from_run) = match &args.purpose_from {
        None => (session.read_asking(&args.model, &queries)?, None),
        Some(run) => {
            let (loaded, name) =
                session.read_with_run(&args.model, run, args.purpose_slack, &queries)?;
            (loaded, Some(name))
        }
    };
    Ok((loaded, args.aim(from_run)))
}

/// Reads the model and makes the test cases that are wanted.
pub fn made(args: &WantedArgs, session: &mut Session) -> Result<(Loaded, Synthesis), Stop> {
    let (loaded, aim) = read(args, session)?;
    let mut effort = session.effort(args.memory.limits(args.synth_timeout));
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
    let codes = ["not-observable", "nondeterministic", "no-view"];
    let failure = failure.help_with(&codes, online);
    failure.help_with(&["no-query"], purpose)
}
