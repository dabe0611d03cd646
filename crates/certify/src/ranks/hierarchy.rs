//! The rank a state must have, given the ranks of its future: the hierarchy W(n,j,i) read along a
//! ray.
//!
//! With `S` the states of rank at most `t`, and `bad(S)` those where the system has a step to
//! somewhere outside `S`:
//! - `W(n,j,i+1) = π_d(W(n,j,i))`, what the tester can enforce in one step: time leads into `S`
//!   with nothing bad before; or an input does, with nothing bad at its moment either; or the
//!   system is cornered, see [`enforce`];
//! - `W(n,j+1,0) = π_cl(W(n,j,∞))`, what one step of either side can reach. With safety first no
//!   *risk* may be met before that: no state where the system has a step to one without a rank;
//! - `W(n+1,0,0) = π_cl(W(n,∞,∞))`, the same with risks, only with safety first.
//!
//! For objectives that say what to avoid the ranks are the system's: `W(i+1)` are the states from
//! which time or a step of the system leads into `W(i)`, and the tester has no step out of it
//! before that; see [`threaten`].
//!
//! All operators are monotone and `S` changes only at ranks that occur on the ray. So the least rank
//! of a state is found by trying these. If every state has the rank that is computed here from the
//! others, then by induction over ranks each set is the one the definition says.

use tioga_model::Objective;
use tioga_testcase::{Concept, Rank, Scope, Terms};

use crate::states::{Landing, Piece, Ray};

/// How a state gets its rank. Pieces are positions on the ray.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// The objective holds.
    Goal,
    /// Time leads to this piece.
    Delay(usize),
    /// The player has this step at this piece.
    Play(usize, Landing),
    /// The system is cornered; this is one of its steps.
    Cornered(usize, Landing),
    /// The system may be so kind as to make this step at this piece.
    Luck(usize, Landing),
}

/// Whether the objective says what to avoid.
pub(crate) fn avoids(objective: &Objective) -> bool {
    matches!(objective, Objective::Stay(_) | Objective::WeakUntil(..))
}

/// The least rank of the first state of a ray and how it gets it.
///
/// `risks` says whether risks matter: they are unknown if the table is not complete.
pub(crate) fn least(ray: &Ray, terms: &Terms, risks: bool) -> Option<(Rank, Way)> {
    if ray.now().goal {
        return Some((Rank::ZERO, Way::Goal));
    }
    let ranks = occurring(ray);
    if avoids(&terms.objective) {
        let mut found = ranks.iter().filter_map(|t| Some((step_above(*t), threaten(ray, *t)?)));
        return found.next();
    }
    let safety_first = terms.scope == Scope::SafetyFirst;
    let enforced =
        ranks.iter().find_map(|t| Some((step_above(*t), enforce(ray, *t, terms.concept)?)));
    let hoped = |avoid_risks: bool, above: fn(Rank) -> Rank| {
        ranks.iter().find_map(|t| Some((above(*t), hope(ray, *t, avoid_risks)?)))
    };
    let lost = (terms.scope != Scope::Winning).then(|| hoped(safety_first && risks, loss_above));
    let risked = safety_first.then(|| hoped(false, risk_above));
    let found = [enforced, lost.flatten(), risked.flatten()];
    found.into_iter().flatten().min_by_key(|(rank, _)| *rank)
}

/// The ranks that occur after the first moment or after a step, rising.
fn occurring(ray: &Ray) -> Vec<Rank> {
    let mut ranks: Vec<Rank> = ray.pieces[1..].iter().filter_map(|piece| piece.rank).collect();
    let landings = ray.pieces.iter().flat_map(|piece| &piece.landings);
    ranks.extend(landings.filter_map(|landing| landing.rank));
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

/// The rank of what is one enforced step above a rank.
pub(crate) fn step_above(rank: Rank) -> Rank {
    Rank { steps: rank.steps.saturating_add(1), ..rank }
}

/// The rank of what is one control loss above a rank.
pub(crate) fn loss_above(rank: Rank) -> Rank {
    Rank { losses: rank.losses.saturating_add(1), steps: 0, ..rank }
}

/// The rank of what is one risk above a rank.
pub(crate) fn risk_above(rank: Rank) -> Rank {
    Rank { risks: rank.risks.saturating_add(1), losses: 0, steps: 0 }
}

/// The ranks up to which the operator that gives a rank looks.
pub(crate) fn below(rank: Rank) -> Rank {
    const ALL: u32 = u32::MAX;
    if rank.steps > 0 {
        Rank { steps: rank.steps - 1, ..rank }
    } else if rank.losses > 0 {
        Rank { losses: rank.losses - 1, steps: ALL, ..rank }
    } else {
        Rank { risks: rank.risks.saturating_sub(1), losses: ALL, steps: ALL }
    }
}

/// Whether a rank is at most `t`; a state without a rank is above all.
pub(crate) fn within(rank: Option<Rank>, t: Rank) -> bool {
    rank.is_some_and(|rank| rank <= t)
}

impl Piece {
    /// A step of one side that leads to a rank of at most `t`.
    pub fn leading_to(&self, input: bool, t: Rank) -> Option<Landing> {
        let mut own = self.landings.iter().filter(|landing| landing.input == input);
        own.find(|landing| within(landing.rank, t)).copied()
    }

    /// A step of one side that does not.
    pub fn leaving(&self, input: bool, t: Rank) -> Option<Landing> {
        let mut own = self.landings.iter().filter(|landing| landing.input == input);
        own.find(|landing| !within(landing.rank, t)).copied()
    }

    /// A step of the system to a state without a rank.
    pub fn risk(&self) -> Option<Landing> {
        let mut own = self.landings.iter().filter(|landing| !landing.input);
        own.find(|landing| landing.rank.is_none()).copied()
    }

    /// Whether the tester must not be here on the way to ranks of at most `t`. A state with such a
    /// rank has arrived.
    pub fn is_bad(&self, t: Rank) -> bool {
        !within(self.rank, t) && (self.forbidden || self.leaving(false, t).is_some())
    }
}

/// Whether the tester can enforce a rank of at most `t` in one step.
pub(crate) fn enforce(ray: &Ray, t: Rank, concept: Concept) -> Option<Way> {
    let bad = |piece: &Piece| piece.is_bad(t);
    if let Some((at, ())) = ray.arrive(|at, piece| later_within(at, piece, t), bad, false) {
        return Some(Way::Delay(at));
    }
    if let Some((at, landing)) = ray.arrive(|_, piece| piece.leading_to(true, t), bad, true) {
        return Some(Way::Play(at, landing));
    }
    cornered(ray, t, concept).map(|(at, landing)| Way::Cornered(at, landing))
}

/// Whether waiting suffices: nothing bad lies ahead, and a step of the system into the set does. In
/// strict games, besides, time ends, and it ends while the system has such a step.
pub(crate) fn cornered(ray: &Ray, t: Rank, concept: Concept) -> Option<(usize, Landing)> {
    if ray.pieces.iter().any(|piece| piece.is_bad(t)) {
        return None;
    }
    let found = |(at, piece): (usize, &Piece)| Some((at, piece.leading_to(false, t)?));
    let mut pieces = ray.pieces.iter().enumerate();
    match concept {
        Concept::Fair => pieces.find_map(found),
        Concept::Strict if ray.end.is_some() => pieces.next_back().and_then(found),
        Concept::Strict => None,
    }
}

/// Whether one step, or time, can reach a rank of at most `t`.
pub(crate) fn hope(ray: &Ray, t: Rank, avoid_risks: bool) -> Option<Way> {
    let bad = |piece: &Piece| {
        !within(piece.rank, t) && (piece.forbidden || (avoid_risks && piece.risk().is_some()))
    };
    if let Some((at, ())) = ray.arrive(|at, piece| later_within(at, piece, t), bad, false) {
        return Some(Way::Delay(at));
    }
    let luck = ray.arrive(|_, piece| piece.leading_to(false, t), bad, true);
    let play = ray.arrive(|_, piece| piece.leading_to(true, t), bad, true);
    let luck = luck.map(|(at, landing)| Way::Luck(at, landing));
    luck.or(play.map(|(at, landing)| Way::Play(at, landing)))
}

/// Whether the system can enforce a rank of at most `t` in one step, when it is the system that
/// wants to reach something. The tester gets away only at a moment at which the system cannot
/// strike, and could not before: at the same moment the system may go first.
fn threaten(ray: &Ray, t: Rank) -> Option<Way> {
    let strike = |at: usize, piece: &Piece| {
        if piece.forbidden {
            None
        } else if later_within(at, piece, t).is_some() {
            Some(Way::Delay(at))
        } else {
            piece.leading_to(false, t).map(|landing| Way::Play(at, landing))
        }
    };
    for (at, piece) in ray.pieces.iter().enumerate() {
        let struck = strike(at, piece);
        if struck.is_some() || piece.forbidden || piece.leaving(true, t).is_some() {
            return struck;
        }
    }
    None
}

/// The state itself does not count: whether it belongs is the question.
fn later_within(at: usize, piece: &Piece, t: Rank) -> Option<()> {
    (at > 0 && within(piece.rank, t)).then_some(())
}
