//! Reading texts: from a file, from standard input (`-`) or from the embedded examples (`@name`).
//! Everything that can be wrong with a file before it is parsed is told here.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tioga_base::{Diagnostic, FileId, Span};

use crate::examples;
use crate::exit::Stop;
use crate::format::ModelFormat;
use crate::output::Session;

/// The largest file that is read, in bytes.
pub const SIZE_LIMIT: u64 = 64 << 20;

/// A model text that was read, and what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelText {
    /// Where the session keeps it.
    pub file: FileId,
    /// Its format.
    pub format: ModelFormat,
    /// Its file, unless it came from standard input or is embedded.
    pub path: Option<PathBuf>,
}

/// Reads the model an argument names. `from` overrides what the file name says about the format.
pub fn read_model(
    session: &mut Session,
    argument: &str,
    from: Option<ModelFormat>,
) -> Result<ModelText, Stop> {
    if let Some(name) = argument.strip_prefix('@') {
        let example = examples::find(session, name)?;
        let format = from.or_else(|| ModelFormat::of_path(Path::new(example.file)));
        let file = session.sources.add(argument, example.text);
        let format = format.expect("only files with a known extension are embedded");
        return Ok(ModelText { file, format, path: None });
    }
    if argument == "-" {
        let Some(format) = from else {
            let diagnostic = Diagnostic::global(
                "unknown-format",
                "the format of a model on standard input must be given",
            );
            return Err(session.stop(diagnostic.help("add `--from tioga`, `xml`, `xta` or `tck`")));
        };
        let file = read_stdin(session)?;
        return Ok(ModelText { file, format, path: None });
    }
    let path = Path::new(argument);
    let file = read_path(session, path)?;
    let Some(format) = from.or_else(|| ModelFormat::of_path(path)) else {
        let diagnostic = Diagnostic::global(
            "unknown-format",
            format!("the name `{argument}` does not say what format the model has"),
        );
        let diagnostic = diagnostic
            .note("known extensions are .tioga, .xml, .xta, .ta and .tck")
            .help("add `--from tioga`, `xml`, `xta` or `tck`");
        return Err(session.stop(diagnostic));
    };
    Ok(ModelText { file, format, path: Some(path.to_owned()) })
}

/// Reads standard input to its end; what it said is still known when it is asked for again.
pub fn read_stdin(session: &mut Session) -> Result<FileId, Stop> {
    if let Some(file) = session.standard_input {
        return Ok(file);
    }
    let bytes = read_limited(io::stdin().lock());
    let file = add(session, "standard input", bytes)?;
    session.standard_input = Some(file);
    Ok(file)
}

/// Reads a file.
pub fn read_path(session: &mut Session, path: &Path) -> Result<FileId, Stop> {
    let bytes = File::open(path).and_then(|file| {
        // Opening a directory succeeds on some systems and reading it fails with a riddle.
        if file.metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        read_limited(file)
    });
    add(session, &path.display().to_string(), bytes)
}

/// Reads to the end, but not further than one byte beyond the limit.
fn read_limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(SIZE_LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Keeps a text that was read, unless it is none.
pub fn add(session: &mut Session, name: &str, bytes: io::Result<Vec<u8>>) -> Result<FileId, Stop> {
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => {
            let diagnostic = Diagnostic::global("cannot-read", unreadable(name, &error));
            return Err(session.stop(diagnostic));
        }
    };
    if bytes.len() as u64 > SIZE_LIMIT {
        let message = format!("`{name}` is larger than {} MiB", SIZE_LIMIT >> 20);
        return Err(session.stop(Diagnostic::global("too-large", message)));
    }
    match String::from_utf8(bytes) {
        Ok(text) => {
            // Some editors put a byte order mark in front; it means nothing in UTF-8.
            let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
            let zero = text.find('\0');
            let file = session.sources.add(name, text);
            match zero {
                None => Ok(file),
                Some(offset) => {
                    let span = Span::new(file, offset, offset + 1);
                    let message = format!("`{name}` is not a text");
                    let diagnostic = Diagnostic::error("not-text", span, message)
                        .label(format!("byte 0x00 at offset {offset}"));
                    Err(session.stop(diagnostic.help("this looks like a binary file")))
                }
            }
        }
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let diagnostic = not_text(session, name, error.as_bytes(), valid);
            Err(session.stop(diagnostic))
        }
    }
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
fn not_text(session: &mut Session, name: &str, bytes: &[u8], valid: usize) -> Diagnostic {
    const AFTER: usize = 40;
    let end = bytes.len().min(valid + AFTER);
    let rest = &bytes[valid..end];
    let line_end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let shown = String::from_utf8_lossy(&bytes[..valid + line_end]).into_owned();
    let file = session.sources.add(name, shown);
    let span = Span::new(file, valid, valid + char::REPLACEMENT_CHARACTER.len_utf8());
    let diagnostic = Diagnostic::error("not-utf-8", span, format!("`{name}` is not UTF-8 text"))
        .label(format!("byte 0x{:02x} at offset {valid}", bytes[valid]));
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return diagnostic.help("this looks like UTF-16; save the file as UTF-8");
    }
    diagnostic.help("save the file with the encoding UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: Vec<u8>) -> (Session, Result<FileId, Stop>) {
        let mut session = Session::default();
        let file = add(&mut session, "model.tioga", Ok(bytes));
        (session, file)
    }

    fn code(session: &Session) -> &'static str {
        session.diagnostics.iter().next().unwrap().code
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        let (session, file) = read("\u{feff}clock x;".into());
        assert_eq!(session.sources.get(file.unwrap()).unwrap().text, "clock x;");
    }

    #[test]
    fn the_first_byte_that_is_no_text_is_pointed_at() {
        let (session, file) = read(b"clock x;\nclock \xe9t\xe9;\n".to_vec());
        assert!(matches!(file, Err(Stop::Diagnosed)));
        let diagnostic = session.diagnostics.iter().next().unwrap();
        assert_eq!(diagnostic.code, "not-utf-8");
        let span = diagnostic.primary.as_ref().unwrap().span;
        assert_eq!(session.sources.slice(span), "\u{fffd}");
        let source = session.sources.get(span.file).unwrap();
        assert_eq!(source.line_column(span.start as usize), (2, 7));
    }

    #[test]
    fn a_directory_and_a_missing_file_are_told_apart() {
        let mut session = Session::default();
        assert!(read_path(&mut session, Path::new(".")).is_err());
        assert!(read_path(&mut session, Path::new("no/such/file.tioga")).is_err());
        let messages: Vec<&str> =
            session.diagnostics.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(
            messages,
            ["`.` is a directory, not a model file", "there is no file `no/such/file.tioga`"]
        );
    }

    #[test]
    fn a_file_without_end_is_too_large() {
        let mut session = Session::default();
        let bytes = read_limited(io::repeat(b' '));
        assert!(add(&mut session, "endless", bytes).is_err());
        assert_eq!(code(&session), "too-large");
    }

    #[test]
    fn standard_input_needs_a_format() {
        let mut session = Session::default();
        assert!(read_model(&mut session, "-", None).is_err());
        assert_eq!(code(&session), "unknown-format");
    }
}
