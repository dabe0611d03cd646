//! A network that was found valid, with what is looked up in it again and again.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use tioga_base::Span;

use crate::index::Index;
use crate::{DataClasses, Network};

/// A validated network. Later stages accept nothing else.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    network: Network,
    index: Index,
    pub(crate) alone: Alone<Result<Option<Model>, Entangled>>,
    pub(crate) unhindered: Alone<Option<Model>>,
    classes: Option<Arc<DataClasses>>,
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
        let (alone, unhindered) = (Alone::default(), Alone::default());
        Self { network, index, alone, unhindered, classes: None }
    }

    /// The network, to be changed and validated again.
    pub fn into_network(self) -> Network {
        self.network
    }

    /// The model with classes of data that behave alike: its composer visits one state of each.
    ///
    /// Pre: the classes belong to this network.
    pub fn with_classes(mut self, classes: DataClasses) -> Self {
        self.classes = Some(Arc::new(classes));
        self
    }

    /// The classes of data, if there are some.
    pub fn classes(&self) -> Option<&DataClasses> {
        self.classes.as_deref()
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

/// The system of a model without its environment, once it was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Alone<T>(pub(crate) OnceLock<Box<T>>);

impl<T> Default for Alone<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

/// It follows from the network, so it makes no difference between models.
impl<T> PartialEq for Alone<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
