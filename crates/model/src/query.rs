//! Questions about a model and objectives for a tester, with their conditions resolved.

use tioga_base::Span;

use crate::{ClockConstraint, ClockTerm, Condition, Conjunct, ExprId, TimeBound};

/// A question or objective.
#[derive(Clone, PartialEq, Debug)]
pub struct Query {
    /// What it asks.
    pub formula: Formula,
    /// What its author said about it.
    pub comment: Option<String>,
    /// Where it was written.
    pub span: Span,
    /// Whether it treats all values of scalar sets alike.
    pub symmetric: bool,
}

/// A set of states.
#[derive(Clone, PartialEq, Debug)]
pub enum Predicate {
    /// Those that satisfy a condition.
    Holds(Condition),
    /// Those from which no step is possible, now or after any delay.
    Deadlock,
    /// The others.
    NoDeadlock,
    /// Those that satisfy one condition where no step is possible, now or after any delay, and another
    /// condition elsewhere.
    Either {
        /// The condition where no step is possible.
        dead: Condition,
        /// The condition elsewhere.
        alive: Condition,
    },
}

impl Predicate {
    /// The conditions in it.
    pub fn conditions(&self) -> Vec<&Condition> {
        match self {
            Self::Holds(condition) => vec![condition],
            Self::Deadlock | Self::NoDeadlock => Vec::new(),
            Self::Either { dead, alive } => vec![dead, alive],
        }
    }
}

/// What is asked.
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// `E<> p`: some run reaches such a state.
    Reachable(Predicate),
    /// `A[] p`: no run reaches a state outside; the complement is what to look for.
    Always {
        /// The states outside.
        outside: Predicate,
    },
    /// `A<> p`: every run reaches such a state.
    Inevitable(Predicate),
    /// `E[] p`: some run stays in such states for ever.
    Possibly(Predicate),
    /// `p --> q`: from every such state, every run reaches the other.
    LeadsTo(Predicate, Predicate),
    /// `control: …`
    Control(Objective),
    /// `E<> control: …`
    Cooperative(Objective),
    /// `sup{p}: e, …`, `inf{p}: e, …`, `bounds{p}: e, …`: between which ends the values lie in reachable
    /// states.
    Extent {
        /// Which ends are asked for.
        ends: Ends,
        /// The states that count.
        inside: Predicate,
        /// What is measured.
        measured: Vec<Measured>,
    },
}

/// Which ends of a range of values are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ends {
    /// The upper end.
    Sup,
    /// The lower end.
    Inf,
    /// Both.
    Bounds,
}

impl Ends {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sup, Self::Inf, Self::Bounds];

    /// The word that asks for them.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sup => "sup",
            Self::Inf => "inf",
            Self::Bounds => "bounds",
        }
    }

    /// Whether the lower end is asked for.
    pub fn lower(self) -> bool {
        self != Self::Sup
    }

    /// Whether the upper end is asked for.
    pub fn upper(self) -> bool {
        self != Self::Inf
    }
}

/// What is measured in states.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Measured {
    /// `left − right + offset`. A missing clock counts as zero; at least one is there.
    Time {
        /// The clock counted positively.
        left: Option<ClockTerm>,
        /// The clock counted negatively.
        right: Option<ClockTerm>,
        /// What is added.
        offset: TimeBound,
    },
    /// The value of an integer expression.
    Data(ExprId),
}

impl Measured {
    /// For time, the condition `left − right ≤ offset`, whose clocks and number are those of what is
    /// measured.
    pub fn condition(self) -> Option<Condition> {
        let Self::Time { left, right, offset: bound } = self else { return None };
        let constraint = ClockConstraint { left, right, strict: false, bound };
        let conjunct = Conjunct { data: None, clocks: vec![constraint] };
        Some(Condition { disjuncts: vec![conjunct] })
    }
}

/// What a tester should enforce.
#[derive(Clone, PartialEq, Debug)]
pub enum Objective {
    /// `A<> p`
    Reach(Predicate),
    /// `A[ p U q ]`
    Until(Predicate, Predicate),
    /// `A[ p W q ]`
    WeakUntil(Predicate, Predicate),
    /// `A[] p`
    Stay(Predicate),
}

impl Formula {
    /// What is measured, if anything.
    pub fn measured(&self) -> &[Measured] {
        match self {
            Self::Extent { measured, .. } => measured,
            _ => &[],
        }
    }

    /// What it is called, and the sets of states it speaks of.
    pub fn parts(&self) -> (&'static str, Vec<&Predicate>) {
        match self {
            Self::Reachable(one) => ("reachable", vec![one]),
            Self::Always { outside } => ("always", vec![outside]),
            Self::Inevitable(one) => ("inevitable", vec![one]),
            Self::Possibly(one) => ("possibly", vec![one]),
            Self::LeadsTo(one, other) => ("leads to", vec![one, other]),
            Self::Control(Objective::Reach(one)) => ("control reach", vec![one]),
            Self::Control(Objective::Until(one, other)) => ("control until", vec![one, other]),
            Self::Control(Objective::WeakUntil(one, other)) => {
                ("control weak until", vec![one, other])
            }
            Self::Control(Objective::Stay(one)) => ("control stay", vec![one]),
            Self::Cooperative(Objective::Reach(one)) => ("cooperative reach", vec![one]),
            Self::Cooperative(Objective::Until(one, other)) => {
                ("cooperative until", vec![one, other])
            }
            Self::Cooperative(Objective::WeakUntil(one, other)) => {
                ("cooperative weak until", vec![one, other])
            }
            Self::Cooperative(Objective::Stay(one)) => ("cooperative stay", vec![one]),
            Self::Extent { ends, inside, .. } => (ends.word(), vec![inside]),
        }
    }
}
