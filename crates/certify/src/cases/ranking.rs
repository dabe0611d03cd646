//! The rank of every region, from the definition and from nothing else.
//!
//! Stage by stage, as the hierarchy says: what the tester can enforce in one step, until that adds
//! nothing; then what one control loss adds; with safety first, then what one risk adds. A region that
//! can still reach the goal counts as one with a rank, however high, from the start: risks are about
//! regions that never get one.

use tioga_testcase::{Concept, Rank, Scope};

use super::hope::Hope;
use crate::ranks::{enforce, hope, loss_above, risk_above, step_above};
use crate::{CheckOptions, Error};

/// The rank of a region whose rank is not known yet.
const FAR: Rank = Rank { risks: u32::MAX, losses: u32::MAX, steps: u32::MAX };

/// The ranks of all regions, by position; none where the goal is out of reach.
pub(crate) fn ranking(
    regions: &Hope,
    scope: Scope,
    options: &CheckOptions,
) -> Result<Vec<Option<Rank>>, Error> {
    let first = |position: usize| match regions.outlook(position) {
        (true, _) => Some(Rank::ZERO),
        (false, hopeful) => hopeful.then_some(FAR),
    };
    let mut ranks: Vec<Option<Rank>> = (0..regions.len()).map(first).collect();
    let safety_first = scope == Scope::SafetyFirst;
    let mut new: Vec<usize> =
        (0..ranks.len()).filter(|position| ranks[*position] == Some(Rank::ZERO)).collect();
    let mut top = Rank::ZERO;
    loop {
        while !new.is_empty() {
            if options.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let mut found = regions.affected(&new);
            found.retain(|position| {
                ranks[*position] == Some(FAR)
                    && enforce(&regions.ray(*position, &ranks), top, Concept::Fair).is_some()
            });
            if !found.is_empty() {
                top = step_above(top);
            }
            found.iter().for_each(|position| ranks[*position] = Some(top));
            new = found;
        }
        let far: Vec<usize> =
            (0..ranks.len()).filter(|position| ranks[*position] == Some(FAR)).collect();
        let within = |below: Rank, avoid_risks: bool| -> Vec<usize> {
            let reaches = |position: &usize| {
                hope(&regions.ray(*position, &ranks), below, avoid_risks).is_some()
            };
            far.iter().copied().filter(reaches).collect()
        };
        let all = u32::MAX;
        new = within(Rank { steps: all, ..top }, safety_first);
        if new.is_empty() && safety_first {
            new = within(Rank { losses: all, steps: all, ..top }, false);
            top = risk_above(top);
        } else {
            top = loss_above(top);
        }
        if new.is_empty() {
            return Ok(ranks);
        }
        new.iter().for_each(|position| ranks[*position] = Some(top));
    }
}
