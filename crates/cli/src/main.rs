//! The command `tioga`. What it does is in [`commands`]; this file only starts it and ends it.

mod args;
mod assumption_text;
mod campaign_text;
mod case_model;
mod case_text;
mod case_urgency;
mod clock_text;
mod commands;
mod diagram_file;
mod examples;
mod exit;
mod explain_text;
mod format;
mod input;
mod interface;
mod journal_file;
mod load;
mod log_lines;
mod made_text;
mod measure;
mod new_file;
mod output;
mod panic;
mod progress;
mod property_text;
mod recorded;
mod render;
mod run_text;
mod state_argument;
mod state_text;
mod strategy_text;
mod suite_file;
mod survey_text;
mod systems;
mod testers;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    panic::guard(|| {
        let cli = match args::Cli::try_parse() {
            Ok(cli) => cli,
            Err(error) => {
                // Help and version arrive here too. If nobody reads them, nobody misses them.
                let _ = error.print();
                return if error.use_stderr() { exit::Exit::BadInput } else { exit::Exit::Success };
            }
        };
        let mut session = output::Session::new(cli.format, cli.color);
        let outcome = commands::run(&cli.command, &mut session);
        session.finish(cli.command.name(), outcome)
    })
    .into()
}
