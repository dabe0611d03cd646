//! Answers that are remembered.

use std::collections::HashMap;

use crate::{Answer, Decide, Formula, SymbolId, Symbols};

/// A decision procedure that remembers its answers. What it answers is what the procedure inside answers.
///
/// An answer holds for the symbols it was asked with; a formula that is asked with other symbols, or with
/// others of the same numbers, is forgotten first.
#[derive(Clone, Debug)]
pub struct Cached<D> {
    inside: D,
    known: HashMap<Formula, Answer>,
    symbols: Symbols,
    /// The most answers to remember; all are forgotten when there are more.
    most: usize,
    asked: u64,
    found: u64,
}

impl<D: Decide> Cached<D> {
    /// Remembers up to a million answers.
    pub fn new(inside: D) -> Self {
        Self::with_most(inside, 1_000_000)
    }

    /// Remembers up to so many answers.
    pub fn with_most(inside: D, most: usize) -> Self {
        let (known, symbols) = (HashMap::new(), Symbols::new());
        Self { inside, known, symbols, most, asked: 0, found: 0 }
    }

    /// The procedure inside.
    pub fn inside(&mut self) -> &mut D {
        &mut self.inside
    }

    /// How many questions were asked, and how many of them had been asked before.
    pub fn counts(&self) -> (u64, u64) {
        (self.asked, self.found)
    }

    /// Forgets the answers unless they are about these symbols. Symbols may have been added at the end.
    fn align(&mut self, symbols: &Symbols) {
        let same =
            self.symbols.iter().zip(symbols.iter()).all(|((_, one), (_, other))| one == other);
        if !same {
            self.known.clear();
            self.symbols = symbols.clone();
        } else if symbols.len() > self.symbols.len() {
            let new = symbols.iter().skip(self.symbols.len()).map(|(_, symbol)| symbol.clone());
            for symbol in new.collect::<Vec<_>>() {
                let _: SymbolId = self.symbols.add(symbol);
            }
        }
    }
}

impl<D: Decide> Decide for Cached<D> {
    fn decide(&mut self, symbols: &Symbols, formula: &Formula) -> Answer {
        self.align(symbols);
        self.asked += 1;
        if let Some(answer) = self.known.get(formula) {
            self.found += 1;
            return answer.clone();
        }
        let answer = self.inside.decide(symbols, formula);
        if self.known.len() >= self.most {
            self.known.clear();
        }
        self.known.insert(formula.clone(), answer.clone());
        answer
    }
}
