//! What a picture shows of an automaton: its locations and edges with their texts, as a graph over
//! indices. Expressions are printed by the function handed in, so that no syntax is known here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tioga_parse::syntax::{
    ActionUse, Communication, Control, EdgeDecl, Expr, LocationDecl, Marks, Target, Template,
    TemplateItem,
};

/// Prints an expression.
pub type PrintExpr<'a> = &'a dyn Fn(&Expr) -> String;

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
}

impl Graph {
    /// The graph of an automaton. Edges from or to locations that are not declared are left out;
    /// the lowering complains about them.
    pub fn new(template: &Template, print_expr: PrintExpr<'_>) -> Self {
        let mut graph = Self { name: template.name.text.clone(), ..Self::default() };
        let mut index = BTreeMap::new();
        for item in &template.items {
            let TemplateItem::Locations(locations) = item else { continue };
            for name in &locations.names {
                index.insert(name.text.as_str(), graph.nodes.len());
                graph.nodes.push(node(&name.text, locations, print_expr));
            }
        }
        for item in &template.items {
            let TemplateItem::Edge(edge) = item else { continue };
            let (lines, dashed) = (edge_lines(edge, print_expr), !controlled(edge));
            for source in &edge.sources {
                let target = match &edge.target {
                    Target::Location(target) => &target.text,
                    Target::Same(_) => &source.text,
                };
                let ends = (index.get(source.text.as_str()), index.get(target.as_str()));
                if let (Some(&source), Some(&target)) = ends {
                    graph.edges.push(Arrow { source, target, lines: lines.clone(), dashed });
                }
            }
        }
        graph
    }
}

fn node(name: &str, locations: &LocationDecl, print_expr: PrintExpr<'_>) -> Node {
    let mut lines = vec![name.to_owned()];
    lines.extend(locations.invariant.as_ref().map(print_expr));
    let words = marks(locations.marks);
    if !words.is_empty() {
        lines.push(format!("({})", words.join(", ")));
    }
    Node { lines, initial: locations.marks.initial, accept: locations.marks.accept }
}

fn edge_lines(edge: &EdgeDecl, print_expr: PrintExpr<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let action = edge.action.as_ref().map(|action| action_text(action, print_expr));
    let reply = edge.reply.as_ref().map(|reply| action_text(reply, print_expr));
    lines.extend(match (action, reply) {
        (Some(action), Some(reply)) => Some(format!("{action} / {reply}")),
        (action, reply) => action.or(reply),
    });
    lines.extend(edge.guard.as_ref().map(|guard| format!("[{}]", print_expr(guard))));
    if !edge.updates.is_empty() {
        let updates: Vec<String> = edge.updates.iter().map(print_expr).collect();
        lines.push(format!("{{ {} }}", updates.join(", ")));
    }
    lines
}

fn action_text(action: &ActionUse, print_expr: PrintExpr<'_>) -> String {
    let mut text = action.name.text.clone();
    for index in &action.indices {
        let _ = write!(text, "[{}]", print_expr(index));
    }
    if !action.arguments.is_empty() {
        let arguments: Vec<String> = action.arguments.iter().map(print_expr).collect();
        let _ = write!(text, "({})", arguments.join(", "));
    }
    text.push_str(match action.communication {
        Communication::Send => "!",
        Communication::Receive => "?",
        Communication::Plain => "",
    });
    text
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

fn marks(marks: Marks) -> Vec<&'static str> {
    let all = [
        (marks.urgent, "urgent"),
        (marks.committed, "committed"),
        (marks.accept, "accept"),
        (marks.refuse, "refuse"),
        (marks.fail, "fail"),
        (marks.desired, "desired"),
    ];
    all.into_iter().filter(|(set, _)| *set).map(|(_, word)| word).collect()
}
