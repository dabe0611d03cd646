//! The state space of a model, opened state by state: the zone graph as far as it was asked for.
//!
//! The caller keeps which states were opened, in order. States are numbered in the order in which they are found, so the
//! same order of opening gives the same numbers; only what is opened is computed. If many are known, those nearest to the
//! chosen one are shown.

use std::collections::{HashMap, VecDeque};

use serde_json::{Value, json};
use tioga_base::{Diagnostic, Sources};
use tioga_concrete::step_record;
use tioga_explore::{Successor, TransitionSystem};
use tioga_games::conjunctions;
use tioga_model::{Composer, DiscreteState, Model, Step, Steps};
use tioga_report::picture::{self, Arrow, ArrowKind, Graph, Node, NodeMark, Urgency};
use tioga_symbolic::{Abstraction, Error, PackedState, StepChoice, ZoneGraph};
use tioga_testcase::ModelSource;
use tioga_zones::{Federation, PackedZone};

use crate::plot;
use crate::results::state::number_json;
use crate::simulation::{axes, kind};
use tioga::trace::trace;
use tioga::words::{action, clocks, discrete_state, edges};
use tioga::{Effort, Failure, read};

/// How many states are shown at once.
const SHOWN: usize = 400;

/// How many states are known at most.
const KNOWN: usize = 20_000;

/// How many states to be opened next are named.
const NEXT: usize = 25;

/// How long a line in a box is, and how many lines of a zone are shown.
const LINE: usize = 34;
const ZONE_LINES: usize = 3;

/// A state that was found.
struct Found {
    key: PackedState,
    part: PackedZone,
    state: DiscreteState,
    /// From which state it was found, and how; nothing at the start.
    from: Option<(usize, StepChoice)>,
    /// The steps that lead on; nothing before it is opened.
    steps: Option<Vec<Way>>,
}

/// A step between two states.
struct Way {
    step: Step,
    target: usize,
}

/// What is known of a state space.
struct Space<'m> {
    graph: ZoneGraph<'m>,
    states: Vec<Found>,
    /// The states with the same locations and data.
    alike: HashMap<PackedState, Vec<usize>>,
    /// Whether states were left out because there are too many.
    full: bool,
}

/// What is looked at more closely.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    /// The state. Those nearest to it are shown.
    pub state: Option<usize>,
    /// The clocks of the plot, by their short names.
    pub plot: Option<(String, String)>,
}

/// The states that were found by opening these, in this order; the initial state is 0.
///
/// # Errors
/// If the model is wrong, a state that is to be opened was not found or has too many successors, or the work is stopped.
pub fn state_space(
    source: ModelSource,
    opened: &[usize],
    chosen: &Chosen,
    effort: &Effort<'_>,
) -> Result<Value, Failure> {
    let loaded = read(source, &[], &mut Sources::new())?;
    let model = &loaded.model;
    let graph = ZoneGraph::new(model, Abstraction::M, &[]).map_err(failed)?;
    let mut space = Space { graph, states: Vec::new(), alike: HashMap::new(), full: false };
    let mut worker = space.graph.worker();
    let mut successors = Vec::new();
    space.graph.initial(&mut worker, &mut successors).map_err(failed)?;
    for successor in successors.drain(..) {
        space.add(None, successor);
    }
    for number in opened {
        if let Some(reason) = effort.cancel.reason() {
            let message = format!("the state space was not opened so far: {reason}");
            return Err(Failure::limit(Diagnostic::global("no-state-space", message)));
        }
        let Some(state) = space.states.get(*number) else {
            let message = format!("there is no state {number} to be opened");
            return Err(Diagnostic::global("no-such-state", message).into());
        };
        if state.steps.is_some() {
            continue;
        }
        let (key, part) = (state.key.clone(), state.part.clone());
        space.graph.successors(&mut worker, &key, &part, &mut successors).map_err(failed)?;
        space.open(*number, std::mem::take(&mut successors));
    }
    let detail = match chosen.state {
        Some(number) => space.detail(number, chosen.plot.as_ref())?,
        None => Value::Null,
    };
    let shown = space.nearest(chosen.state.unwrap_or(0));
    let closed = |number: &usize| space.states[*number].steps.is_none();
    let next: Vec<usize> = (0..space.states.len()).filter(closed).take(NEXT).collect();
    Ok(json!({
        "svg": picture::element(&[space.drawn(&loaded.model.name, &shown)]),
        "states": shown.iter().map(|number| space.line(*number)).collect::<Vec<_>>(),
        "known": space.states.len(),
        "complete": !space.full && next.is_empty(),
        "next": next,
        "full": space.full.then_some(KNOWN),
        "chosen": detail,
    }))
}

impl Space<'_> {
    /// The number of a state that covers this one; of a new one if none does, and nothing if there are too many.
    fn add(&mut self, from: Option<usize>, successor: Successor<ZoneGraph<'_>>) -> Option<usize> {
        let Successor { label, key, part } = successor;
        let alike = self.alike.get(&key).map_or(&[][..], Vec::as_slice);
        let covers = |known: &&usize| self.graph.covers(&key, &self.states[**known].part, &part);
        if let Some(known) = alike.iter().find(covers) {
            return Some(*known);
        }
        let number = self.states.len();
        if number >= KNOWN {
            self.full = true;
            return None;
        }
        let initial = || Composer::new(self.graph.model()).initial();
        let mut state = self.states.first().map_or_else(initial, |first| first.state.clone());
        self.graph.codec().unpack(&key, &mut state);
        let from = from.map(|from| (from, label));
        self.alike.entry(key.clone()).or_default().push(number);
        self.states.push(Found { key, part, state, from, steps: None });
        Some(number)
    }

    /// The states that are shown, in order: those that the fewest steps, in any direction, separate from this one.
    fn nearest(&self, centre: usize) -> Vec<usize> {
        let mut beside = vec![Vec::new(); self.states.len()];
        for (number, state) in self.states.iter().enumerate() {
            for way in state.steps.iter().flatten() {
                beside[number].push(way.target);
                beside[way.target].push(number);
            }
        }
        let mut met = vec![false; self.states.len()];
        let mut found = Vec::new();
        // States without a connection come after the others.
        for start in std::iter::once(centre).chain(0..self.states.len()) {
            let mut waiting = VecDeque::from([start]);
            while let Some(number) = waiting.pop_front() {
                if found.len() >= SHOWN {
                    break;
                }
                if met.get(number) == Some(&false) {
                    met[number] = true;
                    found.push(number);
                    waiting.extend(&beside[number]);
                }
            }
        }
        found.sort_unstable();
        found
    }

    fn open(&mut self, number: usize, successors: Vec<Successor<ZoneGraph<'_>>>) {
        let mut composer = Composer::new(self.graph.model());
        let mut steps = Steps::new();
        composer.steps(&self.states[number].state, &mut steps);
        let mut ways: Vec<Way> = Vec::new();
        for successor in successors {
            let step = steps.list[successor.label.step as usize].clone();
            let Some(target) = self.add(Some(number), successor) else { continue };
            // Alternatives of one guard that lead to the same state are one step.
            if !ways.iter().any(|way| way.target == target && way.step == step) {
                ways.push(Way { step, target });
            }
        }
        self.states[number].steps = Some(ways);
    }

    fn model(&self) -> &Model {
        self.graph.model()
    }

    fn zone(&self, state: &Found) -> Federation {
        Federation::from(self.graph.unpack(&state.state, &state.part))
    }

    fn zone_text(&self, state: &Found) -> String {
        let (model, set) = (self.model(), self.zone(state));
        let names = clocks::names(model);
        let zones = conjunctions(&set);
        clocks::disjunction(model, &names, zones.iter().map(|zone| &zone[..]))
    }

    fn line(&self, number: usize) -> Value {
        let (model, state) = (self.model(), &self.states[number]);
        let ways = state.steps.as_ref().map(|ways| {
            let way = |way: &Way| {
                let record = step_record(model, &way.step);
                let taken = record.edges.as_deref().map_or_else(String::new, edges);
                let kind = kind(&record);
                let name = discrete_state(model, &self.states[way.target].state);
                json!({
                    "action": action(&record.event),
                    "kind": kind,
                    "edges": taken,
                    "target": way.target,
                    "name": name,
                })
            };
            ways.iter().map(way).collect::<Vec<_>>()
        });
        json!({
            "number": number,
            "name": discrete_state(model, &state.state),
            "zone": self.zone_text(state),
            "steps": ways,
        })
    }

    /// The states that are shown, in this order, and the steps between them. A state says how many of its steps lead to
    /// others.
    fn drawn(&self, name: &str, shown: &[usize]) -> Graph {
        let model = self.model();
        let mut graph = Graph { name: name.to_owned(), ..Graph::default() };
        for (position, number) in shown.iter().copied().enumerate() {
            let state = &self.states[number];
            let name = format!("{number} {}", discrete_state(model, &state.state));
            let mut lines = wrapped(&name);
            let mut zone = wrapped(&self.zone_text(state));
            if zone.len() > ZONE_LINES {
                zone.truncate(ZONE_LINES);
                zone.push("…".to_owned());
            }
            lines.extend(zone);
            lines.extend(state.steps.is_none().then(|| "+".to_owned()));
            let ways = || state.steps.iter().flatten();
            let hidden = ways().filter(|way| shown.binary_search(&way.target).is_err()).count();
            lines.extend((hidden > 0).then(|| format!("{hidden} to states not shown")));
            graph.nodes.push(Node {
                lines,
                initial: number == 0,
                mark: NodeMark::Plain,
                urgency: self.urgency(&state.state),
                visits: None,
            });
            for way in ways() {
                let Ok(target) = shown.binary_search(&way.target) else { continue };
                let record = step_record(model, &way.step);
                let by_system = way.step.control != tioga_model::Control::Controllable;
                graph.edges.push(Arrow {
                    source: position,
                    target,
                    lines: vec![action(&record.event)],
                    kind: match kind(&record) {
                        "input" => ArrowKind::Input,
                        "output" => ArrowKind::Output,
                        _ => ArrowKind::Internal,
                    },
                    dashed: by_system,
                    visits: None,
                });
            }
        }
        graph
    }

    fn urgency(&self, state: &DiscreteState) -> Urgency {
        let model = self.model();
        let locations = || model.processes.iter().zip(&state.locations);
        if locations().any(|(process, at)| process.locations[*at].marks.committed) {
            Urgency::Committed
        } else if locations().any(|(process, at)| process.locations[*at].marks.urgent) {
            Urgency::Urgent
        } else {
            Urgency::None
        }
    }

    /// A state with its plot and a run that leads there.
    fn detail(&self, number: usize, plot: Option<&(String, String)>) -> Result<Value, Failure> {
        let Some(state) = self.states.get(number) else {
            let message = format!("there is no state {number}");
            return Err(Diagnostic::global("no-such-state", message).into());
        };
        let model = self.model();
        let mut labels = Vec::new();
        let mut at = state;
        while let Some((before, label)) = at.from {
            labels.push(label);
            at = &self.states[before];
        }
        labels.reverse();
        let run = self.graph.run_along(&labels);
        let set = self.zone(state);
        let names = clocks::names(model);
        let drawn = axes(model, plot, &[]).and_then(|axes| {
            let polygons = plot::shadow(&set, model.scale, &axes).ok()?;
            let name = |clock: tioga_model::ClockId| names[tioga_base::Id::index(clock)].as_str();
            Some(json!({
                "x": name(axes.x),
                "y": axes.y.map(name),
                "limit": number_json(axes.limit),
                "polygons": polygons.iter().map(plot::json).collect::<Vec<_>>(),
            }))
        });
        Ok(json!({
            "state": number,
            "trace": run.as_ref().ok().map(|run| trace(model, run).record_values()),
            "reason": run.as_ref().err().map(ToString::to_string),
            "plot": drawn,
            "clocks": names,
        }))
    }
}

/// Words in lines of limited length.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= LINE => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn failed(error: Error) -> Failure {
    Failure::limit(Diagnostic::global("no-state-space", error.to_string()))
}
