//! Front ends and printers.
//!
//! Text becomes a [`syntax::Document`] (`tioga`, `uppaal`, `tchecker`); a document becomes the
//! intermediate model (`lower`); documents and models become text again. Nothing here touches a
//! file: parsers take text.

pub mod clike;
mod format;
pub mod syntax;
pub mod tchecker;

pub use format::Format;
