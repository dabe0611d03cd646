//! Checking one state: its rank and the advice for it, against the ranks of its future; or that
//! it belongs to a trap.

use std::rc::Rc;

use tioga_model::Model;
use tioga_testcase::{RankTable, Terms};

use super::hierarchy::{avoids, least};
use super::teller::Teller;
use super::{advice, trap};
use crate::Error;
use crate::states::{CheckedState, CheckedStates, Claims, Ray, Valuation};
use crate::{Flaw, Refutation};

/// Checks states of one certificate.
pub(crate) struct Checker<'m, 't> {
    pub known_states: CheckedStates<'m, 't>,
    /// Whether there are rules at all; a table without is about ranks only, and a trap has none.
    pub has_rules: bool,
    /// How many states were checked.
    pub states: u64,
    /// For how many of these the advice was checked.
    pub advised: u64,
}

/// What a table claims about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// That the rank is the least.
    Exact,
    /// That the rank, if there is one, is not too low.
    UpperBound,
}

impl<'m, 't> Checker<'m, 't> {
    pub fn new(known_states: CheckedStates<'m, 't>) -> Self {
        let has_rules = match known_states.claims() {
            Claims::Table(table) => table.places.values().any(|ranked| !ranked.rules.is_empty()),
            Claims::Trap(_) | Claims::None(_) => false,
        };
        Self { known_states, has_rules, states: 0, advised: 0 }
    }

    pub fn model(&self) -> &'m Model {
        self.known_states.model()
    }

    pub fn terms(&self) -> &'t Terms {
        self.known_states.claims().terms()
    }

    /// The checked state where the model starts and its valuation there.
    pub fn start(&mut self) -> Result<(Rc<CheckedState<'t>>, Valuation), Error> {
        let checked = self.known_states.initial()?;
        let zero = Valuation::zero(self.model().clocks.len());
        if !zero.satisfies(&checked.invariant)? {
            return Err(tioga_concrete::Error::NoInitialState.into());
        }
        Ok((checked, zero))
    }

    /// Checks a state and returns its ray.
    ///
    /// Pre: the invariant holds, and the checked state is not a failure.
    pub fn check(
        &mut self,
        checked: &CheckedState<'t>,
        clocks: &Valuation,
        claim: Claim,
    ) -> Result<Ray, Error> {
        let ray = Ray::from(checked, clocks, &self.terms().objective)?;
        self.states += 1;
        match self.known_states.claims() {
            Claims::Table(table) => self.check_rank(table, checked, clocks, claim, &ray)?,
            Claims::Trap(_) => {
                if let Some((flaw, story)) = trap::flaw(self.model(), checked, clocks, &ray)? {
                    return Err(self.refute(checked, clocks, flaw, &story));
                }
            }
            Claims::None(_) => {}
        }
        Ok(ray)
    }

    fn check_rank(
        &mut self,
        table: &'t RankTable,
        checked: &CheckedState<'t>,
        clocks: &Valuation,
        claim: Claim,
        ray: &Ray,
    ) -> Result<(), Error> {
        let RankTable { terms, complete, .. } = table;
        let complete = *complete;
        let exact = complete && claim == Claim::Exact;
        let claimed = ray.now().rank;
        let found = least(ray, terms, complete);
        let right = found.map(|(rank, _)| rank);
        let teller = Teller { model: self.model(), terms, checked, ray };
        let wrong = match (claimed, right) {
            (Some(claimed), Some(right)) if exact => claimed != right,
            (Some(claimed), Some(right)) => right > claimed,
            (Some(_), None) => true,
            (None, right) => exact && right.is_some(),
        };
        if wrong {
            let why = match (claimed, found) {
                (Some(claimed), found) if found.is_none_or(|(right, _)| right > claimed) => {
                    teller.why_not(claimed)?
                }
                (_, Some((_, way))) => teller.how(way)?,
                (_, None) => String::new(),
            };
            let (says, is) = (teller.rank(claimed), teller.rank(right));
            let flaw = Flaw::Rank { claimed, right };
            let story = format!("the table claims {says}, but {is} follows: {why}");
            return Err(self.refute(checked, clocks, flaw, &story));
        }
        // Where the objective is to avoid something, advice is for states without a rank.
        let advises = claimed.is_some() != avoids(&terms.objective) && (exact || claimed.is_some());
        if self.has_rules && advises && claim == Claim::Exact {
            self.advised += 1;
            if let Some(wrong) = advice::flaw(&teller, complete)? {
                let flaw = Flaw::Advice { rank: claimed, rule: ray.now().rule };
                let rank = teller.rank(claimed);
                let story = format!("the advice for {rank} is wrong: {wrong}");
                return Err(self.refute(checked, clocks, flaw, &story));
            }
        }
        Ok(())
    }

    fn refute(
        &self,
        checked: &CheckedState<'_>,
        clocks: &Valuation,
        flaw: Flaw,
        story: &str,
    ) -> Error {
        let state = match clocks.state(self.model(), &checked.discrete) {
            Ok(state) => state,
            Err(overflow) => return overflow.into(),
        };
        let message = format!("in state {} {story}", state.display(self.model()));
        Error::Refuted(Box::new(Refutation { state: Some(state), flaw, message }))
    }
}
