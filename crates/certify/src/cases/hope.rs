//! From where the goal can still be reached, with the cooperation of the system.
//!
//! The graph of all regions that the model reaches is walked forward, up to the goal, to what the
//! objective forbids and to failures; then backward from the goal.

use std::rc::Rc;

use indexmap::IndexMap;
use tioga_base::Overflow;
use tioga_model::Objective;

use crate::states::{Grid, Ray, Site, Sites, Valuation, landing, simplest};
use crate::{CheckOptions, Error};

/// The regions of a model and whether the goal can be reached from them.
pub(crate) struct Hope {
    grid: Grid,
    regions: IndexMap<(usize, Vec<i64>), Region>,
}

#[derive(Default)]
struct Region {
    hopeful: bool,
    /// The positions of the regions that lead here.
    before: Vec<usize>,
}

impl Hope {
    /// Walks all regions; nothing if there are too many or regions do not tell apart enough.
    pub fn find(
        sites: &mut Sites<'_, '_>,
        objective: &Objective,
        options: &CheckOptions,
    ) -> Result<Option<Self>, Error> {
        let mut grid = Grid::new(sites.model().clocks.len());
        loop {
            let mut walk = Walk { grid, regions: IndexMap::new(), states: Vec::new() };
            match walk.run(sites, objective, options)? {
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
            for before in std::mem::take(&mut self.regions[position].before) {
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
        site: &Site<'_>,
        clocks: &Valuation,
    ) -> Result<Option<bool>, Overflow> {
        let own = Valuation(clocks.0[..self.grid.clocks()].to_vec());
        let region = self.regions.get(&(site.index, self.grid.key(&own)?));
        Ok(region.map(|region| region.hopeful))
    }
}

struct Walk<'t> {
    grid: Grid,
    regions: IndexMap<(usize, Vec<i64>), Region>,
    /// A state of each region.
    states: Vec<(Rc<Site<'t>>, Valuation)>,
}

impl<'t> Walk<'t> {
    /// Whether all regions were walked; if not, constants were found that make them finer. Nothing
    /// if there are too many.
    fn run(
        &mut self,
        sites: &mut Sites<'_, 't>,
        objective: &Objective,
        options: &CheckOptions,
    ) -> Result<Option<bool>, Error> {
        let site = sites.initial()?;
        self.grid.note(&site);
        self.add(site, Valuation::zero(self.grid.clocks()), None)?;
        let mut position = 0;
        while let Some((site, clocks)) = self.states.get(position).cloned() {
            if options.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if self.states.len() > options.max_regions {
                return Ok(None);
            }
            let ray = Ray::from(&site, &clocks, objective)?;
            self.regions[position].hopeful = ray.now().goal;
            if !(ray.now().goal || ray.now().forbidden) {
                if let Some(delay) = self.grid.next(&clocks)?
                    && ray.allows(delay)
                {
                    self.add(Rc::clone(&site), clocks.later(delay)?, Some(position))?;
                }
                for step in site.moves.iter().filter(|step| !step.fail) {
                    let Some(after) = landing(step, &clocks)? else { continue };
                    let target = sites.site(&step.target)?;
                    if self.grid.note(&target) {
                        return Ok(Some(false));
                    }
                    self.add(target, after, Some(position))?;
                }
            }
            position += 1;
        }
        Ok(Some(true))
    }

    fn add(
        &mut self,
        site: Rc<Site<'t>>,
        clocks: Valuation,
        before: Option<usize>,
    ) -> Result<(), Overflow> {
        let clocks = simplest(&clocks)?;
        let entry = self.regions.entry((site.index, self.grid.key(&clocks)?));
        if entry.index() == self.states.len() {
            self.states.push((site, clocks));
        }
        entry.or_default().before.extend(before);
        Ok(())
    }
}
