//! Which joint steps there are, with which clock conditions.

use crate::build::*;
use tioga_model::*;

fn steps(model: &Model) -> Steps {
    let mut composer = Composer::new(model);
    let mut steps = Steps::new();
    let state = composer.initial();
    composer.steps(&state, &mut steps);
    steps
}

/// Each step as the edges it takes, such as `[(0, 1), (1, 0)]` for process and edge.
fn shape(steps: &Steps) -> Vec<Vec<(u32, u32)>> {
    let edges = |step: &Step| step.participants.iter().map(|p| (p.process.0, p.edge.0)).collect();
    steps.list.iter().map(edges).collect()
}

#[test]
fn a_sender_meets_each_receiver_of_another_process() {
    let mut net = Network::new("binary");
    let a = net.channel("a");
    let both = || vec![location("l", &[])];
    net.processes.push(system("P", both(), vec![edge(0, 0).send(a), edge(0, 0).receive(a)]));
    net.processes.push(system("Q", both(), vec![edge(0, 0).receive(a)]));
    net.processes.push(system("R", both(), vec![edge(0, 0).receive(a), edge(0, 0)]));
    let steps = steps(&net.validate().unwrap());
    assert_eq!(shape(&steps), [vec![(0, 0), (1, 0)], vec![(0, 0), (2, 0)], vec![(2, 1)]]);
    assert_eq!(steps.list[0].label, StepLabel::Internal(Hidden::Channel(ChannelId(0))));
    assert_eq!(steps.list[2].label, StepLabel::Internal(Hidden::Silent));
}

#[test]
fn a_broadcast_takes_everyone_who_can_and_says_who_must_not() {
    let mut net = Network::new("broadcast");
    let x = net.clock("x");
    let a = net.broadcast("a");
    let one = || vec![location("l", &[])];
    net.processes.push(system("P", one(), vec![edge(0, 0).send(a)]));
    net.processes.push(system("Q", one(), vec![edge(0, 0).receive(a).when(&[ge(x, 2)])]));
    net.processes.push(system("R", one(), vec![edge(0, 0).receive(a)]));
    let steps = steps(&net.validate().unwrap());
    assert_eq!(shape(&steps), [vec![(0, 0), (1, 0), (2, 0)], vec![(0, 0), (2, 0)]]);
    assert!(steps.list[0].blocked.is_empty());
    assert_eq!(steps.list[1].blocked.len(), 1);
    assert_eq!(steps.list[1].blocked[0].guard, steps.list[0].guard);
}

#[test]
fn a_committed_location_silences_everyone_else() {
    let mut net = Network::new("committed");
    let a = net.channel("a");
    net.processes.push(system("P", vec![committed("c")], vec![edge(0, 0).receive(a)]));
    let plain = || vec![location("l", &[])];
    net.processes.push(system("Q", plain(), vec![edge(0, 0).send(a), edge(0, 0)]));
    net.processes.push(system("R", plain(), vec![edge(0, 0)]));
    assert_eq!(shape(&steps(&net.validate().unwrap())), [vec![(1, 0), (0, 0)]]);
}

/// The example of TChecker's description of its file format.
#[test]
fn strong_parts_all_step_and_weak_parts_if_they_can() {
    let mut net = Network::new("sync");
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| net.action(name));
    let locations = || vec![location("l0", &[]), location("l1", &[]), location("l2", &[])];
    net.processes.push(system("P1", locations(), vec![edge(0, 1).plain(a), edge(0, 2).plain(a)]));
    net.processes.push(system("P2", locations(), vec![edge(0, 1).plain(b)]));
    net.processes.push(system("P3", locations(), vec![edge(0, 1).plain(a)]));
    net.processes.push(system("P4", locations(), vec![edge(0, 1).plain(d)]));
    let part = |process, action, weak| SyncPart { process: ProcessId(process), action, weak };
    let vector = |parts| SyncVector { parts, shown: None, span: Default::default() };
    net.syncs.push(vector(vec![part(0, a, false), part(1, a, false)]));
    net.syncs.push(vector(vec![
        part(0, a, false),
        part(1, b, false),
        part(2, c, true),
        part(3, d, true),
    ]));
    let steps = steps(&net.validate().unwrap());
    let expected = [vec![(2, 0)], vec![(0, 0), (1, 0), (3, 0)], vec![(0, 1), (1, 0), (3, 0)]];
    assert_eq!(shape(&steps), expected);
    assert_eq!(steps.list[1].label, StepLabel::Internal(Hidden::Sync(1)));
}

#[test]
fn a_vector_of_weak_parts_needs_one_of_them() {
    let mut net = Network::new("weak");
    let x = net.clock("x");
    let [e, f] = ["e", "f"].map(|name| net.action(name));
    let one = || vec![location("l", &[])];
    net.processes.push(system("P", one(), vec![edge(0, 0).plain(e).when(&[le(x, 1)])]));
    net.processes.push(system("Q", one(), vec![edge(0, 0).plain(f).when(&[ge(x, 1)])]));
    let part = |process, action| SyncPart { process: ProcessId(process), action, weak: true };
    let parts = vec![part(0, e), part(1, f)];
    net.syncs.push(SyncVector { parts, shown: None, span: Default::default() });
    let steps = steps(&net.validate().unwrap());
    assert_eq!(shape(&steps), [vec![(0, 0), (1, 0)], vec![(0, 0)], vec![(1, 0)]]);
    assert_eq!(steps.list.iter().map(|step| step.blocked.len()).collect::<Vec<_>>(), [0, 1, 1]);
}

#[test]
fn values_reach_the_receiver_and_its_guard() {
    let mut net = Network::new("values");
    let a = net.channel("a");
    net.channels[a].parameters = vec![Type::Int { min: 0, max: 9 }];
    let n = net.integer("n", 0, 9, 4);
    let sent = net.load(&n);
    let received = net.load(&Lvalue::frame(0));
    let (four, five) = (net.int(4), net.int(5));
    let is_four = net.binary(BinaryOp::Eq, received, four);
    let is_five = net.binary(BinaryOp::Eq, received, five);
    let sum = net.binary(BinaryOp::Add, received, five);
    let store = net.assign(&n, sum, (0, 9));
    let one = || vec![location("l", &[])];
    net.processes.push(system("P", one(), vec![edge(0, 0).send_values(a, &[sent])]));
    let receives = |data| edge(0, 0).receive_values(a, 1).data(data).run(store);
    net.processes.push(system("Q", one(), vec![receives(is_five), receives(is_four)]));
    let model = net.validate().unwrap();
    let mut composer = Composer::new(&model);
    let (mut steps, start) = (Steps::new(), composer.initial());
    composer.steps(&start, &mut steps);
    assert_eq!(shape(&steps), [vec![(0, 0), (1, 1)]]);
    assert_eq!(steps.list[0].arguments.as_slice(), [4]);
    let applied = composer.apply(&start, &steps.list[0]).unwrap();
    assert_eq!(*applied.target.data, [9]);
    // From 9 no guard holds; from 4 a second time the sum would leave the range.
    composer.steps(&applied.target, &mut steps);
    assert!(steps.list.is_empty() && steps.faults.is_empty());
}

#[test]
fn an_update_out_of_range_is_a_fault_and_no_step() {
    let mut net = Network::new("fault");
    let n = net.integer("n", 0, 3, 3);
    let (old, one) = (net.load(&n), net.int(1));
    let sum = net.binary(BinaryOp::Add, old, one);
    let store = net.assign(&n, sum, (0, 3));
    net.processes.push(system("P", vec![location("l", &[])], vec![edge(0, 0).run(store)]));
    let model = net.validate().unwrap();
    let mut composer = Composer::new(&model);
    let (mut steps, start) = (Steps::new(), composer.initial());
    composer.steps(&start, &mut steps);
    let fault = composer.apply(&start, &steps.list[0]).unwrap_err();
    let range = Range { min: 0, max: 3 };
    assert_eq!(fault.kind, EvalFaultKind::OutOfRange { value: 4, range });
}

#[test]
fn a_small_open_input_is_unrolled_and_a_large_one_awaits_values() {
    let mut net = Network::new("open");
    let (small, large) = (net.input("small"), net.input("large"));
    net.channels[small].parameters = vec![Type::Int { min: 1, max: 3 }, Type::Bool];
    net.channels[large].parameters = vec![Type::Integer];
    let received = net.load(&Lvalue::frame(0));
    let two = net.int(2);
    let is_two = net.binary(BinaryOp::Eq, received, two);
    let edges = vec![
        edge(0, 0).receive_values(small, 2).data(is_two),
        edge(0, 0).receive_values(large, 1).data(is_two),
    ];
    net.processes.push(system("P", vec![location("l", &[])], edges));
    let model = net.validate().unwrap();
    let mut composer = Composer::new(&model);
    let (mut steps, start) = (Steps::new(), composer.initial());
    composer.steps(&start, &mut steps);
    let values: Vec<_> = steps.list.iter().map(|step| step.arguments.to_vec()).collect();
    assert_eq!(values, [[2, 0], [2, 1]]);
    assert!(steps.list.iter().all(|step| step.control == Control::Controllable));
    let awaiting = steps.awaiting[0];
    assert_eq!((awaiting.channel, steps.awaiting.len()), (large, 1));
    composer.supply(&start, awaiting, &[5], &mut steps);
    assert_eq!(steps.list.len(), 2);
    composer.supply(&start, awaiting, &[2], &mut steps);
    assert_eq!(steps.list[2].arguments.as_slice(), [2]);
}

#[test]
fn a_mealy_step_shows_both_sides() {
    let mut net = Network::new("mealy");
    let (a, b) = (net.input("a"), net.output("b"));
    net.channels[b].parameters = vec![Type::Integer];
    let n = net.integer("n", 0, 9, 7);
    let (old, zero) = (net.load(&n), net.int(0));
    let clear = net.assign(&n, zero, (0, 9));
    let step = edge(0, 0).receive(a).reply(b, &[old]).run(clear);
    net.processes.push(system("P", vec![location("l", &[])], vec![step]));
    let steps = steps(&net.validate().unwrap());
    assert_eq!(steps.list[0].label, StepLabel::Exchange(a, b));
    // The reply is evaluated before the update.
    assert_eq!(steps.list[0].reply.as_slice(), [7]);
}

#[test]
fn a_closed_interface_channel_shows_its_direction() {
    let mut net = Network::new("closed");
    let touch = net.input("touch");
    net.channels[touch].open = false;
    let one = || vec![location("l", &[])];
    net.processes.push(system("Lamp", one(), vec![edge(0, 0).receive(touch)]));
    let user = process("User", Role::Environment, one(), vec![edge(0, 0).send(touch)]);
    net.processes.push(user);
    let steps = steps(&net.validate().unwrap());
    assert_eq!(shape(&steps), [vec![(1, 0), (0, 0)]]);
    assert_eq!(steps.list[0].label, StepLabel::Input(touch));
    assert_eq!(steps.list[0].control, Control::Controllable);
}

#[test]
fn disjuncts_multiply_and_true_ones_absorb() {
    let mut net = Network::new("disjuncts");
    let (x, y) = (net.clock("x"), net.clock("y"));
    let a = net.channel("a");
    let one = || vec![location("l", &[])];
    let sends = edge(0, 0).send(a).when(&[le(x, 1)]).or_when(&[ge(x, 3)]);
    let receives = edge(0, 0).receive(a).when(&[le(y, 1)]).or_when(&[ge(y, 3)]);
    let free = edge(0, 0).receive(a).when(&[le(y, 1)]).or_when(&[]);
    net.processes.push(system("P", one(), vec![sends]));
    net.processes.push(system("Q", one(), vec![receives, free]));
    let steps = steps(&net.validate().unwrap());
    assert_eq!(steps.list[0].guard.disjuncts.len(), 4);
    assert_eq!(steps.list[1].guard.disjuncts.len(), 2);
}

#[test]
fn an_index_chooses_the_channel() {
    let mut net = Network::new("array");
    let first = net.channel("a[0]");
    net.channel("a[1]");
    let i = net.integer("i", 0, 9, 1);
    let (index, zero, one_) = (net.load(&i), net.int(0), net.int(1));
    let one = || vec![location("l", &[])];
    let with = |label: fn(ChannelUse) -> Label, index| {
        let mut edge = edge(0, 0);
        let arguments = Vec::new();
        edge.label = label(ChannelUse { channel: first, index: Some((index, 2)), arguments });
        edge
    };
    net.processes.push(system("P", one(), vec![with(Label::Send, index)]));
    let receives = vec![with(Label::Receive, zero), with(Label::Receive, one_)];
    net.processes.push(system("Q", one(), receives));
    let model = net.clone().validate().unwrap();
    assert_eq!(shape(&steps(&model)), [vec![(0, 0), (1, 1)]]);
    net.slots[0].initial = 2;
    let outside = steps(&net.validate().unwrap());
    assert!(outside.list.is_empty());
    let kind = EvalFaultKind::IndexOutOfBounds { index: 2, first: 0, length: 2 };
    assert_eq!(outside.faults[0].kind, kind);
}
