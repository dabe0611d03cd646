//! The symbolic states that a search has met, and whether one of them includes another.

use std::collections::BTreeMap;

use tioga_base::Rational;
use tioga_model::LocationId;
use tioga_terms::{Formula, SymbolId, Term};
use tioga_zones::Zone;

use crate::error::Error;
use crate::generic::any_value;
use crate::moves::{Engine, Side};
use crate::past::Origin;

/// Locations, and the data that are known.
type Key = (Vec<LocationId>, Vec<Option<Rational>>);

/// The symbolic states that were met.
pub(crate) struct Store {
    /// Per key, formulas over the slots, and zones; none includes another one.
    known: BTreeMap<Key, Vec<(Formula, Zone)>>,
    /// Symbols for the data of all components, by position.
    slots: Vec<SymbolId>,
    /// Further symbols for the same data, while there are those of the state before.
    next: Vec<SymbolId>,
}

/// A state that was not met before.
pub(crate) enum New {
    /// Its data without the inputs before it: numbers or symbols, what holds of these, and how they came about.
    Renewed(Vec<Term>, Formula, Origin),
    /// Its data cannot be said without the inputs before it.
    AsItWas,
}

impl Store {
    /// For states of so many components.
    pub fn new(engine: &mut Engine<'_>, components: usize) -> Self {
        let mut symbols = || -> Vec<SymbolId> {
            let copies = (0..components).flat_map(|_| &engine.machine.model.slots);
            copies.map(|slot| engine.symbols.add(any_value(slot))).collect()
        };
        let (slots, next) = (symbols(), symbols());
        Self { known: BTreeMap::new(), slots, next }
    }

    /// Meets a state. `None` if one that was met includes it.
    pub fn meet(
        &mut self,
        engine: &mut Engine<'_>,
        sides: &[&Side],
        formula: &Formula,
        zone: &Zone,
    ) -> Result<Option<New>, Error> {
        let terms: Vec<&Term> = sides.iter().flat_map(|side| &side.data).collect();
        let numbers: Vec<Option<Rational>> = terms.iter().map(|term| term.as_number()).collect();
        let rest = match numbers.iter().all(Option::is_some) {
            true => Some(Formula::True),
            false => self.data_of(engine, formula, &terms)?,
        };
        // What cannot be compared is met again and again; the budget ends that.
        let Some(rest) = rest else { return Ok(Some(New::AsItWas)) };
        let key = (sides.iter().map(|side| side.location).collect(), numbers);
        let others = self.known.entry(key).or_default();
        for (formula, other) in others.iter() {
            if other.includes(zone) && implies(engine, &rest, formula)? {
                return Ok(None);
            }
        }
        let mut kept = Vec::new();
        for (formula, other) in std::mem::take(others) {
            if !zone.includes(&other) || !implies(engine, &formula, &rest)? {
                kept.push((formula, other));
            }
        }
        kept.push((rest.clone(), zone.clone()));
        *others = kept;
        let mut origin = Origin { formula: formula.clone(), data: Vec::new() };
        let mut data = Vec::new();
        for (term, slot) in terms.into_iter().zip(&self.slots) {
            if term.as_number().is_some() {
                data.push(term.clone());
            } else {
                origin.data.push((*slot, term.clone()));
                data.push(Term::symbol(*slot));
            }
        }
        Ok(Some(New::Renewed(data, rest, origin)))
    }

    /// What holds of the data that are not known, over the symbols of the slots. `None` if it cannot be said.
    fn data_of(
        &self,
        engine: &mut Engine<'_>,
        formula: &Formula,
        terms: &[&Term],
    ) -> Result<Option<Formula>, Error> {
        let mut all = formula.clone();
        for (term, next) in terms.iter().zip(&self.next) {
            if term.as_number().is_none() {
                let next = Term::symbol(*next);
                all = all.and(Formula::equal(&engine.symbols, term, &next)?);
            }
        }
        let gone: Vec<SymbolId> =
            all.symbols().into_iter().filter(|id| !self.next.contains(id)).collect();
        let Some(rest) = engine.projected(&all, &gone) else { return Ok(None) };
        let slot = |id: SymbolId| {
            let position = self.next.iter().position(|next| *next == id)?;
            Some(Term::symbol(self.slots[position]))
        };
        Ok(Some(rest.substitute(&engine.symbols, &slot)?))
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
