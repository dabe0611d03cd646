//! Comparing a model and a test case at a joint state: verdict, steps, time and rule.
//!
//! At each joint state, unless a verdict ends the test there, model and test case must agree about which
//! outputs are possible and whether time may pass; the inputs of the test case must be possible in
//! the model; and what both agree on must lead to the same clock values. Where that holds at every
//! joint state that can be reached, the test case fails nothing but what does not conform, and at
//! once.

use tioga_base::Rational;
use tioga_testcase::{Shape, Side};

use super::joint::{At, Joint, Next};
use super::verdict;
use crate::states::Ray;
use crate::{Error, Flaw};

/// What was found at a joint state.
pub(crate) struct Look<'t> {
    /// What the steps lead to, with their names; nothing if the test is over.
    pub next: Vec<Next<'t>>,
    /// Whether time passes for as long as was asked.
    pub passes: bool,
}

impl<'t> Joint<'_, 't, '_> {
    /// Checks a joint state, and whether time passes for some delay within which nothing changes
    /// but at its end.
    pub fn look(&mut self, at: &At<'t>, delay: Option<Rational>) -> Result<Look<'t>, Error> {
        self.states += 1;
        self.label(at)?;
        // Where time changes nothing any more, any delay stands for all.
        let whole = delay.unwrap_or(Rational::ONE);
        let objective = &self.known_states.claims().terms().objective;
        let ray = Ray::up_to(whole, &at.checked, &at.clocks, objective)?;
        let place = &self.places[at.place];
        if !at.clocks.satisfies(&place.invariant)? {
            let story = "the specification gets here, but the invariant of the place does not hold";
            return Err(self.refute(at, Flaw::Unsound, story));
        }
        if verdict::check(self, at, &ray)? {
            return Ok(Look { next: Vec::new(), passes: false });
        }
        let mut next = self.steps(at)?;
        let passes = self.time(at, &ray, whole)?;
        let rule = self.places[at.place].rule(&at.clocks)?;
        if let Some(played) = self.rule(at, passes, &next)? {
            next[played].1.intended = true;
        }
        self.advice(at, rule, &next, delay.filter(|_| passes))?;
        Ok(Look { next: next.into_iter().map(|(_, next)| next).collect(), passes })
    }

    /// Compares whether time may pass, and says so.
    fn time(&self, at: &At<'t>, ray: &Ray, delay: Rational) -> Result<bool, Error> {
        // What comes at the end of the delay may forbid it although time may pass before.
        for delay in [delay.div(Rational::integer(2))?, delay] {
            match (ray.allows(delay), self.places[at.place].lets_pass(&at.clocks, delay)?) {
                (true, false) => {
                    let story = "the specification lets time pass, but the test case does not: it \
                                 would fail a system that conforms";
                    return Err(self.refute(at, Flaw::Unsound, story));
                }
                (false, true) => {
                    let story = "the specification lets no more time pass, but the test case does: \
                                 it would not notice that an answer is overdue";
                    return Err(self.refute(at, Flaw::Lax, story));
                }
                _ => {}
            }
        }
        Ok(ray.allows(delay))
    }

    /// Checks what the tester is told to do; the position among `next` of what it is to send.
    fn rule(
        &mut self,
        at: &At<'t>,
        passes: bool,
        next: &[(usize, Next<'t>)],
    ) -> Result<Option<usize>, Error> {
        if self.case.shape == Shape::Automaton && self.places[at.place].rules.is_empty() {
            return Ok(None);
        }
        self.advised += 1;
        let place = &self.places[at.place];
        let Some(rule) = place.rule(&at.clocks)? else {
            let story = "no rule says what to do";
            return Err(self.refute(at, Flaw::Rule { rule: None }, story));
        };
        let flaw = Flaw::Rule { rule: Some(rule) };
        let Some(play) = place.rules[rule].1 else {
            let answers = next.iter().any(|(edge, _)| place.edges[*edge].by == Side::System);
            if !passes && !answers {
                let story = "the tester is told to wait, but time cannot pass and nothing happens";
                return Err(self.refute(at, flaw, story));
            }
            return Ok(None);
        };
        let edge = &place.edges[play];
        let same = |other: usize| {
            let other = &place.edges[other];
            (other.by, other.action) == (edge.by, edge.action)
        };
        let sent = next.iter().position(|(other, _)| same(*other));
        if sent.is_none() || !at.clocks.satisfies(&edge.guard)? {
            let name = &edge.action.channel;
            let story =
                format!("the tester is told to send `{name}?`, but its guard does not hold");
            return Err(self.refute(at, flaw, &story));
        }
        Ok(sent)
    }
}
