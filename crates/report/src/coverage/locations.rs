//! Where the locations of a model are in the pictures of its automata: a process is an instance of an
//! automaton, and a place of a test case says which locations it stands for.

use std::collections::BTreeMap;

use tioga_parse::syntax::{Document, Item, Template, TemplateItem, TemplateKind};
use tioga_testcase::Origin;

use crate::Specification;
use crate::picture::Graph;

/// The automata of a model with the positions of their locations.
pub(crate) struct Locations {
    /// The automata and purposes, in file order.
    pub graphs: Vec<Graph>,
    /// The positions of the graphs of purposes.
    pub purposes: Vec<usize>,
    /// The positions of locations that are left at once, in their graphs.
    pub committed: Vec<(usize, usize)>,
    /// For each process or purpose, the position of its graph and those of its locations among the
    /// nodes of the graph.
    processes: BTreeMap<String, (usize, BTreeMap<String, usize>)>,
}

impl Locations {
    /// The locations of a model.
    pub fn new(specification: Specification<'_>) -> Self {
        let Specification { document, model } = specification;
        let templates: Vec<&Template> = document.templates().collect();
        let position = |name: &str| {
            let template = template_of(document, name)?;
            templates.iter().position(|other| other.name.text == template)
        };
        let mut processes = BTreeMap::new();
        for process in &model.processes {
            let base = process.name.split('(').next().unwrap_or(&process.name);
            if let Some(graph) = position(base) {
                processes.insert(process.name.clone(), (graph, node_positions(templates[graph])));
            }
        }
        for (graph, template) in templates.iter().enumerate() {
            if template.kind == TemplateKind::Purpose {
                processes.insert(template.name.text.clone(), (graph, node_positions(template)));
            }
        }
        let graphs = crate::picture::graphs(document);
        let kinds = templates.iter().enumerate();
        let purposes = kinds.filter(|(_, template)| template.kind == TemplateKind::Purpose);
        let purposes = purposes.map(|(graph, _)| graph).collect();
        let committed = templates.iter().enumerate().flat_map(|(graph, template)| {
            committed(template).into_iter().map(move |node| (graph, node))
        });
        Self { graphs, purposes, committed: committed.collect(), processes }
    }

    /// The position of the graph of a location, and that of its node in it.
    pub fn of(&self, origin: &Origin) -> Option<(usize, usize)> {
        let (graph, nodes) = self.processes.get(&origin.process)?;
        Some((*graph, *nodes.get(&origin.location)?))
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

/// The positions of the committed locations.
fn committed(template: &Template) -> Vec<usize> {
    let locations = template.items.iter().filter_map(|item| match item {
        TemplateItem::Locations(locations) => Some(locations),
        _ => None,
    });
    let marks = locations.flat_map(|one| one.names.iter().map(|_| one.marks.committed));
    marks.enumerate().filter(|(_, committed)| *committed).map(|(position, _)| position).collect()
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
