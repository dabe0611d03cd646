//! Small models, decided by hand.

use crate::support::{text, view};
use tioga_base::{Budget, Cancel, LimitReached};
use tioga_determinize::{Determinized, Error, Exactness, LossKind, Resources, determinize};
use tioga_testkit::model;

fn losses(result: &Determinized) -> Vec<(LossKind, Option<String>)> {
    match &result.exactness {
        Exactness::Approximate { losses, .. } => {
            losses.iter().map(|loss| (loss.kind, loss.action.clone())).collect()
        }
        _ => Vec::new(),
    }
}

/// Event-recording, and not deterministic: `a?` may be forgotten.
const RECORDING: &str = "
input a;
output b;
automaton A {
  clock x;
  init location Idle;
  location Hot invariant x <= 2;
  Idle -> self : a? do x = 0;
  Idle -> Hot : a? do x = 0;
  Hot -> Idle : b! when x >= 1;
}";

#[test]
fn an_event_recording_automaton_resets_what_its_actions_reset() {
    let result = view(&model(RECORDING), 1, 2);
    assert_eq!(result.exactness, Exactness::Exact);
    let expected = "\
Idle
Idle_Hot
Idle -> Idle_Hot a? [] {c1}
Idle_Hot -> Idle b! [c1>=1 c1<=2] {}
Idle_Hot -> Idle_Hot a? [] {c1}
";
    let mut lines: Vec<String> = text(&result.network).lines().map(str::to_owned).collect();
    let mut expected: Vec<String> = expected.lines().map(str::to_owned).collect();
    lines.sort();
    expected.sort();
    assert_eq!(lines, expected);
}

#[test]
fn a_choice_between_clocks_needs_two_of_them() {
    // After the second `a` the system answers 1 after one of the two, and nobody sees which.
    let model = model(
        "
input a;
output b;
automaton A {
  clock x;
  init location Start;
  location First;
  location Late invariant x <= 1;
  Start -> First : a? do x = 0;
  First -> Late : a? when x > 0 && x < 1;
  First -> Late : a? when x > 0 && x < 1 do x = 0;
  Late -> Start : b! when x == 1;
}",
    );
    let one = view(&model, 1, 1);
    assert!(!one.exactness.is_exact());
    let two = view(&model, 2, 1);
    assert_eq!(two.exactness, Exactness::Exact, "{}", text(&two.network));
}

#[test]
fn an_input_in_doubt_is_left_out_and_an_output_in_doubt_is_kept() {
    // Nobody sees when `tau` resets the clock, so it is not known whether it is below 1.
    let of = |action: &str| {
        model(&format!(
            "
input a;
output b;
automaton A {{
  clock x;
  init location Start;
  location Armed, Over;
  Start -> Armed : do x = 0;
  Armed -> Over : {action} when x == 1;
}}"
        ))
    };
    let input = view(&of("a?"), 1, 1);
    assert_eq!(losses(&input), [(LossKind::Input, Some("a?".to_owned()))]);
    assert_eq!(text(&input.network).matches("a?").count(), 1, "{}", text(&input.network));
    let output = view(&of("b!"), 1, 1);
    assert!(losses(&output).iter().all(|(kind, _)| *kind == LossKind::Output), "{output:?}");
    assert!(text(&output.network).contains("b! [c1>=1]"), "{}", text(&output.network));
}

#[test]
fn a_network_becomes_one_automaton_without_its_inner_channels() {
    let model = model(
        "
input start;
output done;
chan go;
automaton Front {
  clock t;
  init location Idle;
  location Busy invariant t <= 1;
  Idle -> Busy : start? do t = 0;
  Busy -> Idle : go! when t == 1;
}
automaton Back {
  clock u;
  init location Idle;
  location Work invariant u <= 2;
  Idle -> Work : go? do u = 0;
  Work -> Idle : done! when u >= 1;
}
",
    );
    let result = view(&model, 1, 3);
    let process = result.network.processes.iter().next().unwrap();
    assert_eq!(result.network.processes.len(), 1);
    assert_eq!(result.network.channels.len(), 2);
    assert_eq!(process.name, "Observed");
    let view = text(&result.network);
    assert!(view.contains("done! [c1>=2"), "{view}");
}

#[test]
fn committed_locations_take_no_time() {
    let model = model(
        "
input a;
output b;
automaton A {
  init location Idle;
  location Over;
  committed location Now;
  Idle -> Now : a?;
  Now -> Idle : b!;
  Now -> Over : b!;
}",
    );
    let result = view(&model, 1, 1);
    assert_eq!(result.exactness, Exactness::Exact);
    assert!(text(&result.network).contains("Now [c1<=0]"), "{}", text(&result.network));
}

#[test]
fn a_goal_is_marked_where_it_is_certain_and_a_loss_where_it_is_in_doubt() {
    let of = |guard: &str, internal: &str| {
        model(&format!(
            "
output b;
automaton A {{
  clock x;
  init location Start;
  location Armed;
  accept location Goal;
  refuse location Lost;
  Start -> Armed : {internal};
  Armed -> Goal : b! {guard};
  Armed -> Lost : b!;
}}"
        ))
    };
    // One of the runs reaches the goal, whatever was observed.
    let sure = view(&of("", "do x = 0"), 1, 1);
    assert_eq!(sure.exactness, Exactness::Exact);
    let marks: Vec<(bool, bool)> = sure
        .network
        .processes
        .iter()
        .flat_map(|process| &process.locations)
        .map(|location| (location.marks.accept, location.marks.refuse))
        .collect();
    assert_eq!(marks, [(false, false), (true, false)]);
    // Before 1 the clock cannot be 1, and then it may be, or may have been set back too late.
    let doubt = view(&of("when x == 1", "do x = 0"), 1, 1);
    let lost = losses(&doubt);
    assert_eq!(lost.first(), Some(&(LossKind::Mark, None)), "{doubt:?}");
}

#[test]
fn values_are_told_apart() {
    let model = model(
        "
input set(int[0, 2] v);
output get(int[0, 2] v);
automaton A {
  int[0, 2] value;
  init location Idle;
  location Asked;
  Idle -> Asked : set(v)? do value = v;
  Asked -> Idle : get(value)!;
  Asked -> Idle : get(0)!;
}",
    );
    let result = view(&model, 0, 1);
    assert_eq!(result.exactness, Exactness::Exact);
    let process = result.network.processes.iter().next().unwrap();
    // After 1 and 2 the answer may be the value or 0, after 0 only 0.
    assert_eq!((process.locations.len(), process.edges.len()), (4, 3 + 1 + 2 + 2));
    result.network.validate().unwrap();
}

#[test]
fn an_exchange_follows_its_input() {
    let model = model(
        "
input a;
output b, c;
automaton A {
  clock x;
  init location Idle;
  location Other;
  Idle -> self : a? / b! when x < 1;
  Idle -> Other : a? / c! when x < 1;
  Idle -> Other : do x = 0;
}",
    );
    let result = view(&model, 1, 1);
    assert_eq!(result.exactness, Exactness::Exact, "{}", text(&result.network));
}

#[test]
fn a_cancelled_game_is_given_up() {
    let cancel = Cancel::new();
    cancel.cancel();
    let resources = Resources { clocks: 2, max_constant: 40 };
    let silent = RECORDING.replace("b! when", "when").replace("x <= 2", "x <= 40");
    let mut budget = Budget::steps(2_000_000).with_cancel(cancel);
    let error = determinize(&model(&silent), resources, &mut budget).unwrap_err();
    assert!(matches!(error, Error::Limit(LimitReached::Cancelled)), "{error}");
}

#[test]
fn unsupported_resources_are_refused() {
    let silent = RECORDING.replace("b! when", "when");
    let resources = Resources { clocks: 40, max_constant: 2 };
    let error = determinize(&model(&silent), resources, &mut Budget::steps(3)).unwrap_err();
    assert!(matches!(error, Error::Unsupported(_)), "{error}");
}

#[test]
fn fine_units_cost_nothing_where_all_constants_share_them() {
    let slow = RECORDING.replace("x <= 2", "x <= 2000").replace("x >= 1", "x >= 1000");
    let silent = slow.replace("Idle -> self : a? do x = 0;", "Idle -> self : when x == 1000;");
    let small = RECORDING.replace("Idle -> self : a? do x = 0;", "Idle -> self : when x == 1;");
    let (large, small) = (view(&model(&silent), 1, 2000), view(&model(&small), 1, 2));
    assert_eq!(large.game_states, small.game_states);
    assert_eq!(large.exactness.is_exact(), small.exactness.is_exact());
}
