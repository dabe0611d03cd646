//! Random walks that follow the model of their suite, for models whose hidden steps no test case follows.
//!
//! Such a test case has no test steps. Its tester knows all states that explain the run, as in online testing, and sends
//! inputs by chance for a time. Every system that conforms and lets time pass passes it.

use tioga_base::Rational;
use tioga_estimate::Latencies;
use tioga_execute::{CaseTester, Error, OnlineOptions, OnlineTester, Settings, Tester};
use tioga_model::Model;
use tioga_testcase::{Goal, TestCase, Walk};

use super::interface::online_case;
use super::second_opinion::SecondOpinion;

/// How long the tester waits at most between two inputs of a walk, if it could wait so long: an eighth of its time, so that
/// something happens.
pub(super) fn walk_wait(longest: Rational, time: Rational) -> Rational {
    time.div(Rational::integer(8)).map_or(longest, |eighth| eighth.min(longest))
}

/// A walk through a model that lasts for a time and is run once.
pub(crate) fn walk_case(model: &Model, time: Rational) -> TestCase {
    let (case, longest_wait) = online_case(model, 0);
    let walk = Walk { runs: 1, longest_wait: longest_wait.floor() + 1, online: true };
    let mut case = TestCase { name: format!("{}-walk", model.name), walk: Some(walk), ..case };
    case.summary.goal = Goal::Walk(time);
    case
}

/// What is wrong with such a walk: it claims nothing but the interface of the model, and a time.
pub(crate) fn walk_flaw(model: &Model, case: &TestCase) -> Option<String> {
    let Goal::Walk(time) = case.summary.goal else {
        return Some(
            "a test case that follows the model has no other purpose than a walk".to_owned(),
        );
    };
    let right = walk_case(model, time);
    if (&case.inputs, &case.outputs) != (&right.inputs, &right.outputs) {
        return Some("its interface is not that of the model".to_owned());
    }
    // It may be run more often, and count in a finer unit.
    let (name, walk, scale) = (case.name.clone(), case.walk, case.scale);
    let same = *case == TestCase { name, walk, scale, ..right };
    (!same).then(|| "a walk that follows the model claims nothing else".to_owned())
}

/// How the tester of such a walk chooses inputs; nothing if a test case is none.
pub(crate) fn online_walk<'m>(
    case: &TestCase,
    latencies: Latencies,
    seed: u64,
) -> Option<Result<OnlineOptions<'m>, Error>> {
    let walk = case.walk.filter(|walk| walk.online)?;
    let Goal::Walk(time) = case.summary.goal else { return None };
    let longest = Rational::new(walk.longest_wait, case.scale);
    Some(longest.map_err(Error::from).map(|longest| OnlineOptions {
        goal: None,
        keep: None,
        guide: None,
        actions: u64::MAX,
        lasts: Some(time),
        longest_wait: walk_wait(longest, time),
        latencies,
        // The system must not draw the same numbers.
        seed: Settings::tester_seed(seed),
    }))
}

/// The tester of a run in virtual time, as a campaign has it; with a second opinion about its fails if that is wanted.
pub(crate) fn virtual_tester<'t>(
    model: &'t Model,
    case: &'t TestCase,
    seed: u64,
    patience: Option<Rational>,
    second_opinion: bool,
) -> Result<Box<dyn Tester + 't>, Error> {
    if let Some(walk) = online_walk(case, Latencies::default(), seed) {
        return Ok(Box::new(OnlineTester::new(model, walk?)?.in_virtual_time()));
    }
    let tester = Box::new(CaseTester::new(case, Settings::tester_seed(seed), patience)?);
    match second_opinion {
        true => SecondOpinion::of(tester, case, model, Latencies::default(), true),
        false => Ok(tester),
    }
}
