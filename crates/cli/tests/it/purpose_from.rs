//! Purposes from runs, through the real binary: of simulations, of journals, and of systems that do not conform.

use crate::binary::{Folder, Json, Run};
use serde_json::Value;

fn tioga(folder: &Folder, line: &str) -> Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

/// The counts of the only test case of a campaign.
fn counts(folder: &Folder, line: &str) -> (String, Value) {
    let run = tioga(folder, &format!("--format json {line}"));
    let cases = run.json()["result"]["cases"].take();
    assert_eq!(cases.as_array().map(Vec::len), Some(1), "{}{}", run.out, run.err);
    (cases[0]["name"].as_str().unwrap().to_owned(), cases[0].clone())
}

/// What was seen in a run of a campaign: `at 20 sent touch`, …
fn seen(folder: &Folder, journal: &str, number: u64) -> Vec<String> {
    let run = tioga(folder, &format!("explain {journal} --run {number} --last 100"));
    let lines = run.out.lines().filter_map(|line| line.strip_prefix("step "));
    let lines = lines.filter_map(|line| line.split_once(": at "));
    lines.map(|(_, what)| what.to_owned()).collect()
}

#[test]
fn a_simulated_run_is_tested_again() {
    let folder = Folder::new("purpose-simulated");
    assert_eq!(tioga(&folder, "simulate @smart-light --seed 3 --steps 8 -o s.trace").code, 0);
    let trace = folder.read("s.trace");
    let shown: Vec<&str> = trace
        .lines()
        .filter_map(|line| line.strip_prefix("input ").or(line.strip_prefix("output ")))
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(shown.len() >= 6, "{trace}");
    // Only the choice between outputs is left to the system, twice between two: windows suffice where the very same
    // moments take luck.
    let of = |more: &str| {
        let line = format!(
            "test @smart-light --purpose-from s.trace{more} --repeat 300 --keep-going --no-journal"
        );
        tioga(&folder, &format!("--format json {line}")).json()["result"]["cases"][0].take()
    };
    let (windows, instants) = (of(""), of(" --purpose-slack 0"));
    assert_eq!((&windows["fail"], &instants["fail"]), (&0.into(), &0.into()));
    assert!(windows["pass"].as_u64() >= Some(50), "{windows}");
    assert!(instants["pass"].as_u64() < Some(10), "{instants}");
    let line =
        "test @smart-light --purpose-from s.trace --purpose-slack 3 --repeat 300 --keep-going";
    let run = tioga(&folder, &format!("--format json {line} --journal s.journal"));
    let result = run.json()["result"].take();
    let of = &result["cases"][0];
    assert_eq!((&of["name"], &of["fail"]), (&"Run_s".into(), &0.into()), "{of}");
    let runs = result["runs"].as_array().unwrap();
    let passed: Vec<u64> = runs
        .iter()
        .filter(|run| run["outcome"] == "pass")
        .map(|run| run["run"].as_u64().unwrap())
        .collect();
    assert!(!passed.is_empty(), "{of}");
    for number in passed {
        let seen = seen(&folder, "s.journal", number);
        let seen: Vec<&str> = seen.iter().filter_map(|line| line.rsplit(' ').next()).collect();
        assert_eq!(seen, shown);
    }
}

#[test]
fn a_run_of_a_journal_is_a_purpose_with_its_moments() {
    let folder = Folder::new("purpose-journal");
    let line = "test @smart-light --purposes-only --policy eager --repeat 3 --journal e.journal --sut model:@smart-light";
    assert_eq!(tioga(&folder, line).code, 0);
    let line = "test @smart-light --purpose-from e.journal:2 --policy eager --repeat 5";
    let (name, of) = counts(&folder, line);
    assert_eq!((name.as_str(), &of["pass"]), ("Run_e_2", &5.into()), "{of}");
    let line =
        "test @smart-light --purpose-from e.journal:2 --policy eager --journal again.journal";
    assert_eq!(tioga(&folder, line).code, 0);
    assert_eq!(seen(&folder, "again.journal", 0), seen(&folder, "e.journal", 2));
    // A system that is late does something else: the run is not the one that was wanted.
    let lazy = "test @smart-light --purpose-from e.journal:2 --policy lazy";
    let (_, of) = counts(&folder, &format!("{lazy} --purpose-slack 0"));
    assert_eq!(of["inconclusive"], 1, "{of}");
    let (_, of) = counts(&folder, lazy);
    assert_eq!(of["pass"], 1, "{of}");
    assert_eq!(tioga(&folder, "synth @smart-light --purpose-from e.journal:9").code, 2);
}

/// A light whose answer may be wrong, and one whose answer may be late.
const RIGHT: &str = "
input press;
output on, off;
automaton Light {
  clock x;
  init location Dark;
  location Asked invariant x <= 4;
  location Bright;
  Dark -> Asked : press? do x = 0;
  Asked -> Bright : on! when x >= 1;
  Bright -> Dark : press?;
}
";

#[test]
fn the_witness_of_a_system_that_does_not_conform_makes_a_test_case_that_it_fails() {
    let folder = Folder::new("purpose-witness");
    folder.write("right.tioga", RIGHT);
    let wrong =
        RIGHT.replace("on! when x >= 1;", "on! when x >= 1;\n  Asked -> Dark : off! when x >= 2;");
    let late = RIGHT.replace("x <= 4", "x <= 9");
    let spontaneous = RIGHT
        .replace("Bright -> Dark : press?;", "Bright -> Dark : press?;\n  Bright -> Dark : off!;");
    for (name, text) in [("wrong", wrong), ("late", late), ("spontaneous", spontaneous)] {
        folder.write(&format!("{name}.tioga"), text);
        let run = tioga(&folder, &format!("conform {name}.tioga right.tioga -o {name}.trace"));
        assert_eq!(run.code, 1, "{name}: {}", run.out);
        let line = format!("synth right.tioga --purpose-from {name}.trace -o {name}.json");
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 0, "{name}: {}{}", run.out, run.err);
        let run = tioga(&folder, &format!("certify right.tioga {name}.json"));
        assert_eq!(run.code, 0, "{name}: {}{}", run.out, run.err);
        let line = format!("run {name}.json --repeat 100 --keep-going --policy fair --no-journal");
        let (case, of) = counts(&folder, &format!("{line} --sut model:{name}.tioga"));
        assert_eq!(case, format!("Run_{name}"));
        assert!(of["fail"].as_u64() > Some(0), "{name}: {of}");
        let (_, of) = counts(&folder, &format!("{line} --sut model:right.tioga"));
        assert_eq!(of["fail"], 0, "{name}: {of}");
        assert!(of["pass"].as_u64() > Some(0), "{name}: {of}");
    }
    // Only purposes may be added to the model that is certified.
    let suite = folder.read("wrong.json");
    let more = suite.replacen("\\npurpose Run_wrong", "\\nint more;\\npurpose Run_wrong", 1);
    assert_ne!(suite, more);
    folder.write("more.json", more);
    assert_eq!(tioga(&folder, "certify right.tioga more.json").code, 1);
    // A run that failed is as good as a witness.
    let line = "test right.tioga --online --repeat 50 --sut model:wrong.tioga --journal o.journal";
    assert_eq!(tioga(&folder, line).code, 1);
    let line = "test right.tioga --purpose-from o.journal --purpose-slack 4 --repeat 100 --sut model:wrong.tioga";
    assert_eq!(tioga(&folder, line).code, 1);
}

#[test]
fn what_is_no_run_of_the_model_is_explained() {
    let folder = Folder::new("purpose-wrong");
    folder.write("right.tioga", RIGHT);
    let code = |trace: &str| {
        folder.write("t.trace", format!("tioga-trace 1\nmodel m\n{trace}"));
        let run = tioga(&folder, "--format json synth right.tioga --purpose-from t.trace");
        assert_eq!(run.code, 2, "{}", run.out);
        run.json()["diagnostics"][0]["code"].as_str().unwrap().to_owned()
    };
    assert_eq!(code("delay 1\n"), "empty-run");
    assert_eq!(code("input press\ninput press\n"), "no-such-run");
    let run = tioga(&folder, "synth right.tioga --purpose-from nothing.trace");
    assert_eq!(run.code, 2);
    let run = tioga(&folder, "test right.tioga --online --purpose-from t.trace");
    assert_eq!(run.code, 2);
}

/// The light in the languages of other tools: the text, and how to name what is different in it.
const FOREIGN: [(&str, &str); 3] = [
    (
        "xta",
        "chan press, on, off; clock x;
process Light() {
  state Dark, Asked { x <= 4 }, Bright;
  init Dark;
  trans Dark -> Asked { sync press?; assign x := 0; },
        Asked -> Bright { guard x >= 1; sync on!; }, // MORE
        Bright -> Bright { guard x < 0; sync off!; },
        Bright -> Dark { sync press?; };
}
system Light;
",
    ),
    (
        "xml",
        "<nta><declaration>chan press, on, off; clock x;</declaration>
<template><name>Light</name>
<location id=\"a\"><name>Dark</name></location>
<location id=\"b\"><name>Asked</name><label kind=\"invariant\">x &lt;= 4</label></location>
<location id=\"c\"><name>Bright</name></location>
<init ref=\"a\"/>
<transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"synchronisation\">press?</label>
<label kind=\"assignment\">x = 0</label></transition>
<transition><source ref=\"b\"/><target ref=\"c\"/><label kind=\"guard\">x &gt;= 1</label>
<label kind=\"synchronisation\">on!</label></transition>
<!-- MORE -->
<transition><source ref=\"c\"/><target ref=\"c\"/><label kind=\"guard\">x &lt; 0</label>
<label kind=\"synchronisation\">off!</label></transition>
<transition><source ref=\"c\"/><target ref=\"a\"/><label kind=\"synchronisation\">press?</label></transition>
</template><system>system Light;</system></nta>
",
    ),
    (
        "tck",
        "system:light
event:press{input:}
event:on{output:}
event:off{output:}
process:Light
clock:1:x
location:Light:Dark{initial:}
location:Light:Asked{invariant: x<=4}
location:Light:Bright{}
edge:Light:Dark:Asked:press{do: x=0}
edge:Light:Asked:Bright:on{provided: x>=1}
# MORE
edge:Light:Bright:Bright:off{provided: x<0}
edge:Light:Bright:Dark:press{}
",
    ),
];

#[test]
fn runs_become_purposes_in_every_format() {
    for (format, right) in FOREIGN {
        let folder = Folder::new(&format!("purpose-{format}"));
        let more = match format {
            "xta" => ("// MORE", "Asked -> Dark { guard x >= 2; sync off!; },"),
            "xml" => (
                "<!-- MORE -->",
                "<transition><source ref=\"b\"/><target ref=\"a\"/>\
                 <label kind=\"guard\">x &gt;= 2</label>\
                 <label kind=\"synchronisation\">off!</label></transition>",
            ),
            _ => ("# MORE", "edge:Light:Asked:Dark:off{provided: x>=2}"),
        };
        folder.write(&format!("right.{format}"), right);
        folder.write(&format!("wrong.{format}"), right.replace(more.0, more.1));
        // A witness of `conform`, and what was simulated.
        let run =
            tioga(&folder, &format!("conform wrong.{format} right.{format} -o witness.trace"));
        assert_eq!(run.code, 1, "{format}: {}{}", run.out, run.err);
        let simulate = format!("simulate right.{format} --open --seed 1 --steps 6 -o walk.trace");
        assert_eq!(tioga(&folder, &simulate).code, 0, "{format}");
        for trace in ["witness", "walk"] {
            let synth = format!("synth right.{format} --purpose-from {trace}.trace");
            let run = tioga(&folder, &format!("{synth} -o {trace}.json"));
            assert_eq!(run.code, 0, "{format} {trace}: {}{}", run.out, run.err);
            let certify = format!("certify right.{format} {trace}.json");
            let run = tioga(&folder, &certify);
            assert_eq!(run.code, 0, "{format} {trace}: {}{}", run.out, run.err);
        }
        let run = "run witness.json --repeat 100 --keep-going --policy fair --no-journal";
        let (case, of) = counts(&folder, &format!("{run} --sut model:wrong.{format}"));
        assert_eq!(case, "Run_witness");
        assert!(of["fail"].as_u64() > Some(0), "{format}: {of}");
        let (_, of) = counts(&folder, &format!("{run} --sut model:right.{format}"));
        assert_eq!(of["fail"], 0, "{format}: {of}");
        assert!(of["pass"].as_u64() > Some(0), "{format}: {of}");
        let test = format!("test right.{format} --purpose-from walk.trace --repeat 20");
        let (case, of) = counts(&folder, &test);
        assert_eq!((case.as_str(), &of["fail"]), ("Run_walk", &0.into()), "{format}: {of}");
    }
}

#[test]
fn a_channel_that_no_purpose_can_name_is_said() {
    let folder = Folder::new("purpose-reserved");
    let (_, right) = FOREIGN[0];
    folder.write("m.xta", right.replace("press", "when"));
    assert_eq!(tioga(&folder, "simulate m.xta --open --seed 1 --steps 4 -o walk.trace").code, 0);
    let run = tioga(&folder, "synth m.xta --purpose-from walk.trace");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("no purpose can name `when`"), "{}", run.err);
}
