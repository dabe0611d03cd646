//! Lowering: from a [`Document`] to the intermediate model.
//!
//! Resolves names, checks types, folds constants, instantiates templates, unrolls choices, expands
//! quantifiers outside functions, splits conditions over clocks and data into disjunctive normal
//! form and scales rational clock constants to integers. Every complaint points into the text.
//!
//! The stages, one file each: `types` and `declare` (declarations), `expression` and `operators`
//! (data), `clocks` and `condition` (conditions), `function` (functions and statements), `setters` and `follow`
//! (functions that set clocks), `system`
//! (which processes run), `process` (one process), `edge` (its edges), `purpose`, `query`, `interface`
//! (which channels cross the interface of the system under test), `limits` (how large it may become).

mod alike;
mod builtin;
mod clocks;
mod condition;
mod declare;
mod edge;
mod expression;
mod follow;
mod following;
mod frame;
mod function;
mod interface;
mod limits;
mod operators;
mod process;
mod purpose;
mod query;
mod scope;
mod setters;
mod system;
mod types;
mod whole;

pub(crate) use expression::{kind_of, range_of};
pub(crate) use operators::{fold, same_shape};

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Diagnostic, Diagnostics, Rational, Span};
use tioga_model::{Control, Network, TimeUnit};

use crate::clike::{Failed, Parsed};
use crate::syntax::{Document, Instance, Item, Name, Template};
use frame::Frame;
use scope::{Scopes, Symbol};

/// What a model's file does not say.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Options {
    /// Processes or templates that belong to the environment.
    pub environment: Vec<String>,
    /// Channels that go into the system under test; an array by its bare name.
    pub inputs: Vec<String>,
    /// Channels that come out of the system under test.
    pub outputs: Vec<String>,
    /// Channels that stay internal, whichever process uses them.
    pub internals: Vec<String>,
    /// Whether an UPPAAL model that declares no interface is a closed system, in which a channel
    /// without partner blocks; otherwise such a channel is an action of the environment.
    pub closed: bool,
    /// Values of symbolic constants.
    pub parameters: Vec<(String, Rational)>,
    /// Whether names that the document does not declare are passed over; otherwise they are errors.
    pub lenient: bool,
    /// The name of the model, used when the document gives none.
    pub name: Option<String>,
    /// How values that the system chooses for outputs are read.
    pub chosen: ChosenValues,
}

/// How values that the system chooses for outputs are read, as in `b(w)! for w : integer`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub enum ChosenValues {
    /// One edge for each value. Types without end are refused.
    #[default]
    Enumerated,
    /// One edge for each value, and these values for types without end: runs with other values are left out.
    Within(std::ops::RangeInclusive<i64>),
    /// They stay open.
    Open,
}

/// Lowers a document. `None` if there is an error among the diagnostics.
pub fn lower(
    document: &Document,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Network> {
    let mut scale = 1;
    loop {
        let mut attempt = Lowering::new(document, options, scale);
        let result = attempt.run();
        if attempt.needed_scale == scale || attempt.diagnostics.has_errors() {
            let failed = attempt.diagnostics.has_errors();
            diagnostics.append(attempt.diagnostics);
            return if failed { None } else { result.ok().map(|()| attempt.network) };
        }
        // A rational clock constant was met: once more, in finer units.
        scale = attempt.needed_scale;
    }
}

/// The instances and automata of a document by name.
type ProcessesByName<'d> = BTreeMap<&'d str, Result<&'d Instance, &'d Template>>;

/// The state of one lowering.
struct Lowering<'d> {
    document: &'d Document,
    options: &'d Options,
    diagnostics: Diagnostics,
    network: Network,
    scopes: Scopes,
    /// The least scale that makes every clock constant met so far an integer.
    needed_scale: i64,
    /// The frame of the function being lowered.
    function: Option<Frame>,
    /// Whether assignments are allowed where an expression is being lowered.
    effects: Effects,
    /// What a system line may name, once it was asked for.
    processes: Option<ProcessesByName<'d>>,
    /// The names of every process lowered so far, for purposes.
    process_names: Vec<BTreeMap<String, Symbol>>,
    /// While a purpose is lowered: where its own clocks and slots begin.
    observer: Option<Observer>,
    /// Names whose declarations have been complained about.
    failed_names: BTreeSet<String>,
    /// Parts of types used by name so far.
    type_parts: u64,
    /// Statements of functions that set clocks, counted whenever one is written out.
    followed: u32,
    /// The names that each template assigns, by its place.
    assigned: BTreeMap<Span, BTreeSet<String>>,
    /// The processes of which one is like another but for values of scalar sets.
    families: BTreeMap<String, u32>,
    /// The control written at each edge, by process and edge; purposes excluded.
    controls: Vec<Vec<Option<Control>>>,
}

/// Where the clocks and slots of a purpose begin; everything before is only observed.
#[derive(Clone, Copy, Debug)]
struct Observer {
    clocks: u32,
    slots: u32,
}

/// Whether an expression may change something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effects {
    Allowed,
    /// The text names the place where effects are forbidden, such as "a guard".
    Forbidden(&'static str),
}

impl<'d> Lowering<'d> {
    fn new(document: &'d Document, options: &'d Options, scale: i64) -> Self {
        let mut network = Network::new(options.name.as_deref().unwrap_or("model"));
        network.scale = scale;
        let mut scopes = Scopes::default();
        scopes.push();
        builtin::declare(&mut scopes);
        scopes.push();
        Self {
            document,
            options,
            diagnostics: Diagnostics::new(),
            network,
            scopes,
            needed_scale: scale,
            function: None,
            effects: Effects::Allowed,
            processes: None,
            process_names: Vec::new(),
            observer: None,
            failed_names: BTreeSet::new(),
            type_parts: 0,
            followed: 0,
            assigned: BTreeMap::new(),
            families: BTreeMap::new(),
            controls: Vec::new(),
        }
    }

    fn run(&mut self) -> Parsed<()> {
        let document = self.document;
        for item in &document.items {
            match item {
                Item::Name(name) => self.network.name.clone_from(&name.text),
                Item::TimeUnit(unit) => {
                    self.network.time_unit =
                        Some(TimeUnit { amount: unit.amount, unit: unit.unit });
                }
                Item::Declaration(declaration) => {
                    // A failed declaration has complained; the rest may still be checked.
                    let _ = self.declaration(declaration, None);
                }
                _ => {}
            }
        }
        self.check_options();
        let processes = self.system_processes()?;
        for process in &processes {
            let _ = self.process(process);
        }
        let used: BTreeSet<Span> = processes.iter().map(|process| process.template.span).collect();
        self.check_unused_templates(&used);
        self.sync_vectors();
        self.interface();
        self.purposes();
        self.queries();
        if self.diagnostics.has_errors() { Err(Failed) } else { Ok(()) }
    }

    /// Records an error and fails.
    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.diagnostics.push(diagnostic);
        Err(Failed)
    }

    /// Declares a name, complaining about a second declaration in the same scope.
    fn declare(&mut self, name: &Name, meaning: scope::Meaning) -> Parsed<()> {
        let symbol = Symbol { meaning, span: name.span };
        match self.scopes.declare(&name.text, symbol) {
            Ok(()) => Ok(()),
            Err(earlier) => {
                let message = format!("`{}` is declared twice", name.text);
                self.fail(
                    Diagnostic::error("duplicate-name", name.span, message)
                        .also(earlier, "first declared here"),
                )
            }
        }
    }

    /// Complains about an unknown name, suggesting a known one.
    fn unknown<T>(&mut self, name: &str, span: Span, what: &str) -> Parsed<T> {
        if self.failed_names.contains(name) {
            return Err(Failed);
        }
        let mut diagnostic =
            Diagnostic::error("unknown-name", span, format!("unknown {what} `{name}`"));
        if let Some(owner) = self.declared_in_template(name) {
            diagnostic = diagnostic.note(format!(
                "`{name}` is declared in `{owner}`; a process reads only its own and global names"
            ));
        } else {
            diagnostic = diagnostic.suggest(span, name, self.scopes.names(|_| true));
        }
        if diagnostic.help.is_none() && diagnostic.notes.is_empty() {
            let values = self.scopes.names(scope::Meaning::is_value);
            if !values.is_empty() && values.len() <= 12 {
                let values: Vec<String> = values.iter().map(|name| format!("`{name}`")).collect();
                diagnostic = diagnostic.note(format!("known here: {}", values.join(", ")));
            }
        }
        self.fail(diagnostic)
    }

    /// The template other than the current one that declares the name, if any.
    fn declared_in_template(&self, name: &str) -> Option<&'d str> {
        let document = self.document;
        document
            .templates()
            .find_map(|template| template.declares(name).then_some(template.name.text.as_str()))
    }

    /// Runs with effects forbidden at a place such as "a guard".
    fn without_effects<T>(&mut self, place: &'static str, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.effects, Effects::Forbidden(place));
        let result = lower(self);
        self.effects = before;
        result
    }

    /// Runs in a scope of its own.
    fn scoped<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push();
        let result = lower(self);
        self.scopes.pop();
        result
    }
}
