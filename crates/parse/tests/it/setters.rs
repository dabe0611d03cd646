//! Functions that set clocks: the same as the edges that set them, or refused with a reason.

use tioga_base::{Diagnostics, Sources};
use tioga_model::{ClockUpdate, Evaluator, Model, Network, Stack, Update};
use tioga_parse::{Format, Options, lower, parse, raise, uppaal};

fn read(text: &str) -> Result<Network, Vec<String>> {
    let mut sources = Sources::new();
    let file = sources.add("test", text);
    let mut diagnostics = Diagnostics::new();
    let network = parse(Format::Xta, file, text, &mut diagnostics)
        .and_then(|document| lower(&document, &Options::default(), &mut diagnostics));
    let say = |one: &tioga_base::Diagnostic| {
        let help = one.help.clone().unwrap_or_default();
        format!("{}: {} ({help})", one.code, one.message)
    };
    network.ok_or_else(|| diagnostics.iter().map(say).collect())
}

/// A model with clocks, data and functions, and one edge with this update.
fn model(functions: &str, update: &str) -> String {
    format!(
        "const int N = 2; clock x, y, w[3]; int n = 1, m = 2, a[3]; void touch(int &k) {{ k++; }}
void grow() {{ n++; }} int twice(int k) {{ return 2 * k; }} {functions}
process P(const int id) {{ clock z; int p; state A {{ x <= 9 }}; init A;
trans A -> A {{ guard y >= 1; assign {update}; }}; }} Q = P(1); system Q;"
    )
}

/// The clocks that are set, with what they are set from, and the data afterwards.
type Effect = (Vec<(u32, Option<u32>, i64)>, Vec<i64>);

/// The clocks that the edge sets, with values, and the data after it.
fn effect(model: &Model) -> Effect {
    let mut data: Vec<i64> = model.slots.iter().map(|slot| slot.initial).collect();
    let edge = model.processes.iter().next().unwrap().edges.iter().next().unwrap();
    let mut clocks = Vec::new();
    let mut stack = Stack::default();
    for update in &edge.updates {
        let mut evaluator = Evaluator::writing(&model.code, &[], &mut data, &mut stack);
        match update {
            Update::Data(statement) => evaluator.run(statement, edge.span).unwrap(),
            Update::Clock(ClockUpdate { clock, source, value, when }) => {
                if when.is_some_and(|when| !evaluator.holds(when).unwrap()) {
                    continue;
                }
                let mut element = |term: &tioga_model::ClockTerm| match term.index {
                    None => term.clock.0,
                    Some((index, _)) => {
                        term.clock.0 + u32::try_from(evaluator.int(index).unwrap()).unwrap()
                    }
                };
                let (clock, source) = (element(clock), source.as_ref().map(&mut element));
                let value = match value {
                    tioga_model::TimeBound::Constant(value) => *value,
                    tioga_model::TimeBound::Expr(expr) => evaluator.int(*expr).unwrap(),
                };
                clocks.push((clock, source, value));
            }
        }
    }
    (clocks, data)
}

#[track_caller]
fn of(text: &str) -> Effect {
    let network = read(text).unwrap_or_else(|said| panic!("{said:#?}\n{text}"));
    effect(&network.validate().map_err(|wrong| format!("{wrong:?}")).unwrap())
}

/// Functions that set clocks, a call, and the same written out.
const SAME: &[(&str, &str, &str)] = &[
    ("void f() { x = 0; n = 3; }", "f()", "x = 0, n = 3"),
    // The clock depends on what was changed before.
    ("void f() { n = 2; w[n] = n; n = 0; }", "f()", "n = 2, w[n] = n, n = 0"),
    ("void f(int i) { w[i] = 0; }", "f(2)", "w[2] = 0"),
    ("void f(int i) { w[i] = i + n; a[i] = 7; }", "f(n)", "w[n] = n + n, a[n] = 7"),
    // The argument is evaluated once, before the body changes what it reads.
    ("void f(int i) { n = 0; w[i] = i; m = i; }", "f(n)", "w[n] = n, m = n, n = 0"),
    ("void f(const int i) { x = i; }", "f(id)", "x = 1"),
    ("void f(clock &c) { c = 3; }", "f(z), f(w[n])", "z = 3, w[n] = 3"),
    (
        "void f(clock &c, clock &d) { c = d + 1; d = 0; n = 4; }",
        "f(x, y)",
        "x = y + 1, y = 0, n = 4",
    ),
    ("void f(clock &c[3]) { c[0] = 0; c[2] = 5; }", "f(w)", "w[0] = 0, w[2] = 5"),
    ("void f(int &k) { x = k; k = 9; }", "f(a[n])", "x = a[n], a[n] = 9"),
    ("void f(int k[3]) { x = k[1]; a[1] = 5; m = k[1]; }", "f(a)", "x = a[1], m = a[1], a[1] = 5"),
    // Calls of such functions, also with parameters that are passed on.
    (
        "void g(clock &c, int v) { c = v; m = v; } void f(int i) { g(w[i], 2 * i); g(x, i); }",
        "f(1)",
        "w[1] = 2, m = 2, x = 1, m = 1",
    ),
    (
        "void g(int &k) { k = 5; x = 1; } void f(int i) { y = i; g(i); m = i; }",
        "f(3)",
        "y = 3, x = 1, m = 5",
    ),
    // Conditions and loops over constants.
    ("void f(int i) { if (i == 1) { x = 0; n = 7; } else y = 4; }", "f(id)", "x = 0, n = 7"),
    ("void f(int i) { if (i == 1) { x = 0; n = 7; } else y = 4; }", "f(2)", "y = 4"),
    ("void f() { for (i : int[0, N]) w[i] = i; }", "f()", "w[0] = 0, w[1] = 1, w[2] = 2"),
    (
        "void f() { int i; for (i = 0; i < N; i++) { w[i] = 2; a[i] = i; } }",
        "f()",
        "w[0] = 2, w[1] = 2, a[0] = 0, a[1] = 1",
    ),
    ("void f() { int i; for (i = N; i >= 0; i -= 2) w[i] = 0; }", "f()", "w[2] = 0, w[0] = 0"),
    // The rest of the function may be anything.
    (
        "void f() { const int k = 3; int i; x = k; while (i < 4) { n += i; i++; } if (m > 1) { return; } m = 0; }",
        "f()",
        "x = 3, n += 6",
    ),
    ("int f() { x = 0; return 5; }", "f()", "x = 0"),
    ("void f(int i) { x = i; if (n == 1) { return; } n = 9; }", "f(4)", "x = 4"),
    // Other data was changed before.
    ("void f(int i) { a[0] = 1; m = 5; x = n; }", "f(1)", "a[0] = 1, m = 5, x = n"),
    ("void f() { x = twice(n); grow(); }", "f()", "x = twice(n), grow()"),
    // A condition on data is a condition of the clock.
    ("void f() { if (n == 1) x = 0; else y = 4; }", "f()", "x = 0"),
    ("void f() { if (n == 2) x = 0; else y = 4; }", "f()", "y = 4"),
    // Evaluated where the call stands in the updates.
    ("void f() { if (n == 2) x = 0; }", "f(), n = 2, f(), x = x + 0", "n = 2, x = 0, x = x"),
    ("void f(int i) { if (i == 1) x = 0; }", "f(n), f(m)", "x = 0"),
    ("void f(int i) { if (i < 3) { w[i] = i; a[i] = 5; } }", "f(n)", "w[n] = n, a[n] = 5"),
    // An index that exists only if the condition holds.
    ("void f(int i) { if (i < 3) { w[i] = i; a[i] = 5; } }", "f(n + m)", "p = 0"),
    ("void f() { if (n == 1) { if (m == 3) x = 1; else x = 2; } else x = 3; }", "f()", "x = 2"),
    (
        "void f(int i) { if (i == 0) x = 0; else if (i == 1) { y = 1; m = 7; } else x = 5; }",
        "f(n), f(m)",
        "y = 1, m = 7, x = 5",
    ),
    // What the condition reads is changed only after it was tested.
    ("void f() { if (n == 1) { n = 2; x = 0; } }", "f(), f()", "n = 2, x = 0"),
    (
        "void f() { if (n == 1) { n = 2; x = 0; } else if (n == 2) { n = 1; y = 0; } }",
        "f(), f()",
        "x = 0, n = 2, y = 0, n = 1",
    ),
    // The clocks are set before what the loop changes.
    (
        "void f() { for (i : int[0, N]) { if (a[i] == i) w[i] = i; m = i; } }",
        "f()",
        "w[0] = 0, m = 2",
    ),
    ("void f() { if (forall (i : int[0, 2]) a[i] == 0) x = 0; else y = 0; }", "f()", "x = 0"),
    (
        "void g(clock &c) { if (m == 2) c = 1; n = 5; } void f() { if (n == 1) g(y); else g(x); }",
        "f()",
        "y = 1, n = 5",
    ),
    // A `return` ends the function only under its condition.
    ("void f() { if (n == 1) return; x = 0; n = 7; }", "f()", "p = 0"),
    ("void f() { if (n == 2) return; x = 0; n = 7; }", "f()", "x = 0, n = 7"),
    (
        "void f(int i) { if (i == 0) { x = 1; return; } if (m == 2) { if (i == 1) return; y = 1; } x = 2; }",
        "f(0), f(1), f(2)",
        "x = 1, y = 1, x = 2",
    ),
    ("void g() { if (n == 1) return; x = 1; } void f() { g(); y = 2; }", "f()", "y = 2"),
    (
        "void f() { for (i : int[0, 2]) { if (a[i] != n - 1) return; w[i] = 0; } y = 1; }",
        "f()",
        "w[0] = 0, w[1] = 0, w[2] = 0, y = 1",
    ),
    ("int f() { if (n == 1) { x = 0; return 4; } y = 0; return 5; }", "f()", "x = 0"),
    // The clocks depend on what was changed before.
    (
        "void f() { n = 2; x = n == 1 ? 0 : x; y = n == 2 ? 0 : y; } void g() { f(); m = 3; }",
        "g()",
        "n = 2, y = 0, m = 3",
    ),
    ("void g() { if (n == 2) x = 0; else y = 0; } void f() { n = 2; g(); }", "f()", "n = 2, x = 0"),
    // The same with statements of any kind, one after the other.
    ("void f() { n = 2; if (n == 1) x = 0; }", "f()", "n = 2"),
    (
        "void f() { n++; if (n == 2) { x = 0; n = 5; } else y = 0; if (n == 5) y = 7; m = n; }",
        "f(), f()",
        "n = 2, x = 0, n = 5, y = 7, m = n, n = 6, y = 0, m = n",
    ),
    ("void f() { if (n == 1) m = 3; if (m == 2) x = 0; else y = 0; }", "f()", "m = 3, y = 0"),
    (
        "void f() { for (i : int[0, 2]) a[i] = i; m = 1; for (i : int[0, 2]) if (a[i] > m) w[i] = i; n = 4; }",
        "f()",
        "a[1] = 1, a[2] = 2, m = 1, w[2] = 2, n = 4",
    ),
    (
        "void f() { grow(); if (n == 2) x = 0; } void g() { f(); if (n == 2) { y = 0; n = 7; } f(); }",
        "g()",
        "n = 2, x = 0, y = 0, n = 8",
    ),
    // Also with arguments that stay the same.
    ("void f(int i) { n = i; x = n == 1 ? 0 : x; y = n; }", "f(m)", "n = m, y = n"),
    ("void f(int &k) { n = 0; x = k; }", "f(n)", "n = 0, x = n"),
    ("void f(int i) { grow(); if (n == 1 + i) x = m; }", "f(1)", "grow(), x = m"),
    ("void g(int v) { x = v; } void f(int i) { m = i; g(m); }", "f(n)", "m = n, x = m"),
    (
        "void f(clock &c, int i) { n++; if (n == i) { c = 0; n = 7; } else y = i; }",
        "f(z, m), f(w[1], m), f(x, 9)",
        "n = 2, z = 0, n = 8, y = m, n = 9, x = 0, n = 7",
    ),
    // The same as an expression.
    ("", "x = n == 1 ? 3 : x, y = n == 1 ? y : 3", "x = 3"),
    ("", "w[m] = n == 2 ? 0 : m == 2 ? y + 1 : w[m]", "w[m] = y + 1"),
    ("void f(int i) { m = 9; x = i == 1 ? 0 : x; y = i != 1 ? 0 : y; }", "f(n)", "x = 0, m = 9"),
    // Names mean what they mean at the function.
    ("void f() { x = 0; n = 3; }", "p = 1, f(), p = 2", "p = 1, x = 0, n = 3, p = 2"),
];

#[test]
fn a_call_is_the_same_as_its_clocks_and_its_data() {
    for (functions, call, written_out) in SAME {
        let inlined = of(&model("", written_out));
        let text = model(functions, call);
        assert_eq!(of(&text), inlined, "{functions} {call}");
        // Also after being written and read again.
        let again = uppaal::print_xta(&raise(&read(&text).unwrap(), &[]).unwrap()).unwrap();
        assert_eq!(of(&again), inlined, "{again}");
    }
    // A function of a process, whose statements are carried out one after the other.
    let own = model("", "f()")
        .replace("state A", "void f() { p = n + 1; if (p == 2) { z = 0; p = 9; } } state A");
    assert_eq!(of(&own), of(&model("", "p = n + 1, z = 0, p = 9")));
    // A local name hides nothing from a global function.
    let hidden = model("void f() { x = 0; n = 3; }", "f()");
    let inlined = of(&model("", "x = 0, n = 3"));
    assert_eq!(of(&hidden.replace("state A", "int q; state A")).0, inlined.0);
    let (clocks, data) = of(&hidden.replace("int p;", "int n = 8; clock x;"));
    assert_eq!(clocks, inlined.0);
    assert_eq!((data[0], data.last()), (3, Some(&8)));
}

#[test]
fn what_cannot_be_split_is_refused_with_a_reason() {
    let cases = [
        (
            "void f(int i) { i++; if (i == 1) x = 0; }",
            "f(n)",
            "whether a clock is set depends on data that the function computes before",
            "test the condition first in the function, or write an edge for each case",
        ),
        ("void f() { int k = n; if (k == 1) x = 0; }", "f()", "whether a clock is set depends", ""),
        (
            "void f() { if (m == 2) { n = 2; if (n == 1) x = 0; } }",
            "f()",
            "whether a clock is set",
            "",
        ),
        (
            "int f() { n = 2; if (n == 1) x = 0; return 1; }",
            "f()",
            "whether a clock is set depends",
            "",
        ),
        (
            "void f() { for (i : int[0, 2]) if (a[i] == 0) { w[i] = 0; a[i] = 1; } }",
            "f()",
            "whether a clock is set depends",
            "",
        ),
        (
            "void f(int i) { i++; w[i] = 0; }",
            "f(1)",
            "this depends on data that the function computes before",
            "set the clock first in the function, or in the update of the edge after the call",
        ),
        // The other function might change the parameter.
        ("void f(int i) { m = 0; x = twice(i); }", "f(1)", "this depends on data", ""),
        // The argument would be evaluated again.
        ("void f(int i) { n = 2; w[n] = i; }", "f(n)", "this depends on data", ""),
        ("void f(clock &c) { n = 2; if (n == 2) c = 0; }", "f(w[n])", "this depends on data", ""),
        ("void f(int &k) { n = 2; if (n == 2) x = k; }", "f(a[n])", "this depends on data", ""),
        (
            "void f(int k[3]) { a[1] = 5; n = 2; if (n == 2) x = k[1]; }",
            "f(a)",
            "this depends on data",
            "",
        ),
        ("void f(int i) { touch(i); w[i] = 0; }", "f(1)", "this depends on data", ""),
        ("void f(int i) { int k = 1; w[k] = i; }", "f(1)", "this depends on data", ""),
        (
            "void g(int &k) { k = 5; x = 1; } void f(int i) { g(i); y = i; }",
            "f(3)",
            "this depends on data",
            "",
        ),
        ("void f() { int k[2]; w[k[0]] = 0; }", "f()", "this depends on data", ""),
        (
            "void f() { int i; while (i < 2) { w[i] = 0; i++; } }",
            "f()",
            "how often this loop sets clocks is not known",
            "loop over the values of a type",
        ),
        ("void f() { int i; for (i = 0; i < n; i++) w[i] = 0; }", "f()", "how often this loop", ""),
        (
            "void f() { int i; for (i = 0; i < 2; i++) { w[i] = 0; i++; } }",
            "f()",
            "how often this loop",
            "",
        ),
        (
            "void f() { int i; for (i = 0; i < 2; i++) { w[i] = 0; touch(i); } }",
            "f()",
            "how often this loop",
            "",
        ),
        ("void f() { int i; for (i = 0; i >= 0; i++) x = 0; }", "f()", "how often this loop", ""),
        (
            "void f() { n = 3; if (n == 1) { return; } x = 0; }",
            "f()",
            "a clock is set only if a `return` before it is not reached",
            "set the clock before",
        ),
        ("void f() { while (n < 9) { return; } x = 0; }", "f()", "a clock is set only if", ""),
        ("void f() { if (n++ == 1) return; x = 0; }", "f()", "a clock is set only if", ""),
        ("void f() { while (n < 2) if (m == 1) x = 0; }", "f()", "how often this loop", ""),
        (
            "int f() { x = 0; return 5; }",
            "n = f()",
            "`f` sets clocks, so it cannot be part of an expression",
            "call it on its own in the update of an edge",
        ),
        (
            "void f(clock c) { c = 0; }",
            "f(x)",
            "the clock `c` is a parameter by value",
            "pass it by reference",
        ),
        (
            "void f() { n = (x = 0); }",
            "f()",
            "a clock cannot be set here",
            "an assignment of its own",
        ),
    ];
    for (functions, call, message, help) in cases {
        let said = read(&model(functions, call)).expect_err(functions);
        let start = format!("clock-in-function: {message}");
        assert!(said[0].starts_with(&start) && said[0].contains(help), "{functions}: {said:?}");
    }
    let others = [
        ("void f(clock &c) { c = 0; }", "f(n)", "wrong-type: a clock is needed here"),
        ("void f(int i) { x = i; }", "f()", "wrong-arguments: 1 arguments are needed, 0 are given"),
        ("void f(int i) { x += i; }", "f(1)", "wrong-type: a clock is set with `=` only"),
        ("void f() { x = n++; }", "f()", "effect:"),
        ("void f() { if (n++ == 1) x = 0; }", "f()", "effect:"),
        ("", "x = n++ == 1 ? 0 : x", "effect:"),
        ("void f(int i) { x = i; }", "f(n++)", "effect:"),
    ];
    for (functions, call, start) in others {
        let said = read(&model(functions, call)).expect_err(functions);
        assert!(said[0].starts_with(start), "{functions}: {said:?}");
    }
}

#[test]
fn a_name_that_is_declared_after_the_function_is_told_apart() {
    let text = "clock x; process P() { void f(int i) { x = i; } clock x; state A; init A;
trans A -> A { assign f(1); }; } system P;";
    let said = read(text).unwrap_err();
    assert!(said[0].contains("`x` means something else after the function"), "{said:?}");
}

#[test]
fn calls_that_double_end_in_a_limit() {
    let mut functions = "void f0(clock &c) { return; c = 0; }".to_owned();
    for level in 1..40 {
        let inner = level - 1;
        functions += &format!(" void f{level}(clock &c) {{ f{inner}(c); f{inner}(c); }}");
    }
    let said = read(&model(&functions, "f39(x)")).unwrap_err();
    assert!(said[0].starts_with("too-large"), "{said:?}");
}
