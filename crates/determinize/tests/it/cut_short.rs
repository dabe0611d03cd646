//! Results for which the effort did not suffice: io-abstractions all the same, and the more effort,
//! the more they say.

use crate::support::{related, text};
use tioga_base::{Budget, LimitReached};
use tioga_conform::{Relation, RelationAnswer};
use tioga_determinize::{Determinized, Error, Exactness, LossKind, Resources, determinize};
use tioga_model::{LocationId, Model, Property, PropertyVerdict, properties};
use tioga_testkit::{example, model};

/// Two parties that hide when they begin, with values.
const VALUES: &str = "
input ask;
output tell(int[0, 2] v, bool sure), done;
automaton A {
  clock x;
  int[0, 2] v;
  init location Idle;
  location Busy invariant x <= 3;
  Idle -> Busy : ask? do x = 0, v = 0;
  Busy -> self : when x >= 1 && v < 2 do v = v + 1, x = 0;
  Busy -> Idle : tell(v, true)! when x >= 1;
  Busy -> Idle : tell(v, false)! when x >= 2;
  Busy -> Idle : done! when x == 0;
}";

fn models() -> Vec<(&'static str, Model)> {
    let mut all = vec![("values", model(VALUES))];
    for name in ["conveyor", "bjsk"] {
        all.push((name, example(name)));
    }
    all
}

fn cut(model: &Model, clocks: usize, steps: u64) -> Determinized {
    let max_constant = Resources::of(model).unwrap().max_constant;
    determinize(model, Resources { clocks, max_constant }, &mut Budget::steps(steps)).unwrap()
}

#[test]
fn whatever_the_effort_the_view_is_a_deterministic_abstraction() {
    for (name, model) in models() {
        let (mut cut_short, mut whole) = (0, 0);
        for steps in (0..).map(|power| (1u64 << power) - 1).take(13) {
            for clocks in [1, 2] {
                let result = cut(&model, clocks, steps);
                let short = result.exactness.is_cut_short();
                if short {
                    cut_short += 1
                } else {
                    whole += 1
                }
                let view = result.network.validate().unwrap();
                for report in properties(&view) {
                    if matches!(report.property, Property::Deterministic | Property::Observable) {
                        assert_eq!(
                            report.verdict,
                            PropertyVerdict::Holds,
                            "{name}: {}",
                            text(&view)
                        );
                    }
                }
                let outputs = related(&model, &view, Relation::Conforms);
                assert_eq!(
                    outputs,
                    RelationAnswer::Holds,
                    "{name}, {steps} steps: {}",
                    text(&view)
                );
                let inputs = related(&model, &view, Relation::Refines);
                assert!(!matches!(inputs, RelationAnswer::Violated(_)), "{name}: {inputs:?}");
            }
        }
        assert!(cut_short > 3 && whole > 0, "{name}: {cut_short} cut short, {whole} whole");
    }
}

#[test]
fn where_the_effort_ended_every_output_may_come_and_no_input_is_taken() {
    let model = model(VALUES);
    let result = cut(&model, 1, 0);
    let Exactness::Approximate { losses, .. } = &result.exactness else {
        panic!("{:?}", result.exactness)
    };
    let [loss] = &losses[..] else { panic!("{losses:?}") };
    assert_eq!((loss.kind, loss.location.as_str()), (LossKind::Effort, "Unknown"));
    let view = text(&result.network);
    // Six values of `tell`, and `done`.
    assert_eq!(view.matches("Unknown -> Unknown").count(), 7, "{view}");
    assert!(!view.contains('?'), "{view}");
}

#[test]
fn more_effort_leads_further() {
    let model = model(VALUES);
    let sizes: Vec<usize> = (0..12).map(|power| cut(&model, 1, 1 << power).game_states).collect();
    assert!(sizes.is_sorted(), "{sizes:?}");
    assert!(sizes.last() > sizes.first());
}

#[test]
fn the_same_effort_gives_the_same_result() {
    for (name, model) in models() {
        for steps in [10, 40, 160, 640] {
            assert_eq!(cut(&model, 2, steps), cut(&model, 2, steps), "{name}");
        }
    }
}

#[test]
fn outputs_with_too_many_values_are_not_all_allowed_and_there_is_no_result() {
    let model = model(&VALUES.replace("int[0, 2] v, bool", "int v, bool"));
    let resources = Resources { clocks: 1, max_constant: 3 };
    let error = determinize(&model, resources, &mut Budget::steps(10)).unwrap_err();
    assert!(matches!(error, Error::Limit(LimitReached::Steps(_))), "{error}");
}

#[test]
fn opening_on_demand_is_as_exact_as_opening_everything() {
    for (name, model) in models() {
        for (clocks, max_constant) in [(1, 2), (1, 3), (1, 6), (2, 2)] {
            let resources = Resources { clocks, max_constant };
            let mut budget = Budget::steps(2_000_000);
            let whole = determinize(&model, resources, &mut budget).unwrap();
            // Too little for the whole game, and enough for twice what it takes on demand.
            let mut less = Budget::steps(budget.used() * 3);
            let demanded = determinize(&model, resources, &mut less).unwrap();
            let context = format!("{name} with {clocks} clocks and constants up to {max_constant}");
            assert!(!demanded.exactness.is_cut_short(), "{context}");
            assert_eq!(demanded.exactness.is_exact(), whole.exactness.is_exact(), "{context}");
            assert!(demanded.game_states <= whole.game_states, "{context}");
        }
    }
}

#[test]
fn what_was_reached_where_the_effort_ended_is_not_reached_again_by_any_output() {
    let model = model(
        "output b, c;
        automaton A {
          clock x, y;
          init accept location l0;
          location l1;
          l0 -> l0 : c! when x < 1;
          l0 -> l1 : c! when x <= 1;
        }",
    );
    let result = cut(&model, 1, 0);
    let process = result.network.processes.iter().next().unwrap();
    let marked: Vec<bool> = process.locations.iter().map(|one| one.marks.accept).collect();
    assert_eq!(marked, [true, false]);
    assert_eq!(process.edges.len(), 4);
    assert!(process.edges.iter().all(|edge| edge.target == LocationId(1)));
    assert_eq!(result.goals.len(), 1);
}
