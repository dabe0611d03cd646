//! What a change of a model affects, against a slow, obvious reference: runs followed on the reference semantics.
//! Each mutant of a model is a changed version of it.

use tioga::trace::trace;
use tioga::{
    BehaviourDifference, ChangeKind, Effort, Followed, Loaded, ModelSource, Sources, diff, read,
};
use tioga_base::Budget;
use tioga_concrete::{
    Record, ReplayLimits, StepRecord, Trace, TraceEvent, WalkOptions, label_of, replay, walk,
};
use tioga_conform::ObservedViolation;
use tioga_model::Model;
use tioga_mutate::{MutantOptions, mutants};

fn loaded(name: &str) -> Loaded {
    let text = tioga::example(name).unwrap().text;
    read(ModelSource::of_text("model.tioga", text).unwrap(), &[], &mut Sources::new()).unwrap()
}

/// Whether a model can do what a trace shows, by the reference semantics.
fn can(model: &Model, trace: &Trace) -> bool {
    let limits = ReplayLimits { internal_steps: 20, budget: Budget::steps(1_000_000) };
    replay(model, &trace.observable().unwrap(), limits).unwrap().is_ok()
}

/// A difference is real: one version does what the other cannot.
fn confirm(own: &Model, other: &Model, difference: &BehaviourDifference) {
    let violation = &difference.violation;
    let mut shown = trace(own, &violation.run);
    assert!(can(own, &shown), "{}: no run of its version", difference.place);
    if let ObservedViolation::Refusal(step) = &violation.observed {
        let event = match label_of(other, step) {
            TraceEvent::Exchange(input, values, ..) => TraceEvent::Input(input, values),
            event => event,
        };
        shown.records.push(Record::Step(StepRecord { event, edges: None }));
        assert!(can(other, &shown), "{}: the input is not taken", difference.place);
        assert!(!can(own, &shown), "{}: the input is not refused", difference.place);
    } else {
        assert!(!can(other, &shown), "{}: the other version can do that, too", difference.place);
    }
}

fn confirm_all(own: &Model, other: &Model, followed: &Followed) {
    let mut places: Vec<&str> = followed.differences.iter().map(|one| one.place.as_str()).collect();
    followed.differences.iter().for_each(|one| confirm(own, other, one));
    places.sort_unstable();
    let number = places.len();
    places.dedup();
    assert_eq!(number, places.len(), "a place is told twice: {places:?}");
}

/// Random runs of one version that the other cannot do.
fn strangers(own: &Model, other: &Model) -> usize {
    let runs = (0..15).map(|seed| {
        let options = WalkOptions { seed, steps: 8, ..WalkOptions::default() };
        walk(own, &options).unwrap().trace
    });
    runs.filter(|run| !can(other, run)).count()
}

fn check_mutants(name: &str, every: usize) {
    let model = loaded(name);
    let list = mutants(&model.model, &MutantOptions::default()).list;
    assert!(!list.is_empty());
    let (mut same, mut different) = (0, 0);
    for mutant in list.iter().step_by(every) {
        let mut changed = model.clone();
        changed.model = mutant.model(&model.model).unwrap();
        let found =
            diff(&model, &changed, None, Some(20_000), &mut Sources::new(), &mut Effort::default());
        let found = found.unwrap();
        let id = &mutant.id;
        assert!(!found.changes.is_empty(), "{id}: the change is not told");
        assert!(found.changes.len() <= 3, "{id}: {:?}", found.changes);
        let (new, old) =
            (found.new_follows_old.as_ref().unwrap(), found.old_follows_new.as_ref().unwrap());
        confirm_all(&changed.model, &model.model, new);
        confirm_all(&model.model, &changed.model, old);
        match found.same() {
            Some(true) => {
                same += 1;
                let strange = strangers(&changed.model, &model.model)
                    + strangers(&model.model, &changed.model);
                assert_eq!(strange, 0, "{id}: {}", mutant.description);
            }
            Some(false) => different += 1,
            None => {}
        }
    }
    assert!(different > 3, "{name}: {same} the same, {different} different");
}

#[test]
fn differences_of_mutants_are_real() {
    check_mutants("smart-light", 5);
    check_mutants("stairs-light", 3);
}

#[test]
fn a_model_is_the_same_as_itself() {
    for name in ["smart-light", "stairs-light", "car-alarm"] {
        let model = loaded(name);
        let (mut texts, mut effort) = (Sources::new(), Effort::default());
        let found = diff(&model, &model, None, None, &mut texts, &mut effort).unwrap();
        assert_eq!((found.changes.len(), found.same()), (0, Some(true)), "{name}");
    }
}

/// Two changes in different places are two differences, each with a run of its own.
#[test]
fn each_difference_has_a_run() {
    let text = tioga::example("smart-light").unwrap().text;
    let changed = text
        .replace(
            "L1, L4, L5 -> Dim : dim! do x = 0;",
            "L1, L4, L5 -> Dim : dim! when Tp >= 1 do x = 0;",
        )
        .replace("L3, L6 -> Off : off! do x = 0;", "L3, L6 -> Off : dim! do x = 0;");
    let of = |text: &str| {
        read(ModelSource::of_text("m.tioga", text).unwrap(), &[], &mut Sources::new()).unwrap()
    };
    let (old, new) = (of(text), of(&changed));
    let found = diff(&old, &new, None, None, &mut Sources::new(), &mut Effort::default()).unwrap();
    let way = found.new_follows_old.as_ref().unwrap();
    let places: Vec<&str> = way.differences.iter().map(|one| one.place.as_str()).collect();
    assert_eq!(places.len(), 2, "{places:?}");
    assert!(places.iter().all(|place| place.contains("-> Off on `dim!`")), "{places:?}");
    confirm_all(&new.model, &old.model, way);
    let way = found.old_follows_new.as_ref().unwrap();
    assert!(way.differences.len() >= 4, "{:?}", way.differences.len());
    confirm_all(&old.model, &new.model, way);
    let kinds = |kind: ChangeKind| found.changes.iter().filter(|one| one.kind == kind).count();
    assert_eq!(kinds(ChangeKind::Changed), 3, "{:?}", found.changes);
    assert_eq!(
        (kinds(ChangeKind::Added), kinds(ChangeKind::Removed)),
        (2, 2),
        "{:?}",
        found.changes
    );
}
