//! Test cases for purposes, or for everything there is to cover in a model.

mod cover;
mod make;
mod purpose;

pub use cover::{Cover, largest_constant};
pub use purpose::Purpose;

use tioga_base::Rational;
use tioga_model::Model;
use tioga_testcase::{Shape, TestCase};

use crate::{Effort, Failure, Loaded};
use cover::Target;
use make::Maker;

/// How many discrete states are explored for a test case by default.
pub const DEFAULT_MAX_STATES: usize = 1_000_000;

/// What to make test cases for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Every purpose of the model that accepts something, or else its control queries.
    Model,
    /// These purposes. What they ask ([`Purpose::queries`]) was added when the model was read.
    Purposes(Vec<Purpose>),
    /// Every edge or location of the processes of the system.
    Cover {
        /// What is covered.
        what: Cover,
        /// Whether a test goes on after its edge until its process gives one more output, or nothing
        /// for longer than every bound of the model.
        then: bool,
    },
}

/// How test cases are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SynthesisOptions {
    /// How much the test cases decide.
    pub shape: Shape,
    /// Avoid answers that could make the test inconclusive, even if that takes more cooperation.
    pub safety_first: bool,
    /// How long a tree waits for an optional output; by default one more than the largest constant of
    /// the model.
    pub window: Option<Rational>,
    /// How many discrete states may be explored for one test case.
    pub max_states: usize,
}

impl Default for SynthesisOptions {
    fn default() -> Self {
        let (shape, max_states) = (Shape::Strategy, DEFAULT_MAX_STATES);
        Self { shape, safety_first: false, window: None, max_states }
    }
}

/// What was made.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Synthesis {
    /// The test cases.
    pub cases: Vec<TestCase>,
    /// What there is no test case for.
    pub missed: Vec<Missed>,
}

/// What there is no test case for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    /// What was wanted.
    pub purpose: String,
    /// Why there is none.
    pub why: WhyMissed,
}

/// Why there is no test case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhyMissed {
    /// No run gets there, even if the system cooperates.
    Unreachable,
    /// No observation shows that it happened.
    Unobservable,
}

impl std::fmt::Display for WhyMissed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "unreachable even with cooperation",
            Self::Unobservable => "no observation shows it",
        })
    }
}

/// Something to make test cases for.
enum Goal<'m> {
    /// A purpose of the model.
    Named(&'m str),
    /// The query at this position among those that were added, perhaps within a time.
    Asked(usize, Option<Rational>),
    /// The control queries of the model.
    Queries,
    /// An edge or location.
    Covered(Box<Target>),
}

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
    let mut maker = Maker { loaded, options, effort, made: Synthesis::default() };
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

/// What there is to make test cases for.
fn goals<'m>(model: &'m Model, aim: &'m Aim) -> Vec<Goal<'m>> {
    match aim {
        Aim::Cover { what, then } => {
            let targets = cover::targets(model, *what, *then).into_iter();
            targets.map(|target| Goal::Covered(Box::new(target))).collect()
        }
        Aim::Model => {
            let accepting = model.purposes.iter().filter(|purpose| {
                purpose.process.locations.iter().any(|location| location.marks.accept)
            });
            let named: Vec<Goal<'_>> =
                accepting.map(|purpose| Goal::Named(&purpose.process.name)).collect();
            if named.is_empty() { vec![Goal::Queries] } else { named }
        }
        Aim::Purposes(purposes) => {
            let mut asked = 0..;
            let goal = |purpose: &'m Purpose| match purpose {
                Purpose::Named(name) => Goal::Named(name),
                Purpose::Reach { within, .. } => {
                    Goal::Asked(asked.next().expect("numbers do not end"), *within)
                }
            };
            purposes.iter().map(goal).collect()
        }
    }
}
