//! A whole model file and its items.

use tioga_base::{Rational, Span};

use super::{Declaration, Direction, Expr, Name, Parameter, Query, Template, WallUnit};

/// The language a document was written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// `.tioga`. Interface channels are declared; an undeclared one is internal. The front end
    /// folds the quotient of two number literals into a rational literal.
    Tioga,
    /// UPPAAL. A channel used on one side only, without partner in the system, becomes an action
    /// of the environment unless the model is read as a closed system; templates with only scalar or bounded integer parameters are
    /// instantiated for all values when the system line names them bare.
    Uppaal,
    /// TChecker. Plain labels synchronise through [`SyncVector`]s only; `P.x` is not a name.
    Tchecker,
}

/// A whole model file.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    /// The language it was written in.
    pub dialect: Dialect,
    /// The items in file order.
    pub items: Vec<Item>,
    /// The comments and blank lines in file order; only kept for `.tioga`, where `fmt` needs them.
    pub comments: Vec<Comment>,
}

/// A comment, with its delimiters. An empty text stands for a blank line between two things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Its text, from `//` to the end of the line or from `/*` to `*/`.
    pub text: String,
    /// Its place.
    pub span: Span,
    /// Whether something else precedes it on its line.
    pub trailing: bool,
}

/// One item of a model file.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// `model NAME;`, the name of the whole.
    Name(Name),
    /// `time unit 1 ms;`
    TimeUnit(TimeUnit),
    /// A global declaration: data, clocks, channels, types, functions.
    Declaration(Declaration),
    /// An automaton or a test purpose.
    Template(Template),
    /// `P = Train(3);`
    Instance(Instance),
    /// The processes that run together.
    System(System),
    /// A synchronisation vector.
    Sync(SyncVector),
    /// A property or objective.
    Query(Query),
}

impl Item {
    /// Where the item stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Name(name) => name.span,
            Self::TimeUnit(unit) => unit.span,
            Self::Declaration(declaration) => declaration.span,
            Self::Template(template) => template.span,
            Self::Instance(instance) => instance.span,
            Self::System(system) => system.span,
            Self::Sync(sync) => sync.span,
            Self::Query(query) => query.span,
        }
    }
}

/// What one unit of model time is in wall-clock terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeUnit {
    /// How many of `unit`, positive.
    pub amount: Rational,
    /// The unit of wall-clock time.
    pub unit: WallUnit,
    /// Its place.
    pub span: Span,
}

/// A named process made from a template: `P(const int i) = Train(i, 3);`.
#[derive(Clone, PartialEq, Debug)]
pub struct Instance {
    /// The new name.
    pub name: Name,
    /// Parameters left open by this instance.
    pub params: Vec<Parameter>,
    /// The template or instance it comes from.
    pub template: Name,
    /// Its arguments.
    pub arguments: Vec<Expr>,
    /// Its place.
    pub span: Span,
}

/// The processes that run together. Without this item, every automaton without parameters runs
/// once, in file order, as a process of the system under test.
#[derive(Clone, PartialEq, Debug)]
pub struct System {
    /// Processes of the system under test, in order.
    pub system: Vec<ProcessUse>,
    /// Processes of its environment, in order.
    pub environment: Vec<ProcessUse>,
    /// Its place.
    pub span: Span,
}

/// A process in the system line: a template or instance, with arguments or bare.
#[derive(Clone, PartialEq, Debug)]
pub struct ProcessUse {
    /// The template or instance.
    pub name: Name,
    /// Arguments; `None` when written bare, which instantiates all values of open parameters.
    pub arguments: Option<Vec<Expr>>,
    /// Its place.
    pub span: Span,
}

/// A set of processes that take edges with given plain labels together.
#[derive(Clone, PartialEq, Debug)]
pub struct SyncVector {
    /// The participants, in order; at most one part per process.
    pub parts: Vec<SyncPart>,
    /// The interface action the joint step shows, if any.
    pub shown: Option<(Direction, Name)>,
    /// Its place.
    pub span: Span,
}

/// One participant of a synchronisation vector.
#[derive(Clone, PartialEq, Debug)]
pub struct SyncPart {
    /// The process.
    pub process: Name,
    /// The plain label of its edge.
    pub action: Name,
    /// Whether the joint step also happens without it.
    pub weak: bool,
}

impl Document {
    /// An empty document.
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, items: Vec::new(), comments: Vec::new() }
    }

    /// The automata and purposes in file order.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        self.items.iter().filter_map(|item| match item {
            Item::Template(template) => Some(template),
            _ => None,
        })
    }

    /// The global declarations in file order.
    pub fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.items.iter().filter_map(|item| match item {
            Item::Declaration(declaration) => Some(declaration),
            _ => None,
        })
    }

    /// The properties and objectives in file order.
    pub fn queries(&self) -> impl Iterator<Item = &Query> {
        self.items.iter().filter_map(|item| match item {
            Item::Query(query) => Some(query),
            _ => None,
        })
    }
}
