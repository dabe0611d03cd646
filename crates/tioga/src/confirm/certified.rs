//! Whether a test case confirms its configuration: the meaning of a pass for the suspicious configuration, by the
//! reference semantics.

use tioga_base::Rational;
use tioga_certify::Played;
use tioga_concrete::{Observable, Semantics, State, TraceEvent, observable};
use tioga_confirm::Machine;
use tioga_model::{Model, StepLabel};
use tioga_testcase::{Action, Goal, Side, TestCase};

use super::asked::read_configuration;
use crate::Failure;

/// Whether a test case claims to confirm a configuration.
pub fn is_confirm_case(written: &TestCase) -> bool {
    matches!(written.summary.goal, Goal::Confirm { .. })
}

/// The claim of a test case.
pub struct Claim {
    /// The configuration that the inputs lead to.
    at: State,
    /// The suspicious one.
    other: State,
    /// How many inputs lead there.
    inputs: usize,
    /// How much time passes after the last of them.
    rest: Rational,
}

/// The claim of a test case, or why it cannot be understood.
///
/// # Errors
/// If the model is no machine of this kind.
pub fn claim(model: &Model, written: &TestCase) -> Result<Result<Claim, String>, Failure> {
    let machine = Machine::of(model);
    let machine =
        machine.map_err(|error| tioga_base::Diagnostic::global("confirm", error.to_string()))?;
    let Goal::Confirm { at, against: other, way, .. } = &written.summary.goal else {
        return Ok(Err("its goal names no configurations".to_owned()));
    };
    let (mut inputs, mut rest) = (0, Rational::ZERO);
    for symbol in way.split_whitespace() {
        match symbol.parse::<Rational>() {
            Ok(delay) => rest = delay,
            Err(_) => (inputs, rest) = (inputs + 1, Rational::ZERO),
        }
    }
    let read =
        |text: &str| read_configuration(machine, text).map_err(|failure| failure.to_string());
    Ok(read(at).and_then(|at| Ok(Claim { at, other: read(other)?, inputs, rest })))
}

impl Claim {
    /// The flaw of a pass after these events, if any: the configuration must have been reached, and the suspicious
    /// one must answer differently.
    pub fn wrong(&self, model: &Model, events: &[Played], on_time: bool) -> Option<String> {
        // The exchanges, each with the time that passed before it.
        let mut exchanges: Vec<(Rational, &Action, Option<&Action>)> = Vec::new();
        let mut delay = Rational::ZERO;
        for event in events {
            match event {
                Played::Delay(more) => delay = delay.add(*more).ok()?,
                Played::Action(Side::Tester, input) => {
                    exchanges.push((std::mem::replace(&mut delay, Rational::ZERO), input, None));
                }
                Played::Action(Side::System, output) => exchanges.last_mut()?.2 = Some(output),
            }
        }
        let mut semantics = Semantics::new(model);
        if on_time {
            let start = semantics.initial().ok()?;
            let led = exchanges.get(..self.inputs).and_then(|way| {
                let end = follow(&mut semantics, start, way)?;
                semantics.delay(&end, self.rest).ok()?.ok()
            });
            if led.as_ref() != Some(&self.at) {
                return Some("the inputs do not lead to the configuration".to_owned());
            }
        }
        let mut sequence = exchanges.get(self.inputs..)?.to_vec();
        let first = sequence.first_mut()?;
        first.0 = first.0.sub(self.rest).ok()?;
        let alike = follow(&mut semantics, self.other.clone(), &sequence).is_some();
        alike.then(|| "the suspicious configuration answers in the same way".to_owned())
    }
}

/// Where exchanges lead, if they are possible.
pub(super) fn follow(
    semantics: &mut Semantics<'_>,
    start: State,
    exchanges: &[(Rational, &Action, Option<&Action>)],
) -> Option<State> {
    let model = semantics.model();
    let mut state = start;
    for (delay, input, output) in exchanges {
        state = semantics.delay(&state, *delay).ok()?.ok()?;
        let seen = |action: &Action, input: bool| -> Option<Observable> {
            let values: Option<Vec<Rational>> =
                action.values.iter().map(|value| value.parse().ok()).collect();
            let event = match input {
                true => TraceEvent::Input(action.channel.clone(), values?),
                false => TraceEvent::Output(action.channel.clone(), values?),
            };
            observable(model, &event).ok()?
        };
        let (input, output) = (seen(input, true)?, seen((*output)?, false)?);
        let allowed = semantics.options_for(&state, Some(&input)).ok()?;
        let step = allowed.now().find(|step| match (step.label, input.label, output.label) {
            (
                StepLabel::Exchange(own, answer),
                StepLabel::Input(sent),
                StepLabel::Output(given),
            ) => {
                own == sent
                    && answer == given
                    && step.arguments == input.arguments
                    && step.reply == output.arguments
            }
            _ => false,
        })?;
        state = semantics.step(&state, step).ok()?;
    }
    Some(state)
}
