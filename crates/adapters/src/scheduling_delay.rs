//! Scheduling delays of tester and system, and how much longer a message may have taken for them.
//!
//! The declared latencies say how long a message takes while the host runs every thread that has
//! something to do. Time in which the tester or the system had something to do and did not run does not
//! count: a message that takes at most `d` is heard by the time `t` at which `d` has passed without
//! such time since it was sent. This is the whole rule, and it needs no factor:
//! - a delay defers what happens during it to its end, and nothing that begins later, so only delays
//!   that overlap the way of a message lengthen it;
//! - while a message is late it may run into the next delay, so delays add up, and the way grows until
//!   it meets no other;
//! - of a [`SchedulingDelay`] it is known that the delays between two moments last so long together,
//!   but not where they lie. They may all have been in the way, so all of it counts.
//!
//! Nothing is ever heard before it was sent, however long the delay.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use tioga_base::{Overflow, Rational};

/// Scheduling delays: between two moments they last so long together.
///
/// Times count from the start of the run, in units of the model. Its file form is a list of the three
/// numbers as texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "[String; 3]", try_from = "[String; 3]")]
pub struct SchedulingDelay {
    /// None of them began before this.
    pub from: Rational,
    /// All had ended by then.
    pub until: Rational,
    /// How long they were together at most.
    pub length: Rational,
}

impl From<SchedulingDelay> for [String; 3] {
    fn from(SchedulingDelay { from, until, length }: SchedulingDelay) -> Self {
        [from, until, length].map(|time| time.to_string())
    }
}

impl TryFrom<[String; 3]> for SchedulingDelay {
    type Error = String;

    fn try_from([from, until, length]: [String; 3]) -> Result<Self, String> {
        let time = |text: String| text.parse().map_err(|_| format!("`{text}` is no time"));
        Ok(Self { from: time(from)?, until: time(until)?, length: time(length)? })
    }
}

/// The longest delays of a run, for its journal.
#[derive(Debug, Default)]
pub struct LongestDelays {
    list: Vec<SchedulingDelay>,
}

/// A journal has no more delays of a run than this.
const TOLD: usize = 64;

impl LongestDelays {
    /// Takes note of a delay.
    pub fn add(&mut self, delay: SchedulingDelay) {
        if delay.length > Rational::ZERO {
            self.list.push(delay);
        }
        // Now and then only, since most delays are among the longest at first.
        if self.list.len() > 2 * TOLD {
            self.prune();
        }
    }

    fn prune(&mut self) {
        self.list.sort_by_key(|delay| Reverse(delay.length));
        self.list.truncate(TOLD);
    }

    /// The longest, in the order of time.
    pub fn into_list(mut self) -> Vec<SchedulingDelay> {
        self.prune();
        self.list.sort_by_key(|delay| delay.from);
        self.list
    }
}

/// More delays than this are not told apart.
const KEPT: usize = 4096;

/// The delays of a run, in the order in which they were noticed.
#[derive(Clone, Debug, Default)]
pub struct SchedulingDelays {
    list: Vec<SchedulingDelay>,
    longest: Option<SchedulingDelay>,
    /// How many were noticed.
    noticed: u64,
}

impl SchedulingDelays {
    /// Takes note of a delay.
    pub fn add(&mut self, delay: SchedulingDelay) -> Result<(), Overflow> {
        if delay.length <= Rational::ZERO {
            return Ok(());
        }
        if self.list.len() >= KEPT {
            // Neighbours as one: it is then known less well where they were, so more is explained.
            let pairs = self.list.chunks(2).map(|pair| pair.iter().copied().try_fold(None, joined));
            self.list = pairs.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        }
        if self.longest.is_none_or(|longest| longest.length < delay.length) {
            self.longest = Some(delay);
        }
        self.list.push(delay);
        self.noticed += 1;
        Ok(())
    }

    /// How many delays were noticed so far.
    pub fn noticed(&self) -> u64 {
        self.noticed
    }

    /// The longest of them.
    pub fn longest(&self) -> Option<SchedulingDelay> {
        self.longest
    }

    /// How much longer than `way` something may have taken that ended at `end` at the earliest. What
    /// happens during a delay may happen at its very end, and take its way from there.
    pub fn before(&self, end: Rational, way: Rational) -> Result<Rational, Overflow> {
        let mut earlier: Vec<&SchedulingDelay> =
            self.list.iter().filter(|delay| delay.from < end).collect();
        earlier.sort_unstable_by_key(|delay| std::cmp::Reverse(delay.until));
        let begin = end.sub(way)?;
        let mut leeway = Rational::ZERO;
        for delay in earlier {
            if begin.sub(leeway)? > delay.until {
                break;
            }
            leeway = leeway.add(delay.length)?;
        }
        Ok(leeway)
    }

    /// How much longer than `way` something may take that begins between two moments. What should end
    /// when a delay begins may have to wait for its end.
    pub fn after(
        &self,
        (from, until): (Rational, Rational),
        way: Rational,
    ) -> Result<Rational, Overflow> {
        let mut later: Vec<&SchedulingDelay> =
            self.list.iter().filter(|delay| from < delay.until).collect();
        later.sort_unstable_by_key(|delay| delay.from);
        let end = until.add(way)?;
        let mut leeway = Rational::ZERO;
        for delay in later {
            if delay.from > end.add(leeway)? {
                break;
            }
            leeway = leeway.add(delay.length)?;
        }
        Ok(leeway)
    }

    /// How long all delays between two moments were together at most.
    pub fn total(&self, from: Rational, until: Rational) -> Result<Rational, Overflow> {
        let between = |delay: &&SchedulingDelay| from < delay.until && delay.from < until;
        let mut lengths = self.list.iter().filter(between).map(|delay| delay.length);
        lengths.try_fold(Rational::ZERO, Rational::add)
    }
}

/// What two delays say together.
fn joined(
    one: Option<SchedulingDelay>,
    other: SchedulingDelay,
) -> Result<Option<SchedulingDelay>, Overflow> {
    let Some(one) = one else { return Ok(Some(other)) };
    Ok(Some(SchedulingDelay {
        from: one.from.min(other.from),
        until: one.until.max(other.until),
        length: one.length.add(other.length)?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(number: i64) -> Rational {
        Rational::integer(number)
    }

    fn scheduling_delays(list: &[(i64, i64, i64)]) -> SchedulingDelays {
        let mut delays = SchedulingDelays::default();
        for (from, until, length) in list {
            let (from, until, length) = (whole(*from), whole(*until), whole(*length));
            delays.add(SchedulingDelay { from, until, length }).unwrap();
        }
        delays
    }

    #[test]
    fn only_delays_on_the_way_count() {
        let delays = scheduling_delays(&[(2, 4, 2), (20, 30, 3), (50, 51, 1)]);
        assert_eq!(delays.before(whole(10), whole(5)).unwrap(), Rational::ZERO);
        assert_eq!(delays.before(whole(10), whole(6)).unwrap(), whole(2));
        assert_eq!(delays.before(whole(25), whole(1)).unwrap(), whole(3));
        assert_eq!(delays.before(whole(20), whole(1)).unwrap(), Rational::ZERO);
        let sent = |at: i64| (whole(at), whole(at));
        assert_eq!(delays.after(sent(40), whole(9)).unwrap(), Rational::ZERO);
        assert_eq!(delays.after(sent(40), whole(10)).unwrap(), whole(1));
        assert_eq!(delays.after(sent(4), whole(1)).unwrap(), Rational::ZERO);
        assert_eq!(delays.total(whole(4), whole(51)).unwrap(), whole(4));
        assert_eq!(delays.after((whole(3), whole(5)), whole(1)).unwrap(), whole(2));
    }

    #[test]
    fn a_way_that_meets_a_delay_may_meet_another_for_it() {
        let delays = scheduling_delays(&[(10, 13, 3), (14, 15, 1), (20, 21, 1)]);
        // Sent at 11 and under way for 1: until 15 for the first delay, which meets the second.
        assert_eq!(delays.after((whole(11), whole(11)), whole(1)).unwrap(), whole(4));
        // Sent at 10, it got on from 13 to 14 only.
        assert_eq!(delays.before(whole(15), whole(1)).unwrap(), whole(4));
    }

    #[test]
    fn the_longest_delays_are_told_in_the_order_of_time() {
        let mut longest = LongestDelays::default();
        for index in 0..1000 {
            let (from, length) = (whole(index), whole(index % 100));
            longest.add(SchedulingDelay { from, until: whole(index + 1), length });
        }
        let told = longest.into_list();
        assert_eq!(told.len(), TOLD);
        assert!(told.is_sorted_by(|one, other| one.from < other.from));
        // Ten of each length, so those from 94 to 99 and four of 93.
        assert!(told.iter().all(|delay| delay.length >= whole(93)));
        assert_eq!(told.iter().filter(|delay| delay.length == whole(93)).count(), 4);
    }

    #[test]
    fn a_delay_is_three_numbers_in_a_file() {
        let [from, until] = [whole(1), Rational::new(7, 2).unwrap()];
        let delay = SchedulingDelay { from, until, length: Rational::new(1, 3).unwrap() };
        let text = serde_json::to_string(&delay).unwrap();
        assert_eq!(text, r#"["1","7/2","1/3"]"#);
        assert_eq!(serde_json::from_str::<SchedulingDelay>(&text).unwrap(), delay);
        assert!(serde_json::from_str::<SchedulingDelay>(r#"["1","2","x"]"#).is_err());
    }

    #[test]
    fn memory_is_bounded_and_nothing_is_explained_less() {
        let count = 3 * KEPT as i64;
        let all: Vec<_> = (0..count).map(|index| (2 * index, 2 * index + 1, 1)).collect();
        let delays = scheduling_delays(&all);
        assert!(delays.list.len() <= KEPT && delays.noticed() == 3 * KEPT as u64);
        let total = delays.list.iter().map(|delay| delay.length).try_fold(whole(0), Rational::add);
        assert_eq!(total.unwrap(), whole(count));
        assert!(delays.before(whole(100), whole(1)).unwrap() >= whole(1));
    }
}
