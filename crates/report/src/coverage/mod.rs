//! What the runs of a campaign visited: places and edges of the test cases, and of the model what
//! [`ModelCoverage`] counts, painted on its pictures.

mod ends;
mod locations;
mod model;
mod share;
mod words;

pub use model::{DataCoverage, EdgeCoverage, LocationCoverage, ModelCoverage};
pub use share::Share;

use std::collections::BTreeSet;

use tioga_testcase::{Suite, TestCase};

use crate::Specification;
use crate::picture::{self, Graph};
use crate::replay::Passage;
use locations::Locations;

/// How often what was visited.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// One for each test case of the suite.
    pub cases: Vec<CaseCoverage>,
    /// What was covered of the model, if it is known.
    pub of_model: Option<ModelCoverage>,
}

/// How often places and edges of a test case were visited.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CaseCoverage {
    /// How often each place was entered.
    pub places: Vec<u64>,
    /// How often each edge of each place was taken.
    pub edges: Vec<Vec<u64>>,
}

impl CaseCoverage {
    fn new(case: &TestCase) -> Self {
        Self {
            places: vec![0; case.places.len()],
            edges: case.places.iter().map(|place| vec![0; place.edges.len()]).collect(),
        }
    }

    /// How many places were visited.
    pub fn place_share(&self) -> Share {
        Share::of(&self.places)
    }

    /// How many edges were taken.
    pub fn edge_share(&self) -> Share {
        Share::of(self.edges.iter().flatten())
    }

    fn add(&mut self, passage: &Passage) {
        for place in &passage.places {
            if let Some(count) = self.places.get_mut(*place) {
                *count = count.saturating_add(1);
            }
        }
        for (place, edge) in &passage.edges {
            if let Some(count) = self.edges.get_mut(*place).and_then(|edges| edges.get_mut(*edge)) {
                *count = count.saturating_add(1);
            }
        }
    }
}

impl Coverage {
    /// Nothing was visited yet.
    pub fn new(suite: &Suite) -> Self {
        Self { cases: suite.cases.iter().map(CaseCoverage::new).collect(), of_model: None }
    }

    /// Counts a run of the case at this position.
    pub fn add(&mut self, case: usize, passage: &Passage) {
        if let Some(coverage) = self.cases.get_mut(case) {
            coverage.add(passage);
        }
    }

    /// The automata of the model with how often each location was entered and each edge taken, in all processes made
    /// of the automaton; nothing if the model is not known. Of the purposes, those that places of the suite stand for
    /// are there, with how often these places were entered.
    pub fn model(&self, suite: &Suite, specification: Specification<'_>) -> Option<Vec<Graph>> {
        let covered = self.of_model.as_ref()?;
        let mut locations = Locations::new(specification);
        locations.paint(covered);
        let mut entered = BTreeSet::new();
        for (case, coverage) in suite.cases.iter().zip(&self.cases) {
            for (place, count) in case.places.iter().zip(&coverage.places) {
                for origin in &place.origin {
                    let found = locations.of(origin);
                    let Some((graph, node)) =
                        found.filter(|(graph, _)| locations.is_purpose(*graph))
                    else {
                        continue;
                    };
                    entered.insert(graph);
                    let node = &mut locations.graphs[graph].nodes[node];
                    node.visits = Some(node.visits.unwrap_or(0).saturating_add(*count));
                }
            }
        }
        let graphs = locations.graphs.iter().enumerate();
        let shown = graphs.filter(|(graph, _)| {
            if locations.is_purpose(*graph) {
                entered.contains(graph)
            } else {
                locations.is_used(*graph)
            }
        });
        Some(shown.map(|(_, graph)| graph.clone()).collect())
    }

    /// A test case as an automaton with how often what was visited.
    pub fn case(&self, suite: &Suite, position: usize) -> Option<Graph> {
        let (case, coverage) = (suite.cases.get(position)?, self.cases.get(position)?);
        Some(case_graph(case, coverage))
    }
}

/// A test case as a graph, with counts.
fn case_graph(case: &TestCase, coverage: &CaseCoverage) -> Graph {
    let mut graph = picture::case(case);
    for (node, count) in graph.nodes.iter_mut().zip(&coverage.places) {
        node.visits = Some(*count);
    }
    let places = case.places.iter().zip(&coverage.edges);
    let counts = places.flat_map(|(place, counts)| place.edges.iter().zip(counts));
    // Edges that lead nowhere are not drawn.
    let counts = counts.filter(|(edge, _)| (edge.target as usize) < case.places.len());
    for (arrow, (_, count)) in graph.edges.iter_mut().zip(counts) {
        arrow.visits = Some(*count);
    }
    graph
}
