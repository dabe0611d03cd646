//! Separating sequences by reachability in the product with the fail component (BON09, chapter 4, sections 4 and 5).
//!
//! A symbolic state has the locations of both components, their data as terms over the values that inputs carry, a
//! formula over these values, and a zone over the clocks of both. The search is breadth first, so a sequence has as few
//! inputs as possible. It ends without a sequence only when no further states are left: then no timed
//! input tells the two configurations apart.

use std::collections::VecDeque;

use tioga_base::{Budget, LimitReached, Rational};
use tioga_concrete::State;
use tioga_model::{ChannelId, Label};
use tioga_terms::{Formula, SymbolId};
use tioga_zones::{Arrival, Federation, Zone};

use crate::clocks::{Space, assigned, both};
use crate::error::Error;
use crate::legs::{Leg, Planned, Way, delays, windows};
use crate::machine::Machine;
use crate::moves::{Engine, Move, Side};
use crate::pairs::Rule;
use crate::past::{Past, Taken};
use crate::store::{New, Store};

/// What a search found.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    /// A way to fail.
    Way(Way),
    /// There is none.
    Nothing,
    /// A question about data could not be decided.
    Unknown,
    /// The limit was reached. There is no way to fail with at most this number of inputs.
    Limit(usize),
}

struct Node {
    first: Side,
    second: Side,
    formula: Formula,
    zone: Zone,
    /// How many inputs lead to it.
    depth: usize,
    /// How many inputs its data are terms over.
    age: usize,
}

/// The nodes that a node leads to with the inputs before them, and the ways to fail.
type Expanded = (Vec<(Node, Taken)>, Vec<(Formula, Taken)>);

/// What time leads to, in one case of the data.
struct Later {
    given: Formula,
    bad: Option<Federation>,
    /// Where both components let time pass to.
    both: Federation,
    /// Where the first one does and the second one could not: what it had to pass through, and the rest.
    broken: Option<(Federation, Federation, Federation)>,
}

/// Searches a path to fail from two configurations.
pub(crate) fn search(
    machine: Machine<'_>,
    rule: Rule,
    first: &State,
    second: &State,
    budget: &mut Budget,
) -> Result<Found, Error> {
    let values: Vec<Rational> = first.clocks.iter().chain(&second.clocks).copied().collect();
    let space = Space::new(machine, 2, &values)?;
    let mut engine = Engine::new(machine, space, budget.clone());
    let store = Store::new(&mut engine, 2);
    let mut search = Search { engine, rule, nodes: Vec::new(), past: Past::default(), store };
    let found = search.run(first, second, &values);
    *budget = search.engine.budget;
    found
}

struct Search<'m> {
    engine: Engine<'m>,
    rule: Rule,
    nodes: Vec<Node>,
    past: Past,
    store: Store,
}

impl Search<'_> {
    fn run(&mut self, first: &State, second: &State, values: &[Rational]) -> Result<Found, Error> {
        let root = Node {
            first: self.engine.side(&first.discrete)?,
            second: self.engine.side(&second.discrete)?,
            formula: Formula::True,
            zone: self.engine.space.point(values)?,
            depth: 0,
            age: 0,
        };
        let units = self.engine.space.units;
        let start: Result<Vec<Rational>, _> = values.iter().map(|value| value.mul(units)).collect();
        let start = start?;
        let mut waiting = VecDeque::new();
        self.keep(root, None, &mut waiting)?;
        let mut unsolved = false;
        // With how many inputs no way to fail was overlooked.
        let mut sure = 0;
        while let Some(at) = waiting.pop_front() {
            if !unsolved && !self.engine.uncertain {
                sure = self.nodes[at].depth;
            }
            match self.engine.budget.step() {
                Ok(()) => {}
                Err(LimitReached::Steps(_)) => return Ok(Found::Limit(sure)),
                Err(cancelled) => return Err(cancelled.into()),
            }
            let (next, fails) = self.expand(at)?;
            for (formula, taken) in fails {
                match self.path(at, &formula, taken, &start)? {
                    Some(way) => return Ok(Found::Way(way)),
                    None => unsolved = true,
                }
            }
            for (node, taken) in next {
                self.keep(node, Some((at, taken)), &mut waiting)?;
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
        let sides = [&node.first, &node.second];
        let met = self.store.meet(&mut self.engine, &sides, &node.formula, &node.zone)?;
        let origin = match met {
            None => return Ok(()),
            Some(New::AsItWas) => None,
            Some(New::Renewed(mut data, formula, origin)) => {
                node.second.data = data.split_off(node.first.data.len());
                (node.first.data, node.formula, node.age) = (data, formula, 0);
                Some(origin)
            }
        };
        waiting.push_back(self.nodes.len());
        self.nodes.push(node);
        self.past.add(before, origin);
        Ok(())
    }

    /// What time leads to.
    fn later(&mut self, node: &Node) -> Result<Vec<Later>, Error> {
        let machine = self.engine.machine;
        let here = Federation::from(node.zone.clone());
        let stops = [&node.first, &node.second].map(|side| machine.stops_time(side.location));
        let mut all = Vec::new();
        for (given, first) in self.engine.invariant(&node.formula, &node.first, 0)? {
            for (given, second) in self.engine.invariant(&given, &node.second, 1)? {
                let nobody = first.complement();
                if stops[0] {
                    all.push(Later { given, bad: None, both: here.clone(), broken: None });
                    continue;
                }
                if stops[1] {
                    // The second component lets no time pass, so any delay leaves it behind.
                    let mut broken = None;
                    if self.rule == Rule::Sound {
                        let reach = here.timed_successor(&nobody, Arrival::Safe);
                        broken = Some((nobody, Federation::universal(reach.dimension()), reach));
                    }
                    all.push(Later { given, bad: None, both: here.clone(), broken });
                    continue;
                }
                let mut bad = nobody.clone();
                bad.unite(&second.complement());
                let reach = here.timed_successor(&bad, Arrival::Safe);
                let mut broken = None;
                if self.rule == Rule::Sound {
                    let away = second.complement();
                    let alone = here.timed_successor(&nobody, Arrival::Safe);
                    let lost = both(&alone, &away).timed_successor(&nobody, Arrival::Safe);
                    if !lost.is_empty() {
                        broken = Some((nobody, away, lost));
                    }
                }
                all.push(Later { given, bad: Some(bad), both: reach, broken });
            }
        }
        Ok(all)
    }

    /// The nodes that a node leads to, and the ways to fail.
    fn expand(&mut self, at: usize) -> Result<Expanded, Error> {
        let node = &self.nodes[at];
        let (first, second) = (node.first.clone(), node.second.clone());
        let (depth, age, formula) = (node.depth, node.age, node.formula.clone());
        let copy = Node { zone: node.zone.clone(), formula, first, second, depth, age };
        let (mut next, mut fails) = (Vec::new(), Vec::new());
        for later in self.later(&copy)? {
            for channel in self.engine.machine.inputs() {
                let values = self.engine.parameters(age, channel);
                let input = (channel, values);
                let given = &later.given;
                let moves = self.engine.moves(given, &copy.first, (channel, &input.1), 0)?;
                let others = self.engine.moves(given, &copy.second, (channel, &input.1), 1)?;
                self.check_deterministic(&moves, &later.both)?;
                self.check_deterministic(&others, &later.both)?;
                for one in &moves {
                    let mut step = Step {
                        input: &input,
                        later: &later,
                        one,
                        next: &mut next,
                        fails: &mut fails,
                    };
                    match self.rule {
                        Rule::Sound => self.sound(&mut step, &others)?,
                        Rule::AsPrinted => self.as_printed(&mut step, &copy.second, &others)?,
                    }
                }
            }
        }
        for (node, _) in &mut next {
            (node.depth, node.age) = (depth + 1, age + 1);
        }
        Ok((next, fails))
    }

    /// Fail is where the first component answers and the second one has no compatible answer.
    fn sound(&mut self, step: &mut Step<'_>, others: &[Move]) -> Result<(), Error> {
        let one = step.one;
        let mut rest = vec![(one.when.clone(), one.clocks.clone())];
        for other in others.iter().filter(|other| other.output == one.output) {
            let alike = self.engine.equal(&one.values, &other.values)?.and(other.when.clone());
            let unlike = self.engine.not(&alike)?;
            let mut left = Vec::new();
            for (formula, zones) in rest {
                let with = formula.clone().and(alike.clone());
                if self.engine.is_possible(&with) {
                    step.pair(&with, &both(&zones, &other.clocks), other);
                    let mut without = zones.clone();
                    without.subtract(&other.clocks);
                    if !without.is_empty() {
                        left.push((with, without));
                    }
                }
                let without = formula.and(unlike.clone());
                if self.engine.is_possible(&without) {
                    left.push((without, zones));
                }
            }
            rest = left;
        }
        for (formula, zones) in rest {
            step.fail(formula, zones);
        }
        if let Some((nobody, away, lost)) = &step.later.broken
            && lost.intersects(&one.clocks)
        {
            let mut behind = away.clone();
            behind.delay();
            let when = both(&one.clocks, &behind);
            let leg = Leg {
                bad: Some(nobody.clone()),
                through: Some(away.clone()),
                when,
                sets: one.sets.clone(),
            };
            step.fails.push((one.when.clone(), Taken { input: step.input.clone(), leg }));
        }
        Ok(())
    }

    /// As printed: the edges of the second component are looked at one by one.
    fn as_printed(
        &mut self,
        step: &mut Step<'_>,
        second: &Side,
        others: &[Move],
    ) -> Result<(), Error> {
        let machine = self.engine.machine;
        let one = step.one;
        for (id, edge) in machine.edges(second.location) {
            let takes = matches!(&edge.label, Label::Receive(used) if used.channel == step.input.0);
            if !takes {
                continue;
            }
            if !Engine::coincide(machine, one.edge, id)? {
                step.fail(one.when.clone(), one.clocks.clone());
                continue;
            }
            let mut rest = vec![(one.when.clone(), one.clocks.clone())];
            for other in others.iter().filter(|other| other.edge == id) {
                let unlike = self.engine.not(&other.when)?;
                let mut left = Vec::new();
                for (formula, zones) in rest {
                    let with = formula.clone().and(other.when.clone());
                    if self.engine.is_possible(&with) {
                        step.pair(&with, &both(&zones, &other.clocks), other);
                        let mut without = zones.clone();
                        without.subtract(&other.guard);
                        if !without.is_empty() {
                            left.push((with, without));
                        }
                    }
                    let without = formula.and(unlike.clone());
                    if self.engine.is_possible(&without) {
                        left.push((without, zones));
                    }
                }
                rest = left;
            }
            for (formula, zones) in rest {
                step.fail(formula, zones);
            }
        }
        Ok(())
    }

    /// No two edges may be taken in one configuration for one input.
    fn check_deterministic(&mut self, moves: &[Move], here: &Federation) -> Result<(), Error> {
        for (position, one) in moves.iter().enumerate() {
            for other in moves[..position].iter().filter(|other| other.edge != one.edge) {
                let clocks = both(&both(&one.clocks, &other.clocks), here);
                let data = one.when.clone().and(other.when.clone());
                if let (Some(point), Some(_)) = (clocks.sample(), self.engine.values(&data)) {
                    return Err(self.engine.overlap(other.edge, one.edge, &point));
                }
            }
        }
        Ok(())
    }

    /// The path to a node and on to fail, with exact delays and values.
    fn path(
        &mut self,
        at: usize,
        formula: &Formula,
        last: Taken,
        start: &[Rational],
    ) -> Result<Option<Way>, Error> {
        let inputs = self.past.inputs(&mut self.engine, at, formula, Some(last))?;
        let Some(inputs) = inputs else { return Ok(None) };
        let legs: Vec<Leg> = inputs.iter().map(|(taken, _)| taken.leg.clone()).collect();
        let windows = windows(&legs);
        let Some(delays) = delays(&legs, &windows, start)? else { return Ok(None) };
        let mut steps = Vec::new();
        for (((taken, values), delay), window) in inputs.into_iter().zip(delays).zip(windows) {
            let (delay, input) = (delay.div(self.engine.space.units)?, taken.input.0);
            steps.push(Planned { delay, input, values, window, sets: taken.leg.sets });
        }
        Ok(Some(Way { steps, rest: Rational::ZERO, space: self.engine.space.clone() }))
    }
}

/// A move of the first component, and where what comes of it goes.
struct Step<'s> {
    input: &'s (ChannelId, Vec<SymbolId>),
    later: &'s Later,
    one: &'s Move,
    next: &'s mut Vec<(Node, Taken)>,
    fails: &'s mut Vec<(Formula, Taken)>,
}

impl Step<'_> {
    /// Both components answer. What the search knows of the clocks is not part of the leg: it may be used from
    /// other clock values, too.
    fn pair(&mut self, formula: &Formula, when: &Federation, other: &Move) {
        let sets: Vec<_> = self.one.sets.iter().chain(&other.sets).copied().collect();
        let here = both(&self.later.both, when);
        for zone in assigned(here, &sets).into_zones() {
            let (bad, sets) = (self.later.bad.clone(), sets.clone());
            let leg = Leg { bad, through: None, when: when.clone(), sets };
            let taken = Taken { input: self.input.clone(), leg };
            let (first, second) = (self.one.after.clone(), other.after.clone());
            let formula = formula.clone();
            self.next.push((Node { first, second, formula, zone, depth: 0, age: 0 }, taken));
        }
    }

    /// The second component gives no compatible answer.
    fn fail(&mut self, formula: Formula, when: Federation) {
        if self.later.both.intersects(&when) {
            let (bad, sets) = (self.later.bad.clone(), self.one.sets.clone());
            let leg = Leg { bad, through: None, when, sets };
            self.fails.push((formula, Taken { input: self.input.clone(), leg }));
        }
    }
}
