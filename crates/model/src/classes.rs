//! Classes of data that behave alike, as part of a model.
//!
//! If messages carry many values, a search cannot visit every state. If states are known to behave alike
//! (each can do what the other can, with the same clocks), one of each class is enough: a *canonical* state
//! stands for its class, and an input is tried with one combination of values for each class of successors.
//! A model with classes has the same behaviour as without, up to that: its composer offers the listed values
//! only, and replaces each state it reaches by the canonical one.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{ChannelId, DiscreteState, EdgeId, ProcessId, Values};

/// Which values stand for all, and which states for all that behave alike.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DataClasses {
    inputs: FxHashMap<(DiscreteState, ChannelId), Vec<Values>>,
    canonical: FxHashMap<DiscreteState, DiscreteState>,
    everywhere: FxHashMap<ChannelId, Vec<Values>>,
    several: FxHashMap<(DiscreteState, Move), Vec<DiscreteState>>,
    replaced: Vec<usize>,
    apart: FxHashSet<(ChannelId, Offer, Offer)>,
}

/// The edges of a step, and what it carries.
pub type Taking = (Box<[(ProcessId, EdgeId)]>, Values);

/// Steps that two models side by side make together, or one of them alone.
pub type Move = [Option<Taking>; 2];

/// Values that an input is tried with in a canonical state.
pub type Offer = (DiscreteState, Values);

impl DataClasses {
    /// No classes.
    pub fn new() -> Self {
        Self::default()
    }

    /// In this canonical state, an input is tried with these values.
    pub fn offer(&mut self, state: DiscreteState, channel: ChannelId, values: Vec<Values>) {
        self.inputs.insert((state, channel), values);
    }

    /// Wherever nothing else is said, an input is tried with these values: the model is looked at as far as
    /// they go.
    pub fn offer_everywhere(&mut self, channel: ChannelId, values: Vec<Values>) {
        self.everywhere.insert(channel, values);
    }

    /// A state is replaced by a canonical one.
    pub fn replace(&mut self, state: DiscreteState, canonical: DiscreteState) {
        if state != canonical {
            self.canonical.insert(state, canonical);
        }
    }

    /// A move from a canonical state, or from another one of its class, leads to what this one stands for. There may be
    /// several.
    pub fn lead(&mut self, from: DiscreteState, by: Move, to: DiscreteState) {
        let known = self.several.entry((from, by)).or_default();
        if !known.contains(&to) {
            known.push(to);
        }
    }

    /// The canonical states that a move from a canonical state leads to, if that is known of moves.
    pub fn led_to(&self, from: &DiscreteState, by: Move) -> Option<&[DiscreteState]> {
        self.several.get(&(from.clone(), by)).map(|all| &all[..])
    }

    /// In these data slots, values of canonical states stand for others.
    pub fn stand_in(&mut self, slots: Vec<usize>) {
        self.replaced = slots;
    }

    /// A state without the values that stand for others.
    #[must_use]
    pub fn without_values(
        &self,
        mut state: DiscreteState,
        initial: &DiscreteState,
    ) -> DiscreteState {
        for slot in &self.replaced {
            state.data[*slot] = initial.data[*slot];
        }
        state
    }

    /// Two offers of an input stand for different values, or for different states of the first of two models side by side.
    pub fn set_apart(&mut self, channel: ChannelId, one: Offer, other: Offer) {
        self.apart.insert((channel, other.clone(), one.clone()));
        self.apart.insert((channel, one, other));
    }

    /// Whether two offers are known to be so.
    pub fn are_apart(&self, channel: ChannelId, one: Offer, other: Offer) -> bool {
        self.apart.contains(&(channel, one, other))
    }

    /// All that inputs are tried with, in order.
    pub fn offers(&self) -> BTreeMap<ChannelId, BTreeSet<Values>> {
        let mut all: BTreeMap<ChannelId, BTreeSet<Values>> = BTreeMap::new();
        let own = self.inputs.iter().map(|((_, channel), values)| (channel, values));
        for (channel, values) in own.chain(&self.everywhere) {
            all.entry(*channel).or_default().extend(values.iter().cloned());
        }
        all
    }

    /// The values an input is tried with in a state, if they are known.
    pub fn values(&self, state: &DiscreteState, channel: ChannelId) -> Option<&[Values]> {
        let own = self.inputs.get(&(state.clone(), channel));
        own.or_else(|| self.everywhere.get(&channel)).map(|values| &values[..])
    }

    /// The state that stands for a state.
    pub fn canonical(&self, state: DiscreteState) -> DiscreteState {
        match self.canonical.get(&state) {
            Some(canonical) => canonical.clone(),
            None => state,
        }
    }
}
