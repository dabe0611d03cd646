//! The system that runs are made on: kept from run to run, and made anew after a fault or if the
//! settings want it so.

use tioga_base::Moment;

use crate::{
    Ending, Error, Event, Fault, Listener, Outcome, RunLimits, Settings, System, SystemFactory,
    Tester, drive,
};

/// A place for a system.
pub(crate) struct KeptSystem<'c, 's> {
    systems: &'c SystemFactory<'s>,
    /// Whether every run gets a new one.
    fresh: bool,
    system: Option<Box<dyn System + 's>>,
    /// What the first system did wrong when it was told goodbye.
    farewell: Option<Fault>,
}

impl<'c, 's> KeptSystem<'c, 's> {
    /// Before the first run.
    pub fn new(settings: &Settings, systems: &'c SystemFactory<'s>) -> Self {
        Self { systems, fresh: settings.fresh, system: None, farewell: None }
    }

    /// Makes a run from after its beginning up to its end, of which neither is told.
    pub fn run(
        &mut self,
        tester: &mut dyn Tester,
        seed: u64,
        limits: &RunLimits,
        tell: &mut Listener<'_>,
    ) -> Result<Ending, Error> {
        let mut system = match self.system.take().map_or_else(|| (self.systems)(), Ok) {
            Ok(system) => system,
            Err(fault) => {
                let at = Moment::START;
                tell(&Event::Fault { at, fault: fault.clone() }).map_err(Error::Listener)?;
                let reason = fault.to_string();
                return Ok(Ending::without_observation(Outcome::Error, reason, Some(fault)));
            }
        };
        let ending = drive(system.as_mut(), tester, seed, limits, tell)?;
        // A system that did something wrong is not asked again.
        if ending.fault.is_none() {
            self.system = Some(system);
            if self.fresh {
                self.dismiss();
            }
        }
        Ok(ending)
    }

    fn dismiss(&mut self) {
        let over = self.system.take().map_or(Ok(()), |mut system| system.finish());
        if let Err(fault) = over {
            self.farewell.get_or_insert(fault);
        }
    }

    /// Says goodbye to the system.
    ///
    /// # Errors
    /// If some system did something wrong when it was told goodbye.
    pub fn finish(mut self) -> Result<(), Fault> {
        self.dismiss();
        self.abandon()
    }

    /// The same, but in a hurry: nobody waits for a system that is still there.
    pub fn abandon(self) -> Result<(), Fault> {
        self.farewell.map_or(Ok(()), Err)
    }
}
