//! Random small networks.

use super::build::*;
use tioga_model::*;

const CLOCKS: u32 = 2;
const ACTIONS: u32 = 2;

fn random_constraint(random: &mut fastrand::Rng) -> ClockConstraint {
    let clock = ClockId(random.u32(..CLOCKS));
    let bound = random.i64(0..4);
    match random.u8(..9) {
        0 | 1 => le(clock, bound),
        2 | 3 => lt(clock, bound),
        4 | 5 => ge(clock, bound),
        6 | 7 => gt(clock, bound),
        _ => difference_le(clock, ClockId(1 - clock.0), bound - 1),
    }
}

fn random_condition(random: &mut fastrand::Rng, most_disjuncts: usize) -> Condition {
    let count = random.usize(1..=most_disjuncts);
    // An empty conjunct is true, so it comes alone.
    let least = usize::from(count > 1 || random.bool());
    let disjuncts = (0..count).map(|_| {
        let clocks = (0..random.usize(least..3)).map(|_| random_constraint(random)).collect();
        Conjunct { data: None, clocks }
    });
    Condition { disjuncts: disjuncts.collect() }
}

fn random_location(random: &mut fastrand::Rng) -> Location {
    let mut location = match random.u8(..12) {
        0 => urgent("u"),
        1 => committed("c"),
        _ => location("l", &[]),
    };
    if random.u8(..2) == 0 {
        let bound = random.i64(1..5);
        let clock = ClockId(random.u32(..CLOCKS));
        location.invariant = all(None, &[le(clock, bound)]);
        if random.u8(..3) == 0 {
            location.invariant = random_condition(random, 3);
            location.invariant.disjuncts.push(Conjunct { data: None, clocks: vec![le(clock, 1)] });
        }
    }
    location
}

fn random_edge(random: &mut fastrand::Rng, locations: u32) -> Edge {
    let mut edge = edge(random.u32(..locations), random.u32(..locations));
    let channel = ChannelId([0, 1, 1, 2, 3][random.usize(..5)]);
    edge = match random.u8(..7) {
        0 => edge,
        1 | 2 => edge.send(channel),
        3 | 4 => edge.plain(ActionId(random.u32(..ACTIONS))),
        _ => edge.receive(channel),
    };
    edge.guard = random_condition(random, 3);
    for _ in 0..random.u8(..3) {
        let (clock, other) = (ClockId(random.u32(..CLOCKS)), ClockId(random.u32(..CLOCKS)));
        edge = match random.u8(..4) {
            0 | 1 => edge.reset(clock),
            2 => edge.set(clock, None, random.i64(0..3)),
            _ => edge.set(clock, Some(other), random.i64(-1..2)),
        };
    }
    edge
}

/// A vector with strong and weak parts; nothing if no process takes part.
fn random_sync(random: &mut fastrand::Rng, processes: u32) -> Option<SyncVector> {
    let mut parts = Vec::new();
    for process in 0..processes {
        if random.u8(..3) > 0 {
            let (process, action) = (ProcessId(process), ActionId(random.u32(..ACTIONS)));
            parts.push(SyncPart { process, action, weak: random.bool() });
        }
    }
    let span = Default::default();
    (!parts.is_empty()).then_some(SyncVector { parts, shown: None, span })
}

/// A network of up to three processes with a binary, a broadcast, an urgent and an urgent broadcast
/// channel, and up to two synchronisation vectors.
pub fn random_network(random: &mut fastrand::Rng) -> Network {
    let mut net = Network::new("random");
    for clock in 0..CLOCKS {
        net.clock(&format!("x{clock}"));
    }
    for index in 0..4u32 {
        let channel = net.channel(&format!("c{index}"));
        net.channels[channel].broadcast = index % 2 == 1;
        net.channels[channel].urgent = index >= 2;
    }
    for index in 0..random.u32(1..4) {
        let locations: Vec<Location> =
            (0..random.usize(1..3)).map(|_| random_location(random)).collect();
        let count = locations.len() as u32;
        let edges = (0..random.usize(1..5)).map(|_| random_edge(random, count)).collect();
        net.processes.push(system(&format!("P{index}"), locations, edges));
    }
    for action in 0..ACTIONS {
        net.action(&format!("a{action}"));
    }
    for _ in 0..random.u8(..3) {
        net.syncs.extend(random_sync(random, net.processes.len() as u32));
    }
    net
}

/// A process with silent edges, open inputs and open outputs, and invariants.
pub fn random_open_system(random: &mut fastrand::Rng) -> Network {
    let mut net = Network::new("random");
    for clock in 0..CLOCKS {
        net.clock(&format!("x{clock}"));
    }
    let (input, output) = (net.input("i"), net.output("o"));
    let locations: Vec<Location> =
        (0..random.usize(2..4)).map(|_| random_location(random)).collect();
    let count = locations.len() as u32;
    let edges = (0..random.usize(3..8)).map(|_| {
        let edge = random_edge(random, count);
        match random.u8(..4) {
            0 => edge.receive(input),
            1 => edge.send(output),
            _ => Edge { label: Label::Silent, ..edge },
        }
    });
    let edges = edges.collect();
    net.processes.push(system("P", locations, edges));
    net
}
