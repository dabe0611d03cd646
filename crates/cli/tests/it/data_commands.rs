//! Every command on models whose messages carry 16 and 32 bits: each answers, or says why not and what to do.

use crate::binary::{Folder, Json, Run};

/// A server that keeps a value and has two thresholds, with questions about it.
const SERVER: &str = "model server;
input set(int[0,65535] v), get;
output ack(int[0,65535] w), high;
automaton S {
  clock x;
  int[0,65535] last = 0;
  init location Idle;
  location Got invariant x <= 2;
  location Asked invariant x <= 1;
  Idle -> Got : set(v)? when v >= 100 do x = 0, last = v;
  Idle -> Idle : set(v)? when v < 100;
  Idle -> Asked : get? do x = 0;
  Got -> Idle : high! when last > 5000;
  Got -> Idle : ack(last)! when last <= 5000;
  Asked -> Idle : ack(last)!;
  Asked, Got -> self : set(v)?;
  Asked, Got -> self : get?;
}
purpose Told {
  init location Start;
  accept location Over;
  Start -> Over : ack(w)! when w > 300;
  otherwise self;
}
query \"big\" E<> S.Asked && S.last > 6000;
query \"odd\" E<> S.Asked && S.last == 50;
query \"game\" control: A<> S.Asked && S.last > 6000;
";

/// What no command may say: that values cannot be tried is no answer, and nothing explored is no result.
const WRONG: [&str; 4] =
    ["too many to be enumerated", "(0 states", "fails its own test case", "error in tioga itself"];

/// A command, its exit code, and what it says. `M` is the model, `F` one with a fault, `N` one that is not
/// deterministic.
const TABLE: &[(&str, i32, &str)] = &[
    ("check M", 0, "nothing found that will hurt testing (all 4 states; data in 4 classes)"),
    ("check N", 0, "nondeterministic: after `set("),
    ("reach M", 1, "data in 7 classes"),
    ("reach M --all", 0, "explored completely"),
    ("reach M -q 'E<> S.Asked && S.last > 6000' -o r.trace", 0, "set(6001)?"),
    ("replay M r.trace", 0, ""),
    ("reach M -q 'E<> S.Got && S.last == 99'", 1, "does not hold"),
    ("solve M", 0, "holds"),
    ("solve M --ranks --strategy s.json", 0, "rank (0, 3): 0 control losses"),
    ("solve M --strategy s.txt", 0, "strategy written"),
    ("certify M s.json", 0, ""),
    ("solve M --at S.Idle,S.last=7000", 0, "0 1"),
    ("solve M --at S.Got,S.last=50", 0, "0 4"),
    ("play M -o p.trace", 0, "the objective is reached"),
    ("replay M p.trace", 0, ""),
    ("synth M --cover edges --each --then -o suite.json", 0, "a test case for 10 of 10 edges"),
    ("synth M -p Told", 0, ""),
    ("synth N --cover edges --each", 2, "no test cases are needed for `tioga test "),
    ("certify M suite.json", 0, ""),
    ("run suite.json --sut model:M --no-journal", 0, "pass"),
    ("run suite.json --sut model:F --policy lazy --no-journal --keep-going", 1, "fail"),
    ("test M", 0, "pass"),
    ("test M --online --no-journal", 0, "pass"),
    ("test M --online --no-journal --actions 30 -p 'reach S.Asked && S.last == 6001'", 0, "pass"),
    ("test M --online --sut model:F --policy lazy --repeat 10 --journal f.journal", 1, "fail"),
    ("explain f.journal", 0, "was not expected here"),
    ("conform M M", 0, "conforms"),
    ("conform F M", 1, "ack(5001)!"),
    ("refines M M", 0, "refines"),
    ("conform N N", 0, "both models are the same"),
    ("conform M N", 0, "conforms"),
    ("conform F N", 1, "ack(5001)!"),
    ("mutate M", 0, "non-conforming: set(5001)? ack(5001)!"),
    ("mutation M --suite suite.json", 1, "killed"),
    ("product M -p Told", 2, "`tioga synth -p`, `tioga solve --purpose`"),
    ("solve @sptg/wash -q 'control: A<> Washer.Wash'", 2, "follow such a model, without solving"),
    ("determinize M", 0, "input set"),
    ("determinize N", 2, "`tioga test --online` and `tioga monitor` follow such a model"),
    ("simulate M --steps 5", 0, "stopped after 5 steps"),
    ("symbolic M -p Told --stage graph", 0, ""),
    ("convert M --to dot", 0, "set(v)?"),
    ("convert M --to tck", 2, ""),
    ("machine suite M", 2, "the model has clocks"),
    ("monitor M good.log", 0, "conforms"),
    ("monitor M bad.log", 1, "ack(7)` at 2 has other values than expected: `ack(200)`"),
    ("monitor M arity.log", 1, "`ack` carries 1 value, 2 came"),
    ("monitor M range.log", 5, "is not within int[0,"),
];

fn tioga(folder: &Folder, line: &str) -> Run {
    let mut arguments: Vec<String> = Vec::new();
    for (position, part) in line.split('\'').enumerate() {
        if position % 2 == 1 {
            arguments.push(part.to_owned());
        } else {
            arguments.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    folder.tioga(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "")
}

fn folder(name: &str, largest: &str) -> Folder {
    let folder = Folder::new(name);
    let model = SERVER.replace("65535", largest);
    let faulty =
        model.replace("last > 5000;", "last > 5001;").replace("last <= 5000", "last <= 5001");
    assert_ne!(model, faulty);
    let ambiguous =
        model.replace("Idle -> Idle : set(v)? when v < 100", "Idle -> Idle : set(v)? when v < 200");
    assert_ne!(model, ambiguous);
    folder.write("M.tioga", model);
    folder.write("F.tioga", faulty);
    folder.write("N.tioga", ambiguous);
    folder.write("good.log", "1 set(200)?\n2 ack(200)!\n");
    folder.write("bad.log", "1 set(200)?\n2 ack(7)!\n");
    folder.write("arity.log", "1 set(200)?\n2 ack(7, 8)!\n");
    folder.write("range.log", "1 set(4294967296)?\n");
    folder
}

fn try_all(name: &str, largest: &str) {
    let folder = folder(name, largest);
    let mut wrong = Vec::new();
    for (line, code, said) in TABLE {
        let line = line.replace(" M", " M.tioga").replace(":M", ":M.tioga");
        let line =
            line.replace(" F", " F.tioga").replace(":F", ":F.tioga").replace(" N", " N.tioga");
        let run = tioga(&folder, &line);
        let all = format!("{}{}", run.out, run.err);
        if run.code != *code || !all.contains(said) {
            wrong.push(format!("{line}: {} instead of {code} with `{said}`\n{all}", run.code));
        }
        for words in WRONG.iter().filter(|words| all.contains(**words)) {
            wrong.push(format!("{line}: says `{words}`\n{all}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n---\n"));
}

#[test]
fn every_command_answers_with_16_bits() {
    try_all("data-commands-16", "65535");
}

#[test]
fn every_command_answers_with_32_bits() {
    try_all("data-commands-32", "4294967295");
}

#[test]
fn every_command_answers_for_the_session_server() {
    let folder = Folder::new("data-commands-session");
    for (line, code, said) in [
        (
            "check @session",
            0,
            "nothing found that will hurt testing (all 11 states; data in 11 classes)",
        ),
        ("reach @session -q 'E<> Server.Locked' -o r.trace", 0, "locked!"),
        ("replay @session r.trace", 0, ""),
        ("reach @session -q 'E<> Server.Open && Server.user == 65535'", 0, "login(65535, 953056)?"),
        ("solve @session -q 'control: A<> Server.Locked' --ranks", 0, "rank (0, "),
        ("solve @session --purpose SecondUser --ranks", 0, "rank"),
        ("conform @session @session", 0, "conforms"),
        ("refines @session @session", 0, "refines"),
        ("determinize @session", 0, "login"),
        ("simulate @session --steps 10", 0, "stopped after 10 steps"),
        ("product @session -p Intruder", 2, "take the purpose as it is"),
        ("play @session -q 'control: A<> Server.Open'", 0, "the objective is reached"),
    ] {
        let run = tioga(&folder, line);
        let all = format!("{}{}", run.out, run.err);
        assert_eq!(run.code, code, "{line}\n{all}");
        assert!(all.contains(said), "{line}: {said}\n{all}");
        for words in WRONG {
            assert!(!all.contains(words), "{line}: {words}\n{all}");
        }
    }
}

#[test]
fn strategies_over_data_say_conditions() {
    let folder = folder("data-strategy", "65535");
    tioga(&folder, "solve M.tioga --ranks --strategy s.txt");
    let text = folder.read("s.txt");
    assert!(text.contains("take set(v)? with v >= 6001"), "{text}");
    assert!(text.contains("State: ( Got, S.last >= 5001 && S.last <= 6000 )"), "{text}");
    assert!(text.contains("wait for ack(S.last)!"), "{text}");
    let run = tioga(&folder, "--format json solve M.tioga --ranks");
    assert_eq!(run.json()["result"]["queries"][0]["stats"]["classes"], 7);
}

#[test]
fn data_that_have_no_classes_are_said_so() {
    let folder = folder("data-no-classes", "65535");
    let text = folder.read("M.tioga").replace("when v < 100;", "when v * v < 100 * last;");
    folder.write("P.tioga", text);
    for (line, code) in [
        ("check P.tioga", 0),
        ("reach P.tioga", 3),
        ("solve P.tioga", 2),
        ("conform M.tioga P.tioga", 3),
        ("synth P.tioga --cover edges --each", 2),
    ] {
        let run = tioga(&folder, line);
        let all = format!("{}{}", run.out, run.err);
        assert_eq!(run.code, code, "{line}\n{all}");
        assert!(all.contains("not linear"), "{line}\n{all}");
        assert!(!all.contains("nothing found"), "{line}\n{all}");
    }
}
