//! Between which ends the values of clocks and data lie in reachable states, exactly.
//!
//! Zones coarsened with [`Abstraction::M`] tell the value of a clock up to the greatest constant it is
//! compared with: every point of such a zone is region equivalent to a reachable one, and the ends of
//! zones are integers, so an end up to that constant is the right one, and so is its strictness. A
//! measured clock is treated as if it were compared with a constant of its own. If an end lies beyond it,
//! either the clock is unbounded (see [`unbounded`]), or the search is made again with a constant twice
//! as large. Differences of clocks need exact zones; then every end is right at once.

use tioga_base::{Id, Span};
use tioga_explore::{SearchOptions, Statistics, Store};
use tioga_model::{
    ClockBound, ClockConstraint, ClockId, Composer, Condition, Conjunct, Ends, Measured, Model,
    Predicate, TimeBound, Update,
};
use tioga_zones::{Bound, Zone};

use crate::arena::Arena;
use crate::effort::Effort;
use crate::unbounded::{Counted, unbounded};
use crate::{Abstraction, Error, Reach, ReachAnswer, ZoneGraph, goal};

/// An end of a range of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// This value, in units of `1 / scale` for time; excluded if strict.
    At {
        /// The value.
        value: i64,
        /// Whether values only come arbitrarily near to it.
        strict: bool,
    },
    /// There is none: values go beyond every number.
    Unbounded,
}

/// The ends of the values of one expression, as far as they are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The lower end.
    pub lower: Option<End>,
    /// The upper end.
    pub upper: Option<End>,
}

/// The answer to a question about values.
#[derive(Clone, PartialEq, Debug)]
pub enum ExtentAnswer {
    /// The ranges of the expressions, in order.
    Found(Vec<Range>),
    /// No state that counts can be reached.
    NoState,
    /// A limit was reached first, or the model is not supported.
    Unknown(String),
}

/// What is measured where.
#[derive(Clone, Copy, Debug)]
pub struct ExtentQuestion<'p> {
    /// Which ends are asked for.
    pub ends: Ends,
    /// The states that count.
    pub inside: &'p Predicate,
    /// What is measured.
    pub measured: &'p [Measured],
    /// Where the question was written.
    pub span: Span,
}

/// A finished question.
#[derive(Clone, Debug)]
pub struct Extent {
    /// The answer.
    pub answer: ExtentAnswer,
    /// The last search behind it.
    pub statistics: Statistics,
    /// The abstraction it was made with.
    pub abstraction: Abstraction,
}

/// What is known of one expression.
#[derive(Clone, Copy, Debug)]
struct Measuring {
    measured: Measured,
    /// The constant up to which zones tell its clock, in units of `1 / scale`.
    constant: i64,
    /// Whether its clock is unbounded, once that is decided.
    unbounded: Option<bool>,
    /// Both ends so far; nothing where no state was met.
    lower: Option<Met>,
    upper: Option<Met>,
    /// The ends that are asked for, once they are known.
    done: Option<Range>,
}

/// An end that was met in a zone, and whether the zone tells it for certain.
#[derive(Clone, Copy, Debug)]
struct Met {
    end: End,
    doubtful: bool,
}

impl Extent {
    /// Measures what is asked for.
    pub fn ask(
        model: &Model,
        question: ExtentQuestion<'_>,
        options: &SearchOptions,
        report: &mut dyn FnMut(&Statistics),
    ) -> Result<Self, Error> {
        let begun = |measured: &Measured| Measuring {
            measured: *measured,
            constant: 1,
            unbounded: None,
            lower: None,
            upper: None,
            done: None,
        };
        let mut all: Vec<Measuring> = question.measured.iter().map(begun).collect();
        let mut last = None;
        // Exact zones may be endlessly many, so only differences are measured with them.
        for differences in [false, true] {
            while let Some(round) = round(&mut all, differences) {
                let asked = Asked { model, question, options };
                let (graph_abstraction, statistics, answer) = asked.measure(round, report)?;
                last = Some((graph_abstraction, statistics));
                if let Some(answer) = answer {
                    return Ok(Self { answer, statistics, abstraction: graph_abstraction });
                }
            }
        }
        let ranges = all.iter().map(|one| one.done.expect("all were measured")).collect();
        let (abstraction, statistics) = last.unwrap_or_default();
        Ok(Self { answer: ExtentAnswer::Found(ranges), statistics, abstraction })
    }
}

/// What is still to be measured in one search; nothing if all is done.
fn round(all: &mut [Measuring], differences: bool) -> Option<Vec<&mut Measuring>> {
    let open: Vec<&mut Measuring> = all
        .iter_mut()
        .filter(|one| one.done.is_none() && one.is_difference() == differences)
        .collect();
    (!open.is_empty()).then_some(open)
}

#[derive(Clone, Copy)]
struct Asked<'a, 'p, 'm> {
    model: &'m Model,
    question: ExtentQuestion<'p>,
    options: &'a SearchOptions,
}

type Searched = (Abstraction, Statistics, Option<ExtentAnswer>);

impl<'m> Asked<'_, '_, 'm> {
    /// One search; an answer if it is the last.
    fn measure(
        self,
        mut round: Vec<&mut Measuring>,
        report: &mut dyn FnMut(&Statistics),
    ) -> Result<Searched, Error> {
        let told = Predicate::Holds(Condition {
            disjuncts: round.iter().filter_map(|one| one.told()).collect(),
        });
        let graph = ZoneGraph::new(self.model, Abstraction::M, &[self.question.inside, &told])?;
        let reach = Reach::ask(&graph, None, self.options, report);
        let statistics = reach.outcome.statistics;
        let found = |answer| Ok((graph.abstraction(), statistics, answer));
        if let ReachAnswer::Unknown(reason) = reach.answer {
            return found(Some(ExtentAnswer::Unknown(reason)));
        }
        let store = &reach.outcome.store;
        let mut effort = Effort::unlimited(self.options.limits.cancel.clone());
        if !self.values(&graph, store, &mut round, &mut effort)? {
            return found(Some(ExtentAnswer::NoState));
        }
        let mut arena = None;
        for one in round {
            let Some(doubtful) = one.doubtful(self.question.ends) else {
                one.finish(self.question.ends);
                continue;
            };
            if doubtful == End::Unbounded && one.unbounded.is_none() {
                let arena = match &arena {
                    Some(arena) => arena,
                    None => arena.insert(Arena::of(&graph, store, None, &effort)?),
                };
                one.unbounded =
                    Some(self.is_unbounded(&graph, arena, one.measured, &mut effort)?);
                if one.unbounded == Some(true) && one.doubtful(self.question.ends).is_none() {
                    one.finish(self.question.ends);
                    continue;
                }
            }
            one.constant = one.constant.saturating_mul(2).max(graph.largest_constant());
        }
        found(None)
    }

    /// Meets the ends of what is measured in all states that count; whether there is one.
    fn values(
        &self,
        graph: &ZoneGraph<'m>,
        store: &Store<ZoneGraph<'m>>,
        round: &mut [&mut Measuring],
        effort: &mut Effort,
    ) -> Result<bool, Error> {
        let exact = graph.abstraction() == Abstraction::None;
        let mut composer = Composer::new(self.model);
        let mut state = composer.initial();
        let mut any = false;
        for one in round.iter_mut() {
            (one.lower, one.upper) = (None, None);
        }
        for (_, key, part) in store.stored() {
            effort.go_on()?;
            graph.codec().unpack(key, &mut state);
            let part = graph.unpack(&state, part);
            let mut zones = Vec::new();
            let asked = (self.question.inside, self.question.span);
            goal::within((graph, &mut composer), (&state, &part), asked, effort, &mut |zone| {
                zones.extend(intersection(zone, &part));
                Ok(false)
            })?;
            if zones.is_empty() {
                continue;
            }
            any = true;
            for one in round.iter_mut() {
                match (one.measured, one.measured.condition()) {
                    (Measured::Data(expr), _) => {
                        one.meet_value(composer.value(&state, expr)?);
                    }
                    (_, Some(condition)) => {
                        let guard = composer.condition(&state, &condition, self.question.span)?;
                        let Some(bound) = guard.disjuncts.first().and_then(|one| one.first())
                        else {
                            continue;
                        };
                        zones.iter().for_each(|zone| one.meet_zone(zone, *bound, exact));
                    }
                    (Measured::Time { .. }, None) => {}
                }
            }
        }
        Ok(any)
    }

    /// Whether the clock that is measured goes beyond every number.
    fn is_unbounded(
        &self,
        graph: &ZoneGraph<'m>,
        arena: &Arena<'_, 'm>,
        measured: Measured,
        effort: &mut Effort,
    ) -> Result<bool, Error> {
        let Measured::Time { left, right, .. } = measured else { return Ok(false) };
        let Some(term) = left.or(right) else { return Ok(false) };
        let first = term.clock.index() + 1;
        let clocks = first..first + term.index.map_or(1, |(_, length)| length as usize);
        self.no_copies(&clocks)?;
        let (inside, span) = (self.question.inside, self.question.span);
        for clock in clocks {
            if unbounded(graph, arena, Counted { clock, measured, inside, span }, effort)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Refuses clocks that are set from others: how far they go depends on those, too.
    fn no_copies(&self, clocks: &std::ops::Range<usize>) -> Result<(), Error> {
        let edges = self.model.processes.iter().flat_map(|process| &process.edges);
        for update in edges.flat_map(|edge| &edge.updates) {
            if let Update::Clock(update) = update
                && update.source.is_some()
                && clocks.clone().any(|clock| {
                    let first = update.clock.clock.index() + 1;
                    let length = update.clock.index.map_or(1, |(_, length)| length as usize);
                    (first..first + length).contains(&clock)
                })
            {
                let reason =
                    "a measured clock grows beyond its constants and is set from another clock";
                return Err(Error::Unsupported(reason.to_owned()));
            }
        }
        Ok(())
    }
}

fn intersection(mut zone: Zone, other: &Zone) -> Option<Zone> {
    zone.intersect(other).ok().map(|()| zone)
}

impl Measuring {
    fn is_difference(&self) -> bool {
        matches!(self.measured, Measured::Time { left: Some(_), right: Some(_), .. })
    }

    /// What zones have to tell apart.
    fn told(&self) -> Option<Conjunct> {
        let Measured::Time { left, right, .. } = self.measured else { return None };
        let constant = if left.is_none() { -self.constant } else { self.constant };
        let bound = TimeBound::Constant(constant);
        let clocks = vec![ClockConstraint { left, right, strict: false, bound }];
        Some(Conjunct { data: None, clocks })
    }

    /// An end that is asked for and not known for certain.
    fn doubtful(&self, ends: Ends) -> Option<End> {
        let lower = self.lower.filter(|one| ends.lower() && self.is_doubtful(*one));
        let upper = self.upper.filter(|one| ends.upper() && self.is_doubtful(*one));
        lower.or(upper).map(|one| one.end)
    }

    fn is_doubtful(&self, met: Met) -> bool {
        met.doubtful && !(met.end == End::Unbounded && self.unbounded == Some(true))
    }

    fn finish(&mut self, ends: Ends) {
        let end = |met: Option<Met>, asked: bool| met.filter(|_| asked).map(|met| met.end);
        let (lower, upper) = (end(self.lower, ends.lower()), end(self.upper, ends.upper()));
        self.done = Some(Range { lower, upper });
    }

    fn meet_value(&mut self, value: i64) {
        let met = Met { end: End::At { value, strict: false }, doubtful: false };
        self.meet(met, met);
    }

    /// Meets the values in a zone of `left − right` plus the number of the bound.
    fn meet_zone(&mut self, zone: &Zone, bound: ClockBound, exact: bool) {
        let index = |clock: Option<ClockId>| clock.map_or(0, |one| one.index() + 1);
        let (left, right) = (index(bound.left), index(bound.right));
        let met = |end: Bound, sign: i64| {
            let Some(constant) = end.constant().map(i64::from) else {
                return Met { end: End::Unbounded, doubtful: !exact };
            };
            // What begins beyond the constant is taken to begin right after it.
            let strict = end.is_strict();
            let doubtful = !exact && strict && constant <= -self.constant;
            Met { end: End::At { value: sign * constant + bound.bound, strict }, doubtful }
        };
        let (upper, lower) = (met(zone.bound(left, right), 1), met(zone.bound(right, left), -1));
        self.meet(lower, upper);
    }

    fn meet(&mut self, lower: Met, upper: Met) {
        // What is known for certain wins where the ends are the same.
        let rank = |met: &Met, side: i64| match met.end {
            End::Unbounded => (i64::MAX, true, !met.doubtful),
            End::At { value, strict } => (side * value, !strict, !met.doubtful),
        };
        self.lower = self.lower.into_iter().chain([lower]).max_by_key(|one| rank(one, -1));
        self.upper = self.upper.into_iter().chain([upper]).max_by_key(|one| rank(one, 1));
    }
}
