//! A picture of a model whose parts know where they are written.

use serde::Serialize;
use tioga_base::{Sources, Span};
use tioga_model::Model;
use tioga_parse::syntax::{Document, Item, Target, Template, TemplateItem, TemplateKind};
use tioga_report::picture;

/// A picture with the places of its parts in the text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Picture {
    /// The picture, as an element of a page: groups with `data-automaton`, in it `data-node` and `data-edge`.
    pub svg: String,
    /// The automata and purposes, in the order of the picture.
    pub automata: Vec<Automaton>,
}

/// An automaton in a picture.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Automaton {
    /// Its name.
    pub name: String,
    /// Whether it is a purpose.
    pub purpose: bool,
    /// Its locations, in the order of the picture.
    pub nodes: Vec<Spot>,
    /// Its edges, in the order of the picture.
    pub edges: Vec<Spot>,
    /// The processes of the model that are instances of it.
    pub processes: Vec<String>,
}

/// A part of a picture in the text: its name, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Spot {
    /// A location's name, or `A -> B` for an edge.
    pub name: String,
    /// The line, from 1; 0 if it is not in the text of the model.
    pub line: usize,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// Draws what a text says; it need not be a valid model. The model, if there is one, says which processes there are.
pub fn picture(document: &Document, model: Option<&Model>, texts: &Sources) -> Picture {
    let svg = picture::element(&picture::graphs(document));
    let spot = |name: String, span: Span| {
        let line =
            texts.get(span.file).map_or(0, |source| source.line_column(span.start as usize).0);
        Spot { name, line, start: span.start, end: span.end }
    };
    let automata = document.templates().map(|template| Automaton {
        name: template.name.text.clone(),
        purpose: template.kind == TemplateKind::Purpose,
        nodes: nodes(template).map(|(name, span)| spot(name, span)).collect(),
        edges: edges(template).into_iter().map(|(name, span)| spot(name, span)).collect(),
        processes: model.map_or_else(Vec::new, |model| instances(document, template, model)),
    });
    Picture { automata: automata.collect(), svg }
}

/// The locations in the order in which a picture has them.
fn nodes(template: &Template) -> impl Iterator<Item = (String, Span)> {
    let lists = template.items.iter().filter_map(|item| match item {
        TemplateItem::Locations(locations) => Some(&locations.names),
        _ => None,
    });
    lists.flatten().map(|name| (name.text.clone(), name.span))
}

/// The edges in the order in which a picture has them: those whose ends are declared.
fn edges(template: &Template) -> Vec<(String, Span)> {
    let known: Vec<String> = nodes(template).map(|(name, _)| name).collect();
    let mut all = Vec::new();
    for item in &template.items {
        let TemplateItem::Edge(edge) = item else { continue };
        for source in &edge.sources {
            let target = match &edge.target {
                Target::Location(target) => &target.text,
                Target::Same(_) => &source.text,
            };
            if known.contains(&source.text) && known.contains(target) {
                all.push((format!("{} -> {target}", source.text), edge.span));
            }
        }
    }
    all
}

/// The processes that are made of a template, through instances of instances.
fn instances(document: &Document, template: &Template, model: &Model) -> Vec<String> {
    let is_of = |process: &str| {
        let mut name = process.split('(').next().unwrap_or(process);
        // A chain longer than the file is a circle.
        for _ in 0..=document.items.len() {
            if name == template.name.text {
                return true;
            }
            let next = document.items.iter().find_map(|item| match item {
                Item::Instance(one) if one.name.text == name => Some(one.template.text.as_str()),
                _ => None,
            });
            match next {
                Some(next) => name = next,
                None => return false,
            }
        }
        false
    };
    let names = model.processes.iter().map(|process| process.name.clone());
    names.filter(|name| is_of(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tioga::{EXAMPLES, OpenOptions, open, read_document};

    #[test]
    fn every_example_has_a_spot_for_each_part_of_its_picture() {
        for example in EXAMPLES {
            let mut texts = Sources::new();
            let name = format!("@{}", example.name);
            let source = open(&name, &OpenOptions::default(), &mut texts).unwrap();
            let (document, _) = read_document(&source, &mut texts).unwrap();
            let drawn = picture(&document, None, &texts);
            let graphs = picture::graphs(&document);
            assert_eq!(graphs.len(), drawn.automata.len(), "{name}");
            for (graph, automaton) in graphs.iter().zip(&drawn.automata) {
                assert_eq!(graph.nodes.len(), automaton.nodes.len(), "{name}");
                assert_eq!(graph.edges.len(), automaton.edges.len(), "{name}");
                for (node, spot) in graph.nodes.iter().zip(&automaton.nodes) {
                    assert_eq!(node.lines[0], spot.name, "{name}");
                }
                for (edge, spot) in graph.edges.iter().zip(&automaton.edges) {
                    let ends =
                        [edge.source, edge.target].map(|end| graph.nodes[end].lines[0].as_str());
                    assert_eq!(ends.join(" -> "), spot.name, "{name}");
                }
            }
        }
    }
}
