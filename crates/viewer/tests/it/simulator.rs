//! Runs in the making.

use serde_json::{Value, json};

use crate::client::Studio;

fn simulate(studio: &Studio, name: &str, more: Value) -> Value {
    let mut body = json!({ "name": name });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    studio.ask("simulate", &body)
}

#[test]
fn a_step_is_taken_and_taken_back() {
    let studio = Studio::of("@conveyor-game");
    let start = simulate(&studio, "@conveyor-game", json!({}));
    assert_eq!(start["state"]["locations"]["Belt"], "St");
    let ship =
        start["choices"].as_array().unwrap().iter().find(|one| one["action"] == "ship1?").unwrap();
    assert_eq!(ship["window_text"], "[0,6]");
    let records = json!([{ "delay": "5/2" }, ship["record"]]);
    let next = simulate(&studio, "@conveyor-game", json!({ "records": records }));
    assert_eq!(next["state"]["locations"]["Belt"], "D1St");
    assert_eq!(next["state"]["clocks"], json!({ "Belt.x": "5/2", "Belt.y": "5/2" }));
    assert_eq!((&next["time"], &next["time_text"]), (&json!("5/2"), &json!("2.5")));
    let back = simulate(&studio, "@conveyor-game", json!({ "records": [] }));
    assert_eq!(back, start);
}

#[test]
fn what_is_not_possible_is_refused_with_the_reason() {
    let studio = Studio::of("@conveyor-game");
    let refused = |records: Value| {
        studio.refusal("simulate", &json!({ "name": "@conveyor-game", "records": records }))
    };
    let (status, message) = refused(json!([{ "delay": 7 }]));
    assert_eq!(status, 400);
    assert!(message.contains("time may pass for [0,6] only"), "{message}");
    let (_, message) = refused(json!([{ "input": { "channel": "restart" } }]));
    assert!(
        message.contains("`restart?` is not possible there") || message.contains("trace"),
        "{message}"
    );
}

#[test]
fn a_random_walk_goes_on_from_where_the_run_is() {
    let studio = Studio::of("@smart-light");
    let first = simulate(&studio, "@smart-light", json!({ "walk": [6, 1] }));
    let records = first["records"].as_array().unwrap().clone();
    assert_eq!(first["rows"].as_array().unwrap().len(), records.len());
    let more = simulate(&studio, "@smart-light", json!({ "records": records, "walk": [3, 2] }));
    assert_eq!(more["records"].as_array().unwrap()[..records.len()], records[..]);
    assert!(more["records"].as_array().unwrap().len() > records.len());
}

#[test]
fn a_saved_trace_is_opened_again() {
    let studio = Studio::of("@smart-light");
    let run = simulate(&studio, "@smart-light", json!({ "walk": [8, 3] }));
    let again = simulate(&studio, "@smart-light", json!({ "trace": run["text"] }));
    assert_eq!(again["records"], run["records"]);
    assert_eq!(again["state"], run["state"]);
}

#[test]
fn the_zone_has_all_valuations_of_the_same_steps() {
    let studio = Studio::of("@conveyor-game");
    let start = simulate(&studio, "@conveyor-game", json!({}));
    assert_eq!(start["symbolic"]["zones"], json!(["x <= 6 && y == x"]));
    let plot = &start["symbolic"]["plot"];
    assert_eq!(
        (&plot["x"], &plot["y"], &plot["point"]),
        (&json!("x"), &json!("y"), &json!([0, 0]))
    );
    // The diagonal from the origin to where the invariant ends.
    assert_eq!(plot["polygons"][0]["corners"], json!([[0, 0], [6, 6]]));
    let turned = simulate(&studio, "@conveyor-game", json!({ "plot": ["y", "x"] }));
    assert_eq!(
        (&turned["symbolic"]["plot"]["x"], &turned["symbolic"]["plot"]["y"]),
        (&json!("y"), &json!("x"))
    );
}

#[test]
fn an_input_with_values_is_sent_and_its_edges_are_known_then() {
    let studio = Studio::of("@sptg/dummy");
    let start = simulate(&studio, "@sptg/dummy", json!({}));
    let Some(awaiting) = start["awaiting"].as_array().unwrap().first() else {
        panic!("the example has an input with values: {start}");
    };
    let step = json!({ "input": { "channel": awaiting["channel"], "values": ["7"] } });
    let next = simulate(&studio, "@sptg/dummy", json!({ "records": [step] }));
    assert!(next["records"][0]["edges"].is_array(), "{next}");
    assert_ne!(next["state"], start["state"]);
}
