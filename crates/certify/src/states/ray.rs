//! The future of a state in which only time passes, cut where anything changes.
//!
//! Every condition of the model and every zone of the certificate is made of bounds on clocks. Along the
//! ray of delays from a state, and after the assignments of a step too, each clock either grows
//! with the delay or is constant; so every bound changes its truth at one delay at most. Between
//! these delays nothing changes. The ray is therefore a finite sequence of *pieces*: single delays
//! and the open intervals between them, each known from one sample.

use tioga_base::{Overflow, Rational};
use tioga_model::{ClockBound, Objective};
use tioga_testcase::{Rank, Ranked};

use super::checked_state::{CheckedState, CheckedStep, Wish};
use super::valuation::Valuation;

/// The delays allowed from a state.
#[derive(Debug)]
pub(crate) struct Ray {
    /// In order of time; the first is the delay 0.
    pub pieces: Vec<Piece>,
    /// Where time ends, and whether it gets there; `None` if it does not end.
    pub end: Option<(Rational, bool)>,
}

/// A part of a ray in which nothing changes.
#[derive(Debug)]
pub(crate) struct Piece {
    /// A delay of this piece.
    pub delay: Rational,
    /// Whether it is an open interval, which has no first moment.
    pub open: bool,
    /// The claimed rank.
    pub rank: Option<Rank>,
    /// Whether the objective is reached: by the tester, or violated if it is to avoid something.
    pub goal: bool,
    /// Whether the objective forbids to pass here.
    pub forbidden: bool,
    /// What the steps possible here lead to.
    pub landings: Vec<Landing>,
    /// The position of the rule that applies.
    pub rule: Option<usize>,
}

/// A possible step and where it leads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landing {
    /// The position of the step among those of the checked state.
    pub position: usize,
    /// Its position in the enumeration of steps.
    pub index: u32,
    /// Whether the tester makes it.
    pub input: bool,
    /// The claimed rank of where it leads.
    pub rank: Option<Rank>,
}

impl Ray {
    /// The ray from a valuation that satisfies the invariant.
    pub fn from(
        checked: &CheckedState<'_>,
        start: &Valuation,
        objective: &Objective,
    ) -> Result<Self, Overflow> {
        let cuts = if checked.stops_time { vec![Rational::ZERO] } else { cuts(checked, start)? };
        Self::cut_at(&cuts, checked, start, objective, true)
    }

    /// The beginning of the ray from a valuation that satisfies the invariant, up to a delay within which
    /// nothing changes but at its end. The ray does not end where it is cut off, and does not know what steps
    /// lead to.
    pub fn up_to(
        delay: Rational,
        checked: &CheckedState<'_>,
        start: &Valuation,
        objective: &Objective,
    ) -> Result<Self, Overflow> {
        // Whether anything can ever happen is seen only at the end.
        if checked.wishes.speak_of_deadlock() {
            return Self::from(checked, start, objective);
        }
        let still = checked.stops_time || delay.is_zero();
        let cuts = [Rational::ZERO, delay];
        Self::cut_at(&cuts[..if still { 1 } else { 2 }], checked, start, objective, false)
    }

    /// The ray with the delays at which something may change.
    fn cut_at(
        cuts: &[Rational],
        checked: &CheckedState<'_>,
        start: &Valuation,
        objective: &Objective,
        lands: bool,
    ) -> Result<Self, Overflow> {
        let mut ray = Self { pieces: Vec::new(), end: None };
        for (position, cut) in cuts.iter().enumerate() {
            if !ray.extend(checked, start, *cut, false, lands)? {
                // The interval before was the last.
                ray.end.get_or_insert((*cut, false));
                break;
            }
            let sample = match cuts.get(position + 1) {
                Some(next) => cut.add(next.sub(*cut)?.div(Rational::integer(2))?)?,
                None => cut.add(Rational::ONE)?,
            };
            if checked.stops_time
                || ray.stands(checked, start, *cut)?
                || !ray.extend(checked, start, sample, true, lands)?
            {
                ray.end = Some((*cut, true));
                break;
            }
        }
        ray.judge(checked, start, objective)?;
        Ok(ray)
    }

    /// Adds a piece if the invariant holds there and time gets there; whether it does.
    fn extend(
        &mut self,
        checked: &CheckedState<'_>,
        start: &Valuation,
        delay: Rational,
        open: bool,
        lands: bool,
    ) -> Result<bool, Overflow> {
        let here = start.later(delay)?;
        let first = self.pieces.is_empty();
        if !first && !here.satisfies(&checked.invariant)? {
            return Ok(false);
        }
        // An open interval in which an urgent step is enabled is over before it begins.
        if open && self.stands(checked, start, delay)? {
            return Ok(false);
        }
        let mut landings = Vec::new();
        for (position, step) in checked.steps.iter().enumerate().filter(|_| lands) {
            if let Some(after) = landing(step, &here)?
                && !step.fail
            {
                let rank = rank(step.said.ranks(), &after)?;
                let input = step.is_input();
                landings.push(Landing { position, index: step.index, input, rank });
            }
        }
        let rank = rank(checked.said.ranks(), &here)?;
        let rule = rule(checked.said.ranks(), &here)?;
        let (goal, forbidden) = (false, false);
        self.pieces.push(Piece { delay, open, rank, goal, forbidden, landings, rule });
        Ok(true)
    }

    /// Whether an urgent step keeps time from passing after a delay.
    fn stands(
        &self,
        checked: &CheckedState<'_>,
        start: &Valuation,
        delay: Rational,
    ) -> Result<bool, Overflow> {
        if checked.urgent.is_empty() {
            return Ok(false);
        }
        let here = start.later(delay)?;
        for step in &checked.urgent {
            if here.enables(step)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Fills in what the objective says.
    fn judge(
        &mut self,
        checked: &CheckedState<'_>,
        start: &Valuation,
        objective: &Objective,
    ) -> Result<(), Overflow> {
        let mut alive = vec![false; self.pieces.len() + 1];
        let asked = checked.wishes.speak_of_deadlock();
        for (position, piece) in self.pieces.iter().enumerate().rev().filter(|_| asked) {
            // Steps that end the test are steps too.
            alive[position] = alive[position + 1]
                || !piece.landings.is_empty()
                || ends_test(checked, &start.later(piece.delay)?)?;
        }
        for (piece, alive) in self.pieces.iter_mut().zip(alive) {
            let here = start.later(piece.delay)?;
            let holds = |wish: &Option<Wish>| match wish {
                None => Ok(false),
                Some(Wish::When(guard)) => here.satisfies(guard),
                Some(Wish::Deadlock) => Ok(!alive),
                Some(Wish::NoDeadlock) => Ok(alive),
            };
            let (keep, reach) = (holds(&checked.wishes.keep)?, holds(&checked.wishes.reach)?);
            let judged = match objective {
                Objective::Reach(_) => (reach, false),
                Objective::Until(..) => (reach, !keep && !reach),
                Objective::Stay(_) => (!keep, false),
                Objective::WeakUntil(..) => (!keep && !reach, reach),
            };
            (piece.goal, piece.forbidden) = if checked.fail { (false, false) } else { judged };
        }
        Ok(())
    }

    /// Whether a delay is allowed.
    pub fn allows(&self, delay: Rational) -> bool {
        self.end.is_none_or(|(end, included)| delay < end || (included && delay == end))
    }

    /// The state itself.
    pub fn now(&self) -> &Piece {
        &self.pieces[0]
    }

    /// The first piece at which something is found, with nothing to avoid before. At that piece
    /// something to avoid does no harm if there is a first moment in it, unless arrival must be
    /// safe.
    pub fn arrive<T>(
        &self,
        find: impl Fn(usize, &Piece) -> Option<T>,
        avoid: impl Fn(&Piece) -> bool,
        safely: bool,
    ) -> Option<(usize, T)> {
        for (position, piece) in self.pieces.iter().enumerate() {
            let avoided = avoid(piece);
            if let Some(found) = find(position, piece)
                && !(avoided && (safely || piece.open))
            {
                return Some((position, found));
            }
            if avoided {
                return None;
            }
        }
        None
    }
}

/// The valuation after a step, if it is possible.
pub(crate) fn landing(
    step: &CheckedStep<'_>,
    here: &Valuation,
) -> Result<Option<Valuation>, Overflow> {
    if !here.enables(&step.step)? {
        return Ok(None);
    }
    let Some(after) = here.assigned(&step.assignments)? else { return Ok(None) };
    Ok(after.satisfies(&step.invariant)?.then_some(after))
}

/// Whether a step is possible that ends the test with the verdict Fail.
fn ends_test(checked: &CheckedState<'_>, here: &Valuation) -> Result<bool, Overflow> {
    for step in checked.steps.iter().filter(|step| step.fail) {
        if landing(step, here)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The rank of the first level a valuation is in.
fn rank(ranked: Option<&Ranked>, here: &Valuation) -> Result<Option<Rank>, Overflow> {
    for level in ranked.iter().flat_map(|ranked| &ranked.levels) {
        if here.meets_any(&level.zones)? {
            return Ok(Some(level.rank));
        }
    }
    Ok(None)
}

/// The first rule that applies to a valuation.
fn rule(ranked: Option<&Ranked>, here: &Valuation) -> Result<Option<usize>, Overflow> {
    for (position, rule) in ranked.iter().flat_map(|ranked| &ranked.rules).enumerate() {
        if here.meets_any(&rule.zones)? {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

/// The delays, 0 among them, at which some bound may change its truth.
fn cuts(checked: &CheckedState<'_>, start: &Valuation) -> Result<Vec<Rational>, Overflow> {
    let mut cuts = vec![Rational::ZERO];
    let now: Vec<Moving> =
        start.0.iter().map(|value| Moving { value: *value, grows: true }).collect();
    for bound in &checked.bounds {
        cuts.extend(change(&now, bound)?);
    }
    for step in &checked.steps {
        let mut after = now.clone();
        for assignment in &step.assignments {
            let source = moving(&after, assignment.source);
            let value = source.value.add(Rational::integer(assignment.value))?;
            after[tioga_base::Id::index(assignment.clock)] = Moving { value, ..source };
        }
        for bound in &step.bounds {
            cuts.extend(change(&after, bound)?);
        }
    }
    cuts.sort_unstable();
    cuts.dedup();
    Ok(cuts)
}

/// Delays at and between which, in turn, some bound of a checked state or one of `further` may change its
/// truth, and one after all of them.
pub(crate) fn moments(
    checked: &CheckedState<'_>,
    further: &[ClockBound],
    start: &Valuation,
) -> Result<Vec<Rational>, Overflow> {
    let mut cuts = cuts(checked, start)?;
    let now: Vec<Moving> =
        start.0.iter().map(|value| Moving { value: *value, grows: true }).collect();
    for bound in further {
        cuts.extend(change(&now, bound)?);
    }
    cuts.sort_unstable();
    cuts.dedup();
    let mut moments = Vec::with_capacity(2 * cuts.len());
    for (position, cut) in cuts.iter().enumerate() {
        moments.push(*cut);
        moments.push(match cuts.get(position + 1) {
            Some(next) => cut.add(next.sub(*cut)?.div(Rational::integer(2))?)?,
            None => cut.add(Rational::ONE)?,
        });
    }
    Ok(moments)
}

/// A clock as a function of the delay: `value + d` if it grows, else `value`.
#[derive(Clone, Copy)]
struct Moving {
    value: Rational,
    grows: bool,
}

fn moving(clocks: &[Moving], clock: Option<tioga_model::ClockId>) -> Moving {
    let zero = Moving { value: Rational::ZERO, grows: false };
    clock.map_or(zero, |clock| clocks[tioga_base::Id::index(clock)])
}

/// The positive delay at which a bound changes its truth.
fn change(clocks: &[Moving], bound: &ClockBound) -> Result<Option<Rational>, Overflow> {
    let (left, right) = (moving(clocks, bound.left), moving(clocks, bound.right));
    let room = Rational::integer(bound.bound).sub(left.value)?.add(right.value)?;
    let delay = match (left.grows, right.grows) {
        (true, false) => room,
        (false, true) => room.neg()?,
        _ => return Ok(None),
    };
    Ok(Some(delay).filter(|delay| *delay > Rational::ZERO))
}
