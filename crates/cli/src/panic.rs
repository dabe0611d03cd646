//! A panic is a mistake in Tioga: it becomes a short message asking for a report, and exit code 4.

use std::panic::{self, PanicHookInfo, UnwindSafe};

use crate::exit::Exit;

/// Runs `work`; if it panics, says so and returns [`Exit::Internal`].
pub fn guard(work: impl FnOnce() -> Exit + UnwindSafe) -> Exit {
    panic::set_hook(Box::new(|info| eprintln!("{}", message(info))));
    panic::catch_unwind(work).unwrap_or(Exit::Internal)
}

fn message(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let what = payload.downcast_ref::<&str>().copied();
    let what = what.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let what = what.unwrap_or("no description");
    let place = info.location().map_or_else(String::new, |place| format!(" at {place}"));
    format!(
        "error: internal error{place}: {what}\n\
         This is a mistake in tioga {}, not in your input. Please report it with this message, \
         the command line and the model.",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_internal_error() {
        assert_eq!(guard(|| Exit::Negative), Exit::Negative);
        assert_eq!(guard(|| panic!("on purpose")), Exit::Internal);
        let _ = panic::take_hook();
    }
}
