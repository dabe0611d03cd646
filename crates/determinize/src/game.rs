//! The game between Spoiler, who proposes a moment and an action, and Determinizator, who answers
//! with clocks to reset (BSJK15). Everything that can be reached with any answers is built.

use indexmap::IndexSet;
use tioga_base::Budget;
use tioga_model::{Marks, MoveLabel};

use crate::Error;
use crate::estimate::{Moment, State, initial};
use crate::exactness::{LossKind, Noticed, describe};
use crate::region::Region;
use crate::table::Table;

/// A state of Spoiler with its continuations.
#[derive(Debug)]
pub(crate) struct Node {
    /// The regions that time leads through.
    pub regions: Vec<Region>,
    /// What Spoiler may propose.
    pub challenges: Vec<Challenge>,
    /// Where exactness is lost from here.
    pub losses: Vec<Noticed>,
    /// Whether nothing is certain on arrival.
    pub lost: bool,
    /// The discrete states possible on arrival.
    pub at: Vec<usize>,
    /// What is known to be reached on arrival.
    pub marks: Marks,
}

/// A moment and an action.
#[derive(Debug)]
pub(crate) struct Challenge {
    /// The position in the chain of regions.
    pub moment: usize,
    /// The number of the action.
    pub action: usize,
    /// The sets of clocks that may be reset, each with the state it leads to.
    pub answers: Vec<(u32, usize)>,
}

/// The whole game. Node 0 is the start.
#[derive(Debug)]
pub(crate) struct Game {
    /// The states of Spoiler.
    pub nodes: Vec<Node>,
}

/// Which sets of clocks Determinizator may reset with an action.
pub(crate) type Answers<'a> = &'a dyn Fn(&Table<'_>, usize) -> Vec<u32>;

impl Game {
    /// Builds the game.
    pub(crate) fn build(
        table: &mut Table<'_>,
        allowed: Answers<'_>,
        budget: &mut Budget,
    ) -> Result<Self, Error> {
        let mut states: IndexSet<State> = IndexSet::from([initial(table)?]);
        let mut nodes = Vec::new();
        while nodes.len() < states.len() {
            let state = states[nodes.len()].clone();
            let moments = state.unfold(table, budget)?;
            let mut node = Node {
                regions: moments.iter().map(|moment| moment.region.clone()).collect(),
                challenges: Vec::new(),
                losses: Vec::new(),
                lost: state.certain.is_empty(),
                at: moments
                    .first()
                    .map_or_else(Vec::new, |first| first.possible.keys().copied().collect()),
                marks: Marks::default(),
            };
            mark(table, &state, &moments, &mut node);
            let mut delayed = false;
            for (position, moment) in moments.iter().enumerate() {
                if moment.certain.is_empty() && !node.lost && !delayed {
                    delayed = true;
                    node.losses.push(describe(table, LossKind::Delay, moment, None));
                }
                propose(table, position, moment, allowed, &mut states, &mut node, budget)?;
            }
            nodes.push(node);
        }
        Ok(Self { nodes })
    }
}

/// What is known to be reached on arrival. Something wanted is reached if that is certain, for one
/// run suffices; something unwanted if nothing else is possible. A wanted mark that is possible
/// and not certain, or reached only later, is a loss.
fn mark(table: &Table<'_>, state: &State, moments: &[Moment], node: &mut Node) {
    let certain = state.certain.iter().map(|one| one.at);
    let later = moments.first().into_iter().flat_map(|first| first.certain.keys().copied());
    let reached: Vec<Marks> = certain.chain(later).map(|at| table.marks(at)).collect();
    let arrived: Vec<Marks> = state.possible.iter().map(|one| table.marks(one.at)).collect();
    node.marks = Marks {
        accept: reached.iter().any(|marks| marks.accept),
        desired: reached.iter().any(|marks| marks.desired),
        refuse: arrived.iter().all(|marks| marks.refuse),
        fail: arrived.iter().all(|marks| marks.fail),
        ..Marks::default()
    };
    let doubtful = |at: &usize| {
        let marks = table.marks(*at);
        marks.accept && !node.marks.accept || marks.desired && !node.marks.desired
    };
    let doubt = moments.iter().find(|moment| moment.possible.keys().any(doubtful));
    if let Some(moment) = doubt
        && !node.lost
    {
        node.losses.push(describe(table, LossKind::Mark, moment, None));
    }
}

/// Adds the challenges of one moment.
fn propose(
    table: &mut Table<'_>,
    position: usize,
    moment: &Moment,
    allowed: Answers<'_>,
    states: &mut IndexSet<State>,
    node: &mut Node,
    budget: &mut Budget,
) -> Result<(), Error> {
    let actions = moment.actions(table)?;
    let mut afters = Vec::new();
    for action in actions {
        afters.push((action, moment.after(table, action)?));
    }
    // An exchange is as certain as its input; its output may be over-approximated.
    let certain: Vec<_> = afters
        .iter()
        .filter(|(_, after)| !after.certain.is_empty())
        .map(|(action, _)| input(table, *action))
        .collect();
    for (action, after) in &afters {
        budget.step()?;
        let needed = input(table, *action);
        let built = needed.is_none() || certain.contains(&needed);
        if after.certain.is_empty() && !moment.certain.is_empty() {
            let kind = if built { LossKind::Output } else { LossKind::Input };
            node.losses.push(describe(table, kind, moment, Some(*action)));
        }
        if !built {
            continue;
        }
        let mut answers = Vec::new();
        for reset in allowed(table, *action) {
            // What is lost cannot be won back, so few answers suffice.
            let all = (1u32 << table.clocks) - 1;
            if after.certain.is_empty() && reset != 0 && reset != all {
                continue;
            }
            let state = after.answered(table, &moment.region, reset)?;
            answers.push((reset, states.insert_full(state).0));
        }
        node.challenges.push(Challenge { moment: position, action: *action, answers });
    }
    Ok(())
}

/// The input that an action consists of or begins with, with its values.
fn input(
    table: &Table<'_>,
    action: usize,
) -> Option<(tioga_model::ChannelId, tioga_model::Values)> {
    let visible = &table.actions[action];
    match visible.label {
        MoveLabel::Input(channel) | MoveLabel::Exchange(channel, _) => {
            Some((channel, visible.arguments.clone()))
        }
        MoveLabel::Output(_) | MoveLabel::Internal(_) => None,
    }
}
