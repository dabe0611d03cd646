//! Sufficient test cases: a small set with the same coverage as all of them.
//!
//! First greedily: repeatedly the test case with the best coverage for its cost. If few are left, all choices are
//! tried, so the result is the cheapest one.

use fixedbitset::FixedBitSet;

/// How many test cases there may be for all choices to be tried.
const EXACT: usize = 20;

/// The positions of sets that together cover everything, with a low total cost. Costs are positive.
pub fn cheapest_cover(sets: &[FixedBitSet], costs: &[u64]) -> Vec<usize> {
    let size = sets.iter().map(FixedBitSet::len).max().unwrap_or(0);
    let mut wanted = FixedBitSet::with_capacity(size);
    sets.iter().for_each(|set| wanted.union_with(set));
    // What only one set covers needs that set.
    let mut chosen: Vec<usize> = Vec::new();
    for element in wanted.ones() {
        let mut having = (0..sets.len()).filter(|set| sets[*set].contains(element));
        if let (Some(only), None) = (having.next(), having.next())
            && !chosen.contains(&only)
        {
            chosen.push(only);
        }
    }
    chosen.iter().for_each(|set| wanted.difference_with(&sets[*set]));
    let open: Vec<usize> = (0..sets.len())
        .filter(|set| !chosen.contains(set) && sets[*set].intersection_count(&wanted) > 0)
        .collect();
    let greedy = greedy(sets, costs, &open, wanted.clone());
    let rest = if open.len() <= EXACT {
        let mut best = Best { cost: total(costs, &greedy), chosen: greedy };
        best.search(sets, costs, &open, &wanted, &mut Vec::new(), 0);
        best.chosen
    } else {
        greedy
    };
    chosen.extend(rest);
    chosen.sort_unstable();
    chosen
}

fn total(costs: &[u64], chosen: &[usize]) -> u64 {
    chosen.iter().map(|set| costs[*set]).sum()
}

fn greedy(
    sets: &[FixedBitSet],
    costs: &[u64],
    open: &[usize],
    mut wanted: FixedBitSet,
) -> Vec<usize> {
    let (all, mut chosen) = (wanted.clone(), Vec::new());
    while wanted.count_ones(..) > 0 {
        let gain = |set: usize| sets[set].intersection_count(&wanted) as u64;
        // The most for the cost; of equals, the first.
        let best = open.iter().copied().filter(|set| gain(*set) > 0).min_by(|left, right| {
            let [one, other] = [(*left, *right), (*right, *left)]
                .map(|(own, rival)| u128::from(gain(own)) * u128::from(costs[rival]));
            other.cmp(&one)
        });
        let Some(best) = best else { break };
        wanted.difference_with(&sets[best]);
        chosen.push(best);
    }
    // What the later ones cover again was not needed.
    let mut position = 0;
    while position < chosen.len() {
        let mut others: Vec<usize> = chosen.clone();
        others.remove(position);
        let mut covered = FixedBitSet::with_capacity(wanted.len());
        others.iter().for_each(|set| covered.union_with(&sets[*set]));
        let own = &sets[chosen[position]];
        let needed = own.intersection(&all).any(|element| !covered.contains(element));
        if needed { position += 1 } else { chosen = others }
    }
    chosen
}

struct Best {
    cost: u64,
    chosen: Vec<usize>,
}

impl Best {
    /// Tries every way to cover the first element that is not covered yet.
    fn search(
        &mut self,
        sets: &[FixedBitSet],
        costs: &[u64],
        open: &[usize],
        wanted: &FixedBitSet,
        chosen: &mut Vec<usize>,
        cost: u64,
    ) {
        let Some(element) = wanted.minimum() else {
            if cost < self.cost {
                (self.cost, self.chosen) = (cost, chosen.clone());
            }
            return;
        };
        for set in open.iter().copied().filter(|set| sets[*set].contains(element)) {
            let cost = cost + costs[set];
            if cost >= self.cost {
                continue;
            }
            let mut rest = wanted.clone();
            rest.difference_with(&sets[set]);
            chosen.push(set);
            self.search(sets, costs, open, &rest, chosen, cost);
            chosen.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(size: usize, bits: u32) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(size);
        (0..size).for_each(|bit| set.set(bit, bits & 1 << bit != 0));
        set
    }

    fn union(sets: &[FixedBitSet], chosen: impl Iterator<Item = usize>) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(10);
        chosen.for_each(|one| all.union_with(&sets[one]));
        all
    }

    proptest! {
        /// Against all subsets.
        #[test]
        fn few_sets_are_covered_at_the_least_cost(
            bits in prop::collection::vec(0_u32..1024, 0..9),
            prices in prop::collection::vec(1_u64..9, 9),
        ) {
            let sets: Vec<FixedBitSet> = bits.iter().map(|bits| set(10, *bits)).collect();
            let costs = &prices[..sets.len()];
            let chosen = cheapest_cover(&sets, costs);
            let all = union(&sets, 0..sets.len());
            prop_assert_eq!(union(&sets, chosen.iter().copied()), all.clone());
            let least = (0_u32..1 << sets.len()).filter_map(|subset| {
                let members: Vec<usize> =
                    (0..sets.len()).filter(|one| subset & 1 << one != 0).collect();
                let covers = union(&sets, members.iter().copied()) == all;
                covers.then(|| total(costs, &members))
            });
            prop_assert_eq!(total(costs, &chosen), least.min().unwrap_or(0));
        }

        #[test]
        fn many_sets_lose_nothing(bits in prop::collection::vec(0_u32..1024, 25..40)) {
            let sets: Vec<FixedBitSet> = bits.iter().map(|bits| set(10, *bits)).collect();
            let chosen = cheapest_cover(&sets, &vec![1; sets.len()]);
            let all = union(&sets, 0..sets.len());
            prop_assert_eq!(union(&sets, chosen.iter().copied()), all);
            // No choice is needless.
            for left_out in &chosen {
                let rest = chosen.iter().copied().filter(|one| one != left_out);
                prop_assert_ne!(union(&sets, rest), union(&sets, chosen.iter().copied()));
            }
        }
    }
}
