//! What holds in a discrete state whatever its clocks say: its moves, its conditions, and what the
//! certificate says about it and about where its moves lead.

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
pub(crate) struct Site<'t> {
    /// Its position among the sites.
    pub index: usize,
    pub discrete: DiscreteState,
    /// What the certificate says about it.
    pub said: Said<'t>,
    /// Whether being here ends the test with the verdict Fail.
    pub fail: bool,
    /// Whether locations keep time from passing.
    pub stops_time: bool,
    pub invariant: ClockGuard,
    /// Moves that keep time from passing where they are enabled.
    pub urgent: Vec<Step>,
    pub moves: Vec<SiteMove<'t>>,
    pub wishes: Wishes,
    /// All bounds on the clocks here that anything depends on.
    pub bounds: Vec<ClockBound>,
}

/// A move of a site.
#[derive(Debug)]
pub(crate) struct SiteMove<'t> {
    /// Its position in the enumeration of moves.
    pub index: u32,
    pub step: Step,
    pub target: DiscreteState,
    pub assignments: Vec<ClockAssignment>,
    /// The invariant of the target.
    pub invariant: ClockGuard,
    /// What the certificate says about the target.
    pub said: Said<'t>,
    /// Whether plays may go on with it: in a trap the system sticks to few moves.
    pub followed: bool,
    /// Whether the target ends the test with the verdict Fail.
    pub fail: bool,
    /// All bounds on the clocks after the move that anything depends on.
    pub bounds: Vec<ClockBound>,
}

impl SiteMove<'_> {
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

/// Where a predicate holds in a discrete state.
#[derive(Debug)]
pub(crate) enum Wish {
    When(ClockGuard),
    Deadlock,
    NoDeadlock,
}

/// The sites of a model and a certificate, made when they are first visited.
pub(crate) struct Sites<'m, 't> {
    composer: Composer<'m>,
    claims: Claims<'t>,
    /// Where the objective was written.
    span: Span,
    known: IndexMap<DiscreteState, Rc<Site<'t>>>,
}

impl<'m, 't> Sites<'m, 't> {
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

    /// The site where the model starts.
    pub fn initial(&mut self) -> Result<Rc<Site<'t>>, Error> {
        let discrete = self.composer.initial();
        self.site(&discrete)
    }

    /// The site at a position.
    pub fn at(&self, index: usize) -> Rc<Site<'t>> {
        Rc::clone(&self.known[index])
    }

    /// The site of a discrete state.
    pub fn site(&mut self, discrete: &DiscreteState) -> Result<Rc<Site<'t>>, Error> {
        if let Some(site) = self.known.get(discrete) {
            return Ok(Rc::clone(site));
        }
        let site = Rc::new(self.make(discrete)?);
        self.known.insert(discrete.clone(), Rc::clone(&site));
        Ok(site)
    }

    fn make(&mut self, discrete: &DiscreteState) -> Result<Site<'t>, Error> {
        let mut moves = Steps::new();
        self.composer.moves(discrete, &mut moves);
        if let Some(awaiting) = moves.awaiting.first() {
            let name = &self.model().channels[awaiting.channel].name;
            return Err(Error::Unsupported(format!(
                "the values of the input `{name}` are too many to be enumerated"
            )));
        }
        let invariant = self.composer.invariant(discrete)?;
        let wishes = self.wishes(discrete)?;
        let urgent: Vec<Step> = moves.list.iter().filter(|step| step.urgent).cloned().collect();
        let said = self.claims.about(discrete);
        let mut bounds = Bounds::default();
        bounds.guard(&invariant);
        bounds.said(said);
        for wish in [&wishes.keep, &wishes.reach].into_iter().flatten() {
            if let Wish::When(guard) = wish {
                bounds.guard(guard);
            }
        }
        for step in &moves.list {
            bounds.guard(&step.guard);
            step.blocked.iter().for_each(|blocked| bounds.guard(&blocked.guard));
        }
        let steps = (0..).zip(moves.list);
        let moves = steps.filter_map(|(index, step)| self.site_move(discrete, index, step));
        Ok(Site {
            moves: moves.collect(),
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

    /// A move, unless its update cannot be carried out: then it does not exist.
    fn site_move(
        &mut self,
        discrete: &DiscreteState,
        index: u32,
        step: Step,
    ) -> Option<SiteMove<'t>> {
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
        Some(SiteMove {
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
