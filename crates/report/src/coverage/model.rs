//! What the runs of a campaign covered of the model: locations, edges, ends of windows, and values of data.
//!
//! Each run is explained by a run of the model. Locations and edges count as often as every explanation enters or takes
//! them; windows and values are those of one explanation.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};
use tioga_base::Rational;
use tioga_concrete::{State, rational_values};
use tioga_estimate::ModelRun;
use tioga_model::{
    ChannelId, Composer, EdgeId, Kind, Label, LocationId, Model, ProcessId, Step, StepLabel, Type,
};

use super::ends::{self, Ends};
use super::share::Share;

/// How many values of a variable or parameter are kept.
const VALUES: usize = 256;

/// What was covered of a model.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ModelCoverage {
    /// The locations of all processes.
    pub locations: Vec<LocationCoverage>,
    /// The edges of all processes, as written: one for all values of its choices.
    pub edges: Vec<EdgeCoverage>,
    /// The variables, and the parameters of inputs and outputs.
    pub data: Vec<DataCoverage>,
    /// How many runs were followed.
    pub runs: u64,
    /// How many of them several runs of the model explain.
    pub ambiguous: u64,
    /// How many runs could not be followed.
    pub lost: u64,
    /// Why the first of them could not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_because: Option<String>,
    #[serde(skip)]
    location_at: BTreeMap<(ProcessId, LocationId), usize>,
    #[serde(skip)]
    edge_at: BTreeMap<(ProcessId, EdgeId), usize>,
    #[serde(skip)]
    slots: Vec<usize>,
    #[serde(skip)]
    parameter_at: BTreeMap<ChannelId, usize>,
}

/// How often a location was entered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LocationCoverage {
    /// The process.
    pub process: String,
    /// The location.
    pub location: String,
    /// How often; the start of a run enters the initial location.
    pub entered: u64,
}

/// How often an edge was taken, and in which parts of its window.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EdgeCoverage {
    /// The process.
    pub process: String,
    /// Where it leads from.
    pub source: String,
    /// Where it leads to.
    pub target: String,
    /// Its action, such as `touch?`; empty if it has none.
    pub action: String,
    /// How often.
    pub taken: u64,
    /// How often in the early part of its window; nothing if the window has no beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub early: Option<u64>,
    /// How often in the late part of its window; nothing if the window has no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<u64>,
    #[serde(skip)]
    pub(super) span: tioga_base::Span,
}

/// The values that a variable or parameter had.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DataCoverage {
    /// The variable, or the parameter as `channel.name`.
    pub name: String,
    /// The least and the greatest value of its type, if they are bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(i64, i64)>,
    /// The values; of more than 256, those that came first.
    #[serde(serialize_with = "texts")]
    pub values: BTreeSet<Rational>,
    /// The least and the greatest value, if there was one.
    #[serde(skip)]
    pub extremes: Option<(Rational, Rational)>,
}

fn texts<S: Serializer>(values: &BTreeSet<Rational>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(Rational::to_string))
}

impl DataCoverage {
    fn new(name: String, range: Option<(i64, i64)>) -> Self {
        Self { name, range, values: BTreeSet::new(), extremes: None }
    }

    fn add(&mut self, value: Rational) {
        let (least, greatest) = self.extremes.unwrap_or((value, value));
        self.extremes = Some((least.min(value), greatest.max(value)));
        if self.values.len() < VALUES {
            self.values.insert(value);
        }
    }

    /// Whether the least and the greatest value of the range were seen; nothing without a range.
    pub fn ends(&self) -> Option<(bool, bool)> {
        let (min, max) = self.range?;
        let (least, greatest) = self.extremes?;
        Some((least == Rational::integer(min), greatest == Rational::integer(max)))
    }
}

impl ModelCoverage {
    /// Nothing was covered yet.
    pub fn new(model: &Model) -> Self {
        let mut coverage = Self::default();
        for (id, process) in model.processes.iter_ids() {
            for (at, location) in process.locations.iter_ids() {
                coverage.location_at.insert((id, at), coverage.locations.len());
                coverage.locations.push(LocationCoverage {
                    process: process.name.clone(),
                    location: location.name.clone(),
                    entered: 0,
                });
            }
            let mut written = BTreeMap::new();
            for (at, edge) in process.edges.iter_ids() {
                let next = coverage.edges.len();
                let key = (edge.span.start, edge.span.end, edge.source, edge.target);
                // Edges that were not written have no place, and stay apart.
                let known = (edge.span != tioga_base::Span::default())
                    .then(|| *written.entry(key).or_insert(next));
                let position = known.unwrap_or(next);
                coverage.edge_at.insert((id, at), position);
                if position < next {
                    continue;
                }
                let Ends { early, late } = ends::of_edge(process, edge);
                coverage.edges.push(EdgeCoverage {
                    process: process.name.clone(),
                    source: process.locations[edge.source].name.clone(),
                    target: process.locations[edge.target].name.clone(),
                    action: action(model, &edge.label),
                    taken: 0,
                    early: early.then_some(0),
                    late: late.then_some(0),
                    span: edge.span,
                });
            }
        }
        coverage.slots = data_slots(model);
        for slot in &coverage.slots {
            let slot = &model.slots[*slot];
            let range = match (slot.range, slot.kind) {
                (Some(range), _) => Some((range.min, range.max)),
                (None, Kind::Bool) => Some((0, 1)),
                (None, _) => None,
            };
            coverage.data.push(DataCoverage::new(slot.name.clone(), range));
        }
        for (id, channel) in model.channels.iter_ids() {
            if channel.direction.is_none() || channel.parameters.is_empty() {
                continue;
            }
            coverage.parameter_at.insert(id, coverage.data.len());
            for (index, ty) in channel.parameters.iter().enumerate() {
                let own = channel.names.get(index).cloned().flatten();
                let own = own.unwrap_or_else(|| (index + 1).to_string());
                let name = format!("{}.{own}", channel.name);
                let range = if *ty == Type::Bool { Some((0, 1)) } else { ty.bounds() };
                coverage.data.push(DataCoverage::new(name, range));
            }
        }
        coverage
    }

    /// Counts a run.
    pub fn add(&mut self, model: &Model, run: &ModelRun) {
        self.runs += 1;
        self.ambiguous += u64::from(!run.alone);
        for (key, count) in &run.certain.locations {
            if let Some(position) = self.location_at.get(key) {
                self.locations[*position].entered += count;
            }
        }
        for (key, count) in &run.certain.edges {
            if let Some(position) = self.edge_at.get(key) {
                self.edges[*position].taken += count;
            }
        }
        let mut composer = Composer::new(model);
        for one in &run.steps {
            self.values(model, &one.before);
            self.arguments(model, &one.step);
            for participant in &one.step.participants {
                let key = (participant.process, participant.edge);
                let certain = run.certain.edges.contains_key(&key);
                let (Some(position), true) = (self.edge_at.get(&key), certain) else { continue };
                let edge = &mut self.edges[*position];
                if edge.early.is_none() && edge.late.is_none() {
                    continue;
                }
                let reached = ends::reached(&mut composer, &one.before, &one.step, participant);
                let Ok(Ends { early, late }) = reached else { continue };
                edge.early = edge.early.map(|count| count + u64::from(early));
                edge.late = edge.late.map(|count| count + u64::from(late));
            }
        }
        self.values(model, &run.last);
    }

    /// Notes that a run could not be followed.
    pub fn add_lost(&mut self, why: &str) {
        self.lost += 1;
        self.lost_because.get_or_insert_with(|| why.to_owned());
    }

    fn values(&mut self, model: &Model, state: &State) {
        for (data, &slot) in self.data.iter_mut().zip(&self.slots) {
            let value = state.discrete.data[slot];
            let value = match model.slots[slot].kind {
                Kind::Rational => Rational::new(value, state.discrete.data[slot + 1]),
                _ => Ok(Rational::integer(value)),
            };
            if let Ok(value) = value {
                data.add(value);
            }
        }
    }

    fn arguments(&mut self, model: &Model, step: &Step) {
        let (first, second) = match step.label {
            StepLabel::Input(channel) | StepLabel::Output(channel) => (Some(channel), None),
            StepLabel::Exchange(input, output) => (Some(input), Some(output)),
            StepLabel::Internal(_) => (None, None),
        };
        for (channel, values) in [(first, &step.arguments), (second, &step.reply)] {
            let Some(channel) = channel else { continue };
            let Some(position) = self.parameter_at.get(&channel) else { continue };
            let values = rational_values(model, channel, values);
            for (data, value) in self.data[*position..].iter_mut().zip(values) {
                data.add(value);
            }
        }
    }

    /// How many locations were entered.
    pub fn location_share(&self) -> Share {
        Share::of(self.locations.iter().map(|one| &one.entered))
    }

    /// How many edges were taken.
    pub fn edge_share(&self) -> Share {
        Share::of(self.edges.iter().map(|one| &one.taken))
    }

    /// How many beginnings and ends of windows were reached.
    pub fn window_share(&self) -> Share {
        Share::of(self.edges.iter().flat_map(|one| one.early.iter().chain(&one.late)))
    }

    /// How many ends of the ranges of data were reached.
    pub fn data_share(&self) -> Share {
        let mut share = Share::default();
        for data in self.data.iter().filter(|data| data.range.is_some()) {
            let (least, greatest) = data.ends().unwrap_or_default();
            share.all += 2;
            share.visited += usize::from(least) + usize::from(greatest);
        }
        share
    }
}

/// The slots of variables: of the two of a rational, the first; constants of a run are none.
fn data_slots(model: &Model) -> Vec<usize> {
    let mut slots = Vec::new();
    for variable in model.variables.iter().filter(|one| !one.symbolic) {
        let mut slot = variable.first_slot as usize;
        let end = slot + usize::try_from(variable.ty.slots()).unwrap_or(0);
        while slot < end.min(model.slots.len()) {
            slots.push(slot);
            slot += if model.slots[slot].kind == Kind::Rational { 2 } else { 1 };
        }
    }
    slots
}

fn action(model: &Model, label: &Label) -> String {
    match label {
        Label::Silent => String::new(),
        Label::Plain(action) => model.actions[*action].name.clone(),
        Label::Send(used) => {
            format!("{}!", channel_name(model, used.channel, used.index.is_some()))
        }
        Label::Receive(used) => {
            format!("{}?", channel_name(model, used.channel, used.index.is_some()))
        }
    }
}

/// The name of a channel; of one that is chosen from an array when the edge is taken, that of the array.
fn channel_name(model: &Model, channel: ChannelId, chosen: bool) -> String {
    let name = &model.channels[channel].name;
    match name.split_once('[') {
        Some((array, _)) if chosen => format!("{array}[]"),
        _ => name.clone(),
    }
}
