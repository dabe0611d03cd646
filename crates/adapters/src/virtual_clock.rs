//! The virtual clock that adapters for UPPAAL TRON wait on: threads, mutexes and conditions, as in
//! POSIX, and a time that stands still while a thread is busy.
//!
//! This is the clock itself, without connections: each command of a thread gives the answers that are
//! due, to this thread or to others that were waiting. The holder of the clock moves the time, and may
//! do so only when the clock is idle: when every thread that counts is blocked.

use std::collections::{BTreeMap, VecDeque};

use tioga_base::{Overflow, Rational};

/// What an answer says: the operation succeeded, or the condition was signalled.
pub(super) const OK: i32 = 0;
/// The time has passed.
pub(super) const TIMED_OUT: i32 = 65;
/// The mutex is held by the thread already.
pub(super) const BUSY: i32 = 67;
/// There is no such mutex or condition, or the thread does not hold the mutex.
pub(super) const INVALID: i32 = 68;

/// The number of a thread.
pub(super) type ThreadId = u64;

/// What a thread asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Deactivate,
    Activate,
    NewMutex,
    DropMutex(i32),
    Lock(i32),
    Unlock(i32),
    NewCondition,
    DropCondition(i32),
    Wait { condition: i32, mutex: i32, until: Until },
    Signal(i32),
    Broadcast(i32),
    Time,
    Quit,
}

/// How long a thread waits for a condition. Times are in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Until {
    /// As long as it takes.
    Signalled,
    /// Up to this time of the clock.
    Moment(i64),
    /// For so long from now.
    Later(i64),
}

/// Numbers for a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    pub thread: ThreadId,
    pub numbers: Vec<i32>,
}

/// The clock.
#[derive(Debug)]
pub(super) struct VirtualClock {
    /// The time in microseconds.
    now: Rational,
    threads: BTreeMap<ThreadId, Thread>,
    mutexes: BTreeMap<i32, Mutex>,
    /// The threads that wait for each condition, in the order in which they began.
    conditions: BTreeMap<i32, VecDeque<ThreadId>>,
    threads_made: u64,
    numbers_made: i32,
}

#[derive(Debug)]
struct Thread {
    name: String,
    active: bool,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Busy,
    /// Waits for a mutex, and is then told this.
    Locking {
        code: i32,
    },
    Waiting {
        condition: i32,
        mutex: i32,
        deadline: Option<Rational>,
    },
}

#[derive(Debug, Default)]
struct Mutex {
    owner: Option<ThreadId>,
    queue: VecDeque<ThreadId>,
}

impl Default for VirtualClock {
    /// A clock that shows zero and has no threads.
    fn default() -> Self {
        Self {
            now: Rational::ZERO,
            threads: BTreeMap::new(),
            mutexes: BTreeMap::new(),
            conditions: BTreeMap::new(),
            threads_made: 0,
            numbers_made: 0,
        }
    }
}

impl VirtualClock {
    /// A new thread, which counts and is busy.
    pub fn register(&mut self, name: String) -> ThreadId {
        self.threads_made += 1;
        let thread = Thread { name, active: true, state: State::Busy };
        self.threads.insert(self.threads_made, thread);
        self.threads_made
    }

    /// Gives a thread the name by which faults call it.
    pub fn rename(&mut self, thread: ThreadId, name: String) {
        if let Some(thread) = self.threads.get_mut(&thread) {
            thread.name = name;
        }
    }

    /// How many threads there are, whether they count or not.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// How many mutexes and conditions there are.
    pub fn kept(&self) -> usize {
        self.mutexes.len() + self.conditions.len()
    }

    /// The time in microseconds.
    pub fn now(&self) -> Rational {
        self.now
    }

    /// The threads because of which the time stands still.
    pub fn busy(&self) -> impl Iterator<Item = &str> {
        let busy = |thread: &&Thread| thread.active && thread.state == State::Busy;
        self.threads.values().filter(busy).map(|thread| thread.name.as_str())
    }

    /// Whether the time may pass.
    pub fn is_idle(&self) -> bool {
        self.busy().next().is_none()
    }

    /// When the next thread wakes by itself.
    pub fn deadline(&self) -> Option<Rational> {
        let deadlines = self.threads.values().filter_map(|thread| match thread.state {
            State::Waiting { deadline, .. } => deadline,
            _ => None,
        });
        deadlines.min()
    }

    /// Moves the time, and wakes every thread that waits for a moment that has come. Pre: the clock is
    /// idle, and the time is neither before now nor after the next deadline.
    pub fn advance(&mut self, to: Rational) -> Vec<Answer> {
        self.now = to;
        let due = self.threads.iter().filter_map(|(id, thread)| match thread.state {
            State::Waiting { deadline: Some(deadline), .. } if deadline <= to => Some(*id),
            _ => None,
        });
        let due: Vec<ThreadId> = due.collect();
        due.into_iter().flat_map(|thread| self.wake(thread, TIMED_OUT)).collect()
    }

    /// Does what a thread asks for.
    ///
    /// # Errors
    /// If a time is too large to be computed.
    pub fn command(&mut self, id: ThreadId, command: Command) -> Result<Vec<Answer>, Overflow> {
        let own = |code: i32| vec![Answer { thread: id, numbers: vec![code] }];
        Ok(match command {
            Command::Deactivate | Command::Activate => {
                if let Some(thread) = self.threads.get_mut(&id) {
                    thread.active = command == Command::Activate;
                }
                own(OK)
            }
            Command::NewMutex => {
                let number = self.number();
                self.mutexes.insert(number, Mutex::default());
                own(number)
            }
            Command::NewCondition => {
                let number = self.number();
                self.conditions.insert(number, VecDeque::new());
                own(number)
            }
            Command::DropMutex(number) => {
                self.mutexes.remove(&number);
                Vec::new()
            }
            Command::DropCondition(number) => {
                self.conditions.remove(&number);
                Vec::new()
            }
            Command::Lock(number) => match self.mutexes.get(&number) {
                None => own(INVALID),
                Some(mutex) if mutex.owner == Some(id) => own(BUSY),
                Some(_) => self.acquire(id, number, OK),
            },
            Command::Unlock(number) => match self.mutexes.get(&number) {
                Some(mutex) if mutex.owner == Some(id) => {
                    let mut answers = self.release(number);
                    answers.extend(own(OK));
                    answers
                }
                _ => own(INVALID),
            },
            Command::Wait { condition, mutex, until } => {
                let held = self.mutexes.get(&mutex).is_some_and(|mutex| mutex.owner == Some(id));
                if !held || !self.conditions.contains_key(&condition) {
                    return Ok(own(INVALID));
                }
                self.wait(id, condition, mutex, until)?
            }
            Command::Signal(number) => match self.first_waiting(number) {
                Some(thread) => self.wake(thread, OK),
                None => Vec::new(),
            },
            Command::Broadcast(number) => {
                let mut answers = Vec::new();
                while let Some(thread) = self.first_waiting(number) {
                    answers.extend(self.wake(thread, OK));
                }
                answers
            }
            Command::Time => vec![Answer { thread: id, numbers: self.shown().to_vec() }],
            Command::Quit => self.remove(id),
        })
    }

    /// Forgets a thread, which may hold mutexes and wait for others.
    pub fn remove(&mut self, id: ThreadId) -> Vec<Answer> {
        self.threads.remove(&id);
        for queue in self.conditions.values_mut() {
            queue.retain(|other| *other != id);
        }
        for mutex in self.mutexes.values_mut() {
            mutex.queue.retain(|other| *other != id);
        }
        let held = self.mutexes.iter().filter(|(_, mutex)| mutex.owner == Some(id));
        let held: Vec<i32> = held.map(|(number, _)| *number).collect();
        held.into_iter().flat_map(|number| self.release(number)).collect()
    }

    fn number(&mut self) -> i32 {
        self.numbers_made = self.numbers_made.saturating_add(1);
        self.numbers_made
    }

    /// The time as whole seconds and microseconds, rounded down.
    fn shown(&self) -> [i32; 2] {
        let whole = self.now.floor();
        let part = |number: i64| i32::try_from(number).unwrap_or(i32::MAX);
        [part(whole / MILLION), part(whole % MILLION)]
    }

    fn first_waiting(&self, condition: i32) -> Option<ThreadId> {
        self.conditions.get(&condition)?.front().copied()
    }

    fn wait(
        &mut self,
        id: ThreadId,
        condition: i32,
        mutex: i32,
        until: Until,
    ) -> Result<Vec<Answer>, Overflow> {
        let deadline = match until {
            Until::Signalled => None,
            Until::Moment(moment) => Some(Rational::integer(moment)),
            Until::Later(time) => Some(self.now.add(Rational::integer(time))?),
        };
        if deadline.is_some_and(|deadline| deadline <= self.now) {
            // It keeps the mutex, as if it had got it back at once.
            return Ok(vec![Answer { thread: id, numbers: vec![TIMED_OUT] }]);
        }
        self.set(id, State::Waiting { condition, mutex, deadline });
        if let Some(queue) = self.conditions.get_mut(&condition) {
            queue.push_back(id);
        }
        Ok(self.release(mutex))
    }

    /// Ends the wait of a thread, which needs its mutex to go on.
    fn wake(&mut self, id: ThreadId, code: i32) -> Vec<Answer> {
        let Some(Thread { state: State::Waiting { condition, mutex, .. }, .. }) =
            self.threads.get(&id)
        else {
            return Vec::new();
        };
        let (condition, mutex) = (*condition, *mutex);
        if let Some(queue) = self.conditions.get_mut(&condition) {
            queue.retain(|other| *other != id);
        }
        self.acquire(id, mutex, code)
    }

    /// Gives a mutex to a thread, now or when it is free, and tells it so.
    fn acquire(&mut self, id: ThreadId, number: i32, code: i32) -> Vec<Answer> {
        let mutex = self.mutexes.entry(number).or_default();
        if mutex.owner.is_some() {
            mutex.queue.push_back(id);
            self.set(id, State::Locking { code });
            return Vec::new();
        }
        mutex.owner = Some(id);
        self.set(id, State::Busy);
        vec![Answer { thread: id, numbers: vec![code] }]
    }

    /// Takes a mutex from its owner, and gives it to the thread that waits longest.
    fn release(&mut self, number: i32) -> Vec<Answer> {
        let Some(mutex) = self.mutexes.get_mut(&number) else { return Vec::new() };
        mutex.owner = mutex.queue.pop_front();
        let Some(next) = mutex.owner else { return Vec::new() };
        let code = match self.threads.get(&next).map(|thread| thread.state) {
            Some(State::Locking { code }) => code,
            _ => OK,
        };
        self.set(next, State::Busy);
        vec![Answer { thread: next, numbers: vec![code] }]
    }

    fn set(&mut self, id: ThreadId, state: State) {
        if let Some(thread) = self.threads.get_mut(&id) {
            thread.state = state;
        }
    }
}

/// How many microseconds a second has.
pub(super) const MILLION: i64 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(names: &[&str]) -> (VirtualClock, Vec<ThreadId>) {
        let mut clock = VirtualClock::default();
        let threads = names.iter().map(|name| clock.register((*name).to_owned())).collect();
        (clock, threads)
    }

    fn said(clock: &mut VirtualClock, thread: ThreadId, command: Command) -> Vec<(ThreadId, i32)> {
        let answers = clock.command(thread, command).unwrap();
        answers.iter().map(|answer| (answer.thread, answer.numbers[0])).collect()
    }

    fn delay(condition: i32, mutex: i32, time: i64) -> Command {
        Command::Wait { condition, mutex, until: Until::Later(time) }
    }

    #[test]
    fn time_stands_still_while_a_thread_is_busy() {
        let (mut clock, threads) = clock(&["a", "b"]);
        let [a, b] = threads[..] else { unreachable!() };
        let (mutex, condition) = (1, 2);
        assert_eq!(said(&mut clock, a, Command::NewMutex), [(a, mutex)]);
        assert_eq!(said(&mut clock, a, Command::NewCondition), [(a, condition)]);
        assert_eq!(said(&mut clock, a, Command::Lock(mutex)), [(a, OK)]);
        assert_eq!(said(&mut clock, a, delay(condition, mutex, 5)), []);
        assert_eq!(clock.busy().collect::<Vec<_>>(), ["b"]);
        assert_eq!(said(&mut clock, b, Command::Deactivate), [(b, OK)]);
        assert!(clock.is_idle());
        assert_eq!(clock.deadline(), Some(Rational::integer(5)));
        let woken = clock.advance(Rational::integer(5));
        assert_eq!(woken, [Answer { thread: a, numbers: vec![TIMED_OUT] }]);
        assert!(!clock.is_idle() && clock.deadline().is_none());
        let time = clock.command(a, Command::Time).unwrap();
        assert_eq!(time[0].numbers, [0, 5]);
    }

    #[test]
    fn who_is_signalled_goes_on_when_the_mutex_is_free() {
        let (mut clock, threads) = clock(&["reader", "writer"]);
        let [reader, writer] = threads[..] else { unreachable!() };
        said(&mut clock, reader, Command::NewMutex);
        said(&mut clock, reader, Command::NewCondition);
        said(&mut clock, reader, Command::Lock(1));
        let forever = Command::Wait { condition: 2, mutex: 1, until: Until::Signalled };
        assert_eq!(said(&mut clock, reader, forever), []);
        assert_eq!(said(&mut clock, writer, Command::Lock(1)), [(writer, OK)]);
        assert_eq!(said(&mut clock, writer, Command::Broadcast(2)), []);
        // The reader counts as blocked until then, and is told before the writer.
        assert_eq!(said(&mut clock, writer, Command::Unlock(1)), [(reader, OK), (writer, OK)]);
    }

    #[test]
    fn one_signal_wakes_one_thread_in_order() {
        let (mut clock, threads) = clock(&["a", "b", "c"]);
        let [a, b, c] = threads[..] else { unreachable!() };
        said(&mut clock, a, Command::NewMutex);
        said(&mut clock, a, Command::NewCondition);
        for thread in [a, b] {
            said(&mut clock, thread, Command::Lock(1));
            said(&mut clock, thread, delay(2, 1, 9));
        }
        assert_eq!(said(&mut clock, c, Command::Signal(2)), [(a, OK)]);
        assert_eq!(said(&mut clock, a, Command::Unlock(1)), [(a, OK)]);
        assert_eq!(said(&mut clock, c, Command::Signal(2)), [(b, OK)]);
        assert_eq!(said(&mut clock, c, Command::Signal(2)), []);
    }

    #[test]
    fn a_thread_that_ends_leaves_its_mutexes() {
        let (mut clock, threads) = clock(&["a", "b"]);
        let [a, b] = threads[..] else { unreachable!() };
        said(&mut clock, a, Command::NewMutex);
        said(&mut clock, a, Command::Lock(1));
        assert_eq!(said(&mut clock, b, Command::Lock(1)), []);
        assert_eq!(said(&mut clock, a, Command::Quit), [(b, OK)]);
        assert_eq!(clock.threads(), 1);
    }

    #[test]
    fn misuse_is_answered_and_past_moments_have_passed() {
        let (mut clock, threads) = clock(&["a"]);
        let a = threads[0];
        assert_eq!(said(&mut clock, a, Command::Lock(7)), [(a, INVALID)]);
        assert_eq!(said(&mut clock, a, Command::Unlock(7)), [(a, INVALID)]);
        said(&mut clock, a, Command::NewMutex);
        said(&mut clock, a, Command::NewCondition);
        assert_eq!(said(&mut clock, a, delay(2, 1, 5)), [(a, INVALID)]);
        said(&mut clock, a, Command::Lock(1));
        assert_eq!(said(&mut clock, a, Command::Lock(1)), [(a, BUSY)]);
        let past = Command::Wait { condition: 2, mutex: 1, until: Until::Moment(0) };
        assert_eq!(said(&mut clock, a, past), [(a, TIMED_OUT)]);
        assert_eq!(said(&mut clock, a, delay(2, 1, -3)), [(a, TIMED_OUT)]);
        assert_eq!(said(&mut clock, a, Command::Unlock(1)), [(a, OK)]);
    }
}
