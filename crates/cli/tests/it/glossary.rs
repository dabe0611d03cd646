//! The glossary names what exists: its words are in order, its types and functions are defined, its keys are in the
//! list of literature.

use std::fs;
use std::path::Path;

use tioga_testkit::root;

struct Row {
    word: String,
    code: Option<String>,
    key: Option<String>,
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let lines = text.lines().filter(|line| line.starts_with("| "));
    let rows = lines.filter(|line| !line.starts_with("| word |")).map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [word, meaning, code, key] = cells[..] else { panic!("four cells: {line}") };
        assert!(!word.is_empty() && !meaning.is_empty(), "{line}");
        let given = |cell: &str| (!cell.is_empty()).then(|| cell.trim_matches('`').to_owned());
        Row { word: word.to_owned(), code: given(code), key: given(key) }
    });
    rows.collect()
}

/// The texts of all sources below a folder.
fn sources(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else {
            found.push(fs::read_to_string(&path).unwrap());
        }
    }
    found
}

#[test]
fn words_are_in_order_and_explained_once() {
    let rows = rows();
    assert!(rows.len() > 50);
    for pair in rows.windows(2) {
        assert!(pair[0].word < pair[1].word, "{} before {}", pair[0].word, pair[1].word);
    }
}

#[test]
fn names_of_the_glossary_are_defined() {
    for Row { word, code, .. } in rows() {
        let Some(code) = code else { continue };
        let (krate, name) = code.split_once("::").unwrap_or_else(|| panic!("{word}: {code}"));
        let texts = sources(&root().join("crates").join(krate).join("src"));
        let kinds = ["struct", "enum", "trait", "fn", "type"];
        // Ids are defined by a macro.
        let id = format!("{name} = \"");
        let defined = |text: &String| {
            let is_id = text.contains("define_id! {") && text.contains(&id);
            is_id
                || kinds.iter().any(|kind| {
                    let start = format!("pub {kind} {name}");
                    let mut found =
                        text.match_indices(&start).map(|(at, _)| &text[at + start.len()..]);
                    found.any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
                })
        };
        // Ids are defined by a macro.
        let id = format!("\n    {name} = \"");
        let defined = |text: &String| defined(text) || text.contains(&id);
        assert!(texts.iter().any(defined), "{word}: {krate} does not define {name}");
    }
}

#[test]
fn keys_of_the_glossary_are_in_the_literature() {
    let literature = fs::read_to_string(root().join("docs/literature.md")).unwrap();
    for Row { word, key, .. } in rows() {
        let Some(key) = key else { continue };
        assert!(literature.contains(&format!("| {key} |")), "{word}: {key}");
    }
}
