//! The suite that `tioga mutation` runs.

use std::num::NonZeroU64;

use tioga::words::count;
use tioga::{Aim, Cover, Effort, Loaded, Suite, SynthesisOptions, synthesize};
use tioga_base::Diagnostic;
use tioga_testcase::{Shape, TestCase};

use super::run::warn_of_change;
use crate::args::MutationArgs;
use crate::exit::Stop;
use crate::output::Session;
use crate::text::cover;

/// How often a test case is run that leaves its choices open.
const OFTEN: u64 = 1000;

/// The test cases: those of the files given, or new ones; and how often each is run.
pub fn suite(
    args: &MutationArgs,
    given: Vec<Suite>,
    session: &mut Session,
    loaded: &Loaded,
    effort: &mut Effort<'_>,
) -> Result<(Vec<TestCase>, u64), Stop> {
    let times = |repeat: u64| match repeat {
        1 => "once".to_owned(),
        repeat => format!("up to {repeat} times"),
    };
    if !args.suite.is_empty() {
        let (mut cases, mut repeat) = (Vec::new(), 1);
        for (path, suite) in args.suite.iter().zip(given) {
            warn_of_change(&suite, path, &args.model.model, &loaded.source, session);
            repeat = suite.repeat.map_or(1, NonZeroU64::get).max(repeat);
            cases.extend(suite.cases);
        }
        let repeat = args.repeat.unwrap_or(repeat);
        session.print(&format!(
            "suite: {} from {}; each is run {} against each mutant\n",
            count(cases.len(), "test case"),
            count(args.suite.len(), "file"),
            times(repeat),
        ))?;
        return Ok((cases, repeat));
    }
    let repeat = args.repeat.unwrap_or(OFTEN);
    let what = args.cover.unwrap_or(Cover::Edges);
    let aim = Aim::Cover { what: vec![what], then: what != Cover::Locations };
    let shape = args.shape.map_or(Shape::Automaton, Shape::from);
    session.print(&format!(
        "suite: a test case of the shape {} for every {}{}; each is run {} against each mutant\n",
        shape.name(),
        what.noun(),
        if what == Cover::Locations { "" } else { ", until an output or a silence follows" },
        times(repeat),
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
    Ok((made.cases, repeat))
}
