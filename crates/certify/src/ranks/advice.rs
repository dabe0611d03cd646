//! Whether the advice for a state lowers its rank, whatever the system does (HJM22 Def. 24).
//!
//! In a state of rank `r`:
//! - *play* is a step of the tester that is possible now and leads to a lower rank. If `r` is the
//!   tester's to lower, the system has no other step at this moment that does not; with safety
//!   first no risk is taken unless `r` says so;
//! - *wait*: if `r` is the tester's to lower, the system is cornered, or nothing bad comes before
//!   time leads to a lower rank or the advice to such a play. Otherwise some step of the system,
//!   time or a later input leads to a lower rank. Steps of the system that lower the rank now are
//!   awaited, and the others are feared.
//!
//! If the objective says what to avoid, the tester stays among the states without a rank.
//!
//! When this holds in every state that can come up, each play that follows the advice lowers the
//! rank with every step, up to a control loss or the goal. Only a cornered system of a fair game may
//! let time raise the rank, by missing a chance to act; fairness says that it will not do so for
//! ever.

use tioga_base::Overflow;
use tioga_testcase::{Advice, Rank, Rule, Scope, Terms};

use super::hierarchy::{avoids, below, cornered, within};
use super::teller::Teller;
use crate::states::{CheckedStep, Landing, Piece, Ray};

/// What is wrong with the advice for the first state of a ray, if anything.
///
/// `risks` says whether risks matter: they are unknown if the table is not complete.
pub(crate) fn flaw(teller: &Teller<'_>, risks: bool) -> Result<Option<String>, Overflow> {
    let judge = Judge { teller, risks, terms: teller.terms, ray: teller.ray };
    let found = if avoids(&judge.terms.objective) { judge.avoiding() } else { judge.reaching() };
    found.err().map(|flaw| judge.tell(flaw)).transpose()
}

/// What is wrong with a piece of advice.
enum Wrong {
    /// In itself.
    Plain(String),
    /// What happens at a piece because of a step.
    Step(&'static str, usize, Landing),
    /// What happens at a piece.
    Piece(&'static str, usize),
}

struct Judge<'a> {
    teller: &'a Teller<'a>,
    risks: bool,
    terms: &'a Terms,
    ray: &'a Ray,
}

impl Judge<'_> {
    fn tell(&self, wrong: Wrong) -> Result<String, Overflow> {
        let when = |at: usize| self.teller.after(self.ray.pieces[at].delay);
        Ok(match wrong {
            Wrong::Plain(text) => text,
            Wrong::Piece(text, at) => format!("{text} {}", when(at)?),
            Wrong::Step(text, at, landing) => {
                format!("{text} {}", self.teller.leading(landing, &when(at)?))
            }
        })
    }

    fn rule(&self, piece: &Piece) -> Option<&Rule> {
        self.teller.checked.said.ranks().zip(piece.rule).map(|(ranked, rule)| &ranked.rules[rule])
    }

    fn waits(&self, piece: &Piece) -> bool {
        matches!(self.rule(piece).map(|rule| &rule.advice), None | Some(Advice::Wait { .. }))
    }

    fn reaching(&self) -> Result<(), Wrong> {
        let now = self.ray.now();
        // Without a rank there is nothing to hope for, and any advice will do.
        let Some(rank) = now.rank else { return Ok(()) };
        let rule = self.rule(now);
        if let Some(rule) = rule.filter(|rule| rule.rank != rank) {
            let says = self.teller.rank(Some(rule.rank));
            return Err(Wrong::Plain(format!("the rule is one for {says}")));
        }
        match rule.map(|rule| &rule.advice) {
            None | Some(Advice::Done) if rank == Rank::ZERO => Ok(()),
            _ if rank == Rank::ZERO => {
                Err(Wrong::Plain("it goes on although the objective holds".to_owned()))
            }
            Some(Advice::Done) => {
                Err(Wrong::Plain("it ends although the objective does not hold".to_owned()))
            }
            Some(Advice::Play(index)) => self.play(0, *index, rank),
            Some(Advice::Wait { awaited, feared }) => {
                self.expectations(rank, awaited, feared)?;
                self.wait(rank)
            }
            None => self.wait(rank),
        }
    }

    /// Whether a step may be played at a piece.
    fn play(&self, at: usize, index: u32, rank: Rank) -> Result<(), Wrong> {
        let landing = self.input(at, index)?;
        if !within(landing.rank, below(rank)) {
            return Err(Wrong::Step("the tester would", at, landing));
        }
        self.nothing_bad(at, rank)
    }

    /// The landing of a step of the tester that is possible at a piece.
    fn input(&self, at: usize, index: u32) -> Result<Landing, Wrong> {
        let piece = &self.ray.pieces[at];
        match self.is_input(index) {
            None => Err(Wrong::Plain(format!("there is no step {index}"))),
            Some(false) => Err(Wrong::Plain(format!("the move {index} is the system's"))),
            Some(_) => {
                let found = piece.landings.iter().find(|landing| landing.index == index);
                found.copied().ok_or(Wrong::Piece("the step to play is not possible", at))
            }
        }
    }

    /// Whether the step at a position of the enumeration is the tester's, if there is one.
    fn is_input(&self, index: u32) -> Option<bool> {
        let mut steps = self.teller.checked.steps.iter();
        steps.find(|step| step.index == index).map(CheckedStep::is_input)
    }

    /// That the system can do no harm at a piece.
    fn nothing_bad(&self, at: usize, rank: Rank) -> Result<(), Wrong> {
        let piece = &self.ray.pieces[at];
        let harm = if rank.is_controlled() {
            piece.leaving(false, below(rank))
        } else if self.terms.scope == Scope::SafetyFirst && rank.losses > 0 && self.risks {
            piece.risk()
        } else {
            None
        };
        match harm {
            Some(landing) => Err(Wrong::Step("the system may", at, landing)),
            None if piece.forbidden => Err(Wrong::Piece("the objective forbids the state", at)),
            None => Ok(()),
        }
    }

    /// Whether waiting from now on is right.
    fn wait(&self, rank: Rank) -> Result<(), Wrong> {
        let t = below(rank);
        if rank.is_controlled() && cornered(self.ray, t, self.terms.concept).is_some() {
            return Ok(());
        }
        for (at, piece) in self.ray.pieces.iter().enumerate() {
            if at > 0 && within(piece.rank, t) {
                // An open interval is entered at no first moment, so it must be safe throughout.
                return if piece.open { self.nothing_bad(at, rank) } else { Ok(()) };
            }
            if at > 0 && !self.waits(piece) {
                return match self.rule(piece).map(|rule| &rule.advice) {
                    Some(Advice::Play(index)) => self.play(at, *index, rank),
                    _ => Err(Wrong::Piece("the rule ends the game without the objective", at)),
                };
            }
            self.nothing_bad(at, rank)?;
            if !rank.is_controlled() && piece.leading_to(false, t).is_some() {
                return Ok(());
            }
        }
        Err(Wrong::Plain("waiting need not lead to a lower rank".to_owned()))
    }

    /// Whether the steps possible now are the ones to hope for and to fear.
    fn expectations(&self, rank: Rank, awaited: &[u32], feared: &[u32]) -> Result<(), Wrong> {
        for index in awaited.iter().chain(feared) {
            if self.is_input(*index) != Some(false) {
                return Err(Wrong::Plain(format!("there is no step {index} of the system")));
            }
        }
        for landing in self.ray.now().landings.iter().filter(|landing| !landing.input) {
            let lowers = within(landing.rank, below(rank));
            let (hoped, feared) =
                (awaited.contains(&landing.index), feared.contains(&landing.index));
            if lowers && !hoped {
                return Err(Wrong::Step("it does not await that the system may", 0, *landing));
            }
            if !lowers && !feared {
                return Err(Wrong::Step("it does not fear that the system may", 0, *landing));
            }
        }
        Ok(())
    }

    fn avoiding(&self) -> Result<(), Wrong> {
        if self.ray.now().rank.is_some() {
            return Ok(());
        }
        for (at, piece) in self.ray.pieces.iter().enumerate() {
            if piece.forbidden {
                return Ok(());
            }
            if piece.rank.is_some() {
                return Err(Wrong::Piece("waiting leads to where the system wins", at));
            }
            if let Some(landing) =
                piece.landings.iter().find(|one| !one.input && one.rank.is_some())
            {
                return Err(Wrong::Step("the system may", at, *landing));
            }
            match self.rule(piece).map(|rule| &rule.advice) {
                None | Some(Advice::Wait { .. }) => {}
                Some(Advice::Done) => {
                    return Err(Wrong::Piece("it ends although it must still take care", at));
                }
                Some(Advice::Play(index)) => {
                    let landing = self.input(at, *index)?;
                    return match landing.rank {
                        None => Ok(()),
                        Some(_) => Err(Wrong::Step("the tester would", at, landing)),
                    };
                }
            }
        }
        Ok(())
    }
}
