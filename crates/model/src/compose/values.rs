//! The values of a communication: which channel an edge uses, what it sends, and which values an
//! open input may carry.

use smallvec::SmallVec;
use tioga_base::Id;

use super::Composer;
use crate::eval::check_range;
use crate::{
    Channel, ChannelId, ChannelUse, DiscreteState, Edge, EvalFault, EvalFaultKind, Range, Type,
    Value, Values,
};

impl Composer<'_> {
    /// Runs `each` for the values an open input is tried with: one for each class, if there are classes, and
    /// otherwise every combination, in lexicographic order. Keeps the first fault. Nothing if the combinations
    /// are too many or infinite.
    pub(super) fn each_value(
        &mut self,
        state: &DiscreteState,
        channel: ChannelId,
        mut each: impl FnMut(&mut Self, &[i64]) -> Result<(), EvalFault>,
    ) -> Option<Result<(), EvalFault>> {
        let model = self.model;
        let parameters = &model.channels[channel].parameters;
        let classes = model.classes().filter(|_| !parameters.is_empty());
        if let Some(values) = classes.and_then(|classes| classes.values(state, channel)) {
            let mut outcome = Ok(());
            for values in values {
                // A fault for one combination does not speak about the others.
                let one = each(self, values);
                outcome = outcome.and(one);
            }
            return Some(outcome);
        }
        for_each_value(parameters, self.unroll, |values| each(self, values))
    }

    /// The channel an edge uses in this state.
    pub(crate) fn channel(
        &mut self,
        state: &DiscreteState,
        channel_use: &ChannelUse,
        edge: &Edge,
        frame: &[i64],
    ) -> Result<ChannelId, EvalFault> {
        let Some((index, length)) = channel_use.index else { return Ok(channel_use.channel) };
        let index = self.evaluator(state, frame, edge.frame).int(index)?;
        let position = u32::try_from(index).ok().filter(|position| *position < length);
        let kind = EvalFaultKind::IndexOutOfBounds { index, first: 0, length };
        let channel = position.map(|position| ChannelId(channel_use.channel.0 + position));
        channel.ok_or(EvalFault::new(kind, edge.span))
    }

    /// The values sent, checked against the types of the channel's parameters.
    pub(crate) fn arguments(
        &mut self,
        state: &DiscreteState,
        channel_use: &ChannelUse,
        channel: ChannelId,
        edge: &Edge,
        frame: &[i64],
    ) -> Result<Values, EvalFault> {
        let model = self.model;
        let mut values = Values::new();
        for (&argument, ty) in channel_use.arguments.iter().zip(&model.channels[channel].parameters)
        {
            let mut evaluator = self.evaluator(state, frame, edge.frame);
            if *ty == Type::Rational {
                let value = evaluator.rational(argument)?;
                values.extend([value.numerator(), value.denominator()]);
                continue;
            }
            let value = match evaluator.value(argument)? {
                Value::Int(value) => Some(value),
                Value::Rational(value) => value.to_integer(),
            };
            let span = model.code.nodes[argument].span;
            let value = value.ok_or(EvalFault::new(EvalFaultKind::Overflow, span))?;
            check_range(value, range(ty), span)?;
            values.push(value);
        }
        Ok(values)
    }
}

impl ChannelUse {
    /// Whether the use may be of this channel, whatever the index.
    pub fn covers(&self, channel: ChannelId) -> bool {
        let length = self.index.map_or(1, |(_, length)| length);
        let first = self.channel.index();
        (first..first + length as usize).contains(&channel.index())
    }
}

fn range(ty: &Type) -> Option<Range> {
    ty.bounds().map(|(min, max)| Range { min, max })
}

/// Checks values supplied from outside against the parameters of a channel.
pub(super) fn check_values(channel: &Channel, values: &[i64]) -> Result<(), EvalFault> {
    let span = channel.span;
    let mut rest = values.iter();
    for ty in &channel.parameters {
        let bad = EvalFault::new(EvalFaultKind::BadAddress, span);
        let value = *rest.next().ok_or(bad)?;
        if *ty == Type::Rational {
            rest.next().ok_or(bad)?;
        } else {
            check_range(value, range(ty), span)?;
        }
    }
    if rest.next().is_some() {
        Err(EvalFault::new(EvalFaultKind::BadAddress, span))
    } else {
        Ok(())
    }
}

/// Runs `each` for every combination of values, in lexicographic order, and keeps the first fault.
/// Nothing if the combinations are too many or infinite.
fn for_each_value(
    parameters: &[Type],
    limit: u64,
    mut each: impl FnMut(&[i64]) -> Result<(), EvalFault>,
) -> Option<Result<(), EvalFault>> {
    let mut bounds = SmallVec::<[(i64, i64); 2]>::new();
    let mut combinations = 1u64;
    for ty in parameters {
        let (min, max) = ty.bounds()?;
        let size = max.abs_diff(min).checked_add(1).filter(|_| min <= max)?;
        combinations = combinations.checked_mul(size).filter(|count| *count <= limit)?;
        bounds.push((min, max));
    }
    let mut values: Values = bounds.iter().map(|(min, _)| *min).collect();
    let mut outcome = Ok(());
    for _ in 0..combinations {
        // A fault for one combination does not speak about the others.
        outcome = outcome.and(each(&values));
        for (value, (min, max)) in values.iter_mut().zip(&bounds).rev() {
            if *value < *max {
                *value += 1;
                break;
            }
            *value = *min;
        }
    }
    Some(outcome)
}
