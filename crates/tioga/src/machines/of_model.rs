//! From a model without clocks to a machine, its data unfolded, and from a machine to a model.

use std::collections::HashSet;
use std::fmt::Write;

use indexmap::IndexMap;
use tioga_base::Diagnostic;
use tioga_concrete::{TraceEvent, step_record};
use tioga_machines::{Machine, Transition};
use tioga_model::{Composer, DiscreteState, Model, Steps};
use tioga_testcase::Action;

use super::cases::Interface;
use super::complaint::complaint;
use crate::Failure;
use crate::words::{action, discrete_state};

/// The most states that are unfolded.
const MOST_STATES: usize = 1_000_000;

fn refused(message: impl Into<String>) -> Failure {
    Diagnostic::global("machine", message).into()
}

/// The machine of a model whose every step takes an input and answers it (`a? / b!`). Values of variables
/// become part of the states, and parameter values part of inputs and outputs.
///
/// # Errors
/// If the model has clocks, a step that is not such an exchange, two steps for one input, or too many states.
pub fn machine_of(model: &Model) -> Result<(Machine, Interface), Failure> {
    if !model.clocks.is_empty() {
        return Err(refused("the model has clocks, and a finite machine has none"));
    }
    let mut composer = Composer::new(model);
    let mut known = Names { model, names: IndexMap::new(), taken: HashSet::new() };
    let start = known.of(&composer.initial());
    let mut transitions: Vec<Transition> = Vec::new();
    let (mut inputs, mut outputs) = (IndexMap::new(), IndexMap::new());
    let mut steps = Steps::new();
    let mut next = 0;
    while let Some((state, source)) =
        known.names.get_index(next).map(|(s, n)| (s.clone(), n.clone()))
    {
        next += 1;
        if next > MOST_STATES {
            return Err(refused(format!("the model has more than {MOST_STATES} states")));
        }
        composer.steps(&state, &mut steps);
        if let Some(awaiting) = steps.awaiting.first() {
            let name = &model.channels[awaiting.channel].name;
            let message = format!("the input `{name}` has too many values for a finite machine");
            return Err(refused(message));
        }
        for step in &steps.list {
            // A step whose update cannot be carried out is no step.
            let Ok(applied) = composer.apply(&state, step) else { continue };
            let event = step_record(model, step).event;
            let TraceEvent::Exchange(input, values, output, reply) = event else {
                let message = format!(
                    "in `{source}` there is the step `{}`; every step of a finite machine takes an input \
                     and answers it, as in `a? / b!`",
                    action(&event)
                );
                return Err(refused(message));
            };
            let target = known.of(&applied.target);
            let (input, output) = (Action::new(input, &values), Action::new(output, &reply));
            let (input, output) = (named(&mut inputs, input), named(&mut outputs, output));
            transitions.push(Transition { source: source.clone(), input, output, target });
        }
    }
    let machine = Machine::new(model.name.clone(), [], &start, &transitions);
    let machine = machine.map_err(|error| complaint(&error))?;
    let interface = Interface {
        inputs: inputs.into_values().collect(),
        outputs: outputs.into_values().collect(),
    };
    Ok((machine, interface))
}

/// The name of an action, which is noted.
fn named(known: &mut IndexMap<String, Action>, action: Action) -> String {
    let name = action.to_string();
    known.insert(name.clone(), action);
    name
}

/// The states that were met, with a name for each.
struct Names<'m> {
    model: &'m Model,
    names: IndexMap<DiscreteState, String>,
    taken: HashSet<String>,
}

impl Names<'_> {
    fn of(&mut self, state: &DiscreteState) -> String {
        if let Some(name) = self.names.get(state) {
            return name.clone();
        }
        let name = unused(short_name(self.model, state), " #", &self.taken);
        self.taken.insert(name.clone());
        self.names.insert(state.clone(), name.clone());
        name
    }
}

/// A name, with a number behind it if it is taken.
fn unused(name: String, before: &str, taken: &HashSet<String>) -> String {
    let numbered = (2usize..).map(|number| format!("{name}{before}{number}"));
    let mut all = std::iter::once(name.clone()).chain(numbered);
    all.find(|name| !taken.contains(name)).unwrap_or(name)
}

/// The location if there is one process and no data, else everything.
fn short_name(model: &Model, state: &DiscreteState) -> String {
    let mut processes = model.processes.iter_ids();
    match (processes.next(), processes.next(), state.data.is_empty()) {
        (Some((id, process)), None, true) => process.locations[state.location(id)].name.clone(),
        _ => discrete_state(model, state),
    }
}

/// A machine as a model in Tioga's language. Names that the language does not allow are changed, and a
/// comment says so.
pub fn model_text(machine: &Machine) -> String {
    let inputs = identifiers(machine.inputs().map(|input| machine.input_name(input)), &[]);
    let outputs = (0..u32::try_from(machine.output_count()).unwrap_or(u32::MAX))
        .map(|output| machine.output_name(output));
    let outputs = identifiers(outputs, &inputs);
    let states = identifiers(machine.states().map(|state| machine.state_name(state)), &[]);
    let mut text = String::new();
    let changed = |text: &mut String, names: &[String], old: &dyn Fn(usize) -> String| {
        for (position, name) in
            names.iter().enumerate().filter(|(position, name)| old(*position) != **name)
        {
            let _ =
                writeln!(text, "// `{name}` stands for `{}`.", old(position).replace('\n', " "));
        }
    };
    let number = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
    changed(&mut text, &inputs, &|position| machine.input_name(number(position)).to_owned());
    changed(&mut text, &outputs, &|position| machine.output_name(number(position)).to_owned());
    changed(&mut text, &states, &|position| machine.state_name(number(position)).to_owned());
    let name = identifiers(std::iter::once(machine.name.as_str()), &[]).remove(0);
    let _ = writeln!(
        text,
        "model {name};\n\ninput {};\noutput {};\n",
        inputs.join(", "),
        outputs.join(", ")
    );
    let _ = writeln!(text, "automaton Machine {{");
    for state in machine.states() {
        let mark = if state == machine.initial() { "init " } else { "" };
        let _ = writeln!(text, "  {mark}location {};", states[state as usize]);
    }
    text.push('\n');
    for (source, input, output, target) in machine.transitions() {
        let (source, target) = (&states[source as usize], &states[target as usize]);
        let (input, output) = (&inputs[input as usize], &outputs[output as usize]);
        let _ = writeln!(text, "  {source} -> {target} : {input}? / {output}!;");
    }
    text.push_str("}\n");
    text
}

/// Names that the language allows, different from each other and from those that are taken.
fn identifiers<'n>(names: impl Iterator<Item = &'n str>, taken: &[String]) -> Vec<String> {
    let mut known: HashSet<String> = taken.iter().cloned().collect();
    let mut all = Vec::new();
    for name in names {
        let fits = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut plain: String = name.chars().map(fits).collect();
        if plain.is_empty()
            || plain.starts_with(|c: char| c.is_ascii_digit() || c == '_')
            || tioga_parse::tioga::is_reserved(&plain)
        {
            plain.insert_str(0, "x_");
        }
        let chosen = unused(plain, "_", &known);
        known.insert(chosen.clone());
        all.push(chosen);
    }
    all
}
