//! What was given, and what is in it.

use serde_json::json;
use tioga::OpenOptions;
use tioga_testkit::folder;
use tioga_viewer::Workspace;

use crate::client::{Studio, named};
use crate::made;

#[test]
fn a_folder_lists_what_each_file_is() {
    let place = folder("all");
    made::journal(&place, "model:@smart-light", 1);
    std::fs::create_dir(place.join("more")).unwrap();
    std::fs::write(place.join("more/a.tioga"), "automaton A { init location L; }").unwrap();
    std::fs::write(place.join("results.xml"), "<testsuites/>").unwrap();
    std::fs::write(place.join("other.json"), "{}").unwrap();
    let studio = Studio::of_folder(&place);
    let files = studio.ask("files", &json!({}));
    let listed: Vec<String> = files["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            format!("{} {}", file["kind"].as_str().unwrap(), file["name"].as_str().unwrap())
        })
        .collect();
    assert_eq!(listed, ["model more/a.tioga", "suite light.json", "journal light.journal"]);
    assert!(files["examples"].as_array().unwrap().iter().any(|one| one["name"] == "@car-alarm"));
}

#[test]
fn what_cannot_be_read_is_said_before_anything_listens() {
    let why = |given: &str| Workspace::new(given, OpenOptions::default()).unwrap_err().to_string();
    assert_eq!(why("no/such/file.tioga"), "there is no file or folder `no/such/file.tioga`");
    assert_eq!(why("@smart-lihgt"), "there is no example `smart-lihgt`");
    let place = folder("odd");
    let odd = place.join("odd.txt");
    std::fs::write(&odd, "x").unwrap();
    assert!(
        why(odd.to_str().unwrap()).ends_with("is neither a model nor a suite, journal or trace")
    );
}

#[test]
fn a_file_that_vanishes_is_told_and_not_fatal() {
    let place = folder("gone");
    let path = place.join("a.tioga");
    std::fs::write(&path, "automaton A { init location L; }").unwrap();
    let studio = Studio::of_folder(&place);
    assert_eq!(studio.ask("look", &named("a.tioga"))["valid"], true);
    std::fs::remove_file(&path).unwrap();
    let (status, message) = studio.refusal("look", &named("a.tioga"));
    assert_eq!(
        (status, message.as_str()),
        (404, "`a.tioga` is not among the files that were given")
    );
    std::fs::write(&path, b"clock \x80;").unwrap();
    let (status, _) = studio.refusal("look", &named("a.tioga"));
    assert_eq!(status, 400);
}

#[test]
fn saving_replaces_only_what_was_read() {
    let place = folder("save");
    let path = place.join("a.tioga");
    std::fs::write(&path, "one").unwrap();
    let studio = Studio::of_folder(&place);
    let save =
        |before: &str, text: &str| json!({ "name": "a.tioga", "before": before, "text": text });
    studio.ask("save", &save("one", "two"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
    let (status, message) = studio.refusal("save", &save("one", "three"));
    assert_eq!(status, 409);
    assert!(message.contains("changed by another program"), "{message}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
    let example = json!({ "name": "@smart-light", "before": "", "text": "x" });
    assert_eq!(studio.refusal("save", &example).0, 404);
}

#[test]
fn every_path_of_the_api_is_documented() {
    let root = tioga_testkit::root();
    let source = std::fs::read_to_string(root.join("crates/viewer/src/api.rs")).unwrap();
    let documented = std::fs::read_to_string(root.join("docs/studio-api.md")).unwrap();
    let arms = source.split("match path {").nth(1).unwrap().split("_ => Err").next().unwrap();
    let paths: Vec<&str> = arms.split('"').skip(1).step_by(2).collect();
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        assert!(documented.contains(&format!("`{path}`")), "`{path}` is not in docs/studio-api.md");
    }
}

#[test]
fn a_trace_is_read_by_its_name() {
    let place = folder("trace");
    std::fs::write(place.join("walk.trace"), "a trace").unwrap();
    std::fs::write(place.join("a.tioga"), "automaton A { init location L; }").unwrap();
    let studio = Studio::of_folder(&place);
    assert_eq!(studio.ask("trace", &named("walk.trace"))["text"], "a trace");
    for name in ["a.tioga", "../walk.trace", "other.trace"] {
        assert_eq!(studio.refusal("trace", &named(name)).0, 404, "{name}");
    }
}
