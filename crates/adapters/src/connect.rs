//! From what the user calls a system to something that can be tested.

use crate::alphabet::Alphabet;
use crate::fault::{Fault, FaultKind};
use crate::limits::AdapterLimits;
use crate::protocol::{Protocol, TimeBase};
use crate::system::System;
use crate::system_ref::SystemRef;

impl Protocol {
    /// Starts or reaches a system outside of this program that speaks this. After a fault, drop the
    /// system, which ends everything it started, and connect anew.
    pub fn connect(
        self,
        system: &SystemRef,
        time: TimeBase,
        alphabet: &Alphabet,
        limits: &AdapterLimits,
    ) -> Result<Box<dyn System>, Fault> {
        if system.is_model() {
            return Err(Fault::new(FaultKind::Unreachable, format!("`{system}` is not outside")));
        }
        open(system, self, time, alphabet, limits)
    }
}

#[cfg(unix)]
fn open(
    system: &SystemRef,
    protocol: Protocol,
    time: TimeBase,
    alphabet: &Alphabet,
    limits: &AdapterLimits,
) -> Result<Box<dyn System>, Fault> {
    use crate::ecdar::Ecdar;
    use crate::json_lines::JsonLines;
    use crate::torx::Torx;
    use crate::tron::Tron;
    use crate::tron_virtual::VirtualTron;

    Ok(match (protocol, time) {
        (Protocol::Json, _) => Box::new(JsonLines::open(system, time, alphabet, limits)?),
        (Protocol::Ecdar, _) => Box::new(Ecdar::open(system, time, alphabet, limits)?),
        (Protocol::Torx, TimeBase::Real { unit_ns }) => {
            Box::new(Torx::open(system, unit_ns, alphabet, limits)?)
        }
        (Protocol::Tron, TimeBase::Real { unit_ns }) => {
            Box::new(Tron::open(system, unit_ns, alphabet, limits)?)
        }
        (Protocol::Torx, TimeBase::Virtual) => {
            let evidence = "the protocol of TorX has no virtual time; use real time";
            return Err(Fault::new(FaultKind::Unreachable, evidence));
        }
        (Protocol::Tron, TimeBase::Virtual) => {
            Box::new(VirtualTron::open(system, alphabet, limits)?)
        }
    })
}

#[cfg(not(unix))]
fn open(
    _system: &SystemRef,
    _protocol: Protocol,
    _time: TimeBase,
    _alphabet: &Alphabet,
    _limits: &AdapterLimits,
) -> Result<Box<dyn System>, Fault> {
    Err(Fault::new(FaultKind::Unreachable, "systems outside can be reached on Unix only"))
}
