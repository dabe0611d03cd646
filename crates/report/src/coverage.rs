//! What the runs of a campaign visited: places and edges of the test cases, and through the names of
//! the places the locations of the model.
//!
//! A place is named after the locations of the model and its data: `Off`, `Train.Far, Gate.Free,
//! n = 1`. Where a test case was made from a deterministic view of the model, a place may stand for
//! several locations or carry a number instead; such places count for no location.

use std::collections::BTreeMap;

use tioga_base::{Diagnostics, FileId};
use tioga_execute::ModelText;
use tioga_parse::syntax::{Document, Template, TemplateItem};
use tioga_parse::{Format, parse};
use tioga_testcase::{Suite, TestCase};

use crate::picture::Graph;
use crate::replay::Passage;
use crate::text::action_text;

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

    /// How often each location of the model was entered, by the name of its automaton and its own;
    /// the automaton is empty where places do not say it.
    fn locations(&self, suite: &Suite) -> BTreeMap<(String, String), u64> {
        let mut visits = BTreeMap::new();
        for (case, coverage) in suite.cases.iter().zip(&self.cases) {
            for (place, count) in case.places.iter().zip(&coverage.places) {
                for part in place.name.split(", ").filter(|part| !part.contains(" = ")) {
                    let (process, location) = part.rsplit_once('.').unwrap_or(("", part));
                    // `Train(0)` is an instance of `Train`.
                    let template = process.split('(').next().unwrap_or(process);
                    let key = (template.to_owned(), location.to_owned());
                    let visits: &mut u64 = visits.entry(key).or_default();
                    *visits = visits.saturating_add(*count);
                }
            }
        }
        visits
    }

    /// The automata of the model with how often each location was entered; nothing if the model
    /// cannot be read, or if no place of the suite is named after one of its locations.
    pub fn model(&self, suite: &Suite, model: &ModelText) -> Option<Vec<Graph>> {
        let format = Format::from_file_name(&model.name)?;
        let mut diagnostics = Diagnostics::default();
        let document = parse(format, FileId(0), &model.contents, &mut diagnostics)?;
        let visits = self.locations(suite);
        let mut known = false;
        let mut graphs = Vec::new();
        for template in document.templates() {
            let names = process_names(&document, template);
            let mut graph = Graph::new(template);
            for (node, location) in graph.nodes.iter_mut().zip(location_names(template)) {
                let counts = names.iter().filter_map(|name| {
                    visits.get(&((*name).to_owned(), location.to_owned())).copied()
                });
                let counts: Vec<u64> = counts.collect();
                known |= !counts.is_empty();
                node.visits = Some(counts.iter().fold(0, |sum: u64, one| sum.saturating_add(*one)));
            }
            graphs.push(graph);
        }
        known.then_some(graphs)
    }

    /// A test case as an automaton with how often what was visited.
    pub fn case(&self, suite: &Suite, position: usize) -> Option<Graph> {
        let (case, coverage) = (suite.cases.get(position)?, self.cases.get(position)?);
        Some(case_graph(case, coverage))
    }
}

/// What processes of a template may be called in the name of a place: the template itself, what was
/// made of it, and nothing, since a model of one process does not say its name.
fn process_names<'d>(document: &'d Document, template: &'d Template) -> Vec<&'d str> {
    let mut names = vec!["", template.name.text.as_str()];
    for item in &document.items {
        if let tioga_parse::syntax::Item::Instance(instance) = item
            && names[1..].contains(&instance.template.text.as_str())
        {
            names.push(&instance.name.text);
        }
    }
    names
}

/// The names of the locations, in the order in which a [`Graph`] has them.
fn location_names(template: &Template) -> Vec<&str> {
    let locations = template.items.iter().filter_map(|item| match item {
        TemplateItem::Locations(locations) => Some(&locations.names),
        _ => None,
    });
    locations.flatten().map(|name| name.text.as_str()).collect()
}

/// A test case as a graph, with counts.
fn case_graph(case: &TestCase, coverage: &CaseCoverage) -> Graph {
    use crate::picture::{Arrow, Node};
    use tioga_testcase::{Side, Verdict};

    let mut graph = Graph { name: case.name.clone(), ..Graph::default() };
    for (position, place) in case.places.iter().enumerate() {
        let ends = |wanted| place.verdicts.iter().any(|judgement| judgement.verdict == wanted);
        let mut lines = vec![format!("{position} {}", crate::text::one_line(&place.name))];
        for (verdict, word) in [(Verdict::Pass, "pass"), (Verdict::Inconclusive, "inconclusive")] {
            if ends(verdict) {
                lines.push(format!("({word})"));
            }
        }
        graph.nodes.push(Node {
            lines,
            initial: position == 0,
            accept: ends(Verdict::Pass),
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
                dashed: edge.by == Side::System,
                visits: coverage.edges.get(position).and_then(|edges| edges.get(index)).copied(),
            });
        }
    }
    graph
}
