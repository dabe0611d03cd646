//! Purposes that are none: cycles, ends of both kinds, clocks and actions that do not fit.

use tioga_grids::{Error, of_model, of_purpose, product};
use tioga_testkit::{example, model};

fn with_purpose(purpose: &str) -> tioga_model::Model {
    let text = format!(
        "input a; output b;
         automaton M {{ clock x; init location p; location q invariant x <= 2;
           p -> q : a? do x = 0; q -> p : b! when x >= 1; }}
         {purpose}"
    );
    model(&text)
}

#[test]
fn an_end_of_both_kinds_is_refused() {
    let both = with_purpose("purpose P { init location s; fail desired location t; s -> t : a?; }");
    let error = of_purpose(&both, 0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the location `t` of the purpose `P` is both `fail` and `desired`"
    );
}

#[test]
fn a_cycle_is_refused_with_a_location_of_it() {
    let model = example("switch-purpose/sw5");
    let mut purpose = of_purpose(&model, 0).unwrap();
    assert_eq!(purpose.check_purpose(), Ok(()));
    purpose.edges[1].target = 0;
    let Err(Error::Cyclic { location, .. }) = purpose.check_purpose() else { panic!() };
    assert!(["s0", "s1"].contains(&location.as_str()), "{location}");
}

#[test]
fn an_observing_purpose_is_refused() {
    let observing = with_purpose(
        "purpose P { init location s; accept location t; s -> t : a?; otherwise self; }",
    );
    let error = of_purpose(&observing, 0).unwrap_err();
    assert!(error.to_string().contains("observes"), "{error}");
}

#[test]
fn shared_clocks_and_turned_actions_are_refused() {
    let model = example("switch-purpose/sw5");
    let (switch, purpose) = (of_model(&model).unwrap(), of_purpose(&model, 0).unwrap());
    let mut same = purpose.clone();
    same.clocks[0].clone_from(&switch.clocks[0]);
    assert!(matches!(product(&switch, &same), Err(Error::Shared(_))));
    let mut turned = purpose.clone();
    turned.actions[0].input ^= true;
    assert!(matches!(product(&switch, &turned), Err(Error::Directions(_))));
    let mut no_end = purpose;
    no_end.locations.iter_mut().for_each(|location| location.fail = false);
    assert!(matches!(no_end.check_purpose(), Err(Error::NoEnd(_))));
}

#[test]
fn an_output_that_only_the_purpose_takes_is_taken_by_it_alone() {
    let purpose = "purpose P { init location s; desired location t; s -> t : b!; }";
    let model = with_purpose(purpose);
    let both = product(&of_model(&model).unwrap(), &of_purpose(&model, 0).unwrap()).unwrap();
    // In p the model has no edge for b, so the purpose goes alone; in q both go.
    let mut edges: Vec<String> = both.edges.iter().map(|edge| both.edge_name(edge)).collect();
    edges.sort();
    let expected = [
        "(p,s) -> (p,t) : b!",
        "(p,s) -> (q,s) : a?",
        "(p,t) -> (q,t) : a?",
        "(q,s) -> (p,t) : b!",
        "(q,t) -> (p,t) : b!",
    ];
    assert_eq!(edges, expected);
}
