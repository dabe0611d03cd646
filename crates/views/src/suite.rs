//! A suite as a list, and each test case as picture and text.

use serde_json::{Value, json};
use tioga_base::Sources;
use tioga_report::{Coverage, picture};
use tioga_testcase::{Shape, Suite, TestCase};

use crate::results::{case, certify as certified};
use tioga::{Certificate, CertifyOptions, Effort, Failure, certify};

/// The test cases with what they are for and how good they are.
pub fn overview(suite: &Suite) -> Value {
    let cases: Vec<Value> = suite.cases.iter().map(line).collect();
    json!({ "model": suite.model.as_ref().map(|model| model.name.clone()), "cases": cases })
}

fn line(case: &TestCase) -> Value {
    let summary = &case.summary;
    let shape = match case.shape {
        Shape::Automaton => "automaton",
        Shape::Strategy => "strategy",
        Shape::Tree => "tree",
    };
    let luck: Vec<String> = summary.luck.iter().map(|one| one.text(summary.times())).collect();
    json!({
        "name": case.name,
        "purpose": summary.goal.to_string(),
        "shape": shape,
        "rank": { "risks": summary.rank[0], "losses": summary.rank[1], "steps": summary.rank[2] },
        "luck": luck,
        "exact": summary.exact,
        "approximated": summary.approximated,
        "may_be_inconclusive": summary.may_be_inconclusive,
        "places": case.places.len(),
    })
}

/// A test case as picture and text; nothing if there is none at this position.
pub fn one(suite: &Suite, position: usize) -> Option<Value> {
    let own = suite.cases.get(position)?;
    let mut graph = Coverage::new(suite).case(suite, position)?;
    graph.nodes.iter_mut().for_each(|node| node.visits = None);
    graph.edges.iter_mut().for_each(|edge| edge.visits = None);
    let svg = picture::element(&[graph]);
    Some(json!({ "summary": line(own), "svg": svg, "text": case::text(own) }))
}

/// What the independent checker says about each test case, as `tioga certify --format json` prints it.
///
/// # Errors
/// If the suite does not keep its model, or the model is wrong.
pub fn certificates(suite: &Suite, effort: &mut Effort<'_>) -> Result<Value, Failure> {
    let Some(source) = suite.model.clone() else {
        let message = "the suite does not say what model it was made from";
        return Err(tioga_base::Diagnostic::global("no-model", message).into());
    };
    let (mut texts, options) = (Sources::new(), CertifyOptions::default());
    let claim = Certificate::Suite(Box::new(suite.clone()));
    let all = certify(source, &claim, None, &options, &mut texts, effort)?;
    Ok(json!({ "certified": all.iter().map(certified::to_json).collect::<Vec<_>>() }))
}
