//! What UPPAAL's users ask beyond reachability: values, symmetric models, functions of processes, and kinds of
//! queries that nothing here answers.

use serde_json::{Value, json};

use crate::binary::{Folder, Json};

const TURNS: &str = "clock x, y, z; int[0,5] n;
process P() { state A { x <= 5 }, B { x < 3 }, C; init A;
trans A -> B { guard x >= 2; assign x = 0, n = n < 5 ? n + 1 : 0; },
      B -> A { guard x > 1; assign x = 0, y = 0; }, A -> C { guard n == 3; }; } system P;";

#[test]
fn values_are_measured_with_their_strictness() {
    let folder = Folder::new("queries-values");
    folder.write("p.xta", TURNS);
    let line = [
        "reach",
        "p.xta",
        "-q",
        "bounds{P.B}: x, y, z, n + 1",
        "-q",
        "sup: n",
        "-q",
        "inf{P.C}: x",
    ];
    let run = folder.tioga(&line, "");
    assert_eq!(run.code, 0, "{}", run.err);
    for said in [
        "0 <= x < 3\n",
        "2 <= y < 8\n",
        "z >= 2, unbounded above\n",
        "1 <= n + 1 <= 6\n",
        "sup: n: measured\n  n <= 5\n",
        "inf{P.C}: x: measured\n  x >= 0\n",
    ] {
        assert!(run.out.contains(said), "{said} is not in {}", run.out);
    }
    let none = folder.tioga(&["reach", "p.xta", "-q", "sup{P.B && x > 4}: x"], "");
    assert!(none.out.contains("no such state is reachable"), "{}", none.out);
    let line = ["--format", "json", "reach", "p.xta", "-q", "bounds{P.B}: y, z, 0 - x"];
    let values = folder.tioga(&line, "").json()["result"]["queries"][0]["values"].clone();
    let end = |value: i64, strict: bool| json!({ "value": value, "strict": strict });
    let unbounded = json!({ "unbounded": true });
    assert_eq!(
        values[0],
        json!({ "expression": "y", "lower": end(2, false), "upper": end(8, true) })
    );
    assert_eq!(values[1]["upper"], unbounded);
    assert_eq!(
        values[2],
        json!({ "expression": "0 - x", "lower": end(-3, true), "upper": end(0, false) })
    );
    let wrong = folder.tioga(&["reach", "p.xta", "-q", "sup: x + y"], "");
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("too many clocks"), "{}", wrong.err);
}

#[test]
fn fractions_are_measured_in_written_units() {
    let folder = Folder::new("queries-fractions");
    let text = "time unit 1 s;\nautomaton P { clock x; init location A invariant x <= 2.5; location B; A -> B : when x < 1.5; }\n";
    folder.write("p.tioga", text);
    let run = folder
        .tioga(&["reach", "p.tioga", "-q", "sup{P.A}: P.x", "-q", "bounds{P.B}: P.x + 1"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("P.x <= 2.5 s\n"), "{}", run.out);
    assert!(run.out.contains("P.x + 1 >= 1 s, unbounded above\n"), "{}", run.out);
}

#[test]
fn a_scalar_set_is_explored_up_to_symmetry_unless_switched_off() {
    let folder = Folder::new("queries-symmetry");
    let fischer = |size: u32| {
        format!(
            "typedef scalar[{size}] S; S id; bool taken;
process P(const S me) {{ clock x; state A, Req {{ x <= 2 }}, Wait, Cs; init A; trans
A -> Req {{ guard !taken; assign x = 0; }}, Req -> Wait {{ assign x = 0, id = me, taken = true; }},
Wait -> Req {{ guard !taken; assign x = 0; }}, Wait -> Cs {{ guard x > 2 && taken && id == me; }},
Cs -> A {{ assign taken = false; }}; }} system P;"
        )
    };
    folder.write("f.xta", fischer(4));
    folder.write("large.xta", fischer(12));
    let stats = |more: &[&str]| {
        let line = [&["--format", "json", "reach", "f.xta"], more].concat();
        let result: Value = folder.tioga(&line, "").json()["result"]["queries"][0].clone();
        (result["symmetry"].clone(), result["stats"]["visited"].clone())
    };
    assert_eq!(stats(&["--all"]), (json!(true), json!(38)));
    assert_eq!(stats(&["--all", "--no-symmetry"]), (json!(false), json!(404)));
    // A query that names a process tells it from the others.
    assert_eq!(stats(&["-q", "A[] !(P(1).Cs && P(2).Cs)"]), (json!(false), json!(404)));
    let mutex = "A[] forall (i : S) forall (j : S) P(i).Cs && P(j).Cs imply i == j";
    let run = folder.tioga(&["reach", "large.xta", "-q", mutex, "--max-states", "1000"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    // Runs are those of the model itself.
    let passing = "E<> exists (i : S) exists (j : S) P(i).Cs && P(j).Wait && id == i && P(j).x > 4";
    let run = folder.tioga(&["reach", "f.xta", "-q", passing, "-o", "run.trace"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("up to symmetry"), "{}", run.out);
    let replayed = folder.tioga(&["replay", "f.xta", "run.trace"], "");
    assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
}

#[test]
fn queries_call_functions_of_processes() {
    let folder = Folder::new("queries-functions");
    let text = "process P(const int[0,1] id) { int a[3] = { 4, 5, 6 }; clock x; int[0,5] n = 2;
int f(int i) { return i + n + id; } void set() { n = 0; }
state A, B; init A; trans A -> B { guard x > 1; assign n = 3; }; } system P;";
    folder.write("p.xta", text);
    let answer = |query: &str| folder.tioga(&["reach", "p.xta", "-q", query], "");
    assert_eq!(answer("E<> P(0).f(1) == 4 && P(0).B").code, 0);
    assert_eq!(
        answer("E<> forall (i : int[0,1]) P(i).f(i) == 3 + 2 * i && P(i).a[2] == 6").code,
        0
    );
    assert_eq!(answer("A[] P(1).f(0) < 4").code, 1);
    assert!(answer("sup: P(1).f(3)").out.contains("P(1).f(3) <= 7"));
    let wrong = answer("E<> P(0).g(1) == 4");
    assert!(wrong.err.contains("`P(0)` has no function `g`"), "{}", wrong.err);
    let changing = answer("E<> P(0).set() == 0");
    assert_eq!(changing.code, 2, "{}", changing.err);
}

#[test]
fn functions_return_arrays_and_records() {
    let folder = Folder::new("queries-whole");
    let text = "typedef struct { int[0,9] a; int[0,9] b; } pair; typedef int[0,9] tri[3];
pair p; tri t; int[0,9] z; int[0,1] s[3];
pair mk(int[0,9] x, int[0,9] y) { pair q; q.a = x; q.b = y; return q; }
pair swap(pair q) { pair r = { q.b, q.a }; return r; }
tri fill(int[0,9] v) { tri k; for (i : int[0,2]) k[i] = v; return k; }
tri nest(int[0,9] v) { return fill(v); }
int[0,9] first(int[0,9] v) { pair q = mk(v, 1); tri u = nest(3); t[0] = u[2]; return q.a; }
process P() { state A, B, C; init A; trans
A -> B { assign p = mk(1, 2), p = swap(p), t = fill(7); }, B -> C { assign z = first(5); }; } system P;";
    folder.write("p.xta", text);
    let query = "E<> P.C && p.a == 2 && p.b == 1 && t[0] == 3 && t[2] == 7 && z == 5";
    let run = folder.tioga(&["reach", "p.xta", "-q", query], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    for format in ["xml", "xta", "tioga"] {
        let file = format!("again.{format}");
        assert_eq!(folder.tioga(&["convert", "p.xta", "-o", &file], "").code, 0);
        assert_eq!(folder.tioga(&["reach", &file, "-q", query], "").code, 0, "{format}");
    }
    folder.write("used.xta", text.replace("z = first(5)", "z = mk(5, 1).a"));
    let used = folder.tioga(&["reach", "used.xta"], "");
    assert_eq!(used.code, 2);
    assert!(used.err.contains("store it in a variable, and use that"), "{}", used.err);
    // What does not fit would go unnoticed.
    folder.write("narrow.xta", text.replace("t = fill(7)", "s = fill(7)"));
    let narrow = folder.tioga(&["reach", "narrow.xta"], "");
    assert_eq!(narrow.code, 2);
    assert!(narrow.err.contains("and copy that"), "{}", narrow.err);
}

#[test]
fn queries_that_nothing_answers_are_listed_and_spoil_no_others() {
    let folder = Folder::new("queries-unanswered");
    folder.write(
        "p.xta",
        "process P() { clock x; state A, B; init A; trans A -> B { guard x > 1; }; } system P;",
    );
    let queries = "Pr[<=20](<> P.B)\nE<> P.B\nsimulate [<=10] {P.x}\nE<> P.(\nE<> P.B under S\nE<> P.Q\n\
                   strategy S = control: A<> P.B\nA[] P.x >= 0\n";
    folder.write("p.q", queries);
    let run = folder.tioga(&["--format", "json", "reach", "p.xta"], "");
    assert_eq!(run.code, 3);
    let json = run.json();
    let answers = json["result"]["queries"].as_array().unwrap();
    let told: Vec<(&str, Option<bool>, bool)> = answers
        .iter()
        .map(|one| {
            let reason = one["reason"].as_str().unwrap_or("");
            let unsupported = reason.contains("not supported") || reason.contains("left out");
            (one["query"].as_str().unwrap(), one["holds"].as_bool(), unsupported)
        })
        .collect();
    let expected = [
        ("Pr[<=20](<> P.B)", None, true),
        ("E<> P.B", Some(true), false),
        ("simulate [<=10] {P.x}", None, true),
        ("E<> P.B under S", None, true),
        ("E<> P.Q", None, true),
        ("strategy S = control: A<> P.B", None, true),
        ("A[] P.x >= 0", Some(true), false),
    ];
    assert_eq!(told, expected);
}

#[test]
fn differences_of_clocks_are_decided_though_clocks_grow_for_ever() {
    let folder = Folder::new("queries-differences");
    let text = "clock x, y; process P() { state A { y <= 2 }; init A;
trans A -> A { guard y >= 1; assign y = 0; }, A -> A { assign x = 0, y = 0; }; } system P;";
    folder.write("p.xta", text);
    assert_eq!(folder.tioga(&["reach", "p.xta", "-q", "A[] y - x <= 0"], "").code, 0);
    let run = folder.tioga(&["reach", "p.xta", "-q", "E<> x - y > 7", "-o", "run.trace"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(folder.tioga(&["replay", "p.xta", "run.trace"], "").code, 0);
}
