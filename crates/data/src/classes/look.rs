//! The examination of one block at its representative: which steps there are, with which values, and where they
//! lead. What does not hold in the whole block is a reason to split it.

use std::collections::BTreeSet;

use tioga_model::{ChannelId, Composer, DiscreteState, Step, StepLabel, Steps, Values};
use tioga_terms::{Formula, SymbolId, Term};

use super::{ClassStep, Examined, Halt, NoClasses, Partition};
use crate::decisions::{Collector, Decisions};
use crate::reason::{Reason, overflow};
use crate::run::SMALL;

impl<R: Reason> Partition<'_, R> {
    /// What can be seen at a representative, if it holds for the whole block.
    pub(super) fn look(
        &mut self,
        skeleton: &DiscreteState,
        representative: &DiscreteState,
        block: &Formula,
    ) -> Result<Examined, Halt> {
        let collector = Collector::new(self.model, &self.alphabet, self.solver, self.asked);
        let Decisions { state, inputs } = collector.collect(skeleton, block)?;
        for formula in state {
            self.eyes().must_decide(block, formula)?;
        }
        let mut composer = Composer::unrolling(self.model, SMALL as u64);
        let mut steps = Steps::new();
        composer.steps(representative, &mut steps);
        let known = self.alphabet.values(representative);
        let mut examined = Examined::default();
        let mut sent: Vec<(StepLabel, Vec<Term>)> = Vec::new();
        for step in &steps.list {
            let arguments = self.eyes().arguments(skeleton, block, step, &[])?;
            for (label, other) in &sent {
                if *label == step.label && *other != arguments {
                    let same = self.eyes().equal(other, &arguments)?;
                    self.eyes().must_decide(block, same)?;
                }
            }
            sent.push((step.label, arguments.clone()));
            let (condition, after) = self.eyes().effect_at(skeleton, block, step, &[], &known)?;
            self.eyes().must_decide(block, condition)?;
            if let Some(data) = after
                && let Some(arrival) = self.arrival(&mut composer, representative, step, &data)?
            {
                self.eyes().must_decide(block, arrival)?;
            }
            self.take(
                &mut composer,
                representative,
                block,
                step,
                arguments,
                Formula::True,
                &mut examined,
            )?;
        }
        let awaiting: BTreeSet<ChannelId> = steps.awaiting.iter().map(|one| one.channel).collect();
        for channel in awaiting {
            let Some(symbols) = self.alphabet.inputs.get(&channel).cloned() else {
                let why = "an input carries more values than can be followed".to_owned();
                return Err(NoClasses::Beyond(why, None).into());
            };
            let decisions = inputs.get(&channel).map_or(&[][..], |list| &list[..]);
            self.input(
                &mut composer,
                skeleton,
                representative,
                block,
                channel,
                &symbols,
                decisions,
                &steps,
                &mut examined,
            )?;
        }
        Ok(examined)
    }

    /// The cells of an input's values, each with its steps.
    #[expect(clippy::too_many_arguments, reason = "one step of the examination, named for reading")]
    fn input(
        &mut self,
        composer: &mut Composer<'_>,
        skeleton: &DiscreteState,
        representative: &DiscreteState,
        block: &Formula,
        channel: ChannelId,
        symbols: &[SymbolId],
        decisions: &[Formula],
        steps: &Steps,
        examined: &mut Examined,
    ) -> Result<(), Halt> {
        let known = self.alphabet.values(representative);
        let frame = self.alphabet.frame(channel, self.model).unwrap_or_default();
        let mut offered = Vec::new();
        let mut left = Formula::True;
        while let Some(values) = self.eyes().in_cell(block, &left, symbols, &known)? {
            // All values that decide as these do, and lead where these do.
            let mut here = known.clone();
            for (symbol, value) in symbols.iter().zip(&values) {
                here.set(*symbol, *value);
            }
            let mut cell = Formula::True;
            for decision in decisions {
                cell = cell.and(self.eyes().as_at(decision, &here)?);
            }
            let given = block.clone().and(cell.clone());
            let taken = self.eyes().supplied(composer, representative, steps, channel, &values);
            let mut arguments: Vec<Vec<Term>> = Vec::new();
            for (position, step) in taken.iter().enumerate() {
                let (condition, after) =
                    self.eyes().effect_at(skeleton, &given, step, &frame, &here)?;
                cell = cell.and(condition);
                if let Some(data) = after
                    && let Some(arrival) = self.arrival(composer, representative, step, &data)?
                {
                    cell = cell.and(arrival);
                }
                let own = self.eyes().arguments(skeleton, &given, step, &frame)?;
                for (other, carried) in taken[..position].iter().zip(&arguments) {
                    if other.label == step.label && *carried != own {
                        let same = self.eyes().equal(carried, &own)?;
                        cell = cell.and(self.eyes().as_at(&same, &here)?);
                    }
                }
                arguments.push(own);
            }
            let asking = self.asking();
            let cell = asking.solver.simplify(asking.symbols, &cell, block);
            self.eyes().in_cell(block, &cell, symbols, &known)?;
            let given = block.clone().and(cell.clone());
            for (step, arguments) in taken.iter().zip(arguments) {
                let (given, cell) = (&given, cell.clone());
                self.take(composer, representative, given, step, arguments, cell, examined)?;
            }
            offered.push(Values::from_vec(self.alphabet.message(channel, self.model, &values)));
            let asking = self.asking();
            let outside = asking.opposite(&cell)?;
            left = asking.solver.simplify(asking.symbols, &left.and(outside), block);
        }
        examined.offers.push((channel, offered));
        Ok(())
    }

    /// The formula of the block that a step of the representative leads to, over what was before.
    fn arrival(
        &mut self,
        composer: &mut Composer<'_>,
        representative: &DiscreteState,
        step: &Step,
        data: &[Term],
    ) -> Result<Option<Formula>, Halt> {
        let Ok(applied) = composer.apply(representative, step) else { return Ok(None) };
        let (skeleton, position) = self.block_of(&applied.target)?;
        let Some(block) = self.blocks.get(&skeleton).and_then(|all| all.get(position)) else {
            return Ok(None);
        };
        let alphabet = &self.alphabet;
        let with =
            |symbol| alphabet.slot_of(symbol).and_then(|position| data.get(position)).cloned();
        let before = block.formula.substitute(&alphabet.symbols, &with);
        let mut before = before.map_err(|_| NoClasses::from(overflow()))?;
        // Where few values are followed one by one, they have to be the same, too.
        for (position, term) in data.iter().enumerate() {
            if !alphabet.slots.contains_key(&position) && term.as_number().is_none() {
                let value = Term::int(applied.target.data[position]);
                let same = Formula::equal(&alphabet.symbols, term, &value);
                before = before.and(same.map_err(|_| NoClasses::from(overflow()))?);
            }
        }
        Ok(Some(before))
    }

    /// Takes a step from a representative, and notes what it means for the block.
    #[expect(clippy::too_many_arguments, reason = "one step of the examination, named for reading")]
    fn take(
        &mut self,
        composer: &mut Composer<'_>,
        representative: &DiscreteState,
        given: &Formula,
        step: &Step,
        arguments: Vec<Term>,
        condition: Formula,
        examined: &mut Examined,
    ) -> Result<(), Halt> {
        let Ok(applied) = composer.apply(representative, step) else { return Ok(()) };
        let skeleton = self.alphabet.skeleton(representative);
        let frame = match step.label {
            StepLabel::Input(channel) | StepLabel::Exchange(channel, _) => {
                self.alphabet.frame(channel, self.model).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        let mut updates = Vec::new();
        for (way, done, data) in self.eyes().effects(&skeleton, given, step, &frame)? {
            if done && self.asking().decided(given, &way)? != Some(false) {
                for (position, symbol) in &self.alphabet.slots {
                    if data[*position] != Term::symbol(*symbol) {
                        updates.push((*symbol, data[*position].clone()));
                    }
                }
                break;
            }
        }
        self.arrive(&applied.target)?;
        examined.leads_to.insert(self.alphabet.skeleton(&applied.target));
        let target = applied.target;
        let meaning = ClassStep { condition, arguments, updates, target };
        examined.steps.push((step.label, step.arguments.clone(), step.reply.clone(), meaning));
        Ok(())
    }
}
