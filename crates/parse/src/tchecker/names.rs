//! The names a file declares, and the names they get in the document.
//!
//! TChecker keeps processes, events and variables apart and allows dots in names. A document has
//! one global scope and plain identifiers. A name that does not fit is renamed, with a warning.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Diagnostic, Diagnostics, Span};

use super::scan::Piece;
use crate::syntax::Name;

/// What a global name stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// A process.
    Process,
    /// An event.
    Event,
    /// A clock or an integer.
    Variable,
}

impl Sort {
    /// What messages call it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Event => "event",
            Self::Variable => "variable",
        }
    }
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it was declared.
    pub span: Span,
    /// Its position among those of its sort.
    pub index: usize,
}

/// The global names declared so far.
#[derive(Default, Debug)]
pub struct Names {
    sorts: BTreeMap<Sort, BTreeMap<String, Entry>>,
    taken: BTreeSet<String>,
}

impl Names {
    /// Declares a name, or complains that it is taken. Returns its name in the document.
    pub fn declare(
        &mut self,
        sort: Sort,
        piece: Piece<'_>,
        index: usize,
        diagnostics: &mut Diagnostics,
    ) -> Option<Name> {
        if let Some(first) = self.get(sort, piece.text) {
            diagnostics.push(duplicate(sort.word(), piece, first.span));
            return None;
        }
        let name = self.fresh(piece.text);
        if name != piece.text {
            let word = sort.word();
            let message = format!("{word} `{}` is called `{name}` here", piece.text);
            diagnostics.push(Diagnostic::warning("renamed", piece.span, message).note(
                "names are plain identifiers, and processes, events and variables share one scope",
            ));
        }
        let entry = Entry { span: piece.span, index };
        self.sorts.entry(sort).or_default().insert(piece.text.to_owned(), entry);
        Some(Name::new(name, piece.span))
    }

    /// A name close to the wish that nothing else has, now taken.
    pub fn fresh(&mut self, wish: &str) -> String {
        let mut name = wish.replace('.', "_");
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// The entry of a declared name.
    pub fn get(&self, sort: Sort, text: &str) -> Option<&Entry> {
        self.sorts.get(&sort)?.get(text)
    }

    /// The entry of a declared name, or a complaint with the closest declared one.
    pub fn find(
        &self,
        sort: Sort,
        piece: Piece<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<&Entry> {
        let entry = self.get(sort, piece.text);
        if entry.is_none() {
            diagnostics.push(unknown(sort.word(), piece, self.all(sort)));
        }
        entry
    }

    /// All declared names of a sort, as written.
    pub fn all(&self, sort: Sort) -> impl Iterator<Item = &str> {
        self.sorts.get(&sort).into_iter().flat_map(BTreeMap::keys).map(String::as_str)
    }
}

/// The complaint that a name was declared twice.
pub fn duplicate(what: &str, piece: Piece<'_>, first: Span) -> Diagnostic {
    let message = format!("{what} `{}` is declared twice", piece.text);
    Diagnostic::error("duplicate-name", piece.span, message).also(first, "first declared here")
}

/// The complaint that a name is not declared before its use.
pub fn unknown<'a>(
    what: &str,
    piece: Piece<'_>,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let message = format!("unknown {what} `{}`", piece.text);
    Diagnostic::error("unknown-name", piece.span, message)
        .label("not declared before this line")
        .suggest(piece.span, piece.text, known)
}
