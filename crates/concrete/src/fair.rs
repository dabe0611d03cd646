//! The choices of a fair system (HJM22 Definition 27).
//!
//! From a region visited infinitely often, a fair system takes every possible step infinitely often,
//! and infinitely often it lets time pass beyond the region. Both hold here with probability one: every
//! second choice in a discrete state is any step, and the others are the step that had the fewest turns
//! there, so that none is waited for for long. Letting the moments of all steps pass has turns as well. The moment of a step is any moment of its window, in any
//! region. Beyond the largest constant of every clock all moments are alike, so a window without an end
//! counts up to shortly after the last of these constants.

use std::collections::BTreeMap;

use tioga_base::{Overflow, Rational};
use tioga_model::{DiscreteState, MaximalConstant, Model, Step, maximal_constants};

use crate::chance::Chance;
use crate::interval::{Cut, Interval, Intervals};
use crate::state::State;
use crate::step::Choice;

/// How a fair system chooses among its steps, and whose turn it was so far.
#[derive(Clone, Debug)]
pub struct Fairness {
    /// The largest constant of each clock, as far as it is known.
    constants: Vec<Option<Rational>>,
    /// The constants of the model are multiples of one over this.
    scale: i64,
    /// How many turns each step had in each discrete state; no step stands for letting time pass.
    turns: BTreeMap<DiscreteState, Vec<(Option<Step>, u64)>>,
}

impl Fairness {
    /// A system of this model that has done nothing yet.
    pub fn new(model: &Model) -> Self {
        let known = |constant: &MaximalConstant| match constant {
            MaximalConstant::Known(value) => Some(*value),
            MaximalConstant::None | MaximalConstant::Unknown(_) => None,
        };
        Self {
            constants: maximal_constants(model).iter().map(known).collect(),
            scale: model.scale,
            turns: BTreeMap::new(),
        }
    }

    /// A new run begins: nothing was done yet.
    pub fn begin(&mut self) {
        self.turns.clear();
    }

    /// Which of its steps the system takes next, and after which delay; `None` if it lets the moments of all steps
    /// pass, or no moment of the step can be written. `may_let_pass` says whether it may let all moments pass where
    /// every step has a last one. Pre: there is a choice.
    ///
    /// # Errors
    /// If a number becomes too large.
    pub fn choose(
        &mut self,
        state: &State,
        choices: &[Choice],
        may_let_pass: bool,
        chance: &mut Chance,
    ) -> Result<Option<(usize, Rational)>, Overflow> {
        // Where a window has no end, time can always pass beyond the next bound.
        let endless = |choice: &Choice| choice.windows.parts().iter().any(|p| p.upper().is_none());
        let endless: Vec<usize> =
            (0..choices.len()).filter(|one| endless(&choices[*one])).collect();
        let mut turns: Vec<Option<&Step>> = choices.iter().map(|one| Some(&one.step)).collect();
        if may_let_pass || !endless.is_empty() {
            turns.push(None);
        }
        // Strict turns would never come the same way twice in a row, which a region may need.
        let chosen = match chance.position(2) {
            0 => self.rarest(&state.discrete, &turns, chance),
            _ => chance.position(turns.len()),
        };
        self.count(&state.discrete, turns[chosen]);
        let (choice, windows) = match choices.get(chosen) {
            Some(choice) => (chosen, choice.windows.clone()),
            None if endless.is_empty() => return Ok(None),
            None => {
                let choice = endless[chance.position(endless.len())];
                let late = Interval::between(Cut::after(self.settled(state)?), None);
                let late: Intervals = late.into_iter().collect();
                (choice, choices[choice].windows.intersect(&late))
            }
        };
        let delay = self.moment_in_any_region(state, &windows, chance)?;
        Ok(delay.map(|delay| (choice, delay)))
    }

    /// One of the turns that came least often in this discrete state.
    fn rarest(&self, state: &DiscreteState, turns: &[Option<&Step>], chance: &mut Chance) -> usize {
        let known = self.turns.get(state).map_or(&[][..], Vec::as_slice);
        let count = |turn: &Option<&Step>| {
            known.iter().find(|(step, _)| step.as_ref() == *turn).map_or(0, |(_, count)| *count)
        };
        let least = turns.iter().map(count).min().unwrap_or(0);
        let positions = 0..turns.len();
        let least: Vec<usize> = positions.filter(|one| count(&turns[*one]) == least).collect();
        least[chance.position(least.len())]
    }

    /// Takes note of a turn. A turn counts when it is given: a step that the tester always comes before
    /// must not keep the others from their turns.
    fn count(&mut self, state: &DiscreteState, turn: Option<&Step>) {
        let own = self.turns.entry(state.clone()).or_default();
        match own.iter_mut().find(|(step, _)| step.as_ref() == turn) {
            Some((_, count)) => *count += 1,
            None => own.push((turn.cloned(), 1)),
        }
    }

    /// The delay after which every clock has passed its largest constant.
    fn settled(&self, state: &State) -> Result<Rational, Overflow> {
        let mut settled = Rational::ZERO;
        for (constant, value) in self.constants.iter().zip(&state.clocks) {
            if let Some(constant) = constant {
                settled = settled.max(constant.sub(*value)?);
            }
        }
        Ok(settled)
    }

    /// A moment of a window that is not empty. A part without an end counts up to shortly after the largest
    /// constants, and for so long at least. `None` if no moment can be written.
    ///
    /// # Errors
    /// If a number becomes too large.
    pub fn moment(
        &self,
        state: &State,
        windows: &Intervals,
        at_least: Rational,
        chance: &mut Chance,
    ) -> Result<Option<Rational>, Overflow> {
        let parts = windows.parts();
        let part = parts[chance.position(parts.len())];
        let horizon = self.horizon(state, &part)?.max(at_least);
        chance.moment(self.scale, &part, horizon)
    }

    /// How long after its start a part without an end counts: until shortly after the largest constants.
    fn horizon(&self, state: &State, part: &Interval) -> Result<Rational, Overflow> {
        let shortly = Rational::new(1, self.scale.checked_mul(2).ok_or(Overflow)?)?;
        let beyond = self.settled(state)?.sub(part.lower().0)?;
        beyond.max(Rational::ZERO).add(shortly)
    }

    /// As [`Self::moment`], in any region of the window: the grid of moments may step over regions between two
    /// fractional parts.
    fn moment_in_any_region(
        &self,
        state: &State,
        windows: &Intervals,
        chance: &mut Chance,
    ) -> Result<Option<Rational>, Overflow> {
        let parts = windows.parts();
        let part = parts[chance.position(parts.len())];
        let horizon = self.horizon(state, &part)?;
        let part = match part.upper() {
            Some(_) => part,
            None => part.up_to(part.lower().0.add(horizon)?).unwrap_or(part),
        };
        let Some(moment) = chance.moment(self.scale, &part, horizon)? else { return Ok(None) };
        let (before, after) = self.neighbours(state, moment)?;
        let beside = match chance.position(8) {
            0 => Interval::between(before, Some(Cut::before(moment))),
            1 => Interval::between(Cut::after(moment), after),
            _ => None,
        };
        let Some(beside) = beside.and_then(|beside| beside.intersect(&part)) else {
            return Ok(Some(moment));
        };
        Ok(chance.moment(self.scale, &beside, horizon)?.or(Some(moment)))
    }

    /// Where the open regions beside a moment begin and end.
    fn neighbours(&self, state: &State, moment: Rational) -> Result<(Cut, Option<Cut>), Overflow> {
        let scale = Rational::integer(self.scale);
        let (mut before, mut after) = (Cut::ZERO, None);
        for (constant, value) in self.constants.iter().zip(&state.clocks) {
            let Some(constant) = constant else { continue };
            let reading = value.add(moment)?.mul(scale)?;
            let delay_to = |reading: i64| Rational::new(reading, self.scale)?.sub(*value);
            let below = delay_to((reading.ceil() - 1).min(constant.mul(scale)?.floor()))?;
            let above = delay_to(reading.floor() + 1)?;
            before = before.max(Cut::after(below));
            if value.add(above)? <= *constant {
                after =
                    Some(after.map_or(Cut::before(above), |old: Cut| old.min(Cut::before(above))));
            }
        }
        Ok((before, after))
    }
}
