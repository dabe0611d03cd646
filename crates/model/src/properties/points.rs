//! The combinations of data values a question depends on.

use std::collections::BTreeSet;

use tioga_base::{Cancel, Id};

use super::subject::Subject;
use super::verdict::DataValue;
use crate::reads::Variable;
use crate::{DiscreteState, Kind, LocationId, Type};

/// How many combinations of data values are tried for one question.
pub const POINT_LIMIT: u64 = 65_536;

/// One variable with the values it may have.
struct Axis {
    variable: Variable,
    name: String,
    min: i64,
    max: i64,
    /// Names of the values, counted from 0, if they have any.
    texts: Vec<String>,
}

/// The points of a product of ranges, visited in order. Variables that do not matter keep their
/// initial values.
pub(super) struct Points {
    axes: Vec<Axis>,
    /// Why only the first point is visited, if so.
    partial: Option<String>,
    state: DiscreteState,
    frame: Vec<i64>,
    cancel: Cancel,
}

impl Points {
    /// The points over these variables, for a process in a location whose edges receive values of
    /// the given types. Each point costs `weight` conjunctions of the budget.
    pub fn new(
        subject: &Subject<'_>,
        location: LocationId,
        received: &[Type],
        variables: BTreeSet<Variable>,
        weight: u64,
    ) -> Self {
        let frame = received.iter().flat_map(|ty| match ty {
            Type::Rational => vec![0, 1],
            _ => vec![ty.bounds().map_or(0, |(min, _)| min)],
        });
        let mut points = Self {
            axes: Vec::new(),
            partial: None,
            state: subject.state(location),
            frame: frame.collect(),
            cancel: subject.cancel.clone(),
        };
        let mut count = 1u64;
        let mut widest: Option<(u64, String)> = None;
        for variable in variables {
            if let (Variable::Location(id), Some(own)) = (variable, subject.id)
                && id == own
            {
                continue;
            }
            let name = variable_name(subject, variable);
            let Some((min, max)) = range(subject, variable, received) else {
                points.partial.get_or_insert(format!("`{name}` has infinitely many values"));
                // Only its first value is looked at, and shown.
                points.axes.push(Axis { variable, name, min: 0, max: 0, texts: Vec::new() });
                continue;
            };
            let size = max.abs_diff(min).saturating_add(1);
            count = count.saturating_mul(size);
            if widest.as_ref().is_none_or(|(most, _)| size > *most) {
                widest = Some((size, name.clone()));
            }
            let texts = match variable {
                Variable::Location(id) => {
                    let locations = subject.model.processes[id].locations.iter();
                    locations.map(|location| location.name.clone()).collect()
                }
                _ => Vec::new(),
            };
            points.axes.push(Axis { variable, name, min, max, texts });
        }
        if let Some((_, name)) = widest
            && points.partial.is_none()
            && (count > POINT_LIMIT || !subject.spend(count.saturating_mul(weight)))
        {
            points.partial =
                Some(format!("the values of `{name}` and what it is combined with are too many"));
        }
        points
    }

    /// Calls `each` for the points until it finds something. An error says why not all points were
    /// visited although nothing was found.
    pub fn find<T>(
        mut self,
        mut each: impl FnMut(&DiscreteState, &[i64]) -> Option<T>,
    ) -> Result<Option<(T, Vec<DataValue>)>, String> {
        if let Some(reason) = self.partial.take() {
            // The initial data alone can refute a property.
            return match each(&self.state, &self.frame) {
                Some(found) => Ok(Some((found, self.values()))),
                None => Err(reason),
            };
        }
        let mut values: Vec<i64> = self.axes.iter().map(|axis| axis.min).collect();
        loop {
            for (position, value) in values.iter().enumerate() {
                self.set(position, *value);
            }
            if let Some(found) = each(&self.state, &self.frame) {
                return Ok(Some((found, self.values())));
            }
            if let Some(reason) = self.cancel.reason() {
                return Err(reason.to_string());
            }
            let Some(position) = (0..values.len()).rev().find(|p| values[*p] < self.axes[*p].max)
            else {
                return Ok(None);
            };
            values[position] += 1;
            for (value, axis) in values.iter_mut().zip(&self.axes).skip(position + 1) {
                *value = axis.min;
            }
        }
    }

    fn set(&mut self, position: usize, value: i64) {
        match self.axes[position].variable {
            Variable::Slot(slot) => self.state.data[slot as usize] = value,
            Variable::Frame(slot) => self.frame[slot as usize] = value,
            Variable::Location(process) => {
                let location = usize::try_from(value).unwrap_or_default();
                self.state.locations[process.index()] = LocationId::from_index(location);
            }
        }
    }

    fn values(&self) -> Vec<DataValue> {
        let value = |axis: &Axis| {
            let value = match axis.variable {
                Variable::Slot(slot) => self.state.data[slot as usize],
                Variable::Frame(slot) => self.frame[slot as usize],
                Variable::Location(process) => {
                    i64::try_from(self.state.location(process).index()).unwrap_or(i64::MAX)
                }
            };
            let text = usize::try_from(value).ok().and_then(|position| axis.texts.get(position));
            let text = text.map_or_else(|| value.to_string(), Clone::clone);
            DataValue { name: axis.name.clone(), value, text }
        };
        self.axes.iter().map(value).collect()
    }
}

fn variable_name(subject: &Subject<'_>, variable: Variable) -> String {
    match variable {
        Variable::Slot(slot) => subject.slot(slot).name.clone(),
        Variable::Frame(slot) => format!("received value {}", slot + 1),
        Variable::Location(process) => {
            format!("location of {}", subject.model.processes[process].name)
        }
    }
}

fn range(subject: &Subject<'_>, variable: Variable, received: &[Type]) -> Option<(i64, i64)> {
    match variable {
        Variable::Slot(slot) => {
            let slot = subject.slot(slot);
            match (slot.kind, slot.range) {
                (Kind::Rational, _) => None,
                (_, Some(range)) => Some((range.min, range.max)),
                (Kind::Bool, None) => Some((0, 1)),
                (Kind::Int, None) => None,
            }
        }
        Variable::Frame(slot) => {
            let mut first = 0;
            let found = received.iter().find(|ty| {
                let here = first == u64::from(slot);
                first += ty.slots();
                here
            });
            found.and_then(Type::bounds)
        }
        Variable::Location(process) => {
            let count = subject.model.processes[process].locations.len();
            i64::try_from(count).ok().map(|count| (0, count - 1))
        }
    }
}
