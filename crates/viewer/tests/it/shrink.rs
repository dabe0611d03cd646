//! Failing runs made shorter: on a model that the journal keeps, or on the system of the command line, and on no other.

use serde_json::{Value, json};
use tioga_testkit::folder;

use crate::client::{Studio, named};
use crate::made;

/// The number of the first run with this outcome.
fn first(journal: &Value, outcome: &str) -> Value {
    let mut runs = journal["runs"].as_array().unwrap().iter();
    runs.find(|run| run[2] == outcome).unwrap_or_else(|| panic!("{journal}"))[0].clone()
}

#[test]
fn a_failing_run_of_a_model_is_shrunk_and_shown() {
    let place = folder("shrink");
    made::journal(&place, "model:@problematic-light", 20);
    let studio = Studio::of_folder(&place);
    let name = "light.journal";
    let all = studio.ask("journal", &named(name));
    assert_eq!(all["shrinks"], true);
    let run = first(&all, "fail");
    let shrunk = studio.ask("journal/shrink", &json!({ "name": name, "run": run }));
    assert!(shrunk["inputs"].as_u64().unwrap() <= shrunk["inputs_before"].as_u64().unwrap());
    assert_eq!(shrunk["shown"]["outcome"], "fail", "{shrunk}");
    for form in ["timing", "svg"] {
        assert!(shrunk["shown"][form].as_str().unwrap().starts_with("<svg "), "{form}");
    }
    let passed = json!({ "name": name, "run": first(&all, "pass") });
    let (status, message) = studio.refusal("journal/shrink", &passed);
    assert_eq!(status, 400);
    assert!(message.contains("did not fail"), "{message}");
}

#[test]
fn a_page_starts_no_system_that_only_a_journal_names() {
    let place = folder("owned");
    let mark = place.join("started");
    let sut = format!("touch {}", mark.display());
    // A system that ends at once is an error of every run.
    made::journal(&place, &sut, 1);
    assert!(mark.exists());
    std::fs::remove_file(&mark).unwrap();
    let body = json!({ "name": "light.journal", "run": 0 });
    let studio = Studio::of_folder(&place);
    let all = studio.ask("journal", &named("light.journal"));
    assert_eq!((&all["shrinks"], &all["runs"][0][2]), (&json!(false), &json!("error")));
    for path in ["journal/run", "journal/coverage"] {
        studio.ask(path, &body);
    }
    let reply = studio.post("journal/shrink", &body);
    assert_eq!(reply.status, 400, "{}", reply.body);
    assert!(reply.body.contains("--sut"), "{}", reply.body);
    assert!(!mark.exists(), "the page started what the journal names");
    // The system of the command line may be started, whatever the journal names.
    let other = place.join("other");
    let studio = Studio::with_system(&place, &format!("touch {}", other.display()));
    studio.ask("journal/shrink", &body);
    assert!(other.exists() && !mark.exists());
}
