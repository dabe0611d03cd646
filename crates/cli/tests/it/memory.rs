//! Memory grows with the size of a model and not with its square, and `--memory` is obeyed.
#![cfg(target_os = "linux")]

use crate::binary::{Folder, Json, Measured};

/// A system with so many edges in a row, each an answer or a request that comes in time; it may stay at the end.
pub fn chain(edges: usize) -> String {
    let mut text = "model chain;\ninput a;\noutput b;\nautomaton A {\n  clock x;\n".to_owned();
    for place in 0..=edges {
        let init = if place == 0 { "init " } else { "" };
        let limit = if place % 2 == 1 && place < edges { " invariant x <= 3" } else { "" };
        text.push_str(&format!("  {init}location L{place}{limit};\n"));
    }
    for place in 0..edges {
        let (label, next) = (if place % 2 == 0 { "a?" } else { "b!" }, place + 1);
        text.push_str(&format!("  L{place} -> L{next} : {label} when x >= 1 do x = 0;\n"));
    }
    text + "}\n"
}

/// The most bytes that a command has allocated at a time on a chain.
fn peak(command: &[&str], edges: usize) -> Option<u64> {
    let folder = Folder::new(&format!("{}_{edges}", command[0]));
    folder.write("chain.tioga", chain(edges));
    let (run, peak) = folder.allocated(&[command, &["--threads", "1"]].concat())?;
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    Some(peak)
}

/// Twice as much may take somewhat more than twice the memory, since tables double. The growth from a half is looked at,
/// which leaves out what does not depend on the size.
fn is_about_twice(command: &[&str], edges: usize) {
    let sizes = [edges / 2, edges, 2 * edges];
    let [Some(half), Some(one), Some(two)] = sizes.map(|edges| peak(command, edges)) else {
        return;
    };
    println!("{command:?}: {half} bytes, {one} for {edges} edges, {two} for {}", 2 * edges);
    let (first, second) = (one.saturating_sub(half), two.saturating_sub(one));
    assert!(second * 10 < first * 26, "{command:?}: {half} bytes, {one}, then {two}");
}

#[test]
fn memory_of_synthesis_grows_with_the_number_of_edges() {
    is_about_twice(
        &["synth", "chain.tioga", "--cover", "edges", "--each", "-o", "suite.json"],
        100,
    );
}

#[test]
fn memory_of_synthesis_as_json_grows_with_the_number_of_edges() {
    is_about_twice(
        &["--format", "json", "synth", "chain.tioga", "--cover", "edges", "--each"],
        100,
    );
}

#[test]
fn memory_of_mutants_grows_with_the_number_of_edges() {
    is_about_twice(&["mutate", "chain.tioga", "--operators", "guard", "-o", "out"], 50);
}

/// It was 96 MB when suites kept all games and test cases.
#[test]
fn a_suite_for_four_trains_takes_a_tenth_of_what_all_its_games_take() {
    let folder = Folder::new("memory-trains");
    let gate = folder.tioga(&["examples", "train-gate"], "").out;
    assert!(gate.contains("const int N = 3;"), "{gate}");
    folder.write("gate.tioga", gate.replace("const int N = 3;", "const int N = 4;"));
    let line = ["synth", "gate.tioga", "--cover", "edges", "--threads", "1", "-o", "suite.json"];
    let Some((run, peak)) = folder.allocated(&line) else { return };
    assert_eq!(run.code, 0, "{}", run.err);
    println!("{peak} bytes");
    assert!(peak < 10 << 20, "{peak} bytes");
}

#[test]
fn suites_by_fixed_words_are_printed_without_being_kept() {
    let folder = Folder::new("memory-machine");
    let arguments = ["machine", "suite", "@fsm-29", "--method", "w", "--extra-states", "15"];
    let Some((run, peak)) = folder.allocated(&arguments) else { return };
    assert_eq!(run.code, 0, "{}", run.err);
    let tests = run.out.lines().count();
    println!("{tests} tests with {peak} bytes");
    assert_eq!(tests, 327_680);
    // The inputs alone are more.
    assert!(peak < 2 << 20, "{peak} bytes");
}

#[test]
fn complete_suites_as_json_are_not_kept() {
    let folder = Folder::new("memory-complete");
    let line = ["--format", "json", "synth", "@fsm-29", "--method", "w", "--extra-states"];
    let peak = |extra: &str| {
        let (run, peak) = folder.allocated(&[&line[..], &[extra]].concat())?;
        assert_eq!(run.code, 0, "{}", run.err);
        Some((run.json()["result"]["suite"]["cases"].as_array().unwrap().len(), peak))
    };
    let (Some(few), Some(many)) = (peak("3"), peak("9")) else { return };
    println!("{few:?}, {many:?} cases and bytes");
    assert!(many.0 > 60 * few.0);
    assert!(many.1 < few.1 + (1 << 20), "{} bytes, then {}", few.1, many.1);
}

/// A model that has as many states as memory allows.
fn endless() -> String {
    let mut text = "model endless;\ninput a;\noutput b;\n".to_owned();
    text.push_str("int[0,1000000] n = 0; int[0,1000000] m = 0;\n");
    text.push_str("automaton A {\n  clock x;\n  init location L;\n");
    text.push_str("  L -> self : a? when n < 1000000 do n = n + 1, x = 0;\n");
    text.push_str("  L -> self : b! when m < 1000000 do m = m + 1;\n}\n");
    text
}

#[test]
fn a_memory_limit_is_obeyed() {
    let folder = Folder::new("limit");
    folder.write("endless.tioga", endless());
    let most: u64 = 60 << 20;
    for line in [
        "reach endless.tioga --all --memory 60M",
        "solve endless.tioga -q control:A<>n==1000000 --memory 60M",
        "synth endless.tioga -p @reach --max-states 100000000 --memory 60M",
        "test endless.tioga -p @reach --max-states 100000000 --memory 60M",
        "conform endless.tioga endless.tioga --memory 60M",
        "mutate endless.tioga --max-states 100000000 --memory 60M",
        "mutation endless.tioga --cover locations --max-states 100000000 --memory 60M",
        "determinize endless.tioga -p P --max-steps 1000000000 --memory 60M",
    ] {
        let line = line.replace("endless.tioga -p P", "endless.tioga");
        let words = line.split(' ').map(|word| word.replace("@reach", "reach n==1000000"));
        let words: Vec<String> = words.collect();
        let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        let Measured { run, peak, .. } = folder.measured(&arguments);
        let told = format!("{line}: {} with {peak} bytes\n{}{}", run.code, run.out, run.err);
        if line.starts_with("determinize") || line.starts_with("mutation") {
            // These find out that there is nothing to do, or do it.
            assert!([0, 3].contains(&run.code), "{told}");
        } else {
            assert_eq!(run.code, 3, "{told}");
        }
        assert!(peak < most + most / 4, "{told}");
    }
}

#[test]
fn a_limit_of_the_operating_system_is_no_end_by_signal() {
    let folder = Folder::new("ulimit");
    folder.write("endless.tioga", endless());
    let line = ["reach", "endless.tioga", "--all", "--threads", "1"];
    let Measured { run, .. } = folder.start("ulimit -v 500000;", &line).finish();
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
}
