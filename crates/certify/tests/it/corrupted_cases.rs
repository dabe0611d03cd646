//! Every small mistake in a test case that a run could come across is found.

use crate::support::cases::TIMELY;
use crate::support::corrupt::{Effect, corrupted, effect, points};
use crate::support::{ESCAPES, EXAMPLES, avoids};
use tioga_certify::{CheckOptions, Error, Flaw, check_case};
use tioga_model::{Model, Objective};
use tioga_testcase::{Scope, TestCase};
use tioga_testkit::{SHAPES, test_case};
use tioga_testkit::{example, model, objectives};

/// How many mistakes were found and how many cannot be met by any run.
fn mistakes(
    model: &Model,
    objective: &Objective,
    case: &TestCase,
    horizon: i64,
    what: &str,
) -> (u32, u32) {
    assert_eq!(model.scale, 1);
    let (points, late) = points(case, horizon + 2);
    let (mut found, mut hidden) = (0, 0);
    for (mistake, wrong) in corrupted(case) {
        let effect = |point| effect(case, &wrong, point, model.clocks.len());
        let worst = points.iter().map(effect).max().unwrap();
        // When time is up, only the invariant matters.
        let overdue = late.iter().map(effect).any(|effect| effect == Effect::Wrong);
        let worst = if overdue && mistake.contains("invariant") { Effect::Wrong } else { worst };
        let answer = check_case(model, objective, &wrong, &CheckOptions::default());
        match (worst, answer) {
            (Effect::Wrong | Effect::Maybe, Err(Error::Refuted(_))) => found += 1,
            (Effect::None | Effect::Maybe, Ok(_)) => hidden += 1,
            (_, Err(Error::Refuted(refutation))) if refutation.flaw == Flaw::Malformed => {}
            (worst, Ok(report)) => panic!("{what}, {mistake}: {worst:?} but {report}"),
            (worst, Err(error)) => panic!("{what}, {mistake}: {worst:?} but {error}"),
        }
    }
    (found, hidden)
}

fn games() -> Vec<(&'static str, Model, i64)> {
    let mut games = vec![("escapes", model(ESCAPES), 6), ("timely", model(TIMELY), 5)];
    for name in EXAMPLES {
        games.push((name, example(name), if name.ends_with("light") { 22 } else { 9 }));
    }
    games
}

#[test]
fn mistakes_in_test_cases_are_found() {
    for (name, model, horizon) in games() {
        // The examples ask for the same goal, once with and once without help.
        let most = if EXAMPLES.contains(&name) { 1 } else { 3 };
        let objectives = objectives(&model);
        for objective in objectives.iter().filter(|one| !avoids(one)).take(most) {
            for shape in SHAPES {
                let case =
                    test_case(&model, objective, Scope::Cooperative, shape, horizon).unwrap();
                let what = format!("{name} {shape:?}");
                let (found, hidden) = mistakes(&model, objective, &case, horizon, &what);
                assert!(found > 10, "{what}: {found} found, {hidden} hidden");
            }
        }
    }
}
