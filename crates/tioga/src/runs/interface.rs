//! The interface of a model as a test case without test steps, for online testing.

use tioga_base::Rational;
use tioga_model::{Direction, Model};
use tioga_testcase::{Action, Goal, TestCase};

/// The replacement of test cases for online testing: the interface, and the default maximum wait
/// between two inputs.
pub fn online_case(model: &Model, actions: u64) -> (TestCase, Rational) {
    let longest_wait = model.largest_constant().max(Rational::ONE);
    let directed = |direction: Direction| {
        let channels =
            model.channels.iter().filter(move |channel| channel.direction == Some(direction));
        channels
            .map(|channel| Action { channel: channel.name.clone(), values: Vec::new() })
            .collect()
    };
    let (inputs, outputs) = (directed(Direction::Input), directed(Direction::Output));
    let mut case = TestCase::without_purpose("online", &model.name, inputs, outputs);
    case.summary.unit = model.time_unit;
    // The model itself judges, and not a view of it.
    case.summary.exact = true;
    case.summary.goal = Goal::Actions(actions);
    (case, longest_wait)
}
