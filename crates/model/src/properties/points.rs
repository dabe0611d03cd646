//! The combinations of data values a question depends on.

use std::collections::BTreeSet;

use tioga_base::Id;

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
    /// The value tried first; the others follow by their distance from it.
    first: i64,
    /// Names of the values, counted from 0, if they have any.
    texts: Vec<String>,
}

impl Axis {
    /// The value tried after this one: first + 1, first - 1, first + 2, and so on, within the range.
    fn after(&self, value: i64) -> Option<i64> {
        let within = |value: &i64| (self.min..=self.max).contains(value);
        let distance = value.checked_sub(self.first)?;
        let above = |distance: i64| self.first.checked_add(distance).filter(within);
        let below = |distance: i64| self.first.checked_sub(distance).filter(within);
        if distance > 0 {
            let mirrored = below(distance);
            mirrored.or_else(|| above(distance.checked_add(1)?))
        } else {
            let next = distance.checked_neg()?.checked_add(1)?;
            above(next).or_else(|| below(next))
        }
    }
}

/// The points of a product of ranges, those near the initial values first. Variables that do not
/// matter keep their initial values.
pub(super) struct Points<'s, 'm> {
    subject: &'s Subject<'m>,
    axes: Vec<Axis>,
    /// Why only the first point is visited, if so.
    partial: Option<String>,
    state: DiscreteState,
    frame: Vec<i64>,
    /// How many points there are, and what each costs.
    count: u64,
    weight: u64,
}

impl<'s, 'm> Points<'s, 'm> {
    /// The points over these variables, for a process in a location whose edges receive values of
    /// the given types. Each point costs `weight` conjunctions of the budget.
    pub fn new(
        subject: &'s Subject<'m>,
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
            subject,
            axes: Vec::new(),
            partial: None,
            state: subject.state(location),
            frame: frame.collect(),
            count: 1,
            weight,
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
                let (min, max, first) = (0, 0, 0);
                points.axes.push(Axis { variable, name, min, max, first, texts: Vec::new() });
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
            let first = points.value(variable).clamp(min, max);
            points.axes.push(Axis { variable, name, min, max, first, texts });
        }
        points.count = count;
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
        let mut values: Vec<i64> = self.axes.iter().map(|axis| axis.first).collect();
        for left in (0..self.count).rev() {
            for (position, value) in values.iter().enumerate() {
                self.set(position, *value);
            }
            if let Some(found) = each(&self.state, &self.frame) {
                if !self.axes.is_empty() {
                    self.subject.refund(left.saturating_mul(self.weight));
                }
                return Ok(Some((found, self.values())));
            }
            if let Some(reason) = self.subject.cancel.reason() {
                return Err(reason.to_string());
            }
            for (value, axis) in values.iter_mut().zip(&self.axes).rev() {
                match axis.after(*value) {
                    Some(next) => {
                        *value = next;
                        break;
                    }
                    None => *value = axis.first,
                }
            }
        }
        Ok(None)
    }

    /// The value a variable has.
    fn value(&self, variable: Variable) -> i64 {
        match variable {
            Variable::Slot(slot) => self.state.data[slot as usize],
            Variable::Frame(slot) => self.frame[slot as usize],
            Variable::Location(process) => {
                i64::try_from(self.state.location(process).index()).unwrap_or(i64::MAX)
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
            let value = self.value(axis.variable);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_near_the_first_come_first_and_each_comes_once() {
        for (min, max, first) in [(-3, 2, 0), (0, 4, 0), (0, 4, 4), (7, 7, 7), (-9, -2, -4)] {
            let variable = Variable::Slot(0);
            let axis = Axis { variable, name: String::new(), min, max, first, texts: Vec::new() };
            let values: Vec<i64> =
                std::iter::successors(Some(first), |value| axis.after(*value)).collect();
            assert!(values.is_sorted_by_key(|value| value.abs_diff(first)), "{values:?}");
            let all: BTreeSet<i64> = values.iter().copied().collect();
            assert_eq!(all, (min..=max).collect());
            assert_eq!(all.len(), values.len());
        }
    }
}
