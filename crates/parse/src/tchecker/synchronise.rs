//! The `sync` declarations: their parts, and what makes one wrong.

use std::collections::BTreeMap;

use tioga_base::{Diagnostic, Span};

use super::names::Sort;
use super::reading::{PartDraft, Reading};
use super::scan::Piece;
use crate::syntax::{Direction, Name};

impl<'t> Reading<'t, '_> {
    /// Reads `P@a` or `P@a?`.
    pub fn part(&mut self, field: Piece<'t>) -> Option<PartDraft> {
        let (text, weak) = match field.text.strip_suffix('?') {
            Some(text) => (text.trim_end(), true),
            None => (field.text, false),
        };
        let Some((process, event)) = text.split_once('@') else {
            let message = match field.text {
                "" => "a participant is missing here".to_owned(),
                text => format!("expected a participant, found `{text}`"),
            };
            self.diagnostics.push(
                Diagnostic::error("syntax", field.span, message)
                    .help("write `process@event`, or `process@event?` if it may be absent"),
            );
            return None;
        };
        let start = field.span.start as usize;
        let event_start = start + process.len() + 1 + (event.len() - event.trim_start().len());
        let place = |text: &'t str, start: usize| Piece {
            text,
            span: Span::new(self.file, start, start + text.len()),
        };
        let process = place(process.trim_end(), start);
        let event = place(event.trim(), event_start);
        let process_index =
            self.names.find(Sort::Process, process, self.diagnostics).map(|entry| entry.index);
        let event = self.names.find(Sort::Event, event, self.diagnostics)?.index;
        Some(PartDraft {
            process: process_index?,
            event,
            weak,
            process_span: process.span,
            span: field.span,
        })
    }

    /// Checks what can be checked as soon as the declaration is read.
    pub fn check_sync(&mut self, parts: &[PartDraft], span: Span) {
        if parts.len() < 2 {
            let message = "a synchronisation needs at least two participants";
            self.diagnostics.push(Diagnostic::error("sync", span, message));
        }
        let mut first: BTreeMap<usize, Span> = BTreeMap::new();
        for part in parts {
            if let Some(first) = first.get(&part.process) {
                let name = &self.processes[part.process].name.text;
                let message = format!("process `{name}` takes part twice");
                self.diagnostics.push(
                    Diagnostic::error("sync", part.process_span, message)
                        .also(*first, "first here"),
                );
            } else {
                first.insert(part.process, part.process_span);
            }
        }
        if !parts.is_empty() && parts.iter().all(|part| part.weak) {
            let message = "a synchronisation of weak participants only is not supported";
            self.diagnostics.push(
                Diagnostic::unsupported("weak-synchronisation", span, message)
                    .help("make at least one participant strong"),
            );
        }
        let mut key: Vec<_> =
            parts.iter().map(|part| (part.process, part.event, part.weak)).collect();
        key.sort_unstable();
        if let Some(same) = self.sync_keys.insert(key, span) {
            self.diagnostics.push(
                Diagnostic::error("duplicate-name", span, "this synchronisation is declared twice")
                    .also(same, "first declared here"),
            );
        }
    }

    /// The interface action a synchronisation shows: that of its marked event. Two marked events,
    /// or one that may be absent, are errors.
    pub fn shown(&mut self, sync: usize) -> Option<(Direction, Name)> {
        let parts = &self.syncs[sync].parts;
        let mut marked = parts.iter().filter(|part| self.events[part.event].direction.is_some());
        let first = marked.next()?;
        if let Some(second) = marked.find(|part| part.event != first.event) {
            let message = "a synchronisation crosses the interface with one event only";
            self.diagnostics.push(
                Diagnostic::error("sync", second.span, message).also(first.span, "the first one"),
            );
            return None;
        }
        let strong = |part: &&PartDraft| part.event == first.event && !part.weak;
        if !parts.iter().any(|part| strong(&part)) {
            let message = "an event of the interface cannot be weak";
            self.diagnostics.push(
                Diagnostic::error("sync", first.span, message)
                    .note("the move would show it even without this participant"),
            );
            return None;
        }
        let event = &self.events[first.event];
        Some((event.direction?, event.name.clone()))
    }

    /// Refuses weak participants whose edges may be disabled, for the reason given at the module.
    pub fn check_weak(&mut self) {
        for part in self.syncs.iter().flat_map(|sync| &sync.parts).filter(|part| part.weak) {
            // Per location, whether some edge has no guard, and the first guard.
            let mut locations: BTreeMap<usize, (bool, Span)> = BTreeMap::new();
            let process = &self.processes[part.process];
            for edge in process.edges.iter().filter(|edge| edge.event == part.event) {
                let guard = edge.raw.attribute("provided").filter(|it| !it.value.text.is_empty());
                let span = guard.map_or(edge.raw.span, |guard| guard.value.span);
                locations.entry(edge.source).or_insert((false, span)).0 |= guard.is_none();
            }
            if let Some((_, guard)) = locations.values().find(|(free, _)| !free) {
                let message = "a weak participant with a guard is not supported";
                self.diagnostics.push(
                    Diagnostic::unsupported("weak-synchronisation", part.span, message)
                        .also(*guard, "this guard may be false")
                        .note("TChecker blocks the joint step when the guard is false; here the participant would be left out")
                        .help("give the location an edge with this event and without a guard"),
                );
            }
        }
    }
}
