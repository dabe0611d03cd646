//! Symbolic guards and updates say of known values what the evaluator says.

use fastrand::Rng;
use tioga_base::Rational;
use tioga_data::{Alphabet, Interpreter, Solver, Symbolic};
use tioga_model::{Composer, DiscreteState, Evaluator, Label, Model, ProcessId, Stack, Update};
use tioga_terms::{Assignment, Formula, Term};
use tioga_testkit::model;

use crate::random;

/// A model whose code uses what the random ones do not: functions, arrays, loops, conditionals, rationals.
const RICH: &str = "
input s(int[0,79] v), g;
output o(int[0,79] w), p;
int[0,79] table[3] = {5, 40, 79};
rational ratio = 1/3;
int[0,79] largest(int[0,79] one, int[0,79] two) { if (one > two) { return one; } return two; }
void swap(int[0,79] &one, int[0,79] &two) { int[0,79] kept = one; one = two; two = kept; }
int count(int[0,79] limit) {
  int n = 0;
  for (i : int[0,2]) { if (table[i] >= limit) { n = n + 1; } }
  return n;
}
automaton A {
  clock x;
  int[0,79] a = 10;
  int[0,79] b = 20;
  int[0,2] k = 0;
  init location L0;
  L0 -> self : s(v)? when largest(a, v) > b && count(v) >= 2 do swap(a, b), table[k] = v;
  L0 -> self : s(v)? do x = v > a ? 0 : x, a = v, x = (exists (i : int[0,2]) table[i] == a) ? 0 : x;
  L0 -> self : s(v)? when v % 7 == 3 || a / 3 > 9 do k = v > b ? 2 : 1, a = v <? b;
  L0 -> self : s(v)? when exists (i : int[0,2]) table[i] == v do a = sum (i : int[0,2]) (table[i] > v ? 1 : 0);
  L0 -> self : s(v)? when ratio * 3 <= 1 && (v > 3 imply b >= v) do ratio = ratio + 1/2, b = table[v % 3];
  L0 -> self : s(v)? when forall (i : int[0,2]) (table[i] != v) do a = a + v;
}
";

fn check(model: &Model, random: &mut Rng, largest: i64, seed: u64) {
    let alphabet = Alphabet::new(model);
    let start = Composer::new(model).initial();
    let process = ProcessId(0);
    for _ in 0..30 {
        let state = scattered(model, &start, random);
        let skeleton = alphabet.skeleton(&state);
        let data = alphabet.data(&skeleton);
        let symbolic = Symbolic { locations: &state.locations, data: &data };
        let mut known = alphabet.values(&state);
        let value = random.i64(0..=largest);
        for symbols in alphabet.inputs.values() {
            known.set(symbols[0], Rational::from(value));
        }
        for edge in &model.processes[process].edges {
            let receives = matches!(&edge.label, Label::Receive(used)
                if alphabet.inputs.contains_key(&used.channel));
            let frame = match &edge.label {
                Label::Receive(used) => alphabet.frame(used.channel, model).unwrap_or_default(),
                _ => Vec::new(),
            };
            let values: &[i64] = if receives { &[value] } else { &[] };
            let mut solver = Solver::new();
            let mut interpreter = Interpreter::new(model, &alphabet.symbols, &mut solver);
            let ways = interpreter.condition(
                &Formula::True,
                symbolic,
                &frame,
                edge.frame,
                &edge.guard,
                edge.span,
            );
            let mut stack = Stack::default();
            let mut evaluator =
                Evaluator::reading(&model.code, &state.locations, &state.data, &mut stack);
            evaluator.set_frame(values, edge.frame);
            let expected: Vec<bool> = edge
                .guard
                .disjuncts
                .iter()
                .map(|one| one.data.is_none_or(|data| evaluator.holds(data).unwrap()))
                .collect();
            let fitting: Vec<_> = ways.iter().filter(|way| holds(&way.condition, &known)).collect();
            assert_eq!(fitting.len(), 1, "seed {seed}: one way fits");
            let alternatives = fitting[0].outcome.as_ref().unwrap();
            let any = alternatives.iter().any(|(data, _)| holds(data, &known));
            assert_eq!(any, expected.contains(&true), "seed {seed}: a guard with {value}");
            let ways = interpreter.effect(&Formula::True, symbolic, &[(edge, &frame)]);
            let fitting: Vec<_> = ways.iter().filter(|way| holds(&way.condition, &known)).collect();
            assert_eq!(fitting.len(), 1, "seed {seed}: one way fits");
            let mut after = state.data.clone();
            let mut done = Ok(());
            let mut clocks = Vec::new();
            for update in &edge.updates {
                let mut evaluator =
                    Evaluator::writing(&model.code, &state.locations, &mut after, &mut stack);
                evaluator.set_frame(values, edge.frame);
                match update {
                    Update::Data(statement) => done = done.and(evaluator.run(statement, edge.span)),
                    Update::Clock(set)
                        if set.when.is_none_or(|one| evaluator.holds(one).unwrap()) =>
                    {
                        clocks.push(set.clock.clock);
                    }
                    Update::Clock(_) => {}
                }
            }
            match (&fitting[0].outcome, done) {
                (Ok(effect), Ok(())) => {
                    let after = alphabet.values(&DiscreteState { data: after, ..state.clone() });
                    for (position, symbol) in &alphabet.slots {
                        let term: &Term = &effect.data[*position];
                        assert_eq!(term.value(&known).unwrap(), after.get(*symbol), "seed {seed}");
                    }
                    let set: Vec<_> = effect.clocks.iter().map(|one| one.clock).collect();
                    assert_eq!(set, clocks, "seed {seed}");
                }
                (Err(_), Err(_)) => {}
                (symbolic, concrete) => panic!("seed {seed}: {symbolic:?} against {concrete:?}"),
            }
        }
    }
}

fn holds(formula: &Formula, known: &Assignment) -> bool {
    formula.holds(known).unwrap().unwrap()
}

/// A state with other values of the variables, within their ranges.
fn scattered(model: &Model, start: &DiscreteState, random: &mut Rng) -> DiscreteState {
    let mut state = start.clone();
    for (slot, value) in model.slots.iter().zip(&mut state.data) {
        if let Some(range) = slot.range {
            *value = random.i64(range.min..=range.max);
        }
    }
    state
}

#[test]
fn random_code_means_the_same() {
    for seed in 0..60 {
        let mut random = Rng::with_seed(seed);
        let model = model(&random::model(&mut random));
        check(&model, &mut random, random::LARGEST, seed);
    }
}

#[test]
fn rich_code_means_the_same() {
    let model = model(RICH);
    for seed in 0..20 {
        check(&model, &mut Rng::with_seed(seed), 79, seed);
    }
}
