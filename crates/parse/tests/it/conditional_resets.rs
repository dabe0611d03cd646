//! What is decided on the text of models in which clocks are set under conditions on data: nothing counts on them.

use tioga_model::{
    Accessed, ClockId, EdgeId, Model, ProcessId, Property, PropertySubject, PropertyVerdict,
    VariableId, properties,
};
use tioga_testkit::model;

fn verdict(model: &Model, property: Property) -> PropertyVerdict {
    let scope = PropertySubject::Process(model.processes[ProcessId(0)].name.clone());
    let mut reports = properties(model).into_iter();
    reports.find(|one| one.property == property && one.scope == scope).unwrap().verdict
}

/// A process with clocks `x`, `y`, data `n` and these edges.
fn with(edges: &str) -> Model {
    model(&format!(
        "input a; output b;
         automaton P {{ clock x, y; int[0, 3] n; init location l; location k; {edges} }}"
    ))
}

#[track_caller]
fn unknown(edges: &str, property: Property, why: &str) {
    match verdict(&with(edges), property) {
        PropertyVerdict::Unknown(reason) => assert!(reason.contains(why), "{edges}: {reason}"),
        other => panic!("{edges}: {other:?}"),
    }
}

#[test]
fn event_recording_needs_certain_resets() {
    let certain = "l -> k : a? do x = 0; k -> l : a? do x = 0;";
    assert_eq!(verdict(&with(certain), Property::EventRecording), PropertyVerdict::Holds);
    let perhaps = "l -> k : a? do x = 0; k -> l : a? do x = n == 1 ? 0 : x;";
    unknown(perhaps, Property::EventRecording, "which clock `a?` from `k` to `l` sets");
}

#[test]
fn integer_resets_hold_whether_or_not_a_clock_is_set() {
    let fixed = "l -> k : a? when x == 2 do y = n == 1 ? 0 : y;";
    assert_eq!(verdict(&with(fixed), Property::IntegerReset), PropertyVerdict::Holds);
    let why = "whether `a?` from `l` to `k` sets a clock depends on data";
    unknown("l -> k : a? when x < 2 do y = n == 1 ? 0 : y;", Property::IntegerReset, why);
    unknown("l -> k : a? when x == 2 do y = n == 1 ? 1/2 : y;", Property::IntegerReset, why);
    let also = "l -> k : a? when x < 2 do y = n == 1 ? 0 : y, x = 0;";
    assert!(matches!(verdict(&with(also), Property::IntegerReset), PropertyVerdict::Fails(_)));
}

#[test]
fn a_reset_under_a_condition_takes_no_time() {
    let turn = |reset: &str| with(&format!("l -> k : a? do {reset}; k -> l : b! when x >= 1;"));
    let verdict = |reset: &str| verdict(&turn(reset), Property::StronglyNonZeno);
    assert_eq!(verdict("x = 0"), PropertyVerdict::Holds);
    assert_ne!(verdict("x = n == 1 ? 0 : x"), PropertyVerdict::Holds);
    // What is set in any case counts, whatever else the edge may set.
    assert_eq!(verdict("x = n == 1 ? 0 : x, x = 0"), PropertyVerdict::Holds);
}

#[test]
fn a_condition_on_data_is_data() {
    let verdict = verdict(&with("l -> k : a? do x = n == 1 ? 0 : x;"), Property::DataFree);
    let PropertyVerdict::Fails(witness) = verdict else { panic!("{verdict:?}") };
    assert_eq!(witness.sentence, "`a?` from `l` to `k` sets a clock by data");
}

#[test]
fn a_clock_that_is_set_under_a_condition_is_no_definition() {
    let model = with("l -> k : a? do x = n == 1 ? 0 : x, y = n == 1 ? 0 : y, y = 0;");
    let found = model.accesses((ProcessId(0), EdgeId(0)));
    let [x, y] = [0, 1].map(|clock| Accessed::Clock(ClockId(clock)));
    assert_eq!(found.defined.into_iter().collect::<Vec<_>>(), [y]);
    assert_eq!(found.perhaps.into_iter().collect::<Vec<_>>(), [x]);
    // The edge depends on what the condition reads.
    assert_eq!(found.used.into_iter().collect::<Vec<_>>(), [Accessed::Variable(VariableId(0))]);
}

#[test]
fn what_a_condition_reads_ties_the_system_to_its_environment() {
    let with = |update: &str| {
        model(&format!(
            "input a; output b; int[0, 1] n;
             automaton P {{ clock x; init location l; l -> l : a? do {update}; l -> l : b! when x > 1; }}
             automaton E {{ init location e; e -> e : a! do n = 1 - n; e -> e : b?; }}
             system P environment E;"
        ))
    };
    assert!(with("x = 0").system_alone().unwrap().is_some());
    let entangled = with("x = n == 1 ? 0 : x").system_alone().unwrap_err().clause.clone();
    assert_eq!(entangled, "the environment changes `n`, which `P` uses");
}
