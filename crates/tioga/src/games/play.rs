//! A game in progress: the tester follows a table of ranks, an opponent plays the system, and the
//! reference semantics decides which moves are possible.
//!
//! In each round the tester intends to move now, or to wait. The system may make any of its moves
//! before that, and also at that moment. The tester decides its next intention when a wait is over,
//! so a wait offers the system the moments before its end.

use tioga_base::Rational;
use tioga_concrete::{
    Choice, Error, Interval, Intervals, Record, Semantics, State, Trace, step_record,
};
use tioga_model::{ClockGuard, Composer, Control, Step, Steps};
use tioga_testcase::{Advice, Decision, Rank, RankTable, decide, feared, rank_of};

use crate::DataView;

/// The intention of the tester.
#[derive(Clone, PartialEq, Debug)]
pub enum Intention {
    /// Make this move now.
    Play(Box<Step>),
    /// Let time pass.
    Wait {
        /// How long; as long as possible if `None`.
        until: Option<Rational>,
        /// Moves of the system that bring the tester nearer.
        awaited: Vec<Step>,
    },
}

/// A round: the moves of the system before the intention of the tester.
#[derive(Clone, PartialEq, Debug)]
pub struct Round {
    /// The state at its start.
    pub state: State,
    /// The time at its start.
    pub time: Rational,
    /// The rank of the state; none for a safety objective.
    pub rank: Option<Rank>,
    /// The intention of the tester.
    pub intention: Intention,
    /// Moves of the system that set the tester back, if the system decides.
    pub feared: Vec<Step>,
    /// The moves of the system, with the delays after which they come first.
    pub offers: Vec<Choice>,
    /// How long time may pass.
    pub delays: Interval,
    /// The moves made.
    pub happened: Option<Happening>,
}

/// The result of a round.
#[derive(Clone, PartialEq, Debug)]
pub struct Happening {
    /// After which delay.
    pub delay: Rational,
    /// The move; none if only time passed.
    pub step: Option<Step>,
}

/// The answer of the system in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It lets the tester make its intended move.
    GoOn,
    /// It makes one of the moves on offer first.
    Move {
        /// Which one.
        offer: usize,
        /// After which delay.
        delay: Rational,
    },
}

/// How a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The objective is reached.
    Reached,
    /// The table has no entry for the state.
    Astray,
    /// The tester waits without end, and the system does nothing.
    Idle,
    /// Time cannot pass further, and no side can move.
    Stuck,
    /// As many moves were made as were allowed.
    Steps,
    /// The precision of numbers does not suffice for another move.
    Precision,
    /// The player gave up.
    Quit,
    /// The semantics does not allow the advice of the table.
    Refused,
}

/// A game in progress.
pub struct Game<'a> {
    /// What is possible.
    pub semantics: Semantics<'a>,
    /// What the tester follows.
    pub table: &'a RankTable,
    /// Whether the objective says what to avoid.
    pub avoids: bool,
    /// Where the game is.
    pub state: State,
    /// How much time has passed.
    pub time: Rational,
    /// What happened.
    pub trace: Trace,
    /// The rounds played.
    pub rounds: Vec<Round>,
}

impl<'a> Game<'a> {
    /// A game at the initial state.
    pub fn new(
        mut semantics: Semantics<'a>,
        table: &'a RankTable,
        avoids: bool,
        seed: Option<u64>,
    ) -> Result<Self, Error> {
        let state = semantics.initial()?;
        let trace = Trace { model: semantics.model().name.clone(), seed, records: Vec::new() };
        let (time, rounds) = (Rational::ZERO, Vec::new());
        Ok(Self { semantics, table, avoids, state, time, trace, rounds })
    }

    /// How many moves were made, by both sides.
    pub fn moves(&self) -> usize {
        self.trace.records.iter().filter(|record| matches!(record, Record::Step(_))).count()
    }

    /// How often the system let the tester come nearer where it need not have.
    pub fn cooperations(&self) -> usize {
        let losses = |round: &Round| round.rank.map_or(0, |rank| rank.losses);
        let end = self.rank().map_or_else(|| self.rounds.last().map_or(0, losses), |r| r.losses);
        let all: Vec<u32> = self.rounds.iter().map(losses).chain([end]).collect();
        all.windows(2).filter(|pair| pair[1] < pair[0]).count()
    }

    /// The rank of the current state, as the table has it.
    pub fn rank(&self) -> Option<Rank> {
        rank_of(self.table, self.semantics.model().scale, &self.state)
    }

    /// The next round, or how the game ends.
    pub fn round(&mut self) -> Result<Result<Round, End>, Error> {
        let mut possible = Steps::new();
        Composer::new(self.semantics.model()).steps(&self.state.discrete, &mut possible);
        let chosen = |steps: &[u32]| -> Vec<Step> {
            steps.iter().map(|step| possible.list[*step as usize].clone()).collect()
        };
        let options = self.semantics.options(&self.state)?;
        let (rank, intention, harmful) = match decide(&mut self.semantics, self.table, &self.state)?
        {
            Decision::Done => return Ok(Err(End::Reached)),
            Decision::Astray => return Ok(Err(End::Astray)),
            Decision::Play { rank, step } => {
                let step = possible.list[step as usize].clone();
                if !options.now().any(|one| *one == step) {
                    return Ok(Err(End::Refused));
                }
                let harmful = if rank.is_controlled() || self.avoids {
                    Vec::new()
                } else {
                    let now = Rational::ZERO;
                    feared(&mut self.semantics, self.table, &self.state, rank, now)?
                };
                (rank, Intention::Play(Box::new(step)), harmful)
            }
            Decision::Wait { rank, until, awaited, feared } => {
                let harmful =
                    if rank.is_controlled() && !self.avoids { Vec::new() } else { chosen(&feared) };
                (rank, Intention::Wait { until, awaited: chosen(&awaited) }, harmful)
            }
        };
        let before = match &intention {
            Intention::Play(_) => Interval::point(Rational::ZERO).into_iter().collect(),
            Intention::Wait { until: None, .. } => Intervals::all(),
            Intention::Wait { until: Some(until), .. } => {
                let from_then: Intervals = Interval::point(*until).into_iter().collect();
                from_then.complement().parts().first().copied().into_iter().collect()
            }
        };
        let offers = options.choices.into_iter().filter_map(|choice| {
            let windows = choice.windows.intersect(&before);
            let offered = choice.step.control == Control::Uncontrollable && !windows.is_empty();
            offered.then_some(Choice { step: choice.step, windows })
        });
        let offers: Vec<Choice> = offers.collect();
        let possible = |step: &Step| offers.iter().any(|offer| offer.step == *step);
        let intention = match intention {
            Intention::Wait { until, mut awaited } => {
                awaited.retain(possible);
                Intention::Wait { until, awaited }
            }
            play @ Intention::Play(_) => play,
        };
        let feared = harmful.into_iter().filter(possible).collect();
        Ok(Ok(Round {
            state: self.state.clone(),
            time: self.time,
            rank: (!self.avoids).then_some(rank),
            intention,
            feared,
            offers,
            delays: options.delays,
            happened: None,
        }))
    }

    /// Plays a round to its end. Pre: the answer is among the round's offers.
    pub fn play(&mut self, mut round: Round, answer: Answer) -> Result<Option<End>, Error> {
        let (delay, step) = match (answer, &round.intention) {
            (Answer::Move { offer, delay }, _) => (delay, Some(round.offers[offer].step.clone())),
            (Answer::GoOn, Intention::Play(step)) => (Rational::ZERO, Some((**step).clone())),
            (Answer::GoOn, Intention::Wait { until: Some(until), .. }) => (*until, None),
            (Answer::GoOn, Intention::Wait { until: None, .. }) => {
                let endless = round.delays.upper().is_none();
                self.rounds.push(round);
                return Ok(Some(if endless { End::Idle } else { End::Stuck }));
            }
        };
        // Time alone may reach the objective, and then nothing that comes later matters.
        let reached = self.reached_within(delay)?;
        let at_end = step.is_none() && reached.contains(delay);
        let (delay, step) = match reached.parts().first() {
            Some(first) if !at_end => (first.earliest(), None),
            _ => (delay, step),
        };
        if !delay.is_zero() {
            self.state = self.state.later(delay)?;
            self.time = self.time.add(delay)?;
            self.trace.records.push(Record::Delay(delay));
        }
        if let Some(step) = &step {
            self.state = self.semantics.step(&self.state, step)?;
            self.trace.records.push(Record::Step(step_record(self.semantics.model(), step)));
        }
        round.happened = Some(Happening { delay, step });
        self.rounds.push(round);
        Ok(None)
    }

    /// The delays up to this one after which the objective is reached.
    fn reached_within(&self, delay: Rational) -> Result<Intervals, Error> {
        let ranked = self.table.places.get(&self.state.discrete);
        let rules = ranked.map_or(&[][..], |ranked| &ranked.rules);
        let reach: Intervals = Interval::closed(Rational::ZERO, delay).into_iter().collect();
        let mut reached = Intervals::none();
        for rule in rules.iter().filter(|rule| rule.advice == Advice::Done) {
            let guard = ClockGuard { disjuncts: rule.zones.iter().cloned().collect() };
            reached = reached.unite(&self.semantics.when(&self.state, &guard)?.intersect(&reach));
        }
        Ok(reached)
    }

    /// Makes the trace of a game over representatives one of the model itself.
    ///
    /// # Errors
    /// If values that fit are not found.
    pub fn make_real(&mut self, view: &DataView) -> Result<(), String> {
        let mut follower = view.real_walk();
        let mut records = Vec::new();
        for happened in self.rounds.iter().filter_map(|round| round.happened.as_ref()) {
            if !happened.delay.is_zero() {
                records.push(Record::Delay(happened.delay));
            }
            if let Some(step) = &happened.step {
                records.push(Record::Step(step_record(view.plain(), &follower.step(step)?)));
            }
        }
        self.trace.records = records;
        Ok(())
    }

    /// Takes back the rounds from this one on.
    pub fn take_back(&mut self, round: usize) {
        let mut records = 0;
        for one in &self.rounds[..round] {
            let happened = one.happened.as_ref();
            records += happened.map_or(0, |happened| {
                usize::from(!happened.delay.is_zero()) + usize::from(happened.step.is_some())
            });
        }
        if let Some(first) = self.rounds.get(round) {
            (self.state, self.time) = (first.state.clone(), first.time);
        }
        self.rounds.truncate(round);
        self.trace.records.truncate(records);
    }
}

/// The earliest delay, or one just inside where there is no earliest.
pub fn earliest(set: &Intervals) -> Rational {
    set.parts().first().map_or(Rational::ZERO, Interval::earliest)
}
