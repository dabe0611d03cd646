//! The seeds of runs: each follows from the seed of the campaign, the number of the run and how often
//! the run began again.

use super::settings::Settings;

/// Where random choices come from.
impl Settings {
    /// How often a run begins again at most because only scheduling delay explains it.
    pub const REPETITIONS: u64 = 5;

    /// The seed of a run in a campaign with this seed, whatever the order in which runs are made (the
    /// mixing function of SplitMix64).
    pub fn run_seed(campaign: u64, run: u64) -> u64 {
        let mut mixed =
            campaign.wrapping_add(run.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The seed of a run when it begins, and when it begins again for the first, second, … time. So the
    /// last beginning says how often there was one.
    pub fn attempt_seed(campaign: u64, run: u64, attempt: u64) -> u64 {
        let seed = Self::run_seed(campaign, run);
        if attempt == 0 { seed } else { Self::run_seed(seed, attempt) }
    }

    /// The seed of the tester in a run with this seed, with which the system begins. With the same
    /// seed, both would draw the same numbers, and some pairs of choices would never be seen.
    pub fn tester_seed(run: u64) -> u64 {
        Self::run_seed(run, 0)
    }

    /// Which attempt has this seed; a seed that none has is taken for the first one's.
    pub(crate) fn attempt_of(campaign: u64, run: u64, seed: u64) -> u64 {
        let has = |attempt: &u64| Self::attempt_seed(campaign, run, *attempt) == seed;
        (0..=Self::REPETITIONS).find(has).unwrap_or(0)
    }
}
