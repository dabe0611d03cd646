//! Symbolic real-time testing: from a model with data to a complete test graph, stage by stage (KHO 6).

mod asked;
mod explain;
mod names;
mod tester;
mod written;

use std::collections::BTreeSet;

use tioga_base::{Budget, Diagnostic, closest};
use tioga_model::{Condition, Formula, Predicate, Query};
use tioga_setexp::{
    Completion, Game, Given, ObservableGraph, Projection, Refusal, SetExp, Subgraph, TestGraph,
    Tiosa, View, complete_inputs, complete_purpose, hypotheses, product, pruned,
};

use crate::read::Loaded;
use crate::symbolic_testing::asked::Asked;
use crate::{Effort, Failure};

pub(crate) use explain::explain;
pub(crate) use tester::SymbolicTester;
pub(crate) use written::scripts;
pub use written::{SymbolicCases, symbolic_suite};

/// What to compute.
#[derive(Clone, Debug)]
pub struct SymbolicOptions {
    /// The name of the purpose; test graphs need one.
    pub purpose: Option<String>,
    /// The last stage to compute.
    pub stage: SymbolicStage,
    /// Whether inputs that the specification leaves open lead to a trap, as KHO completes it. Otherwise
    /// they are never sent, which gives the same tests.
    pub complete: bool,
    /// An external solver, for conditions that the embedded procedure does not decide.
    pub solver: Option<String>,
    /// The most states, nodes and transitions of a stage.
    pub max_states: u64,
    /// How many controllable subgraphs to enumerate, at most.
    pub max_subgraphs: usize,
}

/// A stage of the method.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SymbolicStage {
    /// The product of specification and purpose.
    Product,
    /// Time turned into events.
    SetExp,
    /// Without internal actions.
    Projection,
    /// Deterministic, and marked.
    Deterministic,
    /// The complete test graph.
    Graph,
    /// Its controllable subgraphs.
    Subgraphs,
}

/// The results up to the requested stage.
#[derive(Clone, Debug)]
pub struct Symbolic {
    /// The name of the purpose, if there is one.
    pub purpose: Option<String>,
    /// The product, or the specification if there is no purpose.
    pub product: Tiosa,
    /// The completed inputs.
    pub completion: Completion,
    /// The relaxations of KHO's hypotheses that are used.
    pub warnings: Vec<String>,
    /// The result of SetExp.
    pub setexp: Option<SetExp>,
    /// The observable projection.
    pub projection: Option<Projection>,
    /// The deterministic automaton.
    pub observed: Option<ObservableGraph>,
    /// The complete test graph.
    pub graph: Option<TestGraph>,
    /// The game on it.
    pub game: Option<Game>,
    /// The subgraph that the game prefers.
    pub best: Option<Subgraph>,
    /// Controllable subgraphs, and whether these are all.
    pub subgraphs: Option<(Vec<Subgraph>, bool)>,
}

impl Symbolic {
    /// What the nodes of the test graph are called: where the model may be.
    fn node_names(&self) -> Vec<String> {
        let (Some(graph), Some(setexp)) = (&self.graph, &self.setexp) else { return Vec::new() };
        View::graph(graph, setexp).nodes.into_iter().map(|node| node.label).collect()
    }
}

/// Computes the stages of symbolic test synthesis. Queries `E<> …` that were added when the model was read are
/// conditions on its symbolic constants.
pub fn symbolic(
    loaded: &Loaded,
    options: &SymbolicOptions,
    effort: &mut Effort<'_>,
) -> Result<Symbolic, Failure> {
    let position = match &options.purpose {
        Some(name) => Some(purpose(loaded, name)?),
        None if options.stage >= SymbolicStage::Graph => {
            let message = "a test graph needs a purpose: what the test is to reach";
            let help = match &names_of(loaded)[..] {
                [] => "the model has none; declare one with `purpose NAME { … }`".to_owned(),
                names => format!("name one with `--purpose`: {}", names.join(", ")),
            };
            return Err(Diagnostic::global("no-purpose", message).help(help).into());
        }
        None => None,
    };
    let budget = || Budget::steps(options.max_states).with_cancel(effort.cancel.clone());
    let mut solver = Asked::new(options.solver.as_deref())?;
    let given = Given {
        parameters: names::parameters(&loaded.document),
        fixed: loaded.source.options.settings.keys().cloned().collect::<BTreeSet<_>>(),
        assumed: assumed(loaded)?,
    };
    let refused = |refusal: Refusal| failure(refusal, effort);
    let read = tioga_setexp::read(&loaded.model, position, &given, &mut solver).map_err(refused)?;
    let found = hypotheses(&read.spec, &mut solver).map_err(refused)?;
    let (spec, completion) = match options.complete {
        true => complete_inputs(&read.spec, &mut solver).map_err(refused)?,
        false => (read.spec, Completion::default()),
    };
    let product = match &read.purpose {
        None => spec,
        Some((observer, otherwise)) => {
            let complete = complete_purpose(observer, *otherwise, &mut solver).map_err(refused)?;
            product(&spec, &complete).map_err(refused)?
        }
    };
    let mut result = Symbolic {
        purpose: options.purpose.clone(),
        product,
        completion,
        warnings: found.warnings,
        setexp: None,
        projection: None,
        observed: None,
        graph: None,
        game: None,
        best: None,
        subgraphs: None,
    };
    if options.stage < SymbolicStage::SetExp {
        return Ok(result);
    }
    let tiosa = &result.product;
    let setexp = SetExp::of(tiosa, &mut budget()).map_err(refused)?;
    if options.stage < SymbolicStage::Projection {
        result.setexp = Some(setexp);
        return Ok(result);
    }
    let projection = Projection::of(tiosa, &setexp, &mut solver, &mut budget()).map_err(refused)?;
    if options.stage >= SymbolicStage::Deterministic {
        let whole = ObservableGraph::of(tiosa, &setexp, &projection, &mut solver, &mut budget());
        let observed = pruned(tiosa, &whole.map_err(refused)?, &mut solver).map_err(refused)?;
        if options.stage >= SymbolicStage::Graph {
            let graph = TestGraph::of(tiosa, &observed, &mut solver).map_err(refused)?;
            if options.stage >= SymbolicStage::Subgraphs {
                let game = Game::solve(&graph, &projection, &mut solver, &mut budget())
                    .map_err(refused)?;
                let best = tioga_setexp::best(&graph, &game, &mut solver).map_err(refused)?;
                result.subgraphs = Some(tioga_setexp::subgraphs(&graph, options.max_subgraphs));
                (result.game, result.best) = (Some(game), Some(best));
            }
            result.graph = Some(graph);
        }
        result.observed = Some(observed);
    }
    (result.setexp, result.projection) = (Some(setexp), Some(projection));
    Ok(result)
}

/// The conditions on symbolic constants: the queries that were added, which ask whether they can hold.
fn assumed(loaded: &Loaded) -> Result<Vec<Condition>, Failure> {
    let condition = |query: &Query| match &query.formula {
        Formula::Reachable(Predicate::Holds(condition)) => Ok(condition.clone()),
        _ => {
            let message = "the initial condition is no condition on data";
            Err(Failure::from(Diagnostic::error("not-symbolic", query.span, message)))
        }
    };
    loaded.initially.iter().chain(loaded.asked()).map(condition).collect()
}

fn names_of(loaded: &Loaded) -> Vec<&str> {
    loaded.model.purposes.iter().map(|one| one.process.name.as_str()).collect()
}

fn purpose(loaded: &Loaded, name: &str) -> Result<usize, Failure> {
    let names = names_of(loaded);
    names.iter().position(|own| *own == name).ok_or_else(|| {
        let message = format!("there is no purpose `{name}`");
        let help = match (closest(name, names.iter().copied()), &names[..]) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, []) => "the model has no purposes".to_owned(),
            (None, names) => format!("the model has {}", names.join(", ")),
        };
        Diagnostic::global("unknown-purpose", message).help(help).into()
    })
}

fn failure(refusal: Refusal, effort: &Effort<'_>) -> Failure {
    let message = refusal.to_string();
    match refusal {
        Refusal::Limit(_) if effort.cancel.is_cancelled() => {
            crate::failure::stopped("symbolic test synthesis", &effort.cancel)
        }
        Refusal::Limit(_) => Failure::limit(Diagnostic::global("limit", message)),
        Refusal::Broken(_) => Failure::internal(Diagnostic::global("symbolic", message)),
        Refusal::Undecided(_) => {
            let help = "the embedded procedure decides linear conditions over integers and \
                        rationals, an SMT solver that `--solver` names decides others; write the guard or \
                        update linearly";
            Diagnostic::global("undecided", message).help(help).into()
        }
        Refusal::Unreachable(_) => Diagnostic::global("unreachable", message).into(),
        Refusal::Mismatch(_) => Diagnostic::global("wrong-purpose", message).into(),
        Refusal::Overflow(_) | Refusal::Hypothesis(_) => {
            Diagnostic::global("not-symbolic", message).into()
        }
    }
}
