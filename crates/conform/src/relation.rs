//! The relations of two models.

/// How the first model is to relate to the second.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// After every trace of the second, all outputs and delays of the first are ones of the second
    /// (tioco).
    Conforms,
    /// As [`Relation::Conforms`], for a tester that never keeps the second waiting: where its time ends
    /// because it needs an input, an observer cannot tell which side is at fault for further waiting.
    ConformsWhenServed,
    /// It conforms, and after every common trace it takes all inputs that the second takes
    /// (io-refinement).
    Refines,
}
