//! Synchronisation vectors as channels.
//!
//! A vector of two processes becomes a binary channel of its own, one of a process and weak
//! partners a broadcast channel: both include every process that can take part. An edge that takes
//! part in several vectors is repeated, once for each.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Diagnostics, Span};

use super::inexpressible::inexpressible;
use super::rename;
use crate::syntax::{
    ActionUse, ChannelType, Communication, Declaration, Document, EdgeDecl, Item, Name, SyncVector,
    Template, TemplateItem, TemplateKind,
};

/// What an edge with a given label of a given process does instead: a side of a channel, or
/// nothing but itself for a vector of one.
type Sides = BTreeMap<(String, String), Vec<Option<(String, Communication)>>>;

/// Replaces the vectors of a document by channels.
pub(super) fn encode(document: &mut Document, diagnostics: &mut Diagnostics) {
    let mut names = rename::all_names(document);
    let mut sides = Sides::new();
    let mut channels = Vec::new();
    for item in &document.items {
        let Item::Sync(vector) = item else { continue };
        if let Some(process) = vector.parts.iter().find(|part| !runs_once(document, &part.process))
        {
            diagnostics.push(
                inexpressible(process.process.span, "synchronisation of a process with parameters")
                    .note("its edges would have to differ between processes of one template"),
            );
            continue;
        }
        let Some(broadcast) = shape(vector, diagnostics) else { continue };
        if broadcast && !in_order(document, vector) {
            diagnostics.push(
                inexpressible(vector.span, "this order of updates in a synchronisation")
                    .note("a broadcast updates the sender, then the receivers as the system line names them")
                    .help("name the strong partner first, the others as the system line does"),
            );
            continue;
        }
        let channel = channel_name(vector, &mut names);
        let alone = vector.parts.len() == 1;
        let sender = vector.parts.iter().position(|part| !part.weak).unwrap_or(0);
        for (index, part) in vector.parts.iter().enumerate() {
            let side = if index == sender { Communication::Send } else { Communication::Receive };
            let key = (part.process.text.clone(), part.action.text.clone());
            let side = (!alone).then(|| (channel.clone(), side));
            sides.entry(key).or_default().push(side);
        }
        if !alone {
            channels.push(declare(channel, broadcast, vector.span));
        }
    }
    document.items.retain(|item| !matches!(item, Item::Sync(_)));
    document.items.splice(0..0, channels.into_iter().map(Item::Declaration));
    for item in &mut document.items {
        if let Item::Template(template) = item {
            apply(template, &sides);
        }
    }
}

/// Whether a process is its template's only one, so that changing the template changes just it.
fn runs_once(document: &Document, process: &Name) -> bool {
    let uses = document.items.iter().map(|item| match item {
        Item::Instance(instance) => usize::from(instance.template.text == process.text) * 2,
        Item::System(system) => (system.system.iter().chain(&system.environment))
            .filter(|other| other.name.text == process.text)
            .count(),
        _ => 0,
    });
    let is_template = document.templates().any(|template| {
        template.kind == TemplateKind::Automaton
            && template.name.text == process.text
            && template.params.is_empty()
    });
    is_template && uses.sum::<usize>() <= 1
}

/// Whether a broadcast updates in the order the vector is written in.
fn in_order(document: &Document, vector: &SyncVector) -> bool {
    let named: Vec<&str> = (document.items.iter())
        .filter_map(|item| match item {
            Item::System(system) => Some(system.system.iter().chain(&system.environment)),
            _ => None,
        })
        .flatten()
        .map(|process| process.name.text.as_str())
        .collect();
    let order: Vec<&str> = if named.is_empty() {
        document.templates().map(|template| template.name.text.as_str()).collect()
    } else {
        named
    };
    let receivers: Vec<Option<usize>> = (vector.parts.iter().skip(1))
        .map(|part| order.iter().position(|name| *name == part.process.text))
        .collect();
    vector.parts.first().is_some_and(|part| !part.weak) && receivers.is_sorted()
}

/// Whether the vector is a broadcast, or nothing if it is no channel at all.
fn shape(vector: &SyncVector, diagnostics: &mut Diagnostics) -> Option<bool> {
    let strong = vector.parts.iter().filter(|part| !part.weak).count();
    let weak = vector.parts.len() - strong;
    let problem = match (strong, weak) {
        _ if vector.shown.is_some() => "a synchronisation shown as an action of the interface",
        (1 | 2, 0) => return Some(false),
        (1, _) => return Some(true),
        (0, _) => "a synchronisation without a process that must take part",
        (2, _) => "a synchronisation of two processes with weak partners",
        _ => "a synchronisation of three or more processes",
    };
    diagnostics.push(
        inexpressible(vector.span, problem)
            .note("UPPAAL knows a pair, or one sender and everyone who can receive"),
    );
    None
}

fn channel_name(vector: &SyncVector, names: &mut BTreeSet<String>) -> String {
    let mut parts: Vec<&str> = vector.parts.iter().map(|part| part.action.text.as_str()).collect();
    parts.dedup();
    let mut name = parts.join("_");
    let stem = format!("{name}_sync");
    let mut number = 1;
    // A label may keep its name for edges outside every vector, so the channel gets its own.
    while !names.insert(name.clone()) {
        name = if number == 1 { stem.clone() } else { format!("{stem}{number}") };
        number += 1;
    }
    name
}

fn declare(name: String, broadcast: bool, span: Span) -> Declaration {
    let channel = ChannelType { broadcast, ..ChannelType::default() };
    Declaration::channel(Name::new(name, span), channel, span)
}

fn apply(template: &mut Template, sides: &Sides) {
    let process = template.name.text.clone();
    let mut items = Vec::new();
    for item in std::mem::take(&mut template.items) {
        let TemplateItem::Edge(edge) = item else {
            items.push(item);
            continue;
        };
        let roles = edge.action.as_ref().and_then(|action| {
            let plain = action.communication == Communication::Plain;
            sides.get(&(process.clone(), action.name.text.clone())).filter(|_| plain)
        });
        let Some(roles) = roles else {
            items.push(TemplateItem::Edge(edge));
            continue;
        };
        items.extend(roles.iter().map(|role| TemplateItem::Edge(Box::new(play(&edge, role)))));
    }
    template.items = items;
}

fn play(edge: &EdgeDecl, role: &Option<(String, Communication)>) -> EdgeDecl {
    let mut edge = edge.clone();
    if let (Some((channel, communication)), Some(action)) = (role, &mut edge.action) {
        *action = ActionUse {
            name: Name::new(channel.clone(), action.name.span),
            indices: Vec::new(),
            arguments: Vec::new(),
            communication: *communication,
            span: action.span,
        };
    }
    edge
}
