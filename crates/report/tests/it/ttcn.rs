//! The TTCN-3 skeleton: blocks are balanced, names are declared, every action and verdict is there, and
//! a compiler takes it.

use crate::campaign::{action, lamp, plain, settings};
use crate::plausible::check;
use tioga_report::ttcn;
use tioga_testcase::{CaseBound, CaseEdge, CaseSet, CaseZone, Shape, Side, Suite, TestCase};

#[test]
fn the_skeleton_of_the_small_campaign_is_plausible() {
    let text = ttcn::module(&settings().suite);
    check(&text);
    for part in ["sut.send(In_touch:{});", "f_end(pass, ", "f_end(inconc, ", "f_end(fail, "] {
        assert!(text.contains(part), "{part}");
    }
    assert_eq!(text.matches("execute(tc_").count(), 2);
}

#[test]
fn an_empty_suite_is_a_module() {
    check(&ttcn::module(&Suite::new(Vec::new())));
}

#[test]
fn names_may_be_words_of_the_language() {
    let (touch, dim) = (action("receive", &["0"]), action("port", &["-0", "true", "x"]));
    let case = lamp("module", "testcase", &touch, [&dim, &action("alt", &["omit"])]);
    let mut other = case.clone();
    other.inputs.push(action("re-ceive", &["infinity"]));
    other.outputs.push(action("port", &[]));
    other.summary.model = "control".to_owned();
    let text = ttcn::module(&Suite::new(vec![other, case]));
    check(&text);
    assert!(text.contains("sut.send(In_receive:{ value1 := 0 });"), "{text}");
    assert!(text.contains("module Suite_control {"), "{text}");
}

#[test]
fn one_side_may_be_silent() {
    // Nothing can be received from a port on which nothing comes.
    let mut silent = plain();
    silent.outputs.clear();
    silent.places[1].edges.clear();
    let text = ttcn::module(&Suite::new(vec![silent]));
    check(&text);
    assert!(!text.contains("sut.receive") && text.contains("sut.send"), "{text}");
    let mut watched = plain();
    watched.inputs.clear();
    watched.places[0].edges.clear();
    watched.places[0].rules.clear();
    let text = ttcn::module(&Suite::new(vec![watched]));
    check(&text);
    assert!(text.contains("sut.receive") && !text.contains("sut.send"), "{text}");
}

#[test]
fn what_is_not_expected_fails_by_default() {
    let text = ttcn::module(&settings().suite);
    assert_eq!(text.matches("[] sut.receive {").count(), 1, "{text}");
    assert_eq!(text.matches("activate(a_other())").count(), 2);
    // Beside `else` a default is not tried: who sends looks whether something came itself.
    let sends = text.matches("sut.send(").count();
    assert_eq!(text.matches("[] a_other() { }\n").count(), sends);
}

fn bound(left: Option<u32>, right: Option<u32>, strict: bool, bound: i64) -> CaseBound {
    CaseBound { left, right, strict, bound }
}

/// A test case with two clocks whose first place leaves the choice open.
fn open() -> TestCase {
    let mut case = plain();
    case.shape = Shape::Automaton;
    case.scale = 2;
    case.clocks.push("y".to_owned());
    for place in &mut case.places {
        place.rules.clear();
    }
    let diagonal: CaseZone =
        vec![bound(Some(0), Some(1), true, 3), bound(None, Some(1), false, -5)];
    case.places[0].edges[0].guard = vec![diagonal, vec![bound(Some(1), None, false, 1)]];
    case.places[0].edges[0].sets = vec![
        CaseSet { clock: 1, source: Some(0), value: 3 },
        CaseSet { clock: 0, source: None, value: 0 },
    ];
    case
}

#[test]
fn differences_of_clocks_and_fractions_are_written() {
    let text = ttcn::module(&Suite::new(vec![open()]));
    check(&text);
    let guard = "if (rnd() < 0.25 and ((v_zero1 - v_zero0 < (3.0 / 2.0) and v_now - v_zero1 >= \
                 (5.0 / 2.0)) or (v_now - v_zero1 <= (1.0 / 2.0))))";
    assert!(text.contains(guard), "{text}");
    // y := x + 3/2 comes before x := 0.
    let sets = "v_zero1 := v_zero0 - (3.0 / 2.0);\n          v_zero0 := v_now;";
    assert!(text.contains(sets), "{text}");
    assert!(text.contains("f_until((5.0 / 2.0), v_zero1);"));
}

#[test]
fn outputs_at_different_times_lead_to_different_places() {
    let mut case = plain();
    let later = CaseEdge {
        by: Side::System,
        action: action("dim", &[]),
        guard: vec![vec![bound(None, Some(0), true, -2)]],
        sets: Vec::new(),
        target: 3,
    };
    case.places[1].edges.push(later.clone());
    let text = ttcn::module(&Suite::new(vec![case.clone()]));
    check(&text);
    assert_eq!(text.matches("sut.receive(Out_dim").count(), 1);
    assert!(text.contains("} else if (v_now - v_zero0 > 2.0 - PX_TOLERANCE) {"), "{text}");
    // An output that is always allowed has no other branch.
    case.places[1].edges[0].guard = vec![CaseZone::new()];
    case.places[1].edges.truncate(2);
    let text = ttcn::module(&Suite::new(vec![case]));
    check(&text);
    assert!(!text.contains("the output dim is not allowed now"));
}

#[test]
fn what_must_be_hit_exactly_is_marked() {
    let mut case = plain();
    case.places[0].rules[0].zones =
        vec![vec![bound(Some(0), None, false, 4), bound(None, Some(0), false, -4)]];
    let text = ttcn::module(&Suite::new(vec![case]));
    check(&text);
    assert!(text.contains("// To be sent at one exact moment"));
    assert!(text.contains("f_until(4.0, v_zero0);"));
}
