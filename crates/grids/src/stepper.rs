//! An automaton in units of its granularities: what can happen in a configuration, and where it leads.
//!
//! Clocks count in units of `1/k`, context in units of `1/l`; everything is an integer. Constants are multiples
//! of the units, so between two neighbouring multiples the truth of a condition does not change, and half a
//! unit stands for all of them.

use smallvec::SmallVec;
use tioga_base::{Overflow, Rational, Span};

use crate::automaton::Automaton;
use crate::condition::Condition;
use crate::error::Error;
use crate::form::Form;
use crate::resolution::Resolution;

/// A location with values of clocks and context, in units.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Configuration {
    /// The position of the location.
    pub location: u32,
    /// The values of the clocks, then of the context.
    pub values: SmallVec<[i64; 6]>,
}

/// The values of an action, in units of context.
pub type Values = SmallVec<[i64; 2]>;

/// An automaton in units.
#[derive(Clone, Debug)]
pub struct Stepper {
    /// How fine it is, and how far it reaches.
    pub resolution: Resolution,
    clocks: usize,
    initial: Configuration,
    invariants: Vec<(Check, bool)>,
    edges: Vec<UnitEdge>,
    /// The positions of the edges that leave each location.
    outgoing: Vec<Vec<u32>>,
    /// The values that each parameter of each input may have, in units.
    choices: Vec<Vec<Vec<i64>>>,
    /// For each clock and variable, the bound in units and the parts of a unit, if values are bounded.
    limits: Option<Vec<(i64, i64)>>,
    /// The same for the values of each action.
    value_limits: Vec<Vec<(i64, i64)>>,
}

#[derive(Clone, Debug)]
struct UnitEdge {
    action: u32,
    input: bool,
    guard: Check,
    resets: Vec<(usize, i64)>,
    updates: Vec<(usize, UnitForm)>,
    checks: Vec<(UnitForm, i128, i128)>,
    values: Vec<UnitForm>,
    target: u32,
}

/// A sum in units.
#[derive(Clone, Debug)]
struct UnitForm {
    variables: Vec<(usize, i64)>,
    parameters: Vec<(usize, i64)>,
    constant: i64,
}

impl UnitForm {
    fn value(&self, values: &[i64], parameters: &[i64]) -> i128 {
        let term =
            |of: &[i64], (at, factor): &(usize, i64)| i128::from(of[*at]) * i128::from(*factor);
        let own = self.variables.iter().map(|one| term(values, one)).sum::<i128>();
        let given = self.parameters.iter().map(|one| term(parameters, one)).sum::<i128>();
        own + given + i128::from(self.constant)
    }
}

/// A condition in units; clocks in half units.
#[derive(Clone, Debug)]
enum Check {
    All(Vec<Check>),
    Any(Vec<Check>),
    Not(Box<Check>),
    Clock(usize, bool, i64),
    Data(UnitForm, bool, i128),
}

impl Check {
    /// Whether it holds for these values, with clocks later by so many half units.
    fn holds(&self, values: &[i64], later: i64, parameters: &[i64]) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(values, later, parameters)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(values, later, parameters)),
            Self::Not(inner) => !inner.holds(values, later, parameters),
            Self::Clock(clock, strict, bound) => {
                let value = 2 * values[*clock] + later;
                if *strict { value < *bound } else { value <= *bound }
            }
            Self::Data(form, strict, bound) => {
                let value = form.value(values, parameters);
                if *strict { value < *bound } else { value <= *bound }
            }
        }
    }

    /// Every constant that a clock is compared with, in units.
    fn each_clock(&self, take: &mut dyn FnMut(usize, i64)) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.each_clock(take));
            }
            Self::Not(inner) => inner.each_clock(take),
            Self::Clock(clock, _, bound) => take(*clock, bound / 2),
            Self::Data(..) => {}
        }
    }
}

/// The greatest number of units, so that sums of two and doubles fit.
const MOST_UNITS: i64 = i64::MAX / 8;

/// A number in units; it must be a multiple of them.
pub(crate) fn units(value: Rational, parts: i64) -> Result<i64, Overflow> {
    let scaled = value.mul(Rational::integer(parts))?;
    scaled.to_integer().filter(|units| units.abs() <= MOST_UNITS).ok_or(Overflow)
}

/// Makes forms and conditions of integers.
struct Units {
    clocks: usize,
    parts: i64,
    context_parts: i64,
}

impl Units {
    fn form(&self, form: &Form) -> Result<UnitForm, Overflow> {
        let shifted = form.variables.iter().map(|(at, factor)| (at + self.clocks, *factor));
        Ok(UnitForm {
            variables: shifted.collect(),
            parameters: form.parameters.clone(),
            constant: units(form.constant, self.context_parts)?,
        })
    }

    fn check(&self, condition: &Condition) -> Result<Check, Overflow> {
        let all = |parts: &[Condition]| -> Result<Vec<Check>, Overflow> {
            parts.iter().map(|part| self.check(part)).collect()
        };
        Ok(match condition {
            Condition::All(parts) => Check::All(all(parts)?),
            Condition::Any(parts) => Check::Any(all(parts)?),
            Condition::Not(inner) => Check::Not(Box::new(self.check(inner)?)),
            Condition::Clock { clock, strict, bound } => {
                Check::Clock(*clock, *strict, 2 * units(*bound, self.parts)?)
            }
            Condition::Data { form, strict, bound } => {
                let bound = i128::from(units(*bound, self.context_parts)?);
                Check::Data(self.form(form)?, *strict, bound)
            }
        })
    }
}

/// A value that is not above its bound, or the bound with its fractional part (Definition 7).
pub(crate) fn bounded(value: i128, (limit, parts): (i64, i64)) -> i64 {
    let (limit, parts) = (i128::from(limit), i128::from(parts));
    let value = if value < limit + parts { value } else { limit + value % parts };
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl Stepper {
    /// An automaton in units, its values bounded as a grid bounds them.
    ///
    /// # Errors
    /// If numbers are too large, or the automaton cannot start.
    pub fn bounded(automaton: &Automaton, resolution: &Resolution) -> Result<Self, Error> {
        Self::new(automaton, resolution, true)
    }

    /// An automaton in units, with its values as they are: the automaton itself.
    ///
    /// # Errors
    /// If numbers are too large, or the automaton cannot start.
    pub fn unbounded(automaton: &Automaton, resolution: &Resolution) -> Result<Self, Error> {
        Self::new(automaton, resolution, false)
    }

    fn new(
        automaton: &Automaton,
        resolution: &Resolution,
        is_bounded: bool,
    ) -> Result<Self, Error> {
        let (parts, context_parts) = (resolution.parts, resolution.context_parts);
        let clocks = automaton.clocks.len();
        let make = Units { clocks, parts, context_parts };
        let limit = |bound: i64, parts: i64| -> Result<(i64, i64), Overflow> {
            let limit = bound.checked_mul(parts).filter(|limit| *limit <= MOST_UNITS);
            limit.map(|limit| (limit, parts)).ok_or(Overflow)
        };
        let mut limits = Vec::new();
        for bound in &resolution.clocks {
            limits.push(limit(*bound, parts)?);
        }
        for bound in &resolution.context {
            limits.push(limit(*bound, context_parts)?);
        }
        let mut value_limits = Vec::new();
        for bounds in resolution.value_bounds(automaton) {
            let of = |bound: &i64| limit((*bound).min(MOST_UNITS / context_parts), context_parts);
            value_limits.push(bounds.iter().map(of).collect::<Result<Vec<_>, Overflow>>()?);
        }
        let mut invariants = Vec::new();
        for location in &automaton.locations {
            invariants.push((make.check(&location.invariant)?, location.urgent));
        }
        let (mut edges, mut outgoing) = (Vec::new(), vec![Vec::new(); automaton.locations.len()]);
        for (number, edge) in automaton.edges.iter().enumerate() {
            let mut resets = Vec::new();
            for (clock, value) in &edge.resets {
                resets.push((*clock, units(*value, parts)?));
            }
            let mut updates = Vec::new();
            for (variable, form) in &edge.updates {
                updates.push((variable + clocks, make.form(form)?));
            }
            let mut checks = Vec::new();
            for (form, min, max) in &edge.checks {
                let scaled = |bound: i64| i128::from(bound) * i128::from(context_parts);
                checks.push((make.form(form)?, scaled(*min), scaled(*max)));
            }
            let values: Result<Vec<UnitForm>, Overflow> =
                edge.values.iter().map(|form| make.form(form)).collect();
            edges.push(UnitEdge {
                action: u32::try_from(edge.action).map_err(|_| Error::Overflow)?,
                input: automaton.actions[edge.action].input,
                guard: make.check(&edge.guard)?,
                resets,
                updates,
                checks,
                values: values?,
                target: u32::try_from(edge.target).map_err(|_| Error::Overflow)?,
            });
            outgoing[edge.source].push(u32::try_from(number).map_err(|_| Error::Overflow)?);
        }
        let mut initial = Configuration {
            location: u32::try_from(automaton.initial).map_err(|_| Error::Overflow)?,
            values: SmallVec::from_elem(0, clocks),
        };
        for variable in &automaton.context {
            initial.values.push(units(variable.initial, context_parts)?);
        }
        let (invariant, _) = &invariants[automaton.initial];
        if !invariant.holds(&initial.values, 0, &[]) {
            return Err(Error::NoStart(automaton.locations[automaton.initial].name.clone()));
        }
        let choices = choices(automaton, &value_limits)?;
        let resolution = resolution.clone();
        let limits = is_bounded.then_some(limits);
        Ok(Self {
            resolution,
            clocks,
            initial,
            invariants,
            edges,
            outgoing,
            choices,
            limits,
            value_limits,
        })
    }

    /// Where it starts.
    pub fn initial(&self) -> &Configuration {
        &self.initial
    }

    /// How many clocks there are; the other values of a configuration are context.
    pub fn clocks(&self) -> usize {
        self.clocks
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The bound of each clock and variable in units, with the parts of its unit.
    pub(crate) fn limits(&self) -> Option<&[(i64, i64)]> {
        self.limits.as_deref()
    }

    /// The values of an action as a grid shows them: bounded.
    pub fn shown(&self, action: usize, values: &[i64]) -> Values {
        let limits = self.value_limits[action].iter();
        values
            .iter()
            .zip(limits)
            .map(|(value, limit)| bounded(i128::from(*value), *limit))
            .collect()
    }

    /// Whether one unit of time may pass: the invariant holds after every positive delay up to it.
    pub fn may_tick(&self, at: &Configuration) -> bool {
        let (invariant, urgent) = &self.invariants[at.location as usize];
        !urgent && [1, 2].into_iter().all(|later| invariant.holds(&at.values, later, &[]))
    }

    /// The configuration after so many units of time.
    pub fn later(&self, at: &Configuration, ticks: i64) -> Result<Configuration, Overflow> {
        let mut after = at.clone();
        for (number, value) in after.values[..self.clocks].iter_mut().enumerate() {
            *value = self.stored(number, i128::from(*value) + i128::from(ticks))?;
        }
        Ok(after)
    }

    /// Whether so many units of time may pass, whatever their number: the invariant is looked at wherever
    /// its truth may change.
    pub fn may_wait(&self, at: &Configuration, ticks: i64) -> bool {
        let (invariant, urgent) = &self.invariants[at.location as usize];
        if ticks == 0 {
            return true;
        }
        let mut moments = vec![1, 2 * ticks];
        invariant.each_clock(&mut |clock, bound| {
            let reached = 2 * (bound - at.values[clock]);
            moments.extend([reached - 1, reached, reached + 1]);
        });
        moments.retain(|moment| (1..=2 * ticks).contains(moment));
        !urgent && moments.iter().all(|later| invariant.holds(&at.values, *later, &[]))
    }

    fn stored(&self, number: usize, value: i128) -> Result<i64, Overflow> {
        match &self.limits {
            Some(limits) => Ok(bounded(value, limits[number])),
            None => i64::try_from(value).ok().filter(|value| *value <= MOST_UNITS).ok_or(Overflow),
        }
    }

    /// Where an edge leads with these values of its parameters, if it can be taken.
    fn taken(
        &self,
        at: &Configuration,
        edge: &UnitEdge,
        parameters: &[i64],
    ) -> Result<Option<Configuration>, Overflow> {
        if !edge.guard.holds(&at.values, 0, parameters) {
            return Ok(None);
        }
        let fits = |(form, min, max): &(UnitForm, i128, i128)| {
            (*min..=*max).contains(&form.value(&at.values, parameters))
        };
        if !edge.checks.iter().all(fits) {
            return Ok(None);
        }
        let mut after = Configuration { location: edge.target, values: at.values.clone() };
        for (variable, form) in &edge.updates {
            after.values[*variable] = self.stored(*variable, form.value(&at.values, parameters))?;
        }
        for (clock, value) in &edge.resets {
            after.values[*clock] = self.stored(*clock, i128::from(*value))?;
        }
        let (invariant, _) = &self.invariants[after.location as usize];
        Ok(invariant.holds(&after.values, 0, &[]).then_some(after))
    }

    /// Hands every discrete successor to a function: the edge, the action, its values and the
    /// configuration after it. Parameters of inputs are enumerated up to their bounds.
    pub fn each_step(
        &self,
        at: &Configuration,
        take: &mut dyn FnMut(u32, u32, Values, Configuration),
    ) -> Result<(), Overflow> {
        for number in &self.outgoing[at.location as usize] {
            let edge = &self.edges[*number as usize];
            if !edge.input {
                if let Some(after) = self.taken(at, edge, &[])? {
                    take(*number, edge.action, self.emitted(at, edge)?, after);
                }
                continue;
            }
            let choices = &self.choices[edge.action as usize];
            let mut positions: SmallVec<[usize; 2]> = SmallVec::from_elem(0, choices.len());
            if choices.iter().any(Vec::is_empty) {
                continue;
            }
            loop {
                let values: Values =
                    choices.iter().zip(&positions).map(|(all, at)| all[*at]).collect();
                if let Some(after) = self.taken(at, edge, &values)? {
                    take(*number, edge.action, values, after);
                }
                // The next combination, the last parameter first.
                let Some(raised) =
                    (0..choices.len()).rev().find(|at| positions[*at] + 1 < choices[*at].len())
                else {
                    break;
                };
                positions[raised] += 1;
                positions[raised + 1..].fill(0);
            }
        }
        Ok(())
    }

    fn emitted(&self, at: &Configuration, edge: &UnitEdge) -> Result<Values, Overflow> {
        let limits = self.limits.is_some().then(|| &self.value_limits[edge.action as usize]);
        let value = |(position, form): (usize, &UnitForm)| {
            let value = form.value(&at.values, &[]);
            match limits {
                Some(limits) => Ok(bounded(value, limits[position])),
                None => i64::try_from(value).map_err(|_| Overflow),
            }
        };
        edge.values.iter().enumerate().map(value).collect()
    }

    /// Hands every successor by an action with given values to a function.
    pub fn each_by(
        &self,
        at: &Configuration,
        action: u32,
        values: &[i64],
        take: &mut dyn FnMut(Configuration),
    ) -> Result<(), Overflow> {
        self.each_edge_by(at, action, values, &mut |_, after| take(after))
    }

    /// Hands every successor by an action with given values to a function, with the edge that leads there.
    pub fn each_edge_by(
        &self,
        at: &Configuration,
        action: u32,
        values: &[i64],
        take: &mut dyn FnMut(u32, Configuration),
    ) -> Result<(), Overflow> {
        for number in &self.outgoing[at.location as usize] {
            let edge = &self.edges[*number as usize];
            if edge.action != action
                || edge.input && values.len() != self.choices[action as usize].len()
            {
                continue;
            }
            if !edge.input && self.emitted(at, edge)?.as_slice() != values {
                continue;
            }
            let parameters = if edge.input { values } else { &[] };
            if let Some(after) = self.taken(at, edge, parameters)? {
                take(*number, after);
            }
        }
        Ok(())
    }
}

/// How many combinations of values an input may have.
const MOST_CHOICES: i64 = 1 << 20;

/// The values of each parameter of each input, in units.
fn choices(automaton: &Automaton, limits: &[Vec<(i64, i64)>]) -> Result<Vec<Vec<Vec<i64>>>, Error> {
    let mut all = Vec::new();
    for (action, limits) in automaton.actions.iter().zip(limits) {
        let (mut parameters, mut combinations) = (Vec::new(), 1i64);
        let inputs = action.parameters.iter().filter(|_| action.input);
        for (parameter, (limit, parts)) in inputs.zip(limits) {
            let step = if parameter.integer { *parts } else { 1 };
            let count = (limit + parts - 1) / step + 1;
            combinations = combinations.saturating_mul(count);
            if combinations > MOST_CHOICES {
                let message = format!("the input `{}` has too many values for a grid", action.name);
                return Err(Error::Unsupported { message, span: Span::default() });
            }
            let (min, max) = parameter.range.unwrap_or((0, i64::MAX));
            let (min, max) = (min.max(0).saturating_mul(*parts), max.saturating_mul(*parts));
            let values = (0..count).map(|number| number * step);
            parameters.push(values.filter(|value| (min..=max).contains(value)).collect());
        }
        all.push(parameters);
    }
    Ok(all)
}
