//! The answers the games are meant to have, checked without solving a game.
//!
//! Who claims to win a game has a plan. A plan leaves a player fewer moves, so a game with a plan
//! written into it is an ordinary model, and whether the plan works is a question of reachability.

use clap::Parser;
use tioga_base::{Diagnostics, FileId};
use tioga_explore::SearchOptions;
use tioga_families::{Family, Format};
use tioga_model::{Control, Formula, Model, Predicate};
use tioga_parse::{Options, parse};
use tioga_symbolic::{Abstraction, Answer, Reach, ZoneGraph};
use tioga_testkit::{lower, model};

#[derive(Parser)]
struct Line {
    #[command(subcommand)]
    family: Family,
}

fn text(line: &str) -> String {
    let words = std::iter::once("families").chain(line.split(' '));
    Line::try_parse_from(words).unwrap().family.text(Format::Tioga).unwrap()
}

fn read(format: tioga_parse::Format, text: &str, options: &Options) -> Model {
    let network = lower(format, text, options).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
    network.validate().unwrap_or_else(|diagnostics| panic!("{diagnostics:?}\n{text}"))
}

/// The text with a plan: each first part, which must occur, is replaced by the second.
fn planned(line: &str, plan: &[(&str, &str)]) -> String {
    plan.iter().fold(text(line), |text, (old, new)| {
        assert!(text.contains(old), "{line}: there is no `{old}`");
        text.replace(old, new)
    })
}

/// Whether the formula `E<> p` or `A[] p` holds.
fn holds(text: &str, formula: &str) -> bool {
    let end = text.find("query ").unwrap();
    let model = model(&format!("{}query {formula};", &text[..end]));
    let query = &model.queries[0];
    let (goal, wanted) = match &query.formula {
        Formula::Reachable(goal) => (goal, true),
        Formula::Always { outside } => (outside, false),
        other => panic!("{other:?}"),
    };
    let graph = ZoneGraph::new(&model, Abstraction::LuPlus, &[goal]).unwrap();
    let asked: Option<(&Predicate, _)> = Some((goal, query.span));
    match Reach::ask(&graph, asked, &SearchOptions::default(), &mut |_| {}).answer {
        Answer::Reachable(_) => wanted,
        Answer::Unreachable => !wanted,
        Answer::Unknown(reason) => panic!("{formula}: {reason}"),
    }
}

/// The number of symbolic states.
fn states(line: &str) -> u64 {
    let model = model(&text(line));
    let graph = ZoneGraph::new(&model, Abstraction::LuPlus, &[]).unwrap();
    let reach = Reach::ask(&graph, None, &SearchOptions::default(), &mut |_| {});
    assert_eq!(reach.answer, Answer::Unreachable, "{line}");
    reach.outcome.statistics.stored
}

#[test]
fn a_node_that_loses_every_message_keeps_all_purposes_of_lep_away() {
    for line in ["lep 3", "lep 4 2", "lep 6"] {
        let silent = planned(
            line,
            &[
                ("take! when used < SLOTS", "take! when false"),
                ("when t >= patience()", "when false"),
            ],
        );
        assert!(holds(&silent, "A[] used == 0 && !IUT.forward"), "{line}");
        // The node is never forced to do something else.
        assert!(holds(&silent, "A[] !deadlock"), "{line}");
    }
}

#[test]
fn a_node_that_helps_lets_all_purposes_of_lep_be_reached() {
    for line in ["lep 3", "lep 4 2", "lep 9 1"] {
        let text = text(line);
        assert!(holds(&text, "E<> exists (i : BufferId) inUse[i] == 1"), "{line}");
        assert!(holds(&text, "E<> IUT.bufferInfo == 1 and IUT.forward"), "{line}");
        assert!(holds(&text, "E<> forall (i : BufferId) inUse[i] == 1"), "{line}");
    }
}

#[test]
fn the_data_of_lep_is_consistent() {
    for line in ["lep 3", "lep 3 2 1"] {
        let text = text(line);
        assert!(holds(&text, "A[] used == sum (i : BufferId) inUse[i]"), "{line}");
        assert!(holds(&text, "A[] IUT.forward imply leader < IUT.me && IUT.bufferInfo == leader"));
        assert!(holds(&text, "A[] leader <= IUT.me && (leader == IUT.me) == (distance == 0)"));
        assert!(holds(&text, "A[] !deadlock"), "{line}");
    }
}

/// The controller starts the next job at once, which an urgent channel expresses.
#[test]
fn jobs_are_in_time_if_the_slack_is_not_negative() {
    let eager = [
        ("bool busy;", "bool busy;\nurgent broadcast chan hurry;"),
        ("-c-> Running : when", "-c-> Running : hurry! when"),
    ];
    let slow = [("when x >= AT_LEAST", "when x >= AT_MOST")];
    for jobs in 1..=6 {
        for slack in [-2, -1, 0, 1] {
            let line = format!("jobs {jobs} {slack}");
            let late = "A[] t > D imply forall (i : Id) Job(i).Done";
            assert_eq!(holds(&planned(&line, &eager), late), slack >= 0, "{line}");
            let in_time = "E<> t <= D && forall (i : Id) Job(i).Done";
            assert_eq!(holds(&planned(&line, &slow), in_time), slack >= 0, "{line}");
        }
    }
    // The longest durations are 5, 7, 4 and 6, the shortest 2, 3, 1 and 2.
    assert!(text("jobs 4").contains("const int D = 22;"));
    for (line, helped) in [("jobs 4 -14", true), ("jobs 4 -15", false)] {
        let in_time = "E<> t <= D && forall (i : Id) Job(i).Done";
        assert_eq!(holds(&text(line), in_time), helped, "{line}");
        let claimed = text(line).contains("holds: each job may take its shortest");
        assert_eq!(claimed, helped, "{line}");
    }
}

/// The controller stops a train as soon as it is near if another one has the bridge, and sends one
/// on when nobody has.
#[test]
fn trains_can_be_kept_apart() {
    let plan = [
        ("bool crossed[N];", "bool taken;\nbool crossed[N];"),
        ("Away -u-> Near : do x = 0", "Away -u-> Near : when !taken do x = 0, taken = true"),
        ("Near -c-> Halted : when x <= 10", "Away -u-> Halted : when taken"),
        (
            "Halted -c-> Starting : do x = 0",
            "Halted -c-> Starting : when !taken do x = 0, taken = true",
        ),
        (
            "Crossing -u-> Away : when x >= 3 do x = 0",
            "Crossing -u-> Away : when x >= 3 do x = 0, taken = false",
        ),
    ];
    let apart =
        "A[] forall (i : Id) forall (j : Id) Train(i).Crossing && Train(j).Crossing imply i == j";
    for line in ["train-game 2", "train-game 3"] {
        assert!(holds(&planned(line, &plan), apart), "{line}");
        assert!(!holds(&text(line), apart), "{line}: there is nothing to control");
        assert!(holds(&text(line), "E<> forall (i : Id) Train(i).Near"), "{line}");
    }
}

/// The controller moves the robot round and round, and never waits without need.
#[test]
fn plates_get_through_the_production_cell_if_the_gap_is_long_enough() {
    let plan = [
        ("bool armA", "urgent broadcast chan hurry;\nbool armA"),
        ("p != place do", "p == (place + 1) % 4 && ready() do"),
        ("Turning : for p", "Turning : hurry! for p"),
        (
            "  init location Standing;",
            "  bool ready() {
    return place == FEED && armA || place == LOAD && !armA || place == UNLOAD && armB
        || place == DEPOSIT && !armB;
  }
  init location Standing;",
        ),
        ("OnArmA : when", "OnArmA : hurry! when"),
        ("-c-> InPress : when", "-c-> InPress : hurry! when"),
        ("OnArmB : when", "OnArmB : hurry! when"),
        ("-c-> Done : when", "-c-> Done : hurry! when"),
    ];
    let safe = "A[] forall (i : Id) not Plate(i).Fallen";
    for line in ["production-cell 1", "production-cell 2", "production-cell 3"] {
        let planned = planned(line, &plan);
        assert!(holds(&planned, safe), "{line}");
        assert!(holds(&planned, "A[] g > 30 imply forall (i : Id) Plate(i).Done"), "{line}");
        assert!(!holds(&text(line), safe), "{line}: there is nothing to control");
    }
    assert!(!holds(&planned("production-cell 2 0", &plan), safe));
    assert!(holds(&text("production-cell 2 0"), "E<> forall (i : Id) Plate(i).Done"));
}

/// Whoever solves the games finds there what to compare with.
#[test]
fn every_query_tells_its_answer() {
    let lines = ["lep 3", "jobs 4", "jobs 4 -1", "train-game 2", "production-cell 4"];
    for line in lines {
        for query in &model(&text(line)).queries {
            let comment = query.comment.as_deref().unwrap();
            assert!(comment.starts_with("holds") || comment.starts_with("fails"), "{comment}");
        }
    }
}

#[test]
fn both_players_have_moves() {
    for line in ["lep 3", "jobs 1", "train-game 2", "production-cell 1"] {
        let model = model(&text(line));
        for player in [Control::Controllable, Control::Uncontrollable] {
            let mut edges = model.processes.iter().flat_map(|process| &process.edges);
            assert!(edges.any(|edge| edge.control == player), "{line}: {player:?}");
        }
    }
}

#[test]
fn games_grow_with_every_part() {
    let series: [&[&str]; 4] = [
        &["lep 3 1 1", "lep 3 1", "lep 3 2", "lep 3", "lep 4 3"],
        &["jobs 1", "jobs 2", "jobs 5", "jobs 8"],
        &["train-game 2", "train-game 3"],
        &["production-cell 1", "production-cell 2", "production-cell 3"],
    ];
    for lines in series {
        let sizes: Vec<u64> = lines.iter().map(|line| states(line)).collect();
        assert!(sizes.windows(2).all(|pair| 2 * pair[0] <= pair[1]), "{lines:?}: {sizes:?}");
    }
}

/// UPPAAL's language has no word for the environment, so it is given anew.
#[test]
fn games_can_be_written_for_uppaal() {
    for line in ["lep 3", "jobs 3", "train-game 3", "production-cell 2"] {
        let text = text(line);
        let mut diagnostics = Diagnostics::new();
        let document = parse(tioga_parse::Format::Tioga, FileId(0), &text, &mut diagnostics);
        let printed = tioga_parse::uppaal::print_xml(&document.unwrap()).unwrap();
        let (environment, inputs, outputs): (&[&str], &[&str], &[&str]) = match line {
            "lep 3" => (
                &["Nodes", "Buffer"],
                &["address", "deliver"],
                &["take", "ignore", "timeout", "send"],
            ),
            _ => (&[], &[], &[]),
        };
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let options = Options {
            environment: names(environment),
            inputs: names(inputs),
            outputs: names(outputs),
            ..Options::default()
        };
        let again = read(tioga_parse::Format::UppaalXml, &printed, &options);
        let ours = model(&text);
        let controls = |model: &Model| -> Vec<Control> {
            let edges = model.processes.iter().flat_map(|process| &process.edges);
            edges.map(|edge| edge.control).collect()
        };
        assert_eq!(controls(&again), controls(&ours), "{line}");
        assert_eq!(again.clocks.len(), ours.clocks.len(), "{line}");
        assert_eq!(again.queries.len(), ours.queries.len(), "{line}");
    }
}
