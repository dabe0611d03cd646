//! Updates as `.tck` statements.

use tioga_base::Span;
use tioga_model::{Expr, Function, Lvalue, Statement, Update};

use super::formula::{Formulas, conjunction};

/// Calls may nest this deeply; the model has no recursion, so this only bounds odd input.
const CALL_DEPTH: u32 = 32;

impl Formulas<'_> {
    /// The statements of an edge, separated by semicolons; empty if it changes nothing.
    pub fn updates(&mut self, updates: &[Update], span: Span) -> Option<String> {
        let mut parts = Vec::new();
        for update in updates {
            match update {
                Update::Data(statement) => self.statement(statement, span, 0, &mut parts)?,
                Update::Clock(update) => {
                    let clock = self.clock(&update.clock, span)?;
                    let value = self.bound(update.value, false, span)?;
                    let set = match &update.source {
                        None => format!("{clock} = {value}"),
                        Some(source) => {
                            let source = self.clock(source, span)?;
                            match value.as_str() {
                                "0" => format!("{clock} = {source}"),
                                _ => format!("{clock} = {source} + {value}"),
                            }
                        }
                    };
                    match update.when {
                        None => parts.push(set),
                        // The alternatives exclude each other, so the clock is set once.
                        Some(when) => parts.extend(
                            (self.alternatives(when, true)?.iter())
                                .map(|atoms| format!("if {} then {set} end", conjunction(atoms))),
                        ),
                    }
                }
            }
        }
        Some(parts.join("; "))
    }

    fn statement(
        &mut self,
        statement: &Statement,
        span: Span,
        depth: u32,
        parts: &mut Vec<String>,
    ) -> Option<()> {
        match statement {
            Statement::Expr(id) => {
                let node = &self.network.code.nodes[*id];
                match &node.expr {
                    Expr::Assign(place, value, _) | Expr::Exchange(place, value, _) => {
                        let target = self.place(place, node.span)?;
                        let value = self.term(*value)?;
                        parts.push(format!("{target} = {value}"));
                    }
                    Expr::Call(function, arguments) => {
                        let function = &self.network.code.functions[*function];
                        if !arguments.is_empty() || function.frame != 0 {
                            return self.refuse(
                                node.span,
                                "a call of a function with parameters or local variables",
                                "there are no functions",
                            );
                        }
                        self.inline(function, node.span, depth, parts)?;
                    }
                    // Any other expression changes nothing.
                    _ => {
                        self.term(*id)?;
                    }
                }
            }
            Statement::Copy { target, source, ranges } => {
                self.copy(target, source, ranges.len(), span, parts)?;
            }
            Statement::Block(statements) => {
                for statement in statements {
                    self.statement(statement, span, depth, parts)?;
                }
            }
            Statement::If(condition, yes, no) => {
                let condition = self.single(*condition)?;
                let yes = self.sequence(yes, span, depth)?;
                let no = match no {
                    Some(no) => format!(" else {}", self.sequence(no, span, depth)?),
                    None => String::new(),
                };
                parts.push(format!("if {condition} then {yes}{no} end"));
            }
            Statement::While(condition, body) => {
                let condition = self.single(*condition)?;
                let body = self.sequence(body, span, depth)?;
                parts.push(format!("while {condition} do {body} end"));
            }
            Statement::DoWhile(..) | Statement::ForEach(..) => {
                return self.refuse(span, "this kind of loop", "there is only `while … do`");
            }
            Statement::Return(_) => {
                return self.refuse(span, "a `return`", "there are no functions");
            }
        }
        Some(())
    }

    fn inline(
        &mut self,
        function: &Function,
        span: Span,
        depth: u32,
        parts: &mut Vec<String>,
    ) -> Option<()> {
        if depth >= CALL_DEPTH {
            return self.refuse(span, "so deep a nesting of calls", "there are no functions");
        }
        self.statement(&function.body, span, depth + 1, parts)
    }

    fn sequence(&mut self, statement: &Statement, span: Span, depth: u32) -> Option<String> {
        let mut parts = Vec::new();
        self.statement(statement, span, depth, &mut parts)?;
        Some(if parts.is_empty() { "nop".to_owned() } else { parts.join("; ") })
    }

    /// Copies slot by slot; that is right only while source and target do not overlap.
    fn copy(
        &mut self,
        target: &Lvalue,
        source: &Lvalue,
        count: usize,
        span: Span,
        parts: &mut Vec<String>,
    ) -> Option<()> {
        let fixed = target.indices.is_empty() && source.indices.is_empty();
        let apart = target.offset.abs_diff(source.offset) as usize >= count;
        if !fixed || !apart {
            return self.refuse(
                span,
                "this assignment of a whole array or record",
                "terms are integers",
            );
        }
        for step in 0..u32::try_from(count).ok()? {
            let shifted = |place: &Lvalue| -> Option<Lvalue> {
                let offset = place.offset.checked_add(step)?;
                Some(Lvalue { offset, ..place.clone() })
            };
            let to = self.place(&shifted(target)?, span)?;
            let from = self.place(&shifted(source)?, span)?;
            parts.push(format!("{to} = {from}"));
        }
        Some(())
    }
}
