//! Declarations, types, functions and statements as written.

use tioga_base::Span;

use super::{Direction, Expr, Name};

/// A declaration and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    /// What is declared.
    pub kind: DeclarationKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of declarations.
#[derive(Clone, PartialEq, Debug)]
pub enum DeclarationKind {
    /// Variables, constants, clocks or channels: `int[0,5] a = 1, b[3];`.
    Variables {
        /// `const`: the value never changes and is known when the model is loaded.
        constant: bool,
        /// `param`: a symbolic constant, fixed once at the start of every run.
        symbolic: bool,
        /// `meta`: not part of the state for search (UPPAAL).
        meta: bool,
        /// The common type.
        ty: TypeExpr,
        /// The declared names.
        declarators: Vec<Declarator>,
        /// `where φ`: what holds of symbolic constants.
        condition: Option<Expr>,
    },
    /// Plain action labels that synchronise with nothing: `internal load, pass;`.
    Internal(Vec<Name>),
    /// `typedef T name;`
    Typedef(TypeExpr, Vec<Declarator>),
    /// A function.
    Function(Function),
}

/// A declared name with its array dimensions, parameters and initial value.
#[derive(Clone, PartialEq, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Name,
    /// Array dimensions, outermost first; each is a size or a bounded type.
    pub dimensions: Vec<TypeExpr>,
    /// Communication parameters, for channels only.
    pub parameters: Vec<Parameter>,
    /// The initial value.
    pub initializer: Option<Initializer>,
}

/// An initial value.
#[derive(Clone, PartialEq, Debug)]
pub enum Initializer {
    /// A single value.
    Expr(Expr),
    /// `{ a, b }` or `{ x: a, y: b }`, with its place.
    List(Vec<(Option<Name>, Initializer)>, Span),
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `int` (−32768 to 32767) or `int[lo, hi]`.
    Int(Option<Box<(Expr, Expr)>>),
    /// `integer`, unbounded.
    Integer,
    /// `rational`, unbounded.
    Rational,
    /// `clock`
    Clock,
    /// `chan` with its qualities, or `input`, `output`.
    Channel(ChannelType),
    /// `scalar[n]`
    Scalar(Box<Expr>),
    /// `struct { … }`
    Struct(Vec<Field>),
    /// A name given by `typedef`.
    Named(Name),
    /// The result of a function without one.
    Void,
    /// An array dimension given by its size; only inside [`Declarator::dimensions`].
    Size(Box<Expr>),
}

/// The qualities of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ChannelType {
    /// Time does not pass while a synchronisation is enabled.
    pub urgent: bool,
    /// One sender, all receivers that can.
    pub broadcast: bool,
    /// Which way it crosses the interface of the system under test, if declared.
    pub direction: Option<Direction>,
}

/// Some fields of a record that share a type.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// The common type.
    pub ty: TypeExpr,
    /// The fields; without initial values.
    pub declarators: Vec<Declarator>,
}

/// A parameter of a template, function, instance or action.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// `const`
    pub constant: bool,
    /// `&`
    pub reference: bool,
    /// The type.
    pub ty: TypeExpr,
    /// The name; empty when an action leaves its parameter unnamed.
    pub name: Name,
    /// Array dimensions.
    pub dimensions: Vec<TypeExpr>,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// The type of the result.
    pub result: TypeExpr,
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// What it does.
    pub body: Block,
}

/// Local declarations followed by statements.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Local variables, types and constants.
    pub declarations: Vec<Declaration>,
    /// The statements in order.
    pub statements: Vec<Statement>,
    /// Its place.
    pub span: Span,
}

/// A statement and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// An expression for its effect.
    Expr(Expr),
    /// `{ … }`
    Block(Block),
    /// `if (c) s else t`
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    /// `while (c) s`
    While(Expr, Box<Statement>),
    /// `do s while (c);`
    DoWhile(Box<Statement>, Expr),
    /// `for (a; c; b) s`; each part may be missing.
    For(Option<Expr>, Option<Expr>, Option<Expr>, Box<Statement>),
    /// `for (i : T) s`
    ForEach(Name, TypeExpr, Box<Statement>),
    /// `return e;`
    Return(Option<Expr>),
}

impl Declaration {
    /// The declaration of one channel.
    pub fn channel(name: Name, channel: ChannelType, span: Span) -> Self {
        let declarator =
            Declarator { name, dimensions: Vec::new(), parameters: Vec::new(), initializer: None };
        let kind = DeclarationKind::Variables {
            constant: false,
            symbolic: false,
            meta: false,
            ty: TypeExpr { kind: TypeKind::Channel(channel), span },
            declarators: vec![declarator],
            condition: None,
        };
        Self { kind, span }
    }

    /// Whether this declaration introduces the name.
    pub fn declares(&self, name: &str) -> bool {
        self.names().any(|declared| declared.text == name)
    }

    /// The names this declaration introduces.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        let (declarators, plain, function): (&[Declarator], &[Name], _) = match &self.kind {
            DeclarationKind::Variables { declarators, .. }
            | DeclarationKind::Typedef(_, declarators) => (declarators, &[], None),
            DeclarationKind::Internal(names) => (&[], names, None),
            DeclarationKind::Function(function) => (&[], &[], Some(&function.name)),
        };
        declarators.iter().map(|one| &one.name).chain(plain).chain(function)
    }
}
