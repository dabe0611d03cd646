//! The names of channel parameters in a document.

use tioga_parse::syntax::{DeclarationKind, Document, Item};

/// Channels with the names of their parameters, in order of the document.
pub(super) fn parameters(document: &Document) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for item in &document.items {
        let Item::Declaration(declaration) = item else { continue };
        let DeclarationKind::Variables { declarators, .. } = &declaration.kind else { continue };
        for declarator in declarators.iter().filter(|one| !one.parameters.is_empty()) {
            let names = declarator.parameters.iter().map(|one| one.name.text.clone());
            found.push((declarator.name.text.clone(), names.collect()));
        }
    }
    found
}
