//! A stand on which single runs are made on one system, one after the other.

use std::time::Duration;

use tioga_base::{Cancel, Moment};
use tioga_testcase::TestCase;

use crate::{
    Ending, Error, Event, Fault, Outcome, RunLimits, RunRecord, Settings, System, SystemFactory,
    Tester, drive,
};

/// Makes runs outside of a campaign. The system is kept from run to run, and made anew after a fault
/// or if the settings want it so.
pub struct Stand<'c, 's> {
    settings: &'c Settings,
    systems: &'c SystemFactory<'s>,
    cancel: Cancel,
    system: Option<Box<dyn System + 's>>,
}

impl<'c, 's> Stand<'c, 's> {
    /// A stand on which nothing runs yet.
    pub fn new(settings: &'c Settings, systems: &'c SystemFactory<'s>, cancel: Cancel) -> Self {
        Self { settings, systems, cancel, system: None }
    }

    /// How the campaign was set up.
    pub fn settings(&self) -> &'c Settings {
        self.settings
    }

    /// The test case of a run.
    pub fn case_of(&self, record: &RunRecord) -> &'c TestCase {
        &self.settings.suite.cases[self.settings.case_of(record.run)]
    }

    /// Makes a run with the number, the test case and the seed of a recorded one.
    ///
    /// # Errors
    /// If somebody asked to stop. What else hinders a run makes it inconclusive, as in campaigns.
    pub fn run(
        &mut self,
        like: &RunRecord,
        tester: &mut dyn Tester,
    ) -> Result<(RunRecord, Ending), Error> {
        let seed = like.seed().unwrap_or(0);
        let case = self.case_of(like).name.clone();
        let mut events = vec![Event::Begin { case, seed }];
        let limits = RunLimits {
            wall: self.settings.timeout_ms.map(Duration::from_millis),
            cancel: self.cancel.clone(),
            ..RunLimits::default()
        };
        let ending = match self.system.take().map_or_else(|| (self.systems)(), Ok) {
            Err(fault) => {
                let at = Moment::START;
                events.push(Event::Fault { at, fault: fault.clone() });
                Ending::without_observation(Outcome::Error, fault.to_string(), Some(fault))
            }
            Ok(mut system) => {
                let driven = drive(system.as_mut(), tester, seed, &limits, &mut |event| {
                    events.push(event.clone());
                    Ok(())
                });
                let ending = match driven {
                    Err(error @ (Error::Cancelled | Error::Listener(_))) => return Err(error),
                    Err(error) => {
                        let reason = error.to_string();
                        Ending::without_observation(Outcome::Inconclusive, reason, None)
                    }
                    Ok(ending) => ending,
                };
                if ending.fault.is_none() && self.settings.fresh {
                    // A farewell that fails says nothing about a run that is over.
                    let _ = system.finish();
                } else if ending.fault.is_none() {
                    self.system = Some(system);
                }
                ending
            }
        };
        events.push(ending.event());
        Ok((RunRecord { run: like.run, events }, ending))
    }

    /// Says goodbye to the system.
    pub fn finish(self) -> Result<(), Fault> {
        self.system.map_or(Ok(()), |mut system| system.finish())
    }
}
