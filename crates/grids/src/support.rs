//! What an automaton may do while a test case is applied to it: supports of the test case, whose outputs are what
//! may be observed (BON09, chapter 3, Definitions 35 and 36).

use std::collections::BTreeSet;

use crate::automaton::Automaton;
use crate::error::Error;
use crate::replay::refined;
use crate::resolution::Resolution;
use crate::stepper::{Configuration, Stepper};
use crate::timed_word::{GridSymbol, TimedWord, UnitSymbol, in_units};

/// How supports are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SupportOptions {
    /// Whether outputs may come after any number of units within a delay, and not only before and after it.
    pub within_delays: bool,
    /// Whether runs count that end early because the automaton refuses to go on.
    pub cut: bool,
    /// The most supports that are listed.
    pub most: usize,
}

impl Default for SupportOptions {
    fn default() -> Self {
        Self { within_delays: false, cut: false, most: 10_000 }
    }
}

/// The most symbols of a run that is looked for.
const MOST_SYMBOLS: usize = 3000;

/// The most outputs at one moment.
const MOST_OUTPUTS: usize = 64;

/// The runs of an automaton whose inputs and delays are those of a test case, in order, and whether these are all.
/// At one moment no configuration comes twice, so that outputs without end are left out. Runs with more than
/// 64 outputs at one moment, or more than 3000 symbols, are left out, too; then these are not all.
///
/// # Errors
/// If the test case names something that the automaton does not know, or numbers are too large.
pub fn supports(
    automaton: &Automaton,
    resolution: &Resolution,
    case: &TimedWord,
    options: &SupportOptions,
) -> Result<(Vec<TimedWord>, bool), Error> {
    let resolution = refined(resolution, case)?;
    let stepper = Stepper::unbounded(automaton, &resolution)?;
    let mut symbols = Vec::new();
    for symbol in in_units(&case.0, automaton, &resolution)? {
        match symbol {
            UnitSymbol::Delay(ticks) if options.within_delays => {
                let count = usize::try_from(ticks).unwrap_or(usize::MAX);
                if count.saturating_add(symbols.len()) > MOST_SYMBOLS {
                    let message =
                        format!("the test case takes more than {MOST_SYMBOLS} units of time");
                    return Err(Error::Word(message));
                }
                symbols.extend((0..count).map(|_| UnitSymbol::Delay(1)));
            }
            other => symbols.push(other),
        }
    }
    let mut search = Search {
        automaton,
        stepper: &stepper,
        symbols: &symbols,
        options,
        word: Vec::new(),
        found: BTreeSet::new(),
        complete: true,
    };
    let start = stepper.initial().clone();
    search.go(0, &start, &mut vec![start.clone()])?;
    let Search { found, complete, .. } = search;
    let mut words = Vec::new();
    for word in found {
        words.push(if options.within_delays { word.merged()? } else { word });
    }
    let words: BTreeSet<TimedWord> = words.into_iter().collect();
    Ok((words.into_iter().collect(), complete))
}

struct Search<'a> {
    automaton: &'a Automaton,
    stepper: &'a Stepper,
    symbols: &'a [UnitSymbol],
    options: &'a SupportOptions,
    word: Vec<Piece>,
    found: BTreeSet<TimedWord>,
    complete: bool,
}

/// A piece of a word: so many units, or an action.
#[derive(Clone)]
enum Piece {
    Units(i64),
    Action(GridSymbol),
}

impl Search<'_> {
    /// Goes on from a configuration, with those of the present moment.
    fn go(
        &mut self,
        position: usize,
        at: &Configuration,
        moment: &mut Vec<Configuration>,
    ) -> Result<(), Error> {
        let long = self.word.len() > MOST_SYMBOLS || moment.len() > MOST_OUTPUTS;
        if long || self.found.len() >= self.options.most {
            self.complete = false;
            return Ok(());
        }
        let mut went_on = false;
        let mut outputs = Vec::new();
        self.stepper.each_step(at, &mut |_, action, values, after| {
            if !self.automaton.actions[action as usize].input {
                outputs.push((action as usize, values, after));
            }
        })?;
        for (action, values, after) in outputs {
            went_on = true;
            if moment.contains(&after) {
                continue;
            }
            self.word.push(Piece::Action(GridSymbol::Action(action, values)));
            moment.push(after.clone());
            self.go(position, &after, moment)?;
            moment.pop();
            self.word.pop();
        }
        match self.symbols.get(position) {
            None => {
                self.keep()?;
                return Ok(());
            }
            Some(UnitSymbol::Delay(ticks)) => {
                if self.stepper.may_wait(at, *ticks) {
                    went_on = true;
                    let after = self.stepper.later(at, *ticks)?;
                    self.word.push(Piece::Units(*ticks));
                    let mut fresh = vec![after.clone()];
                    let moment = if *ticks > 0 { &mut fresh } else { moment };
                    self.go(position + 1, &after, moment)?;
                    self.word.pop();
                }
            }
            Some(UnitSymbol::Unused(_)) => {}
            Some(UnitSymbol::Action(action, values)) => {
                let mut targets = BTreeSet::new();
                let number = u32::try_from(*action).map_err(|_| Error::Overflow)?;
                self.stepper.each_by(at, number, values, &mut |after| {
                    targets.insert(after);
                })?;
                for after in targets {
                    went_on = true;
                    self.word.push(Piece::Action(GridSymbol::Action(*action, values.clone())));
                    self.go(position + 1, &after, &mut vec![after.clone()])?;
                    self.word.pop();
                }
            }
        }
        if !went_on && self.options.cut {
            self.keep()?;
        }
        Ok(())
    }

    fn keep(&mut self) -> Result<(), Error> {
        let resolution = &self.stepper.resolution;
        let tick = crate::grid::tick(resolution);
        let mut word = Vec::new();
        for piece in &self.word {
            match piece {
                Piece::Units(count) => word.push(crate::timed_word::Symbol::Delay(
                    tick.mul(tioga_base::Rational::integer(*count))?,
                )),
                Piece::Action(symbol) => {
                    let one = std::slice::from_ref(symbol);
                    word.extend(TimedWord::of_grid(one, self.automaton, resolution).0);
                }
            }
        }
        self.found.insert(TimedWord(word));
        Ok(())
    }
}
