//! A campaign: every test case is run repeatedly, and by several threads in parallel.
//!
//! Runs are handed out in the order of their numbers. Each thread has a system of its own, made anew
//! after a fault. A run that only scheduling delay explains begins again a few times, each with a seed
//! of its own, and only its last attempt counts. Every event goes to the journal first and then to the
//! reporter, one at a time; the [`Tally`] puts the results in order. What is kept in memory does not
//! grow with the number of runs.

use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tioga_adapters::Fault;
use tioga_base::Cancel;
use tioga_testcase::TestCase;

use super::driver::{Ending, Listener, RunLimits};
use super::kept_system::{KeptSystem, SystemFactory};
use super::tally::{Brief, RunSummary, Tally};
use crate::error::Error;
use crate::journal::error::JournalError;
use crate::journal::event::Event;
use crate::journal::settings::Settings;
use crate::journal::writer::Journal;
use crate::testers::tester::Tester;

/// How many runs each thread may be ahead of the slowest run.
const AHEAD: u64 = 64;

/// Makes the tester of a run of a test case, whose seed is given.
pub type TesterFactory<'t> =
    dyn Fn(&'t TestCase, u64) -> Result<Box<dyn Tester + 't>, Error> + Sync + 't;

/// Hears of what happens, after the journal.
pub trait Reporter: Send {
    /// Something happened in a run. Runs may be under way at the same time.
    fn event(&mut self, _run: u64, _event: &Event) {}

    /// A run counts. Told in the order of their numbers.
    fn counted(&mut self, _summary: &RunSummary, _tally: &Tally) {}
}

/// Hears nothing.
impl Reporter for () {}

/// What to run, on what, and how.
pub struct Campaign<'c, 's> {
    /// How it is set up.
    pub settings: &'c Settings,
    /// Where systems come from.
    pub systems: &'c SystemFactory<'s>,
    /// The tester; see [`Settings::tester`].
    pub testers: &'c TesterFactory<'c>,
    /// How many runs may be under way at the same time.
    pub jobs: usize,
    /// Stops it; the runs under way do not end, and are made again when it is resumed.
    pub cancel: Cancel,
}

/// How a campaign went.
#[derive(Debug)]
pub struct Results {
    /// The results of its runs.
    pub tally: Tally,
    /// What the system did wrong after all runs, if anything.
    pub farewell: Option<Fault>,
}

impl<'s> Campaign<'_, 's> {
    /// Opens the journal of a campaign that was interrupted: its settings, and what was done, of which
    /// each run that counts is told. `keep_going` goes on after failures though the settings do not.
    pub fn resume(
        path: &Path,
        keep_going: bool,
        mut counted: impl FnMut(&RunSummary),
    ) -> Result<(Journal, Settings, Tally), JournalError> {
        let mut tally = None;
        let start = |settings: &Settings| {
            Tally::new(&Settings {
                keep_going: settings.keep_going || keep_going,
                ..settings.clone()
            })
        };
        let (journal, mut settings) = Journal::resume(path, |settings, record| {
            let tally = tally.get_or_insert_with(|| start(settings));
            if let Some(summary) = RunSummary::of(settings, &record) {
                tally.add(summary, &mut counted);
            }
        })?;
        settings.keep_going |= keep_going;
        let tally = tally.unwrap_or_else(|| start(&settings));
        Ok((journal, settings, tally))
    }

    /// Makes the runs that the tally does not have yet.
    pub fn run(
        &self,
        journal: Option<Journal>,
        tally: Tally,
        reporter: &mut dyn Reporter,
    ) -> Result<Results, Error> {
        let next = tally.counted();
        let state = State { journal, reporter, tally, next, stopped: None, farewell: None };
        let shared = Shared { state: Mutex::new(state), progress: Condvar::new() };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| self.work(&shared));
            }
        });
        let mut state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(journal) = &mut state.journal {
            journal.close().map_err(Error::Listener)?;
        }
        match state.stopped {
            None | Some(Error::Cancelled) => {
                Ok(Results { tally: state.tally, farewell: state.farewell })
            }
            Some(error) => Err(error),
        }
    }

    /// Makes runs until there are none left.
    fn work(&self, shared: &Shared<'_>) {
        let mut kept = KeptSystem::new(self.settings, self.systems);
        let mut stopped = Ok(());
        while stopped.is_ok()
            && let Some(run) = self.next(shared)
        {
            stopped = self.one(run, &mut kept, shared);
        }
        let farewell = if stopped.is_ok() { kept.finish() } else { kept.abandon() };
        let mut state = shared.lock();
        // A system that is not waited for any more is not to blame.
        if let Err(fault) = farewell
            && !self.cancel.is_cancelled()
        {
            state.farewell.get_or_insert(fault);
        }
        if let Err(error) = stopped {
            state.stopped.get_or_insert(error);
            shared.progress.notify_all();
        }
    }

    /// The number of a run to be made.
    fn next(&self, shared: &Shared<'_>) -> Option<u64> {
        let mut state = shared.lock();
        loop {
            if self.cancel.is_cancelled() {
                state.stopped.get_or_insert(Error::Cancelled);
            }
            if state.stopped.is_some() {
                return None;
            }
            let run = state.tally.next_from(state.next)?;
            let ahead = AHEAD.saturating_mul(self.jobs as u64);
            if run <= state.tally.counted().saturating_add(ahead) {
                state.next = run + 1;
                return Some(run);
            }
            state = shared.progress.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Makes a run, again if only scheduling delay explains it.
    fn one(
        &self,
        run: u64,
        kept: &mut KeptSystem<'_, 's>,
        shared: &Shared<'_>,
    ) -> Result<(), Error> {
        let mut brief = Brief::new(self.settings, run);
        let mut tell = |event: &Event| {
            shared.lock().tell(run, event)?;
            Ok(brief.add(event))
        };
        let mut attempt = 0;
        let ending = loop {
            let seed = Settings::attempt_seed(self.settings.seed, run, attempt);
            let mut listener = |event: &Event| tell(event).map(|_| ());
            let ending = self.attempt(run, seed, kept, &mut listener)?;
            if !ending.relies_on_delay || attempt == Settings::REPETITIONS {
                break ending;
            }
            attempt += 1;
        };
        let summary = tell(&ending.event()).map_err(Error::Listener)?;
        shared.lock().count(summary.expect("the end completes the summary"));
        shared.progress.notify_all();
        Ok(())
    }

    /// Makes a run from its beginning up to its end, which is not told yet.
    fn attempt(
        &self,
        run: u64,
        seed: u64,
        kept: &mut KeptSystem<'_, 's>,
        tell: &mut Listener<'_>,
    ) -> Result<Ending, Error> {
        let test = &self.settings.suite.cases[self.settings.case_of(run)];
        tell(&Event::Begin { case: test.name.clone(), seed }).map_err(Error::Listener)?;
        let limits = RunLimits::of(self.settings, &self.cancel);
        let tester = (self.testers)(test, seed);
        Ending::of(
            tester.and_then(|mut tester| kept.run(tester.as_mut(), seed, &limits, false, tell)),
        )
    }
}

/// What the threads share.
struct Shared<'r> {
    state: Mutex<State<'r>>,
    /// Some run has ended, or everything stops.
    progress: Condvar,
}

impl<'r> Shared<'r> {
    /// A thread that panics takes the campaign down with it, so a poisoned lock does not matter.
    fn lock(&self) -> MutexGuard<'_, State<'r>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct State<'r> {
    journal: Option<Journal>,
    reporter: &'r mut dyn Reporter,
    tally: Tally,
    /// All runs below this one were handed out.
    next: u64,
    stopped: Option<Error>,
    farewell: Option<Fault>,
}

impl State<'_> {
    fn tell(&mut self, run: u64, event: &Event) -> std::io::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.append(run, event)?;
        }
        self.reporter.event(run, event);
        Ok(())
    }

    fn count(&mut self, summary: RunSummary) {
        let mut counted = Vec::new();
        self.tally.add(summary, |summary| counted.push(summary.clone()));
        for summary in &counted {
            self.reporter.counted(summary, &self.tally);
        }
    }
}
