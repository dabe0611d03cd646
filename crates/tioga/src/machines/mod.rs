//! Finite machines: from a file or a model to a machine, its properties, complete suites for it, and
//! whether a suite is complete.

mod cases;
mod certified;
mod claim;
mod complaint;
mod of_model;
mod stages;
mod subject;
mod test_lines;
mod timed;

use std::collections::BTreeMap;
use std::path::Path;

use tioga_base::Sources;
use tioga_machines::complete::{Completeness, Domain, survivor};
use tioga_machines::partition::{by_words, count, equivalence, minimal};
use tioga_machines::separation::{Separation, characterisation_set};
use tioga_machines::{Machine, Word, adaptive, read_dot, read_kiss2, write_dot, write_kiss2};

use tioga_report::picture::{Arrow, ArrowKind, Graph, Node};

use crate::convert::picture_text;
use crate::open_options::OpenOptions;
use crate::texts::{read_file, read_stdin};
use crate::{Failure, Loaded};
use complaint::complaint;

pub use cases::{Interface, each_case};
pub(crate) use certified::{flaw, is_machine_case, timed_flaw};
pub(crate) use claim::{ClaimFinding, check_claim};
pub use claim::{claim_text, complete_for};
pub use of_model::{machine_of, model_text};
pub use stages::{GParts, Stages, SuiteKind, g_parts, machine_suite};
pub use subject::SuiteSubject;
pub use test_lines::{read_tests, test_line};
pub use timed::{TimedMachine, each_timed_case, timed_machine};

/// The format of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MachineFormat {
    /// Graphviz DOT with labels `input/output`.
    Dot,
    /// KISS2.
    Kiss2,
    /// A model.
    Model,
    /// A picture, which can only be written.
    Svg,
}

impl MachineFormat {
    /// The format that the name of a file says.
    pub fn of_file(name: &str) -> Self {
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
        match extension {
            Some("dot" | "gv") => Self::Dot,
            Some("kiss" | "kiss2") => Self::Kiss2,
            Some("svg") => Self::Svg,
            _ => Self::Model,
        }
    }
}

/// A machine, with its inputs and outputs as actions.
#[derive(Clone, Debug)]
pub struct OpenedMachine {
    /// The machine.
    pub machine: Machine,
    /// The actions that its inputs and outputs stand for.
    pub interface: Interface,
    /// The model it was read from, if it was one.
    pub loaded: Option<Loaded>,
}

/// Opens the machine that an argument names: a file, `-` for standard input, or `@NAME` for an embedded
/// example.
///
/// # Errors
/// If there is no such file, or what is in it is no deterministic finite machine.
pub fn open_machine(
    argument: &str,
    format: Option<MachineFormat>,
    options: &OpenOptions,
    texts: &mut Sources,
) -> Result<OpenedMachine, Failure> {
    let format = format.unwrap_or_else(|| MachineFormat::of_file(argument));
    // What cannot be read is said where models are opened.
    if matches!(format, MachineFormat::Model | MachineFormat::Svg) {
        let source = crate::open(argument, options, texts)?;
        let loaded = crate::read(source, &[], texts)?;
        let help = "`tioga synth` makes test cases of timed models";
        let (machine, interface) =
            machine_of(&loaded.model).map_err(|failure| failure.help_with(&["machine"], help))?;
        return Ok(OpenedMachine { machine, interface, loaded: Some(loaded) });
    }
    let text = match argument {
        "-" => read_stdin(texts)?,
        file => read_file(texts, Path::new(file))?,
    };
    let read = match format {
        MachineFormat::Dot => read_dot(&text),
        _ => {
            let stem = Path::new(argument).file_stem().and_then(|stem| stem.to_str());
            read_kiss2(stem.unwrap_or("machine"), &text)
        }
    };
    let machine = read.map_err(|error| complaint(&error))?;
    let interface = Interface::of_names(&machine);
    Ok(OpenedMachine { machine, interface, loaded: None })
}

/// A machine as a text.
///
/// # Errors
/// If the format cannot say it.
pub fn machine_text(machine: &Machine, format: MachineFormat) -> Result<String, Failure> {
    match format {
        MachineFormat::Dot => Ok(write_dot(machine)),
        MachineFormat::Kiss2 => Ok(write_kiss2(machine).map_err(|error| complaint(&error))?),
        MachineFormat::Model => Ok(model_text(machine)),
        MachineFormat::Svg => picture_text(&[machine_graph(machine)]),
    }
}

/// A machine as a graph: one arrow for all transitions from one state to another.
fn machine_graph(machine: &Machine) -> Graph {
    let mut graph = Graph { name: machine.name.clone(), ..Graph::default() };
    let mut arrows: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
    for state in machine.states() {
        let initial = state == machine.initial();
        let lines = vec![machine.state_name(state).to_owned()];
        graph.nodes.push(Node { lines, initial, ..Node::default() });
        for input in machine.inputs() {
            if let Some((target, output)) = machine.step(state, input) {
                let text =
                    format!("{} / {}", machine.input_name(input), machine.output_name(output));
                arrows.entry((state, target)).or_default().push(text);
            }
        }
    }
    for ((source, target), lines) in arrows {
        let (source, target) = (source as usize, target as usize);
        let kind = ArrowKind::Input;
        graph.edges.push(Arrow { source, target, lines, kind, ..Arrow::default() });
    }
    graph
}

/// The properties of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineInfo {
    /// A state and an input without transition, if there is one.
    pub gap: Option<(String, String)>,
    /// The states that cannot be reached.
    pub unreachable: Vec<String>,
    /// The classes of equivalent states with more than one member; nothing if the machine is partial.
    pub equivalent: Option<Vec<Vec<String>>>,
    /// How many classes of equivalent states there are.
    pub index: Option<usize>,
    /// Pairs of states that no word separates.
    pub inseparable: usize,
    /// The length of the longest of the shortest separating words.
    pub separation: u32,
    /// Words that separate all states, if the machine is complete and minimal.
    pub characterisation: Option<Vec<Word>>,
    /// How many inputs an adaptive distinguishing sequence takes at most; nothing if there is none.
    pub adaptive: Option<usize>,
}

/// The properties of a machine.
pub fn machine_info(machine: &Machine) -> MachineInfo {
    let name = |state: u32| machine.state_name(state).to_owned();
    let gap =
        machine.gap().map(|(state, input)| (name(state), machine.input_name(input).to_owned()));
    let classes = gap.is_none().then(|| equivalence(machine));
    let equivalent = classes.as_ref().map(|classes| {
        let mut members = vec![Vec::new(); count(classes)];
        for state in machine.states() {
            members[classes[state as usize] as usize].push(name(state));
        }
        members.retain(|members| members.len() > 1);
        members
    });
    let separation = Separation::new(machine);
    let (mut inseparable, mut longest) = (0, 0);
    for high in machine.states() {
        for low in 0..high {
            match separation.length(low, high) {
                Some(length) => longest = length.max(longest),
                None => inseparable += 1,
            }
        }
    }
    MachineInfo {
        unreachable: machine.unreachable().into_iter().map(name).collect(),
        index: classes.as_ref().map(|classes| count(classes)),
        equivalent,
        inseparable,
        separation: longest,
        characterisation: characterisation_set(machine).ok(),
        adaptive: gap
            .is_none()
            .then(|| adaptive(machine).map(|sequence| sequence.depth()))
            .flatten(),
        gap,
    }
}

/// How many different answers words get among the states of an implementation. Words that it does not
/// accept count as an answer.
pub fn classes_in(machine: &Machine, words: &[Word], implementation: &Machine) -> usize {
    let renamed: Vec<Word> = words
        .iter()
        .filter_map(|word| {
            word.iter().map(|input| implementation.input(machine.input_name(*input))).collect()
        })
        .collect();
    count(&by_words(implementation, &renamed))
}

/// The minimal machine.
///
/// # Errors
/// If the machine is partial.
pub fn minimised(machine: &Machine) -> Result<Machine, Failure> {
    minimal(machine).map_err(|error| complaint(&error).into())
}

/// Whether every implementation with this number of extra states that passes a suite is equivalent.
pub fn machine_check(
    machine: &Machine,
    tests: &[Word],
    extra_states: usize,
    steps: u64,
) -> Completeness {
    let domain = Domain::of_states(machine.state_count() + extra_states);
    survivor(machine, tests, &domain, steps, &|| true)
}
