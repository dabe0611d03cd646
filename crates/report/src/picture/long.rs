//! Long edges of large graphs. A line that passes many layers takes room in each of them, and no reader follows it among a
//! thousand others. So in a large graph it ends at a note beside its source: `to` and the name of its target.

use super::graph::{Graph, Node};
use super::layers::Ranked;

/// The most boxes, texts and lines in layers of a graph whose edges are all drawn to their ends.
const WHOLE: usize = 200_000;

/// The most that are drawn at all. Beyond it, a picture is too large for any viewer.
const MOST: usize = 1_000_000;

/// How many layers of locations a line may go down or up in a large graph.
const REACH: usize = 20;

/// How often edges are cut. Without them, the layers are others, in which other edges may be long.
const ROUNDS: usize = 8;

/// A graph as it is drawn.
pub struct Drawable {
    /// The graph; notes come after its locations.
    pub graph: Graph,
    /// The locations that the notes stand for.
    pub notes: Vec<usize>,
}

/// A graph whose long edges lead to notes if there are too many.
///
/// # Errors
/// Why the graph is not drawn, if it is too large nevertheless.
pub fn drawable(graph: Graph) -> Result<Drawable, String> {
    let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
    let refusal = || format!("{nodes} locations and {edges} edges are too many for a picture");
    if nodes.saturating_add(edges) > WHOLE {
        return Err(refusal());
    }
    let mut drawable = Drawable { graph, notes: Vec::new() };
    let mut count = 0;
    for _ in 0..ROUNDS {
        let ranked = Ranked::new(&drawable.graph);
        count = ranked.slots(&drawable.graph);
        if count <= WHOLE {
            return Ok(drawable);
        }
        drawable.cut(&ranked);
    }
    if count <= MOST { Ok(drawable) } else { Err(refusal()) }
}

impl Drawable {
    /// Lets every long edge lead to a note.
    fn cut(&mut self, ranked: &Ranked) {
        let Graph { nodes, edges, .. } = &mut self.graph;
        for edge in edges.iter_mut() {
            let (source, target) = (edge.source, edge.target);
            if ranked.ranks[source].abs_diff(ranked.ranks[target]) <= REACH {
                continue;
            }
            let name = nodes[target].lines.first().map_or("", String::as_str);
            let note = Node { lines: vec![format!("to {name}")], ..Node::default() };
            edge.target = nodes.len();
            nodes.push(note);
            self.notes.push(target);
        }
    }
}
