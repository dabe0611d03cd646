//! Classes of data that behave alike, as part of a model.
//!
//! If messages carry many values, a search cannot visit every state. If states are known to behave alike
//! (each can do what the other can, with the same clocks), one of each class is enough: a *canonical* state
//! stands for its class, and an input is tried with one combination of values for each class of successors.
//! A model with classes has the same behaviour as without, up to that: its composer offers the listed values
//! only, and replaces each state it reaches by the canonical one.

use rustc_hash::FxHashMap;

use crate::{ChannelId, DiscreteState, Values};

/// Which values stand for all, and which states for all that behave alike.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DataClasses {
    inputs: FxHashMap<(DiscreteState, ChannelId), Vec<Values>>,
    canonical: FxHashMap<DiscreteState, DiscreteState>,
    everywhere: FxHashMap<ChannelId, Vec<Values>>,
}

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
