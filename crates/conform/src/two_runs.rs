//! A model whose states are two runs of another one with the same trace.
//!
//! One run of a specification that follows an implementation must choose at once what it will need later. Two runs can
//! keep two guesses: with each step they become any two runs, or one, that go on from either; each may also be dropped
//! at any moment. So the model of both has exactly the traces of the specification, and a simulation by it (Etessami's
//! simulation with two pebbles) shows conformance to the specification.

use tioga_base::Id;
use tioga_model::{
    ClockConstraint, ClockId, ClockUpdate, Condition, Conjunct, Edge, Label, Location, LocationId,
    Marks, Model, Network, Process, TimeBound, Update,
};

/// How many locations and clocks a model has at most of which two runs are looked at.
const LARGEST: (usize, usize) = (8, 4);

/// The model of two runs. `None` if the model is large, or has more than one process, data, urgent channels or other
/// features whose meaning for two runs at once is not that for each.
pub fn two_runs(model: &Model) -> Option<Model> {
    let mut processes = model.processes.iter();
    let (process, None) = (processes.next()?, processes.next()) else { return None };
    let channels = || model.channels.iter();
    let small = process.locations.len() <= LARGEST.0 && model.clocks.len() <= LARGEST.1;
    let plain = model.slots.is_empty() && model.syncs.is_empty();
    let calm = channels().all(|one| !one.urgent && !one.broadcast && one.parameters.is_empty());
    if !small || !plain || !calm || !process.edges.iter().all(is_plain) {
        return None;
    }
    let conditions = process.locations.iter().map(|location| &location.invariant);
    if !conditions.chain(process.edges.iter().map(|edge| &edge.guard)).all(is_constant) {
        return None;
    }
    let twice = Twice { process, clocks: model.clocks.len() };
    let mut network = Network::clone(model);
    network.purposes.clear();
    network.queries.clear();
    for mut clock in model.clocks.iter().cloned() {
        clock.name.push('\'');
        network.clocks.push(clock);
    }
    network.processes = std::iter::once(twice.process()).collect();
    network.validate().ok()
}

/// Whether an edge shows a message without values, or nothing, and sets clocks to constants or other clocks.
fn is_plain(edge: &Edge) -> bool {
    let simple = match &edge.label {
        Label::Silent | Label::Plain(_) => true,
        Label::Send(used) | Label::Receive(used) => used.index.is_none(),
    };
    let sets = edge.updates.iter().all(|update| match update {
        Update::Clock(set) => {
            set.certain().is_some()
                && set.source.is_none_or(|source| source.index.is_none())
                && matches!(set.value, TimeBound::Constant(_))
        }
        Update::Data(_) => false,
    });
    simple && sets && edge.reply.is_none()
}

/// Whether a condition compares clocks with constants only.
fn is_constant(condition: &Condition) -> bool {
    condition.disjuncts.iter().all(|conjunct| {
        let constant = |one: &ClockConstraint| {
            let terms = [one.left, one.right].into_iter().flatten();
            matches!(one.bound, TimeBound::Constant(_))
                && terms.into_iter().all(|term| term.index.is_none())
        };
        conjunct.data.is_none() && conjunct.clocks.iter().all(constant)
    })
}

/// A run after a step, or without one.
#[derive(Clone, Copy)]
struct Run<'p> {
    /// Whether it was on the second clocks before.
    second: bool,
    target: LocationId,
    by: Option<&'p Edge>,
}

/// Whether an edge shows nothing.
fn is_hidden(edge: &Edge) -> bool {
    matches!(edge.label, Label::Silent | Label::Plain(_))
}

/// The process whose runs are doubled, and how many clocks it has.
struct Twice<'p> {
    process: &'p Process,
    clocks: usize,
}

impl Twice<'_> {
    fn process(&self) -> Process {
        let process = self.process;
        let single = process.locations.iter().cloned();
        let pairs = process
            .locations
            .iter()
            .flat_map(|one| process.locations.iter().map(move |other| (one, other)));
        let pairs = pairs.map(|(one, other)| {
            let marks = Marks {
                urgent: one.marks.urgent || other.marks.urgent,
                committed: one.marks.committed || other.marks.committed,
                ..Marks::default()
            };
            let name = format!("{}_{}", one.name, other.name);
            let invariant = both(&one.invariant, &self.second(&other.invariant));
            Location { name, marks, invariant, ..one.clone() }
        });
        let locations = single.chain(pairs).collect();
        let ids = || process.locations.ids();
        let lone = ids().flat_map(|at| self.moves(at, &[self.run(at, false)]));
        let pairs = ids().flat_map(|one| ids().map(move |other| (one, other)));
        let paired = pairs.flat_map(|(one, other)| {
            let runs = [self.run(one, false), self.run(other, true)];
            self.moves(self.pair(one, other), &runs)
        });
        let edges = lone.chain(paired).collect();
        Process { locations, edges, ..process.clone() }
    }

    /// A run in a location, on the first or the second clocks, without any step.
    fn run(&self, at: LocationId, second: bool) -> Run<'_> {
        Run { second, target: at, by: None }
    }

    /// What may become of the runs of a state.
    fn moves(&self, source: LocationId, runs: &[Run<'_>]) -> Vec<Edge> {
        let mut edges = Vec::new();
        let Some(pattern) = self.process.edges.iter().next() else { return edges };
        let leaving = |run: &Run<'_>| {
            let (from, second) = (run.target, run.second);
            let edges = self.process.edges.iter().filter(move |edge| edge.source == from);
            edges.map(move |edge| Run { second, target: edge.target, by: Some(edge) })
        };
        let next: Vec<Run<'_>> = runs.iter().flat_map(leaving).collect();
        let (hidden, visible): (Vec<Run<'_>>, Vec<Run<'_>>) =
            next.into_iter().partition(|run| run.by.is_some_and(is_hidden));
        // Visible steps are made by both, and hidden ones by one beside what there is.
        let hidden = hidden.into_iter().chain(runs.iter().copied());
        for all in [visible, hidden.collect()] {
            for (position, one) in all.iter().enumerate() {
                if one.by.is_some() || runs.len() > 1 {
                    edges.push(self.joined(source, pattern, &[*one]));
                }
                for other in &all[position + 1..] {
                    let together = match (one.by, other.by) {
                        (Some(one), Some(other)) => !is_hidden(one) && one.label == other.label,
                        (one, other) => one.is_some() || other.is_some(),
                    };
                    if together {
                        let swapped = one.second && !other.second;
                        let runs = if swapped { [*other, *one] } else { [*one, *other] };
                        edges.push(self.joined(source, pattern, &runs));
                    }
                }
            }
        }
        edges
    }

    /// The step after which these runs are there.
    fn joined(&self, source: LocationId, pattern: &Edge, runs: &[Run<'_>]) -> Edge {
        let (mut guard, mut updates) = (Condition::always(), Vec::new());
        // The clocks are copied first, as both may go on from the same run.
        match runs {
            [..] if runs.iter().all(|run| run.second) => {
                updates.extend(self.copy(self.clocks, 0));
            }
            [one, other] if !one.second && !other.second => {
                updates.extend(self.copy(0, self.clocks));
            }
            _ => {}
        }
        let mut edge = Edge { label: Label::Silent, frame: 0, ..pattern.clone() };
        for (position, run) in runs.iter().enumerate() {
            let Some(by) = run.by else { continue };
            let own = if run.second { self.second(&by.guard) } else { by.guard.clone() };
            guard = both(&guard, &own);
            match position {
                0 => updates.extend(by.updates.iter().cloned()),
                _ => updates.extend(self.second_updates(by)),
            }
            edge = by.clone();
        }
        let target = match runs {
            [one, other] => self.pair(one.target, other.target),
            _ => runs[0].target,
        };
        Edge { source, target, guard, updates, ..edge }
    }

    fn pair(&self, one: LocationId, other: LocationId) -> LocationId {
        let count = self.process.locations.len();
        LocationId::from_index(count * (1 + one.index()) + other.index())
    }

    /// A clock of the second run.
    fn second_clock(&self, clock: ClockId) -> ClockId {
        ClockId::from_index(clock.index() + self.clocks)
    }

    /// A condition on the clocks of the second run.
    fn second(&self, condition: &Condition) -> Condition {
        let mut condition = condition.clone();
        let bounds = condition.disjuncts.iter_mut().flat_map(|one| one.clocks.iter_mut());
        for bound in bounds {
            for term in [&mut bound.left, &mut bound.right].into_iter().flatten() {
                term.clock = self.second_clock(term.clock);
            }
        }
        condition
    }

    fn second_updates(&self, edge: &Edge) -> impl Iterator<Item = Update> {
        edge.updates.iter().cloned().map(|update| match update {
            Update::Clock(mut set) => {
                set.clock.clock = self.second_clock(set.clock.clock);
                if let Some(source) = &mut set.source {
                    source.clock = self.second_clock(source.clock);
                }
                Update::Clock(set)
            }
            data => data,
        })
    }

    /// Sets the clocks from one position on to those from another.
    fn copy(&self, from: usize, to: usize) -> Vec<Update> {
        let set = |clock: usize| {
            let source = Some(ClockId::from_index(from + clock).into());
            let clock = ClockId::from_index(to + clock);
            Update::Clock(ClockUpdate { source, ..ClockUpdate::reset(clock) })
        };
        (0..self.clocks).map(set).collect()
    }
}

/// That two conditions hold.
fn both(one: &Condition, other: &Condition) -> Condition {
    let joined = one.disjuncts.iter().flat_map(|first| {
        other.disjuncts.iter().map(move |second| {
            let clocks = first.clocks.iter().chain(&second.clocks).cloned();
            Conjunct { data: None, clocks: clocks.collect() }
        })
    });
    Condition { disjuncts: joined.collect() }
}
