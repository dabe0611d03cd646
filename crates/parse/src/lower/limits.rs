//! How large a model may become: a small file must not take much memory, whatever it says.

use tioga_base::{Diagnostic, Span};

use super::Lowering;
use crate::clike::Parsed;

/// Expressions of the whole model.
const EXPRESSIONS: usize = 1 << 22;
/// Data slots, and slots of constants, of the whole model.
const SLOTS: u64 = 1 << 22;
/// Clocks of the whole model.
const CLOCKS: u64 = 1 << 16;
/// Channels of the whole model.
const CHANNELS: u64 = 1 << 20;
/// Edges of one process.
const EDGES: usize = 1 << 20;
/// Processes.
const PROCESSES: usize = 10_000;
/// Parts of all types named in the model, counted every time a name is used.
const TYPE_PARTS: u64 = 1 << 22;

impl Lowering<'_> {
    fn limit(&mut self, count: u64, limit: u64, what: &str, span: Span) -> Parsed<()> {
        if count <= limit {
            return Ok(());
        }
        let message = format!("the model has more than {limit} {what}");
        self.fail(Diagnostic::error("too-large", span, message))
    }

    /// Complains if expressions were written out too often.
    pub(super) fn limit_expressions(&mut self, span: Span) -> Parsed<()> {
        let count = self.network.code.nodes.len();
        self.limit(
            count as u64,
            EXPRESSIONS as u64,
            "expressions, all quantifiers written out",
            span,
        )
    }

    /// Complains if so many more slots are too many.
    pub(super) fn limit_slots(&mut self, more: u64, span: Span) -> Parsed<()> {
        let count = self.network.slots.len() + self.network.code.constants.len();
        self.limit((count as u64).saturating_add(more), SLOTS, "data slots", span)
    }

    /// Complains if so many more clocks are too many.
    pub(super) fn limit_clocks(&mut self, more: u64, span: Span) -> Parsed<()> {
        let count = self.network.clocks.len() as u64;
        self.limit(count.saturating_add(more), CLOCKS, "clocks", span)
    }

    /// Complains if so many more channels are too many.
    pub(super) fn limit_channels(&mut self, more: u64, span: Span) -> Parsed<()> {
        let count = self.network.channels.len() as u64;
        self.limit(count.saturating_add(more), CHANNELS, "channels", span)
    }

    /// Complains if a process has too many edges, or the model too many expressions.
    pub(super) fn limit_edges(&mut self, count: usize, span: Span) -> Parsed<()> {
        self.limit(count as u64, EDGES as u64, "edges in one process", span)?;
        self.limit_expressions(span)
    }

    /// Complains if there are too many processes.
    pub(super) fn limit_processes(&mut self, count: usize, span: Span) -> Parsed<()> {
        self.limit(count as u64, PROCESSES as u64, "processes", span)
    }

    /// Accounts for the parts of a type that is used by name.
    pub(super) fn limit_type(&mut self, parts: u64, span: Span) -> Parsed<()> {
        self.type_parts = self.type_parts.saturating_add(parts);
        self.limit(self.type_parts, TYPE_PARTS, "parts of types, counted at every use", span)
    }
}
