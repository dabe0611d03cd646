//! From any text in any format to a model: lowering and validation end, whatever the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tioga_base::{Diagnostics, FileId};
use tioga_parse::{Format, Options, lower, parse};

fuzz_target!(|text: &str| {
    let formats =
        [Format::Tioga, Format::Xta, Format::UppaalXml, Format::Tchecker, Format::Xlia];
    for format in formats {
        let mut diagnostics = Diagnostics::new();
        let Some(document) = parse(format, FileId(0), text, &mut diagnostics) else { continue };
        let network = lower(&document, &Options::default(), &mut diagnostics);
        assert_eq!(network.is_none(), diagnostics.has_errors(), "{text}");
        // What validation refuses, it refuses with a reason.
        if let Some(Err(refusal)) = network.map(|network| network.validate()) {
            assert!(refusal.has_errors(), "{text}");
        }
    }
});
