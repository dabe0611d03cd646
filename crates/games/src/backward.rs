//! Ranks layer by layer, plainly, on an explored arena: the definition as a loop.
//!
//! W(0,0) is the goal; each layer applies `π_d` to every node at once, and when nothing grows any
//! more, `π_cl`. Slow, and the second opinion on [`crate::on_the_fly`].

use tioga_base::{Cancel, Id};
use tioga_testcase::{Rank, Scope};
use tioga_zones::Federation;

use crate::operators::{around, enforce, hope};
use crate::{Error, Game, Levels, NodeId};

/// The ranks of all nodes of a game. Explores what is not explored yet; `None` if told to stop.
pub fn ranks(
    game: &mut Game<'_>,
    cancel: &Cancel,
    report: &mut dyn FnMut(usize, u64) -> bool,
) -> Result<Option<Vec<Levels>>, Error> {
    while !game.explore(1, cancel)?.is_empty() {
        if !report(game.arena.len(), 0) {
            return Ok(None);
        }
    }
    let nothing = vec![Federation::empty(game.arena.dimension()); game.arena.len()];
    if game.terms().scope != Scope::SafetyFirst {
        return Ok(layers(game, &nothing, game.terms().scope, cancel, report));
    }
    let Some(all) = layers(game, &nothing, Scope::Cooperative, cancel, report) else {
        return Ok(None);
    };
    let risks: Vec<Federation> = game
        .arena
        .ids()
        .map(|node| around(game, node, |target| all[target.index()].last()).bad)
        .collect();
    Ok(layers(game, &risks, Scope::SafetyFirst, cancel, report))
}

fn layers(
    game: &Game<'_>,
    risks: &[Federation],
    scope: Scope,
    cancel: &Cancel,
    report: &mut dyn FnMut(usize, u64) -> bool,
) -> Option<Vec<Levels>> {
    let nodes: Vec<NodeId> = game.arena.ids().collect();
    let nothing = Federation::empty(game.arena.dimension());
    let mut levels = vec![Levels::default(); nodes.len()];
    for node in &nodes {
        if let Some(aim) = game.aim(*node).filter(|aim| !aim.goal.is_empty()) {
            levels[node.index()].push(Rank::ZERO, aim.goal.clone());
        }
    }
    let mut rank = Rank::ZERO;
    loop {
        let mut steps = rank;
        loop {
            steps.steps += 1;
            if !report(nodes.len(), 0) {
                return None;
            }
            if !layer(
                &mut levels,
                &nodes,
                steps,
                |node, own, around| enforce(game, node, own, around),
                (game, cancel),
            ) {
                break;
            }
        }
        if cancel.is_cancelled() {
            return None;
        }
        if scope == Scope::Winning {
            return Some(levels);
        }
        let losses = Rank { losses: rank.losses + 1, steps: 0, ..rank };
        let safe = scope == Scope::SafetyFirst;
        if layer(
            &mut levels,
            &nodes,
            losses,
            |node, own, around| {
                hope(game, node, own, around, if safe { &risks[node.index()] } else { &nothing })
            },
            (game, cancel),
        ) {
            rank = losses;
            continue;
        }
        let risk = Rank { risks: rank.risks + 1, losses: 0, steps: 0 };
        let grows = safe
            && layer(
                &mut levels,
                &nodes,
                risk,
                |node, own, around| hope(game, node, own, around, &nothing),
                (game, cancel),
            );
        if cancel.is_cancelled() {
            return None;
        }
        if !grows {
            return Some(levels);
        }
        rank = risk;
    }
}

/// Adds one layer to all nodes, or to some if it is cancelled; whether anything grew.
fn layer(
    levels: &mut [Levels],
    nodes: &[NodeId],
    rank: Rank,
    step: impl Fn(NodeId, Option<&Federation>, &crate::operators::Around) -> Federation,
    (game, cancel): (&Game<'_>, &Cancel),
) -> bool {
    let old: &[Levels] = levels;
    let new: Vec<Option<Federation>> = nodes
        .iter()
        .map(|node| {
            if cancel.is_cancelled() {
                return None;
            }
            let own = old[node.index()].last();
            let around = around(game, *node, |target| old[target.index()].last());
            let set = step(*node, own, &around);
            (!set.is_empty() && own.is_none_or(|own| !own.includes(&set))).then_some(set)
        })
        .collect();
    let mut grows = false;
    for (levels, set) in levels.iter_mut().zip(new) {
        if let Some(set) = set {
            grows = true;
            levels.push(rank, set);
        }
    }
    grows
}
