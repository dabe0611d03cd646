//! The TTCN-3 skeleton: blocks are balanced, names are declared, every action and verdict is there.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod campaign;

use std::collections::BTreeSet;

use campaign::{action, plain, settings};
use tioga_report::ttcn;
use tioga_testcase::{CaseBound, CaseEdge, CaseSet, Shape, Side, Suite, TestCase, Zone};

/// The tokens of a module without comments: words, strings (as `""`), and single signs.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line.chars().peekable();
        while let Some(character) = rest.next() {
            match character {
                '/' if rest.peek() == Some(&'/') => break,
                '"' => {
                    loop {
                        match rest.next().expect("strings end on their line") {
                            '"' if rest.peek() == Some(&'"') => {
                                rest.next();
                            }
                            '"' => break,
                            other => assert!(other.is_ascii() && !other.is_control()),
                        }
                    }
                    tokens.push("\"\"".to_owned());
                }
                word if word.is_ascii_alphanumeric() || word == '_' => {
                    let mut token = word.to_string();
                    while let Some(next) =
                        rest.next_if(|next| next.is_ascii_alphanumeric() || *next == '_')
                    {
                        token.push(next);
                    }
                    tokens.push(token);
                }
                space if space.is_whitespace() => {}
                sign => {
                    assert!(sign.is_ascii(), "{sign:?} in {line}");
                    tokens.push(sign.to_string());
                }
            }
        }
    }
    tokens
}

/// Checks what a compiler would complain about first.
fn check(text: &str) {
    let tokens = tokens(text);
    let mut open = Vec::new();
    for token in &tokens {
        match token.as_str() {
            "{" | "(" | "[" => open.push(token.as_str()),
            "}" => assert_eq!(open.pop(), Some("{")),
            ")" => assert_eq!(open.pop(), Some("(")),
            "]" => assert_eq!(open.pop(), Some("[")),
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?} is not closed");
    assert_eq!(tokens[0], "module");
    // What stands after one of these words, or a type and a name, is declared.
    let kinds = ["function", "altstep", "testcase", "record", "timer", "component"];
    let types = ["float", "integer", "boolean", "verdicttype", "charstring", "message"];
    let mut declared = BTreeSet::new();
    for pair in tokens.windows(2) {
        if kinds.contains(&pair[0].as_str()) || types.contains(&pair[0].as_str()) {
            let again = !declared.insert(pair[1].clone());
            let may = pair[0] == "message" || pair[1].starts_with("value");
            assert!(!again || may, "{} is declared twice", pair[1]);
        }
    }
    let ours = ["In_", "Out_", "f_", "a_", "tc_", "v_", "p_", "t_", "PX_"];
    for token in &tokens {
        if ours.iter().any(|prefix| token.starts_with(prefix)) {
            assert!(declared.contains(token), "{token} is not declared");
        }
    }
    // What belongs to a place is used.
    let of_place = |name: &&String| {
        (name.starts_with("f_") || name.starts_with("a_")) && name.contains(char::is_numeric)
    };
    for name in declared.iter().filter(of_place) {
        assert!(tokens.iter().filter(|token| *token == name).count() > 1, "{name} is not used");
    }
}

#[test]
fn the_skeleton_of_the_small_campaign_is_plausible() {
    let text = ttcn::module(&settings().suite);
    check(&text);
    for part in ["sut.send(In_touch:{});", "f_end(pass, ", "f_end(inconc, ", "f_end(fail, "] {
        assert!(text.contains(part), "{part}");
    }
    assert_eq!(text.matches("execute(tc_").count(), 2);
}

#[test]
fn an_empty_suite_is_a_module() {
    check(&ttcn::module(&Suite::new(Vec::new())));
}

fn bound(left: Option<u32>, right: Option<u32>, strict: bool, bound: i64) -> CaseBound {
    CaseBound { left, right, strict, bound }
}

/// A test case with two clocks whose first place leaves the choice open.
fn open() -> TestCase {
    let mut case = plain();
    case.shape = Shape::Automaton;
    case.scale = 2;
    case.clocks.push("y".to_owned());
    for place in &mut case.places {
        place.rules.clear();
    }
    let diagonal: Zone = vec![bound(Some(0), Some(1), true, 3), bound(None, Some(1), false, -5)];
    case.places[0].edges[0].guard = vec![diagonal, vec![bound(Some(1), None, false, 1)]];
    case.places[0].edges[0].sets = vec![
        CaseSet { clock: 1, source: Some(0), value: 3 },
        CaseSet { clock: 0, source: None, value: 0 },
    ];
    case
}

#[test]
fn differences_of_clocks_and_fractions_are_written() {
    let text = ttcn::module(&Suite::new(vec![open()]));
    check(&text);
    let guard = "if (rnd() < 0.25 and ((v_zero1 - v_zero0 < (3.0 / 2.0) and v_now - v_zero1 >= \
                 (5.0 / 2.0)) or (v_now - v_zero1 <= (1.0 / 2.0))))";
    assert!(text.contains(guard), "{text}");
    // y := x + 3/2 comes before x := 0.
    let sets = "v_zero1 := v_zero0 - (3.0 / 2.0);\n          v_zero0 := v_now;";
    assert!(text.contains(sets), "{text}");
    assert!(text.contains("f_until((5.0 / 2.0), v_zero1);"));
}

#[test]
fn outputs_at_different_times_lead_to_different_places() {
    let mut case = plain();
    let later = CaseEdge {
        by: Side::System,
        action: action("dim", &[]),
        guard: vec![vec![bound(None, Some(0), true, -2)]],
        sets: Vec::new(),
        target: 3,
    };
    case.places[1].edges.push(later.clone());
    let text = ttcn::module(&Suite::new(vec![case.clone()]));
    check(&text);
    assert_eq!(text.matches("sut.receive(Out_dim").count(), 1);
    assert!(text.contains("} else if (v_now - v_zero0 > 2.0 - PX_TOLERANCE) {"), "{text}");
    // An output that is always allowed has no other branch.
    case.places[1].edges[0].guard = vec![Zone::new()];
    case.places[1].edges.truncate(2);
    let text = ttcn::module(&Suite::new(vec![case]));
    check(&text);
    assert!(!text.contains("the output dim is not allowed now"));
}

#[test]
fn what_must_be_hit_exactly_is_marked() {
    let mut case = plain();
    case.places[0].rules[0].zones =
        vec![vec![bound(Some(0), None, false, 4), bound(None, Some(0), false, -4)]];
    let text = ttcn::module(&Suite::new(vec![case]));
    check(&text);
    assert!(text.contains("// To be sent at one exact moment"));
    assert!(text.contains("f_until(4.0, v_zero0);"));
}
