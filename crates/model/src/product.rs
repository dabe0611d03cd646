//! The product of a network with one of its test purposes (BJSK12 Def. 2).
//!
//! The purpose becomes a process that takes part in every step it has an edge for and stands aside
//! otherwise: it observes all actions, internal ones too, and forbids none, so the traces of the
//! product are those of the network. What it does on actions it does not name is made explicit: an
//! edge to where `otherwise` leads, and one back to its start for the restart action, which resets
//! its clocks.

use tioga_base::{Diagnostic, Id, Span};

use crate::{
    BinaryOp, ClockConstraint, ClockId, ClockUpdate, Condition, Conjunct, Control, Edge, Expr,
    ExprId, Formula, Kind, Label, Location, LocationId, Marks, Network, Objective, Observing,
    Predicate, ProcessId, Query, UnaryOp, Update,
};

/// The code of what is wrong with a purpose.
const CODE: &str = "wrong-purpose";

/// How a location of a purpose would constrain the specification, if it does.
fn constrains(purpose: &str, location: &Location) -> Option<Diagnostic> {
    let Location { name, marks, .. } = location;
    let (what, reason) = if !location.invariant.is_always() {
        ("has an invariant", "an invariant would end the time of the specification, too")
    } else if marks.committed {
        ("is committed", "no other process could move before the purpose does")
    } else if marks.urgent {
        (
            "is urgent",
            "the specification could not let time pass, so waiting would count as a fault",
        )
    } else {
        return None;
    };
    let message = format!("the location `{name}` of the purpose `{purpose}` {what}");
    let diagnostic = Diagnostic::error(CODE, location.span, message);
    Some(diagnostic.note(reason).help("a purpose may only observe; a guard on a clock of the purpose can tell when something came"))
}

impl Network {
    /// The product with the purpose at a position. Its own queries are replaced by the objective to
    /// accept, without refusing before. If the purpose declares a restart action, that leaves every place,
    /// and nothing is refused for good.
    ///
    /// # Errors
    /// If the purpose restricts what it observes: it has invariants, as those of BON09 do, or urgent or
    /// committed locations. The diagnostic points at the location.
    pub fn observed_by(mut self, position: usize) -> Result<Self, Box<Diagnostic>> {
        let purpose = self.purposes.swap_remove(position);
        let mut process = purpose.process;
        let marked = |test: fn(Marks) -> bool| -> Vec<LocationId> {
            let ids = process.locations.iter_ids().filter(|(_, location)| test(location.marks));
            ids.map(|(id, _)| id).collect()
        };
        let (accept, mut refuse) = (marked(|marks| marks.accept), marked(|marks| marks.refuse));
        let name = process.name.clone();
        if accept.is_empty() {
            let message = format!("the purpose `{name}` has no location marked `accept`");
            return Err(Diagnostic::error(CODE, process.span, message).into());
        }
        if let Some(wrong) = process.locations.iter().find_map(|one| constrains(&name, one)) {
            return Err(wrong.into());
        }
        let first_clock = self.clocks.len();
        let clocks: Vec<ClockId> =
            purpose.clocks.into_iter().map(|clock| self.clocks.push(clock)).collect();
        debug_assert!(clocks.first().is_none_or(|first| first.index() == first_clock));
        purpose.slots.into_iter().for_each(|slot| {
            self.slots.push(slot);
        });
        self.drop_purposes();
        let id = self.processes.next_id();
        let span = process.span;
        let locations: Vec<LocationId> = process.locations.ids().collect();
        let mut extra = |source: LocationId, target: LocationId, label: Label, reset: bool| {
            let zero = |clock: &ClockId| Update::Clock(ClockUpdate::reset(*clock));
            process.edges.push(Edge {
                source,
                target,
                label,
                reply: None,
                guard: Condition::always(),
                updates: if reset { clocks.iter().map(zero).collect() } else { Vec::new() },
                control: Control::Uncontrollable,
                frame: 0,
                choices: Vec::new(),
                span,
            })
        };
        let is_end = |location: &LocationId| accept.contains(location) || refuse.contains(location);
        let otherwise = locations
            .iter()
            .map(|location| match purpose.otherwise {
                Some(Some(target)) if !is_end(location) => {
                    Some(extra(*location, target, Label::Silent, false))
                }
                _ => None,
            })
            .collect();
        let initial = process.initial;
        let restart = purpose.restart.map(|label| {
            let edges = locations.iter().map(|at| extra(*at, initial, label.clone(), true));
            let edges = edges.collect();
            (label, edges)
        });
        if restart.is_some() {
            // A restart leaves every place, so that being refused is no end. Where no restart is possible, nothing else is.
            for location in std::mem::take(&mut refuse) {
                process.locations[location].marks.refuse = false;
            }
        }
        self.processes.push(process);
        self.observing = Some(Observing { process: id, otherwise, restart });
        let own = |locations: &[LocationId]| -> Vec<(ProcessId, LocationId)> {
            locations.iter().map(|location| (id, *location)).collect()
        };
        let goal = self.at_one_of(&own(&accept));
        let objective = match self.at_none_of(&own(&refuse)) {
            None => Objective::Reach(goal),
            Some(keep) => Objective::Until(keep, goal),
        };
        let comment = Some(format!("purpose {name}"));
        let formula = Formula::Cooperative(objective);
        self.queries = vec![Query { formula, comment, span, symmetric: false }];
        Ok(self)
    }

    /// The product with a purpose whose ends are final: the restart action does not leave them. Then a state shows
    /// whether the purpose was reached or refused on the way there.
    #[must_use]
    pub fn with_final_ends(mut self) -> Self {
        let Some(Observing { process, restart: Some((_, edges)), .. }) = &self.observing else {
            return self;
        };
        let body = &mut self.processes[*process];
        for (location, edge) in edges.iter_ids() {
            let marks = body.locations[location].marks;
            if marks.accept || marks.refuse {
                body.edges[*edge].target = location;
            }
        }
        self
    }

    /// Replaces the queries by the objective to reach a location marked `accept`, without entering
    /// one marked `refuse` before. Nothing changes if none is marked.
    #[must_use]
    pub fn aiming_at_marks(self, comment: impl Into<String>) -> Self {
        let accept = self.marked(|marks| marks.accept);
        let accept = accept.into_iter().map(|(process, at)| (process, at, Vec::new())).collect();
        self.aiming_at(accept, comment)
    }

    /// Replaces the queries by the objective to get to one of some locations within bounds on clocks,
    /// without entering a location marked `refuse` before. Nothing changes if there is none.
    #[must_use]
    pub fn aiming_at(
        mut self,
        goals: Vec<(ProcessId, LocationId, Vec<ClockConstraint>)>,
        comment: impl Into<String>,
    ) -> Self {
        if goals.is_empty() {
            return self;
        }
        let refuse = self.marked(|marks| marks.refuse);
        let disjuncts = goals.into_iter().map(|(process, location, clocks)| {
            let data = Some(self.at(process, location));
            Conjunct { data, clocks }
        });
        let goal = Predicate::Holds(Condition { disjuncts: disjuncts.collect() });
        let objective = match self.at_none_of(&refuse) {
            None => Objective::Reach(goal),
            Some(keep) => Objective::Until(keep, goal),
        };
        let (formula, comment) = (Formula::Cooperative(objective), Some(comment.into()));
        let span = Span::default();
        self.queries = vec![Query { formula, comment, span, symmetric: false }];
        self
    }

    /// All locations with some mark.
    fn marked(&self, test: fn(Marks) -> bool) -> Vec<(ProcessId, LocationId)> {
        let mut all = Vec::new();
        for (id, process) in self.processes.iter_ids() {
            let locations = process.locations.iter_ids();
            let found = locations.filter(|(_, location)| test(location.marks));
            all.extend(found.map(|(location, _)| (id, location)));
        }
        all
    }

    pub(crate) fn at(&mut self, process: ProcessId, location: LocationId) -> ExprId {
        self.code.push(Expr::At(process, location), Kind::Bool, Span::default())
    }

    fn at_one_of(&mut self, places: &[(ProcessId, LocationId)]) -> Predicate {
        let conjuncts = places.iter().map(|(process, location)| {
            let data = Some(self.at(*process, *location));
            Conjunct { data, clocks: Vec::new() }
        });
        Predicate::Holds(Condition { disjuncts: conjuncts.collect() })
    }

    fn at_none_of(&mut self, places: &[(ProcessId, LocationId)]) -> Option<Predicate> {
        let mut all: Option<ExprId> = None;
        for (process, location) in places {
            let at = self.at(*process, *location);
            let mut push = |expr| self.code.push(expr, Kind::Bool, Span::default());
            let not = push(Expr::Unary(UnaryOp::Not, at));
            all = Some(match all {
                None => not,
                Some(before) => push(Expr::Binary(BinaryOp::And, before, not)),
            });
        }
        let conjunct = Conjunct { data: Some(all?), clocks: Vec::new() };
        Some(Predicate::Holds(Condition { disjuncts: vec![conjunct] }))
    }
}
