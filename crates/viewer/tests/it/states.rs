//! The state space, opened state by state, and what is found in a model.

use serde_json::{Value, json};

use crate::client::{Studio, named};

/// What is known after opening these states of the smart light.
fn opened(studio: &Studio, opened: &[usize], state: usize) -> Value {
    studio.ask("states", &json!({ "name": "@smart-light", "opened": opened, "state": state }))
}

#[test]
fn states_are_opened_one_after_the_other_until_there_are_no_more() {
    let studio = Studio::of("@smart-light");
    let start = opened(&studio, &[], 0);
    assert_eq!(start["states"].as_array().unwrap().len(), 1);
    assert_eq!((&start["states"][0]["steps"], &start["complete"]), (&Value::Null, &json!(false)));
    let mut order: Vec<usize> = Vec::new();
    let mut known = start;
    while known["complete"] != true {
        let states = known["states"].as_array().unwrap();
        let closed = states.iter().position(|state| state["steps"].is_null()).unwrap();
        order.push(closed);
        let next = opened(&studio, &order, 0);
        // What was known stays as it is, so numbers can be kept.
        for (before, after) in states.iter().zip(next["states"].as_array().unwrap()) {
            assert_eq!((&before["name"], &before["zone"]), (&after["name"], &after["zone"]));
        }
        known = next;
        assert!(order.len() < 200);
    }
    let names: Vec<&str> = known["states"]
        .as_array()
        .unwrap()
        .iter()
        .map(|state| state["name"].as_str().unwrap())
        .collect();
    // Every location of the light is reachable.
    for location in ["Off", "Dim", "Bright", "L1", "L2", "L3", "L4", "L5", "L6"] {
        assert!(names.iter().any(|name| *name == format!("Light.{location}")), "{names:?}");
    }
}

#[test]
fn a_state_has_a_zone_a_plot_and_a_run_that_leads_there() {
    let studio = Studio::of("@smart-light");
    let order = [0, 1, 2, 3];
    let count = opened(&studio, &order, 0)["states"].as_array().unwrap().len();
    for state in 0..count {
        let known = opened(&studio, &order, state);
        let chosen = &known["chosen"];
        assert!(!chosen["plot"]["polygons"].as_array().unwrap().is_empty(), "{chosen}");
        let played =
            studio.ask("simulate", &json!({ "name": "@smart-light", "records": chosen["trace"] }));
        let there = played["state"]["locations"]["Light"].as_str().unwrap().to_owned();
        assert_eq!(known["states"][state]["name"], format!("Light.{there}"));
    }
    let svg = opened(&studio, &order, 0)["svg"].as_str().unwrap().to_owned();
    assert!(svg.contains(&format!("data-node=\"{}\"", count - 1)), "{svg}");
    assert_eq!(tioga_testkit::picture_flaws(&svg), Vec::<String>::new());
}

#[test]
fn a_state_that_was_not_found_cannot_be_opened() {
    let studio = Studio::of("@smart-light");
    let body = json!({ "name": "@smart-light", "opened": [7] });
    let (status, message) = studio.refusal("states", &body);
    assert_eq!((status, message.as_str()), (400, "there is no state 7 to be opened"));
}

#[test]
fn what_is_found_in_a_model_can_be_played() {
    let studio = Studio::of("@conveyor-game");
    let found = studio.ask("check", &named("@conveyor-game"));
    let deadlock = found["obstacles"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == "deadlock")
        .unwrap();
    let body = json!({ "name": "@conveyor-game", "records": deadlock["trace"] });
    let played = studio.ask("simulate", &body);
    assert_eq!(played["lock"], "deadlock", "{played}");
    let refuted = found["assumptions"].as_array().unwrap();
    assert!(refuted.iter().any(|one| one["verdict"] == "no" && one["trace"].is_array()));
    let properties = found["properties"].as_array().unwrap();
    assert!(properties.iter().any(|one| one["property"] == "input-complete"), "{found}");
}
