//! Components of ECDAR, as models in UPPAAL's text form.
//!
//! An ECDAR project is a folder: a file of global declarations and one file for each component, all JSON.
//! A component becomes a model with one process of its name. Its channels are broadcast channels; those of
//! its input edges are inputs, those of its output edges outputs. Locations are called by their ids, as in
//! ECDAR's queries. In a universal location everything may happen at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tioga_base::{Diagnostic, Sources};

use crate::Failure;
use crate::texts::read_file;

/// The extension of a component.
const EXTENSION: &str = "json";

/// The file of global declarations, in the folder of the component or the one above.
const GLOBALS: &str = "GlobalDeclarations.json";

#[derive(Deserialize)]
struct Component {
    name: String,
    #[serde(default)]
    declarations: String,
    locations: Vec<Location>,
    edges: Vec<Edge>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    id: String,
    #[serde(default)]
    invariant: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    urgency: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Edge {
    source_location: Option<String>,
    target_location: Option<String>,
    status: String,
    sync: String,
    #[serde(default)]
    select: String,
    #[serde(default)]
    guard: String,
    #[serde(default)]
    update: String,
}

#[derive(Deserialize)]
struct Globals {
    declarations: String,
}

/// Whether a file name is that of a component.
pub(crate) fn is_component(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|own| own.eq_ignore_ascii_case(EXTENSION))
}

/// Whether a text looks like a component and not like another JSON file of a project.
pub(crate) fn looks_like_component(text: &str) -> bool {
    serde_json::from_str::<Component>(text).is_ok()
}

/// The model of a component, with the declarations of its project.
pub(crate) fn read(path: &Path, texts: &mut Sources) -> Result<String, Failure> {
    let text = read_file(texts, path)?;
    let component: Component = parsed(path, &text)?;
    let globals = match globals_of(path) {
        Some(path) => {
            let text = read_file(texts, &path)?;
            parsed::<Globals>(&path, &text)?.declarations
        }
        None => String::new(),
    };
    written(&component, &globals).map_err(|message| refused(path, message).into())
}

fn globals_of(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let folders = [Some(folder), folder.parent()];
    let files = folders.into_iter().flatten().map(|folder| folder.join(GLOBALS));
    files.into_iter().find(|file| file.is_file())
}

fn parsed<'t, T: Deserialize<'t>>(path: &Path, text: &'t str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| refused(path, error.to_string()).into())
}

fn refused(path: &Path, message: String) -> Diagnostic {
    let message = format!("`{}` is no component of ECDAR: {message}", path.display());
    Diagnostic::global("not-a-component", message)
}

/// The channel of an edge: some versions write the direction behind it, and let it be a number.
fn channel(edge: &Edge) -> String {
    let name = edge.sync.trim().trim_end_matches(['!', '?']);
    match name.chars().next() {
        Some(first) if first.is_ascii_digit() => format!("_{name}"),
        _ => name.to_owned(),
    }
}

/// Whether a text can be a name.
fn is_name(text: &str) -> bool {
    text.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_')
        && text.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
}

/// A component as a process.
fn written(component: &Component, globals: &str) -> Result<String, String> {
    let Component { name, declarations, locations, edges } = component;
    let ids = locations.iter().map(|location| &location.id);
    if let Some(wrong) = ids.chain([name]).find(|id| !is_name(id)) {
        return Err(format!("`{wrong}` cannot be a name"));
    }
    let mut directions: BTreeMap<String, char> = BTreeMap::new();
    for edge in edges.iter().filter(|edge| is_name(&channel(edge))) {
        let direction = mark(edge)?;
        let other = directions.insert(channel(edge), direction);
        if other.is_some_and(|other| other != direction) {
            return Err(format!("`{}` is both an input and an output", channel(edge)));
        }
    }
    let mut text = format!("{globals}\n");
    let declared: BTreeSet<&str> = globals
        .split(|one: char| !one.is_ascii_alphanumeric() && one != '_')
        .chain(declarations.split(|one: char| !one.is_ascii_alphanumeric() && one != '_'))
        .collect();
    for channel in directions.keys().filter(|channel| !declared.contains(channel.as_str())) {
        text.push_str(&format!("broadcast chan {channel};\n"));
    }
    text.push_str(&format!("process {name}() {{\n{declarations}\n"));
    let mut states = Vec::new();
    let mut loops = Vec::new();
    for location in locations {
        let Location { id, invariant, kind, .. } = location;
        states.push(match invariant.trim() {
            "" => id.clone(),
            invariant => format!("{id} {{ {invariant} }}"),
        });
        match kind.as_str() {
            "NORMAL" | "INITIAL" => {}
            "UNIVERSAL" => loops.extend(
                directions
                    .iter()
                    .map(|(channel, mark)| format!("{id} -> {id} {{ sync {channel}{mark}; }}")),
            ),
            other => return Err(format!("locations of the type {other} are not supported")),
        }
    }
    text.push_str(&format!("state {};\n", states.join(", ")));
    for (urgency, word) in [("COMMITTED", "commit"), ("URGENT", "urgent")] {
        let marked = locations.iter().filter(|location| location.urgency == urgency);
        let marked: Vec<&str> = marked.map(|location| location.id.as_str()).collect();
        if !marked.is_empty() {
            text.push_str(&format!("{word} {};\n", marked.join(", ")));
        }
    }
    let Some(initial) = locations.iter().find(|location| location.kind == "INITIAL") else {
        return Err("it has no initial location".to_owned());
    };
    text.push_str(&format!("init {};\n", initial.id));
    let mut transitions = Vec::new();
    for edge in edges {
        // The loops of universal locations are made from the interface.
        if edge.sync == "*" {
            continue;
        }
        transitions.push(transition(edge)?);
    }
    transitions.extend(loops);
    if !transitions.is_empty() {
        text.push_str(&format!("trans\n  {};\n", transitions.join(",\n  ")));
    }
    text.push_str(&format!("}}\nsystem {name};\n"));
    let interface = directions.iter().map(|(channel, mark)| format!("{channel}{mark}"));
    let interface: Vec<String> = interface.collect();
    if !interface.is_empty() {
        text.push_str(&format!("IO {name} {{ {} }}\n", interface.join(", ")));
    }
    Ok(text)
}

fn mark(edge: &Edge) -> Result<char, String> {
    match edge.status.as_str() {
        "INPUT" => Ok('?'),
        "OUTPUT" => Ok('!'),
        other => Err(format!("edges of the status {other} are not supported")),
    }
}

fn transition(edge: &Edge) -> Result<String, String> {
    let (Some(source), Some(target)) = (&edge.source_location, &edge.target_location) else {
        return Err("an edge leads to no location".to_owned());
    };
    let mut text = format!("{source} -> {target} {{");
    let labels = [("select", &edge.select), ("guard", &edge.guard)];
    for (word, label) in labels.into_iter().filter(|(_, label)| !label.trim().is_empty()) {
        text.push_str(&format!(" {word} {};", label.trim().trim_end_matches(';')));
    }
    let channel = channel(edge);
    if is_name(&channel) {
        text.push_str(&format!(" sync {channel}{};", mark(edge)?));
    } else if !channel.is_empty() {
        return Err(format!("`{channel}` cannot be a channel"));
    }
    if !edge.update.trim().is_empty() {
        text.push_str(&format!(" assign {};", edge.update.trim().trim_end_matches(';')));
    }
    text.push_str(" }");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAMP: &str = r#"{ "name": "Lamp", "declarations": "clock x;", "locations": [
        { "id": "L0", "nickname": "", "invariant": "", "type": "INITIAL", "urgency": "NORMAL" },
        { "id": "L1", "invariant": "x<=5", "type": "NORMAL", "urgency": "URGENT" },
        { "id": "U0", "invariant": "", "type": "UNIVERSAL", "urgency": "NORMAL" } ], "edges": [
        { "sourceLocation": "L0", "targetLocation": "L1", "status": "INPUT", "select": "",
          "guard": "", "update": "x=0", "sync": "press", "nails": [] },
        { "sourceLocation": "L1", "targetLocation": "U0", "status": "OUTPUT", "select": "",
          "guard": "x>=2", "update": "", "sync": "shine" },
        { "sourceLocation": "U0", "targetLocation": "U0", "status": "INPUT", "select": "",
          "guard": "", "update": "", "sync": "*" } ] }"#;

    #[test]
    fn a_component_is_a_process_with_its_interface() {
        let component: Component = serde_json::from_str(LAMP).unwrap();
        let text = written(&component, "broadcast chan press;").unwrap();
        let expected = "broadcast chan press;
broadcast chan shine;
process Lamp() {
clock x;
state L0, L1 { x<=5 }, U0;
urgent L1;
init L0;
trans
  L0 -> L1 { sync press?; assign x=0; },
  L1 -> U0 { guard x>=2; sync shine!; },
  U0 -> U0 { sync press?; },
  U0 -> U0 { sync shine!; };
}
system Lamp;
IO Lamp { press?, shine! }
";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_is_no_component_is_told() {
        let wrong = [
            LAMP.replace("UNIVERSAL", "INCONSISTENT"),
            LAMP.replace("\"OUTPUT\"", "\"INPUT\"")
                .replace("shine", "press\", \"status\": \"OUTPUT"),
            LAMP.replace("\"L0\", \"targetLocation\"", "null, \"targetLocation\""),
            LAMP.replace("INITIAL", "NORMAL"),
            LAMP.replace("\"Lamp\"", "\"my lamp\""),
        ];
        for text in wrong {
            let read = serde_json::from_str::<Component>(&text).map_err(|error| error.to_string());
            assert!(read.and_then(|one| written(&one, "")).is_err(), "{text}");
        }
    }
}
