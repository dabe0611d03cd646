//! Data expressions, places, statements and functions: resolved, typed, in one arena.

use smallvec::SmallVec;
use tioga_base::{IdVec, Rational, Span};

use crate::{ExprId, FunctionId, LocationId, ProcessId, Type};

/// All expressions and functions of a network.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Code {
    /// The expressions; operands come before the expressions that use them.
    pub nodes: IdVec<ExprId, Node>,
    /// The functions.
    pub functions: IdVec<FunctionId, Function>,
    /// The slots of constant arrays and records; they are no part of the state.
    pub constants: Vec<i64>,
    /// What the slots of constants are called, in order.
    pub tables: Vec<ConstantTable>,
}

/// A constant array or record.
#[derive(Clone, PartialEq, Debug)]
pub struct ConstantTable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its first slot among [`Code::constants`].
    pub first_slot: u32,
}

/// Where a function is declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Home {
    /// Outside all processes.
    Global,
    /// In a process.
    Process(ProcessId),
    /// In the purpose at this position.
    Purpose(u32),
}

/// An expression with the kind of its value and the place it was written at.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// What to compute.
    pub expr: Expr,
    /// What comes out.
    pub kind: Kind,
    /// Where it was written.
    pub span: Span,
}

/// The kind of a single value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A truth value, 0 or 1.
    Bool,
    /// A 64-bit integer.
    Int,
    /// A rational, in two slots.
    Rational,
}

/// The values a place admits, both ends included; a value outside is a fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
}

/// An expression. Operators on mixed integer and rational operands promote to rationals.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// An integer or truth value.
    Int(i64),
    /// A rational.
    Rational(Rational),
    /// The value at a place.
    Load(Lvalue),
    /// A prefix operator.
    Unary(UnaryOp, ExprId),
    /// An infix operator. `And`, `Or` and `Imply` evaluate their right side only if needed.
    Binary(BinaryOp, ExprId, ExprId),
    /// Condition, value if it holds, value if not.
    Conditional(ExprId, ExprId, ExprId),
    /// Stores a value and yields it.
    Assign(Lvalue, ExprId, Option<Range>),
    /// Stores a value and yields what was there before.
    Exchange(Lvalue, ExprId, Option<Range>),
    /// The result of a function, or 0 if it has none.
    Call(FunctionId, Vec<Argument>),
    /// Evaluates the body once for each value of the frame slot in the range.
    Quantified(Quantifier, u32, Range, ExprId),
    /// Whether two stretches of slots are equal.
    Same(Lvalue, Lvalue, u32),
    /// Whether a process is in a location; in queries and purposes.
    At(ProcessId, LocationId),
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`, `not`
    Not,
    /// `+`, which does nothing
    Plus,
}

/// Infix operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, truncating on integers, exact on rationals
    Div,
    /// `%`, with the sign of the left side
    Mod,
    /// `<?`, the lesser of two
    Min,
    /// `>?`, the greater of two
    Max,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `>=`
    Ge,
    /// `>`
    Gt,
    /// `&&`, `and`
    And,
    /// `||`, `or`
    Or,
    /// `imply`
    Imply,
}

/// Quantifiers over finite types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `sum`
    Sum,
}

/// Where a value lives: a base, a fixed offset, and checked indices.
#[derive(Clone, PartialEq, Debug)]
pub struct Lvalue {
    /// What the offset counts from.
    pub base: Base,
    /// Slots from the base.
    pub offset: u32,
    /// Indices known only when evaluated.
    pub indices: SmallVec<[Dynamic; 1]>,
}

impl Lvalue {
    /// The slots from the base it may reach, `width` slots at its end included.
    pub(crate) fn extent(&self, width: u64) -> u64 {
        self.indices.iter().fold(u64::from(self.offset).saturating_add(width), |sum, dynamic| {
            let last = u64::from(dynamic.length.saturating_sub(1));
            sum.saturating_add(last.saturating_mul(u64::from(dynamic.stride)))
        })
    }
}

/// What the offset of a place counts from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// The data slots of the state.
    Global,
    /// [`Code::constants`]; never stored to.
    Constant,
    /// The frame of the running function, or of the edge.
    Frame,
    /// The address stored in this slot of the frame: a parameter passed by reference.
    Reference(u32),
}

/// An index known only when evaluated. A value outside `first .. first + length` is a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dynamic {
    /// The index.
    pub index: ExprId,
    /// The index of the first element.
    pub first: i64,
    /// The number of elements.
    pub length: u32,
    /// Slots per element.
    pub stride: u32,
}

/// An argument of a call; arguments fill the frame from slot 0 in order.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A single value with the range of the parameter.
    Value(ExprId, Option<Range>),
    /// A copy of this many slots.
    Copy(Lvalue, u32),
    /// The address of a place, one slot.
    Reference(Lvalue),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// An expression for its effect.
    Expr(ExprId),
    /// Copies as many slots as there are ranges, each checked against its range.
    Copy {
        /// Where to.
        target: Lvalue,
        /// Where from.
        source: Lvalue,
        /// The range of each slot of the target.
        ranges: Vec<Option<Range>>,
    },
    /// One after the other.
    Block(Vec<Statement>),
    /// Two ways.
    If(ExprId, Box<Statement>, Option<Box<Statement>>),
    /// A loop tested first.
    While(ExprId, Box<Statement>),
    /// A loop tested last.
    DoWhile(Box<Statement>, ExprId),
    /// Runs the body once for each value of the frame slot in the range.
    ForEach(u32, Range, Box<Statement>),
    /// Leaves the function.
    Return(Option<ExprId>),
}

/// A function. Its frame holds the parameters, then its local variables.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub home: Home,
    /// How many of its variables are parameters.
    pub parameters: usize,
    /// Its parameters, then its local and bound variables, in order of slots.
    pub variables: Vec<Local>,
    /// Slots of its frame.
    pub frame: u32,
    /// What it does.
    pub body: Statement,
    /// The kind of its result, if it has one.
    pub result: Option<Kind>,
    /// The range its result must lie in.
    pub range: Option<Range>,
    /// Where it was written.
    pub span: Span,
}

/// A parameter, local variable or bound name of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its first slot in the frame.
    pub slot: u32,
    /// Whether the slot holds the address of what the caller passes.
    pub reference: bool,
}

impl Code {
    /// Adds an expression.
    pub fn push(&mut self, expr: Expr, kind: Kind, span: Span) -> ExprId {
        self.nodes.push(Node { expr, kind, span })
    }

    /// The value of an expression that is an integer or truth value literal.
    pub fn constant(&self, expr: ExprId) -> Option<i64> {
        match self.nodes[expr].expr {
            Expr::Int(value) => Some(value),
            _ => None,
        }
    }
}

impl Lvalue {
    /// A place in the data of the state.
    pub fn global(offset: u32) -> Self {
        Self { base: Base::Global, offset, indices: SmallVec::new() }
    }

    /// A place in the frame.
    pub fn frame(offset: u32) -> Self {
        Self { base: Base::Frame, offset, indices: SmallVec::new() }
    }
}
