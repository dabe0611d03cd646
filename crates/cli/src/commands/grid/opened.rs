//! The grid that a command is about.

use tioga::grids::{
    GridModel, build_grid, grid_model, grid_purpose, grid_purposes, grid_resolution, hidden,
};
use tioga::{Cause, Failure, Loaded};
use tioga_base::Diagnostics;
use tioga_grids::{Ends, GridAutomaton};

use crate::args::OneGridArgs;
use crate::exit::Stop;
use crate::output::Session;
use crate::text::grid as text;

/// Whether a command takes a purpose that no option names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unnamed {
    /// The only one of the model; there must be one.
    Needed,
    /// The only one of the model, if it has purposes for grids.
    Taken,
    /// None: the model alone is the subject.
    Ignored,
}

/// Reads the model and takes its product with the purpose, if there is one.
pub fn opened(
    args: &OneGridArgs,
    unnamed: Unnamed,
    session: &mut Session,
) -> Result<(Loaded, GridModel), Stop> {
    let loaded = session.read(&args.model)?;
    let asked = args.purpose.as_deref();
    let takes = match unnamed {
        Unnamed::Needed => true,
        Unnamed::Taken => asked.is_some() || !grid_purposes(&loaded.model).is_empty(),
        Unnamed::Ignored => asked.is_some(),
    };
    let purpose = takes.then(|| grid_purpose(&loaded.model, asked)).transpose()?;
    let one = grid_model(&loaded.model, purpose.as_deref())?;
    for left_out in &one.product.left_out {
        let message = format!("the grid leaves out {left_out}");
        session.warn(text::warning(message));
    }
    Ok((loaded, one))
}

/// Builds the grid, and warns of what it hides.
pub fn built(
    args: &OneGridArgs,
    unnamed: Unnamed,
    ends: Ends,
    session: &mut Session,
) -> Result<(Loaded, GridModel, GridAutomaton), Stop> {
    let (loaded, one) = opened(args, unnamed, session)?;
    let resolution = grid_resolution(&one.product, &args.fineness.options())?;
    let mut effort = session.effort(args.memory.limits(args.timeout));
    let grid = build_grid(&one.product, &resolution, ends, args.max_states, &mut effort)
        .map_err(more_states)?;
    // Where a grid ends early, what it does not show is not hidden by its granularity.
    if ends == Ends::Expanded {
        let hides = hidden(&loaded.model, &one, &grid, &mut effort);
        text::hidden_warnings(&grid, &hides).into_iter().for_each(|warning| session.warn(warning));
    }
    drop(effort);
    Ok((loaded, one, grid))
}

/// What to do about a grid that is too large.
pub fn more_states(failure: Failure) -> Failure {
    if failure.cause != Cause::Limit {
        return failure;
    }
    let mut all = Diagnostics::new();
    for one in failure.diagnostics.iter().cloned() {
        all.push(match one.help {
            None => one.help("`--max-states` allows more; a coarser `--granularity` needs fewer"),
            Some(_) => one,
        });
    }
    Failure { diagnostics: all, ..failure }
}
