//! Pictures can be read: no two texts overlap, no text covers a box that is not its own, and no line crosses a box, a text
//! or leaves the picture. Checked on what is drawn: of every example, of every shared model, and of random graphs.

use std::fs;

use proptest::prelude::*;
use roxmltree::{Document, Node as Element};
use tioga_base::{Diagnostics, FileId};
use tioga_parse::{Format, parse};
use tioga_report::picture::{self, Arrow, ArrowKind, Graph, Node, NodeMark, Urgency};
use tioga_testkit::{example_files, shared_models};

/// Pixels are counted in parts, so that points on bends are exact.
const PIXEL: i64 = STEPS * STEPS * STEPS;

/// In how many steps a line is followed.
const STEPS: i64 = 64;

/// A rectangle from the left top to the right bottom.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

impl Area {
    /// Whether two areas have more than their borders in common.
    fn overlaps(self, other: Self) -> bool {
        self.left + PIXEL / 2 < other.right
            && other.left + PIXEL / 2 < self.right
            && self.top + PIXEL / 2 < other.bottom
            && other.top + PIXEL / 2 < self.bottom
    }

    fn contains(self, (x, y): (i64, i64)) -> bool {
        let across = self.left + PIXEL < x && x < self.right - PIXEL;
        across && self.top + PIXEL < y && y < self.bottom - PIXEL
    }
}

/// What a picture consists of.
#[derive(Default)]
struct Drawn {
    boxes: Vec<Area>,
    texts: Vec<(String, Area)>,
    lines: Vec<Vec<(i64, i64)>>,
    size: (i64, i64),
}

fn pixels(text: &str) -> i64 {
    text.parse::<i64>().unwrap() * PIXEL
}

fn number(element: Element<'_, '_>, name: &str) -> i64 {
    pixels(element.attribute(name).unwrap_or_else(|| panic!("no {name}")))
}

fn drawn(svg: &str) -> Drawn {
    let document = Document::parse(svg).unwrap();
    let root = document.root_element();
    let mut drawn =
        Drawn { size: (number(root, "width"), number(root, "height")), ..Drawn::default() };
    collect(root, (0, 0), &mut drawn);
    drawn
}

fn collect(element: Element<'_, '_>, (dx, dy): (i64, i64), drawn: &mut Drawn) {
    for child in element.children().filter(Element::is_element) {
        let class = child.attribute("class").unwrap_or("");
        match child.tag_name().name() {
            "g" => {
                let moved = child.attribute("transform").map_or((dx, dy), |text| {
                    let inner = text.strip_prefix("translate(").unwrap().strip_suffix(')').unwrap();
                    let (x, y) = inner.split_once(' ').unwrap();
                    (dx + pixels(x), dy + pixels(y))
                });
                collect(child, moved, drawn);
            }
            "rect" => {
                let (left, top) = (number(child, "x") + dx, number(child, "y") + dy);
                let (right, bottom) =
                    (left + number(child, "width"), top + number(child, "height"));
                drawn.boxes.push(Area { left, top, right, bottom });
            }
            "text" if class != "title" => {
                // From the descent of the letters to their height.
                let (left, baseline) = (number(child, "x") + dx, number(child, "y") + dy);
                let right = left + number(child, "textLength");
                let (top, bottom) = (baseline - 10 * PIXEL, baseline + 3 * PIXEL);
                let text = child.text().unwrap_or("").to_owned();
                drawn.texts.push((text, Area { left, top, right, bottom }));
            }
            "path" if class.starts_with("edge") => {
                drawn.lines.push(points(child.attribute("d").unwrap(), (dx, dy)));
            }
            _ => {}
        }
    }
}

/// Points along a path of straight parts and cubic bends, close to each other.
fn points(path: &str, (dx, dy): (i64, i64)) -> Vec<(i64, i64)> {
    let mut words = path.split_whitespace();
    let mut points: Vec<(i64, i64)> = Vec::new();
    while let Some(command) = words.next() {
        let mut point = || {
            let mut number = || pixels(words.next().unwrap());
            (number(), number())
        };
        let from = points.last().copied().unwrap_or_default();
        // The weights add up to `total`.
        let mixed = |parts: &[((i64, i64), i64)], total: i64| {
            let sum = |of: fn((i64, i64)) -> i64| -> i64 {
                parts.iter().map(|(one, part)| of(*one) / total * part).sum()
            };
            (sum(|one| one.0), sum(|one| one.1))
        };
        match command {
            "M" => {
                let (x, y) = point();
                points.push((x + dx, y + dy));
            }
            "L" | "l" => {
                let (x, y) = point();
                let to = if command == "L" { (x + dx, y + dy) } else { (x + from.0, y + from.1) };
                for step in 1..=STEPS {
                    points.push(mixed(&[(from, STEPS - step), (to, step)], STEPS));
                }
            }
            "C" => {
                let [one, two, to] = [point(), point(), point()].map(|(x, y)| (x + dx, y + dy));
                for step in 1..=STEPS {
                    let rest = STEPS - step;
                    let weights =
                        [rest.pow(3), 3 * rest * rest * step, 3 * rest * step * step, step.pow(3)];
                    let ends = [from, one, two, to];
                    let parts: Vec<_> = ends.into_iter().zip(weights).collect();
                    points.push(mixed(&parts, PIXEL));
                }
            }
            other => panic!("{other} in {path}"),
        }
    }
    points
}

/// What makes a picture hard to read.
fn flaws(svg: &str) -> Vec<String> {
    let Drawn { boxes, texts, lines, size } = drawn(svg);
    let mut flaws = Vec::new();
    // The frame of an accepting location is drawn twice.
    let inside = |one: &Area, other: &Area| {
        one.left <= other.left
            && one.top <= other.top
            && other.right <= one.right
            && other.bottom <= one.bottom
    };
    for (index, one) in boxes.iter().enumerate() {
        for other in &boxes[..index] {
            if one.overlaps(*other) && !inside(one, other) && !inside(other, one) {
                flaws.push(format!("boxes overlap: {one:?} {other:?}"));
            }
        }
    }
    for (index, (text, area)) in texts.iter().enumerate() {
        for (other, own) in &texts[..index] {
            if area.overlaps(*own) {
                flaws.push(format!("`{text}` overlaps `{other}`"));
            }
        }
        for own in &boxes {
            if area.overlaps(*own) && !inside(own, area) {
                flaws.push(format!("`{text}` covers a box: {area:?} {own:?}"));
            }
        }
        if area.left < 0 || area.top < 0 || area.right > size.0 || area.bottom > size.1 {
            flaws.push(format!("`{text}` leaves the picture"));
        }
    }
    for line in &lines {
        for point in line {
            if let Some(own) = boxes.iter().find(|own| own.contains(*point)) {
                flaws.push(format!("a line crosses a box at {point:?}: {own:?}"));
                break;
            }
            if let Some((text, _)) = texts.iter().find(|(_, area)| area.contains(*point)) {
                flaws.push(format!("a line crosses `{text}` at {point:?}"));
                break;
            }
        }
    }
    flaws
}

#[test]
fn examples_and_shared_models_can_be_read() {
    let shared = ["uppaal", "tck", "games"].into_iter().flat_map(shared_models);
    let (mut count, mut wrong) = (0, Vec::new());
    for path in example_files().into_iter().chain(shared) {
        let Some(format) = path.to_str().and_then(Format::from_file_name) else { continue };
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let Some(document) = parse(format, FileId(0), &text, &mut Diagnostics::new()) else {
            continue;
        };
        // Texts of all kinds, but not thousands of locations, which are no picture for people.
        let graphs = picture::graphs(&document);
        if graphs.iter().any(|graph| graph.nodes.len() + graph.edges.len() > 400) {
            continue;
        }
        count += 1;
        let flaws = flaws(&picture::svg(&document));
        if let Some(first) = flaws.first() {
            wrong.push(format!("{}: {} flaws, first {first}", path.display(), flaws.len()));
        }
    }
    assert!(count > 20, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_large_model_is_drawn_soon() {
    let nodes = (0..200)
        .map(|index| Node { lines: vec![format!("L{index}")], ..Node::default() })
        .collect();
    let edge = |index: usize| Arrow {
        source: index % 200,
        target: (index * 7 + 1) % 200,
        lines: vec![format!("a{index}?"), "[x >= 2]".to_owned()],
        ..Arrow::default()
    };
    let graph = Graph { name: "Large".to_owned(), nodes, edges: (0..260).map(edge).collect() };
    let begun = std::time::Instant::now();
    let svg = picture::draw(&[graph]);
    println!("200 locations, 260 edges: {:?}", begun.elapsed());
    assert_eq!(flaws(&svg), Vec::<String>::new());
}

fn any_graph() -> impl Strategy<Value = Graph> {
    let mark = prop_oneof![
        4 => Just(NodeMark::Plain),
        1 => Just(NodeMark::Accept),
        1 => Just(NodeMark::Fail),
        1 => Just(NodeMark::Inconclusive),
    ];
    let node = ("[a-zW<&]{0,24}", any::<bool>(), mark, 0..3usize);
    let edge = (0..9usize, 0..9usize, "[a-z]{0,20}", 0..3usize, any::<bool>());
    let nodes = prop::collection::vec(node, 1..9);
    (nodes, prop::collection::vec(edge, 0..24)).prop_map(|(nodes, edges)| Graph {
        name: "G".to_owned(),
        edges: edges
            .into_iter()
            .map(|(source, target, line, more, dashed)| Arrow {
                source: source % nodes.len(),
                target: target % nodes.len(),
                lines: vec![line; more + 1],
                kind: if dashed { ArrowKind::Output } else { ArrowKind::Input },
                dashed,
                visits: None,
            })
            .collect(),
        nodes: nodes
            .into_iter()
            .map(|(line, initial, mark, more)| Node {
                lines: vec![line; more + 1],
                initial,
                mark,
                urgency: Urgency::None,
                visits: initial.then_some(3),
            })
            .collect(),
    })
}

proptest! {
    #[test]
    fn any_graph_can_be_read(graph in any_graph()) {
        let edges = graph.edges.len() + graph.nodes.iter().filter(|node| node.initial).count();
        let svg = picture::draw(std::slice::from_ref(&graph));
        prop_assert!(svg.matches("<path class=\"edge").count() >= edges);
        prop_assert_eq!(flaws(&svg), Vec::<String>::new());
        prop_assert_eq!(picture::draw(&[graph]), svg);
    }
}
