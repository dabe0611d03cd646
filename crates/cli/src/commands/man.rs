//! `tioga man`: prints the main manual page, or writes one page per command into a directory.

use std::io;

use clap::CommandFactory;
use serde_json::{Value, json};

use crate::args::{Cli, ManArgs};
use crate::exit::{Exit, Stop};
use crate::output::Session;

/// Runs the command.
pub fn run(args: &ManArgs, session: &mut Session) -> Result<Exit, Stop> {
    let mut command = Cli::command();
    command.build();
    let Some(directory) = &args.directory else {
        let page = String::from_utf8_lossy(&page(command)).into_owned();
        session.print_as_is(&page)?;
        session.set_result(page.into());
        return Ok(Exit::Success);
    };
    session.create_directory(directory)?;
    let subcommands = command.get_subcommands().filter(|one| one.get_name() != "help");
    let mut pages = vec![("tioga".to_owned(), page(command.clone()))];
    for one in subcommands {
        pages.push((format!("tioga-{}", one.get_name()), page(one.clone())));
    }
    let mut written = Vec::new();
    for (name, page) in pages {
        let path = directory.join(format!("{name}.1"));
        session.write_file(&path, &page)?;
        session.print(&format!("{}\n", path.display()))?;
        written.push(Value::from(path.display().to_string()));
    }
    session.set_result(json!({ "written": written }));
    Ok(Exit::Success)
}

fn page(command: clap::Command) -> Vec<u8> {
    let mut page = Vec::new();
    let rendered: io::Result<()> = clap_mangen::Man::new(command).render(&mut page);
    rendered.expect("writing to memory does not fail");
    page
}
