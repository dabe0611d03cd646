//! Pictures can be read: no two texts overlap, no text covers a box that is not its own, and no line crosses a box, a text
//! or leaves the picture. Checked on what is drawn: of every example, of every shared model, and of random graphs.

use std::fs;

use proptest::prelude::*;
use tioga_base::{Diagnostics, FileId};
use tioga_parse::{Format, parse};
use tioga_report::picture::{self, Arrow, ArrowKind, Graph, Node, NodeMark, Urgency};
use tioga_testkit::{example_files, picture_flaws, shared_models};

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
        count += 1;
        let flaws = picture_flaws(&picture::svg(&document));
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
    assert_eq!(picture_flaws(&svg), Vec::<String>::new());
}

/// A test case of 2000 places: each leads on, back, far away and to a verdict.
fn places(count: usize) -> Graph {
    let node = |index: usize| Node {
        lines: vec![format!("{index} Working"), "x <= 20".to_owned()],
        initial: index == 0,
        ..Node::default()
    };
    let targets = |index: usize| [index + 1, index / 3, (index * 7 + 1) % count, index + 40];
    let edge = |index: usize, target: usize| Arrow {
        source: index,
        target: target.min(count - 1),
        lines: vec![format!("a{index}?"), "[x >= 2]".to_owned()],
        ..Arrow::default()
    };
    let edges = (0..count).flat_map(|index| targets(index).map(|target| edge(index, target)));
    let edges = edges.collect();
    Graph { name: "Large".to_owned(), nodes: (0..count).map(node).collect(), edges }
}

#[test]
fn two_thousand_places_are_drawn_and_can_be_read() {
    let graph = places(2000);
    let begun = std::time::Instant::now();
    let svg = picture::draw(std::slice::from_ref(&graph));
    println!("2000 places, 8000 edges: {:?}, {} KiB", begun.elapsed(), svg.len() >> 10);
    assert_eq!(svg.matches("<rect class=\"node").count(), 2000);
    assert_eq!(picture::refused(&[graph]), None);
    assert_eq!(picture_flaws(&svg).first(), None);
}

#[test]
fn long_edges_of_large_graphs_lead_to_notes() {
    let mut graph = places(2000);
    graph.nodes[1999].lines = vec!["inconclusive".to_owned()];
    // A chain from which every place leads to the same verdict, two thousand layers below the first.
    let on = |index: usize| (index, index + 1);
    let ends = (0..1998).map(on).chain((0..1999).map(|index| (index, 1999)));
    let arrow = |(source, target)| Arrow {
        source,
        target,
        lines: vec![format!("a{source}_{target}")],
        ..Arrow::default()
    };
    graph.edges = ends.map(arrow).collect();
    let begun = std::time::Instant::now();
    let svg = picture::element(&[graph]);
    println!("2000 places in a chain: {:?}, {} KiB", begun.elapsed(), svg.len() >> 10);
    assert_eq!(svg.matches("<rect class=\"node").count(), 2000);
    // One more is the sample in the legend.
    assert_eq!(svg.matches("<path class=\"edge internal\"").count(), 3997 + 1);
    // Each note says where it leads, and to choose it is to choose that place.
    let notes = svg.matches(">to inconclusive</text>").count();
    assert!((1900..1999).contains(&notes), "{notes}");
    assert_eq!(svg.matches("<g data-node=\"1999\">").count(), notes + 1);
    assert_eq!(picture_flaws(&svg).first(), None);
}

#[test]
fn what_is_too_large_is_refused_with_a_reason() {
    let nodes = vec![Node::default(); 2000];
    let edge =
        |index: usize| Arrow { source: index / 700, target: 1 + index % 1999, ..Arrow::default() };
    let graph = Graph { name: "All".to_owned(), nodes, edges: (0..1_400_000).map(edge).collect() };
    let reason = "2000 locations and 1400000 edges are too many for a picture";
    let svg = picture::draw(std::slice::from_ref(&graph));
    assert!(svg.contains("not drawn") && svg.contains(reason), "{svg}");
    assert_eq!(picture_flaws(&svg), Vec::<String>::new());
    assert_eq!(picture::refused(&[graph]), Some(format!("`All` is not drawn: {reason}")));
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
        prop_assert_eq!(picture_flaws(&svg), Vec::<String>::new());
        prop_assert_eq!(picture::draw(&[graph]), svg);
    }
}
