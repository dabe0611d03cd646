//! What the runs of a campaign visited: places and edges of the test cases, and through the names of
//! the places the locations of the model.

use std::collections::BTreeSet;

use tioga_testcase::{Side, Suite, TestCase, Verdict};

use crate::Specification;
use crate::locations::Locations;
use crate::picture::{Arrow, ArrowKind, Graph, Node, NodeMark, Urgency};
use crate::replay::Passage;
use crate::text::{action_text, one_line};

/// How often what was visited.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// One for each test case of the suite.
    pub cases: Vec<CaseCoverage>,
}

/// How often places and edges of a test case were visited.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CaseCoverage {
    /// How often each place was entered.
    pub places: Vec<u64>,
    /// How often each edge of each place was taken.
    pub edges: Vec<Vec<u64>>,
}

/// How many of how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// Those that were visited.
    pub visited: usize,
    /// All of them.
    pub all: usize,
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{}/{}", self.visited, self.all))
    }
}

impl Share {
    fn of<'c>(counts: impl IntoIterator<Item = &'c u64>) -> Self {
        let mut share = Self::default();
        for count in counts {
            share.all += 1;
            share.visited += usize::from(*count > 0);
        }
        share
    }
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
        Self { cases: suite.cases.iter().map(CaseCoverage::new).collect() }
    }

    /// Counts a run of the case at this position.
    pub fn add(&mut self, case: usize, passage: &Passage) {
        if let Some(coverage) = self.cases.get_mut(case) {
            coverage.add(passage);
        }
    }

    /// The automata of the model with how often each location was entered; nothing if no place of the
    /// suite stands for one for certain. Purposes that no test case was made for are left out. A
    /// committed location is left at once, so it has no count unless a place stands for it.
    pub fn model(&self, suite: &Suite, specification: Specification<'_>) -> Option<Vec<Graph>> {
        let mut locations = Locations::new(specification);
        let mut known = BTreeSet::new();
        for node in locations.graphs.iter_mut().flat_map(|graph| &mut graph.nodes) {
            node.visits = Some(0);
        }
        for (case, coverage) in suite.cases.iter().zip(&self.cases) {
            for (place, count) in case.places.iter().zip(&coverage.places) {
                for origin in &place.origin {
                    let Some((graph, node)) = locations.of(origin) else { continue };
                    known.insert((graph, node));
                    let node = &mut locations.graphs[graph].nodes[node];
                    node.visits = node.visits.map(|visits| visits.saturating_add(*count));
                }
            }
        }
        for &(graph, node) in locations.committed.iter().filter(|one| !known.contains(one)) {
            locations.graphs[graph].nodes[node].visits = None;
        }
        let used = |graph: usize| known.iter().any(|(own, _)| *own == graph);
        let unused: Vec<usize> =
            locations.purposes.iter().copied().filter(|graph| !used(*graph)).collect();
        let graphs = locations.graphs.into_iter().enumerate();
        let graphs = graphs.filter(|(position, _)| !unused.contains(position));
        (!known.is_empty()).then(|| graphs.map(|(_, graph)| graph).collect())
    }

    /// A test case as an automaton with how often what was visited.
    pub fn case(&self, suite: &Suite, position: usize) -> Option<Graph> {
        let (case, coverage) = (suite.cases.get(position)?, self.cases.get(position)?);
        Some(case_graph(case, coverage))
    }
}

/// A test case as a graph, with counts.
fn case_graph(case: &TestCase, coverage: &CaseCoverage) -> Graph {
    let mut graph = Graph { name: case.name.clone(), ..Graph::default() };
    for (position, place) in case.places.iter().enumerate() {
        let ends = |wanted| place.verdicts.iter().any(|judgement| judgement.verdict == wanted);
        let mut lines = vec![format!("{position} {}", one_line(&place.name))];
        let mut mark = NodeMark::Plain;
        for (verdict, word, own) in [
            (Verdict::Fail, "fail", NodeMark::Fail),
            (Verdict::Inconclusive, "inconclusive", NodeMark::Inconclusive),
            (Verdict::Uncertain, "pass, uncertain", NodeMark::Inconclusive),
            (Verdict::Pass, "pass", NodeMark::Accept),
        ] {
            if ends(verdict) {
                lines.push(format!("({word})"));
                mark = own;
            }
        }
        graph.nodes.push(Node {
            lines,
            initial: position == 0,
            mark,
            urgency: Urgency::None,
            visits: coverage.places.get(position).copied(),
        });
        for (index, edge) in place.edges.iter().enumerate() {
            let target = edge.target as usize;
            if target >= case.places.len() {
                continue;
            }
            let mark = if edge.by == Side::Tester { '?' } else { '!' };
            graph.edges.push(Arrow {
                source: position,
                target,
                lines: vec![format!("{}{mark}", action_text(&edge.action))],
                kind: if edge.by == Side::Tester { ArrowKind::Input } else { ArrowKind::Output },
                dashed: edge.by == Side::System,
                visits: coverage.edges.get(position).and_then(|edges| edges.get(index)).copied(),
            });
        }
    }
    graph
}
