//! Whether the result is exact, and if not, where it stops being so and why.

use tioga_base::{Rational, decimal};
use tioga_zones::{Constraint, Zone};

use crate::Resources;
use crate::estimate::{Moment, State};
use crate::region::Region;
use crate::table::Table;

/// How the result relates to the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exactness {
    /// The model was deterministic already and is returned as it is.
    Unchanged,
    /// The result has exactly the traces of the model, and those of them that reach a location
    /// marked `accept` or `desired` do so in the result.
    Exact,
    /// The result is an io-abstraction: it may allow more outputs and delays, and fewer inputs.
    Approximate {
        /// Where exactness may be lost first; nothing is said of what follows.
        losses: Vec<Loss>,
        /// Resources that give an exact result, if a quick search found any.
        suggestion: Option<Resources>,
        /// Whether the budget ended some attempt, so that a larger one might give an exact result.
        exhausted: bool,
    },
}

/// What is not exact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LossKind {
    /// Time may pass further than in the model.
    Delay,
    /// An output may be allowed that the model does not allow.
    Output,
    /// An input may be left out that the model takes.
    Input,
    /// It is in doubt whether a location marked `accept` or `desired` is reached.
    Mark,
    /// The effort ended before it was known what follows: all outputs and delays are allowed, and
    /// no inputs.
    Effort,
}

/// A place where the result may differ from the model.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Loss {
    /// The location of the result.
    pub location: String,
    /// What is not exact.
    pub kind: LossKind,
    /// The action, unless it is time that passes.
    pub action: Option<String>,
    /// Where the clocks of the result are.
    pub when: String,
    /// The configuration of the model that is not known well enough.
    pub configuration: String,
}

/// A loss as the game notices it, before locations have names.
#[derive(Clone, Debug)]
pub(crate) struct Noticed {
    pub kind: LossKind,
    pub action: Option<usize>,
    pub when: String,
    pub configuration: String,
}

impl Exactness {
    /// Whether the result has exactly the traces of the model.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        !matches!(self, Self::Approximate { .. })
    }

    /// Whether the result says nothing of some states because the effort ended.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        match self {
            Self::Approximate { losses, .. } => {
                losses.iter().any(|loss| loss.kind == LossKind::Effort)
            }
            Self::Unchanged | Self::Exact => false,
        }
    }
}

/// `in Up, x <= 2: dim! may be allowed too often, because of (Up, y = 1)`.
impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { location, kind, when, configuration, .. } = self;
        let action = self.action.as_deref().unwrap_or("");
        let what = match kind {
            LossKind::Delay => "time may pass for too long".to_owned(),
            LossKind::Output => format!("{action} may be allowed too often"),
            LossKind::Input => format!("{action} is left out"),
            LossKind::Mark => "it is in doubt whether the goal is reached".to_owned(),
            LossKind::Effort => {
                return write!(
                    f,
                    "in {location}: everything may happen, because the budget was exhausted, for \
                     instance at {configuration}"
                );
            }
        };
        write!(f, "in {location}, {when}: {what}, because of {configuration}")
    }
}

impl LossKind {
    /// A word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Delay => "delay",
            Self::Output => "output",
            Self::Input => "input",
            Self::Mark => "mark",
            Self::Effort => "effort",
        }
    }
}

/// Describes a loss at a moment.
pub(crate) fn describe(
    table: &Table<'_>,
    kind: LossKind,
    moment: &Moment,
    action: Option<usize>,
) -> Noticed {
    let when = clocks_in(table, &moment.region);
    // For time, the one that may have to go: it has an invariant. For an action, one that takes it.
    let doubtful = |at: usize| match (kind, action) {
        (LossKind::Mark, _) => !table.accepting(at).is_empty() || table.marks(at).desired,
        (_, None) => !table.is_endless(at),
        (_, Some(_)) => table.takes(at, action),
    };
    let found = moment.possible.iter().find(|(at, _)| doubtful(**at));
    let found = found.or_else(|| moment.possible.iter().next());
    let configuration = found
        .map_or_else(String::new, |(at, zones)| configuration(table, *at, zones.zones().iter()));
    Noticed { kind, action, when, configuration }
}

/// Describes a state of which nothing more is known.
pub(crate) fn given_up(table: &Table<'_>, state: &State) -> Noticed {
    let when = clocks_in(table, &state.region);
    let first = state.possible.first().map(|one| one.at);
    let configuration = first.map_or_else(String::new, |first| {
        let there = state.possible.iter().filter(|one| one.at == first);
        configuration(table, first, there.map(|one| &one.zone))
    });
    Noticed { kind: LossKind::Effort, action: None, when, configuration }
}

/// A region of the result's clocks.
fn clocks_in(table: &Table<'_>, region: &Region) -> String {
    let zone = region.zone(&table.grid, table.clocks + 1, 1);
    written(&zone, &result_clocks(table.clocks), table.model().scale)
}

/// A discrete state with the zones that are possible there.
fn configuration<'z>(
    table: &Table<'_>,
    at: usize,
    zones: impl Iterator<Item = &'z Zone>,
) -> String {
    let mut all = model_clocks(table);
    all.extend(result_clocks(table.clocks));
    let zones: Vec<String> = zones.map(|zone| written(zone, &all, table.model().scale)).collect();
    format!("{} with {}", table.name(at), zones.join(" || "))
}

/// The names of the clocks of the result.
pub(crate) fn result_clocks(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("c{number}")).collect()
}

/// The names of the clocks of the model, without the process if there is only one.
fn model_clocks(table: &Table<'_>) -> Vec<String> {
    let alone = table.model().processes.len() == 1;
    let name = |full: &str| match full.rsplit_once('.') {
        Some((_, bare)) if alone => bare.to_owned(),
        _ => full.to_owned(),
    };
    table.model().clocks.iter().map(|clock| name(&clock.name)).collect()
}

/// A zone in written time units.
fn written(zone: &Zone, names: &[String], scale: i64) -> String {
    if scale == 1 {
        return zone.display(names).to_string();
    }
    let mut parts = Vec::new();
    for Constraint { left, right, bound } in zone.minimal_constraints() {
        let Some(constant) = bound.constant() else { continue };
        let time = |constant: i32| {
            Rational::new(i64::from(constant), scale)
                .map_or_else(|_| format!("{constant}/{scale}"), decimal)
        };
        let (below, above) = if bound.is_strict() { ("<", ">") } else { ("<=", ">=") };
        parts.push(match (left.checked_sub(1), right.checked_sub(1)) {
            (Some(left), None) => format!("{} {below} {}", names[left], time(constant)),
            (None, Some(right)) => format!("{} {above} {}", names[right], time(-constant)),
            (Some(left), Some(right)) => {
                format!("{} - {} {below} {}", names[left], names[right], time(constant))
            }
            (None, None) => continue,
        });
    }
    if parts.is_empty() { "true".to_owned() } else { parts.join(" && ") }
}
