//! How mutants are made, run and judged.

use tioga_adapters::Policy;
use tioga_base::Rational;
use tioga_mutate::Operator;

/// How mutants are made, run and judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutationOptions {
    /// The kinds of changes.
    pub operators: Vec<Operator>,
    /// Whether processes of the environment are changed, too.
    pub environment: bool,
    /// Whether mutants are run unchanged; otherwise they are first completed to systems.
    pub as_is: bool,
    /// How often each test case is run against a mutant at most.
    pub repeat: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// How mutants resolve their choices.
    pub policy: Policy,
    /// How long to wait if the model does not bound the wait.
    pub patience: Option<Rational>,
    /// Whether every test case is run against every mutant, also after one failed.
    pub full: bool,
    /// Whether all mutants are compared with the model, not only those that survive.
    pub judge_all: bool,
    /// How many states each comparison may visit.
    pub max_states: u64,
}
