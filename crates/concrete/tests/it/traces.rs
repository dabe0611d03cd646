//! Traces: reader and writer, random walks, replay.

use crate::examples::build::*;
use crate::examples::{hidden_start, rational, smart_light, switch};
use proptest::prelude::*;
use tioga_base::{Budget, Diagnostics, FileId, Rational, Source};
use tioga_concrete::*;
use tioga_model::*;

fn limits() -> ReplayLimits {
    ReplayLimits { internal_steps: 2, budget: Budget::steps(100_000) }
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z][a-z0-9_.]{0,4}(\\[[0-9]\\])?",
        1 => Just("by".to_owned()),
        1 => Just("Train(0)".to_owned()),
        2 => ".{0,6}",
        1 => "[\"\\\\\\r\\t// ]{0,4}",
    ]
}

fn number() -> impl Strategy<Value = Rational> {
    (-1000i64..1000, 1i64..40).prop_map(|(n, d)| Rational::new(n, d).unwrap())
}

fn event() -> impl Strategy<Value = TraceEvent> {
    let values = || proptest::collection::vec(number(), 0..3);
    prop_oneof![
        (name(), values()).prop_map(|(name, values)| TraceEvent::Input(name, values)),
        (name(), values()).prop_map(|(name, values)| TraceEvent::Output(name, values)),
        (name(), values(), name(), values())
            .prop_map(|(a, v, b, w)| TraceEvent::Exchange(a, v, b, w)),
        proptest::option::of(name()).prop_map(TraceEvent::Internal),
    ]
}

fn edge_record() -> impl Strategy<Value = EdgeRecord> {
    (name(), name(), name(), any::<u32>()).prop_map(|(process, source, target, edge)| EdgeRecord {
        process,
        source,
        target,
        edge,
    })
}

fn record() -> impl Strategy<Value = Record> {
    let edges = proptest::option::of(proptest::collection::vec(edge_record(), 0..3));
    let positive = number().prop_map(|n| if n.is_negative() { n.neg().unwrap() } else { n });
    prop_oneof![
        positive.prop_map(Record::Delay),
        (event(), edges).prop_map(|(event, edges)| Record::Step(StepRecord { event, edges })),
    ]
}

fn trace() -> impl Strategy<Value = Trace> {
    let records = proptest::collection::vec(record(), 0..8);
    (name(), proptest::option::of(any::<u64>()), records).prop_map(|(model, seed, records)| Trace {
        model,
        seed,
        records,
    })
}

proptest! {
    #[test]
    fn the_readable_form_reads_back(trace in trace()) {
        let text = trace.to_text();
        prop_assert_eq!(Trace::from_text(&text, FileId(0)).ok(), Some(trace), "{}", text);
    }

    #[test]
    fn the_json_lines_form_reads_back(trace in trace()) {
        let text = trace.to_jsonl();
        prop_assert_eq!(Trace::from_jsonl(&text, FileId(0)).ok(), Some(trace), "{}", text);
    }

    #[test]
    fn readers_survive_any_text(text in "(tioga-trace 1\n)?[ -~\n]{0,60}") {
        let _ = Trace::from_text(&text, FileId(0));
        let _ = Trace::from_jsonl(&text, FileId(0));
    }

    #[test]
    fn random_walks_replay_exactly_and_observably(seed in any::<u64>()) {
        for model in [switch(), smart_light()] {
            let walk = walk(&model, &WalkOptions { seed, steps: 30, ..Default::default() }).unwrap();
            let exact = replay(&model, &walk.trace, limits()).unwrap().unwrap();
            prop_assert!(exact.exact);
            prop_assert_eq!(&exact.states, &vec![walk.end.clone()]);
            let seen = walk.trace.observable().unwrap();
            let observed = replay(&model, &seen, limits()).unwrap().unwrap();
            prop_assert!(!observed.exact && observed.states.contains(&walk.end));
        }
    }
}

/// Line and text of the first complaint.
fn complaint(text: &str, result: Result<Trace, Diagnostics>) -> (usize, String) {
    let diagnostics = result.unwrap_err();
    let first = diagnostics.iter().next().unwrap();
    let source = Source::new("t", text);
    let offset = first.primary.as_ref().unwrap().span.start as usize;
    (source.line_column(offset).0, first.message.clone())
}

#[test]
fn errors_name_their_line() {
    let cases = [
        ("", 1, "the trace is empty"),
        ("model m\n", 1, "this is not a trace in the readable form"),
        ("tioga-trace 2\n", 1, "unknown version 2 of the trace form"),
        ("tioga-trace 1\nmodel m\nimput a\n", 3, "unknown record `imput`"),
        ("tioga-trace 1\ndelay -1\n", 2, "a delay cannot be negative"),
        ("tioga-trace 1\ndelay 1e3\n", 2, "the line should end here"),
        ("tioga-trace 1\ninput a(1\n", 2, "`,` is expected here"),
        ("tioga-trace 1\ninput a by P q -> r #0\n", 2, "`:` is expected here"),
        ("tioga-trace 1\ninput \"a\n", 2, "a quoted name does not end"),
    ];
    for (text, line, message) in cases {
        let found = complaint(text, Trace::from_text(text, FileId(0)));
        assert_eq!(found, (line, message.to_owned()), "{text}");
    }
    let header = "{\"tioga_trace\":1,\"model\":\"m\"}\n";
    let cases = [
        ("{\"delay\":0.5}", "`0.5` is not an exact number"),
        ("{\"delay\":-1}", "a delay cannot be negative"),
        ("{\"internal\":{},\"delay\":1}", "a delay stands alone in its record"),
        (
            "{\"speed\":1}",
            "unknown field `speed`, expected one of `delay`, `input`, `output`, `internal`, `edges`",
        ),
    ];
    for (record, message) in cases {
        let text = format!("{header}{record}\n");
        let found = complaint(&text, Trace::from_jsonl(&text, FileId(0)));
        assert_eq!(found, (2, message.to_owned()));
    }
}

#[test]
fn walks_depend_on_the_seed_only() {
    let model = smart_light();
    let go = |seed| walk(&model, &WalkOptions { seed, steps: 50, ..Default::default() }).unwrap();
    assert_eq!(go(7), go(7));
    assert_ne!(go(7).trace.records, go(8).trace.records);
    assert_eq!(go(7).stop, WalkStop::Steps);
    let denominators = |record: &Record| match record {
        Record::Delay(delay) => delay.denominator(),
        Record::Step(_) => 1,
    };
    assert!(go(7).trace.records.iter().map(denominators).max().unwrap() <= 2);
}

#[test]
fn walks_stop_for_a_reason() {
    let options = WalkOptions { steps: 1000, ..Default::default() };
    let hidden = hidden_start();
    let done = walk(&hidden, &options).unwrap();
    assert_eq!(done.stop, WalkStop::Stuck(Lock::Deadlock));
    let limit = Some(rational("15/2"));
    let light = smart_light();
    let timed = walk(&light, &WalkOptions { max_time: limit, ..options.clone() }).unwrap();
    assert!(timed.time <= rational("15/2"));

    let mut net = Network::new("trap");
    let x = net.clock("x");
    net.processes.push(system("P", vec![location("l", &[le(x, 1)])], Vec::new()));
    let trap = walk(&net.validate().unwrap(), &options).unwrap();
    assert_eq!(trap.stop, WalkStop::Stuck(Lock::Timelock));

    let mut net = Network::new("fault");
    let (one, zero) = (net.int(1), net.int(0));
    let division = net.binary(BinaryOp::Div, one, zero);
    net.processes.push(system("P", vec![location("l", &[])], vec![edge(0, 0).run(division)]));
    let fault = walk(&net.validate().unwrap(), &options).unwrap();
    assert!(
        matches!(fault.stop, WalkStop::Fault(fault) if fault.kind == EvalFaultKind::DivisionByZero)
    );
    assert_eq!(fault.faults.len(), 1);
}

#[test]
fn a_walk_supplies_values_for_unbounded_inputs() {
    let mut net = Network::new("values");
    let a = net.input("a");
    net.channels[a].parameters = vec![Type::Integer, Type::Rational];
    let step = edge(0, 0).receive_values(a, 3);
    net.processes.push(system("P", vec![location("l", &[])], vec![step]));
    let model = net.validate().unwrap();
    let walk = walk(&model, &WalkOptions { steps: 5, ..Default::default() }).unwrap();
    assert_eq!(walk.stop, WalkStop::Steps);
    let read = Trace::from_text(&walk.trace.to_text(), FileId(0)).unwrap();
    assert_eq!(replay(&model, &read, limits()).unwrap().unwrap().states, [walk.end]);
}

fn stuck(model: &Model, text: &str) -> Stuck {
    let trace = Trace::from_text(&format!("tioga-trace 1\n{text}"), FileId(0)).unwrap();
    replay(model, &trace, limits()).unwrap().unwrap_err()
}

#[test]
fn replay_says_where_and_why_it_stops() {
    let model = switch();
    let late = stuck(&model, "delay 3\ninput on\ndelay 6\n");
    assert_eq!((late.record, &late.why), (2, &Why::Delay(rational("6"))));
    let expected = "record 3: time cannot pass by 6\npossible delays: [0,5]\n\
                    possible: input on after [0,5]\npossible: output off after [0,5]";
    assert_eq!(late.to_string(), expected);
    let early = stuck(&model, "output off\n");
    assert!(early.to_string().starts_with("record 1: `output off` is not possible now"));
    let unknown = stuck(&model, "input onn\n");
    let message = "the model has no input `onn`; did you mean `on`?";
    assert_eq!(unknown.why, Why::Unknown(message.into()));
    let values = stuck(&model, "input on(1)\n");
    assert_eq!(values.why, Why::Unknown("`on` carries 0 values, not 1".into()));
}

#[test]
fn exact_replay_checks_the_edges() {
    let model = switch();
    let trace = "input on by Switch: q0 -> q1 #0\ndelay 1\ninput on by Switch: q1 -> q1 #1\n";
    let trace = Trace::from_text(&format!("tioga-trace 1\n{trace}"), FileId(0)).unwrap();
    assert!(replay(&model, &trace, limits()).unwrap().unwrap().exact);
    let wrong = stuck(&model, "input on by Switch: q1 -> q1 #1\n");
    assert!(matches!(wrong.why, Why::Step(_)));
    let absent = stuck(&model, "input on by Switch: q1 -> q0 #1\n");
    let message = "the model has no edge `Switch: q1 -> q0 #1`";
    assert_eq!(absent.why, Why::Unknown(message.into()));
}

#[test]
fn replay_guesses_internal_steps() {
    let model = hidden_start();
    let done = "tioga-trace 1\ndelay 3/2\noutput done\n";
    let trace = Trace::from_text(done, FileId(0)).unwrap();
    let replayed = replay(&model, &trace, limits()).unwrap().unwrap();
    assert!(!replayed.exact && replayed.complete);
    assert_eq!(stuck(&model, "delay 2\noutput done\n").record, 0);
}

/// The example in docs/formats.md must be what the program writes and reads.
#[test]
fn the_documented_example_is_real() {
    let docs = include_str!("../../../../docs/formats.md");
    let blocks: Vec<&str> = docs.split("```").skip(1).step_by(2).collect();
    let body = |block: &str| block.split_once('\n').unwrap().1.to_owned();
    let text = body(blocks.iter().find(|block| block.contains("tioga-trace 1")).unwrap());
    let json = body(blocks.iter().find(|block| block.contains("{\"tioga_trace\":1")).unwrap());
    let trace = Trace::from_text(&text, FileId(0)).unwrap();
    assert_eq!(trace.to_text(), text);
    assert_eq!(trace.to_jsonl(), json);
    assert!(replay(&smart_light(), &trace, limits()).unwrap().unwrap().exact);
}
