//! A test case as a board: deterministic, without silent steps.
//!
//! Where a place has a verdict the test is over, and nothing that follows matters: for each judgement of
//! a place there is a state in which everything is possible.

use tioga_base::Id;
use tioga_model::{ClockAssignment, ClockBound, ClockConjunction, ClockId};
use tioga_testcase::{CaseBound, CasePlace, CaseSet, CaseZone, Judgement, Side, TestCase};
use tioga_zones::{LuBounds, MAX_CONSTANT};

use crate::{Board, BoardLabel, BoardState, BoardStep, Error};

/// A test case as a board. Its states are positions of places and, after them, of judgements: the test
/// is over then. The last one comes after an input that the test case does not send there.
#[derive(Clone, Debug)]
pub struct CaseBoard<'c> {
    case: &'c TestCase,
    /// The constants of each clock, the same in every place; nothing if clocks are compared with
    /// each other.
    bounds: Option<LuBounds>,
    largest: u32,
    /// Whether some clock is set to a sum of another and a constant.
    sums: bool,
    /// The judgements of all places, with the place of each.
    judgements: Vec<(u32, &'c Judgement)>,
}

impl<'c> CaseBoard<'c> {
    /// The board of a test case.
    ///
    /// # Errors
    /// If a constant is too large, or a clock or place is named that there is none of.
    pub fn new(case: &'c TestCase) -> Result<Self, Error> {
        check(case)?;
        let mut bounds = Some(LuBounds::none(case.clocks.len() + 1));
        let (mut largest, mut sums) = (0, false);
        for bound in case.places.iter().flat_map(all_bounds) {
            let constant = constant(bound.bound)?;
            largest = largest.max(constant);
            match (bound.left, bound.right) {
                (Some(_), Some(_)) => bounds = None,
                (Some(clock), None) | (None, Some(clock)) => {
                    if let Some(bounds) = &mut bounds {
                        bounds.raise_lower(clock as usize + 1, constant);
                        bounds.raise_upper(clock as usize + 1, constant);
                    }
                }
                (None, None) => {}
            }
        }
        for set in case.places.iter().flat_map(|place| &place.edges).flat_map(|edge| &edge.sets) {
            largest = largest.max(constant(set.value)?);
            // The copy meets its constants when the clock it was copied from is elsewhere.
            if set.source.is_some() {
                bounds = None;
                sums |= set.value != 0;
            }
        }
        let judgements = (0..).zip(&case.places).flat_map(|(position, place)| {
            place.verdicts.iter().map(move |judgement| (position, judgement))
        });
        Ok(Self { case, bounds, largest, sums, judgements: judgements.collect() })
    }

    /// The test case.
    pub fn case(&self) -> &'c TestCase {
        self.case
    }

    /// The place of this state; the last one if the test is over.
    ///
    /// Pre: the state does not come after an unplanned input.
    pub fn place(&self, state: u32) -> &'c CasePlace {
        let ended = self.ended(state);
        &self.case.places[ended.map_or(state, |(place, _)| place) as usize]
    }

    /// Whether the test goes on in this state.
    fn goes_on(&self, state: u32) -> bool {
        (state as usize) < self.case.places.len()
    }

    /// Why the test is over in this state, if it is.
    pub fn judgement(&self, state: u32) -> Option<&'c Judgement> {
        self.ended(state).map(|(_, judgement)| judgement)
    }

    fn ended(&self, state: u32) -> Option<(u32, &'c Judgement)> {
        let position = (state as usize).checked_sub(self.case.places.len())?;
        self.judgements.get(position).copied()
    }

    /// Where the test ends in a place, and the states after that.
    fn ends(&self, place: u32) -> Vec<(Vec<ClockConjunction>, u32)> {
        let first = self.case.places.len();
        let all = (first..).zip(&self.judgements).filter(|(_, (at, _))| *at == place);
        let end = |(state, (_, judgement)): (usize, &(u32, &Judgement))| {
            let state = u32::try_from(state).expect("fewer than 2^32 places and judgements");
            (conjunctions(&judgement.zones), state)
        };
        all.map(end).collect()
    }
}

impl Board for CaseBoard<'_> {
    type State = u32;

    fn scale(&self) -> i64 {
        self.case.scale
    }

    fn clocks(&self) -> Vec<String> {
        self.case.clocks.clone()
    }

    fn largest(&self) -> u32 {
        self.largest
    }

    fn widest_difference(&self) -> Option<u32> {
        (self.bounds.is_none() && !self.sums).then_some(self.largest)
    }

    fn initial(&self) -> u32 {
        0
    }

    fn board_state(&mut self, state: &u32) -> Result<BoardState<u32>, Error> {
        if !self.goes_on(*state) {
            return Ok(BoardState {
                invariant: vec![ClockConjunction::default()],
                urgent: Vec::new(),
                passes: true,
                steps: Vec::new(),
                bounds: Some(LuBounds::none(self.case.clocks.len() + 1)),
                ends: Vec::new(),
                awaits: false,
                over: true,
            });
        }
        let place = self.place(*state);
        let steps = place.edges.iter().map(|edge| BoardStep {
            label: match edge.by {
                Side::Tester => BoardLabel::Input(edge.action.clone()),
                Side::System => BoardLabel::Output(edge.action.clone()),
            },
            guard: conjunctions(&edge.guard),
            assignments: edge.sets.iter().map(assignment).collect(),
            target: edge.target,
        });
        Ok(BoardState {
            invariant: conjunctions(&place.invariant),
            urgent: standing(place),
            passes: true,
            steps: steps.collect(),
            bounds: self.bounds.clone(),
            ends: self.ends(*state),
            awaits: false,
            over: false,
        })
    }

    fn unplanned(&self) -> Option<u32> {
        u32::try_from(self.case.places.len() + self.judgements.len()).ok()
    }

    fn describe(&self, state: &u32) -> String {
        self.place(*state).name.clone()
    }
}

/// Where time stands still in a place: where an event must come at once and the system can make it.
/// If only the tester can move, it cannot be expected to send an input in time while inputs take
/// time to arrive, and the system is not at fault; so time passes there.
fn standing(place: &CasePlace) -> Vec<ClockConjunction> {
    let answers = place.edges.iter().filter(|edge| edge.by == Side::System);
    let answers = conjunctions(&answers.flat_map(|edge| &edge.guard).cloned().collect::<Vec<_>>());
    let urgent = conjunctions(&place.urgent);
    let both = |urgent: &ClockConjunction, answer: &ClockConjunction| -> ClockConjunction {
        urgent.iter().chain(answer).copied().collect()
    };
    urgent.iter().flat_map(|one| answers.iter().map(move |answer| both(one, answer))).collect()
}

/// Zones of a test case as clock conditions.
pub(crate) fn conjunctions(zones: &[CaseZone]) -> Vec<ClockConjunction> {
    let clock = |position: Option<u32>| position.map(clock);
    let bound = |bound: &CaseBound| ClockBound {
        left: clock(bound.left),
        right: clock(bound.right),
        strict: bound.strict,
        bound: bound.bound,
    };
    zones.iter().map(|zone| zone.iter().map(bound).collect()).collect()
}

fn assignment(set: &CaseSet) -> ClockAssignment {
    ClockAssignment { clock: clock(set.clock), source: set.source.map(clock), value: set.value }
}

fn clock(position: u32) -> ClockId {
    ClockId::from_index(position as usize)
}

/// The bounds of everything that is asked of the clocks in a place.
fn all_bounds(place: &CasePlace) -> impl Iterator<Item = &CaseBound> {
    let verdicts = place.verdicts.iter().flat_map(|judgement| &judgement.zones);
    let guards = place.edges.iter().flat_map(|edge| &edge.guard);
    let rules = place.rules.iter().flat_map(|rule| &rule.zones);
    place.invariant.iter().chain(&place.urgent).chain(verdicts).chain(guards).chain(rules).flatten()
}

fn constant(value: i64) -> Result<u32, Error> {
    let fits = u32::try_from(value.unsigned_abs()).ok();
    let fits = fits.filter(|constant| *constant <= MAX_CONSTANT.unsigned_abs());
    fits.ok_or_else(|| Error::Unsupported(format!("the clock constant {value} is too large")))
}

/// A test case may come from another tool.
fn check(case: &TestCase) -> Result<(), Error> {
    let no_clock = |position: u32| position as usize >= case.clocks.len();
    let bounds = case.places.iter().flat_map(all_bounds);
    let named = bounds.flat_map(|bound| [bound.left, bound.right]).flatten();
    let edges = || case.places.iter().flat_map(|place| &place.edges);
    let sets = edges().flat_map(|edge| &edge.sets);
    let mut named = named.chain(sets.flat_map(|set| [Some(set.clock), set.source]).flatten());
    let wrong = |what: String| Err(Error::Unsupported(what));
    if let Some(position) = named.find(|position| no_clock(*position)) {
        return wrong(format!("the test case has no clock at position {position}"));
    }
    if let Some(edge) = edges().find(|edge| edge.target as usize >= case.places.len()) {
        return wrong(format!("the test case has no place at position {}", edge.target));
    }
    if case.places.is_empty() || case.scale <= 0 {
        return wrong("the test case has no place to start from, or no scale".to_owned());
    }
    Ok(())
}
