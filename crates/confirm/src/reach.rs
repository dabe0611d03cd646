//! Runs of a machine to a configuration or a location, with as few inputs as possible and as early as possible.

use std::collections::VecDeque;

use tioga_base::{Budget, Rational};
use tioga_concrete::State;
use tioga_model::{ChannelId, LocationId};
use tioga_terms::{Formula, SymbolId};
use tioga_zones::{Arrival, Federation, Zone};

use crate::clocks::{Space, assigned, both};
use crate::error::Error;
use crate::legs::{Leg, Planned, Way, delays, windows};
use crate::machine::Machine;
use crate::moves::{Engine, Side, chosen};
use crate::store::Store;

/// What a run leads to.
#[derive(Clone, PartialEq, Debug)]
pub enum Goal {
    /// Exactly this configuration.
    Configuration(State),
    /// Some configuration in this location, at the moment it is entered.
    Location(LocationId),
}

struct Node {
    side: Side,
    formula: Formula,
    zone: Zone,
    parent: Option<(usize, Leg, ChannelId, Vec<SymbolId>)>,
    depth: usize,
}

/// A run from the initial configuration; nothing if there is none.
pub(crate) fn reach(
    machine: Machine<'_>,
    start: &State,
    goal: &Goal,
    budget: &mut Budget,
) -> Result<Option<Way>, Error> {
    let values: Vec<Rational> = match goal {
        Goal::Configuration(state) => state.clocks.to_vec(),
        Goal::Location(_) => Vec::new(),
    };
    let space = Space::new(machine, 1, &values)?;
    let mut engine = Engine::new(machine, space, budget.clone());
    let store = Store::new(&mut engine, 1);
    let mut search = Search { engine, nodes: Vec::new(), store };
    let found = search.run(start, goal);
    *budget = search.engine.budget;
    found
}

struct Search<'m> {
    engine: Engine<'m>,
    nodes: Vec<Node>,
    store: Store,
}

impl Search<'_> {
    fn run(&mut self, start: &State, goal: &Goal) -> Result<Option<Way>, Error> {
        let root = Node {
            side: self.engine.side(&start.discrete)?,
            formula: Formula::True,
            zone: self.engine.space.point(&start.clocks)?,
            parent: None,
            depth: 0,
        };
        let target = match goal {
            Goal::Configuration(state) => {
                let point = self.engine.space.point(&state.clocks)?;
                Some((self.engine.side(&state.discrete)?, Federation::from(point)))
            }
            Goal::Location(_) => None,
        };
        let mut waiting = VecDeque::new();
        self.keep(root, &mut waiting)?;
        while let Some(at) = waiting.pop_front() {
            self.engine.budget.step()?;
            let node = &self.nodes[at];
            let (side, formula) = (node.side.clone(), node.formula.clone());
            let (zone, depth) = (node.zone.clone(), node.depth);
            if let Goal::Location(location) = goal
                && side.location == *location
                && let Some(way) = self.way(at, &formula, None)?
            {
                return Ok(Some(way));
            }
            let here = Federation::from(zone);
            for (given, invariant) in self.engine.invariant(&formula, &side, 0)? {
                let stops = self.engine.machine.stops_time(side.location);
                let bad = (!stops).then(|| invariant.complement());
                let later = match &bad {
                    Some(bad) => here.timed_successor(bad, Arrival::Safe),
                    None => here.clone(),
                };
                if let Some((wanted, point)) = &target
                    && wanted.location == side.location
                    && later.intersects(point)
                {
                    let same = self.engine.equal(&side.data, &wanted.data)?.and(given.clone());
                    let (bad, when) = (bad.clone(), point.clone());
                    let last = Leg { bad, through: None, when, sets: Vec::new() };
                    if let Some(way) = self.way(at, &same, Some(last))? {
                        return Ok(Some(way));
                    }
                }
                for channel in self.engine.machine.inputs() {
                    let values = self.engine.parameters(depth, channel);
                    for one in self.engine.moves(&given, &side, (channel, &values), 0)? {
                        let here = both(&later, &one.clocks);
                        for zone in assigned(here, &one.sets).into_zones() {
                            let (bad, when) = (bad.clone(), one.clocks.clone());
                            let leg = Leg { bad, through: None, when, sets: one.sets.clone() };
                            let node = Node {
                                side: one.after.clone(),
                                formula: one.when.clone(),
                                zone,
                                parent: Some((at, leg, channel, values.clone())),
                                depth: depth + 1,
                            };
                            self.keep(node, &mut waiting)?;
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    fn keep(&mut self, node: Node, waiting: &mut VecDeque<usize>) -> Result<(), Error> {
        let zone = self.engine.space.abstracted(node.zone);
        let node = Node { zone, ..node };
        if self.store.is_new(&mut self.engine, &[&node.side], &node.formula, &node.zone)? {
            waiting.push_back(self.nodes.len());
            self.nodes.push(node);
        }
        Ok(())
    }

    /// The run to a node, with exact delays and values, and with time passing at its end.
    fn way(
        &mut self,
        at: usize,
        formula: &Formula,
        last: Option<Leg>,
    ) -> Result<Option<Way>, Error> {
        let Some(found) = self.engine.values(formula) else { return Ok(None) };
        let rests = last.is_some();
        let mut legs: Vec<Leg> = last.into_iter().collect();
        let mut inputs = Vec::new();
        let mut at = at;
        while let Some((parent, leg, channel, values)) = &self.nodes[at].parent {
            legs.push(leg.clone());
            inputs.push((*channel, chosen(&self.engine.symbols, values, &found)));
            at = *parent;
        }
        legs.reverse();
        inputs.reverse();
        let start = vec![Rational::ZERO; self.engine.space.dimension - 1];
        let Some(delays) = delays(&legs, &windows(&legs), &start)? else { return Ok(None) };
        // Who is late does not arrive at exactly these clock values, but may go on.
        let windows = windows(&legs[..inputs.len()]);
        let units = self.engine.space.units;
        let mut steps = Vec::new();
        for (position, window) in windows.into_iter().enumerate() {
            let (input, values) = inputs[position].clone();
            let (delay, sets) = (delays[position].div(units)?, legs[position].sets.clone());
            steps.push(Planned { delay, input, values, window, sets });
        }
        let rest = match delays.last() {
            Some(last) if rests => last.div(units)?,
            _ => Rational::ZERO,
        };
        Ok(Some(Way { steps, rest, space: self.engine.space.clone() }))
    }
}
