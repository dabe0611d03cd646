//! Classes of the data of two models side by side, which take the same inputs and are asked for the same outputs.
//!
//! As for one model, with blocks of pairs of states. What decides are the steps of both; whether two steps show
//! the same, as formulas over the data of both; and where each pair of steps that show the same leads.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tioga_base::{Budget, Rational};
use tioga_model::{
    ChannelId, Composer, DataClasses, DiscreteState, EdgeId, Kind, Model, ProcessId, Step,
    StepLabel, Steps, Values,
};
use tioga_terms::{Assignment, Formula, Term};

use super::eyes::Eyes;
use super::halt::{Halt, NoClasses};
use crate::alphabet::Alphabet;
use crate::decisions::Collector;
use crate::reason::{Asking, Reason, overflow};
use crate::run::SMALL;

/// A state of each model.
pub(crate) type Joint = [DiscreteState; 2];

/// The classes of two models side by side.
#[derive(Clone, Debug)]
pub struct PairClasses {
    /// Which states and values stand for all: states side by side, channels of the first model.
    pub data: DataClasses,
    /// How many classes were reached.
    pub count: usize,
    pub(crate) alphabets: [Alphabet; 2],
    /// The values that lead from a pair where these do.
    pub(crate) conditions: BTreeMap<(Joint, ChannelId, Values), Formula>,
}

pub(super) struct Block {
    pub(super) formula: Formula,
    representative: Option<Joint>,
    leads_to: BTreeSet<Joint>,
    /// How often it was split because of where its steps lead, in a [cover](super::cover).
    pub(super) depth: u32,
}

impl Block {
    fn new(formula: Formula, depth: u32) -> Self {
        Self { formula, representative: None, leads_to: BTreeSet::new(), depth }
    }
}

#[derive(Default)]
pub(super) struct Examined {
    pub(super) offers: Vec<(ChannelId, Vec<(Values, Formula)>)>,
    pub(super) targets: Vec<Joint>,
    /// Where moves lead, in a [cover](super::cover).
    pub(super) leads: Vec<(Move, Joint)>,
}

/// Steps that both models make together, or one of them alone: the edges, and what they carry.
pub(super) type Move = [Option<(Box<[(ProcessId, EdgeId)]>, Values)>; 2];

/// What came of looking at a block.
pub(super) enum Looked {
    Done(Examined),
    /// It is to be split by a formula that decides where its steps lead.
    Finer(Formula),
}

/// The data after a step, and where it leads.
pub(super) type After = (Vec<Term>, DiscreteState);

/// A step of one model, and what it means in the block.
pub(super) struct Taken {
    /// What it shows, with channels of the first model.
    pub(super) label: StepLabel,
    pub(super) step: Step,
    arguments: Vec<Term>,
    /// Nothing if its update faults.
    pub(super) after: Option<After>,
}

/// What there is to see at a representative.
pub(super) struct Seen<'p> {
    pub(super) composers: [Composer<'p>; 2],
    pub(super) steps: [Steps; 2],
    pub(super) taken: [Vec<Taken>; 2],
    /// The inputs whose values are too many to be tried, with what decides there.
    pub(super) inputs: Vec<(ChannelId, Vec<Formula>)>,
}

pub(super) struct Pairs<'p, R: ?Sized> {
    pub(super) models: [&'p Model; 2],
    pub(super) alphabets: [Alphabet; 2],
    pub(super) solver: &'p mut R,
    pub(super) blocks: BTreeMap<Joint, Vec<Block>>,
    waiting: VecDeque<(Joint, Joint)>,
    examined: BTreeMap<Joint, Examined>,
    /// In a cover, how often blocks are split because of where their steps lead.
    pub(super) depth: Option<u32>,
}

/// The classes of two models side by side. The budget counts examined blocks.
///
/// Pre: the models have the same inputs and outputs by name, with the same parameters.
///
/// # Errors
/// If data are beyond what can be followed, or the budget is used up.
pub fn pair_classes<R: Reason>(
    models: [&Model; 2],
    solver: &mut R,
    budget: &mut Budget,
) -> Result<PairClasses, NoClasses> {
    Pairs::new(models, solver, None).all(budget)
}

impl<'p, R: Reason> Pairs<'p, R> {
    pub(super) fn new(models: [&'p Model; 2], solver: &'p mut R, depth: Option<u32>) -> Self {
        let alphabets = Alphabet::beside(models[0], models[1]);
        let (blocks, waiting, examined) = (BTreeMap::new(), VecDeque::new(), BTreeMap::new());
        Self { models, alphabets, solver, blocks, waiting, examined, depth }
    }

    pub(super) fn all(mut self, budget: &mut Budget) -> Result<PairClasses, NoClasses> {
        let initial = self.models.map(|model| Composer::new(model).initial());
        self.arrive(&initial)?;
        while let Some((skeleton, representative)) = self.waiting.pop_front() {
            budget.step()?;
            self.examine(&skeleton, &representative, budget)?;
        }
        self.finish()
    }
}

impl<'p, R: Reason> Pairs<'p, R> {
    fn skeleton(&self, state: &Joint) -> Joint {
        [0, 1].map(|side| self.alphabets[side].skeleton(&state[side]))
    }

    pub(super) fn values(&self, state: &Joint) -> Assignment {
        values(&self.alphabets, state)
    }

    pub(super) fn eyes(&mut self, side: usize) -> Eyes<'_, R> {
        Eyes { model: self.models[side], alphabet: &self.alphabets[side], solver: self.solver }
    }

    /// A channel of one of the models as the first one has it.
    fn common(&self, side: usize, channel: ChannelId) -> ChannelId {
        own_channel(self.models, side, 0, channel).unwrap_or(channel)
    }

    pub(super) fn block_of(&mut self, state: &Joint) -> Result<(Joint, usize), NoClasses> {
        let (skeleton, values) = (self.skeleton(state), self.values(state));
        let blocks = self.blocks.entry(skeleton.clone());
        let blocks = blocks.or_insert_with(|| vec![Block::new(Formula::True, 0)]);
        for (position, block) in blocks.iter().enumerate() {
            if block.formula.holds(&values).map_err(|_| overflow())? == Some(true) {
                return Ok((skeleton, position));
            }
        }
        Err("a state belongs to no class".to_owned().into())
    }

    pub(super) fn arrive(&mut self, state: &Joint) -> Result<(), NoClasses> {
        let (skeleton, position) = self.block_of(state)?;
        let block = self.blocks.get_mut(&skeleton).and_then(|blocks| blocks.get_mut(position));
        if let Some(block) = block.filter(|block| block.representative.is_none()) {
            block.representative = Some(state.clone());
            self.waiting.push_back((skeleton, state.clone()));
        }
        Ok(())
    }

    fn block(&mut self, skeleton: &Joint, representative: &Joint) -> Option<&mut Block> {
        let mut blocks = self.blocks.get_mut(skeleton)?.iter_mut();
        blocks.find(|block| block.representative.as_ref() == Some(representative))
    }

    fn examine(
        &mut self,
        skeleton: &Joint,
        representative: &Joint,
        budget: &mut Budget,
    ) -> Result<(), NoClasses> {
        while let Some(block) = self.block(skeleton, representative) {
            let (formula, depth) = (block.formula.clone(), block.depth);
            let looked = match self.depth {
                None => self.look(skeleton, representative, &formula).map(Looked::Done),
                Some(most) => {
                    budget.step()?;
                    let here = (skeleton, representative, &formula);
                    self.look_roughly(here, depth < most)
                }
            };
            match looked {
                Ok(Looked::Done(examined)) => {
                    let leads_to = examined.targets.iter().map(|one| self.skeleton(one)).collect();
                    if let Some(own) = self.block(skeleton, representative) {
                        own.leads_to = leads_to;
                    }
                    self.examined.insert(representative.clone(), examined);
                    return Ok(());
                }
                Ok(Looked::Finer(by)) => {
                    self.split(skeleton, representative, (&formula, depth + 1), by)?;
                }
                Err(Halt::Split(by)) => {
                    self.split(skeleton, representative, (&formula, depth), by)?;
                }
                Err(Halt::Stop(why)) => return Err(why),
            }
        }
        Ok(())
    }

    fn split(
        &mut self,
        skeleton: &Joint,
        representative: &Joint,
        (block, depth): (&Formula, u32),
        by: Formula,
    ) -> Result<(), NoClasses> {
        let values = self.values(representative);
        let holds = by.holds(&values).map_err(|_| overflow())? == Some(true);
        let symbols = &self.alphabets[0].symbols;
        let asking = Asking { symbols, solver: &mut *self.solver };
        let opposite = asking.opposite(&by)?;
        let (inside, outside) = if holds { (by, opposite) } else { (opposite, by) };
        let mut part = |formula: Formula| {
            asking.solver.simplify(symbols, &block.clone().and(formula), &Formula::True)
        };
        let (inside, outside) = (part(inside), part(outside));
        if let Some(own) = self.block(skeleton, representative) {
            (own.formula, own.depth) = (inside, depth);
        }
        let rest = Block::new(outside, depth);
        self.blocks.entry(skeleton.clone()).or_default().push(rest);
        for (from, blocks) in &self.blocks {
            for one in blocks.iter().filter(|one| one.leads_to.contains(skeleton)) {
                if let Some(known) = &one.representative
                    && self.examined.remove(known).is_some()
                {
                    self.waiting.push_back((from.clone(), known.clone()));
                }
            }
        }
        Ok(())
    }

    fn look(
        &mut self,
        skeleton: &Joint,
        representative: &Joint,
        block: &Formula,
    ) -> Result<Examined, Halt> {
        let here = (skeleton, representative, block);
        let Seen { mut composers, steps, taken, inputs } = self.see(here)?;
        let mut examined = Examined::default();
        for (target, arrival) in self.arrivals(representative, &taken)? {
            self.eyes(0).must_decide(block, arrival)?;
            self.arrive(&target)?;
            examined.targets.push(target);
        }
        for (channel, own) in &inputs {
            self.input(&mut composers, here, &steps, *channel, own, &mut examined)?;
        }
        Ok(examined)
    }

    /// What there is to see at a representative that holds for the whole block.
    pub(super) fn see(
        &mut self,
        (skeleton, representative, block): (&Joint, &Joint, &Formula),
    ) -> Result<Seen<'p>, Halt> {
        let mut decisions: BTreeMap<ChannelId, Vec<Formula>> = BTreeMap::new();
        for side in [0, 1] {
            let (model, alphabet) = (self.models[side], &self.alphabets[side]);
            let collector = Collector::new(model, alphabet, self.solver, &[]);
            let found = collector.collect(&skeleton[side], block)?;
            for formula in found.state {
                self.eyes(side).must_decide(block, formula)?;
            }
            for (channel, formulas) in found.inputs {
                decisions.entry(self.common(side, channel)).or_default().extend(formulas);
            }
        }
        let known = self.values(representative);
        let mut composers = self.models.map(|model| Composer::unrolling(model, SMALL as u64));
        let mut steps = [Steps::new(), Steps::new()];
        let mut taken = [Vec::new(), Vec::new()];
        for side in [0, 1] {
            composers[side].steps(&representative[side], &mut steps[side]);
            for step in &steps[side].list {
                let composer = &mut composers[side];
                let (condition, one) =
                    self.taken(composer, side, (skeleton, representative), block, step, &known)?;
                self.eyes(side).must_decide(block, condition)?;
                taken[side].push(one);
            }
        }
        for same in self.equalities(&taken)? {
            self.eyes(0).must_decide(block, same)?;
        }
        let awaiting = [0, 1]
            .into_iter()
            .flat_map(|side| steps[side].awaiting.iter().map(move |one| (side, one.channel)));
        let channels: BTreeSet<ChannelId> =
            awaiting.map(|(side, channel)| self.common(side, channel)).collect();
        let own = |channel| (channel, decisions.remove(&channel).unwrap_or_default());
        let inputs = channels.into_iter().map(own).collect();
        Ok(Seen { composers, steps, taken, inputs })
    }

    /// The cells of an input's values, each with where it leads.
    fn input(
        &mut self,
        composers: &mut [Composer<'_>; 2],
        (skeleton, representative, block): (&Joint, &Joint, &Formula),
        steps: &[Steps; 2],
        channel: ChannelId,
        decisions: &[Formula],
        examined: &mut Examined,
    ) -> Result<(), Halt> {
        let Some(symbols) = self.alphabets[0].inputs.get(&channel).cloned() else {
            let why = "an input carries more values than can be followed".to_owned();
            return Err(NoClasses::Beyond(why, None).into());
        };
        let known = self.values(representative);
        let mut offered = Vec::new();
        let mut left = Formula::True;
        while let Some(values) = self.eyes(0).in_cell(block, &left, &symbols, &known)? {
            let mut here = known.clone();
            for (symbol, value) in symbols.iter().zip(&values) {
                here.set(*symbol, *value);
            }
            let asked = (channel, &values[..], &here);
            let place = (skeleton, representative, block);
            let (mut cell, taken) = self.cell(composers, place, steps, asked, decisions)?;
            let arrivals = self.arrivals(representative, &taken)?;
            for (_, arrival) in &arrivals {
                cell = cell.and(arrival.clone());
            }
            let cell = self.simplified(&cell, block);
            self.eyes(0).in_cell(block, &cell, &symbols, &known)?;
            for (target, _) in arrivals {
                self.arrive(&target)?;
                examined.targets.push(target);
            }
            let message = self.alphabets[0].message(channel, self.models[0], &values);
            let outside = self.eyes(0).opposite(&cell)?;
            left = self.simplified(&left.and(outside), block);
            offered.push((Values::from_vec(message), cell));
        }
        examined.offers.push((channel, offered));
        Ok(())
    }

    /// The values of an input that are treated as these are, with the steps that take them.
    pub(super) fn cell(
        &mut self,
        composers: &mut [Composer<'_>; 2],
        (skeleton, representative, block): (&Joint, &Joint, &Formula),
        steps: &[Steps; 2],
        (channel, values, here): (ChannelId, &[Rational], &Assignment),
        decisions: &[Formula],
    ) -> Result<(Formula, [Vec<Taken>; 2]), Halt> {
        let mut cell = Formula::True;
        for decision in decisions {
            cell = cell.and(self.eyes(0).as_at(decision, here)?);
        }
        let given = block.clone().and(cell.clone());
        let mut taken = [Vec::new(), Vec::new()];
        for side in [0, 1] {
            let Some(own) = own_channel(self.models, 0, side, channel) else { continue };
            let composer = &mut composers[side];
            let eyes = self.eyes(side);
            let all = eyes.supplied(composer, &representative[side], &steps[side], own, values);
            for step in &all {
                let place = (skeleton, representative);
                let (condition, one) = self.taken(composer, side, place, &given, step, here)?;
                cell = cell.and(condition);
                taken[side].push(one);
            }
        }
        for same in self.equalities(&taken)? {
            cell = cell.and(self.eyes(0).as_at(&same, here)?);
        }
        Ok((cell, taken))
    }

    pub(super) fn simplified(&mut self, formula: &Formula, given: &Formula) -> Formula {
        self.solver.simplify(&self.alphabets[0].symbols, formula, given)
    }

    /// What a step means in a block, with the condition of the way its update takes.
    fn taken(
        &mut self,
        composer: &mut Composer<'_>,
        side: usize,
        (skeleton, representative): (&Joint, &Joint),
        given: &Formula,
        step: &Step,
        here: &Assignment,
    ) -> Result<(Formula, Taken), Halt> {
        let model = self.models[side];
        let frame = match step.label {
            StepLabel::Input(channel) | StepLabel::Exchange(channel, _) => {
                self.alphabets[side].frame(channel, model).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        let arguments = self.eyes(side).arguments(&skeleton[side], given, step, &frame)?;
        let (condition, data) =
            self.eyes(side).effect_at(&skeleton[side], given, step, &frame, here)?;
        let applied = composer.apply(&representative[side], step).ok();
        let after = data.zip(applied.map(|applied| applied.target));
        let label = match step.label {
            StepLabel::Input(channel) => StepLabel::Input(self.common(side, channel)),
            StepLabel::Output(channel) => StepLabel::Output(self.common(side, channel)),
            StepLabel::Exchange(input, output) => {
                StepLabel::Exchange(self.common(side, input), self.common(side, output))
            }
            internal @ StepLabel::Internal(_) => internal,
        };
        Ok((condition, Taken { label, step: step.clone(), arguments, after }))
    }

    /// Whether steps that look the same carry the same, where that is not plain.
    fn equalities(&mut self, taken: &[Vec<Taken>; 2]) -> Result<Vec<Formula>, Halt> {
        let all: Vec<&Taken> = taken.iter().flatten().collect();
        let mut equal = Vec::new();
        for (position, one) in all.iter().enumerate() {
            for other in &all[position + 1..] {
                let shown = !matches!(one.label, StepLabel::Internal(_));
                if shown && one.label == other.label && one.arguments != other.arguments {
                    equal.push(self.eyes(0).equal(&one.arguments, &other.arguments)?);
                }
            }
        }
        Ok(equal)
    }

    /// Where steps of the first model lead, together with steps of the second that show the same: the pair of
    /// states, and the formula of its block over what was before.
    fn arrivals(
        &mut self,
        representative: &Joint,
        taken: &[Vec<Taken>; 2],
    ) -> Result<Vec<(Joint, Formula)>, Halt> {
        let mut arrivals = Vec::new();
        for one in &taken[0] {
            let Some(first) = &one.after else { continue };
            if matches!(one.label, StepLabel::Internal(_)) {
                arrivals.push(self.arrival(representative, [Some(first), None])?);
                continue;
            }
            let same = |other: &&Taken| {
                other.label == one.label
                    && other.step.arguments == one.step.arguments
                    && other.step.reply == one.step.reply
            };
            for other in taken[1].iter().filter(same) {
                if let Some(second) = &other.after {
                    arrivals.push(self.arrival(representative, [Some(first), Some(second)])?);
                }
            }
        }
        Ok(arrivals)
    }

    fn arrival(
        &mut self,
        representative: &Joint,
        after: [Option<&After>; 2],
    ) -> Result<(Joint, Formula), Halt> {
        let target = arrived(representative, after);
        let formula = self.arrival_at(&target, after)?;
        Ok((target, formula))
    }

    /// The formula of the block of a state that steps lead to, over what was before.
    pub(super) fn arrival_at(
        &mut self,
        target: &Joint,
        after: [Option<&After>; 2],
    ) -> Result<Formula, Halt> {
        let (skeleton, position) = self.block_of(target)?;
        let formula = self.blocks.get(&skeleton).and_then(|all| all.get(position));
        let formula = formula.map_or(Formula::True, |block| block.formula.clone());
        let symbols = &self.alphabets[0].symbols;
        let with = |symbol| {
            let own = |side: usize| {
                let (data, _) = after[side]?;
                self.alphabets[side].slot_of(symbol).and_then(|slot| data.get(slot)).cloned()
            };
            own(0).or_else(|| own(1))
        };
        let before = formula.substitute(symbols, &with);
        let mut before = before.map_err(|_| NoClasses::from(overflow()))?;
        for (side, one) in after.iter().enumerate() {
            let Some((data, _)) = one else { continue };
            for (slot, term) in data.iter().enumerate() {
                if !self.alphabets[side].slots.contains_key(&slot) && term.as_number().is_none() {
                    let same = Formula::equal(symbols, term, &Term::int(target[side].data[slot]));
                    before = before.and(same.map_err(|_| NoClasses::from(overflow()))?);
                }
            }
        }
        Ok(before)
    }

    /// The representative of the block of a state.
    pub(super) fn representative(&mut self, state: &Joint) -> Result<Option<Joint>, NoClasses> {
        let (skeleton, position) = self.block_of(state)?;
        let block = self.blocks.get(&skeleton).and_then(|all| all.get(position));
        Ok(block.and_then(|block| block.representative.clone()))
    }

    /// The slots of both models side by side that are followed as symbols.
    fn unknown_slots(&self) -> Vec<usize> {
        let mut all = Vec::new();
        let mut before = 0;
        for (model, alphabet) in self.models.iter().zip(&self.alphabets) {
            for slot in alphabet.slots.keys() {
                all.push(before + slot);
                if model.slots[*slot].kind == Kind::Rational {
                    all.push(before + slot + 1);
                }
            }
            before += model.slots.len();
        }
        all
    }

    fn finish(mut self) -> Result<PairClasses, NoClasses> {
        let (mut data, mut conditions) = (DataClasses::new(), BTreeMap::new());
        data.stand_in(self.unknown_slots());
        let examined = std::mem::take(&mut self.examined);
        let count = examined.len();
        for (state, examined) in examined {
            let joint = state[0].beside(&state[1]);
            for (channel, offered) in examined.offers {
                let values = offered.iter().map(|(values, _)| values.clone()).collect();
                data.offer(joint.clone(), channel, values);
                for (values, condition) in offered {
                    conditions.insert((state.clone(), channel, values), condition);
                }
            }
            for target in examined.targets {
                if let Some(known) = self.representative(&target)? {
                    data.replace(target[0].beside(&target[1]), known[0].beside(&known[1]));
                }
            }
            for (by, target) in examined.leads {
                if let Some(known) = self.representative(&target)? {
                    data.lead(joint.clone(), by, known[0].beside(&known[1]));
                }
            }
        }
        if self.depth.is_some() {
            self.note_apart(&conditions, &mut data)?;
        }
        Ok(PairClasses { data, count, alphabets: self.alphabets, conditions })
    }
}

/// Where steps lead from a pair of states.
pub(super) fn arrived(before: &Joint, after: [Option<&After>; 2]) -> Joint {
    [0, 1].map(|side| after[side].map_or(&before[side], |one| &one.1).clone())
}

/// The values of the symbols in a pair of states.
pub(crate) fn values(alphabets: &[Alphabet; 2], state: &Joint) -> Assignment {
    let mut all = alphabets[0].values(&state[0]);
    let others = alphabets[1].values(&state[1]);
    for symbol in alphabets[1].slots.values() {
        let value = others.get(*symbol);
        all.set(*symbol, value.unwrap_or(Rational::ZERO));
    }
    all
}

/// A channel of one model as another one has it, by its name.
pub(crate) fn own_channel(
    models: [&Model; 2],
    from: usize,
    to: usize,
    channel: ChannelId,
) -> Option<ChannelId> {
    if from == to {
        return Some(channel);
    }
    let name = &models[from].channels[channel].name;
    let mut all = models[to].channels.iter_ids().filter(|(_, other)| other.direction.is_some());
    all.find(|(_, other)| other.name == *name).map(|(id, _)| id)
}
