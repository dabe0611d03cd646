//! From the name of a model to its source: a file, standard input (`-`) or an embedded example
//! (`@NAME`), with the files and options that belong to it.

use std::path::{Path, PathBuf};

use tioga_base::{Diagnostic, ModelFormat, Sources};
use tioga_testcase::{ModelSource, QueryFile, ReadOptions};

use crate::Failure;
use crate::ecdar;
use crate::examples::example;
use crate::interface;
use crate::open_options::OpenOptions;
use crate::texts::{read_file, read_stdin};

/// Opens the model an argument names: a file, `-` for standard input, or `@NAME` for an embedded
/// example. What it reads is kept in `texts`, where diagnostics point to.
pub fn open(
    argument: &str,
    options: &OpenOptions,
    texts: &mut Sources,
) -> Result<ModelSource, Failure> {
    let (format, text, path) = opened(argument, options.format, texts)?;
    let path = path.as_deref();
    let interface = interface::read(texts, options, path)?;
    let uppaal = matches!(format, ModelFormat::UppaalXml | ModelFormat::Xta);
    let beside = || {
        let path = path.filter(|_| uppaal)?.with_extension("q");
        path.is_file().then_some(path)
    };
    let queries = match options.queries.clone().or_else(beside) {
        Some(path) => {
            let text = read_file(texts, &path)?;
            Some(QueryFile { name: path.display().to_string(), text })
        }
        None => None,
    };
    let options = ReadOptions {
        settings: options.settings.clone(),
        environment: interface.environment,
        input: interface.input,
        output: interface.output,
        internal: interface.internal,
        closed: options.closed && matches!(format, ModelFormat::UppaalXml | ModelFormat::Xta),
        lenient: false,
        queries,
        purposes: None,
    };
    Ok(ModelSource { name: argument.to_owned(), format, text, options })
}

/// Whether an argument names a component or system of ECDAR, unless a format says otherwise.
pub fn is_component(argument: &str, format: Option<ModelFormat>) -> bool {
    format.is_none() && ecdar::is_component(argument)
}

/// The format, the text, and the file if there is one.
fn opened(
    argument: &str,
    format: Option<ModelFormat>,
    texts: &mut Sources,
) -> Result<(ModelFormat, String, Option<PathBuf>), Failure> {
    if let Some(name) = argument.strip_prefix('@') {
        let example = example(name)?;
        let format = format.or_else(|| ModelFormat::from_file_name(example.file));
        let format = format.expect("only files with a known extension are embedded");
        return Ok((format, example.text.to_owned(), None));
    }
    let path = (argument != "-").then(|| Path::new(argument));
    let known = || path.and_then(|_| ModelFormat::from_file_name(argument));
    if let Some(path) = path.filter(|_| is_component(argument, format)) {
        return Ok((ModelFormat::Xta, ecdar::read(path, texts)?, Some(path.to_owned())));
    }
    let Some(format) = format.or_else(known) else {
        // A file that is missing matters more than what its name does not say.
        if let Some(path) = path {
            read_file(texts, path)?;
        }
        return Err(unknown_format(path.map(|_| argument)).into());
    };
    let text = match path {
        Some(path) => read_file(texts, path)?,
        None => read_stdin(texts)?,
    };
    Ok((format, text, path.map(Path::to_owned)))
}

/// Says which formats there are; the name of the file, unless it is standard input.
fn unknown_format(name: Option<&str>) -> Diagnostic {
    match name {
        None => Diagnostic::global(
            "unknown-format",
            "the format of a model on standard input must be given",
        ),
        Some(name) => {
            let extensions = ModelFormat::all().flat_map(ModelFormat::extensions);
            let extensions: Vec<String> = extensions.map(|one| format!(".{one}")).collect();
            let message = format!("the name `{name}` does not say what format the model has");
            let note = format!(
                "known extensions are {}, and .json for components of ECDAR",
                extensions.join(", ")
            );
            Diagnostic::global("unknown-format", message).note(note)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_input_needs_a_format() {
        let failure = open("-", &OpenOptions::default(), &mut Sources::new()).unwrap_err();
        assert_eq!(failure.diagnostics.iter().next().unwrap().code, "unknown-format");
    }

    #[test]
    fn an_example_is_opened_by_its_name() {
        let source = open("@smart-light", &OpenOptions::default(), &mut Sources::new()).unwrap();
        assert_eq!((source.name.as_str(), source.format), ("@smart-light", ModelFormat::Tioga));
        assert!(source.text.contains("touch"));
    }
}
