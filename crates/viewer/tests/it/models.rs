//! Models: diagnostics, pictures with places, and queries.

use serde_json::json;

use crate::client::{Studio, named};

#[test]
fn a_picture_knows_the_lines_of_its_parts() {
    let studio = Studio::of("@conveyor-game");
    let text = studio.ask("model", &named("@conveyor-game"))["text"].as_str().unwrap().to_owned();
    let seen = studio.ask("look", &named("@conveyor-game"));
    assert_eq!(seen["valid"], true);
    let belt = &seen["picture"]["automata"][0];
    assert_eq!((&belt["name"], &belt["processes"]), (&json!("Belt"), &json!(["Belt"])));
    for edge in belt["edges"].as_array().unwrap() {
        let place = |key: &str| edge[key].as_u64().unwrap() as usize;
        let written = &text[place("start")..place("end")];
        assert!(written.contains("->"), "{edge}: {written}");
        let line = text.lines().nth(place("line") - 1).unwrap();
        assert!(line.contains("->"), "{edge}: {line}");
    }
    let svg = seen["picture"]["svg"].as_str().unwrap();
    assert_eq!(svg.matches("data-node=").count(), belt["nodes"].as_array().unwrap().len());
    assert!(!svg.contains("<style"), "the policy of the page refuses styles in elements");
    assert_eq!(seen["clocks"], json!(["x", "y"]));
}

#[test]
fn diagnostics_are_those_of_the_parser_while_the_picture_stays() {
    let studio = Studio::of("@smart-light");
    let text = "input touch;\nautomaton A {\n  init location Dark; location Dim;\n  Dark -> Dim : tuoch?;\n}\n";
    let seen = studio.ask("look", &json!({ "name": "@smart-light", "text": text }));
    assert_eq!(seen["valid"], false);
    let first = &seen["diagnostics"][0];
    assert_eq!((&first["primary"]["line"], &first["severity"]), (&json!(4), &json!("error")));
    assert_eq!(first["fix"]["replacement"], "touch");
    assert!(seen["picture"]["svg"].as_str().unwrap().contains("Dark"));
    let nothing = studio.ask("look", &json!({ "name": "@smart-light", "text": "automaton {" }));
    assert_eq!(nothing["valid"], false);
    assert!(!nothing["diagnostics"].as_array().unwrap().is_empty());
}

#[test]
fn queries_have_answers_and_runs_to_play() {
    let studio = Studio::of("@train-gate");
    let queries = studio.ask("look", &named("@train-gate"))["queries"].as_array().unwrap().clone();
    let asked =
        |query: &str| studio.ask("query", &json!({ "name": "@train-gate", "query": query }));
    let mut played = 0;
    for query in queries.iter().filter(|query| query["game"] == false) {
        let answer = asked(query["text"].as_str().unwrap());
        assert!(answer["holds"].is_boolean(), "{query}: {answer}");
        if let Some(records) = answer["trace"].as_array().filter(|records| !records.is_empty()) {
            let followed =
                studio.ask("simulate", &json!({ "name": "@train-gate", "records": records }));
            assert_eq!(followed["rows"].as_array().unwrap().len(), records.len());
            assert_eq!(followed["state"], answer["end"], "{query}");
            played += 1;
        }
    }
    assert!(played > 0, "some query has a run");
    let (status, message) =
        studio.refusal("query", &json!({ "name": "@train-gate", "query": "E<> Nowhere" }));
    assert_eq!(status, 400, "{message}");
}

#[test]
fn a_game_has_its_intended_run() {
    let studio = Studio::of("@conveyor-game");
    let query = "E<> control: A<> Belt.D2A";
    let answer = studio.ask("query", &json!({ "name": "@conveyor-game", "query": query }));
    assert_eq!((&answer["kind"], &answer["holds"]), (&json!("game"), &json!(true)));
    let followed =
        studio.ask("simulate", &json!({ "name": "@conveyor-game", "records": answer["trace"] }));
    assert_eq!(followed["state"]["locations"]["Belt"], "D2A");
}
