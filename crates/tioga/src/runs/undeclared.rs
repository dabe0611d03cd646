//! A run with real time that fails while no latencies are declared: the time of messages was counted
//! against the system. The latencies that would explain the run follow from the observations.

use std::collections::BTreeMap;

use tioga_adapters::TimeBase;
use tioga_base::{Diagnostic, Overflow, Rational, Severity, TimeUnit, Times};
use tioga_estimate::Latencies;
use tioga_execute::{
    Event, Explanation, Outcome, Reporter, RunRecord, RunSummary, Settings, Tally,
};
use tioga_model::Model;
use tioga_observe::Finding;

/// Latencies that are tried, in microseconds.
const TRIED: [i64; 16] = [
    10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000,
    500_000, 1_000_000,
];

/// Passes everything on, and keeps the first run that fails.
pub(super) struct FirstFailure<'r> {
    /// Where everything goes.
    pub inner: &'r mut dyn Reporter,
    /// Runs under way.
    under_way: BTreeMap<u64, Vec<Event>>,
    /// The run, if there is one.
    pub record: Option<RunRecord>,
}

impl<'r> FirstFailure<'r> {
    /// Nothing failed yet.
    pub fn new(inner: &'r mut dyn Reporter) -> Self {
        Self { inner, under_way: BTreeMap::new(), record: None }
    }
}

impl Reporter for FirstFailure<'_> {
    fn event(&mut self, run: u64, event: &Event) {
        self.inner.event(run, event);
        if self.record.is_some() {
            return;
        }
        let events = self.under_way.entry(run).or_default();
        if let Event::Begin { .. } = event {
            events.clear();
        }
        events.push(event.clone());
        if let Event::End { outcome, .. } = event {
            let events = self.under_way.remove(&run).unwrap_or_default();
            if *outcome == Outcome::Fail {
                self.record = Some(RunRecord { run, events });
            }
        }
    }

    fn counted(&mut self, summary: &RunSummary, tally: &Tally) {
        self.inner.counted(summary, tally);
    }
}

/// Whether latencies matter and none are declared.
pub(super) fn matters(settings: &Settings) -> bool {
    // Symbolic test cases do not know latencies, so none would explain the run.
    let symbolic = settings.suite.cases.iter().any(|case| case.symbolic.is_some());
    settings.time != TimeBase::Virtual && settings.latencies.is_none() && !symbolic
}

/// The message that a run failed without declared latencies, and which would explain it.
pub(super) fn warning(
    settings: &Settings,
    model: Option<&Model>,
    record: &RunRecord,
) -> Option<Diagnostic> {
    let TimeBase::Real { unit_ns } = settings.time else { return None };
    let message = format!(
        "run {} failed with real time, and no latencies are declared: all the time that messages take \
         counts against the system",
        record.run
    );
    let measure = "`tioga calibrate` measures latencies; `--in-latency`, `--out-latency` and \
                   `--jitter` declare them";
    let mut warning = Diagnostic::global("no-latencies", message);
    warning.severity = Severity::Warning;
    let finding = |latencies: &Latencies| -> Option<Option<Finding>> {
        let case = &settings.suite.cases[settings.case_of(record.run)];
        let explained = match model {
            Some(model) if settings.is_online(case) => {
                Explanation::of_online_run(model, latencies, record, 0)
            }
            _ => Explanation::of_run(case, latencies, None, record, 0),
        };
        explained.ok().map(|explained| explained.conclusion.finding)
    };
    if let Some(Some(Finding::Silence { .. })) = finding(&settings.latencies) {
        let note =
            "the run ended before a late answer could come, so it does not say how much is needed";
        return Some(warning.note(note).help(measure));
    }
    let unit = TimeUnit::of_nanoseconds(i64::try_from(unit_ns).ok()?);
    let enough = TRIED.into_iter().find(|microseconds| {
        let latencies = under_way(*microseconds, unit);
        latencies.is_ok_and(|latencies| finding(&latencies) == Some(None))
    });
    let shown = |microseconds: i64| {
        let unit = TimeUnit::of_nanoseconds(microseconds * 1000);
        Times::of(Some(unit)).exact(Rational::ONE).replace(' ', "")
    };
    Some(match enough {
        Some(enough) => {
            let time = shown(enough);
            let help = format!(
                "`--in-latency 0..{time} --out-latency 0..{time} --jitter {time}` would explain the \
                 run; {measure}"
            );
            warning.help(help)
        }
        None => {
            let most = shown(TRIED[TRIED.len() - 1]);
            let note =
                format!("no latency up to {most} explains the run: it is the system that is wrong");
            warning.note(note).help(measure)
        }
    })
}

/// Latencies and jitter of up to so many microseconds.
fn under_way(microseconds: i64, unit: TimeUnit) -> Result<Latencies, Overflow> {
    let most = Rational::integer(microseconds * 1000).div(unit.nanoseconds()?)?;
    let bounds = tioga_base::Moment::between(Rational::ZERO, most).ok_or(Overflow)?;
    Ok(Latencies { input: bounds, output: bounds, jitter: most })
}

#[cfg(test)]
mod tests {
    use tioga_adapters::{AdapterLimits, Protocol, SystemRef};
    use tioga_base::{Moment, Sources};
    use tioga_testcase::{Action, ModelSource, Suite};

    use super::*;
    use crate::{Loaded, online_case, read};

    fn lamp() -> Loaded {
        let text = "input touch; output on;
            automaton Lamp {
              clock x;
              init location Dark;
              location Waking invariant x <= 3;
              Dark -> Waking : touch? do x = 0;
              Waking -> Dark : on! when x >= 2;
            }";
        let source = ModelSource::of_text("lamp.tioga", text).unwrap();
        read(source, &[], &mut Sources::new()).unwrap()
    }

    fn settings(loaded: &Loaded) -> Settings {
        let (case, longest_wait) = online_case(&loaded.model, 10);
        Settings {
            suite: Suite::new(vec![case]),
            online: Some(tioga_execute::Online {
                goal: None,
                cover: false,
                coverage: None,
                actions: 10,
                longest_wait,
            }),
            system: SystemRef::outside("true"),
            protocol: Protocol::Json,
            time: TimeBase::Real { unit_ns: 1_000_000 },
            limits: AdapterLimits::default(),
            latencies: Latencies::default(),
            repeat: 1,
            seed: 0,
            patience: None,
            grid: None,
            policy: None,
            fresh: false,
            keep_going: false,
            timeout_ms: None,
        }
    }

    /// A run of the lamp in which it answers at this time.
    fn answered(at: &str) -> RunRecord {
        let action = |name: &str| Action { channel: name.to_owned(), values: Vec::new() };
        let at: Moment = at.parse().unwrap();
        let events = vec![
            Event::Sent { at: Moment::START, action: action("touch") },
            Event::Heard { at, action: action("on") },
        ];
        RunRecord { run: 7, events }
    }

    #[test]
    fn the_least_latencies_that_explain_a_run_are_suggested() {
        let loaded = lamp();
        let settings = settings(&loaded);
        let said = |at: &str| {
            let warning = warning(&settings, Some(&loaded.model), &answered(at)).unwrap();
            let notes = warning.notes.join("\n");
            format!("{}\n{notes}\n{}", warning.message, warning.help.unwrap_or_default())
        };
        // Of 0.7 ms, input, output and twice the jitter have to cover all.
        let text = said("3.7");
        assert!(text.contains("run 7 failed with real time, and no latencies"), "{text}");
        let options = "`--in-latency 0..200us --out-latency 0..200us --jitter 200us` would explain";
        assert!(text.contains(options), "{text}");
        let text = said("1");
        assert!(text.contains("would explain") || text.contains("no latency"), "{text}");
        let text = said("9000");
        assert!(text.contains("no latency up to 1s explains the run"), "{text}");
    }
}
