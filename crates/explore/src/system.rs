//! Systems to search, and observers of a search.

use std::hash::Hash;
use std::ops::ControlFlow;

use crate::node::NodeId;
use crate::statistics::Statistics;

/// A successor with the label of the step that leads to it.
#[derive(Clone, Debug)]
pub struct Successor<S: TransitionSystem + ?Sized> {
    /// Which step it is.
    pub label: S::Label,
    /// The part compared for equality.
    pub key: S::Key,
    /// The part compared by inclusion.
    pub part: S::Part,
}

/// A few numbers that tell quickly that one part does not cover another.
pub type Sketch = [i16; 16];

/// A transition system. Calls with equal arguments have equal results, in the same order.
pub trait TransitionSystem: Sync {
    /// The part of a state that is compared for equality.
    type Key: Hash + Eq + Clone + Send + Sync;
    /// The part of a state that is compared by inclusion.
    type Part: Clone + Send + Sync;
    /// Names a step among those of a state.
    type Label: Clone + Send + Sync;
    /// Scratch memory of one thread.
    type Worker: Send;
    /// Why successors cannot be computed.
    type Error: Send;

    /// Scratch memory for one thread.
    fn worker(&self) -> Self::Worker;

    /// The initial states; their labels are ignored.
    fn initial(
        &self,
        worker: &mut Self::Worker,
        states: &mut Vec<Successor<Self>>,
    ) -> Result<(), Self::Error>;

    /// Appends the successors of a state.
    fn successors(
        &self,
        worker: &mut Self::Worker,
        key: &Self::Key,
        part: &Self::Part,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Self::Error>;

    /// Whether every behaviour of `smaller` is one of `larger`, both with this key. Reflexive and
    /// transitive.
    fn covers(&self, key: &Self::Key, larger: &Self::Part, smaller: &Self::Part) -> bool;

    /// Numbers of which none is less than that of another part with the same key if this part covers the other.
    fn sketch(&self, _part: &Self::Part) -> Sketch {
        [0; 16]
    }

    /// How many bytes a key and a part take, about.
    fn size(&self, key: &Self::Key, part: &Self::Part) -> usize;

    /// How promising a state is, for [`Order::Priority`](crate::Order::Priority): smaller first.
    fn priority(&self, _key: &Self::Key, _part: &Self::Part) -> i64 {
        0
    }
}

/// Watches a search. All methods are called by one thread, in a fixed order.
pub trait Visitor<S: TransitionSystem> {
    /// A state was stored. Breaking off ends the search at this state.
    fn stored(&mut self, node: NodeId, key: &S::Key, part: &S::Part) -> ControlFlow<()>;

    /// Called now and then.
    fn progress(&mut self, _statistics: &Statistics) {}
}

/// Any function that says whether a state is what is looked for.
impl<S: TransitionSystem, F: FnMut(&S::Key, &S::Part) -> bool> Visitor<S> for F {
    fn stored(&mut self, _: NodeId, key: &S::Key, part: &S::Part) -> ControlFlow<()> {
        if self(key, part) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
