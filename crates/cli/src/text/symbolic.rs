//! The stages of symbolic test synthesis in words and in JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tioga::words::count;
use tioga::{Suite, Symbolic, SymbolicStage, TestCase};
use tioga_setexp::{View, ViewEdge, ViewNode};

use crate::args::WhichArg;

/// What is shown of a result.
pub struct Shown {
    /// The views: one, or one for each subgraph.
    pub views: Vec<View>,
    /// What there is to say about all of them.
    pub closing: Vec<String>,
}

impl Shown {
    /// Everything.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for view in &self.views {
            text.push_str(&view.text());
        }
        for line in &self.closing {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// The titles alone.
    pub fn summary(&self) -> String {
        let titles = self.views.iter().map(|view| &view.title);
        let lines: Vec<&str> = titles.chain(&self.closing).map(String::as_str).collect();
        lines.join("\n") + "\n"
    }
}

/// The views of a stage.
pub fn views(result: &Symbolic, stage: SymbolicStage, which: WhichArg) -> Shown {
    let mut closing = Vec::new();
    let product = &result.product;
    let Some(setexp) = &result.setexp else {
        return Shown { views: vec![View::tiosa(product)], closing };
    };
    let view = match (&result.projection, &result.observed, &result.graph) {
        (None, ..) => View::setexp(product, setexp),
        (Some(projection), None, _) => View::projection(product, setexp, projection),
        (_, Some(observed), None) => View::observed(product, setexp, observed),
        (_, _, Some(graph)) => View::graph(graph, setexp),
    };
    let (Some(graph), Some(game), Some((all, complete))) =
        (&result.graph, &result.game, &result.subgraphs)
    else {
        return Shown { views: vec![view], closing };
    };
    debug_assert_eq!(stage, SymbolicStage::Subgraphs);
    closing.extend(self::closing(result));
    let mut views = Vec::new();
    match which {
        WhichArg::All => {
            let number = match complete {
                true => all.len().to_string(),
                false => format!("more than {}", all.len()),
            };
            for (position, subgraph) in all.iter().enumerate() {
                let name = format!("controllable subgraph {} of {number}", position + 1);
                views.push(View::subgraph(graph, setexp, subgraph, &name));
            }
        }
        WhichArg::Best => {
            if let Some(best) = &result.best {
                let name = "best controllable subgraph by control losses, then moves";
                views.push(View::subgraph(graph, setexp, best, name));
            }
        }
        WhichArg::Game => {
            let mut view = View::graph(graph, setexp);
            view.notes = tioga_setexp::advice_lines(graph, game).unwrap_or_default();
            view.title = format!("what the game says: {}", view.title);
            view.edges.clear();
            views.push(view);
        }
    }
    if !complete && which == WhichArg::All {
        closing.push(
            "There are more controllable subgraphs; `--max-subgraphs` shows more.".to_owned(),
        );
    }
    Shown { views, closing }
}

/// What the game says of the whole.
pub fn closing(result: &Symbolic) -> Vec<String> {
    let (Some(graph), Some(game)) = (&result.graph, &result.game) else { return Vec::new() };
    let mut lines = vec![match game.losses(graph) {
        Some(0) => "The tester reaches the purpose without control losses, if the system answers where it may.".to_owned(),
        Some(1) => "The tester reaches the purpose with 1 control loss: it relies on the system's \
                    cooperation."
            .to_owned(),
        Some(losses) => format!(
            "The tester reaches the purpose with {losses} control losses: it relies on the system's \
             cooperation."
        ),
        None => "The game found no way to the purpose.".to_owned(),
    }];
    if !game.complete {
        lines.push(
            "The game was not solved completely: fewer control losses may be possible, and some values \
             may be left out."
                .to_owned(),
        );
    }
    lines
}

/// What was written of a suite.
pub fn written(suite: &Suite) -> Vec<String> {
    let line = |case: &TestCase| {
        let symbolic = case.symbolic.as_ref();
        let nodes = symbolic.map_or(0, |symbolic| symbolic.nodes.len());
        format!("symbolic test case {}: {}", case.name, count(nodes, "node"))
    };
    suite.cases.iter().map(line).collect()
}

/// The control losses of the game.
pub fn losses_json(result: &Symbolic) -> Value {
    match (&result.graph, &result.game) {
        (Some(graph), Some(game)) => game.losses(graph).map_or(Value::Null, Value::from),
        _ => Value::Null,
    }
}

/// The result as JSON.
pub fn to_json(result: &Symbolic, shown: &Shown) -> Value {
    json!({
        "views": shown.views.iter().map(view_json).collect::<Vec<_>>(),
        "control_losses": losses_json(result),
        "complete": result.game.as_ref().map(|game| game.complete),
        "all_subgraphs": result.subgraphs.as_ref().map(|(_, complete)| *complete),
    })
}

fn view_json(view: &View) -> Value {
    json!({
        "title": view.title,
        "notes": view.notes,
        "nodes": view.nodes.iter().map(node_json).collect::<Vec<_>>(),
        "edges": view.edges.iter().map(edge_json).collect::<Vec<_>>(),
    })
}

fn node_json(node: &ViewNode) -> Value {
    json!({
        "id": node.id,
        "label": node.label,
        "marks": node.marks,
        "invariant": node.invariant,
    })
}

fn edge_json(edge: &ViewEdge) -> Value {
    json!({
        "source": edge.source,
        "target": edge.target,
        "events": edge.events,
        "guard": edge.guard,
        "updates": edge.updates,
        "type": edge.kind,
    })
}
