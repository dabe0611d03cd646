//! Items of a JSON list in a longer text, written as they are serialized: a large one has no copy in memory.

use std::io::{self, Write};

use serde::Serialize;
use tioga_base::visible_json;

/// Writes an item whose lines, except the first, begin with a margin. What is for a terminal holds no character that
/// disturbs it.
pub fn write_item(
    to: &mut impl Write,
    item: &impl Serialize,
    margin: &str,
    for_terminal: bool,
) -> io::Result<()> {
    let lines = Lines { to, margin, for_terminal };
    serde_json::to_writer_pretty(lines, item).map_err(io::Error::from)
}

/// Begins lines with a margin. Line ends within strings are escaped in JSON, so these are lines of the text.
struct Lines<'l, W> {
    to: &'l mut W,
    margin: &'l str,
    for_terminal: bool,
}

impl<W: Write> Write for Lines<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The serializer writes whole characters.
        let text = std::str::from_utf8(bytes).ok().filter(|_| self.for_terminal);
        let shown = text.map(visible_json);
        let shown = shown.as_ref().map_or(bytes, |shown| shown.as_bytes());
        for line in shown.split_inclusive(|byte| *byte == b'\n') {
            self.to.write_all(line)?;
            if line.ends_with(b"\n") {
                self.to.write_all(self.margin.as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_item_stands_behind_its_margin() {
        let item = json!({ "a": ["x\ny", "\u{202e}ü\u{7f}"], "b": {} });
        for for_terminal in [false, true] {
            let mut text = Vec::new();
            write_item(&mut text, &item, "  ", for_terminal).unwrap();
            let (turned, deleted) = match for_terminal {
                true => ("\\u202e", "\\u007f"),
                false => ("\u{202e}", "\u{7f}"),
            };
            let lines = [
                "{",
                "    \"a\": [",
                "      \"x\\ny\",",
                &format!("      \"{turned}ü{deleted}\""),
                "    ],",
                "    \"b\": {}",
                "  }",
            ];
            assert_eq!(String::from_utf8(text).unwrap(), lines.join("\n"));
        }
    }
}
