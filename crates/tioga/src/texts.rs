//! Texts from outside: from a file or from standard input. Diagnostics about a file before it is
//! parsed are made here.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::Value;
use tioga_base::{Diagnostic, Sources, Span};

use crate::Failure;

/// The largest file that is read, in bytes.
pub const SIZE_LIMIT: u64 = 64 << 20;

/// Reads standard input to its end.
pub fn read_stdin(texts: &mut Sources) -> Result<String, Failure> {
    text(texts, "standard input", read_limited(io::stdin().lock()))
}

/// Reads a file.
pub fn read_file(texts: &mut Sources, path: &Path) -> Result<String, Failure> {
    let bytes = File::open(path).and_then(|file| {
        // Opening a directory succeeds on some systems and reading it fails with a riddle.
        if file.metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        read_limited(file)
    });
    text(texts, &path.display().to_string(), bytes)
}

/// Reads to the end, but not further than one byte beyond the limit.
fn read_limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(SIZE_LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text that was read, unless it is none. What is wrong with it can be looked up in `texts`.
pub fn text(
    texts: &mut Sources,
    name: &str,
    bytes: io::Result<Vec<u8>>,
) -> Result<String, Failure> {
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => {
            return Err(Diagnostic::global("cannot-read", unreadable(name, &error)).into());
        }
    };
    if bytes.len() as u64 > SIZE_LIMIT {
        let message = format!("`{name}` is larger than {} MiB", SIZE_LIMIT >> 20);
        return Err(Diagnostic::global("too-large", message).into());
    }
    let bytes = match encoding(&bytes) {
        Encoding::Utf8 => bytes,
        Encoding::Latin1 => bytes.into_iter().map(char::from).collect::<String>().into_bytes(),
        Encoding::Utf16(unit) => {
            let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
            char::decode_utf16(units)
                .map(|one| one.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect::<String>()
                .into_bytes()
        }
    };
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            return Err(not_text(texts, name, error.as_bytes(), valid).into());
        }
    };
    // Some editors put a byte order mark in front; it means nothing in UTF-8.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    let Some(offset) = text.find('\0') else { return Ok(text) };
    let file = texts.add(name, text);
    let span = Span::new(file, offset, offset + 1);
    let message = format!("`{name}` is not a text");
    let diagnostic =
        Diagnostic::error("not-text", span, message).label(format!("byte 0x00 at offset {offset}"));
    Err(diagnostic.help("this looks like a binary file").into())
}

/// How the characters of a file are written down.
enum Encoding {
    Utf8,
    Latin1,
    /// With what makes a unit of two bytes.
    Utf16(fn([u8; 2]) -> u16),
}

/// What a file says about its encoding: by a byte order mark, or by the declaration of XML. Without a word,
/// it is UTF-8.
fn encoding(bytes: &[u8]) -> Encoding {
    match bytes {
        [0xff, 0xfe, ..] | [b'<', 0, ..] => return Encoding::Utf16(u16::from_le_bytes),
        [0xfe, 0xff, ..] | [0, b'<', ..] => return Encoding::Utf16(u16::from_be_bytes),
        _ => {}
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let declared = head.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"));
    let named = declared.and_then(|(declaration, _)| declaration.split_once("encoding="));
    let name = named.map_or("", |(_, name)| name.trim_start_matches(['"', '\'']));
    let name = name.split(['"', '\'']).next().unwrap_or_default().to_ascii_lowercase();
    let latin = ["iso-8859-1", "iso_8859-1", "iso8859-1", "latin1", "latin-1"];
    if latin.contains(&name.as_str()) { Encoding::Latin1 } else { Encoding::Utf8 }
}

fn unreadable(name: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file `{name}`"),
        io::ErrorKind::IsADirectory => format!("`{name}` is a directory, not a model file"),
        io::ErrorKind::PermissionDenied => format!("no permission to read `{name}`"),
        _ => format!("cannot read `{name}`: {error}"),
    }
}

/// Points at the first byte that is not UTF-8, in an excerpt that shows it as `�`.
fn not_text(texts: &mut Sources, name: &str, bytes: &[u8], valid: usize) -> Diagnostic {
    const AFTER: usize = 40;
    let end = bytes.len().min(valid + AFTER);
    let rest = &bytes[valid..end];
    let line_end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let shown = String::from_utf8_lossy(&bytes[..valid + line_end]).into_owned();
    let file = texts.add(name, shown);
    let span = Span::new(file, valid, valid + char::REPLACEMENT_CHARACTER.len_utf8());
    let diagnostic = Diagnostic::error("not-utf-8", span, format!("`{name}` is not UTF-8 text"))
        .label(format!("byte 0x{:02x} at offset {valid}", bytes[valid]));
    diagnostic.help("save the file with the encoding UTF-8")
}

/// What the text of a file is, if it is something that Tioga writes.
pub(crate) fn own_format(text: &str) -> Option<&'static str> {
    // A journal is a line for each event.
    let first = text.lines().next().unwrap_or_default();
    let value: Value = serde_json::from_str(text).or_else(|_| serde_json::from_str(first)).ok()?;
    match value["format"].as_str()? {
        "tioga-suite" => Some("a suite"),
        "tioga-journal" => Some("a journal"),
        "tioga-mutation-journal" => Some("a journal of `tioga mutation`"),
        "tioga-strategy" => Some("a strategy"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: Vec<u8>) -> (Sources, Result<String, Failure>) {
        let mut texts = Sources::new();
        let read = text(&mut texts, "model.tioga", Ok(bytes));
        (texts, read)
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        let (_, read) = read("\u{feff}clock x;".into());
        assert_eq!(read.unwrap(), "clock x;");
    }

    #[test]
    fn encodings_are_taken_from_what_the_file_says() {
        let xml = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><nta>\u{e9}</nta>";
        let latin: Vec<u8> = xml.chars().map(|one| one as u8).collect();
        assert_eq!(read(latin).1.unwrap(), xml);
        let wide = |unit: fn(u16) -> [u8; 2]| {
            let text = "\u{feff}<nta>\u{e9}\u{1d11e}</nta>";
            read(text.encode_utf16().flat_map(unit).collect()).1.unwrap()
        };
        assert_eq!(wide(u16::to_le_bytes), "<nta>\u{e9}\u{1d11e}</nta>");
        assert_eq!(wide(u16::to_be_bytes), "<nta>\u{e9}\u{1d11e}</nta>");
        // Half a pair is no character, and is seen as such.
        assert_eq!(read(vec![0xff, 0xfe, 0x34, 0xd8, 0x41, 0]).1.unwrap(), "\u{fffd}A");
    }

    #[test]
    fn the_first_byte_that_is_no_text_is_pointed_at() {
        let (texts, read) = read(b"clock x;\nclock \xe9t\xe9;\n".to_vec());
        let failure = read.unwrap_err();
        let diagnostic = failure.diagnostics.iter().next().unwrap();
        assert_eq!(diagnostic.code, "not-utf-8");
        let span = diagnostic.primary.as_ref().unwrap().span;
        assert_eq!(texts.slice(span), "\u{fffd}");
        let source = texts.get(span.file).unwrap();
        assert_eq!(source.line_column(span.start as usize), (2, 7));
    }

    #[test]
    fn a_directory_and_a_missing_file_are_told_apart() {
        let texts = &mut Sources::new();
        let message = |path| read_file(texts, Path::new(path)).unwrap_err().to_string();
        assert_eq!(
            [".", "no/such/file.tioga"].map(message),
            ["`.` is a directory, not a model file", "there is no file `no/such/file.tioga`"]
        );
    }

    #[test]
    fn a_file_without_end_is_too_large() {
        let bytes = read_limited(io::repeat(b' '));
        let failure = text(&mut Sources::new(), "endless", bytes).unwrap_err();
        assert_eq!(failure.diagnostics.iter().next().unwrap().code, "too-large");
    }
}
