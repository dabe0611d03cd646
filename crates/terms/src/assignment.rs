//! Values for symbols.

use std::collections::BTreeMap;

use tioga_base::Rational;

use crate::SymbolId;

/// Values for symbols.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    values: BTreeMap<SymbolId, Rational>,
}

impl Assignment {
    /// No values.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a symbol, if it has one.
    pub fn get(&self, symbol: SymbolId) -> Option<Rational> {
        self.values.get(&symbol).copied()
    }

    /// Gives a symbol a value.
    pub fn set(&mut self, symbol: SymbolId, value: Rational) {
        self.values.insert(symbol, value);
    }

    /// All values, in order of the symbols.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, Rational)> {
        self.values.iter().map(|(symbol, value)| (*symbol, *value))
    }
}

impl FromIterator<(SymbolId, Rational)> for Assignment {
    fn from_iter<T: IntoIterator<Item = (SymbolId, Rational)>>(values: T) -> Self {
        Self { values: values.into_iter().collect() }
    }
}
