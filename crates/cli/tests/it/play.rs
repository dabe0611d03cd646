//! `tioga play` through the real binary: each opponent on the worked games, and a person.

use crate::binary::{Folder, Json};
use serde_json::Value;

const OPPONENTS: [&str; 5] = ["random", "lazy", "eager", "hostile", "fair"];

/// The outcome, the exit code and the whole result of a game.
fn play(folder: &Folder, args: &[&str]) -> (String, i32, Value) {
    let run = folder.tioga(&[&["--format", "json", "play"], args].concat(), "");
    let value = run.json();
    assert_eq!(value["exit"], run.code);
    let result = value["result"].clone();
    (result["outcome"].as_str().unwrap_or("none").to_owned(), run.code, result)
}

#[test]
fn what_the_tester_can_enforce_it_reaches_against_everyone() {
    let folder = Folder::new("play-enforced");
    let goals = ["@smart-light", "@concur05"];
    for (model, opponent) in goals.iter().flat_map(|model| OPPONENTS.map(|one| (model, one))) {
        let args = [model, "--strict-only", "--opponent", opponent];
        let (outcome, code, result) = play(&folder, &args);
        assert_eq!((outcome.as_str(), code), ("reached", 0), "{model} {opponent}: {result}");
        assert_eq!(result["cooperations"], 0, "{model} {opponent}");
    }
    for (seed, model) in (0..50).flat_map(|seed| goals.map(|model| (seed, model))) {
        let seed = format!("{seed}");
        let (outcome, ..) = play(&folder, &[model, "--strict-only", "--seed", &seed]);
        assert_eq!(outcome, "reached", "{model}, seed {seed}");
    }
}

#[test]
fn where_luck_is_needed_the_opponent_decides() {
    let folder = Folder::new("play-luck");
    let outcome = |model, opponent| {
        let (outcome, code, result) = play(&folder, &[model, "--opponent", opponent]);
        (outcome, code, result["cooperations"].as_u64().unwrap())
    };
    let reached = |times| ("reached".to_owned(), 0, times);
    assert_eq!(outcome("@conveyor-game", "lazy"), reached(1));
    assert_eq!(outcome("@conveyor-game", "hostile").0, "steps");
    assert_eq!(outcome("@conveyor-game", "hostile").1, 3);
    assert_eq!(outcome("@conveyor-game", "eager").0, "steps");
    assert_eq!(outcome("@problematic-light", "hostile").0, "steps");
    assert_eq!(outcome("@problematic-light", "random").0, "reached");
    // What the tester cannot enforce it does not try if it is to be strict.
    let (outcome, code, result) = play(&folder, &["@conveyor-game", "--strict-only"]);
    assert_eq!((outcome.as_str(), code), ("astray", 1));
    assert!(result["reason"].as_str().unwrap().contains("cannot enforce"), "{result}");
}

#[test]
fn a_fair_opponent_lets_the_tester_get_there() {
    let folder = Folder::new("play-fair");
    let games = ["@complex", "@conveyor-game", "@problematic-light"];
    for (seed, model) in (0..30).flat_map(|seed| games.map(|model| (seed, model))) {
        let seed = format!("{seed}");
        let (outcome, _, result) = play(&folder, &[model, "--opponent", "fair", "--seed", &seed]);
        assert_eq!(outcome, "reached", "{model}, seed {seed}: {result}");
    }
    let run = folder.tioga(&["play", "@complex", "--opponent", "fair", "--seed", "7"], "");
    assert!(run.out.contains("a fair opponent, seed 7\n"), "{}", run.out);
}

#[test]
fn ranks_fall_in_every_round_that_the_tester_controls() {
    let folder = Folder::new("play-ranks");
    let rank = |value: &Value| (value["losses"].as_u64(), value["steps"].as_u64());
    for seed in 0..30 {
        let seed = format!("{seed}");
        let (_, _, result) = play(&folder, &["@problematic-light", "--seed", &seed]);
        let ranks: Vec<_> = result["rounds"].as_array().unwrap().iter().collect();
        for pair in ranks.windows(2) {
            let (before, after) = (rank(&pair[0]["rank"]), rank(&pair[1]["rank"]));
            // Waiting for one's own moment is part of the step that it prepares.
            let waited = pair[0]["happened"]["action"].is_null() && after == before;
            assert!(before.1 == Some(0) || after < before || waited, "seed {seed}: {result}");
        }
    }
}

#[test]
fn a_system_that_idles_for_ever_is_not_fair() {
    let folder = Folder::new("play-idle");
    let bell = "input ask; output ring;
automaton Bell {
  init location Quiet;
  location Asked, Rung;
  Quiet -> Asked : ask?;
  Asked -> Rung : ring!;
}
query control: A<> Bell.Rung;
";
    folder.write("bell.tioga", bell);
    let run = folder.tioga(&["play", "bell.tioga", "--opponent", "lazy"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("waits for ring!, as long as it takes"), "{}", run.out);
    assert!(run.out.contains("the system may idle for ever; a fair one would move"), "{}", run.out);
    for opponent in ["random", "eager", "hostile"] {
        let (outcome, code, _) = play(&folder, &["bell.tioga", "--opponent", opponent]);
        assert_eq!((outcome.as_str(), code), ("reached", 0), "{opponent}");
    }
}

#[test]
fn a_goal_that_time_reaches_is_not_missed() {
    let folder = Folder::new("play-time");
    let model = "automaton P {
  clock x;
  init location A;
  location B;
  A -u-> B : when x > 2;
}
query control: A<> P.A && P.x > 1 && P.x < 2;
";
    folder.write("time.tioga", model);
    for opponent in OPPONENTS {
        let (outcome, _, result) = play(&folder, &["time.tioga", "--opponent", opponent]);
        assert_eq!(outcome, "reached", "{opponent}");
        assert_eq!((&result["time"], &result["moves"]), (&"3/2".into(), &0.into()), "{opponent}");
    }
}

#[test]
fn what_is_to_be_avoided_is_avoided() {
    let folder = Folder::new("play-avoid");
    for query in ["control: A[] !Main.L4", "control: A[ !Main.L4 W Main.goal ]"] {
        for opponent in OPPONENTS {
            let args = ["@concur05", "-q", query, "--opponent", opponent, "--steps", "20"];
            let (outcome, code, result) = play(&folder, &args);
            assert_eq!(code, 0, "{query} {opponent}: {result}");
            assert!(outcome == "held" || outcome == "reached", "{query} {opponent}: {result}");
            assert_ne!(result["end"]["locations"]["Main"], "L4");
        }
    }
    let (outcome, code, _) = play(&folder, &["@smart-light", "-q", "control: A[] false"]);
    assert_eq!((outcome.as_str(), code), ("astray", 1));
}

#[test]
fn a_game_is_a_run_and_the_same_seed_gives_the_same_one() {
    let folder = Folder::new("play-trace");
    for (model, file) in [("@problematic-light", "run.trace"), ("@concur05", "run.jsonl")] {
        let args = ["play", model, "--seed", "5", "-o", file];
        let (one, other) = (folder.tioga(&args, ""), folder.tioga(&args, ""));
        assert_eq!(one.out, other.out);
        let replay = folder.tioga(&["replay", model, file], "");
        assert_eq!(replay.code, 0, "{}{}", replay.out, replay.err);
    }
    let games: std::collections::BTreeSet<String> = (0..10)
        .map(|seed| folder.tioga(&["play", "@problematic-light", "--seed", &seed.to_string()], ""))
        .map(|run| run.out.lines().skip(2).collect())
        .collect();
    assert!(games.len() > 3, "chance decides");
}

#[test]
fn a_person_plays_by_lines_of_standard_input() {
    let folder = Folder::new("play-person");
    let commands = "1 1\n7\nx\n2\nn\nu\nu\nn\n";
    let args = ["play", "@conveyor-game", "--interactive", "-o", "mine.trace"];
    let run = folder.tioga(&args, commands);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let expected = "conveyor_game, control: A<> Belt.D2A
you play the system; ? shows the commands

time 0, rank (1, 0)
  locations  Belt.St
  clocks     Belt.x = 0, Belt.y = 0
  tester     plays ship2? now; needs the system not to answer waste! or past! first
  1  waste!  after {0}  Belt: St -> Wa
  2  past!   after {0}  Belt: St -> St
  n  let the tester go on
> 1 1
move 1 comes first after {0} only
> 7
there is no move 7
> x
`x` is no command; ? shows them
> 2
  happens    past! by the system  Belt: St -> St
";
    assert!(run.out.starts_with(expected), "{}", run.out);
    let end =
        "the objective is reached after 2 moves and 0 time units, the system cooperated 1 time";
    assert!(run.out.contains(end), "{}", run.out);
    assert_eq!(folder.tioga(&["replay", "@conveyor-game", "mine.trace"], "").code, 0);
    // After the touch the light has to answer in time, and cannot let the tester wait.
    let run = folder.tioga(&["play", "@smart-light", "-i"], "n\n1 5/2\n1 3/2\nu\nu\n1\nq\n");
    assert_eq!(run.code, 3, "{}", run.out);
    assert!(run.out.contains("time ends at 2: the system has to move by then"), "{}", run.out);
    assert!(run.out.contains("move 1 comes first after [0,2] only"), "{}", run.out);
    assert!(run.out.contains("time 1.5, rank (0, 2)"), "{}", run.out);
    assert!(run.out.contains("nothing to undo"), "{}", run.out);
    assert!(run.out.ends_with("given up after 3 moves and 0 time units\n"), "{}", run.out);
}

#[test]
fn json_tells_each_round() {
    let folder = Folder::new("play-json");
    let (_, _, result) = play(&folder, &["@conveyor-game", "--opponent", "lazy"]);
    let round = &result["rounds"][0];
    assert_eq!(round["rank"]["losses"], 1);
    assert_eq!(round["intention"]["do"], "play");
    assert_eq!(round["intention"]["action"], "ship2?");
    assert_eq!(round["intention"]["feared"][0], "waste!");
    assert_eq!(round["happened"]["by"], "tester");
    assert_eq!(result["end"]["locations"]["Belt"], "D2A");
    assert_eq!(result["opponent"], "lazy");
    assert_eq!(result["seed"], Value::Null);
}

#[test]
fn wrong_requests_are_refused() {
    let folder = Folder::new("play-bad");
    let game = "control: A<> Belt.D2A";
    for (args, code) in [
        (vec!["-q", "E<> Belt.D2A"], "wrong-query"),
        (vec!["-q", "control: A<> Belt.Nowhere"], "unknown-"),
        (vec!["-q", game, "-q", game], "many-queries"),
    ] {
        let run = folder.tioga(&[vec!["play", "@conveyor-game"], args].concat(), "");
        assert_eq!(run.code, 2, "{}{}", run.out, run.err);
        assert!(run.err.contains(code), "{}", run.err);
    }
    assert_eq!(folder.tioga(&["play", "-", "--interactive"], "").code, 2);
    assert_eq!(folder.tioga(&["play", "@smart-light", "-i", "--seed", "1"], "").code, 2);
}
