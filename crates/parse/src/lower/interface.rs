//! The interface of the system under test: directions, open channels and the control of edges.

use tioga_base::{Diagnostic, Id, Severity};
use tioga_model::{ChannelId, ChannelUse, Control, Direction, Edge, Label, ProcessId, Role};

use super::Lowering;
use super::scope::Meaning;
use crate::syntax::{Dialect, Formula, Query};

/// Where a channel without partner goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alone {
    Into,
    OutOf,
}

/// The users of a channel, and how they use it.
#[derive(Clone, Default)]
struct Users {
    system_sends: Option<ProcessId>,
    system_receives: Option<ProcessId>,
    environment_sends: Option<ProcessId>,
    environment_receives: Option<ProcessId>,
}

impl Users {
    fn note(&mut self, role: Role, sends: bool, process: ProcessId) {
        let place = match (role, sends) {
            (Role::System, true) => &mut self.system_sends,
            (Role::System, false) => &mut self.system_receives,
            (Role::Environment, true) => &mut self.environment_sends,
            (Role::Environment, false) => &mut self.environment_receives,
        };
        place.get_or_insert(process);
    }

    fn environment(&self) -> bool {
        self.environment_sends.is_some() || self.environment_receives.is_some()
    }

    fn sent(&self) -> bool {
        self.system_sends.is_some() || self.environment_sends.is_some()
    }

    fn received(&self) -> bool {
        self.system_receives.is_some() || self.environment_receives.is_some()
    }

    /// Which way the channel goes if only one side of it is in the system.
    fn alone(&self) -> Option<Alone> {
        match (self.system_receives.is_some(), self.system_sends.is_some()) {
            (true, false) if !self.sent() => Some(Alone::Into),
            (false, true) if !self.received() => Some(Alone::OutOf),
            _ => None,
        }
    }
}

/// The channels an action may use.
fn elements(used: &ChannelUse) -> impl Iterator<Item = ChannelId> + use<> {
    let first = used.channel.index();
    let count = used.index.map_or(1, |(_, length)| length as usize);
    (first..first + count).map(ChannelId::from_index)
}

impl Lowering<'_> {
    /// Complains about options that name nothing.
    pub(super) fn check_options(&mut self) {
        let options = self.options;
        let directed = [
            (&options.inputs, Some(Direction::Input)),
            (&options.outputs, Some(Direction::Output)),
            (&options.internals, None),
        ];
        for (names, direction) in directed {
            for name in names {
                self.direct(name, direction);
            }
        }
        if options.lenient {
            return;
        }
        for (name, _) in &options.parameters {
            let symbolic = self.network.variables.iter().filter(|v| v.symbolic);
            let known: Vec<&str> = symbolic.map(|variable| variable.name.as_str()).collect();
            if !known.contains(&name.as_str()) {
                let message = format!("the model has no symbolic constant `{name}`");
                let mut diagnostic = Diagnostic::global("unknown-name", message);
                if let Some(close) = tioga_base::closest(name, known.iter().copied()) {
                    diagnostic = diagnostic.help(format!("did you mean `{close}`?"));
                }
                self.diagnostics.push(diagnostic);
            }
        }
        for name in &options.environment {
            let known: Vec<&str> = self
                .document
                .items
                .iter()
                .filter_map(|item| match item {
                    crate::syntax::Item::Template(template) => Some(template.name.text.as_str()),
                    crate::syntax::Item::Instance(instance) => Some(instance.name.text.as_str()),
                    _ => None,
                })
                .collect();
            let base = name.split('(').next().unwrap_or(name);
            if !known.contains(&base) {
                let message = format!("the model has no process `{name}`");
                let mut diagnostic = Diagnostic::global("unknown-name", message);
                if let Some(close) = tioga_base::closest(base, known.iter().copied()) {
                    diagnostic = diagnostic.help(format!("did you mean `{close}`?"));
                }
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// Gives a channel, or all elements of an array, a direction; without one they are internal.
    fn direct(&mut self, name: &str, direction: Option<Direction>) {
        let base = name.split('[').next().unwrap_or(name);
        let Some(Meaning::Channel(..)) = self.scopes.find(base).map(|symbol| &symbol.meaning)
        else {
            if self.options.lenient {
                return;
            }
            let known = self.scopes.names(|meaning| matches!(meaning, Meaning::Channel(..)));
            let message = format!("the model has no channel `{name}`");
            let mut diagnostic = Diagnostic::global("unknown-name", message);
            if let Some(close) = tioga_base::closest(base, known) {
                diagnostic = diagnostic.help(format!("did you mean `{close}`?"));
            }
            self.diagnostics.push(diagnostic);
            return;
        };
        let ids: Vec<ChannelId> = self.network.channels.ids().collect();
        for id in ids {
            let channel = &mut self.network.channels[id];
            let prefix = channel.name.split('[').next().unwrap_or_default();
            if channel.name == name || (base == name && prefix == base) {
                channel.direction = direction;
            }
        }
    }

    /// Fills in directions, open channels and controls once all processes are known.
    pub(super) fn interface(&mut self) {
        let mut users = vec![Users::default(); self.network.channels.len()];
        for (id, process) in self.network.processes.iter_ids() {
            for edge in &process.edges {
                for (used, sends) in uses(edge) {
                    for channel in elements(used) {
                        users[channel.index()].note(process.role, sends, id);
                    }
                }
            }
        }
        let ids: Vec<ChannelId> = self.network.channels.ids().collect();
        let alone = self.alone(&users);
        for id in ids {
            self.infer_direction(id, &users[id.index()], alone[id.index()]);
            let users = &users[id.index()];
            self.check_direction(id, users);
            let channel = &mut self.network.channels[id];
            channel.open = channel.direction.is_some() && !users.environment();
        }
        self.controls();
    }

    /// Which channels without partner are actions of the environment, in a model of UPPAAL's: none in
    /// a closed system; never an urgent broadcast, which only makes a step urgent; and an array as a
    /// whole or not at all. What was found is told, unless an interface is declared.
    fn alone(&mut self, users: &[Users]) -> Vec<Option<Alone>> {
        let mut found = vec![None; users.len()];
        if self.document.dialect != Dialect::Uppaal {
            return found;
        }
        let options = self.options;
        let declared = !(options.environment.is_empty()
            && options.inputs.is_empty()
            && options.outputs.is_empty())
            || self.network.channels.iter().any(|channel| channel.direction.is_some())
            || self.network.processes.iter().any(|process| process.role == Role::Environment);
        // Neighbours with one declaration are the elements of an array.
        let channels: Vec<_> = self.network.channels.iter().collect();
        let (mut first, mut names) = (0, Vec::new());
        while first < channels.len() {
            let span = channels[first].span;
            let base = channels[first].name.split('[').next();
            let same = |one: &&tioga_model::Channel| {
                one.span == span && one.name.split('[').next() == base
            };
            let count = channels[first..].iter().take_while(|one| same(one)).count();
            let all = first..first + count;
            let used = |users: &&Users| users.sent() || users.received();
            let mut ways = users[all.clone()].iter().filter(used).map(Users::alone);
            let way = ways.next().flatten().filter(|way| ways.all(|other| other == Some(*way)));
            let hurries = channels[first].urgent && channels[first].broadcast;
            let free = all.clone().all(|id| {
                channels[id].direction.is_none() && !options.internals.contains(&channels[id].name)
            }) && !base
                .is_some_and(|base| options.internals.iter().any(|name| name == base));
            // A broadcast is sent without receivers, too; only the interface can make it visible.
            let blocks = !(channels[first].broadcast && way == Some(Alone::OutOf));
            if let Some(way) = way.filter(|_| free && !hurries) {
                if declared || !options.closed {
                    found[all.clone()].fill(Some(way));
                }
                if !options.closed || blocks {
                    names.push((base.unwrap_or_default().to_owned(), span));
                }
            }
            first += count;
        }
        if let (false, Some((_, span))) = (declared, names.first()) {
            let list: Vec<String> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
            let list = list.join(", ");
            let mut diagnostic = match options.closed {
                true => {
                    let message = format!("no partner in the system, so never taken: {list}");
                    Diagnostic::warning("one-sided", *span, message)
                        .help("open the model to make them actions of the environment")
                }
                false => {
                    let message = format!("no partner in the system, so open: {list}");
                    Diagnostic::warning("opened", *span, message)
                        .note("the environment is the partner, since no interface is declared")
                }
            };
            diagnostic.severity = Severity::Note;
            self.diagnostics.push(diagnostic);
        }
        found
    }

    /// UPPAAL files declare no interface: it follows from the roles of the processes, and from which
    /// channels without partner are actions of the environment.
    fn infer_direction(&mut self, id: ChannelId, users: &Users, alone: Option<Alone>) {
        let channel = &self.network.channels[id];
        let internals = &self.options.internals;
        let base = channel.name.split('[').next().unwrap_or_default();
        let internal = internals.iter().any(|name| *name == channel.name || name == base);
        if self.document.dialect != Dialect::Uppaal || channel.direction.is_some() || internal {
            return;
        }
        let into = users.environment_sends.is_some() && users.system_receives.is_some();
        let out = users.system_sends.is_some() && users.environment_receives.is_some();
        let (alone_in, alone_out) = (alone == Some(Alone::Into), alone == Some(Alone::OutOf));
        self.network.channels[id].direction = match (into || alone_in, out || alone_out) {
            (true, false) => Some(Direction::Input),
            (false, true) => Some(Direction::Output),
            _ => None,
        };
        if into && out {
            let channel = &self.network.channels[id];
            let message =
                format!("`{}` goes both into and out of the system under test", channel.name);
            let diagnostic = Diagnostic::warning("two-way-channel", channel.span, message)
                .note("it is treated as internal")
                .help("say which way it goes with the interface options");
            self.diagnostics.push(diagnostic);
        }
    }

    fn check_direction(&mut self, id: ChannelId, users: &Users) {
        let channel = &self.network.channels[id];
        let wrong = match channel.direction {
            Some(Direction::Input) => users.system_sends.map(|p| (p, "sends an input")),
            Some(Direction::Output) => users.environment_sends.map(|p| (p, "sends an output")),
            None => {
                if self.document.dialect == Dialect::Tioga && users.sent() != users.received() {
                    let one_sided = !(channel.broadcast && users.sent());
                    if one_sided {
                        let message = format!("`{}` never finds a partner", channel.name);
                        let diagnostic = Diagnostic::warning("one-sided", channel.span, message)
                            .help(
                                "declare it with `input` or `output` if it crosses the interface",
                            );
                        self.diagnostics.push(diagnostic);
                    }
                }
                None
            }
        };
        if let Some((process, what)) = wrong {
            let process = &self.network.processes[process];
            let side = match process.role {
                Role::System => "the system under test",
                Role::Environment => "the environment",
            };
            let message = format!("`{}`, part of {side}, {what}: `{}`", process.name, channel.name);
            let diagnostic = Diagnostic::error("wrong-direction", channel.span, message)
                .note("inputs are sent by the environment, outputs by the system under test");
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether the model is a game of UPPAAL's although no edge declares its control: a closed
    /// system with a query about a game.
    fn is_plain_game(&self, written: &[Vec<Option<Control>>]) -> bool {
        let asked =
            |query: &Query| matches!(query.formula, Formula::Control(_) | Formula::Cooperative(_));
        self.options.closed
            && self.document.dialect == Dialect::Uppaal
            && written.iter().flatten().all(Option::is_none)
            && self.document.queries().any(asked)
    }

    /// Without `-c->` or `-u->`, inputs and moves of the environment are the tester's, everything
    /// else is the system's; in a game without uncontrollable edges only outputs are the system's.
    fn controls(&mut self) {
        let written = std::mem::take(&mut self.controls);
        let game = self.is_plain_game(&written);
        let processes: Vec<ProcessId> = self.network.processes.ids().collect();
        for (id, controls) in processes.into_iter().zip(&written) {
            let role = self.network.processes[id].role;
            let edges: Vec<_> = self.network.processes[id].edges.ids().collect();
            for (edge, control) in edges.into_iter().zip(controls) {
                let input = match &self.network.processes[id].edges[edge].label {
                    Label::Receive(used) => {
                        self.network.channels[used.channel].direction == Some(Direction::Input)
                    }
                    _ => false,
                };
                let output = match &self.network.processes[id].edges[edge].label {
                    Label::Send(used) => {
                        self.network.channels[used.channel].direction == Some(Direction::Output)
                    }
                    _ => false,
                };
                let default = if input || role == Role::Environment || game && !output {
                    Control::Controllable
                } else {
                    Control::Uncontrollable
                };
                self.network.processes[id].edges[edge].control = control.unwrap_or(default);
            }
        }
    }
}

/// The channels an edge uses, with whether it sends.
fn uses(edge: &Edge) -> impl Iterator<Item = (&ChannelUse, bool)> {
    let main = match &edge.label {
        Label::Send(used) => Some((used, true)),
        Label::Receive(used) => Some((used, false)),
        Label::Silent | Label::Plain(_) => None,
    };
    main.into_iter().chain(edge.reply.as_ref().map(|used| (used, true)))
}
