//! Smaller formulas that mean the same where something is given.

use crate::{Answer, Comparison, Formula, Relation, Symbols};

use super::procedure::Exact;

impl Exact {
    /// A formula that holds for the same values as this one wherever `given` does, without the members that
    /// follow from the others. What is not decided stays as it is.
    pub fn simplify(&mut self, symbols: &Symbols, formula: &Formula, given: &Formula) -> Formula {
        let mut question = self.under(symbols, given);
        if question.decide(formula) == Answer::Never {
            return Formula::False;
        }
        if question.implies(formula) == Ok(true) {
            return Formula::True;
        }
        self.smaller(symbols, formula, given)
    }

    /// The same for a formula that, where `given` holds, neither always holds nor never.
    fn smaller(&mut self, symbols: &Symbols, formula: &Formula, given: &Formula) -> Formula {
        let (parts, all) = match formula {
            Formula::And(parts) => (parts, true),
            Formula::Or(parts) => (parts, false),
            _ => return formula.clone(),
        };
        let mut kept = parts.clone();
        // The last members are the most complex ones, so they are the first to go.
        for position in (0..kept.len()).rev() {
            let part = kept.remove(position);
            let others = kept.iter().cloned();
            // In a conjunction a member matters where the others hold, and then it is not always false; in a
            // disjunction, where they do not hold, and then it is not always true.
            let others =
                if all { Ok(Formula::all(others)) } else { Formula::any(others).negated(symbols) };
            let Ok(others) = others else {
                kept.insert(position, part);
                continue;
            };
            let context = given.clone().and(others);
            let mut question = self.under(symbols, &context);
            let superfluous = if all {
                question.implies(&part) == Ok(true)
            } else {
                question.decide(&part) == Answer::Never
            };
            if !superfluous {
                kept.insert(position, self.smaller(symbols, &part, &context));
            }
        }
        if all { meeting(symbols, kept) } else { Formula::any(kept) }
    }
}

/// The conjunction, with an equation for each pair of inequalities that meet.
fn meeting(symbols: &Symbols, mut parts: Vec<Formula>) -> Formula {
    let mut position = 0;
    while position < parts.len() {
        let equation = match &parts[position] {
            Formula::Compare(Comparison { term, relation: Relation::AtMostZero }) => {
                let opposite = term.times(tioga_base::Rational::from(-1));
                let other =
                    opposite.and_then(|term| Formula::compare(symbols, term, Relation::AtMostZero));
                let equation = Formula::compare(symbols, term.clone(), Relation::Zero);
                other.ok().zip(equation.ok())
            }
            _ => None,
        };
        if let Some((other, equation)) = equation
            && let Some(second) = parts.iter().position(|part| *part == other)
        {
            parts[position] = equation;
            parts.remove(second);
            position = 0;
            continue;
        }
        position += 1;
    }
    Formula::all(parts)
}
