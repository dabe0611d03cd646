//! How far a search is, while it runs.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tioga::Progress;

/// How often the line changes at most.
const PAUSE: Duration = Duration::from_millis(250);

/// A line on the terminal that says how far the search is; nothing in a pipe.
///
/// It goes to standard error, and away when it is cleared or dropped.
#[derive(Debug)]
pub struct ProgressLine {
    /// Where the line will be; taken when it is drawn for the first time.
    target: Option<ProgressDrawTarget>,
    bar: ProgressBar,
    number: u64,
    wanted: bool,
    last: Instant,
}

impl ProgressLine {
    /// If it is wanted; nothing is shown before a quarter of a second has passed.
    pub fn new(wanted: bool) -> Self {
        Self::on(match wanted {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        })
    }

    fn on(target: ProgressDrawTarget) -> Self {
        let wanted = !target.is_hidden();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style("{spinner} {wide_msg}"));
        Self { target: Some(target), bar, number: 0, wanted, last: Instant::now() }
    }

    /// How many steps are done; the next text is shown with it.
    pub fn at(&mut self, done: usize) -> &mut Self {
        self.number = number(done);
        self
    }

    /// Shows how far the work is, now and then.
    pub fn show(&mut self, progress: &Progress) {
        if let Progress::Part { done, of, .. } = progress {
            self.measure(*of);
            self.at(*done);
        }
        self.say(|| progress.to_string());
    }

    /// Measures the bar anew if there is more or less to do than was known.
    fn measure(&mut self, total: usize) {
        if self.bar.length() != Some(number(total)) {
            self.bar.set_length(number(total));
            self.bar.set_style(style("{bar:16} {wide_msg} {eta} left"));
        }
    }

    /// Shows a text, now and then.
    pub fn say(&mut self, text: impl FnOnce() -> String) {
        if !self.wanted || self.last.elapsed() < PAUSE {
            return;
        }
        self.last = Instant::now();
        if let Some(target) = self.target.take() {
            self.bar.set_draw_target(target);
        }
        self.bar.set_message(text());
        self.bar.update(|state| state.set_pos(self.number));
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates of this file are well formed")
}

#[cfg(test)]
mod tests {
    use indicatif::InMemoryTerm;

    use super::*;

    fn terminal() -> (InMemoryTerm, ProgressLine) {
        let terminal = InMemoryTerm::new(5, 79);
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let mut progress = ProgressLine::on(target);
        progress.last = far_ahead();
        (terminal, progress)
    }

    /// When a line may be shown that was last shown then, however slow the machine is.
    fn long_ago() -> Instant {
        Instant::now() - PAUSE
    }

    /// Since then no time has passed.
    fn far_ahead() -> Instant {
        Instant::now() + Duration::from_secs(3600)
    }

    #[test]
    fn the_line_comes_late_fits_on_a_terminal_and_goes() {
        let (terminal, mut progress) = terminal();
        progress.say(|| "too early".to_owned());
        assert_eq!(terminal.contents(), "");
        progress.last = long_ago();
        progress.say(|| "é".repeat(100));
        progress.last = far_ahead();
        progress.say(|| "too often".to_owned());
        let shown = terminal.contents();
        assert!(shown.lines().count() == 1 && shown.contains(&"é".repeat(70)), "{shown}");
        progress.clear();
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn a_bar_shows_how_much_is_done_and_left() {
        let (terminal, mut progress) = terminal();
        progress.measure(4);
        progress.at(1).say(|| "too early".to_owned());
        assert_eq!(terminal.contents(), "");
        progress.last = long_ago();
        progress.at(2).say(|| "2 of 4 runs".to_owned());
        let shown = terminal.contents();
        assert!(shown.starts_with("████████░░░░░░░░ 2 of 4 runs "), "{shown}");
        assert!(shown.ends_with("s left"), "{shown}");
        drop(progress);
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn a_pipe_and_json_get_nothing() {
        assert!(!ProgressLine::new(false).wanted);
        assert!(!ProgressLine::on(ProgressDrawTarget::hidden()).wanted);
    }
}
