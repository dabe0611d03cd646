//! Hand-checked runs.

use crate::examples::build::*;
use crate::examples::{rational, smart_light, switch};
use tioga_base::Rational;
use tioga_concrete::{Allowed, Choice, Error, Lock, Semantics, State};
use tioga_model::*;

fn start(model: &Model) -> (Semantics<'_>, State, Allowed) {
    let mut semantics = Semantics::new(model);
    let state = semantics.initial().unwrap();
    let options = semantics.options(&state).unwrap();
    (semantics, state, options)
}

/// Delays and steps by channel name.
fn run(model: &Model, words: &[&str]) -> Result<State, String> {
    let (mut semantics, mut state, _) = start(model);
    for word in words {
        if let Ok(delay) = word.parse::<Rational>() {
            let delayed = semantics.delay(&state, delay).unwrap();
            state = delayed.map_err(|delays| format!("only {delays}"))?;
            continue;
        }
        let options = semantics.options(&state).unwrap();
        let shows = |step: &&Step| match step.label {
            StepLabel::Input(channel) | StepLabel::Output(channel) => {
                model.channels[channel].name == *word
            }
            _ => false,
        };
        let step = options.now().find(shows).ok_or(format!("no {word}"))?.clone();
        state = semantics.step(&state, &step).unwrap();
    }
    Ok(state)
}

fn windows(options: &Allowed) -> Vec<String> {
    options.choices.iter().map(|choice: &Choice| choice.windows.to_string()).collect()
}

#[test]
fn the_switch_runs_as_in_bon09() {
    let model = switch();
    let end = run(&model, &["3", "on", "3", "on", "5", "off", "2"]).unwrap();
    assert_eq!(end.display(&model).to_string(), "(Switch.q0; c=2)");
    assert_eq!(run(&model, &["on", "5"]).unwrap().clocks[0], rational("5"));
    assert_eq!(run(&model, &["on", "6"]), Err("only [0,5]".into()));
    assert_eq!(run(&model, &["7"]), Err("only [0,6]".into()));
}

#[test]
fn the_smart_light_takes_its_time() {
    let model = smart_light();
    let end = run(&model, &["20", "touch", "1", "touch", "1", "bright", "3"]).unwrap();
    assert_eq!(end.display(&model).to_string(), "(Light.Bright; x=3, Tp=5)");
    assert_eq!(run(&model, &["19", "touch", "bright"]), Err("no bright".into()));
    assert_eq!(run(&model, &["19", "touch", "5/2"]), Err("only [0,2]".into()));
    let (_, _, options) = start(&model);
    assert_eq!(windows(&options), ["[0,20)", "[20,inf)"]);
}

#[test]
fn constants_are_divided_by_the_scale() {
    let mut net = Network::new("scaled");
    net.scale = 6;
    let x = net.clock("x");
    let edges = vec![edge(0, 0).when(&[ge(x, 2), lt(x, 9)]).set(x, None, 3)];
    net.processes.push(system("P", vec![location("l", &[])], edges));
    let model = net.validate().unwrap();
    let (mut semantics, state, options) = start(&model);
    assert_eq!(windows(&options), ["[1/3,3/2)"]);
    let later = semantics.delay(&state, rational("1")).unwrap().unwrap();
    let next = semantics.step(&later, &options.choices[0].step).unwrap();
    assert_eq!(next.clocks[0], rational("1/2"));
}

#[test]
fn a_non_convex_invariant_cannot_be_jumped() {
    let mut net = Network::new("gap");
    let x = net.clock("x");
    let mut gap = location("l", &[le(x, 1)]);
    gap.invariant.disjuncts.push(Conjunct { data: None, clocks: vec![gt(x, 2)] });
    let edges = vec![edge(0, 0).when(&[ge(x, 3)]), edge(0, 0).when(&[]).set(x, None, 3)];
    net.processes.push(system("P", vec![gap], edges));
    let model = net.validate().unwrap();
    let (mut semantics, state, options) = start(&model);
    assert_eq!(options.delays.to_string(), "[0,1]");
    assert_eq!(windows(&options), ["[0,1]"]);
    let beyond = semantics.step(&state, &options.choices[0].step).unwrap();
    assert_eq!(semantics.options(&beyond).unwrap().delays.to_string(), "[0,inf)");
}

#[test]
fn the_target_invariant_narrows_the_window() {
    let mut net = Network::new("target");
    let (x, y) = (net.clock("x"), net.clock("y"));
    let locations = vec![location("l", &[]), location("m", &[le(x, 4), ge(y, 1)])];
    let edges = vec![edge(0, 1), edge(0, 1).reset(y), edge(0, 1).set(x, Some(x), -2)];
    net.processes.push(system("P", locations, edges));
    let model = net.validate().unwrap();
    let (_, _, options) = start(&model);
    // The edge that resets y never arrives; the last one must also keep x from going below zero.
    assert_eq!(windows(&options), ["[1,4]", "[2,6]"]);
}

#[test]
fn an_urgent_channel_stops_time_when_both_are_ready() {
    let mut net = Network::new("urgent");
    let x = net.clock("x");
    let hurry = net.channel("hurry");
    net.channels[hurry].urgent = true;
    let two = || vec![location("l", &[]), location("m", &[])];
    net.processes.push(system("P", two(), vec![edge(0, 1).send(hurry).when(&[ge(x, 3)])]));
    net.processes.push(system("Q", two(), vec![edge(0, 1).receive(hurry), edge(0, 0)]));
    let model = net.validate().unwrap();
    let (mut semantics, state, options) = start(&model);
    assert_eq!(options.delays.to_string(), "[0,3]");
    assert_eq!(windows(&options), ["{3}", "[0,3]"]);
    let at_three = semantics.delay(&state, rational("3")).unwrap().unwrap();
    let done = semantics.step(&at_three, &options.choices[0].step).unwrap();
    assert_eq!(semantics.options(&done).unwrap().delays.to_string(), "[0,inf)");
}

#[test]
fn committed_and_urgent_locations_stop_time() {
    for still in [urgent("u"), committed("c")] {
        let only_mine = still.marks.committed;
        let mut net = Network::new("still");
        net.processes.push(system("P", vec![still, location("l", &[])], vec![edge(0, 1)]));
        net.processes.push(system("Q", vec![location("l", &[])], vec![edge(0, 0)]));
        let model = net.validate().unwrap();
        let (_, _, options) = start(&model);
        assert_eq!(options.delays.to_string(), "{0}");
        assert_eq!(options.choices.len(), if only_mine { 1 } else { 2 });
    }
}

#[test]
fn a_broadcast_reaches_receivers_only_when_their_clocks_allow() {
    let mut net = Network::new("broadcast");
    let x = net.clock("x");
    let a = net.broadcast("a");
    let one = || vec![location("l", &[])];
    net.processes.push(system("P", one(), vec![edge(0, 0).send(a).when(&[le(x, 4)])]));
    net.processes.push(system("Q", one(), vec![edge(0, 0).receive(a).when(&[gt(x, 1), lt(x, 3)])]));
    let model = net.validate().unwrap();
    let (_, _, options) = start(&model);
    assert_eq!(windows(&options), ["(1,3)", "[0,1] or [3,4]"]);
    assert_eq!(options.choices[0].step.participants.len(), 2);
}

#[test]
fn weak_parts_of_vectors_join_when_their_clocks_allow() {
    let mut net = Network::new("weak");
    let x = net.clock("x");
    let [a, b] = ["a", "b"].map(|name| net.action(name));
    let one = || vec![location("l", &[])];
    net.processes.push(system("P", one(), vec![edge(0, 0).plain(a).when(&[le(x, 5)])]));
    net.processes.push(system("Q", one(), vec![edge(0, 0).plain(b).when(&[ge(x, 2)])]));
    let part = |process, action, weak| SyncPart { process: ProcessId(process), action, weak };
    let parts = vec![part(0, a, false), part(1, b, true)];
    net.syncs.push(SyncVector { parts, shown: None, span: Default::default() });
    let model = net.validate().unwrap();
    let (_, _, options) = start(&model);
    assert_eq!(windows(&options), ["[2,5]", "[0,2)"]);
}

#[test]
fn endings_are_told_apart() {
    let stuck = |invariant: &[ClockConstraint]| {
        let mut net = Network::new("stuck");
        net.clock("x");
        net.processes.push(system("P", vec![location("l", invariant)], Vec::new()));
        start(&net.validate().unwrap()).2.ending()
    };
    assert_eq!(stuck(&[]), Some(Lock::Deadlock));
    assert_eq!(stuck(&[le(ClockId(0), 2)]), Some(Lock::Timelock));
    assert_eq!(start(&switch()).2.ending(), None);
}

#[test]
fn a_start_outside_the_invariant_is_an_error() {
    let mut net = Network::new("late");
    let x = net.clock("x");
    let n = net.integer("n", 0, 9, 0);
    let least = net.load(&n);
    let negated = net.expr(Expr::Unary(UnaryOp::Neg, least), Kind::Int);
    let at_least_n = ClockConstraint { bound: TimeBound::Expr(negated), ..ge(x, 0) };
    net.processes.push(system("P", vec![location("l", &[at_least_n])], Vec::new()));
    let model = net.validate().unwrap();
    let mut semantics = Semantics::new(&model);
    let mut start = semantics.initial().unwrap().discrete;
    start.data[0] = 1;
    assert_eq!(semantics.start(start), Err(Error::NoInitialState));
}

#[test]
fn a_faulting_update_is_reported_and_offers_nothing() {
    let mut net = Network::new("fault");
    let (one, zero) = (net.int(1), net.int(0));
    let division = net.binary(BinaryOp::Div, one, zero);
    net.processes.push(system("P", vec![location("l", &[])], vec![edge(0, 0).run(division)]));
    let model = net.validate().unwrap();
    let (_, _, options) = start(&model);
    assert!(options.choices.is_empty());
    assert_eq!(options.faults[0].kind, EvalFaultKind::DivisionByZero);
}
