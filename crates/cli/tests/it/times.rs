//! Times people can use: decimals with the unit of the model wherever a time is shown, options that
//! take units, and measured latencies.

use crate::binary::{Folder, Json};

/// A lamp that answers between 2.5 and 3.5 units after a touch, and one that answers too late.
fn lamp(unit: &str, from: &str, to: &str) -> String {
    format!(
        "{unit}input touch; output on;
automaton Lamp {{
  clock x;
  init location Dark;
  location Waking invariant x <= {to};
  location Bright;
  Dark -> Waking : touch? do x = 0;
  Waking -> Bright : on! when x >= {from};
}}
query control: A<> Lamp.Bright;
"
    )
}

fn folder(name: &str, unit: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("lamp.tioga", lamp(unit, "2.5", "3.5"));
    folder.write("late.tioga", lamp(unit, "33/8", "33/8"));
    folder
}

fn tioga(folder: &Folder, line: &str) -> tioga_testkit::Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

/// Fractions such as `7/2`, which no time is shown as that has an exact decimal.
fn fractions(text: &str) -> Vec<String> {
    let digits = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    let found = bytes.iter().enumerate().filter(|(at, byte)| {
        **byte == b'/' && *at > 0 && digits(bytes.get(at - 1)) && digits(bytes.get(at + 1))
    });
    found.map(|(at, _)| text[at.saturating_sub(20)..(at + 20).min(text.len())].to_owned()).collect()
}

#[test]
fn every_text_shows_times_as_decimals_with_the_unit_of_the_model() {
    let folder = folder("times-shown", "time unit 10 ms;\n");
    assert_eq!(tioga(&folder, "synth lamp.tioga -o lamp.json").code, 0);
    let run = tioga(
        &folder,
        "run lamp.json --sut model:late.tioga --html r.html --junit r.xml --tap r.tap",
    );
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("fail as of 35 ms"), "{}", run.out);
    let commands = [
        ("explain lamp.journal --diagram e.svg", "from 25 ms to 35 ms"),
        ("explain lamp.journal --diagram e.mmd", "35 ms"),
        ("explain lamp.journal --diagram e.puml", "35 ms"),
        ("report lamp.journal --run 0", "35 ms"),
        ("replay lamp.journal", "fail as of 35 ms"),
        ("shrink lamp.journal", "fail as of"),
        ("simulate lamp.tioga --steps 2", " ms"),
        ("test lamp.tioga --online --sut model:late.tioga --no-journal", " ms"),
        (
            "test lamp.tioga --purposes-only --sut model:late.tioga --in-latency 0..1ms --no-journal",
            " ms",
        ),
        ("conform late.tioga lamp.tioga", " ms"),
        ("solve lamp.tioga", " ms"),
        ("play lamp.tioga", " ms"),
        ("reach lamp.tioga -q E<>Lamp.Bright", " ms"),
    ];
    for (line, shown) in commands {
        let run = tioga(&folder, line);
        assert!(run.out.contains(shown), "{line}: {}{}", run.out, run.err);
        assert_eq!(fractions(&run.out), Vec::<String>::new(), "{line}");
    }
    for file in ["r.html", "r.xml", "r.tap", "e.svg", "e.mmd", "e.puml"] {
        let text = folder.read(file);
        // What is no time: addresses, the model as it is written, and how much of it was visited.
        let others =
            ["x &lt;= 7/2", "x &gt;= 5/2", ">2/3<", ">1/2<", ">0/2<", "2/3 places", "1/2 edges"];
        let times = others.iter().fold(text.clone(), |text, other| text.replace(other, ""));
        assert!(text.contains(" ms"), "{file}: {text}");
        assert_eq!(fractions(&times), Vec::<String>::new(), "{file}");
    }
    let log = "0 touch?\n4.125 on!\n";
    let run = folder.tioga(&["monitor", "lamp.tioga"], log);
    let expected = "`on` at 41.25 ms came 6.25 ms too late: it was expected from 25 ms to 35 ms";
    assert!(run.out.contains(expected), "{}", run.out);
    // Programs get exact numbers in units of the model.
    let run = folder.tioga(&["--format", "json", "monitor", "lamp.tioga"], log);
    assert_eq!(run.json()["result"]["finding"]["at"], "33/8", "{}", run.out);
}

#[test]
fn fractions_without_a_decimal_and_models_without_a_unit_keep_their_numbers() {
    let folder = folder("times-plain", "");
    let run = folder.tioga(&["monitor", "lamp.tioga"], "0 touch?\n13/3 on!\n");
    let expected = "`on` at 13/3 came 5/6 too late: it was expected from 2.5 to 3.5";
    assert!(run.out.contains(expected), "{}", run.out);
    let run = folder.tioga(&["monitor", "lamp.tioga"], "0 touch?\n408.027 on!\n");
    assert!(run.out.contains("`on` at 408.027 came 404.527 too late"), "{}", run.out);
}

#[test]
fn options_take_times_with_units() {
    let folder = folder("times-options", "time unit 10 ms;\n");
    folder.write("plain.tioga", lamp("", "2.5", "3.5"));
    assert_eq!(tioga(&folder, "synth lamp.tioga -o lamp.json").code, 0);
    let latencies = |line: &str| {
        let run = tioga(&folder, line);
        assert!(run.code < 2, "{line}: {}{}", run.out, run.err);
        let path = folder.0.join("t.journal");
        let settings = tioga_execute::JournalReader::open(&path).unwrap().settings().clone();
        let tioga_estimate::Latencies { input, output, jitter } = settings.latencies;
        std::fs::remove_file(path).unwrap();
        (input.to_string(), output.to_string(), jitter.to_string())
    };
    let given = "--in-latency 0ms..20ms --out-latency 0..1/3 --jitter 2.5ms --patience 1s";
    let expected = ("0..2".to_owned(), "0..1/3".to_owned(), "1/4".to_owned());
    let run = "run lamp.json --sut model:lamp.tioga --journal t.journal";
    assert_eq!(latencies(&format!("{run} {given}")), expected);
    // A model answers without latency, so it would fail whatever it does.
    for least in ["--in-latency 5ms..20ms", "--out-latency 1/3"] {
        let refused = tioga(&folder, &format!("test lamp.tioga {least}"));
        assert_eq!(refused.code, 2, "{least}: {}", refused.out);
        assert!(refused.err.contains("error[impossible-latencies]"), "{least}: {}", refused.err);
    }
    // The clock of the machine decides if it runs at another speed.
    let real = "run lamp.json --sut true --unit 5ms --journal t.journal --in-latency 5ms..20ms";
    let run = tioga(&folder, real);
    assert_eq!(run.code, 6, "{}{}", run.out, run.err);
    let path = folder.0.join("t.journal");
    let reader = tioga_execute::JournalReader::open(&path).unwrap();
    assert_eq!(reader.settings().latencies.input.to_string(), "1..4");
    // Without a unit there is nothing to convert with.
    for line in [
        "test plain.tioga --purposes-only --in-latency 10ms",
        "test plain.tioga --purposes-only --patience 10ms",
        "test plain.tioga --online --longest-wait 10ms",
    ] {
        let refused = tioga(&folder, line);
        assert_eq!(refused.code, 2, "{line}: {}", refused.out);
        assert!(refused.err.contains("error[no-time-unit]"), "{line}: {}", refused.err);
        assert!(refused.err.contains("`--unit`"), "{line}: {}", refused.err);
    }
    for line in [
        "simulate plain.tioga --max-time 10ms",
        "monitor plain.tioga /dev/null --in-latency 10ms",
        "solve plain.tioga --within 10ms",
        "synth plain.tioga --shape tree --window 10ms",
    ] {
        let refused = tioga(&folder, line);
        assert_eq!(refused.code, 2, "{line}: {}", refused.out);
        assert!(refused.err.contains("error[no-time-unit]"), "{line}: {}", refused.err);
        assert!(!refused.err.contains("--unit"), "{line}: {}", refused.err);
        let with_unit = line.replace("plain", "lamp");
        let run = tioga(&folder, &with_unit);
        assert!(run.code < 2, "{with_unit}: {}", run.err);
    }
    for wrong in ["--in-latency 2..1", "--in-latency 2s..1ms", "--jitter soon", "--jitter -1"] {
        let run = tioga(&folder, &format!("test lamp.tioga --purposes-only {wrong}"));
        assert_eq!(run.code, 2, "{wrong}: {}", run.out);
    }
}

/// A system that speaks JSON lines: each reset is answered after 20 ms, each touch after 50 ms.
const SLOW: &str = r#"while read line; do case $line in
*hello*) echo '{"hello":{"inputs":["touch"],"outputs":["on"]}}';;
*reset*) sleep 0.02; echo '{"ready":true}';;
*touch*) sleep 0.05; echo '{"output":"on"}';;
*bye*) exit 0;;
esac; done"#;

#[test]
fn witnesses_of_properties_show_times_as_decimals_with_the_unit_of_the_model() {
    let folder = Folder::new("times-witness");
    let choice = lamp("time unit 10 ms;\n", "2.5", "3.5").replace(
        "on! when x >= 2.5;",
        "on! when x >= 2.5;\n  Waking -> Dark : on! when x >= 2.75;",
    );
    folder.write("choice.tioga", choice);
    let run = tioga(&folder, "check choice.tioga --properties");
    let row = run.out.lines().find(|line| line.contains("leads both to")).unwrap();
    assert!(row.contains("when Lamp.x = 27.5 ms"), "{row}");
}

/// The same, without an answer to a touch.
const DEAF: &str = r#"while read line; do case $line in
*hello*) echo '{"hello":{}}';; *reset*) echo '{"ready":true}';; *bye*) exit 0;;
esac; done"#;

#[test]
#[cfg(unix)]
fn a_real_time_run_that_fails_without_latencies_says_so() {
    let folder = folder("times-undeclared", "time unit 10 ms;\n");
    assert_eq!(tioga(&folder, "synth lamp.tioga -o lamp.json").code, 0);
    let run = |more: &[&str]| {
        let line = ["run", "lamp.json", "--sut", DEAF, "--no-journal"];
        folder.tioga(&[&line, more].concat(), "")
    };
    // A run on a machine that is late is inconclusive; the longer a time unit is, the more it may be late.
    let fails = |more: &[&str]| {
        let attempts = [&["--real-time"][..], &["--unit", "100ms"], &["--unit", "1s"]];
        let mut runs = attempts.iter().map(|unit| run(&[unit, more].concat()));
        let failed = runs.find(|run| {
            assert!([1, 5].contains(&run.code), "{}{}", run.out, run.err);
            run.code == 1
        });
        failed.expect("silence is found")
    };
    let failed = fails(&[]);
    assert!(failed.err.contains("warning[no-latencies]: run 0 failed"), "{}", failed.err);
    assert!(failed.err.contains("`tioga calibrate` measures latencies"), "{}", failed.err);
    let declared = fails(&["--out-latency", "0..1ms"]);
    assert!(!declared.err.contains("no-latencies"), "{}", declared.err);
}

#[test]
#[cfg(unix)]
fn latencies_are_measured_with_resets_and_with_runs() {
    let folder = folder("times-calibrate", "time unit 10 ms;\n");
    folder.write("slow.sh", SLOW);
    let line = "--format json calibrate --exchanges 5 --sut";
    let arguments: Vec<&str> = line.split_whitespace().chain(["sh slow.sh"]).collect();
    let run = folder.tioga(&arguments, "");
    assert_eq!(run.code, 0, "{}", run.out);
    let result = &run.json()["result"];
    let at = |value: &serde_json::Value| value.as_u64().unwrap();
    let resets = &result["resets"];
    assert_eq!(at(&resets["count"]), 5);
    // However busy the machine is, a reset takes no less than the system sleeps.
    assert!(at(&resets["least_ns"]) >= 20_000_000, "{result}");
    let order =
        ["least_ns", "median_ns", "p90_ns", "p99_ns", "most_ns"].map(|one| at(&resets[one]));
    assert!(order.is_sorted(), "{result}");
    let suggested = &result["suggested"];
    assert!(at(&suggested["in_latency_ns"]) >= order[0], "{result}");
    let covered = at(&suggested["out_latency_ns"]) + at(&suggested["jitter_ns"]);
    assert!(covered >= order[4], "{result}");
    assert!(result["answers"].is_null() && result["unknown"].as_array().unwrap().len() == 3);

    // Touches are answered 15 ms later than the model allows, and that much the runs need.
    let line = "--format json calibrate lamp.tioga --exchanges 2 --runs 2 --actions 4 --sut";
    let arguments: Vec<&str> = line.split_whitespace().chain(["sh slow.sh"]).collect();
    let run = folder.tioga(&arguments, "");
    assert_eq!(run.code, 0, "{}", run.out);
    let result = &run.json()["result"];
    assert!(at(&result["answers"]["outputs"]) >= 1, "{result}");
    let suggested = &result["suggested"];
    let names = ["in_latency_ns", "out_latency_ns", "jitter_ns", "jitter_ns"];
    let covered: u64 = names.iter().map(|name| at(&suggested[*name])).sum();
    assert!(covered >= 15_000_000, "{result}");
    // What is suggested is what `tioga run` takes.
    assert_eq!(tioga(&folder, "synth lamp.tioga -o lamp.json").code, 0);
    let options = suggested["options"].as_str().unwrap();
    let line = format!("run lamp.json --sut model:lamp.tioga --no-journal {options}");
    let run = tioga(&folder, &line);
    assert!(run.err.is_empty(), "{line}: {}", run.err);

    let text = folder.tioga(&["calibrate", "--exchanges", "2", "--sut", "sh slow.sh"], "");
    assert!(text.out.contains("round trips of 2 resets:"), "{}", text.out);
    assert!(text.out.contains("\nuse: --in-latency 0.."), "{}", text.out);
}

#[test]
#[cfg(unix)]
fn what_cannot_be_measured_is_refused_and_what_nothing_explains_is_said() {
    let folder = folder("times-refused", "time unit 10 ms;\n");
    let run = tioga(&folder, "calibrate --sut model:lamp.tioga");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("a model answers at once"), "{}", run.err);
    let run = tioga(&folder, "calibrate --sut true");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("error[cannot-measure]"), "{}", run.err);
    let run = tioga(&folder, "calibrate --sut true --protocol ecdar");
    assert!(run.err.contains("error[no-reset]"), "{}", run.err);
    let deaf = ["calibrate", "lamp.tioga", "--runs", "1", "--exchanges", "1", "--sut", DEAF];
    let run = folder.tioga(&deaf, "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("no latencies explain what the system does"), "{}", run.out);
    assert!(run.out.contains("the system never answered"), "{}", run.out);
}

/// A model with constants of which one has no decimal that ends.
const FRACTIONS: &str = "time unit 1 ms;
input a;
output b;
automaton S {
  clock x, g;
  init location I;
  location W invariant x <= 7/2;
  I -> W : a? when g >= 1/3 do x = 0;
  W -> I : b! when x >= 3/2 do x = 1/2;
}
purpose P {
  clock t;
  init location p0;
  accept location ok;
  p0 -> ok : b! when t >= 5/2;
  otherwise self;
}
query E<> S.W && S.x > 5/2;
";

#[test]
fn numbers_are_decimals_where_these_end_in_pictures_texts_and_models() {
    let folder = Folder::new("times-fractions");
    folder.write("m.tioga", FRACTIONS);
    for line in [
        "convert m.tioga --to dot",
        "convert m.tioga --to svg",
        "product m.tioga -p P",
        "determinize m.tioga",
        "mutate m.tioga",
        "reach m.tioga",
        "check m.tioga",
        "synth m.tioga -p P",
        "simulate m.tioga --steps 5",
    ] {
        let run = folder.tioga(&line.split(' ').collect::<Vec<_>>(), "");
        assert!([0, 1].contains(&run.code), "{line}: {}", run.err);
        let halves = ["1/2", "3/2", "5/2", "7/2", "9/2"];
        let found = halves.iter().find(|half| {
            let number = |part: &str| part.ends_with(|one: char| one.is_ascii_digit());
            run.out.match_indices(**half).any(|(at, _)| !number(&run.out[..at]))
        });
        assert_eq!(found, None, "{line}: {}", run.out);
    }
    let dot = folder.tioga(&["convert", "m.tioga", "--to", "dot"], "").out;
    assert!(dot.contains("x <= 3.5") && dot.contains("g >= 1/3"), "{dot}");
    let run = folder.tioga(&["reach", "m.tioga"], "").out;
    assert!(run.contains("clocks") && run.contains(" ms, S."), "{run}");
    folder.write("d.tioga", FRACTIONS.replace("7/2", "20.5"));
    assert_eq!(folder.tioga(&["fmt", "d.tioga"], "").code, 0);
    assert!(folder.read("d.tioga").contains("x <= 20.5"), "{}", folder.read("d.tioga"));
}
