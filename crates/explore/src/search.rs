//! The search itself, by one thread or several.

use crate::ongoing::{Candidate, Search, Waiting};
use crate::options::{Order, SearchOptions};
use crate::outcome::{SearchOutcome, Stop};
use crate::parallel;
use crate::statistics::Statistics;
use crate::store::Store;
use crate::system::{TransitionSystem, Visitor};

/// Explores a system.
///
/// Post: if the outcome is [`Stop::Exhausted`], every reachable state is covered by a stored one.
pub fn search<S: TransitionSystem>(
    system: &S,
    options: &SearchOptions,
    visitor: &mut impl Visitor<S>,
) -> SearchOutcome<S> {
    let mut search = Search {
        system,
        options,
        visitor,
        store: Store::default(),
        waiting: Waiting::new(options.order),
        statistics: Statistics::default(),
    };
    let stop = search.run();
    search.statistics.stored = search.store.len() as u64;
    search.statistics.waiting = search.store.waiting() as u64;
    SearchOutcome { stop, statistics: search.statistics, store: search.store }
}

impl<S: TransitionSystem, V: Visitor<S>> Search<'_, S, V> {
    fn run(&mut self) -> Stop<S::Error> {
        let mut worker = self.system.worker();
        let mut states = Vec::new();
        if let Err(error) = self.system.initial(&mut worker, &mut states) {
            return Stop::Failed(None, error);
        }
        if let Some(stop) = self.insert_all(None, states.into_iter().map(Candidate::new)) {
            return stop;
        }
        if self.options.threads > 1 && self.options.order == Order::BreadthFirst {
            return parallel::run(self, worker);
        }
        self.run_alone(worker)
    }

    fn run_alone(&mut self, mut worker: S::Worker) -> Stop<S::Error> {
        let mut successors = Vec::new();
        while let Some(node) = self.waiting.pop() {
            let Some((key, part)) = self.store.get(node) else { continue };
            let result = self.system.successors(&mut worker, key, part, &mut successors);
            let found = successors.drain(..).map(Candidate::new);
            if let Some(stop) = self.visit(node, result, found, 0) {
                return stop;
            }
        }
        Stop::Exhausted
    }
}
