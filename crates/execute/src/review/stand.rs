//! A stand on which single runs are made on one system, one after the other.

use tioga_adapters::Fault;
use tioga_base::Cancel;
use tioga_testcase::TestCase;

use crate::error::Error;
use crate::journal::event::Event;
use crate::journal::record::RunRecord;
use crate::journal::settings::Settings;
use crate::run::driver::{Ending, RunLimits};
use crate::run::kept_system::{KeptSystem, SystemFactory};
use crate::testers::tester::Tester;

/// Makes runs outside of a campaign. The system is kept from run to run, and made anew after a fault,
/// if it cannot begin once more, or if the settings want it so. So only a new system that does not
/// begin is an error: what earlier runs did to it is no matter of the next.
pub struct Stand<'c, 's> {
    settings: &'c Settings,
    kept: KeptSystem<'c, 's>,
    cancel: Cancel,
}

impl<'c, 's> Stand<'c, 's> {
    /// A stand on which nothing runs yet.
    pub fn new(settings: &'c Settings, systems: &'c SystemFactory<'s>, cancel: Cancel) -> Self {
        Self { settings, kept: KeptSystem::new(settings, systems), cancel }
    }

    /// How the campaign was set up.
    pub fn settings(&self) -> &'c Settings {
        self.settings
    }

    /// The test case of a run.
    pub fn case_of(&self, record: &RunRecord) -> &'c TestCase {
        &self.settings.suite.cases[self.settings.case_of(record.run)]
    }

    /// Makes a run with the number, the test case and the seed of a recorded one. If only scheduling
    /// delay explains it, it begins again with another tester, as often as in campaigns. What remains
    /// is the last attempt, with its tester.
    ///
    /// # Errors
    /// If there is no tester, or the run was cancelled. What else hinders a run makes it
    /// inconclusive, as in campaigns.
    pub fn run<T: Tester>(
        &mut self,
        like: &RunRecord,
        testers: impl FnMut() -> Result<T, Error>,
    ) -> Result<(RunRecord, Ending, T), Error> {
        self.run_with(like, like.seed().unwrap_or(0), testers)
    }

    /// The same with another seed.
    pub(crate) fn run_with<T: Tester>(
        &mut self,
        like: &RunRecord,
        seed: u64,
        mut testers: impl FnMut() -> Result<T, Error>,
    ) -> Result<(RunRecord, Ending, T), Error> {
        let limits = RunLimits::of(self.settings, &self.cancel);
        let mut repetitions = 0..Settings::REPETITIONS;
        loop {
            let mut tester = testers()?;
            let case = self.case_of(like).name.clone();
            let mut events = vec![Event::Begin { case, seed }];
            let driven = self.kept.run(&mut tester, seed, &limits, true, &mut |event| {
                events.push(event.clone());
                Ok(())
            });
            let ending = Ending::of(driven)?;
            if !ending.relies_on_delay || repetitions.next().is_none() {
                events.push(ending.event());
                return Ok((RunRecord { run: like.run, events }, ending, tester));
            }
        }
    }

    /// Says goodbye to the system.
    ///
    /// # Errors
    /// If some system did something wrong when it was told goodbye.
    pub fn finish(self) -> Result<(), Fault> {
        self.kept.finish()
    }
}
