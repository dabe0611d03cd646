//! The ends of values in reachable states, against the region graph, and on cases made by hand.

use proptest::prelude::*;
use tioga_base::{Rational, Span};
use tioga_concrete::State;
use tioga_explore::SearchOptions;
use tioga_model::{
    ClockId, Ends, Expr, ExprId, Kind, Lvalue, Measured, Model, Network, Predicate, TimeBound,
};
use tioga_parse::Format;
use tioga_symbolic::{End, Extent, ExtentAnswer, ExtentQuestion, Range};
use tioga_testkit::network_in;

use crate::liveness::{Alternatives, alternatives, holds, predicate};
use crate::support::networks;
use crate::support::ticking::{Arrow, Regions};

/// The constant up to which the regions tell clocks apart: twice that of the models.
const TOLD: i64 = 6;

/// `plus − minus + offset`, or the variable.
fn clock(plus: Option<u32>, minus: Option<u32>, offset: i64) -> Measured {
    let term = |clock: u32| ClockId(clock).into();
    let offset = TimeBound::Constant(offset);
    Measured::Time { left: plus.map(term), right: minus.map(term), offset }
}

fn variable(network: &mut Network) -> ExprId {
    network.code.push(Expr::Load(Lvalue::global(0)), Kind::Int, Span::default())
}

fn ask(model: &Model, inside: &Predicate, measured: &[Measured], ends: Ends) -> ExtentAnswer {
    let question = ExtentQuestion { ends, inside, measured, span: Span::default() };
    match Extent::ask(model, question, &SearchOptions::default(), &mut |_| {}) {
        Ok(extent) => extent.answer,
        Err(error) => ExtentAnswer::Unknown(error.to_string()),
    }
}

/// The ends of a clock over the regions that count. Nothing at the upper end if the clock is told no further.
fn ends(states: &[&State], clock: usize) -> (Option<End>, Option<End>) {
    let mut lower: Option<(Rational, bool)> = None;
    let mut upper: Option<(Rational, bool)> = None;
    let mut told = true;
    for state in states {
        let value = state.clocks[clock];
        let whole = Rational::integer(value.floor());
        let (low, high) = match value == whole {
            true => ((whole, false), (whole, false)),
            false => ((whole, true), (whole.add(Rational::ONE).unwrap(), true)),
        };
        if value > Rational::integer(TOLD) {
            told = false;
        } else {
            upper = Some(upper.map_or(high, |old| old.max_by(high)));
        }
        lower = Some(lower.map_or(low, |old| if low < old { low } else { old }));
    }
    let end =
        |(value, strict): (Rational, bool)| End::At { value: value.to_integer().unwrap(), strict };
    let beyond = Rational::integer(TOLD);
    (lower.filter(|(value, _)| *value <= beyond).map(end), upper.filter(|_| told).map(end))
}

trait Larger {
    fn max_by(self, other: Self) -> Self;
}

impl Larger for (Rational, bool) {
    /// The larger of two upper ends: at the same value, the one that is reached.
    fn max_by(self, other: Self) -> Self {
        let rank = |one: Self| (one.0, !one.1);
        if rank(other) > rank(self) { other } else { self }
    }
}

/// Whether a clock is unbounded in the regions that count: a run that keeps the clock ticks again and again,
/// and leads to such a region.
fn unbounded(regions: &Regions, counts: &[bool], clock: usize) -> bool {
    let mut states: Vec<Option<&State>> = vec![None; counts.len()];
    for ((state, _), number) in &regions.numbers {
        states[*number] = Some(state);
    }
    let value = |number: usize| states[number].unwrap().clocks[clock];
    let keeps = |number: usize, (arrow, target): &(Arrow, usize)| match arrow {
        Arrow::Time | Arrow::Tick => true,
        Arrow::Step(_) => value(number) == value(*target),
        Arrow::Anew => false,
    };
    let backwards = |wanted: &dyn Fn(usize, &(Arrow, usize)) -> bool, start: &[bool]| {
        let mut found = start.to_vec();
        loop {
            let mut changed = false;
            for number in (0..found.len()).rev() {
                let leads = |arrow: &(Arrow, usize)| {
                    keeps(number, arrow) && found[arrow.1] || wanted(number, arrow)
                };
                if !found[number] && regions.arrows[number].iter().any(leads) {
                    found[number] = true;
                    changed = true;
                }
            }
            if !changed {
                return found;
            }
        }
    };
    let mut left = backwards(&|_, _| false, counts);
    loop {
        let ticks = |_: usize, arrow: &(Arrow, usize)| arrow.0 == Arrow::Tick && left[arrow.1];
        let next = backwards(&ticks, &vec![false; left.len()]);
        let next: Vec<bool> = next.iter().zip(&left).map(|(a, b)| *a && *b).collect();
        if next == left {
            return left.iter().any(|one| *one);
        }
        left = next;
    }
}

fn check(text: &str, inside: &Alternatives) {
    let mut network = network_in(Format::Xta, text);
    let within = predicate(&mut network, inside);
    let n = variable(&mut network);
    let model = network.validate().unwrap();
    let Some(regions) = Regions::up_to(&model, TOLD) else { return };
    let mut counts = vec![false; regions.arrows.len()];
    let mut states: Vec<&State> = Vec::new();
    for ((state, _), number) in &regions.numbers {
        counts[*number] = holds(inside, state);
        states.extend(Some(state).filter(|state| holds(inside, state)));
    }
    for index in 0..2u32 {
        let measured =
            [clock(Some(index), None, 0), clock(None, Some(index), 2), Measured::Data(n)];
        let found = match ask(&model, &within, &measured, Ends::Bounds) {
            ExtentAnswer::Found(found) => found,
            ExtentAnswer::NoState => {
                assert!(states.is_empty(), "a state counts in {text}");
                continue;
            }
            ExtentAnswer::Unknown(reason) => {
                assert!(reason.contains("set from another clock"), "{reason} in {text}");
                continue;
            }
        };
        assert!(!states.is_empty(), "no state counts in {text}");
        let (lower, upper) = ends(&states, index as usize);
        let Range { lower: Some(low), upper: Some(high) } = found[0] else { panic!("{found:?}") };
        let beyond = |end: End| match end {
            End::Unbounded => true,
            End::At { value, strict } => value > TOLD || value == TOLD && strict,
        };
        match lower {
            Some(lower) => assert_eq!(low, lower, "inf of clock {index} in {text}"),
            None => assert!(beyond(low), "inf of clock {index} is {low:?} in {text}"),
        }
        match upper {
            Some(upper) => assert_eq!(high, upper, "sup of clock {index} in {text}"),
            None => {
                assert!(beyond(high), "sup of clock {index} is {high:?} in {text}");
                let expected = unbounded(&regions, &counts, index as usize);
                assert_eq!(high == End::Unbounded, expected, "clock {index} in {text}");
            }
        }
        // The negative has the opposite ends.
        let opposite = |end: End| match end {
            End::Unbounded => End::Unbounded,
            End::At { value, strict } => End::At { value: 2 - value, strict },
        };
        assert_eq!(found[1], Range { lower: Some(opposite(high)), upper: Some(opposite(low)) });
        let values = states.iter().map(|state| state.discrete.data[0]);
        let at = |value: Option<i64>| value.map(|value| End::At { value, strict: false });
        let data = Range { lower: at(values.clone().min()), upper: at(values.max()) };
        assert_eq!(found[2], data, "the variable in {text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn zones_and_regions_agree_on_the_ends_of_values(text in networks(), inside in alternatives(2)) {
        check(&text, &inside);
    }
}

/// What is known of a measured expression in all reachable states of a process with two clocks.
fn measured(body: &str, measured: Measured, ends: Ends) -> Range {
    let text = format!("clock x, y; process P() {{ {body} }} system P;");
    let model = network_in(Format::Xta, &text).validate().unwrap();
    let everywhere = Predicate::Holds(tioga_model::Condition::always());
    match ask(&model, &everywhere, &[measured], ends) {
        ExtentAnswer::Found(found) => found[0],
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_end_far_beyond_all_constants_is_found() {
    // Ten rounds of up to three units each, and nothing sets y.
    let body = "int[0,10] n; state A { x <= 3 }, B { x <= 0 }; init A; \
                trans A -> A { guard n < 10; assign x = 0, n = n + 1; }, A -> B { guard n == 10; assign x = 0; };";
    let range = measured(body, clock(Some(1), None, 0), Ends::Bounds);
    let at = |value, strict| Some(End::At { value, strict });
    assert_eq!(range, Range { lower: at(0, false), upper: at(33, false) });
    let range = measured(body, clock(Some(1), Some(0), 1), Ends::Sup);
    assert_eq!(range, Range { lower: None, upper: at(34, false) });
}

#[test]
fn only_a_turn_that_takes_time_makes_a_clock_unbounded() {
    let turn = |guard: &str, invariant: &str| {
        let body = format!(
            "state A {{ {invariant} }}; init A; trans A -> A {{ guard {guard}; assign x = 0; }};"
        );
        measured(&body, clock(Some(1), None, 0), Ends::Sup).upper
    };
    assert_eq!(turn("x >= 1", "x <= 1"), Some(End::Unbounded));
    assert_eq!(turn("x > 0", "x < 1"), Some(End::Unbounded));
    assert_eq!(turn("x <= 0", "x <= 0"), Some(End::At { value: 0, strict: false }));
    assert_eq!(turn("y <= 4", "x < 1"), Some(End::At { value: 5, strict: true }));
}
