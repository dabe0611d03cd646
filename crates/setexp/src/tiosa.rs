//! Timed input-output automata with symbolic data (TIOSA): what the whole crate works on (KHO 2).
//!
//! A clock guard is a conjunction of comparisons of one clock with a threshold. KHO's thresholds are
//! numbers; here they are terms over variables and symbolic constants, whose value is that at the time of
//! the comparison. Locations may have invariants, which KHO leaves to future work: a system has to leave a
//! location before its invariant ends.

use tioga_base::{IdVec, Overflow};
use tioga_terms::{Formula, Names, SymbolId, Symbols, Term};

use crate::error::Refusal;

tioga_base::define_id! {
    /// Names a clock of a [`Tiosa`].
    ClockId = "c";
    /// Names a location of a [`Tiosa`].
    LocationId = "l";
    /// Names an action of a [`Tiosa`].
    ActionId = "a";
    /// Names an edge of a [`Tiosa`].
    EdgeId = "e";
}

/// A timed input-output automaton with symbolic data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tiosa {
    /// Its name.
    pub name: String,
    /// Constants, variables and parameters, and what later stages add.
    pub symbols: Symbols,
    /// The symbolic constants: fixed once, before the run.
    pub constants: Vec<SymbolId>,
    /// The variables.
    pub variables: Vec<SymbolId>,
    /// What holds of constants and variables at the start.
    pub initial_condition: Formula,
    /// The names of the clocks.
    pub clocks: IdVec<ClockId, String>,
    /// The actions.
    pub actions: IdVec<ActionId, Action>,
    /// The locations.
    pub locations: IdVec<LocationId, Location>,
    /// Where runs start, with all clocks at zero.
    pub initial: LocationId,
    /// The edges.
    pub edges: IdVec<EdgeId, Edge>,
}

/// An action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// Its control and visibility.
    pub kind: Kind,
    /// The symbols of the values it carries; all edges with this action use them.
    pub parameters: Vec<SymbolId>,
}

/// The control and visibility of an action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The tester sends it.
    Input,
    /// The system sends it.
    Output,
    /// The system takes it unseen.
    Internal,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// What a purpose says of it.
    pub mark: Mark,
    /// Upper bounds that hold while the system is here.
    pub invariant: Vec<Atom>,
}

/// What a purpose says of a location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Mark {
    /// Nothing.
    #[default]
    Plain,
    /// The purpose is reached.
    Accept,
    /// The purpose gives up.
    Refuse,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The location it leaves.
    pub source: LocationId,
    /// The location it enters.
    pub target: LocationId,
    /// What happens.
    pub action: ActionId,
    /// When it may be taken: all of these.
    pub guard: Vec<Atom>,
    /// The clocks set to zero, in order.
    pub resets: Vec<ClockId>,
    /// What holds of constants, variables and the action's parameters.
    pub condition: Formula,
    /// New values of variables, all from the old values, in order of the variables.
    pub assignments: Vec<(SymbolId, Term)>,
}

/// A clock compared with a threshold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom {
    /// The clock.
    pub clock: ClockId,
    /// How it compares.
    pub relation: Relation,
    /// With what.
    pub threshold: Term,
}

/// How a clock compares with a threshold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `==`
    Equal,
    /// `>=`
    AtLeast,
    /// `>`
    Above,
}

impl Relation {
    /// How it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Below => "<",
            Self::AtMost => "<=",
            Self::Equal => "==",
            Self::AtLeast => ">=",
            Self::Above => ">",
        }
    }

    /// Whether it holds for a clock that compares so with its threshold.
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match self {
            Self::Below => order == Less,
            Self::AtMost => order != Greater,
            Self::Equal => order == Equal,
            Self::AtLeast => order != Less,
            Self::Above => order == Greater,
        }
    }

    /// The relations one of which holds where this one does not.
    pub fn opposites(self) -> &'static [Self] {
        match self {
            Self::Below => &[Self::AtLeast],
            Self::AtMost => &[Self::Above],
            Self::Equal => &[Self::Below, Self::Above],
            Self::AtLeast => &[Self::Below],
            Self::Above => &[Self::AtMost],
        }
    }
}

impl Kind {
    /// How an action of this kind is marked behind its name.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Input => "?",
            Self::Output => "!",
            Self::Internal => "",
        }
    }
}

impl Tiosa {
    /// An automaton with one location and nothing else.
    pub fn new(name: impl Into<String>, initial: impl Into<String>) -> Self {
        let mut locations = IdVec::new();
        let initial = locations.push(Location {
            name: initial.into(),
            mark: Mark::Plain,
            invariant: Vec::new(),
        });
        Self {
            name: name.into(),
            symbols: Symbols::new(),
            constants: Vec::new(),
            variables: Vec::new(),
            initial_condition: Formula::True,
            clocks: IdVec::new(),
            actions: IdVec::new(),
            locations,
            initial,
            edges: IdVec::new(),
        }
    }

    /// The edges that leave a location, in order.
    pub fn leaving(&self, location: LocationId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.edges.iter_ids().filter(move |(_, edge)| edge.source == location)
    }

    /// The action of a name.
    pub fn action(&self, name: &str) -> Option<ActionId> {
        self.actions.iter_ids().find(|(_, action)| action.name == name).map(|(id, _)| id)
    }

    /// The location of a name.
    pub fn location(&self, name: &str) -> Option<LocationId> {
        self.locations.iter_ids().find(|(_, location)| location.name == name).map(|(id, _)| id)
    }

    /// The terms that clocks are compared with in a location: by its invariant and by leaving edges.
    pub fn atoms(&self, location: LocationId) -> impl Iterator<Item = &Atom> {
        let edges = self.leaving(location).flat_map(|(_, edge)| &edge.guard);
        self.locations[location].invariant.iter().chain(edges)
    }

    /// `phi(m)?`
    pub fn action_text(&self, action: ActionId) -> String {
        let Action { name, kind, parameters } = &self.actions[action];
        let names: Vec<_> = parameters.iter().map(|p| self.symbols[*p].name.as_str()).collect();
        let arguments =
            if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
        format!("{name}{arguments}{}", kind.sign())
    }

    /// `c1 < 3`
    pub fn atom_text(&self, atom: &Atom) -> String {
        let clock = &self.clocks[atom.clock];
        format!("{clock} {} {}", atom.relation.sign(), Names(&self.symbols, &atom.threshold))
    }

    /// An edge's guard and condition, in one line; nothing if it is always enabled.
    pub fn guard_text(&self, edge: &Edge) -> Option<String> {
        let mut parts: Vec<_> = edge.guard.iter().map(|atom| self.atom_text(atom)).collect();
        if edge.condition != Formula::True {
            let text = Names(&self.symbols, &edge.condition).to_string();
            let several = matches!(edge.condition, Formula::Or(_)) && !parts.is_empty();
            parts.push(if several { format!("({text})") } else { text });
        }
        (!parts.is_empty()).then(|| parts.join(" && "))
    }

    /// Checks that ids and parameters fit together: what later stages rely on.
    pub fn check(&self) -> Result<(), Refusal> {
        for edge in self.edges.iter() {
            let known = self.actions.get(edge.action).is_some()
                && self.locations.get(edge.source).is_some()
                && self.locations.get(edge.target).is_some();
            if !known {
                return Err(Refusal::Broken("an edge names an action or location that is missing"));
            }
            let allowed = |symbol: &SymbolId| {
                self.constants.contains(symbol)
                    || self.variables.contains(symbol)
                    || self.actions[edge.action].parameters.contains(symbol)
            };
            let mut read = edge.condition.symbols();
            for (variable, term) in &edge.assignments {
                term.symbols(&mut read);
                if !self.variables.contains(variable) {
                    return Err(Refusal::Broken("an edge assigns what is no variable"));
                }
            }
            if !read.iter().all(allowed) {
                return Err(Refusal::Broken("an edge reads the parameter of another action"));
            }
        }
        Ok(())
    }
}

/// A term after the assignments of an edge, in terms of the values before it.
pub fn after(assignments: &[(SymbolId, Term)], term: &Term) -> Result<Term, Overflow> {
    term.substitute(&|symbol| {
        assignments.iter().find(|(variable, _)| *variable == symbol).map(|(_, term)| term.clone())
    })
}
