//! Complete suites: if a machine with at most so many states more than the specification answers all
//! tests of a suite as the specification does, both are equivalent.

mod convergence;
mod h;
mod partitioned;
mod pool;
mod s;
mod spy;

use crate::cover;
use crate::error::Error;
use crate::machine::{Machine, Word};
use crate::partition;
use crate::separation::Separation;
use crate::suite::WordSuite;

/// How a suite is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// A characterisation set behind all transitions (CHO78).
    W,
    /// A characterisation set behind states, and what tells one state from the others behind transitions
    /// (FUJ91).
    Wp,
    /// Harmonised identifiers (PYL93).
    Hsi,
    /// Separating words chosen one by one (DOR05).
    H,
    /// Harmonised identifiers, distributed over tests that lead to the same state (SPY12).
    Spy,
    /// Separating words chosen one by one, likewise (SOU18).
    Spyh,
    /// Words that tell a state from many others at once, likewise (SOU19).
    S,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 7] =
        [Self::W, Self::Wp, Self::Hsi, Self::H, Self::Spy, Self::Spyh, Self::S];

    /// Its name, as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::W => "w",
            Self::Wp => "wp",
            Self::Hsi => "hsi",
            Self::H => "h",
            Self::Spy => "spy",
            Self::Spyh => "spyh",
            Self::S => "s",
        }
    }
}

/// A suite that is complete for machines with at most so many states more than this one.
///
/// # Errors
/// If states cannot be reached or told apart, or the method needs a complete machine.
pub fn suite(machine: &Machine, method: Method, extra_states: usize) -> Result<WordSuite, Error> {
    suite_while(machine, method, extra_states, &|| true)
}

/// The same, as long as a function that is asked now and then says to go on.
///
/// # Errors
/// If states cannot be reached or told apart, the method needs a complete machine, or the work was stopped.
pub fn suite_while(
    machine: &Machine,
    method: Method,
    extra_states: usize,
    going: &dyn Fn() -> bool,
) -> Result<WordSuite, Error> {
    let covers = cover::states(machine)?;
    let separation = Separation::new(machine);
    match method {
        Method::W => {
            partition::complete(machine, "the method W")?;
            let words = crate::separation::characterisation_set(machine)?;
            partitioned::g(machine, &words, extra_states)
        }
        Method::Wp => {
            partition::complete(machine, "the method Wp")?;
            let words = crate::separation::characterisation_set(machine)?;
            partitioned::wp(machine, &covers, &words, extra_states)
        }
        Method::Hsi => partitioned::hsi(machine, &separation, extra_states),
        Method::H => h::h(machine, &covers, &separation, extra_states, going),
        Method::Spy => spy::spy(machine, &covers, &separation, extra_states, going),
        Method::Spyh => spy::spyh(machine, &covers, &separation, extra_states, going),
        Method::S => s::s(machine, &covers, &separation, extra_states, going),
    }
}

/// The suite of the G-method (BON09, Cor 19): complete for machines with at most `states` states, among
/// which the words give at least `classes` different answers.
///
/// # Errors
/// If there are no words, the machine is partial, a state cannot be reached, or the bounds contradict
/// each other.
pub fn g(
    machine: &Machine,
    words: &[Word],
    classes: usize,
    states: usize,
) -> Result<WordSuite, Error> {
    partition::complete(machine, "the method G")?;
    if words.is_empty() {
        return Err(Error::NoWords);
    }
    let Some(depth) = states.checked_sub(classes) else {
        return Err(Error::Bounds { classes, states });
    };
    partitioned::g(machine, words, depth)
}
