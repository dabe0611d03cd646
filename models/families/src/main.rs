//! The command `tioga-families`: prints one member of a family of benchmark models.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;
use tioga_families::{Family, Format};

/// Prints a benchmark model of any size
///
/// A family is one system with a parameter for its size: mutual exclusion of 5 processes, of 6, of
/// 7. State spaces grow fast with it, so families show how an analysis scales. Every member can be
/// printed in two languages, with the same behaviour; games exist in Tioga's language only.
#[derive(Parser)]
#[command(name = "tioga-families", version, arg_required_else_help = true, after_help = EXAMPLES)]
#[command(subcommand_value_name = "FAMILY", subcommand_help_heading = "Families")]
struct Arguments {
    #[command(subcommand)]
    family: Family,
    /// The language of the model
    #[arg(long, global = true, value_name = "FORMAT", default_value = "tioga")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  tioga-families fischer 5                        five processes, delay 10
  tioga-families fischer 5 3 --format tck         delay 3, for TChecker
  tioga-families job-shop 3 4 5 20 7              3 machines, 4 jobs, seed 7
  tioga-families csmacd 8 > csmacd_8.tioga        into a file
  tioga-families jobs 5 -1                        a game that one unit more would win
  tioga-families help fddi                        the parameters of a family

Exit codes: 0 printed, 2 wrong command line, no such text, or the output cannot be written.";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let text = match arguments.family.text(arguments.format) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("error: {error}; leave out `--format tck`");
            return ExitCode::from(2);
        }
    };
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader such as `head` that has seen enough is no error.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write the model: {error}");
            ExitCode::from(2)
        }
    }
}
