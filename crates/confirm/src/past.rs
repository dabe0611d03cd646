//! How a search came to its symbolic states, and the inputs that lead to one of them with the values they carry.
//!
//! What a state says of its data does not mention the inputs before it, so it stays small however many these were.
//! Their values are found backward: each time those that lead to the values chosen for the next state.

use tioga_base::Rational;
use tioga_model::ChannelId;
use tioga_terms::{Assignment, Formula, SymbolId, Term};

use crate::error::Error;
use crate::legs::Leg;
use crate::moves::{Engine, chosen};

/// An input with symbols for the values it carries, and the time before it.
#[derive(Clone)]
pub(crate) struct Taken {
    pub input: (ChannelId, Vec<SymbolId>),
    pub leg: Leg,
}

/// How the data of a state came about: what held of the state before it and of its input, and the data as terms over
/// these.
pub(crate) struct Origin {
    pub formula: Formula,
    pub data: Vec<(SymbolId, Term)>,
}

impl Origin {
    /// Values of the state before and of its input that lead to these values of the data. `None` if none are found.
    fn values(
        &self,
        engine: &mut Engine<'_>,
        after: &Assignment,
    ) -> Result<Option<Assignment>, Error> {
        let mut all = self.formula.clone();
        for (symbol, term) in &self.data {
            if let Some(value) = after.get(*symbol) {
                all = all.and(Formula::equal(&engine.symbols, term, &Term::number(value))?);
            }
        }
        Ok(engine.values(&all))
    }
}

/// An input that was taken, and the values it carried.
pub(crate) type Given = (Taken, Vec<Rational>);

/// One state of a search: the position of the state before it with the input, and how its data came about.
struct Entry {
    before: Option<(usize, Taken)>,
    origin: Option<Origin>,
}

/// The past of the states of a search, by their positions.
#[derive(Default)]
pub(crate) struct Past {
    states: Vec<Entry>,
}

impl Past {
    /// Adds a state: the state before it with the input, and how its data came about. `None` for data that still are
    /// terms over the inputs.
    pub fn add(&mut self, before: Option<(usize, Taken)>, origin: Option<Origin>) {
        self.states.push(Entry { before, origin });
    }

    /// The inputs that lead to a state in which a formula holds, with their values, in order. `last` comes after
    /// them. `None` if no values are found.
    pub fn inputs(
        &self,
        engine: &mut Engine<'_>,
        at: usize,
        formula: &Formula,
        last: Option<Taken>,
    ) -> Result<Option<Vec<Given>>, Error> {
        let Some(mut found) = engine.values(formula) else { return Ok(None) };
        let mut all = Vec::new();
        let mut at = at;
        let mut next = last;
        loop {
            if let Some(taken) = next {
                let values = chosen(&engine.symbols, &taken.input.1, &found);
                all.push((taken, values));
            }
            let Entry { before, origin } = &self.states[at];
            if let Some(origin) = origin {
                let Some(earlier) = origin.values(engine, &found)? else { return Ok(None) };
                found = earlier;
            }
            let Some((parent, taken)) = before else { break };
            (at, next) = (*parent, Some(taken.clone()));
        }
        all.reverse();
        Ok(Some(all))
    }
}
