//! Seeded random runs.
//!
//! The walk picks one of the possible steps uniformly, one interval of its windows
//! uniformly, and a moment in it, see [`crate::Chance`]. An interval without an upper end counts up
//! to [`WalkOptions::horizon`] after its start. An open input that awaits values gets one random
//! choice of small ones.
//!
//! The same model, options and seed give the same run.

use tioga_base::{Overflow, Rational};
use tioga_model::{EvalFault, Model, Step, Type, Values};

use crate::chance::Chance;
use crate::interval::{Interval, Intervals};
use crate::observable::Observable;
use crate::record::step_record;
use crate::state::{Error, State};
use crate::step::{Allowed, Choice, Lock, Semantics};
use crate::trace::{Record, Trace};

/// How far a walk goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WalkOptions {
    /// Decides every choice.
    pub seed: u64,
    /// The greatest number of steps.
    pub steps: u64,
    /// The greatest total time, if there is one.
    pub max_time: Option<Rational>,
    /// How long to wait at most where nothing bounds the wait; positive.
    pub horizon: Rational,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { seed: 0, steps: 100, max_time: None, horizon: Rational::integer(10) }
    }
}

/// Why a walk ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkStop {
    /// The number of steps was reached.
    Steps,
    /// The total time was reached, or no step is possible before it.
    Time,
    /// Nothing is possible any more.
    Stuck(Lock),
    /// Nothing is possible any more, and something could not be evaluated.
    Fault(EvalFault),
    /// The model leaves only delays whose denominators are too large.
    Precision,
}

/// A random run.
#[derive(Clone, PartialEq, Debug)]
pub struct Walk {
    /// What happened, with all edges.
    pub trace: Trace,
    /// Where it ended.
    pub end: State,
    /// How much time passed.
    pub time: Rational,
    /// Why it ended.
    pub stop: WalkStop,
    /// What could not be evaluated on the way, without repetitions.
    pub faults: Vec<EvalFault>,
}

/// Makes a random run from the initial state.
pub fn walk(model: &Model, options: &WalkOptions) -> Result<Walk, Error> {
    let mut semantics = Semantics::new(model);
    let end = semantics.initial()?;
    let trace = Trace { model: model.name.clone(), seed: Some(options.seed), records: Vec::new() };
    let walk = Walk { trace, end, time: Rational::ZERO, stop: WalkStop::Steps, faults: Vec::new() };
    let random = Chance::new(options.seed);
    let mut walker = Walker { semantics, random, options, walk };
    for _ in 0..options.steps {
        if let Some(stop) = walker.step()? {
            walker.walk.stop = stop;
            break;
        }
    }
    Ok(walker.walk)
}

struct Walker<'a> {
    semantics: Semantics<'a>,
    random: Chance,
    options: &'a WalkOptions,
    walk: Walk,
}

impl Walker<'_> {
    /// One delay and step, or why there is none.
    fn step(&mut self) -> Result<Option<WalkStop>, Error> {
        if self.time_left()?.is_some_and(Rational::is_zero) {
            return Ok(Some(WalkStop::Time));
        }
        let options = self.offers()?;
        for fault in &options.faults {
            if !self.walk.faults.contains(fault) {
                self.walk.faults.push(*fault);
            }
        }
        if let Some(ending) = options.ending() {
            return Ok(Some(match options.faults.first() {
                Some(fault) => WalkStop::Fault(*fault),
                None => WalkStop::Stuck(ending),
            }));
        }
        let choices = self.in_time(&options)?;
        if choices.is_empty() {
            return self.wait_for_the_end(&options);
        }
        let choice = &choices[self.random.position(choices.len())];
        let parts = choice.windows.parts();
        let part = parts[self.random.position(parts.len())];
        let scale = self.semantics.model().scale;
        let Some(delay) = self.random.moment(scale, &part, self.options.horizon)? else {
            return Ok(Some(WalkStop::Precision));
        };
        self.pass(delay)?;
        self.take(&choice.step)?;
        Ok(None)
    }

    /// What the state allows, with a random choice of values for each input that awaits some.
    fn offers(&mut self) -> Result<Allowed, Error> {
        let mut options = self.semantics.options(&self.walk.end)?;
        for awaiting in options.awaiting.clone() {
            let label = tioga_model::StepLabel::Input(awaiting.channel);
            let arguments =
                self.values(&self.semantics.model().channels[awaiting.channel].parameters);
            let observable = Observable { label, arguments, reply: Values::new() };
            let more = self.semantics.options_for(&self.walk.end, Some(&observable))?;
            let known = options.choices.len();
            for choice in more.choices {
                if !options.choices[..known].contains(&choice) {
                    options.choices.push(choice);
                }
            }
        }
        options.awaiting.clear();
        Ok(options)
    }

    fn values(&mut self, parameters: &[Type]) -> Values {
        let mut values = Values::new();
        for ty in parameters {
            match (ty, ty.bounds()) {
                (Type::Rational, _) => {
                    let half =
                        Rational::new(self.random.number(-8..=8), 2).unwrap_or(Rational::ZERO);
                    values.extend([half.numerator(), half.denominator()]);
                }
                (_, Some((min, max))) if min <= max => values.push(self.random.number(min..=max)),
                _ => values.push(self.random.number(-8..=8)),
            }
        }
        values
    }

    /// The choices that are possible before the total time is reached.
    fn in_time(&self, options: &Allowed) -> Result<Vec<Choice>, Overflow> {
        let Some(left) = self.time_left()? else { return Ok(options.choices.clone()) };
        let reach: Intervals = Interval::ALL.up_to(left).into_iter().collect();
        let choices = options.choices.iter().map(|choice| Choice {
            step: choice.step.clone(),
            windows: choice.windows.intersect(&reach),
        });
        Ok(choices.filter(|choice| !choice.windows.is_empty()).collect())
    }

    fn time_left(&self) -> Result<Option<Rational>, Overflow> {
        self.options.max_time.map(|limit| limit.sub(self.walk.time)).transpose()
    }

    /// Lets the remaining time pass as far as it can.
    fn wait_for_the_end(&mut self, options: &Allowed) -> Result<Option<WalkStop>, Error> {
        let left = self.time_left()?.filter(|left| options.delays.contains(*left));
        if let Some(left) = left {
            self.pass(left)?;
        }
        Ok(Some(WalkStop::Time))
    }

    fn pass(&mut self, delay: Rational) -> Result<(), Error> {
        if delay.is_zero() {
            return Ok(());
        }
        self.walk.end = self.walk.end.later(delay)?;
        self.walk.time = self.walk.time.add(delay)?;
        self.walk.trace.records.push(Record::Delay(delay));
        Ok(())
    }

    fn take(&mut self, step: &Step) -> Result<(), Error> {
        self.walk.end = self.semantics.step(&self.walk.end, step)?;
        let record = step_record(self.semantics.model(), step);
        self.walk.trace.records.push(Record::Step(record));
        Ok(())
    }
}
