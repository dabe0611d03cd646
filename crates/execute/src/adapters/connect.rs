//! From what the user calls a system to something that can be tested.

use super::AdapterLimits;
use super::json_lines::JsonLines;
use crate::{Alphabet, Fault, FaultKind, Protocol, System, TimeBase};

/// Starts or reaches a system: `tcp:HOST:PORT`, `unix:PATH`, or else a command for the shell. After a
/// fault, drop the system, which ends everything it started, and connect anew.
pub fn connect(
    system: &str,
    protocol: Protocol,
    time: TimeBase,
    alphabet: &Alphabet,
    limits: &AdapterLimits,
) -> Result<Box<dyn System>, Fault> {
    if system.starts_with("model:") {
        return Err(Fault::new(FaultKind::Unreachable, format!("`{system}` is no system outside")));
    }
    match protocol {
        Protocol::Json => Ok(Box::new(JsonLines::open(system, time, alphabet, limits)?)),
        _ => Err(Fault::new(FaultKind::Unreachable, "this protocol is not available")),
    }
}
