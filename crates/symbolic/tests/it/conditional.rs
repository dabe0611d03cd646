//! Clocks that are set under conditions on data: an edge with such updates against one edge for each case, with the
//! condition in its guard. The edges synchronise with nothing, so splitting them changes nothing.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tioga_base::Span;
use tioga_concrete::State;
use tioga_explore::SearchOptions;
use tioga_model::{Model, Predicate};
use tioga_parse::Format;
use tioga_symbolic::{Abstraction, Reach, ReachAnswer, Survey, ZoneGraph};
use tioga_testkit::network_in;

use crate::regions::regions;
use crate::support::{ABSTRACTIONS, locations};

/// A clock, a value and a condition on data; without a condition the clock is always set.
type Set = (&'static str, &'static str, Option<usize>);

/// Conditions and their negations.
const CONDITIONS: [(&str, &str); 4] =
    [("n == 0", "n != 0"), ("m == 1", "m != 1"), ("n == m", "n != m"), ("n < 2", "n >= 2")];

#[derive(Clone, Debug)]
struct Case {
    ends: (usize, usize),
    guard: String,
    sets: Vec<Set>,
    data: &'static str,
    /// Whether conditions are written as functions with `if`.
    function: bool,
}

impl Case {
    fn text(&self, guard: &str, updates: &[String]) -> String {
        let (from, to) = self.ends;
        let assign = match updates.is_empty() {
            true => String::new(),
            false => format!(" assign {};", updates.join(", ")),
        };
        format!("L{from} -> L{to} {{ guard {guard};{assign} }}")
    }

    fn data(&self) -> impl Iterator<Item = String> {
        (!self.data.is_empty()).then(|| self.data.to_owned()).into_iter()
    }

    /// One edge, whose clocks are set under conditions, and the function that it calls.
    fn whole(&self, number: usize) -> (String, String) {
        let set = |(clock, value, condition): &Set| match condition {
            None => format!("{clock} = {value}"),
            Some(one) => format!("{clock} = {} ? {value} : {clock}", CONDITIONS[*one].0),
        };
        if !self.function {
            let updates: Vec<String> = self.sets.iter().map(set).chain(self.data()).collect();
            return (self.text(&self.guard, &updates), String::new());
        }
        let set = |(clock, value, condition): &Set| match condition {
            None => format!("{clock} = {value};"),
            Some(one) => format!("if ({}) {clock} = {value};", CONDITIONS[*one].0),
        };
        let body: Vec<String> =
            self.sets.iter().map(set).chain(self.data().map(|data| format!("{data};"))).collect();
        let function = format!("void f{number}() {{ {} }} ", body.join(" "));
        (self.text(&self.guard, &[format!("f{number}()")]), function)
    }

    /// An edge for each way in which the conditions may hold.
    fn split(&self) -> Vec<String> {
        let conditions: BTreeSet<usize> = self.sets.iter().filter_map(|(.., one)| *one).collect();
        let conditions: Vec<usize> = conditions.into_iter().collect();
        let ways = 0..1_usize << conditions.len();
        let edge = |way: usize| {
            let holds = |one: &usize| {
                let position = conditions.iter().position(|other| other == one).unwrap();
                way >> position & 1 == 1
            };
            let mut guard = vec![self.guard.clone()];
            guard.extend(conditions.iter().map(|one| {
                let (yes, no) = CONDITIONS[*one];
                if holds(one) { yes } else { no }.to_owned()
            }));
            let sets = self.sets.iter().filter(|(.., one)| one.as_ref().is_none_or(holds));
            let sets = sets.map(|(clock, value, _)| format!("{clock} = {value}"));
            let updates: Vec<String> = sets.chain(self.data()).collect();
            self.text(&guard.join(" && "), &updates)
        };
        ways.map(edge).collect()
    }
}

fn case() -> impl Strategy<Value = Case> {
    let set = (
        prop::sample::select(vec!["x", "y"]),
        prop::sample::select(vec!["0", "0", "1", "x", "y", "y + 1"]),
        prop_oneof![1 => Just(None), 3 => (0..CONDITIONS.len()).prop_map(Some)],
    );
    let bound = (
        prop::sample::select(vec!["x", "y"]),
        prop::sample::select(vec!["<=", "<", ">=", ">", "=="]),
        0..4,
    );
    let guard = bound.prop_map(|(clock, how, constant)| format!("{clock} {how} {constant}"));
    let data = prop::sample::select(vec!["", "", "n = (n + 1) % 3", "m = 1 - m", "n = 0"]);
    ((0..3usize, 0..3usize), guard, prop::collection::vec(set, 0..3), data, any::<bool>())
        .prop_map(|(ends, guard, sets, data, function)| Case { ends, guard, sets, data, function })
}

/// The text of a model with these edges and functions.
fn text(invariants: &[i64], edges: &[String], functions: &str) -> String {
    let state = |(index, bound): (usize, &i64)| match bound {
        0 => format!("L{index}"),
        bound => format!("L{index} {{ x <= {bound} }}"),
    };
    let states: Vec<String> = invariants.iter().enumerate().map(state).collect();
    format!(
        "process P() {{ clock x, y; int[0, 2] n; int[0, 1] m; {functions}
           state {}; init L0; trans {}; }} system P;",
        states.join(", "),
        edges.join(", ")
    )
}

/// What two models that do the same agree in: the regions, the locations that zones reach under each abstraction, and
/// whether a run can get stuck.
#[derive(PartialEq, Debug)]
struct Facts {
    regions: BTreeSet<State>,
    reached: Vec<Vec<bool>>,
    timelock: bool,
    deadlock: bool,
}

fn is_reached(model: &Model, abstraction: Abstraction, predicate: &Predicate) -> bool {
    let graph = ZoneGraph::new(model, abstraction, &[predicate]).unwrap();
    let goal = Some((predicate, Span::default()));
    match Reach::ask(&graph, goal, &SearchOptions::default(), &mut |_| {}).answer {
        ReachAnswer::Reachable(_) => true,
        ReachAnswer::Unreachable => false,
        ReachAnswer::Unknown(reason) => panic!("{reason}"),
    }
}

fn facts(text: &str) -> Facts {
    let mut network = network_in(Format::Xta, text);
    let conditions = locations(&mut network);
    let model = network.validate().unwrap();
    let survey = Survey::of(&model, &SearchOptions::default(), &mut |_| {}).unwrap();
    let asked = |abstraction: Abstraction| {
        conditions.iter().map(|(.., one)| is_reached(&model, abstraction, one)).collect()
    };
    let regions = regions(&model);
    let reached: Vec<Vec<bool>> = ABSTRACTIONS.into_iter().map(asked).collect();
    let visited: Vec<bool> = conditions
        .iter()
        .map(|(process, location, _)| {
            regions.iter().any(|state| state.discrete.location(*process) == *location)
        })
        .collect();
    reached.iter().for_each(|one| assert_eq!(one, &visited, "{text}"));
    let deadlock = is_reached(&model, Abstraction::M, &Predicate::Deadlock);
    Facts { regions, reached, timelock: survey.timelock.is_some(), deadlock }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn conditions_on_clocks_are_the_same_as_edges_for_each_case(
        invariants in prop::collection::vec(0..4i64, 3),
        cases in prop::collection::vec(case(), 1..6),
    ) {
        let (edges, functions): (Vec<String>, Vec<String>) =
            cases.iter().enumerate().map(|(number, case)| case.whole(number)).unzip();
        let whole = text(&invariants, &edges, &functions.concat());
        let split: Vec<String> = cases.iter().flat_map(Case::split).collect();
        let split = text(&invariants, &split, "");
        prop_assert_eq!(facts(&whole), facts(&split), "{}\nand\n{}", whole, split);
    }
}

/// Whether a location can be reached.
fn reaches(text: &str, location: &str) -> Vec<bool> {
    let mut network = network_in(Format::Xta, text);
    let conditions = locations(&mut network);
    let model: Model = network.validate().unwrap();
    let found = conditions
        .iter()
        .find(|(process, one, _)| model.processes[*process].locations[*one].name == location);
    let (.., predicate) = found.unwrap();
    ABSTRACTIONS.into_iter().map(|one| is_reached(&model, one, predicate)).collect()
}

#[test]
fn a_clock_that_is_set_under_a_condition_stays_active() {
    // Only B asks for x, and the edge there may set it. If it does not, what x is in A matters.
    let text = "process P() { clock x, y; int[0, 1] n; state S, M, A, B, C, D; init S;
trans S -> A { guard x > 3; assign y = 0; }, S -> M { }, M -> A { guard x < 1; assign y = 0; },
A -> B { guard y == 0; assign x = n == 1 ? 0 : x; }, B -> C { guard y == 0 && x < 1; },
B -> D { guard y == 0 && x > 2; }; } system P;";
    for location in ["C", "D"] {
        assert!(reaches(text, location).iter().all(|one| *one), "{location}");
    }
    let set = text.replace("n == 1", "n == 0");
    assert!(reaches(&set, "C").iter().all(|one| *one));
    assert!(reaches(&set, "D").iter().all(|one| !one));
}

#[test]
fn the_condition_is_evaluated_where_the_update_stands() {
    let text = "process P() { clock x; int[0, 1] n; state A, B, C; init A;
trans A -> B { guard x >= 5; assign n = 1, x = n == 1 ? 0 : x; }, B -> C { guard x < 2; }; } system P;";
    assert!(reaches(text, "C").iter().all(|one| *one));
    let before = text.replace("n = 1, x = n == 1 ? 0 : x", "x = n == 1 ? 0 : x, n = 1");
    assert!(reaches(&before, "C").iter().all(|one| !one));
}
