//! What `.tioga` can say and UPPAAL cannot, kept in comments that start with `tioga:`.
//!
//! A marker after an item, before the next one, speaks of that item:
//! ```text
//! chan touch;            // tioga: input
//! const int limit = 20;  // tioga: param
//! system Light, User;    // tioga: environment User
//! ```
//! Other markers stand for an item of their own: `tioga: model NAME`, `tioga: time unit 10 ms`,
//! `tioga: internal load, pass`, `tioga: purpose …` with the whole purpose. Locations and edges
//! carry theirs in a `comments` label (XML) or a comment inside (`.xta`): `tioga: accept`,
//! `tioga: labels a, b`, `tioga: action load`.

use tioga_base::{Diagnostic, Diagnostics, Rational, Span};

use super::marker::{Marker, PREFIX, markers};
use super::purpose;
use super::scope::Scope;
use super::text::is_identifier;
use crate::syntax::{
    ActionUse, Comment, Communication, Control, Declaration, DeclarationKind, Dialect, Direction,
    EdgeDecl, Item, LocationDecl, Name, TimeUnit, TypeKind,
};
use crate::tioga::UNITS;

/// The dialect a document had before it was exported.
pub(super) fn dialect(comments: &[Comment]) -> Option<Dialect> {
    markers(comments).find_map(|marker| (marker.text == "dialect tioga").then_some(Dialect::Tioga))
}

/// Lets markers between items speak of the items before them, or become items themselves.
pub(super) fn apply(
    comments: &[Comment],
    scope: Scope,
    items: &mut Vec<Item>,
    diagnostics: &mut Diagnostics,
) {
    for marker in markers(comments) {
        let at = marker.span.start;
        let next = items.partition_point(|item| item.span().start <= at);
        let (before, _) = items.split_at_mut(next);
        // Comments inside a process are its own.
        if before.last().is_some_and(|item| at < item.span().end) {
            continue;
        }
        let (word, rest) = split_word(&marker.text);
        let understood = match (word, before.last_mut()) {
            ("dialect" | "scale", _) if scope != Scope::Local => true,
            ("input", Some(Item::Declaration(item))) => set_direction(item, Direction::Input),
            ("output", Some(Item::Declaration(item))) => set_direction(item, Direction::Output),
            ("param", Some(Item::Declaration(item))) => set_symbolic(item),
            ("environment", Some(Item::System(system))) => {
                let names = names(rest, marker.span);
                let all = std::mem::take(&mut system.system);
                let is_environment = |name: &str| names.iter().any(|other| other.text == name);
                (system.environment, system.system) =
                    all.into_iter().partition(|process| is_environment(&process.name.text));
                !names.is_empty()
            }
            ("purpose", _) if scope != Scope::Local => {
                let purpose = purpose::parse(&marker.text, marker.span, diagnostics);
                let understood = purpose.is_some();
                items.splice(next..next, purpose);
                understood
            }
            _ => match own_item(word, rest, scope, marker.span) {
                Some(item) => {
                    items.insert(next, item);
                    true
                }
                None => false,
            },
        };
        if !understood {
            complain(&marker, diagnostics);
        }
    }
}

fn own_item(word: &str, rest: &str, scope: Scope, span: Span) -> Option<Item> {
    match word {
        "internal" => {
            let kind = DeclarationKind::Internal(names(rest, span));
            Some(Item::Declaration(Declaration { kind, span }))
        }
        "model" if scope != Scope::Local => Some(Item::Name(names(rest, span).pop()?)),
        "time" if scope != Scope::Local => {
            let (amount, unit) = split_word(rest.strip_prefix("unit")?.trim());
            let amount: Rational = amount.parse().ok()?;
            let &(_, unit) = UNITS.iter().find(|(name, _)| *name == unit)?;
            Some(Item::TimeUnit(TimeUnit { amount, unit, span }))
        }
        _ => None,
    }
}

/// Lets markers speak of a location.
pub(super) fn mark_location(
    markers: impl IntoIterator<Item = Marker>,
    location: &mut LocationDecl,
    diagnostics: &mut Diagnostics,
) {
    for marker in markers {
        let (word, rest) = split_word(&marker.text);
        match word {
            "accept" => location.marks.accept = true,
            "refuse" => location.marks.refuse = true,
            "fail" => location.marks.fail = true,
            "desired" => location.marks.desired = true,
            "labels" => location.labels.extend(names(rest, marker.span)),
            _ => complain(&marker, diagnostics),
        }
    }
}

/// Lets markers speak of an edge.
pub(super) fn mark_edge(
    markers: impl IntoIterator<Item = Marker>,
    edge: &mut EdgeDecl,
    diagnostics: &mut Diagnostics,
) {
    for marker in markers {
        let (word, rest) = split_word(&marker.text);
        match (word, names(rest, marker.span).pop()) {
            ("action", Some(name)) if edge.action.is_none() => {
                edge.action = Some(ActionUse {
                    name,
                    indices: Vec::new(),
                    arguments: Vec::new(),
                    communication: Communication::Plain,
                    span: marker.span,
                });
            }
            ("controllable", None) => edge.control = Some(Control::Controllable),
            _ => complain(&marker, diagnostics),
        }
    }
}

fn set_direction(declaration: &mut Declaration, direction: Direction) -> bool {
    match &mut declaration.kind {
        DeclarationKind::Variables { ty, .. } => match &mut ty.kind {
            TypeKind::Channel(channel) => {
                channel.direction = Some(direction);
                true
            }
            _ => false,
        },
        _ => false,
    }
}

fn set_symbolic(declaration: &mut Declaration) -> bool {
    match &mut declaration.kind {
        DeclarationKind::Variables { constant, symbolic, .. } if *constant => {
            (*constant, *symbolic) = (false, true);
            true
        }
        _ => false,
    }
}

fn complain(marker: &Marker, diagnostics: &mut Diagnostics) {
    let message = format!("the marker `{PREFIX} {}` means nothing here", marker.text);
    diagnostics.push(
        Diagnostic::warning("marker", marker.span, message)
            .note("comments that start with `tioga:` keep what UPPAAL's language cannot say")
            .help("remove the comment, or put it back where it was written"),
    );
}

fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

fn names(text: &str, span: Span) -> Vec<Name> {
    text.split([',', ' '])
        .filter(|name| is_identifier(name))
        .map(|name| Name::new(name, span))
        .collect()
}
