//! Where a trace departs from a model, and what was possible instead.

use serde_json::Value;
use tioga::words::{action, edges, times, windows};
use tioga_concrete::{State, Stuck};
use tioga_model::Model;

use crate::text::run::align;
use crate::text::state;

/// How many of the states a model may be in are shown.
const STATES_SHOWN: usize = 5;

pub fn several(model: &Model, states: &[State]) -> String {
    let mut text = format!("the model may be in {} states:\n", states.len());
    for state in states.iter().take(STATES_SHOWN) {
        text.push_str(&format!("  {}\n", state::line(model, state)));
    }
    if states.len() > STATES_SHOWN {
        text.push_str(&format!("  and {} more\n", states.len() - STATES_SHOWN));
    }
    text
}

/// The states as JSON.
pub fn states_json(model: &Model, states: &[State]) -> Vec<Value> {
    states.iter().map(|state| state::json(model, state)).collect()
}

/// Where the model was, and what it could have done.
pub fn instead(model: &Model, stuck: &Stuck) -> String {
    let shown = times(model);
    let mut text = format!("impossible: step {} of the trace\n", stuck.record + 1);
    match stuck.states.as_slice() {
        [state] => {
            text.push_str("before it:\n");
            text.push_str(&state::block(model, state, "  "));
        }
        states => text.push_str(&several(model, states)),
    }
    text.push_str(&format!("possible instead:\n  wait for {}\n", windows(&stuck.delays, shown)));
    let mut rows: Vec<[String; 3]> = Vec::new();
    for offer in &stuck.offers {
        let after = format!("after {}", windows(&offer.windows, shown));
        rows.push([action(&offer.event), after, edges(&offer.edges)]);
    }
    text.push_str(&align(&rows, &[]));
    text
}
