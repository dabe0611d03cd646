//! The texts both printers put into their frames: declarations, labels, system line, properties.

use tioga_base::{Diagnostic, Diagnostics};

use super::marker::PREFIX;
use crate::print::Printer;
use crate::syntax::{
    ActionUse, Communication, Control, Declaration, DeclarationKind, Dialect, Direction, Document,
    EdgeDecl, Expr, Formula, Instance, Item, LocationDecl, Name, Parameter, Select, System,
    TemplateKind, TypeKind,
};
use crate::tioga::UNITS;

/// Prints pieces in UPPAAL's dialect and collects what cannot be said.
pub(super) struct Pieces {
    dialect: Dialect,
    pub diagnostics: Diagnostics,
}

impl Pieces {
    /// Nothing printed yet. `dialect` is the document's, which decides which markers it needs.
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, diagnostics: Diagnostics::new() }
    }

    /// Runs a printer and keeps its complaints.
    fn print(&mut self, print: impl FnOnce(&mut Printer<'_>) -> String) -> String {
        let mut printer = Printer::new(Dialect::Uppaal);
        let text = print(&mut printer);
        self.diagnostics.append(std::mem::take(&mut printer.diagnostics));
        text
    }

    /// The lines before the automata and those after them. One unit of the original's time is
    /// `scale` units here.
    pub fn globals(&mut self, document: &Document, scale: i64) -> (String, String) {
        let last = document.items.iter().rposition(is_automaton);
        let (mut head, mut tail) = (String::new(), String::new());
        if document.dialect != Dialect::Uppaal {
            head.push_str(&format!("// {PREFIX} dialect tioga\n"));
        }
        if scale != 1 {
            head.push_str(&format!("// {PREFIX} scale 1/{scale}\n"));
        }
        for (index, item) in document.items.iter().enumerate() {
            let early = last.is_some_and(|last| index < last)
                && matches!(item, Item::Name(_) | Item::TimeUnit(_) | Item::Declaration(_));
            let text = self.item(item);
            if early {
                head.push_str(&text);
            } else {
                tail.push_str(&text);
            }
        }
        (head, tail)
    }

    fn item(&mut self, item: &Item) -> String {
        match item {
            Item::Name(name) => format!("// {PREFIX} model {}\n", name.text),
            Item::TimeUnit(unit) => {
                let name = UNITS.iter().find(|(_, other)| *other == unit.unit);
                let name = name.map_or("s", |(name, _)| name);
                format!("// {PREFIX} time unit {} {name}\n", unit.amount)
            }
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::Instance(instance) => self.instance(instance),
            Item::System(system) => system_line(system),
            Item::Template(template) if template.kind == TemplateKind::Purpose => {
                super::purpose::print(template, &mut self.diagnostics)
            }
            Item::Template(_) | Item::Query(_) | Item::Sync(_) => String::new(),
        }
    }

    /// A declaration on lines of its own, with its marker.
    pub fn declaration(&mut self, declaration: &Declaration) -> String {
        let mut declaration = declaration.clone();
        let marker = match &mut declaration.kind {
            DeclarationKind::Internal(names) => {
                let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                return format!("// {PREFIX} internal {}\n", names.join(", "));
            }
            DeclarationKind::Variables { constant, symbolic, declarators, .. } if *symbolic => {
                for declarator in declarators.iter().filter(|one| one.initializer.is_none()) {
                    let message = format!("`{}` has no default value", declarator.name.text);
                    self.diagnostics.push(
                        Diagnostic::error("inexpressible", declarator.name.span, message)
                            .note("UPPAAL needs a value for every constant")
                            .help("give the symbolic constant a default, such as `= 0`"),
                    );
                }
                (*constant, *symbolic) = (true, false);
                Some("param")
            }
            DeclarationKind::Variables { ty, .. } => match &ty.kind {
                TypeKind::Channel(channel) => channel.direction.map(|direction| match direction {
                    Direction::Input => "input",
                    Direction::Output => "output",
                }),
                _ => None,
            },
            _ => None,
        };
        let mut printer = Printer::new(Dialect::Uppaal);
        printer.declaration(&declaration);
        let mut text = match printer.finish() {
            Ok(text) => text,
            Err(diagnostics) => {
                self.diagnostics.append(diagnostics);
                return String::new();
            }
        };
        if let Some(marker) = marker {
            text.truncate(text.trim_end().len());
            text.push_str(&format!(" // {PREFIX} {marker}\n"));
        }
        text
    }

    fn instance(&mut self, instance: &Instance) -> String {
        let name = &instance.name.text;
        let params = match instance.params.as_slice() {
            [] => String::new(),
            params => format!("({})", self.parameters(params)),
        };
        let arguments = self.exprs(&instance.arguments);
        format!("{name}{params} = {}({arguments});\n", instance.template.text)
    }

    /// Parameters without parentheses.
    pub fn parameters(&mut self, parameters: &[Parameter]) -> String {
        self.print(|printer| printer.parameters(parameters))
    }

    /// A guard or invariant.
    pub fn condition(&mut self, expr: &Expr) -> String {
        self.print(|printer| printer.condition(expr))
    }

    /// Expressions separated by commas.
    pub fn exprs(&mut self, exprs: &[Expr]) -> String {
        self.print(|printer| printer.exprs(exprs))
    }

    /// `i : T, j : U`
    pub fn selects(&mut self, selects: &[Select]) -> String {
        let texts: Vec<String> = selects
            .iter()
            .map(|select| {
                let ty = self.print(|printer| printer.type_expr(&select.ty));
                format!("{} : {ty}", select.name.text)
            })
            .collect();
        texts.join(", ")
    }

    /// `chan[i]!`; nothing for a plain label.
    pub fn synchronisation(&mut self, action: &ActionUse) -> Option<String> {
        let side = match action.communication {
            Communication::Send => '!',
            Communication::Receive => '?',
            Communication::Plain => return None,
        };
        let indices: String = (action.indices.iter())
            .map(|index| format!("[{}]", self.print(|printer| printer.expr(index))))
            .collect();
        Some(format!("{}{indices}{side}", action.name.text))
    }

    /// What markers say of a location.
    pub fn location_markers(&self, location: &LocationDecl) -> Vec<String> {
        let marks = location.marks;
        let mut markers: Vec<String> = [
            (marks.accept, "accept"),
            (marks.refuse, "refuse"),
            (marks.fail, "fail"),
            (marks.desired, "desired"),
        ]
        .into_iter()
        .filter(|(there, _)| *there)
        .map(|(_, word)| format!("{PREFIX} {word}"))
        .collect();
        if !location.labels.is_empty() {
            markers.push(format!("{PREFIX} labels {}", join(&location.labels)));
        }
        markers
    }

    /// What markers say of an edge.
    pub fn edge_markers(&self, edge: &EdgeDecl) -> Vec<String> {
        let mut markers = Vec::new();
        if let Some(action) = &edge.action
            && action.communication == Communication::Plain
        {
            markers.push(format!("{PREFIX} action {}", action.name.text));
        }
        if self.dialect != Dialect::Uppaal && edge.control == Some(Control::Controllable) {
            markers.push(format!("{PREFIX} controllable"));
        }
        markers
    }

    /// A property as UPPAAL writes it.
    pub fn formula(&mut self, formula: &Formula) -> String {
        self.print(|printer| printer.formula(formula))
    }

    /// The text, unless something could not be said.
    pub fn finish(self, text: String) -> Result<String, Diagnostics> {
        if self.diagnostics.has_errors() { Err(self.diagnostics) } else { Ok(text) }
    }
}

/// Whether an item is an automaton.
pub(super) fn is_automaton(item: &Item) -> bool {
    matches!(item, Item::Template(template) if template.kind == TemplateKind::Automaton)
}

fn system_line(system: &System) -> String {
    let all: Vec<&str> = (system.system.iter().chain(&system.environment))
        .map(|process| process.name.text.as_str())
        .collect();
    let mut line = format!("system {};", all.join(", "));
    if !system.environment.is_empty() {
        let environment: Vec<&str> =
            system.environment.iter().map(|process| process.name.text.as_str()).collect();
        line.push_str(&format!(" // {PREFIX} environment {}", environment.join(", ")));
    }
    line.push('\n');
    line
}

fn join(names: &[Name]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    names.join(", ")
}
