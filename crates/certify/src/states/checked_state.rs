//! What holds in a discrete state whatever its clocks say: its steps, its conditions, and what the
//! certificate says about it and about where its steps lead.

use std::rc::Rc;

use indexmap::IndexMap;
use tioga_base::Span;
use tioga_model::{
    ClockAssignment, ClockBound, ClockConjunction, ClockGuard, Composer, Control, DiscreteState,
    Model, Objective, Predicate, Step, Steps,
};
use tioga_testcase::Concept;

use super::claims::{Claims, Said};
use crate::Error;

/// A discrete state.
#[derive(Debug)]
pub(crate) struct CheckedState<'t> {
    /// Its position among the checked states.
    pub index: usize,
    pub discrete: DiscreteState,
    /// What the certificate says about it.
    pub said: Said<'t>,
    /// Whether being here ends the test with the verdict Fail.
    pub fail: bool,
    /// Whether locations keep time from passing.
    pub stops_time: bool,
    pub invariant: ClockGuard,
    /// Steps that keep time from passing where they are enabled.
    pub urgent: Vec<Step>,
    pub steps: Vec<CheckedStep<'t>>,
    pub wishes: Wishes,
    /// All bounds on the clocks here that anything depends on.
    pub bounds: Vec<ClockBound>,
}

impl CheckedState<'_> {
    /// Whether time stands still here in some valuation, or what is reached or forbidden may depend on clocks, or is
    /// here already.
    pub fn may_end_a_walk(&self) -> bool {
        self.stops_time || !self.urgent.is_empty() || self.may_be_over()
    }

    /// Whether what is reached or forbidden may depend on clocks, or is here already.
    pub fn may_be_over(&self) -> bool {
        let Wishes { keep, reach } = &self.wishes;
        let never = |wish: &Option<Wish>| match wish {
            None => true,
            Some(Wish::When(guard)) => guard.is_never(),
            Some(Wish::Deadlock | Wish::NoDeadlock) => false,
        };
        let always = |wish: &Option<Wish>| match wish {
            None => true,
            Some(Wish::When(guard)) => guard.is_always(),
            Some(Wish::Deadlock | Wish::NoDeadlock) => false,
        };
        self.fail || !(never(reach) && always(keep))
    }
}

/// A step of a checked state.
#[derive(Debug)]
pub(crate) struct CheckedStep<'t> {
    /// Its position in the enumeration of steps.
    pub index: u32,
    pub step: Step,
    pub target: DiscreteState,
    pub assignments: Vec<ClockAssignment>,
    /// The invariant of the target.
    pub invariant: ClockGuard,
    /// What the certificate says about the target.
    pub said: Said<'t>,
    /// Whether plays may go on with it: in a trap the system sticks to few steps.
    pub followed: bool,
    /// Whether the target ends the test with the verdict Fail.
    pub fail: bool,
    /// All bounds on the clocks after the step that anything depends on.
    pub bounds: Vec<ClockBound>,
}

impl CheckedStep<'_> {
    /// Whether it is the tester's.
    pub fn is_input(&self) -> bool {
        self.step.control == Control::Controllable
    }
}

/// What the objective says in a discrete state.
#[derive(Debug)]
pub(crate) struct Wishes {
    /// What should hold all the time.
    pub keep: Option<Wish>,
    /// What should hold in the end.
    pub reach: Option<Wish>,
}

impl Wishes {
    /// Whether they depend on what can happen later.
    pub fn speak_of_deadlock(&self) -> bool {
        let mut wishes = [&self.keep, &self.reach].into_iter().flatten();
        wishes.any(|wish| matches!(wish, Wish::Deadlock | Wish::NoDeadlock))
    }
}

/// Where a predicate holds in a discrete state.
#[derive(Debug)]
pub(crate) enum Wish {
    When(ClockGuard),
    Deadlock,
    NoDeadlock,
}

/// The checked states of a model and a certificate, made when they are first visited.
pub(crate) struct CheckedStates<'m, 't> {
    composer: Composer<'m>,
    claims: Claims<'t>,
    /// Where the objective was written.
    span: Span,
    known: IndexMap<DiscreteState, Rc<CheckedState<'t>>>,
}

impl<'m, 't> CheckedStates<'m, 't> {
    pub fn new(model: &'m Model, claims: Claims<'t>, span: Span) -> Self {
        Self { composer: Composer::new(model), claims, span, known: IndexMap::new() }
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn model(&self) -> &'m Model {
        self.composer.model()
    }

    pub fn claims(&self) -> Claims<'t> {
        self.claims
    }

    /// The checked state where the model starts.
    pub fn initial(&mut self) -> Result<Rc<CheckedState<'t>>, Error> {
        let discrete = self.composer.initial();
        self.checked(&discrete)
    }

    /// The checked state at a position.
    pub fn at(&self, index: usize) -> Rc<CheckedState<'t>> {
        Rc::clone(&self.known[index])
    }

    /// The checked state of a discrete state.
    pub fn checked(&mut self, discrete: &DiscreteState) -> Result<Rc<CheckedState<'t>>, Error> {
        if let Some(checked) = self.known.get(discrete) {
            return Ok(Rc::clone(checked));
        }
        let checked = Rc::new(self.make(discrete)?);
        self.known.insert(discrete.clone(), Rc::clone(&checked));
        Ok(checked)
    }

    fn make(&mut self, discrete: &DiscreteState) -> Result<CheckedState<'t>, Error> {
        let mut steps = Steps::new();
        self.composer.steps(discrete, &mut steps);
        if let Some(awaiting) = steps.awaiting.first() {
            let name = &self.model().channels[awaiting.channel].name;
            return Err(Error::Unsupported(format!(
                "the values of the input `{name}` are too many to be enumerated"
            )));
        }
        let invariant = self.composer.invariant(discrete)?;
        let wishes = self.wishes(discrete)?;
        let urgent: Vec<Step> = steps.list.iter().filter(|step| step.urgent).cloned().collect();
        let said = self.claims.about(discrete);
        let mut bounds = Bounds::default();
        bounds.guard(&invariant);
        bounds.said(said);
        for wish in [&wishes.keep, &wishes.reach].into_iter().flatten() {
            if let Wish::When(guard) = wish {
                bounds.guard(guard);
            }
        }
        for step in &steps.list {
            bounds.guard(&step.guard);
            step.blocked.iter().for_each(|blocked| bounds.guard(&blocked.guard));
        }
        let steps = (0..).zip(steps.list);
        let steps = steps.filter_map(|(index, step)| self.site_step(discrete, index, step));
        Ok(CheckedState {
            steps: steps.collect(),
            index: self.known.len(),
            discrete: discrete.clone(),
            said,
            fail: self.is_fail(discrete),
            stops_time: self.composer.stops_time(discrete),
            invariant,
            urgent,
            wishes,
            bounds: bounds.all,
        })
    }

    /// A step, unless its update cannot be carried out: then it does not exist.
    fn site_step(
        &mut self,
        discrete: &DiscreteState,
        index: u32,
        step: Step,
    ) -> Option<CheckedStep<'t>> {
        let applied = self.composer.apply(discrete, &step).ok()?;
        let invariant = self.composer.invariant(&applied.target).ok()?;
        let said = self.claims.about(&applied.target);
        let followed = step.control == Control::Controllable || self.claims.allows(discrete, index);
        let mut bounds = Bounds::default();
        bounds.guard(&invariant);
        bounds.said(said);
        for assignment in applied.assignments.iter().filter(|one| one.source.is_some()) {
            let right = Some(assignment.clock);
            bounds.add(&ClockBound { left: None, right, strict: false, bound: 0 });
        }
        Some(CheckedStep {
            index,
            step,
            fail: self.is_fail(&applied.target),
            target: applied.target,
            assignments: applied.assignments.into_vec(),
            invariant,
            said,
            followed,
            bounds: bounds.all,
        })
    }

    fn wishes(&mut self, discrete: &DiscreteState) -> Result<Wishes, Error> {
        let (keep, reach) = match &self.claims.terms().objective {
            Objective::Reach(reach) => (None, Some(reach)),
            Objective::Until(keep, reach) | Objective::WeakUntil(keep, reach) => {
                (Some(keep), Some(reach))
            }
            Objective::Stay(keep) => (Some(keep), None),
        };
        let mut wish = |predicate: &Predicate| -> Result<Wish, Error> {
            Ok(match predicate {
                Predicate::Holds(condition) => {
                    Wish::When(self.composer.condition(discrete, condition, self.span)?)
                }
                Predicate::Deadlock => Wish::Deadlock,
                Predicate::NoDeadlock => Wish::NoDeadlock,
                Predicate::Either { .. } => {
                    let reason = "`deadlock` inside a larger condition is not checked";
                    return Err(Error::Unsupported(reason.to_owned()));
                }
            })
        };
        let keep = keep.map(&mut wish).transpose()?;
        let reach = reach.map(&mut wish).transpose()?;
        Ok(Wishes { keep, reach })
    }

    /// Only games about tests end at a location marked `fail`.
    fn is_fail(&self, discrete: &DiscreteState) -> bool {
        let mut locations = self.model().processes.iter().zip(&discrete.locations);
        self.claims.terms().concept == Concept::Fair
            && locations.any(|(process, at)| process.locations[*at].marks.fail)
    }
}

/// Bounds without repetitions.
#[derive(Default)]
struct Bounds {
    all: Vec<ClockBound>,
}

impl Bounds {
    fn add(&mut self, bound: &ClockBound) {
        // Strictness decides on which side of a moment something changes, not when.
        let same = |other: &ClockBound| {
            (other.left, other.right, other.bound) == (bound.left, bound.right, bound.bound)
        };
        if !self.all.iter().any(same) {
            self.all.push(*bound);
        }
    }

    fn zones<'z>(&mut self, zones: impl IntoIterator<Item = &'z ClockConjunction>) {
        zones.into_iter().flatten().for_each(|bound| self.add(bound));
    }

    fn guard(&mut self, guard: &ClockGuard) {
        self.zones(&guard.disjuncts);
    }

    fn said(&mut self, said: Said<'_>) {
        self.zones(said.zones());
        self.zones(said.advised());
    }
}
