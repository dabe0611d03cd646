//! Delays and steps as a person reads them.

use tioga_base::{Overflow, Rational};
use tioga_concrete::rational_values;
use tioga_model::{ChannelId, Hidden, Model, Step, StepLabel};

use super::valuation::written;

/// `now` or `after 5/2`.
pub(crate) fn after(model: &Model, delay: Rational) -> Result<String, Overflow> {
    if delay.is_zero() {
        return Ok("now".to_owned());
    }
    Ok(format!("after {}", written(model, delay)?))
}

/// A step as it is written in models.
pub(crate) fn step_name(model: &Model, step: &Step) -> String {
    let call = |channel: ChannelId, mark: char, slots: &[i64]| {
        let name = &model.channels[channel].name;
        let values = rational_values(model, channel, slots);
        let values: Vec<String> = values.iter().map(Rational::to_string).collect();
        if values.is_empty() {
            format!("{name}{mark}")
        } else {
            format!("{name}{mark}({})", values.join(", "))
        }
    };
    match step.label {
        StepLabel::Input(channel) => format!("`{}`", call(channel, '?', &step.arguments)),
        StepLabel::Output(channel) => format!("`{}`", call(channel, '!', &step.arguments)),
        StepLabel::Exchange(input, output) => {
            let (input, output) =
                (call(input, '?', &step.arguments), call(output, '!', &step.reply));
            format!("`{input} / {output}`")
        }
        StepLabel::Internal(Hidden::Channel(channel)) => {
            format!("the internal `{}`", model.channels[channel].name)
        }
        StepLabel::Internal(Hidden::Action(action)) => {
            format!("the internal `{}`", model.actions[action].name)
        }
        StepLabel::Internal(_) => "an internal step".to_owned(),
    }
}
