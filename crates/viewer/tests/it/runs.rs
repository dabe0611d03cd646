//! Suites, journals and mutation journals.

use serde_json::{Value, json};
use tioga_testkit::{folder, wait_for};

use crate::client::{Studio, named};
use crate::made;

#[test]
fn a_suite_is_listed_shown_and_certified() {
    let place = folder("suite");
    made::suite(&place);
    let studio = Studio::of_folder(&place);
    let suite = studio.ask("suite", &named("light.json"));
    let case = &suite["cases"][0];
    assert_eq!(
        (&case["purpose"], &case["exact"]),
        (&json!("E<> control: A<> Light.Bright"), &json!(true))
    );
    let one = studio.ask("suite/case", &json!({ "name": "light.json", "case": 0 }));
    assert!(one["svg"].as_str().unwrap().contains("data-node=\"0\""));
    assert!(one["text"].as_str().unwrap().starts_with("test case "));
    let certified = studio.ask("suite/certify", &named("light.json"));
    assert_eq!(certified["certified"][0]["right"], true, "{certified}");
    assert_eq!(studio.refusal("suite/case", &json!({ "name": "light.json", "case": 9 })).0, 404);
}

#[test]
fn a_journal_has_runs_events_coverage_and_explanations() {
    let place = folder("journal");
    made::journal(&place, "model:@smart-light", 5);
    let studio = Studio::of_folder(&place);
    let name = "light.journal";
    let all = studio.ask("journal", &named(name));
    assert_eq!((&all["counts"]["runs"], &all["note"]), (&json!(5), &Value::Null));
    let total = all["events"].as_u64().unwrap();
    let whole = studio.ask("journal/events", &json!({ "name": name, "from": 0, "count": 5000 }));
    assert_eq!(whole["events"].as_array().unwrap().len() as u64, total);
    let last =
        studio.ask("journal/events", &json!({ "name": name, "from": total - 2, "count": 10 }));
    assert_eq!(
        last["events"].as_array().unwrap()[..],
        whole["events"].as_array().unwrap()[total as usize - 2..]
    );
    // The lines say where the events of a run begin.
    for line in all["runs"].as_array().unwrap() {
        let start = line[6].as_u64().unwrap() as usize;
        assert_eq!(
            (&whole["events"][start][0], &whole["events"][start][1]),
            (&line[0], &json!("begin"))
        );
    }
    let run = studio.ask("journal/run", &json!({ "name": name, "run": 0 }));
    assert!(run["svg"].as_str().unwrap().starts_with("<svg class=\"sequence\""));
    assert!(!run["message"].as_str().unwrap().is_empty());
    let coverage = studio.ask("journal/coverage", &named(name));
    assert!(coverage["svg"].as_str().unwrap().contains("seen"));
    let same = studio.ask("journal/compare", &json!({ "name": name, "run": 0, "other_run": 0 }));
    assert_eq!(same["differ"], Value::Null);
    assert_eq!(studio.refusal("journal/run", &json!({ "name": name, "run": 99 })).0, 400);
}

#[test]
fn a_journal_that_was_cut_off_shows_what_is_whole() {
    let place = folder("cut");
    let path = made::journal(&place, "model:@smart-light", 5);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() * 3 / 4]).unwrap();
    let studio = Studio::of_folder(&place);
    let all = studio.ask("journal", &named("light.journal"));
    let runs = all["counts"]["runs"].as_u64().unwrap();
    assert!((1..=5).contains(&runs), "{all}");
    assert!(all["note"].as_str().unwrap().contains("has no closing line"), "{all}");
    // A changed line is no cut: what comes before it is shown, and the damage is named.
    let changed = text.replacen("\"run\":2", "\"run\":3", 1);
    std::fs::write(&path, changed).unwrap();
    let all = studio.ask("journal", &named("light.journal"));
    assert!(all["note"].as_str().unwrap().contains("cannot be trusted"), "{all}");
    std::fs::write(&path, "not a journal").unwrap();
    assert_eq!(studio.refusal("journal", &named("light.journal")).0, 400);
}

#[test]
fn a_journal_without_runs_is_empty() {
    let place = folder("begun");
    made::begun_journal(&place);
    let studio = Studio::of_folder(&place);
    let all = studio.ask("journal", &named("begun.journal"));
    assert_eq!((&all["counts"]["runs"], &all["events"]), (&json!(0), &json!(0)));
}

#[test]
fn a_campaign_is_started_from_the_page_and_goes_on_without_it() {
    let place = folder("campaign");
    let suite = made::suite(&place);
    let journal = place.join("out.journal");
    let plan = made::plan(&suite, "model:@smart-light", 20, &journal);
    let studio = Studio::with(suite.to_str().unwrap(), Some(plan));
    let begun = studio.ask("campaign/start", &json!({}));
    assert_eq!(begun["plan"]["sut"], "model:@smart-light");
    wait_for("the campaign", || {
        let state = studio.ask("campaign", &json!({}))["state"].clone();
        (state["running"] == false).then_some(state)
    });
    let all = studio.ask("journal", &named("out.journal"));
    assert_eq!(all["counts"]["runs"], 20);
    // Another campaign keeps the journal of the first.
    studio.ask("campaign/start", &json!({}));
    wait_for("the second campaign", || {
        let state = studio.ask("campaign", &json!({}))["state"].clone();
        (state["running"] == false && state["started"] == 2).then_some(())
    });
    assert!(place.join("out.journal.old").exists());
}

#[test]
fn the_kill_matrix_of_a_journal_is_the_one_of_its_campaign() {
    let place = folder("mutants");
    let (path, matrix) = made::mutants(&place);
    let studio = Studio::of_folder(&place);
    let shown = studio.ask("mutation", &named("mutants.journal"));
    let rows = shown["rows"].as_array().unwrap();
    assert_eq!(rows.len(), matrix.tried.len());
    for tried in &matrix.tried {
        let row = rows.iter().find(|row| row["mutant"] == tried.mutant.id.as_str()).unwrap();
        assert_eq!(row["killed"], tried.is_killed(), "{row}");
        for (cell, own) in row["cells"].as_array().unwrap().iter().zip(&tried.row.cells) {
            assert_eq!((&cell[0], cell[3].is_null()), (&json!(own.runs), own.kill.is_none()));
        }
    }
    assert!(shown["killed"].as_u64().unwrap() > 0, "{shown}");
    // A journal that was cut off shows what is whole, and stays as it is.
    let text = std::fs::read(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 40]).unwrap();
    let cut = studio.ask("mutation", &named("mutants.journal"));
    assert!(cut["note"].as_str().unwrap().contains("has no closing line"), "{cut}");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), text.len() as u64 - 40);
}
