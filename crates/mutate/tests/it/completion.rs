//! What is added to a mutant so that it can stand for a system.

use tioga_model::{Network, ProcessId};
use tioga_mutate::{Completion, Wording, complete};
use tioga_testkit::{example, model};

/// The edges that completion adds to the only process, as text.
fn added(text: &str, completion: Completion) -> Vec<String> {
    let model = model(text);
    let process = ProcessId(0);
    let before = model.processes[process].edges.len();
    let mut network: Network = (*model).clone();
    complete(&mut network, completion);
    let body = &network.processes[process];
    let texts = body.edges.as_slice()[before..].iter().map(|edge| {
        let mut wording = Wording::new(&network, process);
        let label = wording.label(&edge.label, None);
        let (from, to) = (&body.locations[edge.source].name, &body.locations[edge.target].name);
        format!("{from} -> {to} {label} when {}", wording.condition(&edge.guard))
    });
    let texts = texts.collect();
    network.validate().unwrap();
    texts
}

const INPUTS: Completion = Completion { inputs: true, time: false };
const TIME: Completion = Completion { inputs: false, time: true };

#[test]
fn inputs_are_ignored_exactly_where_they_are_not_taken() {
    let text = "input a, b; automaton P {
  clock x, y; bool w;
  init location L; location M invariant x <= 2; location N invariant y <= 1;
  L -> L : a? when x < 3; L -> L : a? when x > 5 && w;
  M -> L : a? when x <= 1; M -> L : b? when x <= 7; L -> N : b?; N -> L : a? do y = 0; N -> M : b?;
}";
    let expected = [
        "L -> L a? when x >= 3 && !w",
        "L -> L a? when x >= 3 && x <= 5",
        "M -> M a? when x > 1",
        // The edge to `N` cannot be taken after its invariant, nor the one to `M`.
        "L -> L b? when y > 1",
        "N -> N b? when x > 2",
    ];
    let made = added(text, INPUTS);
    let made: Vec<String> = made.iter().flat_map(|one| disjuncts(one)).collect();
    assert_eq!(made, expected);
}

/// A line for each alternative of its condition.
fn disjuncts(line: &str) -> Vec<String> {
    let (head, condition) = line.split_once(" when ").unwrap();
    condition.split(" || ").map(|one| format!("{head} when {one}")).collect()
}

#[test]
fn values_that_are_not_taken_are_ignored() {
    let text = "input set(int[0, 3] v), go[2]; automaton P {
  int[0, 1] i; init location L; L -> L : set(2)?; L -> L : go[i]?;
}";
    let expected = [
        "L -> L set? when !(value_1 == 2)",
        "L -> L go[0]? when !(i == 0)",
        "L -> L go[1]? when !(i == 1)",
    ];
    assert_eq!(added(text, INPUTS), expected);
}

#[test]
fn a_process_gets_stuck_where_it_would_stop_time() {
    let text = "input a; output b; automaton P {
  clock x; init location L invariant x <= 4; location M invariant x <= 2; location N invariant x < 1;
  L -> L : a? do x = 0; L -> M : b! when x >= 2 && x < 3 do x = 0; M -> L : b!;
}";
    // Whatever N does, it does before 1; it does nothing.
    let expected =
        ["L_stuck -> L a? when true", "L -> L_stuck  when x >= 4", "N -> N_stuck  when x >= 1"];
    assert_eq!(added(text, TIME), expected);
}

#[test]
fn a_complete_model_stays_as_it_is() {
    let light = example("smart-light");
    let mut network: Network = (*light).clone();
    complete(&mut network, Completion::ALL[0]);
    assert_eq!(network.processes, light.processes);
}
