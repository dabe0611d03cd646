//! What was read of a file so far, before conditions and statements are parsed.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Diagnostics, FileId, Span};

use super::events::Events;
use super::expression::Variables;
use super::names::Names;
use super::scan::Raw;
use crate::syntax::{Control, Direction, Document, Name};

/// What was read so far.
pub(super) struct Reading<'t, 'd> {
    pub file: FileId,
    /// What the file does not say about events.
    pub given: &'d Events<'d>,
    pub diagnostics: &'d mut Diagnostics,
    pub names: Names,
    pub variables: Variables,
    pub processes: Vec<ProcessDraft<'t>>,
    pub events: Vec<EventDraft>,
    pub syncs: Vec<SyncDraft>,
    pub sync_keys: BTreeMap<Vec<(usize, usize, bool)>, Span>,
    pub effects: usize,
    pub document: Document,
    /// How many elements arrays have so far.
    pub cells: i64,
    /// Where the name of the system was given.
    pub system: Option<Span>,
}

/// A process and what belongs to it.
pub(super) struct ProcessDraft<'t> {
    pub name: Name,
    pub locations: Vec<LocationDraft<'t>>,
    pub by_name: BTreeMap<&'t str, usize>,
    pub taken: BTreeSet<String>,
    pub edges: Vec<EdgeDraft<'t>>,
}

/// A location before its invariant is parsed.
pub(super) struct LocationDraft<'t> {
    pub name: Name,
    pub raw: Raw<'t>,
}

/// An edge before its guard and statement are parsed.
pub(super) struct EdgeDraft<'t> {
    pub source: usize,
    pub target: usize,
    pub event: usize,
    pub control: Option<Control>,
    pub raw: Raw<'t>,
}

/// An event.
pub(super) struct EventDraft {
    pub name: Name,
    pub direction: Option<Direction>,
    pub span: Span,
}

/// A synchronisation.
pub(super) struct SyncDraft {
    pub parts: Vec<PartDraft>,
    pub span: Span,
}

/// One participant of a synchronisation, by positions.
#[derive(Clone)]
pub(super) struct PartDraft {
    pub process: usize,
    pub event: usize,
    pub weak: bool,
    pub process_span: Span,
    pub span: Span,
}
