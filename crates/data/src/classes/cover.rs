//! A cover of the data of two models side by side, where there may be no finite number of classes.
//!
//! As in [classes](super::pairs) of pairs, states of one block have the same steps, and steps show the same in all of
//! it or nowhere. But a step may lead from a block to several others: a predicate abstraction (Graf and Saidi 1997).
//! The predicates are those that decide locally, how variables of the two models compare, and where steps lead, as often
//! as a depth says. Whoever follows one model with the other from every block that a step may lead to follows
//! it for all data. The steps that the second model makes alone count, too.

use std::collections::BTreeMap;

use tioga_base::{Budget, Rational};
use tioga_model::{
    ChannelId, Composer, DataClasses, DiscreteState, Kind, Model, StepLabel, Steps, Values,
};
use tioga_terms::{Answer, Assignment, Formula, SymbolId, Term};

use super::halt::{Halt, NoClasses};
use super::pairs::{
    After, Examined, Joint, Looked, Move, PairClasses, Pairs, Seen, Taken, arrived,
};
use crate::reason::{Reason, overflow};

/// To how many blocks steps from one block may lead.
const MOST_TARGETS: usize = 64;

/// How many pairs of variables are compared if their names differ.
const MOST_COMPARED: usize = 9;

/// A cover of two models side by side; blocks are split up to `depth` times because of where their steps lead. The
/// budget counts examined blocks.
///
/// Pre: the models have the same inputs and outputs by name, with the same parameters.
///
/// # Errors
/// If data are beyond what can be followed, or the budget is used up.
pub fn pair_cover<R: Reason>(
    models: [&Model; 2],
    depth: u32,
    solver: &mut R,
    budget: &mut Budget,
) -> Result<PairClasses, NoClasses> {
    Pairs::new(models, solver, Some(depth)).all(budget)
}

/// How many cells of an input beside one skeleton of the first model are compared with each other.
const MOST_CELLS: usize = 40;

/// Steps that are made together, or one alone, whose updates do not fault.
type Ends<'t> = [Option<&'t Taken>; 2];

/// A block at its representative.
type Here<'h> = (&'h Joint, &'h Joint, &'h Formula);

impl<R: Reason> Pairs<'_, R> {
    /// Looks at a block; where its steps lead is a reason to split it only if it may become finer.
    pub(super) fn look_roughly(&mut self, here: Here<'_>, finer: bool) -> Result<Looked, Halt> {
        let (_, _, block) = here;
        for related in self.related_variables()? {
            self.eyes(0).must_decide(block, related)?;
        }
        let Seen { mut composers, steps, taken, inputs } = self.see(here)?;
        let mut examined = Examined::default();
        let alone = [0, 1].into_iter().flat_map(|side| {
            let internal = taken[side].iter().filter(|one| is_internal(one));
            internal.filter_map(move |one| {
                one.after.as_ref()?;
                let mut ends: Ends<'_> = [None, None];
                ends[side] = Some(one);
                Some(ends)
            })
        });
        let all: Vec<Ends<'_>> = alone.chain(together(&taken)).collect();
        for ends in all {
            let parts = self.parts(here, block, &[ends])?;
            if finer
                && parts.len() > 1
                && let Some((part, _)) = parts.first()
            {
                return Ok(Looked::Finer(part.clone()));
            }
            for target in parts.into_iter().flat_map(|(_, targets)| targets) {
                examined.targets.push(target.clone());
                examined.leads.push((by(ends), target));
            }
        }
        for (channel, decisions) in &inputs {
            let asked = (*channel, &decisions[..], finer);
            let split = self.input_roughly(&mut composers, here, &steps, asked, &mut examined)?;
            if let Some(by) = split {
                return Ok(Looked::Finer(by));
            }
        }
        Ok(Looked::Done(examined))
    }

    /// How the values of variables of the two models compare: whether they are the same, and in a finer cover, which one is
    /// greater.
    fn related_variables(&mut self) -> Result<Vec<Formula>, NoClasses> {
        let [one, other] = &self.alphabets;
        let symbols = &one.symbols;
        let all = one.slots.len() * other.slots.len() <= MOST_COMPARED;
        let mut related = Vec::new();
        for own in one.slots.values() {
            for their in other.slots.values() {
                let comparable = symbols.sort(*own) == symbols.sort(*their);
                if comparable && (all || symbols[*own].name == symbols[*their].name) {
                    let (own, their) = (Term::symbol(*own), Term::symbol(*their));
                    related.push(Formula::equal(symbols, &own, &their));
                    if self.depth != Some(0) {
                        related.push(Formula::at_most(symbols, &own, &their));
                    }
                }
            }
        }
        Ok(related.into_iter().collect::<Result<_, _>>().map_err(|_| overflow())?)
    }

    /// The parts of a block from which steps lead to the same blocks, with a state of each that they lead to.
    fn parts(
        &mut self,
        (_, representative, _): Here<'_>,
        given: &Formula,
        all: &[Ends<'_>],
    ) -> Result<Vec<(Formula, Vec<Joint>)>, Halt> {
        let known = self.values(representative);
        let (mut parts, mut left) = (Vec::new(), Formula::True);
        loop {
            let rest = given.clone().and(left.clone());
            let found = match self.solver.decide(&self.alphabets[0].symbols, &rest) {
                Answer::Holds(found) => found,
                Answer::Never => return Ok(parts),
                Answer::Unknown(why) => return Err(NoClasses::from(why).into()),
            };
            if parts.len() >= MOST_TARGETS {
                let why = format!("a step leads to more than {MOST_TARGETS} kinds of data");
                return Err(NoClasses::from(why).into());
            }
            let (mut part, mut targets) = (Formula::True, Vec::new());
            for ends in all {
                let target = self.landed(representative, *ends, &known, &found)?;
                part = part.and(self.arrival_at(&target, afters(*ends))?);
                self.arrive(&target)?;
                targets.push(target);
            }
            let outside = self.eyes(0).opposite(&part)?;
            left = self.simplified(&left.and(outside), given);
            parts.push((part, targets));
        }
    }

    /// Where steps lead from the state with these values.
    fn landed(
        &self,
        representative: &Joint,
        ends: Ends<'_>,
        known: &Assignment,
        found: &Assignment,
    ) -> Result<Joint, NoClasses> {
        let symbols = &self.alphabets[0].symbols;
        let mut here: Assignment = symbols
            .iter()
            .map(|(id, symbol)| (id, Rational::from(symbol.low.unwrap_or(0))))
            .collect();
        for (symbol, value) in known.iter().chain(found.iter()) {
            here.set(symbol, value);
        }
        let after = afters(ends);
        let mut target = arrived(representative, after);
        for side in [0, 1] {
            let before = self.alphabets[side].data(&representative[side]);
            let data = after[side].map_or(&before, |(data, _)| data);
            let slots = &self.models[side].slots;
            let mut position = 0;
            while position < slots.len() {
                let value = data[position].value(&here).map_err(|_| overflow())?;
                let unknown = || "data after a step have no value".to_owned();
                let value = value.ok_or_else(unknown)?;
                target[side].data[position] = value.numerator();
                if slots[position].kind == Kind::Rational {
                    position += 1;
                    target[side].data[position] = value.denominator();
                }
                position += 1;
            }
        }
        Ok(target)
    }

    /// The cells of an input's values, each with the blocks it may lead to; or what to split the block by.
    fn input_roughly(
        &mut self,
        composers: &mut [Composer<'_>; 2],
        here: Here<'_>,
        steps: &[Steps; 2],
        (channel, decisions, finer): (ChannelId, &[Formula], bool),
        examined: &mut Examined,
    ) -> Result<Option<Formula>, Halt> {
        let (_, representative, block) = here;
        let Some(symbols) = self.alphabets[0].inputs.get(&channel).cloned() else {
            let why = "an input carries more values than can be followed".to_owned();
            return Err(NoClasses::Beyond(why, None).into());
        };
        let known = self.values(representative);
        let (mut offered, mut left) = (Vec::new(), Formula::True);
        while let Some(values) = self.eyes(0).in_cell(block, &left, &symbols, &known)? {
            let mut at = known.clone();
            for (symbol, value) in symbols.iter().zip(&values) {
                at.set(*symbol, *value);
            }
            let asked = (channel, &values[..], &at);
            let (cell, _) = self.cell(composers, here, steps, asked, decisions)?;
            let cell = self.simplified(&cell, block);
            self.eyes(0).in_cell(block, &cell, &symbols, &known)?;
            let outside = self.eyes(0).opposite(&cell)?;
            left = self.simplified(&left.and(outside), block);
            let cell = Cell { channel, cell, values, symbols: &symbols, decisions };
            match self.divide(composers, here, steps, &cell, finer, examined)? {
                Ok(found) => offered.extend(found),
                Err(by) => return Ok(Some(by)),
            }
        }
        examined.offers.push((channel, offered));
        Ok(None)
    }

    /// The values of a cell by where they lead. Values that lead to the same blocks stand for each other, and values
    /// that are not possible at the representative are joined with some that are.
    fn divide(
        &mut self,
        composers: &mut [Composer<'_>; 2],
        here: Here<'_>,
        steps: &[Steps; 2],
        cell: &Cell<'_>,
        finer: bool,
        examined: &mut Examined,
    ) -> Result<Result<Vec<(Values, Formula)>, Formula>, Halt> {
        let (_, representative, block) = here;
        let known = self.values(representative);
        let given = block.clone().and(cell.cell.clone());
        let (_, taken) = self.take(composers, here, steps, cell, &cell.values)?;
        let parts = self.parts(here, &given, &together(&taken))?;
        let mut offered = Vec::new();
        let mut rest: Vec<Vec<Joint>> = Vec::new();
        for (part, targets) in parts {
            let part = cell.cell.clone().and(part);
            let values = match self.eyes(0).in_cell(block, &part, cell.symbols, &known) {
                Ok(values) => values,
                Err(Halt::Split(by)) if finer => return Ok(Err(by)),
                Err(Halt::Split(_)) => self.values_at(&part, &known, cell.symbols)?,
                Err(stop) => return Err(stop),
            };
            match values {
                Some(values) => offered.push((values, part, targets)),
                None => rest.push(targets),
            }
        }
        let mut found = Vec::new();
        for (values, part, targets) in offered {
            let (_, taken) = self.take(composers, here, steps, cell, &values)?;
            let others = std::mem::take(&mut rest);
            for (position, ends) in together(&taken).into_iter().enumerate() {
                let all = [&targets].into_iter().chain(&others);
                for target in all.filter_map(|targets| targets.get(position)) {
                    examined.targets.push(target.clone());
                    examined.leads.push((by(ends), target.clone()));
                }
            }
            let message = self.alphabets[0].message(cell.channel, self.models[0], &values);
            found.push((Values::from_vec(message), part));
        }
        if !rest.is_empty() {
            let why = "an input has no values at a representative".to_owned();
            return Err(NoClasses::from(why).into());
        }
        Ok(Ok(found))
    }

    /// Notes which cells of an input have no state of the first model and no values in common.
    pub(super) fn note_apart(
        &mut self,
        conditions: &BTreeMap<(Joint, ChannelId, Values), Formula>,
        data: &mut DataClasses,
    ) -> Result<(), NoClasses> {
        let theirs: Vec<SymbolId> = self.alphabets[1].slots.values().copied().collect();
        let mut groups: BTreeMap<(DiscreteState, ChannelId), Vec<_>> = BTreeMap::new();
        for ((state, channel, values), cell) in conditions {
            let (skeleton, position) = self.block_of(state)?;
            let block = self.blocks.get(&skeleton).and_then(|all| all.get(position));
            let whole = block.map_or(Formula::True, |block| block.formula.clone());
            let whole = whole.and(cell.clone());
            let symbols = &self.alphabets[0].symbols;
            let Ok(own) = self.solver.project(symbols, &whole, &theirs) else { continue };
            let [first, _] = skeleton;
            groups.entry((first, *channel)).or_default().push((state, values, own));
        }
        for ((_, channel), cells) in groups {
            if cells.len() > MOST_CELLS {
                continue;
            }
            for (position, (state, values, cell)) in cells.iter().enumerate() {
                for (other, further, also) in &cells[position + 1..] {
                    let both = cell.clone().and(also.clone());
                    let symbols = &self.alphabets[0].symbols;
                    if self.solver.decide(symbols, &both) == Answer::Never {
                        let one = (state[0].beside(&state[1]), (*values).clone());
                        let other = (other[0].beside(&other[1]), (*further).clone());
                        data.set_apart(channel, one, other);
                    }
                }
            }
        }
        Ok(())
    }

    fn take(
        &mut self,
        composers: &mut [Composer<'_>; 2],
        here: Here<'_>,
        steps: &[Steps; 2],
        cell: &Cell<'_>,
        values: &[Rational],
    ) -> Result<(Formula, [Vec<Taken>; 2]), Halt> {
        let mut at = self.values(here.1);
        for (symbol, value) in cell.symbols.iter().zip(values) {
            at.set(*symbol, *value);
        }
        self.cell(composers, here, steps, (cell.channel, values, &at), cell.decisions)
    }

    /// Values of an input in a cell at a representative, if there are some.
    fn values_at(
        &mut self,
        cell: &Formula,
        known: &Assignment,
        symbols: &[SymbolId],
    ) -> Result<Option<Vec<Rational>>, NoClasses> {
        let table = &self.alphabets[0].symbols;
        let mut asking = crate::reason::Asking { symbols: table, solver: &mut *self.solver };
        Ok(asking.values(cell, known, symbols)?)
    }
}

/// Values of an input that are treated alike.
struct Cell<'c> {
    channel: ChannelId,
    cell: Formula,
    values: Vec<Rational>,
    symbols: &'c [SymbolId],
    decisions: &'c [Formula],
}

fn afters<'t>(ends: Ends<'t>) -> [Option<&'t After>; 2] {
    ends.map(|one| one.and_then(|one| one.after.as_ref()))
}

fn by(ends: Ends<'_>) -> Move {
    ends.map(|one| one.map(|one| one.step.taking()))
}

fn is_internal(taken: &Taken) -> bool {
    matches!(taken.label, StepLabel::Internal(_))
}

/// The steps of the first model with those of the second that show the same.
fn together(taken: &[Vec<Taken>; 2]) -> Vec<Ends<'_>> {
    let mut all = Vec::new();
    for one in taken[0].iter().filter(|one| !is_internal(one)) {
        let same = |other: &&Taken| {
            other.label == one.label
                && other.step.arguments == one.step.arguments
                && other.step.reply == one.step.reply
        };
        for other in taken[1].iter().filter(same) {
            if one.after.is_some() && other.after.is_some() {
                all.push([Some(one), Some(other)]);
            }
        }
    }
    all
}
