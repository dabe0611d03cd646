//! A record of CSV (RFC 4180) that stands in one line.

use std::borrow::Cow;

/// A field of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field<'l> {
    /// What it says, without quotes.
    pub text: Cow<'l, str>,
    /// Where it stands in the line, with quotes.
    pub part: &'l str,
}

/// The fields of a line; otherwise the part that is wrong, and why.
pub(crate) fn fields(line: &str, separator: char) -> Result<Vec<Field<'_>>, (&str, &'static str)> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let mut all = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = if rest.starts_with('"') {
            quoted(rest)?
        } else {
            let end = rest.find(separator).unwrap_or(rest.len());
            let part = &rest[..end];
            (Field { text: Cow::Borrowed(part), part }, &rest[end..])
        };
        all.push(field);
        match after.strip_prefix(separator) {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(all),
            None => return Err((after, "after a quoted field comes the next one or the end")),
        }
    }
}

/// A quoted field, and what follows it. Two quotes inside stand for one.
fn quoted(line: &str) -> Result<(Field<'_>, &str), (&str, &'static str)> {
    let mut from = 1;
    while let Some(quote) = line[from..].find('"').map(|at| from + at) {
        if line[quote + 1..].starts_with('"') {
            from = quote + 2;
            continue;
        }
        let inside = &line[1..quote];
        let text = match inside.contains('"') {
            true => Cow::Owned(inside.replace("\"\"", "\"")),
            false => Cow::Borrowed(inside),
        };
        return Ok((Field { text, part: &line[..=quote] }, &line[quote + 1..]));
    }
    Err((line, "this field is not closed; a record stands in one line"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(line: &str) -> Vec<String> {
        fields(line, ',').unwrap().into_iter().map(|field| field.text.into_owned()).collect()
    }

    #[test]
    fn fields_may_be_quoted_and_empty() {
        assert_eq!(texts("1,touch,,"), ["1", "touch", "", ""]);
        assert_eq!(texts(r#""a,b","say ""hi""",3"#), ["a,b", "say \"hi\"", "3"]);
        assert_eq!(texts("a b,c\r"), ["a b", "c"]);
        assert!(fields("\"open", ',').is_err() && fields("\"a\"b,c", ',').is_err());
        assert_eq!(fields("a;b", ';').unwrap().len(), 2);
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_read_as_it_was(wanted in prop::collection::vec("[^\r\n]{0,8}", 1..5)) {
            let quote = |text: &String| format!("\"{}\"", text.replace('"', "\"\""));
            let line = wanted.iter().map(quote).collect::<Vec<_>>().join(",");
            prop_assert_eq!(texts(&line), wanted);
        }
    }
}
