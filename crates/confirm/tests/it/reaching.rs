//! Runs to configurations and locations.

use tioga_base::{Budget, Id, Rational};
use tioga_confirm::{Goal, Machine, Reached, Rule, Separation, reach, separate};
use tioga_model::{LocationId, Model};
use tioga_testkit::{example, model};

use crate::support::{at, plenty};

fn to(model: &Model, goal: &Goal) -> Option<String> {
    let machine = Machine::of(model).unwrap();
    let run = match reach(machine, goal, &mut plenty()).unwrap() {
        Reached::By(run) => run,
        Reached::Never => return None,
        other => panic!("{other:?}"),
    };
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

/// Inputs with values that count up to a bound, in steps of at most 3.
const SUM: &str = "input add(integer v), end; output ok, over;
automaton M {
  clock x; integer w;
  init location s; location t;
  s -> self : add(v)? / ok! when 0 <= v && v <= 3 && x <= 1 do w = w + v, x = 0;
  s -> t : end? / ok! when w >= 1200;
  s -> self : end? / over! when w < 1200;
}";

/// Values of inputs are found backward from those of the last state: every one counts.
#[test]
fn long_runs_have_values_that_fit_together() {
    let model = model(SUM);
    let machine = Machine::of(&model).unwrap();
    let goal = Goal::Location(LocationId::from_index(1));
    let Reached::By(run) = reach(machine, &goal, &mut plenty()).unwrap() else { panic!() };
    assert_eq!(run.exchanges.len(), 401);
    assert!(run.exchanges[..400].iter().all(|one| one.values == [Rational::integer(3)]));
}

/// What was not found with so many inputs is said at a limit.
#[test]
fn a_limit_says_how_far_the_search_was() {
    let model = model(SUM);
    let machine = Machine::of(&model).unwrap();
    let goal = Goal::Location(LocationId::from_index(1));
    let found = reach(machine, &goal, &mut Budget::steps(100)).unwrap();
    let Reached::Limit(inputs) = found else { panic!("{found:?}") };
    assert!((20..401).contains(&inputs), "{inputs}");
    let (first, second) = (at(&model, "s", &["0"], &[0]), at(&model, "s", &["0"], &[1]));
    let separated =
        |steps| separate(machine, Rule::Sound, &first, &second, &mut Budget::steps(steps)).unwrap();
    let Separation::Limit(inputs) = separated(50) else { panic!("no limit") };
    assert!((10..400).contains(&inputs), "{inputs}");
    // The shortest sequence has one input more than is excluded then.
    let Separation::By(run) = separated(u64::MAX) else { panic!("not separated") };
    assert_eq!(run.exchanges.len(), 401);
}
