//! Components of ECDAR, as processes in UPPAAL's text form.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tioga_base::{Diagnostic, Sources};

use crate::Failure;
use crate::texts::{own_format, read_file};

/// A process and the channels it takes at any time.
pub(super) type Inputs = (String, Vec<String>);

/// The extension of a component.
pub(super) const EXTENSION: &str = "json";

/// The file of global declarations: in the folder of the component or a folder above.
pub(super) const GLOBALS: &str = "GlobalDeclarations.json";

/// The file of system declarations, likewise: its lines `IO P { a?, b! }` say what components take and send.
const SYSTEM: &str = "SystemDeclarations.json";

/// How many folders are looked through for them: components stand one folder below their project, and the
/// mutants that ECDAR exports two (`mutants/json`).
const FOLDERS: usize = 3;

#[derive(Deserialize)]
pub(super) struct Component {
    pub name: String,
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
pub(super) struct Globals {
    pub declarations: String,
}

/// Whether a file name is that of a component.
pub(crate) fn is_component(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|own| own.eq_ignore_ascii_case(EXTENSION))
}

/// Whether a text looks like a component and not like another JSON file of a project.
pub(crate) fn looks_like_component(text: &str) -> bool {
    serde_json::from_str::<Component>(text).is_ok()
}

/// The folder of the project.
pub(super) fn project_of(path: &Path) -> Option<&Path> {
    folder_with(path, GLOBALS)
}

fn folder_with<'p>(path: &'p Path, file: &str) -> Option<&'p Path> {
    path.ancestors().skip(1).take(FOLDERS).find(|folder| folder.join(file).is_file())
}

/// What the system declarations of a project say that its components take and send; nothing if there are none.
pub(super) fn system_declarations(path: &Path, texts: &mut Sources) -> Result<String, Failure> {
    let Some(folder) = folder_with(path, SYSTEM) else { return Ok(String::new()) };
    let path = folder.join(SYSTEM);
    let text = read_file(texts, &path)?;
    Ok(parsed::<Globals>(&path, &text)?.declarations)
}

/// The component of the project that another file of the same name in it is a mutant of.
pub(super) fn original_of(path: &Path, project: &Path, component: &Component) -> Option<PathBuf> {
    let components = project.join("Components");
    let own = path.parent() == Some(components.as_path());
    let original = components.join(format!("{}.{EXTENSION}", component.name));
    (!own && is_name(&component.name) && original.is_file()).then_some(original)
}

/// The channels of a component, and which way they go: those of its edges, and the inputs that system declarations
/// add. An output that no edge sends is no part of a component, as in Reveaal.
pub(super) fn directions(
    component: &Component,
    system: &str,
) -> Result<BTreeMap<String, char>, String> {
    let mut directions: BTreeMap<String, char> = BTreeMap::new();
    for edge in &component.edges {
        let channel = channel(&edge.sync);
        if !is_name(&channel) {
            continue;
        }
        let direction = mark(edge)?;
        let other = directions.insert(channel.clone(), direction);
        if other.is_some_and(|other| other != direction) {
            return Err(format!("`{channel}` is both an input and an output"));
        }
    }
    for input in declared_inputs(&component.name, system) {
        directions.entry(input).or_insert('?');
    }
    Ok(directions)
}

/// The inputs in the lines `IO P { a?, b! }` of a component.
fn declared_inputs(component: &str, system: &str) -> Vec<String> {
    let mut inputs = Vec::new();
    for line in system.lines() {
        let Some((head, rest)) = line.split_once('{') else { continue };
        let head: Vec<&str> = head.split_whitespace().collect();
        if head != ["IO", component] {
            continue;
        }
        let list = rest.split('}').next().unwrap_or_default();
        let channels = list.split(',').filter_map(|one| one.trim().strip_suffix('?'));
        inputs.extend(channels.map(channel).filter(|one| is_name(one)));
    }
    inputs
}

pub(super) fn parsed<'t, T: Deserialize<'t>>(path: &Path, text: &'t str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| {
        let diagnostic = match own_format(text) {
            Some(kind) => {
                let message = format!("`{}` is {kind}, not a model", path.display());
                Diagnostic::global("not-a-model", message)
            }
            None => refused(path, error.to_string()),
        };
        diagnostic.into()
    })
}

pub(super) fn refused(path: &Path, message: String) -> Diagnostic {
    let message = format!("`{}` is no component of ECDAR: {message}", path.display());
    Diagnostic::global("not-a-component", message)
}

/// The channel of a label: some versions write the direction behind it, and let it be a number.
fn channel(sync: &str) -> String {
    let name = sync.trim().trim_end_matches(['!', '?']);
    match name.chars().next() {
        Some(first) if first.is_ascii_digit() => format!("_{name}"),
        _ => name.to_owned(),
    }
}

/// Whether a text can be a name.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_')
        && text.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
}

/// What locations are called, by their ids: the same where that can be a name, and otherwise a name that
/// no other location has.
fn names(locations: &[Location]) -> Result<BTreeMap<&str, String>, String> {
    let mut names = BTreeMap::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for id in locations.iter().map(|location| location.id.as_str()).filter(|id| is_name(id)) {
        names.insert(id, id.to_owned());
        taken.insert(id.to_owned());
    }
    for id in locations.iter().map(|location| location.id.as_str()).filter(|id| !is_name(id)) {
        let plain = |one: char| if one.is_ascii_alphanumeric() { one } else { '_' };
        let own: String = match id {
            "" => "Sink".to_owned(),
            id => id.chars().map(plain).collect(),
        };
        let own = if is_name(&own) { own } else { format!("_{own}") };
        let mut candidates =
            std::iter::once(own.clone()).chain((1..).map(|number| format!("{own}_{number}")));
        let free = candidates.find(|name| !taken.contains(name)).expect("numbers do not end");
        taken.insert(free.clone());
        if names.insert(id, free).is_some() {
            return Err(format!("two locations have the id `{id}`"));
        }
    }
    Ok(names)
}

/// A component as a process with this interface.
pub(super) fn written(
    component: &Component,
    globals: &str,
    directions: &BTreeMap<String, char>,
) -> Result<String, String> {
    let name = &component.name;
    let declared = format!("{globals}\n{}", component.declarations);
    let mut text = format!("{globals}\n");
    text.push_str(&channels(&declared, directions.keys()));
    text.push_str(&process(component, name, directions)?);
    text.push_str(&format!("system {name};\n"));
    text.push_str(&interface(name, directions));
    Ok(text)
}

/// Declarations of the channels that other declarations do not mention.
pub(super) fn channels<'c>(declared: &str, channels: impl Iterator<Item = &'c String>) -> String {
    let words = declared.split(|one: char| !one.is_ascii_alphanumeric() && one != '_');
    let declared: BTreeSet<&str> = words.collect();
    let missing = channels.filter(|channel| !declared.contains(channel.as_str()));
    missing.map(|channel| format!("broadcast chan {channel};\n")).collect()
}

/// The inputs of a process.
pub(super) fn inputs(name: &str, directions: &BTreeMap<String, char>) -> Inputs {
    let inputs = directions.iter().filter(|(_, mark)| **mark == '?');
    (name.to_owned(), inputs.map(|(channel, _)| channel.clone()).collect())
}

/// The line that says which channels of a process are inputs and outputs.
pub(super) fn interface(name: &str, directions: &BTreeMap<String, char>) -> String {
    let channels = directions.iter().map(|(channel, mark)| format!("{channel}{mark}"));
    let channels: Vec<String> = channels.collect();
    if channels.is_empty() {
        return String::new();
    }
    format!("IO {name} {{ {} }}\n", channels.join(", "))
}

/// A component as a process of a name.
pub(super) fn process(
    component: &Component,
    name: &str,
    directions: &BTreeMap<String, char>,
) -> Result<String, String> {
    let Component { declarations, locations, edges, .. } = component;
    if !is_name(name) {
        return Err(format!("`{name}` cannot be a name"));
    }
    let names = names(locations)?;
    let mut text = format!("process {name}() {{\n{declarations}\n");
    let mut states = Vec::new();
    let mut loops = Vec::new();
    for location in locations {
        let Location { id, invariant, kind, .. } = location;
        let id = &names[id.as_str()];
        states.push(match invariant.trim() {
            "" => id.clone(),
            invariant => format!("{id} {{ {invariant} }}"),
        });
        let accepted: &[char] = match kind.as_str() {
            "NORMAL" | "INITIAL" => &[],
            "UNIVERSAL" => &['?', '!'],
            "INCONSISTENT" => &['?'],
            other => return Err(format!("locations of the type {other} are not supported")),
        };
        let accepted = directions.iter().filter(|(_, mark)| accepted.contains(mark));
        let to_loop =
            |(channel, mark): (&String, &char)| format!("{id} -> {id} {{ sync {channel}{mark}; }}");
        loops.extend(accepted.map(to_loop));
    }
    text.push_str(&format!("state {};\n", states.join(", ")));
    for (urgency, word) in [("COMMITTED", "commit"), ("URGENT", "urgent")] {
        let is_marked = |location: &&Location| {
            let inconsistent = location.kind == "INCONSISTENT" && location.urgency != "COMMITTED";
            location.urgency == urgency || (inconsistent && urgency == "URGENT")
        };
        let marked = locations.iter().filter(is_marked);
        let marked: Vec<&str> = marked.map(|one| names[one.id.as_str()].as_str()).collect();
        if !marked.is_empty() {
            text.push_str(&format!("{word} {};\n", marked.join(", ")));
        }
    }
    let Some(initial) = locations.iter().find(|location| location.kind == "INITIAL") else {
        return Err("it has no initial location".to_owned());
    };
    text.push_str(&format!("init {};\n", names[initial.id.as_str()]));
    let mut transitions = Vec::new();
    for edge in edges {
        // The loops of universal and inconsistent locations are made from the interface.
        if edge.sync == "*" {
            continue;
        }
        transitions.push(transition(edge, &names)?);
    }
    transitions.extend(loops);
    if !transitions.is_empty() {
        text.push_str(&format!("trans\n  {};\n", transitions.join(",\n  ")));
    }
    text.push_str("}\n");
    Ok(text)
}

fn mark(edge: &Edge) -> Result<char, String> {
    match edge.status.as_str() {
        "INPUT" => Ok('?'),
        "OUTPUT" => Ok('!'),
        other => Err(format!("edges of the status {other} are not supported")),
    }
}

fn transition(edge: &Edge, names: &BTreeMap<&str, String>) -> Result<String, String> {
    let end = |id: &Option<String>| names.get(id.as_deref()?);
    let (Some(source), Some(target)) = (end(&edge.source_location), end(&edge.target_location))
    else {
        return Err("an edge begins or ends at no location".to_owned());
    };
    let mut text = format!("{source} -> {target} {{");
    let labels = [("select", &edge.select), ("guard", &edge.guard)];
    for (word, label) in labels.into_iter().filter(|(_, label)| !label.trim().is_empty()) {
        text.push_str(&format!(" {word} {};", label.trim().trim_end_matches(';')));
    }
    let channel = channel(&edge.sync);
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

    fn text_of(component: &str, globals: &str) -> Result<String, String> {
        let component = serde_json::from_str::<Component>(component);
        let component = component.map_err(|error| error.to_string())?;
        written(&component, globals, &directions(&component, "")?)
    }

    #[test]
    fn a_component_is_a_process_with_its_interface() {
        let text = text_of(LAMP, "broadcast chan press;").unwrap();
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
    fn an_id_that_cannot_be_a_name_gets_one() {
        let ids = |ids: &[&str]| {
            let location = |id: &&str| format!(r#"{{ "id": "{id}", "type": "NORMAL" }}"#);
            let texts: Vec<String> = ids.iter().map(location).collect();
            serde_json::from_str::<Vec<Location>>(&format!("[{}]", texts.join(","))).unwrap()
        };
        let locations = ids(&["", "L0||L4", "0", "L0__L4", "Sink", "L1"]);
        let names = names(&locations).unwrap();
        let expected = ["Sink_1", "L0__L4_1", "_0", "L0__L4", "Sink", "L1"];
        for (location, expected) in locations.iter().zip(expected) {
            assert_eq!(names[location.id.as_str()], expected);
        }
        assert!(super::names(&ids(&["", ""])).is_err());
    }

    #[test]
    fn an_inconsistent_location_takes_inputs_and_no_time() {
        let text = LAMP.replace("UNIVERSAL", "INCONSISTENT").replace("\"U0\"", "\"\"");
        let text = text_of(&text, "").unwrap();
        assert!(text.contains("urgent L1, Sink;"), "{text}");
        assert!(text.contains("Sink -> Sink { sync press?; };"), "{text}");
        assert!(!text.contains("Sink -> Sink { sync shine!; }"), "{text}");
        assert!(text.contains("L1 -> Sink { guard x>=2; sync shine!; }"), "{text}");
    }

    #[test]
    fn system_declarations_add_inputs_and_no_outputs() {
        let component: Component = serde_json::from_str(LAMP).unwrap();
        let lines = "system Lamp, Lamps;\n// IO Lamp { no? }\nIO Lamps { other? }
IO Lamp { press?, 1?, shine!, stop! ,go? }";
        let directions = directions(&component, lines).unwrap();
        let directions: Vec<(&str, char)> =
            directions.iter().map(|(channel, mark)| (channel.as_str(), *mark)).collect();
        assert_eq!(directions, [("_1", '?'), ("go", '?'), ("press", '?'), ("shine", '!')]);
    }

    #[test]
    fn what_is_no_component_is_told() {
        let wrong = [
            LAMP.replace("UNIVERSAL", "STRANGE"),
            LAMP.replace("\"targetLocation\": \"L1\"", "\"targetLocation\": \"L7\""),
            LAMP.replace("\"L0\"", "\"\"").replace("\"L1\"", "\"\""),
            LAMP.replace("\"OUTPUT\"", "\"INPUT\"")
                .replace("shine", "press\", \"status\": \"OUTPUT"),
            LAMP.replace("\"L0\", \"targetLocation\"", "null, \"targetLocation\""),
            LAMP.replace("INITIAL", "NORMAL"),
            LAMP.replace("\"Lamp\"", "\"my lamp\""),
        ];
        for text in wrong {
            assert!(text_of(&text, "").is_err(), "{text}");
        }
    }
}
