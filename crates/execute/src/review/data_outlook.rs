//! What may be sent next where messages carry many values: sets of values as conditions, not samples.

use tioga_data::{Alphabet, Solver, cells};
use tioga_estimate::Error;
use tioga_model::{ChannelId, DiscreteState, Model};
use tioga_observe::{ActionWindow, Limit, ModelWatcher, Outlook};
use tioga_terms::{Decide, Exact, Formula, Names};
use tioga_testcase::Action;

/// When an input may be sent.
type Windows = Vec<(Limit, Option<Limit>)>;

/// The outlook of a watcher of a model. Where the guards cannot be followed, it lists the values it knows.
pub(super) fn outlook(
    model: &Model,
    alphabet: &Alphabet,
    watcher: &mut ModelWatcher<'_>,
) -> Result<Outlook, Error> {
    if !alphabet.is_needed() {
        return watcher.outlook();
    }
    let states = watcher.discrete_states()?;
    let states: Vec<&DiscreteState> = states.iter().collect();
    let mut solver = Solver::new();
    let mut samples: Vec<(ChannelId, Action, Formula)> = Vec::new();
    for channel in alphabet.inputs.keys().copied() {
        let Ok(found) = cells(model, alphabet, &states, channel, &mut solver) else {
            return watcher.outlook();
        };
        for (values, cell) in found {
            let values = tioga_concrete::rational_values(model, channel, &values);
            let name = model.channels[channel].name.clone();
            samples.push((channel, Action::new(name, &values), cell));
        }
    }
    let actions: Vec<Action> = samples.iter().map(|(_, action, _)| action.clone()).collect();
    watcher.announce(&actions);
    let mut outlook = watcher.outlook()?;
    let many = |action: &Action| {
        alphabet.inputs.keys().any(|channel| model.channels[*channel].name == action.channel)
    };
    let (known, mut inputs): (Vec<ActionWindow>, Vec<ActionWindow>) =
        outlook.inputs.into_iter().partition(|window| many(&window.action));
    let mut sets: Vec<(ChannelId, Windows, Formula)> = Vec::new();
    for (channel, action, cell) in samples {
        let own = known.iter().filter(|window| window.action == action);
        let when: Windows = own.map(|window| (window.from, window.until)).collect();
        if when.is_empty() {
            continue;
        }
        match sets.iter_mut().find(|(other, same, _)| *other == channel && *same == when) {
            Some((_, _, formula)) => *formula = formula.clone().or(cell),
            None => sets.push((channel, when, cell)),
        }
    }
    for (channel, when, formula) in sets {
        let action = conditional(model, alphabet, channel, &formula);
        let own = when.into_iter().map(|(from, until)| ActionWindow {
            action: action.clone(),
            from,
            until,
        });
        inputs.extend(own);
    }
    outlook.inputs = inputs;
    Ok(outlook)
}

/// An input with the names of its values, and what must hold of them.
fn conditional(
    model: &Model,
    alphabet: &Alphabet,
    channel: ChannelId,
    formula: &Formula,
) -> Action {
    let symbols = &alphabet.symbols;
    let ids = alphabet.inputs.get(&channel).map_or(&[][..], |ids| &ids[..]);
    let mut names: Vec<String> = ids.iter().map(|id| symbols[*id].name.clone()).collect();
    let mut exact = Exact::new();
    let formula = exact.simplify(symbols, formula, &Formula::True);
    let always = match formula.negated(symbols) {
        Ok(opposite) => exact.decide(symbols, &opposite) == tioga_terms::Answer::Never,
        Err(_) => false,
    };
    if !always && let Some(last) = names.last_mut() {
        *last = format!("{last} where {}", Names(symbols, &formula));
    }
    Action::new(model.channels[channel].name.clone(), &names)
}
