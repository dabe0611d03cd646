//! The sets W(j,i) of one node: a rising chain of sets, stored where they grow.

use tioga_testcase::Rank;
use tioga_zones::{Federation, Point};

/// The sets of one node by rank. Between two stored ranks the set is that of the lower one; below
/// the first it is empty. (HJM22 5.1, the dictionary `W(S)`.)
#[derive(Clone, Debug, Default)]
pub struct Levels {
    levels: Vec<(Rank, Federation)>,
}

impl Levels {
    /// The stored ranks and sets, rising.
    pub fn iter(&self) -> impl Iterator<Item = (Rank, &Federation)> {
        self.levels.iter().map(|(rank, set)| (*rank, set))
    }

    /// Whether no rank has a set.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// The set of a rank; `None` stands for the empty set.
    pub fn at(&self, rank: Rank) -> Option<&Federation> {
        let end = self.levels.partition_point(|(own, _)| *own <= rank);
        self.levels[..end].last().map(|(_, set)| set)
    }

    /// The largest set.
    pub fn last(&self) -> Option<&Federation> {
        self.levels.last().map(|(_, set)| set)
    }

    /// The rank of a point.
    pub fn rank(&self, point: &Point) -> Option<Rank> {
        self.levels.iter().find(|(_, set)| set.contains(point)).map(|(rank, _)| *rank)
    }

    /// The least stored rank above a rank.
    pub fn next_above(&self, rank: Rank) -> Option<Rank> {
        let start = self.levels.partition_point(|(own, _)| *own <= rank);
        self.levels.get(start).map(|(own, _)| *own)
    }

    /// Adds a set that includes all others. Pre: the rank is above all others.
    pub fn push(&mut self, rank: Rank, set: Federation) {
        debug_assert!(self.levels.last().is_none_or(|(own, _)| *own < rank), "ranks rise");
        self.levels.push((rank, set));
    }

    /// Forgets what is above a rank.
    pub fn truncate_above(&mut self, rank: Rank) {
        let end = self.levels.partition_point(|(own, _)| *own <= rank);
        self.levels.truncate(end);
    }

    /// The least rank above `from` at which this set is larger than an earlier version. Up to
    /// `from` the versions agree.
    pub fn first_growth(&self, from: Rank, earlier: &Self) -> Option<Rank> {
        let above = self.levels.iter().filter(|(rank, _)| *rank > from);
        let grows = |(rank, new): &&(Rank, Federation)| {
            !earlier.at(*rank).is_some_and(|old| old.includes(new))
        };
        above.into_iter().find(grows).map(|(rank, _)| *rank)
    }
}
