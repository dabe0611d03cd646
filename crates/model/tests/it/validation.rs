//! What validation refuses.

use crate::build::*;
use tioga_model::*;

fn codes(network: Network) -> Vec<&'static str> {
    match network.validate() {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics.iter().map(|diagnostic| diagnostic.code).collect(),
    }
}

/// A network that is fine, to be spoilt.
fn fine() -> Network {
    let mut net = Network::new("fine");
    let x = net.clock("x");
    let a = net.input("a");
    net.integer("n", 0, 3, 1);
    let locations = vec![location("l", &[le(x, 5)]), location("m", &[])];
    net.processes.push(system("P", locations, vec![edge(0, 1).receive(a).reset(x)]));
    net
}

#[test]
fn a_fine_network_becomes_a_model_with_outgoing_edges() {
    let model = fine().validate().unwrap();
    let process = &model.processes[ProcessId(0)];
    assert_eq!(process.outgoing[LocationId(0)], [EdgeId(0)]);
    assert!(process.outgoing[LocationId(1)].is_empty());
    assert_eq!(codes(model.into_network()), [""; 0]);
}

#[test]
fn ids_out_of_range_are_refused() {
    let spoil = |change: fn(&mut Network)| {
        let mut net = fine();
        change(&mut net);
        codes(net)
    };
    assert_eq!(spoil(|net| net.scale = 0), ["time-scale"]);
    assert_eq!(
        spoil(|net| net.processes[ProcessId(0)].initial = LocationId(7)),
        ["initial-location"]
    );
    assert_eq!(
        spoil(|net| net.processes[ProcessId(0)].locations[LocationId(1)].marks.initial = true),
        ["initial-location"]
    );
    let first_edge = |net: &mut Network, change: fn(Edge) -> Edge| {
        let edge = net.processes[ProcessId(0)].edges[EdgeId(0)].clone();
        net.processes[ProcessId(0)].edges[EdgeId(0)] = change(edge);
    };
    let spoil_edge = |change: fn(Edge) -> Edge| {
        let mut net = fine();
        first_edge(&mut net, change);
        codes(net)
    };
    assert_eq!(spoil_edge(|edge| Edge { target: LocationId(2), ..edge }), ["unknown-location"]);
    assert_eq!(spoil_edge(|edge| edge.reset(ClockId(1))), ["unknown-clock"]);
    assert_eq!(spoil_edge(|edge| edge.receive(ChannelId(1))), ["unknown-channel"]);
    assert_eq!(spoil_edge(|edge| edge.plain(ActionId(0))), ["unknown-action"]);
    assert_eq!(spoil_edge(|edge| edge.data(ExprId(0))), ["unknown-expression"]);
    assert_eq!(spoil_edge(|edge| edge.send(ChannelId(0))), ["open-channel"]);
    assert_eq!(spoil(|net| net.channels[ChannelId(0)].parameters.push(Type::Bool)), ["frame-size"]);
    assert_eq!(spoil(|net| net.processes[ProcessId(0)].role = Role::Environment), ["open-channel"]);
}

#[test]
fn data_outside_its_range_or_layout_is_refused() {
    let mut net = fine();
    net.slots[0].initial = 4;
    assert_eq!(codes(net), ["initial-value"]);
    let mut net = fine();
    net.slots[0].range = Some(Range { min: 2, max: 1 });
    assert_eq!(codes(net), ["empty-range"]);
    let mut net = fine();
    net.variables[VariableId(0)].first_slot = 1;
    assert_eq!(codes(net), ["data-layout"]);
    let mut net = fine();
    net.variables[VariableId(0)].ty = Type::Bool;
    assert_eq!(codes(net), ["data-layout"]);
}

#[test]
fn ill_formed_code_is_refused() {
    let mut net = fine();
    net.load(&Lvalue::global(1));
    assert_eq!(codes(net), ["data-layout"]);
    let mut net = fine();
    net.expr(Expr::Unary(UnaryOp::Neg, ExprId(0)), Kind::Int);
    assert_eq!(codes(net), ["operand-order"]);
    let mut net = fine();
    let half = net.expr(Expr::Rational(tioga_base::Rational::new(1, 2).unwrap()), Kind::Rational);
    let one = net.int(1);
    net.binary(BinaryOp::Add, half, one);
    assert_eq!(codes(net), ["kind"]);
    let mut net = fine();
    let local = net.load(&Lvalue::frame(2));
    net.code.functions.push(Function {
        name: "f".into(),
        home: Home::Global,
        parameters: 0,
        variables: Vec::new(),
        frame: 2,
        body: Statement::Return(Some(local)),
        result: Some(Kind::Int),
        range: None,
        span: Default::default(),
    });
    assert_eq!(codes(net), ["frame-size"]);
}

#[test]
fn an_initial_invariant_that_fails_on_data_is_refused() {
    let mut net = fine();
    let never = net.int(0);
    net.processes[ProcessId(0)].locations[LocationId(0)].invariant = all(Some(never), &[]);
    assert_eq!(codes(net), ["initial-invariant"]);
}

#[test]
fn synchronisation_vectors_are_checked() {
    let mut net = fine();
    let a = net.action("a");
    let part = |process| SyncPart { process: ProcessId(process), action: a, weak: false };
    let span = tioga_base::Span::default();
    net.syncs.push(SyncVector { parts: vec![part(0), part(0)], shown: None, span });
    net.syncs.push(SyncVector { parts: Vec::new(), shown: None, span });
    net.syncs.push(SyncVector { parts: vec![part(4)], shown: None, span });
    assert_eq!(codes(net), ["sync-vector"; 3]);
}
