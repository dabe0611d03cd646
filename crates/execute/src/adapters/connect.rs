//! From what the user calls a system to something that can be tested.

use super::alphabet::Alphabet;
use super::fault::{Fault, FaultKind};
use super::limits::AdapterLimits;
use super::protocol::{Protocol, TimeBase};
use super::system::System;

impl Protocol {
    /// Starts or reaches a system that speaks this: `tcp:HOST:PORT`, `unix:PATH`, with TRON's protocol
    /// also `tron-listen:PORT`, and else a command for the shell. After a fault, drop the system, which
    /// ends everything it started, and connect anew.
    pub fn connect(
        self,
        system: &str,
        time: TimeBase,
        alphabet: &Alphabet,
        limits: &AdapterLimits,
    ) -> Result<Box<dyn System>, Fault> {
        if system.starts_with("model:") {
            let evidence = format!("`{system}` is no system outside");
            return Err(Fault::new(FaultKind::Unreachable, evidence));
        }
        open(system, self, time, alphabet, limits)
    }
}

#[cfg(unix)]
fn open(
    system: &str,
    protocol: Protocol,
    time: TimeBase,
    alphabet: &Alphabet,
    limits: &AdapterLimits,
) -> Result<Box<dyn System>, Fault> {
    use super::ecdar::Ecdar;
    use super::json_lines::JsonLines;
    use super::torx::Torx;
    use super::tron::Tron;
    use super::tron_virtual::VirtualTron;

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
    _system: &str,
    _protocol: Protocol,
    _time: TimeBase,
    _alphabet: &Alphabet,
    _limits: &AdapterLimits,
) -> Result<Box<dyn System>, Fault> {
    Err(Fault::new(FaultKind::Unreachable, "systems outside can be reached on Unix only"))
}
