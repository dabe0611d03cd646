//! What is known: the states that explain the observations, the latencies, a sample, and whether
//! conditions hold in some or all explanations.

use std::fmt::Write;

use serde::Serialize;
use tioga_base::{Moment, Rational, Span};
use tioga_model::{ClockConjunction, Predicate};
use tioga_testcase::Verdict;
use tioga_zones::{Federation, Zone};

use crate::advance::Way;
use crate::entry::Entry;
use crate::node::set;
use crate::{Board, CaseBoard, End, Error, Estimator, ModelBoard};

/// States that explain what was observed.
#[derive(Clone, PartialEq, Debug)]
pub struct Possible<S> {
    /// The discrete state.
    pub state: S,
    /// The values of the board's clocks, in units of `1 / scale`.
    pub zone: Zone,
    /// How many units a time unit has.
    pub scale: i64,
}

/// One explanation.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample<S> {
    /// The discrete state.
    pub state: S,
    /// The values of the board's clocks.
    pub clocks: Vec<Rational>,
}

/// The latencies that explain a run, least and greatest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LatencyBounds {
    /// From the tester to the system.
    pub input: Moment,
    /// From the system to the tester.
    pub output: Moment,
}

/// In how many explanations something holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holds {
    /// In one at least.
    pub some: bool,
    /// In all.
    pub all: bool,
}

impl<B: Board> Estimator<B> {
    /// The explanations with all that may happen in no time.
    fn present(&mut self) -> Result<Vec<Entry>, Error> {
        let passed = self.advance(self.entries.clone(), &Way::at_once())?;
        let entries = passed.into_iter().flat_map(|((node, arrived), zones)| {
            zones.into_iter().map(move |zone| Entry { node, arrived, zone })
        });
        Ok(entries.collect())
    }

    /// The states that explain what was observed. With latencies these are the states at the last
    /// moment about which the observations are complete: what the system did after it may still be
    /// under way.
    pub fn states(&mut self) -> Result<Vec<Possible<B::State>>, Error> {
        let present = self.present()?;
        let own: Vec<usize> = (1..self.frame.own).collect();
        let possible = |entry: Entry| {
            let mut zone = Zone::zero(self.frame.own);
            entry.zone.pack_clocks(&own).unpack_clocks_into(&own, &mut zone);
            let state = self.nodes.state(entry.node).clone();
            Possible { state, zone, scale: self.units.scale }
        };
        Ok(present.into_iter().map(possible).collect())
    }

    /// In how many zones the estimate is kept.
    pub fn size(&self) -> usize {
        self.entries.len()
    }

    /// The largest constant in the estimate, in units of zones.
    pub fn largest_constant(&self) -> i32 {
        let bounds = self.entries.iter().flat_map(|entry| entry.zone.bounds());
        bounds.filter_map(|bound| bound.constant()).map(i32::abs).max().unwrap_or(0)
    }

    /// The states in words, one line each: the discrete state and the bounds of each clock.
    pub fn describe(&mut self) -> Result<Vec<String>, Error> {
        let names = self.board.clocks();
        let mut lines = Vec::new();
        for possible in self.states()? {
            let mut line = self.board.describe(&possible.state);
            for (index, name) in names.iter().enumerate() {
                let clock = index + 1;
                let (low, high) = (possible.zone.bound(0, clock), possible.zone.bound(clock, 0));
                let number = |constant: i32| Rational::new(constant.into(), possible.scale);
                let separator = if index == 0 { ": " } else { ", " };
                line.push_str(separator);
                let low_at = number(-low.constant().unwrap_or(0))?;
                let less = |strict: bool| if strict { "<" } else { "<=" };
                // Writing to a string cannot fail.
                let _ = match high.constant().map(number).transpose()? {
                    Some(high_at) if high_at == low_at => write!(line, "{name} = {low_at}"),
                    Some(high_at) => {
                        let (from, to) = (less(low.is_strict()), less(high.is_strict()));
                        write!(line, "{low_at} {from} {name} {to} {high_at}")
                    }
                    None => write!(line, "{low_at} {} {name}", less(low.is_strict())),
                };
            }
            lines.push(line);
        }
        Ok(lines)
    }

    /// The latencies that explain the run so far.
    pub fn latencies(&self) -> Result<LatencyBounds, Error> {
        let zones: Vec<Zone> = self.entries.iter().map(|entry| entry.zone.clone()).collect();
        let hull = Federation::from_zones(self.frame.dimension, zones).hull();
        let (Some(hull), false) = (hull, self.frame.exact) else {
            return Ok(LatencyBounds { input: Moment::START, output: Moment::START });
        };
        let between = |above: usize, below: usize| {
            let units = |bound: tioga_zones::Bound| bound.constant().map_or(0, i64::from);
            let low = self.units.duration(-units(hull.bound(below, above)))?;
            let high = self.units.duration(units(hull.bound(above, below)))?;
            Moment::between(low, high).ok_or(Error::Overflow)
        };
        Ok(LatencyBounds {
            input: between(self.frame.time, self.frame.input)?,
            output: between(self.frame.output, self.frame.time)?,
        })
    }

    /// One explanation, always the same: the state now, if nothing is under way from the system; the
    /// last state that observations tell about if something must be.
    pub fn sample(&mut self) -> Result<Option<Sample<B::State>>, Error> {
        Ok(self.samples(1)?.pop())
    }

    /// At most so many explanations, from different zones.
    pub fn samples(&mut self, most: usize) -> Result<Vec<Sample<B::State>>, Error> {
        let mut entries = Vec::new();
        if !self.frame.exact {
            let (clock, now) = (self.frame.time, self.units.ceil(self.now)?);
            let at = crate::frame::at_most(-now)?;
            let passed = self.advance(self.entries.clone(), &Way::until(clock, now)?)?;
            for ((node, arrived), zones) in passed {
                for mut zone in zones {
                    if zone.constrain(0, clock, at).is_ok() {
                        entries.push(Entry { node, arrived, zone });
                    }
                }
            }
        }
        if entries.is_empty() {
            entries = self.present()?;
        }
        let sample = |entry: &Entry| {
            let clocks = self.own_clocks(&entry.zone.sample())?;
            Ok(Sample { state: self.nodes.state(entry.node).clone(), clocks })
        };
        entries.iter().take(most).map(sample).collect()
    }

    /// In how many explanations one of the conjunctions holds that `asked` gives for a state.
    pub fn judge(
        &mut self,
        mut asked: impl FnMut(&mut B, &B::State) -> Result<Vec<ClockConjunction>, Error>,
    ) -> Result<Holds, Error> {
        let factor = self.units.scale / self.board.scale();
        let mut holds = Holds { some: false, all: true };
        for entry in self.present()? {
            let state = self.nodes.state(entry.node).clone();
            let wanted = set(&asked(&mut self.board, &state)?, &self.frame, factor)?;
            let zone = Federation::from(entry.zone);
            holds.some |= wanted.intersects(&zone);
            holds.all &= wanted.includes(&zone);
        }
        Ok(holds)
    }
}

impl Estimator<ModelBoard<'_>> {
    /// In how many explanations a condition of the model holds now. The condition must have been
    /// announced to the board if it is about clocks.
    pub fn satisfies(&mut self, predicate: &Predicate, span: Span) -> Result<Holds, Error> {
        let Predicate::Holds(condition) = predicate else {
            let what = "deadlocks are no matter of what was observed".to_owned();
            return Err(Error::Unsupported(what));
        };
        self.judge(|board, state| board.condition(&state.discrete, condition, span))
    }
}

impl Estimator<CaseBoard<'_>> {
    /// The earliest true time, up to a horizon, at which the test may have this verdict if nothing
    /// happens: when it is worth asking for it.
    pub fn earliest_verdict(
        &mut self,
        verdict: Verdict,
        horizon: Rational,
    ) -> Result<Option<End>, Error> {
        self.earliest(horizon, |board, state| {
            let judged = board.judgement(*state).filter(|judgement| judgement.verdict == verdict);
            Ok(judged.map(|_| ClockConjunction::default()).into_iter().collect())
        })
    }

    /// Whether the test is over in every explanation, of which there is one at least.
    pub fn is_over(&mut self) -> Result<bool, Error> {
        let present = self.present()?;
        let over = present.iter().all(|entry| self.nodes.get(entry.node).over);
        Ok(over && !present.is_empty())
    }

    /// In how many explanations the test is over with this verdict. The first judgement that holds
    /// decides, as when a test case is followed with exact time, and what follows changes nothing.
    pub fn verdict(&mut self, verdict: Verdict) -> Result<Holds, Error> {
        let mut holds = Holds { some: false, all: true };
        for entry in self.present()? {
            let judgement = self.board.judgement(*self.nodes.state(entry.node));
            let own = judgement.is_some_and(|judgement| judgement.verdict == verdict);
            holds.some |= own;
            holds.all &= own;
        }
        Ok(Holds { all: holds.all && holds.some, ..holds })
    }

    /// Why the test has this verdict, in some explanation.
    pub fn reason(&mut self, verdict: Verdict) -> Result<Option<&str>, Error> {
        let present = self.present()?;
        let mut states = present.iter().map(|entry| *self.nodes.state(entry.node));
        let judged = states.find_map(|state| {
            self.board.judgement(state).filter(|judgement| judgement.verdict == verdict)
        });
        Ok(judged.map(|judgement| judgement.reason.as_str()))
    }
}
