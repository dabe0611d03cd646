//! Systems under test: from the name of a system to one that can be started.

use tioga_adapters::{Alphabet, Ignored, SystemRef};
use tioga_base::{Diagnostic, Diagnostics, Severity, Sources, Times};
use tioga_execute::{Outcome, RunSummary, Settings, Tally};
use tioga_model::{
    Direction, Model, Property, PropertySubject, PropertyVerdict, Role, properties_among,
};
use tioga_testcase::ModelSource;

use crate::{Failure, Loaded, OpenOptions, open, read};

/// The system with this name: `model:NAME` for a model, `tcp:HOST:PORT`, `unix:PATH`,
/// `tron-listen:PORT`, or else a command. A model is opened here and kept unchanged.
///
/// A system given as a model is also read with the options of the specification, as far as it
/// declares their names. If it is the specification, it is the same as [`SystemRef::Itself`].
pub fn system(
    name: &str,
    specification: Option<&ModelSource>,
    texts: &mut Sources,
) -> Result<SystemRef, Failure> {
    let Some(name) = name.strip_prefix("model:") else { return Ok(SystemRef::outside(name)) };
    if name == "-" {
        if specification.is_some_and(|source| source.name == "-") {
            return Ok(SystemRef::Itself);
        }
        let message = "the system cannot be a model on standard input";
        let help = "put the model into a file";
        return Err(Diagnostic::global("no-name", message).help(help).into());
    }
    let named = specification.filter(|source| source.name == name);
    let format = named.map(|source| source.format);
    let opened = open(name, &OpenOptions { format, ..OpenOptions::default() }, texts);
    let help = "rename the file so that its name says the format";
    let mut source = opened.map_err(|failure| failure.help_with(&["unknown-format"], help))?;
    let Some(specification) = specification else { return Ok(SystemRef::Model(source.into())) };
    if (&source.text, source.format) == (&specification.text, specification.format) {
        return Ok(SystemRef::Itself);
    }
    let given = &specification.options;
    let own = &mut source.options;
    own.lenient = true;
    own.settings.clone_from(&given.settings);
    for (own, given) in [
        (&mut own.environment, &given.environment),
        (&mut own.input, &given.input),
        (&mut own.output, &given.output),
    ] {
        if own.is_empty() {
            own.clone_from(given);
        }
    }
    Ok(SystemRef::Model(source.into()))
}

/// The source of systems.
#[derive(Debug)]
pub(super) enum Source {
    /// The model the test cases were made from answers.
    Itself,
    /// Another model answers.
    Model(Box<Model>),
    /// An external system.
    Outside(Alphabet),
}

impl Source {
    /// Checks the systems in the settings, as far as possible before a run.
    pub fn open(
        settings: &Settings,
        specification: Option<&Loaded>,
        texts: &mut Sources,
        warnings: &mut Diagnostics,
    ) -> Result<Self, Failure> {
        let alphabet = alphabet(settings, specification.map(|loaded| &loaded.model));
        let name = settings.system_name();
        match (&settings.system, specification) {
            (SystemRef::Itself, Some(loaded))
                if settings.suite.cases.iter().any(|case| case.symbolic.is_some()) =>
            {
                // As a system, the model needs values of its constants.
                let fixed = read(loaded.source.clone(), &[], texts)?;
                playable(settings, &name, &fixed.model, &alphabet)?;
                Ok(Self::Model(Box::new(fixed.model)))
            }
            (SystemRef::Itself, Some(loaded)) => {
                playable(settings, &name, &loaded.model, &alphabet)?;
                Ok(Self::Itself)
            }
            (SystemRef::Itself, None) => {
                let message = "the model that was to be tested is not known";
                let help = "name the system with `--sut`";
                Err(Diagnostic::global("no-model", message).help(help).into())
            }
            (SystemRef::Model(source), _) => {
                let loaded = read((**source).clone(), &[], texts)?;
                warnings.append(loaded.warnings);
                playable(settings, &name, &loaded.model, &alphabet)?;
                Ok(Self::Model(Box::new(loaded.model)))
            }
            _ if settings.policy.is_some() => {
                let message = "only a model has a policy";
                let help = "leave out the policy, or test `model:FILE`";
                Err(Diagnostic::global("no-policy", message).help(help).into())
            }
            _ => Ok(Self::Outside(alphabet)),
        }
    }
}

/// Whether a model can play the system that the settings describe.
fn playable(
    settings: &Settings,
    name: &str,
    model: &Model,
    alphabet: &Alphabet,
) -> Result<(), Failure> {
    fits(name.strip_prefix("model:").unwrap_or(name), model, alphabet)?;
    if settings.time != tioga_adapters::TimeBase::Virtual {
        let message = "a model has no real time";
        let help = "test in virtual time: a model moves when it is told to";
        return Err(Diagnostic::global("no-real-time", message).help(help).into());
    }
    runnable(model)
}

/// What goes in and out. What outputs carry is known from the test cases, and whether only whole numbers
/// can be there from the model, if it is kept. On line there are no examples, and the model says it all.
fn alphabet(settings: &Settings, specification: Option<&Model>) -> Alphabet {
    let mut alphabet = Alphabet::of(&settings.suite.cases);
    let declared = specification.map(Alphabet::carried_in);
    if settings.suite.cases.iter().any(|case| settings.is_online(case)) {
        alphabet.carried = declared.unwrap_or_default();
        return alphabet;
    }
    for (channel, carried) in &mut alphabet.carried {
        let other = declared.as_ref().and_then(|declared| declared.get(channel));
        if let Some(other) = other.filter(|other| other.count == carried.count) {
            carried.whole = other.whole;
        }
    }
    alphabet
}

/// Whether a model can be run as the system. Its environment is the tester's, so a system that shares
/// more with it than the interface can only be run if nothing of the environment is hidden.
fn runnable(model: &Model) -> Result<(), Failure> {
    let Err(entangled) = model.system_alone() else { return Ok(()) };
    let hidden = properties_among(model, &[Property::Observable]).into_iter().find_map(|report| {
        let PropertySubject::Process(name) = &report.scope else { return None };
        let mut processes = model.processes.iter();
        let own = processes.any(|one| one.name == *name && one.role == Role::Environment);
        match report.verdict {
            PropertyVerdict::Fails(witness) if own && report.property == Property::Observable => {
                Some(witness.sentence)
            }
            _ => None,
        }
    });
    let Some(sentence) = hidden else { return Ok(()) };
    let message = format!("the system cannot be run without its environment: {}", entangled.clause);
    let note = format!("the tester plays the environment, and part of that is hidden: {sentence}");
    let help = "pass values as parameters of inputs, or test a model of the system alone";
    let diagnostic = Diagnostic::error("hidden-environment", entangled.span, message);
    Err(diagnostic.note(note).help(help).into())
}

/// Why a model may fail its own test cases: it ignored an input in a run that failed, or stopped time.
pub fn not_a_system(tally: &Tally, times: Times) -> Option<Diagnostic> {
    let problems = tally.cases.iter().filter_map(|case| case.problem.as_ref());
    let mut failures = problems.filter(|problem| problem.outcome == Outcome::Fail);
    let unlike = |one: &&RunSummary| one.ignored.is_some() || one.stopped.is_some();
    let RunSummary { run, ignored, stopped, .. } = failures.find(unlike)?;
    let (what, note, help) = match (ignored, stopped) {
        (Some(Ignored { at, action }), _) => (
            format!("ignored `{action}` at {}", times.moment(*at)),
            "where a model takes an input in some of the states that look the same to a tester, a \
             system that ignores it in others does not conform, even if it is the model itself",
            "give the model edges for the inputs that it ignores",
        ),
        (None, stopped) => (
            format!("stopped time at {}", times.moment((*stopped)?)),
            "nothing was possible there, and time could not pass; the run went on all the same, \
             which the model does not allow",
            "`tioga check MODEL` shows a run to where time stops",
        ),
    };
    let message = format!("run {run} failed after the model under test {what}");
    let mut warning = Diagnostic::global("not-a-system", message).note(note).help(help);
    warning.severity = Severity::Warning;
    Some(warning)
}

/// Whether a model has everything the suite refers to.
pub fn fits(name: &str, model: &Model, alphabet: &Alphabet) -> Result<(), Failure> {
    let sides = [
        ("input", Direction::Input, &alphabet.inputs),
        ("output", Direction::Output, &alphabet.outputs),
    ];
    let mut diagnostics = Diagnostics::new();
    for (what, direction, wanted) in sides {
        let own: Vec<&str> = model
            .channels
            .iter()
            .filter(|channel| channel.direction == Some(direction))
            .map(|channel| channel.name.as_str())
            .collect();
        let missing: Vec<String> = wanted
            .iter()
            .filter(|channel| !own.contains(&channel.as_str()))
            .map(|channel| format!("`{channel}`"))
            .collect();
        if missing.is_empty() {
            continue;
        }
        let plural = if missing.len() == 1 { "" } else { "s" };
        let message = format!("`{name}` lacks the {what}{plural} {}", missing.join(", "));
        let note = match &own[..] {
            [] => format!("the model has no {what}s"),
            own => format!("the model has the {what}s {}", own.join(", ")),
        };
        diagnostics.push(
            Diagnostic::global("other-interface", message)
                .note(note)
                .help("test a model with the interface that the suite was made for"),
        );
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics.into()) }
}
