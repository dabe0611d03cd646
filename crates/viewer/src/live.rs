//! A journal while it is written: server-sent events that say when there is more of it.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use tioga::Cancel;

/// How often the file is looked at.
const GLANCE: Duration = Duration::from_millis(200);

/// How often something is sent at least, so that a closed page is noticed.
const BEAT: Duration = Duration::from_secs(5);

/// Tells how long a journal is, now and whenever it changes, until the page is closed or the server ends.
///
/// # Errors
/// If the page is closed.
pub fn tell(path: &Path, mut page: impl Write, stopped: &Cancel) -> io::Result<()> {
    let mut told = None;
    let mut last = Instant::now();
    while !stopped.is_cancelled() {
        let metadata = std::fs::metadata(path).ok();
        let now = metadata.map(|metadata| (metadata.len(), metadata.modified().ok()));
        if told.as_ref() != Some(&now) {
            let length = now.as_ref().map(|(length, _)| *length);
            write!(page, "data: {}\n\n", json!({ "length": length }))?;
            page.flush()?;
            (told, last) = (Some(now), Instant::now());
        } else if last.elapsed() >= BEAT {
            page.write_all(b": still here\n\n")?;
            page.flush()?;
            last = Instant::now();
        }
        std::thread::sleep(GLANCE);
    }
    Ok(())
}

/// Percent-encoded text as text; nothing if it is not well-formed.
pub fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded() {
        assert_eq!(decoded("a%20b%2Fc.journal").as_deref(), Some("a b/c.journal"));
        assert_eq!(decoded("%C3%A9").as_deref(), Some("é"));
        for wrong in ["%", "%4", "%zz", "%ff"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }
}
