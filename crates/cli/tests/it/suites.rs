//! Suites by criteria: what they cover, what is left out, what they kill, and the default of `tioga test`.

use serde_json::Value;
use tioga_testkit::Run;

use crate::binary::Folder;

/// A lamp that goes out by itself, with a window for the answer and one for the time.
const LAMP: &str = "\
model lamp;
input press;
output lit, out;
automaton Lamp {
  clock x;
  init location Dark;
  location Asked invariant x <= 2;
  location Lit invariant x <= 10;
  Dark -> Asked : press? do x = 0;
  Asked -> Lit : lit! when x >= 1 do x = 0;
  Lit -> Lit : press? when x >= 1 && x <= 8 do x = 0;
  Lit -> Lit : press? when x < 1;
  Lit -> Lit : press? when x > 8;
  Asked -> Asked : press?;
  Lit -> Dark : out! when x >= 9;
}
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("lamp.tioga", LAMP);
    folder
}

fn tioga(folder: &Folder, line: &str) -> Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

fn result(folder: &Folder, line: &str) -> Value {
    let run = tioga(folder, &format!("--format json {line}"));
    let json: Value = serde_json::from_str(&run.out).unwrap();
    json["result"].clone()
}

/// How many mutants a suite kills, in percent.
fn killed(folder: &Folder, suite: &str) -> u64 {
    let score = result(folder, &format!("mutation lamp.tioga --suite {suite} --repeat 20"));
    let number = |name: &str| score["score"][name].as_u64().unwrap();
    number("killed") * 100 / (number("mutants") - number("equivalent"))
}

#[test]
fn a_suite_covers_everything_with_fewer_test_cases_and_is_certified() {
    let folder = folder("suite-covers");
    for criterion in
        ["locations", "edges", "edge-pairs", "outputs", "boundaries", "definitions-uses"]
    {
        let line = format!("synth lamp.tioga --cover {criterion} -o {criterion}.json");
        let made = result(&folder, &line);
        let [own] = &made["coverage"]["criteria"].as_array().unwrap()[..] else { panic!("{made}") };
        assert_eq!(own["of"], criterion);
        assert_eq!(own["covered"], own["coverable"], "{made:#}");
        let (tests, covered) =
            (made["tests"].as_array().unwrap(), own["covered"].as_u64().unwrap());
        assert!(!tests.is_empty() && tests.len() as u64 <= covered, "{criterion}");
        if covered > 3 {
            assert!((tests.len() as u64) < covered, "{criterion}: {} of {covered}", tests.len());
        }
        // What is covered names a test case that exists.
        for target in made["coverage"]["targets"].as_array().unwrap() {
            if target["standing"] == "covered" {
                assert!(tests.iter().any(|test| test["name"] == target["by"]), "{target}");
            } else {
                assert_eq!(target["standing"], "impossible", "{target}");
            }
        }
        let run = tioga(&folder, &format!("certify lamp.tioga {criterion}.json"));
        assert_eq!(run.code, 0, "{criterion}: {}{}", run.out, run.err);
        let line =
            format!("run {criterion}.json --sut model:lamp.tioga --policy fair --no-journal");
        assert_eq!(tioga(&folder, &line).code, 0, "{criterion}");
    }
}

/// The lamp cannot be left on for longer than 10, and nothing follows where nothing gets.
#[test]
fn what_is_unreachable_comes_with_a_proof() {
    let folder = folder("suite-proofs");
    let dead = "  location Hot;\n  Lit -> Hot : press? when x > 10;\n  Hot -> Dark : out!;\n}\n";
    folder.write("dead.tioga", LAMP.trim_end().trim_end_matches('}').to_owned() + dead);
    let run = tioga(&folder, "synth dead.tioga --cover edges");
    assert_eq!(run.code, 0, "{}", run.err);
    for line in [
        "7 of 7 edges covered; 2 more proved unreachable\n",
        "not covered: Lamp: Lit -> Hot on `press?`: unreachable even with cooperation (searched all 3 discrete states)\n",
    ] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
    // Without cooperation, edges are looked at first.
    let made = result(&folder, "synth dead.tioga --cover edges,edge-pairs --certain");
    let targets = made["coverage"]["targets"].as_array().unwrap();
    let proofs = |how: &str| targets.iter().filter(|one| one["proof"].get(how).is_some()).count();
    let impossible = targets.iter().filter(|one| one["standing"] == "impossible").count();
    assert!(proofs("searched") >= 2 && proofs("needs") > 0, "{targets:?}");
    assert_eq!(proofs("searched") + proofs("needs"), impossible);
    let needed = |one: &Value| one["proof"]["needs"] == "Lamp: Lit -> Hot on `press?`";
    assert!(targets.iter().any(needed), "{targets:?}");
}

#[test]
fn stronger_criteria_kill_more_and_mutants_kill_all() {
    let folder = folder("suite-kills");
    let mut last = 0;
    for criterion in ["locations", "edges", "boundaries", "mutants"] {
        let line = format!("synth lamp.tioga --cover {criterion} --kill-runs 20 -o s.json");
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        let percent = killed(&folder, "s.json");
        assert!(percent >= last, "{criterion}: {percent} < {last}");
        last = percent;
        match criterion {
            "boundaries" => assert!(percent >= 90, "{percent}"),
            "mutants" => assert_eq!(percent, 100, "{}", run.out),
            _ => {}
        }
    }
    let run = tioga(&folder, "certify lamp.tioga s.json");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

#[test]
fn the_default_suite_is_strong_and_says_what_it_reaches() {
    let folder = folder("suite-default");
    let run = tioga(&folder, "test lamp.tioga --policy fair");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    for part in ["suite: purposes of the model; edges", "7 of 7 edges covered", "killed "] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    // The lamp goes out too late by half a unit, or forgets that it was pressed.
    for (what, with) in
        [("invariant x <= 10", "invariant x <= 10.5"), ("x <= 8 do x = 0", "x <= 8")]
    {
        folder.write("wrong.tioga", LAMP.replace(what, with));
        let line = "test lamp.tioga --sut model:wrong.tioga --repeat 10 --no-journal";
        let run = tioga(&folder, line);
        assert_eq!(run.code, 1, "{with}: {}{}", run.out, run.err);
    }
}

#[test]
fn limits_keep_what_there_is_and_wrong_wishes_are_refused() {
    let folder = folder("suite-limits");
    let half = result(&folder, "synth lamp.tioga --cover edges --until 50%");
    let covered = half["coverage"]["covered"].as_u64().unwrap();
    assert!((4..8).contains(&covered), "{half:#}");
    let run = tioga(&folder, "synth lamp.tioga --cover edges,mutants --budget 1ns -o s.json");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert!(run.err.contains("the suite is not complete"), "{}", run.err);
    for (line, part) in [
        ("synth lamp.tioga --cover paths", "definitions-uses"),
        ("synth lamp.tioga --cover edges --until 120%", "from 1 to 100"),
        ("synth lamp.tioga --cover edges --until 0", "from 1 to 100"),
        ("synth lamp.tioga --cover edges --budget soon", "a number and a unit"),
        ("synth lamp.tioga --until 50%", "--cover"),
        ("mutation lamp.tioga --cover mutants", "invalid value 'mutants'"),
    ] {
        let run = tioga(&folder, line);
        assert_eq!(run.code, 2, "{line}: {}{}", run.out, run.err);
        assert!(run.err.contains(part), "{line}: {}", run.err);
    }
}

#[test]
fn online_runs_cover_models_with_hidden_steps_and_never_fail_the_model() {
    let folder = folder("suite-online");
    for model in ["@conveyor", "lamp.tioga"] {
        for (cover, policy) in [("edges", "fair"), ("boundaries", "random"), ("locations", "lazy")]
        {
            let line = format!(
                "--format json test {model} --online --cover {cover} --policy {policy} --repeat 5 --keep-going \
                 --journal o.journal"
            );
            let run = tioga(&folder, &line);
            let json: Value = serde_json::from_str(&run.out).unwrap();
            let cases = json["result"]["cases"].as_array().unwrap();
            assert!(cases.len() >= 3, "{line}");
            assert!(cases.iter().all(|case| case["fail"] == 0), "{line}: {json:#}");
            // A fair system lets every edge be covered.
            if policy == "fair" {
                assert!(
                    cases.iter().all(|case| case["pass"].as_u64() > Some(0)),
                    "{line}: {json:#}"
                );
            }
        }
        assert_eq!(tioga(&folder, "explain o.journal --run 1").code, 0);
        let run = tioga(&folder, "replay o.journal --run 1");
        assert!(run.out.contains("reproduced: the same verdict"), "{}{}", run.out, run.err);
    }
    folder.write("wrong.tioga", LAMP.replace("x <= 8 do x = 0", "x <= 8"));
    let line = "test lamp.tioga --online --cover definitions-uses --sut model:wrong.tioga --repeat 5 --no-journal";
    assert_eq!(tioga(&folder, line).code, 1);
}

#[test]
fn online_runs_go_where_mutants_differ_from_the_model() {
    let folder = folder("suite-online-mutants");
    let line =
        "test lamp.tioga --online --cover mutants --policy fair --keep-going --journal m.journal";
    let run = tioga(&folder, line);
    assert!([0, 5].contains(&run.code), "{}{}", run.out, run.err);
    assert!(run.out.contains("\naimed at "), "{}", run.out);
    let run = tioga(&folder, "replay m.journal --run 1");
    assert!(run.out.contains("reproduced: the same verdict"), "{}{}", run.out, run.err);
    for (what, with) in [
        ("invariant x <= 10", "invariant x <= 11"),
        ("out! when x >= 9", "out! when x >= 8"),
        ("x <= 8 do x = 0", "x <= 8"),
    ] {
        folder.write("wrong.tioga", LAMP.replace(what, with));
        let line = "test lamp.tioga --online --cover mutants --sut model:wrong.tioga --repeat 3 --no-journal";
        let run = tioga(&folder, line);
        assert_eq!(run.code, 1, "{with}: {}{}", run.out, run.err);
    }
}

/// The run that tells a mutant from the model may need instants that nobody controls. Taking the changed edge at another
/// instant and waiting for its effect tells it, too.
#[test]
fn online_runs_see_the_effects_of_changed_edges_behind_hidden_steps() {
    let folder = folder("suite-online-effects");
    let made = tioga(&folder, "mutate @conveyor --operators sink,target --only-nonconforming -o m");
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    let line = "test @conveyor --online --cover mutants --repeat 3 --no-journal";
    for mutant in ["sink@Belt.edge3#0", "sink@Belt.edge10#0", "target@Belt.edge9#2"] {
        let sut = format!("model:m/{mutant}.tioga");
        let run = folder
            .tioga(&[&line.split(' ').collect::<Vec<_>>()[..], &["--sut", &sut]].concat(), "");
        assert_eq!(run.code, 1, "{mutant}: {}{}", run.out, run.err);
    }
    let run = tioga(&folder, &format!("{line} --keep-going --sut model:@conveyor"));
    assert_eq!(run.code, 5, "{}{}", run.out, run.err);
    assert!(run.out.contains("Dest2 -> Start on `restart?`, then an output"), "{}", run.out);
    assert!(run.out.contains("11 of 11 effects covered"), "{}", run.out);
    // What goes on after an interruption makes the same runs.
    let line = "test @conveyor --online --cover locations,mutants --keep-going --journal";
    assert_eq!(tioga(&folder, &format!("{line} whole.journal")).code, 5);
    let events = |name: &str| -> Vec<Value> {
        let text = folder.read(name);
        let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut events: Vec<Value> = lines.by_ref().filter(|line| line["run"].is_u64()).collect();
        for event in events.iter_mut().filter_map(Value::as_object_mut) {
            event.retain(|name, _| !["after", "crc"].contains(&name.as_str()));
        }
        events
    };
    let whole = events("whole.journal");
    let text = folder.read("whole.journal");
    let begun = text.lines().take_while(|line| !line.contains("\"event\":\"begin\""));
    folder.write("cut.journal", begun.collect::<Vec<_>>().join("\n") + "\n");
    tioga(&folder, "resume cut.journal");
    assert!(whole.len() > 100 && events("cut.journal") == whole);
}

/// What kills a mutant only by chance stands once in the suite, and is run more often.
#[test]
fn test_cases_that_chance_decides_about_are_repeated_and_not_copied() {
    let folder = folder("suite-chance");
    let made = tioga(&folder, "synth @conveyor-game --cover mutants --kill-runs 1 -o s.json");
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    let suite: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    let cases = suite["cases"].as_array().unwrap();
    let runs = |case: &Value| case["runs"].as_u64().or(case["walk"]["runs"].as_u64()).unwrap_or(1);
    assert!(cases.iter().any(|case| case["runs"].as_u64() > Some(1)), "{}", made.out);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        assert!(!["-2", "-3", "-4"].iter().any(|end| name.ends_with(end)), "{name}");
    }
    let run = tioga(&folder, "run s.json --sut model:@conveyor-game --no-journal --keep-going");
    let all: u64 = cases.iter().map(runs).sum();
    assert!(run.out.contains(&format!("\n{all} runs")), "{all}: {}", run.out);
}

/// What `tioga test` says about mutants: how many of them were killed in percent.
fn default_kills(folder: &Folder, model: &str) -> (u64, Run) {
    let run = tioga(folder, &format!("test {model} --no-journal --budget 900s"));
    let line = run.out.lines().find(|line| line.starts_with("killed ")).unwrap_or_default();
    let percent = line.split('(').nth(1).and_then(|rest| rest.split(' ').next());
    (percent.and_then(|percent| percent.parse().ok()).unwrap_or(0), run)
}

#[test]
fn the_default_suite_kills_nineteen_of_twenty_mutants_whatever_the_model_leaves_to_the_system() {
    let folder = folder("suite-default-kills");
    for model in [
        "lamp.tioga",
        "@session",
        "@conveyor",
        "@conveyor-game",
        "@stairs-light",
        "@service-desk",
        "@switch/sw5",
    ] {
        let (percent, run) = default_kills(&folder, model);
        assert_eq!(run.code, 0, "{model}: {}{}", run.out, run.err);
        assert!(percent >= 95, "{model}: {}", run.out);
    }
}

#[test]
fn a_random_walk_passes_every_conforming_system_and_finds_faults_by_chance() {
    let folder = folder("suite-walk");
    let run = tioga(&folder, "--format json test lamp.tioga -p nothing");
    assert_eq!(run.code, 2);
    let made = folder.tioga(&["synth", "lamp.tioga", "-p", "walk 150", "-o", "walk.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    let suite: Value = serde_json::from_str(&folder.read("walk.json")).unwrap();
    assert_eq!(suite["cases"][0]["walk"]["longest_wait"], 11);
    assert_eq!(tioga(&folder, "certify lamp.tioga walk.json").code, 0);
    for policy in ["fair", "eager", "lazy", "hostile", "random"] {
        let line = format!(
            "run walk.json --sut model:lamp.tioga --policy {policy} --repeat 10 --journal w.journal"
        );
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 0, "{policy}: {}{}", run.out, run.err);
        assert!(run.out.contains("10    10     0"), "{}", run.out);
    }
    folder.write("wrong.tioga", LAMP.replace("invariant x <= 10", "invariant x <= 10.5"));
    let run = tioga(&folder, "run walk.json --sut model:wrong.tioga --repeat 10 --no-journal");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    // More runs of a walk are further runs of the campaign, also for those that look at it later.
    folder.write("twice.json", folder.read("walk.json").replace("\"runs\": 1", "\"runs\": 7"));
    let run =
        tioga(&folder, "run twice.json --sut model:lamp.tioga --repeat 2 --journal t.journal");
    assert!(run.out.contains("14    14     0"), "{}{}", run.out, run.err);
    assert_eq!(tioga(&folder, "explain t.journal --run 13").code, 0);
    let run = tioga(&folder, "replay t.journal --run 13");
    assert!(run.out.contains("reproduced: the same verdict"), "{}{}", run.out, run.err);
    // A walk tries something, also where the system may stay silent; one that is too short for that does not pass.
    folder.write(
        "quiet.tioga",
        "input a; output u; automaton P { init location L; L -> self : a?; L -> self : u!; }",
    );
    let made = folder.tioga(&["synth", "quiet.tioga", "-p", "walk 20", "-o", "quiet.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    let line =
        "run quiet.json --sut model:quiet.tioga --policy lazy --repeat 40 --journal q.journal";
    assert_eq!(tioga(&folder, line).code, 0);
    let journal = folder.read("q.journal");
    let acted = |run: u32| {
        let own = format!("\"run\":{run},");
        let mut lines = journal.lines().filter(|line| line.contains(&own));
        lines.any(|line| line.contains("\"sent\"") || line.contains("\"heard\""))
    };
    assert!((0..40).all(acted), "{journal}");
    // Where nothing but inputs can follow, time passes all the same.
    folder.write(
        "count.tioga",
        "input a; output u; automaton P { clock x; init location L; location Done;
         L -> self : a?; L -> Done : u! when x >= 1; Done -> self : a?; }",
    );
    let made = folder.tioga(&["synth", "count.tioga", "-p", "walk 40", "-o", "count.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    let line = "run count.json --sut model:count.tioga --policy eager --repeat 20 --no-journal";
    let run = tioga(&folder, line);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    folder.write("mute.tioga", "output u; automaton P { init location L; L -> self : u!; }");
    assert_eq!(
        folder.tioga(&["synth", "mute.tioga", "-p", "walk 9", "-o", "mute.json"], "").code,
        0
    );
    let line = "run mute.json --sut model:mute.tioga --policy lazy --no-journal";
    for line in [line.to_owned(), format!("{line} --out-latency 0..1")] {
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 5, "{}{}", run.out, run.err);
        assert!(run.out.contains("nothing was sent or heard"), "{}", run.out);
    }
    // What is no walk is not followed as one.
    for (what, with) in [("\"runs\": 1", "\"runs\": 0"), ("\"automaton\"", "\"strategy\"")] {
        folder.write("bad.json", folder.read("walk.json").replace(what, with));
        let run = tioga(&folder, "run bad.json --sut model:lamp.tioga --no-journal");
        assert_eq!(run.code, 2, "{with}: {}{}", run.out, run.err);
        assert_ne!(tioga(&folder, "certify lamp.tioga bad.json").code, 0, "{with}");
    }
}

/// The system speaks first, and nothing says when.
const NODE: &str = "\
input ping;
output boot, pong;
automaton Node {
  clock x;
  init location Down;
  location Up;
  location Asked invariant x <= 2;
  Down -> Up : boot!;
  Up -> Asked : ping? do x = 0;
  Asked -> Up : pong! when x >= 1;
}
";

#[test]
fn the_default_suite_walks_where_the_system_must_speak_first() {
    let folder = folder("suite-node");
    folder.write("node.tioga", NODE);
    let test = |policy: &str| {
        let line = format!("test node.tioga --sut model:node.tioga --policy {policy} --no-journal");
        tioga(&folder, &line)
    };
    for policy in ["eager", "fair"] {
        let run = test(policy);
        assert_eq!(run.code, 0, "{policy}: {}{}", run.out, run.err);
        assert!(run.out.contains("killed 24 of 24 mutants (100 %)"), "{}", run.out);
        let told = "random walks are inconclusive with a system that says nothing, as it may";
        assert!(run.out.contains(told), "{}", run.out);
    }
    // Nothing was tried, so nothing passes.
    let run = test("lazy");
    assert_eq!(run.code, 5, "{}{}", run.out, run.err);
    assert!(run.out.contains("nothing was sent or heard in the walk"), "{}", run.out);
    folder.write("late.tioga", NODE.replace("x <= 2", "x <= 3"));
    let line = "test node.tioga --sut model:late.tioga --policy fair --no-journal";
    assert_eq!(tioga(&folder, line).code, 1);
}

#[test]
fn a_default_suite_without_test_cases_says_so_to_machines_too() {
    let folder = folder("suite-nothing");
    let text =
        "input a; output u; automaton P { init location L; location M; M -> L : a?; M -> L : u!; }";
    folder.write("nothing.tioga", text);
    let run = tioga(&folder, "--format json test nothing.tioga");
    assert_eq!(run.code, 5, "{}{}", run.out, run.err);
    let told: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(told["diagnostics"][0]["code"], "nothing-to-run", "{told:#}");
    assert_eq!(told["result"]["runs"], 0, "{told:#}");
    assert_eq!(told["result"]["suite"]["coverage"]["criteria"][0]["coverable"], 0, "{told:#}");
    // Cooperation would not help.
    let run = tioga(&folder, "test nothing.tioga");
    assert!(run.err.contains("warning[nothing-to-run]"), "{}", run.err);
    assert!(!run.out.contains("rely on cooperation"), "{}", run.out);
}

/// A store whose messages carry large numbers, and which answers in a window.
const STORE: &str = "\
model store;
input put(int[0, 65535] v);
output got(int[0, 65535] v);
automaton Store {
  clock x;
  int[0, 65535] kept;
  init location Idle;
  location Busy invariant x <= 3;
  Idle -> Busy : put(v)? when v > 100 do kept = v, x = 0;
  Idle -> self : put(v)? when v <= 100;
  Busy -> Idle : got(kept)! when x >= 1;
  Busy -> self : put(v)?;
}
";

/// Comparisons of data decide which messages this node forwards. Ends of windows do not look for them.
#[test]
fn boundary_values_of_data_kill_wrong_comparisons() {
    let folder = Folder::new("suites-data");
    let made = tioga(&folder, "synth @leader-election --cover boundaries -o data.json");
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    assert!(made.out.contains("where `1 <= distance` decides, left side one less"), "{}", made.out);
    let killed = result(
        &folder,
        "mutation @leader-election --suite data.json --repeat 3 --operators guard-strict",
    );
    // Two comparisons only change when the next timeout comes, which the environment of the model may hide.
    assert!(killed["score"]["missed"].as_u64() <= Some(2), "{killed:#}");
    assert!(killed["score"]["killed"].as_u64() > Some(12), "{killed:#}");
}

#[test]
fn windows_and_pairs_are_covered_where_messages_carry_large_numbers() {
    let folder = Folder::new("suites-store");
    folder.write("store.tioga", STORE);
    let made = tioga(&folder, "synth store.tioga --cover boundaries,edge-pairs -o store.json");
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    for covered in ["8 of 8 edge pairs covered", "14 of 14 boundary values covered"] {
        assert!(made.out.contains(covered), "{}", made.out);
    }
    assert_eq!(tioga(&folder, "certify store.tioga store.json").code, 0);
    let run = tioga(&folder, "run store.json --sut model:store.tioga --repeat 3 --no-journal");
    assert_eq!(run.code, 0, "{}", run.out);
    let killed = result(&folder, "mutation store.tioga --suite store.json --repeat 3");
    assert_eq!(killed["score"]["missed"], 0, "{killed:#}");
    assert!(killed["score"]["killed"].as_u64() > Some(30), "{killed:#}");
}
