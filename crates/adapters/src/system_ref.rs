//! What is tested, as it was named: a model, a command, or an address.

use std::fmt;

use serde::{Deserialize, Serialize};
use tioga_testcase::ModelSource;

/// What is tested.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum SystemRef {
    /// The model the test cases were made from.
    Itself,
    /// Another model.
    Model(Box<ModelSource>),
    /// A command for the shell.
    Command(String),
    /// A server at `HOST:PORT`.
    Tcp {
        /// The host and the port.
        address: String,
        /// Where the virtual clock of TRON's protocol listens.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<String>,
    },
    /// A socket in the file system.
    Unix(String),
    /// A system that connects to this program, which TRON's protocol allows.
    Listen {
        /// The port, or the host and the port, to listen on.
        address: String,
        /// Where the virtual clock of TRON's protocol listens.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<String>,
    },
}

impl SystemRef {
    /// What a name stands for that is not a model: `tcp:HOST:PORT`, `unix:PATH`, `tron-listen:PORT`,
    /// and else a command.
    pub fn outside(name: &str) -> Self {
        let clocked = |address: &str| match address.rsplit_once(",clock=") {
            None => (address.to_owned(), None),
            Some((address, clock)) => (address.to_owned(), Some(clock.to_owned())),
        };
        if let Some(address) = name.strip_prefix("tcp:") {
            let (address, clock) = clocked(address);
            return Self::Tcp { address, clock };
        }
        if let Some(address) = name.strip_prefix("tron-listen:") {
            let (address, clock) = clocked(address);
            return Self::Listen { address, clock };
        }
        match name.strip_prefix("unix:") {
            Some(path) => Self::Unix(path.to_owned()),
            None => Self::Command(name.to_owned()),
        }
    }

    /// Whether it is a model, which this program plays.
    pub fn is_model(&self) -> bool {
        matches!(self, Self::Itself | Self::Model(_))
    }

    /// Where the virtual clock of TRON's protocol listens, if that was said.
    pub(super) fn clock(&self) -> Option<String> {
        let (Self::Tcp { clock, .. } | Self::Listen { clock, .. }) = self else { return None };
        let clock = clock.as_ref()?;
        Some(if clock.contains(':') { clock.clone() } else { format!("127.0.0.1:{clock}") })
    }
}

/// What a name stands for that is not a model.
impl From<&str> for SystemRef {
    fn from(name: &str) -> Self {
        Self::outside(name)
    }
}

/// The name it is called by; a model tested against itself has that of the model.
impl fmt::Display for SystemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clocked = |f: &mut fmt::Formatter<'_>, clock: &Option<String>| match clock {
            Some(clock) => write!(f, ",clock={clock}"),
            None => Ok(()),
        };
        match self {
            Self::Itself => f.write_str("the model itself"),
            Self::Model(source) => write!(f, "model:{}", source.name),
            Self::Command(command) => f.write_str(command),
            Self::Unix(path) => write!(f, "unix:{path}"),
            Self::Tcp { address, clock } => {
                write!(f, "tcp:{address}")?;
                clocked(f, clock)
            }
            Self::Listen { address, clock } => {
                write!(f, "tron-listen:{address}")?;
                clocked(f, clock)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_systems_outside_are_read_back() {
        for name in [
            "./light --json",
            "tcp:localhost:4711",
            "tcp:localhost:9999,clock=6521",
            "unix:/tmp/light",
            "tron-listen:9999",
        ] {
            let system = SystemRef::outside(name);
            assert_eq!(system.to_string(), name);
            let text = serde_json::to_string(&system).unwrap();
            assert_eq!(serde_json::from_str::<SystemRef>(&text).unwrap(), system);
        }
        let clock = SystemRef::outside("tcp:localhost:9999,clock=6521").clock();
        assert_eq!(clock.as_deref(), Some("127.0.0.1:6521"));
    }
}
