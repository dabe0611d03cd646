//! The evaluator against a slow, obvious one, and hand-checked programs.

use proptest::prelude::*;
use tioga_base::{Rational, Span};
use tioga_model::*;

/// A random expression tree over four data slots.
#[derive(Clone, Debug)]
enum Tree {
    Int(i64),
    Slot(u32),
    Element(Box<Tree>),
    Unary(UnaryOp, Box<Tree>),
    Binary(BinaryOp, Box<Tree>, Box<Tree>),
    Conditional(Box<Tree>, Box<Tree>, Box<Tree>),
}

const OPERATORS: [BinaryOp; 21] = [
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

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (-4i64..70).prop_map(Tree::Int),
        prop_oneof![Just(i64::MAX), Just(i64::MIN)].prop_map(Tree::Int),
        (0u32..4).prop_map(Tree::Slot),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let boxed = inner.prop_map(Box::new);
        let unary = proptest::sample::select(vec![UnaryOp::Neg, UnaryOp::Not, UnaryOp::Plus]);
        let binary = proptest::sample::select(OPERATORS.to_vec());
        prop_oneof![
            1 => boxed.clone().prop_map(Tree::Element),
            1 => (unary, boxed.clone()).prop_map(|(op, operand)| Tree::Unary(op, operand)),
            6 => (binary, boxed.clone(), boxed.clone()).prop_map(|(op, l, r)| Tree::Binary(op, l, r)),
            1 => (boxed.clone(), boxed.clone(), boxed).prop_map(|(c, y, n)| Tree::Conditional(c, y, n)),
        ]
    })
}

fn lower(tree: &Tree, code: &mut Code) -> ExprId {
    let expr = match tree {
        Tree::Int(value) => Expr::Int(*value),
        Tree::Slot(slot) => Expr::Load(Lvalue::global(*slot)),
        Tree::Element(index) => {
            let index = lower(index, code);
            let mut place = Lvalue::global(0);
            place.indices.push(Dynamic { index, first: 1, length: 4, stride: 1 });
            Expr::Load(place)
        }
        Tree::Unary(op, operand) => Expr::Unary(*op, lower(operand, code)),
        Tree::Binary(op, left, right) => Expr::Binary(*op, lower(left, code), lower(right, code)),
        Tree::Conditional(condition, yes, no) => {
            Expr::Conditional(lower(condition, code), lower(yes, code), lower(no, code))
        }
    };
    code.push(expr, Kind::Int, Span::default())
}

/// The value by 128-bit arithmetic; nothing where the evaluator must fault.
fn obvious(tree: &Tree, data: &[i64]) -> Option<i128> {
    let value = match tree {
        Tree::Int(value) => i128::from(*value),
        Tree::Slot(slot) => i128::from(data[*slot as usize]),
        Tree::Element(index) => {
            let position = usize::try_from(obvious(index, data)? - 1).ok()?;
            i128::from(*data.get(position)?)
        }
        Tree::Unary(op, operand) => {
            let operand = obvious(operand, data)?;
            match op {
                UnaryOp::Neg => -operand,
                UnaryOp::Not => i128::from(operand == 0),
                UnaryOp::Plus => operand,
            }
        }
        Tree::Conditional(condition, yes, no) => {
            obvious(if obvious(condition, data)? != 0 { yes } else { no }, data)?
        }
        Tree::Binary(op, left, right) => {
            let left = obvious(left, data)?;
            match op {
                BinaryOp::And if left == 0 => return Some(0),
                BinaryOp::Or if left != 0 => return Some(1),
                BinaryOp::Imply if left == 0 => return Some(1),
                _ => {}
            }
            binary(*op, left, obvious(right, data)?)?
        }
    };
    (i128::from(i64::MIN)..=i128::from(i64::MAX)).contains(&value).then_some(value)
}

fn binary(op: BinaryOp, left: i128, right: i128) -> Option<i128> {
    let truth = i128::from;
    Some(match op {
        BinaryOp::Add => left + right,
        BinaryOp::Sub => left - right,
        BinaryOp::Mul => left * right,
        BinaryOp::Div if right == 0 => return None,
        BinaryOp::Div => left / right,
        BinaryOp::Mod if right == 0 => return None,
        // The quotient must fit for the remainder to be defined, as in C.
        BinaryOp::Mod if left / right > i128::from(i64::MAX) => return None,
        BinaryOp::Mod => left - left / right * right,
        BinaryOp::Min => left.min(right),
        BinaryOp::Max => left.max(right),
        BinaryOp::ShiftLeft if (0..64).contains(&right) => left * (1i128 << right),
        BinaryOp::ShiftRight if (0..64).contains(&right) => left.div_euclid(1i128 << right),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => return None,
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::Lt => truth(left < right),
        BinaryOp::Le => truth(left <= right),
        BinaryOp::Eq => truth(left == right),
        BinaryOp::Ne => truth(left != right),
        BinaryOp::Ge => truth(left >= right),
        BinaryOp::Gt => truth(left > right),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Imply => truth(right != 0),
    })
}

proptest! {
    #[test]
    fn integer_expressions_agree_with_wide_arithmetic(
        tree in tree(),
        data in proptest::array::uniform4(-5i64..70),
    ) {
        let mut code = Code::default();
        let expr = lower(&tree, &mut code);
        let mut stack = Stack::default();
        let value = Evaluator::reading(&code, &[], &data, &mut stack).int(expr);
        prop_assert_eq!(value.ok().map(i128::from), obvious(&tree, &data), "{:?}", value);
    }
}

/// Builds code by hand.
#[derive(Default)]
struct Writer {
    code: Code,
}

impl Writer {
    fn int(&mut self, value: i64) -> ExprId {
        self.code.push(Expr::Int(value), Kind::Int, Span::default())
    }
    fn expr(&mut self, expr: Expr) -> ExprId {
        self.code.push(expr, Kind::Int, Span::default())
    }
    fn local(&mut self, slot: u32) -> ExprId {
        self.expr(Expr::Load(Lvalue::frame(slot)))
    }
    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, left, right))
    }
    fn function(&mut self, frame: u32, body: Statement) -> FunctionId {
        self.code.functions.push(Function {
            name: "f".into(),
            home: Home::Global,
            parameters: 0,
            variables: Vec::new(),
            frame,
            body,
            result: Some(Kind::Int),
            range: None,
            span: Span::default(),
        })
    }
    fn run(&self, expr: ExprId, data: &mut [i64]) -> Result<i64, EvalFaultKind> {
        let mut stack = Stack::default();
        let value = Evaluator::writing(&self.code, &[], data, &mut stack).int(expr);
        value.map_err(|fault| fault.kind)
    }
}

/// `f(n) = n <= 1 ? 1 : n * f(n - 1)`
fn factorial(w: &mut Writer, argument: i64) -> ExprId {
    let (n, one, id) = (w.local(0), w.int(1), FunctionId(0));
    let small = w.binary(BinaryOp::Le, n, one);
    let less = w.binary(BinaryOp::Sub, n, one);
    let inner = w.expr(Expr::Call(id, vec![Argument::Value(less, None)]));
    let product = w.binary(BinaryOp::Mul, n, inner);
    let result = w.expr(Expr::Conditional(small, one, product));
    w.function(1, Statement::Return(Some(result)));
    let argument = w.int(argument);
    w.expr(Expr::Call(id, vec![Argument::Value(argument, None)]))
}

#[test]
fn recursion_works_and_is_bounded() {
    let mut w = Writer::default();
    let ten = factorial(&mut w, 10);
    assert_eq!(w.run(ten, &mut []), Ok(3_628_800));
    let mut w = Writer::default();
    let too_large = factorial(&mut w, 30);
    assert_eq!(w.run(too_large, &mut []), Err(EvalFaultKind::Overflow));
    let mut w = Writer::default();
    let too_deep = factorial(&mut w, 1_000_000);
    assert_eq!(w.run(too_deep, &mut []), Err(EvalFaultKind::StackLimit));
}

#[test]
fn an_endless_loop_ends_with_a_fault() {
    let mut w = Writer::default();
    let one = w.int(1);
    let f = w.function(0, Statement::While(one, Box::new(Statement::Block(Vec::new()))));
    let call = w.expr(Expr::Call(f, Vec::new()));
    assert_eq!(w.run(call, &mut []), Err(EvalFaultKind::StepLimit));
}

#[test]
fn references_reach_globals_and_frames_of_callers() {
    let mut w = Writer::default();
    // void add(int &r, int v) { r = r + v; }
    let target = Lvalue { base: Base::Reference(0), offset: 0, indices: Default::default() };
    let (old, v) = (w.expr(Expr::Load(target.clone())), w.local(1));
    let sum = w.binary(BinaryOp::Add, old, v);
    let store = w.expr(Expr::Assign(target, sum, None));
    let add = w.function(2, Statement::Expr(store));
    // int twice(int n) { int l = n; add(l, n); add(g[1], l); return l; }
    let n = w.local(0);
    let set = w.expr(Expr::Assign(Lvalue::frame(1), n, None));
    let first = vec![Argument::Reference(Lvalue::frame(1)), Argument::Value(n, None)];
    let first = w.expr(Expr::Call(add, first));
    let l = w.local(1);
    let second = vec![Argument::Reference(Lvalue::global(1)), Argument::Value(l, None)];
    let second = w.expr(Expr::Call(add, second));
    let body = [set, first, second].map(Statement::Expr).into_iter();
    let body = body.chain([Statement::Return(Some(l))]).collect();
    let twice = w.function(2, Statement::Block(body));
    let six = w.int(6);
    let call = w.expr(Expr::Call(twice, vec![Argument::Value(six, None)]));
    let mut data = [1, 2, 3];
    assert_eq!(w.run(call, &mut data), Ok(12));
    assert_eq!(data, [1, 14, 3]);
}

#[test]
fn loops_copies_and_quantifiers_use_the_frame() {
    let mut w = Writer::default();
    // int f() { for (i : int[0,2]) { s = s + i * g[i]; } return s; }
    let i = w.local(0);
    let mut element = Lvalue::global(0);
    element.indices.push(Dynamic { index: i, first: 0, length: 3, stride: 1 });
    let element = w.expr(Expr::Load(element));
    let (s, product) = (w.local(1), w.binary(BinaryOp::Mul, i, element));
    let sum = w.binary(BinaryOp::Add, s, product);
    let store = w.expr(Expr::Assign(Lvalue::frame(1), sum, None));
    let body = Statement::Block(vec![
        Statement::ForEach(0, Range { min: 0, max: 2 }, Box::new(Statement::Expr(store))),
        Statement::Return(Some(s)),
    ]);
    let f = w.function(2, body);
    let call = w.expr(Expr::Call(f, Vec::new()));
    assert_eq!(w.run(call, &mut [5, 6, 7]), Ok(20));
    // sum (i : int[0,2]) g[i] in a top frame
    let total = w.expr(Expr::Quantified(Quantifier::Sum, 0, Range { min: 0, max: 2 }, element));
    let mut stack = Stack::default();
    let data = [5, 6, 7];
    let mut evaluator = Evaluator::reading(&w.code, &[], &data, &mut stack);
    evaluator.set_frame(&[], 1);
    assert_eq!(evaluator.int(total), Ok(18));
}

#[test]
fn a_condition_cannot_change_the_data() {
    let mut w = Writer::default();
    let one = w.int(1);
    let store = w.expr(Expr::Assign(Lvalue::global(0), one, None));
    let mut stack = Stack::default();
    let fault = Evaluator::reading(&w.code, &[], &[0], &mut stack).int(store).unwrap_err();
    assert_eq!(fault.kind, EvalFaultKind::WriteInCondition);
    let mut data = [7];
    let exchange = w.expr(Expr::Exchange(Lvalue::global(0), one, None));
    assert_eq!(w.run(exchange, &mut data), Ok(7));
    assert_eq!(data, [1]);
}

#[test]
fn rationals_are_exact_and_promote_integers() {
    let mut w = Writer::default();
    let third = Expr::Rational(Rational::new(1, 3).unwrap());
    let third = w.code.push(third, Kind::Rational, Span::default());
    let six = w.int(6);
    let product = Expr::Binary(BinaryOp::Mul, third, six);
    let product = w.code.push(product, Kind::Rational, Span::default());
    let two = w.int(2);
    let same = w.binary(BinaryOp::Eq, product, two);
    assert_eq!(w.run(same, &mut []), Ok(1));
    let store = Expr::Assign(Lvalue::global(0), third, None);
    let store = w.code.push(store, Kind::Rational, Span::default());
    let mut data = [0, 1];
    let mut stack = Stack::default();
    let value = Evaluator::writing(&w.code, &[], &mut data, &mut stack).rational(store);
    assert_eq!(value, Ok(Rational::new(1, 3).unwrap()));
    assert_eq!(data, [1, 3]);
}

#[test]
fn deep_expressions_end_with_a_fault_before_the_thread_does() {
    let mut w = Writer::default();
    let mut expr = w.int(1);
    for _ in 0..NESTING_LIMIT - 1 {
        expr = w.expr(Expr::Conditional(expr, expr, expr));
        expr = w.expr(Expr::Unary(UnaryOp::Not, expr));
    }
    assert_eq!(w.run(expr, &mut []), Err(EvalFaultKind::StackLimit));
    let mut w = Writer::default();
    let one = w.int(1);
    let mut sum = one;
    for _ in 0..NESTING_LIMIT - 1 {
        sum = w.binary(BinaryOp::Add, sum, one);
    }
    assert_eq!(w.run(sum, &mut []), Ok(i64::from(NESTING_LIMIT)));
    // Calls nest further: f(n) = n > 0 ? f(n - 1) : 0, called inside a statement of each frame.
    let mut w = Writer::default();
    let (n, one) = (w.local(0), w.int(1));
    let less = w.binary(BinaryOp::Sub, n, one);
    let call = w.expr(Expr::Call(FunctionId(0), vec![Argument::Value(less, None)]));
    let mut body = Statement::Return(Some(call));
    for _ in 0..20 {
        body = Statement::If(one, Box::new(Statement::Block(vec![body])), None);
    }
    w.function(1, body);
    assert_eq!(w.run(call, &mut []), Err(EvalFaultKind::BadAddress));
    let start = w.expr(Expr::Call(FunctionId(0), vec![Argument::Value(one, None)]));
    assert_eq!(w.run(start, &mut []), Err(EvalFaultKind::StackLimit));
}
