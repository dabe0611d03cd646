//! The automaton of a model, and its product with a purpose.

use tioga_base::{Diagnostic, closest};
use tioga_grids::{Automaton, of_model, of_purpose, product};
use tioga_model::Model;

use super::complaint::complaint;
use crate::Failure;

/// A model, and its product with a purpose.
#[derive(Clone, PartialEq, Debug)]
pub struct GridModel {
    /// The automaton of the model.
    pub model: Automaton,
    /// Its product with the purpose; the automaton itself if there is none.
    pub product: Automaton,
    /// The name of the purpose.
    pub purpose: Option<String>,
}

/// The automaton of a model, and its product with the purpose of this name.
///
/// # Errors
/// If grids do not support the model or the purpose.
pub fn grid_model(model: &Model, purpose: Option<&str>) -> Result<GridModel, Failure> {
    let automaton = of_model(model).map_err(complaint)?;
    let Some(name) = purpose else {
        return Ok(GridModel { product: automaton.clone(), model: automaton, purpose: None });
    };
    let names = || model.purposes.iter().map(|one| one.process.name.as_str());
    let Some(position) = names().position(|own| own == name) else {
        let message = format!("there is no purpose `{name}`");
        let help = match closest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "a purpose of a grid marks its ends with `fail` or `desired`".to_owned(),
        };
        return Err(Diagnostic::global("unknown-purpose", message).help(help).into());
    };
    let own = of_purpose(model, position).map_err(complaint)?;
    let both = product(&automaton, &own).map_err(complaint)?;
    Ok(GridModel { model: automaton, product: both, purpose: Some(name.to_owned()) })
}

/// The purposes of a model that are made for grids: those marked with `fail` or `desired`.
pub fn grid_purposes(model: &Model) -> Vec<String> {
    let purposes = model.purposes.iter().filter(|purpose| {
        let locations = &purpose.process.locations;
        locations.iter().any(|location| location.marks.fail || location.marks.desired)
    });
    purposes.map(|purpose| purpose.process.name.clone()).collect()
}

/// The purpose that is asked for, or the only one there is.
///
/// # Errors
/// If there is none, or several.
pub fn grid_purpose(model: &Model, asked: Option<&str>) -> Result<String, Failure> {
    if let Some(asked) = asked {
        return Ok(asked.to_owned());
    }
    match &grid_purposes(model)[..] {
        [only] => Ok(only.clone()),
        [] => {
            let message = "the model has no purpose for a grid";
            let help = "mark the ends of a purpose with `fail` or `desired`";
            Err(Diagnostic::global("no-purpose", message).help(help).into())
        }
        several => {
            let message =
                format!("the model has several purposes for a grid: {}", several.join(", "));
            Err(Diagnostic::global("no-purpose", message).help("choose one with `-p`").into())
        }
    }
}
