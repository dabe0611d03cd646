//! Timed automata with integer resets (SPKM08).
//!
//! An edge that sets a clock must fix some clock at an integer: its guard, together with the
//! invariant of its source, implies `x == c` with `c` an integer in written time units, as a guard
//! that contains such an equation does. What it sets clocks to must be integers as well.

use super::deterministic::alike;
use super::enabled::find_enabled;
use super::marks::constant;
use super::subject::{Findings, Subject, edge_witness};
use super::verdict::PropertyVerdict;
use crate::{ClockConstraint, Edge, EdgeId, Expr, ExprId, Model, TimeBound, UnaryOp, Update};

pub(super) fn decide(subject: &Subject<'_>) -> PropertyVerdict {
    let mut findings = Findings::default();
    for (id, edge) in subject.process.edges.iter_ids() {
        if edge.updates.iter().any(|update| matches!(update, Update::Clock(_))) {
            check(subject, id, &mut findings);
        }
    }
    findings.verdict()
}

/// Whether every way to take an edge bounds some clock from both sides by one and the same expression
/// over data, or by the same whole constant. Then no data needs to be looked at.
fn always_fixed(subject: &Subject<'_>, edge: &Edge) -> bool {
    let model = subject.model;
    let invariant = &subject.process.locations[edge.source].invariant;
    let whole = |bound: TimeBound| match bound {
        TimeBound::Constant(value) => value % model.scale == 0,
        // Expressions count whole units.
        TimeBound::Expr(_) => true,
    };
    let opposite = |above: TimeBound, below: TimeBound| match (above, below) {
        (TimeBound::Constant(above), TimeBound::Constant(below)) => above == -below,
        (TimeBound::Expr(above), TimeBound::Expr(below)) => opposites(model, above, below),
        _ => false,
    };
    let fixed = |constraints: &[&ClockConstraint]| {
        constraints.iter().any(|above| {
            let (Some(clock), None, true) = (above.left, above.right, whole(above.bound)) else {
                return false;
            };
            constraints.iter().any(|below| {
                let same = below.left.is_none() && below.right == Some(clock);
                same && clock.index.is_none() && opposite(above.bound, below.bound)
            })
        })
    };
    edge.guard.disjuncts.iter().all(|guard| {
        invariant.disjuncts.iter().all(|invariant| {
            let constraints: Vec<_> = guard.clocks.iter().chain(&invariant.clocks).collect();
            fixed(&constraints)
        })
    })
}

/// Whether one expression is written as the negative of the other.
fn opposites(model: &Model, one: ExprId, other: ExprId) -> bool {
    let negated = |whole: ExprId, part: ExprId| match &model.code.nodes[whole].expr {
        Expr::Unary(UnaryOp::Neg, operand) => alike(model, *operand, part),
        _ => false,
    };
    negated(one, other) || negated(other, one)
}

fn check(subject: &Subject<'_>, id: EdgeId, findings: &mut Findings) {
    let edge = subject.edge(id);
    let description = subject.describe(edge);
    let scale = i128::from(subject.model.scale);
    let mut certain = false;
    for update in &edge.updates {
        let Update::Clock(update) = update else { continue };
        certain |= update.when.is_none();
        let clock = subject.clock_name(update.clock.clock);
        let problem = if update.source.is_some() {
            Some("from another clock")
        } else {
            // An expression counts whole units, so only a constant can be a fraction.
            let value = constant(subject.model, update.value).map(i128::from);
            value.is_some_and(|value| value % scale != 0).then_some("to a fraction")
        };
        if let (Some(_), Some(_)) = (problem, update.when) {
            return findings.unknown(depends(&description));
        }
        if let Some(problem) = problem {
            let sentence = format!("{description} sets `{clock}` {problem}");
            let witness = edge_witness(subject, id, sentence, "this update");
            return findings.fail(witness, description);
        }
    }
    if always_fixed(subject, edge) {
        return;
    }
    let found = find_enabled(subject, edge, |closure| {
        let fixed = closure.fixed().any(|(_, value)| value % scale == 0);
        if fixed { None } else { Some(closure.point()) }
    });
    match found {
        Ok(None) => {}
        Ok(Some(_)) if !certain => findings.unknown(depends(&description)),
        Ok(Some((point, data))) => {
            let clocks = point.map(|point| subject.clock_values(&point)).unwrap_or_default();
            let sentence = format!(
                "{description} resets a clock, and its guard fixes no clock at an integer{}",
                subject.when(&[], &data)
            );
            let mut witness = edge_witness(subject, id, sentence, "no equation on a clock");
            (witness.clocks, witness.data) = (clocks, data);
            findings.fail(witness, description);
        }
        Err(reason) => {
            findings.unknown(format!("the guard of {description} depends on data: {reason}"))
        }
    }
}

fn depends(description: &str) -> String {
    format!("whether {description} sets a clock depends on data")
}
