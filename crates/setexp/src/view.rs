//! Every stage as a list of nodes and edges in words: for text, pictures and JSON alike.

use std::fmt::Write as _;

use tioga_base::IdVec;
use tioga_terms::{Formula, Names, SymbolId, Symbols, Term};

use crate::determinize::{Member, NodeId, ObservableGraph, ObservableStep, Programmed};
use crate::game::Choice;
use crate::graph::{GraphNode, TestGraph, Verdict};
use crate::projection::{Projection, Seen};
use crate::setexp::{Expiration, SetExp, SetExpTransition, StateId, expiration_text, set_text};
use crate::subgraph::Subgraph;
use crate::tiosa::{ActionId, Mark, Tiosa};

/// A stage in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// What it is, in a line.
    pub title: String,
    /// What is to be known about the whole, one line each.
    pub notes: Vec<String>,
    /// The nodes.
    pub nodes: Vec<ViewNode>,
    /// The edges.
    pub edges: Vec<ViewEdge>,
}

/// A node in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ViewNode {
    /// Its short name, unique in the view.
    pub id: String,
    /// What it stands for, if that is more than its name.
    pub label: String,
    /// `initial`, `accept`, `refuse`, `pass`, `inconclusive`, `fail`, in this order.
    pub marks: Vec<&'static str>,
    /// What holds while the system is here.
    pub invariant: Option<String>,
}

/// An edge in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ViewEdge {
    /// The node it leaves.
    pub source: String,
    /// The node it enters.
    pub target: String,
    /// Expirations, action, and what is programmed, in this order.
    pub events: Vec<String>,
    /// When it is possible, if not always.
    pub guard: Option<String>,
    /// What it changes.
    pub updates: Option<String>,
    /// Its type in SetExp: 1, 2 or 3.
    pub kind: Option<u8>,
}

/// Timeouts are written so.
pub const TIMEOUT: &str = "timeout";

impl View {
    /// An automaton: a specification, a purpose or a product.
    pub fn tiosa(tiosa: &Tiosa) -> Self {
        let mut notes = Vec::new();
        let mut note = |title: &str, list: Vec<&str>| {
            if !list.is_empty() {
                notes.push(format!("{title}: {}", list.join(", ")));
            }
        };
        let named = |ids: &[SymbolId]| {
            ids.iter().map(|id| tiosa.symbols[*id].name.as_str()).collect::<Vec<_>>()
        };
        note("clocks", tiosa.clocks.iter().map(String::as_str).collect());
        note("constants", named(&tiosa.constants));
        note("variables", named(&tiosa.variables));
        if tiosa.initial_condition != Formula::True {
            let text = Names(&tiosa.symbols, &tiosa.initial_condition).to_string();
            notes.push(format!("initially: {text}"));
        }
        let nodes = tiosa.locations.iter_ids().map(|(id, location)| {
            let atoms: Vec<_> = location.invariant.iter().map(|a| tiosa.atom_text(a)).collect();
            ViewNode {
                id: location.name.clone(),
                label: String::new(),
                marks: marks(id == tiosa.initial, location.mark),
                invariant: (!atoms.is_empty()).then(|| atoms.join(" && ")),
            }
        });
        let edges = tiosa.edges.iter().map(|edge| {
            let resets = edge.resets.iter().map(|clock| format!("{} = 0", tiosa.clocks[*clock]));
            let assigned = updates_text(&tiosa.symbols, &edge.assignments);
            let updates: Vec<_> = resets.chain(assigned).collect();
            ViewEdge {
                source: tiosa.locations[edge.source].name.clone(),
                target: tiosa.locations[edge.target].name.clone(),
                events: vec![tiosa.action_text(edge.action)],
                guard: tiosa.guard_text(edge),
                updates: (!updates.is_empty()).then(|| updates.join(", ")),
                kind: None,
            }
        });
        Self {
            title: format!(
                "{}: {} locations, {} edges",
                tiosa.name,
                tiosa.locations.len(),
                tiosa.edges.len()
            ),
            notes,
            nodes: nodes.collect(),
            edges: edges.collect(),
        }
    }

    /// The result of SetExp.
    pub fn setexp(tiosa: &Tiosa, setexp: &SetExp) -> Self {
        let mut notes = Vec::new();
        if !setexp.start.is_empty() {
            let sets: Vec<_> = setexp.start.iter().map(|set| set_text(tiosa, set)).collect();
            notes.push(format!("at the start: {}", sets.join(", ")));
        }
        for (state, expirations) in &setexp.overdue {
            let now = expirations_text(tiosa, expirations);
            notes.push(format!("{state} must be left before {}", now.join(", ")));
        }
        let edges = setexp.transitions.iter().map(|t| transition(tiosa, t));
        Self {
            title: format!(
                "SetExp of {}: {} states, {} transitions",
                tiosa.name,
                setexp.states.len(),
                setexp.transitions.len()
            ),
            notes,
            nodes: setexp.states.ids().map(|id| state(tiosa, setexp, id)).collect(),
            edges: edges.collect(),
        }
    }

    /// The observable projection: states that only internal actions reach are left out.
    pub fn projection(tiosa: &Tiosa, setexp: &SetExp, projection: &Projection) -> Self {
        let mut reached = vec![setexp.initial];
        let mut next = 0;
        while let Some(&id) = reached.get(next) {
            next += 1;
            for seen in projection.leaving(id) {
                if !reached.contains(&seen.target) {
                    reached.push(seen.target);
                }
            }
        }
        reached.sort();
        let edges: Vec<_> = projection
            .transitions
            .iter()
            .filter(|seen| reached.contains(&seen.source))
            .map(|t| seen(tiosa, t))
            .collect();
        Self {
            title: format!(
                "observable projection of {}: {} states, {} transitions",
                tiosa.name,
                reached.len(),
                edges.len()
            ),
            notes: Vec::new(),
            nodes: reached.into_iter().map(|id| state(tiosa, setexp, id)).collect(),
            edges,
        }
    }

    /// The deterministic observable automaton; what leaves accepted and refused nodes was not computed.
    pub fn observed(tiosa: &Tiosa, setexp: &SetExp, observed: &ObservableGraph) -> Self {
        let nodes = observed.nodes.iter_ids().map(|(id, node)| ViewNode {
            id: id.to_string(),
            label: members_text(tiosa, setexp, &observed.symbols, &node.members),
            marks: marks(id == observed.initial, node.mark),
            invariant: None,
        });
        let edges = observed.steps.iter().map(|step| self::step(tiosa, &observed.symbols, step));
        let late = observed.late.iter().map(|(node, expirations)| {
            let now = expirations_text(tiosa, expirations);
            format!("in {node}, the system is late after {}", now.join(", "))
        });
        Self {
            title: format!(
                "deterministic observable automaton of {}: {} nodes, {} steps",
                tiosa.name,
                observed.nodes.len(),
                observed.steps.len()
            ),
            notes: start_notes(tiosa, &observed.symbols, &observed.start)
                .into_iter()
                .chain(late)
                .collect(),
            nodes: nodes.collect(),
            edges: edges.collect(),
        }
    }

    /// The complete test graph, with the steps that fail.
    pub fn graph(graph: &TestGraph, setexp: &SetExp) -> Self {
        let steps = graph.steps.iter().map(|step| self::step(&graph.tiosa, &graph.symbols, step));
        let mut edges: Vec<_> = steps.collect();
        edges.extend(timeouts(graph, |_| true));
        for failure in &graph.failures {
            let mut events = expirations_text(&graph.tiosa, &failure.expirations);
            match failure.action {
                Some(action) => events.push(graph.tiosa.action_text(action)),
                None => events.push("no output".to_owned()),
            }
            edges.push(ViewEdge {
                source: failure.node.to_string(),
                target: "fail".to_owned(),
                events,
                guard: guard_text(&graph.symbols, &failure.guard),
                ..ViewEdge::default()
            });
        }
        let nodes = &graph.nodes;
        let nodes = nodes.iter_ids().map(|(id, node)| graph_node(graph, setexp, id, node));
        Self {
            title: format!(
                "complete test graph of {}: {} nodes, {} steps",
                graph.tiosa.name,
                graph.nodes.len(),
                graph.steps.len()
            ),
            notes: start_notes(&graph.tiosa, &graph.symbols, &graph.start),
            nodes: nodes.collect(),
            edges,
        }
    }

    /// A controllable subgraph; what fails there is as in the graph, and left out.
    pub fn subgraph(graph: &TestGraph, setexp: &SetExp, subgraph: &Subgraph, name: &str) -> Self {
        let kept = graph.steps.iter().enumerate();
        let kept: Vec<_> =
            kept.filter(|(at, step)| subgraph.keeps(graph, *at, step)).map(|(_, s)| s).collect();
        let mut shown: IdVec<NodeId, bool> = graph.nodes.ids().map(|_| false).collect();
        shown[graph.initial] = true;
        for step in &kept {
            (shown[step.source], shown[step.target]) = (true, true);
        }
        let mut edges: Vec<_> =
            kept.iter().map(|step| self::step(&graph.tiosa, &graph.symbols, step)).collect();
        edges.extend(timeouts(graph, |node| {
            shown[node] && subgraph.choices.get(&node) == Some(&Choice::Wait)
        }));
        let nodes = graph.nodes.iter_ids().filter(|(id, _)| shown[*id]);
        let nodes: Vec<_> = nodes.map(|(id, node)| graph_node(graph, setexp, id, node)).collect();
        Self {
            title: format!("{name}: {} nodes, {} steps", nodes.len(), kept.len()),
            notes: start_notes(&graph.tiosa, &graph.symbols, &graph.start),
            nodes,
            edges,
        }
    }

    /// As text: one line for each node and edge.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.title);
        for note in &self.notes {
            let _ = writeln!(text, "  {note}");
        }
        for node in &self.nodes {
            let _ = write!(text, "  {}", node.id);
            if !node.label.is_empty() {
                let _ = write!(text, " {}", node.label);
            }
            for mark in &node.marks {
                let _ = write!(text, " [{mark}]");
            }
            if let Some(invariant) = &node.invariant {
                let _ = write!(text, " while {invariant}");
            }
            text.push('\n');
        }
        for edge in &self.edges {
            let _ = writeln!(text, "  {} -> {} : {}", edge.source, edge.target, edge.text());
        }
        text
    }

    /// As a picture for Graphviz.
    pub fn dot(&self) -> String {
        let mut text = String::from("digraph stage {\n  rankdir=LR;\n  node [shape=box];\n");
        let _ = writeln!(text, "  label=\"{}\";", escaped(&self.title));
        let fails = self.edges.iter().any(|edge| edge.target == "fail");
        for node in &self.nodes {
            let mut label = node.id.clone();
            for part in [Some(&node.label), node.invariant.as_ref()].into_iter().flatten() {
                if !part.is_empty() {
                    let _ = write!(label, "\n{part}");
                }
            }
            let style = match node.marks.last() {
                Some(&"accept" | &"pass") => ", style=filled, fillcolor=palegreen",
                Some(&"refuse" | &"inconclusive") => ", style=filled, fillcolor=khaki",
                Some(&"initial") => ", penwidth=2",
                _ => "",
            };
            let _ = writeln!(
                text,
                "  \"{}\" [label=\"{}\"{style}];",
                escaped(&node.id),
                escaped(&label)
            );
        }
        if fails {
            text.push_str("  \"fail\" [style=filled, fillcolor=lightcoral];\n");
        }
        if self.edges.iter().any(|edge| edge.target == TIMEOUT) {
            text.push_str("  \"timeout\" [style=filled, fillcolor=khaki];\n");
        }
        for edge in &self.edges {
            let (source, target) = (escaped(&edge.source), escaped(&edge.target));
            let _ = writeln!(
                text,
                "  \"{source}\" -> \"{target}\" [label=\"{}\"];",
                escaped(&edge.text())
            );
        }
        text.push_str("}\n");
        text
    }
}

impl ViewEdge {
    /// `<Exp(c1, 2), beta!> [x >= p; x = x + 1] (type 3)`
    pub fn text(&self) -> String {
        let mut text = match &self.events[..] {
            [one] => one.clone(),
            several => format!("<{}>", several.join(", ")),
        };
        if self.guard.is_some() || self.updates.is_some() {
            let guard = self.guard.as_deref().unwrap_or("-");
            let updates = self.updates.as_deref().unwrap_or("-");
            let _ = write!(text, " [{guard}; {updates}]");
        }
        if let Some(kind) = self.kind {
            let _ = write!(text, " (type {kind})");
        }
        text
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn marks(initial: bool, mark: Mark) -> Vec<&'static str> {
    let mark = match mark {
        Mark::Plain => None,
        Mark::Accept => Some("accept"),
        Mark::Refuse => Some("refuse"),
    };
    initial.then_some("initial").into_iter().chain(mark).collect()
}

fn expirations_text(tiosa: &Tiosa, expirations: &[Expiration]) -> Vec<String> {
    expirations.iter().map(|one| expiration_text(tiosa, one)).collect()
}

fn guard_text(symbols: &Symbols, guard: &Formula) -> Option<String> {
    (*guard != Formula::True).then(|| Names(symbols, guard).to_string())
}

fn updates_text(symbols: &Symbols, updates: &[(SymbolId, Term)]) -> Option<String> {
    let parts = updates
        .iter()
        .map(|(symbol, term)| format!("{} = {}", symbols[*symbol].name, Names(symbols, term)));
    let parts: Vec<_> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn state(tiosa: &Tiosa, setexp: &SetExp, id: StateId) -> ViewNode {
    let mark = tiosa.locations[setexp.states[id].location].mark;
    ViewNode {
        id: id.to_string(),
        label: setexp.state_text(tiosa, id),
        marks: marks(id == setexp.initial, mark),
        invariant: None,
    }
}

fn transition(tiosa: &Tiosa, transition: &SetExpTransition) -> ViewEdge {
    let edges = || transition.edges.iter().map(|edge| &tiosa.edges[*edge]);
    let mut events = expirations_text(tiosa, &transition.expirations);
    events.extend(edges().map(|edge| tiosa.action_text(edge.action)));
    events.extend(transition.sets.iter().map(|set| set_text(tiosa, set)));
    let all = |texts: Vec<String>| (!texts.is_empty()).then(|| texts.join("; then "));
    ViewEdge {
        source: transition.source.to_string(),
        target: transition.target.to_string(),
        events,
        guard: all(edges().filter_map(|one| guard_text(&tiosa.symbols, &one.condition)).collect()),
        updates: all(edges()
            .filter_map(|one| updates_text(&tiosa.symbols, &one.assignments))
            .collect()),
        kind: Some(transition.kind()),
    }
}

fn seen(tiosa: &Tiosa, seen: &Seen) -> ViewEdge {
    let mut events = expirations_text(tiosa, &seen.expirations);
    events.extend(seen.action.map(|action| tiosa.action_text(action)));
    events.extend(seen.sets.iter().map(|set| set_text(tiosa, set)));
    let updates: Vec<_> = seen.store.iter().map(|(v, t)| (*v, t.clone())).collect();
    ViewEdge {
        source: seen.source.to_string(),
        target: seen.target.to_string(),
        events,
        guard: guard_text(&tiosa.symbols, &seen.condition),
        updates: updates_text(&tiosa.symbols, &updates),
        kind: None,
    }
}

fn members_text(tiosa: &Tiosa, setexp: &SetExp, symbols: &Symbols, members: &[Member]) -> String {
    let members = members.iter().map(|member| {
        let mut text = setexp.state_text(tiosa, member.state);
        if member.condition != Formula::True {
            let _ = write!(text, " if {}", Names(symbols, &member.condition));
        }
        text
    });
    members.collect::<Vec<_>>().join(" | ")
}

fn graph_node(graph: &TestGraph, setexp: &SetExp, id: NodeId, node: &GraphNode) -> ViewNode {
    let verdict = node.verdict.map(|verdict| match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::Inconclusive => "inconclusive",
    });
    ViewNode {
        id: id.to_string(),
        label: members_text(&graph.tiosa, setexp, &graph.symbols, &node.members),
        marks: (id == graph.initial).then_some("initial").into_iter().chain(verdict).collect(),
        invariant: None,
    }
}

/// What happens in a step: expirations, the action, what is programmed.
pub fn events_text(
    tiosa: &Tiosa,
    symbols: &Symbols,
    expirations: &[Expiration],
    action: Option<ActionId>,
    sets: &[Programmed],
) -> Vec<String> {
    let mut events = expirations_text(tiosa, expirations);
    events.extend(action.map(|action| tiosa.action_text(action)));
    events.extend(sets.iter().map(|set| programmed_text(tiosa, symbols, set)));
    events
}

fn programmed_text(tiosa: &Tiosa, symbols: &Symbols, set: &Programmed) -> String {
    let mut text = format!("Set({}", tiosa.clocks[set.clock]);
    for (_, value) in &set.thresholds {
        let _ = write!(text, ", {}", Names(symbols, value));
    }
    text.push(')');
    text
}

fn start_notes(tiosa: &Tiosa, symbols: &Symbols, start: &[Programmed]) -> Vec<String> {
    let sets = start.iter().map(|set| programmed_text(tiosa, symbols, set));
    let sets: Vec<_> = sets.collect();
    if sets.is_empty() { Vec::new() } else { vec![format!("at the start: {}", sets.join(", "))] }
}

fn step(tiosa: &Tiosa, symbols: &Symbols, step: &ObservableStep) -> ViewEdge {
    ViewEdge {
        source: step.source.to_string(),
        target: step.target.to_string(),
        events: events_text(tiosa, symbols, &step.expirations, step.action, &step.sets),
        guard: guard_text(symbols, &step.guard),
        updates: updates_text(symbols, &step.updates),
        kind: None,
    }
}

fn timeouts(graph: &TestGraph, shown: impl Fn(NodeId) -> bool) -> Vec<ViewEdge> {
    let nodes = graph.nodes.iter_ids().filter(|(id, node)| node.timeout && shown(*id));
    nodes
        .map(|(id, _)| ViewEdge {
            source: id.to_string(),
            target: TIMEOUT.to_owned(),
            events: vec!["δ!".to_owned()],
            ..ViewEdge::default()
        })
        .collect()
}
