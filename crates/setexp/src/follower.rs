//! Follows what is observed on a script: every way in which messages and expirations may have come, as far as
//! their moments are known.
//!
//! Registers hold what was computed from observed values. Constants whose value is not known stay symbols: each
//! explanation has what is known of them. Where moments are known exactly, there is one order of events. Where
//! they are not, an expiration may come before a message, with it or after it, and each order is followed: a
//! fail means that none explains the run.

use std::collections::BTreeMap;

use tioga_base::{Moment, Rational};
use tioga_terms::{Formula, Names, SymbolId, Term};

use crate::determinize::{NodeId, ObservableStep, Programmed};
use crate::error::Refusal;
use crate::graph::Verdict;
use crate::message::Message;
use crate::pending::{Pending, expirations, next_sets};
use crate::script::Script;
use crate::setexp::Expiration;
use crate::solver::{Solver, possible};
use crate::tiosa::{ActionId, Kind};

/// How many explanations are followed, at most.
const EXPLANATIONS: usize = 64;

/// A node that explains what was observed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The node.
    pub node: NodeId,
    /// The registers, in terms of constants that are not known.
    pub registers: BTreeMap<SymbolId, Term>,
    /// What is known of the constants.
    pub known: Formula,
    /// What is programmed.
    pub pending: Vec<Pending>,
    /// No later event came before this.
    pub(crate) since: Rational,
}

/// A verdict with its reason.
pub type Judged = (Verdict, String);

/// Follows a run.
#[derive(Clone, Debug)]
pub struct ScriptFollower<'s> {
    pub(crate) script: &'s Script,
    constants: BTreeMap<SymbolId, Rational>,
    pub(crate) explanations: Vec<Explanation>,
    /// The explanations before the expirations of an instant at which a message may still come.
    aside: Option<(Rational, Vec<Explanation>)>,
    /// An input that the specification leaves open for some values of constants that are not known: after
    /// it, anything may happen.
    open: Option<String>,
    /// How many messages there were; each names the expirations that it programs.
    messages: u32,
    /// When the last message was, at the latest.
    last: Rational,
    /// Whether a clock may have reached a threshold at the instant of the last message.
    expired: bool,
    /// Numbers that values are compared with.
    pub(crate) numbers: Vec<Rational>,
}

impl<'s> ScriptFollower<'s> {
    /// At the start, with these values of constants.
    pub fn new(
        script: &'s Script,
        constants: BTreeMap<SymbolId, Rational>,
        solver: &mut dyn Solver,
    ) -> Result<Self, Refusal> {
        let known = script.initially.substitute(&script.symbols, &|symbol| {
            constants.get(&symbol).copied().map(Term::number)
        })?;
        if !possible(solver, &script.symbols, &known)? {
            let why = "the given values of constants contradict the initial condition";
            return Err(Refusal::Hypothesis(why.to_owned()));
        }
        let mut start = Explanation {
            node: script.initial,
            registers: BTreeMap::new(),
            known,
            pending: Vec::new(),
            since: Rational::ZERO,
        };
        let mut follower = Self {
            script,
            constants,
            explanations: Vec::new(),
            aside: None,
            open: None,
            messages: 0,
            last: Rational::ZERO,
            expired: false,
            numbers: script.numbers(),
        };
        follower.program(&mut start, &script.start, Moment::START, &|_| None)?;
        follower.explanations.push(start);
        Ok(follower)
    }

    /// The nodes that explain what was observed.
    pub fn explanations(&self) -> &[Explanation] {
        &self.explanations
    }

    /// The verdict, if all explanations have one.
    pub fn verdict(&self) -> Option<Judged> {
        let verdict = |one: &Explanation| self.script.nodes[one.node].verdict;
        let (verdict, reason) =
            if self.explanations.iter().all(|one| verdict(one) == Some(Verdict::Pass)) {
                (Verdict::Pass, "the purpose was reached".to_owned())
            } else if self.explanations.iter().all(|one| verdict(one) == Some(Verdict::Fail)) {
                (Verdict::Fail, "the test graph ends here with fail".to_owned())
            } else if self.explanations.iter().all(|one| verdict(one).is_some()) {
                (Verdict::Inconclusive, "the purpose can no longer be reached".to_owned())
            } else {
                return None;
            };
        Some(self.judged(verdict, reason))
    }

    /// When the next expirations are over in all explanations that are open; nothing if none are programmed.
    pub fn next_expiry(&self) -> Option<Rational> {
        let open = self.explanations.iter().filter(|one| self.is_open(one));
        let next = open.filter_map(|one| one.pending.iter().map(|pending| pending.latest).min());
        next.min()
    }

    /// An input was sent.
    pub fn sent(
        &mut self,
        at: Moment,
        message: &Message,
        solver: &mut dyn Solver,
    ) -> Result<Option<Judged>, Refusal> {
        let known = self.script.action(&message.action);
        let known = known.filter(|action| self.script.actions[*action].kind == Kind::Input);
        let Some(action) = known else {
            return Err(Refusal::Broken("the tester sends an unknown input"));
        };
        let before = self.before(at);
        let (next, may_be_open) = self.follow(&before, at, action, &message.values, solver)?;
        if may_be_open || next.is_empty() {
            self.open.get_or_insert_with(|| message.to_string());
        }
        if next.is_empty() {
            let reason = format!("{message} was sent, which the test graph does not send now");
            return Ok(Some((Verdict::Inconclusive, reason)));
        }
        self.explanations = next;
        self.last = at.latest();
        Ok(self.verdict())
    }

    /// An output was seen, and nothing between the last observation and this.
    pub fn heard(
        &mut self,
        at: Moment,
        message: &Message,
        solver: &mut dyn Solver,
    ) -> Result<Option<Judged>, Refusal> {
        let known = self.script.action(&message.action);
        let known = known.filter(|action| self.script.actions[*action].kind == Kind::Output);
        let Some(action) = known else {
            let reason = format!("{} came, which is not an output of the model", message.action);
            return Ok(Some(self.judged(Verdict::Fail, reason)));
        };
        let parameters = &self.script.actions[action].parameters;
        if message.values.len() != parameters.len() {
            let reason = format!("{message} came with the wrong number of values");
            return Ok(Some(self.judged(Verdict::Fail, reason)));
        }
        // After the expirations of an instant, clocks count as past their thresholds, which at this instant they
        // are not. At the start they count as positive.
        let instant = at.is_exact() && at.earliest() == self.last;
        if instant && (self.expired || self.script.instants) {
            let other = if self.messages == 0 { "the start" } else { "another message" };
            let why = format!("came at the instant of {other}, of which this method says nothing");
            return Ok(Some((Verdict::Inconclusive, format!("{message} {why}"))));
        }
        let before = self.before(at);
        let mut values = parameters.iter().zip(&message.values);
        let next = if values.all(|(one, value)| self.script.is_in_range(*one, *value)) {
            self.follow(&before, at, action, &message.values, solver)?.0
        } else {
            Vec::new()
        };
        if next.is_empty() {
            let reason = self.wrong(&before, at, message);
            if !before.iter().all(|one| self.is_open(one)) {
                let why = "the test may have ended before";
                return Ok(Some((Verdict::Inconclusive, format!("{reason}; but {why}"))));
            }
            return Ok(Some(self.judged(Verdict::Fail, reason)));
        }
        self.explanations = next;
        self.last = at.latest();
        Ok(self.verdict())
    }

    /// Nothing was seen up to now.
    pub fn quiet(
        &mut self,
        now: Moment,
        solver: &mut dyn Solver,
    ) -> Result<Option<Judged>, Refusal> {
        let start = self.before(now);
        let instant = now.earliest();
        let due = |one: &Explanation| one.pending.iter().any(|one| one.latest <= instant);
        if !start.iter().any(due) {
            return Ok(None);
        }
        let mut next = Vec::new();
        for one in &start {
            self.expire(one, instant, solver, &mut next)?;
        }
        let at_instant = start.iter().flat_map(|one| &one.pending).any(|one| one.latest == instant);
        if next.is_empty() {
            if at_instant {
                // What has to come until now may still come at this instant.
                self.explanations = start;
                return Ok(None);
            }
            let reason = self.late(&start, instant);
            return Ok(Some(self.judged(Verdict::Fail, reason)));
        }
        self.aside = at_instant.then_some((instant, start));
        self.explanations = next;
        Ok(self.verdict())
    }

    /// Whether time has to pass before it is clear that the system is late.
    pub fn is_overdue(&self, now: Rational) -> bool {
        self.aside.is_none() && self.next_expiry().is_some_and(|at| at <= now)
    }

    fn judged(&self, verdict: Verdict, reason: String) -> Judged {
        match &self.open {
            Some(input) if verdict != Verdict::Inconclusive => {
                let open =
                    format!("{reason}; but {input} was sent without knowing the constants that");
                (Verdict::Inconclusive, format!("{open} allow it"))
            }
            _ => (verdict, reason),
        }
    }

    pub(crate) fn is_open(&self, one: &Explanation) -> bool {
        self.script.nodes[one.node].verdict.is_none()
    }

    /// The explanations before what happened at a moment: those before its expirations, if it may be an instant
    /// of which expirations were followed already.
    fn before(&mut self, at: Moment) -> Vec<Explanation> {
        match self.aside.take() {
            Some((instant, before)) if at.earliest() <= instant => before,
            _ => self.explanations.clone(),
        }
    }

    /// Follows the expirations that are over at an instant.
    fn expire(
        &self,
        from: &Explanation,
        until: Rational,
        solver: &mut dyn Solver,
        found: &mut Vec<Explanation>,
    ) -> Result<(), Refusal> {
        if !self.is_open(from) || !from.pending.iter().any(|one| one.latest <= until) {
            return self.keep(from.clone(), found);
        }
        for (due, at) in next_sets(&from.pending, from.since)? {
            if at > until {
                continue;
            }
            for next in self.steps(from, &due, None, &[], Moment::exactly(at), solver)? {
                self.expire(&next, until, solver, found)?;
            }
        }
        Ok(())
    }

    /// Follows a message from some explanations; says also whether an input may be open in one of them.
    fn follow(
        &mut self,
        before: &[Explanation],
        at: Moment,
        action: ActionId,
        values: &[Rational],
        solver: &mut dyn Solver,
    ) -> Result<(Vec<Explanation>, bool), Refusal> {
        self.messages += 1;
        let mut found = Vec::new();
        let mut open = false;
        let meets = |one: &Pending| one.earliest <= at.latest() && at.earliest() <= one.latest;
        let expired = before.iter().flat_map(|one| &one.pending).any(meets);
        for from in before.iter().filter(|one| self.is_open(one)) {
            self.meet(from, at, action, values, solver, &mut found, &mut open)?;
        }
        if !found.is_empty() {
            self.expired = expired;
        }
        Ok((found, open))
    }

    /// Follows a message from an explanation, after expirations that may come before it.
    #[expect(
        clippy::too_many_arguments,
        reason = "a message, and what becomes of an explanation with it"
    )]
    fn meet(
        &self,
        from: &Explanation,
        at: Moment,
        action: ActionId,
        values: &[Rational],
        solver: &mut dyn Solver,
        found: &mut Vec<Explanation>,
        open: &mut bool,
    ) -> Result<(), Refusal> {
        let (earliest, latest) = (at.earliest().max(from.since), at.latest());
        if earliest > latest {
            return Ok(());
        }
        let Some(when) = Moment::between(earliest, latest) else { return Ok(()) };
        let mut together = vec![Vec::new()];
        if from.pending.iter().any(|one| earliest >= one.latest) {
            together.clear();
        }
        for (due, first) in next_sets(&from.pending, from.since)? {
            let ends = due.iter().map(|one| one.latest).min().unwrap_or(latest);
            let with = first.max(earliest);
            let others = from.pending.iter().filter(|one| !due.contains(one));
            if with <= ends.min(latest) && others.clone().all(|one| with < one.latest) {
                together.push(due.clone());
            }
            if first < latest {
                for next in self.steps(from, &due, None, &[], Moment::exactly(first), solver)? {
                    if self.is_open(&next) {
                        self.meet(&next, at, action, values, solver, found, open)?;
                    } else {
                        self.keep(next, found)?;
                    }
                }
            }
        }
        for due in together {
            *open |= self.may_be_open(from, &due, action, values, solver)?;
            for next in self.steps(from, &due, Some(action), values, when, solver)? {
                self.keep(next, found)?;
            }
        }
        Ok(())
    }

    fn keep(&self, one: Explanation, found: &mut Vec<Explanation>) -> Result<(), Refusal> {
        if found.contains(&one) {
            return Ok(());
        }
        if found.len() == EXPLANATIONS {
            let why = format!("more than {EXPLANATIONS} explanations of the run");
            return Err(Refusal::Limit(why));
        }
        found.push(one);
        Ok(())
    }

    /// Whether some values of constants that are not known leave an input open.
    fn may_be_open(
        &self,
        from: &Explanation,
        due: &[Pending],
        action: ActionId,
        values: &[Rational],
        solver: &mut dyn Solver,
    ) -> Result<bool, Refusal> {
        if self.script.actions[action].kind != Kind::Input {
            return Ok(false);
        }
        let due = expirations(due);
        let own = self.script.leaving(from.node).map(|(_, step)| step);
        let own = own.filter(|step| step.action == Some(action) && step.expirations == due);
        let taken = Formula::any(own.map(|step| step.guard.clone()));
        let open = taken.negated(&self.script.symbols)?;
        let open = self.within(from, &open, Some(action), values)?;
        possible(solver, &self.script.symbols, &open)
    }

    /// The explanations after expirations and perhaps a message at the same instant.
    fn steps(
        &self,
        from: &Explanation,
        due: &[Pending],
        action: Option<ActionId>,
        values: &[Rational],
        at: Moment,
        solver: &mut dyn Solver,
    ) -> Result<Vec<Explanation>, Refusal> {
        let names = expirations(due);
        let mut found = Vec::new();
        for (_, step) in self.script.leaving(from.node) {
            if step.action != action || step.expirations != names {
                continue;
            }
            let known = self.within(from, &step.guard, action, values)?;
            if !possible(solver, &self.script.symbols, &known)? {
                continue;
            }
            found.push(self.after(from, due, step, values, known, at)?);
        }
        Ok(found)
    }

    fn after(
        &self,
        from: &Explanation,
        due: &[Pending],
        step: &ObservableStep,
        values: &[Rational],
        known: Formula,
        at: Moment,
    ) -> Result<Explanation, Refusal> {
        let parameters = self.script.parameters(step.action);
        let with = |symbol| self.value(from, symbol, parameters, values);
        let mut registers = from.registers.clone();
        for (register, term) in &step.updates {
            registers.insert(*register, term.substitute(&with)?);
        }
        let pending = from.pending.iter().filter(|one| !due.contains(one)).cloned().collect();
        let since = at.earliest();
        let mut next = Explanation { node: step.target, registers, known, pending, since };
        self.program(&mut next, &step.sets, at, &with)?;
        Ok(next)
    }

    fn program(
        &self,
        next: &mut Explanation,
        sets: &[Programmed],
        at: Moment,
        with: &dyn Fn(SymbolId) -> Option<Term>,
    ) -> Result<(), Refusal> {
        for set in sets {
            next.pending.retain(|one| one.expiration.clock != set.clock);
            for (label, value) in &set.thresholds {
                let constant = |symbol: SymbolId| {
                    let known = self.constants.get(&symbol).copied();
                    with(symbol).or_else(|| known.map(Term::number))
                };
                let value = value.substitute(&constant)?;
                let Some(delay) = value.as_number() else {
                    return Err(Refusal::Hypothesis(format!(
                        "the tester cannot program {}: the value of a constant is not known; give it",
                        Names(&self.script.symbols, &value)
                    )));
                };
                // A threshold that lies in the past has been passed at once.
                let delay = delay.max(Rational::ZERO);
                next.pending.push(Pending {
                    programmed: self.messages,
                    delay,
                    earliest: at.earliest().add(delay)?,
                    latest: at.latest().add(delay)?,
                    expiration: Expiration { clock: set.clock, threshold: label.clone() },
                });
            }
        }
        next.pending.sort();
        Ok(())
    }

    /// A formula with the values that are known.
    pub(crate) fn within(
        &self,
        from: &Explanation,
        formula: &Formula,
        action: Option<ActionId>,
        values: &[Rational],
    ) -> Result<Formula, Refusal> {
        let parameters = self.script.parameters(action);
        let formula = formula.substitute(&self.script.symbols, &|symbol| {
            self.value(from, symbol, parameters, values)
        })?;
        Ok(formula.and(from.known.clone()))
    }

    pub(crate) fn value(
        &self,
        from: &Explanation,
        symbol: SymbolId,
        parameters: &[SymbolId],
        values: &[Rational],
    ) -> Option<Term> {
        if let Some(position) = parameters.iter().position(|own| *own == symbol) {
            return values.get(position).copied().map(Term::number);
        }
        if let Some(value) = self.constants.get(&symbol) {
            return Some(Term::number(*value));
        }
        from.registers.get(&symbol).cloned()
    }
}
