//! The automaton as a network with one process and the interface of the model.

use std::collections::BTreeSet;

use tioga_base::{IdVec, Span};
use tioga_model::{
    BinaryOp, Channel, ChannelId, ChannelUse, Clock, ClockBound, ClockConjunction, ClockConstraint,
    ClockId, ClockUpdate, Condition, Conjunct, Control, Direction, Edge, Expr, ExprId, Kind, Label,
    Location, LocationId, Lvalue, Marks, Model, Network, Process, ProcessId, Role, StepLabel,
    TimeBound, Type, Update, Values,
};

use crate::automaton::{Arrival, Automaton, Guard};
use crate::determinized::{Acceptance, ViewGoal};
use crate::exactness::result_clocks;
use crate::table::{Table, Visible};

/// How many locations of the model a name mentions at most.
const MENTIONED: usize = 3;

/// How many outputs with values can be allowed where everything is.
const MOST_OUTPUTS: usize = 4096;

/// The network of an automaton; nothing if there are too many outputs to allow each where nothing is
/// known.
pub(crate) fn network(table: &Table<'_>, automaton: &Automaton) -> Option<Network> {
    let model = table.model();
    let mut network = Network::new(model.name.clone());
    network.scale = model.scale;
    network.time_unit = model.time_unit;
    let span = model.processes.iter().next().map_or_else(Span::default, |process| process.span);
    let name = match model.processes.len() {
        1 => model.processes[ProcessId(0)].name.clone(),
        _ => "Observed".to_owned(),
    };
    for clock in result_clocks(automaton.clocks) {
        let name = format!("{name}.{clock}");
        network.clocks.push(Clock { name, owner: Some(ProcessId(0)) });
    }
    let mut channels = Vec::new();
    for channel in &model.channels {
        // Urgency is part of the invariants now, and the tester is the only partner left.
        channels.push(channel.direction.map(|_| {
            let open = Channel { urgent: false, broadcast: false, open: true, ..channel.clone() };
            network.channels.push(open)
        }));
    }
    let mut process = Process {
        name,
        role: Role::System,
        initial: LocationId(0),
        locations: IdVec::new(),
        edges: IdVec::new(),
        outgoing: IdVec::new(),
        span,
    };
    let names = names(table, automaton);
    for (position, location) in automaton.locations.iter().enumerate() {
        // States with different marks are different locations.
        let marks = automaton.arrivals[position].marks;
        process.locations.push(Location {
            name: names[position].clone(),
            marks: Marks { initial: position == 0, ..marks },
            labels: Vec::new(),
            invariant: condition(None, &location.invariant),
            origin: origin(table, &automaton.arrivals[position]),
            span,
        });
    }
    let source = automaton.locations.iter().enumerate();
    for (source, edge) in
        source.flat_map(|(s, location)| location.edges.iter().map(move |e| (s, e)))
    {
        let visible = &table.actions[edge.action];
        let mut writer = Writer { network: &mut network, channels: &channels, model, span };
        let (label, reply, frame, data) = writer.action(visible);
        let control = control(visible);
        let reset = (0..automaton.clocks).filter(|clock| edge.reset >> clock & 1 == 1);
        process.edges.push(Edge {
            source: location_id(source),
            target: location_id(edge.target),
            control,
            label,
            reply,
            frame,
            guard: condition(data, &edge.guard),
            updates: reset.map(|clock| reset_of(clock_id(clock))).collect(),
            choices: Vec::new(),
            span,
        });
    }
    let unknown = automaton.arrivals.iter().enumerate().filter(|(_, arrival)| !arrival.known);
    for (position, _) in unknown {
        // Every output may come, and nothing is known after it.
        let target = automaton.unmarked_unknown().expect("there is one if any is unknown");
        for visible in &outputs(model)? {
            let mut writer = Writer { network: &mut network, channels: &channels, model, span };
            let (label, reply, frame, data) = writer.action(visible);
            process.edges.push(Edge {
                source: location_id(position),
                target: location_id(target),
                control: control(visible),
                label,
                reply,
                frame,
                guard: condition(data, &Guard::new()),
                updates: Vec::new(),
                choices: Vec::new(),
                span,
            });
        }
    }
    network.processes.push(process);
    Some(network)
}

/// Where an automaton accepts.
pub(crate) fn goals(automaton: &Automaton) -> Vec<ViewGoal> {
    let locations = automaton.locations.iter().enumerate();
    let goals = locations.flat_map(|(position, location)| {
        location.accepts.iter().map(move |(guard, acceptance)| {
            let clocks = guard.iter().map(|(left, right, bound)| ClockBound {
                left: left.checked_sub(1).map(clock_id),
                right: right.checked_sub(1).map(clock_id),
                strict: bound.is_strict(),
                bound: constant(*bound),
            });
            let clocks = clocks.collect();
            ViewGoal { location: location_id(position), clocks, acceptance: *acceptance }
        })
    });
    goals.collect()
}

/// Where a network of one process is marked to accept.
pub(crate) fn marked(network: &Network) -> Vec<ViewGoal> {
    let locations = network.processes.iter().flat_map(|process| process.locations.iter_ids());
    let marked = locations.filter(|(_, location)| location.marks.accept);
    let (clocks, acceptance) = (ClockConjunction::new(), Acceptance::Everywhere);
    marked.map(|(location, _)| ViewGoal { location, clocks: clocks.clone(), acceptance }).collect()
}

fn control(visible: &Visible) -> Control {
    match visible.label {
        StepLabel::Output(_) => Control::Uncontrollable,
        _ => Control::Controllable,
    }
}

/// Every output with every combination of values, in order; nothing if they are too many.
fn outputs(model: &Model) -> Option<Vec<Visible>> {
    let mut all = Vec::new();
    for (channel, declared) in model.channels.iter_ids() {
        if declared.direction != Some(Direction::Output) {
            continue;
        }
        let mut combinations = vec![Values::new()];
        for ty in &declared.parameters {
            let (least, greatest) = ty.bounds()?;
            let count = usize::try_from(greatest.checked_sub(least)?.checked_add(1)?).ok()?;
            if combinations.len().checked_mul(count)? > MOST_OUTPUTS {
                return None;
            }
            let longer = combinations.iter().flat_map(|before| {
                (least..=greatest).map(|value| before.iter().copied().chain([value]).collect())
            });
            combinations = longer.collect();
        }
        let label = StepLabel::Output(channel);
        let visible = |arguments| Visible { label, arguments, reply: Values::new() };
        all.extend(combinations.into_iter().map(visible));
    }
    (all.len() <= MOST_OUTPUTS).then_some(all)
}

/// Builds labels and the expressions in them.
pub(crate) struct Writer<'a> {
    pub network: &'a mut Network,
    pub channels: &'a [Option<ChannelId>],
    pub model: &'a Model,
    pub span: Span,
}

impl Writer<'_> {
    /// The label of an action, its reply, the size of the frame and the condition on its values.
    pub fn action(
        &mut self,
        visible: &Visible,
    ) -> (Label, Option<ChannelUse>, u32, Option<ExprId>) {
        let (input, output) = match visible.label {
            StepLabel::Input(channel) => (Some(channel), None),
            StepLabel::Output(channel) => (None, Some((channel, &visible.arguments))),
            StepLabel::Exchange(input, output) => (Some(input), Some((output, &visible.reply))),
            StepLabel::Internal(_) => unreachable!("internal steps are not visible"),
        };
        let sent = output.map(|(channel, values)| {
            let arguments = self.constants(channel, values);
            ChannelUse { channel: self.channel(channel), index: None, arguments }
        });
        let Some(channel) = input else {
            return (Label::Send(sent.expect("there is an input or an output")), None, 0, None);
        };
        let data = self.equals(channel, &visible.arguments);
        let frame = u32::try_from(visible.arguments.len()).expect("few parameters");
        let received =
            ChannelUse { channel: self.channel(channel), index: None, arguments: Vec::new() };
        (Label::Receive(received), sent, frame, data)
    }

    fn channel(&self, channel: ChannelId) -> ChannelId {
        self.channels[channel.0 as usize].expect("visible actions are on channels of the interface")
    }

    fn constants(&mut self, channel: ChannelId, values: &Values) -> Vec<ExprId> {
        let mut rest = values.iter();
        let mut next = || *rest.next().expect("there is a value for each parameter");
        let mut all = Vec::new();
        for ty in &self.model.channels[channel].parameters {
            let (expr, kind) = match ty {
                Type::Rational => {
                    let (numerator, denominator) = (next(), next());
                    let value = tioga_base::Rational::new(numerator, denominator);
                    (Expr::Rational(value.expect("values are valid")), Kind::Rational)
                }
                Type::Bool => (Expr::Int(next()), Kind::Bool),
                _ => (Expr::Int(next()), Kind::Int),
            };
            all.push(self.network.code.push(expr, kind, self.span));
        }
        all
    }

    /// That the received values are these.
    fn equals(&mut self, channel: ChannelId, values: &Values) -> Option<ExprId> {
        let constants = self.constants(channel, values);
        let mut slot = 0;
        let mut all = None;
        for constant in constants {
            let code = &mut self.network.code;
            let kind = code.nodes[constant].kind;
            let received = code.push(Expr::Load(Lvalue::frame(slot)), kind, self.span);
            let equal = Expr::Binary(BinaryOp::Eq, received, constant);
            let equal = code.push(equal, Kind::Bool, self.span);
            all = Some(match all {
                None => equal,
                Some(before) => {
                    let both = Expr::Binary(BinaryOp::And, before, equal);
                    code.push(both, Kind::Bool, self.span)
                }
            });
            slot += if kind == Kind::Rational { 2 } else { 1 };
        }
        all
    }
}

fn constant(bound: tioga_zones::Bound) -> i64 {
    i64::from(bound.constant().expect("guards have finite bounds"))
}

fn condition(data: Option<ExprId>, guard: &Guard) -> Condition {
    let clock = |index: usize| index.checked_sub(1).map(|clock| clock_id(clock).into());
    let clocks = guard.iter().map(|(left, right, bound)| ClockConstraint {
        left: clock(*left),
        right: clock(*right),
        strict: bound.is_strict(),
        bound: TimeBound::Constant(constant(*bound)),
    });
    Condition { disjuncts: vec![Conjunct { data, clocks: clocks.collect() }] }
}

fn reset_of(clock: ClockId) -> Update {
    Update::Clock(ClockUpdate::reset(clock))
}

fn clock_id(index: usize) -> ClockId {
    ClockId(u32::try_from(index).expect("few clocks"))
}

fn location_id(index: usize) -> LocationId {
    LocationId(u32::try_from(index).expect("fewer than 2^32 locations"))
}

/// The locations of the model that are certain in all states possible on arrival.
fn origin(table: &Table<'_>, arrival: &Arrival) -> Vec<(String, String)> {
    let mut states = arrival.at.iter().filter(|_| arrival.known).map(|at| table.origin(*at));
    let Some(mut certain) = states.next() else { return Vec::new() };
    for state in states {
        certain.retain(|one| state.contains(one));
    }
    certain
}

/// A name for each location: the locations of the model that are possible there on arrival, or a
/// number if they are many.
fn names(table: &Table<'_>, automaton: &Automaton) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut names = Vec::new();
    for (position, arrival) in automaton.arrivals.iter().enumerate() {
        let mut mentioned: Vec<String> = Vec::new();
        for name in arrival.at.iter().map(|at| table.name(*at).replace('.', "_")) {
            if !mentioned.contains(&name) {
                mentioned.push(name);
            }
        }
        let plain = match mentioned.len() {
            _ if !arrival.known => "Unknown".to_owned(),
            1..=MENTIONED => mentioned.join("_"),
            _ => format!("s{position}"),
        };
        let numbered = (2usize..).map(|number| format!("{plain}_{number}"));
        let name = std::iter::once(plain.clone())
            .chain(numbered)
            .find(|name| !taken.contains(name))
            .expect("there are infinitely many names");
        taken.insert(name.clone());
        names.push(name);
    }
    names
}
