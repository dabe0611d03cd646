//! Classes of data that behave alike: the coarsest partition of the reachable states, as formulas, that
//! respects every step (Lee and Yannakakis 1992, over formulas instead of sets).
//!
//! A *skeleton* is a state without the values of symbols. Each skeleton has blocks: formulas over the
//! variables that exclude each other. A block that is reached has a representative, a state of the model. A
//! block is examined at its representative: the formulas that decide which steps there are, where the steps
//! lead and what they carry must each hold in the whole block or nowhere in it; where an input carries many
//! values, its values fall into cells, and each cell must be possible in the whole block or nowhere in it.
//! Otherwise the block is split, and what was known of those that lead to it is examined again. When nothing
//! is split any more, states of one block behave alike, and the representatives stand for all.

mod cover;
mod eyes;
mod halt;
mod look;
mod pairs;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tioga_base::Budget;
use tioga_model::{
    ChannelId, Composer, Condition, DataClasses, DiscreteState, Model, StepLabel, Values,
};
use tioga_terms::{Formula, SymbolId, Term};

pub use self::cover::pair_cover;
use self::eyes::Eyes;
pub(crate) use self::halt::Halt;
pub use self::halt::NoClasses;
pub(crate) use self::pairs::{Joint, own_channel, values};
pub use self::pairs::{PairClasses, pair_classes};
use crate::alphabet::Alphabet;
use crate::reason::{Asking, Reason, overflow};

/// The classes of a model, and what its steps do to symbols.
#[derive(Clone, Debug)]
pub struct Classes {
    /// The symbols.
    pub alphabet: Alphabet,
    /// Which states and values stand for all.
    pub data: DataClasses,
    /// What the steps between representatives mean for all states of their blocks, in order.
    pub steps: BTreeMap<StepKey, Vec<ClassStep>>,
    /// The representatives with the formulas of their blocks, in order.
    pub blocks: BTreeMap<DiscreteState, Formula>,
    /// The representative of the initial state.
    pub initial: DiscreteState,
}

impl Classes {
    /// The representative of a state, if a state of its class was reached.
    pub fn representative(&self, state: &DiscreteState) -> Option<&DiscreteState> {
        let values = self.alphabet.values(state);
        let skeleton = self.alphabet.skeleton(state);
        let mut blocks = self.blocks.iter().filter(|(representative, formula)| {
            self.alphabet.skeleton(representative) == skeleton
                && formula.holds(&values) == Ok(Some(true))
        });
        blocks.next().map(|(representative, _)| representative)
    }

    /// The conditions on what an input carries that tell apart where it leads from a state, and what may follow.
    /// None if the state was not reached, or nothing is known of the input there.
    pub fn conditions(&self, state: &DiscreteState, channel: ChannelId) -> Vec<Formula> {
        let Some(representative) = self.representative(state) else { return Vec::new() };
        let values = self.alphabet.values(state);
        let with = |symbol: SymbolId| values.get(symbol).map(Term::number);
        let own = self.steps.iter().filter(|(key, _)| key.0 == *representative);
        let mut conditions = Vec::new();
        for ((_, label, ..), steps) in own {
            let (StepLabel::Input(taken) | StepLabel::Exchange(taken, _)) = label else { continue };
            for step in steps.iter().filter(|_| *taken == channel) {
                let known = step.condition.substitute(&self.alphabet.symbols, &with);
                conditions.extend(known.ok().filter(|known| !conditions.contains(known)));
            }
        }
        conditions
    }
}

/// Names what is seen of a step from a representative.
pub type StepKey = (DiscreteState, StepLabel, Values, Values);

/// What a step between representatives means for all states of a block.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassStep {
    /// Which values of an input it is taken with, over variables and what the input carries.
    pub condition: Formula,
    /// What an output carries, over the variables (and what the input of a Mealy step carries).
    pub arguments: Vec<Term>,
    /// The new values of variables that change, as terms over what was before.
    pub updates: Vec<(SymbolId, Term)>,
    /// The representative it leads to.
    pub target: DiscreteState,
}

/// A set of states of one skeleton.
struct Block {
    formula: Formula,
    representative: Option<DiscreteState>,
    /// The skeletons that its steps lead to.
    leads_to: BTreeSet<DiscreteState>,
}

/// What was learnt at a representative.
#[derive(Default)]
struct Examined {
    offers: Vec<(ChannelId, Vec<Values>)>,
    /// What is seen, what it means, and the state it leads to before that is replaced.
    steps: Vec<(StepLabel, Values, Values, ClassStep)>,
    leads_to: BTreeSet<DiscreteState>,
}

struct Partition<'p, R: ?Sized> {
    model: &'p Model,
    alphabet: Alphabet,
    solver: &'p mut R,
    asked: &'p [Condition],
    blocks: BTreeMap<DiscreteState, Vec<Block>>,
    waiting: VecDeque<(DiscreteState, DiscreteState)>,
    examined: BTreeMap<DiscreteState, Examined>,
}

/// The classes of a model: of its reachable states, with respect to its steps and to `asked`, conditions that
/// are asked of states. The budget counts examined blocks.
///
/// # Errors
/// If data are beyond what can be followed, or the budget is used up.
pub fn classes<R: Reason>(
    model: &Model,
    asked: &[Condition],
    solver: &mut R,
    budget: &mut Budget,
) -> Result<Classes, NoClasses> {
    let alphabet = Alphabet::new(model);
    let initial = Composer::new(model).initial();
    let mut partition = Partition {
        model,
        alphabet,
        solver,
        asked,
        blocks: BTreeMap::new(),
        waiting: VecDeque::new(),
        examined: BTreeMap::new(),
    };
    partition.arrive(&initial)?;
    while let Some((skeleton, representative)) = partition.waiting.pop_front() {
        budget.step()?;
        partition.examine(&skeleton, &representative)?;
    }
    Ok(partition.finish(initial))
}

impl<R: Reason> Partition<'_, R> {
    /// The block of a state, by position; without blocks, the skeleton gets one for all.
    fn block_of(&mut self, state: &DiscreteState) -> Result<(DiscreteState, usize), NoClasses> {
        let skeleton = self.alphabet.skeleton(state);
        let values = self.alphabet.values(state);
        let blocks = self.blocks.entry(skeleton.clone()).or_insert_with(|| {
            vec![Block { formula: Formula::True, representative: None, leads_to: BTreeSet::new() }]
        });
        for (position, block) in blocks.iter().enumerate() {
            if block.formula.holds(&values).map_err(|_| overflow())? == Some(true) {
                return Ok((skeleton, position));
            }
        }
        Err("a state belongs to no class".to_owned().into())
    }

    /// A state was reached: its block has a representative from now on.
    fn arrive(&mut self, state: &DiscreteState) -> Result<DiscreteState, NoClasses> {
        let (skeleton, position) = self.block_of(state)?;
        let block = self.blocks.get_mut(&skeleton).and_then(|blocks| blocks.get_mut(position));
        let Some(block) = block else { return Ok(state.clone()) };
        if let Some(representative) = &block.representative {
            return Ok(representative.clone());
        }
        block.representative = Some(state.clone());
        self.waiting.push_back((skeleton, state.clone()));
        Ok(state.clone())
    }

    fn formula(&self, skeleton: &DiscreteState, representative: &DiscreteState) -> Option<Formula> {
        let blocks = self.blocks.get(skeleton)?;
        let own = blocks.iter().find(|block| block.representative.as_ref() == Some(representative));
        own.map(|block| block.formula.clone())
    }

    fn asking(&mut self) -> Asking<'_, R> {
        Asking { symbols: &self.alphabet.symbols, solver: self.solver }
    }

    fn eyes(&mut self) -> Eyes<'_, R> {
        Eyes { model: self.model, alphabet: &self.alphabet, solver: self.solver }
    }

    /// Examines a block until it need not be split any more.
    fn examine(
        &mut self,
        skeleton: &DiscreteState,
        representative: &DiscreteState,
    ) -> Result<(), NoClasses> {
        while let Some(block) = self.formula(skeleton, representative) {
            match self.look(skeleton, representative, &block) {
                Ok(examined) => {
                    if let Some(own) = self.blocks.get_mut(skeleton).and_then(|blocks| {
                        let mut all = blocks.iter_mut();
                        all.find(|one| one.representative.as_ref() == Some(representative))
                    }) {
                        own.leads_to = examined.leads_to.clone();
                    }
                    self.examined.insert(representative.clone(), examined);
                    return Ok(());
                }
                Err(Halt::Split(by)) => self.split(skeleton, representative, &block, by)?,
                Err(Halt::Stop(why)) => return Err(why),
            }
        }
        Ok(())
    }

    /// Splits the block of a representative, and lets those that lead to its skeleton wait again.
    fn split(
        &mut self,
        skeleton: &DiscreteState,
        representative: &DiscreteState,
        block: &Formula,
        by: Formula,
    ) -> Result<(), NoClasses> {
        let values = self.alphabet.values(representative);
        let holds = by.holds(&values).map_err(|_| overflow())? == Some(true);
        let asking = self.asking();
        let opposite = asking.opposite(&by)?;
        let (inside, outside) = if holds { (by, opposite) } else { (opposite, by) };
        let symbols = asking.symbols;
        let inside = block.clone().and(inside);
        let outside = block.clone().and(outside);
        let inside = asking.solver.simplify(symbols, &inside, &Formula::True);
        let outside = asking.solver.simplify(symbols, &outside, &Formula::True);
        let Some(blocks) = self.blocks.get_mut(skeleton) else { return Ok(()) };
        for one in blocks.iter_mut() {
            if one.representative.as_ref() == Some(representative) {
                one.formula = inside.clone();
            }
        }
        blocks.push(Block { formula: outside, representative: None, leads_to: BTreeSet::new() });
        let mut again = Vec::new();
        for (from, blocks) in &self.blocks {
            for one in blocks {
                if let Some(known) = &one.representative
                    && one.leads_to.contains(skeleton)
                    && self.examined.contains_key(known)
                {
                    again.push((from.clone(), known.clone()));
                }
            }
        }
        for (from, known) in again {
            self.examined.remove(&known);
            self.waiting.push_back((from, known));
        }
        Ok(())
    }

    /// What was learnt, once nothing is waiting.
    fn finish(mut self, initial: DiscreteState) -> Classes {
        let mut data = DataClasses::new();
        let mut steps: BTreeMap<StepKey, Vec<ClassStep>> = BTreeMap::new();
        let mut blocks = BTreeMap::new();
        let examined = std::mem::take(&mut self.examined);
        for (state, examined) in examined {
            for (channel, values) in examined.offers {
                data.offer(state.clone(), channel, values);
            }
            for (label, arguments, reply, mut meaning) in examined.steps {
                let canonical = self.canonical(&meaning.target);
                data.replace(meaning.target, canonical.clone());
                meaning.target = canonical;
                let key = (state.clone(), label, arguments, reply);
                let known = steps.entry(key).or_default();
                if !known.contains(&meaning) {
                    known.push(meaning);
                }
            }
            let skeleton = self.alphabet.skeleton(&state);
            if let Some(formula) = self.formula(&skeleton, &state) {
                blocks.insert(state, formula);
            }
        }
        let initial = self.canonical(&initial);
        Classes { alphabet: self.alphabet, data, steps, blocks, initial }
    }

    fn canonical(&mut self, state: &DiscreteState) -> DiscreteState {
        let Ok((skeleton, position)) = self.block_of(state) else { return state.clone() };
        let block = self.blocks.get(&skeleton).and_then(|blocks| blocks.get(position));
        let known = block.and_then(|block| block.representative.clone());
        known.unwrap_or_else(|| state.clone())
    }
}
