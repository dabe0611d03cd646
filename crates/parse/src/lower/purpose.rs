//! Test purposes: processes beside the network that observe it.

use tioga_base::{Diagnostic, IdVec};
use tioga_model::{Control, Label, Purpose, Role};

use super::declare::Owner;
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
            return self.fail(Diagnostic::error("unsupported", parameter.name.span, message));
        }
        let size = |length: usize| u32::try_from(length).expect("sizes are limited");
        let own = Observer {
            clocks: size(self.network.clocks.len()),
            slots: size(self.network.slots.len()),
        };
        self.observer = Some(own);
        self.scopes.push();
        let lowered = self.purpose_body(template);
        self.scopes.pop();
        self.observer = None;
        // What the purpose declared is its own, not the network's.
        let mut clocks: Vec<_> = self.network.clocks.iter().cloned().collect();
        let clocks = {
            let tail = clocks.split_off(own.clocks as usize);
            self.network.clocks = IdVec::from_iter(clocks);
            tail
        };
        let slots = self.network.slots.split_off(own.slots as usize);
        let kept = self.network.variables.iter().filter(|v| v.first_slot < own.slots).cloned();
        self.network.variables = kept.collect::<Vec<_>>().into_iter().collect();
        let (process, otherwise, restart) = lowered?;
        self.network.purposes.push(Purpose { process, clocks, slots, otherwise, restart });
        Ok(())
    }

    fn purpose_body(
        &mut self,
        template: &'d Template,
    ) -> Parsed<(tioga_model::Process, Option<Option<tioga_model::LocationId>>, Option<Label>)>
    {
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
                    restart = Some(self.label(action, &mut 0, &mut Vec::new())?);
                }
                _ => {}
            }
        }
        Ok((process, otherwise, restart))
    }
}
