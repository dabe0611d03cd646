//! Search on small random systems against naive reachability, for every order and thread count.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use proptest::prelude::*;
use tioga_explore::{
    Limits, NodeId, Order, SearchOptions, Statistics, Stop, Successor, TransitionSystem, Visitor,
    search,
};

/// States are a key and a set of up to 16 elements; a step maps each element on its own, so larger
/// sets have larger successors.
#[derive(Clone, Debug)]
struct Sets {
    initial: (u8, u16),
    steps: Vec<(u8, u8, Vec<u16>)>,
    fails_at: Option<u8>,
}

impl Sets {
    fn image(map: &[u16], set: u16) -> u16 {
        (0..16).filter(|bit| set >> bit & 1 == 1).fold(0, |image, bit| image | map[bit])
    }

    /// All pairs of key and single element that can be reached.
    fn reachable(&self) -> BTreeSet<(u8, u16)> {
        let singles = |set: u16| (0..16).map(|bit| 1 << bit).filter(move |one| set & one != 0);
        let mut seen: BTreeSet<(u8, u16)> =
            singles(self.initial.1).map(|one| (self.initial.0, one)).collect();
        let mut waiting: Vec<(u8, u16)> = seen.iter().copied().collect();
        while let Some((key, one)) = waiting.pop() {
            for (_, target, map) in self.steps.iter().filter(|step| step.0 == key) {
                for one in singles(Self::image(map, one)) {
                    if seen.insert((*target, one)) {
                        waiting.push((*target, one));
                    }
                }
            }
        }
        seen
    }
}

impl TransitionSystem for Sets {
    type Key = u8;
    type Part = u16;
    type Label = usize;
    type Worker = ();
    type Error = &'static str;

    fn worker(&self) {}

    fn initial(&self, (): &mut (), states: &mut Vec<Successor<Self>>) -> Result<(), &'static str> {
        states.push(Successor { label: 0, key: self.initial.0, part: self.initial.1 });
        Ok(())
    }

    fn successors(
        &self,
        (): &mut (),
        key: &u8,
        part: &u16,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), &'static str> {
        if self.fails_at == Some(*key) {
            return Err("asked to fail");
        }
        for (label, (_, target, map)) in
            self.steps.iter().enumerate().filter(|(_, step)| step.0 == *key)
        {
            let image = Self::image(map, *part);
            if image != 0 {
                successors.push(Successor { label, key: *target, part: image });
            }
        }
        Ok(())
    }

    fn covers(&self, _: &u8, larger: &u16, smaller: &u16) -> bool {
        larger & smaller == *smaller
    }

    fn size(&self, _: &u8, _: &u16) -> usize {
        3
    }

    fn priority(&self, _: &u8, part: &u16) -> i64 {
        -i64::from(part.count_ones())
    }
}

fn systems() -> impl Strategy<Value = Sets> {
    let map =
        prop::collection::vec(prop_oneof![Just(0u16), any::<u16>().prop_map(|s| s & 0x1111)], 16);
    let step = (0..6u8, 0..6u8, map);
    let steps = prop::collection::vec(step, 1..20);
    (0..6u8, 1u16.., steps).prop_map(|(key, set, steps)| Sets {
        initial: (key, set),
        steps,
        fails_at: None,
    })
}

/// Records the order in which states are stored.
#[derive(Default)]
struct Record {
    stored: Vec<(u8, u16)>,
    stop_after: Option<usize>,
    reports: usize,
}

impl Visitor<Sets> for Record {
    fn stored(&mut self, _: NodeId, key: &u8, part: &u16) -> ControlFlow<()> {
        self.stored.push((*key, *part));
        if Some(self.stored.len()) == self.stop_after {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _: &Statistics) {
        self.reports += 1;
    }
}

fn options(order: Order, threads: usize) -> SearchOptions {
    SearchOptions { order, threads, limits: Limits::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_reachable_state_is_covered_and_nothing_else_is_stored(system in systems()) {
        let reachable = system.reachable();
        for order in [Order::BreadthFirst, Order::DepthFirst, Order::Priority] {
            let outcome = search(&system, &options(order, 1), &mut Record::default());
            prop_assert_eq!(outcome.stop, Stop::Exhausted);
            let mut found = BTreeSet::new();
            for (_, key, part) in outcome.store.stored() {
                found.extend((0..16).filter(|bit| part >> bit & 1 == 1).map(|bit| (*key, 1u16 << bit)));
                let others = outcome.store.stored().filter(|(_, other, set)| {
                    *other == key && *set != part && system.covers(key, set, part)
                });
                prop_assert_eq!(others.count(), 0);
            }
            prop_assert_eq!(&found, &reachable);
            prop_assert_eq!(outcome.statistics.stored as usize, outcome.store.len());
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing(system in systems(), stop_after in prop::option::of(1..30usize)) {
        let run = |threads| {
            let mut record = Record { stop_after, ..Record::default() };
            let outcome = search(&system, &options(Order::BreadthFirst, threads), &mut record);
            let stored: Vec<(NodeId, u8, u16)> =
                outcome.store.stored().map(|(id, key, part)| (id, *key, *part)).collect();
            (outcome.stop, outcome.statistics, record.stored, stored)
        };
        let alone = run(1);
        for threads in 2..=4 {
            prop_assert_eq!(&run(threads), &alone);
        }
    }

    #[test]
    fn paths_lead_to_their_states(system in systems()) {
        let outcome = search(&system, &options(Order::BreadthFirst, 1), &mut Record::default());
        for (node, key, part) in outcome.store.stored() {
            let mut state = system.initial;
            for (at, label) in outcome.store.path(node) {
                let (source, target, map) = &system.steps[label];
                prop_assert_eq!(*source, state.0);
                state = (*target, Sets::image(map, state.1));
                prop_assert_eq!(*outcome.store.key(at), state.0);
            }
            prop_assert_eq!(state, (*key, *part));
        }
    }
}

/// A chain of keys, each with one step to the next.
fn chain() -> Sets {
    let steps = (0..200u8).map(|key| (key, key + 1, vec![1u16; 16])).collect();
    Sets { initial: (0, 1), steps, fails_at: None }
}

#[test]
fn limits_stop_the_search_and_keep_what_was_found() {
    for threads in [1, 2] {
        let mut limited = options(Order::BreadthFirst, threads);
        limited.limits.visited = Some(10);
        let outcome = search(&chain(), &limited, &mut Record::default());
        assert_eq!(outcome.stop, Stop::VisitedLimit(10));
        assert_eq!((outcome.statistics.visited, outcome.store.len()), (10, 11));
        let mut limited = options(Order::BreadthFirst, threads);
        limited.limits.bytes = Some(1000);
        let outcome = search(&chain(), &limited, &mut Record::default());
        assert_eq!(outcome.stop, Stop::MemoryLimit(1000));
    }
}

#[test]
fn a_limit_that_is_just_enough_is_not_reached() {
    let mut limited = options(Order::BreadthFirst, 1);
    limited.limits.visited = Some(201);
    assert_eq!(search(&chain(), &limited, &mut Record::default()).stop, Stop::Exhausted);
}

#[test]
fn a_failure_is_reported_with_its_state() {
    let system = Sets { fails_at: Some(3), ..chain() };
    for threads in [1, 2] {
        let outcome =
            search(&system, &options(Order::BreadthFirst, threads), &mut Record::default());
        assert_eq!(outcome.stop, Stop::Failed(Some(NodeId(3)), "asked to fail"));
    }
}

#[test]
fn a_raised_flag_cancels() {
    let steps = (0..255u8)
        .flat_map(|key| {
            (0..3)
                .map(move |turn| (key, key.wrapping_mul(7).wrapping_add(turn), vec![1 << turn; 16]))
        })
        .collect();
    let system = Sets { initial: (1, 1), steps, fails_at: None };
    for threads in [1, 2] {
        let options = options(Order::BreadthFirst, threads);
        options.limits.cancel.cancel();
        let outcome = search(&system, &options, &mut Record::default());
        assert_eq!(outcome.stop, Stop::Cancelled);
        // However long a state takes, no more than one is looked at.
        assert!(outcome.statistics.visited <= 1);
    }
}

#[test]
fn a_closure_can_look_for_a_state() {
    let mut looking = |key: &u8, _: &u16| *key == 7;
    let outcome = search(&chain(), &SearchOptions::default(), &mut looking);
    assert_eq!(outcome.stop, Stop::Found(NodeId(7)));
    assert_eq!(outcome.store.path(NodeId(7)).len(), 7);
}
