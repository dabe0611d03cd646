//! Coverage as purposes: a network whose objective is that one edge is taken, or one location entered.
//!
//! An edge that is to be taken leads to a location of its own, where the purpose is reached and nothing
//! else happens. It has the invariant of the old target, so the edge can be taken exactly when it could
//! before, and everything up to then is as it was.

use crate::{EdgeId, LocationId, Marks, Network, ProcessId};

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
        let target = &body.locations[body.edges[edge].target];
        let marks = Marks { accept: true, ..Marks::default() };
        let taken = crate::Location { name, marks, ..target.clone() };
        body.edges[edge].target = body.locations.push(taken);
        self.aiming_at_marks(comment)
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

    /// Removes purposes and marks that say what else is to be reached.
    fn clear_goals(&mut self) {
        self.purposes.clear();
        for location in self.processes.iter_mut().flat_map(|process| process.locations.iter_mut()) {
            (location.marks.accept, location.marks.refuse) = (false, false);
        }
    }
}
