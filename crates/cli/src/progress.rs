//! How far a search is, while it runs.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use tioga::Progress;

use crate::output::OutputFormat;

/// How wide the line may be. One that goes on in the next row could not be written over.
const WIDTH: usize = 79;

/// A line on the terminal that says how far the search is; nothing in a pipe.
#[derive(Debug)]
pub struct ProgressLine {
    shown: bool,
    wanted: bool,
    last: Instant,
}

impl ProgressLine {
    /// Nothing is shown before a quarter of a second has passed.
    pub fn new(format: OutputFormat) -> Self {
        let wanted = format == OutputFormat::Text && std::io::stderr().is_terminal();
        Self { shown: false, wanted, last: Instant::now() }
    }

    /// Shows how far the work is, now and then.
    pub fn show(&mut self, progress: &Progress) {
        self.say(|| progress.to_string());
    }

    /// Shows a text, now and then.
    pub fn say(&mut self, text: impl FnOnce() -> String) {
        if !self.wanted || self.last.elapsed() < Duration::from_millis(250) {
            return;
        }
        (self.last, self.shown) = (Instant::now(), true);
        // A terminal that cannot be written to misses nothing important.
        let _ = write!(std::io::stderr(), "\r\x1b[K{}", narrow(&text()));
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A text that fits on a line.
fn narrow(text: &str) -> String {
    if text.chars().count() <= WIDTH {
        return text.to_owned();
    }
    text.chars().take(WIDTH - 3).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_on_a_terminal() {
        assert_eq!(narrow("3 of 4 runs"), "3 of 4 runs");
        let long = narrow(&"é".repeat(100));
        assert!(long.chars().count() == WIDTH && long.ends_with("é..."), "{long}");
    }
}
