//! What a request is answered with: JSON, a file of the page, or why not.

use serde_json::{Value, json};
use tioga::{Cause, Failure, Sources};
use tioga_views::results::diagnostics;

/// What a request is answered with.
#[derive(Debug)]
pub struct Answer {
    /// The status of HTTP.
    pub status: u16,
    /// The type of the body.
    pub kind: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

/// Why a request has no result.
#[derive(Debug)]
pub struct Refused {
    /// The status of HTTP.
    pub status: u16,
    /// What there is to say.
    pub message: String,
    /// The same with places and help, as `--format json` prints it.
    pub diagnostics: Value,
}

impl Refused {
    /// A refusal in one sentence.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), diagnostics: json!([]) }
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        let status = match failure.cause {
            Cause::Input => 400,
            Cause::Limit => 422,
            Cause::Internal => 500,
        };
        let diagnostics = diagnostics::json(&failure.diagnostics, &Sources::new());
        let first =
            failure.diagnostics.iter().find(|one| one.severity == tioga_base::Severity::Error);
        let message = match first {
            Some(one) => one.message.clone(),
            None => failure.to_string(),
        };
        Self { status, message, diagnostics }
    }
}

impl Answer {
    /// A result as JSON.
    pub fn json(value: &Value) -> Self {
        Self { status: 200, kind: "application/json", body: value.to_string().into_bytes() }
    }

    /// A file of the page.
    pub fn file(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, kind, body: body.into() }
    }
}

impl From<Refused> for Answer {
    fn from(refused: Refused) -> Self {
        let Refused { status, message, diagnostics } = refused;
        let value = json!({ "error": { "message": message, "diagnostics": diagnostics } });
        Self { status, ..Self::json(&value) }
    }
}
