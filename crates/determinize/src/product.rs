//! A network as one automaton: every discrete state that is reached is a location, and every joint step an
//! edge over the same clocks. With a purpose that observes the network, this is the product of BJSK12
//! (Definition 2), unfolded and marked, as a model of its own.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Budget, Id, IdVec, Span};
use tioga_model::{
    Action, ActionId, Applied, Bound, Channel, ChannelId, Clock, ClockBound, ClockConjunction,
    ClockTerm, ClockUpdate, Composer, Condition, Conjunct, Constraint, Edge, ExprId, Hidden, Label,
    Location, LocationId, Marks, Model, Network, Process, ProcessId, Role, Step, StepLabel, Steps,
    Update,
};
use tioga_symbolic::alternatives;
use tioga_zones::Zone;

use crate::Error;
use crate::network::Writer;
use crate::region::Grid;
use crate::table::{Table, Visible};

/// What the automaton is called.
const NAME: &str = "Product";

/// A network as one automaton. The budget counts symbolic states.
///
/// # Errors
/// If the budget is used up, the model is not supported, or time stands still depending on clocks.
pub fn flat_product(model: &Model, budget: &mut Budget) -> Result<Network, Error> {
    let mut table = Table::new(model, 0, Grid::uniform(1, 0))?;
    let reached = reach(&mut table, budget)?;
    let numbers: BTreeMap<usize, LocationId> =
        reached.keys().zip(0..).map(|(state, number)| (*state, LocationId(number))).collect();
    let mut builder = Builder::new(model, &table, &numbers)?;
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

struct Builder<'m> {
    model: &'m Model,
    composer: Composer<'m>,
    network: Network,
    process: Process,
    /// The channels of the interface in the new network.
    channels: Vec<Option<ChannelId>>,
    /// The actions that stand for internal channels.
    hidden: BTreeMap<ChannelId, ActionId>,
    span: Span,
}

impl<'m> Builder<'m> {
    fn new(
        model: &'m Model,
        table: &Table<'_>,
        numbers: &BTreeMap<usize, LocationId>,
    ) -> Result<Self, Error> {
        let mut network = Network::new(model.name.clone());
        (network.scale, network.time_unit) = (model.scale, model.time_unit);
        network.actions = model.actions.clone();
        for name in clock_names(model) {
            let name = format!("{NAME}.{name}");
            network.clocks.push(Clock { name, owner: Some(ProcessId(0)) });
        }
        let mut channels = Vec::new();
        for channel in &model.channels {
            // Urgency is part of the locations now, and the tester is the only partner left.
            channels.push(channel.direction.map(|_| {
                let open =
                    Channel { urgent: false, broadcast: false, open: true, ..channel.clone() };
                network.channels.push(open)
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
        Ok(Self { model, composer, network, process, channels, hidden: BTreeMap::new(), span })
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
        if entry.elapse.passes_time() && !entry.elapse.urgent().is_empty() {
            let what = format!(
                "in `{}` time stands still while clocks allow an urgent step, which one automaton cannot say",
                self.process.locations[source].name
            );
            return Err(Error::Unsupported(what));
        }
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
        for ((step, applied), known) in carried.iter().zip(&entry.steps) {
            let possible =
                |zone: &Zone| known.enabled.zones().iter().any(|one| one.intersects(zone));
            let Some(&target) = numbers.get(&known.target).filter(|_| zones.iter().any(possible))
            else {
                continue;
            };
            let plan = Plan { step, applied, target, guards: alternatives(step).to_vec() };
            if !written.iter().any(|other| other.is_same(&plan)) {
                written.push(plan);
            }
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
            Update::Clock(ClockUpdate { clock, source, value: Bound::Constant(one.value) })
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
                let (network, model) = (&mut self.network, self.model);
                let action = *self.hidden.entry(channel).or_insert_with(|| {
                    let name = model.channels[channel].name.clone();
                    network.actions.push(Action { name })
                });
                Label::Plain(action)
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
    let constraint = |bound: &ClockBound| Constraint {
        left: bound.left.map(ClockTerm::from),
        right: bound.right.map(ClockTerm::from),
        strict: bound.strict,
        bound: Bound::Constant(bound.bound),
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
