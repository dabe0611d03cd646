//! The synchronous product of a model with a test purpose (BON09, chapter 3, Definition 32, and chapter 5,
//! Definition 37).
//!
//! An action for which both have an edge in their locations is taken together: for every pair of edges the
//! product has one, with both guards. If only one of them has an edge for an action, it takes the action
//! alone. Guards do not matter for "has". Invariants hold together. If a purpose alone takes an output
//! that carries values, these would be unknown; the product has no such edge.

use crate::automaton::{Action, Automaton, Edge, Location, Variable};
use crate::error::Error;
use crate::form::Form;

/// The product. Its ends are those of the purpose.
///
/// # Errors
/// If the two share a clock or a variable, or disagree on the direction of an action.
pub fn product(model: &Automaton, purpose: &Automaton) -> Result<Automaton, Error> {
    let names = |one: &Automaton| -> Vec<String> {
        let context = one.context.iter().map(|variable: &Variable| variable.name.clone());
        one.clocks.iter().cloned().chain(context).collect()
    };
    let own = names(model);
    if let Some(shared) = names(purpose).into_iter().find(|name| own.contains(name)) {
        return Err(Error::Shared(shared));
    }
    let mut actions = model.actions.clone();
    let mut renamed = Vec::new();
    for action in &purpose.actions {
        renamed.push(match model.action(&action.name) {
            Some(known) if model.actions[known].input != action.input => {
                return Err(Error::Directions(action.name.clone()));
            }
            Some(known) => known,
            None => {
                actions.push(action.clone());
                actions.len() - 1
            }
        });
    }
    let mut maker = Maker {
        model,
        purpose,
        renamed: &renamed,
        pairs: vec![(model.initial, purpose.initial)],
        edges: Vec::new(),
    };
    let mut next = 0;
    while next < maker.pairs.len() {
        maker.expand(next, &actions)?;
        next += 1;
    }
    let Maker { pairs, edges, .. } = maker;
    let unused = model.unused.iter().filter(|one| !actions.iter().any(|own| own.name == one.name));
    let unused = unused.cloned().collect();
    let clocks = model.clocks.len();
    let mut locations = Vec::new();
    for (one, other) in pairs {
        let (one, other) = (&model.locations[one], &purpose.locations[other]);
        let more = other.invariant.moved(clocks, 0, None)?;
        locations.push(Location {
            name: format!("({},{})", one.name, other.name),
            invariant: one.invariant.clone().and(more),
            urgent: one.urgent || other.urgent,
            fail: other.fail,
            desired: other.desired,
        });
    }
    Ok(Automaton {
        name: format!("{} x {}", model.name, purpose.name),
        clocks: [&model.clocks[..], &purpose.clocks].concat(),
        context: [&model.context[..], &purpose.context].concat(),
        actions,
        unused,
        locations,
        initial: 0,
        edges,
        left_out: [&model.left_out[..], &purpose.left_out].concat(),
    })
}

struct Maker<'a> {
    model: &'a Automaton,
    purpose: &'a Automaton,
    /// The actions of the purpose among those of the product.
    renamed: &'a [usize],
    pairs: Vec<(usize, usize)>,
    edges: Vec<Edge>,
}

impl Maker<'_> {
    fn expand(&mut self, position: usize, actions: &[Action]) -> Result<(), Error> {
        let (at, beside) = self.pairs[position];
        for (number, action) in actions.iter().enumerate() {
            let (model, purpose) = (self.model, self.purpose);
            let own = |edge: &&Edge| edge.source == at && edge.action == number;
            let other = |edge: &&Edge| edge.source == beside && self.renamed[edge.action] == number;
            let ours: Vec<&Edge> = model.edges.iter().filter(own).collect();
            let theirs: Vec<&Edge> = purpose.edges.iter().filter(other).collect();
            match (ours.is_empty(), theirs.is_empty()) {
                (false, false) => {
                    for one in &ours {
                        for other in &theirs {
                            let both = self.both(one, other)?;
                            self.add(position, both, one.target, other.target);
                        }
                    }
                }
                (false, true) => {
                    for one in &ours {
                        self.add(position, (*one).clone(), one.target, beside);
                    }
                }
                (true, false) if action.input || action.parameters.is_empty() => {
                    for other in &theirs {
                        let alone = self.moved(other, None)?;
                        self.add(position, Edge { action: number, ..alone }, at, other.target);
                    }
                }
                (true, _) => {}
            }
        }
        Ok(())
    }

    fn add(&mut self, source: usize, edge: Edge, at: usize, beside: usize) {
        let pair = (at, beside);
        let known = self.pairs.iter().position(|known| *known == pair);
        let target = known.unwrap_or_else(|| {
            self.pairs.push(pair);
            self.pairs.len() - 1
        });
        self.edges.push(Edge { source, target, ..edge });
    }

    /// An edge of the purpose with clocks and variables counted as in the product.
    fn moved(&self, edge: &Edge, values: Option<&[Form]>) -> Result<Edge, Error> {
        let (clocks, variables) = (self.model.clocks.len(), self.model.context.len());
        let form = |form: &Form| -> Result<Form, Error> {
            let own = Form { parameters: Vec::new(), ..form.clone() }.moved(variables);
            let Some(values) = values else {
                return Ok(Form { parameters: form.parameters.clone(), ..own });
            };
            let mut sum = own;
            for (at, factor) in &form.parameters {
                sum = sum.add(&values[*at].times(*factor)?)?;
            }
            Ok(sum)
        };
        let updates: Result<Vec<_>, Error> =
            edge.updates.iter().map(|(at, value)| Ok((at + variables, form(value)?))).collect();
        let checks: Result<Vec<_>, Error> =
            edge.checks.iter().map(|(value, min, max)| Ok((form(value)?, *min, *max))).collect();
        Ok(Edge {
            source: edge.source,
            action: self.renamed[edge.action],
            guard: edge.guard.moved(clocks, variables, values)?,
            resets: edge.resets.iter().map(|(clock, value)| (clock + clocks, *value)).collect(),
            updates: updates?,
            checks: checks?,
            values: Vec::new(),
            target: edge.target,
        })
    }

    fn both(&self, one: &Edge, other: &Edge) -> Result<Edge, Error> {
        let input = self.model.actions[one.action].input;
        let other = self.moved(other, (!input).then_some(&one.values[..]))?;
        Ok(Edge {
            guard: one.guard.clone().and(other.guard),
            resets: [&one.resets[..], &other.resets].concat(),
            updates: [&one.updates[..], &other.updates].concat(),
            checks: [&one.checks[..], &other.checks].concat(),
            ..one.clone()
        })
    }
}
