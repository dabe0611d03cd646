//! `tioga corpus`: which files of a folder are read, and what keeps the others from it.

use std::fs;

use crate::binary::{Folder, Json};

const GOOD: &str = "process P() { state A; init A; } system P;";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::create_dir_all(folder.0.join("m/deep")).unwrap();
    folder.write("m/good.xta", GOOD);
    folder.write("m/deep/copy.ta", GOOD);
    folder.write("m/double.xta", format!("double d; {GOOD}"));
    folder.write("m/chance.xta", format!("double d; {GOOD} query {{ Pr[<=3](<> P.A) }}"));
    folder.write("m/settings.xml", "<project><component/></project>");
    folder.write("m/broken.xml", "<nta><declaration>");
    folder.write("m/notes.txt", "not a model");
    folder
}

#[test]
fn files_are_counted_by_what_keeps_them_from_being_read() {
    let folder = folder("corpus");
    let run = folder.tioga(&["corpus", "m", "--list"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let expected = "                                 files  read  refused
  models                             4     1        3  25.0 %
  without statistical questions      3     1        2  33.3 %

passed over: 1 copy of others, 1 file that are no models

refused because of
          files  without statistical questions
  double      2                              1
  xml         1                              1
";
    let (tables, list) = run.out.split_once("\n\nbroken").unwrap();
    assert_eq!(format!("{tables}\n"), expected, "{}", run.out);
    assert!(list.contains("double.xta:1: double: floating-point variables"), "{list}");
}

#[test]
fn json_names_every_file_with_its_outcome_and_seconds() {
    let folder = folder("corpus-json");
    let json = folder.tioga(&["--format", "json", "corpus", "m"], "").json();
    let result = &json["result"];
    assert_eq!(result["models"], serde_json::json!({ "files": 4, "read": 1, "refused": 3 }));
    assert_eq!(result["without_statistical_questions"]["files"], 3);
    assert_eq!((&result["copies"], &result["others"]), (&1.into(), &1.into()));
    assert_eq!(result["features"][0]["feature"], "double");
    let files: Vec<(String, String)> = (result["files"].as_array().unwrap().iter())
        .map(|one| {
            let text = |key: &str| one[key].as_str().unwrap().to_owned();
            (text("file"), text("outcome"))
        })
        .collect();
    let expected = [
        ("broken.xml", "refused"),
        ("chance.xta", "refused"),
        ("deep/copy.ta", "read"),
        ("double.xta", "refused"),
        ("good.xta", "copy"),
        ("settings.xml", "other"),
    ];
    let expected: Vec<(String, String)> =
        expected.iter().map(|(file, outcome)| ((*file).into(), (*outcome).into())).collect();
    assert_eq!(files, expected);
    assert!(result["files"][2]["seconds"].is_number());
    assert_eq!(result["files"][1]["statistical"], true);
}

#[test]
fn a_file_that_takes_too_long_does_not_stop_the_others() {
    let folder = folder("corpus-slow");
    // Loops that are evaluated when the file is read, each within its own limit.
    let slow =
        "int f() { int i, n; for (i = 0; i < 30000; i++) { n = (n + i) % 1000; } return n; }";
    let constants: String = (0..3000).map(|n| format!("const int c{n} = f();")).collect();
    folder.write("m/slow.xta", format!("{slow} {constants} {GOOD}"));
    // A busy machine may need longer for the others.
    let read = ["0.2", "2", "20"].iter().map(|limit| {
        folder.tioga(&["--format", "json", "corpus", "m", "--timeout", limit], "").json()
    });
    let is_read = |json: &serde_json::Value| json["result"]["models"]["read"] == 1;
    let json = read.into_iter().find(is_read).expect("the others are read");
    let slow = &json["result"]["files"][5];
    assert_eq!(
        (&slow["file"], &slow["feature"]),
        (&"settings.xml".into(), &serde_json::Value::Null)
    );
    let slow = &json["result"]["files"][6];
    assert_eq!((&slow["file"], &slow["feature"]), (&"slow.xta".into(), &"limit".into()));
}

#[test]
fn one_file_and_no_file() {
    let folder = folder("corpus-one");
    let run = folder.tioga(&["corpus", "m/double.xta"], "");
    assert_eq!(run.code, 0);
    assert!(run.out.contains("double.xta:1: double:"), "{}", run.out);
    let run = folder.tioga(&["corpus", "nowhere"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot read `nowhere`"), "{}", run.err);
}
