//! Configurations as they are written: `s1, x = 0, y = 2.5, w = 3`.

use tioga_base::{Diagnostic, Id, Rational, closest};
use tioga_concrete::{Semantics, State};
use tioga_confirm::Machine;
use tioga_model::{Kind, LocationId};

use crate::Failure;

fn bad(message: String) -> Failure {
    let help = "a configuration is written as `s1, x = 0, w = 2`; what it does not name is as at the start";
    Diagnostic::global("bad-configuration", message).help(help).into()
}

/// Reads a configuration: a location, and values of clocks and variables. Values not named are those of the start.
///
/// # Errors
/// If it names something that the model does not have, or a value that does not fit.
pub fn read_configuration(machine: Machine<'_>, text: &str) -> Result<State, Failure> {
    let model = machine.model;
    let initial = Semantics::new(model).initial();
    let mut state = initial.map_err(|error| bad(error.to_string()))?;
    let mut parts = text.split(',').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let own = format!("{}.", machine.process.name);
    let plain = name.strip_prefix(&own).unwrap_or(name);
    let mut locations = machine.process.locations.iter();
    let Some(found) = locations.position(|location| location.name == plain) else {
        let names = machine.process.locations.iter().map(|location| location.name.as_str());
        let near =
            closest(plain, names).map_or_else(String::new, |near| format!("; there is `{near}`"));
        return Err(bad(format!("the model has no location `{plain}`{near}")));
    };
    state.discrete.locations[0] = LocationId::from_index(found);
    let same = |full: &str, name: &str| full == name || full.strip_prefix(&own) == Some(name);
    for part in parts {
        let (name, value) = match part.split_once('=') {
            Some((name, value)) => (name.trim(), value.trim_start_matches('=').trim()),
            None => return Err(bad(format!("`{part}` is no value of a clock or variable"))),
        };
        let number = match value {
            "true" => Some(Rational::ONE),
            "false" => Some(Rational::ZERO),
            other => other.parse::<Rational>().ok(),
        };
        let Some(number) = number else { return Err(bad(format!("`{value}` is no number"))) };
        if let Some(clock) = model.clocks.iter().position(|clock| same(&clock.name, name)) {
            if number.is_negative() {
                return Err(bad(format!("the clock `{name}` is never negative")));
            }
            state.clocks[clock] = number;
            continue;
        }
        let Some(slot) = model.slots.iter().position(|slot| same(&slot.name, name)) else {
            return Err(bad(format!("the model has no clock or variable `{name}`")));
        };
        if model.slots[slot].kind == Kind::Rational {
            state.discrete.data[slot] = number.numerator();
            state.discrete.data[slot + 1] = number.denominator();
            continue;
        }
        let range = model.slots[slot].range;
        let fits = |value: &i64| range.is_none_or(|range| (range.min..=range.max).contains(value));
        let Some(value) = number.to_integer().filter(fits) else {
            return Err(bad(format!("`{name}` cannot be {number}")));
        };
        state.discrete.data[slot] = value;
    }
    Ok(state)
}
