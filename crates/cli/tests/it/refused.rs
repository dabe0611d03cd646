//! Options and files that do not fit are refused in words that help, and none is ignored.

use crate::binary::Folder;
use tioga_testkit::Run;

/// A lamp that may answer, and never has to.
const IDLE: &str = "input press; output lit;
automaton Lamp {
  clock x;
  init location Off;
  location On;
  Off -> On : press? do x = 0;
  On -> Off : lit! when x <= 3;
}
";

fn tioga(folder: &Folder, line: &str) -> Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

#[test]
fn options_that_would_be_ignored_are_refused() {
    let folder = Folder::new("refused-options");
    for (line, told) in [
        ("synth @smart-light --budget 5s", "`--budget` is for suites that `--cover` makes"),
        ("synth @smart-light --cover edges --each --budget 5s", "`--synth-timeout` limits"),
        ("test @smart-light --cover mutants --kill-runs 3", "unexpected argument '--kill-runs'"),
        ("mutation @smart-light --cover mutants", "[possible values: locations, edges, edge-pairs"),
        ("synth @smart-light --cover edges --each --until 50%", "cannot be used with"),
        ("synth @smart-light --cover edges --until -5%", "write a whole number from 1 to 100"),
        ("synth @smart-light --cover edges --budget -1s", "write a number and a unit"),
    ] {
        let run = tioga(&folder, line);
        assert_eq!(run.code, 2, "{line}: {}", run.out);
        assert!(run.err.contains(told), "{line}: {}", run.err);
        assert!(!run.err.contains("-- -"), "{line}: {}", run.err);
    }
    let help = tioga(&folder, "mutation --help").out;
    assert!(help.contains("- definitions-uses:") && !help.contains("- mutants:"), "{help}");
}

#[test]
fn files_of_another_kind_are_called_by_their_name() {
    let folder = Folder::new("refused-files");
    assert_eq!(tioga(&folder, "synth @smart-light -o suite.json").code, 0);
    let line = "run suite.json --sut model:@smart-light --journal runs.journal";
    assert_eq!(tioga(&folder, line).code, 0);
    for (line, told) in [
        ("synth suite.json", "`suite.json` is a suite, not a model"),
        ("diff suite.json suite.json", "`suite.json` is a suite, not a model"),
        ("run runs.journal --sut true --no-journal", "`runs.journal` is a journal, not a suite"),
    ] {
        let run = tioga(&folder, line);
        assert_eq!(run.code, 2, "{line}: {}", run.out);
        assert!(run.err.contains(told), "{line}: {}", run.err);
    }
}

#[test]
fn options_of_a_project_are_for_the_command_that_has_them() {
    let folder = Folder::new("refused-project");
    assert_eq!(tioga(&folder, "new door").code, 0);
    let folder = Folder(folder.0.join("door"));
    let project = folder.read("tioga.toml");
    let with = |options: &str| {
        let kept = project.lines().filter(|line| !line.starts_with("options"));
        let kept: Vec<&str> = kept.collect();
        folder.write("tioga.toml", format!("{}\noptions = {options}\n", kept.join("\n")));
    };
    with("[\"--cover\", \"edges\", \"--seed=3\", \"--budget=9s\", \"--repeat\", \"2\"]");
    let run = tioga(&folder, "run --no-journal");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let test = tioga(&folder, "test --no-journal");
    assert_eq!(test.code, 0, "{}{}", test.out, test.err);
    assert!(test.out.contains(" edges covered"), "{}", test.out);
    assert!(!test.out.contains("random walk"), "{}", test.out);
    with("[\"--colour\"]");
    let run = tioga(&folder, "run --no-journal");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("unexpected argument '--colour'"), "{}", run.err);
    assert!(run.err.contains("`tioga.toml` adds options"), "{}", run.err);
}

/// Whatever the system does not do, it conforms.
#[test]
fn a_model_that_lets_silence_pass_is_told() {
    let folder = Folder::new("refused-silence");
    folder.write("idle.tioga", IDLE);
    let told = "no output ever has to come, so a system that stays silent never fails";
    let check = tioga(&folder, "check idle.tioga");
    assert!(check.out.contains(&format!("silence-passes: {told}")), "{}", check.out);
    for line in ["test idle.tioga --no-journal", "test idle.tioga --online --no-journal"] {
        let run = tioga(&folder, line);
        assert!(run.err.contains(told), "{line}: {}", run.err);
    }
    folder.write("lamp.tioga", IDLE.replace("location On;", "location On invariant x <= 3;"));
    for line in ["check lamp.tioga", "test lamp.tioga --no-journal"] {
        let run = tioga(&folder, line);
        assert!(!(run.out + &run.err).contains("silent passes"), "{line}");
    }
}
