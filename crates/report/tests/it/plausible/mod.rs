//! What a compiler of TTCN-3 would complain about first, and what it does complain about if there is
//! one.

mod titan;

use std::collections::BTreeSet;

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

/// Checks what a compiler would complain about first, and asks one that is installed.
pub fn check(text: &str) {
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
    let types = ["float", "integer", "boolean", "verdicttype", "charstring", "message", "default"];
    let mut declared = BTreeSet::new();
    for pair in tokens.windows(2) {
        if kinds.contains(&pair[0].as_str()) || types.contains(&pair[0].as_str()) {
            let again = !declared.insert(pair[1].clone());
            let may =
                ["message", "default"].contains(&pair[0].as_str()) || pair[1].starts_with("value");
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
    titan::compile(text);
}
