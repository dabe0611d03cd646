//! Why a call has no result: the cause, and the diagnostics.

use std::fmt;

use tioga_base::{Cancel, Diagnostic, Diagnostics};

/// Why a call has no result.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The cause.
    pub cause: Cause,
    /// What it is about, if callers may go on in another way then.
    pub reason: Option<Reason>,
    /// The diagnostics, including earlier warnings.
    pub diagnostics: Diagnostics,
}

/// What is at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The input: a text, an option, a system that does not fit.
    Input,
    /// A limit that was reached first.
    Limit,
    /// This library.
    Internal,
}

/// What a failure is about, for callers that go on in another way then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The model asks nothing that could be answered.
    NoQuery,
    /// A symbolic constant has no value.
    NoValue,
    /// The data of the model cannot be followed.
    Data,
    /// The goal is unreachable even with cooperation.
    Unreachable,
}

impl Failure {
    /// The same failure, which is about this.
    #[must_use]
    pub fn because(self, reason: Reason) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// A limit was reached first.
    pub fn limit(diagnostic: Diagnostic) -> Self {
        Self { cause: Cause::Limit, ..diagnostic.into() }
    }

    /// This library is wrong.
    pub fn internal(diagnostic: Diagnostic) -> Self {
        Self { cause: Cause::Internal, ..diagnostic.into() }
    }

    /// The same failure with a remedy, unless it names one already; for callers that know the options of
    /// the user. It is added only to failures of the input with one of these codes.
    #[must_use]
    pub fn help_with(self, codes: &[&str], help: &str) -> Self {
        let mut diagnostics = Diagnostics::new();
        for diagnostic in self.diagnostics.iter().cloned() {
            let helpless = diagnostic.help.is_none() && codes.contains(&diagnostic.code);
            diagnostics.push(if helpless { diagnostic.help(help) } else { diagnostic });
        }
        Self { diagnostics, ..self }
    }

    /// The same failure, after these warnings.
    #[must_use]
    pub fn after(self, mut warnings: Diagnostics) -> Self {
        warnings.append(self.diagnostics);
        Self { diagnostics: warnings, ..self }
    }
}

/// The failure of work that was stopped: why, if that is known.
pub(crate) fn stopped(what: &str, cancel: &Cancel) -> Failure {
    let why = cancel.reason().map_or_else(String::new, |reason| format!(": {reason}"));
    Failure::limit(Diagnostic::global("limit", format!("{what} stopped early{why}")))
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        diagnostics.into()
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self { cause: Cause::Input, reason: None, diagnostics }
    }
}

/// The messages, one per line.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, diagnostic) in self.diagnostics.iter().enumerate() {
            let separator = if position == 0 { "" } else { "\n" };
            write!(f, "{separator}{}", diagnostic.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}
