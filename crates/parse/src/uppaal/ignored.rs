//! What is read and set aside, because it does not change which runs a model has.

use tioga_base::{Diagnostic, Diagnostics, Severity, Span};

/// A part of a file that is set aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ignored {
    /// How long a stochastic model waits in a location.
    ExponentialRate,
    /// How likely a branch is.
    Weight,
    /// A live sequence chart.
    Chart,
}

/// Says once, at the first place, that such parts are set aside.
pub(super) fn ignore(what: Ignored, span: Span, diagnostics: &mut Diagnostics) {
    let (feature, message, why) = match what {
        Ignored::ExponentialRate => (
            "exponential-rate",
            "exponential rates are ignored",
            "they say how likely delays are, not which delays are possible",
        ),
        Ignored::Weight => (
            "weight",
            "the weights of branches are ignored",
            "each branch is possible, and the system chooses one",
        ),
        Ignored::Chart => (
            "live-sequence-chart",
            "live sequence charts are ignored",
            "they observe the model and do not change it",
        ),
    };
    if diagnostics.iter().any(|one| one.feature == Some(feature) && one.message == message) {
        return;
    }
    diagnostics.push(set_aside(feature, span, message).note(why));
}

/// A note that a feature is read and set aside.
pub(super) fn set_aside(
    feature: &'static str,
    span: Span,
    message: impl Into<String>,
) -> Diagnostic {
    let note = Diagnostic::new(Severity::Note, "ignored", span, message);
    Diagnostic { feature: Some(feature), ..note }
}
