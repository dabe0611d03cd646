//! Following test cases in which something has to happen at once.

use tioga_base::Rational;
use tioga_testcase::{
    Action, CaseBound, CaseEdge, CasePlace, CaseRule, CaseZone, Followed, Follower, Intention,
    Judgement, Shape, Side, Summary, TestCase, Verdict,
};

fn action(name: &str) -> Action {
    Action { channel: name.to_owned(), values: Vec::new() }
}

/// `x <= bound`, or `<`.
fn at_most(bound: i64, strict: bool) -> CaseBound {
    CaseBound { left: Some(0), right: None, strict, bound }
}

/// `x >= bound`, or `>`.
fn at_least(bound: i64, strict: bool) -> CaseBound {
    CaseBound { left: None, right: Some(0), strict, bound: -bound }
}

fn edge(by: Side, guard: CaseZone) -> CaseEdge {
    let name = if by == Side::Tester { "send" } else { "answer" };
    CaseEdge { by, action: action(name), guard: vec![guard], sets: Vec::new(), target: 0 }
}

/// A test case with one clock and one place, in which some zones are urgent.
fn case(invariant: CaseZone, urgent: Vec<CaseZone>, edges: Vec<CaseEdge>) -> TestCase {
    let place = CasePlace {
        name: "only".to_owned(),
        origin: Vec::new(),
        invariant: vec![invariant],
        urgent,
        verdicts: Vec::new(),
        edges,
        rules: Vec::new(),
    };
    TestCase {
        name: "case".to_owned(),
        shape: Shape::Automaton,
        summary: Summary::default(),
        scale: 1,
        clocks: vec!["x".to_owned()],
        inputs: vec![action("send")],
        outputs: vec![action("answer")],
        own_moves: Vec::new(),
        runs: None,
        patience: None,
        walk: None,
        places: vec![place],
        data: None,
        symbolic: None,
    }
}

fn half(count: i64) -> Rational {
    Rational::new(count, 2).unwrap()
}

/// What becomes of a delay of so many halves: verdict, after how many halves, and why.
fn delayed(case: &TestCase, halves: i64) -> Option<(Verdict, Rational, String)> {
    match Follower::new(case).delay(half(halves)).unwrap() {
        Followed::Going | Followed::Unplanned => None,
        Followed::Over { verdict, reason, after } => Some((verdict, after, reason)),
    }
}

#[test]
fn silence_is_a_failure_where_the_system_could_answer() {
    let case = case(Vec::new(), vec![Vec::new()], vec![edge(Side::System, Vec::new())]);
    assert_eq!(Follower::new(&case).patience().unwrap().to_string(), "{0}");
    assert_eq!(delayed(&case, 0), None);
    let reason = "the system should have answered at once".to_owned();
    assert_eq!(delayed(&case, 1), Some((Verdict::Fail, Rational::ZERO, reason)));
}

#[test]
fn a_tester_that_waits_where_only_it_could_go_on_blames_nobody_else() {
    let case = case(Vec::new(), vec![Vec::new()], vec![edge(Side::Tester, Vec::new())]);
    let (verdict, after, reason) = delayed(&case, 1).unwrap();
    assert_eq!((verdict, after), (Verdict::Inconclusive, Rational::ZERO));
    assert_eq!(reason, "the tester should have sent something at once");
    let tester = Follower::new(&case);
    assert_eq!(tester.intention().unwrap(), Intention::Open(vec![action("send")]));
}

#[test]
fn an_input_that_the_test_case_does_not_send_is_no_failure() {
    let edges = vec![edge(Side::Tester, vec![at_least(2, false)])];
    let case = case(Vec::new(), Vec::new(), edges);
    let mut tester = Follower::new(&case);
    assert_eq!(tester.act(Side::Tester, &action("send")).unwrap(), Followed::Unplanned);
    // Nothing changed, and it may be sent when it is time.
    assert_eq!(tester, Follower::new(&case));
    assert_eq!(tester.delay(half(4)).unwrap(), Followed::Going);
    assert_eq!(tester.act(Side::Tester, &action("send")).unwrap(), Followed::Going);
    // An output that is not expected is one.
    let step = tester.act(Side::System, &action("answer")).unwrap();
    assert!(matches!(step, Followed::Over { verdict: Verdict::Fail, .. }), "{step:?}");
}

#[test]
fn the_moment_at_which_something_has_to_happen_is_the_last() {
    let edges = vec![edge(Side::System, vec![at_least(2, false)])];
    let case = case(vec![at_most(5, false)], vec![vec![at_least(2, false)]], edges);
    assert_eq!(Follower::new(&case).patience().unwrap().to_string(), "[0,2]");
    assert_eq!(delayed(&case, 4), None);
    let (verdict, after, _) = delayed(&case, 5).unwrap();
    assert_eq!((verdict, after), (Verdict::Fail, half(4)));
    // Time may pass up to the moment in steps, and the answer is expected then.
    let mut tester = Follower::new(&case);
    assert_eq!(tester.delay(half(3)).unwrap(), Followed::Going);
    assert_eq!(tester.delay(half(1)).unwrap(), Followed::Going);
    assert_eq!(tester.patience().unwrap().to_string(), "{0}");
    assert_eq!(tester.act(Side::System, &action("answer")).unwrap(), Followed::Going);
}

#[test]
fn without_a_first_moment_the_bound_is_the_last() {
    let edges = vec![
        edge(Side::System, vec![at_least(2, true)]),
        edge(Side::Tester, vec![at_most(2, false)]),
    ];
    let case = case(Vec::new(), vec![vec![at_least(2, true)]], edges);
    assert_eq!(Follower::new(&case).patience().unwrap().to_string(), "[0,2]");
    // At 2 the system has no answer yet, so it is not to blame.
    let (verdict, after, _) = delayed(&case, 5).unwrap();
    assert_eq!((verdict, after), (Verdict::Inconclusive, half(4)));
}

#[test]
fn an_invariant_that_expires_first_is_a_failure_whoever_could_move() {
    let edges = vec![edge(Side::Tester, Vec::new())];
    let late = vec![vec![at_least(3, false)]];
    let reason = "the system stayed silent for too long";
    for (invariant, patience) in [(at_most(2, false), "[0,2]"), (at_most(3, true), "[0,3)")] {
        let case = case(vec![invariant], late.clone(), edges.clone());
        assert_eq!(Follower::new(&case).patience().unwrap().to_string(), patience);
        let (verdict, after, said) = delayed(&case, 7).unwrap();
        assert_eq!((verdict, said.as_str()), (Verdict::Fail, reason));
        assert_eq!(after, Rational::integer(invariant.bound));
    }
}

#[test]
fn verdicts_count_only_as_far_as_time_gets() {
    let edges = vec![edge(Side::System, Vec::new())];
    let mut case = case(vec![at_most(4, false)], vec![vec![at_least(2, false)]], edges);
    let judged = |from: CaseBound| {
        let reason = "given up".to_owned();
        vec![Judgement::new(Verdict::Inconclusive, vec![vec![from]], reason)]
    };
    case.places[0].verdicts = judged(at_least(2, false));
    let (verdict, after, _) = delayed(&case, 9).unwrap();
    assert_eq!((verdict, after), (Verdict::Inconclusive, half(4)));
    // Just after the last moment it is too late for anything else.
    case.places[0].verdicts = judged(at_least(2, true));
    assert_eq!(delayed(&case, 9).unwrap().0, Verdict::Fail);
    case.places[0].urgent.clear();
    case.places[0].verdicts = judged(at_least(4, true));
    assert_eq!(delayed(&case, 9).unwrap().0, Verdict::Fail);
}

#[test]
fn intentions_reach_no_further_than_time() {
    let edges = vec![edge(Side::System, Vec::new()), edge(Side::Tester, Vec::new())];
    let mut case = case(Vec::new(), vec![vec![at_least(2, false)]], edges);
    let rule = |zone: CaseBound, play| CaseRule {
        rank: [0, 0, 1],
        zones: vec![vec![zone]],
        play,
        awaited: Vec::new(),
    };
    case.places[0].rules = vec![rule(at_most(2, true), None), rule(at_least(2, false), Some(1))];
    let wait = |until| Intention::Wait { until, awaited: Vec::new() };
    let mut tester = Follower::new(&case);
    assert_eq!(tester.intention().unwrap(), wait(Some(half(4))));
    assert_eq!(tester.delay(half(4)).unwrap(), Followed::Going);
    assert_eq!(tester.intention().unwrap(), Intention::Send(action("send")));
    // What would come after the last moment never comes.
    case.places[0].rules = vec![rule(at_most(3, true), None), rule(at_least(3, false), Some(1))];
    assert_eq!(Follower::new(&case).intention().unwrap(), wait(None));
}

#[test]
fn places_without_haste_look_as_before() {
    let calm = case(Vec::new(), Vec::new(), Vec::new());
    let hasty = case(Vec::new(), vec![Vec::new()], Vec::new());
    let text = serde_json::to_string(&calm).unwrap();
    assert!(!text.contains("urgent"), "{text}");
    for one in [calm, hasty] {
        let text = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<TestCase>(&text).unwrap(), one);
    }
}
