//! Exact instants along a path of zones: first backward, which clock values allow the rest of the path, then forward
//! from exact values, each time as early as possible.

use tioga_base::{Overflow, Rational};
use tioga_model::ChannelId;
use tioga_zones::{Arrival, Federation, Zone};

use crate::clocks::{Set, Space, before, both};

/// Time passes, and something happens.
#[derive(Clone, Debug)]
pub(crate) struct Leg {
    /// Where time may not pass; nothing if no time may pass at all.
    pub bad: Option<Federation>,
    /// What must have come before it happens, if anything: time passes through here.
    pub through: Option<Federation>,
    /// When it happens.
    pub when: Federation,
    /// What happens to the clocks.
    pub sets: Vec<Set>,
}

/// Inputs with delays before them and the values they carry, and a delay at the end.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub steps: Vec<Planned>,
    pub rest: Rational,
    pub space: Space,
}

/// An input of a way.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub delay: Rational,
    pub input: ChannelId,
    pub values: Vec<Rational>,
    /// The clock values with which it can come such that the others can follow.
    pub window: Federation,
    /// What happens to the clocks.
    pub sets: Vec<Set>,
}

/// The clock values with which each leg can end such that the others can follow.
pub(crate) fn windows(legs: &[Leg]) -> Vec<Federation> {
    let mut windows: Vec<Federation> = Vec::new();
    let mut next: Option<Federation> = None;
    for leg in legs.iter().rev() {
        let window = match next.take() {
            Some(next) => both(&leg.when, &before(next, &leg.sets)),
            None => leg.when.clone(),
        };
        next = Some(match &leg.bad {
            Some(bad) => window.timed_predecessor(bad, Arrival::Safe),
            None => window.clone(),
        });
        windows.push(window);
    }
    windows.reverse();
    windows
}

/// The delays of the legs from exact clock values, in units of zones; nothing if there are none.
pub(crate) fn delays(
    legs: &[Leg],
    windows: &[Federation],
    start: &[Rational],
) -> Result<Option<Vec<Rational>>, Overflow> {
    let mut clocks = start.to_vec();
    let mut delays = Vec::new();
    for (leg, window) in legs.iter().zip(windows) {
        let Some(delay) = earliest(leg, window, &clocks)? else { return Ok(None) };
        for clock in &mut clocks {
            *clock = clock.add(delay)?;
        }
        for set in &leg.sets {
            let value = Rational::integer(i64::from(set.value));
            clocks[set.clock - 1] = match set.source {
                None => value,
                Some(source) => clocks[source - 1].add(value)?,
            };
        }
        delays.push(delay);
    }
    Ok(Some(delays))
}

/// Delays: from an end, excluded if the flag is set, to an end.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Stretch {
    from: (Rational, bool),
    to: Option<(Rational, bool)>,
}

impl Stretch {
    /// The delays that are also before an end.
    fn until(self, end: Option<(Rational, bool)>) -> Option<Self> {
        let to = match (self.to, end) {
            (None, one) | (one, None) => one,
            (Some(one), Some(two)) => Some(match one.0.cmp(&two.0) {
                std::cmp::Ordering::Less => one,
                std::cmp::Ordering::Greater => two,
                std::cmp::Ordering::Equal => (one.0, one.1 || two.1),
            }),
        };
        let fits = to.is_none_or(|(end, open)| {
            self.from.0 < end || self.from.0 == end && !open && !self.from.1
        });
        fits.then_some(Self { to, ..self })
    }

    /// The delays that are also after an end.
    fn after(self, from: (Rational, bool)) -> Option<Self> {
        Self { from: self.from.max(from), ..self }.until(None)
    }

    /// The first delay; if that is excluded, the first whole number of units, or one in the middle.
    fn first(self) -> Result<Rational, Overflow> {
        let (from, open) = self.from;
        if !open {
            return Ok(from);
        }
        let whole = Rational::integer(from.floor()).add(Rational::ONE)?;
        match self.to {
            Some((to, open)) if whole > to || whole == to && open => {
                from.add(to)?.div(Rational::integer(2))
            }
            _ => Ok(whole),
        }
    }
}

/// The first delay into a window.
fn earliest(
    leg: &Leg,
    window: &Federation,
    clocks: &[Rational],
) -> Result<Option<Rational>, Overflow> {
    // Time passes up to the first bad moment, which is excluded unless bad moments begin after it.
    let mut end = None;
    match &leg.bad {
        None => end = Some((Rational::ZERO, false)),
        Some(bad) => {
            for zone in bad.zones() {
                if let Some(stretch) = delays_into(zone, clocks)? {
                    let (from, open) = stretch.from;
                    end = Some(match end {
                        Some(known) if known.0 < from || known == (from, true) => known,
                        _ => (from, !open),
                    });
                }
            }
        }
    }
    let mut least = None;
    if let Some(through) = &leg.through {
        for zone in through.zones() {
            if let Some(stretch) = delays_into(zone, clocks)? {
                least = Some(
                    least.map_or(stretch.from, |least: (Rational, bool)| least.min(stretch.from)),
                );
            }
        }
        if least.is_none() {
            return Ok(None);
        }
    }
    let mut first: Option<Rational> = None;
    for zone in window.zones() {
        let stretch = delays_into(zone, clocks)?.and_then(|stretch| stretch.until(end));
        let stretch = match least {
            Some(least) => stretch.and_then(|stretch| stretch.after(least)),
            None => stretch,
        };
        if let Some(stretch) = stretch {
            let here = stretch.first()?;
            first = Some(first.map_or(here, |first| first.min(here)));
        }
    }
    Ok(first)
}

/// The delays that lead into a zone.
fn delays_into(zone: &Zone, clocks: &[Rational]) -> Result<Option<Stretch>, Overflow> {
    let mut from = (Rational::ZERO, false);
    let mut to: Option<(Rational, bool)> = None;
    for left in 0..zone.dimension() {
        for right in (0..zone.dimension()).filter(|right| *right != left) {
            let bound = zone.bound(left, right);
            let Some(constant) = bound.constant() else { continue };
            let (constant, strict) = (Rational::integer(i64::from(constant)), bound.is_strict());
            match (left, right) {
                (0, right) => from = from.max((constant.neg()?.sub(clocks[right - 1])?, strict)),
                (left, 0) => {
                    let end = (constant.sub(clocks[left - 1])?, strict);
                    // The lower of two ends; of equal ones that which excludes.
                    to = match to {
                        Some(known) if known.0 < end.0 || known == (end.0, true) => Some(known),
                        _ => Some(end),
                    };
                }
                (left, right) => {
                    let difference = clocks[left - 1].sub(clocks[right - 1])?;
                    if difference > constant || strict && difference == constant {
                        return Ok(None);
                    }
                }
            }
        }
    }
    if to.is_some_and(|(end, _)| end.is_negative()) {
        return Ok(None);
    }
    Ok(Stretch { from, to }.until(None))
}
