//! The exact zones along the steps of a run: every valuation with which they can be made.

use tioga_model::{Composer, DiscreteState, Model, Steps};
use tioga_zones::{Federation, Zone};

use crate::{Elapse, Error, Jump, TimedStep};

/// The discrete states that the steps of a run lead through, each with all clock valuations that
/// are possible there by the same steps with any delays. The first is the initial state.
pub fn symbolic_run(
    model: &Model,
    steps: &[TimedStep],
) -> Result<Vec<(DiscreteState, Federation)>, Error> {
    let dimension = model.clocks.len() + 1;
    let mut composer = Composer::new(model);
    let mut possible = Steps::new();
    let mut state = composer.initial();
    let mut set = Federation::from(Zone::zero(dimension));
    let mut run = Vec::new();
    let mut rest = steps.iter().filter_map(|step| step.step.as_ref());
    loop {
        composer.steps(&state, &mut possible);
        let elapse = Elapse::of(&mut composer, &state, &possible)?;
        set.intersect(elapse.invariant());
        let mut settled = Federation::empty(dimension);
        for zone in set.zones() {
            settled.unite(&elapse.delay(zone));
        }
        settled.merge();
        run.push((state.clone(), settled.clone()));
        let Some(step) = rest.next() else { return Ok(run) };
        let applied = composer.apply(&state, step)?;
        set = Jump::of(step, &applied.assignments)?.successor(&settled);
        state = applied.target;
    }
}
