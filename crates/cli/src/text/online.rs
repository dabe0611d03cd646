//! What online runs cover, in words and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};
use tioga::Cover;
use tioga::words::count;
use tioga_base::one_line;
use tioga_execute::{
    AimedMutants, LeftOut, NeverSent, OnlineCoverage, Outcome, SentInputs, Settings, Tally,
};
use tioga_model::Model;

use super::suite::list;

/// What the campaign is to cover, if it is.
pub fn coverage(settings: &Settings) -> Option<&OnlineCoverage> {
    settings.online.as_ref()?.coverage.as_ref()
}

/// How much is covered by a criterion.
struct Covered<'s> {
    of: &'s str,
    covered: usize,
    missed: Vec<LeftOut>,
}

impl Covered<'_> {
    /// How many can be covered, as far as is known.
    fn coverable(&self) -> usize {
        self.covered + self.missed.iter().filter(|one| !one.proved).count()
    }
}

fn by_criterion<'s>(
    settings: &'s Settings,
    coverage: &'s OnlineCoverage,
    tally: &Tally,
) -> Vec<Covered<'s>> {
    let mut all = Vec::new();
    for (criterion, range) in coverage.ranges() {
        let cases = range.len();
        let uncovered = range.filter_map(|position| {
            let case = tally.cases.get(position)?;
            let first = case.problem.as_ref().or(case.doubt.as_ref());
            let why = match first {
                _ if case.count(Outcome::Pass) > 0 => return None,
                None => "not run".to_owned(),
                Some(run) => {
                    format!("{} in run {}: {}", run.outcome, run.run, one_line(&run.reason))
                }
            };
            let purpose = settings.suite.cases.get(position)?.summary.goal.to_string();
            Some(LeftOut { purpose, why, proved: false })
        });
        let mut missed: Vec<LeftOut> = uncovered.collect();
        let covered = cases - missed.len();
        missed.extend_from_slice(&criterion.left_out);
        all.push(Covered { of: &criterion.of, covered, missed });
    }
    all
}

/// What one coverage item of a criterion is called.
fn noun(of: &str) -> &'static str {
    let cover = Cover::ALL.into_iter().find(|cover| cover.name() == of);
    cover.map_or(if of == "effects" { "effect" } else { "mutant difference" }, Cover::noun)
}

/// How much is covered, and what is not.
pub fn text(settings: &Settings, tally: &Tally) -> String {
    let mut text = String::new();
    let Some(coverage) = coverage(settings) else { return text };
    if let Some(mutants) = &coverage.mutants {
        text.push_str(&mutants_text(mutants));
    }
    let all = by_criterion(settings, coverage, tally);
    for one in &all {
        let coverable = one.coverable();
        let _ = write!(text, "{} of {} covered", one.covered, count(coverable, noun(one.of)));
        let impossible = one.missed.iter().filter(|one| one.proved).count();
        if impossible > 0 {
            let _ = write!(text, ", {impossible} proved impossible to cover");
        }
        text.push('\n');
    }
    let missed = all.iter().flat_map(|one| &one.missed);
    let line = |one: &LeftOut| format!("not covered: {}: {}", one.purpose, one.why);
    list(&mut text, missed.map(line).collect());
    text
}

/// How many mutants the runs aim at, and why not at others.
fn mutants_text(mutants: &AimedMutants) -> String {
    let AimedMutants { aimed, equivalent, undecided, stopped } = mutants;
    let mut text = format!("aimed at {aimed} of {}", count(aimed + undecided.len(), "mutant"));
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    undecided.iter().for_each(|one| *reasons.entry(&one.why).or_default() += 1);
    for (why, number) in &reasons {
        let _ = write!(text, "; {number} not compared with the model: {why}");
    }
    if *equivalent > 0 {
        let _ = write!(text, "; {equivalent} more cannot be told from the model");
    }
    if *stopped {
        text.push_str("; stopped before all mutants were made");
    }
    text.push('\n');
    let line = |one: &LeftOut| format!("not aimed at: {}: {}", one.purpose, one.why);
    list(&mut text, undecided.iter().map(line).collect());
    text
}

/// The same as JSON: the coverage, and the mutants.
pub fn to_json(settings: &Settings, tally: &Tally) -> Option<(Value, Value)> {
    let coverage = coverage(settings)?;
    let all = by_criterion(settings, coverage, tally);
    let criteria = all.iter().map(|one| {
        let (covered, coverable) = (one.covered, one.coverable());
        let whole = covered + one.missed.len();
        json!({ "of": one.of, "covered": covered, "coverable": coverable, "all": whole })
    });
    let criteria: Vec<Value> = criteria.collect();
    let uncovered: Vec<&LeftOut> = all.iter().flat_map(|one| &one.missed).collect();
    let covered: usize = all.iter().map(|one| one.covered).sum();
    let covered = json!({
        "criteria": criteria,
        "covered": covered,
        "uncovered": uncovered,
        "enough": tally.is_enough(),
    });
    let mutants = coverage.mutants.as_ref().map(|mutants| {
        json!({
            "mutants": mutants.aimed + mutants.equivalent + mutants.undecided.len(),
            "aimed": mutants.aimed,
            "equivalent": mutants.equivalent,
            "undecided": mutants.undecided,
            "complete": !mutants.stopped,
        })
    });
    Some((covered, json!(mutants)))
}

/// The inputs that were never sent in any run of an online campaign; test cases say what they send.
pub fn never_sent(settings: &Settings, model: Option<&Model>, tally: &Tally) -> Vec<NeverSent> {
    let (Some(_), Some(first)) = (&settings.online, settings.suite.cases.first()) else {
        return Vec::new();
    };
    let mut sent = SentInputs::default();
    tally.cases.iter().for_each(|case| sent.unite(&case.sent));
    if tally.counted() == 0 { Vec::new() } else { sent.never_sent(first, model) }
}
