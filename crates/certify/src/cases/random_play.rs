//! One random play of a test case against its model.

use fastrand::Rng;

use super::joint::{At, Joint};
use crate::states::{moments, simplest};
use crate::{CheckOptions, Error};

/// Checks the joint states of a random play, all that time leads to between two steps. In every second
/// play the tester does what the rules say. `met` is told the joint states that steps lead to.
pub(super) fn play<'t>(
    joint: &mut Joint<'_, 't, '_>,
    options: &CheckOptions,
    number: u32,
    random: &mut Rng,
    met: &mut dyn FnMut(&At<'t>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut names: Vec<String> = Vec::new();
    let mut at = joint.start()?;
    for _ in 0..options.steps {
        met(&at)?;
        let mut choices = Vec::new();
        let moments = moments(&at.checked, &joint.places[at.place].bounds, &at.clocks)?;
        for (position, moment) in moments.iter().enumerate() {
            if options.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let clocks = at.clocks.later(*moment)?;
            let here = At { clocks, ..at.clone() };
            let later = moments.get(position + 1).map(|next| next.sub(*moment)).transpose()?;
            let look = joint.look(&here, later).map_err(|error| {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                with_path(error, &names)
            })?;
            choices.extend(look.next);
            if !look.passes {
                break;
            }
        }
        if number.is_multiple_of(2) && choices.iter().any(|next| next.intended) {
            choices.retain(|next| next.intended);
        }
        if choices.is_empty() {
            break;
        }
        let next = choices.swap_remove(random.usize(..choices.len()));
        names.push(next.name);
        at = next.at;
        at.clocks = simplest(&at.clocks)?;
    }
    Ok(())
}

/// A refutation with the steps that lead to its state.
pub(super) fn with_path(error: Error, names: &[&str]) -> Error {
    match error {
        Error::Refuted(mut refutation) if !names.is_empty() => {
            refutation.message += &format!(" (reached by {})", names.join(", "));
            Error::Refuted(refutation)
        }
        other => other,
    }
}
