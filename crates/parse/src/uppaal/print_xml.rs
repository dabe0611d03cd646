//! Writes the XML form, version 1.6.

use tioga_base::Diagnostics;

use super::export::{Exported, export};
use super::layout::{Point, layout};
use super::pieces::Pieces;
use crate::syntax::{
    Control, Document, EdgeDecl, Item, LocationDecl, Target, Template, TemplateItem, TemplateKind,
};

const HEADER: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' \
    'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
";

/// The document as an UPPAAL `.xml` file that the editor opens, or what cannot be said in it.
pub fn print_xml(document: &Document) -> Result<String, Diagnostics> {
    let Exported { document, scale } = export(document)?;
    let mut writer =
        Writer { pieces: Pieces::new(document.dialect), out: HEADER.to_owned(), next_id: 0 };
    let (head, tail) = writer.pieces.globals(&document, scale);
    writer.element(1, "declaration", "", &head);
    for template in document.templates() {
        if template.kind == TemplateKind::Automaton {
            writer.template(template);
        }
    }
    writer.element(1, "system", "", &tail);
    writer.queries(&document);
    writer.out.push_str("</nta>\n");
    writer.pieces.finish(writer.out)
}

struct Writer {
    pieces: Pieces,
    out: String,
    next_id: usize,
}

impl Writer {
    fn element(&mut self, depth: usize, tag: &str, attributes: &str, text: &str) {
        self.out.push_str(&"\t".repeat(depth));
        let text = escape(text.trim_end());
        self.out.push_str(&format!("<{tag}{attributes}>{text}</{tag}>\n"));
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.out.push_str(&"\t".repeat(depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn template(&mut self, template: &Template) {
        let locations: Vec<&LocationDecl> = (template.items.iter())
            .filter_map(|item| match item {
                TemplateItem::Locations(location) => Some(location),
                _ => None,
            })
            .collect();
        let edges: Vec<&EdgeDecl> = (template.items.iter())
            .filter_map(|item| match item {
                TemplateItem::Edge(edge) => Some(&**edge),
                _ => None,
            })
            .collect();
        let drawing = layout(&locations, &edges);
        let first_id = self.next_id;
        self.next_id += locations.len();
        self.line(1, "<template>");
        self.element(2, "name", "", &template.name.text);
        if !template.params.is_empty() {
            let params = self.pieces.parameters(&template.params);
            self.element(2, "parameter", "", &params);
        }
        let declarations: String = (template.items.iter())
            .filter_map(|item| match item {
                TemplateItem::Declaration(declaration) => {
                    Some(self.pieces.declaration(declaration))
                }
                _ => None,
            })
            .collect();
        if !declarations.is_empty() {
            self.element(2, "declaration", "", &declarations);
        }
        for (number, location) in locations.iter().enumerate() {
            self.location(location, first_id + number, drawing.locations[number]);
        }
        if let Some(initial) = locations.iter().position(|location| location.marks.initial) {
            self.line(2, &format!("<init ref=\"id{}\"/>", first_id + initial));
        }
        let id = |name: &str| {
            let number = locations.iter().position(|location| location.names[0].text == name);
            // A name that is no location is kept, so that reading the file complains about it.
            number.map_or_else(|| name.to_owned(), |number| format!("id{}", first_id + number))
        };
        for (number, edge) in edges.iter().enumerate() {
            let source = id(edge.sources.first().map_or("", |name| &name.text));
            let target = match &edge.target {
                Target::Location(name) => id(&name.text),
                Target::Same(_) => source.clone(),
            };
            let (labels, bends) = &drawing.edges[number];
            self.transition(edge, &source, &target, *labels, bends);
        }
        self.line(1, "</template>");
    }

    fn location(&mut self, location: &LocationDecl, id: usize, (x, y): Point) {
        self.line(2, &format!("<location id=\"id{id}\" x=\"{x}\" y=\"{y}\">"));
        let place = format!(" x=\"{}\" y=\"{}\"", x - 10, y - 34);
        self.element(3, "name", &place, &location.names[0].text);
        let mut labels = Vec::new();
        if let Some(invariant) = &location.invariant {
            labels.push(("invariant", self.pieces.condition(invariant)));
        }
        let markers = self.pieces.location_markers(location);
        if !markers.is_empty() {
            labels.push(("comments", markers.join("\n")));
        }
        self.labels(&labels, (x - 10, y + 17));
        if location.marks.urgent {
            self.line(3, "<urgent/>");
        }
        if location.marks.committed {
            self.line(3, "<committed/>");
        }
        self.line(2, "</location>");
    }

    fn transition(
        &mut self,
        edge: &EdgeDecl,
        source: &str,
        target: &str,
        place: Point,
        bends: &[Point],
    ) {
        let uncontrollable = edge.control == Some(Control::Uncontrollable);
        let attribute = if uncontrollable { " controllable=\"false\"" } else { "" };
        self.line(2, &format!("<transition{attribute}>"));
        self.line(3, &format!("<source ref=\"{}\"/>", escape(source)));
        self.line(3, &format!("<target ref=\"{}\"/>", escape(target)));
        let mut labels = Vec::new();
        if !edge.selects.is_empty() {
            labels.push(("select", self.pieces.selects(&edge.selects)));
        }
        if let Some(guard) = &edge.guard {
            labels.push(("guard", self.pieces.condition(guard)));
        }
        if let Some(action) = &edge.action {
            let synchronisation = self.pieces.synchronisation(action);
            labels.extend(synchronisation.map(|text| ("synchronisation", text)));
        }
        if !edge.updates.is_empty() {
            labels.push(("assignment", self.pieces.exprs(&edge.updates)));
        }
        let markers = self.pieces.edge_markers(edge);
        if !markers.is_empty() {
            labels.push(("comments", markers.join("\n")));
        }
        self.labels(&labels, place);
        for (x, y) in bends {
            self.line(3, &format!("<nail x=\"{x}\" y=\"{y}\"/>"));
        }
        self.line(2, "</transition>");
    }

    fn labels(&mut self, labels: &[(&str, String)], (x, mut y): Point) {
        for (kind, text) in labels {
            let attributes = format!(" kind=\"{kind}\" x=\"{x}\" y=\"{y}\"");
            self.element(3, "label", &attributes, text);
            y += 17;
        }
    }

    fn queries(&mut self, document: &Document) {
        if document.queries().next().is_none() {
            return;
        }
        self.line(1, "<queries>");
        for item in &document.items {
            let Item::Query(query) = item else { continue };
            let formula = self.pieces.formula(&query.formula);
            self.line(2, "<query>");
            self.element(3, "formula", "", &formula);
            self.element(3, "comment", "", query.comment.as_deref().unwrap_or(""));
            self.line(2, "</query>");
        }
        self.line(1, "</queries>");
    }
}

/// Text as XML character data or attribute value. Characters XML cannot hold become spaces.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' => escaped.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a<b && \"c\">\u{1}"), "a&lt;b &amp;&amp; &quot;c&quot;&gt; ");
    }
}
