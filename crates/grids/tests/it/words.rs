//! Words against brute force: all ways of random grids, walked naively.

use std::collections::BTreeSet;

use tioga_base::Budget;
use tioga_grids::words::{Criterion, Wanted, WordGraph, Words, count};
use tioga_grids::{
    Ends, GridAutomaton, GridOptions, Resolution, TICK, of_model, of_purpose, product,
};
use tioga_testkit::model;

use crate::support::{plenty, random_text};

/// The grids of random products with at most so many states.
fn each_grid(rounds: u64, most: u64, mut take: impl FnMut(&str, &GridAutomaton)) -> usize {
    let mut used = 0;
    for seed in 0..rounds {
        let mut rng = fastrand::Rng::with_seed(seed);
        let text = random_text(&mut rng, seed % 3 == 0);
        let model = model(&text);
        let both = product(&of_model(&model).unwrap(), &of_purpose(&model, 0).unwrap()).unwrap();
        let resolution = Resolution::of(&both, &GridOptions::default()).unwrap();
        let built = GridAutomaton::new(both, &resolution, Ends::Expanded, &mut Budget::steps(most));
        if let Ok(grid) = built {
            used += 1;
            take(&text, &grid);
        }
    }
    used
}

fn is_end(grid: &GridAutomaton, state: u32) -> bool {
    grid.ends(state).0 || grid.ends(state).1
}

/// All ways to a first end with no state twice, by recursion over the grid itself.
fn simple(
    grid: &GridAutomaton,
    way: &mut Vec<u32>,
    word: &mut Vec<u32>,
    found: &mut Vec<Vec<u32>>,
) {
    let at = *way.last().unwrap();
    if is_end(grid, at) {
        found.push(word.clone());
        return;
    }
    for (label, target) in grid.transitions(at) {
        if !way.contains(&target) && found.len() < 3000 {
            way.push(target);
            word.push(label);
            simple(grid, way, word, found);
            way.pop();
            word.pop();
        }
    }
}

/// All ways to a first end with at most so many labels.
fn short(
    grid: &GridAutomaton,
    at: u32,
    left: usize,
    word: &mut Vec<u32>,
    found: &mut Vec<Vec<u32>>,
) {
    if is_end(grid, at) {
        found.push(word.clone());
        return;
    }
    if left == 0 {
        return;
    }
    for (label, target) in grid.transitions(at) {
        word.push(label);
        short(grid, target, left - 1, word, found);
        word.pop();
    }
}

fn all(graph: &WordGraph, criterion: Criterion) -> Vec<Vec<u32>> {
    let mut words = Words::new(graph, criterion);
    let mut found: Vec<Vec<u32>> = Vec::new();
    while let Some(way) = words.next_way() {
        let before = found.last().map_or(&[][..], Vec::as_slice);
        assert_eq!(way.labels[..way.kept], before[..way.kept], "what is shared is shared");
        found.push(way.labels.to_vec());
    }
    found
}

#[test]
fn loop_free_words_are_those_of_a_naive_walk_and_are_counted_without_it() {
    let (mut several, mut cyclic) = (0, 0);
    let used = each_grid(900, 16, |text, grid| {
        let mut expected = Vec::new();
        simple(grid, &mut vec![0], &mut Vec::new(), &mut expected);
        if expected.len() >= 3000 {
            return;
        }
        let graph = WordGraph::new(grid, &Wanted::default(), &mut plenty()).unwrap();
        let mut found = all(&graph, Criterion::LoopFree);
        let counted = count(&graph, Criterion::LoopFree, &mut plenty()).unwrap();
        assert_eq!(counted.to_u64(), Some(expected.len() as u64), "{text}");
        several += usize::from(found.len() > 5);
        cyclic += usize::from(count(&graph, Criterion::LoopFree, &mut Budget::steps(0)).is_err());
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{text}");
    });
    assert!(used > 50 && several > 10 && cyclic > 5, "{used} {several} {cyclic}");
}

#[test]
fn words_up_to_a_length_and_shortest_words_are_those_of_a_naive_walk() {
    let mut several = 0;
    each_grid(150, 60, |text, grid| {
        let graph = WordGraph::new(grid, &Wanted::default(), &mut plenty()).unwrap();
        let mut expected = Vec::new();
        short(grid, 0, 7, &mut Vec::new(), &mut expected);
        let mut found = all(&graph, Criterion::UpTo(7));
        let counted = count(&graph, Criterion::UpTo(7), &mut plenty()).unwrap();
        assert_eq!(counted.to_u64(), Some(expected.len() as u64), "{text}");
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{text}");
        several += usize::from(found.len() > 20);
        // The shortest are the first of these by length.
        expected.sort_by_key(Vec::len);
        let shortest = all(&graph, Criterion::Shortest(10));
        let lengths: Vec<usize> = shortest.iter().map(Vec::len).collect();
        assert!(lengths.is_sorted());
        let known = expected.iter().map(Vec::len).take(10);
        let within: Vec<usize> = lengths.iter().copied().filter(|length| *length <= 7).collect();
        assert_eq!(within, known.collect::<Vec<usize>>(), "{text}");
        assert_eq!(shortest.iter().collect::<BTreeSet<_>>().len().min(1), shortest.len().min(1));
    });
    assert!(several > 20, "{several}");
}

#[test]
fn coverage_covers_everything_between_the_start_and_the_ends() {
    let mut several = 0;
    each_grid(200, 60, |text, grid| {
        let graph = WordGraph::new(grid, &Wanted::default(), &mut plenty()).unwrap();
        for criterion in [Criterion::States, Criterion::Transitions] {
            let (mut states, mut transitions) = (BTreeSet::new(), BTreeSet::new());
            let words = all(&graph, criterion);
            several += usize::from(words.len() > 3);
            for word in &words {
                // A way of the grid for this word: all of them, step by step.
                let mut now = BTreeSet::from([0]);
                states.extend(&now);
                for label in word {
                    let mut after = BTreeSet::new();
                    for state in &now {
                        for (own, target) in
                            grid.transitions(*state).filter(|(own, _)| own == label)
                        {
                            transitions.insert((*state, own, target));
                            after.insert(target);
                        }
                    }
                    states.extend(&after);
                    now = after;
                }
                assert!(now.iter().any(|state| is_end(grid, *state)), "{text}");
            }
            // What lies on a way to an end, by a fixed point.
            let mut useful: BTreeSet<u32> = BTreeSet::new();
            let count = u32::try_from(grid.state_count()).unwrap();
            loop {
                let more: Vec<u32> = (0..count)
                    .filter(|state| !useful.contains(state))
                    .filter(|state| {
                        is_end(grid, *state)
                            || grid.transitions(*state).any(|(_, target)| useful.contains(&target))
                    })
                    .collect();
                if more.is_empty() {
                    break;
                }
                useful.extend(more);
            }
            let mut between = BTreeSet::new();
            let mut waiting = vec![0];
            while let Some(state) = waiting.pop() {
                if useful.contains(&state) && between.insert(state) && !is_end(grid, state) {
                    waiting.extend(grid.transitions(state).map(|(_, target)| target));
                }
            }
            match criterion {
                Criterion::States => assert!(between.is_subset(&states), "{text}"),
                _ => {
                    for state in between.iter().filter(|state| !is_end(grid, **state)) {
                        for (label, target) in grid.transitions(*state) {
                            let wanted = between.contains(&target);
                            let taken = transitions.contains(&(*state, label, target));
                            assert!(!wanted || taken, "{text}");
                        }
                    }
                }
            }
        }
    });
    assert!(several > 20, "{several}");
}

#[test]
fn so_many_words_lead_to_each_end() {
    each_grid(60, 200, |text, grid| {
        let graph = WordGraph::new(grid, &Wanted::default(), &mut plenty()).unwrap();
        let mut words = Words::new(&graph, Criterion::PerEnd(2));
        let mut ends: Vec<u32> = Vec::new();
        while let Some(way) = words.next_way() {
            ends.push(graph.states[way.last as usize]);
        }
        assert!(ends.iter().all(|state| is_end(grid, *state)));
        let mut reached: Vec<u32> = Vec::new();
        let mut free = Words::new(&graph, Criterion::States);
        while let Some(way) = free.next_way() {
            reached.push(graph.states[way.last as usize]);
        }
        reached.sort_unstable();
        reached.dedup();
        for end in &reached {
            let own = ends.iter().filter(|state| *state == end).count();
            assert!((1..=2).contains(&own), "{text}");
        }
        ends.dedup();
        let different: BTreeSet<&u32> = ends.iter().collect();
        assert_eq!(different.len(), ends.len(), "each end is done with before the next: {text}");
    });
}

#[test]
fn a_wanted_sequence_of_actions_is_that_of_every_word() {
    each_grid(100, 60, |text, grid| {
        let name = |label: u32| {
            grid.label(label).map(|(action, _)| grid.automaton().actions[action].name.clone())
        };
        let everything = WordGraph::new(grid, &Wanted::default(), &mut plenty()).unwrap();
        let mut expected = BTreeSet::new();
        for word in all(&everything, Criterion::UpTo(6)) {
            expected.insert(word);
        }
        let shape = |word: &Vec<u32>| -> Vec<String> {
            word.iter().filter(|label| **label != TICK).filter_map(|label| name(*label)).collect()
        };
        let shapes: BTreeSet<Vec<String>> = expected.iter().map(shape).collect();
        for wanted in shapes {
            let chosen: BTreeSet<Vec<u32>> =
                expected.iter().filter(|word| shape(word) == wanted).cloned().collect();
            let graph =
                WordGraph::new(grid, &Wanted { actions: Some(wanted) }, &mut plenty()).unwrap();
            let found: BTreeSet<Vec<u32>> = all(&graph, Criterion::UpTo(6)).into_iter().collect();
            assert_eq!(found, chosen, "{text}");
        }
    });
}
