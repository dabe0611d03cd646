//! `tioga completions`: prints a completion script for a shell.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::exit::{Exit, Stop};
use crate::output::Session;

/// Runs the command.
pub fn run(args: &CompletionsArgs, session: &mut Session) -> Result<Exit, Stop> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tioga", &mut script);
    let script = String::from_utf8_lossy(&script);
    session.print_as_is(&script)?;
    session.set_result(script.into());
    Ok(Exit::Success)
}
