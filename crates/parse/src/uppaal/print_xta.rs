//! Writes the text form.

use tioga_base::{Diagnostics, FileId};

use super::export::{Exported, export};
use super::inexpressible::inexpressible;
use super::pieces::Pieces;
use crate::clike::{Origin, lex};
use crate::syntax::{
    Control, Document, EdgeDecl, LocationDecl, Target, Template, TemplateItem, TemplateKind,
};

/// The document as an UPPAAL `.xta` file, or what cannot be said in it.
pub fn print_xta(document: &Document) -> Result<String, Diagnostics> {
    let Exported { document, scale } = export(document)?;
    let mut pieces = Pieces::new(document.dialect);
    let (mut out, tail) = pieces.globals(&document, scale);
    for template in document.templates() {
        if template.kind == TemplateKind::Automaton {
            separate(&mut out);
            process(&mut pieces, template, &mut out);
        }
    }
    if !tail.is_empty() {
        separate(&mut out);
        out.push_str(&tail);
    }
    for query in document.queries() {
        separate(&mut out);
        if let Some(comment) = &query.comment {
            for line in comment.lines() {
                out.push_str(format!("// {line}").trim_end());
                out.push('\n');
            }
        }
        let formula = pieces.formula(&query.formula);
        if !balanced(&formula) {
            pieces.diagnostics.push(inexpressible(query.span, "a formula with unbalanced braces"));
        }
        out.push_str(&format!("query {{ {} }}\n", formula.trim()));
    }
    pieces.finish(out)
}

/// Whether the braces of a formula match, so that the brace around it is found.
fn balanced(formula: &str) -> bool {
    let mut depth = 0usize;
    for token in lex(formula, &Origin::whole(FileId(0))).tokens {
        match token.text {
            "{" => depth += 1,
            "}" if depth == 0 => return false,
            "}" => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

fn separate(out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
}

fn process(pieces: &mut Pieces, template: &Template, out: &mut String) {
    let params = pieces.parameters(&template.params);
    out.push_str(&format!("process {}({params}) {{\n", template.name.text));
    let mut locations: Vec<&LocationDecl> = Vec::new();
    let mut edges: Vec<&EdgeDecl> = Vec::new();
    for item in &template.items {
        match item {
            TemplateItem::Declaration(declaration) => {
                for line in pieces.declaration(declaration).lines() {
                    out.push_str(format!("    {line}").trim_end());
                    out.push('\n');
                }
            }
            TemplateItem::Locations(location) => locations.push(location),
            TemplateItem::Edge(edge) => edges.push(edge),
            TemplateItem::Otherwise(_) | TemplateItem::Restart(_) => {}
        }
    }
    let states: Vec<String> = locations.iter().map(|location| state(pieces, location)).collect();
    list(out, "state", &states);
    let named = |chosen: &dyn Fn(&LocationDecl) -> bool| -> Vec<String> {
        (locations.iter().filter(|location| chosen(location)))
            .map(|location| format!("    {}", location.names[0].text))
            .collect()
    };
    list(out, "commit", &named(&|location| location.marks.committed));
    list(out, "urgent", &named(&|location| location.marks.urgent));
    list(out, "init", &named(&|location| location.marks.initial));
    let transitions: Vec<String> = edges.iter().map(|edge| transition(pieces, edge)).collect();
    list(out, "trans", &transitions);
    out.push_str("}\n");
}

/// A keyword and its parts, one per line; nothing for no parts.
fn list(out: &mut String, keyword: &str, parts: &[String]) {
    if !parts.is_empty() {
        out.push_str(&format!("{keyword}\n{};\n", parts.join(",\n")));
    }
}

fn state(pieces: &mut Pieces, location: &LocationDecl) -> String {
    let mut text = format!("    {}", location.names[0].text);
    if let Some(invariant) = &location.invariant {
        text.push_str(&format!(" {{ {} }}", pieces.condition(invariant)));
    }
    for marker in pieces.location_markers(location) {
        text.push_str(&format!(" /* {marker} */"));
    }
    text
}

fn transition(pieces: &mut Pieces, edge: &EdgeDecl) -> String {
    let source = edge.sources.first().map_or("", |name| name.text.as_str());
    let target = match &edge.target {
        Target::Location(name) => name.text.as_str(),
        Target::Same(_) => source,
    };
    let uncontrollable = edge.control == Some(Control::Uncontrollable);
    let arrow = if uncontrollable { "-u->" } else { "->" };
    let mut text = format!("    {source} {arrow} {target} {{");
    let mut part = |keyword: &str, value: String| {
        text.push_str(&format!(" {keyword} {value};"));
    };
    if !edge.selects.is_empty() {
        part("select", pieces.selects(&edge.selects));
    }
    if let Some(guard) = &edge.guard {
        part("guard", pieces.condition(guard));
    }
    if let Some(synchronisation) =
        edge.action.as_ref().and_then(|action| pieces.synchronisation(action))
    {
        part("sync", synchronisation);
    }
    if !edge.updates.is_empty() {
        part("assign", pieces.exprs(&edge.updates));
    }
    for marker in pieces.edge_markers(edge) {
        text.push_str(&format!(" /* {marker} */"));
    }
    text.push_str(" }");
    text
}
