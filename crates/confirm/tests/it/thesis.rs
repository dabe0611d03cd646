//! The example of BON09, chapter 4, section 6, with its figures.

use tioga_confirm::{Machine, Pair, Rule, Second, Separation};
use tioga_model::{LocationId, Model};
use tioga_testkit::example;

use crate::support::{at, follow, separation, sequence, shown};

/// A pair as the thesis writes it, without its odd parentheses: states, x0, y0, w0, x1, y1, w1. The second component
/// of a fail state is where it was.
fn written(model: &Model, pair: &Pair, before: &Pair) -> String {
    let machine = Machine::of(model).unwrap();
    let name = |location: LocationId| machine.process.locations[location].name.clone();
    let (state, second) = match (&pair.second, &before.second) {
        (Second::At(state), _) => (state, name(state.discrete.locations[0])),
        (Second::Fail, Second::At(state)) => (state, "fail".to_owned()),
        other => panic!("{other:?}"),
    };
    let mut numbers = Vec::new();
    for one in [&pair.first, state] {
        numbers.extend(one.clocks.iter().map(ToString::to_string));
        numbers.extend(one.discrete.data.iter().map(ToString::to_string));
    }
    format!("({},{second}) {}", name(pair.first.discrete.locations[0]), numbers.join(" "))
}

/// The last of the pairs that a word leads to, as the thesis writes it; it must be the only one.
fn leads(model: &Model, rule: Rule, second: &[&str], w: i64, word: &str) -> String {
    let first = at(model, "s1", &["0", "0"], &[2]);
    let second = at(model, "s1", second, &[w]);
    let (before, last) = word.rsplit_once(' ').unwrap_or(("", word));
    let all = follow(model, rule, &first, &second, word);
    let before = follow(model, rule, &first, &second, before);
    assert_eq!((all.len(), before.len()), (1, 1), "{last}");
    written(model, &all[0], &before[0])
}

#[test]
fn in_a_configuration_of_the_thesis_both_inputs_are_enabled() {
    let model = example("tefsm");
    let state = at(&model, "s1", &["3", "2"], &[4]);
    let both = |word: &str| follow(&model, Rule::Sound, &state, &state, word).len();
    assert_eq!([both("a"), both("b")], [1, 1]);
    // At w = 5, or x above 4, only b is.
    let other = at(&model, "s1", &["3", "2"], &[5]);
    assert_eq!(follow(&model, Rule::Sound, &other, &other, "a").len(), 0);
    assert_eq!(follow(&model, Rule::Sound, &state, &state, "3/2 a").len(), 0);
    assert_eq!(follow(&model, Rule::Sound, &state, &state, "3/2 b").len(), 1);
}

#[test]
fn the_product_as_printed_has_the_configurations_of_the_thesis() {
    let model = example("tefsm");
    let printed = |word: &str| leads(&model, Rule::AsPrinted, &["4", "2"], 5, word);
    assert_eq!(printed("b"), "(s3,s3) 0 0 2 0 0 5");
    assert_eq!(printed("b 3 b"), "(s1,s1) 0 0 2 0 0 5");
    assert_eq!(printed("b 6 a"), "(s1,s1) 0 0 2 0 0 5");
    assert_eq!(printed("a"), "(s1,fail) 0 0 3 4 2 5");
    assert_eq!(printed("1"), "(s1,s1) 1 1 2 5 3 5");
    assert_eq!(printed("1 a"), "(s1,fail) 0 1 3 5 3 5");
}

#[test]
fn with_another_suspicious_configuration_fail_takes_a_delay_or_two_inputs() {
    let model = example("tefsm");
    for rule in [Rule::AsPrinted, Rule::Sound] {
        let leads = |word: &str| leads(&model, rule, &["4", "2"], 4, word);
        assert_eq!(leads("a"), "(s1,s1) 0 0 3 0 2 5");
        assert_eq!(leads("a a"), "(s1,fail) 0 0 4 0 2 5");
        // After any positive delay, x1 is above 4.
        assert_eq!(leads("1/100 a"), "(s1,fail) 0 1/100 3 401/100 201/100 4");
    }
}

/// The thesis says that after the cycle of two b only b is enabled. By its own predicate a leads to fail.
#[test]
fn after_the_cycle_of_two_b_the_input_a_still_separates() {
    let model = example("tefsm");
    let end = leads(&model, Rule::AsPrinted, &["4", "2"], 5, "b 3 b a");
    assert_eq!(end, "(s1,fail) 0 0 3 0 0 5");
}

/// e(2) and e(5) are not compatible (Definition 4), but the printed product goes on with both.
#[test]
fn answers_with_different_values_are_not_compatible() {
    let model = example("tefsm");
    let (first, second) =
        (at(&model, "s1", &["0", "0"], &[2]), at(&model, "s1", &["4", "2"], &[5]));
    let sound = follow(&model, Rule::Sound, &first, &second, "b");
    assert_eq!(sound.len(), 1);
    assert_eq!(sound[0].second, Second::Fail);
    let printed = follow(&model, Rule::AsPrinted, &first, &second, "b");
    assert!(matches!(printed[0].second, Second::At(_)));
}

#[test]
fn the_search_finds_the_sequences_of_the_thesis() {
    let model = example("tefsm");
    let first = at(&model, "s1", &["0", "0"], &[2]);
    let (far, near) = (at(&model, "s1", &["4", "2"], &[5]), at(&model, "s1", &["4", "2"], &[4]));
    for rule in [Rule::Sound, Rule::AsPrinted] {
        let found = sequence(&model, rule, &first, &far);
        assert_eq!(shown(&model, &found), "a / c", "at time 0");
    }
    // As printed: a after a positive delay. In the sound form b separates, too, but a comes first.
    for rule in [Rule::Sound, Rule::AsPrinted] {
        let found = sequence(&model, rule, &first, &near);
        assert_eq!(shown(&model, &found), "1 a / c");
    }
}

#[test]
fn two_inputs_separate_where_no_time_can_pass() {
    // Both clocks of the first component are at their last value, so only words without delays count.
    let text = tioga_testkit::example_text("tefsm");
    let text = text.replace("init location s1;", "init location s1 invariant y <= 0;");
    let model = tioga_testkit::model(&text);
    let first = at(&model, "s1", &["0", "0"], &[2]);
    let near = at(&model, "s1", &["4", "0"], &[4]);
    let found = sequence(&model, Rule::AsPrinted, &first, &near);
    assert_eq!(shown(&model, &found), "a / c a / c");
}

/// The sound product of a machine with itself never fails from equal configurations.
#[test]
fn no_input_tells_a_configuration_from_itself() {
    let model = example("tefsm");
    for (location, w) in [("s1", 0), ("s1", 4), ("s3", 7)] {
        let state = at(&model, location, &["0", "0"], &[w]);
        assert!(matches!(separation(&model, Rule::Sound, &state, &state), Separation::Equivalent));
    }
}

#[test]
fn configurations_that_differ_only_where_nothing_looks_are_equivalent() {
    // Beyond 16, y does not matter any more: b is not possible either way. And w is not shown by a.
    let model = example("tefsm");
    let (first, second) =
        (at(&model, "s1", &["5", "17"], &[0]), at(&model, "s1", &["6", "20"], &[3]));
    assert!(matches!(separation(&model, Rule::Sound, &first, &second), Separation::Equivalent));
}
