//! A network as one automaton: every discrete state that is reached is a location, and every joint step an
//! edge over the same clocks. With a purpose that observes the network, this is the product of BJSK12
//! (Definition 2), unfolded and marked, as a model of its own.
//!
//! Where time always stands still in a discrete state, its location is urgent. Where clocks decide, the urgent
//! channels stay urgent: an output as such, and a channel inside as a broadcast without receivers. An open
//! input is never urgent, so an urgent input that an environment sends cannot be said so.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Budget, Id, IdVec, Span};
use tioga_model::{
    Applied, Channel, ChannelId, ChannelUse, Clock, ClockBound, ClockConjunction, ClockConstraint,
    ClockTerm, ClockUpdate, Composer, Condition, Conjunct, Edge, ExprId, Hidden, Label, Location,
    LocationId, Marks, Model, Network, PlainAction, Process, ProcessId, Role, Step, StepLabel,
    Steps, TimeBound, Update,
};
use tioga_symbolic::alternatives;
use tioga_zones::{Federation, Zone};

use crate::Error;
use crate::network::Writer;
use crate::region::Grid;
use crate::table::{Entry, Table, Visible};

/// What the automaton is called.
const NAME: &str = "Product";

/// A network as one automaton. The budget counts symbolic states.
///
/// # Errors
/// If the budget is used up, the model is not supported, or clocks decide in a way that cannot be said that
/// time stands still.
pub fn flat_product(model: &Model, budget: &mut Budget) -> Result<Network, Error> {
    let mut table = Table::new(model.into(), 0, Grid::uniform(1, 0))?;
    let reached = reach(&mut table, budget)?;
    let numbers: BTreeMap<usize, LocationId> =
        reached.keys().zip(0..).map(|(state, number)| (*state, LocationId(number))).collect();
    let hurried = hurried(model, &mut table, &reached)?;
    let mut builder = Builder::new(model, &table, &numbers, hurried)?;
    for (&state, zones) in &reached {
        builder.edges(&mut table, &numbers, state, zones)?;
    }
    let Builder { mut network, process, .. } = builder;
    network.processes.push(process);
    Ok(network)
}

/// The zones that are reached of each discrete state.
fn reach(table: &mut Table<'_>, budget: &mut Budget) -> Result<BTreeMap<usize, Vec<Zone>>, Error> {
    let exact = table.compares_clocks();
    let mut reached: BTreeMap<usize, Vec<Zone>> = BTreeMap::new();
    let mut waiting = vec![(0, Zone::zero(table.dimension()))];
    while let Some((at, zone)) = waiting.pop() {
        let entry = table.entry(at)?;
        for mut zone in entry.elapse.delay(&zone).into_zones() {
            budget.step()?;
            if !exact {
                zone.extrapolate_m(&entry.bounds);
            }
            let known = reached.entry(at).or_default();
            if known.iter().any(|known| known.includes(&zone)) {
                continue;
            }
            for step in &entry.steps {
                let mut source = step.enabled.clone();
                source.intersect_zone(&zone);
                let after = step.jump.successor(&source).into_zones();
                waiting.extend(after.into_iter().map(|zone| (step.target, zone)));
            }
            known.retain(|known| !zone.includes(known));
            known.push(zone);
        }
    }
    Ok(reached)
}

/// Whether clocks decide in a discrete state that time stands still.
fn clocks_decide(entry: &Entry) -> bool {
    entry.elapse.passes_time() && !entry.elapse.urgent().is_empty()
}

/// The channels that have to stay urgent, because time stands still for them only where clocks allow it.
fn hurried(
    model: &Model,
    table: &mut Table<'_>,
    reached: &BTreeMap<usize, Vec<Zone>>,
) -> Result<BTreeSet<ChannelId>, Error> {
    let (mut composer, mut steps) = (Composer::new(model), Steps::new());
    let mut hurried = BTreeSet::new();
    for &state in reached.keys() {
        if !clocks_decide(&*table.entry(state)?) {
            continue;
        }
        composer.steps(table.state(state), &mut steps);
        for step in steps.list.iter().filter(|step| step.urgent) {
            match step.label {
                StepLabel::Output(channel) | StepLabel::Internal(Hidden::Channel(channel)) => {
                    hurried.insert(channel);
                }
                StepLabel::Input(channel) | StepLabel::Exchange(channel, _) => {
                    let name = &model.channels[channel].name;
                    let what = format!(
                        "in `{}` time stands still while clocks allow the urgent input `{name}`, which one automaton cannot say: an open input is never urgent",
                        table.name(state)
                    );
                    return Err(Error::Urgency { what, span: span_of(model, step) });
                }
                StepLabel::Internal(_) => return Err(unsaid(model, &table.name(state), step)),
            }
        }
    }
    Ok(hurried)
}

/// Time stands still for a step that cannot be taken.
fn unsaid(model: &Model, state: &str, step: &Step) -> Error {
    let what = format!(
        "in `{state}` time stands still for an urgent step that cannot be taken, which one automaton cannot say"
    );
    Error::Urgency { what, span: span_of(model, step) }
}

/// Where the first edge of a step was written.
fn span_of(model: &Model, step: &Step) -> Span {
    let first = step.participants.first();
    first.map_or(Span::default(), |part| model.processes[part.process].edges[part.edge].span)
}

struct Builder<'m> {
    model: &'m Model,
    composer: Composer<'m>,
    network: Network,
    process: Process,
    /// The channels of the interface in the new network.
    channels: Vec<Option<ChannelId>>,
    /// What stands for internal channels.
    hidden: BTreeMap<ChannelId, Label>,
    /// The channels that stay urgent.
    hurried: BTreeSet<ChannelId>,
    span: Span,
}

impl<'m> Builder<'m> {
    fn new(
        model: &'m Model,
        table: &Table<'_>,
        numbers: &BTreeMap<usize, LocationId>,
        hurried: BTreeSet<ChannelId>,
    ) -> Result<Self, Error> {
        let mut network = Network::new(model.name.clone());
        (network.scale, network.time_unit) = (model.scale, model.time_unit);
        network.actions = model.actions.clone();
        for name in clock_names(model) {
            let name = format!("{NAME}.{name}");
            network.clocks.push(Clock { name, owner: Some(ProcessId(0)) });
        }
        let mut channels = Vec::new();
        for (id, channel) in model.channels.iter_ids() {
            // Urgency is part of the locations where it does not depend on clocks, and the tester is the only
            // partner left.
            channels.push(channel.direction.map(|_| {
                let urgent = hurried.contains(&id);
                network.channels.push(Channel {
                    urgent,
                    broadcast: false,
                    open: true,
                    ..channel.clone()
                })
            }));
        }
        let span = model.processes.iter().next().map_or_else(Span::default, |process| process.span);
        let mut process = Process {
            name: NAME.to_owned(),
            role: Role::System,
            initial: LocationId(0),
            locations: IdVec::new(),
            edges: IdVec::new(),
            outgoing: IdVec::new(),
            span,
        };
        let mut composer = Composer::new(model);
        let mut taken = BTreeSet::new();
        for (&state, id) in numbers {
            let discrete = table.state(state);
            let invariant = composer.invariant(discrete).map_err(tioga_symbolic::Error::from)?;
            process.locations.push(Location {
                name: name(&table.name(state), &mut taken),
                marks: Marks {
                    initial: id.index() == 0,
                    urgent: composer.stops_time(discrete),
                    ..table.marks(state)
                },
                labels: Vec::new(),
                invariant: condition(None, &invariant.disjuncts),
                origin: table.origin(state),
                span,
            });
        }
        let hidden = BTreeMap::new();
        Ok(Self { model, composer, network, process, channels, hidden, hurried, span })
    }

    /// Adds the steps of a discrete state that are possible somewhere.
    fn edges(
        &mut self,
        table: &mut Table<'_>,
        numbers: &BTreeMap<usize, LocationId>,
        state: usize,
        zones: &[Zone],
    ) -> Result<(), Error> {
        let entry = table.entry(state)?;
        let source = numbers[&state];
        if !entry.elapse.passes_time() {
            self.process.locations[source].marks.urgent = true;
        }
        let discrete = table.state(state).clone();
        let mut steps = Steps::new();
        self.composer.steps(&discrete, &mut steps);
        // An update that faults is no step, there and here.
        let carried = steps
            .list
            .iter()
            .filter_map(|step| Some((step, self.composer.apply(&discrete, step).ok()?)));
        let carried: Vec<(&Step, Applied)> = carried.collect();
        let mut written: Vec<Plan<'_>> = Vec::new();
        // Where time stands still for steps that are no edges.
        let mut standing = entry.elapse.urgent().clone();
        standing.intersect(&Federation::from_zones(table.dimension(), zones.iter().cloned()));
        for ((step, applied), known) in carried.iter().zip(&entry.steps) {
            let possible =
                |zone: &Zone| known.enabled.zones().iter().any(|one| one.intersects(zone));
            let Some(&target) = numbers.get(&known.target).filter(|_| zones.iter().any(possible))
            else {
                continue;
            };
            if step.urgent {
                standing.subtract(&known.jump.guard(table.dimension()));
            }
            let plan = Plan { step, applied, target, guards: alternatives(step).to_vec() };
            if !written.iter().any(|other| other.is_same(&plan)) {
                written.push(plan);
            }
        }
        if let Some(step) = steps.list.iter().find(|step| step.urgent && !standing.is_empty()) {
            return Err(unsaid(self.model, &self.process.locations[source].name, step));
        }
        for plan in &written {
            self.edge(source, plan);
        }
        Ok(())
    }

    fn edge(&mut self, source: LocationId, plan: &Plan<'_>) {
        let Plan { step, applied, target, guards } = plan;
        let (label, reply, frame, data) = match step.label {
            StepLabel::Internal(hidden) => (self.internal(hidden), None, 0, None),
            label => {
                let (arguments, reply) = (step.arguments.clone(), step.reply.clone());
                let (network, channels) = (&mut self.network, &self.channels[..]);
                let mut writer = Writer { network, channels, model: self.model, span: self.span };
                writer.action(&Visible { label, arguments, reply })
            }
        };
        let term = |clock: tioga_model::ClockId| ClockTerm::from(clock);
        let updates = applied.assignments.iter().map(|one| {
            let (clock, source) = (term(one.clock), one.source.map(term));
            let value = TimeBound::Constant(one.value);
            Update::Clock(ClockUpdate { clock, source, value, when: None })
        });
        self.process.edges.push(Edge {
            source,
            target: *target,
            control: step.control,
            label,
            reply,
            frame,
            guard: condition(data, guards),
            updates: updates.collect(),
            choices: Vec::new(),
            span: self.span,
        });
    }

    /// The label of a step that is not visible.
    fn internal(&mut self, hidden: Hidden) -> Label {
        match hidden {
            Hidden::Silent | Hidden::Sync(_) => Label::Silent,
            Hidden::Action(action) => Label::Plain(action),
            Hidden::Channel(channel) => {
                let (network, declared) = (&mut self.network, &self.model.channels[channel]);
                let urgent = self.hurried.contains(&channel);
                let label = self.hidden.entry(channel).or_insert_with(|| match urgent {
                    false => Label::Plain(
                        network.actions.push(PlainAction { name: declared.name.clone() }),
                    ),
                    true => {
                        let alone = Channel {
                            urgent,
                            broadcast: true,
                            parameters: Vec::new(),
                            ..declared.clone()
                        };
                        let channel = network.channels.push(alone);
                        Label::Send(ChannelUse { channel, index: None, arguments: Vec::new() })
                    }
                });
                label.clone()
            }
        }
    }
}

/// An edge to be written.
struct Plan<'p> {
    step: &'p Step,
    applied: &'p Applied,
    target: LocationId,
    guards: Vec<ClockConjunction>,
}

impl Plan<'_> {
    /// Whether two steps of different processes are the same edge here.
    fn is_same(&self, other: &Self) -> bool {
        let action =
            |step: &Step| (step.label, step.arguments.clone(), step.reply.clone(), step.control);
        action(self.step) == action(other.step)
            && self.target == other.target
            && self.guards == other.guards
            && self.applied.assignments == other.applied.assignments
    }
}

fn condition(data: Option<ExprId>, alternatives: &[ClockConjunction]) -> Condition {
    let constraint = |bound: &ClockBound| ClockConstraint {
        left: bound.left.map(ClockTerm::from),
        right: bound.right.map(ClockTerm::from),
        strict: bound.strict,
        bound: TimeBound::Constant(bound.bound),
    };
    let conjunct =
        |one: &ClockConjunction| Conjunct { data, clocks: one.iter().map(constraint).collect() };
    Condition { disjuncts: alternatives.iter().map(conjunct).collect() }
}

/// The clocks by their own names, or with that of their process where these are not enough.
fn clock_names(model: &Model) -> Vec<String> {
    let own = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let all: Vec<String> = model.clocks.iter().map(|clock| own(&clock.name)).collect();
    let mut taken = BTreeSet::new();
    let named = model.clocks.iter().map(|clock| {
        let short = own(&clock.name);
        let alone = all.iter().filter(|one| **one == short).count() == 1;
        name(if alone { &short } else { &clock.name }, &mut taken)
    });
    named.collect()
}

/// An identifier like this that is not taken.
fn name(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String =
        wanted.chars().map(|one| if one.is_alphanumeric() { one } else { '_' }).collect();
    let numbered = (2usize..).map(|number| format!("{plain}_{number}"));
    let mut names = std::iter::once(plain.clone()).chain(numbered);
    let name = names.find(|name| !taken.contains(name)).expect("there are infinitely many names");
    taken.insert(name.clone());
    name
}
