//! Test cases one after the other without a reset in between.
//!
//! A test case that reaches its target without control loss may go on to the next target. The joined test case replaces
//! both if it needs no control loss either and takes less time than both with a reset.

use tioga_testcase::Shape;

use super::built::SuiteOptions;
use super::evidence::Evidence;
use super::field::{Candidate, Field, cost};
use crate::synthesis::cover_target;
use crate::{Cause, Effort, Failure, Loaded};

/// How many targets a test case may have.
const LONGEST: usize = 6;

/// How many test cases are tried as the next one.
const NEAREST: usize = 3;

/// The candidates, joined where that saves time, and how many are joined into others.
pub fn chained(
    loaded: &Loaded,
    field: &Field,
    kept: Vec<Candidate>,
    fixed: usize,
    options: &SuiteOptions,
    effort: &mut Effort<'_>,
    shown: &dyn Fn(&tioga_testcase::TestCase) -> Result<Evidence, Failure>,
) -> Result<(Vec<Candidate>, usize), Failure> {
    if options.synthesis.shape != Shape::Strategy {
        return Ok((kept, 0));
    }
    let mut rest: std::collections::VecDeque<Candidate> = kept.into();
    let mut done: Vec<Candidate> = rest.drain(..fixed).collect();
    let mut joined = 0;
    while let Some(mut current) = rest.pop_front() {
        let Some((mut target, mut way)) = aim_of(field, &current) else {
            done.push(current);
            continue;
        };
        let mut length = 1;
        'longer: while length < LONGEST && !effort.cancel.is_cancelled() {
            for next in 0..rest.len().min(NEAREST) {
                let Some((other, other_way)) = aim_of(field, &rest[next]) else { continue };
                let Some((both, both_way)) = target.followed(&way, &other, &other_way, loaded)
                else {
                    continue;
                };
                let made = cover_target(
                    loaded,
                    &both,
                    std::slice::from_ref(&both_way),
                    true,
                    &options.synthesis,
                    effort,
                );
                let case = match made {
                    Ok(Ok((_, case))) => case,
                    Ok(Err(_)) => continue,
                    Err(failure) if failure.cause == Cause::Internal => return Err(failure),
                    // What cannot be joined stays apart.
                    Err(_) => break 'longer,
                };
                let evidence = shown(&case)?;
                let both_covered = evidence.covered.is_superset(&current.evidence.covered)
                    && evidence.covered.is_superset(&rest[next].evidence.covered);
                let before = cost(&current.evidence) + cost(&rest[next].evidence);
                if evidence.failed.is_some()
                    || !both_covered
                    || evidence.fair.0 != evidence.fair.1
                    || cost(&evidence) > before
                {
                    continue;
                }
                rest.remove(next);
                current = Candidate { case, aim: current.aim, evidence };
                (target, way) = (both, both_way);
                length += 1;
                joined += 1;
                continue 'longer;
            }
            break;
        }
        done.push(current);
    }
    Ok((done, joined))
}

/// What a candidate was made for, if it gets there without control loss and may go on from there.
fn aim_of(
    field: &Field,
    candidate: &Candidate,
) -> Option<(crate::synthesis::Target, crate::synthesis::Way)> {
    let (target, way) = candidate.aim?;
    let (_, aim, ways) = &field.targets[target];
    let certain = candidate.case.summary.rank[..2] == [0, 0]
        && candidate.evidence.fair.0 == candidate.evidence.fair.1;
    certain.then(|| (aim.clone(), ways[way].clone()))
}
