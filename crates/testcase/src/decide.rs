//! The decision of a tester in a concrete state.

use tioga_base::Rational;
use tioga_concrete::{Error, Intervals, Semantics, State};
use tioga_model::ClockGuard;

use crate::follow::inside;
use crate::{Advice, Rank, RankTable, Rule};

/// The decision of a tester.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// The objective is reached.
    Done,
    /// Make this move now: the position in the enumeration of the discrete state's moves.
    Play {
        /// The rank of the state.
        rank: Rank,
        /// The move.
        step: u32,
    },
    /// Let time pass.
    Wait {
        /// The rank of the state.
        rank: Rank,
        /// How long, unless the system moves first; as long as possible if `None`.
        until: Option<Rational>,
        /// Which moves of the system bring the tester nearer.
        awaited: Vec<u32>,
        /// Which moves of the system would be harmful.
        feared: Vec<u32>,
    },
    /// The table has no entry for this state.
    Astray,
}

/// The advice of a table in a state.
///
/// Waiting ends at the first moment at which another rule applies; where there is no first one,
/// shortly after: at most half a time unit, and at most halfway through.
pub fn decide(
    semantics: &mut Semantics<'_>,
    table: &RankTable,
    state: &State,
) -> Result<Decision, Error> {
    let Some(ranked) = table.places.get(&state.discrete) else { return Ok(Decision::Astray) };
    let mut earlier = Intervals::none();
    for rule in &ranked.rules {
        let when = semantics.when(state, &guard(rule))?;
        if !when.contains(Rational::ZERO) {
            earlier = earlier.unite(&when);
            continue;
        }
        return Ok(match &rule.advice {
            Advice::Done => Decision::Done,
            Advice::Play(step) => Decision::Play { rank: rule.rank, step: *step },
            Advice::Wait { awaited, feared } => {
                let here = when.intersect(&earlier.complement());
                let delays = semantics.options(state)?.delays;
                let other = here.complement().intersect(&delays.into());
                let until = match other.parts().first() {
                    Some(first) => {
                        let rules = ranked.rules.iter();
                        let windows = rules.map(|rule| semantics.when(state, &guard(rule)));
                        Some(inside(first, windows)?)
                    }
                    None => None,
                };
                let (awaited, feared) = (awaited.clone(), feared.clone());
                Decision::Wait { rank: rule.rank, until, awaited, feared }
            }
        });
    }
    Ok(Decision::Astray)
}

fn guard(rule: &Rule) -> ClockGuard {
    ClockGuard { disjuncts: rule.zones.iter().cloned().collect() }
}
