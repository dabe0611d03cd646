//! A test case next to every run of a model of which the tester does not see everything, region by region.
//!
//! A joint state is a state of the model and a place of the test case; the clocks of the test case come
//! after those of the model. Internal steps move the model alone. Each run of the model is looked at by
//! itself, so nothing here depends on which runs explain the same observations: if no run is failed, no
//! system that conforms is; and if no run that leads to an inconclusive verdict can reach the goal, that verdict is
//! right (in an exact test case that leaves the choice open; others may give up earlier). What needs all runs at once (that nothing else is expected, that one of those that explain a pass
//! has reached the goal) is in module `observed`.

use std::collections::VecDeque;
use std::rc::Rc;

use indexmap::IndexMap;
use tioga_base::Rational;
use tioga_concrete::{TraceEvent, label_of};
use tioga_model::Control;
use tioga_testcase::{Action, Judgement, Shape, Side, TestCase, Verdict};

use super::hope::Hope;
use super::place::{ReadyPlace, places_after};
use crate::states::{
    CheckedState, CheckedStates, Grid, Ray, Valuation, landing, simplest, step_name, written,
};
use crate::{CheckOptions, Error, Flaw, Refutation};

/// What was looked at.
pub(super) enum Walked {
    /// Every region of every run, so many.
    All(u64),
    /// There are too many regions.
    TooMany,
}

/// Compares a test case with every run of the model.
///
/// # Errors
/// [`Error::Refuted`] says what is wrong and how to get there.
pub(super) fn check(
    known_states: &mut CheckedStates<'_, '_>,
    case: &TestCase,
    hope: Option<&Hope>,
    options: &CheckOptions,
) -> Result<Walked, Error> {
    let own = known_states.model().clocks.len();
    let places = places_after(own, case);
    let mut grid = Grid::new(own + case.clocks.len());
    for place in &places {
        grid.note_all(&place.bounds, &[]);
        place.edges.iter().for_each(|edge| grid.note_all(&[], &edge.assignments));
    }
    loop {
        let (seen, queue) = (IndexMap::new(), VecDeque::new());
        let mut walk = Walk {
            known_states: &mut *known_states,
            case,
            places: &places,
            hope,
            grid,
            seen,
            queue,
        };
        match walk.run(options)? {
            Round::Done if walk.grid.is_exact() => return Ok(Walked::All(walk.seen.len() as u64)),
            Round::Done | Round::Full => return Ok(Walked::TooMany),
            Round::Finer => grid = walk.grid,
        }
    }
}

enum Round {
    Done,
    Full,
    /// A larger constant was found, so regions must be finer.
    Finer,
}

/// A state of the model and a place of the test case.
struct At<'t> {
    checked: Rc<CheckedState<'t>>,
    place: usize,
    clocks: Valuation,
}

/// How a joint state was found: from the one at a position, by a step or by waiting.
type Origin = Option<(usize, Option<String>)>;

struct Walk<'w, 'm, 't, 'c> {
    known_states: &'w mut CheckedStates<'m, 't>,
    case: &'c TestCase,
    places: &'w [ReadyPlace<'c>],
    hope: Option<&'w Hope>,
    grid: Grid,
    seen: IndexMap<(usize, usize, Vec<i64>), Origin>,
    queue: VecDeque<(usize, At<'t>)>,
}

impl<'t> Walk<'_, '_, 't, '_> {
    fn run(&mut self, options: &CheckOptions) -> Result<Round, Error> {
        let checked = self.known_states.initial()?;
        let clocks = Valuation::zero(self.grid.clocks());
        if !clocks.satisfies(&checked.invariant)? {
            return Err(tioga_concrete::Error::NoInitialState.into());
        }
        if self.grid.note(&checked) {
            return Ok(Round::Finer);
        }
        self.add(At { checked, place: 0, clocks }, None)?;
        while let Some((position, at)) = self.queue.pop_front() {
            if options.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if !self.look(position, &at)? {
                return Ok(Round::Finer);
            }
            if self.seen.len() > options.max_regions {
                return Ok(Round::Full);
            }
        }
        Ok(Round::Done)
    }

    fn add(&mut self, mut at: At<'t>, origin: Origin) -> Result<(), Error> {
        at.clocks = simplest(&at.clocks)?;
        let key = (at.checked.index, at.place, self.grid.key(&at.clocks)?);
        if !self.seen.contains_key(&key) {
            let (position, _) = self.seen.insert_full(key, origin);
            self.queue.push_back((position, at));
        }
        Ok(())
    }

    /// Checks a joint state and adds what follows; false if regions must be finer first.
    fn look(&mut self, position: usize, at: &At<'t>) -> Result<bool, Error> {
        let place = &self.places[at.place];
        let objective = &self.known_states.claims().terms().objective;
        // Where time changes nothing any more, any delay stands for all.
        let delay = self.grid.next(&at.clocks)?.unwrap_or(Rational::ONE);
        let ray = Ray::up_to(delay, &at.checked, &at.clocks, objective)?;
        if !at.clocks.satisfies(&place.invariant)? {
            let story = "the specification gets here, but the invariant of the place does not hold";
            return Err(self.refute(position, at, Flaw::Unsound, story));
        }
        // Where the model cannot stay, a verdict is about where it gets at once.
        if let Some(claimed) = place.verdict(&at.clocks)?
            && !self.is_passing(at)?
        {
            return self.verdict(position, at, &ray, claimed).map(|()| true);
        }
        let mut steps = Vec::new();
        for step in &at.checked.steps {
            let Some(after) = landing(step, &at.clocks)? else { continue };
            let name = step_name(self.known_states.model(), &step.step);
            let shown = label_of(self.known_states.model(), &step.step);
            let side = match step.step.control {
                Control::Controllable => Side::Tester,
                Control::Uncontrollable => Side::System,
            };
            steps.push((step.target.clone(), after, name, shown, side));
        }
        for (target, after, name, shown, side) in steps {
            let (place, clocks) = match shown {
                TraceEvent::Exchange(..) | TraceEvent::Internal(_) => (at.place, after),
                TraceEvent::Input(channel, values) | TraceEvent::Output(channel, values) => {
                    let values = values.iter().map(ToString::to_string).collect();
                    let action = Action { channel, values };
                    match self.answered(position, at, side, &action, &after)? {
                        Some(there) => there,
                        None => continue,
                    }
                }
            };
            let checked = self.known_states.checked(&target)?;
            if self.grid.note(&checked) {
                return Ok(false);
            }
            self.add(At { checked, place, clocks }, Some((position, Some(name))))?;
        }
        self.time(position, at, &ray)?;
        Ok(true)
    }

    /// Whether the model leaves a state at once, by internal steps only.
    fn is_passing(&self, at: &At<'t>) -> Result<bool, Error> {
        let mut leaves = false;
        for step in &at.checked.steps {
            if landing(step, &at.clocks)?.is_some() {
                let shown = label_of(self.known_states.model(), &step.step);
                if !matches!(shown, TraceEvent::Exchange(..) | TraceEvent::Internal(_)) {
                    return Ok(false);
                }
                leaves = true;
            }
        }
        Ok(at.checked.stops_time && leaves)
    }

    /// Where the test case goes with an action; nothing if the tester does not send it.
    fn answered(
        &self,
        position: usize,
        at: &At<'t>,
        side: Side,
        action: &Action,
        after: &Valuation,
    ) -> Result<Option<(usize, Valuation)>, Error> {
        let place = &self.places[at.place];
        for edge in place.enabled(&at.clocks)?.into_iter().map(|edge| &place.edges[edge]) {
            if edge.by != side || edge.action != action {
                continue;
            }
            let Some(clocks) = after.assigned(&edge.assignments)? else {
                let story = format!("`{action}` makes a clock of the test case negative");
                return Err(self.refute(position, at, Flaw::Clocks, &story));
            };
            return Ok(Some((edge.target, clocks)));
        }
        if side == Side::Tester {
            return Ok(None);
        }
        let story = format!(
            "the specification allows `{action}!`, but the test case does not expect it: it would \
             fail a system that conforms"
        );
        Err(self.refute(position, at, Flaw::Unsound, &story))
    }

    /// Checks that the test case lets time pass where the model does, and adds where it leads.
    fn time(&mut self, position: usize, at: &At<'t>, ray: &Ray) -> Result<(), Error> {
        let next = self.grid.next(&at.clocks)?;
        // Where time changes nothing any more, any delay stands for all.
        let delay = next.unwrap_or(Rational::ONE);
        for delay in [delay.div(Rational::integer(2))?, delay] {
            if ray.allows(delay) && !self.places[at.place].lets_pass(&at.clocks, delay)? {
                let story = "the specification lets time pass, but the test case does not: it would \
                             fail a system that conforms";
                return Err(self.refute(position, at, Flaw::Unsound, story));
            }
        }
        if let Some(delay) = next.filter(|delay| ray.allows(*delay)) {
            let (checked, clocks) = (Rc::clone(&at.checked), at.clocks.later(delay)?);
            self.add(At { checked, place: at.place, clocks }, Some((position, None)))?;
        }
        Ok(())
    }

    /// Whether an inconclusive verdict of a place says that the purpose is out of reach: a tree gives up earlier, an
    /// approximate view has fewer inputs than the model, and a test that aims at a surer pass gives up where that is out
    /// of reach.
    fn decides(&self, place: usize) -> bool {
        let gives_up = |one: &Judgement| one.settled && one.verdict == Verdict::Inconclusive;
        self.case.shape == Shape::Automaton
            && self.case.summary.exact
            && !self.case.places[place].verdicts.iter().any(gives_up)
    }

    /// Checks a verdict as far as one run decides it.
    fn verdict(
        &self,
        position: usize,
        at: &At<'t>,
        ray: &Ray,
        claimed: Verdict,
    ) -> Result<(), Error> {
        let wrong = |right, story: &str| {
            let flaw = Flaw::Verdict { claimed: Some(claimed), right };
            Err(self.refute(position, at, flaw, story))
        };
        let goal = ray.now().goal;
        match claimed {
            Verdict::Fail if !at.checked.fail => {
                let story = "the specification gets here, but the test case fails";
                Err(self.refute(position, at, Flaw::Unsound, story))
            }
            Verdict::Inconclusive if goal => wrong(
                Some(Verdict::Uncertain),
                "the test ends inconclusively, but the purpose is reached",
            ),
            Verdict::Inconclusive if self.decides(at.place) && !ray.now().forbidden => {
                let hope = self.hope.map(|hope| hope.is_hopeful(&at.checked, &at.clocks));
                if hope.transpose()?.flatten() == Some(true) {
                    return wrong(
                        None,
                        "the test ends inconclusively, but the purpose is in reach",
                    );
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A refutation with the steps and delays that lead to it.
    fn refute(&self, position: usize, at: &At<'t>, flaw: Flaw, story: &str) -> Error {
        let mut names = Vec::new();
        let mut before = &self.seen[position];
        while let Some((position, name)) = before {
            names.extend(name.as_deref());
            before = &self.seen[*position];
        }
        names.reverse();
        let model = self.known_states.model();
        let own = Valuation(at.clocks.0[..model.clocks.len()].to_vec());
        let state = match own.state(model, &at.checked.discrete) {
            Ok(state) => state,
            Err(overflow) => return overflow.into(),
        };
        let mut message = format!(
            "in state {} at place {} `{}`",
            state.display(model),
            at.place,
            self.places[at.place].name
        );
        for (name, value) in self.case.clocks.iter().zip(&at.clocks.0[model.clocks.len()..]) {
            match written(model, *value) {
                Ok(value) => message += &format!(", {name}={value}"),
                Err(overflow) => return overflow.into(),
            }
        }
        message += &format!(": {story}");
        if !names.is_empty() {
            message += &format!(" (reached by {})", names.join(", "));
        }
        Error::Refuted(Box::new(Refutation { state: Some(state), flaw, message }))
    }
}
