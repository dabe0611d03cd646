//! Random small automata and random observations: the result is a deterministic io-abstraction,
//! and it has the same traces where it says so. Who may be where after an observation is decided
//! by the reference semantics.

use crate::support::compare::{compare, require_abstraction};
use proptest::prelude::*;
use tioga_base::Budget;
use tioga_determinize::{Resources, determinize};

fn guard() -> impl Strategy<Value = String> {
    let clock = prop_oneof![3 => Just("x"), 1 => Just("y")];
    let bound = prop_oneof![
        3 => Just(String::new()),
        3 => (0..=2u32).prop_map(|c| format!("when x == {c}")),
        1 => (1..=2u32).prop_map(|c| format!("when x < {c}")),
        1 => (0..=2u32).prop_map(|c| format!("when x <= {c}")),
        1 => (0..=2u32).prop_map(|c| format!("when x > {c}")),
        1 => (1..=2u32).prop_map(|c| format!("when x >= {c}")),
        1 => Just("when x > 0 && x < 1".to_owned()),
        1 => Just("when x > 1 && x < 2".to_owned()),
    ];
    (clock, bound).prop_map(|(clock, bound)| bound.replace('x', clock))
}

fn edge(locations: u32) -> impl Strategy<Value = String> {
    let action = prop_oneof![Just("a?"), Just("b!"), Just("c!"), Just("tau"), Just("tau")];
    let reset = prop_oneof![
        3 => Just(""),
        3 => Just("do x = 0"),
        1 => Just("do y = 0"),
        1 => Just("do x = 0, y = 0"),
        1 => Just("do x = 1"),
    ];
    (0..locations, 0..locations, action, guard(), reset).prop_map(
        |(from, to, action, guard, reset)| {
            format!("  l{from} -> l{to} : {action} {guard} {reset};\n")
        },
    )
}

pub fn automaton() -> impl Strategy<Value = String> {
    (2..=4u32).prop_flat_map(|locations| {
        let bound = prop_oneof![
            3 => Just(String::new()),
            1 => (0..=2u32).prop_map(|c| format!(" invariant x <= {c}")),
            1 => (1..=2u32).prop_map(|c| format!(" invariant x < {c}")),
            1 => (0..=2u32).prop_map(|c| format!(" invariant y <= {c}")),
            1 => (0..=2u32).prop_map(|c| format!(" invariant x <= 2 && y < {}", c + 1)),
        ];
        let count = locations as usize;
        let mark = prop_oneof![
            6 => Just(""),
            1 => Just("urgent "),
            1 => Just("committed "),
            2 => Just("accept "),
        ];
        let bounds = prop::collection::vec((mark, bound), count);
        let edges = prop::collection::vec(edge(locations), 2..=6);
        (bounds, edges).prop_map(|(bounds, edges)| {
            let mut text = String::from("input a;\noutput b, c;\ninternal tau;\n\n");
            text.push_str("automaton A {\n  clock x, y;\n");
            for (number, (mark, bound)) in bounds.iter().enumerate() {
                let init = if number == 0 { "init " } else { "" };
                text.push_str(&format!("  {init}{mark}location l{number}{bound};\n"));
            }
            text.push_str(&edges.concat());
            text.push_str("}\n");
            text
        })
    })
}

/// Networks with inner channels of all kinds; those of the interface are declared first.
const NETWORKS: [&str; 3] = [
    "
input start;
output done, late;
chan go;
broadcast chan stop;
automaton Front {
  clock t;
  init location Idle;
  location Busy invariant t <= 1;
  Idle -> Busy : start? do t = 0;
  Busy -> Idle : go! when t == 1;
  Busy -> Idle : stop! when t < 1;
}
automaton Back {
  clock u;
  init location Idle;
  location Work invariant u <= 2;
  Idle -> Work : go? do u = 0;
  Work -> Idle : done! when u >= 1;
  Idle -> Work : stop? when u > 1 do u = 1;
  Work -> Idle : late! when u == 2;
}",
    "
input start;
output done, late;
urgent chan hurry;
automaton Front {
  clock t;
  int[0, 2] n;
  init location Idle;
  location Busy invariant t <= 2;
  Idle -> Busy : start? when n < 2 do t = 0, n = n + 1;
  Busy -> Idle : hurry! when t >= 1;
  Busy -> Idle : done! when t < 1 do n = 0;
}
automaton Back {
  clock u;
  init location Idle;
  committed location Now;
  location Wait invariant u <= 1;
  Idle -> Now : hurry? do u = 0;
  Now -> Idle : late!;
  Now -> Wait : do u = 0;
  Wait -> Idle : done!;
}",
    "
input start;
output done;
automaton Front {
  clock t;
  init location Idle;
  location Busy invariant t <= 1 || t >= 2;
  Idle -> Busy : start? do t = 0;
  Busy -> Idle : done! when t <= 1;
  Busy -> Idle : when t == 1 do t = 2;
  Idle -> Busy : when t == 2 do t = 1;
}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn views_of_networks_abstract_them(
        which in 0..NETWORKS.len(),
        clocks in 1..=2usize,
        max_constant in 1..=3u32,
        effort in prop_oneof![1 => 0..400u64, 2 => Just(60_000)],
        runs in prop::collection::vec(prop::collection::vec(any::<u8>(), 16), 24),
    ) {
        let specification = tioga_testkit::model(NETWORKS[which]);
        let resources = Resources { clocks, max_constant };
        let result = determinize(&specification, resources, &mut Budget::steps(effort)).unwrap();
        let exact = result.exactness.is_exact();
        let view = require_abstraction(&specification, result.network)?;
        for choices in &runs {
            compare(&specification, &view, exact, choices)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn the_view_abstracts_the_model_and_is_exact_where_it_says_so(
        text_of_model in automaton(),
        clocks in 1..=2usize,
        max_constant in 1..=3u32,
        effort in prop_oneof![1 => 0..400u64, 2 => Just(60_000)],
        runs in prop::collection::vec(prop::collection::vec(any::<u8>(), 12), 12),
    ) {
        let max_constant = if clocks == 2 { max_constant.min(2) } else { max_constant };
        let specification = tioga_testkit::model(&text_of_model);
        let resources = Resources { clocks, max_constant };
        let result = determinize(&specification, resources, &mut Budget::steps(effort)).unwrap();
        let exact = result.exactness.is_exact();
        let view = require_abstraction(&specification, result.network)?;
        for choices in &runs {
            compare(&specification, &view, exact, choices)?;
        }
    }
}
