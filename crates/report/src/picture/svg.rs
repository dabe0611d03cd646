//! Graphs as SVG. GraphViz draws better, so its `dot` is used when it is there; otherwise the
//! automata are drawn here, one below the other, from the layout in `layout`.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use super::graph::{Arrow, Graph};
use super::layout::{LINE, LOOP, Place, layout, text_size};
use crate::text::escape;

/// Asks an installed GraphViz; any failure means it is not usable here.
pub fn graphviz(dot: &str) -> io::Result<String> {
    let mut process = Command::new("dot")
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    // `dot` reads all of its input before it writes, so this cannot block for good.
    let sent = process.stdin.take().map_or(Ok(()), |mut input| input.write_all(dot.as_bytes()));
    let output = process.wait_with_output()?;
    sent?;
    if !output.status.success() {
        return Err(io::Error::other("dot failed"));
    }
    String::from_utf8(output.stdout).map_err(io::Error::other)
}

const MARGIN: i64 = 24;

/// What the classes of a picture look like. Rules apply below `.automata` only, so that pictures can
/// stand in a page.
pub(crate) const STYLE: &str = "\
.automata text{font:13px Helvetica,Arial,sans-serif;text-anchor:middle}\
.automata .title{font-weight:bold;text-anchor:start}.automata .label{font-size:12px}\
.automata .paper{fill:white;opacity:0.8}.automata .node{fill:#f4f6fa;stroke:#333}\
.automata .edge{fill:none;stroke:#333}.automata .dashed{stroke-dasharray:6 4}\
.automata .seen{fill:#c7e9c0}.automata .unseen{fill:#fddbc7}\
.automata .taken{stroke:#1b7837;stroke-width:2}.automata .missed{stroke:#b2182b}\
.automata .count{font-size:11px;fill:#555}";

/// The automata as one SVG picture, a file of its own. Locations and edges with counts are coloured.
pub fn draw(graphs: &[Graph]) -> String {
    drawing(graphs, "head", &format!("<style>{STYLE}</style>\n"))
}

/// The automata as an element; `head` goes first into it. Its arrows need an identifier that no other
/// element of the page has.
pub(crate) fn drawing(graphs: &[Graph], marker: &str, head: &str) -> String {
    let mut body = String::new();
    let (mut width, mut top) = (0, 0);
    for graph in graphs {
        let mut drawing = Drawing { marker: marker.to_owned(), ..Drawing::default() };
        drawing.graph(graph);
        let dx = MARGIN - drawing.left.min(0);
        let dy = top + MARGIN + 2 * LINE;
        let _ = writeln!(
            body,
            "<g transform=\"translate({dx} {dy})\">\n{}</g>\n<text class=\"title\" x=\"{MARGIN}\" y=\"{}\">{}</text>",
            drawing.body,
            top + MARGIN,
            escape(&graph.name)
        );
        width = width.max(dx + drawing.right + MARGIN);
        top = dy + drawing.bottom + MARGIN;
    }
    let width = width.max(2 * MARGIN);
    let height = top.max(2 * MARGIN);
    format!(
        "<svg class=\"automata\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <defs><marker id=\"{marker}\" markerWidth=\"10\" markerHeight=\"8\" refX=\"9\" refY=\"4\" \
         orient=\"auto\" markerUnits=\"userSpaceOnUse\"><path d=\"M 0 0 L 9 4 L 0 8 z\"/></marker></defs>\n\
         {head}{body}</svg>\n"
    )
}

/// The elements of one automaton and how far they reach.
#[derive(Default)]
struct Drawing {
    body: String,
    /// The identifier of the arrow head.
    marker: String,
    left: i64,
    right: i64,
    bottom: i64,
}

impl Drawing {
    fn graph(&mut self, graph: &Graph) {
        let places = layout(graph);
        let mut labels = Vec::new();
        for (index, edge) in graph.edges.iter().enumerate() {
            let before = &graph.edges[..index];
            labels.push(if edge.source == edge.target {
                self.looping(edge, before, places[edge.source])
            } else {
                let joins = |other: &&Arrow| {
                    (other.source, other.target) == (edge.source, edge.target)
                        || (other.source, other.target) == (edge.target, edge.source)
                };
                let same = |other: &&Arrow| other.source == edge.source && joins(other);
                let alone = graph.edges.iter().filter(joins).count() == 1;
                let index = before.iter().filter(same).count();
                let turn = if alone { 0 } else { 1 + i64::try_from(index).unwrap_or(0) };
                self.arrow(edge, places[edge.source], places[edge.target], turn)
            });
        }
        for (node, place) in graph.nodes.iter().zip(&places) {
            let (x, y) = (place.x - place.width / 2, place.y - place.height / 2);
            let class = match node.visits {
                None => "node",
                Some(0) => "node unseen",
                Some(_) => "node seen",
            };
            let mut frame = |inset: i64| {
                let (width, height) = (place.width - 2 * inset, place.height - 2 * inset);
                let (x, y) = (x + inset, y + inset);
                let _ = writeln!(
                    self.body,
                    "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"10\"/>"
                );
            };
            frame(0);
            if node.accept {
                frame(3);
            }
            if node.initial {
                let (from, to) = (x - 22, y - 12);
                let _ = writeln!(
                    self.body,
                    "<path class=\"edge\" marker-end=\"url(#{})\" d=\"M {from} {to} L {} {}\"/>",
                    self.marker,
                    x + 2,
                    y + 2
                );
                self.reach(from, 0);
            }
            self.reach(x, 0);
            self.reach(x + place.width, y + place.height);
            self.text("", place.x, place.y, &node.lines);
            if let Some(visits) = node.visits {
                let (x, y) = (place.x + place.width / 2, place.y + place.height / 2 + LINE - 4);
                self.text("count", x, y, &[format!("{visits}\u{d7}")]);
            }
        }
        // Labels come last, so that no line crosses them.
        for (edge, (x, y)) in graph.edges.iter().zip(labels) {
            let (width, height) = text_size(&edge.lines);
            let width = width * 4 / 5; // Labels are set smaller than the measure assumes.
            let _ = writeln!(
                self.body,
                "<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"/>",
                x - width / 2,
                y - height / 2
            );
            self.text("label", x, y, &edge.lines);
        }
    }

    /// Draws an edge as a curve bent to its right by `turn` and returns the place of its label.
    fn arrow(&mut self, edge: &Arrow, source: Place, target: Place, turn: i64) -> (i64, i64) {
        let (dx, dy) = (target.x - source.x, target.y - source.y);
        let length = (dx * dx + dy * dy).isqrt().max(1);
        // An edge over several rows, or along one, swings out to pass what lies between.
        let rows = i64::try_from(source.row.abs_diff(target.row)).unwrap_or(0);
        let bend = 44 * turn + 36 * (rows - 1).abs();
        let control =
            (source.x + dx / 2 - dy * bend / length, source.y + dy / 2 + dx * bend / length);
        let (from, to) = (border(source, control), border(target, control));
        self.path(
            edge,
            &format!("M {} {} Q {} {} {} {}", from.0, from.1, control.0, control.1, to.0, to.1),
        );
        self.reach(control.0, control.1);
        ((from.0 + 2 * control.0 + to.0) / 4, (from.1 + 2 * control.1 + to.1) / 4)
    }

    /// Draws an edge back to its location, once per side, and returns the place of its label.
    fn looping(&mut self, edge: &Arrow, before: &[Arrow], place: Place) -> (i64, i64) {
        let side = if edge.dashed { -1 } else { 1 };
        let same = |other: &&Arrow| {
            (other.source, other.target, other.dashed) == (edge.source, edge.target, edge.dashed)
        };
        let above: i64 =
            before.iter().filter(same).map(|other| text_size(&other.lines).1 + 4).sum();
        let x = place.x + side * place.width / 2;
        let far = x + side * LOOP;
        if above == 0 {
            let (up, down) = (place.y - 8, place.y + 8);
            self.path(
                edge,
                &format!("M {x} {up} C {far} {} {far} {} {x} {down}", up - 16, down + 16),
            );
        }
        let (width, height) = text_size(&edge.lines);
        (far + side * width / 2, place.y + above + (height - LINE) / 2)
    }

    fn path(&mut self, edge: &Arrow, path: &str) {
        let dashed = if edge.dashed { " dashed" } else { "" };
        let visited = match edge.visits {
            None => "",
            Some(0) => " missed",
            Some(_) => " taken",
        };
        let _ = writeln!(
            self.body,
            "<path class=\"edge{dashed}{visited}\" marker-end=\"url(#{})\" d=\"{path}\"/>",
            self.marker
        );
    }

    /// Writes lines centred at a place.
    fn text(&mut self, class: &str, x: i64, y: i64, lines: &[String]) {
        let (width, height) = text_size(lines);
        self.reach(x - width / 2, 0);
        self.reach(x + width / 2, y + height / 2);
        let mut baseline = y - height / 2 + LINE - 4;
        for line in lines {
            let line = escape(line);
            let _ = writeln!(
                self.body,
                "<text class=\"{class}\" x=\"{x}\" y=\"{baseline}\">{line}</text>"
            );
            baseline += LINE;
        }
    }

    fn reach(&mut self, x: i64, y: i64) {
        self.left = self.left.min(x);
        self.right = self.right.max(x);
        self.bottom = self.bottom.max(y);
    }
}

/// Where the line from the centre of a box towards a point leaves the box.
fn border(place: Place, towards: (i64, i64)) -> (i64, i64) {
    let (dx, dy) = (towards.0 - place.x, towards.1 - place.y);
    let (half_width, half_height) = (place.width / 2, place.height / 2);
    if dx.abs() <= half_width && dy.abs() <= half_height {
        return towards;
    }
    if dx.abs() * half_height > dy.abs() * half_width {
        (place.x + half_width * dx.signum(), place.y + dy * half_width / dx.abs())
    } else {
        (place.x + dx * half_height / dy.abs(), place.y + half_height * dy.signum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::graph::Node;
    use crate::picture::tests::lamp;
    use proptest::prelude::*;

    #[test]
    fn every_location_and_label_is_drawn() {
        let graphs = crate::picture::graphs(&lamp());
        let svg = draw(&graphs);
        for part in
            ["Lamp", "Off", "On", "touch?", "dim!", "limit", "[early]", "edge dashed", "</svg>"]
        {
            assert!(svg.contains(part), "{part} is not in {svg}");
        }
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("x <= 2 && y > 1"), "x &lt;= 2 &amp;&amp; y &gt; 1");
    }

    fn any_graph() -> impl Strategy<Value = Graph> {
        let node = ("[a-z<&]{0,12}", any::<bool>(), any::<bool>());
        let edge = (0..9usize, 0..9usize, "[a-z]{0,9}", any::<bool>());
        let nodes = prop::collection::vec(node, 1..9);
        (nodes, prop::collection::vec(edge, 0..20)).prop_map(|(nodes, edges)| Graph {
            name: "G".to_owned(),
            edges: edges
                .into_iter()
                .map(|(source, target, line, dashed)| Arrow {
                    source: source % nodes.len(),
                    target: target % nodes.len(),
                    lines: vec![line],
                    dashed,
                    visits: None,
                })
                .collect(),
            nodes: nodes
                .into_iter()
                .map(|(line, initial, accept)| Node {
                    lines: vec![line],
                    initial,
                    accept,
                    visits: None,
                })
                .collect(),
        })
    }

    proptest! {
        #[test]
        fn boxes_never_overlap(graph in any_graph()) {
            let places = layout(&graph);
            for (index, one) in places.iter().enumerate() {
                for other in &places[..index] {
                    let apart_x = (one.x - other.x).abs() >= (one.width + other.width) / 2;
                    let apart_y = (one.y - other.y).abs() >= (one.height + other.height) / 2;
                    prop_assert!(apart_x || apart_y);
                }
            }
        }

        #[test]
        fn any_graph_is_drawn_with_one_path_per_edge_or_loop(graph in any_graph()) {
            let straight = graph.edges.iter().filter(|edge| edge.source != edge.target).count();
            let starts = graph.nodes.iter().filter(|node| node.initial).count();
            let svg = draw(std::slice::from_ref(&graph));
            prop_assert!(svg.matches("<path class=\"edge").count() >= straight + starts);
            prop_assert_eq!(draw(&[graph]), svg);
        }
    }
}
