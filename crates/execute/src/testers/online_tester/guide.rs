//! Inputs that lead to the goal of a run of online testing.
//!
//! The ranks of the game, computed as if every step were seen, say what to do in a state. The states that explain the run
//! may differ: the one that is nearest to the goal and not there yet decides, as long as it explains the run. Time
//! may end earlier in some explanations than in others: the system has to do something by then. Every other time, the
//! tester waits for that, so that it is known whether they were right: if the input that the nearest one advises can still
//! be sent after the first end, or if the goal is reached in all explanations that are left after the last. An input that
//! only some explanations accept is sent as late as it is advised.

use tioga_base::Rational;
use tioga_concrete::{Semantics, State};
use tioga_testcase::{Decision, Rank, RankTable, decide};

use super::OnlineTester;
use crate::error::Error;
use crate::testers::class_guide::Place;
use crate::testers::tester::Plan;

/// After so many short waits, they get twice as long, so that long timeouts take few.
const SHORT: u32 = 32;

/// How many explanations of a run are asked for the next step.
const EXPLANATIONS: usize = 8;

impl<'m> OnlineTester<'m> {
    /// What the ranks advise in the explanation that is nearest to the goal and not there yet.
    pub(super) fn guided(&mut self, table: &RankTable) -> Result<Option<Plan>, Error> {
        let model = self.semantics.model();
        let samples = self.estimator.samples(EXPLANATIONS)?;
        let single = samples.len() == 1;
        let mut nearest: Option<(Rank, Decision, Place<'m>)> = None;
        // When time ends, in explanations that are not there yet and in others.
        let (mut open, mut done) = (Vec::new(), Vec::new());
        // When waiting ends in any explanation.
        let mut change: Option<Rational> = None;
        for sample in samples.into_iter().filter(|sample| sample.state.owes.is_none()) {
            let own = State { discrete: sample.state.discrete, clocks: sample.clocks.into() };
            let Some(place) = Place::of(model, self.classes, own) else { continue };
            let mut semantics = Semantics::new(place.over);
            let decision = decide(&mut semantics, table, &place.known)?;
            let last = semantics.options(&place.known)?.delays.upper().map(|(last, _)| last);
            let rank = match &decision {
                Decision::Play { rank, .. } => *rank,
                Decision::Wait { rank, until, .. } => {
                    change = [change, *until].into_iter().flatten().min();
                    *rank
                }
                Decision::Done => {
                    done.push(last);
                    continue;
                }
                Decision::Astray => {
                    open.push(last);
                    continue;
                }
            };
            open.push(last);
            if nearest.as_ref().is_none_or(|(least, ..)| rank < *least) {
                nearest = Some((rank, decision, place));
            }
        }
        let Some((_, decision, place)) = nearest else { return Ok(None) };
        // If time does not end in all of them, waiting does not rule them out.
        let all_open: Option<Vec<Rational>> = open.iter().copied().collect();
        let ruled_out = all_open.and_then(|ends| ends.into_iter().max());
        if let Some(end) = ruled_out.filter(|_| self.patient)
            && done.iter().any(|last| last.is_none_or(|last| last > end))
        {
            let until = self.now.add(end)?.add(self.tick()?)?;
            return Ok(Some(self.listen(until, Vec::new())?));
        }
        match decision {
            Decision::Play { step, .. } => {
                let action = place.seen(step);
                if self.classes.is_some() {
                    self.announce(action.as_slice());
                }
                let first = open.iter().chain(&done).copied().flatten().min();
                if let Some(end) = first.filter(|_| self.patient) {
                    let wait = end.add(self.tick()?)?;
                    if may_wait(&place, table, step, wait)? {
                        return Ok(Some(self.listen(self.now.add(wait)?, Vec::new())?));
                    }
                }
                let soon = self.soon()?;
                if let Some(action) = action {
                    // Soon it may be clearer where the system is, but not after the last chance to send it.
                    let now = !may_wait(&place, table, step, soon)?;
                    if self.sure_inputs()?.contains(&action) {
                        return Ok(Some(Plan::Send(action)));
                    }
                    if now && self.possible_inputs()?.contains(&action) {
                        self.guesses.push(action.clone());
                        return Ok(Some(Plan::Send(action)));
                    }
                }
                Ok(Some(self.listen(self.now.add(soon)?, Vec::new())?))
            }
            Decision::Wait { awaited, .. } => {
                // While the system may be in several states, one of them is no guide for long.
                let wait = if single { self.options.longest_wait } else { self.soon()? };
                let wait = change.map_or(wait, |change| change.min(wait));
                if wait == Rational::ZERO {
                    return Ok(None);
                }
                let awaited = awaited.into_iter().filter_map(|step| place.seen(step)).collect();
                Ok(Some(self.listen(self.now.add(wait)?, awaited)?))
            }
            Decision::Done | Decision::Astray => Ok(None),
        }
    }

    /// How long to wait until more may be known: half a time unit, and longer after a long silence.
    fn soon(&self) -> Result<Rational, Error> {
        let half = Rational::new(1, 2 * self.semantics.model().scale)?;
        let longer = half.mul(Rational::integer(1 << (self.idle / SHORT).min(30)))?;
        Ok(longer.min(self.options.longest_wait).max(half))
    }
}

/// Whether the same move is advised after a wait.
fn may_wait(
    place: &Place<'_>,
    table: &RankTable,
    step: u32,
    wait: Rational,
) -> Result<bool, Error> {
    let mut semantics = Semantics::new(place.over);
    if !semantics.options(&place.known)?.delays.contains(wait) {
        return Ok(false);
    }
    let clocks = place.known.clocks.iter().map(|clock| clock.add(wait));
    let clocks: Result<_, _> = clocks.collect();
    let later = State { discrete: place.known.discrete.clone(), clocks: clocks? };
    let decision = decide(&mut semantics, table, &later)?;
    Ok(matches!(decision, Decision::Play { step: then, .. } if then == step))
}
