//! Which test case of a suite comes when.

use std::num::NonZeroU32;

use crate::{TestCase, Walk};

impl TestCase {
    /// How often it is run in each repetition of the suite.
    pub fn runs_in_turn(&self) -> u32 {
        let own = self.runs.map_or(1, NonZeroU32::get);
        self.walk.map_or(own, |walk| walk.runs.max(1))
    }
}

fn runs(case: &TestCase) -> u64 {
    u64::from(case.runs_in_turn())
}

impl Walk {
    /// How many runs a repetition of some test cases has.
    pub fn runs_of(cases: &[TestCase]) -> u64 {
        cases.iter().map(runs).sum()
    }

    /// The test cases of a repetition by their positions: each once, then those again that are run more often.
    pub fn schedule(cases: &[TestCase]) -> Vec<usize> {
        let mut all: Vec<usize> = (0..cases.len()).collect();
        for (position, case) in cases.iter().enumerate() {
            all.extend((1..runs(case)).map(|_| position));
        }
        all
    }

    /// The test case of a run, as [`Walk::schedule`] says, if runs are counted through all repetitions.
    ///
    /// # Panics
    /// If there are no test cases.
    pub fn scheduled(cases: &[TestCase], run: u64) -> usize {
        let once = cases.len() as u64;
        let position = |number: u64| usize::try_from(number).expect("a position in a list fits");
        // The first repetition of a long suite need not count the runs of all its test cases.
        if run < once {
            return position(run);
        }
        let within = run % Self::runs_of(cases);
        if within < once {
            return position(within);
        }
        let mut left = within - once;
        for (position, case) in cases.iter().enumerate() {
            match left.checked_sub(runs(case) - 1) {
                Some(rest) => left = rest,
                None => return position,
            }
        }
        unreachable!("a repetition has no more runs than its test cases")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_has_the_test_case_of_the_schedule() {
        let case = |number: u32| {
            let empty = TestCase::without_purpose("t", "m", Vec::new(), Vec::new());
            match number {
                // A walk says it in its own way.
                3.. => TestCase {
                    walk: Some(Walk { runs: number, longest_wait: 1, online: false }),
                    ..empty
                },
                2 => TestCase { runs: NonZeroU32::new(2), ..empty },
                _ => empty,
            }
        };
        for numbers in [vec![1], vec![3], vec![1, 1, 1], vec![1, 4, 1, 2], vec![2, 2]] {
            let cases: Vec<TestCase> = numbers.iter().map(|runs| case(*runs)).collect();
            let schedule = Walk::schedule(&cases);
            assert_eq!(schedule.len() as u64, Walk::runs_of(&cases));
            for (position, runs) in numbers.iter().enumerate() {
                let own = schedule.iter().filter(|one| **one == position).count();
                assert_eq!(own as u32, *runs);
            }
            for run in 0..3 * schedule.len() {
                assert_eq!(Walk::scheduled(&cases, run as u64), schedule[run % schedule.len()]);
            }
        }
    }
}
