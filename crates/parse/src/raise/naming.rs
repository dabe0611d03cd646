//! Names for everything in a network: those it has, made valid and unique.
//!
//! Processes, channels, actions, functions and global data share one scope. What a process declares
//! is in no outer scope, so it must not hide anything; locations may only not be called alike, but
//! data of the same process avoids their names, because queries find locations first.

use tioga_base::{Id, IdVec};
use tioga_model::{
    Channel, Clock, ClockId, Home, Location, LocationId, Network, ProcessId, Purpose, Variable,
};

use super::arrays::{Row, rows};
use super::names::Taken;
use super::view::{Called, Root, View};

/// The name of something a process owns, without the process.
pub fn own<'a>(full: &'a str, owner: &str) -> &'a str {
    full.strip_prefix(owner).and_then(|rest| rest.strip_prefix('.')).unwrap_or(full)
}

/// The rows of clocks.
pub fn clock_rows<'a>(clocks: impl IntoIterator<Item = &'a Clock>) -> Vec<Row> {
    rows(clocks.into_iter().map(|clock| (clock.name.as_str(), clock.owner)))
}

/// The rows of channels.
pub fn channel_rows(network: &Network) -> Vec<Row> {
    let alike = |one: &Channel| (one.urgent, one.broadcast, one.direction, one.parameters.clone());
    rows(network.channels.iter().map(|channel| (channel.name.as_str(), alike(channel))))
}

/// The names of the locations of a process.
pub fn location_names(locations: &IdVec<LocationId, Location>) -> Vec<String> {
    let mut taken = Taken::default();
    locations.iter().map(|location| taken.give(&location.name)).collect()
}

/// The names of a network, looked at from a query.
pub fn view(network: &Network) -> View<'_> {
    let mut taken = Taken::default();
    let channels = channel_rows(network);
    let global = |name: String| Called { home: Home::Global, name };
    let channel_names = channels.iter().map(|row| global(taken.give(&row.base))).collect();
    let actions = network.actions.iter().map(|action| taken.give(&action.name)).collect();
    let clocks = clock_rows(&network.clocks);
    let mut clock_names: Vec<Option<Called>> = clocks
        .iter()
        .map(|row| owner(network, row).is_none().then(|| global(taken.give(&row.base))))
        .collect();
    let mut root_names: Vec<Option<Called>> = network
        .variables
        .iter()
        .map(|variable| variable.owner.is_none().then(|| global(taken.give(&variable.name))))
        .collect();
    let functions = &network.code.functions;
    let mut function_names: Vec<String> = functions
        .iter()
        .map(|one| if one.home == Home::Global { taken.give(&one.name) } else { String::new() })
        .collect();
    let processes = network.processes.iter().map(|process| taken.give(&process.name)).collect();
    let tables = network.code.tables.iter().map(|table| taken.give(&table.name)).collect();
    let mut locations = Vec::new();
    for (id, process) in network.processes.iter_ids() {
        let home = Home::Process(id);
        let names = location_names(&process.locations);
        let mut inside = taken.clone();
        names.iter().for_each(|name| inside.reserve(name));
        let mut local = |full: &str| inside.give(own(full, &process.name));
        for (name, row) in clock_names.iter_mut().zip(&clocks) {
            if owner(network, row) == Some(id) {
                *name = Some(Called { home, name: local(&row.base) });
            }
        }
        for (name, variable) in root_names.iter_mut().zip(&network.variables) {
            if variable.owner == Some(id) {
                *name = Some(Called { home, name: local(&variable.name) });
            }
        }
        for (name, function) in function_names.iter_mut().zip(functions) {
            if function.home == home {
                *name = local(&function.name);
            }
        }
        locations.push(names);
    }
    let variables = network.variables.iter().zip(root_names);
    let roots = variables.filter_map(|(variable, called)| root(variable, called?));
    View {
        network,
        here: Home::Global,
        observes: true,
        clock_names: clock_names.into_iter().map(|name| name.unwrap_or_else(nowhere)).collect(),
        clocks,
        channels,
        channel_names,
        roots: roots.collect(),
        tables,
        actions,
        functions: function_names,
        processes,
        locations,
        frame: Vec::new(),
        frame_read: false,
        slots_read: Vec::new(),
        own: 0,
        taken,
    }
}

/// What belongs to a process that does not exist.
fn nowhere() -> Called {
    Called { home: Home::Purpose(u32::MAX), name: "clock".to_owned() }
}

fn owner(network: &Network, row: &Row) -> Option<ProcessId> {
    network.clocks[ClockId::from_index(row.first)].owner
}

fn root(variable: &Variable, called: Called) -> Option<Root> {
    Some(Root { called, first: variable.first_slot, ty: variable.ty.clone() })
}

impl<'n> View<'n> {
    /// The same names from inside a process.
    pub fn inside(&self, process: ProcessId) -> Self {
        let mut view = self.clone();
        (view.here, view.observes, view.own) = (Home::Process(process), false, process.index());
        view.reserve_own();
        view
    }

    /// The same names from inside a purpose, with its own.
    pub fn inside_purpose(&self, position: usize, purpose: &Purpose) -> Self {
        let home = Home::Purpose(u32::try_from(position).unwrap_or(u32::MAX));
        let mut view = self.clone();
        (view.here, view.observes, view.own) = (home, true, view.locations.len());
        let names = location_names(&purpose.process.locations);
        let mut inside = self.taken.clone();
        names.iter().for_each(|name| inside.reserve(name));
        view.locations.push(names);
        let mut local = |full: &str| inside.give(own(full, &purpose.process.name));
        let shift = self.network.clocks.len();
        for mut row in clock_rows(&purpose.clocks) {
            row.first += shift;
            view.clock_names.push(Called { home, name: local(&row.base) });
            view.clocks.push(row);
        }
        for variable in &purpose.variables {
            let called = Called { home, name: local(&variable.name) };
            view.roots.extend(root(variable, called));
        }
        let functions = self.network.code.functions.iter().zip(&mut view.functions);
        for (function, name) in functions.filter(|(function, _)| function.home == home) {
            *name = local(&function.name);
        }
        view.reserve_own();
        view
    }

    /// Lets nothing hide what is declared here.
    fn reserve_own(&mut self) {
        let here = self.here;
        let clocks = self.clock_names.iter();
        let data = self.roots.iter().map(|root| &root.called);
        let own = clocks.chain(data).filter(|called| called.home == here);
        let functions = self.network.code.functions.iter().zip(&self.functions);
        let functions = functions.filter(|(function, _)| function.home == here);
        let names = own.map(|called| &called.name).chain(functions.map(|(_, name)| name));
        let names: Vec<String> = names.cloned().collect();
        names.iter().for_each(|name| self.taken.reserve(name));
    }
}
