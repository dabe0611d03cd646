//! Runs of a machine to a configuration or a location, with as few inputs as possible and as early as possible.

use std::collections::VecDeque;

use tioga_base::{Budget, LimitReached, Rational};
use tioga_concrete::State;
use tioga_model::LocationId;
use tioga_terms::Formula;
use tioga_zones::{Arrival, Federation, Zone};

use crate::clocks::{Space, assigned, both};
use crate::error::Error;
use crate::legs::{Leg, Planned, Way, delays, windows};
use crate::machine::Machine;
use crate::moves::{Engine, Side};
use crate::past::{Past, Taken};
use crate::search::Found;
use crate::store::{New, Store};

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
    /// How many inputs lead to it.
    depth: usize,
    /// How many inputs its data are terms over.
    age: usize,
}

/// A run from the initial configuration.
pub(crate) fn reach(
    machine: Machine<'_>,
    start: &State,
    goal: &Goal,
    budget: &mut Budget,
) -> Result<Found, Error> {
    let values: Vec<Rational> = match goal {
        Goal::Configuration(state) => state.clocks.to_vec(),
        Goal::Location(_) => Vec::new(),
    };
    let space = Space::new(machine, 1, &values)?;
    let mut engine = Engine::new(machine, space, budget.clone());
    let store = Store::new(&mut engine, 1);
    let mut search = Search { engine, nodes: Vec::new(), past: Past::default(), store };
    let found = search.run(start, goal);
    *budget = search.engine.budget;
    found
}

struct Search<'m> {
    engine: Engine<'m>,
    nodes: Vec<Node>,
    past: Past,
    store: Store,
}

impl Search<'_> {
    fn run(&mut self, start: &State, goal: &Goal) -> Result<Found, Error> {
        let root = Node {
            side: self.engine.side(&start.discrete)?,
            formula: Formula::True,
            zone: self.engine.space.point(&start.clocks)?,
            depth: 0,
            age: 0,
        };
        let target = match goal {
            Goal::Configuration(state) => {
                let point = self.engine.space.point(&state.clocks)?;
                Some((self.engine.side(&state.discrete)?, Federation::from(point)))
            }
            Goal::Location(_) => None,
        };
        let mut waiting = VecDeque::new();
        self.keep(root, None, &mut waiting)?;
        let mut unsolved = false;
        // With how many inputs no run was overlooked.
        let mut sure = 0;
        while let Some(at) = waiting.pop_front() {
            if !unsolved && !self.engine.uncertain {
                sure = self.nodes[at].depth;
            }
            // The start is always looked at.
            if at > 0 {
                match self.engine.budget.step() {
                    Ok(()) => {}
                    // The states with as many inputs were not all looked at.
                    Err(LimitReached::Steps(_)) => return Ok(Found::Limit(sure.saturating_sub(1))),
                    Err(cancelled) => return Err(cancelled.into()),
                }
            }
            let node = &self.nodes[at];
            let (side, formula) = (node.side.clone(), node.formula.clone());
            let (zone, depth, age) = (node.zone.clone(), node.depth, node.age);
            if let Goal::Location(location) = goal
                && side.location == *location
            {
                match self.way(at, &formula, None)? {
                    Some(way) => return Ok(Found::Way(way)),
                    None => unsolved = true,
                }
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
                    // The data need not be those of the goal.
                    if let Some(way) = self.way(at, &same, Some(last))? {
                        return Ok(Found::Way(way));
                    }
                }
                for channel in self.engine.machine.inputs() {
                    let values = self.engine.parameters(age, channel);
                    for one in self.engine.moves(&given, &side, (channel, &values), 0)? {
                        let here = both(&later, &one.clocks);
                        for zone in assigned(here, &one.sets).into_zones() {
                            let (bad, when) = (bad.clone(), one.clocks.clone());
                            let leg = Leg { bad, through: None, when, sets: one.sets.clone() };
                            let node = Node {
                                side: one.after.clone(),
                                formula: one.when.clone(),
                                zone,
                                depth: depth + 1,
                                age: age + 1,
                            };
                            let taken = Taken { input: (channel, values.clone()), leg };
                            self.keep(node, Some((at, taken)), &mut waiting)?;
                        }
                    }
                }
            }
        }
        Ok(if unsolved || self.engine.uncertain { Found::Unknown } else { Found::Nothing })
    }

    /// Adds a node, unless one that is known includes it.
    fn keep(
        &mut self,
        node: Node,
        before: Option<(usize, Taken)>,
        waiting: &mut VecDeque<usize>,
    ) -> Result<(), Error> {
        let zone = self.engine.space.abstracted(node.zone);
        let mut node = Node { zone, ..node };
        let sides = [&node.side];
        let met = self.store.meet(&mut self.engine, &sides, &node.formula, &node.zone)?;
        let origin = match met {
            None => return Ok(()),
            Some(New::AsItWas) => None,
            Some(New::Renewed(data, formula, origin)) => {
                (node.side.data, node.formula, node.age) = (data, formula, 0);
                Some(origin)
            }
        };
        waiting.push_back(self.nodes.len());
        self.nodes.push(node);
        self.past.add(before, origin);
        Ok(())
    }

    /// The run to a node, with exact delays and values, and with time passing at its end.
    fn way(
        &mut self,
        at: usize,
        formula: &Formula,
        last: Option<Leg>,
    ) -> Result<Option<Way>, Error> {
        let inputs = self.past.inputs(&mut self.engine, at, formula, None)?;
        let Some(inputs) = inputs else { return Ok(None) };
        let rests = last.is_some();
        let mut legs: Vec<Leg> = inputs.iter().map(|(taken, _)| taken.leg.clone()).collect();
        legs.extend(last);
        let start = vec![Rational::ZERO; self.engine.space.dimension - 1];
        let Some(delays) = delays(&legs, &windows(&legs), &start)? else { return Ok(None) };
        // Who is late does not arrive at exactly these clock values, but may go on.
        let windows = windows(&legs[..inputs.len()]);
        let units = self.engine.space.units;
        let mut steps = Vec::new();
        for (((taken, values), window), delay) in inputs.into_iter().zip(windows).zip(&delays) {
            let (delay, input) = (delay.div(units)?, taken.input.0);
            steps.push(Planned { delay, input, values, window, sets: taken.leg.sets });
        }
        let rest = match delays.last() {
            Some(last) if rests => last.div(units)?,
            _ => Rational::ZERO,
        };
        Ok(Some(Way { steps, rest, space: self.engine.space.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use tioga_base::Id;
    use tioga_concrete::Semantics;
    use tioga_testkit::model;

    use super::*;

    /// However many inputs carry values that data depend on, the search has as many symbols.
    #[test]
    fn states_do_not_keep_the_inputs_before_them() {
        let symbols = |most: u32| {
            let text = format!(
                "input add(integer v), end; output ok;
                 automaton M {{ clock x; integer w; init location s; location t;
                   s -> self : add(v)? / ok! when 0 <= v && v <= 3 && x <= 1 do w = w + v, x = 0;
                   s -> t : end? / ok! when w >= {most}; }}"
            );
            let model = model(&text);
            let machine = Machine::of(&model).unwrap();
            let space = Space::new(machine, 1, &[]).unwrap();
            let mut engine = Engine::new(machine, space, Budget::steps(u64::MAX));
            let store = Store::new(&mut engine, 1);
            let mut search = Search { engine, nodes: Vec::new(), past: Past::default(), store };
            let start = Semantics::new(&model).initial().unwrap();
            let found = search.run(&start, &Goal::Location(LocationId::from_index(1))).unwrap();
            let Found::Way(way) = found else { panic!("{found:?}") };
            assert_eq!(way.steps.len(), most.div_ceil(3) as usize + 1);
            search.engine.symbols.len()
        };
        assert_eq!(symbols(30), symbols(300));
    }
}
