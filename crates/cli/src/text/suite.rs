//! A suite made by criteria, in words and as JSON: what it covers, what it costs, where it needs luck, and what it
//! does to mutants.

use std::fmt::Write;

use serde_json::{Value, json};
use tioga::words::count;
use tioga::{
    BuiltSuite, Cover, Killing, Proof, Score, Standing, SuiteTarget, SuiteTest, WhyMissed,
};
use tioga_base::{Diagnostic, Rational, StopReason, TimeUnit, Times};

use super::offer::Offer;
use crate::text::run::align;

/// Everything for people.
pub fn text(built: &BuiltSuite, unit: Option<TimeUnit>) -> String {
    let times = Times::of(unit);
    let mut text = String::new();
    if !built.tests.is_empty() {
        let head = ["test case", "covers", "rank", "time", "with a fair system", "purpose"];
        let mut rows = vec![head.map(str::to_owned)];
        rows.extend(built.tests.iter().map(|test| row(test, times)));
        text.push_str(&align(&rows, &[1]));
    }
    text.push_str(&summary(built, times));
    let missed = built.targets.iter().filter_map(|target| match &target.standing {
        Standing::Missed(why) => Some(format!("not covered: {}: {why}", target.text)),
        Standing::Open if built.stopped.is_some() => {
            Some(format!("not covered: {}: not looked at", target.text))
        }
        Standing::Possible(_) => Some(format!("possibly covered: {}", target.text)),
        Standing::Covered(_) | Standing::Impossible(_) | Standing::Open => None,
    });
    list(&mut text, missed.collect());
    let proved = built.targets.iter().filter_map(|target| match &target.standing {
        Standing::Impossible(proof) => {
            let why = WhyMissed::Unreachable;
            Some(format!("not covered: {}: {why} ({proof})", target.text))
        }
        _ => None,
    });
    list(&mut text, proved.collect());
    let missed = built.killing.iter().flat_map(|killing| &killing.missed);
    let survivor = |(id, description): &(String, String)| format!("survives: {id}: {description}");
    list(&mut text, missed.map(survivor).collect());
    text
}

/// Why something is only possibly covered.
const POSSIBLE: &str = "what a run that passes observes has other explanations, too";

/// How many lines of one kind are shown.
pub const LINES: usize = 20;

/// Adds lines, as far as people read them.
pub fn list(text: &mut String, lines: Vec<String>) {
    for line in lines.iter().take(LINES) {
        let _ = writeln!(text, "{line}");
    }
    if let Some(more) = lines.len().checked_sub(LINES).filter(|more| *more > 0) {
        let _ = writeln!(text, "... and {more} more; `--format json` lists all");
    }
}

/// What the suite is, in a few lines.
pub fn summary(built: &BuiltSuite, times: Times) -> String {
    let mut text = String::new();
    for Tally { cover, covered, possible, relying, coverable, all } in by_criterion(built) {
        let _ = write!(text, "{covered} of {} covered", count(coverable, cover.noun()));
        if possible > 0 {
            let _ = write!(text, ", {possible} more possibly");
        }
        if relying > 0 {
            let _ = write!(text, ", {relying} more only with cooperation of the system");
        }
        if all > coverable {
            let _ = write!(text, "; {} more proved unreachable", all - coverable);
        }
        text.push('\n');
    }
    let walks: u32 =
        built.tests.iter().filter(|test| test.case.walk.is_some()).map(SuiteTest::runs).sum();
    let aimed = built.tests.iter().filter(|test| test.case.walk.is_none()).count();
    let walks = (walks > 0).then(|| count(walks as usize, "random walk"));
    text.push_str(&match (aimed, walks) {
        (0, Some(walks)) => walks,
        (_, Some(walks)) => format!("{} and {walks}", count(aimed, "test case")),
        (_, None) => count(aimed, "test case"),
    });
    if let Some(total) = total(built) {
        let _ = write!(text, ", {} in all", times.exact(total));
    }
    if built.left_out > 0 {
        let _ = write!(text, "; {} redundant and left out", built.left_out);
    }
    if built.joined > 0 {
        let _ = write!(text, "; {} joined to others without a reset", built.joined);
    }
    text.push('\n');
    let lucky: Vec<&SuiteTest> = built.tests.iter().filter(|test| test.needs_luck()).collect();
    if !lucky.is_empty() {
        let _ = writeln!(text, "{} on cooperation of the system", relying(lucky.len()));
    }
    if built.tests.iter().any(|test| test.case.walk.is_some() && test.may_try_nothing) {
        text.push_str("random walks are inconclusive with a system that says nothing, as it may\n");
    }
    if let Some(killing) = &built.killing {
        text.push_str(&killed(killing));
    }
    text
}

/// What to do if a suite without cooperation kills fewer mutants than it should.
pub fn advice(built: &BuiltSuite, percent: u32, online: &Offer) -> Option<String> {
    let online = online.after(built.limited.as_ref().map(|limit| limit.code));
    built.killing.as_ref().filter(|killing| !killing.reaches(percent))?;
    if !built.clear {
        let told = "online tests may find more, as test cases do not see all";
        return Some(format!("{told}: `{online}`\n"));
    }
    let relying = by_criterion(built).iter().any(|tally| tally.relying > 0);
    let told = "tests that rely on cooperation of the system kill more: `--cover edges,boundaries,mutants`\n";
    relying.then(|| told.to_owned())
}

fn relying(number: usize) -> String {
    if number == 1 { "1 test case relies".to_owned() } else { format!("{number} test cases rely") }
}

/// What the suite does to mutants, in a line.
pub fn killed(killing: &Killing) -> String {
    let Score { killed, missed, unknown, equivalent, .. } = killing.score;
    let worth = killed + missed + unknown;
    if worth == 0 {
        return format!("no mutants to kill; {equivalent} are equivalent\n");
    }
    let percent = (killed * 100).checked_div(worth).unwrap_or(100);
    let mut text = format!(
        "killed {killed} of {} ({percent} %), each test case run {}",
        count(worth, "mutant"),
        match killing.repeat {
            1 => "once".to_owned(),
            repeat => format!("up to {repeat} times"),
        },
    );
    if equivalent > 0 {
        let are = if equivalent == 1 { "is" } else { "are" };
        let _ = write!(text, "; {equivalent} more {are} equivalent");
    }
    if unknown > 0 {
        let _ = write!(text, "; {} not compared with the model", count(unknown, "survivor"));
    }
    if killing.made > 0 {
        let _ = write!(text, "; {} made against survivors", count(killing.made, "test case"));
    }
    if killing.unmeasured > 0 {
        let more = count(killing.unmeasured, "test case");
        let _ = write!(text, "; {more} more, not run against all mutants any more");
    }
    if !killing.complete {
        text.push_str("; stopped early");
    }
    text.push('\n');
    text
}

fn row(test: &SuiteTest, times: Times) -> [String; 6] {
    let rank = test.case.summary.rank_text();
    let time = test.duration.map_or_else(String::new, |time| times.exact(time));
    let fair = match test.repetitions() {
        _ if test.fair.0 == 0 => String::new(),
        Some(runs) => {
            let (all, passed) = test.fair;
            let expected = match runs == Rational::ONE {
                true => String::new(),
                false => format!("; expect {} repetitions", tenth(runs)),
            };
            format!("passed {passed} of {all} runs{expected}")
        }
        None => format!("passed none of {}", count(test.fair.0 as usize, "run")),
    };
    let covers = if test.covers == 0 { String::new() } else { test.covers.to_string() };
    let purpose = match test.runs() {
        1 => test.case.summary.goal.to_string(),
        runs => format!("{}, {runs} times", test.case.summary.goal),
    };
    [test.case.name.clone(), covers, rank, time, fair, purpose]
}

/// A number with one decimal.
fn tenth(number: Rational) -> String {
    let tenths = number.mul(Rational::integer(10)).map_or(0, Rational::ceil);
    if tenths % 10 == 0 {
        (tenths / 10).to_string()
    } else {
        format!("{}.{}", tenths / 10, tenths % 10)
    }
}

/// The time that all test cases take together, once.
fn total(built: &BuiltSuite) -> Option<Rational> {
    let mut times = built
        .tests
        .iter()
        .filter_map(|test| test.duration?.mul(Rational::integer(i64::from(test.runs()))).ok());
    times
        .try_fold(Rational::ZERO, |sum, time| sum.add(time).ok())
        .filter(|sum| *sum > Rational::ZERO)
}

/// The coverage of a criterion.
struct Tally {
    cover: Cover,
    covered: usize,
    /// How many a run that passes may have covered, which no observation tells.
    possible: usize,
    /// How many need cooperation of the system, which was not wanted.
    relying: usize,
    /// How many can be covered as far as is known.
    coverable: usize,
    all: usize,
}

fn by_criterion(built: &BuiltSuite) -> Vec<Tally> {
    let of = |cover: Cover| {
        let own: Vec<&SuiteTarget> =
            built.targets.iter().filter(|target| target.criterion == cover).collect();
        let covered = own.iter().filter(|one| matches!(one.standing, Standing::Covered(_))).count();
        let impossible = own.iter().filter(|one| one.standing.is_impossible()).count();
        let possible =
            own.iter().filter(|one| matches!(one.standing, Standing::Possible(_))).count();
        let relies =
            |why: WhyMissed| matches!(why, WhyMissed::Cooperation | WhyMissed::EdgeCooperation);
        let relying = own
            .iter()
            .filter(|one| matches!(one.standing, Standing::Missed(why) if relies(why)))
            .count();
        let (coverable, all) = (own.len() - impossible, own.len());
        Tally { cover, covered, possible, relying, coverable, all }
    };
    Cover::ALL.into_iter().map(of).filter(|tally| tally.all > 0).collect()
}

/// What is said where results are not; `online` is the command that needs no test cases.
pub fn warnings(built: &BuiltSuite, online: &Offer) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    if let Some(why) = built.stopped {
        let diagnostic = Diagnostic::global("limit", format!("the suite is not complete: {why}"));
        all.push(match why {
            StopReason::Time => diagnostic.help("a larger `--budget` allows more"),
            StopReason::Memory => diagnostic.help("a larger `--memory` allows more"),
            StopReason::Asked => diagnostic,
        });
    }
    if built.could_be_shorter {
        let message = "test cases were not joined any further: the time limit was reached";
        let help = "a larger `--budget` may give a shorter suite that covers the same";
        all.push(Diagnostic::global("limit", message).help(help));
    }
    all.extend(built.limited.clone());
    let needs_online = |target: &&SuiteTarget| match target.standing {
        Standing::Possible(_) => true,
        Standing::Missed(why) => why.is_seen_online(),
        Standing::Covered(_) | Standing::Impossible(_) | Standing::Open => false,
    };
    let left = built.targets.iter().filter(needs_online).count();
    if left > 0 {
        let message = format!("no test case surely covers {}", count(left, "coverage item"));
        let online = online.after(built.limited.as_ref().map(|limit| limit.code));
        let help = format!("`{online}` needs no test cases and may cover more");
        all.push(Diagnostic::global("not-covered", message).help(help));
    }
    all
}

/// The same as JSON, without the test cases themselves.
pub fn to_json(built: &BuiltSuite, unit: Option<TimeUnit>) -> Value {
    let criteria = by_criterion(built).into_iter().map(|tally| {
        let Tally { cover, covered, possible, relying, coverable, all } = tally;
        json!({
            "of": cover.name(),
            "covered": covered,
            "possible": possible,
            "cooperation": relying,
            "coverable": coverable,
            "all": all,
        })
    });
    let targets: Vec<Value> = built.targets.iter().map(target).collect();
    let uncovered = built.targets.iter().filter_map(|target| match target.standing {
        Standing::Covered(_) => None,
        Standing::Impossible(_) => Some((target, WhyMissed::Unreachable.to_string(), true)),
        Standing::Missed(why) => Some((target, why.to_string(), false)),
        Standing::Possible(_) => Some((target, POSSIBLE.to_owned(), false)),
        Standing::Open => Some((target, "not looked at".to_owned(), false)),
    });
    let uncovered: Vec<Value> = uncovered
        .map(
            |(target, why, proved)| json!({ "purpose": target.text, "why": why, "proved": proved }),
        )
        .collect();
    let tests = built.tests.iter().map(|test| {
        json!({
            "name": test.case.name,
            "covers": test.covers,
            "rank": test.case.summary.rank,
            "needs_luck": test.needs_luck(),
            "may_try_nothing": test.may_try_nothing,
            "fair_runs": test.fair.0,
            "fair_passes": test.fair.1,
            "repetitions": test.repetitions().map(|runs| runs.to_string()),
            "time": test.duration.map(|time| time.to_string()),
        })
    });
    let covered = built.targets.len() - uncovered.len();
    let mutants = built.killing.as_ref().map(|killing| {
        let Score { mutants, killed, equivalent, missed, unknown } = killing.score;
        json!({
            "mutants": mutants,
            "killed": killed,
            "equivalent": equivalent,
            "missed": missed,
            "unknown": unknown,
            "repeat": killing.repeat,
            "made": killing.made,
            "unmeasured": killing.unmeasured,
            "complete": killing.complete,
            "survivors": killing.missed.iter().map(|(id, _)| id).collect::<Vec<_>>(),
        })
    });
    json!({
        "coverage": {
            "criteria": criteria.collect::<Vec<_>>(),
            "covered": covered,
            "uncovered": uncovered,
            "targets": targets,
        },
        "tests": tests.collect::<Vec<_>>(),
        "left_out": built.left_out,
        "joined": built.joined,
        "mutants": mutants,
        "unit": unit.map(|unit| unit.to_string()),
        "complete": built.stopped.is_none() && built.limited.is_none(),
    })
}

fn target(target: &SuiteTarget) -> Value {
    let (standing, by, why) = match &target.standing {
        Standing::Covered(by) => ("covered", Some(by), None),
        Standing::Possible(by) => ("possible", Some(by), Some(POSSIBLE.to_owned())),
        Standing::Impossible(_) => ("impossible", None, Some(WhyMissed::Unreachable.to_string())),
        Standing::Missed(why) => ("missed", None, Some(why.to_string())),
        Standing::Open => ("open", None, None),
    };
    let proof = match &target.standing {
        Standing::Impossible(Proof::Searched(states)) => json!({ "searched": states }),
        Standing::Impossible(Proof::Needs(other)) => json!({ "needs": other }),
        _ => Value::Null,
    };
    json!({
        "criterion": target.criterion.name(),
        "name": target.name,
        "purpose": target.text,
        "standing": standing,
        "by": by,
        "why": why,
        "proof": proof,
    })
}
