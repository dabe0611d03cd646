//! Systems of ECDAR: parallel compositions of components, as networks.
//!
//! A system is a tree: its root has one child, the leaves are instances of components and the inner nodes
//! operators. Composition is associative, so a tree of compositions only is the network of its leaves. What
//! one component sends the others receive. Conjunction and quotient are operators on specifications: no
//! network of their operands behaves like them, so they are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use tioga_base::{Diagnostic, Sources};

use super::component::{
    Component, EXTENSION, Inputs, channels, directions, inputs, interface, is_name,
    parsed as parse, process,
};
use crate::Failure;
use crate::texts::read_file;

/// The id of the root of the tree.
const ROOT: i64 = 0;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct System {
    component_instances: Vec<Instance>,
    #[serde(default)]
    operators: Vec<Operator>,
    #[serde(default)]
    edges: Vec<TreeEdge>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Instance {
    id: i64,
    component_name: String,
}

#[derive(Deserialize)]
struct Operator {
    id: i64,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct TreeEdge {
    child: i64,
    parent: i64,
}

/// A text as a system, if it is one.
pub(super) fn parsed(text: &str) -> Option<System> {
    serde_json::from_str(text).ok()
}

/// The model of a system, whose components are in the folder `Components` beside that of the system, with the inputs
/// of its processes. Declarations are those of the project: global ones, and those of its system.
pub(super) fn read(
    path: &Path,
    system: &System,
    declarations: (&str, &str),
    texts: &mut Sources,
) -> Result<(String, Vec<Inputs>), Failure> {
    let names = system.components().map_err(|why| refused(path, why))?;
    let mut components = Vec::new();
    for name in names {
        if !is_name(name) {
            return Err(refused(path, format!("`{name}` cannot be a name")).into());
        }
        let project = path.parent().and_then(Path::parent).unwrap_or(Path::new(".."));
        let file = project.join("Components").join(format!("{name}.{EXTENSION}"));
        let text = read_file(texts, &file)?;
        components.push(parse::<Component>(&file, &text)?);
    }
    written(&components, declarations).map_err(|why| refused(path, why).into())
}

fn refused(path: &Path, message: String) -> Diagnostic {
    let message = format!("`{}` is no network of components: {message}", path.display());
    Diagnostic::global("not-a-network", message)
}

impl System {
    /// The components of the leaves, from left to right.
    fn components(&self) -> Result<Vec<&str>, String> {
        let mut children: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for edge in &self.edges {
            children.entry(edge.parent).or_default().push(edge.child);
        }
        let mut components = Vec::new();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![ROOT];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                return Err(format!("the node {id} has several parents"));
            }
            if let Some(instance) = self.component_instances.iter().find(|one| one.id == id) {
                components.push(instance.component_name.as_str());
                continue;
            }
            if id != ROOT {
                let operator = self.operators.iter().find(|one| one.id == id);
                match operator.map(|operator| operator.kind.to_ascii_lowercase()).as_deref() {
                    Some("composition") => {}
                    Some("conjunction") => {
                        return Err(
                            "a conjunction is no network: it accepts what all its operands \
                                    do; compare with each of them by `tioga conform` instead"
                                .to_owned(),
                        );
                    }
                    Some("quotient") => {
                        return Err("a quotient is no network: it is what is missing to a \
                                    specification; write the missing component instead"
                            .to_owned());
                    }
                    Some(other) => return Err(format!("the operator `{other}` is not known")),
                    None => return Err(format!("there is no node {id}")),
                }
            }
            waiting.extend(children.get(&id).into_iter().flatten().rev());
        }
        if components.is_empty() {
            return Err("nothing is connected with its root".to_owned());
        }
        Ok(components)
    }
}

/// The network of components, with the inputs of its processes.
fn written(
    components: &[Component],
    (globals, declared): (&str, &str),
) -> Result<(String, Vec<Inputs>), String> {
    let mut processes = String::new();
    let mut lines = String::new();
    let mut taken = Vec::new();
    let mut system: Vec<String> = Vec::new();
    let mut senders: BTreeMap<String, String> = BTreeMap::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for component in components {
        let mut names = std::iter::once(component.name.clone())
            .chain((2..).map(|number| format!("{}_{number}", component.name)));
        let name = names.find(|name| !system.contains(name)).expect("numbers do not end");
        let directions = directions(component, declared)
            .map_err(|why| format!("component `{}`: {why}", component.name))?;
        for (channel, _) in directions.iter().filter(|(_, mark)| **mark == '!') {
            if let Some(other) = senders.insert(channel.clone(), name.clone()) {
                return Err(format!(
                    "both `{other}` and `{name}` send `{channel}`; components of a composition \
                     have no output in common"
                ));
            }
        }
        let text = process(component, &name, &directions);
        processes.push_str(&text.map_err(|why| format!("component `{}`: {why}", component.name))?);
        lines.push_str(&interface(&name, &directions));
        taken.push(inputs(&name, &directions));
        used.extend(directions.into_keys());
        system.push(name);
    }
    let mut text = format!("{globals}\n");
    text.push_str(&channels(globals, used.iter()));
    text.push_str(&processes);
    text.push_str(&format!("system {};\n{lines}", system.join(", ")));
    Ok((text, taken))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = r#"{ "name": "Both", "componentInstances": [
        { "id": 2, "componentName": "Right" }, { "id": 3, "componentName": "Left" },
        { "id": 5, "componentName": "Unconnected" } ], "operators": [
        { "id": 1, "type": "composition", "x": 1.5 }, { "id": 4, "type": "composition" } ], "edges": [
        { "child": 1, "parent": 0 }, { "child": 3, "parent": 1 }, { "child": 4, "parent": 1 },
        { "child": 2, "parent": 4 } ] }"#;

    fn component(name: &str, edges: &[(&str, &str)]) -> Component {
        let edge = |(status, sync): &(&str, &str)| {
            format!(
                r#"{{ "sourceLocation": "A", "targetLocation": "A", "status": "{status}", "sync": "{sync}" }}"#
            )
        };
        let edges: Vec<String> = edges.iter().map(edge).collect();
        let text = format!(
            r#"{{ "name": "{name}", "locations": [ {{ "id": "A", "type": "INITIAL" }} ], "edges": [{}] }}"#,
            edges.join(", ")
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_tree_of_compositions_is_the_list_of_its_leaves() {
        let system = parsed(TREE).unwrap();
        assert_eq!(system.components().unwrap(), ["Left", "Right"]);
    }

    #[test]
    fn other_operators_are_refused_by_name() {
        for (kind, word) in
            [("conjunction", "a conjunction"), ("quotient", "a quotient"), ("sum", "`sum`")]
        {
            let text = TREE.replace(
                "\"id\": 4, \"type\": \"composition\"",
                &format!("\"id\": 4, \"type\": \"{kind}\""),
            );
            let why = parsed(&text).unwrap().components().unwrap_err();
            assert!(why.contains(word), "{why}");
        }
    }

    #[test]
    fn a_cycle_and_a_missing_node_are_refused() {
        let cycle = TREE.replace("\"child\": 2, \"parent\": 4", "\"child\": 1, \"parent\": 4");
        assert!(parsed(&cycle).unwrap().components().unwrap_err().contains("several parents"));
        let missing = TREE.replace("\"child\": 2, \"parent\": 4", "\"child\": 9, \"parent\": 4");
        assert!(parsed(&missing).unwrap().components().unwrap_err().contains("no node 9"));
        let empty = TREE.replace("\"child\": 1, \"parent\": 0", "\"child\": 1, \"parent\": 7");
        assert!(parsed(&empty).unwrap().components().unwrap_err().contains("root"));
    }

    #[test]
    fn components_become_processes_that_share_channels() {
        let (left, right) =
            (component("Left", &[("OUTPUT", "go")]), component("Right", &[("INPUT", "go")]));
        let text = written(&[left, right], ("", "")).unwrap().0;
        assert!(text.contains("broadcast chan go;\nprocess Left() {"), "{text}");
        assert!(
            text.ends_with("system Left, Right;\nIO Left { go! }\nIO Right { go? }\n"),
            "{text}"
        );
    }

    #[test]
    fn two_instances_of_a_component_have_different_names() {
        let ears = [component("Ear", &[("INPUT", "go")]), component("Ear", &[("INPUT", "go")])];
        assert!(written(&ears, ("", "")).unwrap().0.contains("system Ear, Ear_2;"));
    }

    #[test]
    fn an_output_of_two_components_is_refused() {
        let both = [component("A", &[("OUTPUT", "go")]), component("B", &[("OUTPUT", "go")])];
        let why = written(&both, ("", "")).unwrap_err();
        assert!(why.contains("both `A` and `B` send `go`"), "{why}");
    }
}
