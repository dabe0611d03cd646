//! Where a run went in its test case: the places it was in, the edges it took, and what would have
//! been right where it ended.
//!
//! The test case is followed with exact time. Where a moment is known within bounds only, its latest
//! is taken, so that what is said about such a run may be off by as much as the bounds are apart.

use tioga_base::{Moment, Overflow, Rational};
use tioga_concrete::{Interval, MovingClocks};
use tioga_execute::{Event, RunRecord, rounded_down, rounded_up};
use tioga_testcase::{Action, Follower, Side, Step, TestCase, guard};

use crate::text::action_text;

/// A run in terms of its test case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passage {
    /// The positions of the places it was in, in order.
    pub places: Vec<usize>,
    /// The edges it took: the position of the place, and of the edge there.
    pub edges: Vec<(usize, usize)>,
    /// What would have been right after the last step that was: outputs with when, and silence.
    pub expected: Vec<String>,
}

/// Follows a run as far as the test case goes. Numbers that are too large to be exact end it early.
pub fn passage(case: &TestCase, record: &RunRecord) -> Passage {
    if case.places.is_empty() {
        return Passage::default();
    }
    let mut run = Run {
        follower: Follower::new(case),
        now: Rational::ZERO,
        before: (Follower::new(case), Rational::ZERO),
        at: 0,
        passage: Passage { places: vec![0], ..Passage::default() },
    };
    for event in &record.events {
        let going = match event {
            Event::Sent { at, action } => run.act(Side::Tester, *at, action),
            Event::Heard { at, action } => run.act(Side::System, *at, action),
            Event::Quiet { now } => run.pass(*now),
            _ => Ok(true),
        };
        if going != Ok(true) {
            break;
        }
    }
    run.passage.expected = run.expected().unwrap_or_default();
    run.passage
}

struct Run<'c> {
    follower: Follower<'c>,
    now: Rational,
    /// How it was after the last move, and when that was.
    before: (Follower<'c>, Rational),
    /// The position of the place.
    at: usize,
    passage: Passage,
}

impl Run<'_> {
    /// Lets time pass; whether the test goes on.
    fn pass(&mut self, at: Moment) -> Result<bool, Overflow> {
        let time = at.latest();
        if time <= self.now {
            return Ok(true);
        }
        let step = self.follower.delay(time.sub(self.now)?)?;
        if step == Step::Going {
            self.now = time;
        }
        Ok(step == Step::Going)
    }

    /// Takes a move; whether the test goes on.
    fn act(&mut self, side: Side, at: Moment, action: &Action) -> Result<bool, Overflow> {
        if !self.pass(at)? {
            return Ok(false);
        }
        let clocks = MovingClocks::new(self.follower.clocks(), self.follower.case().scale);
        for (index, edge) in self.follower.place().edges.iter().enumerate() {
            let holds = || clocks.when(&guard(&edge.guard));
            if edge.by != side || edge.action != *action || !holds()?.contains(Rational::ZERO) {
                continue;
            }
            self.passage.edges.push((self.at, index));
            self.at = edge.target as usize;
            self.passage.places.push(self.at);
            let step = self.follower.act(side, action)?;
            self.before = (self.follower.clone(), self.now);
            return Ok(step == Step::Going);
        }
        Ok(false)
    }

    /// What the test case expects after the last move, in the time of the run.
    fn expected(&self) -> Result<Vec<String>, Overflow> {
        let (follower, start) = &self.before;
        let mut expected = Vec::new();
        if follower.verdict()?.is_some() {
            return Ok(expected);
        }
        // Guards need not say what the invariant says.
        let allowed = follower.patience()?;
        for (action, when) in follower.expected()? {
            let when = when.intersect(&allowed.into());
            let parts = when.parts().iter().map(|part| window(*start, part));
            let parts: Vec<String> = parts.collect::<Result<_, _>>()?;
            if !parts.is_empty() {
                expected.push(format!("{} in {}", action_text(action), parts.join(" or ")));
            }
        }
        expected.push(format!("silence in {}", window(*start, &allowed)?));
        Ok(expected)
    }
}

/// An interval of delays as one of moments.
fn window(start: Rational, delays: &Interval) -> Result<String, Overflow> {
    let (lower, excluded) = delays.lower();
    let open = if excluded { '(' } else { '[' };
    let from = rounded_down(start.add(lower)?);
    Ok(match delays.upper() {
        None => format!("{open}{from}, ...)"),
        Some((upper, excluded)) => {
            let close = if excluded { ')' } else { ']' };
            format!("{open}{from}, {}{close}", rounded_up(start.add(upper)?))
        }
    })
}
