//! What happened in a run, step by step, and what was expected before each step.
//!
//! The events of a run are followed again on its test case, and on the model if it is known. With
//! exact time and without latencies the conclusion is the one the tester drew; otherwise it is drawn
//! from the same set of explanations.

use serde::Serialize;
use tioga_adapters::SchedulingDelay;
use tioga_base::{Moment, Rational, Times};
use tioga_data::Alphabet;
use tioga_estimate::{Board, CaseBoard, Error, Latencies, LatencyBounds};
use tioga_model::Model;
use tioga_observe::{Estimated, Finding, History, ModelWatcher, Observation, Outlook, Watcher};
use tioga_testcase::{Action, TestCase};

use super::data_outlook::outlook;
use crate::journal::event::{Event, Outcome};
use crate::journal::record::RunRecord;

/// What happened in a run, and why that means what it means.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Explanation {
    /// The steps that are shown, in order: the last ones.
    pub steps: Vec<ExplainedStep>,
    /// How many steps came before them.
    pub left_out: usize,
    /// What it means.
    pub conclusion: RunConclusion,
}

/// Something that happened.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplainedStep {
    /// Its number, from 1.
    pub number: usize,
    /// What happened: something sent, heard or not heard, or a fault.
    pub event: Event,
    /// What was expected before, according to the test case; nothing if the test was over.
    pub before: Option<Outlook>,
    /// Where the model may have been before; nothing if the model is not known or cannot be followed.
    pub model: Option<Vec<Estimated>>,
}

/// What a run means.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunConclusion {
    /// What the tester said; nothing if the run was interrupted.
    pub outcome: Option<Outcome>,
    /// Why, in its words.
    pub reason: String,
    /// When.
    pub at: Option<Moment>,
    /// What was not as expected, if something was not.
    pub finding: Option<Finding>,
    /// What the model says, if it is known.
    pub model: Option<ModelView>,
    /// The latencies that explain the run up to the last step that was as expected.
    pub latencies: Option<LatencyBounds>,
    /// Why the run could not be followed to its end, if it could not.
    pub trouble: Option<String>,
}

/// What the model itself says about a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ModelView {
    /// What the model did not expect, if there is something; a test case may be more tolerant.
    pub finding: Option<Finding>,
    /// Where it may have been after the last step that it expected.
    pub states: Vec<Estimated>,
}

impl Explanation {
    /// Explains a run of a test case: all of its steps, or so many of the last ones.
    ///
    /// Scheduling delays explain here what they explained to the tester, if the journal has them. If it
    /// does not have all, and something before the last step needs them, every message is given as much
    /// leeway as the longest one.
    ///
    /// # Errors
    /// If the test case cannot be followed at all.
    pub fn of_run(
        case: &TestCase,
        latencies: &Latencies,
        model: Option<&Model>,
        record: &RunRecord,
        last: usize,
    ) -> Result<Self, Error> {
        let board = CaseBoard::new(case)?;
        explained(
            &|latencies| Watcher::new(board.clone(), latencies),
            &Watcher::outlook,
            latencies,
            model.map(|model| (model, &case.own_moves[..])),
            record,
            last,
        )
    }

    /// Explains a run of online testing: there is no test case, and the model says what was expected.
    ///
    /// # Errors
    /// If the model cannot be followed at all.
    pub fn of_online_run(
        model: &Model,
        latencies: &Latencies,
        record: &RunRecord,
        last: usize,
    ) -> Result<Self, Error> {
        let watch = |latencies: &Latencies| ModelWatcher::of_model(model, latencies);
        let alphabet = Alphabet::new(model);
        let look = |watcher: &mut ModelWatcher<'_>| outlook(model, &alphabet, watcher);
        let known = Some((model, &[][..]));
        let mut explanation = explained(&watch, &look, latencies, known, record, last)?;
        for before in explanation.steps.iter_mut().filter_map(|step| step.before.as_mut()) {
            // They are those of the model, which are shown anyway.
            before.states.clear();
        }
        Ok(explanation)
    }
}

/// Explains a run by what these watchers expect. With the model come the names of moves that its
/// environment makes by itself.
fn explained<B: Board + Clone>(
    watch: &dyn Fn(&Latencies) -> Result<Watcher<B>, Error>,
    look: &dyn Fn(&mut Watcher<B>) -> Result<Outlook, Error>,
    latencies: &Latencies,
    model: Option<(&Model, &[String])>,
    record: &RunRecord,
    last: usize,
) -> Result<Explanation, Error> {
    let late = record.events.iter().find_map(|event| match event {
        Event::End { longest_delay, delays, .. } => Some((*longest_delay, &delays[..])),
        _ => None,
    });
    let (late, delays) = late.unwrap_or((Rational::ZERO, &[]));
    let watcher = watch(latencies)?;
    let (explanation, at_last) = follow(watcher, look, latencies, delays, model, record, last)?;
    if late.is_zero() || at_last {
        return Ok(explanation);
    }
    let wider = Latencies { jitter: latencies.jitter.add(late)?, ..*latencies };
    Ok(follow(watch(&wider)?, look, &wider, &[], model, record, last)?.0)
}

/// Explains a run by these latencies, and where they do not by these scheduling delays; says whether
/// nothing before its last step was unexpected.
fn follow<B: Board + Clone>(
    watcher: Watcher<B>,
    look: &dyn Fn(&mut Watcher<B>) -> Result<Outlook, Error>,
    latencies: &Latencies,
    delays: &[SchedulingDelay],
    model: Option<(&Model, &[String])>,
    record: &RunRecord,
    last: usize,
) -> Result<(Explanation, bool), Error> {
    let events = record.steps();
    // Nothing of this is shown: an explanation says its times itself.
    let mut history = History::new(*latencies, Times::default());
    for delay in delays {
        history.scheduling_delay(*delay)?;
    }
    let mut test = Following::new(watcher, history.clone());
    let mut trouble = None;
    // The model does not know them by name, and follows all that its environment may do.
    let own_moves = model.map_or(&[][..], |(_, own_moves)| own_moves);
    let own = |event: &Event| match event {
        Event::Sent { action, .. } => own_moves.contains(&action.channel),
        _ => false,
    };
    let mut model = model.and_then(|(model, _)| match ModelWatcher::of_model(model, latencies) {
        Ok(watcher) => Some(Following::new(watcher, history)),
        Err(error) => {
            trouble = Some(error.to_string());
            None
        }
    });
    let left_out = events.len().saturating_sub(last);
    let mut at_last = true;
    let mut steps = Vec::new();
    for (index, event) in events.into_iter().enumerate() {
        if index >= left_out {
            let before = test.ask(look);
            let states = model.as_mut().and_then(|model| model.ask(Watcher::states));
            steps.push(ExplainedStep {
                number: index + 1,
                event: event.clone(),
                before,
                model: states,
            });
        }
        // Something follows, though something was found before.
        at_last &= test.finding.is_none();
        test.follow(&event);
        if let Some(model) = &mut model
            && !own(&event)
        {
            model.follow(&event);
        }
    }
    let (outcome, reason, at) = ended(record);
    let finding = test.finding.take();
    let bounds = test.ask(|watcher| watcher.latencies()).flatten();
    let trouble = test.trouble.or(trouble);
    let (model, model_trouble) = match model {
        None => (None, None),
        Some(mut model) => {
            let finding = model.finding.take();
            let states = model.ask(Watcher::states);
            (states.map(|states| ModelView { finding, states }), model.trouble)
        }
    };
    let trouble = trouble.or(model_trouble);
    let conclusion =
        RunConclusion { outcome, reason, at, finding, model, latencies: bounds, trouble };
    Ok((Explanation { steps, left_out, conclusion }, at_last))
}

/// A watcher that follows a run until something is not as expected, or cannot be computed.
struct Following<B: Board> {
    watcher: Watcher<B>,
    history: History,
    finding: Option<Finding>,
    trouble: Option<String>,
}

impl<B: Board + Clone> Following<B> {
    fn new(watcher: Watcher<B>, history: History) -> Self {
        Self { watcher, history, finding: None, trouble: None }
    }

    /// What the watcher says, as long as everything was as expected.
    fn ask<T>(&mut self, asked: impl Fn(&mut Watcher<B>) -> Result<T, Error>) -> Option<T> {
        self.try_with(|watcher, _| asked(watcher))
    }

    fn follow(&mut self, event: &Event) {
        if let Some(found) = self.try_with(|watcher, history| observe(watcher, history, event)) {
            self.finding = found;
        }
    }

    fn try_with<T>(
        &mut self,
        does: impl FnOnce(&mut Watcher<B>, &mut History) -> Result<T, Error>,
    ) -> Option<T> {
        if self.finding.is_some() || self.trouble.is_some() {
            return None;
        }
        let done = does(&mut self.watcher, &mut self.history);
        done.map_err(|error| self.trouble = Some(error.to_string())).ok()
    }
}

fn observe<B: Board + Clone>(
    watcher: &mut Watcher<B>,
    history: &mut History,
    event: &Event,
) -> Result<Option<Finding>, Error> {
    let (observed, at) = match event {
        Event::Sent { at, action } => (Observation::Sent(action.clone(), *at), *at),
        Event::Heard { at, action } => (Observation::Heard(action.clone(), *at), *at),
        Event::Quiet { now } => (Observation::Quiet(now.earliest()), *now),
        Event::Fault { at, fault } => {
            return Ok(Some(Finding::Fault { at: *at, fault: fault.clone() }));
        }
        Event::Begin { .. } | Event::Sending { .. } | Event::End { .. } => return Ok(None),
    };
    watcher.follow(&observed, at, history)
}

impl RunRecord {
    /// The events that are steps, in order.
    pub fn steps(&self) -> Vec<Event> {
        merged(&self.events)
    }
}

/// The events that are steps. With real time an input is announced before it is sent, and both are one
/// step; quiet after quiet is one longer quiet.
fn merged(events: &[Event]) -> Vec<Event> {
    let mut steps: Vec<Event> = Vec::new();
    for event in events {
        match (event, steps.last_mut()) {
            (Event::Begin { .. } | Event::End { .. }, _) => {}
            (Event::Sent { action, .. }, Some(last)) if announces(last, action) => {
                *last = event.clone();
            }
            (Event::Quiet { .. }, Some(last @ Event::Quiet { .. })) => *last = event.clone(),
            _ => steps.push(event.clone()),
        }
    }
    steps
}

fn announces(event: &Event, input: &Action) -> bool {
    matches!(event, Event::Sending { action } if action == input)
}

fn ended(record: &RunRecord) -> (Option<Outcome>, String, Option<Moment>) {
    let end = record.events.iter().rev().find_map(|event| match event {
        Event::End { outcome, reason, at, .. } => Some((Some(*outcome), reason.clone(), Some(*at))),
        _ => None,
    });
    end.unwrap_or_else(|| (None, "the run was interrupted".to_owned(), None))
}
