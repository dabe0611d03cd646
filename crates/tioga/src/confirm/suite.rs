//! Test cases for configurations against suspicious ones, one after the other.

use tioga_base::{Budget, Diagnostic, Id};
use tioga_concrete::State;
use tioga_confirm::{
    Error, Goal, Machine, Properties, Reached, Rule, Separation, configuration, properties, reach,
    separate,
};
use tioga_model::{LocationId, Model};
use tioga_testcase::TestCase;

use super::asked::read_configuration;
use super::cases::{Confirmed, case};
use super::complaint::complaint;
use crate::failure::stopped;
use crate::words::count;
use crate::{Effort, Failure};

/// The configurations to confirm.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConfirmOptions {
    /// The configurations to confirm; if empty, the first reached configuration of every location.
    pub at: Vec<String>,
    /// The configurations that the system might be in instead; if empty, the other locations with the same values.
    pub suspicious: Vec<String>,
    /// Use the product as it is printed.
    pub as_printed: bool,
    /// The maximum of symbolic states explored for one test case.
    pub max_states: u64,
}

/// The result of making a suite.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ConfirmSuite {
    /// How many test cases there are.
    pub cases: usize,
    /// The configurations without a test case.
    pub missed: Vec<Unconfirmed>,
    /// Which properties the machine has.
    pub properties: Properties,
}

/// A configuration that is not confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unconfirmed {
    /// The configuration.
    pub at: String,
    /// The suspicious one, if it is about one.
    pub suspicious: Option<String>,
    /// Why not.
    pub why: WhyUnconfirmed,
}

/// Why a configuration is not confirmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhyUnconfirmed {
    /// No run leads to it.
    Unreachable,
    /// No timed input separates it from the suspicious one.
    Equivalent,
    /// A condition on data could not be decided.
    Unknown,
    /// The search reached its limit. With at most this number of inputs, no run leads to it, or no timed input tells
    /// them apart.
    Limit(usize),
}

impl std::fmt::Display for WhyUnconfirmed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "no run leads to it",
            Self::Equivalent => "no timed input tells them apart",
            Self::Unknown => "a condition on data could not be decided",
            Self::Limit(_) => "the search reached its limit",
        })
    }
}

impl Unconfirmed {
    /// What is known where the search reached its limit. `None` if it did not.
    pub fn warning(&self) -> Option<Diagnostic> {
        let WhyUnconfirmed::Limit(inputs) = self.why else { return None };
        let diagnostic =
            Diagnostic::global("limit", format!("the search for {self} reached its limit"));
        let inputs = count(inputs, "input");
        let known = match self.suspicious {
            None => format!("no run with at most {inputs} leads there"),
            Some(_) => format!("no timed input with at most {inputs} tells them apart"),
        };
        Some(diagnostic.note(known).help("`--max-states` allows more"))
    }
}

impl std::fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.suspicious {
            Some(other) => write!(f, "`{}` against `{other}`", self.at),
            None => write!(f, "`{}`", self.at),
        }
    }
}

/// Makes the test cases that confirm configurations, and gives each away.
///
/// # Errors
/// If the model is no deterministic machine of this kind, or the work was stopped. The failure of `take` ends it.
pub fn confirm_suite(
    model: &Model,
    options: &ConfirmOptions,
    effort: &mut Effort<'_>,
    take: &mut dyn FnMut(TestCase) -> Result<(), Failure>,
) -> Result<ConfirmSuite, Failure> {
    let budget =
        |effort: &Effort<'_>| Budget::steps(options.max_states).with_cancel(effort.cancel.clone());
    let machine = Machine::of(model).map_err(|error| complaint(error, effort))?;
    let properties = properties(machine, &mut budget(effort));
    let properties = properties.map_err(|error| complaint(error, effort))?;
    let mut suite = ConfirmSuite { properties, ..ConfirmSuite::default() };
    let mut goals = Vec::new();
    for text in &options.at {
        goals.push(Goal::Configuration(read_configuration(machine, text)?));
    }
    if goals.is_empty() {
        let locations = machine.process.locations.iter_ids().map(|(id, _)| id);
        goals.extend(locations.map(Goal::Location));
    }
    let mut suspicious = Vec::new();
    for text in &options.suspicious {
        suspicious.push(read_configuration(machine, text)?);
    }
    for goal in goals {
        let run = reach(machine, &goal, &mut budget(effort));
        let why = match run.map_err(|error| complaint(error, effort))? {
            Reached::By(run) => Ok(run),
            Reached::Never => Err(WhyUnconfirmed::Unreachable),
            Reached::Unknown => Err(WhyUnconfirmed::Unknown),
            Reached::Limit(inputs) => Err(WhyUnconfirmed::Limit(inputs)),
        };
        let run = match why {
            Ok(run) => run,
            Err(why) => {
                let at = match &goal {
                    Goal::Configuration(state) => configuration(machine, state),
                    Goal::Location(id) => machine.process.locations[*id].name.clone(),
                };
                suite.missed.push(Unconfirmed { at, suspicious: None, why });
                continue;
            }
        };
        let at = run.end().map_err(|error| complaint(error, effort))?;
        for other in others(machine, &at, &suspicious) {
            if effort.cancel.is_cancelled() {
                return Err(stopped("synthesis", &effort.cancel));
            }
            let rule = if options.as_printed { Rule::AsPrinted } else { Rule::Sound };
            let found = separate(machine, rule, &at, &other, &mut budget(effort));
            let why = match found {
                Ok(Separation::By(sequence)) => {
                    let confirmed = Confirmed {
                        machine,
                        run: &run,
                        at: &at,
                        other: &other,
                        sequence: &sequence,
                        rule,
                    };
                    let name = format!("confirm-{}", suite.cases + 1);
                    let made = case(&confirmed, name);
                    take(made.map_err(|error| complaint(error, effort))?)?;
                    suite.cases += 1;
                    effort.done(suite.cases, "test cases made");
                    continue;
                }
                Ok(Separation::Equivalent) => WhyUnconfirmed::Equivalent,
                Ok(Separation::Unknown) => WhyUnconfirmed::Unknown,
                Ok(Separation::Limit(inputs)) => WhyUnconfirmed::Limit(inputs),
                // A location that the values do not fit is nothing to suspect, unless it was asked for.
                Err(Error::Invalid(_)) if suspicious.is_empty() => continue,
                Err(error) => return Err(complaint(error, effort)),
            };
            let (at, other) = (configuration(machine, &at), configuration(machine, &other));
            suite.missed.push(Unconfirmed { at, suspicious: Some(other), why });
        }
    }
    Ok(suite)
}

/// The configurations that the system might be in instead.
fn others(machine: Machine<'_>, at: &State, suspicious: &[State]) -> Vec<State> {
    if !suspicious.is_empty() {
        return suspicious.to_vec();
    }
    let own = at.discrete.locations[0];
    let all = (0..machine.process.locations.len()).map(LocationId::from_index);
    let other = |location: LocationId| {
        let mut state = at.clone();
        state.discrete.locations[0] = location;
        state
    };
    all.filter(|location| *location != own).map(other).collect()
}
