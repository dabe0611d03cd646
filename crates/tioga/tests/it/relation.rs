//! The relation of models whose state is not known after each trace: most questions about their mutants are decided.

use tioga::{Judge, Loaded, ModelSource, Sources, Status, read};
use tioga_base::Cancel;
use tioga_explore::{Limits, SearchOptions};
use tioga_mutate::{MutantOptions, mutants};

/// After an `a` that nothing tells from the others, a `b` comes exactly one time unit later. No automaton without hidden choices has
/// these traces, whatever clocks it has.
const SOME_EARLIER: &str = "output a, b;
automaton S {
  clock x;
  init location L;
  location M;
  L -> L : a!;
  L -> M : a! do x = 0;
  M -> M : a!;
  M -> L : b! when x == 1;
}
";

/// Two services with different deadlines look the same until they answer.
const TWO_SERVICES: &str = "input go, stop;
output left, right, ready;
automaton S {
  clock x, y;
  init location A invariant y <= 4;
  location B invariant x <= 3;
  location C invariant x <= 5;
  location D;
  A -> B : go? do x = 0;
  A -> C : go? do x = 0;
  A -> D : when y >= 2 do x = 0;
  B -> A : left! when x >= 1 do y = 0;
  C -> A : left! when x >= 2 do y = 0;
  C -> A : right! when x >= 4 do y = 0;
  B -> D : stop? do x = 0;
  C -> D : stop? when x <= 1;
  D -> A : ready! when x >= 1 do y = 0;
}
";

fn load(text: &str) -> Loaded {
    let source = ModelSource::of_text("model.tioga", text).unwrap();
    read(source, &[], &mut Sources::new()).unwrap()
}

/// How many mutants of a model are equivalent, are not, and are not decided.
fn count(text: &str) -> [usize; 3] {
    let model = load(text).model;
    let limits = Limits { visited: Some(10_000), bytes: None, cancel: Cancel::new() };
    let options = SearchOptions { limits, ..SearchOptions::default() };
    let judge = Judge::new(&model, false, options, tioga::ViewOptions::default());
    let mut counts = [0; 3];
    for mutant in mutants(&model, &MutantOptions::default()).list {
        match judge.status(&model, &mutant) {
            Status::Equivalent => counts[0] += 1,
            Status::NonConforming { .. } => counts[1] += 1,
            Status::Unknown(reason) => {
                println!("{}: {reason}", mutant.id);
                counts[2] += 1;
            }
        }
    }
    counts
}

#[test]
fn mutants_of_nondeterministic_models_are_decided() {
    for text in [SOME_EARLIER, TWO_SERVICES] {
        let [equivalent, different, unknown] = count(text);
        let all = equivalent + different + unknown;
        assert!(unknown * 20 <= all, "{unknown} of {all} unknown, {equivalent} equivalent: {text}");
        assert!(equivalent > 0 && different > 0, "{equivalent}, {different}: {text}");
    }
}
