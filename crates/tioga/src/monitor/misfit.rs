//! Mistakes in the values of a message, in every state of the model: their number, a type or a range.

use tioga_base::Rational;
use tioga_model::{Channel, Direction, Model, Type};
use tioga_observe::Logged;
use tioga_testcase::{Action, Side};

use crate::words::count;

/// Why an observation is no message of a model, in one clause; nothing if it is one, or the model has no such
/// channel.
pub(super) fn misfit(model: &Model, logged: &Logged) -> Option<String> {
    let Logged::Action { by, action, .. } = logged else { return None };
    let direction = match by {
        Side::Tester => Direction::Input,
        Side::System => Direction::Output,
    };
    let mut all = model.channels.iter();
    let channel = all.find(|one| one.name == action.channel && one.direction == Some(direction))?;
    wrong(channel, action)
}

fn wrong(channel: &Channel, action: &Action) -> Option<String> {
    let (wanted, came) = (channel.parameters.len(), action.values.len());
    if wanted != came {
        let wanted = count(wanted, "value");
        return Some(format!("`{}` carries {wanted}, {came} came", channel.name));
    }
    let several = wanted > 1;
    channel.parameters.iter().zip(&action.values).enumerate().find_map(|(position, (ty, value))| {
        let why = outside(ty, value)?;
        let which = if several { format!(" as value {}", position + 1) } else { String::new() };
        Some(format!("{why}, which `{}` carries{which}", channel.name))
    })
}

/// What is wrong with a value of this type.
fn outside(ty: &Type, value: &str) -> Option<String> {
    let number: Rational = match value {
        "true" => Rational::ONE,
        "false" => Rational::ZERO,
        _ => match value.parse() {
            Ok(number) => number,
            Err(_) => return Some(format!("{value} is no value of the type {ty}")),
        },
    };
    if *ty == Type::Rational {
        return None;
    }
    let Some(whole) = number.to_integer() else {
        return Some(format!("{value} is not a whole number of the type {ty}"));
    };
    let (min, max) = ty.bounds()?;
    (!(min..=max).contains(&whole)).then(|| format!("{value} is not within {ty}"))
}
