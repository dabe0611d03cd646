//! Models the tests share.

#[path = "../../../../model/tests/it/build/mod.rs"]
pub mod build;
pub mod random;

use build::*;
use tioga_base::Rational;
use tioga_concrete::{Observable, Observed};
use tioga_model::*;

pub fn rational(text: &str) -> Rational {
    text.parse().unwrap()
}

/// The switch of BON09 Fig. 1 with K = 6 and `off` at any time up to 5.
pub fn switch() -> Model {
    let mut net = Network::new("switch");
    let c = net.clock("c");
    let (on, off) = (net.input("on"), net.output("off"));
    let locations = vec![location("q0", &[le(c, 6)]), location("q1", &[le(c, 5)])];
    let edges = vec![
        edge(0, 1).receive(on).when(&[le(c, 6)]).reset(c),
        edge(1, 1).receive(on).when(&[le(c, 5)]).reset(c),
        edge(1, 0).send(off).when(&[le(c, 5)]).reset(c),
    ];
    net.processes.push(system("Switch", locations, edges));
    net.validate().unwrap()
}

/// The smart light of DLLN08 Fig. 3.
pub fn smart_light() -> Model {
    let mut net = Network::new("smart light");
    let (x, tp) = (net.clock("x"), net.clock("Tp"));
    let touch = net.input("touch");
    let [dim, bright, off] = ["dim", "bright", "off"].map(|name| net.output(name));
    let mut locations: Vec<Location> =
        ["Off", "Dim", "Bright"].iter().map(|name| location(name, &[])).collect();
    locations.extend((1..=6).map(|n| location(&format!("L{n}"), &[le(tp, 2)])));
    let l = |n: u32| n + 2;
    let mut edges = Vec::new();
    for (source, bound, early, late) in [(0, 20, 1, 5), (1, 4, 2, 3), (2, 4, 4, 6)] {
        edges.push(edge(source, l(early)).receive(touch).when(&[lt(x, bound)]).reset(tp));
        edges.push(edge(source, l(late)).receive(touch).when(&[ge(x, bound)]).reset(tp));
    }
    edges.extend((1..=6).map(|n| edge(l(n), l(n)).receive(touch)));
    let outputs = [
        (1, dim, 1),
        (2, bright, 2),
        (3, off, 0),
        (4, dim, 1),
        (5, dim, 1),
        (5, bright, 2),
        (6, off, 0),
    ];
    edges.extend(outputs.map(|(n, channel, to)| edge(l(n), to).send(channel).reset(x)));
    net.processes.push(system("Light", locations, edges));
    net.validate().unwrap()
}

/// One clock; an internal step within (0,1) that resets it, then an output at exactly 1 later.
pub fn hidden_start() -> Model {
    let mut net = Network::new("hidden start");
    let x = net.clock("x");
    let done = net.output("done");
    let locations =
        vec![location("idle", &[lt(x, 1)]), location("busy", &[le(x, 1)]), location("end", &[])];
    let edges = vec![
        edge(0, 1).when(&[gt(x, 0), lt(x, 1)]).reset(x),
        edge(1, 2).send(done).when(&eq(x, 1)),
    ];
    net.processes.push(system("P", locations, edges));
    net.validate().unwrap()
}

/// A trace from delays and channel names.
pub fn observed(model: &Model, words: &[&str]) -> Vec<Observed> {
    let word = |word: &&str| {
        let Some((channel, declared)) = model.channels.iter_ids().find(|(_, c)| c.name == *word)
        else {
            return Observed::Delay(rational(word));
        };
        let label = match declared.direction.unwrap() {
            Direction::Input => StepLabel::Input(channel),
            Direction::Output => StepLabel::Output(channel),
        };
        let (arguments, reply) = Default::default();
        Observed::Action(Observable { label, arguments, reply })
    };
    words.iter().map(word).collect()
}
