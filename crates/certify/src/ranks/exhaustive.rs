//! Checking one state of every region that can be reached.
//!
//! Where the game is over (the objective is reached, or what it forbids, or the test has failed)
//! nothing more is looked at.

use std::collections::VecDeque;
use std::rc::Rc;

use indexmap::IndexSet;

use super::checker::{Checker, Claim};
use crate::states::{CheckedState, Grid, Valuation, landing, simplest};
use crate::{CheckOptions, Error};

/// How a walk over all regions ended.
pub(crate) enum Walked {
    /// Every region was checked.
    All,
    /// There are more regions than were allowed.
    TooMany,
    /// Regions may not tell apart enough: a clock is set to another plus something.
    Unsure,
}

/// Checks one state of each region that can be reached.
pub(crate) fn check(
    checker: &mut Checker<'_, '_>,
    options: &CheckOptions,
) -> Result<Walked, Error> {
    let mut grid = Grid::new(checker.model().clocks.len());
    loop {
        (checker.states, checker.advised) = (0, 0);
        let mut search = Search { grid: &mut grid, seen: IndexSet::new(), queue: VecDeque::new() };
        match search.run(checker, options)? {
            Round::Done if grid.is_exact() => return Ok(Walked::All),
            Round::Done => return Ok(Walked::Unsure),
            Round::Full => return Ok(Walked::TooMany),
            Round::Finer => {}
        }
    }
}

enum Round {
    Done,
    Full,
    /// A larger constant was found, so regions must be finer.
    Finer,
}

struct Search<'g, 't> {
    grid: &'g mut Grid,
    seen: IndexSet<(usize, Vec<i64>)>,
    queue: VecDeque<(Rc<CheckedState<'t>>, Valuation)>,
}

impl<'t> Search<'_, 't> {
    fn run(
        &mut self,
        checker: &mut Checker<'_, 't>,
        options: &CheckOptions,
    ) -> Result<Round, Error> {
        let (checked, clocks) = checker.start()?;
        self.grid.note(&checked);
        self.add(checked, clocks)?;
        while let Some((checked, clocks)) = self.queue.pop_front() {
            if options.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let ray = checker.check(&checked, &clocks, Claim::Exact)?;
            if ray.now().goal || ray.now().forbidden {
                continue;
            }
            if let Some(delay) = self.grid.next(&clocks)?
                && ray.allows(delay)
            {
                self.add(Rc::clone(&checked), simplest(&clocks.later(delay)?)?)?;
            }
            for step in checked.steps.iter().filter(|step| step.followed) {
                let Some(after) = landing(step, &clocks)? else { continue };
                if step.fail {
                    continue;
                }
                let target = checker.known_states.checked(&step.target)?;
                if self.grid.note(&target) {
                    return Ok(Round::Finer);
                }
                self.add(target, simplest(&after)?)?;
            }
            if self.seen.len() > options.max_regions {
                return Ok(Round::Full);
            }
        }
        Ok(Round::Done)
    }

    fn add(&mut self, checked: Rc<CheckedState<'t>>, clocks: Valuation) -> Result<(), Error> {
        if !checked.fail && self.seen.insert((checked.index, self.grid.key(&clocks)?)) {
            self.queue.push_back((checked, clocks));
        }
        Ok(())
    }
}
