//! The test cases of the examples pass.

use crate::support::cases::TIMELY;
use crate::support::{ESCAPES, EXAMPLES, avoids};
use tioga_certify::{CheckCoverage, CheckOptions, Extent, check_case};
use tioga_model::Model;
use tioga_testcase::{Scope, Shape};
use tioga_testkit::{SHAPES, test_case};
use tioga_testkit::{example, model, objectives};

fn specifications() -> Vec<(&'static str, Model)> {
    let mut all = vec![("escapes", model(ESCAPES)), ("timely", model(TIMELY))];
    all.extend(EXAMPLES.map(|name| (name, example(name))));
    all
}

#[test]
fn test_cases_of_the_examples_pass_in_every_region() {
    for (name, model) in specifications() {
        for objective in objectives(&model).iter().filter(|objective| !avoids(objective)) {
            for scope in [Scope::Cooperative, Scope::SafetyFirst] {
                for shape in SHAPES {
                    let case = test_case(&model, objective, scope, shape, 21).unwrap();
                    let options = CheckOptions::default();
                    let what = format!("{name}, {objective:?} {scope:?} {shape:?}");
                    let report = check_case(&model, objective, &case, &options)
                        .unwrap_or_else(|error| panic!("{what}: {error}"));
                    assert_eq!(report.coverage, CheckCoverage::Exhaustive, "{what}: {report}");
                    assert!(report.exact && report.states > 5, "{what}: {report}");
                    assert_eq!(report.advised > 0, shape != Shape::Automaton, "{what}: {report}");
                }
            }
        }
    }
}

/// A specification with data, values and half units, and a purpose with a clock of its own.
const DISPENSER: &str = "
model dispenser;
input coin(int[1,2] value), cancel;
output cup(int[0,3] left), back;
int[0,3] paid;
automaton Machine {
  clock t;
  init location idle;
  location open invariant t <= 5/2;
  location busy invariant t <= 3/2;
  idle -> open : coin(v)? do t = 0, paid = v;
  open -> busy : coin(v)? when paid == 1 && t <= 2 do t = 0, paid = paid + v;
  open -> busy : cancel? when t > 1/2 do t = 0, paid = 0;
  open -> idle : back! when t >= 2 do paid = 0;
  busy -> idle : cup(paid - 2)! when paid >= 2 && t >= 1 do paid = 0;
  busy -> idle : back! when paid < 2;
}
purpose Quick {
  clock y;
  init location wait;
  accept location got;
  refuse location gone;
  wait -> got : cup(n)! when y < 4;
  wait -> gone : back!;
  otherwise self;
}
";

#[test]
fn test_cases_of_a_product_with_a_purpose_pass() {
    let product = model(DISPENSER).into_network().observed_by(0).unwrap().validate().unwrap();
    assert_eq!(product.scale, 2);
    let objective = &objectives(&product)[0];
    for shape in SHAPES {
        let case = test_case(&product, objective, Scope::Cooperative, shape, 20).unwrap();
        let valued = case.outputs.iter().any(|action| action.values == ["1"]);
        assert!(valued, "{:?}", case.outputs);
        let options = CheckOptions::default();
        let report = check_case(&product, objective, &case, &options)
            .unwrap_or_else(|error| panic!("{shape:?}: {error}"));
        assert_eq!(report.coverage, CheckCoverage::Exhaustive, "{shape:?}: {report}");
        assert!(report.exact && report.discrete_states > 3, "{shape:?}: {report}");
        let few = CheckOptions { max_regions: 10, ..CheckOptions::default() };
        let report = check_case(&product, objective, &case, &few).unwrap();
        assert!(matches!(report.coverage, CheckCoverage::Sampled { regions: 1.., .. }));
        assert!(report.to_string().contains("out of reach"), "{report}");
    }
}

/// After `late`, a step that comes at once sets a clock, but the purpose is given up before.
const GIVEN_UP: &str = "
input go;
output done, late;
automaton Server {
  clock t;
  init location idle;
  location busy invariant t <= 3;
  committed location slow;
  location off, ready;
  idle -> busy : go? do t = 0;
  busy -> ready : done! when t >= 1;
  busy -> slow : late! when t >= 2;
  slow -> off : do t = 0;
}
purpose InTime {
  init location wait;
  accept location got;
  refuse location gone;
  wait -> got : done!;
  wait -> gone : late!;
  otherwise self;
}
";

#[test]
fn a_test_that_gives_up_before_a_step_that_comes_at_once_is_right() {
    let product = model(GIVEN_UP).into_network().observed_by(0).unwrap().validate().unwrap();
    let objective = &objectives(&product)[0];
    for shape in SHAPES {
        let case = test_case(&product, objective, Scope::Cooperative, shape, 20).unwrap();
        let report = check_case(&product, objective, &case, &CheckOptions::default())
            .unwrap_or_else(|error| panic!("{shape:?}: {error}"));
        assert_eq!(report.coverage, CheckCoverage::Exhaustive, "{shape:?}: {report}");
    }
}

#[test]
fn test_cases_of_the_examples_pass_in_random_plays() {
    let options = CheckOptions { extent: Extent::Sampled, plays: 40, ..CheckOptions::default() };
    for (name, model) in specifications() {
        let objective = &objectives(&model)[0];
        for shape in SHAPES {
            let case = test_case(&model, objective, Scope::Cooperative, shape, 50).unwrap();
            let report = check_case(&model, objective, &case, &options)
                .unwrap_or_else(|error| panic!("{name}, {shape:?}: {error}"));
            assert!(matches!(report.coverage, CheckCoverage::Sampled { plays: 40, .. }));
            assert!(!report.exact, "{report}");
        }
    }
}

/// Time alone leads through some 600 regions of each location.
const PATIENT: &str = "
model patient;
input ask;
output answer;
automaton Clerk {
  clock t;
  init location idle;
  location busy invariant t <= 300;
  location done;
  idle -> busy : ask? do t = 0;
  busy -> done : answer! when t >= 299;
}
query control: A<> Clerk.done;
";

#[test]
fn a_walk_that_would_be_given_up_is_not_begun() {
    let model = model(PATIENT);
    let objective = &objectives(&model)[0];
    for shape in SHAPES {
        let case = test_case(&model, objective, Scope::Cooperative, shape, 301).unwrap();
        let checked = |max_regions: usize| {
            let options = CheckOptions { max_regions, ..CheckOptions::default() };
            check_case(&model, objective, &case, &options).unwrap()
        };
        let all = checked(5000);
        assert_eq!(all.coverage, CheckCoverage::Exhaustive, "{shape:?}: {all}");
        assert!(all.exact && all.states > 1000, "{shape:?}: {all}");
        let few = checked(500);
        let begun = matches!(few.coverage, CheckCoverage::Sampled { regions: 1.., .. });
        assert!(!begun && !few.exact && few.states > 100, "{shape:?}: {few}");
    }
}
