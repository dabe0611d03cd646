//! Symbolic real-time testing (KHO: Khoumsi, *On Synthesizing Test Cases in Symbolic Real-time Testing*).
//!
//! A [`Tiosa`] is a timed automaton with inputs, outputs and data that stay symbolic. [`SetExp`] turns its
//! time into events: a reset becomes an action Set, a clock that reaches a threshold an action Exp.

mod advice;
mod case;
mod complete;
mod compose;
mod determinize;
mod error;
mod follower;
mod game;
mod graph;
pub mod guards;
mod knowledge;
mod live;
mod message;
mod pending;
mod product;
mod projection;
mod read;
mod reasons;
mod reduce;
mod script;
mod sending;
mod setexp;
mod simulated;
mod solver;
mod subgraph;
mod tester;
mod thresholds;
mod tiosa;
mod transform;
mod view;

pub use advice::advice_lines;
pub use complete::{
    Completion, Hypotheses, complete_inputs, complete_purpose, hypotheses, overlapping,
    usual_budget,
};
pub use determinize::{Member, Node, NodeId, ObservableGraph, ObservableStep, Programmed};
pub use error::Refusal;
pub use follower::{Explanation, Judged, ScriptFollower};
pub use game::{Choice, Game, Layer, Wins};
pub use graph::{Failure, GraphNode, Role, TestGraph, Verdict};
pub use knowledge::{knowledge, pruned};
pub use message::Message;
pub use pending::Pending;
pub use product::product;
pub use projection::{Projection, Seen, Silent, Store};
pub use read::{Given, Read, read};
pub use script::{Advised, Script, ScriptNode};
pub use sending::Advice;
pub use setexp::{
    Expiration, Set, SetExp, SetExpState, SetExpTransition, StateId, expiration_text, hold, order,
    set_text,
};
pub use simulated::Simulated;
pub use solver::{Solver, implied, possible, some, values};
pub use subgraph::{Subgraph, best, options, subgraphs};
pub use tester::{Outcome, RunOptions, SystemUnderTest, Tester};
pub use tiosa::{
    Action, ActionId, Atom, ClockId, Edge, EdgeId, Kind, Location, LocationId, Mark, Relation,
    Tiosa, after,
};
pub use view::{TIMEOUT, View, ViewEdge, ViewNode, events_text};
