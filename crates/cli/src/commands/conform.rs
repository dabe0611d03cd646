//! `tioga conform` and `tioga refines`: how two models relate, and if not as asked, a run that shows
//! it and what was allowed instead.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tioga_base::Diagnostic;
use tioga_concrete::{Intervals, Semantics, Trace, TraceEvent, label_of};
use tioga_conform::{Decided, ObservedViolation, Relation, RelationAnswer, Violation, decide};
use tioga_determinize::{Exactness, determinize_auto};
use tioga_explore::{Limits, SearchOptions, Statistics};
use tioga_model::{Model, StepLabel};

use super::simulate::write_trace;
use crate::args::CompareArgs;
use crate::exit::{Exit, Stop};
use crate::load;
use crate::measure::{cancel_flag, peak_bytes, seconds as shown_seconds, threads};
use crate::output::Session;
use crate::progress::Progress;
use crate::run_text::{action, amount, count, records, table, trace, windows};
use crate::state_text::run_end;

/// What the specification allows after its last move.
struct Allowed {
    /// How long it may wait.
    waiting: Intervals,
    /// What it may do, and when.
    actions: Vec<(TraceEvent, Intervals)>,
}

/// How many steps determinization may take.
const EFFORT: u64 = 200_000;

/// Runs either command.
pub fn run(args: &CompareArgs, relation: Relation, session: &mut Session) -> Result<Exit, Stop> {
    if args.implementation == "-" && args.specification == "-" {
        let message = "the two models cannot both come from standard input";
        let diagnostic = Diagnostic::global("two-readers", message);
        return Err(session.stop(diagnostic.help("put one of them into a file")));
    }
    let implementation = load::named(session, &args.implementation, &args.load)?.model;
    let mut specification = load::named(session, &args.specification, &args.load)?.model;
    let options = SearchOptions {
        threads: threads(args.search.threads),
        limits: Limits {
            visited: args.search.max_states,
            bytes: args.search.max_memory.map(|mib| mib << 20),
            cancel: cancel_flag(args.search.timeout),
        },
        ..SearchOptions::default()
    };
    let start = Instant::now();
    let mut progress = Progress::new(session.format);
    let mut report = |statistics: &Statistics| progress.show(statistics);
    let decided = decide(&implementation, &specification, relation, &options, &mut report);
    progress.clear();
    let decided = decided.map_err(|diagnostics| {
        session.diagnostics.append(diagnostics);
        Stop::Diagnosed
    })?;
    let names = names(&implementation, &specification, args);
    let mut decided = decided;
    if let RelationAnswer::Unknown(_) = decided.answer
        && let Some(view) = exact_view(&specification, &options)
    {
        // A view with the same traces allows the same.
        let again = decide(&implementation, &view, relation, &options, &mut |_| {});
        if let Ok(again) = again {
            (decided, specification) = (again, view);
        }
    }
    let report = Report {
        models: (&implementation, &specification),
        names,
        relation,
        decided,
        elapsed: start.elapsed(),
    };
    report.show(args, session)
}

/// A deterministic model with exactly the traces of this one, if there is one and it is found with
/// little effort.
pub fn exact_view(model: &Model, options: &SearchOptions) -> Option<Model> {
    let view = determinize_auto(model, None, EFFORT, &options.limits.cancel).ok()?;
    if view.exactness != Exactness::Exact {
        return None;
    }
    view.network.validate().ok()
}

/// What the models are called; as they were given, if both have the same name.
fn names(implementation: &Model, specification: &Model, args: &CompareArgs) -> (String, String) {
    let named = (implementation.name.clone(), specification.name.clone());
    let given = (args.implementation.clone(), args.specification.clone());
    if named.0 == named.1 && given.0 != given.1 { given } else { named }
}

struct Report<'m> {
    models: (&'m Model, &'m Model),
    names: (String, String),
    relation: Relation,
    decided: Decided,
    elapsed: Duration,
}

impl Report<'_> {
    fn show(&self, args: &CompareArgs, session: &mut Session) -> Result<Exit, Stop> {
        let (one, other) = &self.names;
        let (verb, negated) = match self.relation {
            Relation::Conforms => ("conforms to", "does not conform to"),
            Relation::ConformsWhenServed => {
                ("conforms, when served, to", "does not conform, even when served, to")
            }
            Relation::Refines => ("refines", "does not refine"),
        };
        let shown = match &self.decided.answer {
            RelationAnswer::Violated(violation) => {
                let run = trace(self.models.0, &violation.run);
                Some((violation, run, allowed(self.models.1, violation)))
            }
            _ => None,
        };
        let (mut text, exit) = match (&self.decided.answer, &shown) {
            (RelationAnswer::Violated(_), Some((violation, run, allowed))) => {
                let text = format!("{one} {negated} {other}\n");
                (text + &self.described(violation, run, allowed.as_ref()), Exit::Negative)
            }
            (RelationAnswer::Unknown(reason), _) => {
                let text = format!("whether {one} {verb} {other}: unknown\n  {reason}\n");
                (text, Exit::Unknown)
            }
            _ => (format!("{one} {verb} {other}\n"), Exit::Success),
        };
        let Statistics { visited, stored, covered, transitions, .. } = self.decided.statistics;
        let states = count(usize::try_from(visited).unwrap_or(usize::MAX), "state");
        text.push_str(&format!(
            "  {states} visited, {stored} stored, {covered} of {transitions} steps covered, {} s\n",
            shown_seconds(self.elapsed),
        ));
        if let Some(path) = &args.out {
            match &shown {
                Some((_, run, _)) => {
                    write_trace(session, path, run)?;
                    text.push_str(&format!("run written to {}\n", path.display()));
                }
                None => text.push_str("there is no run to write\n"),
            }
        }
        session.print(&text)?;
        let shown = shown
            .as_ref()
            .map(|(violation, run, allowed)| (violation.as_ref(), run, allowed.as_ref()));
        session.set_result(self.result(shown));
        Ok(exit)
    }

    /// The run, what was observed and what was allowed.
    fn described(&self, violation: &Violation, run: &Trace, allowed: Option<&Allowed>) -> String {
        let mut text = table(&run.records).unwrap_or_else(|overflow| format!("  {overflow}\n"));
        let (one, other) = &self.names;
        let after = if violation.after.is_zero() {
            "at once".to_owned()
        } else {
            amount(self.models.0, violation.after)
        };
        let since = self.since(violation);
        text.push_str(&match &violation.observed {
            ObservedViolation::Delay => format!("  {one} lets {after} pass {since}\n"),
            ObservedViolation::Output(_) => {
                format!("  {one} emits {} {after} {since}\n", self.observed(violation))
            }
            ObservedViolation::Refusal(_) => {
                format!("  {one} refuses {} {after} {since}\n", self.observed(violation))
            }
        });
        let Some(allowed) = allowed else { return text };
        text.push_str(&format!(
            "  {other} allows {since}:\n    wait for {}\n",
            windows(&allowed.waiting)
        ));
        for (event, when) in &allowed.actions {
            text.push_str(&format!("    {} after {}\n", action(event), windows(when)));
        }
        text
    }

    /// Since when the last delay is counted.
    fn since(&self, violation: &Violation) -> String {
        match violation.followed.last().and_then(|last| last.step.as_ref()) {
            Some(step) => format!("after {}", action(&label_of(self.models.1, step))),
            None => "after the start".to_owned(),
        }
    }

    /// The action that violates the relation.
    fn observed(&self, violation: &Violation) -> String {
        match &violation.observed {
            ObservedViolation::Output(step) => action(&label_of(self.models.0, step)),
            ObservedViolation::Delay => "(wait)".to_owned(),
            ObservedViolation::Refusal(step) => match label_of(self.models.1, step) {
                // Only the input of a Mealy step is refused.
                TraceEvent::Exchange(input, values, ..) => {
                    action(&TraceEvent::Input(input, values))
                }
                event => action(&event),
            },
        }
    }

    fn result(&self, shown: Option<(&Violation, &Trace, Option<&Allowed>)>) -> Value {
        let (holds, reason) = match &self.decided.answer {
            RelationAnswer::Holds => (Some(true), None),
            RelationAnswer::Violated(_) => (Some(false), None),
            RelationAnswer::Unknown(reason) => (None, Some(reason)),
        };
        let violation = shown.map(|(violation, run, allowed)| {
            let kind = match violation.observed {
                ObservedViolation::Output(_) => "output",
                ObservedViolation::Delay => "delay",
                ObservedViolation::Refusal(_) => "refusal",
            };
            json!({
                "kind": kind,
                "action": self.observed(violation),
                "after": violation.after.to_string(),
                "trace": records(run),
                "allowed": allowed.map(|allowed| json!({
                    "waiting": allowed.waiting.to_string(),
                    "actions": allowed.actions.iter().map(|(event, when)| json!({
                        "action": action(event),
                        "windows": when.to_string(),
                    })).collect::<Vec<_>>(),
                })),
            })
        });
        let statistics = &self.decided.statistics;
        json!({
            "implementation": self.models.0.name,
            "specification": self.models.1.name,
            "relation": match self.relation {
                Relation::Conforms => "tioco",
                Relation::ConformsWhenServed => "tioco-when-served",
                Relation::Refines => "io-refinement",
            },
            "holds": holds,
            "reason": reason,
            "violation": violation,
            "stats": {
                "visited": statistics.visited,
                "stored": statistics.stored,
                "covered": statistics.covered,
                "transitions": statistics.transitions,
                "milliseconds": u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX),
                "peak_bytes": peak_bytes().unwrap_or(statistics.peak_bytes),
            },
        })
    }
}

/// What the specification allows after its last move, on the reference semantics: waiting, outputs
/// and, where one is refused, inputs.
fn allowed(specification: &Model, violation: &Violation) -> Option<Allowed> {
    let state = run_end(specification, &violation.followed)?;
    let options = Semantics::new(specification).options(&state).ok()?;
    let inputs = matches!(violation.observed, ObservedViolation::Refusal(_));
    let mut actions: Vec<(TraceEvent, Intervals)> = Vec::new();
    for choice in &options.choices {
        let wanted = match choice.step.label {
            StepLabel::Input(_) => inputs,
            StepLabel::Output(_) => !inputs,
            StepLabel::Exchange(..) => true,
            StepLabel::Internal(_) => false,
        };
        if !wanted {
            continue;
        }
        let event = label_of(specification, &choice.step);
        match actions.iter_mut().find(|(other, _)| *other == event) {
            Some((_, when)) => *when = when.unite(&choice.windows),
            None => actions.push((event, choice.windows.clone())),
        }
    }
    Some(Allowed { waiting: options.delays.into(), actions })
}
