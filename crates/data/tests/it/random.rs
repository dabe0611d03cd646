//! Random models whose messages carry values of a range that can still be enumerated.

use fastrand::Rng;

/// The largest value.
pub const LARGEST: i64 = 17;

/// A model with two variables, an input that carries a value, one that carries none, and two outputs.
pub fn model(random: &mut Rng) -> String {
    let mut edges = String::new();
    let locations = ["L0", "L1", "L2", "Goal"];
    for from in &locations[..3] {
        for _ in 0..random.usize(2..5) {
            let to = locations[random.usize(..locations.len())];
            let (action, received) = match random.u8(..6) {
                0..=2 => ("s(v)?", true),
                3 => ("g?", false),
                4 => (["o(a)!", "o(b)!", "o(3)!"][random.usize(..3)], false),
                _ => ("p!", false),
            };
            let mut guard = vec![data_guard(random, received)];
            if random.u8(..3) == 0 {
                guard.push(format!(
                    "x {} {}",
                    ["<=", ">=", "<", ">"][random.usize(..4)],
                    random.u8(1..4)
                ));
            }
            // Counting makes as many classes as there are values, so it is rare.
            let update = match random.u8(..7) {
                0 if received => "a = v",
                1 if received => "b = v",
                2 => "b = a",
                3 if random.u8(..8) == 0 => "a = (a + 1) <? 17",
                3 => "a = 5",
                4 if received && random.bool() => "x = v < a ? 0 : x",
                4 if random.bool() => "x = a > b ? 0 : x",
                4 => "x = 0",
                _ => "k = 1 - k",
            };
            let guard = guard.join(" && ");
            edges += &format!("  {from} -> {to} : {action} when {guard} do {update};\n");
        }
    }
    let bound = random.u8(1..4);
    format!(
        "input s(int[0,{LARGEST}] v), g;\noutput o(int[0,{LARGEST}] w), p;\nautomaton A {{\n  clock x;\n  \
         int[0,{LARGEST}] a = {};\n  int[0,{LARGEST}] b = 9;\n  int[0,1] k = 0;\n  init location L0;\n  location \
         L1 invariant x <= {bound};\n  location L2, Goal;\n{edges}}}\n",
        random.u8(..18)
    )
}

fn data_guard(random: &mut Rng, received: bool) -> String {
    let names: &[&str] = if received { &["v", "a", "b"] } else { &["a", "b"] };
    let mut atom = || {
        let left = names[random.usize(..names.len())];
        let operator = ["<", "<=", "==", "!=", ">=", ">"][random.usize(..6)];
        let right = match random.u8(..3) {
            0 => names[random.usize(..names.len())].to_owned(),
            1 => format!("{} + {}", names[random.usize(..names.len())], random.u8(1..6)),
            _ => random.u8(..18).to_string(),
        };
        format!("{left} {operator} {right}")
    };
    let (one, two) = (atom(), atom());
    match random.u8(..5) {
        0 => "true".to_owned(),
        1 | 2 => one,
        3 => format!("({one} && {two})"),
        _ => format!("({one} || {two} || k == 1)"),
    }
}
