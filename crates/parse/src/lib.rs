//! Front ends and printers.
//!
//! Text becomes a [`syntax::Document`] (`tioga`, `uppaal`, `tchecker`, `sptg`); a document becomes the
//! intermediate model ([`lower()`]), and a model a document ([`raise()`]); documents and models become
//! text again. Nothing here touches a file: parsers take text.

pub mod clike;
mod interface;
mod lower;
pub mod print;
pub mod query;
pub mod raise;
mod rename;
pub mod sptg;
pub mod syntax;
pub mod tchecker;
pub mod tioga;
pub mod uppaal;

pub use interface::declare_interface;
pub use lower::{ChosenValues, Options, lower};
pub use print::{
    Printer, print_action, print_declarations, print_expr, print_parameters, print_type,
};
pub use raise::raise;

pub use tioga_base::ModelFormat as Format;
use tioga_base::{Diagnostics, FileId};

/// Reads a model file. `None` if there is an error among the diagnostics.
pub fn parse(
    format: Format,
    file: FileId,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> Option<syntax::Document> {
    match format {
        Format::Tioga => tioga::parse(file, text, diagnostics),
        Format::UppaalXml => uppaal::parse_xml(file, text, diagnostics),
        Format::Xta => uppaal::parse_xta(file, text, diagnostics),
        Format::Tchecker => tchecker::parse(file, text, diagnostics),
        Format::Xlia => sptg::parse(file, text, diagnostics),
    }
}
