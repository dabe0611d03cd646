//! Unknown data: terms, conditions over them, and procedures that decide whether a condition can hold.
//!
//! A [`Symbol`] stands for a value: an integer or a rational, possibly with a range. Truth values are the
//! integers 0 and 1, and the members of an enumeration are 0, 1, 2 and so on. A [`Term`] is a sum of symbols
//! with rational coefficients; a nonlinear operation stays in it as an opaque part. A [`Formula`] combines
//! comparisons of terms with zero. Both are kept in one normal form, so equal text means equal value as far
//! as simple rewriting can see.
//!
//! [`Exact`] decides linear formulas, eliminates symbols, and simplifies. [`Cached`] remembers
//! answers.
//!
//! Numbers are exact. Arithmetic that does not fit in 64 bits is an [`Overflow`](tioga_base::Overflow), never
//! a wrapped value.

mod assignment;
mod cached;
mod exact;
mod formula;
mod smt_parse;
mod solver;
mod symbols;
mod term;
mod text;

pub use assignment::Assignment;
pub use cached::Cached;
pub use exact::{Exact, Interval, Under, Unknown};
pub use formula::{Comparison, Formula, Relation};
pub use smt_parse::{parse_formula, parse_term};
pub use solver::{Answer, Decide};
pub use symbols::{Sort, Symbol, SymbolId, Symbols};
pub use term::{Operation, Operator, Part, Term};
pub use text::{Names, smt_lib, smt_lib_term};
