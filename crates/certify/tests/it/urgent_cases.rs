//! Test cases of models in which something has to happen at once.

use crate::support::corrupt::{Effect, corrupted, effect, points};
use tioga_certify::{CheckOptions, Coverage, Error, Extent, Flaw, Refutation, check_case};
use tioga_model::Model;
use tioga_testcase::{CaseBound, Scope, Shape, TestCase};
use tioga_testkit::{SHAPES, test_case};
use tioga_testkit::{model, objectives};

/// A counter that answers a request at once, and calls at the very moment its time is up. Whoever is
/// called has to say at once what he wants.
const COUNTER: &str = "
model counter;
input ask, take, leave;
output ready, busy;
output urgent chan call;
automaton Counter {
  clock x;
  init location idle;
  urgent location asked;
  location waiting invariant x <= 5;
  committed location called;
  location served, gone;
  idle -> asked : ask? when x >= 1 do x = 0;
  asked -> called : ready!;
  asked -> waiting : busy!;
  waiting -> called : call! when x >= 3 do x = 0;
  called -> served : take?;
  called -> gone : leave?;
}
query control: A<> Counter.served;
";

/// Both ways to check.
fn extents() -> [CheckOptions; 2] {
    let sampled = CheckOptions { extent: Extent::Sampled, plays: 40, ..CheckOptions::default() };
    [CheckOptions::default(), sampled]
}

fn counter(shape: Shape) -> (Model, TestCase) {
    let model = model(COUNTER);
    let case = test_case(&model, &objectives(&model)[0], Scope::Cooperative, shape, 7).unwrap();
    (model, case)
}

/// The place of a location.
fn at(case: &TestCase, name: &str) -> usize {
    case.places.iter().position(|place| place.name == name).unwrap()
}

/// The refutation of a test case that was changed, by both ways to check.
fn refuted(shape: Shape, change: impl Fn(&mut TestCase)) -> Refutation {
    let (model, mut case) = counter(shape);
    change(&mut case);
    let [full, sampled] = extents().map(|options| {
        let answer = check_case(&model, &objectives(&model)[0], &case, &options);
        let Err(Error::Refuted(refutation)) = answer else { panic!("{answer:?}") };
        *refutation
    });
    assert_eq!(full.flaw, sampled.flaw, "{full}\n{sampled}");
    full
}

#[test]
fn test_cases_say_where_something_has_to_happen_at_once() {
    for shape in SHAPES {
        let (model, case) = counter(shape);
        let urgent = |name: &str| &case.places[at(&case, name)].urgent;
        assert_eq!(*urgent("idle"), [[]; 0], "{shape:?}");
        assert_eq!(
            (urgent("asked"), urgent("called")),
            (&vec![vec![]], &vec![vec![]]),
            "{shape:?}"
        );
        let moment = |bound: &CaseBound| bound.left.is_none() && bound.bound == -3;
        assert!(urgent("waiting").iter().all(|zone| zone.iter().any(moment)), "{shape:?}");
        for options in extents() {
            let report = check_case(&model, &objectives(&model)[0], &case, &options);
            let report = report.unwrap_or_else(|error| panic!("{shape:?}: {error}"));
            let whole = options.extent == Extent::Feasible;
            assert_eq!(report.coverage == Coverage::Exhaustive, whole, "{shape:?}: {report}");
        }
    }
}

#[test]
fn time_that_passes_where_it_must_not_is_a_flaw() {
    for name in ["asked", "called", "waiting"] {
        let refutation = refuted(Shape::Automaton, |case| {
            let place = at(case, name);
            case.places[place].urgent.clear();
        });
        assert_eq!(refutation.flaw, Flaw::Lax, "{name}: {refutation}");
    }
}

#[test]
fn haste_without_need_is_a_flaw() {
    for name in ["idle", "waiting"] {
        let refutation = refuted(Shape::Strategy, |case| {
            let place = at(case, name);
            case.places[place].urgent = vec![Vec::new()];
        });
        assert_eq!(refutation.flaw, Flaw::Unsound, "{name}: {refutation}");
    }
    // No time may pass after 2, so 2 is too late already.
    let refutation = refuted(Shape::Tree, |case| {
        let place = at(case, "waiting");
        let bounds = case.places[place].urgent.iter_mut().flatten();
        for bound in bounds.filter(|bound| bound.left.is_none()) {
            (bound.bound, bound.strict) = (-2, true);
        }
    });
    assert_eq!(refutation.flaw, Flaw::Unsound, "{refutation}");
}

#[test]
fn a_rule_that_waits_where_only_the_tester_can_go_on_is_refused() {
    let refutation = refuted(Shape::Strategy, |case| {
        let place = at(case, "called");
        case.places[place].rules.iter_mut().for_each(|rule| rule.play = None);
    });
    assert!(matches!(refutation.flaw, Flaw::Rule { rule: Some(_) }), "{refutation}");
    assert!(refutation.message.contains("told to wait, but time cannot pass"), "{refutation}");
}

#[test]
fn clocks_of_urgent_zones_exist() {
    let refutation = refuted(Shape::Strategy, |case| {
        let place = at(case, "waiting");
        case.places[place].urgent[0][0].right = Some(9);
    });
    assert_eq!(refutation.flaw, Flaw::Malformed);
}

#[test]
fn mistakes_about_urgency_are_found() {
    for shape in SHAPES {
        let (model, case) = counter(shape);
        let (points, _) = points(&case, 9);
        let (mut found, mut hidden) = (0, 0);
        for (mistake, wrong) in corrupted(&case) {
            if !mistake.contains("urgent") {
                continue;
            }
            let effect = |point| effect(&case, &wrong, point, model.clocks.len());
            let worst = points.iter().map(effect).max().unwrap();
            let options = CheckOptions::default();
            match (worst, check_case(&model, &objectives(&model)[0], &wrong, &options)) {
                (Effect::Wrong, Err(Error::Refuted(_))) => found += 1,
                (Effect::None, Ok(_)) => hidden += 1,
                (worst, answer) => panic!("{shape:?}, {mistake}: {worst:?} but {answer:?}"),
            }
        }
        assert!(found > 5, "{shape:?}: {found} found, {hidden} hidden");
    }
}
