//! A timed model as a machine in units of a granularity: in each unit of time the tester sends one input at its
//! beginning, or none, and the outputs of the system during the unit are one answer.
//!
//! The machine is read from the grid automaton of half the granularity. Its states are those in which no output is
//! due. That is a machine only if the model determines its outputs: at each instant at most one output is possible,
//! none can be delayed, and none comes between two units. The half units show the steps between them, because no
//! condition changes its truth there.

use std::collections::HashSet;

use tioga_base::{Diagnostic, Rational};
use tioga_grids::{Ends, GridAutomaton, GridOptions, StateIndex, TICK, TimedWord, exact_word};
use tioga_machines::partition::equivalence;
use tioga_machines::{Input, Machine, Transition};
use tioga_model::Model;
use tioga_testcase::{Goal, TestCase};

use super::complaint::complaint;
use super::stages::Stages;
use super::test_lines::test_line;
use crate::grids::{
    GridModel, NoCase, Provenance, build_grid, grid_model, grid_resolution, timed_case,
};
use crate::{Effort, Failure};

/// How many outputs may come at one instant.
const AT_ONCE: usize = 1000;

/// A timed model as a machine.
#[derive(Clone, Debug)]
pub struct TimedMachine {
    /// The minimal machine.
    pub machine: Machine,
    /// How many states the machine had before equivalent ones were merged.
    pub states: usize,
    one: GridModel,
    steps: Steps,
}

/// The grid as a machine sees it.
#[derive(Clone, Debug)]
struct Steps {
    /// A unit of time is `1 / parts`.
    parts: i64,
    /// The grid of half units.
    grid: GridAutomaton,
}

/// What happens in a unit of time.
struct Unit {
    /// The input if there is one, the outputs at its beginning, two halves, and the outputs at its end.
    labels: Vec<u32>,
    /// Whether the first label is an input.
    sent: bool,
    /// Where the outputs at its beginning end.
    at_once: usize,
    /// The state at its end.
    target: StateIndex,
}

fn refused(message: String) -> Failure {
    let help =
        "a complete suite needs a model whose outputs and their times follow from the inputs";
    Diagnostic::global("machine", message).help(help).into()
}

/// The machine of a model with clocks in units of `1 / parts`, or of the coarsest granularity that fits.
///
/// # Errors
/// If grids do not know the model, it leaves outputs or their times open, or it has too many states.
pub fn timed_machine(
    model: &Model,
    parts: Option<i64>,
    max_states: u64,
    effort: &mut Effort<'_>,
) -> Result<TimedMachine, Failure> {
    let one = grid_model(model, None)?;
    let coarse = grid_resolution(&one.model, &GridOptions { parts, ..GridOptions::default() })?;
    let halves = coarse.parts.checked_mul(2);
    let fine = GridOptions { parts: halves, ..GridOptions::default() };
    let resolution = grid_resolution(&one.model, &fine)?;
    let grid = build_grid(&one.model, &resolution, Ends::Expanded, max_states, effort)?;
    let steps = Steps { parts: coarse.parts, grid };
    let machine = steps.unfolded(model)?;
    Ok(TimedMachine { states: machine.state_count(), machine: merged(&machine)?, one, steps })
}

impl TimedMachine {
    /// A unit of time, as an input is written.
    pub fn unit(&self) -> Rational {
        self.steps.unit()
    }

    /// The domain of machines with at most this number of states, in words.
    pub fn domain(&self, states: usize) -> String {
        format!(
            "systems that, in units of {unit}, are machines with at most {states} states: at most one input comes in each \
             unit, at its beginning and after the outputs of that instant; outputs come at multiples of {unit}, and \
             which and when follows from the inputs and their times",
            unit = self.unit(),
        )
    }

    /// The timed word of some inputs: with delays, and with the outputs of the model.
    fn word(&self, inputs: &[Input]) -> Result<TimedWord, Failure> {
        let steps = &self.steps;
        let mut labels = Vec::new();
        let mut state = steps.settled(0, &mut labels)?;
        for input in inputs {
            let name = self.machine.input_name(*input);
            let found = steps.inputs(state).into_iter().find(|(own, _)| own == name);
            let unit = found.map(|(_, sent)| steps.unit_from(state, sent)).transpose()?.flatten();
            let Some(unit) = unit else {
                return Err(refused(format!("`{name}` is not possible there")));
            };
            labels.extend(unit.labels);
            state = unit.target;
        }
        // Half a unit more shows that nothing else comes at the last instant.
        if steps.grid.transitions(state).any(|(label, _)| label == TICK) {
            labels.push(TICK);
        }
        let word = exact_word(&steps.grid, &labels).map_err(crate::grids::complaint)?;
        word.ok_or_else(|| refused("the word is none of the grid".to_owned()))
    }

    /// The test case of some inputs.
    ///
    /// # Errors
    /// If the inputs are not possible, or numbers are too large.
    pub(super) fn case(
        &self,
        model: &Model,
        inputs: &[Input],
        name: String,
    ) -> Result<TestCase, Failure> {
        let word = self.word(inputs)?;
        let process = model.processes.iter().next().map_or("", |process| process.name.as_str());
        let end = "every input was answered as the model answers it";
        let from = Provenance { model: &model.name, process, unit: model.time_unit, end };
        let line = test_line(&self.machine, inputs);
        let goal = Goal::Inputs { unit: Some(self.unit()), inputs: line };
        timed_case(&self.one, &word, &from, (goal, name)).map_err(|error| match error {
            NoCase::NoRun => refused(format!("`{word}` is no run of the model")),
            NoCase::Ambiguous => {
                refused(format!("the model has two edges for one action of `{word}`"))
            }
            NoCase::Overflow => crate::grids::complaint(tioga_grids::Error::Overflow),
        })
    }
}

impl Steps {
    fn unit(&self) -> Rational {
        Rational::new(1, self.parts).unwrap_or(Rational::ONE)
    }

    /// All states that are reached, with the units of time between them.
    fn unfolded(&self, model: &Model) -> Result<Machine, Failure> {
        if !self.grid.is_deterministic() {
            let message = "two edges can be taken for one action at the same time";
            return Err(refused(message.to_owned()));
        }
        let mut first = Vec::new();
        let start = self.settled(0, &mut first)?;
        if !first.is_empty() {
            let message = "there is an output before the first input, which no machine has";
            return Err(refused(message.to_owned()));
        }
        let name = |state: StateIndex| self.grid.state_name(state);
        let mut known: HashSet<StateIndex> = HashSet::from([start]);
        let (mut list, mut next) = (vec![start], 0);
        let mut transitions = Vec::new();
        while let Some(at) = list.get(next).copied() {
            next += 1;
            for (input, sent) in self.inputs(at) {
                let Some(unit) = self.unit_from(at, sent)? else { continue };
                let (source, target) = (name(at), name(unit.target));
                let output = self.answer(&unit);
                transitions.push(Transition { source, input, output, target });
                if known.insert(unit.target) {
                    list.push(unit.target);
                }
            }
        }
        let states = list.iter().map(|state| name(*state));
        let made = Machine::new(model.name.clone(), states, &name(start), &transitions);
        made.map_err(|error| complaint(&error).into())
    }

    /// The inputs of a unit of time: none, which is written as the unit, or one that the state takes.
    fn inputs(&self, at: StateIndex) -> Vec<(String, Option<u32>)> {
        let mut all = vec![(self.unit().to_string(), None)];
        for (label, _) in self.grid.transitions(at) {
            if label != TICK {
                all.push((plain(&self.grid.label_name(label)), Some(label)));
            }
        }
        all
    }

    /// What happens in a unit of time at whose beginning an input is sent, or none. Nothing if time cannot pass.
    fn unit_from(&self, at: StateIndex, sent: Option<u32>) -> Result<Option<Unit>, Failure> {
        let step = |state: StateIndex, label: u32| {
            self.grid.transitions(state).find(|(own, _)| *own == label).map(|(_, target)| target)
        };
        let mut labels = Vec::from_iter(sent);
        let Some(state) = sent.map_or(Some(at), |label| step(at, label)) else { return Ok(None) };
        let state = self.settled(state, &mut labels)?;
        let at_once = labels.len();
        let Some(between) = step(state, TICK) else { return Ok(None) };
        let mut steps = self.grid.transitions(between);
        if let Some((label, _)) = steps.find(|(label, _)| self.is_output(*label)) {
            let (label, place) = (self.grid.label_name(label), self.grid.state_name(between));
            let message = format!("`{label}` may come between two units of time, in `{place}`");
            return Err(refused(message));
        }
        let Some(state) = step(between, TICK) else { return Ok(None) };
        labels.extend([TICK, TICK]);
        let target = self.settled(state, &mut labels)?;
        Ok(Some(Unit { labels, sent: sent.is_some(), at_once, target }))
    }

    /// The outputs of a unit of time, as one answer: those at its beginning, and those at its end.
    fn answer(&self, unit: &Unit) -> String {
        let shown = |labels: &[u32]| -> String {
            let names = labels.iter().map(|label| plain(&self.grid.label_name(*label)));
            names.collect::<Vec<_>>().join(" ")
        };
        let first = shown(&unit.labels[usize::from(unit.sent)..unit.at_once]);
        let last = shown(&unit.labels[unit.at_once + 2..]);
        match (first.is_empty(), last.is_empty()) {
            (true, true) => "-".to_owned(),
            (_, true) => first,
            (true, false) => format!("{} {last}", self.unit()),
            (false, false) => format!("{first} {} {last}", self.unit()),
        }
    }

    fn is_output(&self, label: u32) -> bool {
        let action = self.grid.label(label).map(|(action, _)| action);
        action.is_some_and(|action| !self.grid.automaton().actions[action].input)
    }

    /// Where the outputs of this instant lead; they are added to the labels.
    fn settled(&self, at: StateIndex, labels: &mut Vec<u32>) -> Result<StateIndex, Failure> {
        let mut state = at;
        for _ in 0..AT_ONCE {
            let steps = self.grid.transitions(state);
            let outputs: Vec<(u32, StateIndex)> =
                steps.filter(|(label, _)| self.is_output(*label)).collect();
            let shown = |label: u32| self.grid.label_name(label);
            match &outputs[..] {
                [] => return Ok(state),
                [(label, target)] => {
                    if self.grid.transitions(state).any(|(label, _)| label == TICK) {
                        let (label, place) = (shown(*label), self.grid.state_name(state));
                        let message = format!("`{label}` may come in `{place}` or later");
                        return Err(refused(message));
                    }
                    labels.push(*label);
                    state = *target;
                }
                [(first, _), (second, _), ..] => {
                    let (first, second) = (shown(*first), shown(*second));
                    let place = self.grid.state_name(state);
                    let message = format!("`{first}` or `{second}` may come in `{place}`");
                    return Err(refused(message));
                }
            }
        }
        let place = self.grid.state_name(at);
        Err(refused(format!("outputs never end at the instant of `{place}`")))
    }
}

/// Passes on the tests of a timed machine as test cases, named after their method and their number.
///
/// # Errors
/// The first one of `take`; it ends the work.
pub fn each_timed_case(
    model: &Model,
    timed: &TimedMachine,
    tests: &Stages,
    take: &mut dyn FnMut(TestCase) -> Result<(), Failure>,
) -> Result<(), Failure> {
    tests.each_named(&mut |name, word| take(timed.case(model, word, name)?))
}

/// A label without its mark.
fn plain(label: &str) -> String {
    label.trim_end_matches(['?', '!']).to_owned()
}

/// The machine with one state for all that take the same inputs and answer them alike.
fn merged(machine: &Machine) -> Result<Machine, Failure> {
    let (sink, undefined) = ("?".to_owned(), "?".to_owned());
    let mut transitions: Vec<Transition> = Vec::new();
    for state in machine.states() {
        for input in machine.inputs() {
            let (target, output) = match machine.step(state, input) {
                Some((target, output)) => {
                    (machine.state_name(target).to_owned(), machine.output_name(output).to_owned())
                }
                None => (sink.clone(), undefined.clone()),
            };
            let source = machine.state_name(state).to_owned();
            let input = machine.input_name(input).to_owned();
            transitions.push(Transition { source, input, output, target });
        }
    }
    for input in machine.inputs() {
        let (source, target) = (sink.clone(), sink.clone());
        let input = machine.input_name(input).to_owned();
        transitions.push(Transition { source, input, output: undefined.clone(), target });
    }
    let names = machine.states().map(|state| machine.state_name(state).to_owned());
    let initial = machine.state_name(machine.initial());
    let complete = Machine::new(machine.name.clone(), names, initial, &transitions);
    let complete = complete.map_err(|error| complaint(&error))?;
    let mut classes = equivalence(&complete);
    classes.truncate(machine.state_count());
    Ok(machine.quotient(&classes))
}
