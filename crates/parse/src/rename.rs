//! Renames identifiers a target language does not allow, consistently over a whole document.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::FileId;

use crate::clike::{Origin, TokenKind, lex};
use crate::syntax::{Change, Document};

/// Renames every identifier that is `reserved` or not made of letters, digits and `_`, by
/// replacing what is not allowed with `_` and adding `_` until the name is new.
pub(crate) fn rename_reserved(document: &mut Document, reserved: impl Fn(&str) -> bool) {
    let mut all = Collect::default();
    document.change(&mut all);
    let mut renamed = Rename::default();
    for name in &all.0 {
        if name.is_empty() || (is_identifier(name) && !reserved(name)) {
            continue;
        }
        let mut new: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if new.starts_with(|c: char| c.is_ascii_digit()) {
            new.insert(0, '_');
        }
        while all.0.contains(&new) || reserved(&new) || renamed.taken.contains(&new) {
            new.push('_');
        }
        renamed.taken.insert(new.clone());
        renamed.names.insert(name.clone(), new);
    }
    if !renamed.names.is_empty() {
        document.change(&mut renamed);
    }
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

#[derive(Default)]
struct Collect(BTreeSet<String>);

impl Change for Collect {
    fn identifier(&mut self, text: &mut String) {
        self.0.insert(text.clone());
    }
}

#[derive(Default)]
struct Rename {
    names: BTreeMap<String, String>,
    taken: BTreeSet<String>,
}

impl Change for Rename {
    fn identifier(&mut self, text: &mut String) {
        if let Some(new) = self.names.get(text) {
            text.clone_from(new);
        }
    }

    fn formula_text(&mut self, text: &mut String) {
        let mut new = String::new();
        let mut end = 0;
        for token in lex(text, &Origin::whole(FileId(0))).tokens {
            new.push_str(&text[end..token.span.range().start]);
            end = token.span.range().end;
            let renamed = self.names.get(token.text).filter(|_| token.kind == TokenKind::Word);
            new.push_str(renamed.map_or(token.text, String::as_str));
        }
        *text = new;
    }
}
