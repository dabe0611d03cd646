//! How long testers wait: for an optional output, and between the inputs of a random walk.

use tioga_base::{Diagnostic, GivenTime, Rational};
use tioga_model::Model;
use tioga_testcase::Walk;

use crate::Failure;
use crate::cover::in_units as in_scale;
use crate::given::in_units;

/// How a random walk of a model is run: once, and no wait is longer than the model has bounds to miss.
pub(super) fn walk(model: &Model) -> Walk {
    let longest_wait = model.patience().map_or(i64::from(i32::MAX), |wait| in_scale(model, wait));
    Walk { runs: 1, longest_wait, online: false }
}

/// How long the tester waits for an optional output, in units of the view of the model. Without a window, what the
/// model and its view wait for decides.
pub(super) fn waiting(
    window: Option<GivenTime>,
    specification: &Model,
    model: &Model,
) -> Result<i64, Failure> {
    let window = window.map(|given| in_units(given, model.time_unit)).transpose()?;
    let window = match window {
        Some(window) => Ok(window),
        None => specification
            .patience()
            .and_then(|own| Ok(own.max(model.patience()?)))
            .map(|wait| Rational::integer(wait.ceil())),
    };
    let scaled = window.and_then(|window| window.mul(Rational::integer(model.scale)));
    match scaled.ok().and_then(Rational::to_integer) {
        Some(units) if units >= 0 => Ok(units),
        _ => {
            let message = "the window is not a multiple of the model's finest unit";
            Err(Diagnostic::global("bad-time", message).into())
        }
    }
}
