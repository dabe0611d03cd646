//! `tioga synth`: test cases for the purposes of a model.

use serde_json::json;
use tioga::{
    Aim, Failure, GivenPurpose, Loaded, Missed, Synthesis, WhyMissed, synthesize, synthesize_each,
};
use tioga_base::Diagnostic;
use tioga_testcase::{Suite, TestCase};

use super::cover as cover_suite;
use super::synth_method::synthesize_by;
use crate::args::{SynthArgs, WantedArgs};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::suite_out::SuiteOut;
use crate::text::offer::{Offer, offered};
use crate::text::{case, cover};

/// What online tests cover where test cases were wanted for something else.
const EDGES: &str = "edges,boundaries";

/// Runs the command.
pub fn run(args: &SynthArgs, session: &mut Session) -> Result<Exit, Stop> {
    let wanted = &args.wanted;
    if wanted.budget.is_some() && (wanted.cover.is_empty() || wanted.each) {
        let message = "`--budget` is for suites that `--cover` makes as a whole";
        let help = "`--synth-timeout` limits the time of other test cases";
        return Err(Diagnostic::global("usage", message).help(help).into());
    }
    let (loaded, aim) = read(wanted, session)?;
    if !wanted.cover.is_empty() && !wanted.each {
        return cover_suite::run(args, &loaded, session);
    }
    let covered = Some(wanted.covers()).filter(|covers| !covers.is_empty());
    let covered = covered.as_deref();
    let empty = Suite::of_model(loaded.source.clone(), Vec::new());
    let mut sink = Sink {
        covered: covered.is_some(),
        out: SuiteOut::begin(args, &empty, session)?,
        count: 0,
        rows: Vec::new(),
        text: String::new(),
        idle: Vec::new(),
    };
    let take = &mut |one| sink.take(one);
    let made = match wanted.method {
        Some(method) => synthesize_by(method, wanted, &loaded, session, take)?,
        None => {
            let mut effort = wanted.effort(session, wanted.synth_timeout);
            synthesize_each(&loaded, &aim, &wanted.options(), &mut effort, take)
                .map_err(|failure| offered(failure, &Offer::of(wanted, None, EDGES)))?
        }
    };
    let Synthesis { missed, stopped, .. } = made;
    if let Some(warning) = covered.and_then(|what| cover::warning(what, &missed)) {
        session.warn(warning);
    }
    sink.idle.into_iter().for_each(|idle| session.warn(idle));
    let mut text = sink.text;
    match covered {
        Some(what) => text = cover::text(what, &sink.rows, &missed),
        None => {
            for Missed { purpose, why } in &missed {
                text.push_str(&format!("no test case for {purpose}: {why}\n"));
            }
        }
    }
    let (frame, values) = sink.out.finish(&mut text, session)?;
    session.print(text.trim_start_matches('\n'))?;
    let names: Vec<&str> = missed.iter().map(|one| one.purpose.as_str()).collect();
    let mut result = json!({ "suite": frame, "impossible": names });
    if let Some(what) = covered {
        result["coverage"] = cover::to_json(what, sink.count, &missed);
    }
    session.set_result_with(result, values);
    let done = match covered {
        Some(_) => sink.count > 0,
        None => missed.is_empty(),
    };
    if let Some(why) = stopped {
        session.warn(why);
        return Ok(Exit::Unknown);
    }
    Ok(match done {
        true => Exit::Success,
        false if missed.iter().any(|one| one.why == WhyMissed::Limit) => Exit::Unknown,
        false => Exit::Negative,
    })
}

/// What is done with each test case. What is kept of it is little, unless all of it is asked for.
struct Sink<'a> {
    covered: bool,
    out: SuiteOut<'a>,
    count: usize,
    /// The rows of the table of what is covered.
    rows: Vec<[String; 4]>,
    /// Otherwise the test cases in words.
    text: String,
    /// That one has nothing to do, if one has.
    idle: Vec<Diagnostic>,
}

impl Sink<'_> {
    fn take(&mut self, case: TestCase) -> Result<(), Failure> {
        self.count += 1;
        self.idle.extend(cover::nothing_to_do(
            Some(&case).filter(|case| case.passes_at_once()).into_iter(),
        ));
        if self.covered {
            self.rows.push(cover::row(&case));
        } else {
            self.text.push_str(&case::text(&case));
            self.text.push('\n');
        }
        self.out.add(&case)
    }
}

/// Reads the model, with a purpose made from a run if there is one, and says what is wanted.
pub fn read(args: &WantedArgs, session: &mut Session) -> Result<(Loaded, Aim), Stop> {
    let queries = GivenPurpose::queries(&args.purpose);
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
pub fn made(
    args: &WantedArgs,
    sut: Option<&str>,
    session: &mut Session,
) -> Result<(Loaded, Synthesis), Stop> {
    let (loaded, aim) = read(args, session)?;
    if let Some(method) = args.method {
        let mut cases = Vec::new();
        let made = synthesize_by(method, args, &loaded, session, &mut |case| {
            cases.push(case);
            Ok(())
        })?;
        return Ok((loaded, Synthesis { cases, ..made }));
    }
    let mut effort = args.effort(session, args.synth_timeout);
    let made = synthesize(&loaded, &aim, &args.options(), &mut effort)
        .map_err(|failure| offered(failure, &Offer::of(args, sut, EDGES)))?;
    drop(effort);
    if !args.cover.is_empty()
        && let Some(warning) = cover::warning(&args.covers(), &made.missed)
    {
        session.warn(warning);
    }
    Ok((loaded, made))
}
