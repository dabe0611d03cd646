//! Graphs as GraphViz source: a cluster per automaton, a node per location, an arrow per edge.
//! Edges the system under test decides about are dashed, as usual for timed games.

use std::fmt::Write as _;

use super::graph::{Graph, NodeMark};

/// The automata as one GraphViz digraph.
pub fn print(graphs: &[Graph]) -> String {
    let mut dot = String::from(
        "digraph model {\n  node [shape=box, style=rounded, fontname=\"Helvetica\"];\n  \
         edge [fontname=\"Helvetica\", fontsize=10];\n",
    );
    for (index, graph) in graphs.iter().enumerate() {
        print_graph(&mut dot, index, graph);
    }
    dot.push_str("}\n");
    dot
}

/// Nodes are called by the indices of automaton and location, which are free of odd characters.
fn print_graph(dot: &mut String, cluster: usize, graph: &Graph) {
    let _ = writeln!(dot, "  subgraph cluster_{cluster} {{");
    let _ = writeln!(dot, "    label={};", quote(&graph.name));
    for (index, node) in graph.nodes.iter().enumerate() {
        let twice = if node.mark == NodeMark::Accept { ", peripheries=2" } else { "" };
        let label = quote(&node.lines.join("\n"));
        let _ = writeln!(dot, "    n{cluster}_{index} [label={label}{twice}];");
        if node.initial {
            let start = format!("start{cluster}_{index}");
            let _ = writeln!(dot, "    {start} [shape=point];");
            let _ = writeln!(dot, "    {start} -> n{cluster}_{index};");
        }
    }
    for edge in &graph.edges {
        let dashed = if edge.dashed { ", style=dashed" } else { "" };
        let label = quote(&edge.lines.join("\n"));
        let (source, target) = (edge.source, edge.target);
        let _ = writeln!(
            dot,
            "    n{cluster}_{source} -> n{cluster}_{target} [label={label}{dashed}];"
        );
    }
    dot.push_str("  }\n");
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

    #[test]
    fn an_automaton_becomes_a_cluster() {
        let expected = r#"digraph model {
  node [shape=box, style=rounded, fontname="Helvetica"];
  edge [fontname="Helvetica", fontsize=10];
  subgraph cluster_0 {
    label="Lamp";
    n0_0 [label="Off"];
    start0_0 [shape=point];
    start0_0 -> n0_0;
    n0_1 [label="On\nlimit", peripheries=2];
    n0_0 -> n0_1 [label="touch?\n[early]"];
    n0_1 -> n0_1 [label="dim!", style=dashed];
  }
}
"#;
        assert_eq!(crate::picture::dot(&lamp()), expected);
    }

    #[test]
    fn quoting_keeps_a_string_in_its_quotes() {
        assert_eq!(quote("a\"b\\\nc"), r#""a\"b\\\nc""#);
    }
}
