//! Places against the reference semantics: each set is compared with what the definition says, point
//! by point on a grid that is fine enough to be exact for comparisons with whole numbers.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tioga_base::Rational;
use tioga_concrete::{Interval, Semantics, State};
use tioga_model::{Composer, LocationId, Model, Steps};
use tioga_parse::Format;
use tioga_symbolic::{Elapse, Jump};
use tioga_testkit::model_in;
use tioga_zones::{Arrival, Bound, Federation, Point};

/// `clock op constant`; clocks are 1 and 2.
type Comparison = (usize, &'static str, i32);

fn comparison() -> impl Strategy<Value = Comparison> {
    (1..3usize, prop::sample::select(vec!["<", "<=", "==", ">=", ">"]), 0..4i32)
}

/// A disjunction of conjunctions.
fn condition(most: usize) -> impl Strategy<Value = Vec<Vec<Comparison>>> {
    prop::collection::vec(prop::collection::vec(comparison(), 1..4), 1..=most)
}

fn text(condition: &[Vec<Comparison>]) -> String {
    let comparison =
        |(clock, op, constant): &Comparison| format!("{} {op} {constant}", ["", "x", "y"][*clock]);
    let conjunction =
        |all: &Vec<Comparison>| all.iter().map(comparison).collect::<Vec<_>>().join(" && ");
    condition.iter().map(conjunction).collect::<Vec<_>>().join(" || ")
}

fn federation(condition: &[Vec<Comparison>]) -> Federation {
    let mut result = Federation::empty(3);
    for conjunction in condition {
        let mut part = Federation::universal(3);
        for (clock, op, constant) in conjunction {
            if !op.starts_with('>') {
                let strict = *op == "<";
                let bound = if strict { Bound::lt(*constant) } else { Bound::le(*constant) };
                part.constrain(*clock, 0, bound.unwrap());
            }
            if !op.starts_with('<') {
                let strict = *op == ">";
                let bound = if strict { Bound::lt(-*constant) } else { Bound::le(-*constant) };
                part.constrain(0, *clock, bound.unwrap());
            }
        }
        result.unite(&part);
    }
    result
}

/// A model with a location `L1` that has this invariant and urgent edges with these guards.
fn model(invariant: &[Vec<Comparison>], urgent: &[Vec<Comparison>]) -> Model {
    let mut edges = String::new();
    for guard in urgent {
        let guard = text(std::slice::from_ref(guard));
        edges += &format!(", L1 -> L0 {{ guard {guard}; sync u!; }}");
    }
    let text = format!(
        "clock x, y; urgent broadcast chan u;
         process P() {{ state L0, L1 {{ {} }}; init L0; trans L0 -> L1 {{ }}{edges}; }} system P;",
        text(invariant)
    );
    model_in(Format::Xta, &text)
}

/// One point of the grid and the delays that are allowed from it, if the invariant holds there.
struct Sample {
    /// In quarters.
    x: i64,
    y: i64,
    delays: Interval,
}

impl Sample {
    /// Whether the point is in the set after a delay, given in eighths.
    fn is_in(&self, set: &Federation, delay: i64) -> bool {
        set.contains(&Point::new(&[2 * self.x + delay, 2 * self.y + delay], 8))
    }

    /// The allowed delays that have to be tried, in eighths. After the last of them nothing changes.
    fn allowed(&self) -> impl Iterator<Item = i64> + Clone {
        let delays = self.delays;
        (0..=48).step_by(2).filter(move |d| delays.contains(Rational::new(*d, 8).unwrap()))
    }
}

/// Points whose clocks are multiples of `step` quarters. From halves, all moments at which some
/// comparison changes are halves too, and there is a quarter between any two.
fn samples(model: &Model, step: usize) -> Vec<Sample> {
    let mut semantics = Semantics::new(model);
    let mut discrete = Composer::new(model).initial();
    discrete.locations[0] = LocationId(1);
    let place = place(model);
    let mut samples = Vec::new();
    for x in (0..=18).step_by(step) {
        for y in (0..=18).step_by(step) {
            if place.invariant().contains(&Point::new(&[x, y], 4)) {
                let clocks = [x, y].map(|clock| Rational::new(clock, 4).unwrap());
                let state = State { discrete: discrete.clone(), clocks: clocks.into() };
                let delays = semantics.options(&state).unwrap().delays;
                samples.push(Sample { x, y, delays });
            }
        }
    }
    samples
}

fn place(model: &Model) -> Elapse {
    let mut composer = Composer::new(model);
    let mut state = composer.initial();
    state.locations[0] = LocationId(1);
    let mut steps = Steps::new();
    composer.steps(&state, &mut steps);
    Elapse::of(&mut composer, &state, &steps).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn places_allow_what_the_reference_semantics_allows(
        invariant in condition(3),
        urgent in prop::collection::vec(prop::collection::vec(comparison(), 1..3), 0..3),
        goal in condition(2),
        bad in condition(2),
    ) {
        let model = model(&invariant, &urgent);
        let place = place(&model);
        let (goal, bad) = (federation(&goal), federation(&bad));
        prop_assert!(place.invariant().is_same_set(&federation(&invariant)));
        let past = place.past(&goal);
        let safe = place.timed_predecessor(&goal, &bad, Arrival::Safe);
        let risky = place.timed_predecessor(&goal, &bad, Arrival::MayBeBad);
        let expiring = place.expiring();
        for sample in samples(&model, 2) {
            let at = format!("from ({}, {})/4", sample.x, sample.y);
            let mut into_goal = sample.allowed().filter(|d| sample.is_in(&goal, *d));
            prop_assert_eq!(sample.is_in(&past, 0), into_goal.clone().next().is_some(), "{}", at);
            let before = |d: i64| (0..d).all(|e| !sample.is_in(&bad, e));
            let expected = into_goal.clone().any(|d| before(d) && !sample.is_in(&bad, d));
            prop_assert_eq!(sample.is_in(&safe, 0), expected, "safely {}", at);
            let expected = into_goal.any(before);
            prop_assert_eq!(sample.is_in(&risky, 0), expected, "at a risk {}", at);
            let expected = sample.delays.upper().is_some();
            prop_assert_eq!(sample.is_in(&expiring, 0), expected, "expiring {}", at);
        }
    }

    #[test]
    fn delays_lead_to_exactly_the_points_that_can_be_reached(
        invariant in condition(3),
        urgent in prop::collection::vec(prop::collection::vec(comparison(), 1..3), 0..3),
        start in prop::collection::vec(comparison(), 1..4),
        diagonal in -2..3i32,
    ) {
        let model = model(&invariant, &urgent);
        let place = place(&model);
        let mut start = federation(&[start]);
        start.constrain(1, 2, Bound::le(diagonal).unwrap());
        let zone = start.zones().first();
        let later = zone.map_or(Federation::empty(3), |zone| place.delay(zone));
        // A point with halves is reached from points with quarters.
        let mut reached = BTreeSet::new();
        let starts = samples(&model, 1);
        for sample in starts.iter().filter(|sample| sample.is_in(&start, 0)) {
            reached.extend(sample.allowed().map(|d| (2 * sample.x + d, 2 * sample.y + d)));
        }
        for x in (0..=20).step_by(4) {
            for y in (0..=20).step_by(4) {
                let found = later.contains(&Point::new(&[x, y], 8));
                prop_assert_eq!(found, reached.contains(&(x, y)), "({}, {})/8", x, y);
            }
        }
    }

    #[test]
    fn allowed_delays_end_where_they_are_said_to_end(
        invariant in condition(1),
        urgent in prop::collection::vec(prop::collection::vec(comparison(), 1..3), 0..3),
        set in condition(1),
    ) {
        let model = model(&invariant, &urgent);
        let place = place(&model);
        let set = federation(&set);
        let ends = place.ends_in(&set);
        for sample in samples(&model, 2) {
            let expected = sample.allowed().all(|d| sample.is_in(&set, d));
            prop_assert_eq!(sample.is_in(&ends, 0), expected, "({}, {})/4", sample.x, sample.y);
        }
    }

    #[test]
    fn jumps_lead_where_the_reference_semantics_leads(
        guard in condition(2),
        invariant in condition(2),
        start in condition(2),
        assignments in prop::sample::subsequence(vec!["x = 0", "y = x + 1", "x = y", "y = 2"], 0..3),
    ) {
        let assign = if assignments.is_empty() {
            String::new()
        } else {
            format!("assign {};", assignments.join(", "))
        };
        let text = format!(
            "clock x, y; process P() {{ state L0, L1 {{ {} }}; init L0;
               trans L0 -> L1 {{ guard {}; {assign} }}; }} system P;",
            text(&invariant), text(&guard)
        );
        let model = model_in(Format::Xta, &text);
        let mut composer = Composer::new(&model);
        let discrete = composer.initial();
        let mut steps = Steps::new();
        composer.steps(&discrete, &mut steps);
        let applied = composer.apply(&discrete, &steps.list[0]).unwrap();
        let jump = Jump::of(&steps.list[0], &applied.assignments).unwrap();
        let before = jump.predecessor(&federation(&invariant));
        let start = federation(&start);
        let mut after = jump.successor(&start);
        after.intersect(&federation(&invariant));
        let mut semantics = Semantics::new(&model);
        let mut reached = BTreeSet::new();
        let point = |clocks: [i64; 2]| Point::new(&clocks, 2);
        let grid = || (0..=10).flat_map(|x| (0..=10).map(move |y| [x, y]));
        for clocks in grid() {
            let values = clocks.map(|clock| Rational::new(clock, 2).unwrap());
            let state = State { discrete: discrete.clone(), clocks: values.into() };
            let options = semantics.options(&state).unwrap();
            let step = options.now().next();
            prop_assert_eq!(before.contains(&point(clocks)), step.is_some(), "{:?}/2", clocks);
            if let Some(step) = step.filter(|_| start.contains(&point(clocks))) {
                reached.insert(semantics.step(&state, step).unwrap().clocks);
            }
        }
        for clocks in grid() {
            let values = clocks.map(|clock| Rational::new(clock, 2).unwrap());
            let found = after.contains(&point(clocks));
            // Only what starts inside the grid was tried.
            if clocks.iter().all(|clock| *clock <= 8) {
                prop_assert_eq!(found, reached.contains(&values[..]), "to {:?}/2", clocks);
            }
        }
    }
}
