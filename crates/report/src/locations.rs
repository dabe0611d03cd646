//! Which locations of the model the name of a place speaks of.
//!
//! A place is named after the locations of the processes and the data: `Off`, `Train(0).Far, Gate.Free,
//! n = 1`. Where a test case was made from a deterministic view of the model, all locations stand in
//! one name, joined by underscores, and a number may follow that tells equal names apart. If the view
//! cannot tell in which of several states the system is, or names none, the place speaks of no
//! location for certain.

use std::collections::BTreeMap;

use tioga_base::{Diagnostics, FileId};
use tioga_execute::ModelText;
use tioga_parse::syntax::{Document, Item, Template, TemplateItem, TemplateKind};
use tioga_parse::{Format, Options, lower, parse};

use crate::picture::Graph;

/// More ways to read a name are not looked for.
const READINGS: usize = 16;

/// The automata of a model with the names that places may use for their locations.
pub(crate) struct Locations {
    /// The automata and purposes, in file order.
    pub graphs: Vec<Graph>,
    /// The processes of the system, in their order.
    system: Vec<Process>,
    /// The purposes.
    purposes: Vec<Process>,
}

struct Process {
    name: String,
    /// The position of its graph.
    graph: usize,
    /// The position of each location among the nodes of the graph.
    nodes: BTreeMap<String, usize>,
}

impl Process {
    fn find(&self, location: &str) -> Option<(usize, usize)> {
        self.nodes.get(location).map(|node| (self.graph, *node))
    }
}

impl Locations {
    /// Nothing if the model cannot be read.
    pub fn new(model: &ModelText) -> Option<Self> {
        let format = Format::from_file_name(&model.name)?;
        let mut diagnostics = Diagnostics::new();
        let document = parse(format, FileId(0), &model.contents, &mut diagnostics)?;
        let templates: Vec<&Template> = document.templates().collect();
        let process = |name: &str, graph: usize| Process {
            name: name.to_owned(),
            graph,
            nodes: node_positions(templates[graph]),
        };
        let kind = |wanted: TemplateKind| {
            let all = templates.iter().enumerate();
            all.filter(move |(_, template)| template.kind == wanted)
        };
        let named = |(graph, template): (usize, &&Template)| process(&template.name.text, graph);
        let system = match lower(&document, &Options::default(), &mut diagnostics) {
            Some(network) => {
                let processes = network.processes.iter().filter_map(|one| {
                    let base = one.name.split('(').next().unwrap_or(&one.name);
                    let template = template_of(&document, base)?;
                    let graph = templates.iter().position(|other| other.name.text == template)?;
                    Some(process(&one.name, graph))
                });
                processes.collect()
            }
            // What runs is not known, perhaps because the interface was given elsewhere.
            None => kind(TemplateKind::Automaton).map(named).collect(),
        };
        let purposes = kind(TemplateKind::Purpose).map(named).collect();
        let graphs = templates.iter().map(|template| Graph::new(template)).collect();
        Some(Self { graphs, system, purposes })
    }

    /// The locations that a place speaks of for certain: positions of a graph and of a node in it.
    pub fn of(&self, place: &str) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for part in place.split(", ").filter(|part| !part.contains(" = ")) {
            let (process, location) = match part.rsplit_once('.') {
                Some((process, location)) => (Some(process), location),
                None => (None, part),
            };
            let mut all = self.system.iter().chain(&self.purposes);
            let direct = match (process, &self.system[..]) {
                (Some(process), _) => {
                    all.find(|own| own.name == process).and_then(|own| own.find(location))
                }
                (None, [only]) => only.find(location),
                (None, _) => None,
            };
            match direct {
                Some(one) => found.push(one),
                None => found.extend(self.joined(location)),
            }
        }
        found
    }

    /// The locations of a state whose names are joined: those of the system, and perhaps one of a
    /// purpose that was observing it. None if the name can be read in two ways.
    fn joined(&self, name: &str) -> Vec<(usize, usize)> {
        let observers = self.purposes.iter().map(Some).chain([None]);
        let mut readings = Vec::new();
        for observer in observers {
            let processes: Vec<&Process> = self.system.iter().chain(observer).collect();
            read(&processes, name, &mut Vec::new(), &mut readings);
        }
        let system = self.system.len();
        match &readings[..] {
            [] => Vec::new(),
            [only] => only.clone(),
            // Purposes may have locations of the same name; the system is known all the same.
            [first, rest @ ..] if rest.iter().all(|one| one[..system] == first[..system]) => {
                first[..system].to_vec()
            }
            _ => Vec::new(),
        }
    }
}

/// Reads a location of each process and an underscore between any two; a number may follow.
fn read(
    processes: &[&Process],
    rest: &str,
    before: &mut Vec<(usize, usize)>,
    readings: &mut Vec<Vec<(usize, usize)>>,
) {
    let Some(process) = processes.get(before.len()) else {
        let number = rest.strip_prefix('_');
        let numbered = number.is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        });
        if !before.is_empty() && (rest.is_empty() || numbered) {
            readings.push(before.clone());
        }
        return;
    };
    let rest = if before.is_empty() { Some(rest) } else { rest.strip_prefix('_') };
    let Some(rest) = rest else { return };
    for (location, node) in &process.nodes {
        if readings.len() < READINGS
            && let Some(rest) = rest.strip_prefix(location.as_str())
        {
            before.push((process.graph, *node));
            read(processes, rest, before, readings);
            before.pop();
        }
    }
}

/// The template that a process is made of, through instances of instances.
fn template_of<'d>(document: &'d Document, name: &'d str) -> Option<&'d str> {
    let mut name = name;
    // A chain longer than the file is a circle.
    for _ in 0..=document.items.len() {
        if document.templates().any(|template| template.name.text == name) {
            return Some(name);
        }
        name = document.items.iter().find_map(|item| match item {
            Item::Instance(instance) if instance.name.text == name => {
                Some(instance.template.text.as_str())
            }
            _ => None,
        })?;
    }
    None
}

/// The locations in the order in which a [`Graph`] has them.
fn node_positions(template: &Template) -> BTreeMap<String, usize> {
    let locations = template.items.iter().filter_map(|item| match item {
        TemplateItem::Locations(locations) => Some(&locations.names),
        _ => None,
    });
    let names = locations.flatten().map(|name| name.text.clone());
    names.enumerate().map(|(position, name)| (name, position)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(contents: &str, place: &str) -> Vec<String> {
        let model = ModelText { name: "m.tioga".to_owned(), contents: contents.to_owned() };
        let locations = Locations::new(&model).unwrap();
        let name = |(graph, node): (usize, usize)| {
            let graph = &locations.graphs[graph];
            format!("{}.{}", graph.name, graph.nodes[node].lines[0])
        };
        locations.of(place).into_iter().map(name).collect()
    }

    const TWO: &str = "model two;
input go;
automaton Train(int[0,1] id) { init location Far; location Near; Far -> Near : go?; }
automaton Gate { init location Free; location Near; }
purpose P { init location Near; accept location Done; }
system Train(0), Train(1), Gate;
";

    #[test]
    fn processes_are_found_by_name_and_instances_by_their_template() {
        let place = "Train(0).Far, Train(1).Near, Gate.Near, P.Done, n = 1";
        assert_eq!(names(TWO, place), ["Train.Far", "Train.Near", "Gate.Near", "P.Done"]);
        assert!(names(TWO, "Near").is_empty());
    }

    #[test]
    fn joined_names_are_taken_apart() {
        let expected = ["Train.Far", "Train.Near", "Gate.Free"];
        assert_eq!(names(TWO, "Far_Near_Free"), expected);
        assert_eq!(names(TWO, "Observed.Far_Near_Free_2"), expected);
        // Two states the system may be in, and a name that says nothing.
        assert!(names(TWO, "Far_Near_Free_Near_Near_Free").is_empty());
        assert!(names(TWO, "s17").is_empty());
        // A purpose was observing.
        let observed = ["Train.Far", "Train.Near", "Gate.Free", "P.Done"];
        assert_eq!(names(TWO, "Far_Near_Free_Done"), observed);
    }

    #[test]
    fn one_process_needs_no_name() {
        let one =
            "model one; input a; automaton A { init location L; location L_2; L -> L_2 : a?; }";
        assert_eq!(names(one, "L"), ["A.L"]);
        assert_eq!(names(one, "L_2"), ["A.L_2"]);
        assert_eq!(names(one, "L_3"), ["A.L"]);
    }
}
