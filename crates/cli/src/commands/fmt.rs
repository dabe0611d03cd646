//! `tioga fmt`: writes `.tioga` files in the one form there is.

use std::path::Path;

use serde_json::json;
use tioga::texts::{read_file, read_stdin};
use tioga_base::{Diagnostic, Diagnostics, ModelFormat};
use tioga_parse::tioga as language;

use crate::args::FmtArgs;
use crate::exit::{Exit, Stop};
use crate::output::Session;

/// Runs the command. A file with mistakes is left alone and does not keep others from being
/// formatted.
pub fn run(args: &FmtArgs, session: &mut Session) -> Result<Exit, Stop> {
    if args.stdin {
        return standard_input(args.check, session);
    }
    let (mut changed, mut wrong) = (Vec::new(), false);
    for path in &args.files {
        match file(path, args.check, session) {
            Ok(true) => {
                session.print(&format!("{}\n", path.display()))?;
                changed.push(path.display().to_string());
            }
            Ok(false) => {}
            Err(Stop::Failed(failure)) => {
                session.diagnostics.append(failure.diagnostics);
                wrong = true;
            }
            Err(Stop::BrokenPipe) => return Err(Stop::BrokenPipe),
        }
    }
    let negative = args.check && !changed.is_empty();
    let key = if args.check { "not_formatted" } else { "formatted" };
    session.set_result(json!({ key: changed }));
    Ok(match (wrong, negative) {
        (true, _) => Exit::BadInput,
        (false, true) => Exit::Negative,
        (false, false) => Exit::Success,
    })
}

fn standard_input(check: bool, session: &mut Session) -> Result<Exit, Stop> {
    let text = read_stdin(&mut session.texts)?;
    let (formatted, same) = formatted("standard input", &text, session)?;
    if check {
        session.set_result(json!({ "not_formatted": !same }));
        return Ok(if same { Exit::Success } else { Exit::Negative });
    }
    session.print_as_is(&formatted)?;
    session.set_result(json!({ "text": formatted }));
    Ok(Exit::Success)
}

/// Formats one file unless only asked; says whether it was not formatted before.
fn file(path: &Path, check: bool, session: &mut Session) -> Result<bool, Stop> {
    let name = path.display().to_string();
    let format = ModelFormat::from_file_name(&name);
    if format.is_some_and(|format| format != ModelFormat::Tioga) {
        let message = format!("`{}` is not a .tioga file", path.display());
        let diagnostic = Diagnostic::global("unknown-format", message);
        let help = format!("`tioga convert {} --to tioga` makes one of it", path.display());
        return Err(diagnostic.help(help).into());
    }
    let text = read_file(&mut session.texts, path)?;
    let (formatted, same) = formatted(&name, &text, session)?;
    if !same && !check {
        session.write_file(path, formatted.as_bytes())?;
    }
    Ok(!same)
}

/// The formatted text, and whether it is the text itself.
fn formatted(name: &str, text: &str, session: &mut Session) -> Result<(String, bool), Stop> {
    let file = session.texts.add(name, text);
    let mut diagnostics = Diagnostics::new();
    let Some(document) = language::parse(file, text, &mut diagnostics) else {
        return Err(diagnostics.into());
    };
    session.diagnostics.append(diagnostics);
    let formatted = language::print(&document)?;
    let same = formatted == text;
    Ok((formatted, same))
}
