//! Which tester runs a test case.

use tioga_adapters::TimeBase;
use tioga_base::Rational;
use tioga_model::{Model, Predicate};
use tioga_testcase::TestCase;

use super::case_tester::CaseTester;
use super::estimating_tester::EstimatingTester;
use super::grid::Grid;
use super::online_tester::OnlineTester;
use super::oracle::Oracle;
use super::tester::Tester;
use crate::error::Error;
use crate::journal::settings::{Online, Settings};

impl Settings {
    /// When inputs may be sent, if not at any time.
    pub fn grid(&self) -> Option<Grid> {
        self.grid.and_then(Grid::new)
    }

    /// The tester of a run of this test case, whose seed is given.
    pub fn tester<'c>(&self, case: &'c TestCase, seed: u64) -> Result<Box<dyn Tester + 'c>, Error> {
        Ok(case_oracle(self, case, seed)?)
    }
}

/// What judges a run of this test case whose inputs are given: the model if it is given,
/// otherwise the test case. An online run may have had a goal, or may have lasted for a given time.
pub(crate) fn oracle_for<'c>(
    settings: &Settings,
    case: &'c TestCase,
    model: Option<&'c Model>,
    (goal, lasts): (Option<&'c Predicate>, Option<Rational>),
    seed: u64,
) -> Result<Box<dyn Oracle + 'c>, Error> {
    match model {
        Some(model) => {
            let aimless = |online: &Online| !online.aims();
            let passes = lasts.is_some() || settings.online.as_ref().is_some_and(aimless);
            let judge = OnlineTester::judge(model, goal, lasts, settings.latencies, passes)?;
            let exact = settings.time == TimeBase::Virtual;
            Ok(Box::new(if exact { judge.in_virtual_time() } else { judge }))
        }
        None => case_oracle(settings, case, seed),
    }
}

fn case_oracle<'c>(
    settings: &Settings,
    case: &'c TestCase,
    seed: u64,
) -> Result<Box<dyn Oracle + 'c>, Error> {
    let patience = settings.patience;
    let own_seed = Settings::tester_seed(seed);
    if settings.time == TimeBase::Virtual && settings.latencies.is_none() {
        let tester = CaseTester::new(case, own_seed, patience)?;
        return Ok(Box::new(tester.on_grid(settings.grid())));
    }
    let tester = EstimatingTester::new(case, &settings.latencies, own_seed, patience)?;
    let tester = tester.on_grid(settings.grid());
    let exact = settings.time == TimeBase::Virtual;
    Ok(Box::new(if exact { tester.in_virtual_time() } else { tester }))
}
