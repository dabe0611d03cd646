//! Which data of a model are symbols: variables with many values, and what messages with many values carry.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::Rational;
use tioga_model::{ChannelId, Direction, DiscreteState, Kind, Model, Type};
use tioga_terms::{Assignment, Sort, Symbol, SymbolId, Symbols, Term};

use crate::run::{SMALL, is_small};

/// The symbols of a model.
#[derive(Clone, Debug)]
pub struct Alphabet {
    /// The symbols: those of variables first, then those of messages.
    pub symbols: Symbols,
    /// The symbol of each data slot that is not followed value by value.
    pub slots: BTreeMap<usize, SymbolId>,
    /// The symbols of what each open input with many values carries, in order.
    pub inputs: BTreeMap<ChannelId, Vec<SymbolId>>,
}

impl Alphabet {
    /// The symbols of a model.
    pub fn new(model: &Model) -> Self {
        let mut symbols = Symbols::new();
        let slots = slots(model, &BTreeSet::new(), &mut symbols);
        let inputs = inputs(model, &mut symbols);
        Self { symbols, slots, inputs }
    }

    /// The symbols of two models: their variables are different symbols, and what inputs of the same name carry
    /// are the same. Symbolic constants are known.
    pub fn beside(one: &Model, other: &Model) -> [Self; 2] {
        let mut symbols = Symbols::new();
        let first = slots(one, &constants(one), &mut symbols);
        let second = slots(other, &constants(other), &mut symbols);
        let own = inputs(one, &mut symbols);
        let same = other.channels.iter_ids().filter_map(|(id, channel)| {
            let mut all = own.iter();
            let (_, symbols) = all.find(|(own, _)| one.channels[**own].name == channel.name)?;
            channel.open.then(|| (id, symbols.clone()))
        });
        let theirs = same.collect();
        let all = symbols.clone();
        [
            Self { symbols, slots: first, inputs: own },
            Self { symbols: all, slots: second, inputs: theirs },
        ]
    }

    /// Whether the model has inputs with many values.
    pub fn is_needed(&self) -> bool {
        !self.inputs.is_empty()
    }

    /// The data of a state as terms: known where few values are possible.
    pub fn data(&self, skeleton: &DiscreteState) -> Vec<Term> {
        let term = |(position, value): (usize, &i64)| match self.slots.get(&position) {
            Some(symbol) => Term::symbol(*symbol),
            None => Term::int(*value),
        };
        skeleton.data.iter().enumerate().map(term).collect()
    }

    /// A state without the values of symbols.
    pub fn skeleton(&self, state: &DiscreteState) -> DiscreteState {
        let mut skeleton = state.clone();
        for (position, symbol) in &self.slots {
            let least = self.symbols[*symbol].low.filter(|low| *low > 0).unwrap_or(0);
            skeleton.data[*position] = least;
            if self.symbols.sort(*symbol) == Sort::Rational {
                skeleton.data[*position + 1] = 1;
            }
        }
        skeleton
    }

    /// The values of the symbols in a state.
    pub fn values(&self, state: &DiscreteState) -> Assignment {
        let mut values = Assignment::new();
        for (position, symbol) in &self.slots {
            let value = state.data[*position];
            let number = match self.symbols.sort(*symbol) {
                Sort::Int => Rational::from(value),
                Sort::Rational => {
                    let below = state.data.get(*position + 1).copied().unwrap_or(1);
                    Rational::new(value, below).unwrap_or(Rational::from(value))
                }
            };
            values.set(*symbol, number);
        }
        values
    }

    /// The position of a slot's symbol among the slots, if it has one.
    pub fn slot_of(&self, symbol: SymbolId) -> Option<usize> {
        self.slots.iter().find(|(_, own)| **own == symbol).map(|(position, _)| *position)
    }

    /// The values of a message as data slots: a rational takes two.
    pub fn message(&self, channel: ChannelId, model: &Model, values: &[Rational]) -> Vec<i64> {
        let types = &model.channels[channel].parameters;
        let mut slots = Vec::new();
        for (value, ty) in values.iter().zip(types) {
            slots.push(value.numerator());
            if *ty == Type::Rational {
                slots.push(value.denominator());
            }
        }
        slots
    }

    /// What a message carries, as values of its symbols; nothing if it carries few values.
    pub fn carried(
        &self,
        channel: ChannelId,
        model: &Model,
        message: &[i64],
    ) -> Vec<(SymbolId, Rational)> {
        let Some(symbols) = self.inputs.get(&channel) else { return Vec::new() };
        let mut rest = message.iter();
        let mut carried = Vec::new();
        for (symbol, ty) in symbols.iter().zip(&model.channels[channel].parameters) {
            let Some(value) = rest.next() else { break };
            let below = if *ty == Type::Rational { rest.next().copied().unwrap_or(1) } else { 1 };
            let number = Rational::new(*value, below).unwrap_or(Rational::from(*value));
            carried.push((*symbol, number));
        }
        carried
    }

    /// The frame that a message fills: a rational takes two slots.
    pub fn frame(&self, channel: ChannelId, model: &Model) -> Option<Vec<Term>> {
        let symbols = self.inputs.get(&channel)?;
        let mut frame = Vec::new();
        for (symbol, ty) in symbols.iter().zip(&model.channels[channel].parameters) {
            frame.push(Term::symbol(*symbol));
            if *ty == Type::Rational {
                frame.push(Term::int(1));
            }
        }
        Some(frame)
    }

    /// How many variables are symbols.
    pub fn variables(&self) -> usize {
        self.slots.len()
    }
}

/// The slots of a model's symbolic constants.
fn constants(model: &Model) -> BTreeSet<usize> {
    let constants = model.variables.iter().filter(|variable| variable.symbolic);
    let slots = constants.flat_map(|variable| {
        let first = variable.first_slot as usize;
        let count = usize::try_from(variable.ty.slots()).unwrap_or(0);
        first..first + count
    });
    slots.collect()
}

/// The symbols of the variables of a model that are not followed value by value, without those that are known.
fn slots(
    model: &Model,
    known: &BTreeSet<usize>,
    symbols: &mut Symbols,
) -> BTreeMap<usize, SymbolId> {
    let mut slots = BTreeMap::new();
    let mut below = false;
    for (position, slot) in model.slots.iter().enumerate() {
        // The denominator of a rational has no symbol.
        if std::mem::take(&mut below) {
            continue;
        }
        below = slot.kind == Kind::Rational;
        if is_small(slot).is_some() || known.contains(&position) {
            continue;
        }
        let sort = if below { Sort::Rational } else { Sort::Int };
        let (low, high) = match slot.range {
            Some(range) if !below => (Some(range.min), Some(range.max)),
            _ => (None, None),
        };
        let symbol = Symbol { name: slot.name.clone(), sort, low, high };
        slots.insert(position, symbols.add(symbol));
    }
    slots
}

/// The symbols of what each open input of a model with many values carries.
fn inputs(model: &Model, symbols: &mut Symbols) -> BTreeMap<ChannelId, Vec<SymbolId>> {
    let mut inputs = BTreeMap::new();
    for (id, channel) in model.channels.iter_ids() {
        let open = channel.open && channel.direction == Some(Direction::Input);
        if !open || !has_many_values(&channel.parameters) {
            continue;
        }
        let several = channel.parameters.len() > 1;
        let ids = channel.parameters.iter().enumerate().map(|(position, ty)| {
            let own = channel.names.get(position).cloned().flatten();
            let before = &channel.names[..position.min(channel.names.len())];
            let plain = match own.filter(|own| !before.contains(&Some(own.clone()))) {
                Some(name) => name,
                None if several => format!("value{}", position + 1),
                None => "value".to_owned(),
            };
            let taken = model.slots.iter().any(|slot| slot.name == plain);
            let name = if taken { format!("{}.{plain}", channel.name) } else { plain };
            symbols.add(symbol(name, ty))
        });
        inputs.insert(id, ids.collect());
    }
    inputs
}

/// The symbol of a value of this type.
pub(crate) fn symbol(name: String, ty: &Type) -> Symbol {
    let sort = if *ty == Type::Rational { Sort::Rational } else { Sort::Int };
    let (low, high) = match ty.bounds() {
        Some((min, max)) => (Some(min), Some(max)),
        None => (None, None),
    };
    Symbol { name, sort, low, high }
}

/// Whether a message of these parameters has more values than are followed one by one.
pub fn has_many_values(parameters: &[Type]) -> bool {
    let mut combinations = 1_i64;
    for ty in parameters {
        let Some((min, max)) = ty.bounds() else { return true };
        let size = max.saturating_sub(min).saturating_add(1);
        combinations = combinations.saturating_mul(size);
    }
    combinations > SMALL
}
