//! The observable deterministic view of a model: the determinization game of BSJK15, as BJSK12 use
//! it for tests.
//!
//! Given a number of clocks and a maximal constant, [`determinize`] builds a deterministic automaton
//! *B* over the interface of a model *A* with `A ⪯ B` (io-abstraction): after every trace of *B*, the
//! outputs and delays of *A* are possible in *B*; after every trace of *A*, the inputs of *B* are
//! possible in *A*. So whatever conforms to *A* conforms to *B*, and tests made from *B* are sound.
//! If [`Exactness::is_exact`], the two have the same traces.
//!
//! # The game
//! A state of Spoiler is a region over the clocks of *B* and an estimate of the state of *A*: zones
//! that relate the clocks of *A* and *B*, over- and under-approximated. Spoiler lets time
//! pass into a later region and proposes an action. Determinizator answers with clocks of *B* to
//! reset, which decides what *B* will know later. Determinizator wins by avoiding states in which
//! nothing is certain. Outputs and delays follow the over-approximation, inputs the
//! under-approximation: an input that *A* may not take is left out.
//!
//! # Literature
//! BJSK12: Bertrand, Jéron, Stainer, Krichen, *Off-line test selection with test purposes for
//! non-deterministic timed automata*, 2012. BSJK15: Bertrand, Stainer, Jéron, Krichen, *A game
//! approach to determinize timed automata*, 2015.

mod automaton;
mod constants;
mod demand;
mod error;
mod estimate;
mod exactness;
mod flat;
mod game;
mod network;
mod region;
mod resources;
mod shortcut;
mod strategy;
mod table;

pub use error::Error;
pub use exactness::{Exactness, Loss, LossKind};
pub use resources::{Resources, determinize_auto};

use tioga_base::{Budget, LimitReached};
use tioga_model::{Model, MoveLabel, Network};

use automaton::Automaton;
use game::{Answers, Game};
use region::Grid;
use strategy::{Preference, Strategy, ranks};
use table::Table;

/// A deterministic view of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Determinized {
    /// The view: one process over clocks `c1` to `ck` with the interface of the model, or the model
    /// itself if it was deterministic.
    pub network: Network,
    /// How it relates to the model.
    pub exactness: Exactness,
    /// What it was given.
    pub resources: Resources,
    /// The size of the game that was played; 0 if none was.
    pub game_states: usize,
}

/// The most clocks a result may have.
pub const MOST_CLOCKS: usize = 8;

/// The largest maximal constant, in units of `1 / scale`.
pub const LARGEST_CONSTANT: u32 = 1 << 20;

/// Builds a deterministic io-abstraction of a model with the given resources.
///
/// Post: the network validates, is deterministic and has no internal moves; `model ⪯ network`; if the
/// exactness says so, both have the same traces. If the budget of steps runs out, the result is cut
/// short: it goes on with any outputs and delays and no inputs where nothing is known yet.
///
/// # Errors
/// If the model or the resources are not supported, or the work was cancelled; if the budget runs
/// out and there are too many outputs to allow each.
pub fn determinize(
    model: &Model,
    resources: Resources,
    budget: &mut Budget,
) -> Result<Determinized, Error> {
    if shortcut::is_deterministic(model) {
        let (network, exactness) = (model.clone().into_network(), Exactness::Unchanged);
        return Ok(Determinized { network, exactness, resources, game_states: 0 });
    }
    if resources.clocks >= model.clocks.len()
        && let Some(result) = flat::flatten(model, resources, budget)?
    {
        return Ok(result);
    }
    if let Some((resources, resets)) = shortcut::event_recording(model, resources) {
        let allowed = |table: &Table<'_>, action: usize| {
            let label = table.actions[action].label;
            let found = resets.iter().find(|(known, _)| *known == label);
            vec![found.map_or(0, |(_, clocks)| *clocks)]
        };
        let result = play(model, resources, &allowed, budget)?;
        if result.exactness.is_exact() || result.exactness.is_cut_short() {
            return Ok(result);
        }
    }
    let all = |table: &Table<'_>, _: usize| (0..1u32 << table.clocks).collect();
    play(model, resources, &all, budget)
}

/// Plays on one grid after the other, the coarsest first, until a result is exact. If a finer game is
/// too large, the result of a coarser one stands.
fn play(
    model: &Model,
    resources: Resources,
    allowed: Answers<'_>,
    budget: &mut Budget,
) -> Result<Determinized, Error> {
    if resources.clocks > MOST_CLOCKS || resources.max_constant > LARGEST_CONSTANT {
        let what = format!(
            "at most {MOST_CLOCKS} clocks and constants up to {LARGEST_CONSTANT} are supported"
        );
        return Err(Error::Unsupported(what));
    }
    let mut best: Option<Determinized> = None;
    for grid in constants::grids(model, resources) {
        match play_on(model, resources, grid, allowed, budget) {
            Ok(result) if result.exactness.is_exact() => return Ok(result),
            Ok(result) if result.exactness.is_cut_short() => return Ok(best.unwrap_or(result)),
            Ok(result) => best = Some(result),
            Err(error) => return best.ok_or(error),
        }
    }
    Ok(best.expect("there is always a grid"))
}

/// The part of the effort that goes into the whole game. Where it suffices, the result is the
/// smallest of several.
const SHARE_OF_WHOLE: u64 = 4;

fn play_on(
    model: &Model,
    resources: Resources,
    grid: Grid,
    allowed: Answers<'_>,
    budget: &mut Budget,
) -> Result<Determinized, Error> {
    let clocks = resources.clocks;
    let mut table = Table::new(model, clocks, grid)?;
    let mut share = budget.share(SHARE_OF_WHOLE);
    let whole = Game::build(&mut table, allowed, &mut share);
    budget.spend(share.used());
    let (game, preferences) = match whole {
        Ok(game) => (game, &Preference::ALL[..]),
        Err(Error::Limit(LimitReached::Steps(_))) => {
            (Game::explore(&mut table, allowed, budget)?, &[Preference::First][..])
        }
        Err(error) => return Err(error),
    };
    let ranks = ranks(&game);
    let candidates = preferences
        .iter()
        .map(|preference| Strategy::choose(&game, &ranks, *preference))
        .map(|strategy| Automaton::new(&game, &strategy, (clocks, &table.grid)));
    let size = |automaton: &Automaton| {
        let edges: usize = automaton.locations.iter().map(|location| location.edges.len()).sum();
        (automaton.locations.len(), edges)
    };
    let automaton = candidates.min_by_key(size).expect("there is an order of preference");
    let Some(network) = network::network(&table, &automaton) else {
        let limit = game.ended.expect("states are given up at a limit only");
        return Err(Error::Limit(limit));
    };
    let exactness = exactness_of(&table, &game, &automaton, &network);
    // Validation is part of the promise, so it is checked before anybody relies on it.
    let network = network.validate().map_err(Error::Invalid)?.into_network();
    let game_states = game.nodes.iter().filter(|node| node.opened).count();
    Ok(Determinized { network, exactness, resources, game_states })
}

/// What the states of the result lose.
fn exactness_of(
    table: &Table<'_>,
    game: &Game,
    automaton: &Automaton,
    network: &Network,
) -> Exactness {
    let mut losses = Vec::new();
    let locations = network.processes.iter().flat_map(|process| &process.locations);
    for (location, states) in locations.zip(&automaton.states) {
        for noticed in states.iter().flat_map(|state| &game.nodes[*state].losses) {
            losses.push(Loss {
                location: location.name.clone(),
                kind: noticed.kind,
                action: noticed.action.map(|action| action_name(table, action)),
                when: noticed.when.clone(),
                configuration: noticed.configuration.clone(),
            });
        }
    }
    losses.dedup();
    // Of what was not looked at, one example is enough.
    let mut given_up = 0;
    losses.retain(|loss| {
        given_up += usize::from(loss.kind == LossKind::Effort);
        loss.kind != LossKind::Effort || given_up == 1
    });
    if losses.is_empty() {
        Exactness::Exact
    } else {
        Exactness::Approximate { losses, suggestion: None }
    }
}

fn action_name(table: &Table<'_>, action: usize) -> String {
    let visible = &table.actions[action];
    let name = |channel| &table.model().channels[channel].name;
    let values = |values: &[i64]| {
        if values.is_empty() {
            return String::new();
        }
        let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
        format!("({})", texts.join(", "))
    };
    let (arguments, reply) = (values(&visible.arguments), values(&visible.reply));
    match visible.label {
        MoveLabel::Input(channel) => format!("{}{arguments}?", name(channel)),
        MoveLabel::Output(channel) => format!("{}{arguments}!", name(channel)),
        MoveLabel::Exchange(input, output) => {
            format!("{}{arguments}? / {}{reply}!", name(input), name(output))
        }
        MoveLabel::Internal(_) => String::new(),
    }
}
