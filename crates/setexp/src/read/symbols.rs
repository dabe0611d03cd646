//! The symbols of a model: constants, variables and what messages carry.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Id, IdVec, Rational};
use tioga_model::{ChannelId, Condition, Direction, Kind as Value, Model, Range, Type};
use tioga_terms::{Sort, Symbol, SymbolId, Symbols, Term};

use crate::error::Refusal;
use crate::tiosa::{Action, ActionId, Kind};

/// What a model says beside its network.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The names of the parameters of channels: channel and names, in order.
    pub parameters: Vec<(String, Vec<String>)>,
    /// The symbolic constants whose value is fixed to the initial one.
    pub fixed: BTreeSet<String>,
    /// What holds of the symbolic constants, as conditions of the network without clocks.
    pub assumed: Vec<Condition>,
}

/// The symbols and actions of a model.
pub(super) struct Alphabet {
    pub(super) symbols: Symbols,
    /// The symbol of each slot; the denominator of a rational has none.
    pub(super) slots: BTreeMap<usize, SymbolId>,
    pub(super) constants: Vec<SymbolId>,
    pub(super) variables: Vec<SymbolId>,
    pub(super) observer_variables: Vec<SymbolId>,
    pub(super) initial: Vec<(SymbolId, Rational)>,
    pub(super) observer_initial: Vec<(SymbolId, Rational)>,
    pub(super) actions: IdVec<ActionId, Action>,
    pub(super) channels: BTreeMap<ChannelId, ActionId>,
    pub(super) labels: BTreeMap<tioga_model::ActionId, ActionId>,
    pub(super) silent: Option<ActionId>,
    prefixes: Vec<String>,
}

impl Alphabet {
    /// `own` is the number of slots of the specification; the others belong to the purpose.
    pub(super) fn new(
        model: &Model,
        ranges: &[Option<Range>],
        own: usize,
        given: &Given,
    ) -> Result<Self, Refusal> {
        let prefixes = model.processes.iter().map(|process| format!("{}.", process.name));
        let mut alphabet = Self {
            symbols: Symbols::new(),
            slots: BTreeMap::new(),
            constants: Vec::new(),
            variables: Vec::new(),
            observer_variables: Vec::new(),
            initial: Vec::new(),
            observer_initial: Vec::new(),
            actions: IdVec::new(),
            channels: BTreeMap::new(),
            labels: BTreeMap::new(),
            silent: None,
            prefixes: prefixes.collect(),
        };
        alphabet.add_slots(model, ranges, own, given)?;
        alphabet.add_actions(model, given);
        Ok(alphabet)
    }

    /// A name without the name of its process, unless another name would then be the same.
    pub(super) fn short_name(&self, name: &str) -> String {
        let own = self.prefixes.first().and_then(|prefix| name.strip_prefix(prefix.as_str()));
        own.unwrap_or(name).to_owned()
    }

    fn add_slots(
        &mut self,
        model: &Model,
        ranges: &[Option<Range>],
        own: usize,
        given: &Given,
    ) -> Result<(), Refusal> {
        let mut symbolic = vec![false; model.slots.len()];
        for variable in model.variables.iter().filter(|variable| variable.symbolic) {
            if given.fixed.contains(&variable.name) {
                continue;
            }
            let first = variable.first_slot as usize;
            let length = usize::try_from(variable.ty.slots()).unwrap_or(0);
            symbolic.iter_mut().skip(first).take(length).for_each(|one| *one = true);
        }
        let mut below = false;
        for (position, slot) in model.slots.iter().enumerate() {
            if std::mem::take(&mut below) {
                continue;
            }
            below = slot.kind == Value::Rational;
            let (low, high) = match (slot.kind, ranges.get(position).copied().flatten()) {
                (Value::Bool, _) => (Some(0), Some(1)),
                (Value::Int, Some(range)) => (Some(range.min), Some(range.max)),
                _ => (None, None),
            };
            let sort = if below { Sort::Rational } else { Sort::Int };
            let name = self.short_name(&slot.name);
            let symbol = self.symbols.add(Symbol { name, sort, low, high });
            self.slots.insert(position, symbol);
            let value = match below {
                false => Rational::from(slot.initial),
                true => {
                    let under = model.slots.get(position + 1).map_or(1, |next| next.initial);
                    Rational::new(slot.initial, under)?
                }
            };
            if symbolic[position] {
                self.constants.push(symbol);
            } else if position < own {
                self.variables.push(symbol);
                self.initial.push((symbol, value));
            } else {
                self.observer_variables.push(symbol);
                self.observer_initial.push((symbol, value));
            }
        }
        Ok(())
    }

    fn add_actions(&mut self, model: &Model, given: &Given) {
        for (id, channel) in model.channels.iter_ids() {
            let kind = match channel.direction {
                Some(Direction::Input) => Kind::Input,
                Some(Direction::Output) => Kind::Output,
                None => Kind::Internal,
            };
            let named = given.parameters.iter().find(|(name, _)| *name == channel.name);
            let mut parameters = Vec::new();
            for (position, ty) in channel.parameters.iter().enumerate() {
                let own = named.and_then(|(_, names)| names.get(position)).cloned();
                let name = own.filter(|name| !name.is_empty()).unwrap_or_else(|| {
                    if channel.parameters.len() == 1 {
                        format!("{}.value", channel.name)
                    } else {
                        format!("{}.{}", channel.name, position + 1)
                    }
                });
                let sort = if *ty == Type::Rational { Sort::Rational } else { Sort::Int };
                let bounds = ty.bounds();
                let (low, high) = (bounds.map(|(low, _)| low), bounds.map(|(_, high)| high));
                parameters.push(self.symbols.add(Symbol { name, sort, low, high }));
            }
            let action = Action { name: channel.name.clone(), kind, parameters };
            self.channels.insert(id, self.actions.push(action));
        }
        for (id, action) in model.actions.iter_ids() {
            let (name, parameters) = (action.name.clone(), Vec::new());
            let action = Action { name, kind: Kind::Internal, parameters };
            self.labels.insert(id, self.actions.push(action));
        }
        let first = model.processes.iter().next();
        let silent = first.is_some_and(|process| {
            process.edges.iter().any(|edge| matches!(edge.label, tioga_model::Label::Silent))
        });
        if silent {
            let (name, parameters) = ("tau".to_owned(), Vec::new());
            let action = Action { name, kind: Kind::Internal, parameters };
            self.silent = Some(self.actions.push(action));
        }
    }

    /// The data of the model as terms.
    pub(super) fn data(&self, model: &Model) -> Vec<Term> {
        let term = |position: usize| match self.slots.get(&position) {
            Some(symbol) => Term::symbol(*symbol),
            None => Term::int(1),
        };
        (0..model.slots.len()).map(term).collect()
    }

    /// The frame that the values of an action fill.
    pub(super) fn frame(&self, action: ActionId) -> Vec<Term> {
        let mut frame = Vec::new();
        for parameter in &self.actions[action].parameters {
            frame.push(Term::symbol(*parameter));
            if self.symbols.sort(*parameter) == Sort::Rational {
                frame.push(Term::int(1));
            }
        }
        frame
    }

    /// Where a process is: in the order of the processes, this one here, the others at their start.
    pub(super) fn places(
        model: &Model,
        process: tioga_model::ProcessId,
        location: tioga_model::LocationId,
    ) -> Vec<tioga_model::LocationId> {
        let mut places: Vec<_> = model.processes.iter().map(|one| one.initial).collect();
        places[process.index()] = location;
        places
    }
}
