//! The solver's answers for random games pass; answers that were tampered with do not.

use crate::support::random;
use crate::support::tamper;
use crate::support::{ALL_TERMS, avoids, table, trap};
use proptest::prelude::*;
use tioga_certify::{CheckOptions, Error, Extent, check, check_trap};
use tioga_concrete::Semantics;
use tioga_model::ClockConjunction;
use tioga_testcase::{Concept, Scope, Trap, TrapPlace};
use tioga_testkit::{model, objectives};

fn pass(text: &str) -> Result<(), TestCaseError> {
    let model = model(text);
    for objective in &objectives(&model) {
        for (concept, scope) in ALL_TERMS {
            if avoids(objective) && scope != Scope::Winning {
                continue;
            }
            let table = table(&model, objective, concept, scope);
            for extent in [Extent::Feasible, Extent::Sampled] {
                let options = CheckOptions { extent, plays: 10, ..CheckOptions::default() };
                match check(&model, &table, &options) {
                    Ok(_) | Err(Error::Semantics(tioga_concrete::Error::NoInitialState)) => {}
                    Err(error) => {
                        let what = format!("{objective:?}\n{concept:?} {scope:?} {extent:?}");
                        return Err(TestCaseError::fail(format!("{error}\n{what}\n{text}")));
                    }
                }
            }
        }
    }
    Ok(())
}

/// Traps pass, and are found again to be wrong when a place is missing that plays must reach.
fn traps_pass(text: &str) -> Result<(), TestCaseError> {
    let model = model(text);
    let Ok(start) = Semantics::new(&model).initial() else { return Ok(()) };
    for objective in objectives(&model).iter().filter(|objective| !avoids(objective)) {
        let Some(mut trap) = trap(&model, objective) else { continue };
        for extent in [Extent::Feasible, Extent::Sampled] {
            let options = CheckOptions { extent, plays: 10, ..CheckOptions::default() };
            if let Err(error) = check_trap(&model, &trap, &options) {
                let what = format!("{error}\n{objective:?} {extent:?}\n{trap:?}\n{text}");
                return Err(TestCaseError::fail(what));
            }
        }
        trap.places.remove(&start.discrete);
        let answer = check_trap(&model, &trap, &CheckOptions::default());
        prop_assert!(matches!(answer, Err(Error::Refuted(_))), "{objective:?}\n{text}");
    }
    Ok(())
}

/// Whatever a trap claims, it does not pass if the game is won.
fn forged_traps_are_found(text: &str, chosen: u32) -> Result<(), TestCaseError> {
    let model = model(text);
    let Ok(start) = Semantics::new(&model).initial() else { return Ok(()) };
    let process = model.processes.iter().next().unwrap();
    for objective in objectives(&model).iter().filter(|objective| !avoids(objective)) {
        let table = table(&model, objective, Concept::Strict, Scope::Winning);
        let steps = (0..32).filter(|index| chosen >> index & 1 == 1).collect();
        let all = TrapPlace { zones: vec![ClockConjunction::new()], moves: steps };
        let places = process.locations.ids().map(|location| {
            let mut place = start.discrete.clone();
            place.locations[0] = location;
            (place, all.clone())
        });
        let trap = Trap { terms: table.terms.clone(), places: places.collect() };
        let rank = tamper::rank(&model, &table, &start);
        let passes = check_trap(&model, &trap, &CheckOptions::default()).is_ok();
        prop_assert!(!passes || rank.is_none(), "{objective:?} {chosen:b}\n{text}");
    }
    Ok(())
}

/// Every twentieth small mistake, from some point on, that plays come across.
fn mistakes_are_found(text: &str, first: usize) -> Result<(), TestCaseError> {
    let model = model(text);
    if Semantics::new(&model).initial().is_err() {
        return Ok(());
    }
    let objective = &objectives(&model)[0];
    for (concept, scope) in ALL_TERMS {
        let table = table(&model, objective, concept, scope);
        let reachable = tamper::reachable(&model, &table, 6);
        for tampered in tamper::wrong_ranks(&table).into_iter().skip(first).step_by(20) {
            let states = reachable.get(&tampered.place).map_or(&[][..], Vec::as_slice);
            let rank = |table, state| tamper::rank(&model, table, state);
            let differs =
                states.iter().find(|state| rank(&table, state) != rank(&tampered.table, state));
            let Some(state) = differs else { continue };
            let answer = check(&model, &tampered.table, &CheckOptions::default());
            let what = &tampered.what;
            let state = state.display(&model);
            let refuted = matches!(answer, Err(Error::Refuted(_)));
            prop_assert!(refuted, "{what} at {state}, {concept:?} {scope:?}\n{text}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_games_with_one_clock_pass(text in random::game(1)) {
        pass(&text)?;
    }

    #[test]
    fn random_games_with_two_clocks_pass(text in random::game(2)) {
        pass(&text)?;
    }

    #[test]
    fn traps_of_random_games_with_one_clock_pass(text in random::game(1)) {
        traps_pass(&text)?;
    }

    #[test]
    fn traps_of_random_games_with_two_clocks_pass(text in random::game(2)) {
        traps_pass(&text)?;
    }

    #[test]
    fn won_games_have_no_trap(text in random::game(2), chosen in any::<u32>()) {
        forged_traps_are_found(&text, chosen)?;
    }

    #[test]
    fn mistakes_in_random_games_with_one_clock_are_found(
        text in random::game(1), first in 0usize..20,
    ) {
        mistakes_are_found(&text, first)?;
    }

    #[test]
    fn mistakes_in_random_games_with_two_clocks_are_found(
        text in random::game(2), first in 0usize..20,
    ) {
        mistakes_are_found(&text, first)?;
    }
}
