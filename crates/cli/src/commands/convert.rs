//! `tioga convert`: a model in another language, or as a picture.

use serde_json::json;
use tioga::{TargetFormat, converted, drawn, read_document, target_of, understood};

use crate::args::ConvertArgs;
use crate::exit::{Exit, Stop};
use crate::output::Session;

/// Runs the command.
pub fn run(args: &ConvertArgs, session: &mut Session) -> Result<Exit, Stop> {
    let by_name = || match &args.out {
        Some(path) => target_of(path).map_err(|failure| {
            failure.help_with(
                &["unknown-format"],
                "add `--to tioga`, `xml`, `xta`, `tck`, `dot` or `svg`",
            )
        }),
        None => Ok(TargetFormat::Svg),
    };
    let target = match args.to {
        Some(target) => target,
        None => by_name()?,
    };
    let text = match target {
        // A picture shows what the file says, so the file need not be a valid model.
        TargetFormat::Dot | TargetFormat::Svg => {
            let source = session.open(&args.model.model, &args.model.load)?;
            let (document, warnings) = read_document(&source, &mut session.texts)?;
            session.diagnostics.append(warnings);
            drawn(&document, target == TargetFormat::Svg)?
        }
        TargetFormat::Model(_) => {
            let loaded = session.read(&args.model)?;
            converted(&understood(&loaded), &loaded.model, target)?
        }
    };
    match &args.out {
        Some(path) => {
            session.write_file(path, text.as_bytes())?;
            session.set_result(json!({ "written": path.display().to_string() }));
        }
        None => {
            session.print_as_is(&text)?;
            session.set_result(json!({ "text": text }));
        }
    }
    Ok(Exit::Success)
}
