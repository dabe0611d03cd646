//! The mutation operators and their names.

use std::fmt;
use std::str::FromStr;

/// A kind of small change. Most are those of the literature on mutation testing of timed automata
/// (ALN13, LLNN17, ABCH13).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    /// A bound of a guard is one time unit, or one, larger.
    GuardPlus,
    /// A bound of a guard is one time unit, or one, smaller.
    GuardMinus,
    /// A comparison of a guard becomes strict, or is strict no longer.
    GuardStrict,
    /// A comparison of a guard becomes another one.
    GuardCompare,
    /// A guard becomes its negation.
    GuardNegate,
    /// A bound of an invariant is one time unit larger.
    InvariantPlus,
    /// A bound of an invariant is one time unit smaller.
    InvariantMinus,
    /// A comparison of an invariant becomes strict, or is strict no longer.
    InvariantStrict,
    /// A location loses its invariant.
    InvariantDrop,
    /// A clock is not set.
    ResetMissing,
    /// Another clock is set to 0.
    ResetExtra,
    /// An edge leads elsewhere.
    Target,
    /// An edge leaves another location.
    Source,
    /// An edge shows another action of the same direction.
    Action,
    /// An edge with an output is missing.
    OutputMissing,
    /// An edge with an input is missing.
    InputMissing,
    /// An edge that neither takes an input nor gives an output is missing.
    InternalMissing,
    /// An edge leads to a place that takes all inputs and stays silent for ever.
    Sink,
    /// A number in an update is one larger.
    UpdatePlus,
    /// A number in an update is one smaller.
    UpdateMinus,
    /// A truth value in an update is the other one.
    UpdateNegate,
    /// A change of data is missing.
    UpdateMissing,
}

impl Operator {
    /// All operators, in the order in which mutants are listed.
    pub const ALL: [Self; 22] = [
        Self::GuardPlus,
        Self::GuardMinus,
        Self::GuardStrict,
        Self::GuardCompare,
        Self::GuardNegate,
        Self::InvariantPlus,
        Self::InvariantMinus,
        Self::InvariantStrict,
        Self::InvariantDrop,
        Self::ResetMissing,
        Self::ResetExtra,
        Self::Target,
        Self::Source,
        Self::Action,
        Self::OutputMissing,
        Self::InputMissing,
        Self::InternalMissing,
        Self::Sink,
        Self::UpdatePlus,
        Self::UpdateMinus,
        Self::UpdateNegate,
        Self::UpdateMissing,
    ];

    /// Its name, with which the ids of its mutants begin.
    pub fn name(self) -> &'static str {
        match self {
            Self::GuardPlus => "guard-plus-1",
            Self::GuardMinus => "guard-minus-1",
            Self::GuardStrict => "guard-strict",
            Self::GuardCompare => "guard-compare",
            Self::GuardNegate => "guard-negate",
            Self::InvariantPlus => "invariant-plus-1",
            Self::InvariantMinus => "invariant-minus-1",
            Self::InvariantStrict => "invariant-strict",
            Self::InvariantDrop => "invariant-drop",
            Self::ResetMissing => "reset-missing",
            Self::ResetExtra => "reset-extra",
            Self::Target => "target",
            Self::Source => "source",
            Self::Action => "action",
            Self::OutputMissing => "output-missing",
            Self::InputMissing => "input-missing",
            Self::InternalMissing => "internal-missing",
            Self::Sink => "sink",
            Self::UpdatePlus => "update-plus-1",
            Self::UpdateMinus => "update-minus-1",
            Self::UpdateNegate => "update-negate",
            Self::UpdateMissing => "update-missing",
        }
    }

    /// The operators a word stands for: one by its name, or all of a group by the first part of
    /// their names, such as `guard`.
    pub fn named(word: &str) -> Vec<Self> {
        let exact: Vec<Self> = Self::ALL.into_iter().filter(|one| one.name() == word).collect();
        if !exact.is_empty() {
            return exact;
        }
        let belongs =
            |one: &Self| one.name().strip_prefix(word).is_some_and(|rest| rest.starts_with('-'));
        Self::ALL.into_iter().filter(belongs).collect()
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Operator {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|one| one.name() == text);
        found.ok_or_else(|| format!("there is no operator `{text}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_found_by_name_and_by_group() {
        for one in Operator::ALL {
            assert_eq!(Operator::named(one.name()), [one]);
            assert_eq!(one.name().parse(), Ok(one));
        }
        assert_eq!(Operator::named("guard").len(), 5);
        assert_eq!(Operator::named("target"), [Operator::Target]);
        assert!(Operator::named("guar").is_empty());
    }
}
