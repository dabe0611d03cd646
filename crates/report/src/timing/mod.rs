//! What happened in one run over time, as a timing diagram.
//!
//! A [`Timing`] is what such a diagram shows: for each process of the model a [`Band`] with its locations, the events
//! between tester and system, when which output was expected, and how the run ended. The locations are those of a run
//! of the model that explains the observations; after what the model cannot explain there are none.

mod axis;
mod svg;

pub(crate) use svg::{STYLE, drawing};
pub use svg::{element, style, svg};

use std::collections::BTreeMap;

use serde::Serialize;
use tioga_base::{Moment, Rational, Times};
use tioga_estimate::{ModelRun, RunFinder};
use tioga_execute::{Event, Explanation, Outcome, RunRecord, Settings};
use tioga_model::Model;
use tioga_testcase::{Side, TestCase};

use crate::Specification;
use crate::observed::model_run;
use crate::text::{action_text, one_line};

/// How many steps of a run a diagram shows by default: the last ones.
pub const STEPS: usize = 40;

/// What a timing diagram shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Timing {
    /// The name of the test case.
    pub case: String,
    /// The number of the run.
    pub run: u64,
    /// From when on the run is shown.
    pub from: Rational,
    /// Until when.
    pub until: Rational,
    /// How many events before that are left out.
    pub left_out: usize,
    /// The processes of the model.
    pub bands: Vec<Band>,
    /// What went over the interface, in order.
    pub events: Vec<TimedEvent>,
    /// When outputs were expected, in order.
    pub windows: Vec<ExpectedWindow>,
    /// How the run ended; nothing if it was interrupted.
    pub end: Option<TimedEnd>,
    /// Why there are no bands, or why they end before the run.
    pub note: Option<String>,
    /// How its times are shown.
    #[serde(skip)]
    pub times: Times,
}

/// A process over time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Band {
    /// The process.
    pub process: String,
    /// Where it was, one after the other.
    pub stays: Vec<Stay>,
}

/// A stay in a location.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Stay {
    /// The location.
    pub location: String,
    /// When it was entered, or since when the run is shown.
    pub from: Rational,
    /// When it was left, or until when the run is known.
    pub until: Rational,
    /// The steps of the model's run before and after the stay, counted from its start: stays that take no time are in
    /// order by them.
    pub steps: (usize, usize),
}

/// An input or output.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TimedEvent {
    /// When.
    pub at: Moment,
    /// The action with its values.
    pub what: String,
    /// The side that sent it.
    pub by: Side,
    /// The step of the model's run that it shows, if one does.
    pub step: Option<usize>,
    /// Whether the run failed because of it.
    pub wrong: bool,
}

/// A stretch of time in which an output was expected: until it came, something else changed that, or the time for it was
/// over. What was expected instead of what failed is there as a whole, also after the end of the run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExpectedWindow {
    /// The output with its values.
    pub what: String,
    /// From when on.
    pub from: Rational,
    /// Until when; nothing if there is no end in sight.
    pub until: Option<Rational>,
    /// How many events had happened before.
    pub after: usize,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TimedEnd {
    /// What it means.
    pub outcome: Outcome,
    /// Why.
    pub reason: String,
    /// When.
    pub at: Moment,
}

impl Timing {
    /// The timing of a run of a campaign: the last steps, so many of them. Without the model there are no bands.
    pub fn new(
        settings: &Settings,
        specification: Option<Specification<'_>>,
        record: &RunRecord,
        steps: usize,
    ) -> Self {
        let model = specification.map(|specification| specification.model);
        let case = record
            .case()
            .and_then(|name| settings.suite.cases.iter().find(|case| case.name == name));
        let run = match (model, case) {
            (None, _) => Err("the model is not known".to_owned()),
            (_, None) => Err("the test case is not in the suite".to_owned()),
            (Some(model), Some(case)) => RunFinder::new(model)
                .and_then(|finder| model_run(&finder, settings, case, record))
                .map_err(|error| error.to_string()),
        };
        let run = run.as_ref().map_err(String::clone);
        Self::of(settings, case, model, run, record, steps)
    }

    /// The same where the run of the model is known, or why it is not.
    pub(crate) fn of(
        settings: &Settings,
        case: Option<&TestCase>,
        model: Option<&Model>,
        run: Result<&ModelRun, String>,
        record: &RunRecord,
        steps: usize,
    ) -> Self {
        let mut timing = Self {
            case: one_line(record.case().unwrap_or("?")),
            run: record.run,
            from: Rational::ZERO,
            until: Rational::ZERO,
            left_out: 0,
            bands: Vec::new(),
            events: Vec::new(),
            windows: Vec::new(),
            end: None,
            note: None,
            times: settings.times(),
        };
        timing.events(case, record, run.as_ref().ok().copied(), steps);
        timing.windows(settings, case, model, record, steps);
        match (model, run) {
            (Some(model), Ok(run)) => timing.bands(model, run),
            (_, Err(why)) => timing.note = Some(one_line(&why)),
            (None, Ok(_)) => {}
        }
        timing
    }

    /// What stands above a diagram.
    pub fn title(&self) -> String {
        format!("run {} of {}", self.run, self.case)
    }

    fn events(
        &mut self,
        case: Option<&TestCase>,
        record: &RunRecord,
        run: Option<&ModelRun>,
        limit: usize,
    ) {
        let own = case.map_or(&[][..], |case| &case.own_moves[..]);
        // The first step that each observation shows.
        let steps = run.map_or(&[][..], |run| &run.steps[..]).iter().enumerate().rev();
        let shown: BTreeMap<usize, usize> =
            steps.filter_map(|(index, step)| Some((step.seen?, index))).collect();
        // Observations are counted as those that the model's run explains.
        let mut observation = 0;
        for event in record.steps() {
            if let Some(at) = event.at() {
                self.until = self.until.max(at.latest());
            }
            let (at, action, by) = match &event {
                Event::Sent { at, action } => (*at, action, Side::Tester),
                Event::Heard { at, action } => (*at, action, Side::System),
                Event::Quiet { .. } => {
                    observation += 1;
                    continue;
                }
                _ => continue,
            };
            let hidden = by == Side::Tester && own.contains(&action.channel);
            let step = shown.get(&observation).copied().filter(|_| !hidden);
            observation += usize::from(!hidden);
            self.events.push(TimedEvent { at, what: action_text(action), by, step, wrong: false });
        }
        for event in &record.events {
            if let Event::End { outcome, reason, at, .. } = event {
                let reason = one_line(reason);
                self.until = self.until.max(at.latest());
                self.end = Some(TimedEnd { outcome: *outcome, reason, at: *at });
            }
        }
        let last_is_event = matches!(record.steps().last(), Some(Event::Heard { .. }));
        let failed = self.end.as_ref().is_some_and(|end| end.outcome == Outcome::Fail);
        if let (true, true, Some(last)) = (failed, last_is_event, self.events.last_mut()) {
            last.wrong = last.by == Side::System;
        }
        self.left_out = self.events.len().saturating_sub(limit);
        self.events.drain(..self.left_out);
        if let (true, Some(first)) = (self.left_out > 0, self.events.first()) {
            self.from = first.at.earliest();
        }
    }

    /// What was expected right after the start and after each input or output.
    fn windows(
        &mut self,
        settings: &Settings,
        case: Option<&TestCase>,
        model: Option<&Model>,
        record: &RunRecord,
        steps: usize,
    ) {
        // Between two events the run may have been quiet.
        let last = steps.saturating_mul(2);
        let explained = match (case, model) {
            (Some(case), Some(model)) if settings.is_online(case) => {
                Explanation::of_online_run(model, &settings.latencies, record, last)
            }
            (Some(case), _) if case.symbolic.is_none() => {
                Explanation::of_run(case, &settings.latencies, None, record, last)
            }
            _ => return,
        };
        let Ok(explained) = explained else { return };
        let mut quiet = false;
        let failed = self.end.as_ref().is_some_and(|end| end.outcome == Outcome::Fail);
        let visible = |event: &Event| matches!(event, Event::Sent { .. } | Event::Heard { .. });
        let shown = explained.steps.iter().filter(|step| visible(&step.event)).count();
        let mut after = (self.events.len() + self.left_out).saturating_sub(shown);
        for (index, step) in explained.steps.iter().enumerate() {
            let before_it = after;
            after += usize::from(visible(&step.event));
            let asked = !std::mem::replace(&mut quiet, matches!(step.event, Event::Quiet { .. }));
            let Some(before) = step.before.as_ref().filter(|_| asked) else { continue };
            // What was expected before the event that fails is what should have come instead.
            let mut rest = explained.steps[index..].iter().filter(|step| visible(&step.event));
            let next = rest.next().map(|step| &step.event);
            let wrong = self.events.last().is_some_and(|event| event.wrong);
            let instead = failed && (next.is_none() || wrong && rest.next().is_none());
            for window in &before.expected {
                let mut until = window.until.map(|limit| limit.at);
                if until.is_some_and(|until| until < self.from) {
                    continue;
                }
                let from = window.from.at.max(self.from);
                if let (false, Some(next)) = (instead, next) {
                    let heard =
                        matches!(next, Event::Heard { action, .. } if *action == window.action);
                    let end = next.at().map_or(self.until, Moment::latest);
                    // Another event changes what is expected.
                    if from > end {
                        continue;
                    }
                    if !heard {
                        until = Some(until.map_or(end, |until| until.min(end)));
                    }
                }
                // A window that begins after the run is over was never open.
                if from > self.until && !instead {
                    continue;
                }
                let (what, after) = (action_text(&window.action), before_it);
                self.windows.push(ExpectedWindow { what, from, until, after });
            }
        }
        self.windows.dedup();
        let ends = self.windows.iter().map(|window| window.until.unwrap_or(window.from));
        self.until = ends.fold(self.until, Rational::max);
    }

    fn bands(&mut self, model: &Model, run: &ModelRun) {
        let until = run.end.max(run.steps.last().map_or(Rational::ZERO, |step| step.at));
        for (id, process) in model.processes.iter_ids() {
            let mut stays = Vec::new();
            let (mut at, mut since, mut entered) = (process.initial, Rational::ZERO, 0);
            for (index, step) in run.steps.iter().enumerate() {
                for participant in step.step.participants.iter().filter(|one| one.process == id) {
                    if process.edges[participant.edge].target == at {
                        continue;
                    }
                    let location = process.locations[at].name.clone();
                    let steps = (entered, index + 1);
                    stays.push(Stay { location, from: since, until: step.at, steps });
                    (since, entered) = (step.at, index + 1);
                    at = process.edges[participant.edge].target;
                }
            }
            let location = process.locations[at].name.clone();
            let steps = (entered, run.steps.len() + 1);
            stays.push(Stay { location, from: since, until: until.max(since), steps });
            stays.retain(|stay| stay.until >= self.from);
            for stay in &mut stays {
                stay.location = one_line(&stay.location);
                stay.from = stay.from.max(self.from);
            }
            self.bands.push(Band { process: one_line(&process.name), stays });
        }
        if until < self.until && self.end.as_ref().is_some_and(|end| end.outcome == Outcome::Fail) {
            self.note = Some("the model explains the run up to here".to_owned());
        }
    }
}
