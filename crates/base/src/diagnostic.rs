//! What Tioga says about a text a user wrote: where, what, why, and how to mend it.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but probably does not say what was meant.
    Warning,
    /// Something worth knowing.
    Note,
}

/// A remark attached to a place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The place.
    pub span: Span,
    /// The remark; may be empty for the primary place.
    pub text: String,
}

/// A replacement that would mend the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What to replace.
    pub span: Span,
    /// What to write instead.
    pub replacement: String,
}

/// One complaint: a code to look up, a sentence, the offending place, reasons and a remedy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A short stable name in kebab case, such as `unknown-name`.
    pub code: &'static str,
    /// One sentence fragment in lower case, without a full stop.
    pub message: String,
    /// The offending place, if there is a text.
    pub primary: Option<Remark>,
    /// Other places that explain it.
    pub secondary: Vec<Remark>,
    /// Reasons and background, one sentence each.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// A mechanical remedy.
    pub fix: Option<Fix>,
    /// The feature of a language that was met and is not known: a short stable name in kebab case,
    /// such as `clock-rate`.
    pub feature: Option<&'static str>,
}

impl Diagnostic {
    /// A diagnostic at a place.
    pub fn new(
        severity: Severity,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity,
            code,
            message: message.into(),
            primary: Some(Remark { span, text: String::new() }),
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            fix: None,
            feature: None,
        }
    }

    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// An error at a place that uses a feature which is not supported.
    pub fn unsupported(feature: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { feature: Some(feature), ..Self::error("unsupported", span, message) }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    /// An error that concerns no place in a text.
    pub fn global(code: &'static str, message: impl Into<String>) -> Self {
        let mut diagnostic = Self::error(code, Span::default(), message);
        diagnostic.primary = None;
        diagnostic
    }

    /// Sets the remark shown under the offending place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// Adds another place with a remark.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Remark { span, text: text.into() });
        self
    }

    /// Adds a reason.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Offers a replacement, and says so unless a help text is already there.
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        let replacement = replacement.into();
        self.help.get_or_insert_with(|| format!("did you mean `{replacement}`?"));
        self.fix = Some(Fix { span, replacement });
        self
    }

    /// Offers the candidate closest to `wrong`, if one is close enough.
    pub fn suggest<'a>(
        self,
        span: Span,
        wrong: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        match crate::closest(wrong, candidates) {
            Some(candidate) => self.fix(span, candidate),
            None => self,
        }
    }
}

/// A bounded collection of diagnostics without repetitions.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
    errors: usize,
    dropped: usize,
}

impl Diagnostics {
    /// How many are kept; more are only counted.
    pub const CAPACITY: usize = 100;

    /// No complaint.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a diagnostic. A repetition (same code, place and message) is dropped.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let same = |old: &Diagnostic| {
            old.code == diagnostic.code
                && old.message == diagnostic.message
                && old.primary.as_ref().map(|label| label.span)
                    == diagnostic.primary.as_ref().map(|label| label.span)
        };
        if self.items.iter().any(same) {
            return;
        }
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        if self.items.len() < Self::CAPACITY {
            self.items.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// Adds all diagnostics of another collection.
    pub fn append(&mut self, other: Self) {
        self.dropped += other.dropped;
        for diagnostic in other.items {
            self.push(diagnostic);
        }
    }

    /// Whether an error is among them.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors were pushed, kept or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// How many diagnostics were pushed beyond the capacity.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// The kept diagnostics in order of arrival.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.items.iter()
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_dropped_and_the_rest_is_bounded() {
        let mut diagnostics = Diagnostics::new();
        for index in 0..2 * Diagnostics::CAPACITY {
            let diagnostic = Diagnostic::error("x", Span::default(), format!("{index}"));
            diagnostics.push(diagnostic.clone());
            diagnostics.push(diagnostic);
        }
        assert_eq!(diagnostics.iter().len(), Diagnostics::CAPACITY);
        assert!(diagnostics.dropped() >= Diagnostics::CAPACITY);
        assert!(diagnostics.has_errors());
    }

    #[test]
    fn a_suggestion_becomes_a_fix() {
        let diagnostic = Diagnostic::error("unknown-name", Span::default(), "unknown clock `y`")
            .suggest(Span::default(), "tuoch", ["touch", "dim"]);
        assert_eq!(diagnostic.fix.unwrap().replacement, "touch");
        assert_eq!(diagnostic.help.unwrap(), "did you mean `touch`?");
    }
}
