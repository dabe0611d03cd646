//! Real models of other tools become `.tioga` text that says the same. The models are not part of
//! this repository; without them there is nothing to check.

use tioga_base::{Diagnostics, FileId};
use tioga_parse::{Format, Options, lower, parse, tioga};
use tioga_testkit::{example_files, shared_models};

#[test]
fn models_of_other_tools_become_tioga() {
    for path in shared_models("") {
        let Some(format) = Format::from_file_name(&path.to_string_lossy()) else { continue };
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some(document) = parse(format, FileId(0), &text, &mut Diagnostics::new()) else {
            continue;
        };
        let printed = tioga::print(&document);
        let printed = printed.unwrap_or_else(|reasons| panic!("{path:?}: {reasons:#?}"));
        let mut diagnostics = Diagnostics::new();
        let again = tioga::parse(FileId(0), &printed, &mut diagnostics);
        let again = again.unwrap_or_else(|| panic!("{path:?}: {diagnostics:#?}"));
        assert_eq!(again.items.len(), document.items.len(), "{path:?}");
        assert_eq!(tioga::print(&again).unwrap(), printed, "{path:?}");
        let lowers =
            |document| lower(document, &Options::default(), &mut Diagnostics::new()).is_some();
        assert_eq!(lowers(&again), lowers(&document), "{path:?}");
    }
}

#[test]
fn the_examples_survive_formatting() {
    for path in example_files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut diagnostics = Diagnostics::new();
        let document = tioga::parse(FileId(0), &text, &mut diagnostics);
        let document = document.unwrap_or_else(|| panic!("{path:?}: {diagnostics:#?}"));
        let printed = tioga::print(&document).unwrap();
        let again = tioga::parse(FileId(0), &printed, &mut diagnostics).unwrap();
        assert_eq!(again.without_spans(), document.without_spans(), "{path:?}");
        assert_eq!(tioga::print(&again).unwrap(), printed, "{path:?}");
    }
}
