//! Results as JUnit XML: a suite for each test case, a test for each run.
//!
//! Tools show a test by its class and name, and Jenkins splits the class at its last dot into package
//! and class; so the class is model and test case, and the name is the purpose with the repetition.
//! The result is valid under the schema that Jenkins validates with (`junit-10.xsd`), which is
//! stricter than others: tests have no properties there, so what holds for one run stands in its
//! output.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, TestCase, TestCaseStatus, TestSuite};
use tioga_adapters::TimeBase;
use tioga_base::TimeUnit;
use tioga_execute::{Outcome, Settings};
use tioga_testcase as testcase;

use crate::text::one_line;
use crate::{Counts, Inconclusive, Report, RunLine, finding, sequence};

/// The report as JUnit XML.
///
/// Tests have the time of their run if that was real; virtual time is not in seconds.
///
/// # Errors
/// If the XML cannot be written.
pub fn junit(
    report: &Report<'_>,
    inconclusive: Inconclusive,
) -> Result<String, quick_junit::SerializeError> {
    let mut junit = quick_junit::Report::new("tioga");
    let mut total = None;
    for (position, case) in report.cases() {
        let mut suite = TestSuite::new(one_line(&case.name));
        let mut properties = properties(report.settings, case);
        let Counts { repeated, repetitions, .. } = report.counts[position];
        if repeated > 0 {
            properties.push(("tioga.repeated", repeated.to_string()));
            properties.push(("tioga.repetitions", repetitions.to_string()));
        }
        let never_sent = report.never_sent(position);
        if !never_sent.is_empty() {
            properties.push(("tioga.never-sent", finding::never_sent(&never_sent)));
        }
        suite
            .add_properties(properties.into_iter().map(|(name, value)| Property::new(name, value)));
        let class = format!("{}.{}", one_line(&case.summary.model), one_line(&case.name));
        let purpose = one_line(&case.summary.goal.to_string());
        add_runs(&mut suite, report.runs_of(position), report, inconclusive, &class, &purpose);
        if let Some(time) = suite.time {
            total = Some(total.unwrap_or(Duration::ZERO).saturating_add(time));
        }
        junit.add_test_suite(suite);
    }
    if report.strangers().next().is_some() {
        let mut suite = TestSuite::new("test cases that are not in the suite");
        add_runs(&mut suite, report.strangers(), report, inconclusive, "unknown", "run");
        junit.add_test_suite(suite);
    }
    junit.time = total;
    Ok(without_total_of_skipped(junit.to_string()?))
}

/// The schema of Jenkins knows how many tests of a suite were skipped, but not how many of all.
fn without_total_of_skipped(xml: String) -> String {
    let Some(start) = xml.find("<testsuites") else { return xml };
    let Some(end) = xml[start..].find('>').map(|end| start + end) else { return xml };
    let Some(from) = xml[start..end].find(" skipped=\"").map(|from| start + from) else {
        return xml;
    };
    let value = from + " skipped=\"".len();
    let Some(to) = xml[value..end].find('"').map(|to| value + to + 1) else { return xml };
    format!("{}{}", &xml[..from], &xml[to..])
}

fn add_runs<'r>(
    suite: &mut TestSuite,
    runs: impl Iterator<Item = &'r RunLine>,
    report: &Report<'_>,
    inconclusive: Inconclusive,
    class: &str,
    purpose: &str,
) {
    let time = report.settings.time;
    let mut total = None;
    for run in runs {
        let name = format!("{purpose} #{}", run.repetition);
        let mut test = TestCase::new(name, status(run, inconclusive));
        test.set_classname(class);
        test.set_system_out(output(run));
        if let Some(nanoseconds) = run.nanoseconds(time) {
            let duration = Duration::from_nanos(nanoseconds);
            test.set_time(duration);
            total = Some(total.unwrap_or(Duration::ZERO).saturating_add(duration));
        }
        suite.add_test_case(test);
    }
    suite.time = total;
}

fn status(run: &RunLine, inconclusive: Inconclusive) -> TestCaseStatus {
    let verdict = run.verdict();
    let kind = match (run.outcome, inconclusive) {
        (Some(Outcome::Pass), _) => return TestCaseStatus::success(),
        (Some(Outcome::Fail), _) => NonSuccessKind::Failure,
        (Some(Outcome::Error), _) | (_, Inconclusive::Error) => NonSuccessKind::Error,
        (Some(Outcome::Inconclusive) | None, Inconclusive::Skipped) => {
            let mut status = TestCaseStatus::skipped();
            status.set_type(verdict.as_str()).set_message(format!("{verdict}: {}", run.reason));
            return status;
        }
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(verdict.as_str()).set_message(run.reason.as_str());
    let expected = match &run.expected[..] {
        [] => None,
        all => Some(format!("expected: {}", all.join(", or "))),
    };
    let description: Vec<String> = run.explanation.clone().into_iter().chain(expected).collect();
    if !description.is_empty() {
        status.set_description(description.join("\n"));
    }
    status
}

/// What happened, for people. Every run says its seed, by which it can be repeated.
fn output(run: &RunLine) -> String {
    match &run.sequence {
        Some(sequence) => format!("\n{}", sequence::text(sequence)),
        None => {
            let seed = run.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
            format!("run {} of {}{seed}: {}: {}", run.run, run.name, run.verdict(), run.reason)
        }
    }
}

/// What is to be known about a test case and the campaign.
fn properties(settings: &Settings, case: &testcase::TestCase) -> Vec<(&'static str, String)> {
    let summary = &case.summary;
    let rank: Vec<String> = summary.rank.iter().map(ToString::to_string).collect();
    let mut all = vec![
        ("tioga.model", one_line(&summary.model)),
        ("tioga.purpose", one_line(&summary.goal.to_string())),
        ("tioga.system", one_line(&settings.system_name())),
        ("tioga.time", time_text(settings.time)),
        ("tioga.seed", settings.seed.to_string()),
    ];
    if settings.is_online(case) {
        all.insert(2, ("tioga.online", true.to_string()));
        return all;
    }
    let of_case = [
        ("tioga.shape", format!("{:?}", case.shape).to_lowercase()),
        ("tioga.exact", summary.exact.to_string()),
        ("tioga.rank", rank.join(",")),
        ("tioga.may-be-inconclusive", summary.may_be_inconclusive.to_string()),
    ];
    all.splice(2..2, of_case);
    if summary.may_be_uncertain {
        all.push(("tioga.may-be-uncertain", true.to_string()));
    }
    all.extend(summary.approximated.iter().map(|why| ("tioga.approximated", one_line(why))));
    let luck = summary.luck.iter().map(|luck| luck.text(summary.times()));
    all.extend(luck.map(|luck| ("tioga.luck", one_line(&luck))));
    all
}

/// Where time comes from, in words.
pub(crate) fn time_text(time: TimeBase) -> String {
    match time {
        TimeBase::Virtual => "virtual".to_owned(),
        TimeBase::Real { unit_ns } => {
            let unit = TimeUnit::of_nanoseconds(i64::try_from(unit_ns).unwrap_or(i64::MAX));
            format!("real, {unit} in a unit")
        }
    }
}
