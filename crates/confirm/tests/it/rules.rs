//! Where the product as printed is not sound, and embeddings of machines without clocks or data.

use tioga_confirm::{Error, Machine, Rule, Second, Separation, separate};
use tioga_testkit::model;

use crate::support::{at, follow, plenty, separation, sequence, shown};

/// A machine with two exclusive edges for one input.
const EXCLUSIVE: &str = "input a; output c, d;
automaton M {
  clock x;
  init location s;
  s -> self : a? / c! when x < 1;
  s -> self : a? / d! when x >= 1 do x = 0;
}";

/// E1: as printed, two exclusive edges with different outputs make equal configurations look different.
#[test]
fn as_printed_a_configuration_differs_from_itself() {
    let model = model(EXCLUSIVE);
    let state = at(&model, "s", &["0"], &[]);
    let found = sequence(&model, Rule::AsPrinted, &state, &state);
    assert_eq!(shown(&model, &found), "a / c");
    assert!(matches!(separation(&model, Rule::Sound, &state, &state), Separation::Equivalent));
}

/// E2: as printed, the values of answers are compared as expressions.
#[test]
fn as_printed_values_of_answers_do_not_count() {
    let model = model(
        "input a; output e(integer value);
         automaton M { integer w; init location s; s -> self : a? / e(w)!; }",
    );
    let (first, second) = (at(&model, "s", &[], &[2]), at(&model, "s", &[], &[5]));
    let printed = separation(&model, Rule::AsPrinted, &first, &second);
    assert!(matches!(printed, Separation::Equivalent));
    assert_eq!(shown(&model, &sequence(&model, Rule::Sound, &first, &second)), "a / e(2)");
}

/// E3: as printed, an input that the second component does not know at all leads nowhere.
#[test]
fn as_printed_a_missing_edge_does_not_count() {
    let model = model(
        "input a; output c;
         automaton M { init location s; location t; s -> self : a? / c!; }",
    );
    let (first, second) = (at(&model, "s", &[], &[]), at(&model, "t", &[], &[]));
    let printed = separation(&model, Rule::AsPrinted, &first, &second);
    assert!(matches!(printed, Separation::Equivalent));
    assert_eq!(shown(&model, &sequence(&model, Rule::Sound, &first, &second)), "a / c");
    // The other way round nothing is told: the first configuration takes no input.
    let back = separation(&model, Rule::Sound, &second, &first);
    assert!(matches!(back, Separation::Equivalent));
}

/// A component that cannot let time pass gives no answer afterwards.
#[test]
fn an_invariant_of_the_second_component_separates() {
    let model = model(
        "input a; output c;
         automaton M { clock x; init location s; location t invariant x <= 2;
           s -> self : a? / c! when x >= 3; t -> self : a? / c!; }",
    );
    let (first, second) = (at(&model, "s", &["0"], &[]), at(&model, "t", &["0"], &[]));
    assert_eq!(shown(&model, &sequence(&model, Rule::Sound, &first, &second)), "3 a / c");
    let ends = follow(&model, Rule::Sound, &first, &second, "3");
    assert_eq!(ends[0].second, Second::Stuck);
    let printed = separation(&model, Rule::AsPrinted, &first, &second);
    assert!(matches!(printed, Separation::Equivalent));
}

/// An EFSM is a machine without clocks; the values of inputs are chosen by the solver.
#[test]
fn values_of_inputs_are_chosen_so_that_answers_differ() {
    let model = model(
        "input set(integer v), ask; output ok, big;
         automaton M { integer w; init location s;
           s -> self : set(v)? / ok! when v <= 1000 do w = w + v;
           s -> self : ask? / ok! when w <= 70000;
           s -> self : ask? / big! when w > 70000; }",
    );
    let (first, second) = (at(&model, "s", &[], &[0]), at(&model, "s", &[], &[69_900]));
    let found = sequence(&model, Rule::Sound, &first, &second);
    let text = shown(&model, &found);
    assert_eq!(found.exchanges.len(), 2, "{text}");
    let value = found.exchanges[0].values[0].to_integer().unwrap();
    assert!((101..=1000).contains(&value), "{text}");
    assert!(text.ends_with("ask / ok"), "{text}");
}

/// An ETTS is a machine without data.
#[test]
fn rational_delays_are_found_where_they_are_needed() {
    let model = model(
        "input a; output c, d;
         automaton M { clock x, y; init location s; location t; location u;
           s -> t : a? / c! when x > 0 && x < 1 do y = 0;
           t -> u : a? / c! when y > 0 && x < 1 do x = 0;
           u -> self : a? / c! when y < 1 && x > 0;
           u -> self : a? / d! when y >= 1; }",
    );
    let (first, second) =
        (at(&model, "u", &["0", "1/3"], &[]), at(&model, "u", &["0", "1/2"], &[]));
    let found = sequence(&model, Rule::Sound, &first, &second);
    assert_eq!(shown(&model, &found), "1/2 a / c");
    // From the start it takes three steps within one time unit.
    let (first, second) = (at(&model, "s", &["0", "0"], &[]), at(&model, "s", &["1/2", "0"], &[]));
    let found = sequence(&model, Rule::Sound, &first, &second);
    assert_eq!(shown(&model, &found), "1/2 a / c");
}

#[test]
fn two_edges_for_one_input_are_named_with_a_configuration() {
    let model = model(
        "input a; output c, d;
         automaton M { clock x; init location s;
           s -> self : a? / c! when x <= 2;
           s -> self : a? / d! when x >= 2; }",
    );
    let machine = Machine::of(&model).unwrap();
    let (first, second) = (at(&model, "s", &["0"], &[]), at(&model, "s", &["1"], &[]));
    let error = separate(machine, Rule::Sound, &first, &second, &mut plenty()).unwrap_err();
    let Error::Nondeterministic { at, first, second, .. } = error else { panic!("{error}") };
    assert_eq!((first.as_str(), second.as_str()), ("s -> s : a? / c!", "s -> s : a? / d!"));
    assert_eq!(at, "`s, x = 2`");
}

#[test]
fn what_is_no_such_machine_is_refused() {
    let refused = |text: &str| match Machine::of(&model(text)) {
        Err(Error::Unsupported { message, .. }) => message,
        other => panic!("{other:?}"),
    };
    let plain = refused("input a; automaton M { init location s; s -> self : a?; }");
    assert!(plain.contains("answer it"), "{plain}");
    let two = refused(
        "input a; output c; automaton M { init location s; s -> self : a? / c!; }
         automaton N { init location s; }",
    );
    assert!(two.contains("single process"), "{two}");
}

#[test]
fn a_configuration_outside_its_invariant_is_refused() {
    let model = model(
        "input a; output c;
         automaton M { clock x; init location s invariant x <= 2; s -> self : a? / c!; }",
    );
    let machine = Machine::of(&model).unwrap();
    let (first, second) = (at(&model, "s", &["0"], &[]), at(&model, "s", &["3"], &[]));
    let error = separate(machine, Rule::Sound, &first, &second, &mut plenty()).unwrap_err();
    assert_eq!(error.to_string(), "in s, x = 3 the invariant does not hold");
}
