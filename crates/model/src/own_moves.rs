//! Steps of the environment that only the tester sees: it makes them itself, so they are no secret to it.
//!
//! The tester plays the environment of a closed model. What its processes do without the system, such as
//! deciding what a message says, crosses no interface and needs no message. A test case has to tell which of
//! these steps it makes when, so each gets a name: a channel on which the environment sends and which the
//! system does not hear.

use std::collections::BTreeSet;

use crate::ids::{ChannelId, ProcessId};
use crate::network::{Channel, ChannelUse, Control, Direction, Label, Network, Role};

impl Network {
    /// The same network where every step that the environment makes alone, and that the tester decides
    /// about, has a name; with the names. They are inputs that no system takes.
    ///
    /// Steps that a purpose can name stay as they are.
    #[must_use]
    pub fn with_own_moves(mut self) -> (Self, Vec<String>) {
        let observer = self.observing.as_ref().map(|observing| observing.process);
        let environment: Vec<ProcessId> = self
            .processes
            .iter_ids()
            .filter(|(id, process)| process.role == Role::Environment && Some(*id) != observer)
            .map(|(id, _)| id)
            .collect();
        let mut names: BTreeSet<String> =
            self.channels.iter().map(|channel| channel.name.clone()).collect();
        let mut own = Vec::new();
        for id in environment {
            let process = &self.processes[id];
            let mut named = Vec::new();
            for (edge, taken) in process.edges.iter_ids() {
                if taken.label != Label::Silent || taken.control != Control::Controllable {
                    continue;
                }
                let [source, target] =
                    [taken.source, taken.target].map(|at| &process.locations[at].name);
                let stem = format!("{}_{source}_{target}", process.name);
                let stem: String = taken
                    .choices
                    .iter()
                    .fold(stem, |stem, (name, value)| format!("{stem}_{name}{value}"))
                    .replace(|letter: char| !letter.is_alphanumeric(), "_");
                let numbers = (1..).map(|number: u32| format!("{stem}_{number}"));
                let mut free = std::iter::once(stem.clone())
                    .chain(numbers)
                    .filter(|name| !names.contains(name));
                let Some(name) = free.next() else { continue };
                names.insert(name.clone());
                named.push((edge, name, taken.span));
            }
            for (edge, name, span) in named {
                own.push(name.clone());
                let channel: ChannelId = self.channels.push(Channel {
                    name,
                    urgent: false,
                    broadcast: true,
                    direction: Some(Direction::Input),
                    open: false,
                    parameters: Vec::new(),
                    names: Vec::new(),
                    span,
                });
                self.processes[id].edges[edge].label =
                    Label::Send(ChannelUse { channel, index: None, arguments: Vec::new() });
            }
        }
        (self, own)
    }
}
