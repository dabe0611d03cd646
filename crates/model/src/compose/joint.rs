//! Joint steps of several processes, some of which stand aside if they cannot take part.

use smallvec::SmallVec;

use super::{Blocked, ClockGuard, Participant, Step, Steps};
use crate::{EdgeId, ProcessId};

/// A process that may take part in a joint step, and with which edges.
pub(super) struct Part {
    pub process: ProcessId,
    pub options: SmallVec<[(EdgeId, ClockGuard); 2]>,
    /// Whether the step also happens without it, when all options are impossible.
    pub weak: bool,
    /// Whether the communicated values fill its frame.
    pub receives: bool,
}

/// Adds one step for each choice of edges, in lexicographic order; standing aside comes last.
/// `seed` holds what is common to all. A step of no edge, or one that `admits` rejects, is left
/// out.
pub(super) fn expand(
    seed: &mut Step,
    parts: &[Part],
    admits: &impl Fn(&Step) -> bool,
    steps: &mut Steps,
) {
    let Some((part, rest)) = parts.split_first() else {
        if !seed.participants.is_empty() && admits(seed) {
            steps.list.push(seed.clone());
        }
        return;
    };
    for (edge, guard) in &part.options {
        let both = seed.guard.and(guard);
        let before = std::mem::replace(&mut seed.guard, both);
        let participant =
            Participant { process: part.process, edge: *edge, receives: part.receives };
        seed.participants.push(participant);
        expand(seed, rest, admits, steps);
        seed.participants.pop();
        seed.guard = before;
    }
    if part.weak && part.options.iter().all(|(_, guard)| !guard.is_always()) {
        let before = seed.blocked.len();
        for (edge, guard) in &part.options {
            let (process, edge) = (part.process, *edge);
            seed.blocked.push(Blocked { process, edge, guard: guard.clone() });
        }
        expand(seed, rest, admits, steps);
        seed.blocked.truncate(before);
    }
}
