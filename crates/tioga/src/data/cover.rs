//! Whether a model relates to another where messages carry many values and the same observations lead to several states:
//! a simulation on a cover of the data of both, or a run with values that the cover tells apart.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::Budget;
use tioga_conform::{Decided, Nondeterministic, PairData, RelationAnswer};
use tioga_data::{Alphabet, SMALL, Solver, pair_cover};
use tioga_explore::{SearchOptions, Statistics};
use tioga_model::{ChannelId, Model, Type, Values};

use super::view::CLASS_LIMIT;

/// How often blocks of data are split because of where their steps lead: coarse covers are tried first.
const DEPTHS: [u32; 4] = [0, 1, 3, 6];

/// How many random runs are made for each of a model whose inputs have few values.
const MORE_RUNS: u64 = 3;

/// Whether a model has inputs with many values.
pub(crate) fn is_needed(model: &Model) -> bool {
    Alphabet::new(model).is_needed()
}

/// Decides the question by a simulation on covers of the data, or by runs. `None` if neither helps.
///
/// Pre: the models can be compared.
pub(crate) fn decide_by_covers(
    asked: &Nondeterministic<'_>,
    (runs, steps): (u64, u64),
    options: &SearchOptions,
    report: &mut dyn FnMut(&Statistics),
) -> Option<Decided> {
    let models = [asked.implementation, asked.specification];
    let mut offers: BTreeMap<ChannelId, BTreeSet<Values>> = BTreeMap::new();
    for depth in DEPTHS {
        let mut budget = Budget::steps(CLASS_LIMIT).with_cancel(options.limits.cancel.clone());
        let Ok(cover) = pair_cover(models, depth, &mut Solver::new(), &mut budget) else { break };
        let data = PairData { classes: &cover.data, unroll: SMALL as u64 };
        if let Some(shown) = asked.decide_by_simulation(Some(data), options, report) {
            return Some(shown);
        }
        for (channel, values) in cover.data.offers() {
            offers.entry(channel).or_default().extend(values);
        }
    }
    let values = around(asked.implementation, &offers);
    let violation = asked.refuted_at_random((runs * MORE_RUNS, steps), &values)?;
    let answer = RelationAnswer::Violated(violation);
    Some(Decided { answer, statistics: Statistics::default(), faulty: false, stops: false })
}

/// Values that are told apart, and those next to them.
fn around(
    model: &Model,
    offers: &BTreeMap<ChannelId, BTreeSet<Values>>,
) -> BTreeMap<ChannelId, Vec<Values>> {
    let near = |(channel, all): (&ChannelId, &BTreeSet<Values>)| {
        let types = &model.channels[*channel].parameters;
        let mut near = all.clone();
        for values in all {
            let mut position = 0;
            for ty in types {
                let integer = matches!(ty, Type::Int { .. } | Type::Integer);
                for change in [-1, 1] {
                    let mut other = values.clone();
                    let Some(value) = other.get_mut(position).filter(|_| integer) else { break };
                    *value = value.saturating_add(change);
                    if ty.bounds().is_none_or(|(min, max)| (min..=max).contains(&*value)) {
                        near.insert(other);
                    }
                }
                position += if *ty == Type::Rational { 2 } else { 1 };
            }
        }
        (*channel, near.into_iter().collect())
    };
    offers.iter().map(near).collect()
}
