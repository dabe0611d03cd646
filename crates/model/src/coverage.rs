//! Coverage as purposes: a network whose objective is that one edge is taken, or one location entered.
//!
//! An edge that is to be taken leads to a location of its own, where the purpose is reached and nothing
//! else happens. It has the invariant of the old target, so the edge can be taken exactly when it could
//! before, and everything up to then is as it was.
//!
//! A test that ends with its edge does not see where the edge leads. To see that, too, the process goes
//! on in a copy of itself after the edge, until it gives one more output there, or until some time has
//! passed.

use tioga_base::Span;

use crate::{
    Clock, ClockConstraint, ClockTerm, ClockUpdate, Condition, Conjunct, Direction, Edge, EdgeId,
    Formula, Label, Location, LocationId, Marks, Network, Objective, Predicate, Process, ProcessId,
    Query, ScalarSets, TimeBound, Update,
};

impl Network {
    /// The network with the objective that an edge of a process is taken; `comment` says so in words.
    #[must_use]
    pub fn covering_edge(
        mut self,
        process: ProcessId,
        edge: EdgeId,
        comment: impl Into<String>,
    ) -> Self {
        self.clear_goals();
        let body = &mut self.processes[process];
        let mut name = "Taken".to_owned();
        while body.locations.iter().any(|location| location.name == name) {
            name.push('_');
        }
        let target = body.edges[edge].target;
        let marks = Marks { accept: true, ..Marks::default() };
        let origin = body.origin(target);
        let taken = crate::Location { name, marks, origin, ..body.locations[target].clone() };
        body.edges[edge].target = body.locations.push(taken);
        self.aiming_at_marks(comment)
    }

    /// The network with the objective that an edge of a process is taken and the process gives one
    /// more output later; `comment` says so in words.
    #[must_use]
    pub fn covering_edge_and_output(
        mut self,
        process: ProcessId,
        edge: EdgeId,
        comment: impl Into<String>,
    ) -> Self {
        self.clear_goals();
        let body = &self.processes[process];
        let outputs: Vec<bool> = body.edges.iter().map(|edge| self.gives_output(edge)).collect();
        let body = &mut self.processes[process];
        let later = copies(body, "later", false);
        let answered = copies(body, "answered", true);
        let edges: Vec<Edge> = body.edges.iter().cloned().collect();
        for (mut copy, output) in edges.into_iter().zip(outputs) {
            let (source, target) = (copy.source, copy.target);
            copy.source = moved(&later, source);
            copy.target = moved(if output { &answered } else { &later }, target);
            body.edges.push(copy);
        }
        body.edges[edge].target = moved(&later, body.edges[edge].target);
        self.aiming_at_marks(comment)
    }

    /// The network with the objective that an edge of a process is taken and then more than `time`
    /// passes, in units of `1 / scale`; `comment` says so in words.
    #[must_use]
    pub fn covering_edge_and_time(
        mut self,
        process: ProcessId,
        edge: EdgeId,
        time: i64,
        comment: impl Into<String>,
    ) -> Self {
        self.clear_goals();
        let since = self.fresh_clock(Some(process), "since");
        let body = &mut self.processes[process];
        let later = copies(body, "later", false);
        let edges: Vec<Edge> = body.edges.iter().cloned().collect();
        for copy in edges {
            let (source, target) = (moved(&later, copy.source), moved(&later, copy.target));
            body.edges.push(Edge { source, target, ..copy });
        }
        let covered = &mut body.edges[edge];
        covered.target = moved(&later, covered.target);
        covered.updates.push(Update::Clock(ClockUpdate::reset(since)));
        let longer = ClockConstraint {
            left: None,
            right: Some(since),
            strict: true,
            bound: TimeBound::Constant(-time),
        };
        let disjuncts = later.iter().map(|(_, copy)| {
            let data = Some(self.at(process, *copy));
            Conjunct { data, clocks: vec![longer.clone()] }
        });
        let goal = Predicate::Holds(Condition { disjuncts: disjuncts.collect() });
        let (formula, comment) = (Formula::Cooperative(Objective::Reach(goal)), comment.into());
        let (comment, span) = (Some(comment), Span::default());
        self.queries = vec![Query { formula, comment, span, symmetric: false }];
        self
    }

    /// The network with the objective that so many units of time pass; `comment` says so in words.
    #[must_use]
    pub fn passing_time(mut self, time: i64, comment: impl Into<String>) -> Self {
        self.clear_goals();
        let elapsed = self.fresh_clock(None, "elapsed");
        let bound = TimeBound::Constant(-time);
        let past = ClockConstraint { left: None, right: Some(elapsed), strict: false, bound };
        let goal = Conjunct { data: None, clocks: vec![past] };
        let goal = Predicate::Holds(Condition { disjuncts: vec![goal] });
        let (formula, comment) = (Formula::Cooperative(Objective::Reach(goal)), comment.into());
        let (comment, span) = (Some(comment), Span::default());
        self.queries = vec![Query { formula, comment, span, symmetric: false }];
        self
    }

    /// A clock, of a process if one is given, with a name that no clock has.
    pub(crate) fn fresh_clock(&mut self, owner: Option<ProcessId>, wanted: &str) -> ClockTerm {
        let mut name = match owner {
            Some(process) => format!("{}.{wanted}", self.processes[process].name),
            None => wanted.to_owned(),
        };
        while self.clocks.iter().any(|clock| clock.name == name) {
            name.push('_');
        }
        ClockTerm::from(self.clocks.push(Clock { name, owner }))
    }

    fn gives_output(&self, edge: &Edge) -> bool {
        let sends = match &edge.label {
            Label::Send(used) => self.channels[used.channel].direction == Some(Direction::Output),
            _ => false,
        };
        sends || edge.reply.is_some()
    }

    /// The network with the objective that a process is in a location; `comment` says so in words.
    #[must_use]
    pub fn covering_location(
        mut self,
        process: ProcessId,
        location: LocationId,
        comment: impl Into<String>,
    ) -> Self {
        self.clear_goals();
        self.processes[process].locations[location].marks.accept = true;
        self.aiming_at_marks(comment)
    }

    /// Removes purposes and marks that say what else is to be reached, and what is known of symmetry: a network that
    /// aims at one edge treats others differently.
    pub(crate) fn clear_goals(&mut self) {
        self.drop_purposes();
        self.scalars = ScalarSets::default();
        for location in self.processes.iter_mut().flat_map(|process| process.locations.iter_mut()) {
            (location.marks.accept, location.marks.refuse) = (false, false);
        }
    }
}

/// Adds a copy of every location of a process; the purpose is reached there, or not yet.
fn copies(body: &mut Process, suffix: &str, accept: bool) -> Vec<(LocationId, LocationId)> {
    let originals: Vec<LocationId> =
        body.edges.iter().flat_map(|edge| [edge.source, edge.target]).collect();
    let mut all: Vec<(LocationId, LocationId)> = Vec::new();
    for original in originals {
        if all.iter().any(|(known, _)| *known == original) {
            continue;
        }
        let location = &body.locations[original];
        let mut name = format!("{}_{suffix}", location.name);
        while body.locations.iter().any(|location| location.name == name) {
            name.push('_');
        }
        let marks = Marks { accept, initial: false, ..location.marks };
        let origin = body.origin(original);
        let copy = Location { name, marks, origin, ..location.clone() };
        all.push((original, body.locations.push(copy)));
    }
    all
}

/// The copy of a location.
fn moved(copies: &[(LocationId, LocationId)], location: LocationId) -> LocationId {
    let copy = copies.iter().find(|(original, _)| *original == location);
    copy.map_or(location, |(_, copy)| *copy)
}
