//! How far a campaign is, in one line that is written again and again.

use std::fmt;
use std::time::Duration;

use tioga_execute::{Outcome, Tally};

use crate::Counts;
use crate::text::one_line;

/// How far a campaign is: `17 of 100 runs: 15 pass, 2 fail; about 3 min left; now lamp-1`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CampaignStanding {
    /// How many runs the campaign has.
    pub total: u64,
    /// How the runs ended that did.
    pub counts: Counts,
    /// The test cases of runs under way, the oldest run first.
    pub under_way: Vec<String>,
    /// How long the rest may take.
    pub left: Option<Duration>,
}

impl CampaignStanding {
    /// Takes over what a tally says.
    pub fn count(&mut self, tally: &Tally) {
        self.total = tally.total();
        let cases = tally.cases.iter().map(Counts::from);
        self.counts = cases.fold(Counts::default(), Counts::and);
    }

    /// How long the rest takes, if it goes on as it did: so many runs were made in this time.
    pub fn estimate(&mut self, made: u64, time: Duration) {
        let rest = self.total.saturating_sub(self.counts.runs());
        let nanoseconds = time.as_nanos().saturating_mul(u128::from(rest));
        let left = nanoseconds.checked_div(u128::from(made));
        self.left = left.map(|left| Duration::from_nanos(u64::try_from(left).unwrap_or(u64::MAX)));
    }
}

impl fmt::Display for CampaignStanding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} runs", self.counts.runs(), self.total)?;
        let ended = Outcome::ALL.into_iter().filter(|outcome| self.counts.of(Some(*outcome)) > 0);
        for (index, outcome) in ended.enumerate() {
            let before = if index == 0 { ": " } else { ", " };
            write!(f, "{before}{} {outcome}", self.counts.of(Some(outcome)))?;
        }
        if let Some(left) = self.left {
            write!(f, "; about {} left", rough(left))?;
        }
        match &self.under_way[..] {
            [] => Ok(()),
            [one] => write!(f, "; now {}", one_line(one)),
            [one, others @ ..] => write!(f, "; now {} and {} more", one_line(one), others.len()),
        }
    }
}

/// An approximate time, rounded up.
fn rough(time: Duration) -> String {
    let seconds = time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0));
    let minutes = seconds.div_ceil(60);
    match (seconds, minutes) {
        (..120, _) => format!("{seconds} s"),
        (_, ..120) => format!("{minutes} min"),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(pass: u64, fail: u64, total: u64) -> CampaignStanding {
        let counts = Counts { pass, fail, ..Counts::default() };
        CampaignStanding { total, counts, ..CampaignStanding::default() }
    }

    #[test]
    fn the_line_says_what_is_known() {
        let mut standing = standing(15, 2, 100);
        assert_eq!(standing.to_string(), "17 of 100 runs: 15 pass, 2 fail");
        standing.under_way = vec!["lamp-1".to_owned()];
        standing.estimate(17, Duration::from_secs(34));
        let said = "17 of 100 runs: 15 pass, 2 fail; about 3 min left; now lamp-1";
        assert_eq!(standing.to_string(), said);
        standing.under_way.push("a\nb".to_owned());
        standing.under_way.swap(0, 1);
        assert!(standing.to_string().ends_with("; now a\\nb and 1 more"), "{standing}");
    }

    #[test]
    fn only_what_was_made_now_tells_how_long_the_rest_takes() {
        // Of 50 runs that ended, 10 were made since the campaign was resumed.
        let mut standing = standing(50, 0, 100);
        standing.estimate(10, Duration::from_secs(10));
        assert_eq!(standing.left, Some(Duration::from_secs(50)));
        standing.estimate(0, Duration::from_secs(10));
        assert_eq!(standing.left, None);
    }

    #[test]
    fn times_are_rough_and_rounded_up() {
        assert_eq!(rough(Duration::from_millis(1)), "1 s");
        assert_eq!(rough(Duration::from_secs(119)), "119 s");
        assert_eq!(rough(Duration::from_secs(121)), "3 min");
        assert_eq!(rough(Duration::from_secs(7200)), "2 h 0 min");
        assert_eq!(rough(Duration::from_secs(9999)), "2 h 47 min");
    }
}
