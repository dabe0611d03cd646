//! Properties inside model files.

use tioga_base::Diagnostics;

use crate::clike::Origin;
use crate::syntax::Formula;

/// Parses a property; a blank text is none. Without a result, an error was reported.
pub(super) fn parse(
    text: &str,
    _origin: &Origin,
    _diagnostics: &mut Diagnostics,
) -> Option<Option<Formula>> {
    let text = text.trim();
    Some((!text.is_empty()).then(|| Formula::Other(text.to_owned())))
}
