//! Where a view is in doubt, a test goes on while a certain pass is in reach, and settles for an uncertain one elsewhere.

use tioga_base::Budget;
use tioga_determinize::{Acceptance, Determinized, Resources, determinize};
use tioga_testcase::{CasePlace, Shape, TestCase, Verdict};
use tioga_testkit::model;

use crate::drawn::cases;

/// Without a clock, a view does not know where `b` leads. `c` tells that it was `G`, and `d` leaves it open for ever.
const MODEL: &str = "
input a;
output b, c, d;
automaton A {
  clock x;
  init location S;
  location T, D, D2;
  accept location G, G2, H;
  S -> T : a? do x = 0;
  T -> G : b! when x >= 1;
  T -> D : b! when x <= 1;
  G -> H : c!;
  G -> G2 : d!;
  D -> D2 : d!;
}
";

fn view() -> Determinized {
    let product = model(MODEL).into_network().aiming_at_marks("goal").validate().unwrap();
    let resources = Resources { clocks: 0, max_constant: 1 };
    determinize(&product, resources, &mut Budget::steps(10_000)).unwrap()
}

/// The place that some actions lead to.
fn place<'c>(case: &'c TestCase, actions: &[&str]) -> &'c CasePlace {
    let mut place = &case.places[0];
    for action in actions {
        let mut edges = place.edges.iter().filter(|edge| edge.action.channel == *action);
        place = &case.places[edges.next().unwrap().target as usize];
    }
    place
}

fn verdicts(case: &TestCase, actions: &[&str]) -> Vec<Verdict> {
    place(case, actions).verdicts.iter().map(|one| one.verdict).collect()
}

#[test]
fn a_test_goes_on_past_an_uncertain_pass_while_a_certain_one_is_in_reach() {
    let view = view();
    assert!(!view.exactness.is_exact());
    let (_, cases) = cases(&view, Acceptance::Everywhere);
    assert_eq!(cases.len(), 3);
    for case in &cases {
        assert_eq!(verdicts(case, &["a", "b", "c"]), [Verdict::Pass], "{:?}", case.shape);
        if case.shape == Shape::Tree {
            continue;
        }
        assert_eq!(verdicts(case, &["a", "b"]), [], "{:?}", case.shape);
        assert_eq!(verdicts(case, &["a", "b", "d"]), [Verdict::Uncertain], "{:?}", case.shape);
        assert!(case.summary.may_be_uncertain);
    }
}

#[test]
fn a_test_aims_at_an_uncertain_pass_if_asked_to() {
    let (_, cases) = cases(&view(), Acceptance::Doubtful);
    assert_eq!(cases.len(), 3);
    for case in &cases {
        assert_eq!(verdicts(case, &["a", "b"]), [Verdict::Uncertain], "{:?}", case.shape);
    }
}
