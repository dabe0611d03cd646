//! The product with a test purpose: it behaves as the network does, and the purpose follows.

use std::collections::BTreeMap;

use tioga_base::Rational;
use tioga_concrete::{Intervals, Semantics, State};
use tioga_model::{Model, StepLabel};
use tioga_testkit::model;

fn product(model: &Model) -> Model {
    model.clone().into_network().observed_by(0).unwrap().validate().unwrap()
}

/// When each label is possible, over all steps that show it.
fn windows(semantics: &mut Semantics<'_>, state: &State) -> BTreeMap<StepLabel, Intervals> {
    let mut all: BTreeMap<StepLabel, Intervals> = BTreeMap::new();
    for choice in semantics.options(state).unwrap().choices {
        let entry = all.entry(choice.step.label).or_default();
        *entry = entry.unite(&choice.windows);
    }
    all
}

const CONVEYOR: &str = include_str!("../../../../examples/conveyor/conveyor.tioga");

#[test]
fn a_purpose_forbids_nothing_and_adds_nothing() {
    let spec = model(CONVEYOR);
    let product = product(&spec);
    let (mut alone, mut observed) = (Semantics::new(&spec), Semantics::new(&product));
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..50 {
        let mut state = observed.initial().unwrap();
        for _ in 0..20 {
            let mut own = alone.initial().unwrap();
            own.discrete.locations.copy_from_slice(&state.discrete.locations[..1]);
            own.clocks.copy_from_slice(&state.clocks[..1]);
            assert_eq!(windows(&mut observed, &state), windows(&mut alone, &own));
            let options = observed.options(&state).unwrap();
            let choice = random.choice(&options.choices).unwrap();
            let part = choice.windows.parts()[0];
            let (lower, open) = part.lower();
            let upper = part.upper().map_or(lower.add(Rational::integer(3)).unwrap(), |up| up.0);
            let middle = lower.add(upper).unwrap().div(Rational::integer(2)).unwrap();
            let delay = if open || random.bool() { middle } else { lower };
            state = observed.step(&state.later(delay).unwrap(), &choice.step).unwrap();
        }
    }
}

#[test]
fn a_purpose_follows_its_edges_and_restarts() {
    let spec = model(CONVEYOR);
    let product = product(&spec);
    let mut semantics = Semantics::new(&product);
    let mut state = semantics.initial().unwrap();
    let mut run = |delay: i64, action: &str| {
        state = state.later(Rational::integer(delay)).unwrap();
        let options = semantics.options(&state).unwrap();
        let step = options.now().find(|step| {
            let shown = tioga_concrete::label_of(&product, step);
            format!("{shown:?}").contains(&format!("\"{action}\""))
        });
        state = semantics.step(&state, &step.unwrap().clone()).unwrap();
        state.display(&product).to_string()
    };
    assert_eq!(run(1, "load"), "(Belt.Sort, ShipToTwo.Wait; Belt.x=1, ShipToTwo.y=1)");
    assert_eq!(run(3, "waste"), "(Belt.Waste, ShipToTwo.Wasted; Belt.x=4, ShipToTwo.y=4)");
    assert_eq!(run(9, "restart"), "(Belt.Start, ShipToTwo.Wait; Belt.x=0, ShipToTwo.y=0)");
    assert_eq!(run(0, "load"), "(Belt.Sort, ShipToTwo.Wait; Belt.x=0, ShipToTwo.y=0)");
    assert_eq!(run(5, "pass"), "(Belt.Boarding, ShipToTwo.Wait; Belt.x=5, ShipToTwo.y=5)");
    assert_eq!(run(0, "ship2"), "(Belt.Dest2, ShipToTwo.Accept; Belt.x=5, ShipToTwo.y=5)");
}

#[test]
fn an_action_without_a_fitting_edge_leads_where_otherwise_says() {
    let spec = model(
        "model m; input a; output b;
         automaton P { clock x; init location A; A -> self : a?; A -> self : b!; }
         purpose T { init location W; location Off; accept location Yes;
                     W -> Yes : a? when P.x > 2; otherwise -> Off; }",
    );
    let product = product(&spec);
    let mut semantics = Semantics::new(&product);
    let start = semantics.initial().unwrap();
    let ends = |semantics: &mut Semantics<'_>, delay: i64| -> Vec<String> {
        let state = start.later(Rational::integer(delay)).unwrap();
        let options = semantics.options(&state).unwrap();
        let steps: Vec<_> = options.now().cloned().collect();
        let after = steps.iter().map(|step| semantics.step(&state, step).unwrap());
        after.map(|state| state.display(&product).to_string()).collect()
    };
    assert_eq!(ends(&mut semantics, 1), ["(P.A, T.Off; P.x=1)", "(P.A, T.Off; P.x=1)"]);
    assert_eq!(ends(&mut semantics, 3), ["(P.A, T.Yes; P.x=3)", "(P.A, T.Off; P.x=3)"]);
}
