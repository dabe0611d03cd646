//! A timed extended machine as it is: which properties it has, and its product with itself.

use tioga_base::Budget;
use tioga_confirm::{Flaw, Machine, Other, Place, Properties, Rule, product, properties};
use tioga_model::Model;

use super::complaint::complaint;
use crate::{Effort, Failure};

/// What a timed extended machine is, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtendedMachine {
    /// Each property with the reason why the machine does not have it. `None` if it has it.
    pub properties: Vec<(&'static str, Option<String>)>,
    /// The places of the product with itself from its initial location.
    pub places: Vec<String>,
    /// The edges of the product.
    pub edges: Vec<String>,
}

/// The properties of a timed extended machine and its product with itself.
///
/// # Errors
/// If the model is no such machine, or a condition cannot be followed.
pub fn extended_machine(
    model: &Model,
    as_printed: bool,
    effort: &mut Effort<'_>,
) -> Result<ExtendedMachine, Failure> {
    let machine = Machine::of(model).map_err(|error| complaint(error, effort))?;
    let mut budget = Budget::steps(u64::MAX).with_cancel(effort.cancel.clone());
    let found = properties(machine, &mut budget).map_err(|error| complaint(error, effort))?;
    let Properties { deterministic, observable, complete, predicate_complete } = found;
    let why = |flaw: Option<Flaw>| flaw.map(|flaw| flaw.why);
    let properties = vec![
        ("deterministic", why(deterministic)),
        ("observable", why(observable)),
        ("input complete", why(complete)),
        ("predicate complete", why(predicate_complete)),
    ];
    let rule = if as_printed { Rule::AsPrinted } else { Rule::Sound };
    let initial = machine.process.initial;
    let made = product(machine, rule, (initial, Some(initial)));
    let (places, edges) = made.map_err(|error| complaint(error, effort))?;
    let edge_name = |edge| machine.edge_name(&machine.process.edges[edge]);
    let edges = edges.iter().map(|one| {
        let ends = (place_name(machine, one.source), place_name(machine, one.target));
        let other = match &one.other {
            Other::With(edge) => format!(" with {}", edge_name(*edge)),
            Other::Without(edges) if edges.is_empty() => String::new(),
            Other::Without(edges) => {
                let names: Vec<String> = edges.iter().map(|edge| edge_name(*edge)).collect();
                format!(" without {}", names.join(", "))
            }
        };
        format!("{} -> {} : {}{other}", ends.0, ends.1, edge_name(one.edge))
    });
    let edges = edges.collect();
    let places = places.into_iter().map(|place| place_name(machine, place)).collect();
    Ok(ExtendedMachine { properties, places, edges })
}

/// The locations of a place: `(s1,s3)`, `(s1,fail)`.
fn place_name(machine: Machine<'_>, (first, second): Place) -> String {
    let name = |location| machine.process.locations[location].name.as_str();
    format!("({},{})", name(first), second.map_or("fail", name))
}
