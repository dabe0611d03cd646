//! Values worth trying: for an input with many values, in a known state, the ends of every range of values that
//! the model treats alike.

use tioga_base::Rational;
use tioga_model::{ChannelId, DiscreteState, Model, Values};
use tioga_terms::{Answer, Assignment, Formula, SymbolId, Term};

use crate::alphabet::Alphabet;
use crate::classes::Classes;
use crate::decisions::Collector;
use crate::interpreter::known_data;
use crate::reason::{Reason, overflow};
use crate::run::Stop;

/// How many ranges of values are told apart at most.
const CELLS: usize = 64;

/// Values of an input that are worth trying in a state: of each set of values that the guards there treat alike,
/// those at the ends of the range of each parameter. In order of the guards, without repetition. With classes of
/// the model's data, values are told apart, too, that guards will tell apart later.
///
/// # Errors
/// If the guards cannot be followed, and why.
pub fn candidates<R: Reason>(
    model: &Model,
    alphabet: &Alphabet,
    classes: Option<&Classes>,
    state: &DiscreteState,
    channel: ChannelId,
    solver: &mut R,
) -> Result<Vec<Values>, String> {
    let Some(symbols) = alphabet.inputs.get(&channel) else { return Ok(Vec::new()) };
    let explain = |stop: Stop| match stop {
        Stop::Beyond(why, _) => why,
        Stop::Fault(fault) => fault.to_string(),
        Stop::OutOfRange(..) => "a value may leave its range".to_owned(),
    };
    let data = known_data(model, state).map_err(explain)?;
    let collector = Collector::new(model, alphabet, solver, &[]);
    let found = collector.collect_from(state, &data, &Formula::True).map_err(explain)?;
    let mut decisions = found.inputs.get(&channel).cloned().unwrap_or_default();
    if let Some(classes) = classes {
        decisions.extend(classes.conditions(state, channel));
    }
    let mut all: Vec<Values> = Vec::new();
    for (here, cell) in divided(alphabet, symbols, &decisions, solver)? {
        for values in ends(alphabet, symbols, &cell, &here, solver)? {
            let message = alphabet.message(channel, model, &values);
            let message = Values::from_vec(message);
            if !all.contains(&message) {
                all.push(message);
            }
        }
    }
    Ok(all)
}

/// The sets of values of an input that the guards treat alike in each of these states, as conditions, with values in
/// each of them.
///
/// # Errors
/// If the guards cannot be followed, and why.
pub fn cells<R: Reason>(
    model: &Model,
    alphabet: &Alphabet,
    states: &[&DiscreteState],
    channel: ChannelId,
    solver: &mut R,
) -> Result<Vec<(Values, Formula)>, String> {
    let Some(symbols) = alphabet.inputs.get(&channel) else { return Ok(Vec::new()) };
    let explain = |stop: Stop| match stop {
        Stop::Beyond(why, _) => why,
        Stop::Fault(fault) => fault.to_string(),
        Stop::OutOfRange(..) => "a value may leave its range".to_owned(),
    };
    let mut decisions: Vec<Formula> = Vec::new();
    for state in states {
        let data = known_data(model, state).map_err(explain)?;
        let collector = Collector::new(model, alphabet, solver, &[]);
        let found = collector.collect_from(state, &data, &Formula::True).map_err(explain)?;
        for decision in found.inputs.get(&channel).into_iter().flatten() {
            if !decisions.contains(decision) {
                decisions.push(decision.clone());
            }
        }
    }
    let cells = divided(alphabet, symbols, &decisions, solver)?;
    let message = |(values, cell): (Assignment, Formula)| {
        let listed: Vec<Rational> =
            symbols.iter().map(|symbol| values.get(*symbol).unwrap_or(Rational::ZERO)).collect();
        (Values::from_vec(alphabet.message(channel, model, &listed)), cell)
    };
    Ok(cells.into_iter().map(message).collect())
}

/// The sets of values that some conditions tell apart, with values in each.
fn divided<R: Reason>(
    alphabet: &Alphabet,
    symbols: &[SymbolId],
    decisions: &[Formula],
    solver: &mut R,
) -> Result<Vec<(Assignment, Formula)>, String> {
    let mut cells = Vec::new();
    let mut left = Formula::True;
    for _ in 0..CELLS {
        let values = match solver.decide(&alphabet.symbols, &left) {
            Answer::Holds(values) => values,
            Answer::Never => break,
            Answer::Unknown(why) => return Err(why),
        };
        let here = complete(alphabet, symbols, &values);
        let mut cell = Formula::True;
        for decision in decisions {
            cell = cell.and(match decision.holds(&here).map_err(|_| overflow())? {
                Some(false) => decision.negated(&alphabet.symbols).map_err(|_| overflow())?,
                _ => decision.clone(),
            });
        }
        let outside = cell.negated(&alphabet.symbols).map_err(|_| overflow())?;
        left = solver.simplify(&alphabet.symbols, &left.and(outside), &Formula::True);
        cells.push((here, cell));
    }
    Ok(cells)
}

/// Values of all symbols of an input: those found, and the least of the others.
fn complete(alphabet: &Alphabet, symbols: &[SymbolId], found: &Assignment) -> Assignment {
    let value = |symbol: &SymbolId| {
        let least = alphabet.symbols[*symbol].low.unwrap_or(0);
        (*symbol, found.get(*symbol).unwrap_or(Rational::from(least)))
    };
    symbols.iter().map(value).collect()
}

/// Of the values that satisfy a cell: some, and for each parameter some with its least and its greatest value.
fn ends<R: Reason>(
    alphabet: &Alphabet,
    symbols: &[SymbolId],
    cell: &Formula,
    here: &Assignment,
    solver: &mut R,
) -> Result<Vec<Vec<Rational>>, String> {
    let table = &alphabet.symbols;
    let listed = |values: &Assignment| -> Vec<Rational> {
        symbols.iter().map(|symbol| values.get(*symbol).unwrap_or(Rational::ZERO)).collect()
    };
    let mut all = vec![listed(here)];
    for (position, symbol) in symbols.iter().enumerate() {
        let mut others = symbols.to_vec();
        others.remove(position);
        let alone = solver.project(table, cell, &others)?;
        for (low, high) in solver.ranges(table, &alone, *symbol)? {
            for end in [low, high].into_iter().flatten() {
                let fixed = Formula::equal(table, &Term::symbol(*symbol), &Term::int(end));
                let fixed = cell.clone().and(fixed.map_err(|_| overflow())?);
                if let Answer::Holds(values) = solver.decide(table, &fixed) {
                    let mut values = complete(alphabet, symbols, &values);
                    values.set(*symbol, Rational::from(end));
                    all.push(listed(&values));
                }
            }
        }
    }
    Ok(all)
}
