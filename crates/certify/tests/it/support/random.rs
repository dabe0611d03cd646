//! Random games as text.

use proptest::prelude::*;

/// An edge: source, target, label, guard, clocks set.
type Edge = (usize, usize, u8, [Option<(bool, u8, u8)>; 2], u8);

/// A game with up to `clocks` clocks, locations `l0` to `l4`, inputs `a`, `b` and outputs `u`, `v`.
/// `l4` is to be reached. Locations may be urgent or committed, and the output `u` may be urgent.
pub fn game(clocks: usize) -> impl Strategy<Value = String> {
    let guard = || proptest::option::weighted(0.6, (any::<bool>(), 0u8..4, 0u8..4));
    let edge = (0usize..4, 0usize..5, 0u8..4, [guard(), guard()], 0u8..16);
    let invariant = proptest::option::weighted(0.5, (0..clocks, any::<bool>(), 1u8..4));
    let marks = proptest::collection::vec(0u8..12, 5);
    let invariants = proptest::collection::vec(invariant, 5);
    (proptest::collection::vec(edge, 3..10), invariants, marks)
        .prop_map(move |(edges, invariants, marks)| text(clocks, &edges, &invariants, &marks))
}

fn text(
    clocks: usize,
    edges: &[Edge],
    invariants: &[Option<(usize, bool, u8)>],
    marks: &[u8],
) -> String {
    let names = ["x", "y"];
    let output = if marks[0] < 3 { "output urgent chan" } else { "output" };
    let mut text = format!("model random;\ninput a, b;\n{output} u;\noutput v;\nautomaton G {{\n");
    for name in &names[..clocks] {
        text += &format!("  clock {name};\n");
    }
    for location in 0..5 {
        let mark = match (location, marks[location]) {
            (0, _) => "init ",
            (_, 0) => "urgent ",
            (1..4, 1) => "fail ",
            (_, 3) => "committed ",
            _ => "",
        };
        text += &format!("  {mark}location l{location}");
        if let Some((clock, strict, bound)) = invariants[location] {
            let less = if strict { "<" } else { "<=" };
            text += &format!(" invariant {} {less} {bound}", names[clock]);
            if marks[location] == 2 {
                text += &format!(" || {} > {}", names[clocks - 1], bound + 1);
            }
        }
        text += ";\n";
    }
    for (source, target, label, guards, sets) in edges {
        let label = ["a?", "b?", "u!", "v!"][usize::from(*label)];
        text += &format!("  l{source} -> l{target} : {label}");
        let mut conditions = Vec::new();
        for (clock, guard) in guards.iter().enumerate().take(clocks) {
            if let Some((strict, kind, bound)) = guard {
                let relation = match (kind, strict) {
                    (0, true) => "<",
                    (0, false) => "<=",
                    (1, true) => ">",
                    (1, false) => ">=",
                    _ if clocks == 2 && clock == 1 && *strict => {
                        conditions.push(format!("x - y <= {bound}"));
                        continue;
                    }
                    _ => "==",
                };
                conditions.push(format!("{} {relation} {bound}", names[clock]));
            }
        }
        if !conditions.is_empty() {
            text += &format!(" when {}", conditions.join(" && "));
        }
        let sets: Vec<String> = (0..clocks)
            .filter_map(|clock| match (sets >> (2 * clock)) & 3 {
                0 => Some(format!("{} = 0", names[clock])),
                1 if clock == 1 => Some("y = 1".to_owned()),
                _ => None,
            })
            .collect();
        if !sets.is_empty() {
            text += &format!(" do {}", sets.join(", "));
        }
        text += ";\n";
    }
    text += "}\n";
    text += "query control: A<> G.l4;\n";
    text += "query control: A[ not G.l3 U G.l4 ];\n";
    text += "query control: A<> G.l4 && G.x > 1;\n";
    text += "query control: A[ G.x <= 2 U G.l4 ];\n";
    text += "query control: A[] not G.l3;\n";
    text += "query control: A[ not (G.l3 && G.x >= 1) W G.l4 ];\n";
    text += "query control: A<> deadlock;\n";
    text += "query control: A[] !deadlock;\n";
    text
}
