//! A network that was found valid, with what is looked up in it again and again.

use std::ops::Deref;
use std::sync::OnceLock;

use tioga_base::Span;

use crate::Network;
use crate::index::Index;

/// A validated network. Later stages accept nothing else.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    network: Network,
    index: Index,
    pub(crate) alone: Alone,
}

impl Deref for Model {
    type Target = Network;
    fn deref(&self) -> &Network {
        &self.network
    }
}

impl Model {
    /// Seals a network that validation found in order and whose `outgoing` is filled.
    pub(crate) fn seal(network: Network) -> Self {
        let index = Index::new(&network);
        Self { network, index, alone: Alone::default() }
    }

    /// The network, to be changed and validated again.
    pub fn into_network(self) -> Network {
        self.network
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }
}

/// Why a system is nothing without its environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entangled {
    /// What they share, as a clause.
    pub clause: String,
    /// Where the system uses it.
    pub span: Span,
}

/// The system of a model alone, once it was asked for.
#[derive(Clone, Default, Debug)]
pub(crate) struct Alone(pub(crate) OnceLock<Box<Result<Option<Model>, Entangled>>>);

/// It follows from the network, so it makes no difference between models.
impl PartialEq for Alone {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
