//! The synchronous product of a specification and a purpose (KHO 6.1).
//!
//! Both take every action together; parameters are matched by position. The product has the timed traces of
//! the specification, and its locations carry the marks of the purpose. What a purpose calls by the name of
//! a clock, variable or constant of the specification is that of the specification; it may read it only.

use std::collections::BTreeMap;

use tioga_base::{Id, IdVec, Overflow};
use tioga_terms::{Formula, Sort, SymbolId, Symbols, Term};

use crate::error::Refusal;
use crate::tiosa::{ActionId, Atom, ClockId, Edge, Location, LocationId, Mark, Tiosa};

/// The product, without locations that no path of edges reaches, and without edges that leave refused
/// locations: what happens there is not tested.
///
/// Pre: the purpose is complete, but may leave actions out: it then stays where it is.
pub fn product(spec: &Tiosa, purpose: &Tiosa) -> Result<Tiosa, Refusal> {
    let names = Names::new(spec, purpose)?;
    let mut result = Tiosa { locations: IdVec::new(), edges: IdVec::new(), ..spec.clone() };
    result.symbols = names.symbols.clone();
    result.clocks = names.clocks.clone();
    result.name = format!("{} with {}", spec.name, purpose.name);
    let fresh = |list: &[SymbolId], old: &[SymbolId]| {
        let mapped = list.iter().filter_map(|symbol| names.data.get(symbol)).copied();
        let known = [&spec.constants[..], &spec.variables[..]].concat();
        let mut all = old.to_vec();
        all.extend(mapped.filter(|symbol| !known.contains(symbol)));
        all
    };
    result.constants = fresh(&purpose.constants, &spec.constants);
    result.variables = fresh(&purpose.variables, &spec.variables);
    let own = names.formula(&purpose.initial_condition, &BTreeMap::new())?;
    result.initial_condition = spec.initial_condition.clone().and(own);
    let mut walk = Walk { spec, purpose, names: &names, result, ids: BTreeMap::new() };
    walk.result.initial = walk.location(spec.initial, purpose.initial)?;
    let mut next = 0;
    while next < walk.ids.len() {
        walk.leave(LocationId::from_index(next))?;
        next += 1;
    }
    Ok(walk.result)
}

struct Walk<'a> {
    spec: &'a Tiosa,
    purpose: &'a Tiosa,
    names: &'a Names,
    result: Tiosa,
    ids: BTreeMap<(LocationId, LocationId), LocationId>,
}

impl Walk<'_> {
    fn location(&mut self, one: LocationId, other: LocationId) -> Result<LocationId, Refusal> {
        if let Some(id) = self.ids.get(&(one, other)) {
            return Ok(*id);
        }
        let (first, second) = (&self.spec.locations[one], &self.purpose.locations[other]);
        if !second.invariant.is_empty() {
            return Err(Refusal::Mismatch(format!(
                "the purpose {} has an invariant in {}; a purpose observes and constrains nothing",
                self.purpose.name, second.name
            )));
        }
        let id = self.result.locations.push(Location {
            name: format!("{}/{}", first.name, second.name),
            mark: second.mark,
            invariant: first.invariant.clone(),
        });
        self.ids.insert((one, other), id);
        Ok(id)
    }

    fn leave(&mut self, source: LocationId) -> Result<(), Refusal> {
        let found = self.ids.iter().find(|(_, id)| **id == source).map(|(pair, _)| *pair);
        let (one, other) = found.ok_or(Refusal::Broken("a location of the product is unknown"))?;
        if self.purpose.locations[other].mark == Mark::Refuse {
            return Ok(());
        }
        let (spec, purpose, names) = (self.spec, self.purpose, self.names);
        for (_, edge) in spec.leaving(one) {
            let Some((action, parameters)) = names.actions.get(&edge.action) else {
                let target = self.location(edge.target, other)?;
                self.result.edges.push(Edge { source, target, ..edge.clone() });
                continue;
            };
            for (_, observed) in purpose.leaving(other).filter(|(_, o)| o.action == *action) {
                let mut edge: Edge = edge.clone();
                (edge.source, edge.target) = (source, self.location(edge.target, observed.target)?);
                for atom in &observed.guard {
                    edge.guard.push(names.atom(atom)?);
                }
                edge.guard.sort();
                edge.guard.dedup();
                edge.resets.extend(observed.resets.iter().map(|clock| names.clock[clock]));
                edge.resets.sort();
                let condition = names.formula(&observed.condition, parameters)?;
                edge.condition = edge.condition.and(condition);
                for (variable, term) in &observed.assignments {
                    edge.assignments.push((names.data[variable], names.term(term, parameters)?));
                }
                edge.assignments.sort();
                if edge.condition != Formula::False && crate::guards::possible(&edge.guard) {
                    self.result.edges.push(edge);
                }
            }
        }
        Ok(())
    }
}

/// The names of the purpose in terms of the specification's and the product's.
struct Names {
    symbols: Symbols,
    clocks: IdVec<ClockId, String>,
    clock: BTreeMap<ClockId, ClockId>,
    data: BTreeMap<SymbolId, SymbolId>,
    /// For each action of the specification, that of the purpose, and its parameters' counterparts.
    actions: BTreeMap<ActionId, (ActionId, BTreeMap<SymbolId, SymbolId>)>,
}

impl Names {
    fn new(spec: &Tiosa, purpose: &Tiosa) -> Result<Self, Refusal> {
        let mut names = Self {
            symbols: spec.symbols.clone(),
            clocks: spec.clocks.clone(),
            clock: BTreeMap::new(),
            data: BTreeMap::new(),
            actions: BTreeMap::new(),
        };
        for (id, name) in purpose.clocks.iter_ids() {
            let shared = spec.clocks.iter_ids().find(|(_, own)| *own == name);
            let resets = purpose.edges.iter().any(|edge| edge.resets.contains(&id));
            if shared.is_some() && resets {
                return Err(Refusal::Mismatch(format!(
                    "the purpose {} resets {name}, a clock of the specification; it may only read it",
                    purpose.name
                )));
            }
            let target = match shared {
                Some((shared, _)) => shared,
                None => names.clocks.push(name.clone()),
            };
            names.clock.insert(id, target);
        }
        names.match_data(spec, purpose)?;
        for (id, action) in spec.actions.iter_ids() {
            let Some(other) = purpose.action(&action.name) else { continue };
            let observed = &purpose.actions[other];
            let fits = observed.kind == action.kind
                && observed.parameters.len() == action.parameters.len()
                && observed
                    .parameters
                    .iter()
                    .zip(&action.parameters)
                    .all(|(one, two)| purpose.symbols.sort(*one) == spec.symbols.sort(*two));
            if !fits {
                return Err(Refusal::Mismatch(format!(
                    "the purpose {} observes {}, but the specification has {}; number and types of \
                     the parameters must be the same",
                    purpose.name,
                    signature(purpose, other),
                    signature(spec, id)
                )));
            }
            let own = observed.parameters.iter().copied();
            let parameters = own.zip(action.parameters.iter().copied()).collect();
            names.actions.insert(id, (other, parameters));
        }
        if let Some(action) = purpose.actions.iter().find(|a| spec.action(&a.name).is_none()) {
            return Err(Refusal::Mismatch(format!(
                "the purpose {} observes {}, which the specification does not have",
                purpose.name, action.name
            )));
        }
        Ok(names)
    }

    fn match_data(&mut self, spec: &Tiosa, purpose: &Tiosa) -> Result<(), Refusal> {
        for symbol in purpose.constants.iter().chain(&purpose.variables) {
            let described = &purpose.symbols[*symbol];
            let mut own = spec.constants.iter().chain(&spec.variables);
            let shared = own.find(|own| spec.symbols[**own].name == described.name);
            let assigned = purpose
                .edges
                .iter()
                .any(|edge| edge.assignments.iter().any(|(variable, _)| variable == symbol));
            if shared.is_some() && assigned {
                return Err(Refusal::Mismatch(format!(
                    "the purpose {} assigns {}, which belongs to the specification; it may only \
                     read it",
                    purpose.name, described.name
                )));
            }
            let target = match shared {
                Some(shared) => *shared,
                None => self.symbols.add(described.clone()),
            };
            self.data.insert(*symbol, target);
        }
        Ok(())
    }

    fn target(
        &self,
        parameters: &BTreeMap<SymbolId, SymbolId>,
    ) -> impl Fn(SymbolId) -> Option<Term> {
        move |symbol| {
            let found = parameters.get(&symbol).or_else(|| self.data.get(&symbol));
            found.map(|symbol| Term::symbol(*symbol))
        }
    }

    fn term(
        &self,
        term: &Term,
        parameters: &BTreeMap<SymbolId, SymbolId>,
    ) -> Result<Term, Overflow> {
        term.substitute(&self.target(parameters))
    }

    fn formula(
        &self,
        formula: &Formula,
        parameters: &BTreeMap<SymbolId, SymbolId>,
    ) -> Result<Formula, Overflow> {
        formula.substitute(&self.symbols, &self.target(parameters))
    }

    fn atom(&self, atom: &Atom) -> Result<Atom, Overflow> {
        let threshold = self.term(&atom.threshold, &BTreeMap::new())?;
        Ok(Atom { clock: self.clock[&atom.clock], relation: atom.relation, threshold })
    }
}

/// `phi(integer)?`
fn signature(tiosa: &Tiosa, action: ActionId) -> String {
    let action = &tiosa.actions[action];
    let sorts = action.parameters.iter().map(|symbol| match tiosa.symbols.sort(*symbol) {
        Sort::Int => "integer",
        Sort::Rational => "rational",
    });
    let sorts: Vec<_> = sorts.collect();
    format!("{}({}){}", action.name, sorts.join(", "), action.kind.sign())
}
