//! Why a state has its rank or cannot have it, told from its ray.

use tioga_base::{Overflow, Rational};
use tioga_model::Model;
use tioga_testcase::{Rank, Scope, Terms};

use super::hierarchy::{Way, avoids, below, within};
use crate::states::{CheckedState, Landing, Ray, after, step_name};

/// Tells what a ray shows.
pub(crate) struct Teller<'a> {
    pub model: &'a Model,
    pub terms: &'a Terms,
    pub checked: &'a CheckedState<'a>,
    pub ray: &'a Ray,
}

impl Teller<'_> {
    /// `rank (1, 0)` or `no rank`.
    pub fn rank(&self, rank: Option<Rank>) -> String {
        match rank {
            None => "no rank".to_owned(),
            Some(rank) if self.terms.scope == Scope::SafetyFirst => format!("rank {rank:#}"),
            Some(rank) => format!("rank {rank}"),
        }
    }

    /// Why a state that should have a rank cannot have it.
    pub fn why_not(&self, claimed: Rank) -> Result<String, Overflow> {
        let Self { ray, terms, .. } = self;
        if claimed == Rank::ZERO {
            return Ok("the objective does not hold there".to_owned());
        }
        let t = below(claimed);
        let avoiding = avoids(&terms.objective);
        let safe_hope = terms.scope == Scope::SafetyFirst && claimed.losses > 0;
        let obstacle = |landing: Option<Landing>| landing.map(Some);
        for piece in &ray.pieces {
            let met = if avoiding {
                obstacle(piece.leaving(true, t))
            } else if claimed.steps > 0 {
                obstacle(piece.leaving(false, t))
            } else if safe_hope {
                obstacle(piece.risk())
            } else {
                None
            };
            let met = met.or(piece.forbidden.then_some(None));
            if let Some(met) = met {
                let when = self.after(piece.delay)?;
                return Ok(match met {
                    None => format!("the objective forbids the state {when}"),
                    Some(landing) => {
                        let who = if avoiding { "the tester" } else { "the system" };
                        format!("{who} may {}", self.leading(landing, &when))
                    }
                });
            }
        }
        let lower = ray
            .pieces
            .iter()
            .any(|piece| piece.landings.iter().any(|landing| within(landing.rank, t)));
        Ok(if lower {
            "a step leads to a lower rank, but neither side is forced to make it".to_owned()
        } else {
            "neither time nor a step leads to a lower rank".to_owned()
        })
    }

    /// How a state gets a rank.
    pub fn how(&self, way: Way) -> Result<String, Overflow> {
        let after = |at: usize| self.after(self.ray.pieces[at].delay);
        let (own, other) = ("the tester", "the system");
        let player = if avoids(&self.terms.objective) { other } else { own };
        Ok(match way {
            Way::Goal if player == own => "the objective holds there".to_owned(),
            Way::Goal => "the objective is violated there".to_owned(),
            Way::Delay(at) => {
                let piece = &self.ray.pieces[at];
                format!("waiting leads to {} {}", self.rank(piece.rank), self.after(piece.delay)?)
            }
            Way::Play(at, landing) => {
                let by = if landing.input { own } else { player };
                format!("{by} can {}", self.leading(landing, &after(at)?))
            }
            Way::Cornered(at, landing) => {
                format!("{other} must act, and can only {}", self.leading(landing, &after(at)?))
            }
            Way::Luck(at, landing) => {
                format!("{other} may {}", self.leading(landing, &after(at)?))
            }
        })
    }

    /// `play `a!` after 3, which leads to rank (1, 0)`.
    pub fn leading(&self, landing: Landing, when: &str) -> String {
        let name = step_name(self.model, &self.checked.steps[landing.position].step);
        format!("play {name} {when}, which leads to {}", self.rank(landing.rank))
    }

    /// `now` or `after 5/2`.
    pub fn after(&self, delay: Rational) -> Result<String, Overflow> {
        after(self.model, delay)
    }
}
