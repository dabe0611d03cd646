//! What to send in a run that is followed: by the advice of the script, with values that its conditions allow.

use tioga_base::Rational;
use tioga_terms::{Assignment, Formula, Term};

use crate::error::Refusal;
use crate::follower::{Explanation, ScriptFollower};
use crate::game::Choice;
use crate::message::Message;
use crate::pending::{expirations, next_sets};
use crate::setexp::Expiration;
use crate::solver::{Solver, possible, values};
use crate::tiosa::ActionId;

/// What to do, by the script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// Send this, before the next expiration.
    Send(Message),
    /// Send this at the instant of the next expiration.
    SendAt(Message),
    /// Wait.
    Wait,
}

impl ScriptFollower<'_> {
    /// What to do, and with which values; `random` gives numbers below its argument.
    pub fn advice(
        &self,
        solver: &mut dyn Solver,
        random: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Advice, Refusal> {
        let symbols = &self.script.symbols;
        let Some(from) = self.explanations.iter().find(|one| self.is_open(one)) else {
            return Ok(Advice::Wait);
        };
        // Only what belongs to the layer of an input that other expirations delay is as good as to wait for it.
        let mut delayed: Option<&Formula> = None;
        for advised in &self.script.nodes[from.node].advice {
            if delayed.is_some_and(|layer| *layer != advised.reached) {
                break;
            }
            let here = self.within(from, &advised.reached, None, &[])?;
            if !possible(solver, symbols, &here)? {
                continue;
            }
            let (position, at_once) = match advised.choice {
                Choice::Wait => return Ok(Advice::Wait),
                Choice::Send(position) => (position, true),
                Choice::SendAt(position) => (position, false),
            };
            let step = &self.script.steps[position];
            let when = self.within(from, &advised.when, None, &[])?;
            let (Some(found), Some(action)) = (values(solver, symbols, &when)?, step.action) else {
                continue;
            };
            if !at_once && !self.comes_next(from, &step.expirations)? {
                delayed = Some(&advised.reached);
                continue;
            }
            let message = self.chosen(action, &when, &found, solver, random)?;
            return Ok(if at_once { Advice::Send(message) } else { Advice::SendAt(message) });
        }
        Ok(Advice::Wait)
    }

    /// Whether exactly these expirations come next, however the moments are that are not known.
    fn comes_next(&self, from: &Explanation, wanted: &[Expiration]) -> Result<bool, Refusal> {
        let sets = next_sets(&from.pending, from.since)?;
        Ok(!sets.is_empty() && sets.iter().all(|(due, _)| expirations(due) == wanted))
    }

    /// A message with values that make a condition hold: those found, or others near them or far away.
    fn chosen(
        &self,
        action: ActionId,
        when: &Formula,
        found: &Assignment,
        solver: &mut dyn Solver,
        random: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Message, Refusal> {
        let symbols = &self.script.symbols;
        let mut when = when.clone();
        let mut found = found.clone();
        for parameter in &self.script.actions[action].parameters {
            let symbol = &symbols[*parameter];
            let least = symbol.low.filter(|low| *low > 0).unwrap_or(0);
            let plain = Rational::integer(least.min(symbol.high.unwrap_or(i64::MAX)));
            let first = found.get(*parameter).unwrap_or(plain);
            // As found, an end of the range or far away, near, or near to what values are compared with.
            let mut ahead = |most: u64| i64::try_from(random(most)).unwrap_or(0);
            let far = 1 + ahead(1000);
            let compared = usize::try_from(ahead(self.numbers.len().max(1) as u64)).unwrap_or(0);
            let compared = self.numbers.get(compared).copied().unwrap_or(first);
            let other = match ahead(9) {
                0 => Some(first),
                1 => symbol.low.map(Rational::integer).or(first.sub(Rational::integer(far)).ok()),
                2 => symbol.high.map(Rational::integer).or(first.add(Rational::integer(far)).ok()),
                3 => first.add(Rational::integer(far)).ok(),
                4 | 5 => first.add(Rational::integer(ahead(5) - 2)).ok(),
                _ => compared.add(Rational::integer(ahead(3) - 1)).ok(),
            };
            let is = |value: Rational| {
                Formula::equal(symbols, &Term::symbol(*parameter), &Term::number(value))
            };
            let mut value = first;
            if let Some(other) = other.filter(|value| self.script.is_in_range(*parameter, *value)) {
                let wanted = when.clone().and(is(other)?);
                if let Some(more) = values(solver, symbols, &wanted)? {
                    (value, found) = (other, more);
                }
            }
            when = when.and(is(value)?);
            found.set(*parameter, value);
        }
        let parameters = &self.script.actions[action].parameters;
        let values = parameters.iter().filter_map(|one| found.get(*one)).collect();
        Ok(Message { action: self.script.actions[action].name.clone(), values })
    }
}
