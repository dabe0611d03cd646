//! Games: ranks over clocks, advice and matches.

use serde_json::{Value, json};

use crate::client::Studio;

fn body(more: &Value) -> Value {
    let mut body = json!({ "name": "@conveyor-game", "aim": { "locations": [["Belt", "D2A"]] } });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn start(studio: &Studio) -> u64 {
    let game = studio.ask("game", &body(&json!({})));
    let places = game["places"].as_array().unwrap();
    places.iter().position(|place| place["initial"] == true).unwrap() as u64
}

#[test]
fn a_goal_of_locations_is_the_query_of_the_example() {
    let studio = Studio::of("@conveyor-game");
    let game = studio.ask("game", &body(&json!({})));
    assert_eq!(game["query"], "control: A<> Belt.D2A");
    assert_eq!(game["answer"]["holds"], false);
    assert_eq!(game["answer"]["rank"], json!({ "losses": 1, "steps": 0 }));
    assert_eq!(game["clocks"], json!(["x", "y"]));
    let nothing = json!({ "name": "@conveyor-game", "aim": { "locations": [] } });
    assert_eq!(studio.refusal("game", &nothing).0, 400);
    let unknown =
        json!({ "name": "@conveyor-game", "aim": { "locations": [["Belt", "Nowhere"]] } });
    assert_eq!(studio.refusal("game", &unknown).0, 400);
}

/// The rank that the polygons show at a point is the one that the advice names.
#[test]
fn the_plot_shows_the_ranks_of_the_table() {
    let studio = Studio::of("@conveyor-game");
    let place = start(&studio);
    let ranks = studio.ask("game/ranks", &body(&json!({ "place": place })));
    let levels = ranks["levels"].as_array().unwrap();
    assert!(levels.len() > 1, "{ranks}");
    let number = |value: &Value| match value {
        Value::Number(one) => one.as_i64().unwrap() as f64,
        Value::String(text) => {
            let (over, under) = text.split_once('/').unwrap();
            over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap()
        }
        other => panic!("{other}"),
    };
    let inside = |polygon: &Value, x: f64, y: f64| {
        let corners: Vec<(f64, f64)> = polygon["corners"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (number(&one[0]), number(&one[1])))
            .collect();
        (0..corners.len()).all(|index| {
            let ((a, b), (c, d)) = (corners[index], corners[(index + 1) % corners.len()]);
            (c - a) * (y - b) - (d - b) * (x - a) > 0.0
        })
    };
    let mut seen = 0;
    // Points inside regions, so that no side matters.
    for (x, y) in (0..7).flat_map(|x| (0..7).map(move |y| (x, y))) {
        let clocks = [format!("{}/3", 3 * x + 1), format!("{}/3", 3 * y + 2)];
        let advice = studio.ask("game/advice", &body(&json!({ "place": place, "clocks": clocks })));
        let (x, y) = (x as f64 + 1.0 / 3.0, y as f64 + 2.0 / 3.0);
        let drawn = levels.iter().find(|level| {
            level["polygons"].as_array().unwrap().iter().any(|polygon| inside(polygon, x, y))
        });
        let drawn = drawn.map_or(&Value::Null, |level| &level["rank"]);
        assert_eq!(*drawn, advice["rank"], "at {x}, {y}");
        seen += usize::from(!drawn.is_null());
    }
    assert!(seen > 10, "ranked points are among them");
}

#[test]
fn every_opponent_plays_to_an_end() {
    let studio = Studio::of("@conveyor-game");
    let play = |opponent: &str, seed: u64| {
        studio.ask("game/play", &body(&json!({ "opponent": opponent, "seed": seed, "moves": 20 })))
    };
    for opponent in ["lazy", "eager", "hostile", "random", "fair"] {
        let game = play(opponent, 1);
        assert!(game["waiting"].is_null());
        assert!(!game["reason"].as_str().unwrap().is_empty());
        let rounds = game["rounds"].as_array().unwrap().len();
        assert_eq!(game["intentions"].as_array().unwrap().len(), rounds);
        assert_eq!(game, play(opponent, 1), "the same seed gives the same game");
    }
    assert_eq!(studio.refusal("game/play", &body(&json!({ "opponent": "nobody" }))).0, 400);
}

#[test]
fn a_person_plays_the_system() {
    let studio = Studio::of("@conveyor-game");
    let play = |choices: Value| {
        studio.ask("game/play", &body(&json!({ "opponent": "you", "choices": choices })))
    };
    let begun = play(json!([]));
    let offers = begun["waiting"]["offers"].as_array().unwrap();
    let past = offers.iter().position(|offer| offer["action"] == "past!").unwrap();
    let next = play(json!([[past, offers[past]["earliest"].to_string().replace('"', "")]]));
    assert_eq!(next["rounds"][0]["happened"]["action"], "past!");
    let wrong = body(&json!({ "opponent": "you", "choices": [[99, "0"]] }));
    assert_eq!(studio.refusal("game/play", &wrong).0, 400);
}

#[test]
fn purposes_are_games_too() {
    let studio = Studio::of("@car-alarm");
    let purposes = studio.ask("look", &json!({ "name": "@car-alarm" }))["purposes"].clone();
    let purpose = purposes[0].as_str().unwrap();
    let game = studio.ask("game", &json!({ "name": "@car-alarm", "aim": { "purpose": purpose } }));
    assert!(!game["places"].as_array().unwrap().is_empty());
}
