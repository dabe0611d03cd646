//! A small campaign that every format is tried on: each outcome occurs, and names and messages are as
//! bad as users and systems make them.

use std::sync::OnceLock;

use tioga_adapters::{Fault, FaultKind};
use tioga_base::{Diagnostics, FileId, Moment, Rational, Times};
use tioga_execute::{Event, Outcome, RunRecord, Settings};
use tioga_model::Model;
use tioga_parse::syntax::Document;
use tioga_parse::{Format, Options, lower, parse};
use tioga_report::Specification;
use tioga_testcase::{
    Action, CaseBound, CaseEdge, CasePlace, CaseRule, CaseSet, CaseZone, Goal, Judgement, Luck,
    ModelSource, Origin, Shape, Side, Suite, Summary, TestCase, Verdict,
};

/// Something for every format to stumble over.
pub const NASTY: &str =
    "<b onclick='x'>&amp; ]]> # SKIP \\# \"q\" -->\n@enduml; %x% \u{1b}[31m\u{0}\u{202e}é日";

/// The model of the test cases.
pub const MODEL: &str = "model lamp;
input touch;
output dim, off;
automaton Lamp {
  clock x;
  init location Off;
  location Rising invariant x <= 2;
  location On, Out, Never;
  Off -> Rising : touch? do x = 0;
  Rising -> On : dim! when x >= 1;
  Rising -> Out : off!;
}
";

pub fn action(channel: &str, values: &[&str]) -> Action {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    Action { channel: channel.to_owned(), values }
}

fn at_most(bound: i64) -> CaseBound {
    CaseBound { left: Some(0), right: None, strict: false, bound }
}

fn at_least(bound: i64) -> CaseBound {
    CaseBound { left: None, right: Some(0), strict: false, bound: -bound }
}

fn edge(by: Side, action: &Action, zone: CaseZone, target: u32) -> CaseEdge {
    let sets = match by {
        Side::Tester => vec![CaseSet { clock: 0, source: None, value: 0 }],
        Side::System => Vec::new(),
    };
    CaseEdge { by, action: action.clone(), guard: vec![zone], sets, target }
}

fn place(name: &str, invariant: CaseZone, edges: Vec<CaseEdge>) -> CasePlace {
    let invariant = vec![invariant];
    CasePlace {
        name: name.to_owned(),
        origin: vec![Origin { process: "Lamp".to_owned(), location: name.to_owned() }],
        invariant,
        urgent: Vec::new(),
        verdicts: Vec::new(),
        edges,
        rules: Vec::new(),
    }
}

fn ended(name: &str, verdict: Verdict, reason: &str) -> CasePlace {
    let verdicts = vec![Judgement::new(verdict, vec![CaseZone::new()], reason)];
    CasePlace { verdicts, ..place(name, CaseZone::new(), Vec::new()) }
}

/// Touch the lamp; it becomes dim after one time unit at least and two at most, or goes off.
pub fn lamp(name: &str, purpose: &str, inputs: &Action, outputs: [&Action; 2]) -> TestCase {
    let [dim, off] = outputs;
    let play = CaseRule {
        rank: [0, 0, 2],
        zones: vec![CaseZone::new()],
        play: Some(0),
        awaited: Vec::new(),
    };
    let wait =
        CaseRule { rank: [0, 0, 1], zones: vec![CaseZone::new()], play: None, awaited: vec![0] };
    let mut start =
        place("Off", CaseZone::new(), vec![edge(Side::Tester, inputs, CaseZone::new(), 1)]);
    start.rules = vec![play];
    let mut rising = place(
        "Rising",
        vec![at_most(2)],
        vec![
            edge(Side::System, dim, vec![at_least(1), at_most(2)], 2),
            edge(Side::System, off, vec![at_most(2)], 3),
        ],
    );
    rising.rules = vec![wait];
    TestCase {
        name: name.to_owned(),
        shape: Shape::Strategy,
        summary: Summary {
            model: "lamp".to_owned(),
            goal: Goal::query(purpose),
            exact: true,
            approximated: Vec::new(),
            rank: [0, 1, 2],
            luck: vec![Luck {
                at: "Rising".to_owned(),
                rank: [0, 1, 2],
                hoped: Some("dim!".to_owned()),
                after: None,
                feared: Vec::new(),
            }],
            may_be_inconclusive: true,
            rank_is_bound: false,
            may_be_uncertain: false,
            restarts: false,
            unit: seconds().unit(),
        },
        scale: 1,
        clocks: vec!["Lamp.x".to_owned()],
        inputs: vec![inputs.clone()],
        outputs: vec![dim.clone(), off.clone()],
        own_moves: Vec::new(),
        runs: None,
        patience: None,
        walk: None,
        places: vec![
            start,
            rising,
            ended("On", Verdict::Pass, "the purpose is reached"),
            ended("Out", Verdict::Inconclusive, "the purpose cannot be reached any more"),
        ],
        data: None,
        symbolic: None,
    }
}

/// How times are shown: the model of the campaign counts seconds.
pub fn seconds() -> Times {
    Times::of(Some("1 s".parse().unwrap()))
}

/// The test case that is plain.
pub fn plain() -> TestCase {
    let (touch, dim, off) = (action("touch", &[]), action("dim", &[]), action("off", &[]));
    lamp("lamp-1", "reach Lamp.On", &touch, [&dim, &off])
}

fn nasty() -> TestCase {
    let (touch, dim) = (action("tou<ch>", &["1", NASTY]), action("dim", &["true", "1/2"]));
    let mut case = lamp(NASTY, NASTY, &touch, [&dim, &action("off", &[])]);
    case.summary.exact = false;
    case.summary.approximated = vec![NASTY.to_owned()];
    case.summary.luck[0].at = NASTY.to_owned();
    case.summary.luck[0].hoped = Some(NASTY.to_owned());
    case.summary.rank = [1, 2, 3];
    for place in &mut case.places[1..] {
        place.name = NASTY.to_owned();
        place.origin.clear();
    }
    case
}

/// The model of the campaign.
pub fn specification() -> Specification<'static> {
    static READ: OnceLock<(Document, Model)> = OnceLock::new();
    let (document, model) = READ.get_or_init(|| {
        let mut diagnostics = Diagnostics::new();
        let document = parse(Format::Tioga, FileId(0), MODEL, &mut diagnostics).unwrap();
        let network = lower(&document, &Options::default(), &mut diagnostics).unwrap();
        (document, network.validate().unwrap())
    });
    Specification { document, model }
}

/// Read from its file form, where what is not said has its usual value.
pub fn settings() -> Settings {
    let settings = serde_json::json!({
        "suite": Suite::of_model(
            ModelSource::of_text("lamp.tioga", MODEL).unwrap(),
            vec![plain(), nasty()],
        ),
        "system": { "command": format!("./lamp {NASTY}") },
        "protocol": "json",
        "time": { "real": { "unit_ns": 1_500_000 } },
        "latencies": { "input": "0..1/10", "output": "0", "jitter": "0" },
        "repeat": 3,
        "seed": 7,
        "fresh": true,
        "timeout_ms": 2000,
    });
    serde_json::from_value(settings).unwrap()
}

pub fn at(numerator: i64, denominator: i64) -> Moment {
    Moment::exactly(Rational::new(numerator, denominator).unwrap())
}

fn between(from: (i64, i64), to: (i64, i64)) -> Moment {
    let time = |(numerator, denominator)| Rational::new(numerator, denominator).unwrap();
    Moment::between(time(from), time(to)).unwrap()
}

fn end(outcome: Outcome, reason: &str, at: Moment) -> Event {
    Event::End {
        outcome,
        reason: reason.to_owned(),
        at,
        longest_delay: Rational::ZERO,
        ignored: None,
        stopped: None,
        delays: Vec::new(),
    }
}

/// Six runs: pass, fail, inconclusive, error, fail by silence, interrupted.
pub fn runs() -> Vec<RunRecord> {
    let settings = settings();
    let touch = || settings.suite.cases[0].inputs[0].clone();
    let bad = || settings.suite.cases[1].inputs[0].clone();
    let bodies = [
        vec![
            Event::Sent { at: at(0, 1), action: touch() },
            Event::Quiet { now: at(1, 1) },
            Event::Heard { at: at(3, 2), action: action("dim", &[]) },
            end(Outcome::Pass, "the purpose is reached", at(3, 2)),
        ],
        vec![
            Event::Sending { action: bad() },
            Event::Sent { at: between((0, 1), (1, 10)), action: bad() },
            Event::Heard { at: between((3, 1), (7, 2)), action: action(NASTY, &[NASTY]) },
            end(Outcome::Fail, NASTY, between((3, 1), (7, 2))),
        ],
        vec![
            Event::Sent { at: at(0, 1), action: touch() },
            Event::Heard { at: at(1, 2), action: action("off", &[]) },
            end(Outcome::Inconclusive, "the purpose cannot be reached any more #1", at(1, 2)),
        ],
        vec![
            Event::Sending { action: bad() },
            Event::Fault { at: at(1, 1), fault: Fault::new(FaultKind::Crash, NASTY) },
            end(Outcome::Error, NASTY, at(1, 1)),
        ],
        vec![
            Event::Sent { at: at(0, 1), action: touch() },
            Event::Quiet { now: at(3, 1) },
            end(Outcome::Fail, "the system stayed silent for too long", at(2, 1)),
        ],
        vec![Event::Sent { at: at(0, 1), action: bad() }],
    ];
    let records = bodies.into_iter().enumerate().map(|(number, body)| {
        let run = number as u64;
        let case = settings.suite.cases[number % 2].name.clone();
        let begin = Event::Begin { case, seed: Settings::run_seed(settings.seed, run) };
        RunRecord { run, events: std::iter::once(begin).chain(body).collect() }
    });
    records.collect()
}
