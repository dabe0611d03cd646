//! The language reference agrees with the parser.

use tioga_base::{Diagnostics, FileId};
use tioga_parse::tioga::{parse, print};
use tioga_parse::{Options, lower};

const REFERENCE: &str = include_str!("../../../../docs/language.md");

fn examples() -> Vec<&'static str> {
    let mut examples = Vec::new();
    for part in REFERENCE.split("```tioga\n").skip(1) {
        examples.push(part.split("```").next().expect("splitting yields a part"));
    }
    examples
}

#[test]
fn every_example_of_the_reference_is_accepted_and_survives_formatting() {
    assert!(examples().len() > 8);
    for text in examples() {
        let mut diagnostics = Diagnostics::new();
        let document = parse(FileId(0), text, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{text}\n{diagnostics:#?}");
        let document = document.unwrap();
        let printed = print(&document).unwrap();
        let again = parse(FileId(0), &printed, &mut diagnostics).unwrap();
        assert_eq!(again.without_spans(), document.without_spans());
        assert_eq!(print(&again).unwrap(), printed);
    }
}

#[test]
fn every_example_of_the_reference_means_something() {
    for text in examples() {
        // A model needs a process; examples about declarations have none.
        let process =
            if text.contains("automaton") { "" } else { "automaton Any { init location L; }" };
        let text = format!("{text}{process}");
        let mut diagnostics = Diagnostics::new();
        let document = parse(FileId(0), &text, &mut diagnostics).unwrap();
        let network = lower(&document, &Options::default(), &mut diagnostics);
        assert!(network.is_some(), "{text}\n{diagnostics:#?}");
    }
}

#[test]
fn every_listed_keyword_is_refused_as_a_name_and_every_contextual_word_accepted() {
    let words = |after: &str, until: &str| -> Vec<&str> {
        let start = REFERENCE.split(after).nth(1).unwrap();
        start.split(until).next().unwrap().split('`').skip(1).step_by(2).collect()
    };
    let accepted =
        |word: &str| parse(FileId(0), &format!("clock {word};"), &mut Diagnostics::new()).is_some();
    let keywords = words("The keywords are", "\0");
    assert_eq!(keywords.len(), 47);
    for word in keywords {
        assert!(!accepted(word), "{word}");
    }
    let contextual = words("can be names everywhere else", ".");
    assert_eq!(contextual.len(), 10);
    for word in contextual {
        assert!(accepted(word), "{word}");
    }
}
