//! Certification: suites, strategies and ranks checked against the model they claim to be about, by the
//! independent checker. The code that made them is not trusted; the goal of a test case is read from
//! its own summary and looked up in the model.

mod aim;
mod claim;
mod luck;
mod strategy;
mod symbolic;
mod words;

use std::path::Path;

use tioga_base::{Cancel, Diagnostic, Diagnostics, Sources};
use tioga_certify::{
    CheckCoverage, CheckOptions, CheckReport, Error, check, check_case, check_observed, start_rank,
};
use tioga_model::Objective;
use tioga_testcase::{Goal, ModelSource, Rank, Scope, Suite, TestCase};

use crate::games::questions;
use crate::machines::{self, ClaimFinding};
use crate::read::further_purposes;
use crate::runs::SAMPLES;
use crate::{Cause, Effort, Failure, GivenPurpose, Loaded, read, read_of_suite};
use aim::{Aimed, aimed};
pub use claim::{Certificate, read_certificate};

/// How thoroughly a test case is checked when it is made: regions, plays, and steps of a play.
const REGIONS_OF_MADE: usize = 4000;
const PLAYS_OF_MADE: u32 = 20;
const STEPS_OF_MADE: u32 = 20;

/// How thoroughly to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CertifyOptions {
    /// The maximum number of regions for a complete check.
    pub max_regions: usize,
    /// The number of random plays otherwise.
    pub plays: u32,
    /// Decides every random choice.
    pub seed: u64,
}

impl Default for CertifyOptions {
    fn default() -> Self {
        let CheckOptions { max_regions, plays, seed, .. } = CheckOptions::default();
        Self { max_regions, plays, seed }
    }
}

/// The result of the checker for one test case, strategy or rank.
#[derive(Clone, PartialEq, Debug)]
pub struct Certified {
    /// Its name: the test case, or the query.
    pub name: String,
    /// The purpose it claims to be for.
    pub purpose: String,
    /// The finding.
    pub finding: CertifyFinding,
}

/// A finding.
#[derive(Clone, PartialEq, Debug)]
pub enum CertifyFinding {
    /// It has no flaw, as far as it was checked.
    Right(CheckReport),
    /// It is a suite that is complete, as it claims; what was checked.
    Complete(String),
    /// It is wrong, for this reason and at this place.
    Wrong(String),
    /// A limit was reached first, or the checker does not support the model.
    Open(String),
}

/// Checks a certificate against a model. With a purpose, everything must be for that purpose.
pub fn certify(
    source: ModelSource,
    certificate: &Certificate,
    purpose: Option<&str>,
    options: &CertifyOptions,
    texts: &mut Sources,
    effort: &mut Effort<'_>,
) -> Result<Vec<Certified>, Failure> {
    // A certificate may come from anywhere, so its purposes may make no sense.
    let source = match certificate {
        Certificate::Suite(suite) => with_purposes_of(source, suite),
        Certificate::Strategy(_) | Certificate::Ranks(_) => source,
    };
    let plain = match certificate {
        Certificate::Suite(suite) => read_of_suite(suite, source.clone(), &[], texts)?,
        Certificate::Strategy(_) | Certificate::Ranks(_) => read(source.clone(), &[], texts)?,
    };
    let how = CheckOptions {
        max_regions: options.max_regions,
        plays: options.plays,
        seed: options.seed,
        cancel: effort.cancel.clone(),
        ..CheckOptions::default()
    };
    let mut all = Vec::new();
    let mut add = |name: &str, written: &str, finding: CertifyFinding| {
        let (name, purpose) = (name.to_owned(), written.to_owned());
        all.push(Certified { name, purpose, finding });
    };
    match certificate {
        Certificate::Suite(suite) => {
            let mut right = Vec::new();
            for case in &suite.cases {
                let goal = &case.summary.goal;
                let finding = match other_purpose(goal, purpose) {
                    Some(wrong) => CertifyFinding::Wrong(wrong),
                    None => with_values(&plain, case, &how)?,
                };
                if matches!(finding, CertifyFinding::Right(_)) {
                    right.push(case);
                }
                add(&case.name, &goal.to_string(), finding);
            }
            // What is wrong about a test case is said there, and it counts for nothing here.
            if let Some(claim) = suite.complete.as_ref().filter(|_| purpose.is_none()) {
                let finding = if right.is_empty() && !suite.cases.is_empty() {
                    CertifyFinding::Wrong("none of its test cases is right".to_owned())
                } else {
                    let found = machines::check_claim(&plain.model, claim, &right, &effort.cancel);
                    claim_finding(found?)
                };
                add("suite", &machines::claim_text(claim), finding);
            }
        }
        Certificate::Strategy(value) => {
            let (written, finding) =
                answer_finding(&plain, value, purpose, &how, strategy_finding)?;
            add("strategy", written, finding);
        }
        Certificate::Ranks(queries) => {
            for value in queries {
                let (written, finding) =
                    answer_finding(&plain, value, purpose, &how, rank_finding)?;
                add("rank", written, finding);
            }
        }
    }
    Ok(all)
}

/// Lets the independent checker look at a test case as it was made, as far as that takes little time.
///
/// # Errors
/// If it is wrong, which is a mistake of ours.
pub fn certify_made(loaded: &Loaded, case: &TestCase, cancel: &Cancel) -> Result<(), Failure> {
    let how = CheckOptions {
        max_regions: REGIONS_OF_MADE,
        plays: PLAYS_OF_MADE,
        steps: STEPS_OF_MADE,
        cancel: cancel.clone(),
        ..CheckOptions::default()
    };
    match with_values(loaded, case, &how) {
        Ok(CertifyFinding::Wrong(why)) => {
            let message = format!("the test case `{}` is wrong: {why}", case.name);
            let note = "please report this; the model and the command suffice to reproduce it";
            Err(Failure::internal(Diagnostic::global("refuted", message).note(note)))
        }
        Err(failure) if failure.cause == Cause::Internal => Err(failure),
        // What cannot be checked in little time is used all the same.
        Ok(_) | Err(_) => Ok(()),
    }
}

fn claim_finding(found: ClaimFinding) -> CertifyFinding {
    match found {
        ClaimFinding::True(what) => CertifyFinding::Complete(what),
        ClaimFinding::False(why) => CertifyFinding::Wrong(why),
        ClaimFinding::Open(why) => CertifyFinding::Open(why),
    }
}

/// The model with the purposes that a suite adds to it, such as those made from runs. Purposes only observe, so
/// the model stays what it is; anything else that a suite adds is left out.
///
/// They may make no sense in another version of the model. Then they are left out, too.
fn with_purposes_of(source: ModelSource, suite: &Suite) -> ModelSource {
    let added = suite.model.as_ref().and_then(|own| own.options.purposes.clone());
    let Some(added) = added else { return source };
    let mut aside = (Sources::new(), Diagnostics::new());
    further_purposes(&added, &mut aside.0, &mut aside.1);
    if aside.1.has_errors() {
        return source;
    }
    let mut with = source.clone();
    with.options.purposes = Some(added);
    match read(with.clone(), &[], &mut aside.0) {
        Ok(_) => with,
        Err(_) => source,
    }
}

/// Why something is not for the purpose that was asked for.
fn other_purpose(goal: &Goal, asked: Option<&str>) -> Option<String> {
    let asked = asked?;
    let given: Option<GivenPurpose> = asked.parse().ok();
    let same = goal.is_called(asked) || given.is_some_and(|given| given.goal() == *goal);
    (!same).then(|| format!("it is for `{goal}`, not for `{asked}`"))
}

fn avoids(objective: &Objective) -> bool {
    matches!(objective, Objective::Stay(_) | Objective::WeakUntil(..))
}

/// What an answer of the checker means.
fn found(answer: Result<CheckReport, Error>) -> CertifyFinding {
    match answer {
        Ok(report) => CertifyFinding::Right(report),
        Err(Error::Refuted(refutation)) => CertifyFinding::Wrong(refutation.to_string()),
        Err(error) => CertifyFinding::Open(error.to_string()),
    }
}

/// What the checker says about a test case; with several choices of values, if it is one over data.
fn with_values(
    loaded: &Loaded,
    case: &TestCase,
    how: &CheckOptions,
) -> Result<CertifyFinding, Failure> {
    if let Some(symbolic) = &case.symbolic {
        return symbolic::finding(loaded, case, symbolic, how);
    }
    if case.data.is_none() {
        return case_finding(loaded, case, false, how);
    }
    let mut all: Option<CheckReport> = None;
    for sample in 0..SAMPLES {
        let instance = match case.instance(how.seed.wrapping_add(sample)) {
            Ok(instance) => instance,
            Err(why) => return Ok(CertifyFinding::Wrong(format!("its data: {why}"))),
        };
        match case_finding(loaded, &instance, true, how)? {
            CertifyFinding::Right(report) => {
                let before = all.take().map_or(0, |report| report.states);
                let left_open = Some("values of inputs were sampled, and others are not checked");
                let states = report.states + before;
                all = Some(CheckReport { states, exact: false, left_open, ..report });
            }
            other => return Ok(other),
        }
    }
    Ok(all.map_or_else(
        || CertifyFinding::Open("no values were chosen".to_owned()),
        CertifyFinding::Right,
    ))
}

/// What the checker says about a test case. Where values were chosen, its summary speaks of others.
fn case_finding(
    loaded: &Loaded,
    case: &TestCase,
    chosen: bool,
    how: &CheckOptions,
) -> Result<CertifyFinding, Failure> {
    if let Some(finding) = words::finding(loaded, case, how)? {
        return Ok(finding);
    }
    let Some(mut aim) = aimed(loaded, &case.summary.goal, &how.cancel)? else {
        let goal = &case.summary.goal;
        return Ok(CertifyFinding::Wrong(format!(
            "the model has no purpose, query or edge `{goal}`"
        )));
    };
    if !case.own_moves.is_empty() {
        let own_moves = aim.name_own_moves(&how.cancel)?;
        if let Some(strange) = case.own_moves.iter().find(|name| !own_moves.contains(name)) {
            let wrong = format!("`{strange}` is no move that the environment makes by itself");
            return Ok(CertifyFinding::Wrong(wrong));
        }
    }
    aim.restrict(case, &how.cancel);
    let Aimed { model, objective, span, clear, restarts } = aim;
    if case.summary.model != model.name && case.summary.model != loaded.model.name {
        let (own, other) = (&case.summary.model, &loaded.model.name);
        return Ok(CertifyFinding::Wrong(format!(
            "it is for the model `{own}`, not for `{other}`"
        )));
    }
    if case.summary.restarts != restarts {
        let not = if restarts { "" } else { "not " };
        return Ok(CertifyFinding::Wrong(format!(
            "the purpose does {not}declare a restart action"
        )));
    }
    if case.summary.unit != loaded.model.time_unit {
        return Ok(CertifyFinding::Wrong("the model declares another time unit".to_owned()));
    }
    let how = CheckOptions { span, of_classes: chosen, ..how.clone() };
    if !clear {
        return Ok(match luck::flaw(case, &model, false).filter(|_| !chosen) {
            Some(wrong) => CertifyFinding::Wrong(wrong),
            None => found(check_observed(&model, &objective, case, &how)),
        });
    }
    let finding = found(check_case(&model, &objective, case, &how));
    if let CertifyFinding::Right(_) = &finding {
        if !case.summary.exact {
            let wrong = "the summary calls verdicts approximate, but they are those of the model";
            return Ok(CertifyFinding::Wrong(wrong.to_owned()));
        }
        if let Some(wrong) = luck::flaw(case, &model, true).filter(|_| !chosen) {
            return Ok(CertifyFinding::Wrong(wrong));
        }
    }
    Ok(finding)
}

/// An answer of the solver: a query, and what is claimed about it.
struct Answer<'a> {
    value: &'a serde_json::Value,
    /// Its query.
    written: &'a str,
    aimed: Aimed,
}

impl Answer<'_> {
    /// Whether the tester only hopes to reach the objective.
    fn is_cooperative(&self) -> bool {
        self.written.trim_start().starts_with("E<>")
    }
}

/// The query of an answer, and what `judge` finds about the answer if its query is one of the model.
fn answer_finding<'a>(
    loaded: &Loaded,
    value: &'a serde_json::Value,
    purpose: Option<&str>,
    how: &CheckOptions,
    judge: fn(&Answer<'_>, &CheckOptions) -> CertifyFinding,
) -> Result<(&'a str, CertifyFinding), Failure> {
    let written = value["query"].as_str().unwrap_or_default();
    let goal = Goal::query(written);
    if let Some(wrong) = other_purpose(&goal, purpose) {
        return Ok((written, CertifyFinding::Wrong(wrong)));
    }
    let finding = match aimed(loaded, &goal, &how.cancel)? {
        Some(mut aimed) => {
            let how = CheckOptions { span: aimed.span, ..how.clone() };
            aimed.take_classes(&how.cancel)?;
            judge(&Answer { value, written, aimed }, &how)
        }
        None => CertifyFinding::Wrong(format!("the model has no purpose or query `{written}`")),
    };
    Ok((written, finding))
}

fn strategy_finding(answer: &Answer<'_>, how: &CheckOptions) -> CertifyFinding {
    let Answer { value, aimed, .. } = answer;
    if value["model"] != aimed.model.name.as_str() {
        return CertifyFinding::Wrong(format!("it is for the model {}", value["model"]));
    }
    if avoids(&aimed.objective) {
        let why = "a strategy to avoid something does not say which states are lost";
        return CertifyFinding::Open(why.to_owned());
    }
    match strategy::table(&aimed.model, &aimed.objective, answer.is_cooperative(), value) {
        Ok(table) => found(check(&aimed.model, &table, how)),
        Err(wrong) => CertifyFinding::Wrong(wrong),
    }
}

fn rank_finding(answer: &Answer<'_>, how: &CheckOptions) -> CertifyFinding {
    let Answer { value, aimed, .. } = answer;
    if avoids(&aimed.objective) {
        return CertifyFinding::Open("ranks are about something to be reached".to_owned());
    }
    let claimed = &value["rank"];
    let number = |name: &str| claimed[name].as_u64().and_then(|one| u32::try_from(one).ok());
    let scope = if claimed["risks"].is_null() { Scope::Cooperative } else { Scope::SafetyFirst };
    let (right, states) = match start_rank(&aimed.model, &aimed.objective, scope, how) {
        Ok(Some(found)) => found,
        Ok(None) => {
            return CertifyFinding::Open("there are too many regions to know it".to_owned());
        }
        Err(error) => return found(Err(error)),
    };
    let says = match (number("losses"), number("steps")) {
        (Some(losses), Some(steps)) => {
            Some(Rank { risks: number("risks").unwrap_or(0), losses, steps })
        }
        _ => None,
    };
    // A system that may stay idle is no easier to win against, and then there are no control losses.
    let strict = value["concept"] == "strict" && value["holds"] == true;
    let same = if strict || value["rank_exact"] == false {
        let enforced =
            !strict || answer.is_cooperative() || says.is_some_and(|rank| rank.losses == 0);
        enforced && right.is_some() && says >= right
    } else {
        says == right
    };
    if !same || value["losses"].as_u64() != says.map(|rank| u64::from(rank.losses)) {
        let shown = |rank: Option<Rank>| rank.map_or("none".to_owned(), |rank| format!("{rank:#}"));
        let (says, is) = (shown(says), shown(right));
        return CertifyFinding::Wrong(format!("the rank of the start is {is}, not {says}"));
    }
    CertifyFinding::Right(CheckReport {
        coverage: CheckCoverage::Exhaustive,
        states,
        advised: 0,
        discrete_states: 1,
        exact: true,
        left_open: None,
    })
}

/// The failure to read a certificate.
pub(crate) fn unreadable(path: &Path, reason: &str) -> Failure {
    let message = format!("`{}` is no suite, strategy or answer of `solve`", path.display());
    let help = "`tioga synth -o`, `tioga solve --strategy x.json` and `tioga --format json solve` \
                write what can be certified";
    let diagnostic = Diagnostic::global("not-a-certificate", message).note(reason.to_owned());
    diagnostic.help(help).into()
}

/// The questions about games that a model asks by itself.
pub(crate) fn own_questions(loaded: &Loaded) -> Vec<crate::games::Question> {
    questions(loaded).unwrap_or_default()
}
