//! Opponents that play the system automatically: random, lazy, eager, hostile or fair.

use std::cmp::Reverse;

use tioga_adapters::Policy;
use tioga_base::Rational;
use tioga_concrete::{Chance, Error, Fairness};
use tioga_testcase::{Concept, Rank, outcomes};

use super::play::{Answer, End, Game, Intention, Round, earliest};

/// How long a random system waits at most where nothing bounds the wait, unless constants are larger.
const HORIZON: Rational = Rational::integer(10);

/// The player of the system.
#[derive(Clone, Debug)]
pub struct Opponent {
    kind: Policy,
    chance: Chance,
    /// The choices of a fair system, and the moments of a random one; made with the first answer.
    fairness: Option<Fairness>,
}

impl Opponent {
    /// An opponent; the seed decides the choices of a random or fair one.
    pub fn new(kind: Policy, seed: u64) -> Self {
        Self { kind, chance: Chance::new(seed), fairness: None }
    }

    /// One round, and how the game ends if it does: it is given up after the maximum of moves.
    ///
    /// # Errors
    /// If a state cannot be computed.
    pub fn exchange(&mut self, game: &mut Game<'_>, moves: usize) -> Result<Option<End>, Error> {
        let round = match game.round()? {
            Ok(round) => round,
            Err(end) => return Ok(Some(end)),
        };
        if game.moves() >= moves {
            return Ok(Some(End::Steps));
        }
        match self.answer(game, &round)? {
            Some(answer) => game.play(round, answer),
            None => Ok(Some(End::Precision)),
        }
    }

    /// The move of the system; nothing if no moment can be written for it.
    pub fn answer(&mut self, game: &mut Game<'_>, round: &Round) -> Result<Option<Answer>, Error> {
        if round.offers.is_empty() {
            return Ok(Some(Answer::GoOn));
        }
        Ok(match self.kind {
            Policy::Random => return self.random(game, round),
            Policy::Fair => return self.fair(game, round),
            Policy::Lazy => Some(lazy(round)),
            Policy::Eager => Some(eager(round)),
            Policy::Hostile => Some(hostile(game, round)?),
        })
    }

    /// Every other time the tester may go on, unless it would wait without end.
    fn random(&mut self, game: &Game<'_>, round: &Round) -> Result<Option<Answer>, Error> {
        if !waits_without_end(round) && self.chance.position(2) == 0 {
            return Ok(Some(Answer::GoOn));
        }
        let offer = self.chance.position(round.offers.len());
        let (windows, chance) = (&round.offers[offer].windows, &mut self.chance);
        let fairness = self.fairness.get_or_insert_with(|| Fairness::new(game.semantics.model()));
        let delay = fairness.moment(&round.state, windows, HORIZON, chance)?;
        Ok(delay.map(|delay| Answer::Move { offer, delay }))
    }

    /// As a fair system chooses. It may let the tester go on, unless the tester would wait without end.
    fn fair(&mut self, game: &Game<'_>, round: &Round) -> Result<Option<Answer>, Error> {
        let Round { state, offers, .. } = round;
        let fairness = self.fairness.get_or_insert_with(|| Fairness::new(game.semantics.model()));
        let may_let_pass = !waits_without_end(round);
        let chosen = fairness.choose(state, offers, may_let_pass, &mut self.chance)?;
        Ok(match chosen {
            Some((offer, delay)) => Some(Answer::Move { offer, delay }),
            None => may_let_pass.then_some(Answer::GoOn),
        })
    }
}

fn waits_without_end(round: &Round) -> bool {
    matches!(round.intention, Intention::Wait { until: None, .. })
}

/// The first of the earliest moves.
fn eager(round: &Round) -> Answer {
    let moves = round.offers.iter().enumerate();
    let first = moves.map(|(offer, choice)| (earliest(&choice.windows), offer)).min();
    first.map_or(Answer::GoOn, |(delay, offer)| Answer::Move { offer, delay })
}

/// The first of the latest moves, if time ends; nothing otherwise.
fn lazy(round: &Round) -> Answer {
    if !waits_without_end(round) || round.delays.upper().is_none() {
        return Answer::GoOn;
    }
    let moves = round.offers.iter().enumerate();
    let moves =
        moves.filter_map(|(offer, choice)| Some((choice.windows.parts().last()?.latest(), offer)));
    let last = moves.max_by_key(|(delay, offer)| (*delay, Reverse(*offer)));
    last.map_or(Answer::GoOn, |(delay, offer)| Answer::Move { offer, delay })
}

/// The move that sets the tester back most, if there is one that does not help it. Otherwise the
/// system would rather do nothing; but if the tester waits without end and the game is fair or time
/// ends, it has to make the move that helps least.
fn hostile(game: &mut Game<'_>, round: &Round) -> Result<Answer, Error> {
    let state = round.state.clone();
    let mut worst: Option<(Setback, Answer)> = None;
    for (offer, choice) in round.offers.iter().enumerate() {
        for (delay, rank) in outcomes(&mut game.semantics, game.table, &state, choice)? {
            let setback = Setback::of(rank, game.avoids);
            if worst.is_none_or(|(before, _)| setback > before) {
                worst = Some((setback, Answer::Move { offer, delay }));
            }
        }
    }
    let Some((setback, answer)) = worst else { return Ok(lazy(round)) };
    let harms = match round.rank {
        Some(rank) => setback >= Setback::Rank(rank),
        None => matches!(setback, Setback::Lost(_)),
    };
    let fair = game.table.terms.concept == Concept::Fair;
    let must = waits_without_end(round) && (fair || round.delays.upper().is_some());
    Ok(if harms || must { answer } else { Answer::GoOn })
}

/// How far a move sets the tester back, rising.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Setback {
    /// Not at all: what is to be avoided still can be.
    Safe,
    /// The tester has this rank.
    Rank(Rank),
    /// The tester's objective is out of reach.
    Astray,
    /// The system has this rank: the lower, the sooner it gets what is to be avoided.
    Lost(Reverse<Rank>),
}

impl Setback {
    fn of(rank: Option<Rank>, avoids: bool) -> Self {
        match (rank, avoids) {
            (Some(rank), false) => Self::Rank(rank),
            (None, false) => Self::Astray,
            (Some(rank), true) => Self::Lost(Reverse(rank)),
            (None, true) => Self::Safe,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setbacks_are_ordered_from_harmless_to_hopeless() {
        let rank = |losses, steps| Some(Rank::new(losses, steps));
        assert!(Setback::of(rank(1, 0), false) > Setback::of(rank(0, 9), false));
        assert!(Setback::of(None, false) > Setback::of(rank(9, 9), false));
        assert!(Setback::of(rank(0, 3), true) > Setback::of(None, true));
        assert!(Setback::of(rank(0, 0), true) > Setback::of(rank(0, 3), true));
    }
}
