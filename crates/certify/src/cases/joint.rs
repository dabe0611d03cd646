//! A test case and its model side by side, at one state of both.
//!
//! A *joint state* is a state of the model together with a place of the test case. The first clocks
//! of the test case are those of the model, so one valuation serves both. What must agree there is in
//! module `look`.

use std::rc::Rc;

use indexmap::IndexSet;
use tioga_model::{ClockGuard, Model};
use tioga_testcase::{Action, Rank, Scope, Side, TestCase, Verdict, ViewPass};

use super::hope::Hope;
use super::place::{ReadyPlace, places};
use crate::Error;
use crate::states::{CheckedState, CheckedStates, Grid, Valuation, written};
use crate::{Flaw, Refutation};

/// A test case next to its model.
pub(crate) struct Joint<'m, 't, 'c> {
    pub known_states: CheckedStates<'m, 't>,
    pub case: &'c TestCase,
    pub places: Vec<ReadyPlace<'c>>,
    /// From where the goal can be reached, if the model is small enough to know.
    pub hope: Option<Hope>,
    /// What counts as a pass.
    pub counted: &'c ViewPass,
    /// The ranks of its regions, if they are known.
    pub ranks: Option<Vec<Option<Rank>>>,
    /// What the ranks count first.
    pub scope: Scope,
    /// Whether time is looked at region by region.
    pub stepwise: bool,
    /// What the steps of each checked state show.
    pub shown: Vec<Rc<[Shown]>>,
    /// Whether places are called after classes of values.
    pub of_classes: bool,
    /// The checked states and places whose names were compared.
    pub labelled: IndexSet<(usize, usize)>,
    /// How many joint states were looked at.
    pub states: u64,
    /// At how many of these a rule was looked at.
    pub advised: u64,
}

/// A joint state.
#[derive(Clone)]
pub(crate) struct At<'t> {
    pub checked: Rc<CheckedState<'t>>,
    pub place: usize,
    pub clocks: Valuation,
}

/// What a step shows; nothing if the tester does not see it.
pub(crate) type Shown = Option<(Side, Action)>;

/// A step of both and where it leads.
pub(crate) struct Next<'t> {
    pub name: String,
    /// The position of the step among those of the checked state.
    pub step: usize,
    /// Whether it is the system's, or the tester's that the rule plays.
    pub intended: bool,
    pub at: At<'t>,
}

impl<'m, 't, 'c> Joint<'m, 't, 'c> {
    pub fn new(
        known_states: CheckedStates<'m, 't>,
        case: &'c TestCase,
        counted: &'c ViewPass,
    ) -> Self {
        Self {
            known_states,
            case,
            places: places(case),
            hope: None,
            counted,
            ranks: None,
            scope: Scope::Cooperative,
            stepwise: false,
            shown: Vec::new(),
            of_classes: false,
            labelled: IndexSet::new(),
            states: 0,
            advised: 0,
        }
    }

    /// What the test settles for in a joint state where its goal is out of reach.
    pub fn settles_for(&self, at: &At<'t>) -> Result<Option<Verdict>, Error> {
        let here = at.checked.discrete.locations.first();
        for one in self.counted.settled.iter().filter(|one| here == Some(&one.location)) {
            let guard = ClockGuard { disjuncts: [one.clocks.clone()].into_iter().collect() };
            if at.clocks.satisfies(&guard)? {
                return Ok(Some(one.verdict));
            }
        }
        Ok(None)
    }

    pub fn model(&self) -> &'m Model {
        self.known_states.model()
    }

    /// The regions that the test case tells apart.
    pub fn grid(&self) -> Grid {
        let mut grid = Grid::new(self.case.clocks.len());
        for place in &self.places {
            grid.note_all(&place.bounds, &[]);
            place.edges.iter().for_each(|edge| grid.note_all(&[], &edge.assignments));
        }
        grid
    }

    /// The initial state and the first place.
    pub fn start(&mut self) -> Result<At<'t>, Error> {
        let checked = self.known_states.initial()?;
        let clocks = Valuation::zero(self.case.clocks.len());
        if !clocks.satisfies(&checked.invariant)? {
            return Err(tioga_concrete::Error::NoInitialState.into());
        }
        Ok(At { checked, place: 0, clocks })
    }

    /// Whether it is known that the goal cannot be reached from a state.
    pub fn is_lost(&self, checked: &CheckedState<'_>, clocks: &Valuation) -> Result<bool, Error> {
        let hope = self.hope.as_ref().map(|hope| hope.is_hopeful(checked, clocks)).transpose()?;
        Ok(hope.flatten() == Some(false))
    }

    /// Whether the goal can be reached from a joint state, if that is known.
    pub fn is_hopeful(&self, at: &At<'t>) -> Result<Option<bool>, Error> {
        let hope = self.hope.as_ref().map(|hope| hope.is_hopeful(&at.checked, &at.clocks));
        Ok(hope.transpose()?.flatten())
    }

    pub fn named(&self, at: &At<'t>) -> Result<String, Error> {
        let own = Valuation(at.clocks.0[..self.model().clocks.len()].to_vec());
        let state = own.state(self.model(), &at.checked.discrete)?;
        Ok(state.display(self.model()).to_string())
    }

    pub fn refute(&self, at: &At<'t>, flaw: Flaw, story: &str) -> Error {
        let model = self.model();
        let count = model.clocks.len();
        let own = Valuation(at.clocks.0[..count].to_vec());
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
        for (name, value) in self.case.clocks.iter().zip(&at.clocks.0).skip(count) {
            match written(model, *value) {
                Ok(value) => message += &format!(", {name}={value}"),
                Err(overflow) => return overflow.into(),
            }
        }
        message += &format!(": {story}");
        Error::Refuted(Box::new(Refutation { state: Some(state), flaw, message }))
    }
}
