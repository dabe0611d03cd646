//! What reports say about a failed run is what an explanation of it says: latencies are accounted for.

use crate::campaign::{action, at, settings, specification};
use crate::texts::written;
use tioga_execute::{Event, Explanation, Outcome, RunRecord, Settings};
use tioga_report::{Inconclusive, Report, finding};
use tioga_testcase::{Suite, TestCase};

/// Messages take up to one time unit to the system and exactly a half from it, and each up to a
/// quarter longer.
fn slow() -> Settings {
    let mut settings = settings();
    let latencies = serde_json::json!({ "input": "0..1", "output": "1/2", "jitter": "1/4" });
    settings.latencies = serde_json::from_value(latencies).unwrap();
    settings
}

fn run(name: &str, body: Vec<Event>) -> RunRecord {
    let begin = Event::Begin { case: name.to_owned(), seed: 1 };
    let end = Event::End {
        outcome: Outcome::Fail,
        reason: "wrong".to_owned(),
        at: at(9, 1),
        longest_delay: tioga_base::Rational::ZERO,
        ignored: None,
        stopped: None,
        delays: Vec::new(),
    };
    RunRecord { run: 0, events: [vec![begin], body, vec![end]].concat() }
}

/// The lamp becomes dim between 1 and 2 after the touch; here it is seen after 9.
fn late() -> RunRecord {
    let sent = Event::Sent { at: at(0, 1), action: action("touch", &[]) };
    run("lamp-1", vec![sent, Event::Heard { at: at(9, 1), action: action("dim", &[]) }])
}

#[test]
fn what_was_expected_accounts_for_latencies() {
    let settings = slow();
    let mut report = Report::new(&settings, Some(specification()));
    let line = report.add(&late());
    // At the earliest 0 + 1 + 1/2, at the latest 1 + 1/4 + 2 + 1/2 + 1/4.
    assert_eq!(line.expected[0], "`dim` from 1.5 s to 4 s");
    assert_eq!(line.expected.last().unwrap(), "silence until 4 s");
    let said = "fail: `dim` at 9 s came 5 s too late: it was expected from 1.5 s to 4 s";
    assert_eq!(line.explanation.as_deref(), Some(said));
    let texts = written(&settings, vec![late()], Inconclusive::Skipped);
    for text in [&texts.html, &texts.junit, &texts.json] {
        assert!(
            text.contains("`dim` at 9 s came 5 s too late: it was expected from 1.5 s to 4 s"),
            "{text}"
        );
    }
    assert!(
        texts.html.contains("<p>Expected here: `dim` from 1.5 s to 4 s, or "),
        "{}",
        texts.html
    );
    assert!(texts.tap.contains("    - \"`dim` from 1.5 s to 4 s\"\n"), "{}", texts.tap);
}

#[test]
fn a_report_says_what_an_explanation_says() {
    for settings in [settings(), slow()] {
        let mut report = Report::new(&settings, Some(specification()));
        let said = report.add(&late()).explanation.clone().unwrap();
        let case = &settings.suite.cases[0];
        let explained = Explanation::of_run(case, &settings.latencies, None, &late(), 20).unwrap();
        assert_eq!(said, finding::conclusion(&explained.conclusion, settings.times()));
    }
}

#[test]
fn without_a_test_case_the_model_says_what_was_expected() {
    let mut settings = slow();
    let (inputs, outputs) = (vec![action("touch", &[])], vec![action("dim", &[])]);
    let case = TestCase::without_purpose("lamp-1", "lamp", inputs, outputs);
    settings.suite = Suite::new(vec![case]);
    let mut report = Report::new(&settings, Some(specification()));
    let line = report.add(&late());
    assert!(line.explanation.as_ref().unwrap().contains("the model itself does not expect this"));
    assert_eq!(line.expected[0], "`dim` from 1.5 to 4");
    // Nothing is made up if there is no model.
    let mut report = Report::new(&settings, None);
    assert_eq!(report.add(&late()).expected, Vec::<String>::new());
}
