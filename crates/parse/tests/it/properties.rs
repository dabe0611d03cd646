//! Properties decided on the text: worked examples by hand, random automata against sampling.

use proptest::prelude::*;
use tioga_base::Rational;
use tioga_model::{
    ClockGuard, ClockId, Composer, DiscreteState, LocationId, MaximalConstant, Model, ProcessId,
    Property, PropertySubject, PropertyVerdict, PropertyWitness, maximal_constants, properties,
};
use tioga_parse::Format;
use tioga_testkit::{example, example_files, model, model_file, model_in, root, shared_models};

/// The verdict on the first process.
fn verdict(model: &Model, property: Property) -> PropertyVerdict {
    let scope = PropertySubject::Process(model.processes[ProcessId(0)].name.clone());
    let mut reports = properties(model).into_iter();
    reports.find(|r| r.property == property && r.scope == scope).unwrap().verdict
}

fn witness(model: &Model, property: Property) -> PropertyWitness {
    match verdict(model, property) {
        PropertyVerdict::Fails(witness) => witness,
        other => panic!("{property}: {other:?}"),
    }
}

fn holds(model: &Model, property: Property) -> bool {
    verdict(model, property) == PropertyVerdict::Holds
}

fn sentence(model: &Model, property: Property) -> String {
    witness(model, property).sentence
}

#[test]
fn the_smart_light_is_deterministic_and_input_complete() {
    for path in ["smart-light", "problematic-light"] {
        let light = example(path);
        for property in [
            Property::Deterministic,
            Property::Observable,
            Property::InputComplete,
            Property::DiagonalFree,
            Property::UrgencyFree,
            Property::DataFree,
        ] {
            assert!(holds(&light, property), "{path} {property}");
        }
        // Touches can follow each other at once.
        let cycle = witness(&light, Property::StronglyNonZeno);
        assert_eq!(cycle.edges.len(), 1);
        assert!(cycle.sentence.contains("`touch?` from `L1` to `L1`"), "{}", cycle.sentence);
        let strict = sentence(&light, Property::Closed);
        assert_eq!(strict, "the guard of `touch?` from `Off` to `L1` is strict");
        assert_eq!(sentence(&light, Property::InvariantFree), "`L1` has an invariant");
        assert!(sentence(&light, Property::EventRecording).contains("`Light.x`"));
        let constants = maximal_constants(&light);
        assert_eq!(constants[ClockId(0)], MaximalConstant::Known(Rational::integer(20)));
        assert_eq!(constants[ClockId(1)], MaximalConstant::Known(Rational::integer(2)));
    }
}

#[test]
fn the_conveyor_lacks_inputs_and_moves_internally() {
    let belt = example("conveyor");
    assert!(holds(&belt, Property::Deterministic));
    assert_eq!(
        sentence(&belt, Property::Observable),
        "`load` from `Start` to `Sort` is an internal step: the label `load` is not part of the \
         interface"
    );
    let missing = witness(&belt, Property::InputComplete);
    assert_eq!(missing.sentence, "`ship1?` is refused in `Start` when Belt.x = 0");
    // Three inputs in six locations; ship1 and ship2 work in one, restart in three.
    assert_eq!(missing.others.len() + 1, 3 * 6 - 2 - 3);

    let game = example("conveyor-game");
    assert!(holds(&game, Property::Deterministic) && holds(&game, Property::Observable));
    let missing = witness(&game, Property::InputComplete);
    assert_eq!(missing.others.len() + 1, 3 * 5 - 2 - 3);
}

#[test]
fn the_switch_is_input_complete_and_resets_at_any_time() {
    let switch = example("switch/sw5");
    assert!(holds(&switch, Property::Deterministic));
    assert!(holds(&switch, Property::InputComplete));
    assert!(holds(&switch, Property::Closed));
    let reset = sentence(&switch, Property::IntegerReset);
    assert!(reset.starts_with("`on?` from `q0` to `q1` resets a clock"), "{reset}");
}

#[test]
fn a_silent_choice_is_found_in_the_example_of_bjsk() {
    let automaton = example("bjsk");
    assert_eq!(
        sentence(&automaton, Property::Deterministic),
        "in `l0`, `tau` leads both to `l1` and to `l5` when A.x = 1"
    );
    // There is no cycle at all.
    assert!(holds(&automaton, Property::StronglyNonZeno));
}

#[test]
fn unbounded_data_is_refuted_by_its_initial_values() {
    let automaton = example("khoumsi/fig1");
    let beta = witness(&automaton, Property::Deterministic);
    assert_eq!(
        beta.sentence,
        "in `l2`, `beta!` leads both to `l3` and to `l4` when Spec.c1 = 2.5, p = 0 and Spec.x = 0"
    );
    assert!(holds(&automaton, Property::StronglyNonZeno));
    assert!(holds(&automaton, Property::EventRecording));
}

#[test]
fn fischer_is_deterministic_and_may_cycle_in_no_time() {
    let text = "int id;
        process P() {
            clock x;
            state wait, req { x <= 2 }, A, cs;
            init A;
            trans A -> req { guard id == 0; assign x = 0; },
                req -> wait { guard x <= 2; assign x = 0, id = 1; },
                wait -> req { guard id == 0; assign x = 0; },
                wait -> cs { guard x > 2 && id == 1; },
                cs -> A { assign id = 0; };
        }
        system P;";
    let fischer = model_in(Format::Xta, text);
    assert!(holds(&fischer, Property::Deterministic));
    assert_eq!(
        sentence(&fischer, Property::StronglyNonZeno),
        "nothing makes time pass on the cycle req → wait → req: no clock is both set and bounded \
         from below there"
    );
    assert!(sentence(&fischer, Property::EventRecording).contains("without an action"));
    assert!(matches!(
        verdict(&fischer, Property::InputComplete),
        PropertyVerdict::NotApplicable(_)
    ));
    // Without the retry every cycle goes through the critical section, at least 2 after a reset.
    let once =
        model_in(Format::Xta, &text.replace("wait -> req { guard id == 0; assign x = 0; },", ""));
    assert!(holds(&once, Property::StronglyNonZeno));
}

#[test]
fn received_and_sent_values_tell_edges_apart() {
    let with = |first: &str, second: &str| {
        model(&format!(
            "input set(int[0, 9] v); output get(int[0, 9] v);
             automaton P {{
               int[0, 9] n;
               init location l; location k;
               {first} {second}
             }}"
        ))
    };
    let split = with("l -> k : set(v)? when v < 5;", "l -> l : set(v)? when v >= 5;");
    assert!(holds(&split, Property::Deterministic));
    let overlap = with("l -> k : set(v)? when v <= 5;", "l -> l : set(v)? when v >= 5;");
    let found = witness(&overlap, Property::Deterministic);
    assert_eq!(found.data.len(), 1);
    assert_eq!(found.data[0].value, 5);
    // `k` takes nothing at all.
    assert_eq!(sentence(&split, Property::InputComplete), "`set?` is refused in `k`");
    let sends = with("l -> k : get(n)!;", "l -> l : get(9)!;");
    assert_eq!(witness(&sends, Property::Deterministic).data[0].value, 9);
    let different = with("l -> k : get(3)!;", "l -> l : get(9)!;");
    assert!(holds(&different, Property::Deterministic));
    let refused = with("l -> k : set(v)? when v != 7;", "k -> k : set(v)?;");
    assert_eq!(
        sentence(&refused, Property::InputComplete),
        "`set?` is refused in `l` when received value 1 = 7"
    );
}

#[test]
fn too_much_data_is_unknown_and_named() {
    let text = "input a;
        automaton P {
          int big; int other;
          init location l; location k;
          l -> k : a? when big * other == 391;
          l -> l : a? when big + other == 40;
          k -> k : a?;
        }";
    let PropertyVerdict::Unknown(reason) = verdict(&model(text), Property::Deterministic) else {
        panic!("decided")
    };
    assert!(reason.contains("`P.big`"), "{reason}");
    // One such variable can be enumerated.
    let single = text.replace("big * other == 391", "big == 391").replace("big + other", "big");
    assert!(holds(&model(&single), Property::Deterministic));
}

#[test]
fn bounds_by_one_expression_need_no_values() {
    // Two integers have too many values together, and all of them agree.
    let text = |guard: &str| {
        format!(
            "input a; automaton A {{ clock x; int n = 0; int m = 0;
             init location L invariant x <= n + m; L -> L : a? when {guard} do x = 0; }}"
        )
    };
    let fixed = model(&text("x >= n + m"));
    assert!(holds(&fixed, Property::IntegerReset));
    let later = model(&text("x >= n + m + 1"));
    assert!(!matches!(verdict(&later, Property::IntegerReset), PropertyVerdict::Fails(_)));
    let other = model(&text("x >= n - m && x > 0"));
    assert!(!holds(&other, Property::IntegerReset));
    // A constant bound makes time pass whatever the data is.
    let slow = text("x >= 3").replace("n = 0", "n = 9");
    assert!(holds(&model(&slow), Property::StronglyNonZeno));
    let quick = text("x >= n + m - 9").replace("n = 0", "n = 9");
    assert!(!holds(&model(&quick), Property::StronglyNonZeno));
}

#[test]
fn the_budget_of_values_is_shared_by_all_processes() {
    // Each process has 65536 values to try for two pairs of edges, and none refutes determinism.
    let text = "input a; automaton A(int[0, 99] i) { clock x; int n = 0; init location L;
        L -> L : a? when x < n; L -> L : a? when x > n; L -> L : a? when x == n && x > 70000; }
        system A;";
    let network = model(text);
    let reports = properties(&network);
    let found: Vec<&PropertyVerdict> = reports
        .iter()
        .filter(|report| report.property == Property::Deterministic)
        .map(|report| &report.verdict)
        .collect();
    assert_eq!(found.len(), 100);
    assert_eq!(*found[0], PropertyVerdict::Holds);
    let PropertyVerdict::Unknown(reason) = found[99] else { panic!("{:?}", found[99]) };
    assert!(reason.contains("are too many"), "{reason}");
}

#[test]
fn the_classes_need_their_resets_where_they_belong() {
    let with = |edges: &str| {
        model(&format!(
            "input a; output b;
             automaton P {{
               clock x, y;
               init location l invariant x <= 5; location k;
               {edges}
             }}"
        ))
    };
    let recording = with("l -> k : a? do x = 0; k -> l : a? do x = 0; k -> l : b! do y = 0;");
    assert!(holds(&recording, Property::EventRecording));
    let unseen = model(
        "input a; output b; internal tau;
         automaton P { clock x; init location l; location k; l -> k : tau do x = 0; k -> l : b!; }",
    );
    assert_eq!(
        sentence(&unseen, Property::EventRecording),
        "`tau` from `l` to `k` resets `P.x`, and no observer sees it"
    );
    let skips = with("l -> k : a? do x = 0; k -> l : a?;");
    assert_eq!(
        sentence(&skips, Property::EventRecording),
        "`a?` from `k` to `l` does not reset `P.x`, but `a?` from `l` to `k` does"
    );
    let shifts = with("l -> k : a? do x = 1;");
    assert!(sentence(&shifts, Property::EventRecording).contains("something else than 0"));
    // The invariant and the guard together leave one instant.
    let integer =
        with("l -> k : a? when x >= 5 do y = 0; k -> l : b! when y == 2 do x = 0, y = 1;");
    assert!(holds(&integer, Property::IntegerReset));
    let fraction = with("l -> k : a? when x == 5/2 do y = 0;");
    assert!(sentence(&fraction, Property::IntegerReset).contains("fixes no clock at an integer"));
    let set = with("l -> k : a? when x == 1 do y = 1/2;");
    assert!(sentence(&set, Property::IntegerReset).contains("to a fraction"));
}

#[test]
fn strong_non_zenoness_counts_bounds_above_what_is_set() {
    let with = |reset: &str, guard: &str| {
        let text = format!(
            "input a; output b;
             automaton P {{
               clock x, y; int[1, 4] d;
               init location l; location k;
               l -> k : a? do {reset};
               k -> l : b! when {guard};
             }}"
        );
        holds(&model(&text), Property::StronglyNonZeno)
    };
    assert!(with("x = 0", "x >= 1"));
    assert!(with("x = 0", "x >= 1/2"), "any fixed positive amount will do");
    assert!(with("x = 0", "x >= d"), "at least 1 for all data");
    assert!(with("x = 0", "x >= 2 || x == 1"));
    assert!(with("y = 0", "x >= 1 && y - x >= 1"), "a bound that follows counts");
    assert!(!with("x = 0", "x > 0"), "less and less time each turn");
    assert!(!with("x = 0", "y >= 1"));
    assert!(!with("x = 1", "x >= 1"));
    assert!(with("x = 1", "x >= 2"));
    assert!(!with("x = 0", "x >= 2 || y >= 2"));
    assert!(with("x = 0", "x < 0"), "an edge that is never taken closes no cycle");
}

#[test]
fn shapes_are_recognised() {
    let odd = model(
        "input a; output urgent chan b; int[0, 3] n;
         automaton P {
           clock x, y;
           init location l; urgent location k;
           l -> k : a? when x - y <= 2 do n = 1;
           k -> l : b!;
         }",
    );
    assert!(sentence(&odd, Property::DiagonalFree).contains("compares two clocks"));
    assert_eq!(sentence(&odd, Property::UrgencyFree), "`k` is urgent");
    assert_eq!(sentence(&odd, Property::DataFree), "`a?` from `l` to `k` changes data");
    assert!(holds(&odd, Property::Closed) && holds(&odd, Property::InvariantFree));
}

#[test]
fn purposes_are_split_by_what_they_observe() {
    let with = |first: &str, second: &str| {
        let model = model(&format!(
            "input a; output b;
             automaton P {{ clock x; init location l; location k; l -> k : a?; k -> l : b!; }}
             purpose Goal {{
               clock y;
               init location Wait; accept location Done;
               Wait -> Done : a? when {first};
               Wait -> Wait : a? when {second} do y = 0;
               otherwise self;
             }}"
        ));
        let mut reports = properties(&model).into_iter();
        let goal = PropertySubject::Purpose("Goal".into());
        reports.find(|r| r.property == Property::Deterministic && r.scope == goal).unwrap().verdict
    };
    assert_eq!(with("P.k", "P.l"), PropertyVerdict::Holds);
    assert_eq!(with("P.x < 1 && y > 2", "P.x >= 1"), PropertyVerdict::Holds);
    let PropertyVerdict::Fails(witness) = with("P.k && y <= 2", "P.x >= 1/2") else {
        panic!("disjoint")
    };
    assert_eq!(
        witness.sentence,
        "in `Wait`, `a?` leads both to `Done` and to `Wait` when P.x = 0.5, Goal.y = 0 and location \
         of P = k"
    );
}

#[test]
fn indices_known_only_when_evaluated_choose_channels_and_clocks() {
    let with = |first: &str, second: &str| {
        model(&format!(
            "input a[3]; output b;
             automaton P {{
               clock x[3]; int[0, 2] i;
               init location l;
               {first} {second}
               l -> self : b! when x[i] >= 1 do x[i] = 0, i = (i + 1) % 3;
             }}"
        ))
    };
    let apart = with("l -> self : a[i]?;", "l -> self : a[(i + 1) % 3]?;");
    assert!(holds(&apart, Property::Deterministic));
    let refused = sentence(&apart, Property::InputComplete);
    assert_eq!(refused, "`a[0]?` is refused in `l` when P.i = 1");
    let together = with("l -> self : a[i]?;", "l -> self : a[2 - i]? do i = 0;");
    let found = witness(&together, Property::Deterministic);
    assert_eq!((found.data[0].value, found.edges.len()), (1, 2));
    assert!(matches!(verdict(&together, Property::EventRecording), PropertyVerdict::Unknown(_)));
}

#[test]
fn joint_moves_of_vectors_are_observable_if_they_are_shown() {
    let with = |shown: &str| {
        let model = model(&format!(
            "internal up, down;
             automaton P {{ init location l; l -> self : up; }}
             automaton Q {{ init location l; l -> self : down; }}
             sync P.up, Q.down{shown};"
        ));
        holds(&model, Property::Observable)
    };
    assert!(with(" as output moved"));
    assert!(!with(""));
}

/// The models of the repository and, where they are installed, the shared ones.
fn all_models() -> Vec<(String, Model)> {
    let mut paths = example_files();
    paths.extend(shared_models("uppaal"));
    paths.extend(shared_models("tck"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        Some((name, model_file(path)?))
    };
    paths.iter().filter_map(read).collect()
}

#[test]
fn every_model_gets_a_report_with_places_and_values_that_check() {
    let models = all_models();
    assert!(models.len() > 10);
    for (name, model) in models {
        let reports = properties(&model);
        let scopes = model.processes.len() + model.purposes.len();
        assert_eq!(reports.len(), scopes * Property::ALL.len(), "{name}");
        for report in reports {
            let PropertyVerdict::Fails(witness) = report.verdict else { continue };
            assert!(!witness.spans.is_empty() && !witness.sentence.ends_with('.'), "{name}");
            if report.property == Property::Deterministic
                && let PropertySubject::Process(process) = &report.scope
            {
                recheck(&model, process, &witness);
            }
        }
    }
}

/// Both edges of a determinism witness are enabled at its point.
fn recheck(model: &Model, process: &str, witness: &PropertyWitness) {
    let (id, process) = model.processes.iter_ids().find(|(_, p)| p.name == process).unwrap();
    let mut composer = Composer::new(model);
    let mut state = composer.initial();
    state.locations[id.0 as usize] = witness.location.unwrap();
    for value in &witness.data {
        let Some(slot) = model.slots.iter().position(|slot| slot.name == value.name) else {
            return; // A received value or a location; the small models check these.
        };
        state.data[slot] = value.value;
    }
    let scale = Rational::integer(model.scale);
    let value = |clock: Option<ClockId>| {
        let found = witness.clocks.iter().find(|value| Some(value.clock) == clock);
        found.map_or(Rational::ZERO, |value| value.value.mul(scale).unwrap())
    };
    for edge in &witness.edges {
        let edge = &process.edges[*edge];
        let guard = composer.condition(&state, &edge.guard, edge.span).unwrap();
        assert!(holds_at(&guard, value), "{}", witness.sentence);
    }
}

#[test]
fn the_documentation_tells_the_truth() {
    let text = std::fs::read_to_string(root().join("docs/properties.md")).unwrap();
    let mut lines_checked = 0;
    for part in text.split("```tioga\n").skip(1) {
        let (source, rest) = part.split_once("```").unwrap();
        let (_, expected) = rest.split_once("```text\n").unwrap();
        let (expected, _) = expected.split_once("```").unwrap();
        let told: Vec<String> = properties(&model(source))
            .into_iter()
            .map(|report| {
                let verdict = match report.verdict {
                    PropertyVerdict::Holds => "holds".into(),
                    PropertyVerdict::Fails(witness) => format!("fails: {}", witness.sentence),
                    other => format!("{other:?}"),
                };
                format!("{}: {}: {verdict}", report.scope, report.property)
            })
            .collect();
        for line in expected.lines() {
            assert!(told.iter().any(|report| report == line), "{line}\n{told:#?}");
            lines_checked += 1;
        }
    }
    assert!(lines_checked > 15);
}

/// A condition over clocks `x`, `y` and data `n`, as text.
fn condition() -> impl Strategy<Value = String> {
    let op = prop::sample::select(vec!["<", "<=", "==", ">=", ">"]);
    let left = prop::sample::select(vec!["x", "y", "x - y", "n"]);
    let right = prop::sample::select(vec!["0", "1", "2", "3", "n"]);
    let atom = (left, op, right).prop_map(|(left, op, right)| format!("{left} {op} {right}"));
    let conjunction = prop::collection::vec(atom, 1..4).prop_map(|atoms| atoms.join(" && "));
    prop::collection::vec(conjunction, 1..3).prop_map(|parts| parts.join(" || "))
}

fn automaton(invariant: &str, guards: &[String]) -> Model {
    let mut edges = String::new();
    for (position, guard) in guards.iter().enumerate() {
        edges += &format!("l -> k{position} : a? when {guard};\nk{position} -> self : a?;\n");
    }
    let targets: String = (0..guards.len()).map(|p| format!("location k{p};\n")).collect();
    model(&format!(
        "input a;
         automaton P {{
           clock x, y; int[0, 2] n;
           init location l invariant n < 3 && ({invariant});
           {targets}{edges}
         }}"
    ))
}

fn holds_at(guard: &ClockGuard, value: impl Fn(Option<ClockId>) -> Rational) -> bool {
    guard.disjuncts.iter().any(|conjunction| {
        conjunction.iter().all(|bound| {
            let difference = value(bound.left).sub(value(bound.right)).unwrap();
            let limit = Rational::integer(bound.bound);
            difference < limit || (!bound.strict && difference == limit)
        })
    })
}

fn satisfied(guard: &ClockGuard, clocks: [Rational; 2]) -> bool {
    holds_at(guard, |clock| clock.map_or(Rational::ZERO, |clock| clocks[clock.0 as usize]))
}

/// Whether the invariant of the first location holds, and the number of enabled edges there.
fn enabled(model: &Model, n: i64, clocks: [Rational; 2]) -> (bool, usize) {
    let process = &model.processes[ProcessId(0)];
    let mut composer = Composer::new(model);
    let state = DiscreteState { data: Box::new([n]), ..composer.initial() };
    let location = &process.locations[LocationId(0)];
    let invariant = composer.condition(&state, &location.invariant, location.span).unwrap();
    let edges = process.outgoing[LocationId(0)].iter().map(|edge| &process.edges[*edge]);
    let count = edges
        .filter(|edge| {
            satisfied(&composer.condition(&state, &edge.guard, edge.span).unwrap(), clocks)
        })
        .count();
    (satisfied(&invariant, clocks), count)
}

/// What a witness says about `n`, `x` and `y`; what it leaves out does not matter.
fn point(witness: &PropertyWitness) -> (i64, [Rational; 2]) {
    let mut clocks = [Rational::ZERO; 2];
    for value in &witness.clocks {
        clocks[value.clock.0 as usize] = value.value;
    }
    (witness.data.first().map_or(0, |value| value.value), clocks)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn determinism_and_completeness_agree_with_sampling(
        invariant in condition(),
        guards in prop::collection::vec(condition(), 1..4),
    ) {
        // The invariant must admit the start; `x == 0` as an alternative sees to that.
        let invariant = format!("x == 0 || {invariant}");
        let model = automaton(&invariant, &guards);
        let (mut two, mut none) = (false, false);
        for n in 0..=2 {
            for x in 0..28 {
                for y in 0..28 {
                    let clocks = [x, y].map(|v| Rational::new(v, 4).unwrap());
                    let (inside, count) = enabled(&model, n, clocks);
                    two |= inside && count > 1;
                    none |= inside && count == 0;
                }
            }
        }
        match verdict(&model, Property::Deterministic) {
            PropertyVerdict::Holds => prop_assert!(!two),
            PropertyVerdict::Fails(witness) => {
                let (n, clocks) = point(&witness);
                let (inside, count) = enabled(&model, n, clocks);
                prop_assert!(inside && count > 1, "{}", witness.sentence);
                prop_assert!(two);
            }
            other => prop_assert!(false, "{other:?}"),
        }
        match verdict(&model, Property::InputComplete) {
            PropertyVerdict::Holds => prop_assert!(!none),
            PropertyVerdict::Fails(witness) => {
                let (n, clocks) = point(&witness);
                prop_assert_eq!(enabled(&model, n, clocks), (true, 0), "{}", witness.sentence);
                prop_assert!(none);
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }
}
