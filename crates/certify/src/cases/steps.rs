//! Comparing the steps of a model and a test case at a joint state.

use std::rc::Rc;

use tioga_base::{Id, Rational};
use tioga_concrete::{TraceEvent, label_of};
use tioga_model::Control;
use tioga_testcase::{Action, Shape, Side};

use super::joint::{At, Joint, Next, Shown};
use crate::states::{CheckedState, CheckedStep, Ray, Valuation, landing, step_name, written};
use crate::{Error, Flaw};

/// How many internal steps may follow each other at once.
const INSTANTS: usize = 1000;

/// A step that the model can make now.
struct Possible<'s, 't> {
    /// Its position among the steps of the checked state.
    position: usize,
    step: &'s CheckedStep<'t>,
    name: String,
    side: Side,
    action: &'s Action,
    /// The clocks after it.
    after: Valuation,
}

impl<'t> Joint<'_, 't, '_> {
    /// Compares the steps of both, and says what they lead to, with the positions of the edges.
    pub fn steps(&mut self, at: &At<'t>) -> Result<Vec<(usize, Next<'t>)>, Error> {
        let enabled = self.places[at.place].enabled(&at.clocks)?;
        self.unambiguous(at, &enabled)?;
        let shown = self.shown(&at.checked);
        let possible = self.possible(at, &shown)?;
        self.no_others(at, &possible, &enabled)?;
        let mut next: Vec<(usize, Next<'t>)> = Vec::new();
        for one in &possible {
            let Possible { side, action, name, .. } = one;
            let edges = &self.places[at.place].edges;
            let fits = |edge: &usize| edges[*edge].by == *side && edges[*edge].action == *action;
            match enabled.iter().copied().find(fits) {
                Some(edge) => {
                    let there = self.follow(at, one, edge)?;
                    let intended = *side == Side::System;
                    let (name, step) = (name.clone(), one.position);
                    next.push((edge, Next { name, step, intended, at: there }));
                }
                None if *side == Side::Tester => self.withheld(at, one)?,
                None => {
                    let story = format!(
                        "the specification allows {name}, but the test case does not expect it: \
                         it would fail a system that conforms"
                    );
                    return Err(self.refute(at, Flaw::Unsound, &story));
                }
            }
        }
        Ok(next)
    }

    /// What the steps of a checked state show.
    fn shown(&mut self, checked: &CheckedState<'_>) -> Rc<[Shown]> {
        while self.shown.len() < self.known_states.len() {
            let checked = self.known_states.at(self.shown.len());
            let model = self.model();
            let shown = checked.steps.iter().map(|step| {
                let side = match step.step.control {
                    Control::Controllable => Side::Tester,
                    Control::Uncontrollable => Side::System,
                };
                match label_of(model, &step.step) {
                    TraceEvent::Input(channel, values) | TraceEvent::Output(channel, values) => {
                        let values = values.iter().map(ToString::to_string).collect();
                        Some((side, Action { channel, values }))
                    }
                    TraceEvent::Exchange(..) | TraceEvent::Internal(_) => None,
                }
            });
            self.shown.push(shown.collect());
        }
        Rc::clone(&self.shown[checked.index])
    }

    /// The steps of the model that are possible now. Steps that look the same and lead to the same
    /// state are one.
    fn possible<'s>(
        &self,
        at: &'s At<'t>,
        shown: &'s [Shown],
    ) -> Result<Vec<Possible<'s, 't>>, Error> {
        let mut possible: Vec<Possible<'_, '_>> = Vec::new();
        for (position, (step, shown)) in at.checked.steps.iter().zip(shown).enumerate() {
            let Some(after) = landing(step, &at.clocks)? else { continue };
            let name = step_name(self.model(), &step.step);
            let Some((side, action)) = shown else {
                let why = format!("a tester cannot follow the model: it does not see {name}");
                return Err(Error::Unsupported(why));
            };
            let alike = possible.iter().find(|other| other.side == *side && other.action == action);
            if let Some(alike) = alike {
                if alike.step.target == step.target && alike.after == after {
                    continue;
                }
                let state = self.named(at)?;
                return Err(Error::Unsupported(format!(
                    "the model is not deterministic: there are two ways to play {name} in {state}"
                )));
            }
            possible.push(Possible { position, step, name, side: *side, action, after });
        }
        Ok(possible)
    }

    /// Checks that no two enabled edges show the same, unless they also do the same.
    fn unambiguous(&self, at: &At<'t>, enabled: &[usize]) -> Result<(), Error> {
        let edges = &self.places[at.place].edges;
        for (count, position) in enabled.iter().enumerate() {
            let one = &edges[*position];
            let clash = enabled[..count].iter().find(|other| {
                let other = &edges[**other];
                (other.by, other.action) == (one.by, one.action)
                    && (other.target, &other.assignments) != (one.target, &one.assignments)
            });
            if let Some(other) = clash {
                let name = &one.action.channel;
                let story =
                    format!("on `{name}` both edge {other} and edge {position} are enabled");
                return Err(self.refute(at, Flaw::Ambiguous, &story));
            }
        }
        Ok(())
    }

    /// Checks that the test case expects and sends nothing that is not possible.
    fn no_others(
        &self,
        at: &At<'t>,
        possible: &[Possible<'_, '_>],
        enabled: &[usize],
    ) -> Result<(), Error> {
        for edge in enabled.iter().map(|edge| &self.places[at.place].edges[*edge]) {
            if possible.iter().any(|one| (one.side, one.action) == (edge.by, edge.action)) {
                continue;
            }
            let name = &edge.action.channel;
            let (flaw, story) = match edge.by {
                Side::System => (
                    Flaw::Lax,
                    format!(
                        "the test case expects `{name}!`, which the specification does not allow: \
                         it would not notice a system that does not conform"
                    ),
                ),
                Side::Tester => (
                    Flaw::Input,
                    format!("the tester may send `{name}?`, which the specification does not take"),
                ),
            };
            return Err(self.refute(at, flaw, &story));
        }
        Ok(())
    }

    /// The joint state after a step of both.
    fn follow(
        &mut self,
        at: &At<'t>,
        one: &Possible<'_, 't>,
        position: usize,
    ) -> Result<At<'t>, Error> {
        let Possible { step, name, side, after, .. } = one;
        let checked = self.known_states.checked(&step.target)?;
        let (checked, after) = self.settled(checked, after.clone())?;
        let edge = &self.places[at.place].edges[position];
        let place = edge.target;
        let Some(clocks) = at.clocks.assigned(&edge.assignments)? else {
            let story = format!("{name} makes a clock of the test case negative");
            return Err(self.refute(at, Flaw::Clocks, &story));
        };
        let model = self.model();
        let mut own = model.clocks.ids().map(Id::index);
        if let Some(clock) = own.find(|clock| clocks.0[*clock] != after.0[*clock]) {
            let there = written(model, clocks.0[clock])?;
            let right = written(model, after.0[clock])?;
            let story = format!(
                "after {name} the clock `{}` is {right}, but the test case takes it for {there}",
                self.case.clocks[clock]
            );
            return Err(self.refute(at, Flaw::Clocks, &story));
        }
        if *side == Side::Tester && (step.fail || self.is_lost(&checked, &after)?) {
            let story = format!("the tester may send {name}, but that gives up the purpose");
            return Err(self.refute(at, Flaw::Input, &story));
        }
        Ok(At { checked, place, clocks })
    }

    /// The state after internal steps that come at once: time stands still, and nothing else can
    /// happen. A test case does not know of them, unless the test is over before.
    fn settled(
        &mut self,
        mut checked: Rc<CheckedState<'t>>,
        mut clocks: Valuation,
    ) -> Result<(Rc<CheckedState<'t>>, Valuation), Error> {
        for _ in 0..=INSTANTS {
            let [step] = &checked.steps[..] else { return Ok((checked, clocks)) };
            let hidden = matches!(label_of(self.model(), &step.step), TraceEvent::Internal(_));
            if !hidden || !checked.stops_time || checked.fail {
                return Ok((checked, clocks));
            }
            let objective = &self.known_states.claims().terms().objective;
            let ray = Ray::up_to(Rational::ZERO, &checked, &clocks, objective)?;
            let over = ray.now().goal || ray.now().forbidden;
            let Some(after) = landing(step, &clocks)?.filter(|_| !over) else {
                return Ok((checked, clocks));
            };
            let target = step.target.clone();
            (checked, clocks) = (self.known_states.checked(&target)?, after);
        }
        let why = "internal steps follow each other without end in no time".to_owned();
        Err(Error::Unsupported(why))
    }

    /// Checks that an input without an edge is one that a test case may leave out: one that leaves
    /// the choice open has all that keep the purpose in reach (BJSK12 5.2).
    fn withheld(&mut self, at: &At<'t>, one: &Possible<'_, 't>) -> Result<(), Error> {
        let name = &one.name;
        let checked = self.known_states.checked(&one.step.target)?;
        let there = At { checked, place: at.place, clocks: one.after.clone() };
        if self.case.shape == Shape::Automaton && self.is_hopeful(&there)? == Some(true) {
            let story =
                format!("the tester may not send {name}, but it keeps the purpose in reach");
            return Err(self.refute(at, Flaw::Input, &story));
        }
        Ok(())
    }
}
