//! Timed words: delays and actions in turn, what is left of them on some actions, and their maps to words of a
//! grid and back (BON09, chapter 3, Definitions 1, 27, 28 and 33; chapter 5, Definition 33).

use std::fmt;
use std::str::FromStr;

use tioga_base::{Overflow, Rational};

use crate::automaton::Automaton;
use crate::error::Error;
use crate::grid::{GridAutomaton, TICK};
use crate::resolution::Resolution;
use crate::stepper::{Values, units};

/// The most units of a delay that is written as ticks.
const MOST_TICKS: i64 = 10_000_000;

/// A timed word. Adjacent delays are kept apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TimedWord(pub Vec<Symbol>);

/// A symbol of a timed word.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// Time passes, not less than 0.
    Delay(Rational),
    /// An action with its values.
    Action(String, Vec<Rational>),
}

impl Symbol {
    /// The name of an action.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Action(name, _) => Some(name),
            Self::Delay(_) => None,
        }
    }
}

impl TimedWord {
    /// The word with the actions that pass a test, and all delays (Definition 33). Delays are not merged.
    #[must_use]
    pub fn projected(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept = self.0.iter().filter(|symbol| symbol.name().is_none_or(&keep));
        Self(kept.cloned().collect())
    }

    /// The word with adjacent delays added up, and without delays of 0: what it means.
    ///
    /// # Errors
    /// If a sum is too large.
    pub fn merged(&self) -> Result<Self, Overflow> {
        let mut all: Vec<Symbol> = Vec::new();
        for symbol in &self.0 {
            match (all.last_mut(), symbol) {
                (_, Symbol::Delay(delay)) if delay.is_zero() => {}
                (Some(Symbol::Delay(before)), Symbol::Delay(delay)) => {
                    *before = before.add(*delay)?
                }
                _ => all.push(symbol.clone()),
            }
        }
        Ok(Self(all))
    }

    /// The word and another one after it.
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        Self([&self.0[..], &other.0].concat())
    }

    /// The inputs of an automaton with all delays: the test case of a word (Definition 34).
    #[must_use]
    pub fn test_case(&self, automaton: &Automaton) -> Self {
        self.projected(|name| automaton.action(name).is_some_and(|at| automaton.actions[at].input))
    }

    /// The outputs of an automaton with all delays (Definition 36).
    #[must_use]
    pub fn observed(&self, automaton: &Automaton) -> Self {
        self.projected(|name| automaton.action(name).is_some_and(|at| !automaton.actions[at].input))
    }

    /// The fewest parts of a time unit, and of a unit of context, that make every number of the word an
    /// integer.
    ///
    /// # Errors
    /// If they are too large.
    pub fn parts(&self) -> Result<(i64, i64), Overflow> {
        let (mut time, mut data) = (1, 1);
        for symbol in &self.0 {
            match symbol {
                Symbol::Delay(delay) => time = crate::resolution::lcm(time, delay.denominator())?,
                Symbol::Action(_, values) => {
                    for value in values {
                        data = crate::resolution::lcm(data, value.denominator())?;
                    }
                }
            }
        }
        Ok((time, data))
    }

    /// The word of a grid that a timed word stands for: a delay becomes ticks, and values are bounded
    /// (the maps h and f).
    ///
    /// # Errors
    /// If a delay or value is no multiple of its granularity, or an action is not known.
    pub fn to_grid(&self, grid: &GridAutomaton) -> Result<Vec<GridSymbol>, Error> {
        let (automaton, resolution) = (grid.automaton(), &grid.stepper().resolution);
        let mut all = Vec::new();
        for symbol in in_units(&self.0, automaton, resolution)? {
            match symbol {
                UnitSymbol::Delay(ticks) if ticks > MOST_TICKS => {
                    let message =
                        format!("a delay has more than {MOST_TICKS} units of the granularity");
                    return Err(Error::Word(message));
                }
                UnitSymbol::Delay(ticks) => {
                    all.extend(std::iter::repeat_n(
                        GridSymbol::Tick,
                        usize::try_from(ticks).unwrap_or(0),
                    ));
                }
                UnitSymbol::Action(action, values) => {
                    all.push(GridSymbol::Action(action, grid.stepper().shown(action, &values)));
                }
                UnitSymbol::Unused(name) => {
                    return Err(Error::Word(format!("no edge has the action `{name}`")));
                }
            }
        }
        Ok(all)
    }

    /// The timed word that a word of a grid stands for, symbol by symbol: every tick becomes a delay (the
    /// map ĥ).
    pub fn of_grid(word: &[GridSymbol], automaton: &Automaton, resolution: &Resolution) -> Self {
        let tick = crate::grid::tick(resolution);
        let symbol = |symbol: &GridSymbol| match symbol {
            GridSymbol::Tick => Symbol::Delay(tick),
            GridSymbol::Action(action, values) => named(automaton, resolution, *action, values),
        };
        Self(word.iter().map(symbol).collect())
    }

    /// The timed word of labels of a grid, ticks merged.
    pub fn of_labels(labels: &[u32], grid: &GridAutomaton) -> Self {
        let (automaton, resolution) = (grid.automaton(), &grid.stepper().resolution);
        let (mut all, mut ticks) = (Vec::new(), 0);
        let pass = |ticks: &mut i64, all: &mut Vec<Symbol>| {
            if *ticks > 0 {
                let delay = Rational::new(*ticks, resolution.parts).unwrap_or(Rational::ZERO);
                all.push(Symbol::Delay(delay));
            }
            *ticks = 0;
        };
        for label in labels {
            if *label == TICK {
                ticks += 1;
            } else if let Some((action, values)) = grid.label(*label) {
                pass(&mut ticks, &mut all);
                all.push(named(automaton, resolution, action, values));
            }
        }
        pass(&mut ticks, &mut all);
        Self(all)
    }
}

fn named(automaton: &Automaton, resolution: &Resolution, action: usize, values: &[i64]) -> Symbol {
    let value =
        |value: &i64| Rational::new(*value, resolution.context_parts).unwrap_or(Rational::ZERO);
    Symbol::Action(automaton.actions[action].name.clone(), values.iter().map(value).collect())
}

/// A symbol of a word of a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GridSymbol {
    /// One unit of time passes.
    Tick,
    /// The position of an action, with its values in units and bounded.
    Action(usize, Values),
}

impl GridSymbol {
    /// The label of a grid that it is, if there is one.
    pub fn label(&self, grid: &GridAutomaton) -> Option<u32> {
        match self {
            Self::Tick => Some(TICK),
            Self::Action(action, values) => grid.find_label(*action, values),
        }
    }
}

/// A symbol in units.
pub(crate) enum UnitSymbol {
    Delay(i64),
    Action(usize, Values),
    /// An action of the interface that no edge carries, by its name.
    Unused(String),
}

pub(crate) fn in_units(
    symbols: &[Symbol],
    automaton: &Automaton,
    resolution: &Resolution,
) -> Result<Vec<UnitSymbol>, Error> {
    let (parts, context_parts) = (resolution.parts, resolution.context_parts);
    let mut all = Vec::new();
    for symbol in symbols {
        all.push(match symbol {
            Symbol::Delay(delay) => {
                let ticks = units(*delay, parts).ok().filter(|ticks| *ticks >= 0);
                UnitSymbol::Delay(ticks.ok_or_else(|| {
                    Error::Word(format!(
                        "the delay {delay} is no multiple of the granularity 1/{parts}"
                    ))
                })?)
            }
            Symbol::Action(name, values) => {
                let action = automaton.action(name);
                let own = action.map(|action| &automaton.actions[action]);
                let own = own.or_else(|| automaton.unused.iter().find(|one| one.name == *name));
                let own = own.ok_or_else(|| Error::Word(format!("there is no action `{name}`")))?;
                let known = own.parameters.len();
                if known != values.len() {
                    let message = format!("`{name}` carries {known} values, not {}", values.len());
                    return Err(Error::Word(message));
                }
                let value = |value: &Rational| {
                    units(*value, context_parts).map_err(|_| {
                        let granularity = format!("the granularity 1/{context_parts}");
                        Error::Word(format!("the value {value} is no multiple of {granularity}"))
                    })
                };
                let values = values.iter().map(value).collect::<Result<_, _>>()?;
                match action {
                    Some(action) => UnitSymbol::Action(action, values),
                    None => UnitSymbol::Unused(name.clone()),
                }
            }
        });
    }
    Ok(all)
}

/// `2/3 on 4/3 ack(1,1)`.
impl fmt::Display for TimedWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, symbol) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str(" ")?;
            }
            match symbol {
                Symbol::Delay(delay) => write!(f, "{delay}")?,
                Symbol::Action(name, values) => {
                    f.write_str(name)?;
                    if !values.is_empty() {
                        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                        write!(f, "({})", values.join(","))?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Symbols separated by blanks or commas, perhaps in angle brackets: `<1, a, 2.5, b(3, 1/2)>`.
impl FromStr for TimedWord {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let inner = text.strip_prefix(['<', '⟨']).and_then(|rest| rest.strip_suffix(['>', '⟩']));
        let (mut all, mut depth, mut word) = (Vec::new(), 0usize, String::new());
        for c in inner.unwrap_or(text).chars().chain([' ']) {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && (c.is_whitespace() || c == ',') {
                if !word.is_empty() {
                    all.push(symbol(&std::mem::take(&mut word))?);
                }
            } else {
                word.push(c);
            }
        }
        match depth {
            0 => Ok(Self(all)),
            _ => Err(Error::Word(format!("`{word}` has no closing parenthesis"))),
        }
    }
}

fn symbol(text: &str) -> Result<Symbol, Error> {
    let number = |text: &str| {
        let value = text.trim().parse::<Rational>();
        value.map_err(|_| Error::Word(format!("`{}` is no number", text.trim())))
    };
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
        let delay = number(text)?;
        return match delay.is_negative() {
            true => Err(Error::Word(format!("the delay {delay} is negative"))),
            false => Ok(Symbol::Delay(delay)),
        };
    }
    let text = text.trim_end_matches(['?', '!']);
    let Some((name, values)) = text.split_once('(') else {
        return Ok(Symbol::Action(text.to_owned(), Vec::new()));
    };
    let values = values.trim_end_matches(')');
    let values: Result<Vec<Rational>, Error> = values.split(',').map(number).collect();
    Ok(Symbol::Action(name.to_owned(), values?))
}
