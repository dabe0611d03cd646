//! Validation: from a [`Network`] to a [`Model`], the only form later stages accept.
//!
//! # Rules
//! *Declarations.* The scale is positive. Owners of clocks and variables exist. A variable's slots
//! exist and have the kinds its type says. The range of a slot is not empty and contains the
//! initial value; truth values are 0 or 1; denominators are positive. Channel parameters are single
//! values. An open channel has a direction and no environment process uses it; the system does not
//! send on an open input, nor receive on an open output unless it is a broadcast.
//!
//! *Automata.* A process has an initial location, and no other location is marked initial. Ids of
//! locations, channels, actions and clocks exist, for arrays up to their end. A send has one
//! argument of a fitting kind for each parameter, a receive has none and its frame has room for the
//! values; an edge of a purpose takes the values of both. A reply stands on a receive from an open
//! binary input and names an open output.
//! Data conditions are truth values or integers; clock bounds and indices are integers.
//!
//! *Code.* Operands come before the expressions that use them and have fitting kinds; places lie
//! within the data, or within the frame of the function that uses them; functions exist.
//!
//! *Synchronisation vectors.* There is at least one part, and at most one for each process; a shown
//! channel has a direction and no parameters.
//!
//! *Start.* The data part of all initial invariants holds.
//!
//! Expressions shared with purposes may use the purpose's own slots and clocks, which follow after
//! the network's.

mod automata;
mod code;
mod complain;
mod declarations;

use tioga_base::{Diagnostic, Diagnostics, IdVec};

use crate::{Composer, EdgeId, LocationId, Model, Network, Process};

impl Network {
    /// Checks the network by the rules of this module and seals it.
    ///
    /// Post: evaluating and composing the model never panics; `outgoing` is filled.
    pub fn validate(mut self) -> Result<Model, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        declarations::check(&self, &mut diagnostics);
        code::check(&self, &mut diagnostics);
        automata::check(&self, &mut diagnostics);
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        let purposes = self.purposes.iter_mut().map(|purpose| &mut purpose.process);
        for process in self.processes.iter_mut().chain(purposes) {
            process.outgoing = outgoing(process);
        }
        let model = Model::seal(self);
        check_start(&model, &mut diagnostics);
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok(model) }
    }
}

/// The edges leaving each location, in order.
fn outgoing(process: &Process) -> IdVec<LocationId, Vec<EdgeId>> {
    let mut outgoing: IdVec<LocationId, Vec<EdgeId>> =
        process.locations.iter().map(|_| Vec::new()).collect();
    for (id, edge) in process.edges.iter_ids() {
        outgoing[edge.source].push(id);
    }
    outgoing
}

fn check_start(model: &Model, diagnostics: &mut Diagnostics) {
    let mut composer = Composer::new(model);
    let state = composer.initial();
    for process in &model.processes {
        let location = &process.locations[process.initial];
        match composer.condition(&state, &location.invariant, location.span) {
            Ok(guard) if guard.is_never() => diagnostics.push(
                Diagnostic::error(
                    "initial-invariant",
                    location.span,
                    format!("the invariant of the initial location `{}` fails", location.name),
                )
                .note("initial values of variables must satisfy it"),
            ),
            Ok(_) => {}
            Err(fault) => diagnostics.push(fault.diagnostic()),
        }
    }
}
