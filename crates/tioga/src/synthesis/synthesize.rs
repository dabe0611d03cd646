//! Test cases for everything that is wanted.

use super::cover::Target;
use super::goal::{Goal, goals};
use super::make::Maker;
use super::wanted::{Aim, Synthesis, SynthesisOptions};
use crate::{Effort, Failure, Loaded};

/// Makes the test cases that are wanted.
///
/// Each test case was looked at by the independent checker, as far as that takes little time. A
/// purpose that cannot be reached is not a failure: it is in [`Synthesis::missed`].
pub fn synthesize(
    loaded: &Loaded,
    aim: &Aim,
    options: &SynthesisOptions,
    effort: &mut Effort<'_>,
) -> Result<Synthesis, Failure> {
    let goals = goals(&loaded.model, aim);
    let made = Synthesis::default();
    let mut maker = Maker { loaded, options, effort, made, names_own_moves: false };
    for (number, goal) in goals.iter().enumerate() {
        maker.effort.part(number, goals.len(), "test cases made");
        let before = maker.made.cases.len();
        if let Goal::Covered(target) = goal {
            for (network, text) in target.then.clone() {
                let further = Target { network, text, ..(**target).clone() };
                let missed = maker.made.missed.len();
                maker.make(&Goal::Covered(further.into()))?;
                maker.made.missed.truncate(missed);
                if maker.made.cases.len() > before {
                    break;
                }
            }
        }
        // Where nothing can follow, the edge alone has to do.
        if maker.made.cases.len() == before {
            maker.make(goal)?;
        }
    }
    Ok(maker.made)
}
