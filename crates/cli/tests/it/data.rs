//! Messages with many values, through the real binary: test cases over data, values online, certificates.

use crate::binary::{Folder, Json, Run};

fn tioga(folder: &Folder, line: &str) -> Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

/// A server that keeps a 16-bit value and has two thresholds, one of which shows only later.
const SERVER: &str = "
model server;
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
";

/// Faults in data and in time: what is replaced, and by what.
const FAULTS: [(&str, &[(&str, &str)]); 5] = [
    ("first", &[("v >= 100", "v >= 101"), ("v < 100", "v < 101")]),
    ("second", &[("last > 5000", "last > 5001"), ("last <= 5000", "last <= 5001")]),
    ("value", &[("ack(last)! when", "ack(last - 1)! when")]),
    ("kept", &[("x = 0, last = v", "x = 0, last = v <? 32767")]),
    ("late", &[("Asked invariant x <= 1", "Asked invariant x <= 3")]),
];

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("server.tioga", SERVER);
    for (fault, changes) in FAULTS {
        let faulty = changes.iter().fold(SERVER.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        folder.write(&format!("{fault}.tioga"), faulty);
    }
    folder
}

#[test]
fn a_suite_over_data_passes_the_model_and_finds_every_fault() {
    let folder = folder("data-suite");
    let run = tioga(&folder, "synth server.tioga --cover edges --each --then -o suite.json");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("a test case for 10 of 10 edges"), "{}", run.out);
    assert!(folder.read("suite.json").contains("(>= |v| 5001)"), "{}", folder.read("suite.json"));
    let base = "run suite.json --no-journal --keep-going --sut";
    let right = tioga(&folder, &format!("{base} model:server.tioga --policy fair --repeat 5"));
    assert_eq!(right.code, 0, "{}{}", right.out, right.err);
    // What a large value becomes when it is kept shows only if somebody asks after it was set: no edge needs that.
    for (fault, _) in FAULTS.into_iter().filter(|(fault, _)| *fault != "kept") {
        let run = tioga(&folder, &format!("{base} model:{fault}.tioga --policy lazy"));
        assert_eq!(run.code, 1, "{fault}: {}{}", run.out, run.err);
    }
}

#[test]
fn values_on_line_find_the_faults_too() {
    let folder = folder("data-online");
    let base = "test server.tioga --online --repeat 10 --no-journal --sut";
    let right = tioga(&folder, &format!("{base} model:server.tioga"));
    assert_eq!(right.code, 0, "{}{}", right.out, right.err);
    for (fault, _) in FAULTS {
        let run = tioga(&folder, &format!("{base} model:{fault}.tioga --policy lazy"));
        assert_eq!(run.code, 1, "{fault}: {}{}", run.out, run.err);
    }
}

#[test]
fn the_checker_accepts_the_suite_and_no_other_data() {
    let folder = folder("data-certify");
    tioga(&folder, "synth server.tioga --cover edges --each -o suite.json");
    let run = tioga(&folder, "certify server.tioga suite.json");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let suite = folder.read("suite.json");
    let changes = [
        ("(>= |v| 100)", "(>= |v| 90)"),
        ("\"value\": \"|v|\"", "\"value\": \"(+ |v| 1)\""),
        ("\"initial\": \"0\"", "\"initial\": \"7\""),
        ("(<= |v| 99)", "(<= |v| 100)"),
        ("(>= |v| 100)", "(>= |w| 100)"),
    ];
    for (from, to) in changes {
        assert!(suite.contains(from), "{from} in {suite}");
        folder.write("wrong.json", suite.replace(from, to));
        let run = tioga(&folder, "certify server.tioga wrong.json");
        assert_eq!(run.code, 1, "{from} -> {to}: {}{}", run.out, run.err);
    }
}

#[test]
fn the_same_seed_chooses_the_same_values_and_the_ends_come_first() {
    let folder = folder("data-values");
    tioga(&folder, "synth server.tioga --cover edges --each -o suite.json");
    let sent = |seed: u64| {
        let line =
            format!("run suite.json --sut model:server.tioga --seed {seed} --journal j{seed}");
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        folder.read(&format!("j{seed}"))
    };
    let (one, two) = (sent(1), sent(2));
    assert_ne!(one, two);
    let ends = sent(0);
    for value in ["\"100\"", "\"5000\"", "\"5001\"", "\"65535\"", "\"99\""] {
        assert!(ends.contains(value), "{value} is sent");
    }
}

#[test]
fn a_wide_payload_costs_no_more_than_twice_a_narrow_one() {
    let folder = Folder::new("data-cost");
    let text = |largest: i64, first: i64, second: i64| {
        SERVER
            .replace("65535", &largest.to_string())
            .replace("100", &first.to_string())
            .replace("5000", &second.to_string())
    };
    folder.write("narrow.tioga", text(3, 1, 2));
    folder.write("wide.tioga", SERVER);
    let places = |name: &str| {
        let line = format!("synth {name}.tioga --cover edges --each -o {name}.json");
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        let suite: serde_json::Value =
            serde_json::from_str(&folder.read(&format!("{name}.json"))).unwrap();
        let cases = suite["cases"].as_array().unwrap();
        cases.iter().map(|case| case["places"].as_array().unwrap().len()).sum::<usize>()
    };
    let (narrow, wide) = (places("narrow"), places("wide"));
    assert!(wide <= 2 * narrow, "{wide} places against {narrow}");
}

#[test]
fn what_data_cannot_be_followed_is_said_with_its_place() {
    let folder = Folder::new("data-beyond");
    folder.write(
        "clock.tioga",
        SERVER.replace("Asked invariant x <= 1", "Asked invariant x <= last"),
    );
    let run = tioga(&folder, "synth clock.tioga --cover edges --each");
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("a clock is compared with data"), "{}", run.err);
    folder.write("product.tioga", SERVER.replace("when v < 100", "when v * v < 100 * last"));
    let run = tioga(&folder, "synth product.tioga --cover edges --each");
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("not linear"), "{}", run.err);
    assert!(run.err.contains("--online"), "{}", run.err);
    let json = tioga(&folder, "--format json synth product.tioga --cover edges --each");
    assert!(json.json()["diagnostics"].is_array());
}
