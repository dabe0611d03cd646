//! What a picture shows of an automaton: its locations and edges with their texts, as in `.tioga`, as
//! a graph over indices.

use std::collections::BTreeMap;

use tioga_parse::syntax::{
    ActionUse, Communication, Control, Dialect, EdgeDecl, Expr, LocationDecl, Target, Template,
    TemplateItem,
};
use tioga_parse::{print_action, print_expr};

fn text(expr: &Expr) -> String {
    print_expr(expr, Dialect::Tioga)
}

/// An automaton as a graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// The name of the automaton.
    pub name: String,
    /// The locations in file order.
    pub nodes: Vec<Node>,
    /// The edges in file order.
    pub edges: Vec<Arrow>,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// Its text: name, invariant, marks.
    pub lines: Vec<String>,
    /// Whether runs start here.
    pub initial: bool,
    /// Whether a purpose is reached here.
    pub accept: bool,
    /// How often it was entered, if that is to be shown.
    pub visits: Option<u64>,
}

/// An edge between two locations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arrow {
    /// The index of the location it leaves.
    pub source: usize,
    /// The index of the location it enters.
    pub target: usize,
    /// Its text: action, guard, updates.
    pub lines: Vec<String>,
    /// Whether the system under test decides that it is taken.
    pub dashed: bool,
    /// How often it was taken, if that is to be shown.
    pub visits: Option<u64>,
}

impl Graph {
    /// The graph of an automaton. Edges from or to locations that are not declared are left out;
    /// the lowering complains about them.
    pub fn new(template: &Template) -> Self {
        let mut graph = Self { name: template.name.text.clone(), ..Self::default() };
        let mut index = BTreeMap::new();
        for item in &template.items {
            let TemplateItem::Locations(locations) = item else { continue };
            for name in &locations.names {
                index.insert(name.text.as_str(), graph.nodes.len());
                graph.nodes.push(node(&name.text, locations));
            }
        }
        for item in &template.items {
            let TemplateItem::Edge(edge) = item else { continue };
            let (lines, dashed) = (edge_lines(edge), !controlled(edge));
            for source in &edge.sources {
                let target = match &edge.target {
                    Target::Location(target) => &target.text,
                    Target::Same(_) => &source.text,
                };
                let ends = (index.get(source.text.as_str()), index.get(target.as_str()));
                if let (Some(&source), Some(&target)) = ends {
                    let lines = lines.clone();
                    graph.edges.push(Arrow { source, target, lines, dashed, visits: None });
                }
            }
        }
        graph
    }
}

fn node(name: &str, locations: &LocationDecl) -> Node {
    let mut lines = vec![name.to_owned()];
    lines.extend(locations.invariant.as_ref().map(text));
    let words: Vec<&str> = locations.marks.names().filter(|word| *word != "init").collect();
    if !words.is_empty() {
        lines.push(format!("({})", words.join(", ")));
    }
    let (initial, accept) = (locations.marks.initial, locations.marks.accept);
    Node { lines, initial, accept, visits: None }
}

fn edge_lines(edge: &EdgeDecl) -> Vec<String> {
    let mut lines = Vec::new();
    let action = edge.action.as_ref().map(|action| print_action(action, Dialect::Tioga));
    let reply = edge.reply.as_ref().map(|reply| print_action(reply, Dialect::Tioga));
    lines.extend(match (action, reply) {
        (Some(action), Some(reply)) => Some(format!("{action} / {reply}")),
        (action, reply) => action.or(reply),
    });
    lines.extend(edge.guard.as_ref().map(|guard| format!("[{}]", text(guard))));
    if !edge.updates.is_empty() {
        let updates: Vec<String> = edge.updates.iter().map(text).collect();
        lines.push(format!("{{ {} }}", updates.join(", ")));
    }
    lines
}

/// Whether the tester decides that the edge is taken.
fn controlled(edge: &EdgeDecl) -> bool {
    match edge.control {
        Some(control) => control == Control::Controllable,
        None => {
            let receives = |action: &ActionUse| action.communication == Communication::Receive;
            edge.action.as_ref().is_some_and(receives)
        }
    }
}
