//! A test case next to a model of which the tester does not see everything.
//!
//! That it is sound is checked for every run of the model, one by one (module `every_run`). What needs all runs
//! that explain an observation at once is checked by random plays: after each observation the model may be in one of several states, which
//! [`Observer`] follows by the reference semantics. What any of them
//! allows must be expected, what is sent must be taken by one of them, and a test passes only if one
//! of them has reached the goal. If the test case claims to be exact, it expects nothing else, and
//! it passes where all of them have reached the goal. Moments are multiples of half a time unit of
//! the model.

use fastrand::Rng;
use tioga_base::{Budget, Rational};
use tioga_concrete::{Observable, Observed, Observer, Semantics, State, rational_values};
use tioga_model::{Model, Objective, StepLabel};
use tioga_testcase::{
    Action, Concept, Followed, Follower, Intention, Scope, Side, Terms, TestCase, Verdict,
};

use super::every_run::{self, Walked};
use super::form;
use super::hope::Hope;
use super::own_game;
use crate::states::{CheckedStates, Claims, Ray, Valuation};
use crate::{CheckCoverage, CheckOptions, CheckReport, Error, Extent, Flaw, Refutation};

/// How many internal steps a run may have that is followed.
const INTERNAL_STEPS: u32 = 6;

/// How much work a play may be.
const WORK: u64 = 20_000;

/// Checks a test case against a model of which the tester does not see everything: that it is sound in all
/// regions if there are few enough, and the rest by random plays.
///
/// The same model, objective, test case and options give the same answer. Ranks and rules are about what the tester knows,
/// not about states of the model, so they are checked in the game that the test case is itself (module `own_game`).
///
/// # Errors
/// [`Error::Refuted`] says what is wrong and how to get there.
pub fn check_observed(
    model: &Model,
    objective: &Objective,
    case: &TestCase,
    options: &CheckOptions,
) -> Result<CheckReport, Error> {
    let malformed = case.flaw().or_else(|| form::unrelated_flaw(model, case));
    if let Some(message) = malformed {
        let flaw = Flaw::Malformed;
        return Err(Error::Refuted(Box::new(Refutation { state: None, flaw, message })));
    }
    let (concept, scope) = (Concept::Fair, Scope::Cooperative);
    let terms = Terms { objective: objective.clone(), concept, scope };
    let mut known_states = CheckedStates::new(model, Claims::None(&terms), options.span);
    let walked = match options.extent {
        Extent::Feasible => {
            let hope = Hope::find(&mut known_states, objective, options)?;
            every_run::check(&mut known_states, case, hope.as_ref(), options)?
        }
        Extent::Sampled => Walked::TooMany,
    };
    let mut check = Check { model, case, known_states, states: 0, path: Vec::new() };
    let mut random = Rng::with_seed(options.seed);
    for _ in 0..options.plays {
        if options.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        check.path.clear();
        match check.play(&mut random, options.steps) {
            // What is too much work to follow is left out.
            Ok(()) | Err(Error::Semantics(tioga_concrete::Error::Limit(_))) => {}
            Err(error) => return Err(error),
        }
    }
    let advice = own_game::check(case, options)?;
    let regions = match walked {
        Walked::All(regions) => regions,
        Walked::TooMany => 0,
    };
    let rules = case.places.iter().any(|place| !place.rules.is_empty());
    let left_open = match (regions > 0, rules, &advice) {
        (true, false, _) => {
            "no run of the model is failed in any region; the tester does not see \
             everything, so whether nothing else is expected was checked by the plays only"
        }
        (true, true, Some(_)) => {
            "no run of the model is failed in any region; the tester does not see \
             everything, so whether nothing else is expected was checked by the plays only, and \
             whether other inputs need less cooperation was not checked"
        }
        (true, true, None) => {
            "no run of the model is failed in any region; the tester does not see \
             everything, so whether nothing else is expected was checked by the plays only, and \
             ranks and rules were not checked"
        }
        (false, false, _) => "the tester does not see everything, so random plays were compared",
        (false, true, Some(_)) => {
            "the tester does not see everything, so random plays were compared; whether other \
             inputs need less cooperation was not checked"
        }
        (false, true, None) => {
            "the tester does not see everything, so random plays were compared; ranks and rules \
             were not checked"
        }
    };
    Ok(CheckReport {
        coverage: CheckCoverage::Sampled { regions, plays: options.plays, points: 0 },
        states: check.states + regions,
        advised: advice.map_or(0, |report| report.advised),
        discrete_states: check.known_states.len(),
        exact: false,
        left_open: Some(left_open),
    })
}

/// A visible step: its side, its name in the model, and the reaction of the test case.
type Step = (Side, Observable, Action);

struct Check<'m, 't, 'c> {
    model: &'m Model,
    case: &'c TestCase,
    known_states: CheckedStates<'m, 't>,
    /// How many observations were compared.
    states: u64,
    /// What was observed.
    path: Vec<String>,
}

impl<'m> Check<'m, '_, '_> {
    fn play(&mut self, random: &mut Rng, steps: u32) -> Result<(), Error> {
        let budget = Budget::steps(WORK);
        let denominator = self.model.scale.saturating_mul(2);
        let semantics = Semantics::new(self.model);
        let mut observer = Observer::new(semantics, denominator, INTERNAL_STEPS, budget)?;
        let mut follower = Follower::new(self.case);
        for _ in 0..steps {
            self.states += 1;
            if self.verdict(&observer, &follower)? {
                return Ok(());
            }
            let (outputs, inputs) = self.actions(&mut observer, &follower)?;
            let intention = follower.intention()?;
            let mut choices = outputs;
            match &intention {
                Intention::Send(action) => {
                    choices.extend(inputs.into_iter().filter(|(_, _, own)| own == action));
                }
                Intention::Open(_) => choices.extend(inputs),
                Intention::Wait { .. } => {}
            }
            let waits = !matches!(intention, Intention::Send(_)) || choices.is_empty();
            if waits && (choices.is_empty() || random.bool()) {
                if !self.wait(&mut observer, &mut follower, random)? {
                    return Ok(());
                }
            } else if !choices.is_empty() {
                let (side, seen, action) = choices.swap_remove(random.usize(..choices.len()));
                observer.observe(&Observed::Action(seen))?;
                let mark = if side == Side::Tester { '?' } else { '!' };
                self.path.push(format!("`{action}{mark}`"));
                if let Followed::Over { .. } = follower.act(side, &action)? {
                    self.verdict(&observer, &follower)?;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Lets time pass for both; whether the test goes on.
    fn wait(
        &mut self,
        observer: &mut Observer<'m>,
        follower: &mut Follower<'_>,
        random: &mut Rng,
    ) -> Result<bool, Error> {
        let halves = random.i64(1..=2 * follower.largest_constant()?.ceil().clamp(1, 1000) + 2);
        let delay = Rational::new(halves, self.model.scale.saturating_mul(2))?;
        let mut later = observer.clone();
        later.observe(&Observed::Delay(delay))?;
        let followed = follower.delay(delay)?;
        match followed {
            Followed::Over { verdict: Verdict::Fail, reason, .. } if !later.is_empty() => {
                let story = format!(
                    "the specification lets {delay} pass, but the test case fails: {reason}"
                );
                Err(self.refute(Flaw::Unsound, &story))
            }
            Followed::Going if later.is_empty() && later.is_complete() => {
                if self.case.summary.exact {
                    let story = format!(
                        "the specification does not let {delay} pass, but the test case does, and \
                         its summary calls verdicts exact"
                    );
                    return Err(self.refute(Flaw::Lax, &story));
                }
                Ok(false)
            }
            Followed::Going => {
                *observer = later;
                self.path.push(format!("{delay}"));
                Ok(!observer.is_empty())
            }
            Followed::Over { .. } | Followed::Unplanned => Ok(false),
        }
    }

    /// Compares the verdict; whether the test is over.
    fn verdict(&mut self, observer: &Observer<'m>, follower: &Follower<'_>) -> Result<bool, Error> {
        let verdict = follower.verdict()?.map(|(verdict, _)| verdict);
        let states: Vec<State> = observer.states().cloned().collect();
        if states.is_empty() || !observer.is_complete() {
            return Ok(verdict.is_some());
        }
        let mut reached = 0;
        for state in &states {
            reached += usize::from(self.is_goal(state)?);
        }
        let (claimed, all) = (verdict, reached == states.len());
        if verdict == Some(Verdict::Pass) && reached == 0 {
            let flaw = Flaw::Verdict { claimed, right: None };
            let story = "the test passes, but no state that explains this has reached the purpose";
            return Err(self.refute(flaw, story));
        }
        // It may go on to a surer pass: a view groups states, and may not tell those apart that accept.
        let ends = verdict.is_some_and(|verdict| verdict != Verdict::Pass);
        if self.case.summary.exact && all && ends {
            let flaw = Flaw::Verdict { claimed, right: Some(Verdict::Pass) };
            let story = "every state that explains this has reached the purpose, but the test does \
                         not pass";
            return Err(self.refute(flaw, story));
        }
        if verdict == Some(Verdict::Inconclusive) && !self.case.summary.may_be_inconclusive {
            let story = "the test ends inconclusively, but its summary says that it never does";
            return Err(self.refute(Flaw::Summary, story));
        }
        Ok(verdict.is_some())
    }

    fn is_goal(&mut self, state: &State) -> Result<bool, Error> {
        let checked = self.known_states.checked(&state.discrete)?;
        let scale = Rational::integer(self.model.scale);
        let clocks: Result<Vec<Rational>, _> =
            state.clocks.iter().map(|value| value.mul(scale)).collect();
        let objective = &self.known_states.claims().terms().objective;
        Ok(Ray::up_to(Rational::ZERO, &checked, &Valuation(clocks?), objective)?.now().goal)
    }

    /// Compares what may happen now, and says what both can do.
    fn actions(
        &mut self,
        observer: &mut Observer<'m>,
        follower: &Follower<'_>,
    ) -> Result<(Vec<Step>, Vec<Step>), Error> {
        let named = |seen: Observable| {
            let (side, channel) = match seen.label {
                StepLabel::Output(channel) => (Side::System, channel),
                StepLabel::Input(channel) => (Side::Tester, channel),
                _ => return None,
            };
            let values = rational_values(self.model, channel, &seen.arguments);
            let action = Action::new(self.model.channels[channel].name.as_str(), &values);
            Some((side, seen, action))
        };
        let outputs: Vec<_> = observer.outputs()?.into_iter().filter_map(named).collect();
        let inputs: Vec<_> = observer.inputs()?.into_iter().filter_map(named).collect();
        let complete = observer.is_complete();
        for (_, _, action) in &outputs {
            if !has_edge(follower, Side::System, action)? {
                let story = format!(
                    "the specification allows `{action}!`, but the test case does not expect it: it \
                     would fail a system that conforms"
                );
                return Err(self.refute(Flaw::Unsound, &story));
            }
        }
        let mut sent = Vec::new();
        for edge in &follower.place().edges {
            let known = if edge.by == Side::System { &outputs } else { &inputs };
            let possible = known.iter().find(|(_, _, action)| *action == edge.action);
            if !has_edge(follower, edge.by, &edge.action)? {
                continue;
            }
            match (possible, edge.by) {
                (Some(one), Side::Tester) => sent.push(one.clone()),
                (Some(_), Side::System) => {}
                (None, Side::Tester) if complete => {
                    let story = format!(
                        "the tester may send `{}?`, which the specification does not take",
                        edge.action
                    );
                    return Err(self.refute(Flaw::Input, &story));
                }
                (None, Side::System) if complete && self.case.summary.exact => {
                    let story = format!(
                        "the test case expects `{}!`, which the specification does not allow, and \
                         its summary calls verdicts exact",
                        edge.action
                    );
                    return Err(self.refute(Flaw::Lax, &story));
                }
                _ => {}
            }
        }
        Ok((outputs, sent))
    }

    fn refute(&self, flaw: Flaw, story: &str) -> Error {
        let path = if self.path.is_empty() { "nothing".into() } else { self.path.join(", ") };
        let message = format!("after {path}: {story}");
        Error::Refuted(Box::new(Refutation { state: None, flaw, message }))
    }
}

/// Whether a test case has an edge for an action now.
fn has_edge(follower: &Follower<'_>, side: Side, action: &Action) -> Result<bool, Error> {
    let windows = match side {
        Side::System => follower.expected()?,
        Side::Tester => follower.openings()?,
    };
    Ok(windows.iter().any(|(own, when)| *own == action && when.contains(Rational::ZERO)))
}
