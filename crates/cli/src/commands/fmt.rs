//! `tioga fmt`: writes `.tioga` files in the one form there is.

use std::path::Path;

use serde_json::json;
use tioga_base::{Diagnostic, FileId};
use tioga_parse::tioga;

use crate::args::FmtArgs;
use crate::exit::{Exit, Stop};
use crate::format::ModelFormat;
use crate::input;
use crate::output::Session;

/// Runs the command. A file with mistakes is left alone and does not keep others from being
/// formatted.
pub fn run(args: &FmtArgs, session: &mut Session) -> Result<Exit, Stop> {
    if args.stdin {
        return standard_input(args.check, session);
    }
    let (mut changed, mut stopped) = (Vec::new(), None);
    for path in &args.files {
        match file(path, args.check, session) {
            Ok(true) => {
                session.print(&format!("{}\n", path.display()))?;
                changed.push(path.display().to_string());
            }
            Ok(false) => {}
            Err(stop) => stopped = Some(stop),
        }
    }
    let negative = args.check && !changed.is_empty();
    let key = if args.check { "not_formatted" } else { "formatted" };
    session.set_result(json!({ key: changed }));
    match stopped {
        Some(stop) => Err(stop),
        None => Ok(if negative { Exit::Negative } else { Exit::Success }),
    }
}

fn standard_input(check: bool, session: &mut Session) -> Result<Exit, Stop> {
    let file = input::read_stdin(session)?;
    let (formatted, same) = formatted(file, session)?;
    if check {
        session.set_result(json!({ "not_formatted": !same }));
        return Ok(if same { Exit::Success } else { Exit::Negative });
    }
    session.print(&formatted)?;
    session.set_result(json!({ "text": formatted }));
    Ok(Exit::Success)
}

/// Formats one file unless only asked; says whether it was not formatted before.
fn file(path: &Path, check: bool, session: &mut Session) -> Result<bool, Stop> {
    if ModelFormat::of_path(path).is_some_and(|format| format != ModelFormat::Tioga) {
        let message = format!("`{}` is not a .tioga file", path.display());
        let diagnostic = Diagnostic::global("unknown-format", message);
        let help = format!("`tioga convert {} --to tioga` makes one of it", path.display());
        return Err(session.stop(diagnostic.help(help)));
    }
    let file = input::read_path(session, path)?;
    let (formatted, same) = formatted(file, session)?;
    if !same && !check {
        session.write_file(path, formatted.as_bytes())?;
    }
    Ok(!same)
}

/// The formatted text, and whether it is the text itself.
fn formatted(file: FileId, session: &mut Session) -> Result<(String, bool), Stop> {
    let text = session.sources.get(file).map_or("", |source| source.text.as_str());
    let document = tioga::parse(file, text, &mut session.diagnostics).ok_or(Stop::Diagnosed)?;
    match tioga::print(&document) {
        Ok(formatted) => {
            let same = formatted == text;
            Ok((formatted, same))
        }
        Err(diagnostics) => {
            session.diagnostics.append(diagnostics);
            Err(Stop::Diagnosed)
        }
    }
}
