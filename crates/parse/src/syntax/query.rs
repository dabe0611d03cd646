//! Properties and test objectives as written.

use tioga_base::Span;

use super::{Ends, Expr};

/// A property or objective.
#[derive(Clone, PartialEq, Debug)]
pub struct Query {
    /// What it asks.
    pub formula: Formula,
    /// What its author said about it.
    pub comment: Option<String>,
    /// Its place.
    pub span: Span,
}

/// The formulas Tioga knows by structure.
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// `E<> φ`
    Reachable(Expr),
    /// `A[] φ`
    Always(Expr),
    /// `A<> φ`
    Inevitable(Expr),
    /// `E[] φ`
    Possibly(Expr),
    /// `φ --> ψ`
    LeadsTo(Expr, Expr),
    /// `control: …`
    Control(Objective),
    /// `E<> control: …`
    Cooperative(Objective),
    /// `sup{φ}: e, …`, `inf{φ}: e, …`, `bounds{φ}: e, …`
    Extent(Ends, Option<Expr>, Vec<Expr>),
    /// Anything else, kept word for word.
    Other(String),
}

/// What a tester should enforce.
#[derive(Clone, PartialEq, Debug)]
pub enum Objective {
    /// `A<> φ`
    Reach(Expr),
    /// `A[ φ U ψ ]`
    Until(Expr, Expr),
    /// `A[ φ W ψ ]`
    WeakUntil(Expr, Expr),
    /// `A[] φ`
    Stay(Expr),
}

impl Formula {
    /// The conditions it speaks of, in the order in which they are written.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Reachable(one)
            | Self::Always(one)
            | Self::Inevitable(one)
            | Self::Possibly(one) => {
                vec![one]
            }
            Self::LeadsTo(one, other) => vec![one, other],
            Self::Control(objective) | Self::Cooperative(objective) => objective.parts_mut(),
            Self::Extent(_, inside, measured) => inside.iter_mut().chain(measured).collect(),
            Self::Other(_) => Vec::new(),
        }
    }
}

impl Objective {
    fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Reach(one) | Self::Stay(one) => vec![one],
            Self::Until(one, other) | Self::WeakUntil(one, other) => vec![one, other],
        }
    }
}
