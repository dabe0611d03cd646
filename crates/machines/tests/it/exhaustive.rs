//! Suites of every method are complete, and the search for survivors is right: against all machines there are.

use tioga_machines::complete::{Assumption, Completeness, Domain, survivor};
use tioga_machines::partition::{count, equivalence};
use tioga_machines::{Machine, Method, Transition, Word, g, suite};

use crate::support::random;
use crate::tables::{Table, assumed, connected, tried, tried_with};

/// More than any search here takes.
const STEPS: u64 = 200_000_000;

fn decide(spec: &Machine, tests: &[Word], domain: &Domain) -> Completeness {
    survivor(spec, tests, domain, STEPS, &|| true)
}

/// `TIOGA_MACHINES=1` takes all machines, not one in so many.
fn one_in(usually: usize) -> usize {
    if std::env::var_os("TIOGA_MACHINES").is_some() { 1 } else { usually }
}

/// Whether a suite is complete, by trying all machines. The search must agree, and its survivor must be one.
fn is_complete(spec: &Table, machine: &Machine, tests: &[Word], domain: &Domain) -> bool {
    let words = Table::words(machine, tests);
    let right = match &domain.assumption {
        None => tried(spec, &words, domain.states),
        Some(assumption) => {
            let (own, classes) = assumed(machine, assumption);
            tried_with(spec, &words, domain.states, (&own, classes))
        }
    };
    match decide(machine, tests, domain) {
        Completeness::Complete => assert_eq!(right, None, "{spec:?} {words:?} {domain:?}"),
        Completeness::Survivor(found, word) => {
            let built = Table::of(&found);
            let shown = &Table::words(machine, &[word])[0];
            assert!(built.0.len() <= domain.states, "{spec:?} {words:?} {built:?}");
            assert!(words.iter().all(|word| spec.agrees(&built, word)), "{spec:?} {words:?}");
            assert!(!spec.agrees(&built, shown), "{spec:?} {words:?} {built:?} {shown:?}");
            if let Some(assumption) = &domain.assumption {
                let (own, classes) = assumed(machine, assumption);
                assert!(
                    built.classes(&own).is_ok_and(|found| found >= classes),
                    "{spec:?} {words:?} {built:?}"
                );
                // It may need more outputs than are tried.
                return false;
            }
            assert!(right.is_some(), "{spec:?} {words:?} {domain:?}");
        }
        Completeness::Unknown => panic!("the budget suffices: {spec:?} {words:?} {domain:?}"),
    }
    right.is_none()
}

/// Suites of every method fail all faulty machines with at most one extra state, for all machines with at most three
/// states, two inputs and two outputs.
#[test]
fn suites_fail_every_faulty_machine() {
    let (mut specs, mut suites) = (Vec::new(), 0);
    for states in 1..=3 {
        let all = connected(states, false).into_iter().filter(Table::is_minimal);
        specs.extend(all.enumerate().filter(|(at, _)| states < 3 || at % one_in(40) == 0));
    }
    for (_, spec) in &specs {
        let machine = spec.machine().unwrap();
        for method in Method::ALL {
            for extra in 0..=1 {
                let tests = suite(&machine, method, extra).unwrap().words();
                let domain = Domain::of_states(spec.0.len() + extra);
                let complete = is_complete(spec, &machine, &tests, &domain);
                assert!(complete, "{method:?}, {extra} more, of {spec:?}: {tests:?}");
                suites += 1;
            }
        }
    }
    println!("{} machines, {suites} suites", specs.len());
}

/// The same for partial machines, by the methods that allow them.
#[test]
fn suites_of_partial_machines_fail_every_faulty_machine() {
    let (mut made, mut suites) = (0, 0);
    for states in 1..=3 {
        let all = connected(states, true).into_iter().enumerate();
        for (_, spec) in all.filter(|(at, _)| states < 3 || at % one_in(200) == 0) {
            let Some(machine) = spec.machine().filter(|machine| machine.gap().is_some()) else {
                continue;
            };
            made += 1;
            for method in Method::ALL {
                for extra in 0..=1 {
                    let Ok(tests) = suite(&machine, method, extra) else { continue };
                    let domain = Domain::of_states(spec.0.len() + extra);
                    let complete = is_complete(&spec, &machine, &tests.words(), &domain);
                    assert!(complete, "{method:?}, {extra} more, of {spec:?}");
                    suites += 1;
                }
            }
        }
    }
    println!("{made} machines, {suites} suites");
    assert!(suites > 500, "{suites}");
}

/// Suites of the G-method fail all faulty machines that its assumption allows. The machine need not be minimal.
#[test]
fn suites_of_the_g_method_fail_every_faulty_machine_that_is_assumed() {
    let sets: [&[&[u32]]; 4] = [&[&[]], &[&[0]], &[&[0, 1]], &[&[0], &[1]]];
    let (mut made, mut suites, mut short) = (0, 0, 0);
    for states in 1..=3_usize {
        let all = connected(states, false).into_iter().enumerate();
        for (at, spec) in all.filter(|(at, _)| states < 3 || at % one_in(700) == 0) {
            made += 1;
            let machine = spec.machine().unwrap();
            let words: Vec<Word> = sets[at % 4].iter().map(|word| word.to_vec()).collect();
            // The bound is on the states of an implementation, and equivalent states of the machine do not count.
            for most in count(&equivalence(&machine))..=states + 1 {
                for classes in 1..=most {
                    let tests = g(&machine, &words, classes, most).unwrap().words();
                    let assumption = Some(Assumption { words: words.clone(), classes });
                    let domain = Domain { states: most, assumption };
                    let complete = is_complete(&spec, &machine, &tests, &domain);
                    assert!(complete, "{words:?}, {classes} of {most}, of {spec:?}");
                    suites += 1;
                    // Most of these suites owe it to their assumption.
                    let all = decide(&machine, &tests, &Domain::of_states(most));
                    short += usize::from(all != Completeness::Complete);
                }
            }
        }
    }
    println!("{made} machines, {suites} suites, {short} complete only by their assumption");
    assert!(short > 100, "{short}");
}

/// Trying transitions one by one is trying all machines.
#[test]
fn transitions_tried_one_by_one_are_all_machines() {
    let built: Vec<Table> = (1..=3).flat_map(|states| connected(states, false)).collect();
    assert_eq!(built.len(), 4 + 192 + 13_824);
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut complete, mut not) = (0, 0);
    let specs = (1..=2).flat_map(|states| connected(states, false));
    for spec in specs.filter(Table::is_minimal) {
        let machine = spec.machine().unwrap();
        let method = Method::ALL[rng.usize(0..Method::ALL.len())];
        let whole = suite(&machine, method, 1).unwrap().words();
        let mut cut = whole.clone();
        cut.swap_remove(rng.usize(0..cut.len()));
        for tests in [whole, cut] {
            let words = Table::words(&machine, &tests);
            let survives = |built: &&Table| {
                words.iter().all(|word| spec.agrees(built, word)) && !spec.same(built)
            };
            let most = spec.0.len() + 1;
            let found = built.iter().filter(|built| built.0.len() <= most).find(survives);
            assert_eq!(found.is_some(), tried(&spec, &words, most).is_some(), "{spec:?} {words:?}");
            if found.is_some() { not += 1 } else { complete += 1 }
        }
    }
    assert!(complete > 50 && not > 50, "{complete} {not}");
}

/// The search is right for any machine, also with equivalent, unreachable and partial states, and for any tests.
#[test]
fn the_search_agrees_with_trying_all_machines() {
    let mut rng = fastrand::Rng::with_seed(3);
    let (mut complete, mut not) = (0, 0);
    let mut kinds = [0; 4];
    for round in 0..20_000 / one_in(10) {
        let states = rng.usize(1..4);
        let mut cell = |partial: bool| {
            (!partial || rng.u32(0..4) > 0).then(|| (rng.usize(0..states), rng.usize(0..2)))
        };
        let partial = round % 2 == 0;
        let spec = Table((0..states).map(|_| [cell(partial), cell(partial)]).collect());
        let Some(machine) = spec.machine() else { continue };
        let inputs = machine.input_count() as u32;
        let tests: Vec<Word> = match rng.u32(0..2) {
            0 => (0..rng.usize(0..6))
                .map(|_| (0..rng.usize(0..6)).map(|_| rng.u32(0..inputs)).collect())
                .collect(),
            // All words of a length, without a few.
            _ => {
                let length = rng.u32(1..5);
                let word = |mut number: u32| {
                    (0..length)
                        .map(|_| {
                            let input = number % inputs;
                            number /= inputs;
                            input
                        })
                        .collect::<Word>()
                };
                let all = (0..inputs.pow(length)).map(word);
                all.filter(|_| rng.u32(0..10) > 0).collect()
            }
        };
        let domain = Domain::of_states(rng.usize(1..4));
        let is_complete = is_complete(&spec, &machine, &tests, &domain);
        if is_complete {
            complete += 1
        } else {
            not += 1
        }
        kinds[0] += usize::from(states == 1);
        kinds[1] += usize::from(machine.gap().is_some());
        kinds[2] += usize::from(machine.gap().is_none() && !spec.is_minimal());
        kinds[3] += usize::from(!machine.unreachable().is_empty());
    }
    println!("{complete} complete suites, {not} others; kinds of machines: {kinds:?}");
    assert!(complete > 100 && not > 100, "{complete} {not}");
    assert!(kinds.iter().all(|kind| *kind > 100), "{kinds:?}");
}

/// A random machine whose states can be reached and told apart.
fn minimal(rng: &mut fastrand::Rng, states: u32, inputs: u32, outputs: u32) -> Machine {
    loop {
        let machine = random(rng, states, inputs, outputs);
        let separation = tioga_machines::separation::Separation::new(&machine);
        if machine.unreachable().is_empty()
            && separation.complete().is_ok()
            && machine.output_count() == outputs as usize
        {
            return machine;
        }
    }
}

fn no_survivors(spec: &Machine, extra: usize) {
    for method in Method::ALL {
        let tests = suite(spec, method, extra).unwrap().words();
        let found = decide(spec, &tests, &Domain::of_states(spec.state_count() + extra));
        assert_eq!(found, Completeness::Complete, "{method:?}, {extra} more, of {spec:?}");
    }
}

#[test]
fn suites_of_random_machines_have_no_survivor() {
    let mut rng = fastrand::Rng::with_seed(2);
    for round in 0..60 {
        let (states, inputs, extra) =
            [(3, 2, 0), (4, 2, 0), (3, 2, 1), (5, 3, 0), (2, 2, 2), (4, 2, 1)][round % 6];
        no_survivors(&minimal(&mut rng, states, inputs, 2), extra);
    }
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
            let found = decide(&partial, &tests.words(), &Domain::of_states(4));
            assert_eq!(found, Completeness::Complete, "{method:?} {partial:?}");
        }
    }
    assert!(made > 100, "{made}");
}
