//! Whether the rules of a test case lower the rank, and say which rank it is (HJM22 Def. 24).
//!
//! At each joint state the rule has the rank of the state. *Play* leads to a lower rank, and the system
//! can do no harm at that moment. *Wait* is right if the system is cornered; or if it can do no harm,
//! and a step of it or the next moment in time leads to a lower rank. Where the next moment has the
//! same rank, it is looked at by itself: so waiting ends. Steps of the system that lower the rank now
//! are awaited.
//!
//! A tree may give up where it gets no nearer: after a step of the system that does not lower the
//! rank, when time raises the rank, and when an awaited answer does not come.

use tioga_base::Rational;
use tioga_testcase::{Concept, Rank, Scope, Shape, Side, Verdict};

use super::joint::{At, Joint, Next};
use crate::ranks::{below, cornered, within};
use crate::states::{Piece, Ray};
use crate::{Error, Flaw};

impl<'t> Joint<'_, 't, '_> {
    /// The position of the region of a joint state and its rank, if they are known.
    pub fn standing(&self, at: &At<'t>) -> Result<Option<(usize, Option<Rank>)>, Error> {
        let (Some(hope), Some(ranks)) = (&self.hope, &self.ranks) else { return Ok(None) };
        let position = hope.position(&at.checked, &at.clocks)?;
        Ok(position.map(|position| (position, ranks[position])))
    }

    /// Checks the rule that applies at a joint state, and where the test gives up from there.
    pub fn advice(
        &self,
        at: &At<'t>,
        rule: Option<usize>,
        next: &[(usize, Next<'t>)],
        later: Option<Rational>,
    ) -> Result<(), Error> {
        let Some((position, Some(rank))) = self.standing(at)? else { return Ok(()) };
        let (Some(hope), Some(ranks)) = (&self.hope, &self.ranks) else { return Ok(()) };
        let ray = hope.ray(position, ranks);
        self.gives_up(at, &ray, rank, next, later)?;
        let Some(rule) = rule else { return Ok(()) };
        let said = &self.case.places[at.place].rules[rule];
        let [risks, losses, steps] = said.rank;
        let claimed = Rank { risks, losses, steps };
        if claimed != rank {
            let story = format!("rule {rule} is one for rank {claimed:#}, but {rank:#} is right");
            let flaw = Flaw::Rank { claimed: Some(claimed), right: Some(rank) };
            return Err(self.refute(at, flaw, &story));
        }
        let wrong = match said.play {
            Some(play) => self.play(&ray, rank, play, next),
            None => self.unawaited(&ray, rank, &said.awaited, next),
        };
        let wrong = match wrong {
            None if said.play.is_none() => self.wait(at, &ray, rank, position, later)?,
            wrong => wrong,
        };
        match wrong {
            None => Ok(()),
            Some(story) => {
                let story = format!("rule {rule} for rank {rank:#} is wrong: {story}");
                Err(self.refute(at, Flaw::Rule { rule: Some(rule) }, &story))
            }
        }
    }

    fn play(&self, ray: &Ray, rank: Rank, play: u32, next: &[(usize, Next<'t>)]) -> Option<String> {
        let (_, played) = next.iter().find(|(edge, _)| *edge == play as usize)?;
        let landing = ray.now().landings.iter().find(|one| one.position == played.step)?;
        if !within(landing.rank, below(rank)) {
            return Some(format!("{} does not lead to a lower rank", played.name));
        }
        self.harm(ray.now(), rank)
    }

    /// What the system can do at a piece that must not happen before the rank is lowered.
    fn harm(&self, piece: &Piece, rank: Rank) -> Option<String> {
        let harm = if rank.is_controlled() {
            piece.leaving(false, below(rank))
        } else if self.scope == Scope::SafetyFirst && rank.losses > 0 {
            piece.risk()
        } else {
            None
        };
        if harm.is_some() {
            return Some("the system may move elsewhere first".to_owned());
        }
        piece.forbidden.then(|| "the purpose forbids to be here".to_owned())
    }

    /// What lowers the rank but is not awaited.
    fn unawaited(
        &self,
        ray: &Ray,
        rank: Rank,
        awaited: &[u32],
        next: &[(usize, Next<'t>)],
    ) -> Option<String> {
        next.iter().find_map(|(edge, one)| {
            let landing = ray.now().landings.iter().find(|own| own.position == one.step)?;
            let lowers = !landing.input && within(landing.rank, below(rank));
            let known = awaited.iter().any(|own| *own as usize == *edge);
            (lowers && !known).then(|| format!("it does not await {}, which leads on", one.name))
        })
    }

    fn wait(
        &self,
        at: &At<'t>,
        ray: &Ray,
        rank: Rank,
        position: usize,
        later: Option<Rational>,
    ) -> Result<Option<String>, Error> {
        let lower = below(rank);
        if rank.is_controlled() && cornered(ray, lower, Concept::Fair).is_some() {
            return Ok(None);
        }
        if let Some(harm) = self.harm(ray.now(), rank) {
            return Ok(Some(format!("while the tester waits, {harm}")));
        }
        if !rank.is_controlled() && ray.now().leading_to(false, lower).is_some() {
            return Ok(None);
        }
        // Samples may skip regions, so there only what happens now is known.
        if !self.stepwise {
            return Ok(None);
        }
        let forever = Some("waiting need not lead to a lower rank".to_owned());
        let Some(later) = later else { return Ok(forever) };
        let there = At { clocks: at.clocks.later(later)?, ..at.clone() };
        let Some((next, then)) = self.standing(&there)? else { return Ok(None) };
        if within(then, lower) {
            // An interval is entered at no first moment, so it must be safe throughout.
            let (Some(hope), Some(ranks)) = (&self.hope, &self.ranks) else { return Ok(None) };
            let entered = next != position && hope.is_open(next);
            let harm = entered.then(|| self.harm(hope.ray(next, ranks).now(), rank)).flatten();
            return Ok(harm.map(|harm| format!("when time has passed, {harm}")));
        }
        Ok(if then == Some(rank) { None } else { forever })
    }

    /// Whether the test is inconclusive at a joint state although the purpose is in reach.
    fn is_given_up(&self, at: &At<'t>) -> Result<bool, Error> {
        let verdict = self.places[at.place].verdict(&at.clocks)?;
        let standing = self.standing(at)?.and_then(|(_, rank)| rank);
        let tree = self.case.shape == Shape::Tree;
        let ahead = standing.is_some_and(|rank| rank != Rank::ZERO);
        Ok(tree && ahead && verdict == Some(Verdict::Inconclusive))
    }

    /// Checks that the test does not give up before it begins.
    pub fn begins(&mut self) -> Result<(), Error> {
        let start = self.start()?;
        if self.is_given_up(&start)? {
            return Err(self.early(&start, "the test gives up before it begins"));
        }
        Ok(())
    }

    fn early(&self, at: &At<'t>, story: &str) -> Error {
        let flaw = Flaw::Verdict { claimed: Some(Verdict::Inconclusive), right: None };
        self.refute(at, flaw, &format!("{story}, but the purpose is in reach"))
    }

    /// Checks that the test gives up after this joint state only where it gets no nearer.
    fn gives_up(
        &self,
        at: &At<'t>,
        ray: &Ray,
        rank: Rank,
        next: &[(usize, Next<'t>)],
        later: Option<Rational>,
    ) -> Result<(), Error> {
        for (edge, one) in next {
            if !self.is_given_up(&one.at)? {
                continue;
            }
            let landing = ray.now().landings.iter().find(|own| own.position == one.step);
            let nearer = landing.is_some_and(|landing| within(landing.rank, below(rank)));
            if nearer || self.places[at.place].edges[*edge].by == Side::Tester {
                let story = format!("the test gives up after {}, which leads on", one.name);
                return Err(self.early(at, &story));
            }
        }
        let Some(later) = later.filter(|_| self.stepwise) else { return Ok(()) };
        let there = At { clocks: at.clocks.later(later)?, ..at.clone() };
        if !self.is_given_up(&there)? {
            return Ok(());
        }
        let raised = self.standing(&there)?.is_some_and(|(_, then)| then > Some(rank));
        let place = &self.case.places[at.place];
        let rule = self.places[at.place].rule(&there.clocks)?.map(|rule| &place.rules[rule]);
        let awaiting = rule.is_some_and(|rule| rule.play.is_none() && !rule.awaited.is_empty());
        let measured = self.case.clocks.len() > self.model().clocks.len();
        if raised || awaiting && measured {
            return Ok(());
        }
        Err(self.early(&there, "the test gives up while it awaits no answer"))
    }
}
