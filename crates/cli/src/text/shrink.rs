//! A failing run made shorter, in words.

use std::path::Path;

use tioga::Recorded;
use tioga::words::count;
use tioga_base::one_line;
use tioga_execute::{Outcome, Shrunk};
pub use tioga_views::results::shrink::result;

use crate::text::campaign::{events_text, verb};

/// How much shorter the run became, and where it was written.
pub fn shorter(recorded: &Recorded, shrunk: &Shrunk, path: &Path) -> String {
    let (outcome, reason) = recorded.record.outcome().unwrap_or((Outcome::Fail, ""));
    let number = recorded.record.run;
    let mut text = format!(
        "run {number} of {} {}: {}\nfrom {} to {} in {}\n\n",
        recorded.case_name(),
        verb(outcome),
        one_line(reason.trim_end()),
        shrunk.before,
        count(shrunk.after, "input"),
        count(usize::try_from(shrunk.attempts).unwrap_or(usize::MAX), "attempt"),
    );
    text.push_str(&events_text(&shrunk.record, recorded.settings.times()));
    text.push('\n');
    if !shrunk.by_model {
        // A model that is known was asked, but did not see the failure.
        let known = recorded.settings.model().is_some();
        let hint = if known { "" } else { "; `--model` allows shorter ones" };
        text.push_str(&format!("only runs within the test case were tried{hint}\n"));
    }
    if shrunk.cancelled {
        text.push_str("interrupted; there may be a shorter run\n");
    } else if !shrunk.complete {
        text.push_str("there may be a shorter run; `--attempts` allows more\n");
    }
    if shrunk.again.tries > 0 {
        let times = |number| count(usize::try_from(number).unwrap_or(usize::MAX), "time");
        let (tries, failed) = (times(shrunk.again.tries), times(shrunk.again.failed));
        text.push_str(&format!("made again {tries}, it failed {failed}\n"));
    }
    let path = path.display();
    text.push_str(&format!("written to {path} as run 1\n  tioga explain {path} --run 1\n"));
    text
}

/// That the failure was not seen again.
pub fn not_again(recorded: &Recorded, shrunk: &Shrunk) -> String {
    let number = recorded.record.run;
    let mut text = format!("run {number} of {} did not fail so again:\n", recorded.case_name());
    text.push_str(&events_text(&shrunk.record, recorded.settings.times()));
    text.push_str("\nwhat the system does may depend on chance, or on what it did before\n");
    text
}
