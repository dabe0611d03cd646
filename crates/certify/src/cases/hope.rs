//! From where the goal can still be reached, with the cooperation of the system.
//!
//! The graph of all regions that the model reaches is walked forward, up to the goal, to what the
//! objective forbids and to failures; then backward from the goal. Module `ranking` computes ranks on
//! the same graph.

use std::rc::Rc;

use indexmap::IndexMap;
use tioga_base::{Overflow, Rational};
use tioga_model::Objective;
use tioga_testcase::Rank;

use crate::states::{
    CheckedState, CheckedStates, Grid, Landing, Piece, Ray, Valuation, landing, simplest,
};
use crate::{CheckOptions, Error};

/// The regions of a model and whether the goal can be reached from them.
pub(crate) struct Hope {
    grid: Grid,
    regions: IndexMap<(usize, Vec<i64>), Region>,
}

#[derive(Default)]
struct Region {
    hopeful: bool,
    goal: bool,
    forbidden: bool,
    /// Whether it is an interval of delays rather than a moment.
    open: bool,
    /// Whether time passes within it.
    flows: bool,
    /// The next region in time, if time gets there.
    later: Option<usize>,
    /// What the steps possible here lead to, without ranks, and the region it is.
    landings: Vec<(Landing, usize)>,
    /// The positions of the regions that lead here.
    before: Vec<usize>,
}

impl Hope {
    /// Walks all regions; nothing if there are too many or regions do not tell apart enough.
    pub fn find(
        known_states: &mut CheckedStates<'_, '_>,
        objective: &Objective,
        options: &CheckOptions,
    ) -> Result<Option<Self>, Error> {
        let mut grid = Grid::new(known_states.model().clocks.len());
        loop {
            let mut walk = Walk { grid, regions: IndexMap::new(), states: Vec::new() };
            match walk.run(known_states, objective, options)? {
                Some(true) if walk.grid.is_exact() => {
                    let mut hope = Self { grid: walk.grid, regions: walk.regions };
                    hope.spread();
                    return Ok(Some(hope));
                }
                Some(true) | None => return Ok(None),
                Some(false) => grid = walk.grid,
            }
        }
    }

    /// Goes backward from the regions that are hopeful so far.
    fn spread(&mut self) {
        let regions = self.regions.values().enumerate();
        let mut waiting: Vec<usize> =
            regions.filter(|(_, region)| region.hopeful).map(|(position, _)| position).collect();
        while let Some(position) = waiting.pop() {
            for before in self.regions[position].before.clone() {
                let region = &mut self.regions[before];
                if !region.hopeful {
                    region.hopeful = true;
                    waiting.push(before);
                }
            }
        }
    }

    /// Whether the goal can be reached from a state; nothing if the state is not known. Clocks
    /// beyond those of the model do not matter.
    pub fn is_hopeful(
        &self,
        checked: &CheckedState<'_>,
        clocks: &Valuation,
    ) -> Result<Option<bool>, Overflow> {
        Ok(self.position(checked, clocks)?.map(|position| self.regions[position].hopeful))
    }

    /// The position of the region of a state.
    pub fn position(
        &self,
        checked: &CheckedState<'_>,
        clocks: &Valuation,
    ) -> Result<Option<usize>, Overflow> {
        let own = Valuation(clocks.0[..self.grid.clocks()].to_vec());
        Ok(self.regions.get_index_of(&(checked.index, self.grid.key(&own)?)))
    }

    /// How many regions there are.
    pub fn len(&self) -> usize {
        self.regions.len()
    }

    /// Whether the goal holds in a region, and whether it can be reached from there.
    pub fn outlook(&self, position: usize) -> (bool, bool) {
        let region = &self.regions[position];
        (region.goal, region.hopeful)
    }

    /// Whether a region is an interval of delays rather than a moment.
    pub fn is_open(&self, position: usize) -> bool {
        self.regions[position].open
    }

    /// The regions whose rays change with these: what leads there by a step or by time, and what time leads
    /// there from.
    pub fn affected(&self, changed: &[usize]) -> Vec<usize> {
        let mut marked = vec![false; self.regions.len()];
        let mut waiting: Vec<usize> =
            changed.iter().flat_map(|position| &self.regions[*position].before).copied().collect();
        let mut all = Vec::new();
        while let Some(position) = waiting.pop() {
            if std::mem::replace(&mut marked[position], true) {
                continue;
            }
            all.push(position);
            let before = self.regions[position].before.iter().copied();
            waiting.extend(before.filter(|one| self.regions[*one].later == Some(position)));
        }
        all.sort_unstable();
        all
    }

    /// The ray of a region, with these ranks. Where it ends is not known; only strict games ask.
    pub fn ray(&self, position: usize, ranks: &[Option<Rank>]) -> Ray {
        let piece = |at: usize, open: bool| {
            let region = &self.regions[at];
            let landings = region.landings.iter();
            Piece {
                delay: Rational::ZERO,
                open,
                rank: ranks[at],
                goal: region.goal,
                forbidden: region.forbidden,
                landings: landings
                    .map(|(landing, target)| Landing { rank: ranks[*target], ..*landing })
                    .collect(),
                rule: None,
            }
        };
        let mut pieces = vec![piece(position, false)];
        if self.regions[position].open && self.regions[position].flows {
            pieces.push(piece(position, true));
        }
        let mut at = position;
        while let Some(later) = self.regions[at].later {
            pieces.push(piece(later, self.regions[later].open));
            at = later;
        }
        Ray { pieces, end: None }
    }
}

struct Walk<'t> {
    grid: Grid,
    regions: IndexMap<(usize, Vec<i64>), Region>,
    /// A state of each region.
    states: Vec<(Rc<CheckedState<'t>>, Valuation)>,
}

impl<'t> Walk<'t> {
    /// Whether all regions were walked; if not, constants were found that make them finer. Nothing
    /// if there are too many.
    fn run(
        &mut self,
        known_states: &mut CheckedStates<'_, 't>,
        objective: &Objective,
        options: &CheckOptions,
    ) -> Result<Option<bool>, Error> {
        let checked = known_states.initial()?;
        self.grid.note(&checked);
        self.add(checked, Valuation::zero(self.grid.clocks()), None)?;
        let mut position = 0;
        while let Some((checked, clocks)) = self.states.get(position).cloned() {
            if options.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if self.states.len() > options.max_regions {
                return Ok(None);
            }
            let next = self.grid.next(&clocks)?;
            let delay = next.unwrap_or(Rational::ONE);
            let ray = Ray::up_to(delay, &checked, &clocks, objective)?;
            let region = &mut self.regions[position];
            (region.goal, region.forbidden) = (ray.now().goal, ray.now().forbidden);
            region.hopeful = region.goal;
            region.open = self.grid.is_open(&clocks);
            region.flows = ray.allows(delay.div(Rational::integer(2))?);
            if !(ray.now().goal || ray.now().forbidden) {
                if let Some(delay) = next.filter(|delay| ray.allows(*delay)) {
                    let later =
                        self.add(Rc::clone(&checked), clocks.later(delay)?, Some(position))?;
                    self.regions[position].later = Some(later);
                }
                for (number, step) in
                    checked.steps.iter().enumerate().filter(|(_, step)| !step.fail)
                {
                    let Some(after) = landing(step, &clocks)? else { continue };
                    let target = known_states.checked(&step.target)?;
                    if self.grid.note(&target) {
                        return Ok(Some(false));
                    }
                    let target = self.add(target, after, Some(position))?;
                    let (index, input) = (step.index, step.is_input());
                    let landing = Landing { position: number, index, input, rank: None };
                    self.regions[position].landings.push((landing, target));
                }
            }
            position += 1;
        }
        Ok(Some(true))
    }

    fn add(
        &mut self,
        checked: Rc<CheckedState<'t>>,
        clocks: Valuation,
        before: Option<usize>,
    ) -> Result<usize, Overflow> {
        let clocks = simplest(&clocks)?;
        let entry = self.regions.entry((checked.index, self.grid.key(&clocks)?));
        let position = entry.index();
        if position == self.states.len() {
            self.states.push((checked, clocks));
        }
        entry.or_default().before.extend(before);
        Ok(position)
    }
}
