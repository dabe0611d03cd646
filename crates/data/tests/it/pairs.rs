//! Whether a model conforms to another is the same by classes and value by value, and violations are real.

use fastrand::Rng;
use tioga_base::Budget;
use tioga_concrete::Semantics;
use tioga_conform::{Decided, PairData, Relation, RelationAnswer, decide, decide_classes};
use tioga_data::{NoClasses, PairFollower, SMALL, Solver, pair_classes};
use tioga_explore::SearchOptions;
use tioga_model::{Model, StepLabel};
use tioga_testkit::model;

/// How many classes are examined at most; pairs with more are passed over.
const MOST: u64 = 300;

/// The seeds to try; more on demand.
fn seeds() -> Vec<u64> {
    let rounds = std::env::var("TIOGA_ROUNDS").ok().and_then(|text| text.parse().ok());
    (0..rounds.unwrap_or(20)).collect()
}

/// A deterministic model: the first edge whose guard holds is taken, by excluding those before it.
fn deterministic(random: &mut Rng) -> String {
    let mut edges = String::new();
    let locations = ["L0", "L1", "L2"];
    for from in locations {
        for (action, received) in [("s(v)?", true), ("g?", false)] {
            let (one, two) = (random.usize(..3), random.usize(..3));
            let bound = random.u8(..18);
            let guard = match (received, random.u8(..3)) {
                (true, 0) => format!("v < {bound}"),
                (true, 1) => "v <= a".to_owned(),
                (true, _) => format!("v == a + {}", random.u8(..3)),
                (false, 0) => format!("a > {bound}"),
                (false, _) => "a >= b".to_owned(),
            };
            let updates = match (received, random.u8(..3)) {
                (true, 0) => "a = v, x = 0",
                (true, 1) => "b = v",
                _ => "x = 0",
            };
            edges += &format!(
                "  {from} -> {} : {action} when {guard} do {updates};\n  {from} -> {} : {action} when !({guard});\n",
                locations[one], locations[two]
            );
        }
        let output = ["o(a)!", "o(b)!", "o(3)!", "p!"][random.usize(..4)];
        let to = locations[random.usize(..3)];
        edges += &format!("  {from} -> {to} : {output} when x >= {};\n", random.u8(..3));
    }
    format!(
        "input s(int[0,17] v), g;\noutput o(int[0,17] w), p;\nautomaton A {{\n  clock x;\n  int[0,17] a = {};\n  \
         int[0,17] b = 9;\n  init location L0;\n  location L1 invariant x <= 4;\n  location L2;\n{edges}}}\n",
        random.u8(..18)
    )
}

/// The same with one number changed.
fn changed(text: &str, random: &mut Rng) -> String {
    let places: Vec<usize> = text
        .match_indices(['<', '>', '+'])
        .filter(|(at, _)| {
            text[at + 1..]
                .trim_start_matches('=')
                .trim_start()
                .starts_with(|c: char| c.is_ascii_digit())
        })
        .map(|(at, _)| at)
        .collect();
    let Some(at) = places.get(random.usize(..places.len().max(1))) else { return text.to_owned() };
    let begin = at + text[*at..].find(|c: char| c.is_ascii_digit()).unwrap();
    let length = text[begin..].find(|c: char| !c.is_ascii_digit()).unwrap();
    let number: i64 = text[begin..begin + length].parse().unwrap();
    format!("{}{}{}", &text[..begin], number + 1, &text[begin + length..])
}

fn by_value(one: &Model, other: &Model, relation: Relation) -> Decided {
    let options = SearchOptions { threads: 1, ..SearchOptions::default() };
    decide(one, other, relation, &options, &mut |_| {}).unwrap()
}

#[test]
fn verdicts_are_those_of_enumeration() {
    let (mut held, mut violated, mut passed) = (0, 0, 0);
    for seed in seeds() {
        let random = &mut Rng::with_seed(seed);
        let text = deterministic(random);
        let (one, other) = (model(&changed(&text, random)), model(&text));
        let relation = [Relation::Conforms, Relation::Refines][random.usize(..2)];
        let mut budget = Budget::steps(MOST);
        let classes = match pair_classes([&one, &other], &mut Solver::new(), &mut budget) {
            Ok(classes) => classes,
            Err(NoClasses::Limit(_)) => {
                passed += 1;
                continue;
            }
            Err(why) => panic!("seed {seed}: {why}"),
        };
        let data = PairData { classes: &classes.data, unroll: SMALL as u64 };
        let options = SearchOptions { threads: 1, ..SearchOptions::default() };
        let found =
            decide_classes(&one, &other, relation, Some(data), &options, &mut |_| {}).unwrap();
        match (by_value(&one, &other, relation).answer, found.answer) {
            (RelationAnswer::Holds, RelationAnswer::Holds) => held += 1,
            (RelationAnswer::Violated(_), RelationAnswer::Violated(violation)) => {
                violated += 1;
                // Its steps are steps of both models, with the same inputs.
                let mut follower = PairFollower::new([&one, &other], &classes, Solver::new());
                let mut semantics = Semantics::new(&one);
                let mut state = semantics.initial().unwrap();
                let mut partners = violation.followed.iter().flatten();
                for timed in &violation.run {
                    state = semantics.delay(&state, timed.delay).unwrap().unwrap();
                    let Some(step) = &timed.step else { continue };
                    let visible = !matches!(step.label, StepLabel::Internal(_));
                    let partner = partners.next().filter(|_| visible);
                    let Some(partner) = partner else { continue };
                    let [own, other] = follower.step([Some(step), partner.step.as_ref()]).unwrap();
                    let (own, other) = (own.unwrap(), other.unwrap());
                    assert_eq!(own.arguments, other.arguments, "seed {seed}");
                    state = semantics.step(&state, &own).unwrap();
                }
            }
            (expected, found) => {
                panic!("seed {seed}, {relation:?}: {expected:?} against {found:?}\n{text}")
            }
        }
    }
    assert!(held > 1 && violated > 1, "{held} hold, {violated} are violated, {passed} passed over");
}

#[test]
fn a_model_refines_itself() {
    for seed in 0..10 {
        let random = &mut Rng::with_seed(seed);
        let text = deterministic(random);
        let own = model(&text);
        let mut budget = Budget::steps(MOST);
        let Ok(classes) = pair_classes([&own, &own], &mut Solver::new(), &mut budget) else {
            continue;
        };
        let data = PairData { classes: &classes.data, unroll: SMALL as u64 };
        let options = SearchOptions { threads: 1, ..SearchOptions::default() };
        let found =
            decide_classes(&own, &own, Relation::Refines, Some(data), &options, &mut |_| {});
        assert_eq!(found.unwrap().answer, RelationAnswer::Holds, "seed {seed}\n{text}");
    }
}
