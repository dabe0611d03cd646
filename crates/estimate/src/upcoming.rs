//! What an input would meet that is sent now.

use tioga_base::Rational;
use tioga_testcase::Action;
use tioga_zones::{Federation, Point};

use crate::advance::Way;
use crate::frame::at_most;
use crate::{Board, Error, Estimator, Sample};

/// What an input may meet.
#[derive(Clone, PartialEq, Debug)]
pub struct Upcoming<S> {
    /// The state.
    pub sample: Sample<S>,
    /// The tester time at which an input has to be sent to meet just that.
    pub sent: Rational,
}

impl<B: Board> Estimator<B> {
    /// One explanation, always the same, of how it will be when the next input arrives, if nothing
    /// is heard before: everything sent so far has arrived. It has to be sent now, or later if
    /// something else is still under way. Nothing if every explanation expects to hear something
    /// first.
    pub fn upcoming(&mut self) -> Result<Option<Upcoming<B::State>>, Error> {
        let clock = self.frame.input;
        let now = self.units.ceil(self.now)?;
        let mut end = now;
        if let Some(last) = self.pending.back() {
            let jitter = self.units.length(self.latency.jitter.add(last.leeway)?)?;
            end = end.max(self.units.ceil(last.at.latest())? + jitter);
        }
        let all = u32::try_from(self.pending.len()).unwrap_or(u32::MAX);
        let from = at_most(-now)?;
        let passed = self.advance(self.entries.clone(), &Way::until(clock, end)?)?;
        let mut earliest: Option<(Point, Rational, u32)> = None;
        for ((node, _), zones) in passed.into_iter().filter(|((_, arrived), _)| *arrived == all) {
            for mut zone in zones {
                if zone.constrain(0, clock, from).is_err() {
                    continue;
                }
                let point = zone.sample();
                let (numerator, denominator) = point.coordinate(clock);
                let units = Rational::new(numerator, denominator)?;
                if earliest.as_ref().is_none_or(|(_, least, _)| units < *least) {
                    earliest = Some((point, units, node));
                }
            }
        }
        let Some((point, units, node)) = earliest else { return Ok(None) };
        let scale = Rational::integer(self.units.scale);
        let clocks = self.own_clocks(&point)?;
        let sent = self.units.origin.add(units.div(scale)?)?;
        // Less than a unit is a matter of rounding.
        let later = sent.sub(self.now)?.mul(scale)? >= Rational::ONE;
        let sent = if later { sent } else { self.now };
        let state = self.nodes.state(node).clone();
        Ok(Some(Upcoming { sample: Sample { state, clocks }, sent }))
    }

    /// The inputs that every explanation in which the run goes on accepts whenever they arrive if they
    /// are sent now, in order. After any other input a system that ignores what it does not expect could
    /// leave all explanations behind though it does nothing wrong.
    pub fn sure_inputs(&mut self) -> Result<Vec<Action>, Error> {
        let mut sure = self.acceptable_inputs()?;
        if sure.is_empty() {
            return Ok(sure);
        }
        let clock = self.frame.input;
        let from = self.units.lower(self.now, Rational::ZERO)?;
        let until = self.units.upper(self.now, self.latency.jitter)?;
        let all = u32::try_from(self.pending.len()).unwrap_or(u32::MAX);
        let passed = self.advance(self.entries.clone(), &Way::within(clock, until))?;
        for ((id, _), zones) in passed.into_iter().filter(|((_, arrived), _)| *arrived == all) {
            // Where the run is over, whatever follows is no matter.
            if self.nodes.get(id).over {
                continue;
            }
            self.supply(id)?;
            let targets: Vec<u32> =
                self.nodes.inputs(id).iter().map(|(.., target)| *target).collect();
            for target in targets {
                self.ready(target)?;
            }
            for mut zone in zones {
                if zone.constrain(0, clock, from).is_err() {
                    continue;
                }
                let open = Federation::from(zone);
                sure.retain(|action| {
                    let mut taken = Federation::empty(self.frame.dimension);
                    for (own, jump, target) in self.nodes.inputs(id) {
                        if self.nodes.action(*own) == action {
                            let inside = self.nodes.get(*target).elapse.invariant();
                            taken.unite(&jump.predecessor(inside));
                        }
                    }
                    taken.includes(&open)
                });
            }
        }
        Ok(sure)
    }

    /// The values of the board's clocks at a point.
    pub(crate) fn own_clocks(&self, point: &Point) -> Result<Vec<Rational>, Error> {
        let value = |clock: usize| {
            let (numerator, denominator) = point.coordinate(clock);
            let units = Rational::new(numerator, denominator)?;
            Ok(units.div(Rational::integer(self.units.scale))?)
        };
        (1..self.frame.own).map(value).collect()
    }
}
