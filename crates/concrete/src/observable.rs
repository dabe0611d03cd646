//! What is visible of a run: actions with their values, and delays.

use tioga_base::Rational;
use tioga_model::{ChannelId, Move, MoveLabel, Values};

/// A visible action with its values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Observable {
    /// An input, output or exchange.
    pub label: MoveLabel,
    /// The values of the input or output.
    pub arguments: Values,
    /// The values of an exchange's output.
    pub reply: Values,
}

impl Observable {
    /// What is visible of a move; nothing if it is internal.
    pub fn of(step: &Move) -> Option<Self> {
        if matches!(step.label, MoveLabel::Internal(_)) {
            return None;
        }
        Some(Self {
            label: step.label,
            arguments: step.arguments.clone(),
            reply: step.reply.clone(),
        })
    }

    /// The input channel, if an input is part of it.
    pub fn input(&self) -> Option<ChannelId> {
        match self.label {
            MoveLabel::Input(channel) | MoveLabel::Exchange(channel, _) => Some(channel),
            _ => None,
        }
    }

    /// Whether a move shows exactly this.
    pub fn matches(&self, step: &Move) -> bool {
        self.label == step.label && self.arguments == step.arguments && self.reply == step.reply
    }
}

/// One element of an observed trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observed {
    /// Time passes.
    Delay(Rational),
    /// A visible action.
    Action(Observable),
}
