//! What can be known of the model after an observation, seen through the clocks of the result.
//!
//! An estimate belongs to a region over the clocks of the result. A *configuration* is a discrete
//! state and a zone over the clocks of both sides, which relates them. The *possible*
//! configurations cover every state the model may be in: they are the over-approximation. Each
//! *certain* configuration contains, whatever was observed on the way, some state the model may
//! really be in: together they are the under-approximation, the configurations marked ⊤ in BJSK11.
//! A state of the game is safe as long as something is certain.
//!
//! Time leads a region through a chain of regions; the estimate of each ([`Moment`]) is closed
//! under internal steps. A possible configuration takes an internal step from where it can; a
//! certain one only if it can from everywhere. A smaller certain configuration says more, so only
//! the least are kept; possible ones are kept as a union.

use std::collections::BTreeMap;

use tioga_base::Budget;
use tioga_zones::{Federation, LuBounds, Zone};

use crate::Error;
use crate::region::Region;
use crate::table::{Entry, Table};

/// A discrete state, by its number, and clock values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Configuration {
    /// The number of the discrete state.
    pub at: usize,
    /// The clocks of both sides.
    pub zone: Zone,
}

/// A state of the game in which Spoiler moves: what is known right after an observation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    /// Where the clocks of the result are.
    pub region: Region,
    /// The possible configurations, sorted.
    pub possible: Vec<Configuration>,
    /// The certain configurations, sorted.
    pub certain: Vec<Configuration>,
}

/// The possible configurations by discrete state.
pub(crate) type Possible = BTreeMap<usize, Federation>;

/// The certain configurations by discrete state; none includes another.
pub(crate) type Certain = BTreeMap<usize, Vec<Zone>>;

/// The estimate in one region of a chain.
#[derive(Debug)]
pub(crate) struct Moment {
    /// The region.
    pub region: Region,
    /// What the model may be in.
    pub possible: Possible,
    /// What it certainly can be in.
    pub certain: Certain,
}

/// What an action leads to, before clocks of the result are reset.
#[derive(Debug)]
pub(crate) struct After {
    /// Over-approximated.
    pub possible: Possible,
    /// Under-approximated.
    pub certain: Vec<(usize, Zone)>,
}

/// The state before anything was observed.
pub(crate) fn initial(table: &mut Table<'_>) -> Result<State, Error> {
    let zone = Zone::zero(table.dimension());
    let possible = Possible::from([(0, Federation::from(zone.clone()))]);
    let region = Region::zero(table.clocks);
    After { possible, certain: vec![(0, zone)] }.answered(table, &region, 0)
}

impl State {
    /// The estimates of the regions that time leads through, as long as something is possible.
    pub(crate) fn unfold(
        &self,
        table: &mut Table<'_>,
        budget: &mut Budget,
    ) -> Result<Vec<Moment>, Error> {
        let mut moments = Vec::new();
        let mut region = self.region.clone();
        let mut entering: Vec<(usize, Zone)> =
            self.possible.iter().map(|one| (one.at, one.zone.clone())).collect();
        let mut certain = Certain::new();
        for one in &self.certain {
            keep_least(certain.entry(one.at).or_default(), one.zone.clone());
        }
        let here = table.zone(&region);
        // Internal steps may follow at once, before any time passes.
        close_certain(table, &mut certain, &here, budget)?;
        let mut certain = staying(table, &certain, &region)?;
        loop {
            let here = table.zone(&region);
            let possible = close_possible(table, entering, &here, budget)?;
            if possible.is_empty() {
                return Ok(moments);
            }
            close_certain(table, &mut certain, &here, budget)?;
            let next = region.next(&table.grid);
            moments.push(Moment { region, possible, certain });
            let Some(next) = next else { return Ok(moments) };
            let last = moments.last().expect("one was pushed");
            entering = Vec::new();
            for (&at, zones) in &last.possible {
                entering.extend(zones.zones().iter().map(|zone| (at, zone.clone())));
            }
            certain = passing(table, &last.certain, &last.region, &next)?;
            region = next;
        }
    }
}

impl Moment {
    /// The actions that are possible, in order.
    pub(crate) fn actions(&self, table: &mut Table<'_>) -> Result<Vec<usize>, Error> {
        let mut actions = Vec::new();
        for (&at, zones) in &self.possible {
            let entry = table.entry(at)?;
            for step in &entry.steps {
                if let Some(action) = step.action
                    && !actions.contains(&action)
                    && step.enabled.intersects(zones)
                {
                    actions.push(action);
                }
            }
        }
        actions.sort_unstable();
        Ok(actions)
    }

    /// The clocks of the result that would copy what an action does to clocks of the model, if each
    /// stood for some of them.
    pub(crate) fn resets(&self, table: &mut Table<'_>, action: usize) -> Result<u32, Error> {
        let mut reset = 0;
        if table.clocks == 0 {
            return Ok(reset);
        }
        for (&at, zones) in &self.possible {
            let entry = table.entry(at)?;
            for step in entry.steps.iter().filter(|step| step.action == Some(action)) {
                if step.enabled.intersects(zones) {
                    for (clock, ..) in step.jump.assignments() {
                        reset |= 1 << ((clock - 1) % table.clocks);
                    }
                }
            }
        }
        Ok(reset)
    }

    /// What an action leads to.
    pub(crate) fn after(&self, table: &mut Table<'_>, action: usize) -> Result<After, Error> {
        let mut possible = Possible::new();
        for (&at, zones) in &self.possible {
            let entry = table.entry(at)?;
            for step in entry.steps.iter().filter(|step| step.action == Some(action)) {
                let mut source = zones.clone();
                source.intersect(&step.enabled);
                if !source.is_empty() {
                    let empty = || Federation::empty(zones.dimension());
                    possible
                        .entry(step.target)
                        .or_insert_with(empty)
                        .unite(&step.jump.successor(&source));
                }
            }
        }
        let mut certain = Vec::new();
        for (&at, zones) in &self.certain {
            let entry = table.entry(at)?;
            for zone in zones {
                certain.extend(certain_successors(&entry, zone, Some(action)));
            }
        }
        Ok(After { possible, certain })
    }
}

impl After {
    /// The state when Determinizator answers with this set of clocks to reset.
    pub(crate) fn answered(
        &self,
        table: &mut Table<'_>,
        region: &Region,
        reset: u32,
    ) -> Result<State, Error> {
        let region = region.reset(reset);
        let here = table.zone(&region);
        let clocks = table.first()..table.dimension();
        let set = |zone: &mut Zone| {
            for (index, clock) in clocks.clone().enumerate() {
                if reset >> index & 1 == 1 {
                    zone.reset(clock, 0);
                }
            }
        };
        let mut possible = Vec::new();
        for (&at, zones) in &self.possible {
            let bounds = &table.entry(at)?.bounds;
            let mut union = Federation::empty(zones.dimension());
            for zone in zones.zones() {
                let mut zone = zone.clone();
                set(&mut zone);
                if normalise(&mut zone, bounds, &here) {
                    union.add(zone);
                }
            }
            union.merge();
            possible.extend(union.into_zones().into_iter().map(|zone| Configuration { at, zone }));
        }
        let mut least = Certain::new();
        for (at, zone) in &self.certain {
            let mut zone = zone.clone();
            set(&mut zone);
            if normalise(&mut zone, &table.entry(*at)?.bounds, &here) {
                keep_least(least.entry(*at).or_default(), zone);
            }
        }
        let mut certain: Vec<Configuration> = least
            .into_iter()
            .flat_map(|(at, zones)| zones.into_iter().map(move |zone| Configuration { at, zone }))
            .collect();
        let key = |one: &Configuration, other: &Configuration| {
            (one.at, one.zone.bounds()).cmp(&(other.at, other.zone.bounds()))
        };
        possible.sort_by(key);
        certain.sort_by(key);
        Ok(State { region, possible, certain })
    }
}

/// Forgets what no condition can tell apart, within the region. The result includes the zone;
/// false if it had no point in the region.
fn normalise(zone: &mut Zone, bounds: &LuBounds, here: &Zone) -> bool {
    if zone.intersect(here).is_err() {
        return false;
    }
    zone.extrapolate_m(bounds);
    zone.intersect(here).expect("extrapolation loses no point");
    true
}

fn keep_least(zones: &mut Vec<Zone>, zone: Zone) {
    if zones.iter().any(|known| zone.includes(known)) {
        return;
    }
    zones.retain(|known| !known.includes(&zone));
    zones.push(zone);
}

/// Everything that time within the region and internal steps lead to.
fn close_possible(
    table: &mut Table<'_>,
    mut entering: Vec<(usize, Zone)>,
    here: &Zone,
    budget: &mut Budget,
) -> Result<Possible, Error> {
    let mut possible = Possible::new();
    while let Some((at, zone)) = entering.pop() {
        budget.step()?;
        let entry = table.entry(at)?;
        for mut later in entry.elapse.delay(&zone).into_zones() {
            if !normalise(&mut later, &entry.bounds, here) {
                continue;
            }
            let known = possible.entry(at).or_insert_with(|| Federation::empty(here.dimension()));
            if known.includes_zone(&later) {
                continue;
            }
            for step in entry.steps.iter().filter(|step| step.action.is_none()) {
                let mut source = step.enabled.clone();
                source.intersect_zone(&later);
                let after = step.jump.successor(&source).into_zones();
                entering.extend(after.into_iter().map(|zone| (step.target, zone)));
            }
            known.add(later);
        }
    }
    for zones in possible.values_mut() {
        zones.reduce();
        zones.merge();
    }
    Ok(possible)
}

/// Adds what internal steps certainly lead to, at the moment at which they are taken.
fn close_certain(
    table: &mut Table<'_>,
    certain: &mut Certain,
    here: &Zone,
    budget: &mut Budget,
) -> Result<(), Error> {
    let mut waiting: Vec<(usize, Zone)> = Vec::new();
    for (&at, zones) in certain.iter() {
        waiting.extend(zones.iter().map(|zone| (at, zone.clone())));
    }
    while let Some((at, zone)) = waiting.pop() {
        budget.step()?;
        let entry = table.entry(at)?;
        for (target, mut after) in certain_successors(&entry, &zone, None) {
            let bounds = &table.entry(target)?.bounds;
            let known = certain.entry(target).or_default();
            if normalise(&mut after, bounds, here) && !known.iter().any(|one| after.includes(one)) {
                keep_least(known, after.clone());
                waiting.push((target, after));
            }
        }
    }
    Ok(())
}

/// Where steps with this action lead that are possible from every point of the zone. Several steps
/// to one discrete state may be possible from every point together.
fn certain_successors(entry: &Entry, zone: &Zone, action: Option<usize>) -> Vec<(usize, Zone)> {
    let mut found = Vec::new();
    let mut partial: BTreeMap<usize, (Federation, Federation)> = BTreeMap::new();
    for step in entry.steps.iter().filter(|step| step.action == action) {
        let mut source = step.enabled.clone();
        source.intersect_zone(zone);
        if source.is_empty() {
            continue;
        }
        let after = step.jump.successor(&source);
        if source.includes_zone(zone) {
            found.extend(after.hull().map(|hull| (step.target, hull)));
            continue;
        }
        let empty = || (Federation::empty(zone.dimension()), Federation::empty(zone.dimension()));
        let (sources, afters) = partial.entry(step.target).or_insert_with(empty);
        sources.unite(&source);
        afters.unite(&after);
    }
    for (target, (sources, afters)) in partial {
        if sources.includes_zone(zone) {
            found.extend(afters.hull().map(|hull| (target, hull)));
        }
    }
    found
}

/// The certain configurations that remain so while time passes within the region.
fn staying(table: &mut Table<'_>, certain: &Certain, region: &Region) -> Result<Certain, Error> {
    if !region.lasts() {
        return Ok(certain.clone());
    }
    let here = table.zone(region);
    let mut kept = Certain::new();
    for (&at, zones) in certain {
        let entry = table.entry(at)?;
        for zone in zones {
            let Some(mut later) = later(zone, &here) else { continue };
            if lets_pass(&entry, &later) && normalise(&mut later, &entry.bounds, &here) {
                keep_least(kept.entry(at).or_default(), later);
            }
        }
    }
    Ok(kept)
}

/// The certain configurations of the next region that remain from those of a region.
fn passing(
    table: &mut Table<'_>,
    certain: &Certain,
    region: &Region,
    next: &Region,
) -> Result<Certain, Error> {
    let here = table.zone(region);
    let there = table.zone(next);
    let mut kept = Certain::new();
    for (&at, zones) in certain {
        let entry = table.entry(at)?;
        for zone in zones {
            let (Some(now), Some(mut then)) = (later(zone, &here), later(zone, &there)) else {
                continue;
            };
            // Time may end where an urgent step is possible, but it may not go on from there.
            let arrives =
                if next.lasts() { lets_pass(&entry, &then) } else { within(&entry, &then) };
            if lets_pass(&entry, &now) && arrives && normalise(&mut then, &entry.bounds, &there) {
                keep_least(kept.entry(at).or_default(), then);
            }
        }
    }
    Ok(kept)
}

/// What any delay leads to within a region.
fn later(zone: &Zone, region: &Zone) -> Option<Zone> {
    let mut later = zone.clone();
    later.delay();
    later.intersect(region).ok().map(|()| later)
}

fn within(entry: &Entry, zone: &Zone) -> bool {
    entry.elapse.invariant().includes_zone(zone)
}

fn lets_pass(entry: &Entry, zone: &Zone) -> bool {
    entry.elapse.passes_time()
        && within(entry, zone)
        && !entry.elapse.urgent().zones().iter().any(|urgent| urgent.intersects(zone))
}
