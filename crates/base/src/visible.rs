//! Texts of users and systems as parts of other texts: what would do something to a terminal or to the
//! text around it is made visible instead.

/// The text on one line, with everything that moves a cursor or turns the direction of writing
/// made visible, so that no name and no message can disturb what stands around it.
pub fn one_line(text: &str) -> String {
    shown(text, false)
}

/// The same where lines and tabs are meant as such: for texts that are complete.
pub fn visible(text: &str) -> String {
    shown(text, true)
}

/// JSON in which strings hold no character that disturbs a terminal: the same value.
pub fn visible_json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push('\n'),
            // All of them are in the first plane, so that one escape suffices.
            other if disturbs(other) => shown.push_str(&format!("\\u{:04x}", u32::from(other))),
            other => shown.push(other),
        }
    }
    shown
}

fn shown(text: &str, lines: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' if lines => shown.push(character),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            other if disturbs(other) => shown.extend(other.escape_unicode()),
            other => shown.push(other),
        }
    }
    shown
}

/// Whether a character does something other than stand there.
fn disturbs(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_disturbs_becomes_visible() {
        let text = "a\nb\t\u{1b}[1m\0\u{9b}\u{202e}é";
        assert_eq!(one_line(text), "a\\nb\\t\\u{1b}[1m\\u{0}\\u{9b}\\u{202e}é");
        assert_eq!(visible(text), "a\nb\t\\u{1b}[1m\\u{0}\\u{9b}\\u{202e}é");
        assert_eq!(visible_json("{\n\"\u{202e}\u{9b}é\"}"), "{\n\"\\u202e\\u009bé\"}");
    }
}
