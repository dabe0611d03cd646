//! What a picture shows of an automaton: its locations and edges with their texts, as in `.tioga`, as
//! a graph over indices.

use std::collections::BTreeMap;

use tioga_parse::syntax::{
    Communication, Control, Dialect, Direction, EdgeDecl, Expr, LocationDecl, Target, Template,
    TemplateItem,
};
use tioga_parse::{print_action, print_expr};

fn text(expr: &Expr) -> String {
    print_expr(expr, Dialect::Tioga)
}

/// Which way channels cross the interface, if they do.
pub(super) type Interface<'d> = BTreeMap<&'d str, Option<Direction>>;

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
    /// What being here means.
    pub mark: NodeMark,
    /// Whether time stands still here, and whether only what leaves this location may happen next.
    pub urgency: Urgency,
    /// How often it was entered, if that is to be shown.
    pub visits: Option<u64>,
}

/// What being in a location means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NodeMark {
    /// Nothing special.
    #[default]
    Plain,
    /// A purpose is reached.
    Accept,
    /// A test ends inconclusively.
    Inconclusive,
    /// A test fails.
    Fail,
}

/// Whether time stands still in a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Urgency {
    /// Time passes.
    #[default]
    None,
    /// Time stands still.
    Urgent,
    /// Time stands still, and the location is left next.
    Committed,
}

/// What an edge does, seen from the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ArrowKind {
    /// It receives.
    Input,
    /// It sends.
    Output,
    /// It does something that is not part of the interface.
    #[default]
    Internal,
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
    /// What it does.
    pub kind: ArrowKind,
    /// Whether the system under test decides that it is taken.
    pub dashed: bool,
    /// How often it was taken, if that is to be shown.
    pub visits: Option<u64>,
}

impl Graph {
    /// The graph of an automaton of a network with this interface. Edges from or to locations that are not declared are
    /// left out; the lowering complains about them.
    pub(super) fn new(template: &Template, interface: &Interface<'_>) -> Self {
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
            let kind = kind(edge, interface);
            let (lines, dashed) = (edge_lines(edge), !controlled(edge, kind));
            for source in &edge.sources {
                let target = match &edge.target {
                    Target::Location(target) => &target.text,
                    Target::Same(_) => &source.text,
                };
                let ends = (index.get(source.text.as_str()), index.get(target.as_str()));
                if let (Some(&source), Some(&target)) = ends {
                    let lines = lines.clone();
                    graph.edges.push(Arrow { source, target, lines, kind, dashed, visits: None });
                }
            }
        }
        graph
    }
}

fn node(name: &str, locations: &LocationDecl) -> Node {
    let mut lines = vec![name.to_owned()];
    lines.extend(locations.invariant.as_ref().map(text));
    let marks = &locations.marks;
    let shown = ["init", "urgent", "committed", "accept", "fail"];
    let words: Vec<&str> = marks.names().filter(|word| !shown.contains(word)).collect();
    if !words.is_empty() {
        lines.push(format!("({})", words.join(", ")));
    }
    let mark = match (marks.accept, marks.fail) {
        (_, true) => NodeMark::Fail,
        (true, false) => NodeMark::Accept,
        (false, false) => NodeMark::Plain,
    };
    let urgency = match (marks.urgent, marks.committed) {
        (_, true) => Urgency::Committed,
        (true, false) => Urgency::Urgent,
        (false, false) => Urgency::None,
    };
    Node { lines, initial: marks.initial, mark, urgency, visits: None }
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

/// What an edge does, seen from the system: the channel says that, whichever process uses it. Where no channel does, who
/// receives takes an input.
fn kind(edge: &EdgeDecl, interface: &Interface<'_>) -> ArrowKind {
    let Some(action) = edge.action.as_ref().or(edge.reply.as_ref()) else {
        return ArrowKind::Internal;
    };
    match (interface.get(action.name.text.as_str()), action.communication) {
        (Some(Some(Direction::Input)), _) => ArrowKind::Input,
        (Some(Some(Direction::Output)), _) => ArrowKind::Output,
        (Some(None), _) => ArrowKind::Internal,
        (None, Communication::Receive) => ArrowKind::Input,
        (None, Communication::Send) => ArrowKind::Output,
        _ => ArrowKind::Internal,
    }
}

/// Whether the tester decides that the edge is taken.
fn controlled(edge: &EdgeDecl, kind: ArrowKind) -> bool {
    match edge.control {
        Some(control) => control == Control::Controllable,
        None => kind == ArrowKind::Input,
    }
}
