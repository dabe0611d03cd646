//! `tioga corpus`: which files of a folder are read, and what keeps the others from it.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use serde_json::Value;
use tioga::corpus::{Questions, Refusal, Sample, model_files, sample};
use tioga::{Failure, ModelFormat};
use tioga_base::Diagnostic;

use crate::args::CorpusArgs;
use crate::exit::{Exit, Stop};
use crate::measure::{Limited, WorkLimits, seconds};
use crate::output::{OutputFormat, Session};
use crate::progress::ProgressLine;
use crate::text::corpus::{self, Entry, Outcome};

/// Runs the command.
pub fn run(args: &CorpusArgs, session: &mut Session) -> Result<Exit, Stop> {
    if args.path.is_file() {
        return alone(args, session);
    }
    let files = model_files(&args.path)?;
    let limited = Limited::new(WorkLimits::default());
    let mut line = ProgressLine::new(session.format == OutputFormat::Text);
    let mut seen: BTreeMap<(u64, u64), Vec<PathBuf>> = BTreeMap::new();
    let mut entries = Vec::new();
    for (number, file) in files.iter().enumerate() {
        if limited.cancel.reason().is_some() {
            break;
        }
        line.at(number).say(|| format!("{number} of {} files", files.len()));
        let shown = file.strip_prefix(&args.path).unwrap_or(file);
        let outcome = match copied(file, &mut seen) {
            Some(first) => {
                Outcome::Copy(first.strip_prefix(&args.path).unwrap_or(&first).to_owned())
            }
            None => in_process(file, args),
        };
        entries.push(Entry { file: shown.to_owned(), format: format_of(file), outcome });
    }
    line.clear();
    let stopped = limited.cancel.reason();
    session.print(&corpus::text(&entries, args.list))?;
    session.set_result(corpus::json(&args.path, &entries));
    match stopped {
        None => Ok(Exit::Success),
        Some(reason) => {
            let message = format!("stopped early: {reason}");
            let left = format!("{} files were not read", files.len() - entries.len());
            Err(Failure::limit(Diagnostic::global("limit", message).note(left)).into())
        }
    }
}

fn format_of(file: &Path) -> Option<ModelFormat> {
    ModelFormat::from_file_name(&file.to_string_lossy())
}

/// One file, read here; the limits end the program by force.
fn alone(args: &CorpusArgs, session: &mut Session) -> Result<Exit, Stop> {
    let _limited = Limited::new(args.memory.limits(Some(args.timeout)));
    let begin = Instant::now();
    let sample = sample(&args.path);
    let took = seconds(begin.elapsed());
    let outcome = match sample {
        Sample::Other => Outcome::Other,
        Sample::Read(aside, questions) => Outcome::Read { aside, questions, seconds: took },
        Sample::Refused(refusal, questions) => {
            Outcome::Refused { refusal, questions, seconds: took }
        }
    };
    let entry = Entry { file: args.path.clone(), format: format_of(&args.path), outcome };
    session.print(&corpus::text(std::slice::from_ref(&entry), true))?;
    session.set_result(corpus::json(&args.path, &[entry]));
    Ok(Exit::Success)
}

/// One file, read by a process of its own.
fn in_process(file: &Path, args: &CorpusArgs) -> Outcome {
    let begin = Instant::now();
    let failed = |feature: &str, message: String| Outcome::Refused {
        refusal: Refusal::of_reader(feature, message),
        questions: Questions::Exact,
        seconds: seconds(begin.elapsed()),
    };
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return failed("cannot-start", error.to_string()),
    };
    let mut command = std::process::Command::new(program);
    command.args(["--format", "json", "corpus", "--timeout"]);
    command.arg(seconds(args.timeout));
    if let Some(memory) = args.memory.limits(None).memory {
        command.args(["--memory", &format!("{}K", memory.div_ceil(1 << 10))]);
    }
    command.arg("--").arg(file).stdin(Stdio::null()).stderr(Stdio::null());
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return failed("cannot-start", error.to_string()),
    };
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    match (output.status.code(), corpus::entry(&answer["result"]["files"][0])) {
        (Some(0), Some(outcome)) => outcome,
        (Some(3), _) => {
            let said = answer["diagnostics"][0]["message"].as_str().unwrap_or("a limit");
            failed("limit", said.to_owned())
        }
        (Some(code), _) => failed("internal-error", format!("the reader ended with {code}")),
        (None, _) => failed("internal-error", "the reader was ended by a signal".to_owned()),
    }
}

/// The first file with the same contents.
fn copied(file: &Path, seen: &mut BTreeMap<(u64, u64), Vec<PathBuf>>) -> Option<PathBuf> {
    let contents = std::fs::read(file).ok()?;
    let mut hasher = DefaultHasher::new();
    contents.hash(&mut hasher);
    let alike = seen.entry((contents.len() as u64, hasher.finish())).or_default();
    let first = alike.iter().find(|one| std::fs::read(one).is_ok_and(|other| other == contents));
    let first = first.cloned();
    if first.is_none() {
        alike.push(file.to_owned());
    }
    first
}
