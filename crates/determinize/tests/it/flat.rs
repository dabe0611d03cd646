//! Networks that are deterministic but for steps inside: their own clocks suffice.

use crate::support::compare::{compare, require_abstraction, same_traces};
use crate::support::text;
use proptest::prelude::*;
use tioga_base::Cancel;
use tioga_determinize::{Determinized, Exactness, determinize_auto};
use tioga_model::Model;
use tioga_testkit::{example, model};

fn auto(model: &Model) -> Determinized {
    determinize_auto(model, None, 200_000, &Cancel::new()).unwrap()
}

/// A relay: what comes in goes out later, through an inner channel that takes no time.
const RELAY: &str = "
input press;
output light, dark;
broadcast chan told;
bool on;
automaton Front {
  clock t;
  init location Idle;
  committed location Tell;
  Idle -> Tell : press? when t >= 1 do t = 0, on = !on;
  Tell -> Idle : told!;
}
automaton Back {
  clock u;
  init location Rest;
  location Act invariant u <= 2;
  Rest -> Act : told? do u = 0;
  Act -> Rest : light! when u >= 1 && on;
  Act -> Rest : dark! when u >= 1 && !on;
}
";

#[test]
fn inner_steps_that_take_no_time_are_folded_into_the_steps_before() {
    let result = auto(&model(RELAY));
    assert_eq!(result.exactness, Exactness::Exact);
    let view = text(&result.network);
    assert!(view.contains("Idle_Rest -> Idle_Act press? [c1>=1] {c1 c2}"), "{view}");
    assert!(!view.contains("Tell"), "{view}");
    let view = require_abstraction(&model(RELAY), result.network).unwrap();
    same_traces(&model(RELAY), &view, 3).unwrap();
}

#[test]
fn what_a_state_that_is_passed_requires_is_required_of_the_step_before() {
    let specification = model(
        "input a;
        internal tau;
        automaton A {
          clock x, y;
          init urgent location Passed invariant y <= 0;
          location Rest;
          Passed -> Rest : tau when x < 1;
          Rest -> Passed : a?;
        }",
    );
    let result = auto(&specification);
    assert_eq!(result.exactness, Exactness::Exact);
    let view = text(&result.network);
    assert!(view.contains("Rest -> Rest a? [c2<=0]"), "{view}");
    let view = require_abstraction(&specification, result.network).unwrap();
    same_traces(&specification, &view, 3).unwrap();
}

#[test]
fn a_state_that_is_left_at_once_only_sometimes_is_not_folded() {
    let specification = model(
        "input a;
        internal tau;
        automaton A {
          clock x;
          init urgent location Left invariant x < 2;
          location Rest;
          Left -> Rest : tau when x <= 0;
          Rest -> Left : a? when x > 0;
        }",
    );
    let result = auto(&specification);
    let exact = result.exactness.is_exact();
    let view = require_abstraction(&specification, result.network).unwrap();
    if exact {
        same_traces(&specification, &view, 3).unwrap();
    }
}

#[test]
fn where_time_stands_still_a_clock_says_so() {
    let hasty = RELAY.replace("location Act invariant u <= 2", "urgent location Act");
    let specification = model(&hasty.replace("when u >= 1 &&", "when"));
    let result = auto(&specification);
    assert_eq!((&result.exactness, result.resources.clocks), (&Exactness::Exact, 3));
    let view = text(&result.network);
    assert!(view.contains("Idle_Act [c3<=0]"), "{view}");
    let view = require_abstraction(&specification, result.network).unwrap();
    same_traces(&specification, &view, 3).unwrap();
}

#[test]
fn inner_steps_that_take_time_need_the_game() {
    let slow = RELAY.replace("committed location Tell", "location Tell invariant t <= 1");
    let view = text(&auto(&model(&slow)).network);
    assert!(!view.contains("Idle_Rest -> Idle_Act press?"), "{view}");
}

#[test]
fn a_goal_that_is_passed_is_not_lost() {
    let goal = RELAY.replace("committed location Tell", "accept committed location Tell");
    let result = auto(&model(&goal));
    let process = result.network.processes.iter().next().unwrap();
    assert!(process.locations.iter().any(|location| location.marks.accept));
}

#[test]
fn an_alarm_made_of_several_parts_becomes_one_automaton_exactly() {
    let result = auto(&example("car-alarm"));
    assert_eq!((&result.exactness, result.resources.clocks), (&Exactness::Exact, 7));
    let process = result.network.processes.iter().next().unwrap();
    assert_eq!((process.locations.len(), process.edges.len()), (25, 51));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn flat_networks_have_the_traces_of_the_parts(
        runs in prop::collection::vec(prop::collection::vec(any::<u8>(), 24), 8),
    ) {
        for specification in [model(RELAY), example("car-alarm")] {
            let view = auto(&specification).network.validate().unwrap();
            for choices in &runs {
                compare(&specification, &view, true, choices)?;
            }
        }
    }
}
