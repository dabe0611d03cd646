//! The commands, one file each. A command reads its options, does its work, prints its result
//! through the session and says how it ended.

mod completions;
mod examples;
mod man;

use crate::args::Command;
use crate::exit::{Exit, Stop};
use crate::output::Session;

/// Runs a command.
pub fn run(command: &Command, session: &mut Session) -> Result<Exit, Stop> {
    match command {
        Command::Examples(args) => examples::run(args, session),
        Command::Completions(args) => completions::run(args, session),
        Command::Man(args) => man::run(args, session),
    }
}
