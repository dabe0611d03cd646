//! `tioga synth --method`: complete suites of models that are finite machines, or are in units of time.

use serde_json::json;
use tioga::machines::{
    SuiteSubject, complete_for, machine_of, machine_suite, minimised, timed_machine,
};
use tioga::words::count;
use tioga::{Cause, Effort, Failure, Loaded, certify_made};
use tioga_base::Diagnostic;
use tioga_testcase::{Suite, TestCase};

use super::machine::kind;
use super::synth;
use crate::args::{MethodArg, SynthArgs, SynthMethodArg};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::suite_out::SuiteOut;
use crate::text::case;

/// After how many test cases the size of the process is looked at.
const REPORTED: usize = 64;

/// Runs `tioga synth`, by a method or for purposes.
pub fn or_purposes(args: &SynthArgs, session: &mut Session) -> Result<Exit, Stop> {
    let method = args.wanted.method.and_then(SynthMethodArg::complete);
    match (method, args.of_complete()) {
        (Some(method), _) => {
            let option = args.wanted.of_purposes().or_else(|| args.wanted.confirm.given());
            if let Some(option) = option {
                let message = format!("{option} is about test cases for purposes");
                let help = "leave it out: a complete suite is about the whole machine";
                return Err(Diagnostic::global("option", message).help(help).into());
            }
            run(args, method, session)
        }
        (None, None) => synth::run(args, session),
        (None, Some(option)) => {
            let message = format!("{option} is about complete suites");
            let help = "say how the suite is made, such as `--method s`";
            Err(Diagnostic::global("option", message).help(help).into())
        }
    }
}

/// The machine that a model is.
fn subject(
    args: &SynthArgs,
    loaded: &Loaded,
    effort: &mut Effort<'_>,
) -> Result<SuiteSubject, Stop> {
    let wanted = &args.wanted;
    if !loaded.model.clocks.is_empty() {
        let most = wanted.max_states as u64;
        let timed = timed_machine(&loaded.model, wanted.granularity, most, effort)?;
        return Ok(SuiteSubject::Timed(Box::new(timed)));
    }
    if let Some(option) = wanted.of_clocks() {
        let message = format!("{option} is about models with clocks");
        return Err(Diagnostic::global("option", message).help("leave it out").into());
    }
    let without = "without `--method`, `tioga synth` makes test cases for purposes, and the model may have \
                   any steps";
    let (machine, interface) =
        machine_of(&loaded.model).map_err(|failure| failure.help_with(&["machine"], without))?;
    let machine = if args.minimise { minimised(&machine)? } else { machine };
    Ok(SuiteSubject::Plain(Box::new(machine), interface))
}

fn run(args: &SynthArgs, method: MethodArg, session: &mut Session) -> Result<Exit, Stop> {
    let loaded = session.read_asking(&args.wanted.model, &[])?;
    let limits = args.wanted.memory.limits(args.wanted.synth_timeout);
    let mut effort = session.effort(limits);
    let subject = subject(args, &loaded, &mut effort)?;
    let machine = subject.machine();
    let kind = kind(method, &args.complete, machine)?;
    let extra_states = args.complete.extra_states();
    let suite = machine_suite(machine, &kind, extra_states, &effort)?;
    let empty = Suite::of_model(loaded.source.clone(), Vec::new());
    let mut out = SuiteOut::begin(args, &empty, session)?;
    let (mut text, mut made) = (String::new(), 0);
    let take = &mut |one: TestCase| {
        going_on(&mut effort, made)?;
        made += 1;
        certify_made(&loaded, &one, &effort.cancel)?;
        if !out.is_full() {
            text.push_str(&format!("{}\n", case::text(&one)));
        }
        out.add(&one)
    };
    let done = subject.each_case(&loaded.model, &suite, take);
    drop(effort);
    // What was made before a limit is kept.
    let stopped = match done {
        Err(failure) if failure.cause == Cause::Limit => failure.diagnostics.iter().next().cloned(),
        other => other.map(|()| None)?,
    };
    let domain = subject.domain(&kind, extra_states);
    let complete = stopped.is_none().then(|| suite.cost());
    match &complete {
        Some(cost) => {
            let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
            text.push_str(&format!(
                "{} with {}, complete for {domain}\n",
                count(number(cost.tests), "test case"),
                count(number(cost.inputs), "input"),
            ));
        }
        None => text.push_str(&format!("{}, not complete\n", count(made, "test case"))),
    }
    if complete.is_some() {
        out.claim(&complete_for(machine, &kind, extra_states));
    }
    let (frame, values) = out.finish(&mut text, session)?;
    session.print(&text)?;
    let mut result = json!({
        "suite": frame,
        "impossible": [],
        "complete": {
            "method": method.name(),
            "stages": suite.methods(),
            "states": machine.state_count(),
            "extra_states": extra_states,
            "domain": domain,
        },
    });
    if let Some(cost) = complete {
        result["complete"]["count"] = cost.tests.into();
        result["complete"]["inputs"] = cost.inputs.into();
        result["complete"]["cost"] = cost.total().into();
    }
    if let Some(unit) = subject.unit() {
        result["complete"]["granularity"] = unit.into();
    }
    session.set_result_with(result, values);
    if let Some(why) = stopped {
        session.warn(why);
        return Ok(Exit::Unknown);
    }
    Ok(Exit::Success)
}

/// Ends the work if a limit is reached, and tells how far it is.
fn going_on(effort: &mut Effort<'_>, made: usize) -> Result<(), Failure> {
    if made.is_multiple_of(REPORTED) {
        effort.done(made, "test cases made");
        effort.keep_within_memory();
    }
    effort.check("synthesis")
}
