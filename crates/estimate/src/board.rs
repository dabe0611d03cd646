//! What an estimate is made on: a timed automaton, state by state.
//!
//! A board says of a discrete state where its clocks may be, when time stands still, and which steps
//! it has. Models and test cases are boards; an estimator asks for each state once.

use std::fmt::Debug;
use std::hash::Hash;

use tioga_model::{ClockAssignment, ClockConjunction};
use tioga_testcase::Action;
use tioga_zones::LuBounds;

use crate::Error;

/// A timed automaton, state by state. Clock constants count in units of `1 / scale`.
pub trait Board {
    /// A discrete state.
    type State: Clone + Eq + Hash + Debug;

    /// How many units of clock constants a time unit has.
    fn scale(&self) -> i64;

    /// The names of the clocks.
    fn clocks(&self) -> Vec<String>;

    /// The largest constant that a clock is compared with.
    fn largest(&self) -> u32;

    /// If clocks are compared with each other: the largest constant that a clock or a difference of
    /// clocks is compared with, unless clocks are set to a sum of another clock and a constant.
    fn widest_difference(&self) -> Option<u32> {
        None
    }

    /// Where runs start, with all clocks zero.
    fn initial(&self) -> Self::State;

    /// A discrete state.
    fn board_state(&mut self, state: &Self::State) -> Result<BoardState<Self::State>, Error>;

    /// The steps of a state that [awaits](BoardState::awaits) inputs, for those that were announced.
    fn announced_steps(
        &mut self,
        _state: &Self::State,
    ) -> Result<Vec<BoardStep<Self::State>>, Error> {
        Ok(Vec::new())
    }

    /// The state after an input that arrived where there is no step for it, if nothing is known of what
    /// such an input does. Otherwise it is lost.
    fn unplanned(&self) -> Option<Self::State> {
        None
    }

    /// What a state is called, for people.
    fn describe(&self, state: &Self::State) -> String;

    /// Says which inputs are under way. True if states that await inputs may have other steps from now on.
    fn announce(&mut self, _inputs: &[&Action]) -> bool {
        false
    }
}

/// A discrete state of a board.
#[derive(Clone, Debug)]
pub struct BoardState<S> {
    /// The clocks satisfy one of these.
    pub invariant: Vec<ClockConjunction>,
    /// Time stands still where one of these holds.
    pub urgent: Vec<ClockConjunction>,
    /// Whether time passes at all.
    pub passes: bool,
    /// What may happen.
    pub steps: Vec<BoardStep<S>>,
    /// Whether there are also steps for inputs that are announced, whose values are too many to be enumerated.
    pub awaits: bool,
    /// With which constants each clock may still be compared, as far as clocks that are beyond them
    /// may be forgotten; nothing if clocks are compared with each other.
    pub bounds: Option<LuBounds>,
    /// Where runs end, and in which state: at the first moment at which one of the conjunctions holds,
    /// before anything else happens. Of several that hold at that moment, the first counts.
    pub ends: Vec<(Vec<ClockConjunction>, S)>,
    /// Whether runs have ended here: whatever follows is no matter, so everything is possible at all
    /// times.
    pub over: bool,
}

/// A step of a board.
#[derive(Clone, Debug)]
pub struct BoardStep<S> {
    /// What is seen of it.
    pub label: BoardLabel,
    /// The clocks satisfy one of these before.
    pub guard: Vec<ClockConjunction>,
    /// What happens to the clocks, in order.
    pub assignments: Vec<ClockAssignment>,
    /// Where it leads.
    pub target: S,
}

/// What is seen of a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum BoardLabel {
    /// Nothing.
    Silent,
    /// The system takes an input.
    Input(Action),
    /// The system emits an output.
    Output(Action),
}
