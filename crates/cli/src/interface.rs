//! Which processes are the environment and which channels cross the interface of the system under
//! test, for model languages that cannot say so: from options, or from a small TOML file.
//!
//! ```toml
//! environment = ["User"]
//! input = ["touch"]
//! output = ["dim", "bright", "off"]
//! ```
//! Without an option naming it, the file is looked for beside the model: `light.interface.toml`
//! for `light.xml`. An option replaces the whole list of the file.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tioga_base::{Diagnostic, FileId, Span};

use crate::args::InterfaceArgs;
use crate::exit::Stop;
use crate::input;
use crate::output::Session;

/// The interface of the system under test, as far as it was given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interface {
    /// The processes that belong to the environment.
    pub environment: Option<Vec<String>>,
    /// The channels the system under test receives on.
    pub input: Option<Vec<String>>,
    /// The channels the system under test sends on.
    pub output: Option<Vec<String>>,
}

/// The interface given by options and by the interface file, the options first.
pub fn read(
    session: &mut Session,
    args: &InterfaceArgs,
    model: Option<&Path>,
) -> Result<Interface, Stop> {
    let path = args.interface.clone().or_else(|| model.and_then(beside));
    let file = match path {
        Some(path) => {
            let file = input::read_path(session, &path)?;
            parse(session, file)?
        }
        None => Interface::default(),
    };
    let prefer = |option: &Vec<String>, file| {
        if option.is_empty() { file } else { Some(option.clone()) }
    };
    Ok(Interface {
        environment: prefer(&args.environment, file.environment),
        input: prefer(&args.input, file.input),
        output: prefer(&args.output, file.output),
    })
}

/// The interface file beside a model, if there is one.
fn beside(model: &Path) -> Option<PathBuf> {
    let path = model.with_extension("interface.toml");
    path.is_file().then_some(path)
}

fn parse(session: &mut Session, file: FileId) -> Result<Interface, Stop> {
    let text = session.sources.get(file).map_or("", |source| source.text.as_str());
    let wrong = match toml::from_str(text) {
        Ok(interface) => return Ok(interface),
        Err(wrong) => wrong,
    };
    let range = wrong.span().unwrap_or(0..0);
    let span = Span::new(file, range.start, range.end);
    let message = wrong.message().lines().next().unwrap_or("not an interface file").to_owned();
    let diagnostic = Diagnostic::error("bad-interface", span, message)
        .note("the keys are `environment`, `input` and `output`, each a list of names");
    Err(session.stop(diagnostic))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Session, Result<Interface, Stop>) {
        let mut session = Session::default();
        let file = session.sources.add("light.interface.toml", text);
        let interface = parse(&mut session, file);
        (session, interface)
    }

    #[test]
    fn the_three_lists_are_read() {
        let (_, interface) = parsed("environment = [\"User\"]\ninput = [\"touch\"]\n");
        let interface = interface.unwrap();
        assert_eq!(interface.environment, Some(vec!["User".to_owned()]));
        assert_eq!(interface.input, Some(vec!["touch".to_owned()]));
        assert_eq!(interface.output, None);
    }

    #[test]
    fn a_wrong_key_and_a_wrong_type_are_pointed_at() {
        for (text, offender) in
            [("inputs = []", "inputs"), ("output = [1]", "1"), ("input = [\"a\"", "")]
        {
            let (session, interface) = parsed(text);
            assert!(interface.is_err());
            let diagnostic = session.diagnostics.iter().next().unwrap();
            let slice = session.sources.slice(diagnostic.primary.as_ref().unwrap().span);
            assert_eq!(slice, offender, "{}", diagnostic.message);
        }
    }

    #[test]
    fn options_replace_the_lists_of_the_file() {
        let mut session = Session::default();
        let args = InterfaceArgs { input: vec!["press".to_owned()], ..InterfaceArgs::default() };
        let interface = read(&mut session, &args, None).unwrap();
        assert_eq!(interface.input, Some(vec!["press".to_owned()]));
        assert_eq!(interface.output, None);
    }
}
