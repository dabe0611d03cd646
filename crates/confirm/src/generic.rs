//! A machine with any data at all: a symbol for every value of the context.

use tioga_base::{Budget, Id};
use tioga_data::Interpreter;
use tioga_model::{ChannelId, EdgeId, Kind, Label, LocationId, Slot};
use tioga_terms::{Formula, Sort, Symbol, SymbolId, Term};

use crate::clocks::Space;
use crate::error::Error;
use crate::machine::Machine;
use crate::moves::{Engine, Side, done};

/// The symbol of any value of a data slot.
pub(crate) fn any_value(slot: &Slot) -> Symbol {
    let sort = if slot.kind == Kind::Rational { Sort::Rational } else { Sort::Int };
    let range = match slot.kind {
        Kind::Bool => Some((0, 1)),
        Kind::Int => slot.range.map(|range| (range.min, range.max)),
        Kind::Rational => None,
    };
    let (low, high) = (range.map(|(low, _)| low), range.map(|(_, high)| high));
    Symbol { name: slot.name.clone(), sort, low, high }
}

impl Engine<'_> {
    /// A configuration in a location with any data, and the symbols of the data slots.
    pub fn generic(&mut self, location: LocationId) -> (Side, Vec<(usize, SymbolId)>) {
        let mut data = Vec::new();
        let mut ids = Vec::new();
        let mut below = false;
        for (position, slot) in self.machine.model.slots.iter().enumerate() {
            if std::mem::take(&mut below) {
                data.push(Term::int(1));
                continue;
            }
            below = slot.kind == Kind::Rational;
            let id = self.symbols.add(any_value(slot));
            data.push(Term::symbol(id));
            ids.push((position, id));
        }
        (Side { location, data }, ids)
    }

    /// Whether two edges answer alike as functions of the values of the input and of the context.
    pub fn coincide(machine: Machine<'_>, first: EdgeId, second: EdgeId) -> Result<bool, Error> {
        let (one, other) = (&machine.process.edges[first], &machine.process.edges[second]);
        let (Some(reply), Some(other_reply)) = (&one.reply, &other.reply) else { return Ok(false) };
        let Label::Receive(used) = &one.label else { return Ok(false) };
        let channel = reply.channel;
        if channel != other_reply.channel || reply.index.is_some() || other_reply.index.is_some() {
            return Ok(false);
        }
        let space = Space::new(machine, 1, &[])?;
        let mut engine = Engine::new(machine, space, Budget::steps(u64::MAX));
        let (side, _) = engine.generic(one.source);
        let parameters = engine.parameters(0, ChannelId::from_index(used.channel.index()));
        let frame = engine.frame(used.channel, &parameters);
        let types = &machine.model.channels[channel].parameters;
        let given = Formula::True;
        let mut ways = Vec::new();
        for (edge, reply) in [(one, reply), (other, other_reply)] {
            let values = engine.interpret(&side, |interpreter: &mut Interpreter<'_>, state| {
                interpreter.arguments(&given, state, &frame, edge, reply, types)
            });
            ways.push(done(values)?);
        }
        for (when, values) in &ways[0] {
            for (other_when, other_values) in &ways[1] {
                let equal = engine.equal(values, other_values)?;
                let differ = engine.not(&equal)?.and(when.clone()).and(other_when.clone());
                if engine.is_possible(&differ) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
