//! No message names an option that the command lacks: every string of the sources that names one is
//! looked at, with the commands that can print it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::binary::Folder;
use tioga_testkit::root;

/// The commands that read models, with options that say how.
const READERS: &[&str] = &[
    "check",
    "simulate",
    "replay",
    "reach",
    "solve",
    "play",
    "synth",
    "certify",
    "test",
    "shrink",
    "monitor",
    "determinize",
    "product",
    "symbolic",
    "conform",
    "refines",
    "mutate",
    "mutation",
    "convert",
    "grid info",
];

/// The commands that may need a deterministic view.
const VIEWS: [&str; 4] = ["conform", "refines", "mutate", "mutation"];

/// Which commands print a message that names an option without naming the command: the file, what the
/// message begins with, and the commands.
const PRINTED_BY: &[(&str, &str, &[&str])] = &[
    ("cli/src/output.rs", "add `--from`", READERS),
    ("cli/src/text/explain.rs", "{} before {shown} left out", &["explain"]),
    ("views/src/results/play.rs", ", as many as --steps", &["play"]),
    ("views/src/shrink.rs", "name the system with `--sut`", &["studio"]),
    ("views/src/results/play.rs", "stopped {after}; --steps", &["play"]),
    ("views/src/results/play.rs", "the tester cannot enforce", &["play"]),
    ("cli/src/text/shrink.rs", "; `--model` allows", &["shrink"]),
    ("cli/src/text/shrink.rs", "there may be a shorter run", &["shrink"]),
    ("cli/src/text/determinize.rs", "the budget was exhausted", &["determinize"]),
    ("cli/src/text/campaign.rs", "`{resume} --keep-going`", &["resume"]),
    ("cli/src/commands/test.rs", "no --sut", &["test"]),
    ("cli/src/text/offer.rs", "say what to test with -p", &["synth", "test"]),
    ("cli/src/text/offer.rs", "-", &["test"]),
    ("cli/src/commands/shrink.rs", "choose a run that failed", &["shrink"]),
    ("cli/src/commands/simulate.rs", "`--json` and `--format json`", &["simulate"]),
    ("cli/src/commands/simulate.rs", "`--json` prints the trace", &["simulate"]),
    ("cli/src/commands/simulate.rs", "stopped after {made}", &["simulate"]),
    ("cli/src/commands/play/mod.rs", "give one -q", &["play"]),
    ("cli/src/commands/product.rs", "`--max-states` allows", &["product"]),
    ("cli/src/commands/symbolic.rs", "`--max-states` allows", &["symbolic"]),
    ("cli/src/text/symbolic.rs", "There are more controllable", &["symbolic"]),
    ("tioga/src/symbolic_testing/mod.rs", "name one with", &["symbolic"]),
    ("tioga/src/constants.rs", "give it one with `--set", READERS),
    ("tioga/src/constants.rs", "give other values with `--set`", READERS),
    ("tioga/src/symbolic_testing/mod.rs", "the embedded procedure decides", &["symbolic"]),
    ("tioga/src/symbolic_testing/asked.rs", "install it", &["symbolic"]),
    ("cli/src/commands/determinize.rs", "allow more with `--max-steps`", &["determinize"]),
    ("cli/src/commands/solve.rs", "give one with -q", &["solve", "play"]),
    ("cli/src/commands/solve.rs", "`--full-information` plays", &["solve", "play"]),
    ("cli/src/commands/convert.rs", "add `--to tioga`", &["convert"]),
    ("tioga/src/view.rs", "give one with `--max-constant`", &["determinize", "synth", "test"]),
    ("cli/src/commands/resume.rs", "leave out `--sut` and", &["resume"]),
    ("cli/src/commands/synth_method.rs", "write the suite with", &["synth"]),
    // What the reader of one file is started with.
    ("cli/src/commands/corpus.rs", "--format", &[]),
    ("cli/src/commands/corpus.rs", "--timeout", &[]),
    ("cli/src/commands/corpus.rs", "--memory", &[]),
    // What solvers are started with.
    ("smt/src/solver.rs", "--quiet", &[]),
    ("smt/src/solver.rs", "--lang=smt2", &[]),
    ("smt/src/solver.rs", "--incremental", &[]),
    ("smt/src/solver.rs", "--produce-models", &[]),
    ("cli/src/commands/complete.rs", "without `--method`", &["synth"]),
    ("cli/src/commands/complete.rs", "say how the suite is made", &["synth"]),
    ("cli/src/commands/machine/suite.rs", "add `--method g`", &["machine suite", "synth"]),
    ("cli/src/commands/machine/suite.rs", "--parts is for", &["machine suite"]),
    ("cli/src/commands/machine/suite.rs", "name another one", &["machine suite", "synth"]),
    ("cli/src/text/machine.rs", "unknown: the search", &["machine check"]),
    ("observe/src/log_form.rs", "a line has", &["monitor"]),
    ("observe/src/log_form.rs", "name it in `--map`", &["monitor"]),
    ("observe/src/log_form.rs", "the columns are", &["monitor"]),
    ("tioga/src/given.rs", "say with `--unit`", &["run", "test"]),
    ("tioga/src/machines/complaint.rs", "`--minimise` goes on", &["machine suite", "synth"]),
    ("tioga/src/machines/complaint.rs", "`--method hsi`", &["machine suite", "synth"]),
    ("cli/src/text/grid.rs", "a finer `--granularity`", &["grid info", "grid words", "grid count"]),
    ("cli/src/commands/grid/mod.rs", "`--max-steps` allows", &["grid count"]),
    ("cli/src/commands/grid/mod.rs", "there are more than", &["grid observe"]),
    ("cli/src/commands/grid/mod.rs", "`tioga grid info` says", &["grid build"]),
    (
        "cli/src/commands/grid/opened.rs",
        "`--max-states` allows",
        &["grid info", "grid build", "grid words", "grid count", "grid replay"],
    ),
    (
        "tioga/src/grids/automata.rs",
        "choose one with `-p`",
        &["grid words", "grid count", "grid replay"],
    ),
    ("tioga/src/grids/complaint.rs", "--bound", &["grid info", "grid words"]),
    ("tioga/src/grids/complaint.rs", "--granularity", &["grid info", "grid words", "synth"]),
    ("tioga/src/grids/complaint.rs", "--context-granularity", &["grid info", "grid words"]),
    ("tioga/src/confirm/complaint.rs", "`--max-states` allows", &["synth", "test"]),
    ("tioga/src/confirm/suite.rs", "`--max-states` allows", &["synth", "test"]),
    ("cli/src/commands/conform.rs", "  for {constants}", &["conform", "refines"]),
    ("tioga/src/conformance.rs", "`--clocks {}` and", &VIEWS),
    ("tioga/src/conformance.rs", "more steps may help", &VIEWS),
    ("tioga/src/synthesis/make.rs", "`--max-steps` allows", &["synth", "test", "mutation"]),
    ("cli/src/commands/synth.rs", "`--budget` is for suites", &["synth"]),
    ("cli/src/commands/synth.rs", "`--synth-timeout` limits", &["synth"]),
    ("cli/src/text/suite.rs", "... and {more} more", &["synth"]),
    ("viewer/src/campaign.rs", "no system under test was given", &["studio"]),
    ("viewer/src/server.rs", "without `--port`", &["studio"]),
    ("cli/src/text/suite.rs", "tests that rely on cooperation", &["synth", "test"]),
    ("cli/src/text/suite.rs", "a larger `--budget`", &["synth", "test"]),
    ("cli/src/text/suite.rs", "a larger `--memory`", &["synth", "test"]),
    ("cli/src/commands/synth_method.rs", "{option} is not about", &["synth", "test"]),
    ("cli/src/commands/synth_method.rs", "--purpose", &["synth", "test"]),
    ("cli/src/commands/synth_method.rs", "--granularity", &["synth", "test"]),
    ("cli/src/commands/synth_method.rs", "--words", &["synth", "test"]),
    ("tioga/src/monitor/session.rs", "use smaller constants", &["monitor"]),
    ("tioga/src/monitor/times.rs", "the model does not say", &["monitor"]),
    ("tioga/src/runs/calibrate.rs", "--in-latency 0..", &["run", "test"]),
    ("tioga/src/runs/calibrate.rs", "name a command or", &["calibrate"]),
    ("tioga/src/runs/calibrate.rs", "say it with `--unit`", &["calibrate"]),
    ("tioga/src/runs/undeclared.rs", "`tioga calibrate` measures", &["run", "test"]),
    ("tioga/src/runs/undeclared.rs", "`--in-latency 0..", &["run", "test"]),
    ("tioga/src/synthesis/make.rs", "`--max-states` allows", &["synth", "test", "mutation"]),
    (
        "tioga/src/games/observation.rs",
        "`--max-states` and `--memory` allow",
        &["solve", "play", "synth", "test", "mutation"],
    ),
    (
        "tioga/src/runs/campaign.rs",
        "leave out the limits of the system",
        &["run", "test", "resume", "replay", "shrink"],
    ),
    ("tioga/src/runs/campaign.rs", "leave out `--in-latency`", &["run", "test"]),
    ("tioga/src/runs/campaign.rs", "let them begin at 0", &["run", "test"]),
    ("tioga/src/runs/campaign.rs", "leave out `--protocol`", &["run", "test"]),
    ("tioga/src/runs/campaign.rs", "say it with `--unit`", &["run", "test"]),
    (
        "tioga/src/runs/systems.rs",
        "name the system with `--sut`",
        &["run", "test", "resume", "replay", "shrink"],
    ),
];

/// Strings that look like options and are none.
const NO_OPTIONS: &[&str] = &["<!--hole-->", "&lt;!--hole--&gt;", "./light --json", "--exact"];

/// The options of a command, as its help says.
fn options(folder: &Folder, command: &str) -> BTreeSet<String> {
    // Options directly after the name of the program are those of all commands.
    let words: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
    let run = folder.tioga(&words, "");
    assert_eq!(run.code, 0, "{command}: {}", run.err);
    let mut found = BTreeSet::new();
    for line in run.out.lines().map(str::trim_start).filter(|line| line.starts_with('-')) {
        let words = line.split([' ', ',']).take_while(|word| !word.starts_with('<'));
        found.extend(words.filter(|word| word.starts_with('-')).map(str::to_owned));
        let aliases = line.split("[aliases: ").nth(1).map(|rest| rest.trim_end_matches(']'));
        found.extend(aliases.into_iter().flat_map(|list| list.split(", ")).map(str::to_owned));
    }
    found
}

/// The options that a text names, each with the command that it names before it, if any.
fn named(text: &str) -> Vec<(Option<String>, String)> {
    let mut found = Vec::new();
    // A command counts up to the end of what is quoted with it.
    for part in text.split(['`', '\n', ';']) {
        let mut command = None;
        let mut words = part.split([' ', ',', '(', ')']).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            if word == "tioga" {
                let next = words.peek().filter(|word| !word.starts_with('-'));
                command = Some(next.map_or_else(String::new, |word| (*word).to_owned()));
                continue;
            }
            let name = word.split('=').next().unwrap_or(word).trim_end_matches(['.', ':', '\'']);
            let letters =
                |text: &str| text.chars().all(|one| one.is_ascii_lowercase() || one == '-');
            let long = name
                .strip_prefix("--")
                .is_some_and(|rest| rest.len() > 1 && letters(rest) && !rest.starts_with('-'));
            let short =
                name.len() == 2 && name.starts_with('-') && letters(&name[1..]) && name != "--";
            if long || short {
                found.push((command.clone(), name.to_owned()));
            }
        }
    }
    found
}

/// The string literals of a source, without its tests and comments.
fn literals(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]").next().unwrap_or(text);
    let mut found = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '/' if characters.peek() == Some(&'/') => {
                characters.by_ref().find(|one| *one == '\n');
            }
            // A character, which may be a quote; a lifetime has no second quote.
            '\'' => {
                let mut ahead = characters.clone();
                let first = ahead.next();
                let second = ahead.next();
                if first == Some('\\') || second == Some('\'') {
                    characters.next();
                    if first == Some('\\') {
                        characters.next();
                    }
                }
            }
            '"' => {
                let mut literal = String::new();
                while let Some(one) = characters.next() {
                    match one {
                        '"' => break,
                        '\\' => match characters.next() {
                            Some('\n') => {
                                while characters.peek().is_some_and(|one| one.is_whitespace()) {
                                    characters.next();
                                }
                            }
                            Some('n') => literal.push('\n'),
                            Some(other) => literal.push(other),
                            None => {}
                        },
                        other => literal.push(other),
                    }
                }
                found.push(literal);
            }
            _ => {}
        }
    }
    found
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_message_names_an_option_that_the_command_lacks() {
    let folder = Folder::new("messages");
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut has = |command: &str, option: &str| {
        let own = known.entry(command.to_owned()).or_insert_with(|| options(&folder, command));
        own.contains(option)
    };
    let crates = root().join("crates");
    let mut files = Vec::new();
    for entry in fs::read_dir(&crates).unwrap() {
        let source = entry.unwrap().path().join("src");
        // What the command line says about itself is checked where it is defined.
        if source.is_dir() && !source.ends_with("testkit/src") {
            sources(&source, &mut files);
        }
    }
    files.sort();
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for file in files {
        let name = file.strip_prefix(&crates).unwrap().to_str().unwrap().to_owned();
        if name.starts_with("cli/src/args/") {
            continue;
        }
        for literal in literals(&fs::read_to_string(&file).unwrap()) {
            // A shell gets `-c`.
            if literal == "-c" || NO_OPTIONS.iter().any(|one| literal.contains(one)) {
                continue;
            }
            for (command, option) in named(&literal) {
                if let Some(command) = command {
                    if !has(&command, &option) {
                        wrong.push(format!("{name}: `tioga {command}` has no {option}: {literal}"));
                    }
                    continue;
                }
                let row = PRINTED_BY
                    .iter()
                    .position(|(file, start, _)| *file == name && literal.starts_with(start));
                let Some(row) = row else {
                    wrong.push(format!("{name}: which commands print this? {literal}"));
                    continue;
                };
                used.insert(row);
                for command in PRINTED_BY[row].2 {
                    if !has(command, &option) {
                        wrong.push(format!("{name}: `{command}` has no {option}: {literal}"));
                    }
                }
            }
        }
    }
    for (row, (file, start, _)) in PRINTED_BY.iter().enumerate() {
        if !used.contains(&row) {
            wrong.push(format!("{file}: there is no such message any more: {start}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn options_are_found_in_texts() {
    let names = |text: &str| -> Vec<String> {
        let shown = |(command, option): (Option<String>, String)| {
            format!("{} {option}", command.unwrap_or_default())
        };
        named(text).into_iter().map(shown).collect()
    };
    assert_eq!(names("say it with `--unit`, or so"), [" --unit"]);
    assert_eq!(names("see `tioga synth M -o F`; --from"), ["synth -o", " --from"]);
    assert!(names("a -> b, x - 1, p --> q, 'a-b'").is_empty());
    assert_eq!(literals("'\"' \"a\" // \"b\"\n\"c\\\"d\""), ["a", "c\"d"]);
}

#[test]
fn where_hidden_moves_keep_from_making_test_cases_online_testing_is_offered_and_works() {
    let folder = Folder::new("messages-online");
    // Two processes may say `b`, and there are too many values to make a deterministic view.
    folder.write(
        "wide.tioga",
        "input a; output b; int[0,1000000] n = 0;
         automaton A { init location L; L -> self : a? when n < 1000000 do n = n + 1; L -> self : b! when n == 1 do n = 2; }
         automaton B { init location M; location N; M -> N : b! when n == 1000000; }",
    );
    for command in ["synth", "test"] {
        let line = [command, "wide.tioga", "-p", "reach B.N", "--max-states", "200"];
        let run = folder.tioga(&line, "");
        assert_eq!(run.code, 3, "{}{}", run.out, run.err);
        let offer = "`tioga test wide.tioga --online -p 'reach B.N'`";
        assert!(run.err.contains(offer), "{}", run.err);
        assert!(!run.err.contains("--full-information") && !run.err.contains("-q"), "{}", run.err);
    }
    let run = folder.tioga(&["test", "wide.tioga", "--online", "-p", "reach B.N"], "");
    assert!([0, 5].contains(&run.code), "{}{}", run.out, run.err);
    let run = folder.tioga(&["test", "@conveyor", "-p", "reach Belt.Dest2", "--online"], "");
    assert!([0, 5].contains(&run.code), "{}{}", run.out, run.err);
}

#[test]
fn a_file_of_unknown_format_is_renamed_where_no_option_says_the_format() {
    let folder = Folder::new("messages-format");
    folder.write("light.model", "");
    let made = folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    for line in [
        &["run", "light.json", "--sut", "model:light.model"][..],
        &["run", "light.json", "--model", "light.model", "--sut", "model:@smart-light"],
        &["test", "@smart-light", "--purposes-only", "--sut", "model:light.model"],
    ] {
        let run = folder.tioga(line, "");
        assert_eq!(run.code, 2, "{}{}", run.out, run.err);
        assert!(run.err.contains("rename the file") && !run.err.contains("--from"), "{}", run.err);
    }
    let run = folder.tioga(&["check", "light.model"], "");
    assert!(run.err.contains("add `--from`"), "{}", run.err);
}
