//! Anyone can check us: suites, strategies and ranks against the model they claim to be about, by the
//! independent checker. Nothing that made them is trusted; what a test case is for is read from its
//! own summary and looked up in the model.

mod aim;
mod claim;
mod luck;
mod strategy;

use std::path::Path;

use tioga_base::{Diagnostic, Diagnostics, ModelFormat, Sources};
use tioga_certify::{
    CheckCoverage, CheckOptions, CheckReport, Error, check, check_case, check_observed, start_rank,
};
use tioga_model::Objective;
use tioga_parse::parse;
use tioga_parse::syntax::{Item, TemplateKind};
use tioga_testcase::{ModelSource, Rank, Scope, Suite, TestCase};

use crate::games::questions;
use crate::machines::{flaw, is_machine_case};
use crate::{Effort, Failure, Loaded, read};
use aim::{Aimed, aimed};
pub use claim::{Certificate, read_certificate};

/// How thoroughly to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CertifyOptions {
    /// How many regions are few enough to check them all.
    pub max_regions: usize,
    /// How many random plays to sample where they are not.
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

/// What the checker says about one test case, strategy or rank.
#[derive(Clone, PartialEq, Debug)]
pub struct Certified {
    /// What it is called: the test case, or the query.
    pub name: String,
    /// The purpose it claims to be for.
    pub purpose: String,
    /// What was found.
    pub finding: Finding,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// Nothing is wrong with it, as far as was looked.
    Right(CheckReport),
    /// It is wrong, for this reason and at this place.
    Wrong(String),
    /// A limit was reached first, or the model uses what the checker does not support.
    Open(String),
}

/// Checks everything that a certificate says against a model. With a purpose, everything must be for
/// that purpose.
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
    let plain = read(source.clone(), &[], texts)?;
    let how = CheckOptions {
        max_regions: options.max_regions,
        plays: options.plays,
        seed: options.seed,
        cancel: effort.cancel.clone(),
        ..CheckOptions::default()
    };
    let mut all = Vec::new();
    let mut add = |name: &str, written: &str, finding: Finding| {
        let (name, purpose) = (name.to_owned(), written.to_owned());
        all.push(Certified { name, purpose, finding });
    };
    match certificate {
        Certificate::Suite(suite) => {
            for case in &suite.cases {
                let written = &case.summary.purpose;
                let finding = match other_purpose(written, purpose) {
                    Some(wrong) => Finding::Wrong(wrong),
                    None => case_finding(&plain, case, &how)?,
                };
                add(&case.name, written, finding);
            }
        }
        Certificate::Strategy(value) => {
            let written = value["query"].as_str().unwrap_or_default();
            let finding = match other_purpose(written, purpose) {
                Some(wrong) => Finding::Wrong(wrong),
                None => strategy_finding(&plain, value, written, &how)?,
            };
            add("strategy", written, finding);
        }
        Certificate::Ranks(queries) => {
            for value in queries {
                let written = value["query"].as_str().unwrap_or_default();
                let finding = match other_purpose(written, purpose) {
                    Some(wrong) => Finding::Wrong(wrong),
                    None => rank_finding(&plain, value, written, &how)?,
                };
                add("rank", written, finding);
            }
        }
    }
    Ok(all)
}

/// The model with the purposes that a suite adds to it, such as those made from runs. Purposes only observe, so
/// the model stays what it is; anything else that a suite adds is left out.
fn with_purposes_of(source: ModelSource, suite: &Suite) -> ModelSource {
    let added = suite.model.as_ref().and_then(|own| own.text.strip_prefix(source.text.as_str()));
    let Some(added) =
        added.filter(|added| source.format == ModelFormat::Tioga && !added.is_empty())
    else {
        return source;
    };
    let mut aside = (Sources::new(), Diagnostics::new());
    let file = aside.0.add("purposes", added);
    let is_purpose = |item: &Item| match item {
        Item::Template(template) => template.kind == TemplateKind::Purpose,
        _ => false,
    };
    match parse(ModelFormat::Tioga, file, added, &mut aside.1) {
        Some(document) if !aside.1.has_errors() && document.items.iter().all(is_purpose) => {
            ModelSource { text: format!("{}{added}", source.text), ..source }
        }
        _ => source,
    }
}

/// Why something is not for the purpose that was asked for.
fn other_purpose(written: &str, asked: Option<&str>) -> Option<String> {
    let asked = asked?;
    let reach = asked.strip_prefix("reach ").map(|rest| format!("E<> control: A<> {rest}"));
    let same = written == asked
        || written == format!("purpose {asked}")
        || reach.is_some_and(|reach| reach == written);
    (!same).then(|| format!("it is for `{written}`, not for `{asked}`"))
}

fn avoids(objective: &Objective) -> bool {
    matches!(objective, Objective::Stay(_) | Objective::WeakUntil(..))
}

/// What an answer of the checker means.
fn found(answer: Result<CheckReport, Error>) -> Finding {
    match answer {
        Ok(report) => Finding::Right(report),
        Err(Error::Refuted(refutation)) => Finding::Wrong(refutation.to_string()),
        Err(error) => Finding::Open(error.to_string()),
    }
}

fn case_finding(loaded: &Loaded, case: &TestCase, how: &CheckOptions) -> Result<Finding, Failure> {
    if is_machine_case(case) {
        return Ok(match flaw(&loaded.model, case)? {
            Some(wrong) => Finding::Wrong(wrong),
            None => Finding::Right(CheckReport {
                coverage: CheckCoverage::Exhaustive,
                states: case.places.len() as u64,
                advised: case.places.len().saturating_sub(1) as u64,
                discrete_states: case.places.len(),
                exact: true,
                left_open: None,
            }),
        });
    }
    let Some(mut aim) = aimed(loaded, &case.summary.purpose, &how.cancel)? else {
        let purpose = &case.summary.purpose;
        return Ok(Finding::Wrong(format!("the model has no purpose, query or edge `{purpose}`")));
    };
    if !case.own_moves.is_empty() {
        let own_moves = aim.name_own_moves(&how.cancel)?;
        if let Some(strange) = case.own_moves.iter().find(|name| !own_moves.contains(name)) {
            let wrong = format!("`{strange}` is no move that the environment makes by itself");
            return Ok(Finding::Wrong(wrong));
        }
    }
    let Aimed { model, objective, span, clear, restarts } = aim;
    if case.summary.model != model.name && case.summary.model != loaded.model.name {
        let (own, other) = (&case.summary.model, &loaded.model.name);
        return Ok(Finding::Wrong(format!("it is for the model `{own}`, not for `{other}`")));
    }
    if case.summary.restarts != restarts {
        let not = if restarts { "" } else { "not " };
        return Ok(Finding::Wrong(format!("the purpose does {not}declare a restart action")));
    }
    if case.summary.unit != loaded.model.time_unit {
        return Ok(Finding::Wrong("the model declares another time unit".to_owned()));
    }
    let how = CheckOptions { span, ..how.clone() };
    if !clear {
        return Ok(match luck::flaw(case, &model, false) {
            Some(wrong) => Finding::Wrong(wrong),
            None => found(check_observed(&model, &objective, case, &how)),
        });
    }
    let finding = found(check_case(&model, &objective, case, &how));
    if let Finding::Right(_) = &finding {
        if !case.summary.exact {
            let wrong = "the summary calls verdicts approximate, but they are those of the model";
            return Ok(Finding::Wrong(wrong.to_owned()));
        }
        if let Some(wrong) = luck::flaw(case, &model, true) {
            return Ok(Finding::Wrong(wrong));
        }
    }
    Ok(finding)
}

fn strategy_finding(
    loaded: &Loaded,
    value: &serde_json::Value,
    written: &str,
    how: &CheckOptions,
) -> Result<Finding, Failure> {
    let Some(aimed) = aimed(loaded, written, &how.cancel)? else {
        return Ok(Finding::Wrong(format!("the model has no purpose or query `{written}`")));
    };
    if value["model"] != aimed.model.name.as_str() {
        return Ok(Finding::Wrong(format!("it is for the model {}", value["model"])));
    }
    if avoids(&aimed.objective) {
        let why = "a strategy to avoid something does not say which states are lost";
        return Ok(Finding::Open(why.to_owned()));
    }
    let how = CheckOptions { span: aimed.span, ..how.clone() };
    let cooperative = written.trim_start().starts_with("E<>");
    Ok(match strategy::table(&aimed.model, &aimed.objective, cooperative, value) {
        Ok(table) => found(check(&aimed.model, &table, &how)),
        Err(wrong) => Finding::Wrong(wrong),
    })
}

fn rank_finding(
    loaded: &Loaded,
    value: &serde_json::Value,
    written: &str,
    how: &CheckOptions,
) -> Result<Finding, Failure> {
    let Some(aimed) = aimed(loaded, written, &how.cancel)? else {
        return Ok(Finding::Wrong(format!("the model has no purpose or query `{written}`")));
    };
    if avoids(&aimed.objective) {
        return Ok(Finding::Open("ranks are about something to be reached".to_owned()));
    }
    let how = CheckOptions { span: aimed.span, ..how.clone() };
    let claimed = &value["rank"];
    let number = |name: &str| claimed[name].as_u64().and_then(|one| u32::try_from(one).ok());
    let scope = if claimed["risks"].is_null() { Scope::Cooperative } else { Scope::SafetyFirst };
    let (right, states) = match start_rank(&aimed.model, &aimed.objective, scope, &how) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(Finding::Open("there are too many regions to know it".to_owned())),
        Err(error) => return Ok(found(Err(error))),
    };
    let says = match (number("losses"), number("steps")) {
        (Some(losses), Some(steps)) => {
            Some(Rank { risks: number("risks").unwrap_or(0), losses, steps })
        }
        _ => None,
    };
    // A system that may stay idle is no easier to win against, and then there are no control losses.
    let strict = value["concept"] == "strict" && value["holds"] == true;
    let cooperative = written.trim_start().starts_with("E<>");
    let same = if strict || value["rank_exact"] == false {
        let enforced = !strict || cooperative || says.is_some_and(|rank| rank.losses == 0);
        enforced && right.is_some() && says >= right
    } else {
        says == right
    };
    if !same || value["losses"].as_u64() != says.map(|rank| u64::from(rank.losses)) {
        let shown = |rank: Option<Rank>| rank.map_or("none".to_owned(), |rank| format!("{rank:#}"));
        let (says, is) = (shown(says), shown(right));
        return Ok(Finding::Wrong(format!("the rank of the start is {is}, not {says}")));
    }
    Ok(Finding::Right(CheckReport {
        coverage: CheckCoverage::Exhaustive,
        states,
        advised: 0,
        discrete_states: 1,
        exact: true,
        left_open: None,
    }))
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
