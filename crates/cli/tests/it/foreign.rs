//! Models that others wrote, with the answers their own tools give.

use crate::binary::{Folder, Json};

const LONELY: &str = "chan a; process P(){state A,B; init A; trans A->B{sync a!;};} system P;";

#[test]
fn a_channel_without_partner_blocks_unless_the_model_is_opened() {
    let folder = Folder::new("foreign-lonely");
    folder.write("p.xta", LONELY);
    let reach = |more: &[&str]| {
        let line = [&["reach", "p.xta", "-q", "E<> P.B"], more].concat();
        let run = folder.tioga(&line, "");
        (run.code, run.err)
    };
    let (code, said) = reach(&[]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("never taken: `a`"), "{said}");
    let (code, said) = reach(&["--open"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("so open: `a`"), "{said}");
    assert_eq!(reach(&["--output", "a"]), (0, String::new()));
    assert_eq!(reach(&["--internal", "a", "--open"]).0, 1);
    // Simulation and check read it in the same way, and tests need an interface.
    let run = folder.tioga(&["simulate", "p.xta", "--steps", "5"], "");
    assert!(!run.out.contains("a!"), "{}", run.out);
    let json = folder.tioga(&["--format", "json", "check", "p.xta"], "").json();
    assert_eq!(json["result"]["channels"][0]["direction"], serde_json::Value::Null);
    let run = folder.tioga(&["test", "p.xta", "-p", "reach P.B"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

#[test]
fn interface_files_may_name_internal_channels() {
    let folder = Folder::new("foreign-internal");
    folder.write("p.xta", LONELY);
    folder.write("p.interface.toml", "internal = [\"a\"]\n");
    assert_eq!(folder.tioga(&["reach", "p.xta", "--open", "-q", "E<> P.B"], "").code, 1);
    folder.write("p.interface.toml", "output = [\"a\"]\n");
    assert_eq!(folder.tioga(&["reach", "p.xta", "-q", "E<> P.B"], "").code, 0);
}

#[test]
fn events_of_tchecker_cross_the_interface_by_options() {
    let folder = Folder::new("foreign-events");
    let text = "system:s\nevent:go\nprocess:P\nlocation:P:a{initial:}\nlocation:P:b\n\
                edge:P:a:b:go{}\n";
    folder.write("p.tck", text);
    let run = folder.tioga(&["--format", "json", "check", "p.tck", "--input", "go"], "");
    assert_eq!(run.json()["result"]["channels"][0]["direction"], "input");
    let run = folder.tioga(&["check", "p.tck", "--input", "goo"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("the model has no event `goo`"), "{}", run.err);
    assert!(run.err.contains("did you mean `go`?"), "{}", run.err);
}

#[test]
fn a_control_query_makes_a_game_of_a_model_without_uncontrollable_edges() {
    let folder = Folder::new("foreign-game");
    let model = "clock x; chan a; process P() { state A { x <= 5 }, B, C; init A;
trans A -> B { guard x >= 2; sync a!; }, A -> C { guard x <= 3; }; }
process Q() { state A; init A; trans A -> A { sync a?; }; } system P, Q;";
    folder.write("g.xta", format!("{model} query {{ control: A<> P.B }}"));
    // The tester takes a in time and never goes to C.
    let run = folder.tioga(&["solve", "g.xta"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    // If the way to C is the opponent's, nothing is sure.
    folder.write(
        "u.xta",
        format!("{} query {{ control: A<> P.B }}", model.replace("A -> C", "A -u-> C")),
    );
    assert_eq!(folder.tioga(&["solve", "u.xta"], "").code, 1);
}

/// Reachability in models with parts that are set aside, computed by hand.
#[test]
fn what_is_set_aside_does_not_change_what_is_reached() {
    let folder = Folder::new("foreign-aside");
    let model =
        "clock x, e; int n; process P() { state A { x <= 3 && e' == 4; 2 }, B, C; branchpoint D;
init A; trans A -> D { guard x >= 1; assign n = 1, cost += 2; }, D -> B { probability 1; },
D -> C { assign n = n + 1; probability 9; }; } system P;";
    folder.write("m.xta", model);
    for (query, holds) in [
        ("E<> P.B && n == 1", true),
        ("E<> P.B && n == 2", false),
        ("E<> P.C && n == 2", true),
        ("E<> P.C && x < 1", false),
        ("A[] P.A imply x <= 3", true),
    ] {
        let run = folder.tioga(&["reach", "m.xta", "-q", query], "");
        assert_eq!(run.code, i32::from(!holds), "{query}: {}{}", run.out, run.err);
        // The conversion has no branchpoints, rates or costs, and the same answers.
        assert_eq!(folder.tioga(&["convert", "m.xta", "-o", "n.xml"], "").code, 0);
        let run = folder.tioga(&["reach", "n.xml", "-q", query], "");
        assert_eq!(run.code, i32::from(!holds), "{query}: {}{}", run.out, run.err);
    }
    // A clock that was left out cannot be asked about.
    assert_eq!(folder.tioga(&["reach", "m.xta", "-q", "E<> e > 2"], "").code, 2);
}

#[test]
fn a_component_of_ecdar_is_opened_with_the_declarations_of_its_project() {
    let folder = Folder::new("foreign-ecdar");
    std::fs::create_dir_all(folder.0.join("Model/Components")).unwrap();
    let globals = r#"{ "name": "Global Declarations", "declarations": "broadcast chan press, shine;\ntypedef int[0,1] bit;" }"#;
    folder.write("Model/GlobalDeclarations.json", globals);
    let lamp = |late: u32| {
        format!(
            r#"{{ "name": "Lamp", "declarations": "clock x; bit b;", "locations": [
{{ "id": "L0", "nickname": "", "invariant": "", "type": "INITIAL", "urgency": "NORMAL" }},
{{ "id": "L1", "nickname": "", "invariant": "x<={late}", "type": "NORMAL", "urgency": "NORMAL" }} ], "edges": [
{{ "sourceLocation": "L0", "targetLocation": "L1", "status": "INPUT", "select": "", "guard": "", "update": "x=0", "sync": "press" }},
{{ "sourceLocation": "L1", "targetLocation": "L1", "status": "INPUT", "select": "", "guard": "", "update": "", "sync": "press" }},
{{ "sourceLocation": "L1", "targetLocation": "L0", "status": "OUTPUT", "select": "", "guard": "x>=2", "update": "b=1-b", "sync": "shine" }} ] }}"#
        )
    };
    folder.write("Model/Components/Lamp.json", lamp(5));
    folder.write("Model/Components/Late.json", lamp(6));
    let json =
        folder.tioga(&["--format", "json", "check", "Model/Components/Lamp.json"], "").json();
    let channels = json["result"]["channels"].as_array().unwrap();
    let directions: Vec<&str> =
        channels.iter().map(|one| one["direction"].as_str().unwrap()).collect();
    assert_eq!(directions, ["input", "output"]);
    let reach = ["reach", "Model/Components/Lamp.json", "-q", "E<> Lamp.L1 && Lamp.x > 5"];
    assert_eq!(folder.tioga(&reach, "").code, 1);
    // The late one is a mutant that a test can tell.
    let (good, late) = ("Model/Components/Lamp.json", "Model/Components/Late.json");
    assert_eq!(folder.tioga(&["conform", late, good], "").code, 1);
    assert_eq!(folder.tioga(&["conform", good, late], "").code, 0);
    let run = folder.tioga(&["check", "Model/GlobalDeclarations.json"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("is no component of ECDAR"), "{}", run.err);
    let json = folder.tioga(&["--format", "json", "corpus", "Model"], "").json();
    assert_eq!(json["result"]["models"]["read"], 2);
    assert_eq!(json["result"]["others"], 1);
}

#[test]
fn a_system_of_ecdar_is_the_network_of_its_components() {
    let folder = Folder::new("foreign-ecdar-system");
    std::fs::create_dir_all(folder.0.join("Model/Components")).unwrap();
    std::fs::create_dir_all(folder.0.join("Model/Systems")).unwrap();
    folder.write("Model/GlobalDeclarations.json", r#"{ "declarations": "broadcast chan coin;" }"#);
    let component = |name: &str, receives: &str, sends: &str| {
        format!(
            r#"{{ "name": "{name}", "declarations": "clock x;", "locations": [
{{ "id": "L0", "invariant": "", "type": "INITIAL", "urgency": "NORMAL" }},
{{ "id": "L1", "invariant": "x<=3", "type": "NORMAL", "urgency": "NORMAL" }} ], "edges": [
{{ "sourceLocation": "L0", "targetLocation": "L1", "status": "INPUT", "update": "x=0", "sync": "{receives}" }},
{{ "sourceLocation": "L1", "targetLocation": "L0", "status": "OUTPUT", "guard": "x>=2", "sync": "{sends}" }} ] }}"#
        )
    };
    folder.write("Model/Components/Machine.json", component("Machine", "coin", "coffee"));
    folder.write("Model/Components/Researcher.json", component("Researcher", "coffee", "paper"));
    let system = r#"{ "name": "Both", "componentInstances": [ { "id": 1, "componentName": "Machine" },
{ "id": 3, "componentName": "Researcher" } ], "operators": [ { "id": 2, "type": "composition" } ],
"edges": [ { "child": 2, "parent": 0 }, { "child": 1, "parent": 2 }, { "child": 3, "parent": 2 } ] }"#;
    folder.write("Model/Systems/Both.json", system);
    let both = "Model/Systems/Both.json";
    let json = folder.tioga(&["--format", "json", "check", both], "").json();
    let channels = json["result"]["channels"].as_array().unwrap();
    let directions: Vec<_> = channels
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["direction"].as_str()))
        .collect();
    let expected = [("coin", Some("input")), ("coffee", None), ("paper", Some("output"))];
    assert_eq!(directions, expected);
    // The researcher is busy only after the machine has worked, which takes 2 to 3 units.
    let asked = |query: &str| folder.tioga(&["reach", both, "-q", query], "").code;
    assert_eq!(asked("E<> Machine.L1 && Researcher.L1"), 0);
    assert_eq!(asked("E<> Machine.L0 && Researcher.L1 && Machine.x < 2"), 1);
    // Other operators and common outputs are refused with the reason.
    folder.write("Model/Systems/Meet.json", system.replace("composition", "conjunction"));
    folder.write("Model/Systems/Twice.json", system.replace("Researcher", "Machine"));
    folder.write("Model/Systems/Lost.json", system.replace("Researcher", "Nobody"));
    for (file, why) in [
        ("Meet", "a conjunction is no network"),
        ("Twice", "both `Machine` and `Machine_2` send `coffee`"),
        ("Lost", "Nobody.json"),
    ] {
        let run = folder.tioga(&["check", &format!("Model/Systems/{file}.json")], "");
        assert_eq!(run.code, 2, "{file}: {}{}", run.out, run.err);
        assert!(run.err.contains(why), "{file}: {}", run.err);
    }
}

#[test]
fn a_model_of_ten_thousand_processes_or_clocks_is_checked_at_once() {
    let folder = Folder::new("foreign-large");
    folder.write(
        "processes.xta",
        "const int N = 10000; int[0, 9] g; process P(const int[0, N - 1] i) { state A, B; init A; trans
A -> B { guard g < 5; assign g = g + 1; }, B -> A { guard g > 0; assign g = g - 1; }; } system P;",
    );
    folder.write(
        "clocks.xta",
        "const int N = 10000; process P(const int[0, N - 1] i) { clock x; state A { x <= 5 }, B; init A; trans
A -> B { guard x > 2; assign x = 0; }, B -> A { guard x >= 1; }; } system P;",
    );
    for (file, clocks) in [("processes", 0), ("clocks", 10000)] {
        let run = folder.tioga(&["check", &format!("{file}.xta")], "");
        assert_eq!(run.code, 0, "{}", run.err);
        let unknown =
            format!("unknown: 10000 processes and {clocks} clocks are too many to explore");
        assert!(run.out.contains(&unknown), "{}", &run.out[..500]);
        assert!(run.out.contains("P(9999)"));
        // What was not explored is not known to be well.
        assert_eq!(folder.tioga(&["check", "--strict", &format!("{file}.xta")], "").code, 3);
    }
    let line = ["reach", "clocks.xta", "-q", "E<> P(0).B"];
    let run = folder.tioga(&line, "");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    let said = format!("{}{}", run.out, run.err);
    assert!(said.contains("the model has 10000 clocks; models with up to 1000"), "{said}");
}

#[test]
fn a_long_run_is_found_among_many_short_ones() {
    let folder = Folder::new("foreign-long");
    // More than a million states are nearer than the one asked for.
    folder.write(
        "m.xta",
        "process P(const int[0, 6] i) { int[0, 9] n; state A; init A; trans A -> A { assign n = (n + 1) % 10; }; }
process Q() { int[0, 60] n; state A; init A; trans A -> A { guard n < 60; assign n = n + 1; }; } system P, Q;",
    );
    let ask = |query: &str, more: &[&str]| {
        let line =
            [&["--format", "json", "reach", "m.xta", "-q", query, "--max-states", "90000"], more];
        let run = folder.tioga(&line.concat(), "");
        (run.code, run.json())
    };
    let (code, json) = ask("E<> Q.n == 60", &[]);
    assert_eq!(code, 0, "{json:#}");
    let visited = json["result"]["queries"][0]["stats"]["visited"].as_u64();
    assert!(visited.is_some_and(|visited| visited < 40_000), "{json:#}");
    // A refutation is found in the same way, and what is near by a shortest run.
    assert_eq!(ask("A[] Q.n < 60", &[]).0, 1);
    let (code, json) = ask("E<> Q.n == 2", &[]);
    assert_eq!(code, 0, "{json:#}");
    // Processes on which a query does not depend stand still.
    let (code, json) = ask("E<> Q.n == 60 && P(0).n == 11", &[]);
    assert_eq!(code, 1, "{json:#}");
    let left_out = json["result"]["queries"][0]["left_out"].as_array().unwrap().len();
    assert_eq!(left_out, 6, "{json:#}");
    // Unless everything is to be explored.
    let (code, json) = ask("E<> Q.n == 60 && P(0).n == 11", &["--whole"]);
    assert_eq!((code, &json["result"]["queries"][0]["left_out"]), (3, &serde_json::json!([])));
    // The limit counts everything that was visited.
    let (code, json) = ask("E<> Q.n == 60 && forall (i : int[0, 6]) P(i).n == 11", &[]);
    assert_eq!(code, 3, "{json:#}");
    assert_eq!(
        json["result"]["queries"][0]["reason"],
        "the limit of 90000 visited states was reached"
    );
}

#[test]
fn mutants_that_ecdar_exports_are_compared_with_their_component() {
    let folder = Folder::new("foreign-ecdar-mutants");
    std::fs::create_dir_all(folder.0.join("Model/Components")).unwrap();
    std::fs::create_dir_all(folder.0.join("Model/mutants/json")).unwrap();
    let globals = r#"{ "name": "Global Declarations", "declarations": "typedef int[0,1] bit; broadcast chan off;" }"#;
    folder.write("Model/GlobalDeclarations.json", globals);
    let original = r#"{ "name": "Lamp", "declarations": "clock x; bit b;", "locations": [
{ "id": "L0", "nickname": "", "invariant": "", "type": "INITIAL", "urgency": "NORMAL" },
{ "id": "L1", "nickname": "", "invariant": "x<=5", "type": "NORMAL", "urgency": "NORMAL" } ], "edges": [
{ "id": "E0", "sourceLocation": "L0", "targetLocation": "L1", "status": "INPUT", "select": "", "guard": "", "update": "x=0", "sync": "press" },
{ "id": "E1", "sourceLocation": "L1", "targetLocation": "L1", "status": "INPUT", "select": "", "guard": "", "update": "", "sync": "press" },
{ "id": "E2", "sourceLocation": "L1", "targetLocation": "L1", "status": "OUTPUT", "select": "", "guard": "b==0", "update": "b=1", "sync": "shine" },
{ "id": "E3", "sourceLocation": "L1", "targetLocation": "L0", "status": "OUTPUT", "select": "", "guard": "b==1", "update": "b=0", "sync": "off" } ] }"#;
    folder.write("Model/Components/Lamp.json", original);
    // A sink has no id, as when ECDAR's mutation adds it.
    let sink = r#""type": "NORMAL", "urgency": "NORMAL" }, { "id": "", "nickname": "", "invariant": "", "type": "NORMAL", "urgency": "NORMAL" } ], "edges": [
{ "id": null, "sourceLocation": "", "targetLocation": "", "status": "INPUT", "select": "", "guard": "", "update": "", "sync": "press" },"#;
    let to_sink = original
        .replace("\"type\": \"NORMAL\", \"urgency\": \"NORMAL\" } ], \"edges\": [", sink)
        .replace("\"targetLocation\": \"L0\"", "\"targetLocation\": \"\"");
    let mutants = [
        ("sinkLocation_3", to_sink, 1),
        ("changeAction_3_shine", original.replace("\"sync\": \"off\"", "\"sync\": \"shine\""), 1),
        ("changeInvariant_L1_0", original.replace("x<=5", "x<=5 + 1"), 1),
        (
            "invertReset_1_x",
            original.replace(
                "\"update\": \"\", \"sync\": \"press\"",
                "\"update\": \"x=0\", \"sync\": \"press\"",
            ),
            1,
        ),
        ("changeGuardConst", original.replace("b==0", "b==0 && x<=4"), 0),
    ];
    for (name, text, code) in &mutants {
        assert_ne!(text, original, "{name}");
        let file = format!("Model/mutants/json/{name}.json");
        folder.write(&file, text);
        let run = folder.tioga(&["conform", &file, "Model/Components/Lamp.json"], "");
        assert_eq!(run.code, *code, "{name}: {}{}", run.out, run.err);
    }
    let json = folder.tioga(&["--format", "json", "corpus", "Model/mutants"], "").json();
    assert_eq!(json["result"]["models"]["read"], mutants.len());
}

/// The source, target, guard and channel of an edge.
type EdgeLabels = (&'static str, &'static str, &'static str, &'static str);

/// A component of one clock with edges `source target guard sync`, and `x<=4` in its location `L1`.
fn one_clock(name: &str, edges: &[EdgeLabels]) -> String {
    let edge = |(source, target, guard, sync): &EdgeLabels| {
        let status = if sync.ends_with('?') { "INPUT" } else { "OUTPUT" };
        let sync = sync.trim_end_matches(['!', '?']);
        format!(
            r#"{{ "sourceLocation": "{source}", "targetLocation": "{target}", "status": "{status}", "guard": "{guard}", "sync": "{sync}" }}"#
        )
    };
    let edges: Vec<String> = edges.iter().map(edge).collect();
    format!(
        r#"{{ "name": "{name}", "declarations": "clock x;", "locations": [
{{ "id": "L0", "invariant": "", "type": "INITIAL", "urgency": "NORMAL" }},
{{ "id": "L1", "invariant": "x<=4", "type": "NORMAL", "urgency": "NORMAL" }},
{{ "id": "L2", "invariant": "", "type": "NORMAL", "urgency": "NORMAL" }} ], "edges": [{}] }}"#,
        edges.join(", ")
    )
}

#[test]
fn components_of_ecdar_ignore_inputs_that_no_edge_takes() {
    let folder = Folder::new("foreign-ecdar-inputs");
    let component = |guard: &'static str| {
        let edges = [("L0", "L2", guard, "go?"), ("L2", "L0", "", "done!")];
        one_clock("Server", &edges)
    };
    folder.write("short.json", component("x<=3"));
    folder.write("long.json", component("x<=5"));
    // Both take the input at any time. At 4 one of them ignores it, and only the other one may answer.
    let answers = [("short", "long", 0), ("long", "short", 1), ("short", "short", 0)];
    for (one, other, code) in answers {
        let line = ["refines", &format!("{one}.json"), &format!("{other}.json")];
        let run = folder.tioga(&line, "");
        assert_eq!(run.code, code, "{one} {other}: {}{}", run.out, run.err);
    }
    let run = folder.tioga(&["refines", "long.json", "short.json"], "");
    assert!(run.out.contains("long emits done!"), "{}", run.out);
    // An edge is no way out of the invariant that it leads to.
    folder.write("arrive.json", one_clock("Server", &[("L0", "L1", "", "go?")]));
    let text = folder.tioga(&["convert", "arrive.json", "--to", "xta"], "").out;
    assert!(text.contains("L0 -> L0 { guard x > 4; sync go?; }"), "{text}");
    assert!(text.contains("L1 -> L1 { sync go?; }"), "{text}");
    // A suite keeps the loops: a system that answers an ignored input is at fault.
    assert_eq!(folder.tioga(&["conform", "long.json", "short.json"], "").code, 1);
    // Other formats say themselves what is ignored.
    let process = |bound: u32| {
        format!(
            "broadcast chan go, done; process Server() {{ clock x; state L0, L2; init L0;
trans L0 -> L2 {{ guard x <= {bound}; sync go?; }}, L2 -> L0 {{ sync done!; }}; }}
system Server; IO Server {{ go?, done! }}"
        )
    };
    folder.write("short.xta", process(3));
    folder.write("long.xta", process(5));
    assert_eq!(folder.tioga(&["conform", "long.xta", "short.xta"], "").code, 0);
}

#[test]
fn components_of_ecdar_with_other_alphabets_are_compared() {
    let folder = Folder::new("foreign-ecdar-alphabets");
    std::fs::create_dir_all(folder.0.join("Components")).unwrap();
    std::fs::create_dir_all(folder.0.join("Systems")).unwrap();
    let components: [(&str, &[EdgeLabels]); 5] = [
        ("Plain", &[("L0", "L2", "", "go?"), ("L2", "L0", "x>=2", "done!")]),
        // Logs whenever it likes, which changes nothing.
        (
            "Logging",
            &[("L0", "L2", "", "go?"), ("L2", "L0", "x>=2", "done!"), ("L2", "L2", "", "log!")],
        ),
        // After the log it answers at once.
        ("Hasty", &[("L0", "L2", "", "go?"), ("L2", "L1", "", "log!"), ("L1", "L0", "", "done!")]),
        // Can be stopped, too.
        (
            "Stopped",
            &[("L0", "L2", "", "go?"), ("L2", "L0", "x>=2", "done!"), ("L2", "L0", "", "stop?")],
        ),
        ("Client", &[("L0", "L2", "", "go!"), ("L2", "L0", "", "done?")]),
    ];
    for (name, edges) in components {
        folder.write(&format!("Components/{name}.json"), one_clock(name, edges));
    }
    let refines = |one: &str, other: &str| {
        let line =
            ["refines", &format!("Components/{one}.json"), &format!("Components/{other}.json")];
        folder.tioga(&line, "")
    };
    let no = |reason: &'static str| Some(reason);
    let answers = [
        ("Logging", "Plain", None),
        ("Hasty", "Plain", no("Hasty emits done!")),
        (
            "Plain",
            "Logging",
            no("the specification sends `log`, which is not an output of the imp"),
        ),
        (
            "Stopped",
            "Plain",
            no("the implementation takes `stop`, which is not an input of the spec"),
        ),
        // A request to stop is ignored, and the answer comes where none is expected.
        ("Plain", "Stopped", no("Plain emits done!")),
        ("Plain", "Client", no("`done` is an output of the implementation and an input of the")),
        ("Client", "Plain", no("`done` is an input of the implementation and an output of the")),
    ];
    for (one, other, reason) in answers {
        let run = refines(one, other);
        assert_eq!(run.code, i32::from(reason.is_some()), "{one} {other}: {}{}", run.out, run.err);
        let reason = reason.unwrap_or("refines");
        assert!(run.out.contains(reason), "{one} {other}: {}", run.out);
    }
    let line = ["Components/Plain.json", "Components/Logging.json"];
    let json = folder.tioga(&[&["--format", "json", "refines"], &line[..]].concat(), "").json();
    assert_eq!(
        (&json["result"]["holds"], &json["exit"]),
        (&serde_json::json!(false), &serde_json::json!(1))
    );
    assert!(json["result"]["reason"].as_str().unwrap().contains("`log`"), "{json:#}");
    let written = [&["refines"], &line[..], &["-o", "run.json"]].concat();
    assert!(folder.tioga(&written, "").out.contains("there is no run to write"));
    // Conformance, and other formats, ask for the same channels.
    assert_eq!(folder.tioga(&[&["conform"], &line[..]].concat(), "").code, 2);
    for name in ["Plain", "Logging"] {
        let (file, made) = (format!("Components/{name}.json"), format!("{name}.xta"));
        assert_eq!(folder.tioga(&["convert", &file, "-o", &made], "").code, 0);
    }
    assert_eq!(folder.tioga(&["refines", "Logging.xta", "Plain.xta"], "").code, 2);
    // What is inside a system is not compared with what another component shows.
    let system = r#"{ "name": "Both", "componentInstances": [ { "id": 2, "componentName": "Plain" },
{ "id": 3, "componentName": "Client" } ], "operators": [ { "id": 1, "type": "composition" } ],
"edges": [ { "child": 1, "parent": 0 }, { "child": 2, "parent": 1 }, { "child": 3, "parent": 1 } ] }"#;
    folder.write("Systems/Both.json", system);
    let run = folder.tioga(&["refines", "Systems/Both.json", "Components/Plain.json"], "");
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    // An input that only system declarations name is an input.
    let declared = r#"{ "name": "System Declarations", "declarations": "system Plain, Stopped;\n\nIO Plain { go?, done!, stop?, log! }" }"#;
    folder.write("SystemDeclarations.json", declared);
    let json = folder.tioga(&["--format", "json", "check", "Components/Plain.json"], "").json();
    let channels = json["result"]["channels"].as_array().unwrap();
    let names: Vec<&str> = channels.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["done", "go", "stop"]);
    assert_eq!(refines("Plain", "Stopped").code, 1);
    assert_eq!(refines("Plain", "Plain").code, 0);
}

#[test]
fn a_machine_of_sptg_is_read_and_not_written() {
    let folder = Folder::new("foreign-sptg");
    let machine = "@xlia< system , 1.0 >:
timed system Shop { @composite: statemachine Till {
@public: port input Pay( uint ); port output Ticket( uint ); const uint PRICE = 3;
@private: var uint paid; var clock urational c;
@region: state< start > Idle {
  transition pay --> Paid { input Pay( paid ); guard ( PRICE <= paid <= 9 ); c := 0; } }
state Paid { transition give --> Idle { guard ( c <= 2 ); output Ticket( paid - PRICE ); } }
@com: connect< env >{ input Pay; output Ticket; } } }";
    folder.write("shop.xlia", machine);
    let run = folder.tioga(&["convert", "shop.xlia", "-o", "shop.tioga"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let purpose = "purpose Buy { init location S; location T; accept location A; refuse location R;
S -> T : Pay(p)?; T -> A : Ticket(t)!; otherwise -> R; }";
    let model = std::fs::read_to_string(folder.0.join("shop.tioga")).unwrap();
    folder.write("shop.tioga", format!("{model}\n{purpose}\n"));
    // What is converted, and the machine itself, come to the same.
    let same = |stage: &str, more: &[&str]| {
        let run = |name: &str| {
            let run = folder.tioga(&[&["symbolic", name, "--stage", stage], more].concat(), "");
            assert_eq!(run.code, 0, "{}", run.err);
            run.out
        };
        (run("shop.xlia"), run("shop.tioga"))
    };
    let (machine, converted) = same("setexp", &[]);
    assert_eq!(machine, converted);
    assert!(machine.contains("Set(c, 2)"), "{machine}");
    let run = folder.tioga(&["symbolic", "shop.tioga", "-p", "Buy"], "");
    assert!(run.out.contains("pass") || run.out.contains("Pass"), "{}", run.out);
    let json = folder.tioga(&["--format", "json", "corpus", "."], "").json();
    assert_eq!(json["result"]["models"]["read"], 2);
    for (arguments, code) in [
        (["convert", "shop.xlia", "-o", "back.xlia"], 2),
        (["convert", "shop.xlia", "--to", "xlia"], 2),
    ] {
        assert_eq!(folder.tioga(&arguments, "").code, code);
    }
    assert!(!folder.0.join("back.xlia").exists());
}

#[test]
fn a_location_of_tchecker_may_have_the_name_of_a_keyword() {
    let folder = Folder::new("foreign-keyword");
    let model =
        "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:init{initial:}\nlocation:P:when{}
edge:P:init:when:a{provided: x>=1}\n";
    folder.write("s.tck", model);
    for (query, code) in [("E<> P.when", 0), ("A[] P.init", 1), ("P.init --> P.when", 1)] {
        let run = folder.tioga(&["reach", "s.tck", "-q", query], "");
        assert_eq!(run.code, code, "{query}: {}{}", run.out, run.err);
    }
}

#[test]
fn edges_of_one_choice_are_told_apart_by_their_channels() {
    let folder = Folder::new("foreign-choice");
    let model = "typedef int[0,127] id; chan call[128][128]; id own;
process P() { state A; init A; trans A -> A { select o : id; sync call[own][o]!; },
A -> A { select o : id; sync call[o][own]?; }; } system P;";
    let deterministic = |text: &str| {
        folder.write("c.xta", text);
        let run = folder.tioga(&["--format", "json", "check", "c.xta", "--max-states", "0"], "");
        run.json()["result"]["properties"][0]["verdict"].clone()
    };
    assert_eq!(deterministic(model), "yes");
    // Two choices with one channel are seen.
    assert_eq!(deterministic(&model.replace("call[own][o]!", "call[own][o / 2]!")), "no");
}

#[test]
fn a_function_that_sets_clocks_is_explored_like_its_assignments_and_can_be_converted() {
    let model = |functions: &str, first: &str, second: &str| {
        format!(
            "clock x, y, w[2]; int[0,3] n; {functions}
process P(const int[0,1] id) {{ state A {{ x <= 4 }}, B {{ y <= 3 }}; init A; trans
A -> B {{ guard w[id] >= 1; assign {first}; }}, B -> A {{ guard y >= 1; assign {second}; }}; }}
system P;"
        )
    };
    let functions = "void set(clock &c, int v) { c = v; }
void go(int i) { n = (n + 1) % 3; set(w[i], i); if (i == 0) x = 0; }
void back() { for (i : int[0, 1]) w[i] = 0; x = n; y = 0; }";
    let written_out = "w[id] = id, n = (n + 1) % 3";
    let folder = Folder::new("foreign-setters");
    folder.write("f.xta", model(functions, "go(id)", "back()"));
    // Only the process of value 0 sets x, so its edge is told apart.
    let inlined = model("", written_out, "w[0] = 0, w[1] = 0, x = n, y = 0").replace(
        "A -> B { guard w[id] >= 1; assign",
        "A -> B { guard w[id] >= 1 && id == 1; assign w[id] = id, n = (n + 1) % 3; },
A -> B { guard w[id] >= 1 && id == 0; assign x = 0,",
    );
    folder.write("g.xta", inlined);
    let explored = |file: &str| {
        let json = folder.tioga(&["reach", file, "--all", "--format", "json"], "").json();
        let found = &json["result"]["queries"][0]["stats"];
        assert!(found["visited"].as_u64().is_some_and(|count| count > 10), "{json}");
        found["visited"].clone()
    };
    let expected = explored("g.xta");
    assert_eq!(explored("f.xta"), expected);
    for (to, file) in [("tioga", "c.tioga"), ("xml", "c.xml"), ("xta", "c.xta")] {
        let run = folder.tioga(&["convert", "f.xta", "--to", to, "-o", file], "");
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(explored(file), expected, "{to}");
    }
}
