//! Runs to configurations and locations.

use tioga_base::Id;
use tioga_confirm::{Goal, Machine, reach};
use tioga_model::{LocationId, Model};
use tioga_testkit::{example, model};

use crate::support::{at, plenty};

fn to(model: &Model, goal: &Goal) -> Option<String> {
    let machine = Machine::of(model).unwrap();
    let run = reach(machine, goal, &mut plenty()).unwrap()?;
    if let Goal::Configuration(state) = goal {
        assert_eq!(run.end().unwrap(), *state);
    }
    let mut words: Vec<String> = Vec::new();
    for one in &run.exchanges {
        if !one.delay.is_zero() {
            words.push(one.delay.to_string());
        }
        words.push(model.channels[one.input].name.clone());
    }
    if !run.rest.is_zero() {
        words.push(run.rest.to_string());
    }
    Some(words.join(" "))
}

#[test]
fn a_configuration_is_reached_exactly() {
    let model = example("tefsm");
    let goal = |clocks: &[&str], w: i64| Goal::Configuration(at(&model, "s1", clocks, &[w]));
    assert_eq!(to(&model, &goal(&["0", "0"], 2)).unwrap(), "a a");
    assert_eq!(to(&model, &goal(&["3", "3"], 0)).unwrap(), "3");
    assert_eq!(to(&model, &goal(&["1/3", "2"], 1)).unwrap(), "5/3 a 1/3");
    // w is at most 5, and x never above y.
    assert_eq!(to(&model, &goal(&["0", "0"], 6)), None);
    assert_eq!(to(&model, &goal(&["2", "1"], 0)), None);
}

#[test]
fn a_location_is_reached_early() {
    let model = example("tefsm");
    let goal = |position: usize| Goal::Location(LocationId::from_index(position));
    assert_eq!(to(&model, &goal(0)).unwrap(), "");
    assert_eq!(to(&model, &goal(1)), None, "s2 cannot be reached");
    assert_eq!(to(&model, &goal(2)).unwrap(), "b");
}

#[test]
fn values_of_inputs_lead_to_a_configuration() {
    let model = model(
        "input set(int[0,100] v); output ok;
         automaton M { int[0,1000] w; clock x; init location s;
           s -> self : set(v)? / ok! when x >= 2 do w = w + v, x = 0; }",
    );
    let goal = Goal::Configuration(at(&model, "s", &["1"], &[250]));
    assert_eq!(to(&model, &goal).unwrap(), "2 set 2 set 2 set 1");
}
