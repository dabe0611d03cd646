//! Which processes are the environment and which channels cross the interface of the system under
//! test, for model languages that cannot say so: from options, or from a small TOML file.
//!
//! ```toml
//! environment = ["User"]
//! input = ["touch"]
//! output = ["dim", "bright", "off"]
//! internal = ["hurry"]
//! ```
//! Without an option naming it, the file is looked for beside the model: `light.interface.toml`
//! for `light.xml`. An option replaces the whole list of the file.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tioga_base::{Diagnostic, FileId, Sources, Span};

use crate::Failure;
use crate::open_options::OpenOptions;
use crate::texts::read_file;

/// The interface of the system under test, as far as it was given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Interface {
    /// The processes that belong to the environment.
    pub environment: Vec<String>,
    /// The channels the system under test receives on.
    pub input: Vec<String>,
    /// The channels the system under test sends on.
    pub output: Vec<String>,
    /// The channels that stay inside.
    pub internal: Vec<String>,
}

/// The interface given by options and by the interface file, the options first.
pub(crate) fn read(
    texts: &mut Sources,
    options: &OpenOptions,
    model: Option<&Path>,
) -> Result<Interface, Failure> {
    let path = options.interface.clone().or_else(|| model.and_then(beside));
    let file = match path {
        Some(path) => {
            let text = read_file(texts, &path)?;
            let file = texts.add(path.display().to_string(), text);
            parse(texts, file)?
        }
        None => Interface::default(),
    };
    let prefer = |option: &Vec<String>, file: Vec<String>| {
        if option.is_empty() { file } else { option.clone() }
    };
    Ok(Interface {
        environment: prefer(&options.environment, file.environment),
        input: prefer(&options.input, file.input),
        output: prefer(&options.output, file.output),
        internal: prefer(&options.internal, file.internal),
    })
}

/// The interface file beside a model, if there is one.
fn beside(model: &Path) -> Option<PathBuf> {
    let path = model.with_extension("interface.toml");
    path.is_file().then_some(path)
}

fn parse(texts: &Sources, file: FileId) -> Result<Interface, Failure> {
    let text = texts.get(file).map_or("", |source| source.text.as_str());
    let wrong = match toml::from_str(text) {
        Ok(interface) => return Ok(interface),
        Err(wrong) => wrong,
    };
    let range = wrong.span().unwrap_or(0..0);
    let span = Span::new(file, range.start, range.end);
    let message = wrong.message().lines().next().unwrap_or("not an interface file").to_owned();
    let diagnostic = Diagnostic::error("bad-interface", span, message)
        .note("the keys are `environment`, `input`, `output` and `internal`, each a list of names");
    Err(diagnostic.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Sources, Result<Interface, Failure>) {
        let mut texts = Sources::new();
        let file = texts.add("light.interface.toml", text);
        let interface = parse(&texts, file);
        (texts, interface)
    }

    #[test]
    fn the_three_lists_are_read() {
        let (_, interface) = parsed("environment = [\"User\"]\ninput = [\"touch\"]\n");
        let interface = interface.unwrap();
        assert_eq!(interface.environment, ["User"]);
        assert_eq!(interface.input, ["touch"]);
        assert!(interface.output.is_empty());
    }

    #[test]
    fn a_wrong_key_and_a_wrong_type_are_pointed_at() {
        for (text, offender) in
            [("inputs = []", "inputs"), ("output = [1]", "1"), ("input = [\"a\"", "")]
        {
            let (texts, interface) = parsed(text);
            let failure = interface.unwrap_err();
            let diagnostic = failure.diagnostics.iter().next().unwrap();
            let slice = texts.slice(diagnostic.primary.as_ref().unwrap().span);
            assert_eq!(slice, offender, "{}", diagnostic.message);
        }
    }

    #[test]
    fn options_replace_the_lists_of_the_file() {
        let options = OpenOptions { input: vec!["press".to_owned()], ..OpenOptions::default() };
        let interface = read(&mut Sources::new(), &options, None).unwrap();
        assert_eq!(interface.input, ["press"]);
        assert!(interface.output.is_empty());
    }
}
