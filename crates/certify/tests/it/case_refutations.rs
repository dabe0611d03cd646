//! What is wrong with a test case is said in words.

use tioga_certify::{CheckOptions, Error, Extent, Flaw, Refutation, check_case};
use tioga_model::Model;
use tioga_testcase::{Action, CaseEdge, Scope, Shape, Side, TestCase, Verdict};
use tioga_testkit::test_case;
use tioga_testkit::{model, objectives};

/// A door that opens when pushed, but may jam at the last moment; it can be locked for good.
const DOOR: &str = "
model door;
input push, enter, lock;
output opens, jams;
automaton Door {
  clock x;
  init location shut;
  location asked invariant x <= 2;
  location ajar, stuck, inside;
  shut -> asked : push? when x >= 1 do x = 0;
  asked -> ajar : opens! when x >= 1 do x = 0;
  asked -> stuck : jams! when x == 2;
  ajar -> inside : enter? when x <= 3;
  ajar -> stuck : lock?;
}
query control: A<> Door.inside;
";

fn door(shape: Shape) -> (Model, TestCase) {
    let model = model(DOOR);
    let case = test_case(&model, &objectives(&model)[0], Scope::Cooperative, shape, 5).unwrap();
    (model, case)
}

/// The refutation of a test case that was changed.
fn refuted(shape: Shape, change: impl Fn(&mut TestCase)) -> Refutation {
    let (model, mut case) = door(shape);
    change(&mut case);
    let answer = check_case(&model, &objectives(&model)[0], &case, &CheckOptions::default());
    let Err(Error::Refuted(refutation)) = answer else { panic!("{answer:?}") };
    let options = CheckOptions { extent: Extent::Sampled, ..CheckOptions::default() };
    // What needs no knowledge of what is out of reach is found in random plays too.
    let knowing = ["out of reach", "gives up", "keeps the purpose"];
    if !knowing.iter().any(|words| refutation.message.contains(words)) {
        let sampled = check_case(&model, &objectives(&model)[0], &case, &options);
        let Err(Error::Refuted(sampled)) = sampled else { panic!("{sampled:?}") };
        assert_eq!(sampled.flaw, refutation.flaw, "{sampled}");
    }
    *refutation
}

/// The position of the place of a location.
fn at(case: &TestCase, name: &str) -> usize {
    case.places.iter().position(|place| place.name == name).unwrap()
}

#[test]
fn an_output_that_is_not_expected() {
    let refutation = refuted(Shape::Automaton, |case| {
        let place = at(case, "asked");
        case.places[place].edges.retain(|edge| edge.action.channel != "opens");
    });
    assert_eq!(refutation.flaw, Flaw::Unsound);
    assert_eq!(
        refutation.message,
        "in state (Door.asked; Door.x=1) at place 1 `asked`: the specification allows `opens!`, but \
         the test case does not expect it: it would fail a system that conforms (reached by `push?`)"
    );
}

#[test]
fn an_output_that_is_expected_too_early() {
    let refutation = refuted(Shape::Tree, |case| {
        let edges = case.places.iter_mut().flat_map(|place| &mut place.edges);
        edges.filter(|edge| edge.action.channel == "opens").for_each(|edge| edge.guard[0].clear());
    });
    assert_eq!(refutation.flaw, Flaw::Lax);
    assert!(refutation.message.contains("expects `opens!`"), "{refutation}");
}

#[test]
fn an_invariant_that_is_too_narrow_or_too_wide() {
    let refutation = refuted(Shape::Strategy, |case| {
        let place = at(case, "asked");
        case.places[place].invariant[0][0].bound = 1;
    });
    assert_eq!(refutation.flaw, Flaw::Unsound);
    assert!(refutation.message.contains("lets time pass"), "{refutation}");
    let refutation = refuted(Shape::Automaton, |case| {
        let place = at(case, "asked");
        case.places[place].invariant[0].clear();
    });
    assert_eq!(refutation.flaw, Flaw::Lax);
    assert!(refutation.message.contains("overdue"), "{refutation}");
}

#[test]
fn a_place_that_cannot_be_entered() {
    let refutation = refuted(Shape::Automaton, |case| {
        let place = at(case, "ajar");
        case.places[place].invariant.clear();
    });
    assert_eq!(refutation.flaw, Flaw::Unsound);
    assert!(refutation.message.contains("(reached by `push?`, `opens!`)"), "{refutation}");
}

#[test]
fn verdicts_that_are_wrong() {
    let swapped = |from: &str, to: Verdict| {
        let refutation = refuted(Shape::Automaton, |case| {
            let place = at(case, from);
            case.places[place].verdicts[0].verdict = to;
        });
        let Flaw::Verdict { claimed, right } = refutation.flaw else { panic!("{refutation}") };
        assert_eq!(claimed, Some(to));
        right
    };
    assert_eq!(swapped("inside", Verdict::Inconclusive), Some(Verdict::Pass));
    assert_eq!(swapped("inside", Verdict::Fail), Some(Verdict::Pass));
    assert_eq!(swapped("stuck", Verdict::Pass), Some(Verdict::Inconclusive));
    assert_eq!(swapped("ajar", Verdict::Fail), Some(Verdict::Inconclusive));
    for name in ["stuck", "ajar"] {
        let refutation = refuted(Shape::Automaton, |case| {
            let place = at(case, name);
            case.places[place].verdicts.clear();
        });
        let right = Some(Verdict::Inconclusive);
        assert_eq!(refutation.flaw, Flaw::Verdict { claimed: None, right });
        assert!(refutation.message.contains("out of reach"), "{refutation}");
    }
}

#[test]
fn inputs_that_are_not_taken_or_give_up_or_are_withheld() {
    let refutation = refuted(Shape::Strategy, |case| case.places[0].edges[0].guard[0].clear());
    assert_eq!(refutation.flaw, Flaw::Input);
    assert!(refutation.message.contains("does not take"), "{refutation}");
    let refutation = refuted(Shape::Automaton, |case| {
        let action = Action { channel: "lock".to_owned(), values: Vec::new() };
        case.inputs.push(action.clone());
        let (place, target) = (at(case, "ajar"), at(case, "stuck") as u32);
        let (by, guard, sets) = (Side::Tester, vec![Vec::new()], Vec::new());
        case.places[place].edges.push(CaseEdge { by, action, guard, sets, target });
    });
    assert_eq!(refutation.flaw, Flaw::Input);
    assert!(refutation.message.contains("send `lock?`, but that gives up"), "{refutation}");
    let refutation = refuted(Shape::Automaton, |case| case.places[0].edges.clear());
    assert_eq!(refutation.flaw, Flaw::Input);
    assert!(refutation.message.contains("keeps the purpose in reach"), "{refutation}");
}

#[test]
fn two_edges_for_the_same_answer() {
    let refutation = refuted(Shape::Automaton, |case| {
        let place = at(case, "asked");
        let mut edge = case.places[place].edges[0].clone();
        edge.target = 0;
        case.places[place].edges.push(edge);
    });
    assert_eq!(refutation.flaw, Flaw::Ambiguous);
    let refutation = refuted(Shape::Automaton, |case| {
        let place = at(case, "asked");
        let mut edge = case.places[place].edges[0].clone();
        edge.sets.clear();
        case.places[place].edges.push(edge);
    });
    assert_eq!(refutation.flaw, Flaw::Ambiguous);
}

#[test]
fn two_edges_that_do_the_same_do_no_harm() {
    let (model, mut case) = door(Shape::Strategy);
    for place in &mut case.places {
        let edges = place.edges.clone();
        place.edges.extend(edges);
    }
    // A rule may well play the second.
    let count = case.places[0].edges.len() as u32 / 2;
    case.places[0].rules.iter_mut().for_each(|rule| {
        rule.play = rule.play.map(|play| play + count);
    });
    let answer = check_case(&model, &objectives(&model)[0], &case, &CheckOptions::default());
    assert!(answer.is_ok(), "{answer:?}");
}

#[test]
fn ambiguous_edges_of_an_ambiguous_model_are_refused() {
    let model = model(&DOOR.replace("jams! when x == 2", "opens! when x == 2"));
    let objective = &objectives(&model)[0];
    for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
        let case = test_case(&model, objective, Scope::Cooperative, shape, 5).unwrap();
        let answer = check_case(&model, objective, &case, &CheckOptions::default());
        let Err(Error::Refuted(refutation)) = answer else { panic!("{shape:?}: {answer:?}") };
        assert_eq!(refutation.flaw, Flaw::Ambiguous, "{shape:?}");
    }
}

#[test]
fn clocks_that_go_astray() {
    let refutation = refuted(Shape::Tree, |case| {
        for edge in case.places.iter_mut().flat_map(|place| &mut place.edges) {
            edge.sets.retain(|set| set.clock != 0);
        }
    });
    assert_eq!(refutation.flaw, Flaw::Clocks);
    assert!(refutation.message.contains("the clock `Door.x` is 0"), "{refutation}");
}

#[test]
fn a_summary_that_promises_too_much() {
    let refutation = refuted(Shape::Tree, |case| case.summary.may_be_inconclusive = false);
    assert_eq!(refutation.flaw, Flaw::Summary);
}

#[test]
fn a_summary_with_another_rank() {
    for shape in [Shape::Strategy, Shape::Tree] {
        let refutation = refuted(shape, |case| case.summary.rank[2] += 1);
        assert_eq!(refutation.flaw, Flaw::Summary);
        assert!(refutation.message.contains("claims the rank (0, 1, 2)"), "{refutation}");
    }
    let refutation = refuted(Shape::Automaton, |case| case.summary.rank = [0; 3]);
    assert_eq!(refutation.flaw, Flaw::Summary);
    assert!(refutation.message.contains("does not hold at the start"), "{refutation}");
}

#[test]
fn rules_that_cannot_be_followed() {
    let refutation = refuted(Shape::Strategy, |case| {
        for rule in case.places.iter_mut().flat_map(|place| &mut place.rules) {
            rule.zones = vec![Vec::new()];
        }
    });
    assert!(matches!(refutation.flaw, Flaw::Rule { rule: Some(_) }), "{refutation}");
    let refutation = refuted(Shape::Strategy, |case| case.places[0].rules.clear());
    assert_eq!(refutation.flaw, Flaw::Rule { rule: None });
    assert!(refutation.message.contains("no rule says what to do"), "{refutation}");
}

#[test]
fn forms_that_are_not_in_order() {
    let malformed = |change: fn(&mut TestCase), what: &str| {
        let refutation = refuted(Shape::Strategy, change);
        assert_eq!((refutation.flaw, refutation.state), (Flaw::Malformed, None));
        assert!(refutation.message.contains(what), "{}", refutation.message);
    };
    malformed(|case| case.places.clear(), "no place to start in");
    malformed(|case| case.scale = 2, "counts time in 1/2");
    malformed(|case| case.clocks[0].push('y'), "not those of the model");
    malformed(|case| case.places[0].edges[0].target = 99, "place 99, which does not exist");
    malformed(|case| case.places[0].edges[0].action.channel.push('y'), "is not declared");
    malformed(|case| case.places[1].invariant[0][0].left = Some(7), "a clock is named");
    malformed(|case| case.places[0].rules[0].play = Some(9), "the tester does not have");
}

#[test]
fn objectives_that_say_what_to_avoid_are_not_supported() {
    let (_, case) = door(Shape::Automaton);
    let model = model(&DOOR.replace("A<> Door.inside", "A[] not Door.stuck"));
    let answer = check_case(&model, &objectives(&model)[0], &case, &CheckOptions::default());
    assert!(matches!(answer, Err(Error::Unsupported(_))), "{answer:?}");
}

#[test]
fn a_check_can_be_cancelled() {
    let (model, case) = door(Shape::Tree);
    for extent in [Extent::Feasible, Extent::Sampled] {
        let options = CheckOptions { extent, ..CheckOptions::default() };
        options.cancel.cancel();
        let answer = check_case(&model, &objectives(&model)[0], &case, &options);
        assert_eq!(answer, Err(Error::Cancelled));
    }
}

#[test]
fn models_that_a_tester_cannot_follow_are_not_supported() {
    let (_, case) = door(Shape::Automaton);
    for (from, to, why) in [
        ("shut -> asked : push?", "shut -> ajar : when x > 5; shut -> asked : push?", "not see"),
        ("asked -> stuck : jams!", "asked -> stuck : opens!", "not deterministic"),
    ] {
        let model = model(&DOOR.replace(from, to));
        let answer = check_case(&model, &objectives(&model)[0], &case, &CheckOptions::default());
        let Err(Error::Unsupported(said)) = answer else { panic!("{answer:?}") };
        assert!(said.contains(why), "{said}");
    }
}
