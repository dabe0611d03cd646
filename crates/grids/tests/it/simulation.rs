//! Both simulation theorems (29 and 30 of chapter 3, 34 and 35 of chapter 5) against the reference semantics: random
//! models, random words with delays on the grid, and random walks of the grid.

use std::collections::BTreeSet;

use tioga_base::{Budget, Rational};
use tioga_concrete::{Observable, Semantics, State};
use tioga_grids::{
    Configuration, Ends, GridAutomaton, GridOptions, GridSymbol, Resolution, Symbol, TimedWord,
    of_model, replay, replay_on,
};
use tioga_model::{Direction, Model, StepLabel, Type, Values};
use tioga_testkit::model;

use crate::support::random_text;

/// All states of the reference semantics after a word.
fn reference(model: &Model, word: &TimedWord) -> BTreeSet<State> {
    let mut semantics = Semantics::new(model);
    let mut now = BTreeSet::from([semantics.initial().unwrap()]);
    for symbol in &word.0 {
        let mut after = BTreeSet::new();
        for state in &now {
            match symbol {
                Symbol::Delay(delay) => after.extend(semantics.delay(state, *delay).unwrap().ok()),
                Symbol::Action(name, values) => {
                    let shown = observable(model, name, values);
                    let options = semantics.options_for(state, Some(&shown)).unwrap();
                    let steps: Vec<_> =
                        options.now().filter(|step| shown.matches(step)).cloned().collect();
                    for step in steps {
                        after.insert(semantics.step(state, &step).unwrap());
                    }
                }
            }
        }
        now = after;
    }
    now
}

fn observable(model: &Model, name: &str, values: &[Rational]) -> Observable {
    let (id, channel) = model.channels.iter_ids().find(|(_, one)| one.name == name).unwrap();
    let mut arguments = Values::new();
    for (value, ty) in values.iter().zip(&channel.parameters) {
        match ty {
            Type::Rational => arguments.extend([value.numerator(), value.denominator()]),
            _ => arguments.push(value.to_integer().unwrap()),
        }
    }
    let label = match channel.direction {
        Some(Direction::Input) => StepLabel::Input(id),
        _ => StepLabel::Output(id),
    };
    Observable { label, arguments, reply: Values::new() }
}

/// A state of the reference semantics as a configuration of the grid: bounded, in units.
fn bounded(grid: &GridAutomaton, state: &State) -> Configuration {
    let Resolution { parts, context_parts, clocks, context, .. } = &grid.stepper().resolution;
    let cut = |value: Rational, bound: i64, parts: i64| {
        let whole = Rational::integer(value.floor());
        let value = match value <= Rational::integer(bound) {
            true => value,
            false => Rational::integer(bound).add(value.sub(whole).unwrap()).unwrap(),
        };
        value.mul(Rational::integer(parts)).unwrap().to_integer().unwrap()
    };
    let times = state.clocks.iter().zip(clocks).map(|(value, bound)| cut(*value, *bound, *parts));
    let data = state.discrete.data.chunks(2).zip(context);
    let data = data.map(|(value, bound)| {
        cut(Rational::new(value[0], value[1]).unwrap(), *bound, *context_parts)
    });
    Configuration { location: state.discrete.locations[0].0, values: times.chain(data).collect() }
}

/// A word that is often a run: choices of the reference semantics, now and then something else.
fn random_word(model: &Model, parts: i64, rng: &mut fastrand::Rng) -> TimedWord {
    let mut semantics = Semantics::new(model);
    let mut state = semantics.initial().unwrap();
    let mut word = TimedWord::default();
    for _ in 0..rng.usize(1..14) {
        let options = semantics.options(&state).unwrap();
        let steps: Vec<_> = options.now().cloned().collect();
        if !steps.is_empty() && rng.u32(..3) > 0 {
            let step = &steps[rng.usize(..steps.len())];
            let channel = match step.label {
                StepLabel::Input(channel) | StepLabel::Output(channel) => channel,
                _ => unreachable!("there are no other steps"),
            };
            let values = tioga_concrete::rational_values(model, channel, &step.arguments);
            let name = model.channels[channel].name.clone();
            state = semantics.step(&state, step).unwrap();
            word.0.push(Symbol::Action(name, values));
            continue;
        }
        let delay = Rational::new(rng.i64(0..4 * parts), parts).unwrap();
        word.0.push(Symbol::Delay(delay));
        match semantics.delay(&state, delay).unwrap() {
            Ok(later) => state = later,
            // The word is no run.
            Err(_) => break,
        }
    }
    if rng.u32(..5) == 0 && !word.0.is_empty() {
        let (one, other) = (rng.usize(..word.0.len()), rng.usize(..word.0.len()));
        word.0.swap(one, other);
    }
    word
}

fn each_model(rounds: u64, mut take: impl FnMut(&str, &Model, &GridAutomaton, &mut fastrand::Rng)) {
    let mut used = 0;
    for seed in 0..rounds {
        let mut rng = fastrand::Rng::with_seed(seed);
        let text = random_text(&mut rng, seed % 2 == 0);
        let model = model(&text);
        let automaton = of_model(&model).unwrap();
        let parts = 2 * rng.i64(1..=2);
        let options = GridOptions { parts: Some(parts), ..GridOptions::default() };
        let resolution = Resolution::of(&automaton, &options).unwrap();
        let budget = &mut Budget::steps(30_000);
        let Ok(grid) = GridAutomaton::new(automaton, &resolution, Ends::Expanded, budget) else {
            continue;
        };
        assert!(grid.state_count() as u128 <= grid.bound());
        used += 1;
        take(&text, &model, &grid, &mut rng);
    }
    assert!(used * 10 > rounds * 8, "{used} of {rounds}");
}

#[test]
fn a_word_is_a_run_of_the_automaton_exactly_if_it_is_one_of_the_grid() {
    let (mut runs, mut others) = (0, 0);
    each_model(300, |text, model, grid, rng| {
        for _ in 0..20 {
            let word = random_word(model, grid.stepper().resolution.parts, rng);
            let expected: BTreeSet<Configuration> =
                reference(model, &word).iter().map(|state| bounded(grid, state)).collect();
            let (on_grid, states) = replay_on(grid, &word).unwrap();
            let context = !grid.automaton().context.is_empty();
            // Without context the sets of states are the same. With it the grid may confuse values above the
            // bounds, so that it allows more.
            let found: BTreeSet<Configuration> = match on_grid.complete {
                true => {
                    states.last().unwrap().iter().map(|state| grid.configuration(*state)).collect()
                }
                false => BTreeSet::new(),
            };
            match context {
                false => assert_eq!(found, expected, "{word}\n{text}"),
                true => assert!(expected.is_subset(&found), "{word}\n{text}"),
            }
            // Exact replay without a grid is the reference semantics.
            let exact = replay(grid.automaton(), &grid.stepper().resolution, &word).unwrap();
            assert_eq!(exact.complete, !expected.is_empty(), "{word}\n{text}");
            match expected.is_empty() {
                true => others += 1,
                false => runs += 1,
            }
        }
    });
    assert!(runs > 1000 && others > 500, "{runs} {others}");
}

#[test]
fn a_walk_of_the_grid_is_a_run_of_the_automaton() {
    let mut actions = 0;
    each_model(200, |text, model, grid, rng| {
        for _ in 0..10 {
            let (mut at, mut symbols) = (0, Vec::new());
            for _ in 0..rng.usize(1..25) {
                let choices: Vec<(u32, u32)> = grid.transitions(at).collect();
                let Some((label, target)) = rng.choice(choices) else { break };
                symbols.push(match grid.label(label) {
                    None => GridSymbol::Tick,
                    Some((action, values)) => {
                        actions += 1;
                        GridSymbol::Action(action, values.iter().copied().collect())
                    }
                });
                at = target;
            }
            // The timed word of the walk. Outputs above their bounds stand for any such value, so all
            // outputs of the reference semantics that are shown so are tried.
            let ends = follow(model, grid, &symbols);
            let ends: BTreeSet<Configuration> =
                ends.iter().map(|state| bounded(grid, state)).collect();
            assert!(ends.contains(&grid.configuration(at)), "{symbols:?}\n{text}");
        }
    });
    assert!(actions > 1000, "{actions}");
}

/// The states of the reference semantics after a word of a grid, values bounded before they are compared.
fn follow(model: &Model, grid: &GridAutomaton, symbols: &[GridSymbol]) -> BTreeSet<State> {
    let mut semantics = Semantics::new(model);
    let tick = Rational::new(1, grid.stepper().resolution.parts).unwrap();
    let mut now = BTreeSet::from([semantics.initial().unwrap()]);
    for symbol in symbols {
        let mut after = BTreeSet::new();
        for state in &now {
            let GridSymbol::Action(action, values) = symbol else {
                after.extend(semantics.delay(state, tick).unwrap().ok());
                continue;
            };
            let name = &grid.automaton().actions[*action].name;
            let options = semantics.options(state).unwrap();
            for step in options.now() {
                let (StepLabel::Input(channel) | StepLabel::Output(channel)) = step.label else {
                    continue;
                };
                let shown = tioga_concrete::rational_values(model, channel, &step.arguments);
                let parts = Rational::integer(grid.stepper().resolution.context_parts);
                let units: Vec<i64> = shown
                    .iter()
                    .map(|value| value.mul(parts).unwrap().to_integer().unwrap())
                    .collect();
                let same = grid.stepper().shown(*action, &units) == *values;
                if model.channels[channel].name == *name && same {
                    let step = step.clone();
                    after.insert(semantics.step(state, &step).unwrap());
                }
            }
        }
        now = after;
    }
    now
}
