//! A test case that follows one word, next to the model, by plays with exact time.
//!
//! Test cases of words of grids, of tests of machines and of confirming sequences know where the model is because
//! they go one way. Whatever made them, they must agree with the reference semantics: what the model allows is
//! expected and nothing else is, what is sent is taken, and time passes as far as the model lets it. In half of the
//! plays the tester is on time and the system does anything it may; in the others the tester is late, too.

use std::collections::BTreeSet;

use fastrand::Rng;
use tioga_base::Rational;
use tioga_concrete::{Observable, Semantics, State, TraceEvent, observable, rational_values};
use tioga_model::{ChannelId, Model, Step, StepLabel};
use tioga_testcase::{Action, Followed, Follower, Intention, Side, TestCase, Verdict};

use crate::{CheckCoverage, CheckOptions, CheckReport, Error, Flaw, Refutation};

/// Something that happened in a play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Played {
    /// Time passed.
    Delay(Rational),
    /// One side made a move.
    Action(Side, Action),
}

/// What a pass means: why it is wrong after these events, if it is.
pub type Judge<'j> = dyn FnMut(&[Played]) -> Option<String> + 'j;

/// Checks a test case that follows one word by plays. `judge` says whether a play may pass.
///
/// # Errors
/// [`Error::Refuted`] says what is wrong and how to get there.
pub fn check_plays(
    model: &Model,
    case: &TestCase,
    options: &CheckOptions,
    judge: &mut Judge<'_>,
) -> Result<CheckReport, Error> {
    if let Some(message) = case.flaw() {
        let flaw = Flaw::Malformed;
        return Err(Error::Refuted(Box::new(Refutation { state: None, flaw, message })));
    }
    let mut random = Rng::with_seed(options.seed);
    let mut met = BTreeSet::new();
    let (mut states, mut passed, mut chosen) = (0, false, false);
    for play in 0..options.plays {
        if options.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let mut semantics = Semantics::new(model);
        let start = BTreeSet::from([semantics.initial()?]);
        let mut run = Run {
            case,
            semantics,
            now: start,
            pending: None,
            follower: Follower::new(case),
            events: Vec::new(),
            on_time: play % 2 == 0,
            // The first play does what is awaited.
            willing: play == 0,
            chosen: false,
        };
        for _ in 0..3 * case.places.len() + 10 {
            states += 1;
            met.insert(run.now.iter().next().map(|state| state.discrete.clone()));
            if !run.step(&mut random, judge, &mut passed)? {
                break;
            }
        }
        chosen |= run.chosen;
    }
    if !passed && !chosen {
        let message = "no play passes".to_owned();
        let flaw = Flaw::Verdict { claimed: None, right: Some(Verdict::Pass) };
        return Err(Error::Refuted(Box::new(Refutation { state: None, flaw, message })));
    }
    Ok(CheckReport {
        coverage: CheckCoverage::Sampled { regions: 0, plays: options.plays, points: 0 },
        states,
        advised: states,
        discrete_states: met.len(),
        exact: false,
        left_open: Some(match passed {
            true => "plays were sampled, and ranks were not checked",
            false => "plays were sampled, and none of them passed",
        }),
    })
}

struct Run<'m, 'c> {
    case: &'c TestCase,
    semantics: Semantics<'m>,
    /// The states that the model may be in.
    now: BTreeSet<State>,
    /// Steps that took the last input and have not answered yet.
    pending: Option<Vec<(State, Step)>>,
    follower: Follower<'c>,
    events: Vec<Played>,
    /// Whether the tester sends what it wants to send at once.
    on_time: bool,
    /// Whether the system does what the test case awaits.
    willing: bool,
    /// Whether the system chose what to do, or when.
    chosen: bool,
}

/// A step of the model, with what is seen of it.
type Offer = (State, Step, Action);

impl Run<'_, '_> {
    /// Compares what may happen, and does one thing; whether the play goes on.
    fn step(
        &mut self,
        random: &mut Rng,
        judge: &mut Judge<'_>,
        passed: &mut bool,
    ) -> Result<bool, Error> {
        if let Some((verdict, _)) = self.follower.verdict()? {
            return self.over(verdict, judge, passed).map(|()| false);
        }
        let outputs = self.outputs()?;
        self.compare_outputs(&outputs)?;
        let mut waiting = None;
        let mut sent = None;
        let mut awaited = Vec::new();
        match self.follower.intention()? {
            Intention::Send(action) if self.pending.is_none() => sent = Some(self.taken(action)?),
            Intention::Wait { until, awaited: hoped } => {
                waiting = until;
                awaited = hoped;
            }
            _ => {}
        }
        let wanted = |offer: &&Offer| awaited.contains(&offer.2);
        let offer = match self.willing {
            true => outputs.iter().find(wanted).cloned(),
            false if outputs.is_empty() => None,
            false => Some(outputs[random.usize(..outputs.len())].clone()),
        };
        if self.pending.is_some() {
            self.compare_silence()?;
            let Some(offer) = offer else { return Ok(false) };
            return self.answer(offer, judge, passed);
        }
        if let Some(offer) = offer
            && (self.willing || random.bool())
        {
            return self.answer(offer, judge, passed);
        }
        if let Some((action, steps)) = sent
            && (self.on_time || random.usize(..3) > 0)
        {
            return self.send(action, steps, judge, passed);
        }
        self.wait(waiting, &awaited, random, judge, passed)
    }

    /// What the model may answer now.
    fn outputs(&mut self) -> Result<Vec<Offer>, Error> {
        let model = self.semantics.model();
        let named = |channel: ChannelId, values: &[i64]| {
            let values = rational_values(model, channel, values);
            Action::new(model.channels[channel].name.as_str(), &values)
        };
        let mut all = Vec::new();
        if let Some(pending) = &self.pending {
            for (state, step) in pending {
                if let StepLabel::Exchange(_, output) = step.label {
                    all.push((state.clone(), step.clone(), named(output, &step.reply)));
                }
            }
            return Ok(all);
        }
        for state in self.now.clone() {
            for step in self.semantics.options(&state)?.now() {
                if let StepLabel::Output(output) = step.label {
                    all.push((state.clone(), step.clone(), named(output, &step.arguments)));
                }
            }
        }
        Ok(all)
    }

    /// What the model allows is expected, and nothing else is.
    fn compare_outputs(&self, outputs: &[Offer]) -> Result<(), Error> {
        let expected = self.follower.expected()?;
        let now = expected.iter().filter(|(_, when)| when.contains(Rational::ZERO));
        let now: Vec<&Action> = now.map(|(action, _)| *action).collect();
        if let Some((_, _, action)) = outputs.iter().find(|(_, _, action)| !now.contains(&action)) {
            let story =
                format!("the model allows `{action}!`, but the test case does not expect it");
            return Err(self.refute(Flaw::Unsound, &story));
        }
        let mut strange =
            now.iter().filter(|action| outputs.iter().all(|(_, _, own)| own != **action));
        if let Some(action) = strange.next() {
            let story =
                format!("the test case expects `{action}!`, which the model does not allow");
            return Err(self.refute(Flaw::Lax, &story));
        }
        Ok(())
    }

    /// An answer that is due must come before time passes.
    fn compare_silence(&self) -> Result<(), Error> {
        let mut follower = self.follower.clone();
        match follower.delay(Rational::ONE)? {
            Followed::Over { verdict: Verdict::Fail, .. } => Ok(()),
            _ => {
                Err(self.refute(Flaw::Lax, "an answer is due at once, but the test case waits on"))
            }
        }
    }

    /// The steps of the model that take an input that the tester sends.
    fn taken(&mut self, action: Action) -> Result<(Action, Vec<(State, Step)>), Error> {
        let model = self.semantics.model();
        let values: Result<Vec<Rational>, _> =
            action.values.iter().map(|value| value.parse()).collect();
        let event = values.ok().map(|values| TraceEvent::Input(action.channel.clone(), values));
        let seen = event.and_then(|event| observable(model, &event).ok()).flatten();
        let mut steps = Vec::new();
        if let Some(Observable { label: StepLabel::Input(input), arguments, reply }) = seen {
            let wanted = Observable { label: StepLabel::Input(input), arguments, reply };
            for state in self.now.clone() {
                for step in self.semantics.options_for(&state, Some(&wanted))?.now() {
                    let same = match step.label {
                        StepLabel::Input(own) | StepLabel::Exchange(own, _) => own == input,
                        _ => false,
                    };
                    if same && step.arguments == wanted.arguments {
                        steps.push((state.clone(), step.clone()));
                    }
                }
            }
        }
        if steps.is_empty() {
            let story = format!("the tester sends `{action}?`, which the model does not take");
            return Err(self.refute(Flaw::Input, &story));
        }
        Ok((action, steps))
    }

    fn send(
        &mut self,
        action: Action,
        steps: Vec<(State, Step)>,
        judge: &mut Judge<'_>,
        passed: &mut bool,
    ) -> Result<bool, Error> {
        let exchange = steps.iter().any(|(_, step)| matches!(step.label, StepLabel::Exchange(..)));
        if exchange {
            self.pending = Some(steps);
        } else {
            self.now = self.after(&steps)?;
        }
        self.events.push(Played::Action(Side::Tester, action.clone()));
        let followed = self.follower.act(Side::Tester, &action)?;
        self.goes_on(followed, judge, passed)
    }

    fn answer(
        &mut self,
        (_, step, action): Offer,
        judge: &mut Judge<'_>,
        passed: &mut bool,
    ) -> Result<bool, Error> {
        let mut steps = match self.pending.take() {
            Some(pending) => pending,
            None => {
                self.chosen = true;
                let mut all = Vec::new();
                for state in self.now.clone() {
                    let options = self.semantics.options(&state)?;
                    all.extend(options.now().map(|step| (state.clone(), step.clone())));
                }
                all
            }
        };
        steps.retain(|(_, own)| match (own.label, step.label) {
            (StepLabel::Exchange(_, own_output), StepLabel::Exchange(_, output)) => {
                own_output == output && own.reply == step.reply
            }
            (own_label, label) => own_label == label && own.arguments == step.arguments,
        });
        self.now = self.after(&steps)?;
        self.events.push(Played::Action(Side::System, action.clone()));
        let followed = self.follower.act(Side::System, &action)?;
        self.goes_on(followed, judge, passed)
    }

    fn after(&mut self, steps: &[(State, Step)]) -> Result<BTreeSet<State>, Error> {
        let mut all = BTreeSet::new();
        for (state, step) in steps {
            all.insert(self.semantics.step(state, step)?);
        }
        Ok(all)
    }

    /// Lets time pass for both.
    fn wait(
        &mut self,
        until: Option<Rational>,
        awaited: &[Action],
        random: &mut Rng,
        judge: &mut Judge<'_>,
        passed: &mut bool,
    ) -> Result<bool, Error> {
        let parts = self.case.scale.saturating_mul(2);
        let some = Rational::new(random.i64(1..=4 * parts), parts)?;
        let hoped = if self.willing { self.next_output(awaited)? } else { None };
        let delay = match until {
            _ if hoped.is_some() => hoped.unwrap_or(some),
            Some(until) if !until.is_zero() && (self.willing || random.bool()) => until,
            Some(until) if self.on_time && !until.is_zero() => until.min(some),
            _ => some,
        };
        let mut later = BTreeSet::new();
        let mut acts = false;
        for state in self.now.clone() {
            if let Ok(state) = self.semantics.delay(&state, delay)? {
                later.insert(state);
            }
            let options = self.semantics.options(&state)?;
            let outputs = |step: &Step| matches!(step.label, StepLabel::Output(_));
            acts |= options.choices.iter().any(|choice| outputs(&choice.step));
        }
        let followed = self.follower.delay(delay)?;
        let failed = matches!(followed, Followed::Over { verdict: Verdict::Fail, .. });
        if failed && !later.is_empty() {
            let story = format!("the model lets {delay} pass, but the test case fails");
            return Err(self.refute(Flaw::Unsound, &story));
        }
        if later.is_empty() {
            // Where only the tester can go on, the system is not to blame.
            if acts && followed == Followed::Going {
                let story = format!("the model does not let {delay} pass, but the test case does");
                return Err(self.refute(Flaw::Lax, &story));
            }
            return Ok(false);
        }
        self.now = later;
        self.events.push(Played::Delay(delay));
        self.goes_on(followed, judge, passed)
    }

    /// The delay after which the model first has an output as the test case hopes for it, if it has one.
    fn next_output(&mut self, awaited: &[Action]) -> Result<Option<Rational>, Error> {
        let expected = self.follower.expected()?;
        let hoped = expected.iter().find(|(action, _)| awaited.contains(action));
        let Some((action, when)) = hoped else { return Ok(None) };
        let mut first: Option<Rational> = None;
        for state in self.now.clone() {
            for choice in self.semantics.options(&state)?.choices {
                let StepLabel::Output(channel) = choice.step.label else { continue };
                let model = self.semantics.model();
                let values = rational_values(model, channel, &choice.step.arguments);
                let own = Action::new(model.channels[channel].name.as_str(), &values);
                if own != **action {
                    continue;
                }
                if let Some(part) = choice.windows.intersect(when).parts().first() {
                    let here = part.earliest();
                    first = Some(first.map_or(here, |first| first.min(here)));
                }
            }
        }
        Ok(first.filter(|first| !first.is_zero()))
    }

    fn goes_on(
        &mut self,
        followed: Followed,
        judge: &mut Judge<'_>,
        passed: &mut bool,
    ) -> Result<bool, Error> {
        match followed {
            Followed::Going => Ok(true),
            Followed::Over { verdict, .. } => self.over(verdict, judge, passed).map(|()| false),
            Followed::Unplanned => {
                let story = "a rule sends what has no edge";
                Err(self.refute(Flaw::Malformed, story))
            }
        }
    }

    /// The play is over.
    fn over(
        &mut self,
        verdict: Verdict,
        judge: &mut Judge<'_>,
        passed: &mut bool,
    ) -> Result<(), Error> {
        match verdict {
            Verdict::Pass | Verdict::Uncertain => {
                *passed = true;
                if let Some(wrong) = judge(&self.events) {
                    let (claimed, right) = (Some(verdict), None);
                    return Err(self.refute(Flaw::Verdict { claimed, right }, &wrong));
                }
            }
            Verdict::Fail => {
                let story = "the test fails, although the model did everything";
                return Err(self.refute(Flaw::Unsound, story));
            }
            Verdict::Inconclusive if self.on_time && !self.case.summary.may_be_inconclusive => {
                let story = "the test ends inconclusively, but its summary says that it never does";
                return Err(self.refute(Flaw::Summary, story));
            }
            Verdict::Inconclusive => {}
        }
        Ok(())
    }

    fn refute(&self, flaw: Flaw, story: &str) -> Error {
        let shown = self.events.iter().map(|event| match event {
            Played::Delay(delay) => delay.to_string(),
            Played::Action(Side::Tester, action) => format!("`{action}?`"),
            Played::Action(Side::System, action) => format!("`{action}!`"),
        });
        let path: Vec<String> = shown.collect();
        let path = if path.is_empty() { "nothing".to_owned() } else { path.join(", ") };
        let message = format!("after {path}: {story}");
        Error::Refuted(Box::new(Refutation { state: None, flaw, message }))
    }
}
