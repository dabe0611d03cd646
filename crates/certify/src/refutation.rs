//! Why a certificate is wrong, so that a person can follow it.

use std::fmt;

use tioga_base::{Overflow, Rational};
use tioga_concrete::{State, rational_values};
use tioga_model::{ChannelId, Hidden, Model, Move, MoveLabel};
use tioga_testcase::{Rank, Scope, Terms, Verdict};

use crate::hierarchy::{Way, avoids, below, within};
use crate::ray::{Landing, Ray};
use crate::site::Site;
use crate::valuation::written;

/// A table, a trap or a test case that says something wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Refutation {
    /// The state about which it does; none if it is not well formed.
    pub state: Option<State>,
    /// What is wrong.
    pub flaw: Flaw,
    /// The whole story, with names and clock values.
    pub message: String,
}

/// What is wrong with a table, a trap or a test case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It speaks of things that the model does not have, or is not in order.
    Malformed,
    /// A state does not have the rank that follows from those of its successors.
    Rank {
        /// The rank the table claims.
        claimed: Option<Rank>,
        /// The rank that follows.
        right: Option<Rank>,
    },
    /// The advice for a state does not do what it should.
    Advice {
        /// The rank of the state.
        rank: Option<Rank>,
        /// The position of the rule among those of the discrete state; none if no rule applies.
        rule: Option<usize>,
    },
    /// The tester gets out of a trap.
    Outside,
    /// In a trap the objective is reached.
    Goal,
    /// In a trap the system has to move, but the trap does not say how.
    Idle,
    /// A test case would fail a system that conforms.
    Unsound,
    /// A test case would not notice something that does not conform.
    Lax,
    /// A test case sends an input that the model does not take, or that gives up the purpose, or
    /// withholds one although it leaves the choice open.
    Input,
    /// A test case does not know which of two edges to take.
    Ambiguous,
    /// The clocks of a test case do not follow those of the model.
    Clocks,
    /// The verdict of a test case is not the right one.
    Verdict {
        /// The verdict the test case gives.
        claimed: Option<Verdict>,
        /// The right verdict.
        right: Option<Verdict>,
    },
    /// The summary of a test case promises too much, or claims another rank than the rules.
    Summary,
    /// What a test case says should be done cannot be done.
    Rule {
        /// The position of the rule among those of the place; none if no rule applies.
        rule: Option<usize>,
    },
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Tells what a ray shows.
pub(crate) struct Teller<'a> {
    pub model: &'a Model,
    pub terms: &'a Terms,
    pub site: &'a Site<'a>,
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
            "a move leads to a lower rank, but nobody is forced to make it".to_owned()
        } else {
            "neither time nor a move leads to a lower rank".to_owned()
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
        let name = move_name(self.model, &self.site.moves[landing.position].step);
        format!("play {name} {when}, which leads to {}", self.rank(landing.rank))
    }

    /// `now` or `after 5/2`.
    pub fn after(&self, delay: Rational) -> Result<String, Overflow> {
        after(self.model, delay)
    }
}

/// `now` or `after 5/2`.
pub(crate) fn after(model: &Model, delay: Rational) -> Result<String, Overflow> {
    if delay.is_zero() {
        return Ok("now".to_owned());
    }
    Ok(format!("after {}", written(model, delay)?))
}

/// A move as it is written in models.
pub(crate) fn move_name(model: &Model, step: &Move) -> String {
    let call = |channel: ChannelId, mark: char, slots: &[i64]| {
        let name = &model.channels[channel].name;
        let values = rational_values(model, channel, slots);
        let values: Vec<String> = values.iter().map(Rational::to_string).collect();
        if values.is_empty() {
            format!("{name}{mark}")
        } else {
            format!("{name}{mark}({})", values.join(", "))
        }
    };
    match step.label {
        MoveLabel::Input(channel) => format!("`{}`", call(channel, '?', &step.arguments)),
        MoveLabel::Output(channel) => format!("`{}`", call(channel, '!', &step.arguments)),
        MoveLabel::Exchange(input, output) => {
            let (input, output) =
                (call(input, '?', &step.arguments), call(output, '!', &step.reply));
            format!("`{input} / {output}`")
        }
        MoveLabel::Internal(Hidden::Channel(channel)) => {
            format!("the internal `{}`", model.channels[channel].name)
        }
        MoveLabel::Internal(Hidden::Action(action)) => {
            format!("the internal `{}`", model.actions[action].name)
        }
        MoveLabel::Internal(_) => "an internal move".to_owned(),
    }
}
