//! Whether a model relates to another where messages carry many values: on the classes of the data of both, with
//! runs of the models themselves.

use tioga_base::{Budget, Diagnostics};
use tioga_conform::{
    Decided, ObservedViolation, PairData, Relation, RelationAnswer, Violation, decide,
    decide_classes, mismatches,
};
use tioga_data::{Alphabet, PairClasses, PairFollower, SMALL, Solver, pair_classes};
use tioga_explore::{SearchOptions, Statistics};
use tioga_model::{Model, Step, StepLabel};
use tioga_symbolic::TimedStep;

use super::view::{CLASS_LIMIT, is_enumerable, no_classes};

/// As [`decide`], on classes of data where messages carry many values.
///
/// # Errors
/// If the models cannot be compared.
pub(crate) fn related(
    implementation: &Model,
    specification: &Model,
    relation: Relation,
    options: &SearchOptions,
    report: &mut dyn FnMut(&Statistics),
) -> Result<Decided, Diagnostics> {
    let models = [implementation, specification];
    let needed = models.iter().any(|model| Alphabet::new(model).is_needed());
    if !needed || mismatches(implementation, specification).has_errors() {
        return decide(implementation, specification, relation, options, report);
    }
    let mut budget = Budget::steps(CLASS_LIMIT).with_cancel(options.limits.cancel.clone());
    let classes = match pair_classes(models, &mut Solver::new(), &mut budget) {
        Ok(classes) => classes,
        Err(_) if models.iter().all(|model| is_enumerable(model)) => {
            return decide(implementation, specification, relation, options, report);
        }
        Err(why) => return Ok(unknown(no_classes(why).message)),
    };
    let data = PairData { classes: &classes.data, unroll: SMALL as u64 };
    let mut decided =
        decide_classes(implementation, specification, relation, Some(data), options, report)?;
    if let RelationAnswer::Violated(violation) = &decided.answer {
        decided.answer = match real(models, &classes, violation) {
            Ok(violation) => RelationAnswer::Violated(Box::new(violation)),
            Err(why) => RelationAnswer::Unknown(format!(
                "there is a violation, but no values for it: {why}"
            )),
        };
    }
    Ok(decided)
}

fn unknown(reason: String) -> Decided {
    let answer = RelationAnswer::Unknown(reason);
    Decided { answer, statistics: Statistics::default(), faulty: false, stops: false }
}

/// A violation over representatives with runs of the models themselves.
fn real(
    models: [&Model; 2],
    classes: &PairClasses,
    violation: &Violation,
) -> Result<Violation, String> {
    let mut follower = PairFollower::new(models, classes, Solver::new());
    // A comparison on classes follows one run of the specification.
    let mut partners = violation.followed.iter().flatten();
    let (mut run, mut followed) = (Vec::new(), Vec::new());
    let lost = || "a step between classes is no step of the model".to_owned();
    for TimedStep { delay, step } in &violation.run {
        let delay = *delay;
        let Some(step) = step else {
            run.push(TimedStep { delay, step: None });
            continue;
        };
        let internal = matches!(step.label, StepLabel::Internal(_));
        let partner = if internal { None } else { partners.next() };
        let last = !internal && partner.is_none();
        if last {
            let values = follower.values([Some(step), None])?;
            let step = follower.corresponding(0, step, values.as_ref()).ok_or_else(lost)?;
            run.push(TimedStep { delay, step: Some(step) });
            continue;
        }
        let other: Option<&Step> = partner.and_then(|one| one.step.as_ref());
        let [own, other] = follower.step([Some(step), other])?;
        run.push(TimedStep { delay, step: own });
        if let Some(partner) = partner {
            followed.push(TimedStep { delay: partner.delay, step: other });
        }
    }
    let observed = match &violation.observed {
        ObservedViolation::Delay => ObservedViolation::Delay,
        ObservedViolation::Output(_) => {
            let last = run.last().and_then(|one| one.step.clone());
            ObservedViolation::Output(last.ok_or_else(lost)?)
        }
        ObservedViolation::Refusal(step) => {
            let values = follower.values([None, Some(step)])?;
            let step = follower.corresponding(1, step, values.as_ref());
            ObservedViolation::Refusal(step.ok_or_else(lost)?)
        }
    };
    Ok(Violation { run, followed: Some(followed), observed, after: violation.after })
}
