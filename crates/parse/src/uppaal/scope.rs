//! Which text is being parsed, and what it may contain.

use crate::clike::Lexed;

/// Which texts may contain what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// A template's declarations.
    Local,
    /// The global declarations and the system text of an XML file.
    Global,
    /// A whole `.xta` file.
    File,
}

/// A text to parse, and what it may contain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'t> {
    /// Its tokens and comments.
    pub lexed: &'t Lexed<'t>,
    /// What it may contain.
    pub scope: Scope,
    /// The text itself.
    pub source: &'t str,
}
