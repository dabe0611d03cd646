//! Automata and test purposes as written.

use tioga_base::Span;

use super::{Control, Declaration, Expr, Marks, Name, Parameter, TypeExpr};

/// An automaton or a test purpose, possibly with parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    /// Which of the two.
    pub kind: TemplateKind,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Parameter>,
    /// Its contents in file order.
    pub items: Vec<TemplateItem>,
    /// Its place.
    pub span: Span,
}

/// Automaton or purpose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TemplateKind {
    /// Part of a network.
    Automaton,
    /// An observer that says what is worth testing.
    Purpose,
}

/// One item of an automaton.
#[derive(Clone, PartialEq, Debug)]
pub enum TemplateItem {
    /// A local declaration.
    Declaration(Declaration),
    /// One or more locations with the same marks and invariant.
    Locations(LocationDecl),
    /// One edge, or one per source location.
    Edge(Box<EdgeDecl>),
    /// `otherwise self;` or `otherwise -> L;`: completes a purpose without resets.
    Otherwise(Otherwise),
    /// `restart a?;`: the action that resets a purpose's clocks and returns it to its start.
    Restart(ActionUse),
}

/// What a purpose does on an action it says nothing about.
#[derive(Clone, PartialEq, Debug)]
pub struct Otherwise {
    /// Where it goes.
    pub target: Target,
    /// Its place.
    pub span: Span,
}

/// Locations declared together.
#[derive(Clone, PartialEq, Debug)]
pub struct LocationDecl {
    /// Their names; at least one. UPPAAL's unnamed locations get their id as name.
    pub names: Vec<Name>,
    /// Their marks.
    pub marks: Marks,
    /// Free labels, TChecker's `labels:`.
    pub labels: Vec<Name>,
    /// Their invariant.
    pub invariant: Option<Expr>,
    /// Its place.
    pub span: Span,
}

/// An edge as written.
#[derive(Clone, PartialEq, Debug)]
pub struct EdgeDecl {
    /// The locations it leaves; one edge for each.
    pub sources: Vec<Name>,
    /// Where it goes.
    pub target: Target,
    /// `-c->` or `-u->`; without it, inputs are controllable and everything else is not.
    pub control: Option<Control>,
    /// What it does visibly; nothing for an unnamed internal step.
    pub action: Option<ActionUse>,
    /// The output of a Mealy step `a? / b!`.
    pub reply: Option<ActionUse>,
    /// Nondeterministically chosen values, scoped over the whole edge.
    pub selects: Vec<Select>,
    /// When it may be taken.
    pub guard: Option<Expr>,
    /// What it changes, in order: assignments and calls.
    pub updates: Vec<Expr>,
    /// Its place.
    pub span: Span,
}

/// Where an edge goes.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// To a location.
    Location(Name),
    /// Back to the location it left.
    Same(Span),
}

/// A nondeterministically chosen value.
#[derive(Clone, PartialEq, Debug)]
pub struct Select {
    /// Its name.
    pub name: Name,
    /// Its finite type.
    pub ty: TypeExpr,
}

/// An action on an edge: `appr[e]?`, `set(3)!`, `load`.
#[derive(Clone, PartialEq, Debug)]
pub struct ActionUse {
    /// The channel or plain label.
    pub name: Name,
    /// Indices into an array of channels.
    pub indices: Vec<Expr>,
    /// Arguments: expressions when sending; fresh names or values when receiving.
    pub arguments: Vec<Expr>,
    /// Which side.
    pub communication: Communication,
    /// Its place.
    pub span: Span,
}

/// The side an edge takes in a communication.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Communication {
    /// `a!`
    Send,
    /// `a?`
    Receive,
    /// A plain label.
    Plain,
}

impl Template {
    /// Whether a variable, clock, channel, type or function of this name is declared inside.
    pub fn declares(&self, name: &str) -> bool {
        self.items.iter().any(|item| match item {
            TemplateItem::Declaration(declaration) => declaration.declares(name),
            _ => false,
        })
    }
}
