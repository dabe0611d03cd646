//! Test cases of random games pass; those with a mistake do not.

use crate::support::avoids;
use crate::support::corrupt::{Effect, corrupted, effect, points};
use crate::support::random;
use proptest::prelude::*;
use tioga_certify::{CheckOptions, Error, Extent, Flaw, check_case};
use tioga_concrete::Semantics;
use tioga_testcase::Scope;
use tioga_testkit::{SHAPES, test_case};
use tioga_testkit::{model, objectives};

/// Checks the test cases of a game for its objectives, and every so manyth mistake in them.
fn check(text: &str, first: usize) -> Result<(), TestCaseError> {
    let model = model(text);
    if Semantics::new(&model).initial().is_err() {
        return Ok(());
    }
    for objective in objectives(&model).iter().filter(|objective| !avoids(objective)) {
        for shape in SHAPES {
            let scope =
                if first.is_multiple_of(2) { Scope::Cooperative } else { Scope::SafetyFirst };
            let Ok(case) = test_case(&model, objective, scope, shape, 4) else { continue };
            for extent in [Extent::Feasible, Extent::Sampled] {
                let options = CheckOptions { extent, plays: 10, ..CheckOptions::default() };
                match check_case(&model, objective, &case, &options) {
                    Ok(_) => {}
                    // The model is not deterministic.
                    Err(Error::Unsupported(_)) => return Ok(()),
                    Err(Error::Refuted(refutation)) if refutation.flaw == Flaw::Ambiguous => {
                        return Ok(());
                    }
                    Err(error) => {
                        let what = format!("{error}\n{objective:?} {shape:?} {extent:?}\n{text}");
                        return Err(TestCaseError::fail(format!("{what}\n{case:#?}")));
                    }
                }
            }
            let (points, _) = points(&case, 6);
            for (mistake, wrong) in corrupted(&case).into_iter().skip(first).step_by(20) {
                let effect = |point| effect(&case, &wrong, point, model.clocks.len());
                if points.iter().any(|point| effect(point) == Effect::Wrong) {
                    let answer = check_case(&model, objective, &wrong, &CheckOptions::default());
                    let refuted = matches!(answer, Err(Error::Refuted(_)));
                    let what = format!("{mistake}, {objective:?} {shape:?}: {answer:?}\n{text}");
                    prop_assert!(refuted, "{}", what);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn random_games_with_one_clock(text in random::game(1), first in 0usize..20) {
        check(&text, first)?;
    }

    #[test]
    fn random_games_with_two_clocks(text in random::game(2), first in 0usize..20) {
        check(&text, first)?;
    }
}
