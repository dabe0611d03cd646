//! Lowering of what only `.tioga` can say: rational times, parameters, Mealy steps, purposes.

use tioga_base::{Diagnostics, Rational, Severity, Sources};
use tioga_model::{Control, Direction, Formula, Label, Model, Predicate, Role, TimeBound};
use tioga_parse::{Format, Options, lower, parse};

/// Lowers a text, or returns `code: excerpt` of everything at least this bad.
fn try_lower(text: &str, options: &Options, least: Severity) -> Result<Model, Vec<String>> {
    let mut sources = Sources::new();
    let file = sources.add("test.tioga", text);
    let mut diagnostics = Diagnostics::new();
    let network = parse(Format::Tioga, file, text, &mut diagnostics)
        .and_then(|document| lower(&document, options, &mut diagnostics));
    let found: Vec<String> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity <= least)
        .map(|diagnostic| {
            let excerpt = diagnostic.primary.as_ref().map(|label| sources.slice(label.span));
            format!("{}: {}", diagnostic.code, excerpt.unwrap_or("-"))
        })
        .collect();
    if found.is_empty() { Ok(network.unwrap().validate().unwrap()) } else { Err(found) }
}

fn lowered(text: &str) -> Model {
    try_lower(text, &Options::default(), Severity::Warning).unwrap()
}

fn errors(text: &str) -> Vec<String> {
    try_lower(text, &Options::default(), Severity::Error).unwrap_err()
}

#[test]
fn rational_constants_are_scaled_once() {
    let model = lowered(
        "const rational g = 1/4;
         automaton A { clock x; init location L invariant x <= 2/3;
           L -> self : when x > g && x < 0.5 do x = 1/6; }",
    );
    assert_eq!(model.scale, 12);
    let process = model.processes.iter().next().unwrap();
    let bound = |constraint: &tioga_model::ClockConstraint| match constraint.bound {
        TimeBound::Constant(value) => value,
        TimeBound::Expr(_) => panic!("constant"),
    };
    let invariant = &process.locations.iter().next().unwrap().invariant;
    assert_eq!(bound(&invariant.disjuncts[0].clocks[0]), 8);
    let guard: Vec<i64> =
        process.edges.iter().next().unwrap().guard.disjuncts[0].clocks.iter().map(bound).collect();
    assert_eq!(guard, [-3, 6]);
}

#[test]
fn fractions_have_limits() {
    let automaton = |guard: &str| {
        format!("int n; automaton A {{ clock x; init location L; L -> L : when {guard}; }}")
    };
    assert_eq!(errors(&automaton("x < n + 1/2")), ["unsupported: n + 1/2"]);
    assert_eq!(
        errors(&automaton("x < 1/1000000007 || x > 1/1000000009")),
        ["number-too-large: x > 1/1000000009"]
    );
    assert_eq!(errors(&automaton("n == 1/2 * 2 && n < 7/2 % 2")), ["wrong-type: 7/2 % 2"]);
    assert_eq!(
        errors("automaton A { int n; init location L; L -> L : do n = 7/2; }"),
        ["wrong-type: n = 7/2"]
    );
}

#[test]
fn received_values_are_bound_or_matched() {
    let model = lowered(
        "input set(int[0,9] level, bool fast); output at(int[0,9]);
         automaton A { int[0,9] n; init location L;
           L -> self : set(v, true)? when v > 2 do n = v;
           L -> self : set(3, f)? when !f;
           L -> self : set?;
           L -> self : at(n)!; }",
    );
    let process = model.processes.iter().next().unwrap();
    let frames: Vec<u32> = process.edges.iter().map(|edge| edge.frame).collect();
    assert_eq!(frames, [2, 2, 2, 0]);
    for (edge, expected) in [
        ("set(v)?", "wrong-arguments: set(v)?"),
        ("at!", "wrong-arguments: at!"),
        ("at(10)!", "out-of-range: 10"),
        ("at(m)!", "unknown-name: m"),
        ("set", "wrong-kind: set"),
        ("set(v, w)? do v = 1", "not-assignable: v"),
    ] {
        let text = format!(
            "input set(int[0,9] level, bool fast); output at(int[0,9]);
             automaton A {{ init location L; L -> self : {edge}; }}"
        );
        assert_eq!(errors(&text), [expected], "{edge}");
    }
}

#[test]
fn mealy_steps_answer_inputs() {
    let model = lowered("input a; output b; automaton M { init location s; s -> self : a? / b!; }");
    assert!(model.processes.iter().next().unwrap().edges.iter().next().unwrap().reply.is_some());
    let wrong = "input a; output b; automaton M { init location s; s -> self : b! / b!; }";
    assert_eq!(errors(wrong), ["wrong-kind: b!"]);
}

#[test]
fn symbolic_constants_take_given_values() {
    let text = "param int[0,9] p; param rational q = 1/2;
        automaton A { clock x; init location L invariant x <= p; L -> L : do p = 1; }";
    assert_eq!(errors(text), ["not-assignable: p"]);
    let text = text.replace("do p = 1", "when q > 1/3");
    let given = |name: &str, value: &str| {
        let parameters = vec![(name.to_owned(), value.parse::<Rational>().unwrap())];
        try_lower(&text, &Options { parameters, ..Options::default() }, Severity::Error)
    };
    assert_eq!(given("p", "7").unwrap().slots[0].initial, 7);
    assert_eq!(given("q", "2/3").unwrap().slots[1].initial, 2);
    assert_eq!(given("p", "10").unwrap_err(), ["out-of-range: p"]);
    assert_eq!(given("r", "1").unwrap_err(), ["unknown-name: -"]);
}

#[test]
fn the_environment_closes_the_interface() {
    let model = lowered(
        "input press; output lamp;
         automaton Light { init location A; A -> A : press?; A -> A : lamp!; }
         automaton User { init location U; U -> U : press!; U -> U : lamp?; U -> U : ; }
         system Light environment User;",
    );
    assert!(model.channels.iter().all(|channel| !channel.open));
    let user = model.processes.iter().last().unwrap();
    assert_eq!(user.role, Role::Environment);
    assert!(user.edges.iter().all(|edge| edge.control == Control::Controllable));
    let light = model.processes.iter().next().unwrap();
    let controls: Vec<Control> = light.edges.iter().map(|edge| edge.control).collect();
    assert_eq!(controls, [Control::Controllable, Control::Uncontrollable]);
    let wrong = "input press; automaton Light { init location A; A -> A : press!; }";
    assert_eq!(errors(wrong), ["wrong-direction: press"]);
}

const SPEC: &str = "input a; output b(int[0,3] v); internal tick;
    automaton S { clock x; int n; init location L;
      L -> self : a? do x = 0; L -> self : b(n)!; L -> self : tick; }";

#[test]
fn purposes_observe_without_changing() {
    let model = lowered(&format!(
        "{SPEC} purpose P {{ clock y; int k; init location W; accept location Done;
           W -> self : a? when S.x < 3 && S.L do y = 0;
           W -> self : tick;
           W -> Done : b(v)! when v > S.n && y <= 5 do k = v;
           otherwise self; restart a?; }}"
    ));
    let purpose = &model.purposes[0];
    assert_eq!((purpose.clocks.len(), purpose.slots.len()), (1, 1));
    assert_eq!(purpose.otherwise, Some(None));
    assert!(matches!(purpose.restart, Some(Label::Receive(_))));
    assert_eq!((model.clocks.len(), model.slots.len()), (1, 1));
    assert_eq!(model.channels.iter().next().unwrap().direction, Some(Direction::Input));
}

#[test]
fn mistakes_in_purposes_are_pointed_at() {
    for (body, expected) in [
        (
            "init location W; accept location D; W -> D : a? do S.x = 0; otherwise self;",
            "not-assignable: S.x",
        ),
        (
            "init location W; accept location D; W -> D : a? do S.n = 1; otherwise self;",
            "not-assignable: S.n",
        ),
        (
            "init location W; accept location D; W -> D : a? when S.m > 1; otherwise self;",
            "unknown-name: m",
        ),
        (
            "init location W; accept location D; W -> D : a?; D -> W : a?; otherwise self;",
            "wrong-purpose: D -> W : a?;",
        ),
        (
            "clock y; init location W invariant y < 2; accept location D; W -> D : a?; otherwise self;",
            "wrong-purpose: W",
        ),
        (
            "init location W; urgent location V; accept location D; W -> V : a?; otherwise self;",
            "wrong-purpose: V",
        ),
        (
            "init location W; committed accept location D; W -> D : a?; otherwise self;",
            "wrong-purpose: D",
        ),
        ("init location W; W -> W : a?; otherwise self;", "wrong-purpose: P"),
        ("init location W; accept location D; fail location F; W -> D : a?;", "wrong-purpose: P"),
        (
            "init location W; fail location F; W -> W : a?; W -> F : a?;",
            "wrong-purpose: W -> W : a?;",
        ),
        ("init location W; accept location D; W -> D : c?; otherwise self;", "unknown-name: c"),
        ("init location W; accept location D; W -> D : a?; otherwise -> E;", "unknown-name: E"),
    ] {
        let text = format!("{SPEC} purpose P {{ {body} }}");
        assert_eq!(errors(&text), [expected], "{body}");
    }
}

#[test]
fn an_observer_without_completion_is_warned_about() {
    let text = format!("{SPEC} purpose P {{ init location W; accept location D; W -> D : a?; }}");
    let found = try_lower(&text, &Options::default(), Severity::Warning).unwrap_err();
    assert_eq!(found, ["incomplete-purpose: P"]);
}

#[test]
fn queries_are_checked() {
    let spec = "automaton T(const int[0,1] i) { clock x; init location A invariant x <= 5; }
        system T;";
    let model = lowered(&format!(
        "{spec} query A[] forall (i : int[0,1]) T(i).A && T(i).x <= 5; query A[] !deadlock;"
    ));
    let Formula::Always { outside: Predicate::Holds(outside) } = &model.queries[0].formula else {
        panic!("{:?}", model.queries)
    };
    assert_eq!(outside.disjuncts.len(), 4);
    let deadlock = Formula::Always { outside: Predicate::Deadlock };
    assert_eq!(model.queries[1].formula, deadlock);
    let either = lowered(&format!("{spec} query A[] deadlock || T(0).A;"));
    let Formula::Always { outside: Predicate::Either { dead, alive } } = &either.queries[0].formula
    else {
        panic!("{:?}", either.queries)
    };
    // Nothing is outside where no step is possible; elsewhere, what is not in A.
    assert_eq!((dead.disjuncts.len(), alive.disjuncts.len()), (0, 1));
    assert_eq!(errors(&format!("{spec} query E<> T(2).A;")), ["unknown-name: T(2).A"]);
    assert_eq!(errors(&format!("{spec} query E<> T(0).B;")), ["unknown-name: B"]);
    assert_eq!(
        errors(&format!("{spec} query control: A<> T(0).x;")),
        ["not-a-clock-constraint: T(0).x"]
    );
}

#[test]
fn alternatives_that_constants_rule_out_are_left_out() {
    let model = lowered(
        "automaton T(const int[0,5] i) { clock x; init location A; } system T;
         query A[] forall (i : int[0,5]) forall (j : int[0,5])
           T(i).x >= 1 && T(j).x >= 2 imply i == j;
         query A[] exists (i : int[0,5]) i > 3 && T(i).x > 7;",
    );
    let alternatives = |position: usize| match &model.queries[position].formula {
        Formula::Always { outside: Predicate::Holds(condition) } => condition.disjuncts.len(),
        other => panic!("{other:?}"),
    };
    // One for each pair of different processes, and one in which both of the last two are late.
    assert_eq!((alternatives(0), alternatives(1)), (30, 1));
    let wide = "automaton T(const int[0,9] i) { clock x; init location A; } system T;
        query E<> forall (i : int[0,9]) T(i).x < 1 || T(i).x > 2;";
    assert_eq!(errors(wide).len(), 1, "1024 alternatives are too many");
}

#[test]
fn a_failed_declaration_is_complained_about_once() {
    let text = "int[3,1] n; typedef int[5,2] T; T m; void f() { n = m; } chan c[0];
        automaton A { init location L; L -> L : c[0]! when n > 0 && m < 3 do f(), n = 1; }";
    let found = errors(text);
    assert_eq!(found, ["empty-range: int[3,1]", "empty-range: int[5,2]", "empty-range: 0"]);
}
