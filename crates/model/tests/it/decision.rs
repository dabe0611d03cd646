//! Where a comparison decides about a condition: by its definition, in every state.

use proptest::prelude::*;
use tioga_base::Span;
use tioga_model::*;

use crate::build::*;

/// A condition over three variables with values 0 to 2.
#[derive(Clone, Debug)]
enum Tree {
    Compare(BinaryOp, usize, usize),
    Above(usize, i64),
    Not(Box<Tree>),
    Both(BinaryOp, Box<Tree>, Box<Tree>),
}

fn tree() -> impl Strategy<Value = Tree> {
    use BinaryOp::{And, Eq, Ge, Gt, Imply, Le, Lt, Ne, Or};
    let compare = proptest::sample::select(vec![Lt, Le, Eq, Ne, Ge, Gt]);
    let leaf = prop_oneof![
        (compare, 0usize..3, 0usize..3).prop_map(|(op, l, r)| Tree::Compare(op, l, r)),
        (0usize..3, 0i64..3).prop_map(|(slot, value)| Tree::Above(slot, value)),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let boxed = inner.prop_map(Box::new);
        let both = proptest::sample::select(vec![And, Or, Imply]);
        prop_oneof![
            1 => boxed.clone().prop_map(Tree::Not),
            3 => (both, boxed.clone(), boxed).prop_map(|(op, l, r)| Tree::Both(op, l, r)),
        ]
    })
}

/// The condition in the network, and its comparisons in order.
fn lower(tree: &Tree, net: &mut Network, parts: &mut Vec<ExprId>) -> ExprId {
    let load = |net: &mut Network, slot: usize| net.load(&Lvalue::global(slot as u32));
    match tree {
        Tree::Compare(op, left, right) => {
            let (left, right) = (load(net, *left), load(net, *right));
            let id = net.expr(Expr::Binary(*op, left, right), Kind::Bool);
            parts.push(id);
            id
        }
        Tree::Above(slot, value) => {
            let (left, right) = (load(net, *slot), net.int(*value));
            let id = net.expr(Expr::Binary(BinaryOp::Gt, left, right), Kind::Bool);
            parts.push(id);
            id
        }
        Tree::Not(inner) => {
            let inner = lower(inner, net, parts);
            net.expr(Expr::Unary(UnaryOp::Not, inner), Kind::Bool)
        }
        Tree::Both(op, left, right) => {
            let (left, right) = (lower(left, net, parts), lower(right, net, parts));
            net.expr(Expr::Binary(*op, left, right), Kind::Bool)
        }
    }
}

/// Whether the condition holds, and the difference of each comparison; one comparison may be forced.
fn holds(
    tree: &Tree,
    data: [i64; 3],
    forced: Option<(usize, bool)>,
    differences: &mut Vec<i64>,
) -> bool {
    let mut leaf = |difference: i64, outcome: bool| {
        differences.push(difference);
        match forced {
            Some((position, forced)) if position + 1 == differences.len() => forced,
            _ => outcome,
        }
    };
    match tree {
        Tree::Compare(op, left, right) => {
            let (left, right) = (data[*left], data[*right]);
            let outcome = match op {
                BinaryOp::Lt => left < right,
                BinaryOp::Le => left <= right,
                BinaryOp::Eq => left == right,
                BinaryOp::Ne => left != right,
                BinaryOp::Ge => left >= right,
                _ => left > right,
            };
            leaf(left - right, outcome)
        }
        Tree::Above(slot, value) => leaf(data[*slot] - value, data[*slot] > *value),
        Tree::Not(inner) => !holds(inner, data, forced, differences),
        Tree::Both(op, left, right) => {
            let left = holds(left, data, forced, differences);
            let right = holds(right, data, forced, differences);
            match op {
                BinaryOp::And => left && right,
                BinaryOp::Or => left || right,
                _ => !left || right,
            }
        }
    }
}

/// A network with an edge that has the condition as its guard, in a state with this data.
fn network(tree: &Tree, data: [i64; 3]) -> (Network, ExprId, Vec<ExprId>) {
    let mut net = Network::new("decision");
    for (name, value) in ["a", "b", "c"].into_iter().zip(data) {
        net.integer(name, 0, 2, value);
    }
    let mut parts = Vec::new();
    let condition = lower(tree, &mut net, &mut parts);
    net.processes.push(system("P", vec![location("l", &[])], vec![edge(0, 0).data(condition)]));
    (net, condition, parts)
}

fn every_state() -> impl Iterator<Item = [i64; 3]> {
    (0..27).map(|number| [number % 3, number / 3 % 3, number / 9])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// A network that counts decisions does so where the definition says, and its edge stays as possible as it was.
    #[test]
    fn decisions_are_where_the_definition_says(tree in tree()) {
        for data in every_state() {
            let (net, condition, parts) = network(&tree, data);
            let model = net.validate().unwrap();
            let found = model.deciding_parts(condition);
            prop_assert_eq!(found.iter().map(|one| one.part).collect::<Vec<_>>(), parts.clone());
            let mut differences = Vec::new();
            let allowed = holds(&tree, data, None, &mut differences);
            let mut composer = Composer::new(&model);
            let state = composer.initial();
            for (position, deciding) in found.iter().enumerate() {
                let [with, without] = [true, false]
                    .map(|outcome| holds(&tree, data, Some((position, outcome)), &mut Vec::new()));
                if with != without {
                    prop_assert_eq!(deciding.positive, with);
                }
                let mut near = 0;
                for (margin, outcome) in model.margins(deciding.part) {
                    let Margin::Difference(difference) = margin else { panic!("{margin:?}") };
                    let right = with != without && difference == differences[position];
                    near += usize::from(difference == differences[position]);
                    if right {
                        prop_assert_eq!(allowed, outcome == deciding.positive);
                    }
                    let decision = Decision { condition, part: deciding.part, margin };
                    prop_assert_eq!(composer.decides(&state, &decision).unwrap(), right);
                    prop_assert_eq!(counted(&model, decision), (allowed, allowed && right));
                }
                // No difference of at most one is left out.
                prop_assert_eq!(near, usize::from(differences[position].abs() <= 1));
            }
        }
    }
}

/// Whether the edge can be taken at the start of a network that counts a decision, in one way, and whether it
/// counts then.
fn counted(model: &Model, decision: Decision) -> (bool, bool) {
    let place = (ProcessId(0), EdgeId(0));
    let milestone =
        Milestone { edges: vec![place], decision: Some(decision), ..Milestone::default() };
    let way = Milestones { list: vec![milestone], silence: None };
    let counting = Network::clone(model).covering_milestones(&way, "decided").validate().unwrap();
    let mut composer = Composer::new(&counting);
    let state = composer.initial();
    let mut steps = Steps::new();
    composer.steps(&state, &mut steps);
    assert!(steps.list.len() <= 1, "{:?}", steps.list);
    let Some(step) = steps.list.first() else { return (false, false) };
    let after = composer.apply(&state, step).unwrap().target;
    (true, after != state)
}

#[test]
fn truth_values_decide_with_either_outcome() {
    let mut net = Network::new("truth");
    net.slots.push(Slot { name: "on".into(), kind: Kind::Bool, range: None, initial: 1 });
    let on = net.expr(Expr::Load(Lvalue::global(0)), Kind::Bool);
    assert_eq!(net.deciding_parts(on), [Deciding { part: on, positive: true }]);
    let margins = net.margins(on);
    assert_eq!(margins, [(Margin::Outcome(false), false), (Margin::Outcome(true), true)]);
}

#[test]
fn what_cannot_be_evaluated_anywhere_decides_nothing() {
    let mut net = Network::new("partial");
    net.integer("i", 0, 3, 0);
    for name in ["a[0]", "a[1]", "a[2]", "a[3]"] {
        net.integer(name, 0, 9, 0);
    }
    let (index, zero) = (net.load(&Lvalue::global(0)), net.int(0));
    let mut element = |length: u32| {
        let mut place = Lvalue::global(1);
        place.indices.push(Dynamic { index, first: 0, length, stride: 1 });
        let load = net.load(&place);
        net.expr(Expr::Binary(BinaryOp::Gt, load, zero), Kind::Bool)
    };
    // The index has four values.
    let (total, partial) = (element(4), element(3));
    assert_eq!(net.deciding_parts(total).len(), 1);
    assert_eq!(net.deciding_parts(partial), []);
    let received = net.expr(Expr::Load(Lvalue::frame(0)), Kind::Bool);
    assert_eq!(net.deciding_parts(received), []);
    let both =
        net.code.push(Expr::Binary(BinaryOp::And, total, partial), Kind::Bool, Span::default());
    assert_eq!(net.deciding_parts(both), []);
}

#[test]
fn differences_that_ranges_rule_out_are_left_out() {
    let mut net = Network::new("ranges");
    net.integer("n", 0, 3, 0);
    let (n, top) = (net.load(&Lvalue::global(0)), net.int(3));
    let part = net.expr(Expr::Binary(BinaryOp::Lt, n, top), Kind::Bool);
    assert_eq!(net.margins(part), [(Margin::Difference(-1), true), (Margin::Difference(0), false)]);
}
