//! The embedded example models.

use tioga_base::{Diagnostic, closest};

use crate::Failure;

/// An embedded model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// Its name: `@name` wherever a model is expected.
    pub name: &'static str,
    /// Its file, below the folder of all examples.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All embedded models, in order of their names.
pub const EXAMPLES: &[Example] = include!(concat!(env!("OUT_DIR"), "/examples.rs"));

impl Example {
    /// The first sentence of the comment it starts with; empty if it does not start with one.
    pub fn summary(&self) -> String {
        let comment = |line: &'static str| line.strip_prefix("//").or(line.strip_prefix('#'));
        let lines: Vec<&str> = self.text.lines().map_while(comment).map(str::trim).collect();
        let text = lines.join(" ");
        let end = text.find(". ").map_or(text.len(), |end| end + 1);
        text[..end].to_owned()
    }
}

/// The embedded model of this name.
pub fn example(name: &str) -> Result<&'static Example, Failure> {
    if let Some(example) = EXAMPLES.iter().find(|example| example.name == name) {
        return Ok(example);
    }
    let diagnostic = Diagnostic::global("unknown-example", format!("there is no example `{name}`"));
    let help = match closest(name, EXAMPLES.iter().map(|example| example.name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`tioga examples` lists them".to_owned(),
    };
    Err(diagnostic.help(help).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_of_the_first_comment_is_the_summary() {
        let example = |text| Example { name: "e", file: "e.tioga", text };
        assert_eq!(example("// A lamp.\nclock x;").summary(), "A lamp.");
        assert_eq!(example("// A lamp that\n// is on. Or off.\n").summary(), "A lamp that is on.");
        assert_eq!(example("# A lamp.\nsystem:lamp").summary(), "A lamp.");
        assert_eq!(example("clock x;").summary(), "");
    }

    #[test]
    fn an_unknown_example_is_an_error_with_a_way_out() {
        let failure = example("no such thing").unwrap_err();
        let help = failure.diagnostics.iter().next().unwrap().help.as_deref();
        assert_eq!(help, Some("`tioga examples` lists them"));
    }
}
