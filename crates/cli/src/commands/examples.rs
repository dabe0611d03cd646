//! `tioga examples`: lists, prints or writes the embedded models.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use tioga::{EXAMPLES, Example, example};

use crate::args::ExamplesArgs;
use crate::exit::{Exit, Stop};
use crate::output::Session;

/// Runs the command.
pub fn run(args: &ExamplesArgs, session: &mut Session) -> Result<Exit, Stop> {
    let chosen = match &args.name {
        Some(name) => {
            let name = name.strip_prefix('@').unwrap_or(name);
            Some(example(name)?)
        }
        None => None,
    };
    match (&args.write, chosen) {
        (Some(directory), Some(example)) => write(session, directory, &[*example])?,
        (Some(directory), None) => write(session, directory, EXAMPLES)?,
        (None, Some(example)) => {
            session.print_as_is(example.text)?;
            session.set_result(json!({ "file": example.file, "text": example.text }));
        }
        (None, None) => list(session)?,
    }
    Ok(Exit::Success)
}

fn list(session: &mut Session) -> Result<(), Stop> {
    let width = EXAMPLES.iter().map(|example| example.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for example in EXAMPLES {
        let line = format!("{:width$}  {}", example.name, example.summary());
        let _ = writeln!(text, "{}", line.trim_end());
    }
    session.print(&text)?;
    let entry = |example: &Example| json!({ "name": example.name, "file": example.file, "summary": example.summary() });
    session.set_result(EXAMPLES.iter().map(entry).collect::<Value>());
    Ok(())
}

fn write(session: &mut Session, directory: &Path, examples: &[Example]) -> Result<(), Stop> {
    let mut paths = Vec::new();
    for example in examples {
        let path = directory.join(example.file);
        session.create_directory(path.parent().unwrap_or(directory))?;
        session.write_file(&path, example.text.as_bytes())?;
        session.print(&format!("{}\n", path.display()))?;
        paths.push(Value::from(path.display().to_string()));
    }
    session.set_result(json!({ "written": paths }));
    Ok(())
}
