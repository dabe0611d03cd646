//! Timed automata with inputs, outputs, clocks and context (BON09, chapter 3, Definition 5, and chapter 5,
//! Definition 14).

use tioga_base::Rational;

use crate::condition::Condition;
use crate::error::Error;
use crate::form::Form;

/// An automaton. Without context variables and parameters it is a TIOA, otherwise a TIOCA.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// Its name.
    pub name: String,
    /// The names of its clocks; all of them are 0 at the start.
    pub clocks: Vec<String>,
    /// Its context.
    pub context: Vec<Variable>,
    /// What it takes and emits.
    pub actions: Vec<Action>,
    /// Actions of its interface that no edge carries.
    pub unused: Vec<Action>,
    /// Its locations.
    pub locations: Vec<Location>,
    /// The position of the location it starts in.
    pub initial: usize,
    /// Its edges, in order.
    pub edges: Vec<Edge>,
    /// What is left out of it, in words.
    pub left_out: Vec<String>,
}

/// A context variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value at the start, not negative.
    pub initial: Rational,
    /// Whether it holds integers only.
    pub integer: bool,
    /// The values it admits, if they are bounded. An edge that would leave them cannot be taken.
    pub range: Option<(i64, i64)>,
}

/// What crosses the interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// Whether it is an input.
    pub input: bool,
    /// Its parameters: for each, whether it is an integer, and the values it admits.
    pub parameters: Vec<Parameter>,
}

/// A value that an action carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Whether it is an integer.
    pub integer: bool,
    /// The values it admits, if they are bounded.
    pub range: Option<(i64, i64)>,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// What holds of the clocks while it is not left.
    pub invariant: Condition,
    /// Whether no time passes in it.
    pub urgent: bool,
    /// Whether a fault is confirmed here.
    pub fail: bool,
    /// Whether it is a desired end.
    pub desired: bool,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The position of the location it leaves.
    pub source: usize,
    /// The position of its action.
    pub action: usize,
    /// When it can be taken.
    pub guard: Condition,
    /// The clocks it sets, each once.
    pub resets: Vec<(usize, Rational)>,
    /// The variables it sets, each once, by the values before.
    pub updates: Vec<(usize, Form)>,
    /// Values that must lie in a range, or the edge cannot be taken.
    pub checks: Vec<(Form, i64, i64)>,
    /// The values of an output.
    pub values: Vec<Form>,
    /// The position of the location it enters.
    pub target: usize,
}

impl Automaton {
    /// The position of an action.
    pub fn action(&self, name: &str) -> Option<usize> {
        self.actions.iter().position(|action| action.name == name)
    }

    /// An edge in words: `q0 -> q1 : on?`.
    pub fn edge_name(&self, edge: &Edge) -> String {
        let action = &self.actions[edge.action];
        format!(
            "{} -> {} : {}{}",
            self.locations[edge.source].name,
            self.locations[edge.target].name,
            action.name,
            if action.input { "?" } else { "!" }
        )
    }

    /// Whether some location is an end of a purpose.
    pub fn has_ends(&self) -> bool {
        self.locations.iter().any(|location| location.fail || location.desired)
    }

    /// Whether this is a test purpose: acyclic, with ends, and with no end of both kinds (Definition 31).
    ///
    /// # Errors
    /// Says which of these does not hold.
    pub fn check_purpose(&self) -> Result<(), Error> {
        let purpose = self.name.clone();
        if let Some(both) = self.locations.iter().find(|location| location.fail && location.desired)
        {
            return Err(Error::Overlap { purpose, location: both.name.clone() });
        }
        if !self.has_ends() {
            return Err(Error::NoEnd(purpose));
        }
        // An edge is on no cycle if nothing leads to its source, or nothing on from its target.
        let mut edges: Vec<&Edge> = self.edges.iter().collect();
        loop {
            let targets: Vec<usize> = edges.iter().map(|edge| edge.target).collect();
            let sources: Vec<usize> = edges.iter().map(|edge| edge.source).collect();
            let before = edges.len();
            edges.retain(|edge| targets.contains(&edge.source) && sources.contains(&edge.target));
            if edges.len() == before {
                break;
            }
        }
        match edges.first() {
            None => Ok(()),
            Some(edge) => {
                let location = self.locations[edge.source].name.clone();
                Err(Error::Cyclic { purpose, location })
            }
        }
    }
}
