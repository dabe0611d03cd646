//! Tests of a machine as test cases that are run as all others.
//!
//! A test is a chain of places: the tester sends an input, and the system must answer before time passes,
//! because the steps of Mealy machines take no time. With a real system the answer may be under way for as
//! long as the declared latencies allow.

use tioga_machines::Machine;
use tioga_testcase::{
    Action, CaseEdge, CasePlace, CaseRule, Goal, Judgement, Shape, Side, Summary, TestCase, Verdict,
};

use super::stages::Stages;
use super::test_lines::test_line;
use crate::Failure;

/// The actions that the inputs and outputs of a machine stand for, by position.
#[derive(Clone, PartialEq, Debug)]
pub struct Interface {
    /// The inputs.
    pub inputs: Vec<Action>,
    /// The outputs.
    pub outputs: Vec<Action>,
}

impl Interface {
    /// Actions without values, with the names of the inputs and outputs.
    pub fn of_names(machine: &Machine) -> Self {
        let action = |name: &str| Action { channel: name.to_owned(), values: Vec::new() };
        let outputs = 0..u32::try_from(machine.output_count()).unwrap_or(u32::MAX);
        Self {
            inputs: machine.inputs().map(|input| action(machine.input_name(input))).collect(),
            outputs: outputs.map(|output| action(machine.output_name(output))).collect(),
        }
    }
}

/// Passes on the tests as test cases, named after their method and their number, without keeping them.
///
/// # Errors
/// The first one of `take`; it ends the work.
pub fn each_case(
    machine: &Machine,
    interface: &Interface,
    tests: &Stages,
    take: &mut dyn FnMut(TestCase) -> Result<(), Failure>,
) -> Result<(), Failure> {
    tests.each_named(&mut |name, word| take(case(machine, interface, word, name)))
}

/// The test case of a word that is possible.
pub fn case(machine: &Machine, interface: &Interface, word: &[u32], name: String) -> TestCase {
    let mut places = Vec::new();
    let mut state = machine.initial();
    let left = |done: usize| [0, 0, u32::try_from(2 * (word.len() - done)).unwrap_or(u32::MAX)];
    for (done, input) in word.iter().enumerate() {
        let (target, output) = machine.step(state, *input).expect("tests are possible");
        let here = machine.state_name(state);
        let sent = &interface.inputs[*input as usize];
        let (next, after) = (2 * done + 1, 2 * done + 2);
        places.push(CasePlace {
            rules: vec![CaseRule {
                rank: left(done),
                zones: always(),
                play: Some(0),
                awaited: Vec::new(),
            }],
            ..place(here.to_owned(), vec![edge(Side::Tester, sent.clone(), next)])
        });
        let [risks, losses, steps] = left(done);
        let answer = interface.outputs[output as usize].clone();
        places.push(CasePlace {
            urgent: always(),
            rules: vec![CaseRule {
                rank: [risks, losses, steps - 1],
                zones: always(),
                play: None,
                awaited: vec![0],
            }],
            ..place(format!("{here}, {sent}"), vec![edge(Side::System, answer, after)])
        });
        state = target;
    }
    let reason = "every input was answered as the machine answers it".to_owned();
    let end = Judgement::new(Verdict::Pass, always(), reason);
    places.push(CasePlace {
        verdicts: vec![end],
        ..place(machine.state_name(state).to_owned(), Vec::new())
    });
    TestCase {
        name,
        shape: Shape::Tree,
        summary: Summary {
            model: machine.name.clone(),
            goal: Goal::Inputs { unit: None, inputs: test_line(machine, word) },
            exact: true,
            rank: left(0),
            ..Summary::default()
        },
        scale: 1,
        clocks: Vec::new(),
        own_moves: Vec::new(),
        runs: None,
        patience: None,
        walk: None,
        inputs: interface.inputs.clone(),
        outputs: interface.outputs.clone(),
        places,
        data: None,
        symbolic: None,
    }
}

/// One zone without bounds.
fn always() -> Vec<Vec<tioga_testcase::CaseBound>> {
    vec![Vec::new()]
}

fn place(name: String, edges: Vec<CaseEdge>) -> CasePlace {
    CasePlace {
        name,
        origin: Vec::new(),
        invariant: always(),
        urgent: Vec::new(),
        verdicts: Vec::new(),
        edges,
        rules: Vec::new(),
    }
}

fn edge(by: Side, action: Action, target: usize) -> CaseEdge {
    let target = u32::try_from(target).expect("fewer than 2^32 places");
    CaseEdge { by, action, guard: always(), sets: Vec::new(), target }
}
