//! The game between Spoiler, which proposes a moment and an action, and Determinizator, which
//! answers with clocks to reset (BSJK15).
//!
//! A state is *opened* to see what can follow it. [`Game::build`] opens everything that can be
//! reached with any answers. Where that is too much, [`Game::explore`](crate::demand) opens only what
//! a strategy needs. States that stay closed because the effort ended are given up.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use tioga_base::{Budget, LimitReached};
use tioga_model::{Marks, StepLabel};
use tioga_zones::Zone;

use crate::Error;
use crate::determinized::Acceptance;
use crate::estimate::{After, Configuration, Moment, State, initial};
use crate::exactness::{LossKind, Noticed, describe, given_up};
use crate::region::Region;
use crate::table::{Hasher, Table};

/// A state of Spoiler with its continuations.
#[derive(Default, Debug)]
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
    /// Which explanations accept in each of the regions, if any do.
    pub accepts: Vec<Option<Acceptance>>,
    /// Whether what follows is known.
    pub opened: bool,
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
    /// Further sets of clocks that may be reset, and what the action leads to before.
    pub untried: Vec<u32>,
    /// What the action leads to before clocks are reset, as long as something is untried.
    pub after: Option<After>,
}

/// The game as far as it was built. Node 0 is the start.
#[derive(Debug)]
pub(crate) struct Game {
    /// The states of Spoiler.
    pub nodes: Vec<Node>,
    /// What is known in them.
    pub states: IndexSet<State, Hasher>,
    /// Why some states were given up, if any were.
    pub ended: Option<LimitReached>,
}

/// Which sets of clocks Determinizator may reset with an action.
pub(crate) type Answers<'a> = &'a dyn Fn(&Table<'_>, usize) -> Vec<u32>;

impl Game {
    /// The game of which only the start is known.
    pub(crate) fn new(table: &mut Table<'_>) -> Result<Self, Error> {
        let mut game = Self { nodes: Vec::new(), states: IndexSet::default(), ended: None };
        let start = initial(table)?;
        game.number(start);
        Ok(game)
    }

    /// Builds the whole game.
    pub(crate) fn build(
        table: &mut Table<'_>,
        allowed: Answers<'_>,
        budget: &mut Budget,
    ) -> Result<Self, Error> {
        let mut game = Self::new(table)?;
        let mut number = 0;
        while number < game.nodes.len() {
            game.open(number, table, allowed, budget)?;
            for challenge in 0..game.nodes[number].challenges.len() {
                while game.try_next(number, challenge, table, budget)? {}
            }
            number += 1;
        }
        Ok(game)
    }

    /// The number of a state; a new one is closed.
    fn number(&mut self, state: State) -> usize {
        let lost = state.certain.is_empty();
        let (number, new) = self.states.insert_full(state);
        if new {
            self.nodes.push(Node { lost, ..Node::default() });
        }
        number
    }

    /// Finds out what can follow a state. Of its challenges, no answer is tried yet.
    pub(crate) fn open(
        &mut self,
        number: usize,
        table: &mut Table<'_>,
        allowed: Answers<'_>,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        let state = &self.states[number];
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
            accepts: Vec::new(),
            opened: true,
        };
        mark(table, state, &moments, &mut node);
        let mut delayed = false;
        for (position, moment) in moments.iter().enumerate() {
            if moment.certain.is_empty() && !node.lost && !delayed {
                delayed = true;
                node.losses.push(describe(table, LossKind::Delay, moment, None));
            }
            propose(table, position, moment, allowed, &mut node, budget)?;
        }
        self.nodes[number] = node;
        Ok(())
    }

    /// Adds the next answer to a challenge; false if there is none.
    pub(crate) fn try_next(
        &mut self,
        number: usize,
        challenge: usize,
        table: &mut Table<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Error> {
        let node = &mut self.nodes[number];
        let asked = &mut node.challenges[challenge];
        let (Some(&reset), Some(after)) = (asked.untried.first(), &asked.after) else {
            return Ok(false);
        };
        budget.step()?;
        let state = after.answered(table, &node.regions[asked.moment], reset)?;
        asked.untried.remove(0);
        if asked.untried.is_empty() {
            asked.after = None;
        }
        let target = self.number(state);
        self.nodes[number].challenges[challenge].answers.push((reset, target));
        Ok(true)
    }

    /// Leaves closed what is closed. What follows there is not known.
    pub(crate) fn give_up(&mut self, table: &Table<'_>, limit: LimitReached) {
        self.ended = Some(limit);
        for (node, state) in self.nodes.iter_mut().zip(&self.states) {
            // One that was about to be opened is closed again.
            if !node.opened || node.challenges.iter().any(|one| one.answers.is_empty()) {
                let lost = node.lost;
                *node = Node { lost, ..Node::default() };
                node.at = state.possible.iter().map(|one| one.at).collect();
                node.at.dedup();
                node.losses = vec![given_up(table, state)];
                let [certain, possible] = [&state.certain, &state.possible].map(|all| placed(all));
                let on_arrival = acceptance(table, &certain, &possible);
                // A condition that holds on arrival need not hold later.
                let passing = table.has_condition();
                let later = on_arrival.map(|own| if passing { Acceptance::Doubtful } else { own });
                node.marks.accept = later.is_some_and(Acceptance::is_certain);
                node.accepts = vec![later];
            }
        }
    }
}

/// Configurations by the numbers of their discrete states.
fn placed(all: &[Configuration]) -> Vec<(usize, &Zone)> {
    all.iter().map(|one| (one.at, &one.zone)).collect()
}

/// Which explanations accept, if the model certainly can be in each of some configurations and is in one that is
/// possible.
fn acceptance(
    table: &Table<'_>,
    certain: &[(usize, &Zone)],
    possible: &[(usize, &Zone)],
) -> Option<Acceptance> {
    let surely = |(at, zone): &(usize, &Zone)| table.accepting(*at).includes_zone(zone);
    let perhaps = |(at, zone): &(usize, &Zone)| {
        table.accepting(*at).zones().iter().any(|accepting| accepting.intersects(zone))
    };
    if possible.iter().all(surely) {
        Some(Acceptance::Everywhere)
    } else if certain.iter().any(surely) {
        Some(Acceptance::SomeRun)
    } else {
        possible.iter().any(perhaps).then_some(Acceptance::Doubtful)
    }
}

/// What is known to be reached on arrival, and where the model accepts later. Something wanted is
/// reached if that is certain, for one run suffices, or if nothing else is possible; something
/// unwanted if nothing else is possible. A wanted mark that is possible and not certain, or reached
/// only later, is a loss: marks are about the arrival.
fn mark(table: &Table<'_>, state: &State, moments: &[Moment], node: &mut Node) {
    let certain = state.certain.iter().map(|one| one.at);
    let later = moments.first().into_iter().flat_map(|first| first.certain.keys().copied());
    let reached: Vec<Marks> = certain.chain(later).map(|at| table.marks(at)).collect();
    let arrived: Vec<Marks> = state.possible.iter().map(|one| table.marks(one.at)).collect();
    for (position, moment) in moments.iter().enumerate() {
        let mut certain = if position == 0 { placed(&state.certain) } else { Vec::new() };
        for (&at, zones) in &moment.certain {
            certain.extend(zones.iter().map(|zone| (at, zone)));
        }
        let mut possible = Vec::new();
        for (&at, zones) in &moment.possible {
            possible.extend(zones.zones().iter().map(|zone| (at, zone)));
        }
        node.accepts.push(acceptance(table, &certain, &possible));
    }
    node.marks = Marks {
        accept: node.accepts.first().is_some_and(|own| own.is_some_and(Acceptance::is_certain)),
        desired: reached.iter().any(|marks| marks.desired),
        refuse: arrived.iter().all(|marks| marks.refuse),
        fail: arrived.iter().all(|marks| marks.fail),
        ..Marks::default()
    };
    let doubtful = |at: &usize| {
        let marks = table.marks(*at);
        marks.accept && !node.marks.accept || marks.desired && !node.marks.desired
    };
    // A condition may come to hold later, and each region says whether it does.
    let uncertain = |position: usize| node.accepts[position] == Some(Acceptance::Doubtful);
    let mut each = moments.iter().enumerate();
    let doubt = each.find(|(position, moment)| match table.has_condition() {
        true => uncertain(*position),
        false => moment.possible.keys().any(doubtful),
    });
    if let Some((_, moment)) = doubt
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
    node: &mut Node,
    budget: &mut Budget,
) -> Result<(), Error> {
    let actions = moment.actions(table)?;
    let mut afters = Vec::new();
    for action in actions {
        budget.step()?;
        afters.push((action, moment.after(table, action)?));
    }
    // An exchange is as certain as its input; its output may be over-approximated.
    let certain: Vec<_> = afters
        .iter()
        .filter(|(_, after)| !after.certain.is_empty())
        .map(|(action, _)| input(table, *action))
        .collect();
    for (action, after) in afters {
        let needed = input(table, action);
        let built = needed.is_none() || certain.contains(&needed);
        if after.certain.is_empty() && !moment.certain.is_empty() {
            let kind = if built { LossKind::Output } else { LossKind::Input };
            node.losses.push(describe(table, kind, moment, Some(action)));
        }
        if !built {
            continue;
        }
        let guess = moment.resets(table, action)?;
        let mut untried = by_promise(allowed(table, action), guess);
        // What is lost cannot be won back, so few answers suffice.
        let all = (1u32 << table.clocks) - 1;
        if after.certain.is_empty() {
            untried.retain(|reset| *reset == 0 || *reset == all);
        }
        let (answers, after) = (Vec::new(), Some(after));
        node.challenges.push(Challenge { moment: position, action, answers, untried, after });
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
        StepLabel::Input(channel) | StepLabel::Exchange(channel, _) => {
            Some((channel, visible.arguments.clone()))
        }
        StepLabel::Output(_) | StepLabel::Internal(_) => None,
    }
}

/// The answers in the order in which they are worth trying: the more they agree with the guess, the
/// earlier.
fn by_promise(answers: Vec<u32>, guess: u32) -> Vec<u32> {
    let sorted: BTreeSet<(u32, u32)> =
        answers.into_iter().map(|reset| ((reset ^ guess).count_ones(), reset)).collect();
    sorted.into_iter().map(|(_, reset)| reset).collect()
}
