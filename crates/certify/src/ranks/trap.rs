//! Checking one state of a trap: that the system, as lazy as the trap says, keeps the tester in.
//!
//! The whole ray from the state is looked at, up to where the objective forbids to be. If every
//! state that plays reach passes, the tester cannot enforce the goal: the state of least rank that
//! plays reach would need one of lower rank, by time, by a step of the tester, or because the system
//! is cornered; but all these lead to states that plays reach too.

use tioga_base::Overflow;
use tioga_model::Model;

use crate::Flaw;
use crate::states::{CheckedState, Ray, Said, Valuation, after, landing, step_name};

/// What is wrong with a trap at a state, with the story.
pub(crate) fn flaw(
    model: &Model,
    checked: &CheckedState<'_>,
    clocks: &Valuation,
    ray: &Ray,
) -> Result<Option<(Flaw, String)>, Overflow> {
    let mut over = false;
    for piece in &ray.pieces {
        let here = clocks.later(piece.delay)?;
        let when = after(model, piece.delay)?;
        if !contains(checked.said, &here)? {
            let story = if piece.delay.is_zero() {
                "plays get here, but the trap does not contain it".to_owned()
            } else {
                format!("time leads out of the trap {when}")
            };
            return Ok(Some((Flaw::Outside, story)));
        }
        if piece.goal {
            let story = format!("the tester has what it wants {when}: the objective is reached");
            return Ok(Some((Flaw::Goal, story)));
        }
        over = piece.forbidden;
        if over {
            break;
        }
        for step in piece.landings.iter().map(|landing| &checked.steps[landing.position]) {
            let Some(there) = landing(step, &here)?.filter(|_| step.followed) else { continue };
            if !contains(step.said, &there)? {
                let name = step_name(model, &step.step);
                let who = if step.is_input() {
                    format!("the tester can play {name} {when}")
                } else {
                    format!("the system sticks to {name}, which it may play {when}")
                };
                return Ok(Some((Flaw::Outside, format!("{who}; this leads out of the trap"))));
            }
        }
    }
    if over { Ok(None) } else { idle(model, checked, ray) }
}

/// Whether time ends while the system has steps but does not stick to any of them.
fn idle(
    model: &Model,
    checked: &CheckedState<'_>,
    ray: &Ray,
) -> Result<Option<(Flaw, String)>, Overflow> {
    let (Some((end, _)), Some(last)) = (ray.end, ray.pieces.last()) else { return Ok(None) };
    let steps = last.landings.iter().map(|landing| &checked.steps[landing.position]);
    let mut system = steps.filter(|step| !step.is_input()).peekable();
    let Some(first) = system.peek().copied() else { return Ok(None) };
    if system.any(|step| step.followed) {
        return Ok(None);
    }
    let (when, name) = (after(model, end)?, step_name(model, &first.step));
    let story = format!(
        "time ends {when} while the system can play {name}, so it must move, \
         but it has none of the steps it sticks to"
    );
    Ok(Some((Flaw::Idle, story)))
}

fn contains(said: Said<'_>, here: &Valuation) -> Result<bool, Overflow> {
    for zone in said.zones() {
        if here.meets_all(zone)? {
            return Ok(true);
        }
    }
    Ok(false)
}
