//! A model over one representative of each class of its data.

use tioga_base::{Budget, Diagnostic, Rational};
use tioga_data::{Alphabet, Classes, Follower, NoClasses, Solver, classes};
use tioga_model::{
    Condition, Direction, DiscreteState, Model, Objective, Predicate, Step, VALUE_LIMIT,
};
use tioga_symbolic::{Lasso, TimedStep};

use crate::failure::stopped;
use crate::{Effort, Failure, Reason};

/// How many classes may be examined. A test case with several targets multiplies those of the model.
pub(super) const CLASS_LIMIT: u64 = 2000;

/// A model whose messages carry many values, and the classes of its data.
#[derive(Clone, Debug)]
pub struct DataView {
    plain: Model,
    model: Model,
    classes: Classes,
}

impl DataView {
    /// The classes of a model's data, with respect to its steps and to conditions that are asked of its states.
    /// Nothing if no message carries many values. Nothing, too, if there are no classes and the values are few
    /// enough to be tried one by one.
    ///
    /// # Errors
    /// If there are no classes, or the work was stopped. The message has no remedy.
    pub fn of(
        model: &Model,
        asked: &[Condition],
        effort: &mut Effort<'_>,
    ) -> Result<Option<Self>, Failure> {
        if model.classes().is_some() || !Alphabet::new(model).is_needed() {
            return Ok(None);
        }
        let mut budget = Budget::steps(CLASS_LIMIT).with_cancel(effort.cancel.clone());
        match classes(model, asked, &mut Solver::new(), &mut budget) {
            Ok(classes) => Ok(Some(Self::with(model, classes))),
            Err(_) if effort.cancel.is_cancelled() => Err(stopped("the search", &effort.cancel)),
            Err(_) if is_enumerable(model) => Ok(None),
            Err(why @ NoClasses::Limit(_)) => Err(Failure::limit(no_classes(why))),
            Err(why) => Err(Failure::from(no_classes(why)).because(Reason::Data)),
        }
    }

    /// A model with classes that were found before.
    pub(crate) fn with(model: &Model, classes: Classes) -> Self {
        let over = model.clone().with_classes(classes.data.clone());
        Self { plain: model.clone(), model: over, classes }
    }

    /// The model over representatives: exploration visits one state of each class.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The original model.
    pub fn plain(&self) -> &Model {
        &self.plain
    }

    /// The classes.
    pub(crate) fn classes(&self) -> &Classes {
        &self.classes
    }

    /// How many classes of states are reachable.
    pub fn count(&self) -> usize {
        self.classes.blocks.len()
    }

    /// The representative of a state, if a state of its class was reached.
    pub fn representative(&self, state: &DiscreteState) -> Option<&DiscreteState> {
        self.classes.representative(state)
    }

    /// A run over representatives as a run of the model: the same edges after the same delays.
    ///
    /// # Errors
    /// If values that fit are not found.
    pub fn run(&self, steps: &[TimedStep]) -> Result<Vec<TimedStep>, String> {
        let mut follower = self.real_walk();
        steps.iter().map(|one| timed(&mut follower, one)).collect()
    }

    /// The same for a run that goes on with one of some steps.
    ///
    /// # Errors
    /// If values that fit are not found.
    pub fn run_and(
        &self,
        steps: &[TimedStep],
        further: &mut [&mut Step],
    ) -> Result<Vec<TimedStep>, String> {
        let mut follower = self.real_walk();
        let run: Result<Vec<TimedStep>, String> =
            steps.iter().map(|one| timed(&mut follower, one)).collect();
        let run = run?;
        for step in further {
            if let Some(found) = follower.corresponding(step)? {
                **step = found;
            }
        }
        Ok(run)
    }

    /// The same for a run whose end can be repeated.
    ///
    /// # Errors
    /// If values that fit are not found.
    pub fn lasso(&self, lasso: &Lasso) -> Result<Lasso, String> {
        let mut follower = self.real_walk();
        let mut follow = |steps: &[TimedStep]| {
            steps.iter().map(|one| timed(&mut follower, one)).collect::<Result<Vec<_>, String>>()
        };
        Ok(Lasso { stem: follow(&lasso.stem)?, turn: follow(&lasso.turn)? })
    }

    /// Follows steps over representatives from the start.
    pub(crate) fn real_walk(&self) -> Follower<'_, Solver> {
        Follower::new(&self.plain, &self.classes, Solver::new())
    }
}

fn timed(follower: &mut Follower<'_, Solver>, one: &TimedStep) -> Result<TimedStep, String> {
    let delay: Rational = one.delay;
    let step = one.step.as_ref().map(|step| follower.step(step)).transpose()?;
    Ok(TimedStep { delay, step })
}

/// The conditions in some predicates.
pub(crate) fn conditions<'p>(
    predicates: impl IntoIterator<Item = &'p Predicate>,
) -> Vec<Condition> {
    predicates.into_iter().flat_map(Predicate::conditions).cloned().collect()
}

/// Why data have no classes; the remedy depends on the caller.
pub(super) fn no_classes(why: NoClasses) -> Diagnostic {
    match why {
        NoClasses::Limit(limit) => {
            let message = format!("the data of the model fall into too many classes: {limit}");
            Diagnostic::global("data", message).note(
                "variables with smaller ranges, and fewer comparisons of them, make fewer classes",
            )
        }
        NoClasses::Beyond(why, span) => {
            let message = format!("the data of the model cannot be followed: {why}");
            match span {
                Some(span) => Diagnostic::error("data", span, message),
                None => Diagnostic::global("data", message),
            }
        }
    }
}

/// Whether a model has inputs with so many values that they cannot be tried one by one.
pub(crate) fn follows_classes(model: &Model) -> bool {
    Alphabet::new(model).is_needed() && !is_enumerable(model)
}

/// Whether all values of each input can be tried one by one.
pub(super) fn is_enumerable(model: &Model) -> bool {
    let inputs = model
        .channels
        .iter()
        .filter(|channel| channel.open && channel.direction == Some(Direction::Input));
    inputs.into_iter().all(|channel| {
        let sizes = channel.parameters.iter().map(|ty| {
            let (min, max) = ty.bounds()?;
            max.abs_diff(min).checked_add(1)
        });
        let all = sizes.into_iter().try_fold(1_u64, |product, size| product.checked_mul(size?));
        all.is_some_and(|all| all <= VALUE_LIMIT)
    })
}

/// The predicates of an objective.
pub(crate) fn parts(objective: &Objective) -> Vec<&Predicate> {
    match objective {
        Objective::Reach(one) | Objective::Stay(one) => vec![one],
        Objective::Until(one, other) | Objective::WeakUntil(one, other) => vec![one, other],
    }
}
