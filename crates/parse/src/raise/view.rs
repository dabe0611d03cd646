//! What the things of a network are called from where something is written.

use tioga_base::Id;
use tioga_model::{
    Base, ChannelId, ClockId, ExprId, FunctionId, Home, Local, LocationId, Lvalue, Network,
    ProcessId, Type,
};

use super::arrays::{self, Row};
use super::names::Taken;
use super::refused::{Raised, Refused};
use super::tree::{element, field, int, named};
use super::types::field_names;
use crate::syntax::Expr;

/// A name and where it is declared.
#[derive(Clone, Debug)]
pub struct Called {
    pub home: Home,
    pub name: String,
}

/// Data of the state that has a name.
#[derive(Clone, Debug)]
pub struct Root {
    pub called: Called,
    pub first: u32,
    pub ty: Type,
}

/// A network as it is seen from one process, purpose, function or query.
#[derive(Clone, Debug)]
pub struct View<'n> {
    pub network: &'n Network,
    /// Where something is written.
    pub here: Home,
    /// Whether processes can be looked into from here, as queries and purposes do.
    pub observes: bool,
    /// The clocks, and what each row of them is called.
    pub clocks: Vec<Row>,
    pub clock_names: Vec<Called>,
    /// The channels, and what each row of them is called.
    pub channels: Vec<Row>,
    pub channel_names: Vec<Called>,
    /// The variables in order of slots.
    pub roots: Vec<Root>,
    pub tables: Vec<String>,
    pub actions: Vec<String>,
    pub functions: Vec<String>,
    pub processes: Vec<String>,
    /// The locations of each process.
    pub locations: Vec<Vec<String>>,
    /// The names of frame slots here.
    pub frame: Vec<Local>,
    /// Whether a frame slot was read since this was last set to false.
    pub frame_read: bool,
    /// The frame slots that were read since this was last emptied.
    pub slots_read: Vec<u32>,
    /// The position of the locations of what is written.
    pub own: usize,
    /// Names that mean something here.
    pub taken: Taken,
}

impl View<'_> {
    fn called(&self, called: &Called) -> Raised<Expr> {
        match called.home {
            home if home == Home::Global || home == self.here => Ok(named(&called.name)),
            Home::Process(process) if self.observes => {
                Ok(field(named(self.process(process)?), &called.name))
            }
            _ => Err(Refused::new(format!("`{}` belongs to another process", called.name))),
        }
    }

    /// The name of a process.
    pub fn process(&self, process: ProcessId) -> Raised<&str> {
        let name = self.processes.get(process.index());
        name.map(String::as_str).ok_or_else(|| Refused::new("a process that does not exist"))
    }

    /// The name of a location.
    pub fn location(&self, process: usize, location: LocationId) -> Raised<&str> {
        let names = self.locations.get(process);
        let name = names.and_then(|names| names.get(location.index()));
        name.map(String::as_str).ok_or_else(|| Refused::new("a location that does not exist"))
    }

    /// The name of a function.
    pub fn function(&self, function: FunctionId) -> Raised<&str> {
        let home = self.network.code.functions.as_slice().get(function.index()).map(|f| f.home);
        match (home, self.functions.get(function.index())) {
            (Some(home), Some(name)) if home == Home::Global || home == self.here => Ok(name),
            (Some(_), Some(name)) => {
                Err(Refused::new(format!("the function `{name}` belongs to another process")))
            }
            _ => Err(Refused::new("a function that does not exist is called")),
        }
    }

    /// A clock; the index of an array of clocks counts from 0.
    pub fn clock(&mut self, clock: ClockId, index: Option<(ExprId, u32)>) -> Raised<Expr> {
        let (row, position) = arrays::find(&self.clocks, clock.index())?;
        let base = self.called(&self.clock_names[row])?;
        let Row { dimensions, .. } = &self.clocks[row];
        let mut indices: Vec<Expr> =
            self.clocks[row].indices(position).into_iter().map(int).collect();
        if let Some((expr, length)) = index {
            let name = &self.clock_names[row].name;
            let known = dimensions.last().filter(|(_, own)| {
                *own == length && position.is_multiple_of(length.max(1) as usize)
            });
            let Some(&(first, _)) = known else {
                return Err(Refused::new(format!("`{name}` is indexed beyond its dimensions")));
            };
            indices.pop();
            let index = self.index_from(expr, first)?;
            indices.push(index);
        }
        Ok(indices.into_iter().fold(base, element))
    }

    /// A clock that can be seen from here.
    pub fn some_clock(&mut self) -> Option<Expr> {
        let firsts: Vec<usize> = self.clocks.iter().map(|row| row.first).collect();
        firsts.into_iter().find_map(|first| self.clock(ClockId::from_index(first), None).ok())
    }

    /// The name of a channel, the indices of the element and the row it is in.
    pub fn channel(&self, channel: ChannelId) -> Raised<(String, usize, usize)> {
        let (row, position) = arrays::find(&self.channels, channel.index())?;
        let called = &self.channel_names[row];
        if called.home != Home::Global && called.home != self.here {
            let message = format!("the channel `{}` belongs to another process", called.name);
            return Err(Refused::new(message));
        }
        Ok((called.name.clone(), row, position))
    }

    /// What begins at a place, from the whole that begins there down to a single value.
    pub fn parts(&mut self, place: &Lvalue) -> Raised<Vec<(Expr, Type)>> {
        let (root, ty, mut rest) = self.root(place)?;
        if place.base == Base::Frame {
            self.frame_read = true;
            self.slots_read.push(place.offset);
        }
        let mut indices = place.indices.iter().peekable();
        let (mut at, mut ty) = (root, ty);
        let mut found = Vec::new();
        loop {
            if indices.peek().is_none() && rest == 0 {
                found.push((at.clone(), ty.clone()));
            }
            match &ty {
                Type::Array { element: inner, first, length, .. } => {
                    let stride = inner.slots().max(1);
                    let computed = indices.next_if(|index| {
                        u64::from(index.stride) == stride
                            && (index.first, index.length) == (*first, *length)
                    });
                    let index = match computed {
                        Some(dynamic) => self.value(dynamic.index)?,
                        None => {
                            let position = i64::try_from(rest / stride).unwrap_or(i64::MAX);
                            rest %= stride;
                            int(first.saturating_add(position))
                        }
                    };
                    at = element(at, index);
                    ty = (**inner).clone();
                }
                Type::Record(fields) => {
                    let mut position = 0;
                    while let Some((_, part)) = fields.get(position)
                        && rest >= part.slots()
                    {
                        rest -= part.slots();
                        position += 1;
                    }
                    let Some((_, part)) = fields.get(position) else { break };
                    at = field(at, field_names(fields).swap_remove(position));
                    ty = part.clone();
                }
                _ => break,
            }
        }
        if found.is_empty() {
            return Err(Refused::new("a place in the middle of a variable"));
        }
        Ok(found)
    }

    /// The variable that a place is in, with how far into it the place is.
    fn root(&self, place: &Lvalue) -> Raised<(Expr, Type, u64)> {
        let offset = place.offset;
        let within = |first: u32, ty: &Type| {
            let first = u64::from(first);
            (first..first + ty.slots()).contains(&u64::from(offset))
        };
        match place.base {
            Base::Global => {
                let root = self.roots.iter().find(|root| within(root.first, &root.ty));
                let root = root.ok_or_else(|| {
                    let name = self.network.slots.get(offset as usize).map(|slot| &slot.name);
                    Refused::new(match name {
                        Some(name) => format!("`{name}` is part of no variable"),
                        None => "data that is part of no variable is used".to_owned(),
                    })
                })?;
                Ok((self.called(&root.called)?, root.ty.clone(), (offset - root.first).into()))
            }
            Base::Constant => {
                let mut tables = self.network.code.tables.iter().zip(&self.tables);
                let found = tables.find(|(table, _)| within(table.first_slot, &table.ty));
                let (table, name) =
                    found.ok_or_else(|| Refused::new("a constant array without a name is used"))?;
                Ok((named(name), table.ty.clone(), (offset - table.first_slot).into()))
            }
            Base::Frame => {
                let mut locals = self.frame.iter().rev().filter(|local| !local.reference);
                let local = locals.find(|local| within(local.slot, &local.ty));
                let local = local.ok_or_else(|| Refused::new("a local value without a name"))?;
                Ok((named(&local.name), local.ty.clone(), (offset - local.slot).into()))
            }
            Base::Reference(slot) => {
                let mut locals = self.frame.iter().filter(|local| local.reference);
                let local = locals.find(|local| local.slot == slot);
                let local = local.ok_or_else(|| Refused::new("a reference without a name"))?;
                Ok((named(&local.name), local.ty.clone(), offset.into()))
            }
        }
    }
}
