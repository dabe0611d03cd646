//! Texts of users and systems as parts of other texts: on one line, and escaped.

pub(crate) use tioga_base::one_line;
use tioga_testcase::Action;

/// An action on one line: `level(3, true)`.
pub(crate) fn action_text(action: &Action) -> String {
    let channel = one_line(&action.channel);
    if action.values.is_empty() {
        return channel;
    }
    let values: Vec<String> = action.values.iter().map(|value| one_line(value)).collect();
    format!("{channel}({})", values.join(", "))
}

/// One line as the text of an XML or HTML element or attribute.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// `1 run`, `2 runs`.
pub(crate) fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// The text in lines of at most `width` characters, broken at spaces where there are any.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let mut rest: Vec<char> = word.chars().collect();
        if used > 0 && used + 1 + rest.len() > width {
            lines.push(String::new());
            used = 0;
        }
        let line = |lines: &mut Vec<String>, part: &[char]| {
            if let Some(last) = lines.last_mut() {
                last.extend(part);
            }
        };
        if used > 0 {
            line(&mut lines, &[' ']);
            used += 1;
        }
        while rest.len() > width {
            let tail = rest.split_off(width);
            line(&mut lines, &rest);
            lines.push(String::new());
            (rest, used) = (tail, 0);
        }
        used += rest.len();
        line(&mut lines, &rest);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_disturbs_becomes_visible() {
        assert_eq!(one_line("a\nb\u{1b}[1m\u{202e}é"), "a\\nb\\u{1b}[1m\\u{202e}é");
        assert_eq!(escape("<a href='x'>&\"\0"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\\u{0}");
    }

    #[test]
    fn actions_show_their_values() {
        let action = Action { channel: "level".into(), values: vec!["3".into(), "a\nb".into()] };
        assert_eq!(action_text(&action), "level(3, a\\nb)");
    }

    #[test]
    fn lines_are_broken_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
    }

    proptest! {
        #[test]
        fn wrapping_keeps_every_letter(text in "[a-z ]{0,60}", width in 1usize..20) {
            let lines = wrap(&text, width);
            prop_assert!(lines.iter().all(|line| line.chars().count() <= width));
            let letters = |text: &str| text.replace(' ', "");
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }

        #[test]
        fn no_text_leaves_its_line(text in any::<String>()) {
            let line = one_line(&text);
            prop_assert!(!line.chars().any(char::is_control));
            let escaped = escape(&text);
            prop_assert!(!escaped.contains(['<', '>', '"', '\'']));
        }
    }
}
