//! One step back in a game: what the tester can enforce, and what a willing system makes possible.

use tioga_testcase::Concept;

use super::board::{Board, Set, State};

/// A game on a region graph.
pub struct Play<'b> {
    pub board: &'b Board,
    pub concept: Concept,
    /// What must not be met on the way.
    pub forbidden: Set,
}

impl Play<'_> {
    /// Whether the game goes on in a state, or has been decided by Fail.
    pub fn is_on(&self, state: &State) -> bool {
        // Only tests end with a verdict; a strict game is one about the model as it is.
        state.valid && !(self.concept == Concept::Fair && state.marked)
    }

    /// Makes a set of the states where a test holds, outside Fail.
    pub fn set(&self, mut test: impl FnMut(usize, &State) -> bool) -> Set {
        let states = self.board.states.iter().enumerate();
        states.map(|(index, state)| self.is_on(state) && test(index, state)).collect()
    }

    /// The others, outside Fail.
    pub fn complement(&self, set: &Set) -> Set {
        self.set(|index, _| !set[index])
    }

    /// Pred_c: where the tester has a move into the set.
    pub fn by_input(&self, set: &Set) -> Set {
        self.set(|_, state| state.inputs.iter().any(|target| set[*target]))
    }

    /// Pred_u: where the system has a move into the set.
    pub fn by_output(&self, set: &Set) -> Set {
        self.set(|_, state| state.outputs.iter().any(|target| set[*target]))
    }

    /// The states met from now on if nobody moves, and whether time passes for ever.
    pub fn ahead(&self, from: usize) -> (Vec<usize>, bool) {
        let mut met = vec![from];
        let mut state = from;
        while let Some(next) = self.board.states[state].next {
            if next == state {
                return (met, true);
            }
            met.push(next);
            state = next;
        }
        (met, false)
    }

    /// tPred: where some delay leads into the set and meets nothing of `avoid` before arrival, and
    /// nothing on arrival either if that must be safe.
    pub fn by_delay(&self, set: &Set, avoid: &Set, safe: bool) -> Set {
        self.set(|from, _| {
            let (met, _) = self.ahead(from);
            let clear = met.iter().take_while(|state| !avoid[**state]).count();
            met.iter().take(clear + 1).any(|state| set[*state] && (!safe || !avoid[*state]))
        })
    }

    /// ftPred, or what takes its place in strict games: where waiting is enough.
    pub fn cornered(&self, set: &Set) -> Set {
        let outputs = self.by_output(set);
        let avoid = self.avoid(set);
        self.set(|from, _| {
            let (met, endless) = self.ahead(from);
            let last = *met.last().unwrap();
            let acts = match self.concept {
                Concept::Fair => met.iter().any(|state| outputs[*state]),
                Concept::Strict => !endless && outputs[last],
            };
            acts && !met.iter().any(|state| avoid[*state])
        })
    }

    /// bad(S) and what is forbidden anyway.
    fn avoid(&self, set: &Set) -> Set {
        let bad = self.by_output(&self.complement(set));
        union(&bad, &self.forbidden)
    }

    /// π_d.
    pub fn enforce(&self, set: &Set) -> Set {
        let avoid = self.avoid(set);
        let delay = self.by_delay(set, &avoid, false);
        let input = self.by_delay(&self.by_input(set), &avoid, true);
        union(&union(set, &delay), &union(&input, &self.cornered(set)))
    }

    /// π_cl, with nothing of `risks` met before arrival, nor on arrival if a move follows.
    pub fn hope(&self, set: &Set, risks: &Set) -> Set {
        let avoid = union(risks, &self.forbidden);
        let moves = union(&self.by_input(set), &self.by_output(set));
        let delay = self.by_delay(set, &avoid, false);
        union(&union(set, &delay), &self.by_delay(&moves, &avoid, true))
    }
}

/// What is in one of two sets.
pub fn union(left: &Set, right: &Set) -> Set {
    left.iter().zip(right).map(|(left, right)| *left || *right).collect()
}
