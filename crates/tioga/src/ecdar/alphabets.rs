//! One alphabet for two components: which may refine which, and what is ignored.
//!
//! A component that refines another takes no input that the other does not take, and sends every output that the
//! other sends. It may ignore further inputs of the other, and send further outputs, which the other ignores. That is how
//! Reveaal compares components with different alphabets. What is ignored becomes a loop that changes nothing, so that both
//! models have the same channels, and the plain comparison decides the rest.

use tioga_base::Span;
use tioga_model::{
    Channel, ChannelId, ChannelUse, Condition, Control, Direction, Edge, Label, Model, Network,
};
use tioga_mutate::ignore_input;

use crate::Failure;
use crate::read::validated;

/// Whether one component can refine another, as far as their alphabets tell.
#[derive(Debug)]
pub enum Alphabets {
    /// It can: both models, which ignore what only the other one knows.
    United(Box<(Model, Model)>),
    /// It cannot, for this reason.
    Differ(String),
}

/// Unites the alphabets of two components that may refine each other. Channels inside a system are no part of its
/// alphabet: where the other component has one of them, both models stay as they are, and cannot be compared.
pub fn united(implementation: &Model, specification: &Model) -> Result<Alphabets, Failure> {
    let sides = (implementation, specification);
    if hides(sides.0, sides.1) || hides(sides.1, sides.0) {
        return Ok(Alphabets::United(Box::new((sides.0.clone(), sides.1.clone()))));
    }
    if let Some(reason) = difference(implementation, specification) {
        return Ok(Alphabets::Differ(reason));
    }
    let one = ignoring(implementation, specification, Direction::Input)?;
    let other = ignoring(specification, implementation, Direction::Output)?;
    Ok(Alphabets::United(Box::new((one, other))))
}

/// Why the alphabets exclude a refinement.
fn difference(implementation: &Model, specification: &Model) -> Option<String> {
    let both_ways = interface(implementation).find_map(|channel| {
        let other = direction(specification, &channel.name)?;
        (channel.direction != Some(other)).then(|| {
            let (one, other) = match other {
                Direction::Output => ("input", "output"),
                Direction::Input => ("output", "input"),
            };
            let name = &channel.name;
            format!(
                "`{name}` is an {one} of the implementation and an {other} of the specification"
            )
        })
    });
    let lacking = |model: &Model, other: &Model, wanted: Direction| {
        let mut own = interface(model).filter(|channel| channel.direction == Some(wanted));
        own.find(|channel| direction(other, &channel.name).is_none()).map(|one| one.name.clone())
    };
    both_ways
        .or_else(|| {
            let name = lacking(implementation, specification, Direction::Input)?;
            Some(format!(
                "the implementation takes `{name}`, which is not an input of the specification"
            ))
        })
        .or_else(|| {
            let name = lacking(specification, implementation, Direction::Output)?;
            Some(format!(
                "the specification sends `{name}`, which is not an output of the implementation"
            ))
        })
}

/// The model with the inputs or outputs that only the other one has, which change nothing.
fn ignoring(model: &Model, other: &Model, ignored: Direction) -> Result<Model, Failure> {
    let missing = interface(other)
        .filter(|channel| channel.direction == Some(ignored))
        .filter(|channel| direction(model, &channel.name).is_none());
    let missing: Vec<&Channel> = missing.collect();
    if missing.is_empty() {
        return Ok(model.clone());
    }
    let mut network = Network::clone(model);
    for channel in missing {
        let id = declared(&mut network, channel);
        match ignored {
            Direction::Input => {
                for process in network.processes.ids().collect::<Vec<_>>() {
                    ignore_input(&mut network, process, id);
                }
            }
            Direction::Output => send(&mut network, id),
        }
    }
    validated(network)
}

/// The channel of the same name, which is now part of the interface.
fn declared(network: &mut Network, channel: &Channel) -> ChannelId {
    let id = network.channels.iter_ids().find(|(_, one)| one.name == channel.name);
    let id = id.map(|(id, _)| id);
    match id {
        Some(id) => {
            network.channels[id] = Channel { span: network.channels[id].span, ..channel.clone() };
            id
        }
        None => network.channels.push(Channel { span: Span::default(), ..channel.clone() }),
    }
}

/// Lets a network send on a channel at any time without a change. One process is enough, unless others move next.
fn send(network: &mut Network, channel: ChannelId) {
    for (position, process) in network.processes.iter_mut().enumerate() {
        let locations = process.locations.iter_ids();
        let sending = locations.filter(|(_, one)| position == 0 || one.marks.committed);
        for location in sending.map(|(location, _)| location).collect::<Vec<_>>() {
            let used = ChannelUse { channel, index: None, arguments: Vec::new() };
            process.edges.push(Edge {
                source: location,
                target: location,
                control: Control::Uncontrollable,
                label: Label::Send(used),
                reply: None,
                frame: 0,
                guard: Condition::always(),
                updates: Vec::new(),
                choices: Vec::new(),
                span: Span::default(),
            });
        }
    }
}

fn interface(model: &Model) -> impl Iterator<Item = &Channel> {
    model.channels.iter().filter(|channel| channel.direction.is_some())
}

fn direction(model: &Model, name: &str) -> Option<Direction> {
    interface(model).find(|channel| channel.name == name)?.direction
}

/// Whether the other model has a channel in its interface that is inside this one.
fn hides(model: &Model, other: &Model) -> bool {
    let used = |edge: &Edge| match &edge.label {
        Label::Send(used) | Label::Receive(used) => Some(used.channel),
        Label::Silent | Label::Plain(_) => None,
    };
    let mut used = model.processes.iter().flat_map(|process| process.edges.iter()).filter_map(used);
    used.any(|id| {
        let channel = &model.channels[id];
        channel.direction.is_none() && direction(other, &channel.name).is_some()
    })
}

#[cfg(test)]
mod tests {
    use tioga_base::{ModelFormat, Sources};
    use tioga_testcase::{ModelSource, ReadOptions};

    use super::*;
    use crate::read::read;

    /// A component of one location with loops. In a system, two others share a channel.
    fn model(io: &str, shared: Option<&str>) -> Model {
        let loops = |io: &str| {
            let loops: Vec<String> =
                io.split(", ").map(|one| format!("A -> A {{ sync {one}; }}")).collect();
            format!("state A; init A; trans {};", loops.join(", "))
        };
        let mut processes = vec![("P", io.to_owned())];
        if let Some(shared) = shared {
            processes.extend([("Q", format!("{shared}!")), ("R", format!("{shared}?"))]);
        }
        let mut text = String::new();
        for channel in io.split(", ").chain(shared) {
            text.push_str(&format!("broadcast chan {};\n", channel.trim_end_matches(['!', '?'])));
        }
        for (name, io) in &processes {
            text.push_str(&format!("process {name}() {{ {} }}\n", loops(io)));
        }
        let names: Vec<&str> = processes.iter().map(|(name, _)| *name).collect();
        text.push_str(&format!("system {};\n", names.join(", ")));
        for (name, io) in &processes {
            text.push_str(&format!("IO {name} {{ {io} }}\n"));
        }
        let source = ModelSource {
            name: "model".to_owned(),
            format: ModelFormat::Xta,
            text,
            options: ReadOptions::default(),
        };
        read(source, &[], &mut Sources::new()).unwrap().model
    }

    fn signature(model: &Model) -> String {
        let mark = |channel: &Channel| match channel.direction {
            Some(Direction::Input) => '?',
            _ => '!',
        };
        let all = interface(model).map(|channel| format!("{}{}", channel.name, mark(channel)));
        let mut all: Vec<String> = all.collect();
        all.sort();
        all.join(", ")
    }

    #[test]
    fn inputs_and_outputs_of_only_one_side_are_ignored_by_the_other() {
        let (one, other) = (model("a?, o!, p!", None), model("a?, b?, o!", None));
        let Alphabets::United(both) = united(&one, &other).unwrap() else { panic!("united") };
        assert_eq!(signature(&both.0), "a?, b?, o!, p!");
        assert_eq!(signature(&both.1), signature(&both.0));
        let edges =
            |model: &Model| model.processes.iter().map(|one| one.edges.len()).sum::<usize>();
        assert_eq!((edges(&both.0), edges(&both.1)), (4, 4));
    }

    #[test]
    fn some_alphabets_exclude_refinement() {
        let cases = [
            (
                "a?, o!",
                "o?",
                "`o` is an output of the implementation and an input of the specification",
            ),
            (
                "o?",
                "a?, o!",
                "`o` is an input of the implementation and an output of the specification",
            ),
            (
                "a?, b?, o!",
                "b?, o!",
                "the implementation takes `a`, which is not an input of the specification",
            ),
            (
                "a?",
                "a?, o!",
                "the specification sends `o`, which is not an output of the implementation",
            ),
        ];
        for (one, other, why) in cases {
            match united(&model(one, None), &model(other, None)).unwrap() {
                Alphabets::Differ(reason) => assert_eq!(reason, why),
                Alphabets::United(_) => panic!("{one} and {other}"),
            }
        }
    }

    #[test]
    fn channels_inside_a_system_are_no_part_of_its_alphabet() {
        let (open, closed) = (model("a?, inner!", None), model("a?", Some("inner")));
        for (one, other) in [(&open, &closed), (&closed, &open)] {
            let Alphabets::United(both) = united(one, other).unwrap() else { panic!("kept") };
            assert_eq!(
                (signature(&both.0), signature(&both.1)),
                (signature(one), signature(other))
            );
        }
        // Where no other component has it, it is no obstacle.
        let (one, other) = (model("a?, o!", Some("inner")), model("a?, b?", None));
        let Alphabets::United(both) = united(&one, &other).unwrap() else { panic!("united") };
        assert_eq!(signature(&both.0), "a?, b?, o!");
        assert_eq!(signature(&both.1), "a?, b?, o!");
    }
}
