//! Front ends and printers.
//!
//! Text becomes a [`syntax::Document`] (`tioga`, `uppaal`, `tchecker`); a document becomes the
//! intermediate model (`lower`); documents and models become text again. Nothing here touches a
//! file: parsers take text.

pub mod clike;
mod format;
pub mod print;
pub mod query;
mod rename;
pub mod syntax;
pub mod tioga;
pub mod uppaal;

pub use format::Format;
pub use print::{Printer, print_declarations, print_expr, print_parameters, print_type};
