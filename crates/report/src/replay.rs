//! Where a run went in its test case: the places it was in and the edges it took.
//!
//! The test case is followed with exact time. If a moment is known within bounds only, its latest is
//! taken, so results about such a run may be off by the width of the bounds.

use tioga_base::{Moment, Overflow, Rational};
use tioga_concrete::MovingClocks;
use tioga_execute::{Event, RunRecord};
use tioga_testcase::{Action, Followed, Follower, Side, TestCase, guard};

/// A run in terms of its test case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passage {
    /// The positions of the places it was in, in order.
    pub places: Vec<usize>,
    /// The edges it took: the position of the place, and of the edge there.
    pub edges: Vec<(usize, usize)>,
}

/// Follows a run as far as the test case goes. Numbers that are too large to be exact end it early.
pub fn passage(case: &TestCase, record: &RunRecord) -> Passage {
    if case.places.is_empty() {
        return Passage::default();
    }
    let mut run = Run {
        follower: Follower::new(case),
        now: Rational::ZERO,
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
    run.passage
}

struct Run<'c> {
    follower: Follower<'c>,
    now: Rational,
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
        if step == Followed::Going {
            self.now = time;
        }
        Ok(step == Followed::Going)
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
            return Ok(step == Followed::Going);
        }
        Ok(false)
    }
}
