//! What names mean while a document is lowered.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::syntax::{Function, Statement, StatementKind, TypeKind};
use tioga_base::{Rational, Span};
use tioga_model::{
    ActionId, Base, ChannelId, ClockTerm, ExprId, FunctionId, Lvalue, ProcessId, Type,
};

/// The process declarations belong to: its id, unless it is a purpose, and its name.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    pub process: Option<ProcessId>,
    pub name: String,
}

/// A declared name.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    /// What it stands for.
    pub meaning: Meaning,
    /// Where it was declared.
    pub span: Span,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A single value known now.
    Constant(Constant, Type),
    /// A value that was computed already.
    Computed(ExprId, Type),
    /// Data, with whether it may be assigned.
    Data(Lvalue, Type, Access),
    /// A clock or an array of clocks, and whether it may be set here.
    Clock(ClockTerm, Vec<Dimension>, Access),
    /// A channel or an array of channels.
    Channel(ChannelId, Vec<Dimension>),
    /// A plain action label.
    Action(ActionId),
    /// A type.
    Type(Ty),
    /// A function of data.
    Function(FunctionSymbol),
    /// A function that sets clocks.
    Setter(Rc<Setter>),
}

impl Meaning {
    /// Whether it can stand in an expression.
    pub fn is_value(&self) -> bool {
        matches!(self, Self::Constant(..) | Self::Computed(..) | Self::Data(..) | Self::Clock(..))
    }

    /// What kind of thing it is, with an article.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Constant(..) => "a constant",
            Self::Computed(..) | Self::Data(..) => "a variable",
            Self::Clock(..) => "a clock",
            Self::Channel(..) => "a channel",
            Self::Action(_) => "an internal action",
            Self::Type(_) => "a type",
            Self::Function(_) | Self::Setter(_) => "a function",
        }
    }
}

/// Whether a name may be assigned, and if not, why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// It may.
    ReadWrite,
    /// It is a constant.
    Constant,
    /// It is a symbolic constant.
    Symbolic,
    /// It belongs to the specification that a purpose observes.
    Observed,
}

impl Access {
    /// Why it may not be assigned.
    pub fn refusal(self) -> Option<&'static str> {
        match self {
            Self::ReadWrite => None,
            Self::Constant => Some("a constant never changes"),
            Self::Symbolic => Some("a symbolic constant is fixed at the start of a run"),
            Self::Observed => Some("a purpose observes the specification and must not change it"),
        }
    }
}

/// A single value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Constant {
    /// An integer or truth value.
    Int(i64),
    /// A rational.
    Rational(Rational),
}

/// One dimension of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Dimension {
    /// The index of the first element.
    pub first: i64,
    /// The number of elements.
    pub length: u32,
    /// The scalar set whose values are the indices, if any.
    pub set: Option<u32>,
}

/// A type as lowering sees it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Ty {
    /// Data.
    Data(Type),
    /// A clock or array of clocks.
    Clock(Vec<Dimension>),
    /// A channel or array of channels.
    Channel(crate::syntax::ChannelType, Vec<Dimension>),
    /// Nothing.
    Void,
}

/// What a function changes besides its own frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Changes {
    /// Data of the state.
    pub state: bool,
    /// What its callers pass by reference.
    pub references: bool,
}

impl Changes {
    /// Notes that something at a place of this base is changed.
    pub fn note(&mut self, base: Base) {
        match base {
            Base::Global => self.state = true,
            Base::Reference(_) => self.references = true,
            Base::Frame | Base::Constant => {}
        }
    }
}

/// A function's signature.
#[derive(Clone, Debug)]
pub(super) struct FunctionSymbol {
    /// The function.
    pub id: FunctionId,
    /// The types of its parameters, and whether each is passed by reference.
    pub parameters: Vec<(Type, bool)>,
    /// The type of its result, if that is a single value.
    pub result: Option<Type>,
    /// Whether its result is a whole array or record, stored where its last parameter refers to.
    pub whole: bool,
    /// What it changes besides its own frame.
    pub changes: Changes,
}

/// A function that sets clocks.
#[derive(Clone, Debug)]
pub(super) struct Setter {
    /// The function as written.
    pub function: Function,
    /// Which of its parameters are clocks.
    pub clocks: Vec<bool>,
    /// How many scopes it can see.
    pub depth: usize,
    /// Where the names that it uses were declared.
    pub names: BTreeMap<String, Span>,
    /// The function without clocks, if anything is left then.
    pub data: Option<FunctionSymbol>,
    /// Where it is declared.
    pub owner: Option<Owner>,
    /// Its statements as functions of their own, once they are needed.
    pub parts: OnceCell<Vec<Rc<Setter>>>,
}

impl Setter {
    /// Whether its statements can be carried out one after the other, each as a function of its own with the same
    /// arguments: it has no local variables, result and `return`, and does not change parameters by value.
    pub fn has_parts(&self) -> bool {
        let Function { parameters, result, body, .. } = &self.function;
        let values: Vec<&str> = parameters
            .iter()
            .zip(&self.clocks)
            .filter(|(parameter, clock)| !parameter.reference && !**clock)
            .map(|(parameter, _)| parameter.name.text.as_str())
            .collect();
        let is_kept = |statement: &Statement| {
            let effects = statement.footprint();
            let mut changed = effects.assigned.iter().chain(&effects.passed);
            !effects.returns && !changed.any(|name| values.contains(&name.as_str()))
        };
        let single = |statement: &Statement| matches!(statement.kind, StatementKind::Expr(_));
        let several = body.statements.len() > 1
            || parameters.is_empty() && body.statements.iter().all(single);
        several
            && result.kind == TypeKind::Void
            && body.declarations.is_empty()
            && body.statements.iter().all(is_kept)
    }
}

/// Names in nested scopes; inner ones hide outer ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Scopes {
    scopes: Vec<BTreeMap<String, Symbol>>,
}

impl Scopes {
    pub fn push(&mut self) {
        self.scopes.push(BTreeMap::new());
    }

    pub fn pop(&mut self) -> BTreeMap<String, Symbol> {
        self.scopes.pop().unwrap_or_default()
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Closes all scopes but the outermost ones, to be put back later.
    pub fn cut(&mut self, depth: usize) -> Self {
        Self { scopes: self.scopes.split_off(depth.min(self.scopes.len())) }
    }

    /// Opens the scopes again that were cut off.
    pub fn put_back(&mut self, mut inner: Self) {
        self.scopes.append(&mut inner.scopes);
    }

    /// Gives a name another meaning where it is declared.
    pub fn replace(&mut self, name: &str, meaning: Meaning) {
        if let Some(symbol) = self.scopes.iter_mut().rev().find_map(|scope| scope.get_mut(name)) {
            symbol.meaning = meaning;
        }
    }

    /// Declares a name in the innermost scope; the earlier declaration there, if any, is returned
    /// and stays.
    pub fn declare(&mut self, name: &str, symbol: Symbol) -> Result<(), Span> {
        let scope = self.scopes.last_mut().expect("a scope is open while declarations are lowered");
        match scope.get(name) {
            Some(earlier) => Err(earlier.span),
            None => {
                scope.insert(name.to_owned(), symbol);
                Ok(())
            }
        }
    }

    pub fn find(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// All names that can be seen and satisfy the filter, in order.
    pub fn names(&self, mut filter: impl FnMut(&Meaning) -> bool) -> Vec<&str> {
        let mut names = Vec::new();
        for (name, symbol) in self.scopes.iter().rev().flatten() {
            if filter(&symbol.meaning) {
                names.push(name.as_str());
            }
        }
        names
    }
}
