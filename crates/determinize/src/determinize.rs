//! From a model and resources to its deterministic view: shortcuts first, then the game on one grid
//! after the other.

use tioga_base::{Budget, LimitReached};
use tioga_model::{Model, Network, StepLabel};

use crate::automaton::Automaton;
use crate::determinized::Determinized;
use crate::error::Error;
use crate::exactness::{Exactness, Loss, LossKind};
use crate::game::{Answers, Game};
use crate::region::Grid;
use crate::resources::{LARGEST_CONSTANT, MOST_CLOCKS, Resources};
use crate::strategy::{Preference, Strategy, ranks};
use crate::subject::Subject;
use crate::table::Table;
use crate::{constants, flat, network, shortcut};

/// Builds a deterministic io-abstraction of a model with the given resources.
///
/// Post: the network validates, is deterministic and has no internal steps; `model ⪯ network`; if the
/// exactness says so, both have the same traces. If the budget of steps runs out, the result is cut
/// short: it goes on with any outputs and delays and no inputs where nothing is known yet.
///
/// # Errors
/// If the model or the resources are not supported, or the work was cancelled; if the budget runs
/// out and there are too many outputs to allow each.
pub fn determinize<'m>(
    subject: impl Into<Subject<'m>>,
    resources: Resources,
    budget: &mut Budget,
) -> Result<Determinized, Error> {
    let subject = subject.into();
    let model = subject.model;
    if subject.goal.is_none() && shortcut::is_deterministic(model) {
        return Ok(Determinized::unchanged(model, resources));
    }
    if resources.clocks >= model.clocks.len()
        && let Some(result) = flat::flatten(subject, resources, budget)?
    {
        return Ok(result);
    }
    if let Some((resources, resets)) = shortcut::event_recording(model, resources) {
        let allowed = |table: &Table<'_>, action: usize| {
            let label = table.actions[action].label;
            let found = resets.iter().find(|(known, _)| *known == label);
            vec![found.map_or(0, |(_, clocks)| *clocks)]
        };
        let result = play(subject, resources, &allowed, budget)?;
        if result.exactness.is_exact() || result.exactness.is_cut_short() {
            return Ok(result);
        }
    }
    let all = |table: &Table<'_>, _: usize| (0..1u32 << table.clocks).collect();
    play(subject, resources, &all, budget)
}

impl Determinized {
    /// The view of a model that is deterministic: the model itself.
    pub fn unchanged(model: &Model, resources: Resources) -> Self {
        let (network, exactness) = (model.clone().into_network(), Exactness::Unchanged);
        let goals = network::marked(&network);
        Self { network, goals, exactness, resources, game_states: 0 }
    }
}

/// Plays on one grid after the other, the coarsest first, until a result is exact. If a finer game is
/// too large, the result of a coarser one stands.
fn play(
    subject: Subject<'_>,
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
    for grid in constants::grids(subject, resources) {
        match play_on(subject, resources, grid, allowed, budget) {
            Ok(result) if result.exactness.is_exact() => return Ok(result),
            Ok(result) if result.exactness.is_cut_short() => {
                return Ok(best.map_or(result, exhausted));
            }
            Ok(result) => best = Some(result),
            Err(error @ Error::Limit(_)) => return best.map(exhausted).ok_or(error),
            Err(error) => return best.ok_or(error),
        }
    }
    Ok(best.expect("there is always a grid"))
}

/// The same result, after the budget ended a larger game that might have been exact.
fn exhausted(mut result: Determinized) -> Determinized {
    if let Exactness::Approximate { exhausted, .. } = &mut result.exactness {
        *exhausted = true;
    }
    result
}

/// The part of the effort that goes into the whole game. Where it suffices, the result is the
/// smallest of several.
const SHARE_OF_WHOLE: u64 = 4;

fn play_on(
    subject: Subject<'_>,
    resources: Resources,
    grid: Grid,
    allowed: Answers<'_>,
    budget: &mut Budget,
) -> Result<Determinized, Error> {
    let clocks = resources.clocks;
    let mut table = Table::new(subject, clocks, grid)?;
    let mut share = budget.share(SHARE_OF_WHOLE);
    let whole = Game::build(&mut table, allowed, &mut share);
    budget.spend(share.used());
    let is_whole = whole.is_ok();
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
    let goals = network::goals(&automaton);
    let result = Determinized { network, goals, exactness, resources, game_states };
    // A game that was opened on demand only has fewer strategies than the whole one.
    Ok(if is_whole { result } else { exhausted(result) })
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
        let exhausted = losses.iter().any(|loss| loss.kind == LossKind::Effort);
        Exactness::Approximate { losses, suggestion: None, exhausted }
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
        StepLabel::Input(channel) => format!("{}{arguments}?", name(channel)),
        StepLabel::Output(channel) => format!("{}{arguments}!", name(channel)),
        StepLabel::Exchange(input, output) => {
            format!("{}{arguments}? / {}{reply}!", name(input), name(output))
        }
        StepLabel::Internal(_) => String::new(),
    }
}
