//! What the places of test cases are called, and where in the written model they are.

use tioga_model::{DiscreteState, Kind, Model};

use crate::Origin;

/// What a place is called that stands for a state of a model: its locations and data.
pub fn place_name(model: &Model, state: &DiscreteState) -> String {
    let single = model.processes.len() == 1;
    let mut name = String::new();
    let mut add = |parts: &[&str]| {
        if !name.is_empty() {
            name.push_str(", ");
        }
        parts.iter().for_each(|part| name.push_str(part));
    };
    for (process, at) in model.processes.iter().zip(&state.locations) {
        let location = &process.locations[*at].name;
        if single { add(&[location]) } else { add(&[&process.name, ".", location]) }
    }
    for (slot, value) in model.slots.iter().zip(&state.data) {
        let value = match slot.kind {
            Kind::Bool => (*value != 0).to_string(),
            Kind::Int | Kind::Rational => value.to_string(),
        };
        add(&[&slot.name, " = ", &value]);
    }
    name
}

/// The locations of the written model that the system is in for certain.
pub fn origins(model: &Model, state: &DiscreteState) -> Vec<Origin> {
    let processes = model.processes.iter().zip(&state.locations);
    let origin = |(process, location)| Origin { process, location };
    processes.flat_map(|(process, at)| process.origin(*at)).map(origin).collect()
}
