//! A run of the part of a model that decides a question, as a run of the model.
//!
//! Processes that stood still in the part make steps of their own in between: they leave committed
//! locations at once, and before a delay those locations that would not let time pass. Such steps are possible, as
//! [`RelevantPart`](tioga_model::RelevantPart) says.

use std::collections::BTreeSet;

use tioga_base::Rational;
use tioga_concrete::{Semantics, State};
use tioga_model::{Model, ProcessId, Step, TimeBound};
use tioga_symbolic::TimedStep;

/// How many steps are put in at most.
const STEPS: usize = 100_000;

/// The run of the model, if it was found.
pub(crate) fn lifted(
    model: &Model,
    left_out: &[ProcessId],
    run: &[TimedStep],
) -> Option<Vec<TimedStep>> {
    let semantics = Semantics::new(model);
    let others = left_out.iter().copied().collect();
    let mut lift = Lift { semantics, others, waited: Rational::ZERO, run: Vec::new() };
    let mut state = lift.semantics.initial().ok()?;
    for TimedStep { delay, step } in run {
        state = lift.wait(state, *delay)?;
        let Some(step) = step else { continue };
        let with = lift.with_others(&state, step)?;
        state = lift.take(&state, &with)?;
        state = lift.leave_committed(state)?;
    }
    if !lift.waited.is_zero() {
        lift.run.push(TimedStep { delay: lift.waited, step: None });
    }
    Some(lift.run)
}

struct Lift<'m> {
    semantics: Semantics<'m>,
    /// The processes that stood still.
    others: BTreeSet<ProcessId>,
    /// How long nothing has happened.
    waited: Rational,
    run: Vec<TimedStep>,
}

impl Lift<'_> {
    fn take(&mut self, state: &State, step: &Step) -> Option<State> {
        let delay = std::mem::replace(&mut self.waited, Rational::ZERO);
        self.run.push(TimedStep { delay, step: Some(step.clone()) });
        if self.run.len() > STEPS {
            return None;
        }
        self.semantics.step(state, step).ok()
    }

    /// The step of the model in which the same relevant processes take the same edges.
    fn with_others(&mut self, state: &State, step: &Step) -> Option<Step> {
        let possible = self.semantics.options(state).ok()?;
        let same = |other: &&Step| {
            let relevant =
                other.participants.iter().filter(|one| !self.others.contains(&one.process));
            relevant.eq(step.participants.iter())
                && (&other.arguments, &other.reply) == (&step.arguments, &step.reply)
        };
        possible.now().find(same).cloned()
    }

    /// Lets time pass.
    fn wait(&mut self, mut state: State, mut delay: Rational) -> Option<State> {
        state = self.leave_committed(state)?;
        while !delay.is_zero() {
            let allowed = match self.semantics.delay(&state, delay).ok()? {
                Ok(after) => {
                    self.waited = self.waited.add(delay).ok()?;
                    return Some(after);
                }
                Err(allowed) => allowed,
            };
            let (most, excluded) = allowed.upper()?;
            if excluded {
                return None;
            }
            state = state.later(most).ok()?;
            self.waited = self.waited.add(most).ok()?;
            delay = delay.sub(most).ok()?;
            if delay.is_zero() {
                break;
            }
            let hurried = |process: ProcessId, state: &State| self.is_hurried(process, state);
            let mut in_the_way = self.others.iter().copied().filter(|one| hurried(*one, &state));
            let process = in_the_way.next()?;
            state = self.leave(state, process)?;
            state = self.leave_committed(state)?;
        }
        Some(state)
    }

    fn leave_committed(&mut self, mut state: State) -> Option<State> {
        let model = self.semantics.model();
        let committed = |process: &ProcessId, state: &State| {
            let location = state.discrete.location(*process);
            model.processes[*process].locations[location].marks.committed
        };
        loop {
            let next = self.others.iter().copied().find(|process| committed(process, &state));
            let Some(process) = next else { return Some(state) };
            state = self.leave(state, process)?;
        }
    }

    /// A step of a process that stood still, after which it does not hurry, if there is one.
    fn leave(&mut self, state: State, process: ProcessId) -> Option<State> {
        let possible = self.semantics.options(&state).ok()?;
        let own = |step: &&Step| {
            let all = step.participants.iter().all(|one| self.others.contains(&one.process));
            all && step.participants.first().is_some_and(|one| one.process == process)
        };
        let steps: Vec<&Step> = possible.now().filter(own).collect();
        let mut calm = None;
        for step in &steps {
            let after = self.semantics.step(&state, step).ok()?;
            if !self.is_hurried(process, &after) {
                calm = Some(*step);
                break;
            }
        }
        let step = calm.or(steps.first().copied())?.clone();
        self.take(&state, &step)
    }

    /// Whether no time can pass where a process is.
    fn is_hurried(&self, process: ProcessId, state: &State) -> bool {
        let model = self.semantics.model();
        let location = &model.processes[process].locations[state.discrete.location(process)];
        let reached = location.invariant.disjuncts.iter().flat_map(|way| &way.clocks).any(|one| {
            let (Some(term), TimeBound::Constant(most)) = (one.left, one.bound) else {
                return false;
            };
            let value = state.clock(term.clock).mul(Rational::integer(model.scale));
            value.is_ok_and(|value| value >= Rational::integer(most))
        });
        location.marks.committed || location.marks.urgent || reached
    }
}

#[cfg(test)]
mod tests {
    use tioga_base::Span;
    use tioga_explore::SearchOptions;
    use tioga_model::{Formula, Predicate};
    use tioga_parse::{Format, Options};
    use tioga_symbolic::{Abstraction, Reach, ReachAnswer, ZoneGraph};
    use tioga_testkit::lower;

    use super::*;

    /// Follows the lifted run of the only query on the model; how many steps it has, and how many of them the part has.
    fn followed(text: &str) -> (usize, usize) {
        let options = Options { closed: true, ..Options::default() };
        let model = lower(Format::Xta, text, &options).unwrap().validate().unwrap();
        let Formula::Reachable(goal) = &model.queries[0].formula else { panic!("no such query") };
        let Predicate::Holds(condition) = goal else { panic!("a condition is asked for") };
        let part = model.relevant_to(&[condition], false).expect("something is left out");
        let graph = ZoneGraph::for_reach(&part.model, Abstraction::LuPlus, &[goal]).unwrap();
        let asked = Some((goal, Span::default()));
        let reach = Reach::ask(&graph, asked, &SearchOptions::default(), &mut |_| {});
        let ReachAnswer::Reachable(run) = reach.answer else { panic!("{:?}", reach.answer) };
        let lifted = lifted(&model, &part.left_out, &run).unwrap();
        let mut semantics = Semantics::new(&model);
        let mut state = semantics.initial().unwrap();
        for TimedStep { delay, step } in &lifted {
            state = semantics.delay(&state, *delay).unwrap().expect("the delay is allowed");
            if let Some(step) = step {
                assert!(semantics.options(&state).unwrap().now().any(|one| one == step));
                state = semantics.step(&state, step).unwrap();
            }
        }
        let total = |run: &[TimedStep]| {
            run.iter().fold(Rational::ZERO, |sum, one| sum.add(one.delay).unwrap())
        };
        assert_eq!(total(&lifted), total(&run));
        let steps = |run: &[TimedStep]| run.iter().filter(|one| one.step.is_some()).count();
        (steps(&lifted), steps(&run))
    }

    #[test]
    fn processes_that_stood_still_make_steps_in_between() {
        let p = "clock x, h, g; int[0,1] k; int n; broadcast chan b, c;
process P() { state A { x <= 7 }, B; init A; trans A -> B { guard x == 7; sync b!; }; }";
        let asked = "query { E<> P.B }";
        let with = |others: &str, names: &str| {
            followed(&format!("{p} {others} system P, {names}; {asked}"))
        };
        // Six steps of one process, and three of another that hears them.
        let ticks = "process H() { state A { h <= 1 }; init A; trans A -> A { guard h >= 1; assign h = 0; }; }";
        assert_eq!(with(ticks, "H"), (7, 1));
        let both = "process H() { state A { h <= 2 }, C; commit C; init A;
trans A -> C { guard h >= 1; assign h = 0, n++; }, C -> A { sync c!; assign n--, h = 0; }; }
process G() { state A { g <= 5 }; init A; trans A -> A { sync c?; assign k = 1 - k, g = 0; }, A -> A { guard g == 5; assign g = 0; }; }";
        let (all, own) = with(both, "H, G");
        assert_eq!(own, 1);
        assert!(all >= 7, "{all}");
        // One that receives the last step and has to leave an urgent location in between.
        let urgent = "process H() { state A { h <= 3 }, U, E; urgent U; init A;
trans A -> U { guard h == 3; assign h = 0; }, U -> A { assign h = 0; }, A -> E { sync b?; }; }";
        assert_eq!(with(urgent, "H"), (5, 1));
    }
}
