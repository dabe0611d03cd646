//! Pictures of a document: GraphViz source, and SVG with a layered layout in which no line crosses a box or a text.

mod case;
mod dot;
mod graph;
mod layers;
mod layout;
mod long;
pub(crate) mod metric;
mod order;
mod svg;

pub use case::case;
use graph::Interface;
pub use graph::{Arrow, ArrowKind, Graph, Node, NodeMark, Urgency};
pub(crate) use svg::{STYLE, drawing};
pub use svg::{draw, element, refused, style};

use tioga_parse::syntax::{DeclarationKind, Document, Item, TypeKind};

/// The automata and purposes of a document as graphs, in file order.
pub fn graphs(document: &Document) -> Vec<Graph> {
    let interface = interface(document);
    document.templates().map(|template| Graph::new(template, &interface)).collect()
}

/// Which way the declared channels cross the interface, if at all; nothing if none is declared to.
fn interface(document: &Document) -> Interface<'_> {
    let mut interface = Interface::new();
    for item in &document.items {
        let Item::Declaration(declaration) = item else { continue };
        let DeclarationKind::Variables { ty, declarators, .. } = &declaration.kind else {
            continue;
        };
        let TypeKind::Channel(channel) = &ty.kind else { continue };
        let names = declarators.iter().map(|one| (one.name.text.as_str(), channel.direction));
        interface.extend(names);
    }
    let declared = interface.values().any(Option::is_some);
    if declared { interface } else { Interface::new() }
}

/// The document as GraphViz source.
pub fn dot(document: &Document) -> String {
    dot::print(&graphs(document))
}

/// Graphs as GraphViz source.
pub fn draw_dot(graphs: &[Graph]) -> String {
    dot::print(graphs)
}

/// The document as SVG.
pub fn svg(document: &Document) -> String {
    svg::draw(&graphs(document))
}

#[cfg(test)]
pub mod tests {
    //! A small document that the tests of the pictures share.

    use tioga_base::Span;
    use tioga_parse::syntax::{
        ActionUse, Communication, Dialect, Document, EdgeDecl, Expr, ExprKind, Item, LocationDecl,
        Marks, Name, Target, Template, TemplateItem, TemplateKind,
    };

    fn name(text: &str) -> Name {
        Name::new(text, Span::default())
    }

    fn expr(text: &str) -> Expr {
        Expr::new(ExprKind::Name(text.to_owned()), Span::default())
    }

    fn location(text: &str, marks: Marks, invariant: Option<Expr>) -> TemplateItem {
        let span = Span::default();
        let names = vec![name(text)];
        TemplateItem::Locations(LocationDecl { names, marks, labels: Vec::new(), invariant, span })
    }

    fn edge(source: &str, target: Target, action: &str, communication: Communication) -> EdgeDecl {
        let span = Span::default();
        let (indices, arguments) = (Vec::new(), Vec::new());
        EdgeDecl {
            sources: vec![name(source)],
            target,
            control: None,
            action: Some(ActionUse { name: name(action), indices, arguments, communication, span }),
            reply: None,
            selects: Vec::new(),
            guard: None,
            updates: Vec::new(),
            span,
        }
    }

    /// Two locations, an input edge between them and an output loop.
    pub fn lamp() -> Document {
        let switch = edge("Off", Target::Location(name("On")), "touch", Communication::Receive);
        let items = vec![
            location("Off", Marks { initial: true, ..Marks::default() }, None),
            location("On", Marks { accept: true, ..Marks::default() }, Some(expr("limit"))),
            TemplateItem::Edge(Box::new(EdgeDecl { guard: Some(expr("early")), ..switch })),
            TemplateItem::Edge(Box::new(edge(
                "On",
                Target::Same(Span::default()),
                "dim",
                Communication::Send,
            ))),
        ];
        let (kind, params) = (TemplateKind::Automaton, Vec::new());
        let (name, span) = (name("Lamp"), Span::default());
        let mut document = Document::new(Dialect::Tioga);
        document.items.push(Item::Template(Template { kind, name, params, items, span }));
        document
    }
}
