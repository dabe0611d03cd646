//! `tioga calibrate`: how long messages between tester and system are under way, measured.

use tioga::{CalibrateOptions, calibrate, system};

use crate::args::CalibrateArgs;
use crate::exit::{Exit, Stop};
use crate::measure::WorkLimits;
use crate::output::Session;
use crate::text::calibrate as told;

/// Runs the command.
pub fn run(args: &CalibrateArgs, session: &mut Session) -> Result<Exit, Stop> {
    let loaded = match &args.model {
        Some(name) => Some(session.read_named(name, &args.load, &[])?),
        None => None,
    };
    let source = loaded.as_ref().map(|loaded| &loaded.source);
    let system = system(&args.sut, source, &mut session.texts)?;
    let options = CalibrateOptions {
        protocol: args.protocol.map(Into::into),
        unit: args.unit,
        limits: args.limits.limits(),
        resets: usize::try_from(args.exchanges).unwrap_or(usize::MAX),
        runs: args.runs,
        actions: args.actions,
        timeout: args.timeout,
        seed: args.seed,
    };
    let mut effort = session.effort(WorkLimits::default());
    let texts = &mut session.texts;
    let measured = calibrate(&system, loaded.as_ref(), &options, texts, &mut effort)?;
    drop(effort);
    session.print(&told::text(&measured))?;
    session.set_result(told::json(&measured));
    Ok(if measured.suggested.is_some() { Exit::Success } else { Exit::Negative })
}
