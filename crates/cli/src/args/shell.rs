//! Options of the commands that fit Tioga into a shell: `tioga completions` and `tioga man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::help::paragraphs;

/// Options of `tioga completions`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(COMPLETIONS_HELP))]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

const COMPLETIONS_HELP: &str = "\
Examples:
  tioga completions bash > ~/.local/share/bash-completion/completions/tioga
  tioga completions zsh > ~/.zfunc/_tioga
  tioga completions fish > ~/.config/fish/completions/tioga.fish";

/// Options of `tioga man`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(MAN_HELP))]
pub struct ManArgs {
    /// Where to write one page per command [default: print the main page]
    #[arg(value_name = "DIR")]
    pub directory: Option<PathBuf>,
}

const MAN_HELP: &str = "\
Examples:
  tioga man > tioga.1
  tioga man ~/.local/share/man/man1";
