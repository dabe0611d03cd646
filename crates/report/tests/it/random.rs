//! Any names, messages, moments and constraints: what is written can be read, and nothing leaves its
//! place.

use crate::campaign::{action, at, lamp, plain, settings};
use crate::plausible;
use crate::texts::{read_tap, written};
use proptest::prelude::*;
use tioga_base::Times;
use tioga_execute::{Event, Outcome, RunRecord, Settings};
use tioga_report::{Inconclusive, Sequence, sequence, ttcn};
use tioga_testcase::{CaseBound, CasePlace, CaseZone, Suite, TestCase};

/// Texts with much of what means something somewhere.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[#\\\\<>&\"';:%@\n\r\t\u{0}\u{1b}\u{85}\u{2028}a ]{0,20}"]
}

/// Settings and one run in which every text is arbitrary.
fn any_campaign() -> impl Strategy<Value = (Settings, RunRecord)> {
    let texts = prop::collection::vec(any_text(), 6);
    (texts, 0..4usize, 0..40i64).prop_map(|(texts, outcome, time)| {
        let [name, purpose, reason, channel, value, system] =
            <[String; 6]>::try_from(texts).unwrap();
        let touch = action(&channel, &[&value]);
        let case = lamp(&name, &purpose, &touch, [&action("dim", &[]), &action("off", &[&value])]);
        let mut settings = settings();
        settings.suite = Suite::new(vec![case]);
        settings.system = system.as_str().into();
        let events = vec![
            Event::Begin { case: name, seed: 1 },
            Event::Sent { at: at(0, 1), action: touch },
            Event::Quiet { now: at(time, 7) },
            Event::End {
                outcome: Outcome::ALL[outcome],
                reason,
                at: at(time, 7),
                longest_delay: tioga_base::Rational::ZERO,
                ignored: None,
                stopped: None,
                delays: Vec::new(),
            },
        ];
        (settings, RunRecord { run: 0, events })
    })
}

fn any_zone() -> impl Strategy<Value = CaseZone> {
    let clock = || prop::option::of(0..2u32);
    let bound = (clock(), clock(), any::<bool>(), -9..9i64)
        .prop_map(|(left, right, strict, bound)| CaseBound { left, right, strict, bound });
    prop::collection::vec(bound, 0..4)
}

fn any_case() -> impl Strategy<Value = TestCase> {
    let zones = || prop::collection::vec(any_zone(), 0..3);
    let sets = (zones(), zones(), zones(), zones());
    (prop::collection::vec(sets, 4), 1..4i64, any::<bool>()).prop_map(|(zones, scale, open)| {
        let mut case = plain();
        case.scale = scale;
        case.clocks.push("y".to_owned());
        for (place, (invariant, guard, rule, verdict)) in case.places.iter_mut().zip(zones) {
            change(place, open, invariant, guard, rule, verdict);
        }
        case
    })
}

fn change(
    place: &mut CasePlace,
    open: bool,
    invariant: Vec<CaseZone>,
    guard: Vec<CaseZone>,
    rule: Vec<CaseZone>,
    verdict: Vec<CaseZone>,
) {
    place.invariant = invariant;
    place.edges.iter_mut().for_each(|edge| edge.guard.clone_from(&guard));
    place.rules.iter_mut().for_each(|one| one.zones.clone_from(&rule));
    place.verdicts.iter_mut().for_each(|one| one.zones.clone_from(&verdict));
    if open {
        place.rules.clear();
    }
}

proptest! {
    #[test]
    fn any_text_is_written_so_that_it_can_be_read((settings, run) in any_campaign()) {
        let outcome = run.outcome().unwrap().0;
        let texts = written(&settings, vec![run.clone()], Inconclusive::Skipped);
        let junit = roxmltree::Document::parse(&texts.junit).unwrap();
        let count = |tag: &str| junit.descendants().filter(|n| n.has_tag_name(tag)).count();
        prop_assert_eq!(count("testcase"), 1);
        prop_assert_eq!(count("failure"), usize::from(outcome == Outcome::Fail));
        prop_assert_eq!(count("skipped"), usize::from(outcome == Outcome::Inconclusive));
        let (points, plan) = read_tap(&texts.tap);
        prop_assert_eq!((points.len(), plan), (1, 1));
        let fine = matches!(outcome, Outcome::Pass | Outcome::Inconclusive);
        prop_assert_eq!(points[0].ok, fine);
        prop_assert_eq!(points[0].skip.is_some(), outcome == Outcome::Inconclusive);
        let json: serde_json::Value = serde_json::from_str(&texts.json).unwrap();
        let events: Vec<Event> = serde_json::from_value(json["runs"][0]["events"].clone()).unwrap();
        prop_assert_eq!(events, run.events);
        for (at, _) in texts.html.match_indices("<svg") {
            let end = texts.html[at..].find("</svg>").unwrap() + at + "</svg>".len();
            prop_assert!(roxmltree::Document::parse(&texts.html[at..end]).is_ok());
        }
        plausible::check(&texts.ttcn);
    }

    #[test]
    fn a_diagram_has_a_line_for_each_step((_, run) in any_campaign()) {
        let sequence = Sequence::new(&run, 400, Times::default());
        let steps = sequence.steps.len();
        prop_assert_eq!(sequence::text(&sequence).split('\n').count(), steps + 4);
        prop_assert_eq!(sequence::mermaid(&sequence).split('\n').count(), steps + 6);
        prop_assert_eq!(sequence::plantuml(&sequence).split('\n').count(), steps + 7);
    }

    #[test]
    fn any_constraints_make_a_plausible_skeleton(case in any_case()) {
        plausible::check(&ttcn::module(&Suite::new(vec![case])));
    }
}
