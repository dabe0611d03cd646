//! A command line that is completed from the project file of the current folder, if `tioga test` or `tioga run`
//! miss their model, suite or system.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};
use tioga::{Failure, PROJECT_FILE, Project, project};
use tioga_base::Diagnostic;

use super::{Cli, Command, wants_json};
use crate::output::{Colour, OutputFormat, Session};

/// Why there is no command line.
pub enum Refused {
    /// The arguments are wrong, or ask for help.
    Usage(clap::Error),
    /// The project file is missing or wrong, and this command needs it.
    Project(Box<Session>, &'static str, Failure),
}

/// The command line that the arguments and the project file say.
pub fn parsed(arguments: Vec<OsString>) -> Result<Cli, Refused> {
    let error = match Cli::try_parse_from(&arguments) {
        Ok(cli) => return with_system(cli, &arguments),
        Err(error) => error,
    };
    let Some((at, command)) = incomplete(&arguments, &error) else {
        return Err(Refused::Usage(error));
    };
    let missing = missing(&error);
    let json = wants_json(arguments.iter().map(|one| one.to_string_lossy().into_owned()));
    let format = if json { OutputFormat::Json } else { OutputFormat::Text };
    let mut session = Session::new(format, Colour::Auto);
    match completed(&arguments, at, command, &missing, &mut session) {
        Ok(arguments) => again(command, arguments).map_err(|error| match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Refused::Usage(error),
            _ => {
                let failure = Failure::from(with_project(&error));
                Refused::Project(Box::new(session), command, failure)
            }
        }),
        Err(failure) => Err(Refused::Project(Box::new(session), command, failure)),
    }
}

/// What is wrong with arguments of which some come from the project file.
fn with_project(error: &clap::Error) -> Diagnostic {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    let message = first.strip_prefix("error: ").unwrap_or(first).to_owned();
    Diagnostic::global("usage", message)
        .note(format!("`{PROJECT_FILE}` adds options to those given"))
}

/// The model of the project is tested with the system of the project, also where the model is named.
fn with_system(cli: Cli, arguments: &[OsString]) -> Result<Cli, Refused> {
    let Command::Test(args) = &cli.command else { return Ok(cli) };
    let mut session = Session::new(OutputFormat::Text, Colour::Auto);
    // Another project file, or a wrong one, is of no concern to a complete command line.
    let Ok(Some(own)) = project(Path::new(""), &mut session.texts) else { return Ok(cli) };
    let same = own.model == args.wanted.model.model && own.sut.is_some() && args.sut.is_none();
    let at = arguments.iter().skip(1).position(|one| *one == *"test").filter(|_| same);
    let Some(at) = at else { return Ok(cli) };
    match completed(arguments, at + 1, "test", &[], &mut session) {
        Ok(arguments) => again("test", arguments).map_err(Refused::Usage),
        Err(_) => Ok(cli),
    }
}

/// Where the command is among the arguments, if it lacks what a project file could say.
fn incomplete(arguments: &[OsString], error: &clap::Error) -> Option<(usize, &'static str)> {
    if error.kind() != ErrorKind::MissingRequiredArgument {
        return None;
    }
    let found = arguments.iter().enumerate().skip(1).find_map(|(at, one)| {
        let command = ["test", "run"].into_iter().find(|command| *one == **command)?;
        Some((at, command))
    });
    found.filter(|_| !missing(error).is_empty())
}

/// What is missing, as the usage names it.
fn missing(error: &clap::Error) -> Vec<String> {
    let Some(ContextValue::Strings(names)) = error.get(ContextKind::InvalidArg) else {
        return Vec::new();
    };
    let known = ["<MODEL>", "<SUITE>", "--sut <SYSTEM>"];
    names.iter().filter(|name| known.contains(&name.as_str())).cloned().collect()
}

/// The arguments with what the project says before what was given, so that the latter wins.
fn completed(
    arguments: &[OsString],
    at: usize,
    command: &'static str,
    missing: &[String],
    session: &mut Session,
) -> Result<Vec<OsString>, Failure> {
    let Some(project) = project(Path::new(""), &mut session.texts)? else {
        let what = if command == "test" { "model" } else { "suite or system" };
        let message =
            format!("no {what} is given, and there is no `{PROJECT_FILE}` in this folder");
        let help = match command {
            "test" => {
                "name a model, such as `tioga test @smart-light`, or make a project with `tioga new NAME`"
            }
            _ => "write `tioga run SUITE --sut SYSTEM`, or make a project with `tioga new NAME`",
        };
        return Err(Diagnostic::global("no-project", message).help(help).into());
    };
    let Project { model, sut, suite, build, options } = project;
    let mut own = options_of(command, options);
    let lacks = |name: &str| missing.iter().any(|one| one == name);
    let unsaid = |key: &str, help: &str| {
        let message = format!("`{PROJECT_FILE}` has no `{key}`");
        Diagnostic::global("incomplete-project", message).help(help.to_owned())
    };
    let mut place = Vec::new();
    if lacks("<MODEL>") {
        place.push(model);
    }
    if lacks("<SUITE>") {
        let help = "add it, or name the suite: `tioga run SUITE`";
        place.push(suite.ok_or_else(|| unsaid("suite", help))?);
    }
    let given_sut = arguments[at..]
        .iter()
        .any(|one| *one == *"--sut" || one.to_string_lossy().starts_with("--sut="));
    if command == "run" && sut.is_none() && !given_sut {
        return Err(unsaid("sut", "add it, or name the system with `--sut SYSTEM`").into());
    }
    // What builds the system of the project is of no use to another one.
    if let Some(sut) = sut.filter(|_| !given_sut) {
        own.extend(["--sut".to_owned(), sut]);
        own.extend(build.into_iter().flat_map(|build| ["--build".to_owned(), build]));
    }
    let mut all: Vec<OsString> = arguments[..=at].to_vec();
    all.extend(place.into_iter().chain(own).map(OsString::from));
    all.extend_from_slice(&arguments[at + 1..]);
    Ok(all)
}

/// The options of a project that a command has; those that only the other command has are left out.
fn options_of(command: &str, options: Vec<String>) -> Vec<String> {
    let all = Cli::command();
    let find = |command: &str, option: &str| {
        let (name, value) = match option.split_once('=') {
            Some((name, _)) => (name, true),
            None => (option, false),
        };
        let is = |arg: &&clap::Arg| match name.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => name
                .strip_prefix('-')
                .is_some_and(|short| !short.is_empty() && short.chars().next() == arg.get_short()),
        };
        let found = all.find_subcommand(command)?.get_arguments().find(is)?;
        // Whether its value comes next.
        Some(
            found.get_action().takes_values()
                && !value
                && (name.starts_with("--") || name.len() == 2),
        )
    };
    let other = if command == "test" { "run" } else { "test" };
    let mut own = Vec::new();
    let mut rest = options.into_iter();
    while let Some(option) = rest.next() {
        match (find(command, &option), find(other, &option)) {
            (None, Some(true)) => drop(rest.next()),
            (None, Some(false)) => {}
            (Some(true), _) => own.extend([option].into_iter().chain(rest.next())),
            (Some(false) | None, _) => own.push(option),
        }
    }
    own
}

/// Parses arguments in which a later option replaces an earlier one.
fn again(command: &str, arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    let parser = Cli::command().mut_subcommand(command, |one| one.args_override_self(true));
    let mut matches = parser.try_get_matches_from(arguments)?;
    Cli::from_arg_matches_mut(&mut matches)
}
