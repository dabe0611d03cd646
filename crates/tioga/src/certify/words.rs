//! Test cases that follow one word: of a grid, of a machine, or a confirming sequence; and random walks that follow the
//! model. The code that made them is not
//! trusted: they are played against the reference semantics, and the meaning of a pass is looked up in the model.

use tioga_certify::{CheckCoverage, CheckOptions, CheckReport, Played, check_plays};
use tioga_testcase::TestCase;

use super::{CertifyFinding, found};
use crate::confirm;
use crate::grids;
use crate::machines;
use crate::runs::walk_flaw;
use crate::{Failure, Loaded};

/// The result of the checker for such a test case; nothing if it is another one.
pub(super) fn finding(
    loaded: &Loaded,
    case: &TestCase,
    how: &CheckOptions,
) -> Result<Option<CertifyFinding>, Failure> {
    let model = &loaded.model;
    if case.is_online() {
        return Ok(Some(match walk_flaw(model, case) {
            Some(wrong) => CertifyFinding::Wrong(wrong),
            None => CertifyFinding::Right(CheckReport {
                coverage: CheckCoverage::Sampled { regions: 0, plays: 0, points: 0 },
                states: 0,
                advised: 0,
                discrete_states: 0,
                exact: true,
                left_open: Some("it has no test steps, and the model itself judges its runs"),
            }),
        }));
    }
    if let Some(flaw) = machines::timed_flaw(model, case)? {
        return Ok(Some(match flaw {
            Some(wrong) => CertifyFinding::Wrong(wrong),
            None => found(check_plays(model, case, how, &mut |_| None)),
        }));
    }
    if machines::is_machine_case(case) {
        if let Some(wrong) = machines::flaw(model, case)? {
            return Ok(Some(CertifyFinding::Wrong(wrong)));
        }
        // No time passes and every answer is determined, so one play sees everything.
        let how = CheckOptions { plays: 1, ..how.clone() };
        let seen = check_plays(model, case, &how, &mut |_| None).map(|report| CheckReport {
            coverage: CheckCoverage::Exhaustive,
            exact: true,
            left_open: None,
            ..report
        });
        return Ok(Some(found(seen)));
    }
    if grids::is_grid_case(case) {
        if let Some(wrong) = grids::flaw(model, case)? {
            return Ok(Some(CertifyFinding::Wrong(wrong)));
        }
        let judge = grids::Passes::of(model, case)?;
        return Ok(Some(found(check_plays(model, case, how, &mut |events| judge.wrong(events)))));
    }
    if confirm::is_confirm_case(case) {
        let claim = match confirm::claim(model, case)? {
            Ok(claim) => claim,
            Err(wrong) => return Ok(Some(CertifyFinding::Wrong(wrong))),
        };
        let mut first = true;
        let judge = &mut |events: &[Played]| {
            let on_time = std::mem::take(&mut first);
            claim.wrong(model, events, on_time)
        };
        let found = found(check_plays(model, case, how, judge));
        // Plays do not see everything that a test case says.
        let flaw = match &found {
            CertifyFinding::Right(_) => confirm::form_flaw(model, case),
            _ => None,
        };
        return Ok(Some(flaw.map_or(found, CertifyFinding::Wrong)));
    }
    Ok(None)
}
