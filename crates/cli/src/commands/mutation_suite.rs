//! The suite that `tioga mutation` runs.

use tioga::{Aim, Cover, Criterion, Effort, Loaded, SynthesisOptions, read_suite, synthesize};
use tioga_base::Diagnostic;
use tioga_testcase::{Shape, TestCase};

use crate::args::MutationArgs;
use crate::exit::Stop;
use crate::output::Session;
use crate::text::cover;

/// The test cases: those of the files given, or new ones.
pub fn suite(
    args: &MutationArgs,
    session: &mut Session,
    loaded: &Loaded,
    effort: &mut Effort<'_>,
) -> Result<Vec<TestCase>, Stop> {
    let mut cases = Vec::new();
    for path in &args.suite {
        cases.extend(read_suite(&mut session.texts, path)?.cases);
    }
    if !args.suite.is_empty() {
        return Ok(cases);
    }
    let what = match args.cover.map(Criterion::from) {
        None => Cover::Edges,
        Some(Criterion::Cover(what)) => what,
        Some(Criterion::Mutants) => {
            let message =
                "a suite that kills mutants is made by `tioga synth --cover mutants -o SUITE`";
            let help = "run it with `--suite SUITE`";
            return Err(Diagnostic::global("unsupported", message).help(help).into());
        }
    };
    let aim = Aim::Cover { what: vec![what], then: what != Cover::Locations };
    let shape = args.shape.map_or(Shape::Automaton, Shape::from);
    session.print(&format!(
        "suite: a test case of the shape {} for every {}{}; each is run up to {} against each mutant\n",
        shape.name(),
        what.noun(),
        if what == Cover::Locations { "" } else { ", until an output or a silence follows" },
        if args.repeat == 1 { "once".to_owned() } else { format!("{} times", args.repeat) },
    ))?;
    let options = SynthesisOptions { shape, ..SynthesisOptions::default() };
    let made = synthesize(loaded, &aim, &options, effort)?;
    if let Some(warning) = cover::warning(&[what], &made.missed) {
        session.warn(warning);
    }
    if let Some(why) = made.stopped {
        session.warn(why);
    }
    if made.cases.is_empty() {
        let mut diagnostic = Diagnostic::global("no-test-case", "there is no test case to run");
        diagnostic.notes =
            made.missed.iter().map(|one| format!("{}: {}", one.purpose, one.why)).collect();
        return Err(diagnostic.into());
    }
    Ok(made.cases)
}
