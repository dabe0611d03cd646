//! Models that are timed extended finite state machines (BON09, chapter 4, section 3): one process, whose every edge
//! takes an input and answers it in the same instant.
//!
//! A machine without clocks is an EFSM. One whose inputs and outputs carry nothing and that has no variables is an
//! ETTS. Both are models of the same form, so their embeddings are the identity.

use tioga_base::Span;
use tioga_model::{ChannelId, Edge, EdgeId, Label, LocationId, Model, Process, ProcessId};

use crate::error::Error;

/// A model that is such a machine.
#[derive(Clone, Copy, Debug)]
pub struct Machine<'m> {
    /// The model.
    pub model: &'m Model,
    /// Its only process.
    pub process: &'m Process,
}

impl<'m> Machine<'m> {
    /// The machine that a model is.
    ///
    /// # Errors
    /// Says what does not fit, and where.
    pub fn of(model: &'m Model) -> Result<Self, Error> {
        let mut processes = model.processes.iter();
        let (Some(process), None) = (processes.next(), processes.next()) else {
            let message = "confirming sequences are about a single process";
            return Err(Error::unsupported(message, Span::default()));
        };
        if let Some(variable) = model.variables.iter().find(|variable| variable.symbolic) {
            let message = format!("`{}` is a symbolic constant, which has no value", variable.name);
            return Err(Error::unsupported(message, variable.span));
        }
        for edge in process.edges.iter() {
            let exchange = matches!(&edge.label, Label::Receive(_)) && edge.reply.is_some();
            if !exchange {
                let message = "this edge does not take an input and answer it, as in `a? / b!`";
                return Err(Error::unsupported(message, edge.span));
            }
        }
        if let Some(channel) = model.channels.iter().find(|channel| channel.urgent) {
            let message = format!("`{}` is urgent; inputs are the tester's choice", channel.name);
            return Err(Error::unsupported(message, channel.span));
        }
        Ok(Self { model, process })
    }

    /// The edges that leave a location, in order.
    pub fn edges(
        &self,
        location: LocationId,
    ) -> impl Iterator<Item = (EdgeId, &'m Edge)> + use<'m> {
        let process = self.process;
        process.outgoing[location].iter().map(move |id| (*id, &process.edges[*id]))
    }

    /// The inputs that some edge takes, in the order of the edges.
    pub fn inputs(&self) -> Vec<ChannelId> {
        let mut found = Vec::new();
        for edge in self.process.edges.iter() {
            let Label::Receive(used) = &edge.label else { continue };
            let length = used.index.map_or(1, |(_, length)| length);
            for position in 0..length {
                let channel = ChannelId(used.channel.0 + position);
                if !found.contains(&channel) {
                    found.push(channel);
                }
            }
        }
        found
    }

    /// An edge in words: `s1 -> s3 : b? / e!`.
    pub fn edge_name(&self, edge: &Edge) -> String {
        let name = |location: LocationId| &self.process.locations[location].name;
        let mut text = format!("{} -> {}", name(edge.source), name(edge.target));
        if let Label::Receive(used) = &edge.label {
            text.push_str(&format!(" : {}?", self.model.channels[used.channel].name));
        }
        if let Some(used) = &edge.reply {
            text.push_str(&format!(" / {}!", self.model.channels[used.channel].name));
        }
        text
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> ProcessId {
        ProcessId(0)
    }

    /// Whether no time passes in a location.
    pub(crate) fn stops_time(&self, location: LocationId) -> bool {
        let marks = self.process.locations[location].marks;
        marks.urgent || marks.committed
    }
}
