//! The exact windows of steps and delays against a reference that only knows how to look at one
//! instant: random small networks, all delays on a fine grid, all combinations of edges.
//!
//! Clock values of the tested states are multiples of 1/4 and all constants are integers, so every
//! end of a window is a multiple of 1/4. Delays that are multiples of 1/8 see every piece of every
//! window, and instants that are multiples of 1/16 lie between any two of them.

use crate::examples::random::random_network;
use proptest::prelude::*;
use tioga_base::{Id, Rational};
use tioga_concrete::{Allowed, Semantics, State};
use tioga_model::*;

/// The reference: everything is looked at in one instant.
struct Reference<'a> {
    model: &'a Model,
    locations: &'a [LocationId],
}

type Combination = Vec<(ProcessId, EdgeId)>;

impl Reference<'_> {
    fn holds(&self, condition: &Condition, clocks: &[Rational]) -> bool {
        let value = |term: Option<ClockTerm>| {
            term.map_or(Rational::ZERO, |term| clocks[term.clock.index()])
        };
        condition.disjuncts.iter().any(|conjunct| {
            conjunct.clocks.iter().all(|constraint| {
                let difference = value(constraint.left).sub(value(constraint.right)).unwrap();
                let TimeBound::Constant(bound) = constraint.bound else { unreachable!() };
                let bound = Rational::integer(bound);
                if constraint.strict { difference < bound } else { difference <= bound }
            })
        })
    }

    fn edge(&self, (process, edge): (ProcessId, EdgeId)) -> &Edge {
        &self.model.processes[process].edges[edge]
    }

    fn invariants(&self, locations: &[LocationId], clocks: &[Rational]) -> bool {
        let mut processes = self.model.processes.iter().zip(locations);
        processes.all(|(process, at)| self.holds(&process.locations[*at].invariant, clocks))
    }

    /// Nothing, or one edge, of each process.
    fn combinations(&self) -> Vec<Combination> {
        let mut combinations: Vec<Combination> = vec![Vec::new()];
        for (id, process) in self.model.processes.iter_ids() {
            let here = self.locations[id.index()];
            let edges = process.edges.iter_ids().filter(|(_, edge)| edge.source == here);
            let edges: Vec<EdgeId> = edges.map(|(edge, _)| edge).collect();
            let with = |combination: &Combination| {
                let mut more = vec![combination.clone()];
                for edge in &edges {
                    let mut longer = combination.clone();
                    longer.push((id, *edge));
                    more.push(longer);
                }
                more
            };
            combinations = combinations.iter().flat_map(with).collect();
        }
        combinations.retain(|combination| !combination.is_empty());
        combinations
    }

    /// Whether the edges form a step whose guards hold at these clock values.
    fn enabled(&self, combination: &Combination, clocks: &[Rational]) -> bool {
        let guards = combination.iter().all(|one| self.holds(&self.edge(*one).guard, clocks));
        let is_committed = |process: ProcessId| {
            let here = self.locations[process.index()];
            self.model.processes[process].locations[here].marks.committed
        };
        let someone = self.model.processes.ids().any(is_committed);
        let committed = !someone || combination.iter().any(|(process, _)| is_committed(*process));
        guards && committed && self.synchronises(combination, clocks)
    }

    fn synchronises(&self, combination: &Combination, clocks: &[Rational]) -> bool {
        let labels = combination.iter().map(|one| &self.edge(*one).label);
        if labels.clone().all(|label| *label == Label::Silent) {
            return combination.len() == 1;
        }
        if labels.clone().any(|label| matches!(label, Label::Plain(_))) {
            let bound = |(process, edge)| self.is_bound(process, &self.edge((process, edge)).label);
            let alone = combination.len() == 1 && !bound(combination[0]);
            let mut vectors = self.model.syncs.iter();
            return alone || vectors.any(|sync| self.instantiates(sync, combination, clocks));
        }
        let mut senders = labels.clone().filter_map(|label| match label {
            Label::Send(channel_use) => Some(channel_use.channel),
            _ => None,
        });
        let (Some(channel), None) = (senders.next(), senders.next()) else { return false };
        let receives = |edge: &Edge| match &edge.label {
            Label::Receive(channel_use) => channel_use.channel == channel,
            _ => false,
        };
        let receivers = combination.iter().filter(|one| receives(self.edge(**one))).count();
        if receivers + 1 != combination.len() {
            return false;
        }
        if !self.model.channels[channel].broadcast {
            return receivers == 1;
        }
        self.model.processes.iter_ids().all(|(id, process)| {
            let here = self.locations[id.index()];
            let can = process.edges.iter().any(|edge| {
                edge.source == here && receives(edge) && self.holds(&edge.guard, clocks)
            });
            !can || combination.iter().any(|(other, _)| *other == id)
        })
    }

    fn is_bound(&self, process: ProcessId, label: &Label) -> bool {
        let mut parts = self.model.syncs.iter().flat_map(|sync| &sync.parts);
        parts.any(|part| part.process == process && *label == Label::Plain(part.action))
    }

    /// Whether the edges are those of the vector, and nobody who can take part stands aside.
    fn instantiates(
        &self,
        sync: &SyncVector,
        combination: &Combination,
        clocks: &[Rational],
    ) -> bool {
        let stranger = |process| sync.parts.iter().all(|part| part.process != process);
        if combination.iter().any(|(process, _)| stranger(*process)) {
            return false;
        }
        sync.parts.iter().all(|part| {
            let label = Label::Plain(part.action);
            match combination.iter().find(|(process, _)| *process == part.process) {
                Some(one) => self.edge(*one).label == label,
                None => {
                    let here = self.locations[part.process.index()];
                    let mut edges = self.model.processes[part.process].edges.iter();
                    let can = edges.any(|edge| {
                        edge.source == here
                            && edge.label == label
                            && self.holds(&edge.guard, clocks)
                    });
                    part.weak && !can
                }
            }
        })
    }

    fn is_urgent(&self, combination: &Combination) -> bool {
        combination.iter().any(|one| match &self.edge(*one).label {
            Label::Send(channel_use) => self.model.channels[channel_use.channel].urgent,
            _ => false,
        })
    }

    /// Whether the updates are defined and lead to a state whose invariants hold.
    fn arrives(&self, combination: &Combination, clocks: &[Rational]) -> bool {
        let sends = |one: &(ProcessId, EdgeId)| !matches!(self.edge(*one).label, Label::Send(_));
        let mut ordered = combination.clone();
        ordered.sort_by_key(|one| (sends(one), one.0));
        let (mut clocks, mut locations) = (clocks.to_vec(), self.locations.to_vec());
        for one in ordered {
            for update in &self.edge(one).updates {
                let Update::Clock(update) = update else { unreachable!() };
                let TimeBound::Constant(value) = update.value else { unreachable!() };
                let from = update.source.map_or(Rational::ZERO, |term| clocks[term.clock.index()]);
                let value = from.add(Rational::integer(value)).unwrap();
                if value.is_negative() {
                    return false;
                }
                clocks[update.clock.clock.index()] = value;
            }
            locations[one.0.index()] = self.edge(one).target;
        }
        self.invariants(&locations, &clocks)
    }
}

fn later(state: &State, delay: Rational) -> Vec<Rational> {
    state.clocks.iter().map(|clock| clock.add(delay).unwrap()).collect()
}

fn check(model: &Model, state: &State, options: &Allowed) -> Result<(), TestCaseError> {
    let reference = Reference { model, locations: &state.discrete.locations };
    let combinations = reference.combinations();
    let still = state.discrete.locations.iter().zip(&model.processes).any(|(at, process)| {
        let marks = process.locations[*at].marks;
        marks.urgent || marks.committed
    });
    // Walk along time in steps of 1/16, as long as time may pass.
    let (mut invariant, mut urgent) = (true, false);
    for sixteenth in 0..16 * 6 {
        let delay = Rational::new(sixteenth, 16).unwrap();
        let clocks = later(state, delay);
        invariant &= sixteenth == 0 || reference.invariants(&state.discrete.locations, &clocks);
        let allowed = invariant && !urgent && (sixteenth == 0 || !still);
        let look = sixteenth % 2 == 0;
        if look {
            prop_assert_eq!(options.delays.contains(delay), allowed, "delay {}", delay);
        }
        for combination in &combinations {
            let enabled = reference.enabled(combination, &clocks);
            urgent |= enabled && reference.is_urgent(combination);
            if !look {
                continue;
            }
            let possible = allowed && enabled && reference.arrives(combination, &clocks);
            let offered = options.choices.iter().any(|choice| {
                let mut edges: Combination =
                    choice.step.participants.iter().map(|p| (p.process, p.edge)).collect();
                edges.sort();
                edges == *combination && choice.windows.contains(delay)
            });
            prop_assert_eq!(offered, possible, "{:?} after {}", combination, delay);
        }
    }
    Ok(())
}

/// Takes a random choice after a delay that is a multiple of 1/4, if there is one.
fn advance(
    semantics: &mut Semantics<'_>,
    state: &State,
    options: &Allowed,
    random: &mut fastrand::Rng,
) -> Option<State> {
    let mut ways = Vec::new();
    for choice in &options.choices {
        let delays = (0..24).map(|quarter| Rational::new(quarter, 4).unwrap());
        ways.extend(delays.filter(|d| choice.windows.contains(*d)).map(|d| (d, &choice.step)));
    }
    let (delay, step) = ways.get(random.usize(..ways.len().max(1)))?;
    let before = semantics.delay(state, *delay).unwrap().unwrap();
    Some(semantics.step(&before, step).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn windows_agree_with_looking_at_every_instant(seed in any::<u64>()) {
        let mut random = fastrand::Rng::with_seed(seed);
        let model = random_network(&mut random).validate().unwrap();
        let mut semantics = Semantics::new(&model);
        let Ok(mut state) = semantics.initial() else { return Ok(()) };
        for _ in 0..4 {
            let options = semantics.options(&state).unwrap();
            prop_assert!(options.faults.is_empty());
            check(&model, &state, &options)?;
            let Some(next) = advance(&mut semantics, &state, &options, &mut random) else { break };
            state = next;
        }
    }
}

/// The random networks must exercise what they are meant to.
#[test]
fn random_networks_are_worth_testing() {
    let (mut urgent, mut blocked, mut split, mut started, mut syncs) = (0, 0, 0, 0, 0);
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let model = random_network(&mut random).validate().unwrap();
        let mut semantics = Semantics::new(&model);
        let Ok(state) = semantics.initial() else { continue };
        started += 1;
        let options = semantics.options(&state).unwrap();
        let choices = || options.choices.iter();
        urgent += usize::from(choices().any(|choice| choice.step.urgent));
        blocked += usize::from(choices().any(|choice| !choice.step.blocked.is_empty()));
        let sync = |label| matches!(label, StepLabel::Internal(Hidden::Sync(_)));
        syncs += usize::from(choices().any(|choice| sync(choice.step.label)));
        split += usize::from(choices().any(|choice| choice.windows.parts().len() > 1));
    }
    let seen = [started, urgent, blocked, split, syncs];
    assert!(seen.iter().zip([200, 20, 10, 10, 10]).all(|(seen, least)| *seen > least), "{seen:?}");
}
