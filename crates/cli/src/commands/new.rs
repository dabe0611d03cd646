//! `tioga new`: writes a project that can be tested at once.

use std::path::Path;

use serde_json::json;
use tioga::scaffold;

use crate::args::NewArgs;
use crate::exit::{Exit, Stop};
use crate::measure::WorkLimits;
use crate::output::Session;

/// Runs the command.
pub fn run(args: &NewArgs, session: &mut Session) -> Result<Exit, Stop> {
    let mut effort = session.effort(WorkLimits::default());
    let files = scaffold(Path::new(""), &args.name, args.language(), &mut effort)?;
    drop(effort);
    let mut text = String::new();
    for path in &files {
        text.push_str(&format!("{}\n", path.display()));
    }
    let name = &args.name;
    text.push_str(&format!("\ntry: cd {name} && tioga test\n"));
    session.print(&text)?;
    let written: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    session.set_result(json!({ "project": name, "written": written }));
    Ok(Exit::Success)
}
