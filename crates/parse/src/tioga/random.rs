//! Random documents for property tests. A list of bytes decides every choice, so that shorter and
//! smaller lists mean simpler documents; only trees a parser can produce are made.

use tioga_base::{Rational, Span};

use crate::syntax::*;

/// Names, words with a meaning in few places among them.
const NAMES: [&str; 16] = [
    "x", "y", "restart", "fail", "labels", "model", "time", "unit", "sync", "as", "E", "A", "U",
    "W", "control", "under",
];

/// How many infix operators a generated expression may have at most in depth.
const DEPTH: u32 = 5;

pub(crate) struct Choices<'b> {
    bytes: &'b [u8],
}

impl<'b> Choices<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// A number below `count`; 0 when the bytes are used up.
    pub(crate) fn pick(&mut self, count: usize) -> usize {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                usize::from(*first) % count
            }
            None => 0,
        }
    }

    fn flag(&mut self) -> bool {
        self.pick(2) == 1
    }

    fn many<T>(
        &mut self,
        least: usize,
        most: usize,
        mut one: impl FnMut(&mut Self) -> T,
    ) -> Vec<T> {
        let count = least + self.pick(most - least + 1);
        (0..count).map(|_| one(self)).collect()
    }

    fn name(&mut self) -> Name {
        name(NAMES[self.pick(NAMES.len())])
    }

    fn type_name(&mut self) -> Name {
        name(["T", "Id"][self.pick(2)])
    }

    pub(crate) fn document(&mut self) -> Document {
        let mut document = Document::new(Dialect::Tioga);
        document.items = self.many(0, 5, Self::item);
        document
    }

    fn item(&mut self) -> Item {
        match self.pick(10) {
            0 | 1 => Item::Declaration(self.declaration(true)),
            2 => Item::Name(self.name()),
            3 => Item::TimeUnit(TimeUnit {
                amount: Rational::new(1 + self.pick(20) as i64, 1 + self.pick(4) as i64).unwrap(),
                unit: super::item::UNITS[self.pick(6)].1,
                span: Span::default(),
            }),
            4 => Item::Instance(Instance {
                name: self.name(),
                params: self.many(0, 2, |c| c.parameter(true)),
                template: self.name(),
                arguments: self.many(0, 2, |c| c.expr(DEPTH)),
                span: Span::default(),
            }),
            5 => Item::System(System {
                system: self.many(1, 3, Self::process_use),
                environment: self.many(0, 2, Self::process_use),
                span: Span::default(),
            }),
            6 => Item::Sync(SyncVector {
                parts: self.many(1, 3, |c| SyncPart {
                    process: c.name(),
                    action: c.name(),
                    weak: c.flag(),
                }),
                shown: match self.pick(3) {
                    0 => None,
                    1 => Some((Direction::Input, self.name())),
                    _ => Some((Direction::Output, self.name())),
                },
                span: Span::default(),
            }),
            7 => Item::Query(Query {
                formula: self.formula(),
                comment: if self.flag() { Some("it // works".to_owned()) } else { None },
                span: Span::default(),
            }),
            _ => Item::Template(self.template()),
        }
    }

    fn process_use(&mut self) -> ProcessUse {
        let arguments = if self.flag() { Some(self.many(0, 2, |c| c.expr(DEPTH))) } else { None };
        ProcessUse { name: self.name(), arguments, span: Span::default() }
    }

    fn formula(&mut self) -> Formula {
        let first = self.expr(DEPTH);
        let second = self.expr(DEPTH);
        let objective = match self.pick(4) {
            0 => Objective::Reach(first.clone()),
            1 => Objective::Stay(first.clone()),
            2 => Objective::Until(first.clone(), second.clone()),
            _ => Objective::WeakUntil(first.clone(), second.clone()),
        };
        match self.pick(9) {
            0 => Formula::Reachable(first),
            1 => Formula::Always(first),
            2 => Formula::Inevitable(first),
            3 => Formula::Possibly(first),
            4 => Formula::LeadsTo(first, second),
            5 => Formula::Control(objective),
            6 => Formula::Cooperative(objective),
            7 => {
                let inside = if self.flag() { Some(first) } else { None };
                Formula::Extent(Ends::ALL[self.pick(3)], inside, self.many(1, 2, |c| c.expr(DEPTH)))
            }
            _ => Formula::Other("Pr[<=10; 3](<> x.y)".to_owned()),
        }
    }

    fn template(&mut self) -> Template {
        let purpose = self.flag();
        Template {
            kind: if purpose { TemplateKind::Purpose } else { TemplateKind::Automaton },
            name: self.name(),
            params: self.many(0, 2, |c| c.parameter(true)),
            items: self.many(0, 6, |c| c.template_item(purpose)),
            span: Span::default(),
        }
    }

    fn template_item(&mut self, purpose: bool) -> TemplateItem {
        match self.pick(if purpose { 8 } else { 6 }) {
            0 => TemplateItem::Declaration(self.declaration(true)),
            1 | 2 => TemplateItem::Locations(LocationDecl {
                names: self.many(1, 3, Self::name),
                marks: Marks {
                    initial: self.flag(),
                    urgent: self.flag(),
                    committed: self.flag(),
                    accept: self.flag(),
                    refuse: self.flag(),
                    fail: self.flag(),
                    desired: self.flag(),
                },
                labels: self.many(0, 2, Self::name),
                invariant: self.maybe_expr(),
                span: Span::default(),
            }),
            6 => {
                TemplateItem::Otherwise(Otherwise { target: self.target(), span: Span::default() })
            }
            7 => TemplateItem::Restart(self.action()),
            _ => TemplateItem::Edge(Box::new(self.edge())),
        }
    }

    fn edge(&mut self) -> EdgeDecl {
        let action = if self.flag() { Some(self.action()) } else { None };
        let reply = if action.is_some() && self.flag() { Some(self.action()) } else { None };
        EdgeDecl {
            sources: self.many(1, 3, Self::name),
            target: self.target(),
            control: [None, Some(Control::Controllable), Some(Control::Uncontrollable)]
                [self.pick(3)],
            action,
            reply,
            selects: self.many(0, 2, |c| Select { name: c.name(), ty: c.type_expr() }),
            guard: self.maybe_expr(),
            updates: self.many(0, 2, |c| c.expr(DEPTH)),
            span: Span::default(),
        }
    }

    fn target(&mut self) -> Target {
        if self.flag() { Target::Same(Span::default()) } else { Target::Location(self.name()) }
    }

    fn action(&mut self) -> ActionUse {
        ActionUse {
            name: self.name(),
            indices: self.many(0, 2, |c| c.expr(DEPTH)),
            arguments: self.many(0, 2, |c| c.expr(DEPTH)),
            communication: [Communication::Plain, Communication::Send, Communication::Receive]
                [self.pick(3)],
            span: Span::default(),
        }
    }

    fn declaration(&mut self, functions: bool) -> Declaration {
        let symbolic = self.flag();
        let kind = match self.pick(if functions { 6 } else { 3 }) {
            0 | 1 => DeclarationKind::Variables {
                constant: self.flag(),
                symbolic,
                meta: self.flag(),
                ty: self.type_expr(),
                declarators: self.many(1, 2, |c| c.declarator(false)),
                condition: (symbolic && self.flag()).then(|| self.expr(DEPTH)),
            },
            2 => {
                DeclarationKind::Typedef(self.type_expr(), self.many(1, 2, |c| c.declarator(false)))
            }
            3 => DeclarationKind::Internal(self.many(1, 3, Self::name)),
            4 => {
                let channel = ChannelType {
                    urgent: self.flag(),
                    broadcast: self.flag(),
                    direction: [None, Some(Direction::Input), Some(Direction::Output)]
                        [self.pick(3)],
                };
                DeclarationKind::Variables {
                    constant: false,
                    symbolic: false,
                    meta: false,
                    ty: ty(TypeKind::Channel(channel)),
                    declarators: self.many(1, 2, |c| c.declarator(true)),
                    condition: None,
                }
            }
            _ => DeclarationKind::Function(Function {
                result: if self.flag() { ty(TypeKind::Void) } else { self.type_expr() },
                name: self.name(),
                parameters: self.many(0, 2, |c| c.parameter(true)),
                body: self.block(3),
            }),
        };
        Declaration { kind, span: Span::default() }
    }

    fn declarator(&mut self, channel: bool) -> Declarator {
        Declarator {
            name: self.name(),
            dimensions: self.many(0, 1, Self::dimension),
            parameters: if channel { self.many(0, 2, |c| c.parameter(false)) } else { Vec::new() },
            initializer: if self.flag() { Some(self.initializer(2)) } else { None },
        }
    }

    fn dimension(&mut self) -> TypeExpr {
        match self.pick(3) {
            0 => ty(TypeKind::Size(Box::new(self.expr(2)))),
            1 => ty(TypeKind::Bool),
            _ => ty(TypeKind::Int(Some(Box::new((self.expr(2), self.expr(2)))))),
        }
    }

    fn initializer(&mut self, depth: u32) -> Initializer {
        if depth == 0 || !self.flag() {
            return Initializer::Expr(self.expr(3));
        }
        let parts = self.many(1, 3, |c| {
            let field = if c.flag() { Some(c.name()) } else { None };
            (field, c.initializer(depth - 1))
        });
        Initializer::List(parts, Span::default())
    }

    fn parameter(&mut self, named: bool) -> Parameter {
        let named = named || self.flag();
        Parameter {
            constant: self.flag(),
            reference: self.flag(),
            ty: self.type_expr(),
            name: if named { self.name() } else { name("") },
            dimensions: if named { self.many(0, 1, Self::dimension) } else { Vec::new() },
        }
    }

    fn type_expr(&mut self) -> TypeExpr {
        ty(match self.pick(9) {
            0 => TypeKind::Bool,
            1 => TypeKind::Int(None),
            2 => TypeKind::Integer,
            3 => TypeKind::Rational,
            4 => TypeKind::Clock,
            5 => TypeKind::Named(self.type_name()),
            6 => TypeKind::Scalar(Box::new(self.expr(2))),
            7 => TypeKind::Struct(self.many(1, 2, |c| Field {
                ty: ty(TypeKind::Named(c.type_name())),
                declarators: c.many(1, 2, |c| c.declarator(false)),
            })),
            _ => TypeKind::Int(Some(Box::new((self.expr(2), self.expr(2))))),
        })
    }

    fn block(&mut self, depth: u32) -> Block {
        Block {
            declarations: self.many(0, 2, |c| c.declaration(false)),
            statements: self.many(0, 3, |c| c.statement(depth)),
            span: Span::default(),
        }
    }

    fn statement(&mut self, depth: u32) -> Statement {
        let kind = match self.pick(if depth == 0 { 4 } else { 10 }) {
            0 => StatementKind::Empty,
            1 => StatementKind::Expr(self.expr(DEPTH)),
            2 | 3 => StatementKind::Return(self.maybe_expr()),
            4 => StatementKind::Block(self.block(depth - 1)),
            5 => StatementKind::While(self.expr(DEPTH), Box::new(self.statement(depth - 1))),
            6 => StatementKind::DoWhile(Box::new(self.statement(depth - 1)), self.expr(DEPTH)),
            7 => StatementKind::For(
                self.maybe_expr(),
                self.maybe_expr(),
                self.maybe_expr(),
                Box::new(self.statement(depth - 1)),
            ),
            8 => StatementKind::ForEach(
                self.name(),
                self.type_expr(),
                Box::new(self.statement(depth - 1)),
            ),
            _ => {
                let condition = self.expr(DEPTH);
                let no = if self.flag() { Some(Box::new(self.statement(depth - 1))) } else { None };
                let yes = if no.is_some() {
                    // Any `else` must find its own `if`.
                    StatementKind::Block(self.block(depth - 1))
                } else {
                    self.statement(depth - 1).kind
                };
                let yes = Statement { kind: yes, span: Span::default() };
                StatementKind::If(condition, Box::new(yes), no)
            }
        };
        Statement { kind, span: Span::default() }
    }

    fn maybe_expr(&mut self) -> Option<Expr> {
        if self.flag() { Some(self.expr(DEPTH)) } else { None }
    }

    pub(crate) fn expr(&mut self, depth: u32) -> Expr {
        let leaf = depth == 0;
        let boxed = |c: &mut Self| Box::new(c.expr(depth - 1));
        let kind = match self.pick(if leaf { 5 } else { 15 }) {
            0 => ExprKind::Name(NAMES[self.pick(NAMES.len())].to_owned()),
            1 => ExprKind::Int(self.pick(7) as i64 - 3),
            2 => ExprKind::Bool(self.flag()),
            3 => ExprKind::Rational(
                Rational::new(2 * self.pick(5) as i64 - 5, 2).expect("small numbers"),
            ),
            4 => ExprKind::Deadlock,
            5 => ExprKind::Index(boxed(self), boxed(self)),
            6 => ExprKind::Field(boxed(self), self.name()),
            7 => {
                let callee = Expr::new(ExprKind::Name("f".to_owned()), Span::default());
                ExprKind::Call(Box::new(callee), self.many(0, 2, |c| c.expr(depth - 1)))
            }
            8 => {
                let op = [UnaryOp::Not, UnaryOp::Neg, UnaryOp::Plus][self.pick(3)];
                let operand = boxed(self);
                let literal = is_literal(&operand);
                ExprKind::Unary(if literal { UnaryOp::Not } else { op }, operand)
            }
            9 => ExprKind::Conditional(boxed(self), boxed(self), boxed(self)),
            10 => {
                let op = match self.pick(3) {
                    0 => AssignOp::Set,
                    1 => AssignOp::Compound(BinaryOp::ShiftLeft),
                    _ => AssignOp::Compound(BinaryOp::Sub),
                };
                ExprKind::Assign(op, boxed(self), boxed(self))
            }
            11 => {
                let step = [CountOp::Increment, CountOp::Decrement][self.pick(2)];
                let position = [CountPosition::Before, CountPosition::After][self.pick(2)];
                ExprKind::Count(step, position, boxed(self))
            }
            12 => {
                let quantifier = [Quantifier::Forall, Quantifier::Exists, Quantifier::Sum];
                let quantifier = quantifier[self.pick(3)];
                let bound = TypeKind::Named(self.type_name());
                ExprKind::Quantified(quantifier, self.name(), Box::new(ty(bound)), boxed(self))
            }
            _ => {
                let op = BINARY[self.pick(BINARY.len())];
                let (left, right) = (boxed(self), boxed(self));
                let quotient = op == BinaryOp::Div && is_literal(&left) && is_literal(&right);
                ExprKind::Binary(if quotient { BinaryOp::Mod } else { op }, left, right)
            }
        };
        Expr::new(kind, Span::default())
    }
}

const BINARY: [BinaryOp; 21] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Mod,
    BinaryOp::Min,
    BinaryOp::Max,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Ge,
    BinaryOp::Gt,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Imply,
];

fn is_literal(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Int(_) | ExprKind::Rational(_))
}

fn name(text: &str) -> Name {
    Name::new(text, Span::default())
}

fn ty(kind: TypeKind) -> TypeExpr {
    TypeExpr { kind, span: Span::default() }
}
