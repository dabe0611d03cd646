//! Graphs as SVG, from the layout in `layout`: the automata side by side, and what colours and lines mean.

use std::fmt::Write as _;

use super::graph::{Arrow, ArrowKind, Graph, Node, NodeMark, Urgency};
use super::layout::{Layout, Point, Rectangle, START, layout};
use super::long::{Drawable, drawable};
use super::metric::{LABEL_SIZE, LINE, SIZE, width};
use crate::text::escape;

const MARGIN: i64 = 24;

/// Automata stand side by side up to this width.
const PAGE: i64 = 1400;

/// What the classes of a picture look like, on light and dark screens. Rules apply below `.automata` only, so that
/// pictures can stand in a page.
pub(crate) const STYLE: &str = "\
.automata{color-scheme:light dark;background:#fff}\
.automata text{font:13px Helvetica,Arial,sans-serif;fill:#1d2129}\
.automata .title{font-weight:bold}.automata .label{font-size:12px}\
.automata .node{fill:#f4f6fa;stroke:#333}\
.automata .accept{fill:#d9f0d3;stroke:#1b7837}.automata .fail{fill:#fddbc7;stroke:#b2182b}\
.automata .inconclusive{fill:#fff0c2;stroke:#8a6100}\
.automata .urgent{stroke-dasharray:5 3}.automata .committed{stroke-dasharray:2 2;stroke-width:2}\
.automata .edge{fill:none;stroke:#555}.automata .input{stroke:#1f5fbf}.automata .output{stroke:#b35806}\
.automata .arrow{stroke:none;fill:#555}.automata .arrow.input{fill:#1f5fbf}.automata .arrow.output{fill:#b35806}\
.automata .dashed{stroke-dasharray:6 4}\
.automata .seen{fill:#c7e9c0}.automata .unseen{fill:#fddbc7}\
.automata .taken{stroke-width:2.5}.automata .missed{stroke:#b2182b;stroke-width:1}\
.automata .arrow.missed{fill:#b2182b}.automata .count{font-size:11px;fill:#555}\
@media (prefers-color-scheme:dark){.automata{background:#16181d}.automata text{fill:#e4e6ea}.automata .node{fill:#23272f;stroke:#b8bfca}\
.automata .accept{fill:#1d3a26;stroke:#6fd08c}.automata .fail{fill:#4a2020;stroke:#ff8080}\
.automata .inconclusive{fill:#41371a;stroke:#e8c04a}.automata .edge{stroke:#aab0bb}\
.automata .input{stroke:#7fb0ff}.automata .output{stroke:#f0a35e}.automata .arrow{fill:#aab0bb}\
.automata .arrow.input{fill:#7fb0ff}.automata .arrow.output{fill:#f0a35e}\
.automata .seen{fill:#1d3a26}.automata .unseen{fill:#4a2020}.automata .missed{stroke:#ff8080}\
.automata .arrow.missed{fill:#ff8080}.automata .count{fill:#9aa1ad}}";

/// The automata as one SVG picture, a file of its own. Locations and edges with counts are coloured.
pub fn draw(graphs: &[Graph]) -> String {
    drawing(graphs, &format!("<style>{STYLE}</style>\n"))
}

/// Automata as an element of a page that has the [`style`] of pictures. Elements say what they show: groups have
/// `data-automaton`, in them locations `data-node` and edges `data-edge`, each with a position in its graph.
pub fn element(graphs: &[Graph]) -> String {
    drawing_with(graphs, "", true)
}

/// What the classes of pictures look like.
pub fn style() -> &'static str {
    STYLE
}

/// The automata as an element; `head` goes first into it.
pub(crate) fn drawing(graphs: &[Graph], head: &str) -> String {
    drawing_with(graphs, head, false)
}

/// The automata as an element whose parts say what they show if they are `marked`.
fn drawing_with(graphs: &[Graph], head: &str, marked: bool) -> String {
    let mut body = String::new();
    let (mut left, mut top, mut tallest, mut right) = (MARGIN, MARGIN, 0, 0);
    for (position, graph) in graphs.iter().enumerate() {
        // A graph that is too large is a box that says so.
        let Drawable { graph, notes } = &drawable(counted(graph))
            .unwrap_or_else(|reason| Drawable { graph: noted(graph, reason), notes: Vec::new() });
        let layout = layout(graph);
        let wide = layout.width.max(width(&graph.name, SIZE) * 11 / 10);
        if left > MARGIN && left + wide > PAGE {
            (left, top, tallest) = (MARGIN, top + tallest + 2 * MARGIN, 0);
        }
        let mut drawing = Drawing { marked, ..Drawing::default() };
        drawing.open("automaton", position);
        drawing.graph(graph, notes, &layout);
        drawing.close();
        let _ = writeln!(
            body,
            "<text class=\"title\" x=\"{left}\" y=\"{}\">{}</text>\n<g transform=\"translate({left} {})\">\n{}</g>",
            top + LINE - 4,
            escape(&graph.name),
            top + 2 * LINE,
            drawing.body,
        );
        tallest = tallest.max(2 * LINE + layout.height);
        right = right.max(left + wide);
        left += wide + 2 * MARGIN;
    }
    let legend = legend(graphs);
    let mut below = top + tallest + MARGIN;
    if !legend.is_empty() {
        let (text, wide) = legend_text(&legend, below);
        body.push_str(&text);
        right = right.max(wide);
        below += LINE + MARGIN;
    }
    let (wide, high) = (right + MARGIN, below);
    format!(
        "<svg class=\"automata\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" \
         height=\"{high}\" viewBox=\"0 0 {wide} {high}\">\n{head}{body}</svg>\n"
    )
}

/// Why there is no picture of some automata, if one of them is too large.
pub fn refused(graphs: &[Graph]) -> Option<String> {
    graphs.iter().find_map(|graph| {
        let reason = drawable(graph.clone()).err()?;
        Some(format!("`{}` is not drawn: {reason}", graph.name))
    })
}

/// A box with a sentence in place of a graph.
fn noted(graph: &Graph, reason: String) -> Graph {
    let node = Node { lines: vec!["not drawn".to_owned(), reason], ..Node::default() };
    Graph { name: graph.name.clone(), nodes: vec![node], edges: Vec::new() }
}

/// A graph whose locations say how often they were entered.
fn counted(graph: &Graph) -> Graph {
    let mut graph = graph.clone();
    for node in &mut graph.nodes {
        node.lines.extend(node.visits.map(|visits| format!("{visits}\u{d7}")));
    }
    graph
}

/// The elements of one automaton.
#[derive(Default)]
struct Drawing {
    body: String,
    /// Whether parts say what they show.
    marked: bool,
}

impl Drawing {
    /// Begins a part of the picture that shows this.
    fn open(&mut self, what: &str, position: usize) {
        if self.marked {
            let _ = writeln!(self.body, "<g data-{what}=\"{position}\">");
        }
    }

    /// Ends a part of the picture.
    fn close(&mut self) {
        if self.marked {
            self.body.push_str("</g>\n");
        }
    }

    fn graph(&mut self, graph: &Graph, notes: &[usize], layout: &Layout) {
        let whole = graph.nodes.len() - notes.len();
        for (position, (edge, points)) in graph.edges.iter().zip(&layout.lines).enumerate() {
            self.open("edge", position);
            let classes = edge_classes(edge);
            let path = if edge.source == edge.target { looping(points) } else { line(points) };
            let _ = writeln!(self.body, "<path class=\"edge {classes}\" d=\"{path}\"/>");
            let _ = writeln!(
                self.body,
                "<path class=\"arrow {classes}\" d=\"{}\"/>",
                arrow_head(points, edge)
            );
            self.close();
        }
        for (position, (node, own)) in graph.nodes.iter().zip(&layout.boxes).enumerate() {
            let note = position.checked_sub(whole).and_then(|note| notes.get(note));
            self.open("node", *note.unwrap_or(&position));
            let class = node_class(node.mark, node.urgency, node.visits);
            if note.is_none() {
                self.frame(&class, *own, 0);
            }
            if node.mark == NodeMark::Accept {
                self.frame(&class, *own, 3);
            }
            if node.initial {
                let (x, y) = (own.left, own.top + own.height / 2);
                let _ = writeln!(
                    self.body,
                    "<path class=\"edge\" d=\"M {} {y} L {x} {y}\"/>\n<path class=\"arrow\" d=\"M {x} {y} l -9 -4 l 0 8 z\"/>",
                    x - START + 4
                );
            }
            let height = i64::try_from(node.lines.len()).unwrap_or(0) * LINE;
            let text = Rectangle { top: own.top + (own.height - height) / 2, height, ..*own };
            self.text("", text.middle(), text.top, &node.lines, SIZE, true);
            self.close();
        }
        for (position, (edge, own)) in graph.edges.iter().zip(&layout.labels).enumerate() {
            self.open("edge", position);
            self.text("label", own.left, own.top, &edge.lines, LABEL_SIZE, false);
            self.close();
        }
    }

    fn frame(&mut self, class: &str, own: Rectangle, inset: i64) {
        let (x, y) = (own.left + inset, own.top + inset);
        let (width, height) = (own.width - 2 * inset, own.height - 2 * inset);
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"9\"/>"
        );
    }

    /// Writes lines from a left edge, or around a middle.
    fn text(&mut self, class: &str, x: i64, top: i64, lines: &[String], size: i64, centred: bool) {
        let mut baseline = top + LINE - 4;
        for line in lines.iter() {
            let wide = width(line, size);
            let x = if centred { x - wide / 2 } else { x };
            self.body.push_str(&text_element(class, x, baseline, wide, line));
            baseline += LINE;
        }
    }
}

fn text_element(class: &str, x: i64, baseline: i64, wide: i64, line: &str) -> String {
    if line.is_empty() {
        return String::new();
    }
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    format!(
        "<text{class} x=\"{x}\" y=\"{baseline}\" textLength=\"{wide}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>\n",
        escape(line)
    )
}

fn edge_classes(edge: &Arrow) -> String {
    let kind = match edge.kind {
        ArrowKind::Input => "input",
        ArrowKind::Output => "output",
        ArrowKind::Internal => "internal",
    };
    let dashed = if edge.dashed { " dashed" } else { "" };
    let visited = match edge.visits {
        None => "",
        Some(0) => " missed",
        Some(_) => " taken",
    };
    format!("{kind}{dashed}{visited}")
}

fn node_class(mark: NodeMark, urgency: Urgency, visits: Option<u64>) -> String {
    let mut class = String::from("node");
    class.push_str(match mark {
        NodeMark::Plain => "",
        NodeMark::Accept => " accept",
        NodeMark::Inconclusive => " inconclusive",
        NodeMark::Fail => " fail",
    });
    class.push_str(match urgency {
        Urgency::None => "",
        Urgency::Urgent => " urgent",
        Urgency::Committed => " committed",
    });
    class.push_str(match visits {
        None => "",
        Some(0) => " unseen",
        Some(_) => " seen",
    });
    class
}

/// The line of an edge: straight within layers, bent between them.
fn line(points: &[Point]) -> String {
    let mut path = String::new();
    for (index, (x, y)) in points.iter().enumerate() {
        if index == 0 {
            let _ = write!(path, "M {x} {y}");
        } else if index % 2 == 1 {
            let _ = write!(path, " L {x} {y}");
        } else {
            let (from, before) = points[index - 1];
            let middle = (before + y) / 2;
            let _ = write!(path, " C {from} {middle} {x} {middle} {x} {y}");
        }
    }
    path
}

fn looping(points: &[Point]) -> String {
    let [from, out, back, to] = points else { return String::new() };
    format!("M {} {} C {} {} {} {} {} {}", from.0, from.1, out.0, out.1, back.0, back.1, to.0, to.1)
}

/// The head of an arrow at the end of a line: from above, from below, or into the right side of a box.
fn arrow_head(points: &[Point], edge: &Arrow) -> String {
    let Some((x, y)) = points.last() else { return String::new() };
    if edge.source == edge.target {
        return format!("M {x} {y} l 9 -1 l -4 7 z");
    }
    let down = points.first().is_some_and(|(_, first)| first < y);
    let back = if down { -9 } else { 9 };
    format!("M {x} {y} l -4 {back} l 8 0 z")
}

/// What the colours and lines of some graphs mean, as far as they occur: a sample and a word.
fn legend(graphs: &[Graph]) -> Vec<(&'static str, &'static str)> {
    let nodes = || graphs.iter().flat_map(|graph| &graph.nodes);
    let edges = || graphs.iter().flat_map(|graph| &graph.edges);
    let kind = |kind| edges().any(|edge| edge.kind == kind);
    let mark = |mark| nodes().any(|node| node.mark == mark);
    let urgency = |urgency| nodes().any(|node| node.urgency == urgency);
    let seen =
        |taken: bool| edges().any(|edge| edge.visits.is_some_and(|count| (count > 0) == taken));
    let all = [
        (nodes().any(|node| node.initial), "edge start", "initial"),
        (kind(ArrowKind::Input), "edge input", "input"),
        (kind(ArrowKind::Output), "edge output", "output"),
        (kind(ArrowKind::Internal), "edge internal", "internal"),
        (edges().any(|edge| edge.dashed), "edge dashed", "decided by the system"),
        (mark(NodeMark::Accept), "node accept", "accept"),
        (mark(NodeMark::Inconclusive), "node inconclusive", "inconclusive"),
        (mark(NodeMark::Fail), "node fail", "fail"),
        (urgency(Urgency::Urgent), "node urgent", "urgent"),
        (urgency(Urgency::Committed), "node committed", "committed"),
        (nodes().any(|node| node.visits.is_some_and(|visits| visits > 0)), "node seen", "visited"),
        (nodes().any(|node| node.visits == Some(0)), "node unseen", "not visited"),
        (seen(true), "edge taken", "taken"),
        (seen(false), "edge missed", "not taken"),
    ];
    all.into_iter().filter(|(occurs, ..)| *occurs).map(|(_, class, word)| (class, word)).collect()
}

/// The legend as a row of samples, and where it ends.
fn legend_text(legend: &[(&str, &str)], top: i64) -> (String, i64) {
    let mut text = String::from("<g class=\"legend\">\n");
    let mut x = MARGIN;
    for (class, word) in legend {
        if class.starts_with("edge") {
            let y = top + LINE / 2;
            let _ = writeln!(text, "<path class=\"{class}\" d=\"M {x} {y} l 26 0\"/>");
            if *class == "edge start" {
                let tip = x + 26;
                let _ = writeln!(text, "<path class=\"arrow\" d=\"M {tip} {y} l -9 -4 l 0 8 z\"/>");
            }
        } else {
            let y = top + 2;
            let _ = writeln!(
                text,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"26\" height=\"12\" rx=\"4\"/>"
            );
        }
        let wide = width(word, LABEL_SIZE);
        text.push_str(&text_element("label", x + 32, top + LINE - 4, wide, word));
        x += 32 + wide + MARGIN;
    }
    (text + "</g>\n", x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::tests::lamp;

    #[test]
    fn every_location_and_label_is_drawn() {
        let graphs = crate::picture::graphs(&lamp());
        let svg = draw(&graphs);
        for part in [
            "Lamp",
            "Off",
            "On",
            "touch?",
            "dim!",
            "limit",
            "[early]",
            "edge output dashed",
            "decided by",
            "</svg>",
        ] {
            assert!(svg.contains(part), "{part} is not in {svg}");
        }
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("x <= 2 && y > 1"), "x &lt;= 2 &amp;&amp; y &gt; 1");
    }
}
