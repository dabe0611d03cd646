//! The model that a journal keeps, as far as it can be read without options.

use tioga_base::{Diagnostics, FileId};
use tioga_execute::ModelText;
use tioga_model::Model;
use tioga_parse::{Format, Options, lower, parse};

/// Nothing if it cannot be read, or means nothing by itself.
pub(crate) fn read(text: &ModelText) -> Option<Model> {
    let format = Format::from_file_name(&text.name)?;
    let mut diagnostics = Diagnostics::new();
    let document = parse(format, FileId(0), &text.contents, &mut diagnostics)?;
    let network = lower(&document, &Options::default(), &mut diagnostics)?;
    if diagnostics.has_errors() {
        return None;
    }
    network.validate().ok()
}
