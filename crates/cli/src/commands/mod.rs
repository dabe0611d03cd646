//! The commands, one file each. A command reads its options, does its work, prints its result
//! through the session and says how it ended.

mod calibrate;
mod certify;
mod check;
mod complete;
mod completions;
mod conform;
mod convert;
mod corpus;
mod cover;
mod determinize;
mod diff;
mod examples;
mod explain;
mod fmt;
mod grid;
mod interactive;
mod machine;
mod man;
mod monitor;
mod mutate;
mod mutation;
mod mutation_suite;
mod named_files;
mod new;
mod play;
mod product;
mod reach;
mod replay;
mod replay_run;
mod report;
mod resume;
mod run;
mod shrink;
mod simulate;
mod solve;
mod studio;
mod symbolic;
mod synth;
mod synth_method;
mod test;
mod typed;
mod walks;

use std::path::Path;

use tioga::unclosed_journal;
use tioga_conform::Relation;

use crate::args::Command;
use crate::exit::{Exit, Stop};
use crate::output::Session;

/// Runs a command.
pub fn run(command: &Command, session: &mut Session) -> Result<Exit, Stop> {
    session.keep_apart(named_files::of(command))?;
    if let Some(warning) = journal_of(command).and_then(unclosed_journal) {
        session.warn(warning);
    }
    session.closed = reads_closed(command);
    match command {
        Command::Check(args) => check::run(args, session),
        Command::Simulate(args) => simulate::run(args, session),
        Command::Replay(args) => replay::run(args, session),
        Command::Reach(args) => reach::run(args, session),
        Command::Solve(args) => solve::run(args, session),
        Command::Play(args) => play::run(args, session),
        Command::Synth(args) => complete::or_purposes(args, session),
        Command::Certify(args) => certify::run(args, session),
        Command::Test(args) => test::run(args, session),
        Command::Mutation(args) => mutation::run(args, session),
        Command::Run(args) => run::run(args, session),
        Command::Calibrate(args) => calibrate::run(args, session),
        Command::Resume(args) => resume::run(args, session),
        Command::Shrink(args) => shrink::run(args, session),
        Command::Report(args) => report::run(args, session),
        Command::Explain(args) => explain::run(args, session),
        Command::Monitor(args) => monitor::run(args, session),
        Command::Product(args) => product::run(args, session),
        Command::Determinize(args) => determinize::run(args, session),
        Command::Symbolic(args) => symbolic::run(args, session),
        Command::Conform(args) => {
            let relation = match args.served {
                true => Relation::ConformsWhenServed,
                false => Relation::Conforms,
            };
            conform::run(&args.compare, relation, session)
        }
        Command::Refines(args) => conform::run(&args.compare, Relation::Refines, session),
        Command::Diff(args) => diff::run(args, session),
        Command::Mutate(args) => mutate::run(args, session),
        Command::Machine(args) => machine::run(args, session),
        Command::Grid(args) => grid::run(args, session),
        Command::Studio(args) => studio::run(args, session),
        Command::Convert(args) => convert::run(args, session),
        Command::Corpus(args) => corpus::run(args, session),
        Command::Fmt(args) => fmt::run(args, session),
        Command::New(args) => new::run(args, session),
        Command::Examples(args) => examples::run(args, session),
        Command::Completions(args) => completions::run(args, session),
        Command::Man(args) => man::run(args, session),
    }
}

/// Whether a command asks about a model what UPPAAL would be asked, so that a system without interface is
/// closed. The others make or run tests, which need one.
fn reads_closed(command: &Command) -> bool {
    matches!(
        command,
        Command::Check(_)
            | Command::Simulate(_)
            | Command::Replay(_)
            | Command::Reach(_)
            | Command::Solve(_)
            | Command::Play(_)
            | Command::Studio(_)
            | Command::Convert(_)
    )
}

/// The journal that a command reads.
fn journal_of(command: &Command) -> Option<&Path> {
    match command {
        Command::Report(args) => Some(&args.journal),
        Command::Explain(args) => Some(&args.journal),
        Command::Shrink(args) => Some(&args.journal),
        Command::Resume(args) => Some(&args.journal),
        Command::Replay(args) => Some(Path::new(&args.model)),
        _ => None,
    }
}
