//! The game opened on demand: only what a strategy needs, as long as the effort lasts.
//!
//! To each challenge one answer is tried first, the one that copies what the model does to its own
//! clocks; another only when all that were tried are known to lose. So of a game that is won, about
//! as much is opened as the result is large. Each round takes the best strategy there is, opens what
//! it leads to and tries further answers where it loses. When nothing is left to do, the strategy is
//! as good as one for the whole game: every answer it passes over loses no later.
//!
//! When the effort ends, closed states are given up: all that is known of them is that they are an
//! io-abstraction of anything if they allow all outputs and delays and no inputs.

use tioga_base::{Budget, LimitReached};

use crate::Error;
use crate::game::{Answers, Game};
use crate::strategy::{Preference, Strategy, ranks};
use crate::table::Table;

impl Game {
    /// Builds what the best strategy needs. Only a strategy of [`Preference::First`] is complete.
    ///
    /// Post: if the budget of steps did not run out, no state that the strategy leads to is closed.
    pub(crate) fn explore(
        table: &mut Table<'_>,
        allowed: Answers<'_>,
        budget: &mut Budget,
    ) -> Result<Self, Error> {
        let mut game = Self::new(table)?;
        loop {
            match game.round(table, allowed, budget) {
                Ok(true) => {}
                Ok(false) => return Ok(game),
                Err(Error::Limit(limit @ LimitReached::Steps(_))) => {
                    game.give_up(table, limit);
                    return Ok(game);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Follows the best strategy and extends the game where that leads on; false if it need not be.
    fn round(
        &mut self,
        table: &mut Table<'_>,
        allowed: Answers<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Error> {
        let ranks = ranks(self);
        let strategy = Strategy::choose(self, &ranks, Preference::First);
        let mut extended = false;
        for number in strategy.reached {
            if !self.nodes[number].opened {
                self.open(number, table, allowed, budget)?;
                extended = true;
            }
            for challenge in 0..self.nodes[number].challenges.len() {
                let asked = &self.nodes[number].challenges[challenge];
                let loses =
                    |(_, target): &(u32, usize)| ranks.get(*target).is_some_and(Option::is_some);
                if asked.answers.iter().all(loses) {
                    extended |= self.try_next(number, challenge, table, budget)?;
                }
            }
        }
        Ok(extended)
    }
}
