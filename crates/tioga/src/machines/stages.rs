//! Complete suites in one stage or two: first a short suite by the G-method with a bold guess, then
//! for systems that pass it the remaining tests of a complete suite (BON09, section 2.6).

use std::cell::Cell;
use std::collections::BTreeMap;

use tioga_machines::{
    Cost, Error, Input, Machine, Method, Trie, Word, WordSuite, cover, g, partition, suite_while,
};

use super::complaint::complaint;
use crate::failure::stopped;
use crate::{Effort, Failure};

/// How a suite is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SuiteKind {
    /// By a method that finds its own separating words.
    By(Method),
    /// By the G-method, with words that give at least so many different answers among the states of an
    /// implementation. Then by another method, if there is to be a second stage.
    G(Vec<Word>, usize, Option<Method>),
}

impl SuiteKind {
    /// The number of states that implementations without extra states have at most. The G-method alone does not need
    /// a minimal machine, and counts the states of the minimal one (BON09, Cor 19).
    pub fn states(&self, machine: &Machine) -> usize {
        match self {
            Self::G(_, _, None) => {
                let reached = reached(machine);
                match reached.gap() {
                    None => partition::count(&partition::equivalence(&reached)),
                    Some(_) => machine.state_count(),
                }
            }
            Self::G(_, _, Some(_)) | Self::By(_) => machine.state_count(),
        }
    }
}

/// The machine without its unreachable states.
fn reached(machine: &Machine) -> Machine {
    machine.quotient(&machine.states().collect::<Vec<_>>())
}

/// The parts that the G-method makes tests of (BON09, Cor 19).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GParts {
    /// The transition cover P.
    pub cover: Vec<Word>,
    /// The words Z that are applied behind it.
    pub behind: Vec<Word>,
    /// The classes that the given words R make of the reachable states of the machine.
    pub classes: Vec<Vec<String>>,
}

/// The parts of a suite of the G-method. `None` for another method.
///
/// # Errors
/// If the machine is partial, or the bounds contradict each other.
pub fn g_parts(
    machine: &Machine,
    kind: &SuiteKind,
    extra_states: usize,
) -> Result<Option<GParts>, Failure> {
    let SuiteKind::G(words, classes, _) = kind else { return Ok(None) };
    let (machine, states) = (reached(machine), kind.states(machine) + extra_states);
    partition::complete(&machine, "the method G").map_err(|error| complaint(&error))?;
    let bounds = Error::Bounds { classes: *classes, states };
    let depth = states.checked_sub(*classes).ok_or_else(|| complaint(&bounds))?;
    let cover = cover::transitions(&machine).map_err(|error| complaint(&error))?;
    let behind = cover::stratified(&machine, words, depth);
    let numbers = partition::by_words(&machine, words);
    let mut members = vec![Vec::new(); partition::count(&numbers)];
    for (state, class) in machine.states().zip(numbers) {
        members[class as usize].push(machine.state_name(state).to_owned());
    }
    Ok(Some(GParts { cover, behind, classes: members }))
}

/// Tests in the order in which they are to be run.
#[derive(Clone, Debug)]
pub struct Stages {
    /// The suites, with the names of their methods.
    stages: Vec<(&'static str, WordSuite)>,
    /// The tests of the first of two stages.
    known: Option<Trie>,
}

/// The consumer of tests, each with a name.
pub(super) type Found<'f> = dyn FnMut(String, &[Input]) -> Result<(), Failure> + 'f;

/// How often the size of the process is looked at, in questions whether to go on.
const ASKED: u32 = 256;

/// A suite that is complete for implementations with this number of extra states.
///
/// # Errors
/// If the machine does not fit the method, or the work was stopped.
pub fn machine_suite(
    machine: &Machine,
    kind: &SuiteKind,
    extra_states: usize,
    effort: &Effort<'_>,
) -> Result<Stages, Failure> {
    let asked = Cell::new(0_u32);
    let going = || {
        asked.set(asked.get().wrapping_add(1));
        if asked.get().is_multiple_of(ASKED) {
            effort.stop_if_too_large();
        }
        !effort.cancel.is_cancelled()
    };
    let by = |method: Method| match suite_while(machine, method, extra_states, &going) {
        Ok(made) => Ok((method.name(), made)),
        Err(Error::Stopped) => Err(stopped("synthesis", &effort.cancel)),
        Err(error) => Err(Failure::from(complaint(&error))),
    };
    let (words, classes, second) = match kind {
        SuiteKind::By(method) => return Ok(Stages { stages: vec![by(*method)?], known: None }),
        SuiteKind::G(words, classes, second) => (words, *classes, second),
    };
    let made = g(&reached(machine), words, classes, kind.states(machine) + extra_states);
    let first = made.map_err(|error| complaint(&error))?;
    let Some(second) = second else {
        return Ok(Stages { stages: vec![("g", first)], known: None });
    };
    let known = Some(Trie::of(machine.input_count(), &first.words()));
    Ok(Stages { stages: vec![("g", first), by(*second)?], known })
}

impl Stages {
    /// Passes on one test after the other, with the name of its method, without keeping them.
    pub fn each(&self, found: &mut dyn FnMut(&'static str, &[Input])) {
        self.each_while(&mut |method, word| {
            found(method, word);
            true
        });
    }

    /// The same, while the function returns true; whether it was all of them.
    pub fn each_while(&self, found: &mut dyn FnMut(&'static str, &[Input]) -> bool) -> bool {
        for (position, (method, suite)) in self.stages.iter().enumerate() {
            let known = self.known.as_ref().filter(|_| position > 0);
            let all = suite.each_while(&mut |word| {
                known.is_some_and(|known| known.contains(word)) || found(method, word)
            });
            if !all {
                return false;
            }
        }
        true
    }

    /// Passes on one test after the other, with a name after its method and its number, until one fails.
    ///
    /// # Errors
    /// That of the first one that fails.
    pub(super) fn each_named(&self, found: &mut Found<'_>) -> Result<(), Failure> {
        let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
        let mut failed = None;
        self.each_while(&mut |method, word| {
            let number = numbers.entry(method).or_default();
            *number += 1;
            failed = found(format!("{method}-{number}"), word).err();
            failed.is_none()
        });
        failed.map_or(Ok(()), Err)
    }

    /// How large it is.
    pub fn cost(&self) -> Cost {
        let mut cost = Cost::default();
        self.each(&mut |_, word| {
            cost.tests += 1;
            cost.inputs += word.len() as u64;
        });
        cost
    }

    /// The names of the methods, in order.
    pub fn methods(&self) -> Vec<&'static str> {
        self.stages.iter().map(|(method, _)| *method).collect()
    }
}
