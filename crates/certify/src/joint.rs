//! A test case and its model side by side, at one state of both.
//!
//! A *joint state* is a state of the model together with a place of the test case. The first clocks
//! of the test case are those of the model, so one valuation serves both. At each joint state,
//! unless a verdict ends the test there, model and test case must agree about which outputs are
//! possible and whether time may pass; the inputs of the test case must be possible in the model;
//! and what both agree on must lead to the same clock values. Where that holds at every joint state
//! that can be reached, the test case fails nothing but what does not conform, and at once.

use std::rc::Rc;

use tioga_base::Rational;
use tioga_model::Model;
use tioga_testcase::{Action, Shape, Side, TestCase, Verdict};

use crate::case_place::{CasePlace, places};
use crate::hope::Hope;
use crate::ray::Ray;
use crate::refutation::{Flaw, Refutation};
use crate::site::{Site, Sites};
use crate::valuation::{Valuation, written};
use crate::{Error, case_verdict};

/// A test case next to its model.
pub(crate) struct Joint<'m, 't, 'c> {
    pub sites: Sites<'m, 't>,
    pub case: &'c TestCase,
    pub places: Vec<CasePlace<'c>>,
    /// From where the goal can be reached, if the model is small enough to know.
    pub hope: Option<Hope>,
    /// What the moves of each site show.
    pub shown: Vec<Rc<[Shown]>>,
    /// How many joint states were looked at.
    pub states: u64,
    /// At how many of these a rule was looked at.
    pub advised: u64,
}

/// A joint state.
#[derive(Clone)]
pub(crate) struct At<'t> {
    pub site: Rc<Site<'t>>,
    pub place: usize,
    pub clocks: Valuation,
}

/// What a move shows; nothing if the tester does not see it.
pub(crate) type Shown = Option<(Side, Action)>;

/// What was found at a joint state.
pub(crate) struct Look<'t> {
    /// What the moves lead to, with their names; nothing if the test is over.
    pub next: Vec<Next<'t>>,
    /// Whether time passes for as long as was asked.
    pub passes: bool,
}

/// A move of both and where it leads.
pub(crate) struct Next<'t> {
    pub name: String,
    /// Whether it is the system's, or the tester's that the rule plays.
    pub intended: bool,
    pub at: At<'t>,
}

impl<'m, 't, 'c> Joint<'m, 't, 'c> {
    pub fn new(sites: Sites<'m, 't>, case: &'c TestCase, hope: Option<Hope>) -> Self {
        let (places, shown) = (places(case), Vec::new());
        Self { sites, case, places, hope, shown, states: 0, advised: 0 }
    }

    pub fn model(&self) -> &'m Model {
        self.sites.model()
    }

    /// The initial state and the first place.
    pub fn start(&mut self) -> Result<At<'t>, Error> {
        let site = self.sites.initial()?;
        let clocks = Valuation::zero(self.case.clocks.len());
        if !clocks.satisfies(&site.invariant)? {
            return Err(tioga_concrete::Error::NoInitialState.into());
        }
        Ok(At { site, place: 0, clocks })
    }

    /// Checks a joint state, and whether time passes for some delay within which nothing changes
    /// but at its end.
    pub fn look(&mut self, at: &At<'t>, delay: Option<Rational>) -> Result<Look<'t>, Error> {
        self.states += 1;
        let ray = Ray::from(&at.site, &at.clocks, &self.sites.claims().terms().objective)?;
        let place = &self.places[at.place];
        if !at.clocks.satisfies(&place.invariant)? {
            let story = "the specification gets here, but the invariant of the place does not hold";
            return Err(self.refute(at, Flaw::Unsound, story));
        }
        if case_verdict::check(self, at, &ray)? {
            return Ok(Look { next: Vec::new(), passes: false });
        }
        let mut next = self.moves(at)?;
        let passes = self.time(at, &ray, delay)?;
        if let Some(played) = self.rule(at, passes, &next)? {
            next[played].1.intended = true;
        }
        Ok(Look { next: next.into_iter().map(|(_, next)| next).collect(), passes })
    }

    /// Whether it is known that the goal cannot be reached from a state.
    pub fn is_lost(&self, site: &Site<'_>, clocks: &Valuation) -> Result<bool, Error> {
        let hope = self.hope.as_ref().map(|hope| hope.is_hopeful(site, clocks)).transpose()?;
        Ok(hope.flatten() == Some(false))
    }

    /// Compares whether time may pass, and says so.
    fn time(&self, at: &At<'t>, ray: &Ray, delay: Option<Rational>) -> Result<bool, Error> {
        // Where time changes nothing any more, any delay stands for all.
        let delay = delay.unwrap_or(Rational::ONE);
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

    /// Whether the goal can be reached from a joint state, if that is known.
    pub fn is_hopeful(&self, at: &At<'t>) -> Result<Option<bool>, Error> {
        let hope = self.hope.as_ref().map(|hope| hope.is_hopeful(&at.site, &at.clocks));
        Ok(hope.transpose()?.flatten())
    }

    pub fn named(&self, at: &At<'t>) -> Result<String, Error> {
        let own = Valuation(at.clocks.0[..self.model().clocks.len()].to_vec());
        let state = own.state(self.model(), &at.site.discrete)?;
        Ok(state.display(self.model()).to_string())
    }

    pub fn refute(&self, at: &At<'t>, flaw: Flaw, story: &str) -> Error {
        let model = self.model();
        let count = model.clocks.len();
        let own = Valuation(at.clocks.0[..count].to_vec());
        let state = match own.state(model, &at.site.discrete) {
            Ok(state) => state,
            Err(overflow) => return overflow.into(),
        };
        let mut message = format!(
            "in state {} at place {} `{}`",
            state.display(model),
            at.place,
            self.places[at.place].name
        );
        for (name, value) in self.case.clocks.iter().zip(&at.clocks.0).skip(count) {
            match written(model, *value) {
                Ok(value) => message += &format!(", {name}={value}"),
                Err(overflow) => return overflow.into(),
            }
        }
        message += &format!(": {story}");
        Error::Refuted(Box::new(Refutation { state: Some(state), flaw, message }))
    }
}

/// A verdict in words.
pub(crate) fn verdict_name(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        None => "no verdict",
        Some(Verdict::Pass) => "the verdict pass",
        Some(Verdict::Fail) => "the verdict fail",
        Some(Verdict::Inconclusive) => "the verdict inconclusive",
    }
}
