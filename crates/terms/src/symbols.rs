//! Symbols: names for values that are not known yet.

use tioga_base::IdVec;

tioga_base::define_id! {
    /// Names a symbol of [`Symbols`].
    SymbolId = "s";
}

/// What kind of number a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// An integer; a truth value is one of 0 and 1.
    Int,
    /// A rational.
    Rational,
}

/// A value that is not known yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// What it is called.
    pub name: String,
    /// What kind of number it is.
    pub sort: Sort,
    /// The least value, if there is one.
    pub low: Option<i64>,
    /// The greatest value, if there is one.
    pub high: Option<i64>,
}

/// The symbols that formulas speak of. What a formula means includes their ranges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symbols {
    list: IdVec<SymbolId, Symbol>,
}

impl Symbols {
    /// No symbols.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a symbol.
    pub fn add(&mut self, symbol: Symbol) -> SymbolId {
        self.list.push(symbol)
    }

    /// Adds an integer of a range, both ends included.
    pub fn int(
        &mut self,
        name: impl Into<String>,
        low: Option<i64>,
        high: Option<i64>,
    ) -> SymbolId {
        self.add(Symbol { name: name.into(), sort: Sort::Int, low, high })
    }

    /// Adds a rational.
    pub fn rational(&mut self, name: impl Into<String>) -> SymbolId {
        self.add(Symbol { name: name.into(), sort: Sort::Rational, low: None, high: None })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.list.iter_ids()
    }

    /// The sort of a symbol.
    pub fn sort(&self, symbol: SymbolId) -> Sort {
        self.list[symbol].sort
    }

    /// Forgets the symbols from a length on.
    pub fn truncate(&mut self, length: usize) {
        self.list.truncate(length);
    }
}

impl std::ops::Index<SymbolId> for Symbols {
    type Output = Symbol;

    fn index(&self, symbol: SymbolId) -> &Symbol {
        &self.list[symbol]
    }
}
