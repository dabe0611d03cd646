//! Printing `.tck` from hand-built networks: what comes out, that it reads again, and refusals.

use proptest::prelude::*;
use tioga_base::{Diagnostics, FileId};
use tioga_model::{
    Argument, BinaryOp, ChannelUse, ClockConstraint, ClockTerm, ClockUpdate, Condition, Conjunct,
    Control, Direction, Dynamic, Expr, ExprId, Function, Home, Label, LocationId, Lvalue, Purpose,
    Role, Statement, SyncPart, SyncVector, TimeBound, UnaryOp, Update,
};
use tioga_parse::syntax::{self, ExprKind, TemplateItem};
use tioga_parse::tchecker::{parse, print};
use tioga_parse::{Options, lower};

use crate::build::*;

#[test]
fn clocks_data_and_marks_are_printed() {
    let mut build = Build::new();
    let x = build.clock("P(0).x");
    let y = build.clock("y");
    let n = build.int("n", -2, 9, 1);
    let p = build.process("P(0)", &["a", "b"]);
    build.0.scale = 2;
    let three = build.number(3);
    let load = build.load(n);
    let sum = build.binary(BinaryOp::Add, load, three);
    let product = build.binary(BinaryOp::Mul, sum, load);
    let update = build.assign(Lvalue::global(n), product);
    let edge = build.edge(p, (0, 1), Label::Silent);
    edge.updates = vec![
        update,
        Update::Clock(ClockUpdate::reset(x)),
        Update::Clock(ClockUpdate {
            clock: y.into(),
            source: Some(x.into()),
            value: TimeBound::Expr(load),
            when: None,
        }),
    ];
    let difference = ClockConstraint {
        left: Some(x.into()),
        right: Some(y.into()),
        strict: true,
        bound: TimeBound::Constant(-1),
    };
    edge.guard = Condition {
        disjuncts: vec![
            Conjunct { data: None, clocks: vec![more_than(x, 3)] },
            Conjunct { data: None, clocks: vec![difference] },
        ],
    };
    let location = &mut build.0.processes[p].locations[LocationId(1)];
    location.marks.committed = true;
    location.labels = vec!["goal".into()];
    location.invariant =
        Condition { disjuncts: vec![Conjunct { data: None, clocks: vec![at_most(x, 5)] }] };
    assert_eq!(
        build.print(),
        "# tioga: time scaled by 2\nsystem:net\n\n\
         clock:1:P_0_x\nclock:1:y\nint:1:-2:9:1:n\n\nevent:tau\n\n\
         process:P_0\nlocation:P_0:a{initial:}\n\
         location:P_0:b{committed: : labels: goal : invariant: P_0_x <= 5}\n\
         edge:P_0:a:b:tau{provided: P_0_x > 3 : do: n = (n + 3) * n; P_0_x = 0; y = P_0_x + 2 * n}\n\
         edge:P_0:a:b:tau{provided: P_0_x - y < -1 : do: n = (n + 3) * n; P_0_x = 0; y = P_0_x + 2 * n}\n\n"
    );
}

#[test]
fn a_disjunction_of_data_splits_the_edge() {
    let mut build = Build::new();
    let n = build.int("n", 0, 9, 0);
    let m = build.int("m", 0, 9, 0);
    let p = build.process("P", &["a"]);
    let (first, second) = (build.equals(n, 1), build.equals(m, 2));
    let either = build.binary(BinaryOp::Or, first, second);
    build.edge(p, (0, 0), Label::Silent).guard = data(either);
    let neither = build.expr(Expr::Unary(UnaryOp::Not, either));
    build.edge(p, (0, 0), Label::Silent).guard = data(neither);
    assert_eq!(
        lines(&build.print(), "edge"),
        [
            "edge:P:a:a:tau{provided: n == 1}",
            "edge:P:a:a:tau{provided: n != 1 && m == 2}",
            "edge:P:a:a:tau{provided: n != 1 && m != 2}",
        ]
    );
}

#[test]
fn binary_channels_become_pairs_and_edges_without_partner_disappear() {
    let mut build = Build::new();
    let (a, b, lonely) = (build.channel("a"), build.channel("b"), build.channel("lonely"));
    let p = build.process("P", &["l"]);
    let q = build.process("Q", &["l"]);
    let r = build.process("R", &["l"]);
    build.edge(p, (0, 0), send(a));
    build.edge(q, (0, 0), receive(a));
    build.edge(r, (0, 0), receive(a));
    build.edge(p, (0, 0), send(b));
    build.edge(p, (0, 0), receive(b));
    build.edge(q, (0, 0), send(b));
    build.edge(r, (0, 0), send(lonely));
    let text = build.print();
    assert_eq!(lines(&text, "sync"), ["sync:P@a:Q@a", "sync:P@a:R@a", "sync:Q@b:P@b_receive"]);
    // P sends on b, but only P receives there.
    assert_eq!(
        lines(&text, "edge"),
        ["edge:P:l:l:a", "edge:P:l:l:b_receive", "edge:Q:l:l:a", "edge:Q:l:l:b", "edge:R:l:l:a"]
    );
}

#[test]
fn an_array_of_channels_with_a_computed_index_is_unrolled() {
    let mut build = Build::new();
    let go = build.channel("go[0]");
    build.channel("go[1]");
    let n = build.int("n", 0, 1, 0);
    let p = build.process("P", &["l"]);
    let q = build.process("Q", &["l"]);
    let (index, one) = (build.load(n), build.number(1));
    let computed = ChannelUse { channel: go, index: Some((index, 2)), arguments: Vec::new() };
    let fixed = ChannelUse { channel: go, index: Some((one, 2)), arguments: Vec::new() };
    build.edge(p, (0, 0), Label::Send(computed));
    build.edge(q, (0, 0), Label::Receive(fixed));
    let text = build.print();
    assert_eq!(lines(&text, "edge"), ["edge:P:l:l:go_1{provided: n == 1}", "edge:Q:l:l:go_1"]);
    assert_eq!(lines(&text, "sync"), ["sync:P@go_1:Q@go_1"]);
}

#[test]
fn broadcast_channels_become_weak_syncs_unless_a_receiver_may_be_disabled() {
    let network = |guarded: bool| {
        let mut build = Build::new();
        let x = build.clock("x");
        let a = build.channel("a");
        build.0.channels[a].broadcast = true;
        let p = build.process("P", &["l"]);
        let q = build.process("Q", &["l", "m"]);
        let r = build.process("R", &["l"]);
        build.edge(p, (0, 0), send(a));
        build.edge(q, (0, 1), receive(a));
        let edge = build.edge(r, (0, 0), receive(a));
        if guarded {
            edge.guard =
                Condition { disjuncts: vec![Conjunct { data: None, clocks: vec![at_most(x, 5)] }] };
        }
        build
    };
    assert_eq!(lines(&network(false).print(), "sync"), ["sync:P@a:Q@a?:R@a?"]);
    assert_eq!(network(true).refusals(), [("a guarded receiver of `a`".to_owned(), 6)]);
}

#[test]
fn the_interface_becomes_attributes() {
    let mut build = Build::new();
    let (go, done, shown) = (build.channel("go"), build.channel("done"), build.channel("shown"));
    for (channel, direction) in
        [(go, Direction::Input), (done, Direction::Output), (shown, Direction::Output)]
    {
        build.0.channels[channel].direction = Some(direction);
        build.0.channels[channel].open = true;
    }
    let (left, right) = (build.action("shown_"), build.action("right"));
    let p = build.process("P", &["l"]);
    let q = build.process("Q", &["l"]);
    build.edge(p, (0, 0), receive(go)).control = Control::Controllable;
    build.edge(p, (0, 0), receive(go));
    build.edge(p, (0, 0), send(done)).control = Control::Controllable;
    build.edge(p, (0, 0), Label::Plain(left));
    build.edge(q, (0, 0), Label::Plain(right));
    let part = |process, action, weak| SyncPart { process, action, weak };
    build.0.syncs.push(SyncVector {
        parts: vec![part(p, left, false), part(q, right, true)],
        shown: Some(shown),
        span: at(1),
    });
    let text = build.print();
    assert_eq!(
        lines(&text, "event"),
        ["event:go{input:}", "event:done{output:}", "event:shown{output:}", "event:right"]
    );
    assert_eq!(
        lines(&text, "edge"),
        [
            "edge:P:l:l:go",
            "edge:P:l:l:go{uncontrollable:}",
            "edge:P:l:l:done{controllable:}",
            "edge:P:l:l:shown",
            "edge:Q:l:l:right",
        ]
    );
    assert_eq!(lines(&text, "sync"), ["sync:P@shown:Q@right?"]);
}

#[test]
fn arrays_are_kept_where_an_index_is_computed() {
    let mut build = Build::new();
    let rows = [build.clock("row[0]"), build.clock("row[1]")];
    let fixed = build.array("fixed", 2);
    let list = build.array("list", 3);
    let p = build.process("P", &["l"]);
    let index = build.load(fixed);
    let mut place = Lvalue::global(list);
    place.indices.push(Dynamic { index, first: 1, length: 3, stride: 1 });
    let element = build.expr(Expr::Load(place.clone()));
    let condition = build.binary(BinaryOp::Eq, element, index);
    let last = build.load(list + 2);
    let update = build.assign(place, last);
    let edge = build.edge(p, (0, 0), Label::Silent);
    let computed = ClockTerm { clock: rows[0], index: Some((index, 2)) };
    edge.guard = Condition {
        disjuncts: vec![Conjunct { data: Some(condition), clocks: vec![more_than(rows[1], 0)] }],
    };
    edge.updates = vec![update, Update::Clock(ClockUpdate::reset(computed))];
    let text = build.print();
    assert_eq!(lines(&text, "clock"), ["clock:2:row"]);
    assert_eq!(
        lines(&text, "int"),
        ["int:1:0:9:0:fixed_0", "int:1:0:9:0:fixed_1", "int:3:0:9:0:list"]
    );
    assert_eq!(
        lines(&text, "edge"),
        ["edge:P:l:l:tau{provided: list[fixed_0 - (1)] == fixed_0 && row[1] > 0 : \
          do: list[fixed_0 - (1)] = list[2]; row[fixed_0] = 0}"]
    );
}

#[test]
fn clocks_are_set_under_conditions() {
    let mut build = Build::new();
    let (x, y) = (build.clock("x"), build.clock("y"));
    let (n, m) = (build.int("n", 0, 9, 0), build.int("m", 0, 9, 0));
    let p = build.process("P", &["l"]);
    let (one, two) = (build.equals(n, 1), build.equals(m, 2));
    let both = build.binary(BinaryOp::And, one, two);
    let either = build.binary(BinaryOp::Or, one, two);
    let edge = build.edge(p, (0, 0), Label::Silent);
    edge.updates = vec![
        Update::Clock(ClockUpdate { when: Some(both), ..ClockUpdate::reset(x) }),
        Update::Clock(ClockUpdate {
            source: Some(x.into()),
            when: Some(either),
            ..ClockUpdate::reset(y)
        }),
    ];
    let text = build.print();
    assert_eq!(
        lines(&text, "edge"),
        ["edge:P:l:l:tau{do: if n == 1 && m == 2 then x = 0 end; \
          if n == 1 then y = x end; if n != 1 && m == 2 then y = x end}"]
    );
    let document = parse(FileId(0), &text, &mut Diagnostics::new()).unwrap();
    let again = lower(&document, &Options::default(), &mut Diagnostics::new()).unwrap();
    let edge = again.processes.iter().next().unwrap().edges.iter().next().unwrap();
    let conditions = edge.updates.iter().map(|update| match update {
        Update::Clock(set) => set.when.is_some(),
        Update::Data(_) => false,
    });
    assert_eq!(conditions.collect::<Vec<_>>(), [true, true, true]);
}

#[test]
fn simple_functions_are_written_in_place() {
    let mut build = Build::new();
    let n = build.int("n", 0, 9, 0);
    let p = build.process("P", &["l"]);
    let (one, condition) = (build.number(1), build.equals(n, 0));
    let assign = build.expr(Expr::Assign(Lvalue::global(n), one, None));
    let body = Statement::If(condition, Box::new(Statement::Expr(assign)), None);
    let (name, result, range) = ("f".into(), None, None);
    let function = build.0.code.functions.push(Function {
        name,
        home: Home::Global,
        parameters: 0,
        variables: Vec::new(),
        frame: 0,
        body,
        result,
        range,
        span: at(2),
    });
    let call = build.expr(Expr::Call(function, Vec::new()));
    build.edge(p, (0, 0), Label::Silent).updates = vec![Update::Data(Statement::Expr(call))];
    let with_argument = {
        let mut build = Build(build.0.clone());
        let call = build.expr(Expr::Call(function, vec![Argument::Value(one, None)]));
        build.edge(p, (0, 0), Label::Silent).updates = vec![Update::Data(Statement::Expr(call))];
        build
    };
    assert_eq!(lines(&build.print(), "edge"), ["edge:P:l:l:tau{do: if n == 0 then n = 1 end}"]);
    let refusals = with_argument.refusals();
    assert_eq!(refusals[0].0, "a call of a function with parameters or local variables");
}

/// The constructs of a `.tioga` text that are refused, with what is written at their places.
fn refusals_of(text: &str) -> Vec<(String, String)> {
    let mut diagnostics = Diagnostics::new();
    let document = tioga_parse::tioga::parse(FileId(0), text, &mut diagnostics);
    let network = document
        .and_then(|it| tioga_parse::lower(&it, &tioga_parse::Options::default(), &mut diagnostics));
    let model = network.unwrap_or_else(|| panic!("{diagnostics:#?}")).validate().unwrap();
    let refusals = print(&model).expect_err("printing is refused");
    let shown = refusals.iter().map(|diagnostic| {
        assert_eq!(diagnostic.code, "not-expressible");
        let span = diagnostic.primary.as_ref().unwrap().span;
        let what = diagnostic.message.replace(" cannot be written as .tck", "");
        (what, text[span.range()].to_owned())
    });
    shown.collect()
}

#[test]
fn what_tchecker_lacks_is_refused_with_its_place() {
    for (declarations, body, what, place) in [
        (
            "bool f() { return forall (i : int[0,1]) i < 2; }",
            "l -> l : when f();",
            "a function call",
            "f()",
        ),
        ("input a(int[0,9] v);", "l -> l : a(v)?;", "the parameters of channel `a`", "a"),
        ("int n;", "l -> l : when (n & 2) == 2;", "a bit operation", "n & 2"),
        ("input a; output b;", "l -> l : a? / b!;", "a Mealy step", "l -> l : a? / b!;"),
        ("urgent chan a; ", "l -> l : a!;", "urgent channel `a`", "a"),
        ("rational q;", "", "rational variable `q`", "q"),
        ("integer n;", "", "unbounded variable `n`", "n"),
        ("param int[0,1] n;", "", "symbolic constant `n`", "n"),
        (
            "clock x;",
            "location m invariant x <= 1 || x > 3;",
            "the invariant of `m`, a disjunction,",
            "m",
        ),
    ] {
        let text = format!("{declarations} automaton P {{ init location l; {body} }}");
        let expected = [(what.to_owned(), place.to_owned())];
        assert_eq!(refusals_of(&text), expected, "{text}");
    }
}

#[test]
fn what_is_left_out_is_said_in_a_comment() {
    let mut build = Build::new();
    let p = build.process("Tester", &["l"]);
    build.0.processes[p].role = Role::Environment;
    let mut process = build.0.processes[p].clone();
    process.name = "Goal".into();
    build.0.purposes.push(Purpose {
        process,
        clocks: Vec::new(),
        variables: Vec::new(),
        slots: Vec::new(),
        otherwise: None,
        restart: None,
    });
    assert_eq!(
        lines(&build.print(), "#"),
        [
            "# tioga: process Tester is part of the environment",
            "# tioga: test purpose Goal is left out",
        ]
    );
}

/// A condition over the variables `v0`, `v1`, `v2`, with its meaning.
#[derive(Clone, Debug)]
enum Tree {
    Int(i64),
    Load(u32),
    Not(Box<Tree>),
    Neg(Box<Tree>),
    If(Box<[Tree; 3]>),
    Binary(BinaryOp, Box<[Tree; 2]>),
}

fn tree() -> impl Strategy<Value = Tree> {
    use BinaryOp::{Add, And, Eq, Ge, Gt, Imply, Le, Lt, Max, Min, Mul, Ne, Or, Sub};
    let leaf = prop_oneof![(-3i64..4).prop_map(Tree::Int), (0u32..3).prop_map(Tree::Load)];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let op = prop::sample::select(vec![
            Add, Sub, Mul, Min, Max, Lt, Le, Eq, Ne, Ge, Gt, And, Or, Imply,
        ]);
        let two = [inner.clone(), inner.clone()];
        let three = [inner.clone(), inner.clone(), inner.clone()];
        prop_oneof![
            1 => inner.clone().prop_map(|tree| Tree::Not(Box::new(tree))),
            1 => inner.prop_map(|tree| Tree::Neg(Box::new(tree))),
            1 => three.prop_map(|trees| Tree::If(Box::new(trees))),
            6 => (op, two).prop_map(|(op, trees)| Tree::Binary(op, Box::new(trees))),
        ]
    })
}

fn apply(op: BinaryOp, left: i64, right: i64) -> i64 {
    let truth = i64::from;
    match op {
        BinaryOp::Add => left + right,
        BinaryOp::Sub => left - right,
        BinaryOp::Mul => left * right,
        BinaryOp::Min => left.min(right),
        BinaryOp::Max => left.max(right),
        BinaryOp::Lt => truth(left < right),
        BinaryOp::Le => truth(left <= right),
        BinaryOp::Eq => truth(left == right),
        BinaryOp::Ne => truth(left != right),
        BinaryOp::Ge => truth(left >= right),
        BinaryOp::Gt => truth(left > right),
        BinaryOp::And => truth(left != 0 && right != 0),
        BinaryOp::Or => truth(left != 0 || right != 0),
        BinaryOp::Imply => truth(left == 0 || right != 0),
        other => panic!("{other:?} is not generated"),
    }
}

impl Tree {
    fn meaning(&self, values: [i64; 3]) -> i64 {
        match self {
            Self::Int(value) => *value,
            Self::Load(slot) => values[*slot as usize],
            Self::Not(operand) => i64::from(operand.meaning(values) == 0),
            Self::Neg(operand) => -operand.meaning(values),
            Self::If(parts) => {
                let chosen = if parts[0].meaning(values) != 0 { 1 } else { 2 };
                parts[chosen].meaning(values)
            }
            Self::Binary(op, sides) => {
                apply(*op, sides[0].meaning(values), sides[1].meaning(values))
            }
        }
    }

    fn build(&self, build: &mut Build) -> ExprId {
        match self {
            Self::Int(value) => build.number(*value),
            Self::Load(slot) => build.load(*slot),
            Self::Not(operand) => {
                let operand = operand.build(build);
                build.expr(Expr::Unary(UnaryOp::Not, operand))
            }
            Self::Neg(operand) => {
                let operand = operand.build(build);
                build.expr(Expr::Unary(UnaryOp::Neg, operand))
            }
            Self::If(parts) => {
                let [c, a, b] = [0, 1, 2].map(|part: usize| parts[part].build(build));
                build.expr(Expr::Conditional(c, a, b))
            }
            Self::Binary(op, sides) => {
                let [left, right] = [0, 1].map(|side: usize| sides[side].build(build));
                build.binary(*op, left, right)
            }
        }
    }
}

/// The value of an expression that was read.
fn value(expr: &syntax::Expr, values: [i64; 3]) -> i64 {
    match &expr.kind {
        ExprKind::Int(value) => *value,
        ExprKind::Name(name) => values[name[1..].parse::<usize>().unwrap()],
        ExprKind::Unary(UnaryOp::Neg, operand) => -value(operand, values),
        ExprKind::Unary(_, operand) => i64::from(value(operand, values) == 0),
        ExprKind::Binary(op, left, right) => apply(*op, value(left, values), value(right, values)),
        ExprKind::Conditional(c, a, b) => value(if value(c, values) != 0 { a } else { b }, values),
        other => panic!("{other:?} is not printed"),
    }
}

proptest! {
    #[test]
    fn split_guards_mean_what_the_guard_meant(tree in tree()) {
        let mut build = Build::new();
        for name in ["v0", "v1", "v2"] {
            build.int(name, -2, 2, 0);
        }
        let p = build.process("P", &["l"]);
        let expr = tree.build(&mut build);
        build.edge(p, (0, 0), Label::Silent).guard = data(expr);
        // A refusal is fair: a disjunction inside a number has no form.
        let Ok(text) = print(&build.0.validate().unwrap()) else { return Ok(()) };
        let document = parse(FileId(0), &text, &mut Diagnostics::new());
        let document = document.expect("printed text reads");
        let template = document.templates().next().unwrap();
        let guards: Vec<_> = template
            .items
            .iter()
            .filter_map(|item| match item {
                TemplateItem::Edge(edge) => Some(edge.guard.as_ref()),
                _ => None,
            })
            .collect();
        for code in 0..125 {
            let values = [code % 5 - 2, code / 5 % 5 - 2, code / 25 - 2];
            let printed = guards
                .iter()
                .any(|guard| guard.is_none_or(|guard| value(guard, values) != 0));
            prop_assert_eq!(printed, tree.meaning(values) != 0, "{:?}: {}", values, text);
        }
    }
}
