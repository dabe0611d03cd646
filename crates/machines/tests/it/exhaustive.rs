//! Suites of every method are complete: against a search for survivors, and on the smallest machines
//! against all machines there are.

use tioga_machines::complete::{Completeness, survivor};
use tioga_machines::partition::{count, difference, equivalence};
use tioga_machines::{Machine, Method, Transition, WordSuite, suite};

use crate::support::random;

fn passes(spec: &Machine, built: &Machine, tests: &WordSuite) -> bool {
    let mut pass = true;
    tests.each(&mut |word| {
        let named = |machine: &Machine| -> Vec<String> {
            let outputs = machine.answers(machine.initial(), word).unwrap();
            outputs.iter().map(|output| machine.output_name(*output).to_owned()).collect()
        };
        pass = pass && named(spec) == named(built);
    });
    pass
}

/// A random machine whose states can be reached and told apart.
fn minimal(rng: &mut fastrand::Rng, states: u32, inputs: u32, outputs: u32) -> Machine {
    loop {
        let machine = random(rng, states, inputs, outputs);
        if machine.unreachable().is_empty()
            && count(&equivalence(&machine)) == machine.state_count()
            && machine.output_count() == outputs as usize
        {
            return machine;
        }
    }
}

/// All machines with so many states, two inputs and two outputs.
fn all(states: u32) -> impl Iterator<Item = Machine> {
    let cells = states * 2;
    let options = u64::from(states * 2);
    (0..options.pow(cells)).map(move |mut number| {
        let mut transitions = Vec::new();
        for state in 0..states {
            for input in ["a", "b"] {
                let cell = number % options;
                number /= options;
                transitions.push(Transition {
                    source: format!("s{state}"),
                    input: input.to_owned(),
                    output: (cell % 2).to_string(),
                    target: format!("s{}", cell / 2),
                });
            }
        }
        Machine::new("all", [], "s0", &transitions).unwrap()
    })
}

#[test]
fn suites_find_every_machine_with_at_most_three_states() {
    let mut rng = fastrand::Rng::with_seed(1);
    let built: Vec<Machine> = (1..=3).flat_map(all).collect();
    assert_eq!(built.len(), 4 + 256 + 46_656);
    for _ in 0..2 {
        let spec = minimal(&mut rng, 2, 2, 2);
        for method in Method::ALL {
            let tests = suite(&spec, method, 1).unwrap();
            for built in &built {
                let same = difference(&spec, built).is_none();
                assert_eq!(passes(&spec, built, &tests), same, "{method:?} {spec:?} {built:?}");
            }
            assert_eq!(survivor(&spec, &tests, 3, 1_000_000), Completeness::Complete);
        }
    }
}

#[test]
fn suites_of_random_machines_have_no_survivor() {
    let mut rng = fastrand::Rng::with_seed(2);
    for round in 0..60 {
        let (states, inputs, extra) =
            [(3, 2, 0), (4, 2, 0), (3, 2, 1), (5, 3, 0), (2, 2, 2), (4, 2, 1)][round % 6];
        let spec = minimal(&mut rng, states, inputs, 2);
        for method in Method::ALL {
            let tests = suite(&spec, method, extra).unwrap();
            let found = survivor(&spec, &tests, states as usize + extra, 20_000_000);
            assert_eq!(found, Completeness::Complete, "{method:?}, {extra} more, of {spec:?}");
        }
    }
}

/// Machines with so many states that can be reached and told apart.
fn all_minimal(states: u32) -> impl Iterator<Item = Machine> {
    all(states).filter(|machine| {
        machine.unreachable().is_empty() && count(&equivalence(machine)) == machine.state_count()
    })
}

/// `TIOGA_MACHINES=1` takes all machines with three states, not one in so many.
fn one_in(usually: usize) -> usize {
    if std::env::var_os("TIOGA_MACHINES").is_some() { 1 } else { usually }
}

fn no_survivors(spec: &Machine, extra: usize) {
    for method in Method::ALL {
        let tests = suite(spec, method, extra).unwrap();
        let found = survivor(spec, &tests, spec.state_count() + extra, 20_000_000);
        assert_eq!(found, Completeness::Complete, "{method:?}, {extra} more, of {spec:?}");
    }
}

#[test]
fn suites_of_all_machines_with_two_states_have_no_survivor() {
    let mut made = 0;
    for spec in all_minimal(2) {
        made += 1;
        for extra in 0..=2 {
            no_survivors(&spec, extra);
        }
    }
    assert_eq!(made, 144);
}

#[test]
fn suites_of_machines_with_three_states_have_no_survivor() {
    let mut made = 0;
    for spec in all_minimal(3) {
        made += 1;
        for (extra, usually) in [(0, 40), (1, 200), (2, 2000)] {
            if made % one_in(usually) == 0 {
                no_survivors(&spec, extra);
            }
        }
    }
    assert_eq!(made, 22_704);
}

/// Here one extra state plays two states behind two words that both have not been shown to converge with
/// anything: they have to be separated from each other, not only from the words of the state cover.
#[test]
fn an_extra_state_does_not_play_two_states_at_once() {
    let spec = crate::support::machine(
        "s0: a->3/1 b->2/0 | s1: a->0/1 b->1/0 | s2: a->2/1 b->1/0 | s3: a->1/1 b->0/1",
    );
    no_survivors(&spec, 1);
    no_survivors(&spec, 2);
}

/// The search finds a survivor exactly if there is one among all machines.
#[test]
fn the_search_for_survivors_agrees_with_trying_all_machines() {
    let mut rng = fastrand::Rng::with_seed(3);
    let built: Vec<Machine> = (1..=2).flat_map(all).collect();
    let (mut complete, mut not) = (0, 0);
    for _ in 0..200 {
        let spec = minimal(&mut rng, 2, 2, 2);
        let words: Vec<Vec<u32>> = (0..rng.usize(1..5))
            .map(|_| (0..rng.usize(1..5)).map(|_| rng.u32(0..2)).collect())
            .collect();
        let tests = WordSuite::of_words(2, &words);
        let survives = built
            .iter()
            .any(|built| passes(&spec, built, &tests) && difference(&spec, built).is_some());
        match survivor(&spec, &tests, 2, 1_000_000) {
            Completeness::Complete => {
                assert!(!survives, "{spec:?} {words:?}");
                complete += 1;
            }
            Completeness::Survivor(found, word) => {
                assert!(survives);
                assert!(passes(&spec, &found, &tests));
                assert!(!passes(&spec, &found, &WordSuite::of_words(2, &[word])));
                not += 1;
            }
            Completeness::Unknown => panic!("the budget suffices"),
        }
    }
    assert!(complete > 0 && not > 0, "{complete} {not}");
}

#[test]
fn partial_machines_have_suites_by_methods_that_allow_them() {
    let mut rng = fastrand::Rng::with_seed(4);
    let mut made = 0;
    for _ in 0..200 {
        let spec = minimal(&mut rng, 3, 3, 2);
        let mut transitions: Vec<Transition> = spec
            .transitions()
            .map(|(source, input, output, target)| Transition {
                source: spec.state_name(source).to_owned(),
                input: spec.input_name(input).to_owned(),
                output: spec.output_name(output).to_owned(),
                target: spec.state_name(target).to_owned(),
            })
            .collect();
        transitions.remove(rng.usize(0..transitions.len()));
        let names = spec.states().map(|state| spec.state_name(state).to_owned());
        let Ok(partial) = Machine::new("partial", names, "s0", &transitions) else { continue };
        assert!(suite(&partial, Method::W, 0).is_err());
        for method in [Method::Hsi, Method::H, Method::Spy, Method::Spyh, Method::S] {
            let Ok(tests) = suite(&partial, method, 1) else { continue };
            made += 1;
            let found = survivor(&partial, &tests, 4, 20_000_000);
            assert_eq!(found, Completeness::Complete, "{method:?} {partial:?}");
        }
    }
    assert!(made > 100, "{made}");
}
