//! Test cases of views in which it is not always certain that the goal is reached.

use tioga_certify::{CheckOptions, Error, Flaw, check_case_of_view};
use tioga_model::{ClockConjunction, LocationId};
use tioga_testcase::{CertainGoal, Scope, TestCase, Verdict};
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
";

/// The verdict of a place by its name.
fn judged(case: &mut TestCase, name: &str, verdict: Verdict) {
    for place in case.places.iter_mut().filter(|place| place.name == name) {
        place.verdicts.iter_mut().for_each(|judgement| judgement.verdict = verdict);
    }
}

#[test]
fn a_pass_is_called_uncertain_exactly_where_it_is() {
    let model = model(VIEW);
    let objective = &objectives(&model)[0];
    let known = CertainGoal { location: LocationId(2), clocks: ClockConjunction::new() };
    for shape in SHAPES {
        let plain = test_case(&model, objective, Scope::Cooperative, shape, 5).unwrap();
        let options = CheckOptions::default();
        let check = |certain: &[CertainGoal], case: &TestCase| match check_case_of_view(
            &model,
            objective,
            Some(certain),
            case,
            &options,
        ) {
            Ok(_) => None,
            Err(Error::Refuted(refutation)) => Some(refutation.flaw),
            Err(error) => panic!("{shape:?}: {error}"),
        };
        // Nothing is said of doubts.
        assert!(check_case_of_view(&model, objective, None, &plain, &options).is_ok());
        let wrong =
            |claimed, right| Some(Flaw::Verdict { claimed: Some(claimed), right: Some(right) });
        let certain = &[known.clone()][..];
        assert_eq!(check(certain, &plain), wrong(Verdict::Pass, Verdict::Uncertain), "{shape:?}");
        let mut right = plain.clone();
        judged(&mut right, "guessed", Verdict::Uncertain);
        assert_eq!(check(certain, &right), Some(Flaw::Summary), "{shape:?}");
        right.summary.may_be_uncertain = true;
        assert_eq!(check(certain, &right), None, "{shape:?}");
        judged(&mut right, "known", Verdict::Uncertain);
        assert_eq!(check(certain, &right), wrong(Verdict::Uncertain, Verdict::Pass), "{shape:?}");
        assert_eq!(check(&[], &right), None, "{shape:?}");
    }
}
