//! Rules about processes, locations and edges.

use tioga_base::{Diagnostics, Span};

use super::complain::complain;
use super::declarations::clock_exists;
use crate::{
    ChannelUse, ClockTerm, Condition, Direction, Edge, ExprId, Kind, Label, Network, Process,
    TimeBound, Update,
};

pub(super) fn check(network: &Network, diagnostics: &mut Diagnostics) {
    let observer = network.observing.as_ref().map(|observing| observing.process);
    for (id, process) in network.processes.iter_ids() {
        let (clocks, observes) = (network.clocks.len(), Some(id) == observer);
        Checker { network, diagnostics, clocks, observes }.process(process);
    }
    for purpose in &network.purposes {
        let clocks = network.clocks.len() + purpose.clocks.len();
        let mut checker = Checker { network, diagnostics, clocks, observes: true };
        checker.process(&purpose.process);
        if let Some(Some(location)) = purpose.otherwise
            && purpose.process.locations.get(location).is_none()
        {
            checker.say("unknown-location", purpose.process.span, format!("unknown {location}"));
        }
    }
}

struct Checker<'a> {
    network: &'a Network,
    diagnostics: &'a mut Diagnostics,
    /// The number of clocks that exist for this process.
    clocks: usize,
    /// Whether the process is a purpose, which takes the values of sends and receives alike.
    observes: bool,
}

impl Checker<'_> {
    fn say(&mut self, code: &'static str, span: Span, message: String) {
        complain(self.diagnostics, code, span, message);
    }

    fn process(&mut self, process: &Process) {
        let name = &process.name;
        if process.locations.get(process.initial).is_none() {
            let message = format!("the process `{name}` has no initial location");
            self.say("initial-location", process.span, message);
        }
        for (id, location) in process.locations.iter_ids() {
            if location.marks.initial && id != process.initial {
                let message =
                    format!("`{}` is a second initial location of `{name}`", location.name);
                self.say("initial-location", location.span, message);
            }
            self.condition(&location.invariant, location.span);
        }
        for edge in &process.edges {
            for location in [edge.source, edge.target] {
                if process.locations.get(location).is_none() {
                    let message = format!("an edge of `{name}` touches the unknown {location}");
                    self.say("unknown-location", edge.span, message);
                }
            }
            self.edge(edge);
        }
    }

    fn edge(&mut self, edge: &Edge) {
        match &edge.label {
            Label::Silent => {}
            Label::Plain(action) => {
                if self.network.actions.get(*action).is_none() {
                    self.say("unknown-action", edge.span, format!("unknown {action}"));
                }
            }
            Label::Send(channel_use) if !self.observes => self.send(channel_use, edge),
            Label::Send(channel_use) | Label::Receive(channel_use) => {
                self.receive(channel_use, edge);
            }
        }
        if let Some(reply) = edge.reply.as_ref().filter(|_| !self.observes) {
            self.reply(reply, edge);
        }
        self.condition(&edge.guard, edge.span);
        for update in &edge.updates {
            if let Update::Clock(update) = update {
                self.clock(update.clock, edge.span);
                update.source.into_iter().for_each(|source| self.clock(source, edge.span));
                self.bound(update.value, edge.span);
                let when = update.when.into_iter();
                when.for_each(|when| self.int(when, edge.span, "the condition of an update"));
            }
        }
    }

    /// Whether the channels exist; complains if not.
    fn channel(&mut self, channel_use: &ChannelUse, span: Span) -> bool {
        let length = channel_use.index.map_or(1, |(_, length)| length as usize);
        let first = channel_use.channel.0 as usize;
        if length == 0 || first.saturating_add(length) > self.network.channels.len() {
            self.say("unknown-channel", span, format!("unknown {}", channel_use.channel));
            return false;
        }
        if let Some((index, _)) = channel_use.index {
            self.int(index, span, "the index of a channel");
        }
        let channels = &self.network.channels.as_slice()[first..first + length];
        if channels.iter().any(|channel| channel.parameters != channels[0].parameters) {
            let message =
                format!("the elements of `{}` differ in their parameters", channels[0].name);
            self.say("channel-parameter", span, message);
            return false;
        }
        true
    }

    fn send(&mut self, channel_use: &ChannelUse, edge: &Edge) {
        if !self.channel(channel_use, edge.span) {
            return;
        }
        let channel = &self.network.channels[channel_use.channel];
        let (wanted, given) = (channel.parameters.len(), channel_use.arguments.len());
        if wanted != given {
            let message = format!("`{}` takes {wanted} values, not {given}", channel.name);
            self.say("channel-argument", edge.span, message);
        }
        for &argument in &channel_use.arguments {
            if self.network.code.nodes.get(argument).is_none() {
                self.say("unknown-expression", edge.span, format!("unknown {argument}"));
            }
        }
    }

    fn receive(&mut self, channel_use: &ChannelUse, edge: &Edge) {
        if !self.channel(channel_use, edge.span) {
            return;
        }
        let channel = &self.network.channels[channel_use.channel];
        let slots: u64 = channel.parameters.iter().map(crate::Type::slots).sum();
        if !channel_use.arguments.is_empty() {
            let message = format!("an edge that takes the values of `{}` sends none", channel.name);
            self.say("channel-argument", edge.span, message);
        }
        if u64::from(edge.frame) < slots {
            let message = format!("the frame has no room for the values of `{}`", channel.name);
            self.say("frame-size", edge.span, message);
        }
    }

    fn reply(&mut self, reply: &ChannelUse, edge: &Edge) {
        self.send(reply, edge);
        let channels = &self.network.channels;
        let (Label::Receive(input), Some(output)) = (&edge.label, channels.get(reply.channel))
        else {
            let message = "only an edge that receives an input can reply with an output";
            self.say("reply", edge.span, message.into());
            return;
        };
        let Some(input) = channels.get(input.channel) else { return };
        let input_fits =
            input.open && !input.broadcast && input.direction == Some(Direction::Input);
        if !input_fits || !output.open || output.direction != Some(Direction::Output) {
            let message = format!(
                "a reply needs an open input and an open output, not `{}` and `{}`",
                input.name, output.name
            );
            self.say("reply", edge.span, message);
        }
    }

    fn condition(&mut self, condition: &Condition, span: Span) {
        for conjunct in &condition.disjuncts {
            if let Some(data) = conjunct.data {
                self.int(data, span, "a condition");
            }
            for constraint in &conjunct.clocks {
                for term in [constraint.left, constraint.right].into_iter().flatten() {
                    self.clock(term, span);
                }
                self.bound(constraint.bound, span);
            }
        }
    }

    fn clock(&mut self, term: ClockTerm, span: Span) {
        let length = term.index.map_or(1, |(_, length)| length);
        if length == 0 || !clock_exists(self.clocks, term.clock, length) {
            self.say("unknown-clock", span, format!("unknown {}", term.clock));
        }
        if let Some((index, _)) = term.index {
            self.int(index, span, "the index of a clock");
        }
    }

    fn bound(&mut self, bound: TimeBound, span: Span) {
        if let TimeBound::Expr(expr) = bound {
            self.int(expr, span, "a clock bound");
        }
    }

    fn int(&mut self, expr: ExprId, span: Span, what: &str) {
        match self.network.code.nodes.get(expr) {
            None => self.say("unknown-expression", span, format!("unknown {expr}")),
            Some(node) if node.kind == Kind::Rational => {
                self.say("kind", node.span, format!("{what} cannot be a rational"));
            }
            Some(_) => {}
        }
    }
}
