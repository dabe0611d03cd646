//! The events of a run of a symbolic test case, the expectations before each step with their data, and the
//! reason of the verdict.

use std::collections::BTreeMap;

use tioga_base::{Diagnostic, Rational};
use tioga_execute::{Event, ExplainedStep, Explanation, RunConclusion, RunRecord};
use tioga_observe::{ActionWindow, Estimated, Limit, Outlook};
use tioga_setexp::{Refusal, Script, ScriptFollower, Verdict};
use tioga_terms::Exact;
use tioga_testcase::{Action, SymbolicCase};

use super::tester::message;
use crate::Failure;

/// Explains the last steps of a run.
pub(crate) fn explain(
    case: &SymbolicCase,
    record: &RunRecord,
    last: usize,
) -> Result<Explanation, Failure> {
    let wrong = |why: String| {
        let message = format!("run {} cannot be explained: {why}", record.run);
        Failure::from(Diagnostic::global("cannot-explain", message))
    };
    let script = Script::of_case(case).map_err(&wrong)?;
    let mut solver = Exact::new();
    let follower = ScriptFollower::new(&script, BTreeMap::new(), &mut solver);
    let mut follower = follower.map_err(|refusal| wrong(refusal.to_string()))?;
    let events = record.steps();
    let left_out = events.len().saturating_sub(last);
    let (mut steps, mut trouble, mut over) = (Vec::new(), None, false);
    let mut now = Rational::ZERO;
    for (index, event) in events.into_iter().enumerate() {
        if index >= left_out {
            let before = (!over && trouble.is_none()).then(|| outlook(&follower, now));
            steps.push(ExplainedStep {
                number: index + 1,
                event: event.clone(),
                before,
                model: None,
            });
        }
        if over || trouble.is_some() {
            continue;
        }
        match follow(&mut follower, &event, &mut solver) {
            Ok(done) => over = done,
            Err(refusal) => trouble = Some(refusal.to_string()),
        }
        now = match &event {
            Event::Sent { at, .. } | Event::Heard { at, .. } | Event::Quiet { now: at } => {
                at.latest()
            }
            _ => now,
        };
    }
    let end = record.events.iter().rev().find_map(|event| match event {
        Event::End { outcome, reason, at, .. } => Some((*outcome, reason.clone(), *at)),
        _ => None,
    });
    let (outcome, reason, at) = match end {
        Some((outcome, reason, at)) => (Some(outcome), reason, Some(at)),
        None => (None, "the run was interrupted".to_owned(), None),
    };
    let (finding, model, latencies) = (None, None, None);
    let conclusion = RunConclusion { outcome, reason, at, finding, model, latencies, trouble };
    Ok(Explanation { steps, left_out, conclusion })
}

/// Follows an event; says whether the test is over then.
fn follow(
    follower: &mut ScriptFollower<'_>,
    event: &Event,
    solver: &mut Exact,
) -> Result<bool, Refusal> {
    let judged = match event {
        Event::Sent { at, action } => match message(action) {
            Some(message) => follower.sent(*at, &message, solver)?,
            None => Some((Verdict::Inconclusive, String::new())),
        },
        Event::Heard { at, action } => match message(action) {
            Some(message) => follower.heard(*at, &message, solver)?,
            None => Some((Verdict::Fail, String::new())),
        },
        // Quiet before a message at the same instant is followed with the message.
        Event::Quiet { now } => follower.quiet(*now, solver)?,
        _ => None,
    };
    Ok(judged.is_some())
}

/// Where the test is, and what is expected.
fn outlook(follower: &ScriptFollower<'_>, now: Rational) -> Outlook {
    let mut states = Vec::new();
    let mut expected: Vec<ActionWindow> = Vec::new();
    for one in follower.explanations() {
        let mut parts = vec![follower.name(one).to_owned()];
        parts.extend(follower.registers(one));
        parts.extend(follower.programmed(one));
        states.push(Estimated { state: parts.join(", "), clocks: Vec::new() });
        for line in follower.allowed_outputs(one) {
            let until = one.pending.iter().map(|pending| pending.latest).min();
            let until = until.map(|at| Limit { at, excluded: false });
            let from = Limit { at: now, excluded: false };
            let action = Action { channel: line, values: Vec::new() };
            let window = ActionWindow { action, from, until };
            if !expected.contains(&window) {
                expected.push(window);
            }
        }
    }
    Outlook { since: now, states, expected, deadline: None, inputs: Vec::new() }
}
