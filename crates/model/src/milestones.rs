//! Coverage as a way with milestones: a network whose objective is that some edges are taken one after the other.
//!
//! A new variable counts the milestones that were reached. Each edge that matters is split: where it reaches the
//! next milestone it counts one more, where it undoes some it counts back, and elsewhere it is as it was. The parts
//! exclude each other and together allow what the edge allowed, so the network does exactly what it did before.

use tioga_base::Span;

use crate::{
    BinaryOp, ClockConstraint, ClockTerm, ClockUpdate, Condition, Conjunct, Decision, EdgeId, Expr,
    ExprId, Formula, Kind, LocationId, Lvalue, Network, Objective, Predicate, ProcessId, Query,
    Range, Slot, Statement, TimeBound, Type, UnaryOp, Update, Variable,
};

/// An edge of a process.
pub type EdgePlace = (ProcessId, EdgeId);

/// What has to happen next.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Milestone {
    /// One of these edges is taken.
    pub edges: Vec<EdgePlace>,
    /// Before the edge is taken, these bounds hold, all on single clocks with constants.
    pub when: Vec<ClockConstraint>,
    /// Before the edge is taken, this comparison of data decides about a guard.
    pub decision: Option<Decision>,
    /// Before that, none of these edges is taken, unless it reaches the milestone; otherwise the way goes on
    /// from an earlier milestone.
    pub undone_by: Vec<EdgePlace>,
    /// How many milestones count as reached then.
    pub back: usize,
}

/// Milestones to be reached one after the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Milestones {
    /// The milestones.
    pub list: Vec<Milestone>,
    /// More than this time passes after the last one, in units of `1 / scale`.
    pub silence: Option<i64>,
}

impl Milestones {
    /// A location was entered, now or before: an edge leads there, or the process begins there.
    pub fn entering(network: &Network, process: ProcessId, location: LocationId) -> Self {
        let body = &network.processes[process];
        if body.initial == location {
            return Self::default();
        }
        let edges = body.edges.iter_ids().filter(|(_, edge)| edge.target == location);
        let edges = edges.map(|(edge, _)| (process, edge)).collect();
        Self { list: vec![Milestone { edges, ..Milestone::default() }], silence: None }
    }

    /// The milestones of this way, then those of another.
    #[must_use]
    pub fn then(mut self, next: &Self) -> Self {
        let before = self.list.len();
        self.list.extend(
            next.list
                .iter()
                .map(|milestone| Milestone { back: milestone.back + before, ..milestone.clone() }),
        );
        Self { silence: next.silence, ..self }
    }

    /// How many milestones are reached after an edge, if there were `reached` before; `holds` says whether what
    /// the milestone asks for held before the edge.
    pub fn after(
        &self,
        reached: usize,
        edge: EdgePlace,
        holds: impl FnOnce(&Milestone) -> bool,
    ) -> usize {
        let Some(next) = self.list.get(reached) else { return reached };
        if next.edges.contains(&edge) && holds(next) {
            reached + 1
        } else if next.undone_by.contains(&edge) {
            next.back
        } else {
            reached
        }
    }
}

impl Network {
    /// The network with the objective that milestones are reached; `comment` says so in words.
    #[must_use]
    pub fn covering_milestones(mut self, way: &Milestones, comment: impl Into<String>) -> Self {
        self.clear_goals();
        let reached = self.counter(way.list.len());
        let since = way.silence.map(|_| self.fresh_clock(None, "since"));
        let mut edges: Vec<EdgePlace> = way
            .list
            .iter()
            .flat_map(|milestone| milestone.edges.iter().chain(&milestone.undone_by))
            .copied()
            .collect();
        edges.sort_unstable();
        edges.dedup();
        for edge in edges {
            self.split(edge, way, reached, since);
        }
        let data = Some(self.counts(reached, BinaryOp::Eq, way.list.len()));
        let longer = way.silence.zip(since).map(|(time, since)| ClockConstraint {
            left: None,
            right: Some(since),
            strict: true,
            bound: TimeBound::Constant(-time),
        });
        let goal = Conjunct { data, clocks: longer.into_iter().collect() };
        let goal = Predicate::Holds(Condition { disjuncts: vec![goal] });
        let (formula, comment) = (Formula::Cooperative(Objective::Reach(goal)), comment.into());
        let (comment, span) = (Some(comment), Span::default());
        self.queries = vec![Query { formula, comment, symmetric: false, span }];
        self
    }

    /// A variable that counts to `last`.
    fn counter(&mut self, last: usize) -> u32 {
        let mut name = "reached".to_owned();
        while self.variables.iter().any(|variable| variable.name == name) {
            name.push('_');
        }
        let max = i64::try_from(last).unwrap_or(i64::MAX);
        let first_slot = u32::try_from(self.slots.len()).expect("fewer than 2^32 slots");
        let range = Some(Range { min: 0, max });
        self.slots.push(Slot { name: name.clone(), kind: Kind::Int, range, initial: 0 });
        let ty = Type::Int { min: 0, max };
        let (owner, symbolic, span) = (None, false, Span::default());
        self.variables.push(Variable { name, owner, ty, first_slot, symbolic, span });
        first_slot
    }

    /// Whether so many were counted.
    fn counts(&mut self, slot: u32, how: BinaryOp, number: usize) -> ExprId {
        let mut push = |expr, kind| self.code.push(expr, kind, Span::default());
        let load = push(Expr::Load(Lvalue::global(slot)), Kind::Int);
        let number = push(Expr::Int(i64::try_from(number).unwrap_or(i64::MAX)), Kind::Int);
        push(Expr::Binary(how, load, number), Kind::Bool)
    }

    /// Splits an edge by what it means for the way.
    fn split(
        &mut self,
        place: EdgePlace,
        way: &Milestones,
        reached: u32,
        since: Option<ClockTerm>,
    ) {
        let (process, id) = place;
        let edge = self.processes[process].edges[id].clone();
        let mut parts = Vec::new();
        let mut elsewhere: Option<ExprId> = None;
        for (before, next) in way.list.iter().enumerate() {
            let (reaches, undoes) = (next.edges.contains(&place), next.undone_by.contains(&place));
            if !reaches && !undoes {
                continue;
            }
            let here = self.counts(reached, BinaryOp::Eq, before);
            let missed = if undoes { next.back } else { before };
            let mut cases = Vec::new();
            if reaches {
                let mut here = here;
                if let Some(decision) = &next.decision {
                    let decided = self.decided(decision);
                    let not = Expr::Unary(UnaryOp::Not, decided);
                    let not = self.code.push(not, Kind::Bool, Span::default());
                    cases.push((missed, self.and(here, not), Vec::new()));
                    here = self.and(here, decided);
                }
                cases.push((before + 1, here, next.when.clone()));
                // Where the bounds do not hold: one fails, and those before it hold.
                for (position, bound) in next.when.iter().enumerate() {
                    let mut clocks = next.when[..position].to_vec();
                    clocks.extend(negated(bound));
                    cases.push((missed, here, clocks));
                }
            } else {
                cases.push((next.back, here, Vec::new()));
            }
            for (number, data, clocks) in cases {
                let assigned = (number != before).then_some(number);
                parts.push((assigned, self.narrowed(&edge.guard, data, &clocks)));
            }
            let not_here = self.counts(reached, BinaryOp::Ne, before);
            elsewhere = Some(match elsewhere {
                None => not_here,
                Some(before) => self.and(before, not_here),
            });
        }
        let Some(elsewhere) = elsewhere else { return };
        let guard = self.narrowed(&edge.guard, elsewhere, &[]);
        self.processes[process].edges[id].guard = guard;
        let last = way.list.len();
        for (number, guard) in parts {
            let mut part = edge.clone();
            part.guard = guard;
            let Some(number) = number else {
                self.processes[process].edges.push(part);
                continue;
            };
            let counted = self.code.push(
                Expr::Int(i64::try_from(number).unwrap_or(i64::MAX)),
                Kind::Int,
                Span::default(),
            );
            let range = self.slots[reached as usize].range;
            let assign = Expr::Assign(Lvalue::global(reached), counted, range);
            let assign = self.code.push(assign, Kind::Int, Span::default());
            part.updates.push(Update::Data(Statement::Expr(assign)));
            if let Some(clock) = since.filter(|_| number == last) {
                part.updates.push(Update::Clock(ClockUpdate::reset(clock)));
            }
            self.processes[process].edges.push(part);
        }
    }

    fn and(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.code.push(Expr::Binary(BinaryOp::And, left, right), Kind::Bool, Span::default())
    }

    /// A condition with more to hold.
    fn narrowed(
        &mut self,
        condition: &Condition,
        data: ExprId,
        clocks: &[ClockConstraint],
    ) -> Condition {
        let disjuncts = condition.disjuncts.iter().map(|conjunct| {
            let data = match conjunct.data {
                None => data,
                Some(own) => self.and(data, own),
            };
            let clocks = conjunct.clocks.iter().chain(clocks).cloned().collect();
            Conjunct { data: Some(data), clocks }
        });
        Condition { disjuncts: disjuncts.collect() }
    }
}

/// The contrary of a bound with a constant.
fn negated(bound: &ClockConstraint) -> Option<ClockConstraint> {
    let TimeBound::Constant(constant) = bound.bound else { return None };
    Some(ClockConstraint {
        left: bound.right,
        right: bound.left,
        strict: !bound.strict,
        bound: TimeBound::Constant(-constant),
    })
}
