//! What is visible of a run: actions with their values, and delays.

use tioga_base::Rational;
use tioga_model::{ChannelId, Step, StepLabel, Values};

/// A visible action with its values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Observable {
    /// An input, output or exchange.
    pub label: StepLabel,
    /// The values of the input or output.
    pub arguments: Values,
    /// The values of an exchange's output.
    pub reply: Values,
}

impl Observable {
    /// What is visible of a step; nothing if it is internal.
    pub fn of(step: &Step) -> Option<Self> {
        if matches!(step.label, StepLabel::Internal(_)) {
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
            StepLabel::Input(channel) | StepLabel::Exchange(channel, _) => Some(channel),
            _ => None,
        }
    }

    /// Whether a step shows exactly this.
    pub fn matches(&self, step: &Step) -> bool {
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
