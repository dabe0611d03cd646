//! Traps that the solver finds pass; traps with a hole do not.

use crate::support::{all_games, trap};
use tioga_certify::{CheckCoverage, CheckOptions, Error, Extent, Flaw, Refutation, check_trap};
use tioga_families::Lep;
use tioga_model::{ClockBound, ClockId, Model, Objective, Predicate};
use tioga_testcase::{Concept, Scope, Trap, TrapPlace};
use tioga_testkit::{example, model, objectives};

/// The system must move by 3, and has two moves; one of them leads to the goal.
const CHOICE: &str = "
model choice;
input a;
output u, v;
automaton G {
  clock x, y;
  init location l0 invariant x <= 3;
  location l1 invariant x < 2;
  accept location goal;
  l0 -> l1 : u! when x >= 1 do x = 0;
  l0 -> goal : v! when x >= 1;
  l0 -> l0 : a? when x == 2 do x = 1;
  l1 -> l0 : a? when x > 1 do x = 0;
  l1 -> l0 : v! do x = 0;
  l1 -> goal : u! when x < 1;
}
query control: A<> G.goal;
";

fn trapped(text: &str) -> (Model, Trap) {
    let model = model(text);
    let trap = trap(&model, &objectives(&model)[0]).unwrap();
    (model, trap)
}

fn refuted(model: &Model, trap: &Trap) -> Refutation {
    match check_trap(model, trap, &CheckOptions::default()) {
        Err(Error::Refuted(refutation)) => *refutation,
        other => panic!("{other:?}"),
    }
}

/// What the trap says about a location of the model's only process.
fn at<'t>(model: &Model, trap: &'t mut Trap, location: &str) -> &'t mut TrapPlace {
    let process = model.processes.iter().next().unwrap();
    let found = process.locations.iter_ids().find(|(_, own)| own.name == location).unwrap().0;
    let mut places = trap.places.iter_mut();
    places.find(|(state, _)| state.locations[0] == found).unwrap().1
}

#[test]
fn traps_of_examples_pass() {
    let mut passed = Vec::new();
    let sampled = CheckOptions { extent: Extent::Sampled, plays: 20, ..CheckOptions::default() };
    for (name, model) in all_games() {
        for objective in &objectives(&model) {
            let Some(trap) = trap(&model, objective) else { continue };
            for options in [&CheckOptions::default(), &sampled] {
                let report = check_trap(&model, &trap, options)
                    .unwrap_or_else(|error| panic!("{name}, {objective:?}: {error}"));
                assert!(report.states > 0 && report.exact, "{name}: {report}");
            }
            passed.push(name.clone());
        }
    }
    for name in ["complex", "problematic-light"] {
        assert!(passed.iter().any(|passed| passed == name), "{name} is not among {passed:?}");
    }
}

#[test]
fn small_traps_pass_in_every_region() {
    for name in ["complex", "problematic-light"] {
        let model = example(name);
        let trap = trap(&model, &objectives(&model)[0]).unwrap();
        let report = check_trap(&model, &trap, &CheckOptions::default()).unwrap();
        assert_eq!(report.coverage, CheckCoverage::Exhaustive, "{name}");
    }
}

#[test]
fn traps_of_families_pass() {
    let families = [
        ("lep 3", Lep { nodes: 3, slots: None, far: None }.tioga()),
        ("lep 4", Lep { nodes: 4, slots: None, far: None }.tioga()),
    ];
    let options =
        CheckOptions { max_regions: 300, plays: 20, points: 1, ..CheckOptions::default() };
    for (name, text) in families {
        let model = model(&text);
        let traps =
            objectives(&model).iter().filter_map(|one| trap(&model, one)).collect::<Vec<_>>();
        assert!(!traps.is_empty(), "{name} has a trap");
        for trap in traps {
            let report = check_trap(&model, &trap, &options)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(report.states > 20, "{name}: {report}");
        }
    }
}

#[test]
fn a_system_that_sticks_to_harmless_steps_wins() {
    let (model, trap) = trapped(CHOICE);
    let report = check_trap(&model, &trap, &CheckOptions::default()).unwrap();
    assert_eq!(report.coverage, CheckCoverage::Exhaustive);
    let sampled = CheckOptions { extent: Extent::Sampled, ..CheckOptions::default() };
    let report = check_trap(&model, &trap, &sampled).unwrap();
    assert!(matches!(report.coverage, CheckCoverage::Sampled { points: 1.., .. }), "{report}");
}

#[test]
fn a_system_that_must_step_and_sticks_to_nothing_is_noticed() {
    let (model, mut trap) = trapped(CHOICE);
    at(&model, &mut trap, "l0").moves.clear();
    let refutation = refuted(&model, &trap);
    assert_eq!(refutation.flaw, Flaw::Idle);
    assert_eq!(
        refutation.to_string(),
        "in state (G.l0; G.x=0, G.y=0) time ends after 3 while the system can play `u!`, \
         so it must move, but it has none of the steps it sticks to"
    );
}

#[test]
fn the_end_of_an_open_interval_is_an_end_too() {
    let (model, mut trap) = trapped(CHOICE);
    at(&model, &mut trap, "l1").moves.clear();
    let refutation = refuted(&model, &trap);
    assert_eq!(refutation.flaw, Flaw::Idle);
    assert!(refutation.message.contains("time ends after 2 while"), "{refutation}");
}

#[test]
fn a_system_that_sticks_to_a_harmful_step_is_noticed() {
    let (model, mut trap) = trapped(CHOICE);
    at(&model, &mut trap, "l0").moves = vec![0, 1, 2];
    let refutation = refuted(&model, &trap);
    assert_eq!(refutation.flaw, Flaw::Outside);
    assert_eq!(
        refutation.to_string(),
        "in state (G.l0; G.x=0, G.y=0) the system sticks to `v!`, which it may play after 1; \
         this leads out of the trap"
    );
}

#[test]
fn a_missing_place_is_noticed() {
    let (model, trap) = trapped(CHOICE);
    for place in trap.places.keys() {
        let mut smaller = trap.clone();
        smaller.places.remove(place);
        assert_eq!(refuted(&model, &smaller).flaw, Flaw::Outside);
    }
}

#[test]
fn bounds_that_exclude_a_reached_state_are_noticed() {
    let (model, mut trap) = trapped(CHOICE);
    let bound = ClockBound { left: Some(ClockId(0)), right: None, strict: true, bound: 3 };
    at(&model, &mut trap, "l0").zones.iter_mut().for_each(|zone| zone.push(bound));
    let refutation = refuted(&model, &trap);
    assert_eq!(
        refutation.to_string(),
        "in state (G.l0; G.x=0, G.y=0) time leads out of the trap after 3"
    );
}

#[test]
fn a_goal_in_a_trap_is_noticed() {
    let (model, mut trap) = trapped(CHOICE);
    trap.terms.objective = Objective::Reach(Predicate::NoDeadlock);
    let refutation = refuted(&model, &trap);
    assert_eq!(refutation.flaw, Flaw::Goal);
    assert_eq!(
        refutation.to_string(),
        "in state (G.l0; G.x=0, G.y=0) the tester has what it wants now: the objective is reached"
    );
}

#[test]
fn states_that_the_objective_forbids_end_the_play() {
    let text = CHOICE.replace("A<> G.goal", "A[ G.x < 2 U G.goal && G.y > 9 ]");
    let (model, mut trap) = trapped(&text);
    check_trap(&model, &trap, &CheckOptions::default()).unwrap();
    // Time leads to a forbidden state before it ends, so the system never has to move.
    at(&model, &mut trap, "l0").moves.clear();
    check_trap(&model, &trap, &CheckOptions::default()).unwrap();
}

#[test]
fn traps_that_answer_something_else_are_refused() {
    let (model, trap) = trapped(CHOICE);
    let Objective::Reach(goal) = trap.terms.objective.clone() else {
        panic!("it is to be reached")
    };
    let mut others = vec![trap.clone(); 5];
    others[0].terms.objective = Objective::Stay(goal);
    others[1].terms.concept = Concept::Fair;
    others[2].terms.scope = Scope::Cooperative;
    let bound = ClockBound { left: Some(ClockId(9)), right: None, strict: false, bound: 1 };
    at(&model, &mut others[3], "l0").zones[0].push(bound);
    let (mut place, said) = others[4].places.pop_first().unwrap();
    place.data = [0].into();
    others[4].places.insert(place, said);
    for other in others {
        let refutation = refuted(&model, &other);
        assert_eq!((refutation.flaw, refutation.state), (Flaw::Malformed, None));
    }
}
