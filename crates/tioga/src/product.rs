//! The product of a model with one of its purposes, as a model of its own.

use tioga_base::{Budget, Diagnostic};
use tioga_determinize::{Error, flat_product};
use tioga_model::{Model, Network};

use crate::data::follows_classes;
use crate::{Effort, Failure, with_purpose};

/// The product of a model with its purpose of this name: one automaton whose locations are the reachable
/// discrete states, marked where the purpose accepts and refuses, with the purpose as its query. The number
/// of explored symbolic states is limited.
pub fn product(
    model: &Model,
    purpose: &str,
    max_states: u64,
    effort: &mut Effort<'_>,
) -> Result<Network, Failure> {
    let observed = with_purpose(model, purpose)?;
    let mut budget = Budget::steps(max_states).with_cancel(effort.cancel.clone());
    let network = flat_product(&observed, &mut budget).map_err(|error| match error {
        Error::Limit(limit) => {
            let message = format!("the product is not known completely: {limit}");
            Failure::limit(Diagnostic::global("no-product", message))
        }
        Error::Urgency { what, span } => {
            let note = "a product keeps urgent outputs and urgent channels inside";
            let help = "give the location that the input leaves an invariant instead of the urgent channel";
            Diagnostic::error("unsupported", span, what).note(note).help(help).into()
        }
        error if follows_classes(model) => {
            let help = "`tioga synth -p`, `tioga solve --purpose` and `tioga test -p` take the purpose as it is; a \
                        product needs inputs with at most 4096 values";
            Diagnostic::global("unsupported", error.to_string()).help(help).into()
        }
        error => Diagnostic::global("unsupported", error.to_string()).into(),
    })?;
    let mut network = network.aiming_at_marks(format!("purpose {purpose}"));
    network.name = format!("{}_{purpose}", model.name);
    Ok(network)
}
