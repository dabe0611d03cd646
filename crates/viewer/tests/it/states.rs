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

/// A walk over a grid of 10,000 states.
const GRID: &str = "
    input east, south;
    int[0, 99] a;
    int[0, 99] b;
    automaton Walk {
      init location On;
      On -> On : east? when a < 99 do a = a + 1;
      On -> On : south? when b < 99 do b = b + 1;
    }";

/// The numbers of the states that are shown.
fn numbers(known: &Value) -> Vec<u64> {
    let states = known["states"].as_array().unwrap();
    states.iter().map(|state| state["number"].as_u64().unwrap()).collect()
}

#[test]
fn more_states_than_are_shown_are_opened_and_found_again() {
    let studio = Studio::of("@car-alarm");
    let ask = |opened: &[u64], state: u64| {
        let body = json!({ "name": "@car-alarm", "text": GRID, "opened": opened, "state": state });
        studio.ask("states", &body)
    };
    let (mut order, mut known) = (Vec::new(), ask(&[], 0));
    while known["known"].as_u64().unwrap() <= 1000 {
        let next = known["next"].as_array().unwrap();
        assert!(!next.is_empty() && next.len() <= 25, "{next:?}");
        order.extend(next.iter().map(|one| one.as_u64().unwrap()));
        known = ask(&order, 0);
    }
    assert_eq!((&known["complete"], &known["full"]), (&json!(false), &Value::Null));
    // Around the initial state, and around the last one.
    let last = known["known"].as_u64().unwrap() - 1;
    let [first, far] = [0, last].map(|state| ask(&order, state));
    for (seen, centre) in [(&first, 0), (&far, last)] {
        let shown = numbers(seen);
        assert_eq!(shown.len(), 400);
        assert!(shown.is_sorted() && shown.contains(&centre), "{shown:?}");
        assert_eq!(seen["chosen"]["state"], centre);
        let svg = seen["svg"].as_str().unwrap();
        assert!(svg.contains("data-node=\"399\"") && !svg.contains("data-node=\"400\""));
        assert!(svg.contains("to states not shown"));
        assert_eq!(tioga_testkit::picture_flaws(svg).first(), None);
    }
    assert!(!numbers(&first).contains(&last), "the last state is far from the first");
    // Every step of the chosen state leads to a state that is shown.
    let own = first["states"][0]["steps"].as_array().unwrap();
    assert!(!own.is_empty());
    for step in own {
        let target = step["target"].as_u64().unwrap();
        assert!(numbers(&first).contains(&target), "{step}");
        assert!(step["name"].as_str().unwrap().contains('.'), "{step}");
    }
    // A run to the last state is played.
    let records = &far["chosen"]["trace"];
    let body = json!({ "name": "@car-alarm", "text": GRID, "records": records });
    let played = studio.ask("simulate", &body);
    let name = far["states"].as_array().unwrap().iter().find(|state| state["number"] == last);
    let name = name.unwrap()["name"].as_str().unwrap();
    for variable in ["a", "b"] {
        let value = format!("{variable} = {}", played["state"]["data"][variable]);
        assert!(name.contains(&value), "{name}: {value}");
    }
}

#[test]
fn more_states_than_are_kept_are_left_out_with_a_number() {
    let studio = Studio::of("@car-alarm");
    // Each state has 501 successors, most of them new.
    let text = "
        input any, on;
        int[0, 499] a;
        int[0, 49] b;
        automaton Walk {
          init location On;
          On -> On : on? when b < 49 do b = b + 1;
          On -> On : any? for v : int[0, 499] do a = v;
        }";
    let (mut order, mut known) = (Vec::new(), json!({ "full": null }));
    let mut state = 0;
    while known["full"].is_null() {
        order.push(state);
        assert!(order.len() < 50);
        let body = json!({ "name": "@car-alarm", "text": text, "opened": order, "state": state });
        known = studio.ask("states", &body);
        assert_eq!(known["complete"], false);
        let own = known["states"].as_array().unwrap().iter().find(|one| one["number"] == state);
        let steps = own.unwrap()["steps"].as_array().unwrap();
        let on = steps.iter().find(|step| step["action"] == "on?").unwrap();
        state = on["target"].as_u64().unwrap();
    }
    assert_eq!((&known["full"], &known["known"]), (&json!(20_000), &json!(20_000)));
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
