//! Which processes run: system lines, instances and the values of open parameters.

use std::collections::BTreeSet;

use tioga_base::{Diagnostic, Span};
use tioga_model::{Role, SyncPart, SyncVector};

use super::scope::{Access, Constant, Meaning};
use super::{Lowering, ProcessesByName};
use crate::clike::{Failed, Parsed};
use crate::syntax::{
    Dialect, Document, Expr, Instance, Item, Name, Parameter, ProcessUse, System, Template,
    TemplateKind,
};

/// How many processes one bare name may stand for.
const INSTANCE_LIMIT: usize = 10_000;

/// How many instances may stand between a process and its template.
const CHAIN_LIMIT: usize = 32;

/// Complaints that depend on values.
const OF_VALUES: [&str; 6] = [
    "index-out-of-range",
    "out-of-range",
    "empty-range",
    "unreachable-initial-location",
    "too-large",
    "negative-clock",
];

/// A process to be lowered: its template, its name and the meaning of its parameters.
#[derive(Clone, Debug)]
pub(super) struct Prepared<'d> {
    pub template: &'d Template,
    pub name: String,
    pub role: Role,
    pub bindings: Vec<(&'d Name, Meaning)>,
    pub span: Span,
}

/// A template with arguments for its first parameters still as meanings.
struct Resolved<'d> {
    template: &'d Template,
    /// One per parameter of the template: bound, or open under a parameter of the use.
    bindings: Vec<(&'d Name, Meaning)>,
}

impl<'d> Lowering<'d> {
    /// The processes of the network, in order.
    pub(super) fn system_processes(&mut self) -> Parsed<Vec<Prepared<'d>>> {
        let document: &'d Document = self.document;
        let mut systems = document.items.iter().filter_map(|item| match item {
            Item::System(system) => Some(system),
            _ => None,
        });
        let Some(system) = systems.next() else { return self.default_system() };
        if let Some(second) = systems.next() {
            return self.fail(
                Diagnostic::error("duplicate-name", second.span, "a second system line")
                    .also(system.span, "the first one"),
            );
        }
        self.written_system(system)
    }

    fn default_system(&mut self) -> Parsed<Vec<Prepared<'d>>> {
        let document: &'d Document = self.document;
        let mut prepared = Vec::new();
        for template in document.templates() {
            if template.kind == TemplateKind::Automaton && template.params.is_empty() {
                prepared.push(Prepared {
                    template,
                    name: template.name.text.clone(),
                    role: self.role_of(&template.name.text, &template.name.text, Role::System),
                    bindings: Vec::new(),
                    span: template.name.span,
                });
            }
        }
        if prepared.is_empty() {
            return self.fail(
                Diagnostic::global("no-process", "the model has no process")
                    .help("declare an automaton, or name the processes in a system line"),
            );
        }
        Ok(prepared)
    }

    fn written_system(&mut self, system: &'d System) -> Parsed<Vec<Prepared<'d>>> {
        let mut prepared = Vec::new();
        let uses = system.system.iter().map(|used| (used, Role::System));
        let uses = uses.chain(system.environment.iter().map(|used| (used, Role::Environment)));
        for (used, role) in uses {
            // A failed use has complained; the others are still checked.
            let _ = self.process_use(used, role, &mut prepared);
        }
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut twice = Vec::new();
        for process in &prepared {
            if !seen.insert(&process.name) {
                let message = format!("the process `{}` runs twice", process.name);
                twice.push(Diagnostic::error("duplicate-name", process.span, message));
            }
        }
        for diagnostic in twice {
            self.diagnostics.push(diagnostic);
        }
        if self.diagnostics.has_errors() { Err(Failed) } else { Ok(prepared) }
    }

    /// The role options give a process, by its own name or its template's.
    fn role_of(&self, process: &str, template: &str, written: Role) -> Role {
        let environment = &self.options.environment;
        if environment.iter().any(|name| name == process || name == template) {
            Role::Environment
        } else {
            written
        }
    }

    fn process_use(
        &mut self,
        used: &'d ProcessUse,
        role: Role,
        prepared: &mut Vec<Prepared<'d>>,
    ) -> Parsed<()> {
        let params = self.parameters_of(&used.name)?;
        let base = &used.name.text;
        if let Some(arguments) = &used.arguments {
            let meanings = self.arguments(params, arguments, used.span)?;
            let values: Vec<String> = meanings.iter().map(argument_text).collect();
            let name = format!("{base}({})", values.join(","));
            return self.prepare(used, name, role, meanings, prepared);
        }
        if params.is_empty() {
            return self.prepare(used, base.clone(), role, Vec::new(), prepared);
        }
        for meanings in self.all_values(params, used)? {
            let values: Vec<String> = meanings.iter().map(argument_text).collect();
            let name = format!("{base}({})", values.join(","));
            self.prepare(used, name, role, meanings, prepared)?;
        }
        Ok(())
    }

    fn prepare(
        &mut self,
        used: &'d ProcessUse,
        name: String,
        role: Role,
        meanings: Vec<Meaning>,
        prepared: &mut Vec<Prepared<'d>>,
    ) -> Parsed<()> {
        let resolved = self.resolve(&used.name, meanings, 0)?;
        let template = resolved.template;
        let role = if role == Role::System {
            let by_use = self.role_of(&name, &used.name.text, role);
            self.role_of(&name, &template.name.text, by_use)
        } else {
            role
        };
        let span = used.span;
        self.limit_processes(prepared.len() + 1, span)?;
        prepared.push(Prepared { template, name, role, bindings: resolved.bindings, span });
        Ok(())
    }

    /// The instance or template of this name.
    fn find_process(&mut self, name: &Name) -> Parsed<Result<&'d Instance, &'d Template>> {
        let document: &'d Document = self.document;
        let found = self.processes.get_or_insert_with(|| processes_by_name(document));
        if let Some(found) = found.get(name.text.as_str()) {
            return Ok(*found);
        }
        let names = document.items.iter().filter_map(|item| match item {
            Item::Instance(instance) => Some(instance.name.text.as_str()),
            Item::Template(template) => Some(template.name.text.as_str()),
            _ => None,
        });
        let message = format!("unknown process `{}`", name.text);
        self.fail(
            Diagnostic::error("unknown-name", name.span, message)
                .suggest(name.span, &name.text, names),
        )
    }

    fn parameters_of(&mut self, name: &Name) -> Parsed<&'d [Parameter]> {
        Ok(match self.find_process(name)? {
            Ok(instance) => &instance.params,
            Err(template) => &template.params,
        })
    }

    /// Follows instances down to the template, evaluating arguments on the way.
    fn resolve(
        &mut self,
        name: &Name,
        meanings: Vec<Meaning>,
        depth: usize,
    ) -> Parsed<Resolved<'d>> {
        if depth > CHAIN_LIMIT {
            let message = format!("`{}` is defined by itself", name.text);
            return self.fail(Diagnostic::error("cyclic", name.span, message));
        }
        match self.find_process(name)? {
            Err(template) => {
                let names = template.params.iter().map(|parameter| &parameter.name);
                Ok(Resolved { template, bindings: names.zip(meanings).collect() })
            }
            Ok(instance) => {
                let params = self.parameters_of(&instance.template)?;
                let inner = self.scoped(|lowering| {
                    for (parameter, meaning) in instance.params.iter().zip(meanings) {
                        lowering.declare(&parameter.name, meaning)?;
                    }
                    lowering.arguments(params, &instance.arguments, instance.span)
                })?;
                self.resolve(&instance.template, inner, depth + 1)
            }
        }
    }

    fn arguments(
        &mut self,
        params: &'d [Parameter],
        arguments: &[Expr],
        span: Span,
    ) -> Parsed<Vec<Meaning>> {
        if params.len() != arguments.len() {
            let message =
                format!("{} arguments are needed, {} are given", params.len(), arguments.len());
            return self.fail(Diagnostic::error("wrong-arguments", span, message));
        }
        let mut meanings = Vec::new();
        for (parameter, argument) in params.iter().zip(arguments) {
            meanings.push(self.process_argument(parameter, argument)?);
        }
        Ok(meanings)
    }

    /// Every combination of values of the open parameters, the last one varying fastest.
    fn all_values(
        &mut self,
        params: &'d [Parameter],
        used: &ProcessUse,
    ) -> Parsed<Vec<Vec<Meaning>>> {
        let mut combinations: Vec<Vec<Meaning>> = vec![Vec::new()];
        for parameter in params {
            if parameter.reference || !parameter.dimensions.is_empty() {
                let message = format!("`{}` needs arguments", used.name.text);
                return self.fail(
                    Diagnostic::error("wrong-arguments", used.span, message)
                        .also(parameter.name.span, "this parameter has no finite set of values"),
                );
            }
            let (ty, values) = self.finite_values(&parameter.ty, "a parameter left open")?;
            let count = values.end().saturating_sub(*values.start()).saturating_add(1);
            let total = usize::try_from(count).unwrap_or(usize::MAX);
            if total.saturating_mul(combinations.len()) > INSTANCE_LIMIT {
                let message =
                    format!("`{}` stands for more than {INSTANCE_LIMIT} processes", used.name.text);
                return self.fail(
                    Diagnostic::error("too-large", used.span, message)
                        .also(parameter.ty.span, "this parameter has too many values")
                        .help("give arguments, or a smaller range"),
                );
            }
            let mut next = Vec::new();
            for combination in &combinations {
                for value in values.clone() {
                    let mut longer = combination.clone();
                    longer.push(Meaning::Constant(Constant::Int(value), ty.clone()));
                    next.push(longer);
                }
            }
            combinations = next;
        }
        Ok(combinations)
    }

    /// Lowers the synchronisation vectors.
    pub(super) fn sync_vectors(&mut self) {
        let document: &'d Document = self.document;
        for item in &document.items {
            if let Item::Sync(sync) = item {
                let _ = self.sync_vector(sync);
            }
        }
    }

    fn sync_vector(&mut self, sync: &crate::syntax::SyncVector) -> Parsed<()> {
        let mut parts: Vec<SyncPart> = Vec::new();
        for part in &sync.parts {
            let find = |name: &str| {
                self.network
                    .processes
                    .iter_ids()
                    .find(|(_, process)| process.name == name)
                    .map(|(id, _)| id)
            };
            let Some(process) = find(&part.process.text) else {
                let names: Vec<String> =
                    self.network.processes.iter().map(|process| process.name.clone()).collect();
                let message = format!("unknown process `{}`", part.process.text);
                return self.fail(
                    Diagnostic::error("unknown-name", part.process.span, message).suggest(
                        part.process.span,
                        &part.process.text,
                        names.iter().map(String::as_str),
                    ),
                );
            };
            let action = match self.scopes.find(&part.action.text).map(|s| &s.meaning) {
                Some(Meaning::Action(action)) => *action,
                _ => return self.unknown(&part.action.text, part.action.span, "internal action"),
            };
            if parts.iter().any(|earlier| earlier.process == process) {
                let message = format!("`{}` takes part twice", part.process.text);
                return self.fail(Diagnostic::error("duplicate-name", part.process.span, message));
            }
            parts.push(SyncPart { process, action, weak: part.weak });
        }
        let shown = match &sync.shown {
            None => None,
            Some((direction, name)) => Some(self.shown_channel(*direction, name)?),
        };
        self.network.syncs.push(SyncVector { parts, shown, span: sync.span });
        Ok(())
    }

    /// The interface channel a vector shows, declared on first use.
    fn shown_channel(
        &mut self,
        direction: tioga_model::Direction,
        name: &Name,
    ) -> Parsed<tioga_model::ChannelId> {
        if let Some(Meaning::Channel(channel, dimensions)) =
            self.scopes.find(&name.text).map(|symbol| symbol.meaning.clone())
        {
            if dimensions.is_empty() && self.network.channels[channel].direction == Some(direction)
            {
                return Ok(channel);
            }
            let message = format!("`{}` is not declared with this direction", name.text);
            return self.fail(Diagnostic::error("wrong-kind", name.span, message));
        }
        let channel = self.network.channels.push(tioga_model::Channel {
            name: name.text.clone(),
            urgent: false,
            broadcast: false,
            direction: Some(direction),
            open: true,
            parameters: Vec::new(),
            names: Vec::new(),
            span: name.span,
        });
        self.declare(name, Meaning::Channel(channel, Vec::new()))?;
        Ok(channel)
    }

    /// Templates that never run are told. In Tioga's own language they are still checked, with stand-ins
    /// for their parameters; others' templates may need values that no process gives them.
    pub(super) fn check_unused_templates(&mut self, used: &BTreeSet<Span>) {
        let document: &'d Document = self.document;
        for template in document.templates() {
            if template.kind == TemplateKind::Automaton && !used.contains(&template.span) {
                let message = format!("`{}` never runs", template.name.text);
                self.diagnostics.push(Diagnostic::warning("unused", template.name.span, message));
                if self.document.dialect == Dialect::Tioga {
                    let before = std::mem::take(&mut self.diagnostics);
                    self.check_template(template);
                    let found = std::mem::replace(&mut self.diagnostics, before);
                    // What depends on the values of parameters means nothing without a process.
                    let open = !template.params.is_empty();
                    for one in found.iter().filter(|one| !(open && OF_VALUES.contains(&one.code))) {
                        self.diagnostics.push(one.clone());
                    }
                }
            }
        }
    }

    /// Whether something denotes data that may not be changed.
    pub(super) fn argument_access(parameter: &Parameter, access: Access) -> Access {
        if parameter.constant { Access::Constant } else { access }
    }
}

fn argument_text(meaning: &Meaning) -> String {
    match meaning {
        Meaning::Constant(Constant::Int(value), _) => value.to_string(),
        Meaning::Constant(Constant::Rational(value), _) => value.to_string(),
        _ => "_".to_owned(),
    }
}

/// The instances and automata by name; an instance hides an automaton, the first of each counts.
fn processes_by_name(document: &Document) -> ProcessesByName<'_> {
    let mut found = ProcessesByName::new();
    for item in &document.items {
        if let Item::Instance(instance) = item {
            found.entry(&instance.name.text).or_insert(Ok(instance));
        }
    }
    for template in document.templates() {
        if template.kind == TemplateKind::Automaton {
            found.entry(&template.name.text).or_insert(Err(template));
        }
    }
    found
}
