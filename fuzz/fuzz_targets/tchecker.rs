//! `.tck`: reading survives any text, errors and documents exclude each other, and what was read
//! can be written as `.tioga`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tioga_base::{Diagnostics, FileId};
use tioga_parse::{tchecker, tioga};

fuzz_target!(|text: &str| {
    let mut diagnostics = Diagnostics::new();
    let document = tchecker::parse(FileId(0), text, &mut diagnostics);
    assert_eq!(document.is_none(), diagnostics.has_errors());
    for diagnostic in &diagnostics {
        let place = diagnostic.primary.as_ref().map(|label| label.span.range());
        assert!(place.is_none_or(|place| text.get(place).is_some()), "{diagnostic:#?}");
    }
    let Some(document) = document else { return };
    let Ok(printed) = tioga::print(&document) else { return };
    let mut diagnostics = Diagnostics::new();
    let again = tioga::parse(FileId(0), &printed, &mut diagnostics);
    assert!(again.is_some(), "{printed}\n{diagnostics:#?}");
});
