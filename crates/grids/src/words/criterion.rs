//! Words under a criterion, and how many there are.

use tioga_base::Budget;

use super::cover::Covering;
use super::graph::WordGraph;
use super::loop_free::{LoopFree, count_loop_free};
use super::short::{Shortest, UpTo, count_up_to};
use super::way::Way;
use crate::error::Error;
use crate::natural::Natural;

/// Which words are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Criterion {
    /// Those on which no state comes twice.
    LoopFree,
    /// Those with at most so many labels, ticks included.
    UpTo(usize),
    /// Words that together visit every state.
    States,
    /// Words that together take every transition.
    Transitions,
    /// So many shortest words to each end.
    PerEnd(usize),
    /// So many shortest words in all.
    Shortest(usize),
}

/// The words of a graph under a criterion, one by one.
#[derive(Debug)]
pub enum Words<'g> {
    /// [`Criterion::LoopFree`].
    LoopFree(LoopFree<'g>),
    /// [`Criterion::UpTo`].
    UpTo(UpTo<'g>),
    /// [`Criterion::States`] and [`Criterion::Transitions`].
    Covering(Covering<'g>),
    /// [`Criterion::PerEnd`] and [`Criterion::Shortest`].
    Shortest(Shortest<'g>),
}

impl<'g> Words<'g> {
    /// The words of a graph.
    pub fn new(graph: &'g WordGraph, criterion: Criterion) -> Self {
        match criterion {
            Criterion::LoopFree => Self::LoopFree(LoopFree::new(graph)),
            Criterion::UpTo(most) => Self::UpTo(UpTo::new(graph, most)),
            Criterion::States => Self::Covering(Covering::states(graph)),
            Criterion::Transitions => Self::Covering(Covering::transitions(graph)),
            Criterion::PerEnd(most) => Self::Shortest(Shortest::per_end(graph, most)),
            Criterion::Shortest(most) => Self::Shortest(Shortest::new(graph, most)),
        }
    }

    /// The next word, or nothing if there are no more.
    pub fn next_way(&mut self) -> Option<Way<'_>> {
        match self {
            Self::LoopFree(words) => words.next_way(),
            Self::UpTo(words) => words.next_way(),
            Self::Covering(words) => words.next_way(),
            Self::Shortest(words) => words.next_way(),
        }
    }
}

/// How many words there are under a criterion. Those that are loop-free or up to a length are not
/// enumerated.
///
/// # Errors
/// If the budget is used up.
pub fn count(
    graph: &WordGraph,
    criterion: Criterion,
    budget: &mut Budget,
) -> Result<Natural, Error> {
    match criterion {
        Criterion::LoopFree => count_loop_free(graph, budget),
        Criterion::UpTo(most) => count_up_to(graph, most, budget),
        _ => {
            let (mut words, mut sum) = (Words::new(graph, criterion), 0);
            while words.next_way().is_some() {
                budget.step()?;
                sum += 1;
            }
            Ok(Natural::of(sum))
        }
    }
}
