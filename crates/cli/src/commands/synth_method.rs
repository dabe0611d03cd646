//! `tioga synth --method`: test cases that are made in another way than by solving a game.

use tioga::confirm::{ConfirmOptions, Unconfirmed, WhyUnconfirmed, confirm_suite};
use tioga::grids::{GridSuiteOptions, grid_model, grid_purpose, grid_purposes, grid_suite};
use tioga::{
    Cancel, Cause, Failure, GivenPurpose, Loaded, Missed, Synthesis, TestCase, WhyMissed,
    certify_made,
};
use tioga_base::Diagnostic;
use tioga_grids::GridOptions;
use tioga_grids::words::{Criterion, Wanted};

use crate::args::{SynthMethodArg, WantedArgs};
use crate::exit::Stop;
use crate::output::Session;

/// How many words become test cases by default.
const WORDS: usize = 10;

/// Makes test cases by a method, and gives each away.
pub fn synthesize_by(
    method: SynthMethodArg,
    args: &WantedArgs,
    loaded: &Loaded,
    session: &mut Session,
    take: &mut dyn FnMut(TestCase) -> Result<(), Failure>,
) -> Result<Synthesis, Stop> {
    // The product as printed claims more than it shows, and is there for comparison only.
    let as_printed = args.confirm.as_printed;
    let take = &mut |case: TestCase| {
        if !as_printed {
            certify_made(loaded, &case, &Cancel::new())?;
        }
        take(case)
    };
    match method {
        SynthMethodArg::Grid => by_grid(args, loaded, session, take),
        SynthMethodArg::Confirm => by_confirm(args, loaded, session, take),
        _ => {
            let message = "complete suites are made by `tioga synth`";
            let help = "write the suite with `-o SUITE`, and run it with `tioga run SUITE`";
            Err(Diagnostic::global("option", message).help(help).into())
        }
    }
}

/// An option that is not about the method.
fn not_about(option: &str, method: &str) -> Stop {
    let message = format!("{option} is not about `--method {method}`");
    Diagnostic::global("option", message).help("leave it out").into()
}

fn by_confirm(
    args: &WantedArgs,
    loaded: &Loaded,
    session: &mut Session,
    take: &mut dyn FnMut(TestCase) -> Result<(), Failure>,
) -> Result<Synthesis, Stop> {
    let others = [
        (!args.purpose.is_empty(), "--purpose"),
        (args.granularity.is_some(), "--granularity"),
        (args.words.is_some(), "--words"),
    ];
    if let Some((_, option)) = others.into_iter().find(|(given, _)| *given) {
        return Err(not_about(option, "confirm"));
    }
    let options = ConfirmOptions {
        at: args.confirm.at.clone(),
        suspicious: args.confirm.suspicious.clone(),
        as_printed: args.confirm.as_printed,
        max_states: args.max_states as u64,
    };
    let mut effort = session.effort(args.memory.limits(args.synth_timeout));
    let made = confirm_suite(&loaded.model, &options, &mut effort, take);
    drop(effort);
    let made = match made {
        // What was made before a limit is kept.
        Err(failure) if failure.cause == Cause::Limit => {
            let stopped = failure.diagnostics.iter().next().cloned();
            return Ok(Synthesis { stopped, ..Synthesis::default() });
        }
        other => other?,
    };
    let why = |why: WhyUnconfirmed| match why {
        WhyUnconfirmed::Unreachable => WhyMissed::Unreachable,
        WhyUnconfirmed::Equivalent => WhyMissed::Equivalent,
        WhyUnconfirmed::Unknown => WhyMissed::Undecided,
        WhyUnconfirmed::Limit(_) => WhyMissed::Limit,
    };
    made.missed.iter().filter_map(Unconfirmed::warning).for_each(|warning| session.warn(warning));
    let missed =
        made.missed.iter().map(|one| Missed { purpose: one.to_string(), why: why(one.why) });
    Ok(Synthesis { missed: missed.collect(), ..Synthesis::default() })
}

fn by_grid(
    args: &WantedArgs,
    loaded: &Loaded,
    session: &mut Session,
    take: &mut dyn FnMut(TestCase) -> Result<(), Failure>,
) -> Result<Synthesis, Stop> {
    if let Some(option) = args.confirm.given() {
        return Err(not_about(option, "grid"));
    }
    let mut purposes = Vec::new();
    for purpose in &args.purpose {
        match purpose {
            GivenPurpose::Named(name) => purposes.push(name.clone()),
            GivenPurpose::Reach { .. } | GivenPurpose::Walk(_) => {
                let message =
                    "a grid needs a purpose of the model, not a condition to reach or a walk";
                return Err(Diagnostic::global("no-purpose", message).into());
            }
        }
    }
    if purposes.is_empty() {
        purposes = grid_purposes(&loaded.model);
    }
    if purposes.is_empty() {
        purposes.push(grid_purpose(&loaded.model, None)?);
    }
    let words = args.words.unwrap_or(WORDS);
    let options = GridSuiteOptions {
        grid: GridOptions { parts: args.granularity, ..GridOptions::default() },
        // Some words may have no test case, so there are more to choose from.
        criterion: Criterion::Shortest(words.saturating_mul(100)),
        wanted: Wanted::default(),
        words,
        max_states: args.max_states as u64,
    };
    let mut synthesis = Synthesis::default();
    for purpose in purposes {
        let one = grid_model(&loaded.model, Some(&purpose))?;
        let mut effort = session.effort(args.memory.limits(args.synth_timeout));
        let made = grid_suite(&loaded.model, &one, &options, &mut effort, take);
        drop(effort);
        let made = match made {
            // What was made before a limit is kept.
            Err(failure) if failure.cause == Cause::Limit => {
                let stopped = failure.diagnostics.iter().next().cloned();
                return Ok(Synthesis { stopped, ..synthesis });
            }
            other => other?,
        };
        made.warnings.iter().for_each(|warning| session.warn(warning.clone()));
        if made.cases == 0 {
            synthesis.missed.push(Missed { purpose, why: WhyMissed::Unreachable });
        }
    }
    Ok(synthesis)
}
