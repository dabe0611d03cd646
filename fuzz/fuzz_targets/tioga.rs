//! `.tioga`: formatting keeps the content and is idempotent, whatever the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tioga_base::{Diagnostics, FileId};
use tioga_parse::tioga::{parse, print};

fuzz_target!(|text: &str| {
    let Some(document) = parse(FileId(0), text, &mut Diagnostics::new()) else { return };
    let printed = print(&document).expect("a .tioga document can be printed");
    let mut diagnostics = Diagnostics::new();
    let again = parse(FileId(0), &printed, &mut diagnostics);
    let again = again.unwrap_or_else(|| panic!("{printed}\n{diagnostics:#?}"));
    assert_eq!(again.without_spans(), document.without_spans(), "{printed}");
    assert_eq!(print(&again).expect("as above"), printed);
});
