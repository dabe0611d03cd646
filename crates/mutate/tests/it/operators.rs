//! What each operator makes of a small model, and how many mutants the examples have.

use tioga_model::{Model, Role};
use tioga_mutate::{MutantOptions, Operator, mutants};
use tioga_testkit::{example, model};

const MACHINE: &str = "model machine;
input coin, kick;
output coffee, refund;
automaton Machine {
  clock x, y;
  int[0, 3] beans = 3;
  bool warm;
  init location Idle;
  location Brewing invariant x <= 5;
  Idle -> Brewing : coin? when y > 1 && beans > 0 do x = 0, warm = true;
  Brewing -> Idle : coffee! when x == 3 do beans = beans - 1;
  Brewing -> Idle : when x < 1;
}
automaton User { clock z; init location U; U -> U : coin! when z >= 1; }
system Machine environment User;
";

/// Ids and descriptions of the mutants by one operator.
fn by(model: &Model, operator: Operator) -> Vec<(String, String)> {
    let options = MutantOptions { operators: vec![operator], ..MutantOptions::default() };
    let list = mutants(model, &options).list;
    list.into_iter().map(|mutant| (mutant.id, mutant.description)).collect()
}

fn check(operator: Operator, expected: &[(&str, &str)]) {
    let made = by(&model(MACHINE), operator);
    let made: Vec<(&str, &str)> = made.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(made, expected);
}

const COIN: &str = "Idle -> Brewing on `coin?`";
const COFFEE: &str = "Brewing -> Idle on `coffee!`";

#[test]
fn bounds_of_guards_move_by_one() {
    let guard = "guard of Idle -> Brewing on `coin?`: y > 1 && beans > 0 becomes";
    check(
        Operator::GuardPlus,
        &[
            ("guard-plus-1@Machine.edge0#0", &format!("{guard} y > 2 && beans > 0")),
            ("guard-plus-1@Machine.edge0#1", &format!("{guard} y > 1 && beans > 1")),
            ("guard-plus-1@Machine.edge1#0", &format!("guard of {COFFEE}: x == 3 becomes x == 4")),
            ("guard-plus-1@Machine.edge2#0", "guard of Brewing -> Idle: x < 1 becomes x < 2"),
        ],
    );
    check(
        Operator::GuardMinus,
        &[
            ("guard-minus-1@Machine.edge0#0", &format!("{guard} y > 0 && beans > 0")),
            ("guard-minus-1@Machine.edge0#1", &format!("{guard} y > 1 && beans > -1")),
            ("guard-minus-1@Machine.edge1#0", &format!("guard of {COFFEE}: x == 3 becomes x == 2")),
            // `x < 0` is never true and left out.
        ],
    );
}

#[test]
fn comparisons_of_guards_change() {
    let guard = "guard of Idle -> Brewing on `coin?`: y > 1 && beans > 0 becomes";
    check(
        Operator::GuardStrict,
        &[
            ("guard-strict@Machine.edge0#0", &format!("{guard} y >= 1 && beans > 0")),
            ("guard-strict@Machine.edge0#1", &format!("{guard} y > 1 && beans >= 0")),
            ("guard-strict@Machine.edge2#0", "guard of Brewing -> Idle: x < 1 becomes x <= 1"),
        ],
    );
    check(
        Operator::GuardCompare,
        &[
            ("guard-compare@Machine.edge0#0", &format!("{guard} y < 1 && beans > 0")),
            ("guard-compare@Machine.edge0#1", &format!("{guard} y == 1 && beans > 0")),
            ("guard-compare@Machine.edge0#2", &format!("{guard} y > 1 && beans < 0")),
            ("guard-compare@Machine.edge0#3", &format!("{guard} y > 1 && beans == 0")),
            ("guard-compare@Machine.edge1#0", &format!("guard of {COFFEE}: x == 3 becomes x <= 3")),
            ("guard-compare@Machine.edge1#1", &format!("guard of {COFFEE}: x == 3 becomes x >= 3")),
            ("guard-compare@Machine.edge2#0", "guard of Brewing -> Idle: x < 1 becomes x > 1"),
            ("guard-compare@Machine.edge2#1", "guard of Brewing -> Idle: x < 1 becomes x == 1"),
        ],
    );
    check(
        Operator::GuardNegate,
        &[
            ("guard-negate@Machine.edge0#0", &format!("{guard} !(beans > 0) || y <= 1")),
            (
                "guard-negate@Machine.edge1#0",
                &format!("guard of {COFFEE}: x == 3 becomes x > 3 || x < 3"),
            ),
            ("guard-negate@Machine.edge2#0", "guard of Brewing -> Idle: x < 1 becomes x >= 1"),
        ],
    );
}

#[test]
fn invariants_change() {
    let invariant = "invariant of Brewing: x <= 5 becomes";
    let at = |name: &str| format!("{name}@Machine.Brewing#0");
    check(Operator::InvariantPlus, &[(&at("invariant-plus-1"), &format!("{invariant} x <= 6"))]);
    check(Operator::InvariantMinus, &[(&at("invariant-minus-1"), &format!("{invariant} x <= 4"))]);
    check(Operator::InvariantStrict, &[(&at("invariant-strict"), &format!("{invariant} x < 5"))]);
    let dropped = "Brewing loses its invariant x <= 5";
    check(Operator::InvariantDrop, &[(&at("invariant-drop"), dropped)]);
}

#[test]
fn resets_are_missing_or_added() {
    check(
        Operator::ResetMissing,
        &[("reset-missing@Machine.edge0#0", &format!("{COIN} does not do x = 0"))],
    );
    check(
        Operator::ResetExtra,
        &[
            ("reset-extra@Machine.edge0#0", &format!("{COIN} also does y = 0")),
            ("reset-extra@Machine.edge1#0", &format!("{COFFEE} also does x = 0")),
            ("reset-extra@Machine.edge1#1", &format!("{COFFEE} also does y = 0")),
            ("reset-extra@Machine.edge2#0", "Brewing -> Idle also does x = 0"),
            ("reset-extra@Machine.edge2#1", "Brewing -> Idle also does y = 0"),
        ],
    );
}

#[test]
fn resets_under_a_condition_are_missing_or_unconditional() {
    let text = "input a; automaton P { clock x, y; int[0, 3] n; init location L;
                L -> L : a? when y > 1 do x = n == 1 || n > 2 ? 0 : x, y = 0; }";
    let texts = |operator| -> Vec<String> {
        by(&model(text), operator).into_iter().map(|(_, description)| description).collect()
    };
    let edge = "L -> L on `a?`";
    assert_eq!(
        texts(Operator::ResetMissing),
        [
            format!("{edge} does not do x = n == 1 || n > 2 ? 0 : x"),
            format!("{edge} does not do y = 0")
        ]
    );
    assert_eq!(texts(Operator::ResetExtra), [format!("{edge} also does x = 0")]);
}

#[test]
fn edges_move_and_vanish() {
    check(
        Operator::Target,
        &[
            ("target@Machine.edge0#0", &format!("{COIN} leads to Idle")),
            ("target@Machine.edge1#0", &format!("{COFFEE} leads to Brewing")),
            ("target@Machine.edge2#0", "Brewing -> Idle leads to Brewing"),
        ],
    );
    check(
        Operator::Source,
        &[
            ("source@Machine.edge0#0", &format!("{COIN} leaves Brewing")),
            ("source@Machine.edge1#0", &format!("{COFFEE} leaves Idle")),
            ("source@Machine.edge2#0", "Brewing -> Idle leaves Idle"),
        ],
    );
    let missing = |edge: &str| format!("{edge} is missing");
    check(Operator::InputMissing, &[("input-missing@Machine.edge0#0", &missing(COIN))]);
    check(Operator::OutputMissing, &[("output-missing@Machine.edge1#0", &missing(COFFEE))]);
    let silent = missing("Brewing -> Idle");
    check(Operator::InternalMissing, &[("internal-missing@Machine.edge2#0", &silent)]);
    assert_eq!(by(&model(MACHINE), Operator::Sink).len(), 3);
}

#[test]
fn actions_stay_on_their_side() {
    // The channel `coin` has the user as its partner and `kick` the tester, so they are no
    // substitutes; without the user they are.
    let changed = by(&model(MACHINE), Operator::Action);
    assert_eq!(changed, [("action@Machine.edge1#0".into(), format!("{COFFEE} shows refund!"))]);
    let open = MACHINE.replace("system Machine environment User;", "system Machine;");
    let changed = by(&model(&open), Operator::Action);
    assert_eq!(changed[0], ("action@Machine.edge0#0".into(), format!("{COIN} shows kick?")));
    assert_eq!(changed.len(), 2);
}

#[test]
fn updates_change() {
    let update = format!("update of {COFFEE}: beans = beans - 1 becomes");
    check(
        Operator::UpdatePlus,
        &[("update-plus-1@Machine.edge1#0", &format!("{update} beans = beans - 2"))],
    );
    check(
        Operator::UpdateMinus,
        &[("update-minus-1@Machine.edge1#0", &format!("{update} beans = beans - 0"))],
    );
    check(
        Operator::UpdateNegate,
        &[(
            "update-negate@Machine.edge0#0",
            &format!("update of {COIN}: warm = true becomes warm = false"),
        )],
    );
    check(
        Operator::UpdateMissing,
        &[
            ("update-missing@Machine.edge0#0", &format!("{COIN} does not do warm = true")),
            ("update-missing@Machine.edge1#0", &format!("{COFFEE} does not do beans = beans - 1")),
        ],
    );
}

#[test]
fn values_outside_their_range_are_left_out() {
    let text = "input a; automaton P { int[0, 1] v; init location L; L -> L : a? do v = 1; }";
    let options =
        MutantOptions { operators: Operator::named("update"), ..MutantOptions::default() };
    let made = mutants(&model(text), &options);
    let ids: Vec<&str> = made.list.iter().map(|mutant| mutant.id.as_str()).collect();
    assert_eq!(ids, ["update-minus-1@P.edge0#0", "update-missing@P.edge0#0"]);
    assert_eq!(made.skipped, 1);
}

#[test]
fn a_sink_takes_all_inputs_and_is_silent() {
    let model = model(MACHINE);
    let options = MutantOptions { operators: vec![Operator::Sink], ..MutantOptions::default() };
    let made = mutants(&model, &options);
    let network = made.list[1].network(&model);
    let machine = network.processes.iter().next().unwrap();
    let sink = machine.locations.iter().last().unwrap();
    assert_eq!((sink.name.as_str(), sink.invariant.is_always()), ("Sink", true));
    let sink = machine.locations.iter_ids().last().unwrap().0;
    let leaving: Vec<_> = machine.edges.iter().filter(|edge| edge.source == sink).collect();
    assert_eq!(leaving.len(), 1);
    assert!(leaving[0].guard.is_always() && leaving[0].target == sink);
    assert!(machine.edges.iter().any(|edge| edge.source != sink && edge.target == sink));
}

#[test]
fn the_environment_is_changed_only_on_demand() {
    let model = model(MACHINE);
    let touched = |environment: bool| {
        let options = MutantOptions { environment, ..MutantOptions::default() };
        let list = mutants(&model, &options).list;
        list.iter().any(|one| model.processes[one.process].role == Role::Environment)
    };
    assert!(!touched(false));
    assert!(touched(true));
}

#[test]
fn the_examples_have_as_many_mutants_as_ever() {
    let counts = |name: &str| {
        let made = mutants(&example(name), &MutantOptions::default());
        let of = |operator| made.list.iter().filter(|one| one.operator == operator).count();
        let each: Vec<(&str, usize)> =
            Operator::ALL.into_iter().map(|one| (one.name(), of(one))).collect();
        let each = each.into_iter().filter(|(_, count)| *count > 0);
        let each: Vec<String> = each.map(|(name, count)| format!("{name} {count}")).collect();
        (made.list.len(), made.skipped, each.join(", "))
    };
    let light = "guard-plus-1 6, guard-minus-1 6, guard-strict 6, guard-compare 12, guard-negate 6, \
        invariant-plus-1 6, invariant-minus-1 6, invariant-strict 6, invariant-drop 6, \
        reset-missing 13, reset-extra 25, target 152, source 152, action 14, output-missing 7, \
        input-missing 12, sink 19";
    assert_eq!(counts("smart-light"), (454, 0, light.to_owned()));
    let alarm = "guard-plus-1 3, guard-minus-1 3, guard-strict 3, guard-compare 6, guard-negate 3, \
        invariant-plus-1 9, invariant-minus-1 3, invariant-strict 9, invariant-drop 9, \
        reset-missing 10, reset-extra 54, target 256, source 256, action 87, output-missing 9, \
        input-missing 14, internal-missing 9, sink 32";
    assert_eq!(counts("car-alarm"), (775, 6, alarm.to_owned()));
}
