//! How fine a grid is and how far it reaches: granularities and bounds, chosen or computed.
//!
//! Values of clocks are multiples of `1/k`, values of context and parameters of `1/l`. A value above its bound
//! `L` counts as `L` plus its fractional part (Definition 7). Bounds are integers above every constant, or
//! the truth of conditions would change (Lemma 13). The value of a variable that goes into another one
//! must not be bounded lower than that one: `v := w` with `w` bounded by 3 and `v` by 5 makes 3 of 7,
//! where 5 is right. The thesis allows bounds of one's own for each variable and does not say this.

use tioga_base::{Overflow, Rational};

use crate::automaton::{Automaton, Edge, Parameter};
use crate::condition::Condition;
use crate::error::Error;
use crate::form::Form;

/// What is asked for; the rest is computed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GridOptions {
    /// The parts of a time unit, `k` for the granularity `1/k`.
    pub parts: Option<i64>,
    /// The parts of a unit of context, `l` for the granularity `1/l`.
    pub context_parts: Option<i64>,
    /// The bound of every clock without one of its own.
    pub bound: Option<Rational>,
    /// The bound of every variable and parameter without one of its own.
    pub context_bound: Option<Rational>,
    /// Bounds of clocks and variables, by name.
    pub bounds: Vec<(String, Rational)>,
}

/// Granularities and bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolution {
    /// The parts of a time unit.
    pub parts: i64,
    /// The parts of a unit of context.
    pub context_parts: i64,
    /// The bound of each clock.
    pub clocks: Vec<i64>,
    /// The bound of each context variable.
    pub context: Vec<i64>,
    /// The bounds of the parameters of each action.
    pub parameters: Vec<Vec<i64>>,
}

/// The least common multiple.
pub(crate) fn lcm(one: i64, other: i64) -> Result<i64, Overflow> {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (one / a.max(1)).checked_mul(other).ok_or(Overflow)
}

/// The constants that clocks, variables and parameters are compared with and set to.
struct Constants {
    clocks: Vec<Vec<Rational>>,
    context: Vec<Vec<Rational>>,
    parameters: Vec<Vec<Vec<Rational>>>,
}

impl Constants {
    fn of(automaton: &Automaton) -> Self {
        // A value below every bound must be among those that are enumerated.
        let least = |one: &Parameter| match one.range {
            Some((min, _)) if min > 0 => vec![Rational::integer(min)],
            _ => Vec::new(),
        };
        let parameters = automaton.actions.iter();
        let parameters = parameters.map(|one| one.parameters.iter().map(least).collect());
        let mut all = Self {
            clocks: vec![Vec::new(); automaton.clocks.len()],
            context: automaton.context.iter().map(|variable| vec![variable.initial]).collect(),
            parameters: parameters.collect(),
        };
        for location in &automaton.locations {
            all.condition(&location.invariant, 0);
        }
        for edge in &automaton.edges {
            all.condition(&edge.guard, edge.action);
            edge.resets.iter().for_each(|(clock, value)| all.clocks[*clock].push(*value));
            for (form, min, max) in &edge.checks {
                for bound in [*min, *max].into_iter().filter(|bound| *bound >= 0) {
                    all.form(form, Rational::integer(bound), edge.action);
                }
            }
            for (variable, form) in &edge.updates {
                all.context[*variable].push(form.constant);
            }
        }
        all
    }

    fn condition(&mut self, condition: &Condition, action: usize) {
        condition.each_comparison(&mut |one| match one {
            Condition::Clock { clock, bound, .. } => self.clocks[*clock].push(*bound),
            Condition::Data { form, bound, .. } => self.form(form, *bound, action),
            Condition::All(_) | Condition::Any(_) | Condition::Not(_) => {}
        });
    }

    fn form(&mut self, form: &Form, bound: Rational, action: usize) {
        form.variables.iter().for_each(|(at, _)| self.context[*at].push(bound));
        form.parameters.iter().for_each(|(at, _)| self.parameters[action][*at].push(bound));
    }
}

/// The greatest of some constants, and the parts of a unit that make all of them integers.
fn greatest(constants: &[Rational]) -> Rational {
    constants.iter().copied().max().unwrap_or(Rational::ZERO)
}

fn parts(constants: &[&[Rational]]) -> Result<i64, Overflow> {
    constants
        .iter()
        .flat_map(|some| some.iter())
        .try_fold(1, |all, one| lcm(all, one.denominator()))
}

impl Resolution {
    /// The resolution of a grid: what is asked for, and where nothing is, the coarsest granularity and
    /// the least bounds.
    ///
    /// # Errors
    /// If a bound is no integer above every constant, or hides what another variable shows; if a constant
    /// is no multiple of its granularity.
    pub fn of(automaton: &Automaton, options: &GridOptions) -> Result<Self, Error> {
        let constants = Constants::of(automaton);
        let own = |name: &str| options.bounds.iter().rev().find(|(known, _)| known == name);
        let names = automaton.clocks.iter().chain(automaton.context.iter().map(|one| &one.name));
        let names: Vec<&String> = names.collect();
        if let Some((name, _)) = options.bounds.iter().find(|(name, _)| !names.contains(&name)) {
            return Err(Error::Unknown(name.clone()));
        }
        let mut clocks = Vec::new();
        for (name, constants) in automaton.clocks.iter().zip(&constants.clocks) {
            let asked = own(name).map(|(_, bound)| *bound).or(options.bound);
            clocks.push(bound(name, greatest(constants), asked)?);
        }
        let asked = |name: &str| own(name).map(|(_, bound)| *bound).or(options.context_bound);
        let mut context = Vec::new();
        for (variable, constants) in automaton.context.iter().zip(&constants.context) {
            context.push(bound(&variable.name, greatest(constants), asked(&variable.name))?);
        }
        let mut parameters = Vec::new();
        for (action, constants) in automaton.actions.iter().zip(&constants.parameters) {
            let of = |constants: &Vec<Rational>| {
                bound(&action.name, greatest(constants), options.context_bound)
            };
            parameters.push(constants.iter().map(of).collect::<Result<Vec<i64>, Error>>()?);
        }
        let every_clock: Vec<&[Rational]> = constants.clocks.iter().map(Vec::as_slice).collect();
        let data = constants.context.iter().chain(constants.parameters.iter().flatten());
        let mut every_value: Vec<&[Rational]> = data.map(Vec::as_slice).collect();
        let sent: Vec<Rational> = automaton.edges.iter().flat_map(sent_constants).collect();
        every_value.push(&sent);
        let mut resolution = Self {
            parts: fitting(options.parts, &every_clock, &automaton.clocks, true)?,
            context_parts: {
                let names: Vec<String> =
                    automaton.context.iter().map(|one| one.name.clone()).collect();
                fitting(options.context_parts, &every_value, &names, false)?
            },
            clocks,
            context,
            parameters,
        };
        resolution.widen(
            automaton,
            &|name| asked(name).is_some(),
            options.context_bound.is_some(),
        )?;
        Ok(resolution)
    }

    /// Raises bounds of variables and parameters that go into variables with greater bounds; those that were
    /// asked for must do as they are.
    fn widen(
        &mut self,
        automaton: &Automaton,
        fixed: &dyn Fn(&str) -> bool,
        parameters_fixed: bool,
    ) -> Result<(), Error> {
        loop {
            let mut changed = false;
            for edge in &automaton.edges {
                for (target, form) in &edge.updates {
                    let needed = self.context[*target];
                    let name = || automaton.context[*target].name.clone();
                    for (at, factor) in &form.variables {
                        let least = needed.div_euclid(*factor) + i64::from(needed % factor != 0);
                        let source = &automaton.context[*at].name;
                        let bound = &mut self.context[*at];
                        if *bound < least && fixed(source) {
                            let (source_name, bound) = (source.clone(), *bound);
                            let target = name();
                            return Err(Error::HidingBound {
                                source_name,
                                bound,
                                target,
                                needed: least,
                            });
                        }
                        changed |= *bound < least;
                        *bound = least.max(*bound);
                    }
                    for (at, factor) in &form.parameters {
                        let least = needed.div_euclid(*factor) + i64::from(needed % factor != 0);
                        let bound = &mut self.parameters[edge.action][*at];
                        if *bound < least && parameters_fixed {
                            let source_name = automaton.actions[edge.action].name.clone();
                            let (bound, target) = (*bound, name());
                            return Err(Error::HidingBound {
                                source_name,
                                bound,
                                target,
                                needed: least,
                            });
                        }
                        changed |= *bound < least;
                        *bound = least.max(*bound);
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// The bound of each value that each action carries: for an input that of the parameter, for an output
    /// the greatest that the bounds of the context allow to tell apart.
    pub fn value_bounds(&self, automaton: &Automaton) -> Vec<Vec<i64>> {
        let widest = self.context.iter().copied().max().unwrap_or(i64::MAX);
        let bounds = automaton.actions.iter().enumerate().map(|(number, action)| {
            if action.input {
                return self.parameters[number].clone();
            }
            let bound = |position: usize| {
                let edges = automaton.edges.iter().filter(|edge| edge.action == number);
                let terms = edges.filter_map(|edge| edge.values.get(position));
                let least = terms.flat_map(|form| form.variables.iter());
                let least =
                    least.map(|(at, factor)| self.context[*at].saturating_mul(*factor)).min();
                least.unwrap_or(widest).min(widest)
            };
            (0..action.parameters.len()).map(bound).collect()
        });
        bounds.collect()
    }

    /// How many states there can be: locations times values of clocks and of context (Lemmas 22 and 29).
    /// Nothing if the number does not fit in 127 bits.
    pub fn most_states(&self, locations: usize) -> Option<u128> {
        let clocks = self.clocks.iter().map(|bound| (self.parts, *bound));
        let context = self.context.iter().map(|bound| (self.context_parts, *bound));
        let sizes = clocks.chain(context).map(|(parts, bound)| {
            u128::try_from(i128::from(parts) * (i128::from(bound) + 1)).unwrap_or(u128::MAX)
        });
        let locations = u128::try_from(locations).ok()?;
        let all = sizes.into_iter().try_fold(locations, u128::checked_mul)?;
        (all <= u128::MAX / 2).then_some(all)
    }
}

/// The constants of what an output carries.
fn sent_constants(edge: &Edge) -> Vec<Rational> {
    edge.values.iter().map(|form| form.constant).collect()
}

fn bound(name: &str, greatest: Rational, asked: Option<Rational>) -> Result<i64, Error> {
    let Some(bound) = asked else {
        return greatest.floor().checked_add(1).ok_or(Error::Overflow);
    };
    let name = name.to_owned();
    let Some(whole) = bound.to_integer().filter(|whole| *whole > 0) else {
        return Err(Error::BrokenBound { name, bound });
    };
    if bound <= greatest {
        return Err(Error::LowBound { name, bound, greatest });
    }
    Ok(whole)
}

/// The parts of a unit: those that are asked for if all constants fit, or the fewest that fit.
fn fitting(
    asked: Option<i64>,
    constants: &[&[Rational]],
    names: &[String],
    clocks: bool,
) -> Result<i64, Error> {
    let fewest = parts(constants)?;
    let Some(per_unit) = asked else { return Ok(fewest) };
    for (position, some) in constants.iter().enumerate() {
        let wrong = some.iter().find(|one| per_unit % one.denominator() != 0);
        if let Some(constant) = wrong.copied() {
            let name = names.get(position).cloned().unwrap_or_else(|| "a value".to_owned());
            let fitting = lcm(fewest, per_unit)?;
            return Err(Error::Coarse { name, constant, per_unit, fitting, fewest, clocks });
        }
    }
    Ok(per_unit)
}
