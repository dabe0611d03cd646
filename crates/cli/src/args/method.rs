//! Options of complete suites: by which method, and for how many extra states.

use clap::{Args, ValueEnum};
use tioga_machines::Method;

/// How a complete suite is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MethodArg {
    /// Words of your own, and how many classes they make (G-method)
    G,
    /// A characterisation set behind every transition
    W,
    /// A characterisation set behind states, identifiers behind transitions
    Wp,
    /// Harmonised state identifiers
    Hsi,
    /// Separating words chosen one by one
    H,
    /// Harmonised state identifiers, distributed over tests that lead to the same state
    Spy,
    /// Separating words chosen one by one, distributed likewise
    Spyh,
    /// Words that tell a state from many others at once, distributed likewise: the smallest suites
    S,
}

impl MethodArg {
    /// The method; nothing for the one with words of your own.
    pub fn method(self) -> Option<Method> {
        Some(match self {
            Self::G => return None,
            Self::W => Method::W,
            Self::Wp => Method::Wp,
            Self::Hsi => Method::Hsi,
            Self::H => Method::H,
            Self::Spy => Method::Spy,
            Self::Spyh => Method::Spyh,
            Self::S => Method::S,
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.method().map_or("g", Method::name)
    }
}

/// What a complete suite is complete for.
#[derive(Args, Debug)]
pub struct CompleteArgs {
    /// Number of extra states that an implementation may have [default: 0]
    #[arg(long, value_name = "COUNT")]
    pub extra_states: Option<usize>,

    /// For the method g: words that tell states of an implementation apart, each as one argument
    #[arg(long, value_name = "INPUTS", required_if_eq("method", "g"))]
    pub word: Vec<String>,

    /// For the method g: how many different answers these words get among the states of an
    /// implementation, at least
    #[arg(long, value_name = "COUNT", required_if_eq("method", "g"))]
    pub classes: Option<usize>,

    /// For the method g: after its tests, those of another method that these do not contain. The short
    /// suite with a bold guess of --classes comes first, the complete one for systems that pass it
    #[arg(long, value_name = "METHOD", value_enum)]
    pub second_stage: Option<MethodArg>,
}

impl CompleteArgs {
    /// How many states more than the machine an implementation may have.
    pub fn extra_states(&self) -> usize {
        self.extra_states.unwrap_or(0)
    }

    /// An option for the method g that was given, if one was.
    pub fn given_for_g(&self) -> Option<&'static str> {
        let options = [
            (!self.word.is_empty(), "--word"),
            (self.classes.is_some(), "--classes"),
            (self.second_stage.is_some(), "--second-stage"),
        ];
        options.into_iter().find_map(|(given, name)| given.then_some(name))
    }

    /// An option that was given, if one was.
    pub fn given(&self) -> Option<&'static str> {
        self.extra_states.map(|_| "--extra-states").or_else(|| self.given_for_g())
    }
}

/// Which configurations are confirmed.
#[derive(Args, Debug)]
pub struct ConfirmArgs {
    /// With `--method confirm`: the configuration to confirm, such as `s1, x = 0, w = 2`; may be repeated. What it
    /// does not name is as at the start [default: for each location, the first configuration in it]
    #[arg(long, value_name = "CONFIGURATION", requires = "method")]
    pub at: Vec<String>,

    /// With `--method confirm`: a configuration that the system might be in instead; may be repeated [default: each
    /// other location, with the same values]
    #[arg(long, value_name = "CONFIGURATION", requires = "method")]
    pub suspicious: Vec<String>,

    /// With `--method confirm`: use the product as BON09 prints it, which is not sound, for comparison
    #[arg(long, requires = "method")]
    pub as_printed: bool,
}

impl ConfirmArgs {
    /// An option that was given, if one was.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            (!self.at.is_empty(), "--at"),
            (!self.suspicious.is_empty(), "--suspicious"),
            (self.as_printed, "--as-printed"),
        ];
        options.into_iter().find_map(|(given, name)| given.then_some(name))
    }
}

/// How `tioga synth` makes test cases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SynthMethodArg {
    /// Words of the grid of the model with a purpose that marks its ends with `fail` or `desired`
    Grid,
    /// Sequences that tell configurations of a timed extended machine from suspicious ones
    Confirm,
    /// Complete: words of your own, and how many classes they make (G-method)
    G,
    /// Complete: a characterisation set behind every transition
    W,
    /// Complete: a characterisation set behind states, identifiers behind transitions
    Wp,
    /// Complete: harmonised state identifiers
    Hsi,
    /// Complete: separating words chosen one by one
    H,
    /// Complete: harmonised state identifiers, distributed over tests that lead to the same state
    Spy,
    /// Complete: separating words chosen one by one, distributed likewise
    Spyh,
    /// Complete: words that tell a state from many others at once, distributed likewise
    S,
}

impl SynthMethodArg {
    /// The method of complete suites; nothing for grids and confirming sequences.
    pub fn complete(self) -> Option<MethodArg> {
        Some(match self {
            Self::Grid | Self::Confirm => return None,
            Self::G => MethodArg::G,
            Self::W => MethodArg::W,
            Self::Wp => MethodArg::Wp,
            Self::Hsi => MethodArg::Hsi,
            Self::H => MethodArg::H,
            Self::Spy => MethodArg::Spy,
            Self::Spyh => MethodArg::Spyh,
            Self::S => MethodArg::S,
        })
    }
}
