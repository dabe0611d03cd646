//! The system that runs are made on: kept from run to run, and made anew after a fault or if the
//! settings want it so.

use tioga_adapters::{Fault, FaultKind, System};
use tioga_base::Moment;

use super::driver::{Ending, Listener, RunLimits, drive_begun};
use crate::error::Error;
use crate::journal::event::{Event, Outcome};
use crate::journal::settings::Settings;
use crate::testers::tester::Tester;

/// Makes a system, or says why it cannot.
pub type SystemFactory<'s> = dyn Fn() -> Result<Box<dyn System + 's>, Fault> + Sync + 's;

/// A system, and whether it began a run.
type Begun<'s> = (Box<dyn System + 's>, Result<(), Fault>);

/// Keeps a system.
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

    /// Makes a run from after its beginning up to its end, of which neither is told. If a system that
    /// was kept cannot begin, that is what earlier runs did to it: `revive` says whether a new one
    /// takes its place, or the run is an error, whose evidence says so.
    pub fn run(
        &mut self,
        tester: &mut dyn Tester,
        seed: u64,
        limits: &RunLimits,
        revive: bool,
        tell: &mut Listener<'_>,
    ) -> Result<Ending, Error> {
        let (mut system, begun) = match self.begun(seed, revive) {
            Ok(begun) => begun,
            // A system that is ended while it starts is not to blame.
            Err(_) if limits.cancel.is_cancelled() => return Err(Error::Cancelled),
            Err(fault) => {
                let at = Moment::START;
                tell(&Event::Fault { at, fault: fault.clone() }).map_err(Error::Listener)?;
                let reason = fault.to_string();
                return Ok(Ending::without_observation(Outcome::Error, reason, Some(fault)));
            }
        };
        let ending = drive_begun(begun, system.as_mut(), tester, limits, tell)?;
        // A system that did something wrong is not asked again.
        if ending.fault.is_none() {
            self.system = Some(system);
            if self.fresh {
                self.dismiss();
            }
        }
        Ok(ending)
    }

    /// A system, and whether it began. Without one there is a fault as well.
    fn begun(&mut self, seed: u64, revive: bool) -> Result<Begun<'s>, Fault> {
        if let Some(mut system) = self.system.take() {
            match system.begin(seed) {
                Err(_) if revive => {}
                begun => return Ok((system, begun.map_err(of_earlier_runs))),
            }
        }
        let mut system = (self.systems)()?;
        let begun = system.begin(seed);
        Ok((system, begun))
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

    /// The same, but at once: a system that is still there is not waited for.
    pub fn abandon(self) -> Result<(), Fault> {
        self.farewell.map_or(Ok(()), Err)
    }
}

/// The fault of a system that was kept and cannot begin, with words that say that the run about to
/// begin is not at fault.
fn of_earlier_runs(fault: Fault) -> Fault {
    if !matches!(fault.kind, FaultKind::Crash | FaultKind::Closed) {
        return fault;
    }
    let before = "before this run began, the system had ended after the run before";
    Fault { evidence: format!("{before}: {}", fault.evidence), ..fault }
}
