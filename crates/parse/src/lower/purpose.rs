//! Test purposes: processes beside the network that observe it.
//!
//! A purpose with `accept` or `refuse` is an observer (HJM22 Def. 9, BJSK11): it is completed by
//! `otherwise`, its ends are traps, and it has no invariants and no urgent or committed locations
//! because it must not constrain what it observes. A purpose with `fail` or `desired` is one of BON09: acyclic, and restricting the
//! system on the actions it names.

use tioga_base::Diagnostic;
use tioga_model::{Control, Edge, Label, Location, LocationId, Process, Purpose, Role};

use super::scope::Owner;
use super::system::Prepared;
use super::{Lowering, Observer};
use crate::clike::Parsed;
use crate::syntax::{Communication, Document, Target, Template, TemplateItem, TemplateKind};

impl<'d> Lowering<'d> {
    /// Lowers all purposes of the document.
    pub(super) fn purposes(&mut self) {
        let document: &'d Document = self.document;
        for template in document.templates() {
            if template.kind == TemplateKind::Purpose {
                let _ = self.purpose(template);
            }
        }
    }

    fn purpose(&mut self, template: &'d Template) -> Parsed<()> {
        if let Some(parameter) = template.params.first() {
            let message = "a purpose has no parameters";
            return self.fail(Diagnostic::unsupported(
                "purpose-parameters",
                parameter.name.span,
                message,
            ));
        }
        let size = |length: usize| u32::try_from(length).expect("sizes are limited");
        let own = Observer {
            clocks: size(self.network.clocks.len()),
            slots: size(self.network.slots.len()),
        };
        let variables = self.network.variables.len();
        self.observer = Some(own);
        self.scopes.push();
        let lowered = self.purpose_body(template);
        self.scopes.pop();
        self.observer = None;
        // What the purpose declared is its own, not the network's.
        let clocks = self.network.clocks.split_off(own.clocks as usize);
        let slots = self.network.slots.split_off(own.slots as usize);
        let variables = self.network.variables.split_off(variables);
        let (process, otherwise, restart) = lowered?;
        self.network.purposes.push(Purpose {
            process,
            clocks,
            variables,
            slots,
            otherwise,
            restart,
        });
        Ok(())
    }

    fn purpose_body(
        &mut self,
        template: &'d Template,
    ) -> Parsed<(Process, Option<Option<LocationId>>, Option<Label>)> {
        let name = template.name.text.clone();
        let owner = Owner { process: None, name: name.clone() };
        let span = template.span;
        let bindings = Vec::new();
        let prepared = Prepared { template, name, role: Role::Environment, bindings, span };
        let (mut process, controls) = self.body(&prepared, &owner)?;
        let edges: Vec<_> = process.edges.ids().collect();
        for (edge, control) in edges.into_iter().zip(controls) {
            process.edges[edge].control = control.unwrap_or(Control::Uncontrollable);
        }
        let mut otherwise = None;
        let mut restart = None;
        for item in &template.items {
            match item {
                TemplateItem::Otherwise(item) => {
                    let target = match &item.target {
                        Target::Same(_) => None,
                        Target::Location(name) => {
                            let locations = process
                                .locations
                                .iter_ids()
                                .map(|(id, location)| (location.name.as_str(), (id, location.span)))
                                .collect();
                            Some(self.location(name, &locations)?)
                        }
                    };
                    otherwise = Some(target);
                }
                TemplateItem::Restart(action) => {
                    if action.communication == Communication::Plain {
                        let message = "a restart is an observable action, `a?` or `a!`";
                        return self.fail(Diagnostic::error("wrong-kind", action.span, message));
                    }
                    restart = Some(self.label(action, &mut 0, &mut Vec::new(), &[])?);
                }
                _ => {}
            }
        }
        self.check_purpose(template, &process, otherwise.is_some())?;
        Ok((process, otherwise, restart))
    }

    fn check_purpose(
        &mut self,
        template: &Template,
        process: &Process,
        completed: bool,
    ) -> Parsed<()> {
        let marked = |test: fn(&Location) -> bool| process.locations.iter().any(test);
        let observes = marked(|location| location.marks.accept || location.marks.refuse);
        let restricts = marked(|location| location.marks.fail || location.marks.desired);
        let name = &template.name;
        match (observes, restricts) {
            (true, true) => self.fail(
                Diagnostic::error("wrong-purpose", name.span, "two kinds of purpose in one")
                    .note("`accept` and `refuse` belong to an observer, `fail` and `desired` to a purpose that restricts the system"),
            ),
            (false, false) => {
                let message = format!("`{}` has no end to aim at", name.text);
                self.fail(
                    Diagnostic::error("wrong-purpose", name.span, message)
                        .help("mark a location with `accept` (or with `fail` or `desired`)"),
                )
            }
            (true, false) => self.check_observer(template, process, completed),
            (false, true) => self.check_acyclic(process),
        }
    }

    fn check_observer(
        &mut self,
        template: &Template,
        process: &Process,
        completed: bool,
    ) -> Parsed<()> {
        for location in &process.locations {
            let what = match location.marks {
                _ if !location.invariant.is_always() => "invariants",
                marks if marks.committed => "committed locations",
                marks if marks.urgent => "urgent locations",
                _ => continue,
            };
            let message = format!("an observer has no {what}");
            return self.fail(
                Diagnostic::error("wrong-purpose", location.span, message)
                    .note("a purpose observes the specification and must not constrain it"),
            );
        }
        let leaves_end = process.edges.iter().find(|edge| {
            let marks = process.locations[edge.source].marks;
            (marks.accept || marks.refuse) && edge.target != edge.source
        });
        if let Some(edge) = leaves_end {
            let end = &process.locations[edge.source];
            let message = format!("this edge leaves `{}`, where the purpose ends", end.name);
            return self.fail(
                Diagnostic::error("wrong-purpose", edge.span, message)
                    .also(end.span, "an end is never left, except by the restart action"),
            );
        }
        if !completed {
            let message =
                format!("`{}` does not say what it does on other actions", template.name.text);
            self.diagnostics.push(
                Diagnostic::warning("incomplete-purpose", template.name.span, message)
                    .help("add `otherwise self;` to ignore them, or `otherwise -> L;`"),
            );
        }
        Ok(())
    }

    fn check_acyclic(&mut self, process: &Process) -> Parsed<()> {
        // An edge is on no cycle once its source can only be entered from removed locations.
        let mut edges: Vec<&Edge> = process.edges.iter().collect();
        loop {
            let targets: Vec<LocationId> = edges.iter().map(|edge| edge.target).collect();
            let before = edges.len();
            edges.retain(|edge| targets.contains(&edge.source));
            if edges.len() == before {
                break;
            }
        }
        match edges.first() {
            None => Ok(()),
            Some(edge) => self.fail(
                Diagnostic::error(
                    "wrong-purpose",
                    edge.span,
                    "this edge can be taken again and again",
                )
                .note("a purpose with `fail` or `desired` is acyclic"),
            ),
        }
    }
}
