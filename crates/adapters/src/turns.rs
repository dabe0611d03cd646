//! Whose turn it is: in each discrete state, everything that can be done is done before anything is done
//! again, so what can be done again and again is done again and again.

use std::collections::BTreeMap;

use tioga_concrete::Chance;
use tioga_model::{DiscreteState, Step};

/// How often each step was taken in each discrete state; no step stands for letting time pass.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    taken: BTreeMap<DiscreteState, Vec<(Option<Step>, u64)>>,
}

impl Turns {
    /// One of the choices that were taken least often in this discrete state; chance decides between
    /// several. Pre: there is one.
    pub fn next(
        &self,
        state: &DiscreteState,
        choices: &[Option<&Step>],
        chance: &mut Chance,
    ) -> usize {
        let known = self.taken.get(state).map_or(&[][..], Vec::as_slice);
        let count = |choice: &Option<&Step>| {
            known.iter().find(|(step, _)| step.as_ref() == *choice).map_or(0, |(_, count)| *count)
        };
        let least = choices.iter().map(count).min().unwrap_or(0);
        let positions = 0..choices.len();
        let least: Vec<usize> = positions.filter(|one| count(&choices[*one]) == least).collect();
        least[chance.position(least.len())]
    }

    /// Takes note that something was done.
    pub fn took(&mut self, state: &DiscreteState, choice: Option<&Step>) {
        let own = self.taken.entry(state.clone()).or_default();
        match own.iter_mut().find(|(step, _)| step.as_ref() == choice) {
            Some((_, count)) => *count += 1,
            None => own.push((choice.cloned(), 1)),
        }
    }
}
