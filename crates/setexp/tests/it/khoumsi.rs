//! KHO's running example, Figures 5 to 10, through all stages, from the model in `examples/khoumsi`.

use tioga_setexp::{View, best, subgraphs};
use tioga_terms::Exact;

use crate::stages::{example, golden, stages};

#[test]
fn all_stages_of_figure_5_come_out() {
    let stages = stages(&example("khoumsi/fig5.tioga"), "FirstRho");
    golden("khoumsi-5-spec.txt", &View::tiosa(&stages.spec).text());
    golden("khoumsi-6-product.txt", &View::tiosa(&stages.product).text());
    golden("khoumsi-7-setexp.txt", &View::setexp(&stages.product, &stages.setexp).text());
    let projection = View::projection(&stages.product, &stages.setexp, &stages.projection);
    golden("khoumsi-8-projection.txt", &projection.text());
    let observed = View::observed(&stages.product, &stages.setexp, &stages.observed);
    golden("khoumsi-9-deterministic.txt", &observed.text());
    let graph = View::graph(&stages.graph, &stages.setexp);
    golden("khoumsi-10-graph.txt", &graph.text());
    golden("khoumsi-10-graph.dot", &graph.dot());
}

/// The test graph is its own only controllable subgraph, and the game keeps all of it.
#[test]
fn the_test_graph_is_its_own_only_controllable_subgraph() {
    let stages = stages(&example("khoumsi/fig5.tioga"), "FirstRho");
    let (all, complete) = subgraphs(&stages.graph, 10);
    assert!(complete);
    assert_eq!(all.len(), 1);
    let kept = stages.graph.steps.iter().enumerate();
    assert!(kept.into_iter().all(|(at, step)| all[0].keeps(&stages.graph, at, step)));
    let best = best(&stages.graph, &stages.game, &mut Exact::new()).unwrap();
    assert_eq!(best, all[0]);
}

/// Only m < p leaves the system no choice: with m = p it may take the branch that never answers.
#[test]
fn the_game_chooses_values_without_control_loss() {
    let stages = stages(&example("khoumsi/fig5.tioga"), "FirstRho");
    assert_eq!(stages.game.losses(&stages.graph), Some(0));
    let view = View::graph(&stages.graph, &stages.setexp);
    assert_eq!(view.nodes.iter().filter(|node| node.marks.contains(&"pass")).count(), 1);
    let timeouts = view.edges.iter().filter(|edge| edge.target == tioga_setexp::TIMEOUT).count();
    assert_eq!(timeouts, 1, "only where nothing but rho is awaited");
}
