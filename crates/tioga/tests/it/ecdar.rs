//! Refinement of components of ECDAR against its definition, played on a grid of time.
//!
//! The reference knows nothing of loops that are added: an input without an edge leaves the state as it is, and so does
//! an action that only the other component has. Components are deterministic and have one clock each, so a quarter of a
//! unit meets every order of their fractions, if each pair of states stands for those of its region.

use std::collections::BTreeSet;
use std::path::Path;

use fastrand::Rng;
use serde_json::{Value, json};
use tioga::{Alphabets, Effort, OpenOptions, Sources, compare, open, read, united};
use tioga_conform::{Relation, RelationAnswer};
use tioga_model::Model;
use tioga_testkit::folder;

/// The largest constant, and how many steps of the grid a unit has.
const LARGEST: u32 = 4;
const UNIT: u32 = 4;
/// All later times are alike.
const LATE: u32 = (LARGEST + 1) * UNIT;

const PAIRS: u64 = 400;

/// Bounds of a clock, each with whether it is excluded.
#[derive(Clone, Copy)]
struct Window {
    from: (u32, bool),
    to: Option<(u32, bool)>,
}

impl Window {
    fn random(rng: &mut Rng) -> Self {
        let from = rng.u32(0..=LARGEST);
        let to = rng.bool().then(|| rng.u32(from..=LARGEST));
        let open = to != Some(from);
        let mut bound = |value| (value, open && rng.u8(0..3) == 0);
        Self { from: bound(from), to: to.map(bound) }
    }

    fn contains(self, time: u32) -> bool {
        let above =
            |(bound, strict): (u32, bool)| time > bound * UNIT || (!strict && time == bound * UNIT);
        let below =
            |(bound, strict): (u32, bool)| time < bound * UNIT || (!strict && time == bound * UNIT);
        above(self.from) && self.to.is_none_or(below)
    }

    fn text(self) -> String {
        let (from, strict) = self.from;
        let mut text = format!("x {} {from}", if strict { ">" } else { ">=" });
        if let Some((to, strict)) = self.to {
            text.push_str(&format!(" && x {} {to}", if strict { "<" } else { "<=" }));
        }
        text
    }
}

#[derive(Clone)]
struct Edge {
    ends: (usize, usize),
    channel: char,
    window: Window,
    /// The value of the variable that it needs.
    needs: Option<bool>,
    resets: bool,
    flips: bool,
}

impl Edge {
    fn possible(&self, at: At) -> bool {
        self.ends.0 == at.place
            && self.window.contains(at.time)
            && self.needs.is_none_or(|value| value == at.flag)
    }
}

#[derive(Clone)]
struct Component {
    invariants: Vec<Option<u32>>,
    edges: Vec<Edge>,
}

/// A state: location, clock and variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    place: usize,
    time: u32,
    flag: bool,
}

fn is_input(channel: char) -> bool {
    channel < 'm'
}

impl Component {
    fn random(rng: &mut Rng, channels: &str) -> Self {
        let places = rng.usize(2..4);
        let first = rng.bool().then(|| rng.u32(1..=LARGEST));
        let mut invariants = vec![first];
        invariants.resize_with(places, || rng.bool().then(|| rng.u32(0..=LARGEST)));
        let mut component = Self { invariants, edges: Vec::new() };
        for place in 0..places {
            for channel in channels.chars() {
                for _ in 0..rng.u8(0..3) {
                    let edge = Edge {
                        ends: (place, rng.usize(0..places)),
                        channel,
                        window: Window::random(rng),
                        needs: (rng.u8(0..4) == 0).then(|| rng.bool()),
                        resets: rng.bool(),
                        flips: rng.u8(0..4) == 0,
                    };
                    component.add(edge);
                }
            }
        }
        component
    }

    /// Adds an edge if that leaves it deterministic.
    fn add(&mut self, edge: Edge) {
        let points = (0..=LATE).flat_map(|time| [true, false].map(|flag| (time, flag)));
        let mut points = points.map(|(time, flag)| At { place: edge.ends.0, time, flag });
        let same = |other: &&Edge| other.channel == edge.channel;
        let rivals: Vec<&Edge> = self.edges.iter().filter(same).collect();
        let clash = |at| edge.possible(at) && rivals.iter().any(|other| other.possible(at));
        if !points.any(clash) {
            self.edges.push(edge);
        }
    }

    /// The same with one change.
    fn varied(&self, rng: &mut Rng) -> Self {
        let mut varied = self.clone();
        if !varied.edges.is_empty() {
            let at = rng.usize(0..varied.edges.len());
            match rng.u8(0..3) {
                0 => drop(varied.edges.remove(at)),
                1 => varied.edges[at].ends.1 = rng.usize(0..self.invariants.len()),
                _ => varied.edges[at].resets ^= true,
            }
        }
        varied
    }

    fn alphabet(&self, inputs: bool) -> BTreeSet<char> {
        let channels = self.edges.iter().map(|edge| edge.channel);
        channels.filter(|channel| is_input(*channel) == inputs).collect()
    }

    fn allows(&self, at: At) -> bool {
        self.invariants[at.place].is_none_or(|bound| at.time <= bound * UNIT)
    }

    /// Where a channel of its own leads.
    fn after(&self, at: At, channel: char) -> Option<At> {
        let mut edges = self.edges.iter().filter(|edge| edge.channel == channel);
        let next = |edge: &Edge| At {
            place: edge.ends.1,
            time: if edge.resets { 0 } else { at.time },
            flag: at.flag ^ edge.flips,
        };
        let taken = edges
            .find_map(|edge| (edge.possible(at) && self.allows(next(edge))).then(|| next(edge)));
        taken.or_else(|| is_input(channel).then_some(at))
    }

    fn json(&self) -> Value {
        let location = |(place, bound): (usize, &Option<u32>)| {
            json!({
                "id": format!("L{place}"),
                "type": if place == 0 { "INITIAL" } else { "NORMAL" },
                "invariant": bound.map_or(String::new(), |bound| format!("x <= {bound}")),
            })
        };
        let edge = |edge: &Edge| {
            let needs = edge.needs.map_or("", |value| if value { " && w" } else { " && !w" });
            let updates = [(edge.resets, "x = 0"), (edge.flips, "w = !w")];
            let updates: Vec<&str> =
                updates.iter().filter(|(made, _)| *made).map(|(_, text)| *text).collect();
            json!({
                "sourceLocation": format!("L{}", edge.ends.0),
                "targetLocation": format!("L{}", edge.ends.1),
                "status": if is_input(edge.channel) { "INPUT" } else { "OUTPUT" },
                "guard": format!("{}{needs}", edge.window.text()),
                "update": updates.join(", "),
                "sync": edge.channel.to_string(),
            })
        };
        json!({
            "name": "P",
            "declarations": "clock x; bool w;",
            "locations": self.invariants.iter().enumerate().map(location).collect::<Vec<_>>(),
            "edges": self.edges.iter().map(edge).collect::<Vec<_>>(),
        })
    }

    fn model(&self, path: &Path) -> Model {
        std::fs::write(path, self.json().to_string()).unwrap();
        let mut texts = Sources::new();
        let source = open(path.to_str().unwrap(), &OpenOptions::default(), &mut texts).unwrap();
        read(source, &[], &mut texts).unwrap().model
    }
}

/// The states of the region of two states that stand for it: fractions are 0, 1 and 2 steps.
fn region(a: At, b: At) -> (At, At) {
    let capped = |at: At| if at.time > LARGEST * UNIT { LATE } else { at.time };
    let times = [capped(a), capped(b)];
    let fractions = times.map(|time| time % UNIT);
    let [one, other] = [0, 1].map(|this: usize| {
        let (own, rival) = (fractions[this], fractions[1 - this]);
        let order = if own == 0 { 0 } else { 1 + u32::from(rival > 0 && rival < own) };
        times[this] - own + order
    });
    (At { time: one, ..a }, At { time: other, ..b })
}

/// The definition.
fn refines(one: &Component, other: &Component) -> bool {
    let (inputs, outputs) = (other.alphabet(true), one.alphabet(false));
    if !one.alphabet(true).is_subset(&inputs) || !other.alphabet(false).is_subset(&outputs) {
        return false;
    }
    let start = At { place: 0, time: 0, flag: false };
    let (mut seen, mut open) = (BTreeSet::new(), vec![(start, start)]);
    while let Some((a, b)) = open.pop() {
        let (a, b) = region(a, b);
        if !seen.insert((a, b)) {
            continue;
        }
        for &output in &outputs {
            let Some(next) = one.after(a, output) else { continue };
            let known = other.alphabet(false).contains(&output);
            let answer = if known { other.after(b, output) } else { Some(b) };
            let Some(answer) = answer else { return false };
            open.push((next, answer));
        }
        for &input in &inputs {
            let known = one.alphabet(true).contains(&input);
            let next = if known { one.after(a, input) } else { Some(a) };
            open.push((next.unwrap(), other.after(b, input).unwrap()));
        }
        for steps in 1..=UNIT {
            let [one_later, other_later] = [a, b].map(|at| At { time: at.time + steps, ..at });
            if one.allows(one_later) {
                if !other.allows(other_later) {
                    return false;
                }
                open.push((one_later, other_later));
            }
        }
    }
    true
}

#[test]
fn components_refine_as_defined() {
    let files = folder("components");
    let mut answers = [[0; 2]; 2];
    for seed in 0..PAIRS {
        let mut rng = Rng::with_seed(seed);
        let mut channels = |of: &[&'static str]| of[rng.usize(0..of.len())];
        let (first, second) = (channels(&["ao", "abop", "abo", "aop"]), channels(&["abo", "ao"]));
        let one = Component::random(&mut rng, first);
        let other = match rng.u8(0..3) {
            0 => Component::random(&mut rng, second),
            _ => one.varied(&mut rng),
        };
        if [&one, &other].iter().any(|component| component.edges.is_empty()) {
            continue;
        }
        let expected = refines(&one, &other);
        let models = (one.model(&files.join("one.json")), other.model(&files.join("other.json")));
        let found = match united(&models.0, &models.1).unwrap() {
            Alphabets::Differ(_) => false,
            Alphabets::United(both) => {
                let mut effort = Effort { threads: 1, ..Effort::default() };
                let compared = compare(&both.0, &both.1, Relation::Refines, None, &mut effort);
                let (compared, _) = compared.unwrap();
                match compared.decided.answer {
                    RelationAnswer::Holds => true,
                    RelationAnswer::Violated(_) => false,
                    RelationAnswer::Unknown(reason) => panic!("{seed}: {reason}"),
                }
            }
        };
        assert_eq!(found, expected, "{seed}: {} {}", one.json(), other.json());
        let same = [true, false].iter().all(|side| one.alphabet(*side) == other.alphabet(*side));
        answers[usize::from(same)][usize::from(found)] += 1;
    }
    assert!(answers.iter().flatten().all(|count| *count > 10), "{answers:?}");
}
