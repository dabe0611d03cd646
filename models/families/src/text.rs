//! Filling the blanks of a model text: `$name` in a template stands for a value.

use std::fmt::Display;

/// The template with every `$name` replaced by the value of that name. A name consists of small
/// letters, so that `x$i` and `$n_$k` need no brackets.
pub(crate) fn fill(template: &str, values: &[(&str, &dyn Display)]) -> String {
    let mut parts = template.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let value = values.iter().find(|(known, _)| *known == name);
        let (_, value) = value.expect("every blank of a template has a value");
        text.push_str(&value.to_string());
        text.push_str(rest);
    }
    text
}

/// The template once for each index from 1 to `count`, with `$i` as the index.
pub(crate) fn repeat(template: &str, count: u32, values: &[(&str, &dyn Display)]) -> String {
    let mut text = String::new();
    for index in 1..=count {
        let mut all = values.to_vec();
        all.push(("i", &index));
        text.push_str(&fill(template, &all));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_end_where_their_letters_end() {
        assert_eq!(fill("x$i<=$top;$n_$n", &[("i", &2), ("top", &9), ("n", &"a")]), "x2<=9;a_a");
    }

    #[test]
    fn a_repetition_counts_from_one() {
        assert_eq!(repeat("p$i/$n ", 3, &[("n", &3)]), "p1/3 p2/3 p3/3 ");
        assert_eq!(repeat("p$i", 0, &[]), "");
    }
}
