//! A document's automata as GraphViz source: a cluster per automaton, a node per location, an arrow
//! per edge. Edges of the system under test are dashed, as in timed games.
//!
//! Expressions are printed by the function handed in, so that this file knows no syntax.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use tioga_parse::syntax::{
    ActionUse, Communication, Control, Document, EdgeDecl, Expr, LocationDecl, Marks, Target,
    Template, TemplateItem,
};

/// Prints an expression.
pub type PrintExpr<'a> = &'a dyn Fn(&Expr) -> String;

/// Whether every automaton gets a frame of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frames {
    /// A labelled cluster per automaton.
    Clusters,
    /// No cluster, for layouters that do not know them; locations are named `Automaton.Location`
    /// if there are several automata.
    None,
}

/// The document as a GraphViz digraph.
pub fn print(document: &Document, frames: Frames, print_expr: PrintExpr<'_>) -> String {
    let mut dot = String::from("digraph model {\n");
    if frames == Frames::Clusters {
        dot.push_str("  node [shape=box, style=rounded, fontname=\"Helvetica\"];\n");
        dot.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
    }
    let several = document.templates().nth(1).is_some();
    for (index, template) in document.templates().enumerate() {
        let picture = Picture { template, index, frames, several, print_expr };
        picture.print(&mut dot);
    }
    dot.push_str("}\n");
    dot
}

/// One automaton being drawn.
struct Picture<'a> {
    template: &'a Template,
    index: usize,
    frames: Frames,
    several: bool,
    print_expr: PrintExpr<'a>,
}

impl Picture<'_> {
    fn print(&self, dot: &mut String) {
        let name = &self.template.name.text;
        if self.frames == Frames::Clusters {
            let _ = writeln!(dot, "  subgraph cluster_{} {{", self.index);
            let _ = writeln!(dot, "    label={};", quote(name));
        }
        let mut declared = BTreeSet::new();
        for item in &self.template.items {
            if let TemplateItem::Locations(locations) = item {
                for location in &locations.names {
                    declared.insert(location.text.as_str());
                    self.location(dot, &location.text, locations);
                }
            }
        }
        for item in &self.template.items {
            if let TemplateItem::Edge(edge) = item {
                for source in &edge.sources {
                    self.edge(dot, &source.text, edge, &declared);
                }
            }
        }
        if self.frames == Frames::Clusters {
            dot.push_str("  }\n");
        }
    }

    fn node(&self, location: &str) -> String {
        quote(&format!("{}.{location}", self.index))
    }

    fn location(&self, dot: &mut String, name: &str, locations: &LocationDecl) {
        let mut lines = Vec::new();
        if self.frames == Frames::None && self.several {
            lines.push(format!("{}.{name}", self.template.name.text));
        } else {
            lines.push(name.to_owned());
        }
        lines.extend(locations.invariant.as_ref().map(self.print_expr));
        let words = marks(locations.marks);
        if !words.is_empty() {
            lines.push(format!("({})", words.join(", ")));
        }
        let shape = if locations.marks.accept { ", peripheries=2" } else { "" };
        let node = self.node(name);
        let _ = writeln!(dot, "    {node} [label={}{shape}];", quote(&lines.join("\n")));
        if locations.marks.initial {
            let start = quote(&format!("{}.", self.index));
            let _ = writeln!(dot, "    {start} [label=\"\", shape=circle, width=0.1, height=0.1];");
            let _ = writeln!(dot, "    {start} -> {node};");
        }
    }

    fn edge(&self, dot: &mut String, source: &str, edge: &EdgeDecl, declared: &BTreeSet<&str>) {
        let target = match &edge.target {
            Target::Location(target) => target.text.as_str(),
            Target::Same(_) => source,
        };
        if !declared.contains(source) || !declared.contains(target) {
            return; // The lowering complains about such an edge; a picture leaves it out.
        }
        let mut lines = Vec::new();
        let action = edge.action.as_ref().map(|action| self.action(action));
        let reply = edge.reply.as_ref().map(|reply| self.action(reply));
        lines.extend(match (action, reply) {
            (Some(action), Some(reply)) => Some(format!("{action} / {reply}")),
            (action, reply) => action.or(reply),
        });
        lines.extend(edge.guard.as_ref().map(|guard| format!("[{}]", (self.print_expr)(guard))));
        if !edge.updates.is_empty() {
            let updates: Vec<String> = edge.updates.iter().map(self.print_expr).collect();
            lines.push(format!("{{ {} }}", updates.join(", ")));
        }
        let dashed = if controlled(edge) { "" } else { ", style=dashed" };
        let (source, target) = (self.node(source), self.node(target));
        let label = quote(&lines.join("\n"));
        let _ = writeln!(dot, "    {source} -> {target} [label={label}{dashed}];");
    }

    fn action(&self, action: &ActionUse) -> String {
        let mut text = action.name.text.clone();
        for index in &action.indices {
            let _ = write!(text, "[{}]", (self.print_expr)(index));
        }
        if !action.arguments.is_empty() {
            let arguments: Vec<String> = action.arguments.iter().map(self.print_expr).collect();
            let _ = write!(text, "({})", arguments.join(", "));
        }
        text.push_str(match action.communication {
            Communication::Send => "!",
            Communication::Receive => "?",
            Communication::Plain => "",
        });
        text
    }
}

/// Whether the tester decides that the edge is taken.
fn controlled(edge: &EdgeDecl) -> bool {
    match edge.control {
        Some(control) => control == Control::Controllable,
        None => {
            edge.action.as_ref().is_some_and(|use_| use_.communication == Communication::Receive)
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

/// A quoted GraphViz string; line breaks become `\n`.
fn quote(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::tests::lamp;

    fn print_names(expr: &Expr) -> String {
        match &expr.kind {
            tioga_parse::syntax::ExprKind::Name(name) => name.clone(),
            _ => "?".to_owned(),
        }
    }

    #[test]
    fn an_automaton_becomes_a_cluster() {
        let expected = r#"digraph model {
  node [shape=box, style=rounded, fontname="Helvetica"];
  edge [fontname="Helvetica", fontsize=10];
  subgraph cluster_0 {
    label="Lamp";
    "0.Off" [label="Off"];
    "0." [label="", shape=circle, width=0.1, height=0.1];
    "0." -> "0.Off";
    "0.On" [label="On\nlimit\n(accept)", peripheries=2];
    "0.Off" -> "0.On" [label="touch?\n[early]"];
    "0.On" -> "0.On" [label="dim!", style=dashed];
  }
}
"#;
        assert_eq!(print(&lamp(), Frames::Clusters, &print_names), expected);
    }

    #[test]
    fn quoting_keeps_a_string_in_its_quotes() {
        assert_eq!(quote("a\"b\\\nc"), r#""a\"b\\\nc""#);
    }
}
