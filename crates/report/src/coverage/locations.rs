//! Where the locations and edges of a model are in the pictures of its automata: a process is an instance of an
//! automaton, and a place of a test case says which locations it stands for.

use std::collections::BTreeMap;

use tioga_base::Span;
use tioga_parse::syntax::{Document, Item, Target, Template, TemplateItem, TemplateKind};
use tioga_testcase::Origin;

use super::ModelCoverage;
use crate::Specification;
use crate::picture::{Arrow, Graph};

/// The automata of a model with the positions of their locations.
pub(crate) struct Locations {
    /// The automata and purposes, in file order.
    pub graphs: Vec<Graph>,
    /// The positions of the graphs of purposes.
    purposes: Vec<usize>,
    /// Of each graph, where the edges were written and which location they leave, in the order of its arrows.
    written: Vec<Vec<(Span, String)>>,
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
        let written =
            templates.iter().zip(&graphs).map(|(template, graph)| written(template, graph));
        let written = written.collect();
        Self { graphs, purposes, written, processes }
    }

    /// Whether a graph is that of a purpose.
    pub fn is_purpose(&self, graph: usize) -> bool {
        self.purposes.contains(&graph)
    }

    /// Whether some process is made of a graph.
    pub fn is_used(&self, graph: usize) -> bool {
        self.processes.values().any(|(own, _)| *own == graph)
    }

    /// Writes down how often locations were entered and edges were taken.
    pub fn paint(&mut self, coverage: &ModelCoverage) {
        let add = |visits: &mut Option<u64>, count: u64| {
            *visits = Some(visits.unwrap_or(0).saturating_add(count));
        };
        for one in &coverage.locations {
            let Some((graph, nodes)) = self.processes.get(&one.process) else { continue };
            if let Some(node) = nodes.get(&one.location) {
                add(&mut self.graphs[*graph].nodes[*node].visits, one.entered);
            }
        }
        // Of each arrow, how often it was taken early and late, by all processes.
        let mut ends: BTreeMap<(usize, usize), [Option<u64>; 2]> = BTreeMap::new();
        for one in &coverage.edges {
            let Some((graph, nodes)) = self.processes.get(&one.process) else { continue };
            let target = nodes.get(&one.target);
            let same = |(index, (span, source)): (usize, &(Span, String))| {
                let arrow = &self.graphs[*graph].edges[index];
                let found =
                    *span == one.span && *source == one.source && Some(&arrow.target) == target;
                found.then_some(index)
            };
            let Some(arrow) = self.written[*graph].iter().enumerate().find_map(same) else {
                continue;
            };
            add(&mut self.graphs[*graph].edges[arrow].visits, one.taken);
            let both = ends.entry((*graph, arrow)).or_default();
            for (sum, count) in both.iter_mut().zip([one.early, one.late]) {
                *sum = count.map(|count| sum.unwrap_or(0) + count).or(*sum);
            }
        }
        for (graph, edges) in self.graphs.iter_mut().map(|graph| &mut graph.edges).enumerate() {
            for (index, arrow) in edges.iter_mut().enumerate() {
                label(arrow, ends.get(&(graph, index)).copied().unwrap_or_default());
            }
        }
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

/// Says on an arrow how often it was taken, and which end of its window was never met.
fn label(arrow: &mut Arrow, [early, late]: [Option<u64>; 2]) {
    let Some(visits) = arrow.visits else { return };
    let never = match (early == Some(0), late == Some(0)) {
        _ if visits == 0 => "",
        (true, true) => ", never early or late",
        (true, false) => ", never early",
        (false, true) => ", never late",
        (false, false) => "",
    };
    arrow.lines.push(format!("{visits}\u{d7}{never}"));
}

/// Where the arrows of a graph were written and which location they leave, as [`Graph::new`] makes them.
fn written(template: &Template, graph: &Graph) -> Vec<(Span, String)> {
    let names = node_positions(template);
    let mut written = Vec::with_capacity(graph.edges.len());
    for item in &template.items {
        let TemplateItem::Edge(edge) = item else { continue };
        for source in &edge.sources {
            let target = match &edge.target {
                Target::Location(target) => &target.text,
                Target::Same(_) => &source.text,
            };
            if names.contains_key(&source.text) && names.contains_key(target) {
                written.push((edge.span, source.text.clone()));
            }
        }
    }
    debug_assert_eq!(written.len(), graph.edges.len());
    written
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
