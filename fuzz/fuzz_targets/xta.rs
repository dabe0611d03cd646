//! UPPAAL's text form: what can be printed reads back, and prints the same again, whatever the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tioga_base::{Diagnostics, FileId};
use tioga_parse::uppaal::{parse_xta, print_xta};

fuzz_target!(|text: &str| {
    let Some(document) = parse_xta(FileId(0), text, &mut Diagnostics::new()) else { return };
    // Rational numbers, for one, cannot be printed.
    let Ok(printed) = print_xta(&document) else { return };
    let mut diagnostics = Diagnostics::new();
    let again = parse_xta(FileId(0), &printed, &mut diagnostics);
    let again = again.unwrap_or_else(|| panic!("{printed}\n{diagnostics:#?}"));
    assert_eq!(print_xta(&again).expect("it was printed before"), printed);
});
