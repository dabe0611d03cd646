//! Following a test case with exact time: the present place, the verdict, the next step.

use tioga_base::{Overflow, Rational};
use tioga_concrete::{Interval, Intervals, MovingClocks};
use tioga_model::{ClockBound, ClockGuard, ClockId};

use crate::{Action, CasePlace, CaseZone, Side, TestCase, Verdict};

/// A run of a test case in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct Follower<'c> {
    case: &'c TestCase,
    place: usize,
    clocks: Vec<Rational>,
}

/// The result of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Followed {
    /// The test goes on.
    Going,
    /// The test is over.
    Over {
        /// The verdict.
        verdict: Verdict,
        /// Why.
        reason: String,
        /// The part of the delay that passed, if the step was a delay.
        after: Rational,
    },
    /// The tester sent an input that the test case does not send now, and nothing changed. That is a
    /// mistake of the caller, and no evidence about the system.
    Unplanned,
}

/// The intention of the test case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Intention {
    /// Send this now.
    Send(Action),
    /// Let time pass, at most for this long; as long as possible if `None`.
    Wait {
        /// How long, unless the system answers first.
        until: Option<Rational>,
        /// The wanted answers.
        awaited: Vec<Action>,
    },
    /// The test case leaves it open: any of these may be sent now, and time may pass within the
    /// remaining [patience](Follower::patience). If only the tester can move and time must not
    /// pass, one of these must be sent.
    Open(Vec<Action>),
}

impl<'c> Follower<'c> {
    /// A run that has just begun.
    pub fn new(case: &'c TestCase) -> Self {
        Self { case, place: 0, clocks: vec![Rational::ZERO; case.clocks.len()] }
    }

    /// A run that has come to this place, with these clock values.
    ///
    /// Pre: the place exists, and there is a value for each clock.
    pub fn at(case: &'c TestCase, place: usize, clocks: Vec<Rational>) -> Self {
        Self { case, place, clocks }
    }

    /// The test case.
    pub fn case(&self) -> &'c TestCase {
        self.case
    }

    /// The place of the run.
    pub fn place(&self) -> &'c CasePlace {
        &self.case.places[self.place]
    }

    /// The clock values.
    pub fn clocks(&self) -> &[Rational] {
        &self.clocks
    }

    /// The delays after which one of the zones holds.
    pub(crate) fn when(&self, zones: &[CaseZone]) -> Result<Intervals, Overflow> {
        let clocks = MovingClocks::new(&self.clocks, self.case.scale);
        clocks.when_any(zones.iter().map(bounds))
    }

    fn now(&self, zones: &[CaseZone]) -> Result<bool, Overflow> {
        Ok(self.when(zones)?.contains(Rational::ZERO))
    }

    /// The verdict so far; nothing if the test continues.
    pub fn verdict(&self) -> Result<Option<(Verdict, &'c str)>, Overflow> {
        for judgement in &self.place().verdicts {
            if self.now(&judgement.zones)? {
                return Ok(Some((judgement.verdict, &judgement.reason)));
            }
        }
        Ok(None)
    }

    /// How long silence is allowed: while the invariant holds, up to and including the first moment
    /// at which an event must come at once.
    pub fn patience(&self) -> Result<Interval, Overflow> {
        let holds = self.when(&self.place().invariant)?.initial_stretch();
        let both = holds.intersect(&self.when(&self.place().urgent)?.until());
        Ok(both.expect("both intervals contain the delay 0"))
    }

    /// Lets time pass without an observation.
    pub fn delay(&mut self, delay: Rational) -> Result<Followed, Overflow> {
        let allowed = self.patience()?;
        let mut first: Option<(Rational, bool, Verdict, &str)> = None;
        for judgement in &self.place().verdicts {
            // A verdict counts as far as time gets; what comes later is too late.
            let when = self.when(&judgement.zones)?.intersect(&allowed.into());
            let Some(part) = when.parts().first() else { continue };
            let (at, excluded) = part.lower();
            let reached = at < delay || (at == delay && !excluded);
            let earlier = first.is_none_or(|(other, open, ..)| (at, excluded) < (other, open));
            if reached && earlier {
                first = Some((at, excluded, judgement.verdict, &judgement.reason));
            }
        }
        if let Some((after, _, verdict, reason)) = first {
            return Ok(Followed::Over { verdict, reason: reason.to_owned(), after });
        }
        if let Some((after, _)) = allowed.upper().filter(|_| !allowed.contains(delay)) {
            let (verdict, reason) = self.overdue(after)?;
            return Ok(Followed::Over { verdict, reason: reason.to_owned(), after });
        }
        for clock in &mut self.clocks {
            *clock = clock.add(delay)?;
        }
        Ok(Followed::Going)
    }

    /// What it means that nothing happened although time ends after this delay.
    fn overdue(&self, end: Rational) -> Result<(Verdict, &'static str), Overflow> {
        let place = self.place();
        let stops = self.when(&place.urgent)?.until().upper();
        if stops.is_none_or(|(stop, _)| stop > end)
            || !self.when(&place.invariant)?.initial_stretch().contains(end)
        {
            return Ok((Verdict::Fail, "the system stayed silent for too long"));
        }
        for edge in place.edges.iter().filter(|edge| edge.by == Side::System) {
            if self.when(&edge.guard)?.contains(end) {
                return Ok((Verdict::Fail, "the system should have answered at once"));
            }
        }
        Ok((Verdict::Inconclusive, "the tester should have sent something at once"))
    }

    /// Takes a move of one side at this moment.
    ///
    /// An output that is not expected is a failure. An input that has no edge is
    /// [`Followed::Unplanned`].
    pub fn act(&mut self, side: Side, action: &Action) -> Result<Followed, Overflow> {
        for edge in &self.place().edges {
            if edge.by != side || edge.action != *action || !self.now(&edge.guard)? {
                continue;
            }
            for set in &edge.sets {
                let source =
                    set.source.map_or(Rational::ZERO, |source| self.clocks[source as usize]);
                let added = Rational::new(set.value, self.case.scale)?;
                self.clocks[set.clock as usize] = source.add(added)?;
            }
            self.place = edge.target as usize;
            return Ok(match self.verdict()? {
                Some((verdict, reason)) => {
                    Followed::Over { verdict, reason: reason.to_owned(), after: Rational::ZERO }
                }
                None => Followed::Going,
            });
        }
        Ok(match side {
            Side::System => {
                let reason = format!("the output `{action}` is not allowed now");
                Followed::Over { verdict: Verdict::Fail, reason, after: Rational::ZERO }
            }
            Side::Tester => Followed::Unplanned,
        })
    }

    /// When each output is expected from now on, as far as time gets.
    pub fn expected(&self) -> Result<Vec<(&'c Action, Intervals)>, Overflow> {
        let patience: Intervals = self.patience()?.into();
        let edges = self.place().edges.iter().filter(|edge| edge.by == Side::System);
        let windows =
            edges.map(|edge| Ok((&edge.action, self.when(&edge.guard)?.intersect(&patience))));
        windows.collect()
    }

    /// The intention of the test case.
    pub fn intention(&self) -> Result<Intention, Overflow> {
        let place = self.place();
        if place.rules.is_empty() {
            let mut open = Vec::new();
            for edge in place.edges.iter().filter(|edge| edge.by == Side::Tester) {
                if self.now(&edge.guard)? {
                    open.push(edge.action.clone());
                }
            }
            return Ok(Intention::Open(open));
        }
        let mut earlier = Intervals::none();
        for rule in &place.rules {
            let when = self.when(&rule.zones)?;
            if !when.contains(Rational::ZERO) {
                earlier = earlier.unite(&when);
                continue;
            }
            if let Some(play) = rule.play {
                return Ok(Intention::Send(place.edges[play as usize].action.clone()));
            }
            let here = when.intersect(&earlier.complement());
            let other = here.complement().intersect(&self.patience()?.into());
            let until = match other.parts().first() {
                Some(first) => {
                    let windows = place.rules.iter().map(|rule| self.when(&rule.zones));
                    Some(inside(first, windows)?)
                }
                None => None,
            };
            let awaited =
                rule.awaited.iter().map(|edge| place.edges[*edge as usize].action.clone());
            return Ok(Intention::Wait { until, awaited: awaited.collect() });
        }
        Ok(Intention::Wait { until: None, awaited: Vec::new() })
    }
}

/// The first delay of an interval, or one shortly after its start and before a window begins or ends.
pub(crate) fn inside<E: From<Overflow>>(
    interval: &Interval,
    windows: impl Iterator<Item = Result<Intervals, E>>,
) -> Result<Rational, E> {
    let (lower, excluded) = interval.lower();
    if !excluded {
        return Ok(lower);
    }
    let mut upper = interval.upper().map(|(upper, _)| upper);
    for window in windows {
        for part in window?.parts() {
            let ends = [Some(part.lower().0), part.upper().map(|(upper, _)| upper)];
            let later = ends.into_iter().flatten().filter(|end| *end > lower);
            upper = upper.into_iter().chain(later).min();
        }
    }
    let room = upper.map(|upper| upper.sub(lower)).transpose()?;
    let room = room.map_or(Rational::ONE, |room| room.min(Rational::ONE));
    Ok(lower.add(room.div(Rational::integer(2))?)?)
}

/// The zones of a test case as a clock condition of the model's kind.
pub fn guard(zones: &[CaseZone]) -> ClockGuard {
    ClockGuard { disjuncts: zones.iter().map(|zone| bounds(zone).collect()).collect() }
}

/// The bounds of a zone as those of the model's kind.
fn bounds(zone: &CaseZone) -> impl Iterator<Item = ClockBound> {
    zone.iter().map(|bound| ClockBound {
        left: bound.left.map(ClockId),
        right: bound.right.map(ClockId),
        strict: bound.strict,
        bound: bound.bound,
    })
}
