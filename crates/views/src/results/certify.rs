//! What the independent checker says about certificates, in words and as JSON.

use serde_json::{Value, json};
use tioga::{Certified, CertifyFinding};
use tioga_certify::CheckCoverage;

/// One line for a test case, a strategy or a rank, with what is wrong or how much was checked.
pub fn line(certified: &Certified) -> String {
    let Certified { name, purpose, finding } = certified;
    let (word, why) = match finding {
        CertifyFinding::Right(report) => ("right", report.to_string()),
        CertifyFinding::Complete(what) => ("right", what.clone()),
        CertifyFinding::Wrong(why) => ("wrong", why.clone()),
        CertifyFinding::Open(why) => ("unknown", why.clone()),
    };
    format!("{name} ({purpose}): {word}\n  {why}\n")
}

/// The same as JSON.
pub fn to_json(certified: &Certified) -> Value {
    let Certified { name, purpose, finding } = certified;
    let (right, why, report) = match finding {
        CertifyFinding::Right(report) => (Some(true), report.to_string(), Some(report)),
        CertifyFinding::Complete(what) => (Some(true), what.clone(), None),
        CertifyFinding::Wrong(why) => (Some(false), why.clone(), None),
        CertifyFinding::Open(why) => (None, why.clone(), None),
    };
    json!({
        "name": name,
        "purpose": purpose,
        "right": right,
        "reason": why,
        "states": report.map(|report| report.states),
        "sampled": report.map(|report| report.coverage != CheckCoverage::Exhaustive),
        "exact": report.map(|report| report.exact),
        "left_open": report.and_then(|report| report.left_open),
    })
}
