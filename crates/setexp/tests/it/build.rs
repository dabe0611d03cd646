//! Automata for the tests, and the figures of KHO.

use tioga_base::Rational;
use tioga_setexp::{
    Action, ActionId, Atom, ClockId, Edge, Kind, Location, LocationId, Mark, Relation, Tiosa,
};
use tioga_terms::{Formula, SymbolId, Term};

/// Puts an automaton together.
pub struct Build {
    pub tiosa: Tiosa,
}

impl Build {
    pub fn new(name: &str, initial: &str) -> Self {
        Self { tiosa: Tiosa::new(name, initial) }
    }

    pub fn clock(&mut self, name: &str) -> ClockId {
        self.tiosa.clocks.push(name.to_owned())
    }

    pub fn variable(&mut self, name: &str) -> SymbolId {
        let symbol = self.tiosa.symbols.int(name, None, None);
        self.tiosa.variables.push(symbol);
        symbol
    }

    pub fn constant(&mut self, name: &str) -> SymbolId {
        let symbol = self.tiosa.symbols.int(name, None, None);
        self.tiosa.constants.push(symbol);
        symbol
    }

    pub fn action(&mut self, name: &str, kind: Kind, parameters: &[&str]) -> ActionId {
        let parameters =
            parameters.iter().map(|name| self.tiosa.symbols.int(*name, None, None)).collect();
        self.tiosa.actions.push(Action { name: name.to_owned(), kind, parameters })
    }

    pub fn location(&mut self, name: &str) -> LocationId {
        self.marked(name, Mark::Plain)
    }

    pub fn marked(&mut self, name: &str, mark: Mark) -> LocationId {
        let location = Location { name: name.to_owned(), mark, invariant: Vec::new() };
        self.tiosa.locations.push(location)
    }

    pub fn edge(&mut self, source: LocationId, target: LocationId, action: ActionId) -> &mut Edge {
        let edge = Edge {
            source,
            target,
            action,
            guard: Vec::new(),
            resets: Vec::new(),
            condition: Formula::True,
            assignments: Vec::new(),
        };
        let id = self.tiosa.edges.push(edge);
        &mut self.tiosa.edges[id]
    }
}

pub fn atom(clock: ClockId, relation: Relation, bound: i64) -> Atom {
    Atom { clock, relation, threshold: Term::number(Rational::from(bound)) }
}

/// `left <= right` of two symbols.
pub fn at_most(build: &Build, left: SymbolId, right: SymbolId) -> Formula {
    Formula::at_most(&build.tiosa.symbols, &Term::symbol(left), &Term::symbol(right)).unwrap()
}

/// KHO Fig. 1.
pub fn figure_1() -> Tiosa {
    let mut b = Build::new("figure_1", "l0");
    let l0 = b.tiosa.initial;
    let [l1, l2, l3, l4] = ["l1", "l2", "l3", "l4"].map(|name| b.location(name));
    let c1 = b.clock("c1");
    let x = b.variable("x");
    let p = b.constant("p");
    let phi = b.action("phi", Kind::Input, &["m"]);
    let alpha = b.action("alpha", Kind::Input, &[]);
    let beta = b.action("beta", Kind::Output, &[]);
    let rho = b.action("rho", Kind::Output, &[]);
    let m = b.tiosa.actions[phi].parameters[0];
    b.edge(l0, l1, phi).assignments = vec![(x, Term::symbol(m))];
    b.edge(l1, l2, alpha).resets = vec![c1];
    let (large, small) = (at_most(&b, p, x), at_most(&b, x, p));
    let first = b.edge(l2, l3, beta);
    (first.guard, first.condition) = (vec![atom(c1, Relation::Below, 3)], large);
    let second = b.edge(l2, l4, beta);
    (second.guard, second.condition) = (vec![atom(c1, Relation::Above, 2)], small);
    second.assignments = vec![(x, Term::symbol(x).plus(&Term::int(1)).unwrap())];
    b.edge(l4, l1, rho).guard = vec![atom(c1, Relation::Above, 3)];
    b.tiosa
}
