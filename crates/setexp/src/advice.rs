//! What the game says in each node, in words.

use tioga_terms::{Formula, Names};

use crate::error::Refusal;
use crate::game::{Choice, Game};
use crate::graph::TestGraph;
use crate::script::Script;
use crate::setexp::expiration_text;

/// A line for each thing to do in each node, the first of a node that is possible counts: `n0: send phi(m) with m
/// <= p (no control loss)`.
pub fn advice_lines(graph: &TestGraph, game: &Game) -> Result<Vec<String>, Refusal> {
    let script = Script::of(graph, game, |node| node.to_string())?;
    let mut lines = Vec::new();
    for node in script.nodes.iter() {
        for advised in &node.advice {
            let mut line = match advised.choice {
                Choice::Wait => format!("{}: wait", node.name),
                Choice::Send(step) | Choice::SendAt(step) => {
                    let step = &graph.steps[step];
                    let action = step.action.map(|action| graph.tiosa.action_text(action));
                    format!("{}: send {}", node.name, action.unwrap_or_default())
                }
            };
            if let Choice::SendAt(step) = advised.choice {
                let all = graph.steps[step].expirations.iter();
                let all: Vec<_> = all.map(|one| expiration_text(&graph.tiosa, one)).collect();
                line = format!("{line} at {}", all.join(", "));
            }
            if advised.when != Formula::True {
                line = format!("{line} with {}", Names(&script.symbols, &advised.when));
            }
            if advised.choice == Choice::Wait && advised.reached != Formula::True {
                line = format!("{line} if {}", Names(&script.symbols, &advised.reached));
            }
            let losses = match advised.losses {
                0 => "no control loss".to_owned(),
                1 => "1 control loss".to_owned(),
                losses => format!("{losses} control losses"),
            };
            lines.push(format!("{line} ({losses})"));
        }
    }
    Ok(lines)
}
