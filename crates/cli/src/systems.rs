//! What a campaign tests: from the name of a system to something that can be begun.

use clap::ValueEnum;
use tioga_base::{Diagnostic, Severity};
use tioga_execute::{
    Alphabet, Fault, Ignored, ModelSystem, Outcome, Policy, RunSummary, Settings, System, Tally,
    TimeBase, connect, readable,
};
use tioga_model::{Direction, Model, Property, PropertySubject, PropertyVerdict, Role, properties};

use crate::args::{LimitArgs, LoadArgs, PolicyArg};
use crate::exit::Stop;
use crate::load;
use crate::output::Session;

/// Where systems come from.
pub enum Source {
    /// A model that answers.
    Model(Box<Model>, Policy),
    /// Something outside of this program.
    Outside(Box<Outside>),
}

/// How something outside of this program is reached.
pub struct Outside {
    settings: Settings,
    alphabet: Alphabet,
}

impl Source {
    /// Looks at what the settings name, as far as that is possible before a run.
    pub fn open(session: &mut Session, settings: &Settings) -> Result<Self, Stop> {
        let alphabet = alphabet(settings);
        let Some(name) = settings.system.strip_prefix("model:") else {
            return outside(session, settings, alphabet);
        };
        if settings.time != TimeBase::Virtual {
            let message = "a model has no real time";
            let help = "leave out `--unit`: a model moves when it is told to";
            return Err(session.stop(Diagnostic::global("no-real-time", message).help(help)));
        }
        let policy = policy(session, settings)?;
        let model = load::named(session, name, &LoadArgs::default())?.model;
        fits(session, name, &model, &alphabet)?;
        runnable(session, &model)?;
        Ok(Self::Model(Box::new(model), policy))
    }

    /// Makes a system.
    pub fn make(&self) -> Result<Box<dyn System + '_>, Fault> {
        match self {
            Self::Model(model, policy) => Ok(Box::new(ModelSystem::new(model, *policy))),
            Self::Outside(outside) => reach(outside),
        }
    }
}

/// What goes in and out. What outputs carry is known from the test cases, and whether only whole numbers
/// can be there from the model, if it is kept. On line there are no examples, and the model says it all.
fn alphabet(settings: &Settings) -> Alphabet {
    let mut alphabet = Alphabet::of(&settings.suite.cases);
    // Whoever needs the model itself says what is wrong with it.
    let loaded = settings
        .model
        .as_ref()
        .and_then(|text| load::kept(&mut Session::default(), text, &LoadArgs::default(), &[]).ok());
    let declared = loaded.map(|loaded| Alphabet::carried_in(&loaded.model));
    if settings.online.is_some() {
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

/// Systems outside of this program need no look before the first run.
fn outside(session: &mut Session, settings: &Settings, alphabet: Alphabet) -> Result<Source, Stop> {
    if settings.policy.is_some() {
        let message = "only a model has a policy";
        let help = "leave out `--policy`, or test `model:FILE`";
        return Err(session.stop(Diagnostic::global("no-policy", message).help(help)));
    }
    Ok(Source::Outside(Box::new(Outside { settings: settings.clone(), alphabet })))
}

/// Sets other limits for the system, which has to be outside of this program.
pub fn limit(
    session: &mut Session,
    settings: &mut Settings,
    limits: &LimitArgs,
) -> Result<(), Stop> {
    if !limits.is_empty() && settings.system.starts_with("model:") {
        let message = "a model answers at once, and has no limits";
        let help = "leave out the limits of the system, such as `--answer-timeout`";
        return Err(session.stop(Diagnostic::global("no-limits", message).help(help)));
    }
    limits.apply(&mut settings.limits);
    Ok(())
}

/// Starts or reaches a system outside of this program.
fn reach(outside: &Outside) -> Result<Box<dyn System>, Fault> {
    let Outside { settings, alphabet } = outside;
    let Settings { system, protocol, time, limits, .. } = settings;
    connect(system, *protocol, *time, alphabet, limits)
}

fn policy(session: &mut Session, settings: &Settings) -> Result<Policy, Stop> {
    let Some(name) = &settings.policy else { return Ok(Policy::default()) };
    match PolicyArg::from_str(name, false) {
        Ok(policy) => Ok(policy.into()),
        Err(_) => {
            let message = format!("there is no policy `{name}`");
            Err(session.stop(Diagnostic::global("unknown-policy", message)))
        }
    }
}

/// Whether a model can be run as the system. Its environment is the tester's, so a system that shares
/// more with it than the interface can only be run if nothing of the environment is hidden.
fn runnable(session: &mut Session, model: &Model) -> Result<(), Stop> {
    let Err(entangled) = model.system_alone() else { return Ok(()) };
    let hidden = properties(model).into_iter().find_map(|report| {
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
    Err(session.stop(diagnostic.note(note).help(help)))
}

/// Why a model may fail its own test cases: it ignored an input in a run that failed.
pub fn not_a_system(tally: &Tally) -> Option<Diagnostic> {
    let problems = tally.cases.iter().filter_map(|case| case.problem.as_ref());
    let mut failures = problems.filter(|problem| problem.outcome == Outcome::Fail);
    let (run, Ignored { at, action }) = failures
        .find_map(|RunSummary { run, ignored, .. }| ignored.as_ref().map(|one| (run, one)))?;
    let message = format!(
        "run {run} failed after the model under test ignored `{action}` at {}",
        readable(*at)
    );
    let note = "where a model takes an input in some of the states that look the same to a tester, a \
                system that ignores it in others does not conform, even if it is the model itself";
    let help = "give the model edges for the inputs that it ignores";
    let mut warning = Diagnostic::global("not-a-system", message).note(note).help(help);
    warning.severity = Severity::Warning;
    Some(warning)
}

/// Whether a model has everything the suite speaks of.
pub fn fits(
    session: &mut Session,
    name: &str,
    model: &Model,
    alphabet: &Alphabet,
) -> Result<(), Stop> {
    let sides = [
        ("input", Direction::Input, &alphabet.inputs),
        ("output", Direction::Output, &alphabet.outputs),
    ];
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
        session.diagnostics.push(
            Diagnostic::global("other-interface", message)
                .note(note)
                .help("test a model with the interface that the suite was made for"),
        );
    }
    if session.diagnostics.has_errors() { Err(Stop::Diagnosed) } else { Ok(()) }
}
