//! States as users write them: `Gate.Free, Train(0).Near; x=5/2; n=3`.
//!
//! Locations come first, separated by commas; for a model of one process the bare name of the
//! location is enough. Then clocks and variables follow as `NAME=VALUE`, separated by semicolons or
//! commas. A name may leave out its process if that is unambiguous. Everything else has its initial
//! value.

use tioga_base::{Diagnostic, Id, Rational, closest};
use tioga_concrete::State;
use tioga_model::{Composer, Kind, LocationId, Model, ProcessId};

use crate::Failure;

/// Reads a state, or says what is wrong with its text.
pub fn parse_state(model: &Model, text: &str) -> Result<State, Failure> {
    let discrete = Composer::new(model).initial();
    let clocks = vec![Rational::ZERO; model.clocks.len()].into_boxed_slice();
    let mut state = State { discrete, clocks };
    for part in text.split([';', ',']).map(str::trim).filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            None => {
                let (process, location) = location(model, part).map_err(|wrong| *wrong)?;
                state.discrete.locations[process.index()] = location;
            }
            Some((name, value)) => {
                set(model, &mut state, name.trim(), value.trim()).map_err(|wrong| *wrong)?;
            }
        }
    }
    Ok(state)
}

fn wrong(message: String) -> Diagnostic {
    Diagnostic::global("bad-state", message)
}

fn location(model: &Model, text: &str) -> Result<(ProcessId, LocationId), Box<Diagnostic>> {
    let named = |process: ProcessId, name: &str| {
        let locations = model.processes[process].locations.iter_ids();
        locations.into_iter().find(|(_, own)| own.name == name).map(|(id, _)| (process, id))
    };
    let full = model.processes.iter_ids().find_map(|(id, process)| {
        let rest = text.strip_prefix(&process.name)?.strip_prefix('.')?;
        named(id, rest)
    });
    if let Some(found) = full {
        return Ok(found);
    }
    let mut bare = model.processes.ids().filter_map(|process| named(process, text));
    match (bare.next(), bare.next()) {
        (Some(found), None) => Ok(found),
        (Some(_), Some(_)) => {
            let message = format!("several processes have a location `{text}`");
            Err(Box::new(wrong(message).help(format!("write PROCESS.{text}"))))
        }
        (None, _) => {
            let names: Vec<String> = model
                .processes
                .iter()
                .flat_map(|process| {
                    let locations = process.locations.iter();
                    locations.map(|location| format!("{}.{}", process.name, location.name))
                })
                .collect();
            let bare = names.iter().filter_map(|name| name.rsplit('.').next());
            let near = closest(text, names.iter().map(String::as_str).chain(bare));
            let diagnostic = wrong(format!("there is no location `{text}`"));
            Err(Box::new(match near {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic,
            }))
        }
    }
}

fn set(model: &Model, state: &mut State, name: &str, text: &str) -> Result<(), Box<Diagnostic>> {
    let clocks = model.clocks.iter().map(|clock| clock.name.as_str());
    let slots = model.slots.iter().map(|slot| slot.name.as_str());
    let names: Vec<&str> = clocks.chain(slots).collect();
    let exact = names.iter().position(|own| *own == name);
    let ends = |own: &str| own.rsplit('.').next() == Some(name);
    let mut bare = names.iter().enumerate().filter(|(_, own)| ends(own)).map(|(index, _)| index);
    let index = match (exact, bare.next(), bare.next()) {
        (Some(index), ..) | (None, Some(index), None) => index,
        (None, Some(_), Some(_)) => {
            let message = format!("several clocks or variables are called `{name}`");
            return Err(Box::new(wrong(message).help(format!("write PROCESS.{name}"))));
        }
        (None, None, _) => {
            let diagnostic = wrong(format!("there is no clock or variable `{name}`"));
            let bare = names.iter().filter_map(|own| own.rsplit('.').next());
            return Err(Box::new(match closest(name, names.iter().copied().chain(bare)) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic,
            }));
        }
    };
    let not_a_value = || wrong(format!("`{text}` is no value of `{name}`"));
    if index < model.clocks.len() {
        let value: Rational = text.parse().map_err(|_| not_a_value())?;
        if value.is_negative() {
            return Err(Box::new(not_a_value().note("clocks are never negative")));
        }
        state.clocks[index] = value;
        return Ok(());
    }
    let index = index - model.clocks.len();
    let slot = model.slots.get(index).expect("the index was found among the slots");
    let value = match (slot.kind, text) {
        (Kind::Bool, "true") => 1,
        (Kind::Bool, "false") => 0,
        _ => text.parse::<i64>().map_err(|_| not_a_value())?,
    };
    if slot.range.is_some_and(|range| value < range.min || value > range.max) {
        return Err(Box::new(not_a_value().note("it is outside the range of its type")));
    }
    state.discrete.data[index] = value;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tioga_base::{Diagnostics, FileId};
    use tioga_parse::{Format, Options, lower, parse};

    fn model() -> Model {
        let text = "model m; int[0, 5] n = 1; clock t;
            automaton P { clock x; init location A; location B; A -> B; }
            automaton Q { init location A; location C; A -> C; }";
        let mut diagnostics = Diagnostics::new();
        let document = parse(Format::Tioga, FileId(0), text, &mut diagnostics).unwrap();
        lower(&document, &Options::default(), &mut diagnostics).unwrap().validate().unwrap()
    }

    #[test]
    fn names_may_leave_out_what_is_clear() {
        let model = model();
        let state = parse_state(&model, "B, Q.C; x=5/2; n=3; P.x = 1.5").unwrap();
        assert_eq!(state.display(&model).to_string(), "(P.B, Q.C; n=3; t=0, P.x=3/2)");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let model = model();
        let message = |text: &str| parse_state(&model, text).unwrap_err().to_string();
        assert_eq!(message("A"), "several processes have a location `A`");
        assert_eq!(message("D"), "there is no location `D`");
        assert_eq!(message("B; y=1"), "there is no clock or variable `y`");
        assert_eq!(message("B; x=-1"), "`-1` is no value of `x`");
        assert_eq!(message("B; x=far"), "`far` is no value of `x`");
        assert_eq!(message("B; n=6"), "`6` is no value of `n`");
    }
}
