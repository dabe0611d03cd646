//! The S-method (SOU19): as SPYH, but a word is chosen for what it tells a place from altogether.
//!
//! In SPYH the pairs of places that have to be separated come one after the other, and each gets the word
//! that costs least for it. Here all that a place still has to be told from is looked at together. A word
//! is judged by what it costs there and at the other places, and by what the words cost that are still
//! needed then. Places that are reached by the longest words come first, because what is applied behind
//! them is also behind the places on the way.

use std::collections::HashMap;

use super::convergence::{At, Tests};
use super::pool::{States, Teller, pool, teller};
use super::spy::{joined, open};
use crate::error::{Error, check};
use crate::machine::{Machine, StateIndex, Word};
use crate::separation::Separation;
use crate::suite::WordSuite;
use crate::trie::Trie;

/// How much more an input counts at the place that is identified than at the others, where it serves for
/// many places to come.
#[derive(Clone, Copy, Debug)]
struct Weights {
    here: u64,
    there: u64,
}

pub(super) fn s(
    machine: &Machine,
    covers: &[Word],
    separation: &Separation<'_>,
    extra_states: usize,
    going: &dyn Fn() -> bool,
) -> Result<WordSuite, Error> {
    separation.complete()?;
    // The more extra states, the more places are identified by the same words.
    let weights = Weights { here: 4 << (2 * extra_states.min(2)), there: 1 };
    let tree = made(machine, covers, separation, (extra_states, weights), going)?;
    Ok(WordSuite::of_tree(machine.input_count(), tree))
}

fn made(
    machine: &Machine,
    covers: &[Word],
    separation: &Separation<'_>,
    (extra_states, weights): (usize, Weights),
    going: &dyn Fn() -> bool,
) -> Result<Trie, Error> {
    let tests = Tests::new(machine, separation, Trie::of(machine.input_count(), covers));
    let pool = pool(machine, separation);
    let mut maker =
        Maker { machine, tests, pool, cores: Vec::new(), weights, rests: HashMap::new() };
    maker.cores = covers.iter().map(|word| maker.tests.apply(word)).collect();
    for position in 0..maker.cores.len() {
        let core = maker.cores[position].clone();
        let others = maker.cores.clone();
        maker.identify(&core, &others);
    }
    for (source, input) in open(machine, covers) {
        check(going)?;
        let (target, _) = machine.step(source, input).expect("the transition is there");
        let arrived = maker.tests.apply(&joined(&covers[source as usize], &[input]));
        let core = maker.cores[target as usize].clone();
        if maker.tests.converge(arrived.node, core.node) {
            continue;
        }
        let mut way = Vec::new();
        maker.behind([arrived.clone(), core.clone()], extra_states, &mut way, going)?;
        maker.tests.merge(arrived.node, core.node);
    }
    Ok(maker.tests.into_tree())
}

struct Maker<'a> {
    machine: &'a Machine,
    tests: Tests<'a>,
    pool: Vec<Vec<Teller>>,
    /// For each state, the place that stands for it.
    cores: Vec<At>,
    weights: Weights,
    /// What words cost that tell a state from these.
    rests: HashMap<(StateIndex, States), u64>,
}

impl Maker<'_> {
    /// Identifies two places that lead to the same state, and what is reached behind them by at most so
    /// many inputs; the longest words first. `way` holds the places before them.
    fn behind(
        &mut self,
        pair: [At; 2],
        inputs: usize,
        way: &mut Vec<At>,
        going: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        check(going)?;
        let state = self.tests.state(pair[0].node);
        if inputs > 0 {
            way.extend(pair.iter().cloned());
            for input in self.machine.inputs() {
                if self.machine.step(state, input).is_none() {
                    continue;
                }
                let next = pair.clone().map(|at| self.tests.apply(&joined(&at.word, &[input])));
                self.behind(next, inputs - 1, way, going)?;
            }
            way.truncate(way.len() - 2);
        }
        for at in &pair {
            let core = self.cores[state as usize].node;
            if self.tests.converge(at.node, core) {
                continue;
            }
            let mut others = self.cores.clone();
            let places: Vec<At> = way
                .iter()
                .filter(|other| {
                    let core = self.cores[self.tests.state(other.node) as usize].node;
                    !self.tests.converge(other.node, core)
                })
                .cloned()
                .collect();
            others.extend(places);
            self.identify(at, &others);
        }
        Ok(())
    }

    /// Separates a place from those of the others that lead to other states.
    fn identify(&mut self, here: &At, others: &[At]) {
        let state = self.tests.state(here.node);
        let mut left: Vec<&At> = others
            .iter()
            .filter(|other| {
                self.tests.state(other.node) != state
                    && !self.tests.separated(here.node, other.node)
            })
            .collect();
        while !left.is_empty() {
            let teller = self.best(state, here, &left);
            let cut = |other: &At| teller.after[self.tests.state(other.node) as usize];
            let told: Vec<(Word, u32)> = left
                .iter()
                .map(|other| (other.word.clone(), cut(other)))
                .filter(|(_, cut)| *cut > 0)
                .collect();
            let most = told.iter().map(|(_, cut)| *cut).max().unwrap_or(0);
            left.retain(|other| cut(other) == 0);
            self.tests.put(&joined(&here.word, &teller.word[..most as usize]));
            for (word, cut) in told {
                self.tests.put(&joined(&word, &teller.word[..cut as usize]));
            }
        }
    }

    /// The word that costs least for what it does.
    fn best(&mut self, state: StateIndex, here: &At, left: &[&At]) -> Teller {
        let mut wanted = States::none(self.machine.state_count());
        for other in left {
            wanted.insert(self.tests.state(other.node));
        }
        let half = self.tests.arrive(here);
        let halves: Vec<_> = left
            .iter()
            .map(|other| (self.tests.state(other.node), self.tests.arrive(other)))
            .collect();
        let mut own: Vec<Teller> = Vec::new();
        for other in left.iter().take(2) {
            let word = self.tests.cheapest(here, other);
            own.push(teller(self.machine, state, word));
        }
        let mut best: Option<(u64, usize)> = None;
        let count = own.len();
        let candidates = own.len() + self.pool[state as usize].len();
        for position in 0..candidates {
            let (told, rest, most, there);
            {
                let candidate = own
                    .get(position)
                    .unwrap_or_else(|| &self.pool[state as usize][position - count]);
                told = candidate.told.common(&wanted);
                if told == 0 {
                    continue;
                }
                rest = wanted.without(&candidate.told);
                most = left
                    .iter()
                    .map(|other| candidate.after[self.tests.state(other.node) as usize])
                    .max()
                    .unwrap_or(0) as usize;
                let own = self.tests.price(half, &candidate.word[..most]);
                if let Some((known, _)) = best
                    && own * self.weights.here >= known
                {
                    continue;
                }
                let mut sum = 0;
                for (other, half) in &halves {
                    let cut = candidate.after[*other as usize] as usize;
                    sum += self.tests.price(*half, &candidate.word[..cut]);
                }
                there = own * self.weights.here + sum * self.weights.there;
            }
            let price = there + self.rest(state, rest) * self.weights.here;
            if best.is_none_or(|(known, _)| price < known) {
                best = Some((price, position));
            }
        }
        let (_, position) = best.expect("some word tells any two states apart");
        if position < count {
            own.swap_remove(position)
        } else {
            self.pool[state as usize][position - count].clone()
        }
    }

    /// About how much the words cost that tell a state from some others.
    fn rest(&mut self, state: StateIndex, wanted: States) -> u64 {
        if wanted.is_empty() {
            return 0;
        }
        let key = (state, wanted);
        if let Some(known) = self.rests.get(&key) {
            return *known;
        }
        let base = self.cores[state as usize].word.len() as u64 + 1;
        let mut left = key.1.clone();
        let mut sum = 0;
        while !left.is_empty() {
            let best = self.pool[state as usize]
                .iter()
                .map(|teller| {
                    let most = teller
                        .after
                        .iter()
                        .enumerate()
                        .filter(|(other, _)| left.contains(*other as StateIndex))
                        .map(|(_, cut)| *cut)
                        .max()
                        .unwrap_or(0);
                    (u64::from(left.common(&teller.told)), u64::from(most) + base, teller)
                })
                .max_by(|one, other| (one.0 * other.1).cmp(&(other.0 * one.1)));
            let Some((gain, price, teller)) = best else { break };
            if gain == 0 {
                break;
            }
            sum += price;
            left = left.without(&teller.told);
        }
        self.rests.insert(key, sum);
        sum
    }
}
