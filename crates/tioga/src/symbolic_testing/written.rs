//! Symbolic test cases as suites: written from a solved test graph, and ready to be run.

use std::collections::BTreeMap;

use tioga_base::Diagnostic;
use tioga_setexp::{Game, Script, Subgraph, TestGraph, Verdict};
use tioga_testcase::{Action, Goal, Shape, Side, Suite, Summary, SymbolicCase, TestCase};

use super::{Symbolic, failure};
use crate::read::Loaded;
use crate::{Effort, Failure};

/// Which test cases to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolicCases {
    /// One, which follows the game: inputs and values minimise control losses.
    Game,
    /// One, which keeps to the best controllable subgraph.
    Best,
    /// One for each controllable subgraph.
    All,
}

/// The test cases of a test graph, as a suite.
///
/// # Errors
/// If there is no solved test graph, or something in it cannot be written.
pub fn symbolic_suite(
    loaded: &Loaded,
    result: &Symbolic,
    which: SymbolicCases,
    effort: &Effort<'_>,
) -> Result<Suite, Failure> {
    let (Some(graph), Some(game), Some(purpose)) = (&result.graph, &result.game, &result.purpose)
    else {
        let message = "test cases are written from the test graph of a purpose";
        return Err(Diagnostic::global("no-purpose", message).into());
    };
    let names = result.node_names();
    let script = |subgraph: Option<&Subgraph>| {
        let name = |node: tioga_setexp::NodeId| names[tioga_base::Id::index(node)].clone();
        let script = match subgraph {
            None => Script::of(graph, game, name),
            Some(subgraph) => Script::of_subgraph(graph, game, subgraph, name),
        };
        script.and_then(|script| script.to_case()).map_err(|refusal| failure(refusal, effort))
    };
    let chosen: Vec<(String, SymbolicCase)> = match which {
        SymbolicCases::Game => vec![(purpose.clone(), script(None)?)],
        SymbolicCases::Best => vec![(purpose.clone(), script(result.best.as_ref())?)],
        SymbolicCases::All => {
            let all = result.subgraphs.as_ref().map_or(&[][..], |(all, _)| &all[..]);
            let mut cases = Vec::new();
            for (number, subgraph) in (1..).zip(all) {
                cases.push((format!("{purpose}-{number}"), script(Some(subgraph))?));
            }
            cases
        }
    };
    let cases = chosen.into_iter().map(|(name, symbolic)| {
        let mut case = interface(&name, &loaded.model.name, &symbolic);
        case.summary = summary(loaded, purpose, graph, game);
        TestCase { symbolic: Some(symbolic), ..case }
    });
    Ok(Suite::of_model(loaded.source.clone(), cases.collect()))
}

/// A test case that says what the interface is.
fn interface(name: &str, model: &str, symbolic: &SymbolicCase) -> TestCase {
    let by = |side: Side| {
        let own = symbolic.messages.iter().filter(move |message| message.by == side);
        own.map(|one| Action { channel: one.name.clone(), values: Vec::new() }).collect()
    };
    let mut case = TestCase::without_purpose(name, model, by(Side::Tester), by(Side::System));
    case.shape = Shape::Strategy;
    case
}

fn summary(loaded: &Loaded, purpose: &str, graph: &TestGraph, game: &Game) -> Summary {
    let losses = game.losses(graph).map_or(0, |losses| u32::try_from(losses).unwrap_or(u32::MAX));
    let inconclusive =
        graph.nodes.iter().any(|node| node.timeout || node.verdict == Some(Verdict::Inconclusive));
    Summary {
        model: loaded.model.name.clone(),
        goal: Goal::Purpose(purpose.to_owned()),
        exact: true,
        rank: [0, losses, 0],
        may_be_inconclusive: inconclusive || losses > 0,
        unit: loaded.model.time_unit,
        ..Summary::default()
    }
}

/// The scripts of the symbolic test cases of a suite, by their names.
///
/// # Errors
/// What makes one impossible to follow.
pub(crate) fn scripts(suite: &Suite) -> Result<BTreeMap<String, Script>, Failure> {
    let mut scripts = BTreeMap::new();
    for case in &suite.cases {
        let Some(symbolic) = &case.symbolic else { continue };
        let script = Script::of_case(symbolic).map_err(|wrong| {
            let message = format!("the test case `{}` cannot be followed", case.name);
            Failure::from(Diagnostic::global("bad-suite", message).note(wrong))
        })?;
        scripts.insert(case.name.clone(), script);
    }
    Ok(scripts)
}
