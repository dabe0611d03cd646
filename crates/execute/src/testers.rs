//! Which tester runs a test case.

use tioga_base::Rational;
use tioga_testcase::TestCase;

use crate::{CaseTester, Error, EstimatingTester, Settings, Tester, TimeBase, run_seed};

/// The tester of a run of this test case, whose seed is given: one that relies on exact moments if
/// they are, and otherwise one that asks what explains what was observed.
pub fn tester_for<'c>(
    settings: &Settings,
    case: &'c TestCase,
    seed: u64,
) -> Result<Box<dyn Tester + 'c>, Error> {
    let patience = settings.patience.as_deref().and_then(|text| text.parse::<Rational>().ok());
    // The system is begun with the seed of the run. A tester with the same one would draw the same
    // numbers, and some pairs of choices would never be seen.
    let own_seed = run_seed(seed, 0);
    if settings.time == TimeBase::Virtual && settings.latencies.is_none() {
        return Ok(Box::new(CaseTester::new(case, own_seed, patience)?));
    }
    let latencies = &settings.latencies;
    Ok(Box::new(EstimatingTester::new(case, latencies, own_seed, patience)?))
}
