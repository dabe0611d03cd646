//! Where a run says things. Results go to standard output and diagnostics to standard error; with
//! `--format json` one object holding both goes to standard output.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;
use serde_json::{Value, json};
use tioga::{
    Cause, Effort, Failure, Loaded, ModelFormat, ModelSource, NewFile, OpenOptions, Suite,
    read_suite,
};
use tioga_base::{Diagnostic, Diagnostics, Rational, Severity, Sources, visible, visible_json};
use tioga_testcase::SuitePart;

use crate::args::{LoadArgs, ModelArgs};
use crate::exit::{Exit, Stop};
use crate::files::Files;
use crate::measure::{Limited, WorkLimits, remove_when_ended};
use crate::progress::ProgressLine;
use crate::spool::Spool;
use crate::text::diagnostics;

/// How many changed parts of a suite a warning names.
const NAMED_CHANGES: usize = 5;

/// How results and diagnostics are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum OutputFormat {
    /// Text for people
    #[default]
    Text,
    /// One JSON object on standard output
    Json,
}

/// When diagnostics are coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// One run of the command: the texts it read, what there is to say about them, and how to say it.
#[derive(Debug, Default)]
pub struct Session {
    /// The texts read so far.
    pub texts: Sources,
    /// What was found wrong with them.
    pub diagnostics: Diagnostics,
    /// How to write.
    pub format: OutputFormat,
    /// When to colour.
    pub colour: Colour,
    /// Whether an UPPAAL model that declares no interface is a closed system.
    pub closed: bool,
    /// What the command computed, for `--format json`.
    result: Option<Value>,
    /// A list of the result that is too large to be kept; it is empty there.
    list: Option<Spool>,
    /// The files that the command reads, which it must not write.
    inputs: Vec<PathBuf>,
}

impl Session {
    /// A session that has read nothing yet.
    pub fn new(format: OutputFormat, colour: Colour) -> Self {
        Self { format, colour, ..Self::default() }
    }

    /// Reads a model.
    pub fn read(&mut self, args: &ModelArgs) -> Result<Loaded, Stop> {
        self.read_named(&args.model, &args.load, &[])
    }

    /// Reads a model, and adds queries to its own.
    pub fn read_asking(&mut self, args: &ModelArgs, queries: &[String]) -> Result<Loaded, Stop> {
        self.read_named(&args.model, &args.load, queries)
    }

    /// Reads a model for symbolic testing: symbolic constants need no values.
    pub fn read_open(&mut self, args: &ModelArgs, queries: &[String]) -> Result<Loaded, Stop> {
        let source = self.open(&args.model, &args.load)?;
        let mut loaded = tioga::read_open(source, queries, &mut self.texts)?;
        self.diagnostics.append(std::mem::take(&mut loaded.warnings));
        Ok(loaded)
    }

    /// Reads the model of a suite.
    pub fn read_of_suite(&mut self, suite: &Suite, source: ModelSource) -> Result<Loaded, Stop> {
        let mut loaded = tioga::read_of_suite(suite, source, &[], &mut self.texts)?;
        self.diagnostics.append(std::mem::take(&mut loaded.warnings));
        Ok(loaded)
    }

    /// Reads the model an argument names, and adds queries to its own.
    pub fn read_named(
        &mut self,
        argument: &str,
        args: &LoadArgs,
        queries: &[String],
    ) -> Result<Loaded, Stop> {
        let source = self.open(argument, args)?;
        self.read_opened(source, queries)
    }

    /// Opens the model an argument names, by a command that has options about models.
    pub fn open(&mut self, argument: &str, args: &LoadArgs) -> Result<ModelSource, Stop> {
        let formats: Vec<String> = ModelFormat::all().map(|format| format!("`{format}`")).collect();
        let (last, others) = formats.split_last().expect("there are several formats");
        let help = format!("add `--from` with {} or {last}", others.join(", "));
        let closed = self.closed && !args.interface.open;
        let options = OpenOptions { closed, ..args.options() };
        let opened = tioga::open(argument, &options, &mut self.texts);
        Ok(opened.map_err(|failure| failure.help_with(&["unknown-format"], &help))?)
    }

    /// The same, read as it was for these suites, unless options say otherwise.
    pub fn open_as_in(
        &mut self,
        argument: &str,
        args: &LoadArgs,
        suites: &[Suite],
    ) -> Result<ModelSource, Stop> {
        let source = self.open(argument, args)?;
        let made = suites.iter().filter_map(|suite| suite.model.as_ref());
        let options = made.fold(source.options, |options, made| options.or_as(&made.options));
        Ok(ModelSource { options, ..source })
    }

    /// Opens the model an argument names, by a command that has no options about models.
    pub fn open_as_named(&mut self, argument: &str) -> Result<ModelSource, Stop> {
        let help = "rename the file so that its name says the format";
        let opened = tioga::open(argument, &OpenOptions::default(), &mut self.texts);
        Ok(opened.map_err(|failure| failure.help_with(&["unknown-format"], help))?)
    }

    /// Reads the model an argument names with a purpose made from a run, and adds queries to its own. With it
    /// comes the name of the purpose.
    pub fn read_with_run(
        &mut self,
        args: &ModelArgs,
        run: &str,
        slack: Option<Rational>,
        queries: &[String],
    ) -> Result<(Loaded, String), Stop> {
        let source = self.open(&args.model, &args.load)?;
        let (source, name) = tioga::with_run(source, run, slack, &mut self.texts)?;
        Ok((self.read_opened(source, queries)?, name))
    }

    /// Reads a model that was opened.
    pub fn read_source(&mut self, source: ModelSource) -> Result<Loaded, Stop> {
        self.read_opened(source, &[])
    }

    fn read_opened(&mut self, source: ModelSource, queries: &[String]) -> Result<Loaded, Stop> {
        let mut loaded = tioga::read(source, queries, &mut self.texts)?;
        self.diagnostics.append(std::mem::take(&mut loaded.warnings));
        Ok(loaded)
    }

    /// How much work a call may do: Ctrl-C and the limits stop it, and how far it is shows on the terminal. The
    /// limits hold until this is dropped.
    pub fn effort(&self, limits: WorkLimits) -> Effort<'static> {
        let mut line = ProgressLine::new(self.format == OutputFormat::Text);
        let limited = Limited::new(limits);
        Effort {
            cancel: limited.cancel.clone(),
            memory: limits.memory,
            deadline: limits.time.map(|time| Instant::now() + time),
            progress: Box::new(move |progress| {
                let _limited = &limited;
                line.show(progress);
            }),
            ..Effort::default()
        }
    }

    /// Adds a warning.
    pub fn warn(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(Diagnostic { severity: Severity::Warning, ..diagnostic });
    }

    /// Reads a suite, and warns of what changed since it was written.
    pub fn read_suite(&mut self, path: &Path) -> Result<Suite, Stop> {
        let mut suite = read_suite(&mut self.texts, path)?;
        self.warn_of_changes(&mut suite, path);
        Ok(suite)
    }

    /// Warns of what changed in a suite since it was written.
    pub fn warn_of_changes(&mut self, suite: &mut Suite, path: &Path) {
        let parts = suite.changed_parts();
        if !parts.is_empty() {
            let path = path.display();
            let named = parts.iter().take(NAMED_CHANGES).map(|part| match part {
                SuitePart::Case(name) => format!("the test case `{name}`"),
                SuitePart::Rest => "what holds for all test cases".to_owned(),
            });
            let mut named: Vec<String> = named.collect();
            if parts.len() > NAMED_CHANGES {
                named.push(format!("{} more", parts.len() - NAMED_CHANGES));
            }
            let message = format!(
                "`{path}` was changed after it was written, not by Tioga: {}",
                named.join(", ")
            );
            let help =
                format!("`tioga certify MODEL {path}` checks whether its test cases are right");
            self.warn_first(Diagnostic::global("altered-suite", message).help(help));
        }
        suite.digest = None;
    }

    /// Adds a warning that is read before the work begins: people see all warnings so far at once.
    pub fn warn_first(&mut self, diagnostic: Diagnostic) {
        self.warn(diagnostic);
        if self.format == OutputFormat::Text {
            self.print_diagnostics();
            self.diagnostics = Diagnostics::default();
        }
    }

    /// Writes a result for people; does nothing with `--format json`. Whatever a system or a file put into it,
    /// nothing but text reaches the terminal.
    pub fn print(&mut self, text: &str) -> Result<(), Stop> {
        self.print_as_is(&visible(text))
    }

    /// Writes what would be the contents of a file; does nothing with `--format json`.
    pub fn print_as_is(&mut self, text: &str) -> Result<(), Stop> {
        match self.format {
            OutputFormat::Text => self.write_stdout(text),
            OutputFormat::Json => Ok(()),
        }
    }

    /// Sets the result shown with `--format json`.
    pub fn set_result(&mut self, result: Value) {
        self.result = Some(result);
    }

    /// Adds a value to the result shown with `--format json`, if there is one.
    pub fn add_to_result(&mut self, name: &str, value: Value) {
        if let Some(Value::Object(result)) = &mut self.result {
            result.insert(name.to_owned(), value);
        }
    }

    /// Sets the result shown with `--format json`, with a list that is empty in it.
    pub fn set_result_with(&mut self, result: Value, list: Option<Spool>) {
        self.set_result(result);
        self.list = list;
    }

    /// Sets the results of queries as the result.
    pub fn set_results(&mut self, results: Vec<Value>) {
        self.set_result(json!({ "queries": results }));
    }

    /// Writes to standard output whatever the format; for commands whose output is a file.
    pub fn write_stdout(&mut self, text: &str) -> Result<(), Stop> {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        written.map_err(|error| output_failed("standard output", &error))
    }

    /// Makes sure before anything is done that no file that is written is one that is read, or is written
    /// twice, whatever names lead to it.
    pub fn keep_apart(&mut self, files: Files) -> Result<(), Stop> {
        if let Some(diagnostic) = files.conflict() {
            return Err(diagnostic.into());
        }
        self.inputs = files.inputs;
        Ok(())
    }

    /// Begins a file; if the program is ended before it is complete, nothing remains of it.
    pub fn new_file(&mut self, path: &Path) -> io::Result<NewFile> {
        let file = NewFile::create(path)?;
        if let Some(part) = file.part() {
            remove_when_ended(part);
        }
        Ok(file)
    }

    /// Writes a file, replacing what was there at once or not at all.
    pub fn write_file(&mut self, path: &Path, contents: &[u8]) -> Result<(), Stop> {
        // The names of some files are known only now.
        let (inputs, outputs) = (self.inputs.clone(), vec![path.to_owned()]);
        if let Some(diagnostic) = (Files { inputs, outputs }).conflict() {
            return Err(diagnostic.into());
        }
        let written = self.new_file(path).and_then(|mut file| {
            file.write_all(contents)?;
            file.finish()
        });
        written.map_err(|error| output_failed(&format!("`{}`", path.display()), &error))
    }

    /// Finds out before a long work whether its results can be written to these files.
    pub fn expect_files<'p>(
        &mut self,
        paths: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<(), Stop> {
        for path in paths {
            if path == Path::new("-") {
                let message =
                    "`-` is not the name of a file, and standard output has other results";
                let help = "give the name of a file; one that is really called so is `./-`";
                return Err(Diagnostic::global("no-name", message).help(help).into());
            }
            let Err(error) = NewFile::rehearse(path) else { continue };
            let mut diagnostic = Diagnostic::global(
                "cannot-write",
                format!("cannot write `{}`: {error}", path.display()),
            );
            if let Some(folder) = path.parent().filter(|_| error.kind() == ErrorKind::NotFound) {
                let help = format!("create the folder `{}` first", folder.display());
                diagnostic = diagnostic.help(help);
            }
            return Err(diagnostic.into());
        }
        Ok(())
    }

    /// Creates a directory and those above it.
    pub fn create_directory(&mut self, path: &Path) -> Result<(), Stop> {
        std::fs::create_dir_all(path)
            .map_err(|error| output_failed(&format!("`{}`", path.display()), &error))
    }

    /// Says what is left to say and turns the outcome of a command into an exit code.
    pub fn finish(mut self, command: Option<&str>, outcome: Result<Exit, Stop>) -> Exit {
        let exit = match outcome {
            Ok(exit) => exit,
            Err(Stop::Failed(Failure { cause, diagnostics, .. })) => {
                self.diagnostics.append(diagnostics);
                match cause {
                    Cause::Input => Exit::BadInput,
                    Cause::Limit => Exit::Unknown,
                    Cause::Internal => Exit::Internal,
                }
            }
            Err(Stop::BrokenPipe) => return Exit::Success,
        };
        match self.format {
            OutputFormat::Text => self.print_diagnostics(),
            OutputFormat::Json => {
                let object = json!({
                    "command": command,
                    "exit": exit.code(),
                    "diagnostics": diagnostics::json(&self.diagnostics, &self.texts),
                    "dropped": self.diagnostics.dropped(),
                    "result": self.result.take(),
                });
                let text = visible_json(&format!("{object:#}\n"));
                let written = match self.list.take() {
                    None => self.write_stdout(&text),
                    Some(list) => {
                        let mut stdout = io::stdout().lock();
                        let written = list.write(&text, &mut stdout).and_then(|()| stdout.flush());
                        written.map_err(|error| output_failed("standard output", &error))
                    }
                };
                if let Err(Stop::Failed(_)) = written {
                    self.print_diagnostics();
                    return Exit::BadInput;
                }
            }
        }
        exit
    }

    /// Writes the diagnostics for people. A closed standard error is ignored.
    fn print_diagnostics(&self) {
        let text = diagnostics::text(&self.diagnostics, &self.texts, self.style());
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    fn style(&self) -> diagnostics::Style {
        let coloured = match self.colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => io::stderr().is_terminal() && colours_welcome(),
        };
        if coloured { diagnostics::Style::Coloured } else { diagnostics::Style::Plain }
    }
}

/// What the environment says about colours: <https://no-color.org> and dumb terminals.
fn colours_welcome() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

fn output_failed(place: &str, error: &io::Error) -> Stop {
    if error.kind() == ErrorKind::BrokenPipe {
        return Stop::BrokenPipe;
    }
    Diagnostic::global("cannot-write", format!("cannot write {place}: {error}")).into()
}
