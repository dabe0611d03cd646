//! The symbolic states that a search has met, and whether one of them includes another.

use std::collections::BTreeMap;

use tioga_base::Rational;
use tioga_model::LocationId;
use tioga_terms::{Formula, SymbolId, Term};
use tioga_zones::Zone;

use crate::error::Error;
use crate::generic::any_value;
use crate::moves::{Engine, Side};

/// Locations, and the data that are known.
type Key = (Vec<LocationId>, Vec<Option<Rational>>);

/// The symbolic states that were met.
pub(crate) struct Store {
    /// Per key, a formula over the data that are not known, and a zone.
    known: BTreeMap<Key, Vec<(Formula, Zone)>>,
    /// Symbols for the data of all components, by position.
    slots: Vec<SymbolId>,
}

impl Store {
    /// For states of so many components.
    pub fn new(engine: &mut Engine<'_>, components: usize) -> Self {
        let mut slots = Vec::new();
        for _ in 0..components {
            for slot in &engine.machine.model.slots {
                slots.push(engine.symbols.add(any_value(slot)));
            }
        }
        Self { known: BTreeMap::new(), slots }
    }

    /// Whether a state is included in none that was met; then it is met.
    pub fn is_new(
        &mut self,
        engine: &mut Engine<'_>,
        sides: &[&Side],
        formula: &Formula,
        zone: &Zone,
    ) -> Result<bool, Error> {
        let terms: Vec<&Term> = sides.iter().flat_map(|side| &side.data).collect();
        let numbers: Vec<Option<Rational>> = terms.iter().map(|term| term.as_number()).collect();
        let rest = match numbers.iter().all(Option::is_some) {
            true => Some(Formula::True),
            false => self.data_of(engine, formula, &terms)?,
        };
        // What cannot be compared is met again and again; the budget ends that.
        let Some(rest) = rest else { return Ok(true) };
        let key = (sides.iter().map(|side| side.location).collect(), numbers);
        let others = self.known.entry(key).or_default();
        for (formula, other) in others.iter() {
            if other.includes(zone) && implies(engine, &rest, formula)? {
                return Ok(false);
            }
        }
        others.push((rest, zone.clone()));
        Ok(true)
    }

    /// What holds of the data that are not known, over the symbols of the slots; nothing if it cannot be said.
    fn data_of(
        &self,
        engine: &mut Engine<'_>,
        formula: &Formula,
        terms: &[&Term],
    ) -> Result<Option<Formula>, Error> {
        let mut all = formula.clone();
        for (term, slot) in terms.iter().zip(&self.slots) {
            if term.as_number().is_none() {
                let slot = Term::symbol(*slot);
                all = all.and(Formula::equal(&engine.symbols, term, &slot)?);
            }
        }
        let symbols = engine.symbols.iter().map(|(id, _)| id);
        let gone: Vec<SymbolId> = symbols.filter(|id| !self.slots.contains(id)).collect();
        Ok(engine.projected(&all, &gone))
    }
}

/// Whether a formula implies another one for certain.
fn implies(engine: &mut Engine<'_>, one: &Formula, other: &Formula) -> Result<bool, Error> {
    if one == other {
        return Ok(true);
    }
    let beyond = one.clone().and(engine.not(other)?);
    Ok(engine.is_impossible(&beyond))
}
