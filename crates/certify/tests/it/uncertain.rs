//! Test cases of views in which it is not always certain that the goal is reached.

use tioga_certify::{CheckOptions, Error, Flaw, check_case_of_view};
use tioga_model::{ClockConjunction, LocationId, Model};
use tioga_testcase::{CaseZone, Judgement, Scope, Settled, Shape, TestCase, Verdict, ViewPass};
use tioga_testkit::{SHAPES, model, objectives, test_case};

const VIEW: &str = "
model view;
input ask;
output yes, no;
automaton View {
  clock x;
  init location idle;
  location asked invariant x <= 3;
  location known, guessed;
  idle -> asked : ask? do x = 0;
  asked -> known : yes! when x <= 1;
  asked -> guessed : no!;
}
query E<> control: A<> View.known || View.guessed;
query E<> control: A<> View.known;
";

/// The verdict of a place by its name.
fn judged(case: &mut TestCase, name: &str, verdict: Verdict) {
    for place in case.places.iter_mut().filter(|place| place.name == name) {
        place.verdicts.iter_mut().for_each(|judgement| judgement.verdict = verdict);
    }
}

/// The flaw that the checker finds.
fn flaw(model: &Model, query: usize, counted: &ViewPass, case: &TestCase) -> Option<Flaw> {
    let objective = &objectives(model)[query];
    match check_case_of_view(model, objective, counted, case, &CheckOptions::default()) {
        Ok(_) => None,
        Err(Error::Refuted(refutation)) => Some(refutation.flaw),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_pass_is_called_uncertain_exactly_where_the_goal_is() {
    let model = model(VIEW);
    for shape in SHAPES {
        let plain =
            test_case(&model, &objectives(&model)[0], Scope::Cooperative, shape, 5).unwrap();
        let sure = ViewPass::default();
        let unsure = ViewPass { goal: Verdict::Uncertain, settled: Vec::new() };
        assert_eq!(flaw(&model, 0, &sure, &plain), None, "{shape:?}");
        let wrong =
            |claimed, right| Some(Flaw::Verdict { claimed: Some(claimed), right: Some(right) });
        let found = flaw(&model, 0, &unsure, &plain);
        assert_eq!(found, wrong(Verdict::Pass, Verdict::Uncertain), "{shape:?}");
        let mut right = plain.clone();
        judged(&mut right, "guessed", Verdict::Uncertain);
        judged(&mut right, "known", Verdict::Uncertain);
        assert_eq!(flaw(&model, 0, &unsure, &right), Some(Flaw::Summary), "{shape:?}");
        right.summary.may_be_uncertain = true;
        assert_eq!(flaw(&model, 0, &unsure, &right), None, "{shape:?}");
        let found = flaw(&model, 0, &sure, &right);
        assert_eq!(found, wrong(Verdict::Uncertain, Verdict::Pass), "{shape:?}");
    }
}

/// The goal is to know. Where that is out of reach, a guess counts.
#[test]
fn a_test_settles_for_less_only_where_its_goal_is_out_of_reach() {
    let model = model(VIEW);
    let settles = |number, verdict| ViewPass {
        goal: Verdict::Pass,
        settled: vec![Settled {
            location: LocationId(number),
            clocks: ClockConjunction::new(),
            verdict,
        }],
    };
    for shape in [Shape::Automaton, Shape::Strategy] {
        let plain =
            test_case(&model, &objectives(&model)[1], Scope::Cooperative, shape, 5).unwrap();
        let guessed = settles(3, Verdict::Uncertain);
        let right = Some(Verdict::Uncertain);
        let wrong = Some(Flaw::Verdict { claimed: Some(Verdict::Inconclusive), right });
        assert_eq!(flaw(&model, 1, &guessed, &plain), wrong, "{shape:?}");
        let mut settled = plain.clone();
        judged(&mut settled, "guessed", Verdict::Uncertain);
        settled.summary.may_be_uncertain = true;
        assert_eq!(flaw(&model, 1, &guessed, &settled), None, "{shape:?}");
        // In `idle`, the goal is in reach.
        assert_eq!(flaw(&model, 1, &settles(0, Verdict::Uncertain), &plain), None, "{shape:?}");
        let mut early = settled.clone();
        let idle = early.places.iter_mut().find(|place| place.name == "idle").unwrap();
        let reason = String::new();
        idle.verdicts.insert(0, Judgement::new(Verdict::Uncertain, vec![CaseZone::new()], reason));
        let flaw = flaw(&model, 1, &settles(0, Verdict::Uncertain), &early);
        assert!(matches!(flaw, Some(Flaw::Verdict { right: None, .. })), "{shape:?}: {flaw:?}");
    }
}
