//! Every stage of two examples as the binary shows it, from the text to reports of a failing run,
//! compared with the files below `tests/goldens`. What differs from one machine to the next is masked.
//!
//! `TIOGA_BLESS=1 cargo test -p tioga-cli --test it goldens` writes the files anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::binary::{Folder, TIOGA};

/// An example and what is done with it.
struct Example {
    name: &'static str,
    /// A question of reachability.
    query: &'static str,
    /// What game to solve: on the deterministic view if a tester does not see everything.
    game: &'static [&'static str],
    /// What to replace in the example by what, to get a wrong system.
    wrong: (&'static str, &'static str),
    /// How the wrong system chooses.
    policy: &'static str,
}

const SMART_LIGHT: Example = Example {
    name: "smart-light",
    query: "E<> Light.Bright and Light.Tp > 1",
    game: &["@smart-light"],
    wrong: ("Tp <= 2", "Tp <= 3"),
    policy: "lazy",
};

/// Nondeterministic for an observer, so that there is something to determinize.
const CONVEYOR: Example = Example {
    name: "conveyor",
    query: "E<> Belt.Dest2 and Belt.x > 5",
    game: &["view.tioga", "-q", "control: A<> Belt.Dest2"],
    wrong: (": waste!", ": end1!"),
    policy: "hostile",
};

/// The stages in order: the golden of what a command prints, unless that is nothing; the command; the
/// files it writes.
const STAGES: [(&str, &str, &[&str]); 15] = [
    ("", "convert MODEL -o document.tioga", &["document.tioga"]),
    ("", "convert MODEL -o network.tck", &["network.tck"]),
    ("", "convert MODEL -o picture.dot", &["picture.dot"]),
    ("properties.txt", "check MODEL --properties", &[]),
    ("properties.json", "--format json check MODEL", &[]),
    ("reach.txt", "reach MODEL -q QUERY", &[]),
    ("reach.json", "--format json reach MODEL -q QUERY", &[]),
    ("determinize.txt", "determinize MODEL -o view.tioga", &["view.tioga"]),
    ("solve.txt", "solve GAME --ranks --strategy strategy.json", &["strategy.json"]),
    ("synth.txt", "synth MODEL -o suite.json", &["suite.json"]),
    (
        "run.txt",
        "run suite.json --sut model:MODEL --model MODEL --repeat 2 --seed 1 --journal right.journal",
        &["right.journal"],
    ),
    (
        "failing.txt",
        "run suite.json --sut model:wrong.tioga --model MODEL --repeat 2 --seed 1 --policy POLICY \
         --keep-going --journal wrong.journal",
        &["wrong.journal"],
    ),
    ("explain.txt", "explain wrong.journal", &[]),
    (
        "report.txt",
        "report wrong.journal --junit report.xml --tap report.tap --html report.html --json \
         report.json --ttcn report.ttcn --coverage coverage.svg",
        &["report.xml", "report.tap", "report.html", "report.json", "report.ttcn", "coverage.svg"],
    ),
    ("", "report wrong.journal --run 0 --diagram diagram.mmd", &["diagram.mmd"]),
];

/// All goldens of an example by name, as they are now.
fn made(example: &Example) -> BTreeMap<String, String> {
    let folder = Folder::new(example.name);
    let text = tioga_testkit::example_text(example.name);
    assert!(text.contains(example.wrong.0), "{} has no {}", example.name, example.wrong.0);
    folder.write("wrong.tioga", text.replace(example.wrong.0, example.wrong.1));
    let mut goldens = BTreeMap::new();
    for (shown, line, files) in STAGES {
        let words = line.split_whitespace().flat_map(|word| match word {
            "GAME" => example.game.iter().map(|word| (*word).to_owned()).collect(),
            "QUERY" => vec![example.query.to_owned()],
            "POLICY" => vec![example.policy.to_owned()],
            word => vec![word.replace("MODEL", &format!("@{}", example.name))],
        });
        let words: Vec<String> = words.collect();
        let mut command = Command::new(TIOGA);
        command.args(&words).current_dir(&folder.0).env("NO_COLOR", "1").env("COLUMNS", "100");
        let run = tioga_testkit::run(&mut command, b"");
        let printed = format!("{}{}exit {}\n", run.out, run.err, run.code);
        if shown.is_empty() {
            assert_eq!(printed, "exit 0\n", "{line}");
        } else {
            goldens.insert(shown.to_owned(), masked(&printed, &folder.0));
        }
        for file in files {
            assert!(folder.0.join(file).exists(), "`{line}` wrote no {file}: {printed}");
            let text = folder.read(file);
            let text = if file.ends_with(".journal") { events(&text) } else { text };
            goldens.insert((*file).to_owned(), masked(&text, &folder.0));
        }
    }
    goldens
}

/// The events of a journal: without the settings at its head, which repeat the suite, and without
/// checksums.
fn events(journal: &str) -> String {
    let event = |line: &str| match line.split_once(",\"after\":") {
        Some((event, _)) => format!("{event}}}\n"),
        None => format!("{line}\n"),
    };
    journal.lines().skip(1).map(event).collect()
}

/// The text without what differs between machines and versions: paths, versions, times, memory. The
/// style of pages is left out.
fn masked(text: &str, folder: &Path) -> String {
    let text = text.replace(folder.to_str().unwrap(), "FOLDER");
    let text = text.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    let text = match (text.find("<style>"), text.find("</style>")) {
        (Some(from), Some(to)) => format!("{}<style>STYLE{}", &text[..from], &text[to..]),
        _ => text,
    };
    text.split_inclusive('\n').map(masked_line).collect()
}

fn masked_line(line: &str) -> String {
    for key in ["\"seconds\": ", "\"peak_bytes\": "] {
        if let Some((before, value)) = line.split_once(key) {
            let rest = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            return format!("{before}{key}0{rest}");
        }
    }
    let mut words: Vec<&str> = line.split(' ').collect();
    for index in 1..words.len() {
        let time = words[index - 1].split_once('.').is_some_and(|(whole, part)| {
            [whole, part].iter().all(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        });
        if time && words[index].trim_end_matches([',', '\n']) == "s" {
            words[index - 1] = "TIME";
        }
    }
    words.join(" ")
}

fn goldens_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens").join(name)
}

/// The first line in which two texts differ, with both.
fn difference(expected: &str, actual: &str) -> String {
    let (mut left, mut right) = (expected.lines(), actual.lines());
    for number in 1.. {
        let (old, new) = (left.next(), right.next());
        if old != new {
            let shown = |line: Option<&str>| line.unwrap_or("nothing").to_owned();
            return format!("line {number}\n  was {}\n  is  {}", shown(old), shown(new));
        }
        if old.is_none() {
            break;
        }
    }
    "the end of the last line".to_owned()
}

fn compare(example: &Example) {
    let folder = goldens_of(example.name);
    let made = made(example);
    if std::env::var_os("TIOGA_BLESS").is_some() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in &made {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    let mut complaints = Vec::new();
    for (name, text) in &made {
        match fs::read_to_string(folder.join(name)) {
            Ok(expected) if expected == *text => {}
            Ok(expected) => complaints.push(format!("{name}, {}", difference(&expected, text))),
            Err(error) => complaints.push(format!("{name}: {error}")),
        }
    }
    for entry in fs::read_dir(&folder).into_iter().flatten() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !made.contains_key(&name) {
            complaints.push(format!("{name}: no stage makes it"));
        }
    }
    let hint = "`TIOGA_BLESS=1 cargo test -p tioga-cli --test it goldens` writes the files anew";
    assert!(complaints.is_empty(), "{}:\n{}\n\n{hint}", example.name, complaints.join("\n"));
}

#[test]
fn every_stage_of_the_smart_light_is_as_it_was() {
    compare(&SMART_LIGHT);
}

#[test]
fn every_stage_of_the_conveyor_is_as_it_was() {
    compare(&CONVEYOR);
}

#[test]
fn what_differs_between_machines_is_masked() {
    let text = "8 zones, 0.123 s, at 3.5 m\n\"seconds\": 0.001,\nin /x/y: 1\n<style>a</style>b\n";
    let expected =
        "8 zones, TIME s, at 3.5 m\n\"seconds\": 0,\nin FOLDER: 1\n<style>STYLE</style>b\n";
    assert_eq!(masked(text, Path::new("/x/y")), expected);
}
