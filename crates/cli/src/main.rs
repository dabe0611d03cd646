//! The command `tioga`. What it does is in [`commands`]; this file only starts it and ends it.

mod args;
mod commands;
mod exit;
mod files;
mod item;
mod list_file;
mod measure;
mod memory;
mod output;
mod panic;
mod progress;
mod spool;
mod suite_file;
mod suite_out;
mod teller;
mod text;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use tioga::Failure;
use tioga_base::Diagnostic;

use output::{Colour, OutputFormat, Session};

fn main() -> ExitCode {
    panic::guard(|| {
        let cli = match args::parsed(std::env::args_os().collect()) {
            Ok(cli) => cli,
            Err(args::Refused::Usage(mut error)) => {
                // An option that does not exist is hardly meant as a value.
                if error.kind() == ErrorKind::UnknownArgument {
                    error.insert(ContextKind::Suggested, ContextValue::None);
                }
                return refused(&error);
            }
            Err(args::Refused::Project(session, command, failure)) => {
                return session.finish(Some(command), Err(failure.into()));
            }
        };
        let (format, color, name) = (cli.format, cli.color, cli.command.name());
        measure::watch_signals(move |reason| {
            let message = format!("stopped early: {reason}");
            let note = "one step of the computation took too long to be waited for";
            let diagnostic = Diagnostic::global("limit", message).note(note);
            Session::new(format, color).finish(Some(name), Err(Failure::limit(diagnostic).into()));
        });
        let mut session = Session::new(cli.format, cli.color);
        let outcome = commands::run(&cli.command, &mut session);
        session.finish(Some(cli.command.name()), outcome)
    })
    .into()
}

/// Ends a run whose command line is wrong, or that only wants to know the help or the version.
fn refused(error: &clap::Error) -> exit::Exit {
    if !error.use_stderr() {
        // Help that cannot be printed is not missed.
        let _ = error.print();
        return exit::Exit::Success;
    }
    if !args::wants_json(std::env::args().skip(1)) {
        let _ = error.print();
        return exit::Exit::BadInput;
    }
    let text = error.render().to_string();
    let (message, rest) = text.trim().split_once("\n\n").unwrap_or((text.trim(), ""));
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let mut diagnostic = Diagnostic::global("usage", message);
    if !rest.trim().is_empty() {
        diagnostic = diagnostic.note(rest.trim());
    }
    Session::new(OutputFormat::Json, Colour::Never).finish(None, Err(diagnostic.into()))
}
