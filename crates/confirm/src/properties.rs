//! Which properties a machine has, for any configuration (BON09, chapter 4, sections 2.1 and 3.2), with what shows
//! that it does not have one.

use tioga_base::{Budget, Rational};
use tioga_model::{ChannelId, EdgeId, LocationId};
use tioga_terms::Formula;
use tioga_zones::{Arrival, Federation, Point};

use crate::clocks::{Space, both};
use crate::error::Error;
use crate::machine::Machine;
use crate::moves::{Engine, Move, Side};

/// A location, an input, and what is wrong there, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The location.
    pub location: LocationId,
    /// The input.
    pub input: ChannelId,
    /// A configuration, and what is not as it should be in it.
    pub why: String,
}

/// Which properties a machine has: each by the first thing that contradicts it, if anything does.
///
/// Configurations count even if they cannot be reached, as long as the invariant holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Properties {
    /// No two edges can be taken in one configuration for one input.
    pub deterministic: Option<Flaw>,
    /// No two edges can be taken in one configuration for one input that answer with different outputs.
    pub observable: Option<Flaw>,
    /// Every location has an edge for every input.
    pub complete: Option<Flaw>,
    /// In every configuration, some delay that the invariant allows makes an edge possible for every input.
    pub predicate_complete: Option<Flaw>,
}

/// Which properties a machine has.
///
/// # Errors
/// If a condition cannot be followed.
pub fn properties(machine: Machine<'_>, budget: &mut Budget) -> Result<Properties, Error> {
    let space = Space::new(machine, 1, &[])?;
    let mut engine = Engine::new(machine, space, budget.clone());
    let mut found = Properties::default();
    for (location, _) in machine.process.locations.iter_ids() {
        let (side, _) = engine.generic(location);
        for input in machine.inputs() {
            look(&mut engine, &side, input, &mut found)?;
        }
    }
    *budget = engine.budget;
    Ok(found)
}

fn look(
    engine: &mut Engine<'_>,
    side: &Side,
    input: ChannelId,
    found: &mut Properties,
) -> Result<(), Error> {
    let location = side.location;
    let flaw = |why: String| Some(Flaw { location, input, why });
    let machine = engine.machine;
    let name = &machine.process.locations[location].name;
    let channel = &machine.model.channels[input].name;
    let values = engine.parameters(0, input);
    for (given, invariant) in engine.invariant(&Formula::True, side, 0)? {
        let moves = engine.moves(&given, side, (input, &values), 0)?;
        for (position, one) in moves.iter().enumerate() {
            for other in moves[..position].iter().filter(|other| other.edge != one.edge) {
                let clocks = both(&both(&one.clocks, &other.clocks), &invariant);
                let data = one.when.clone().and(other.when.clone());
                let Some(point) = clocks.sample() else { continue };
                if engine.values(&data).is_none() {
                    continue;
                }
                let Error::Nondeterministic { first, second, at, .. } =
                    engine.overlap(other.edge, one.edge, &point)
                else {
                    continue;
                };
                let why = format!("in {at}, `{first}` and `{second}` can both be taken");
                if one.output != other.output && found.observable.is_none() {
                    found.observable = flaw(why.clone());
                }
                if found.deterministic.is_none() {
                    found.deterministic = flaw(why);
                }
            }
        }
        if moves.is_empty() && found.complete.is_none() {
            found.complete = flaw(format!("`{name}` has no edge for `{channel}`"));
        }
        if found.predicate_complete.is_none()
            && let Some(point) = uncovered(engine, given, &invariant, &moves, location)?
        {
            let at = engine.at(location, &point);
            let why = format!("in {at}, `{channel}` is never possible for some data");
            found.predicate_complete = flaw(why);
        }
    }
    Ok(())
}

/// Clock values from which no delay makes an edge possible, for some data.
fn uncovered(
    engine: &mut Engine<'_>,
    given: Formula,
    invariant: &Federation,
    moves: &[Move],
    location: LocationId,
) -> Result<Option<Point>, Error> {
    // For each case of the data: where some edge can be taken.
    let mut cells = vec![(given, Federation::empty(invariant.dimension()))];
    for one in moves {
        let not = engine.not(&one.when)?;
        let mut split = Vec::new();
        for (formula, known) in cells {
            let with = formula.clone().and(one.when.clone());
            if engine.is_possible(&with) {
                let mut more = known.clone();
                more.unite(&both(&one.clocks, invariant));
                split.push((with, more));
            }
            let without = formula.and(not.clone());
            if engine.is_possible(&without) {
                split.push((without, known));
            }
        }
        cells = split;
    }
    let bad = invariant.complement();
    let stops = engine.machine.stops_time(location);
    for (formula, known) in cells {
        let reached = if stops { known } else { known.timed_predecessor(&bad, Arrival::Safe) };
        let mut rest = invariant.clone();
        rest.subtract(&reached);
        if let Some(point) = rest.sample()
            && engine.values(&formula).is_some()
        {
            return Ok(Some(point));
        }
    }
    Ok(None)
}

impl Engine<'_> {
    /// The complaint that two edges can be taken at a point.
    pub fn overlap(&self, first: EdgeId, second: EdgeId, point: &Point) -> Error {
        let edges = &self.machine.process.edges;
        Error::Nondeterministic {
            first: self.machine.edge_name(&edges[first]),
            second: self.machine.edge_name(&edges[second]),
            at: self.at(edges[first].source, point),
            span: edges[second].span,
        }
    }

    /// A location with clock values, in words.
    fn at(&self, location: LocationId, point: &Point) -> String {
        let machine = self.machine;
        let mut text = format!("`{}", machine.process.locations[location].name);
        let own = format!("{}.", machine.process.name);
        for (position, clock) in machine.model.clocks.iter().enumerate() {
            let (above, below) = point.coordinate(position + 1);
            let value = Rational::new(above, below).and_then(|value| value.div(self.space.units));
            let name = clock.name.strip_prefix(&own).unwrap_or(&clock.name);
            if let Ok(value) = value {
                text.push_str(&format!(", {name} = {value}"));
            }
        }
        text.push('`');
        text
    }
}
