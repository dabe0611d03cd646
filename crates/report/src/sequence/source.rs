//! Timed sequence diagrams as source for Mermaid and for PlantUML.

use std::fmt::Write;

use tioga_base::Times;

use super::{Drawn, Sequence, moment};
use crate::text::counted;

/// Source for Mermaid.
pub fn mermaid(sequence: &Sequence) -> String {
    let mut source = String::from("sequenceDiagram\n");
    let _ = writeln!(source, "    participant T as tester\n    participant S as system");
    let _ = writeln!(source, "    Note over T,S: {}", entities(&sequence.title()));
    for step in &sequence.steps {
        let time = moment(step, sequence.times);
        let _ = match step {
            Drawn::Input { what, .. } => {
                writeln!(source, "    T->>S: {time}: {}", entities(what))
            }
            Drawn::Output { what, .. } => {
                writeln!(source, "    S-->>T: {time}: {}", entities(what))
            }
            Drawn::Fault { what, .. } => {
                writeln!(source, "    Note over S: {time}: {}", entities(what))
            }
            Drawn::Quiet { .. } | Drawn::LeftOut { .. } => {
                writeln!(source, "    Note over T,S: {}", note(step, sequence.times))
            }
        };
    }
    let _ = writeln!(source, "    Note over T,S: {}", entities(&ending(sequence)));
    source
}

/// Source for PlantUML.
pub fn plantuml(sequence: &Sequence) -> String {
    let mut source = String::from("@startuml\n");
    let _ = writeln!(source, "title {}", characters(&sequence.title()));
    let _ = writeln!(source, "participant tester\nparticipant system");
    for step in &sequence.steps {
        let time = moment(step, sequence.times);
        let _ = match step {
            Drawn::Input { what, .. } => {
                writeln!(source, "tester -> system : {time}: {}", characters(what))
            }
            Drawn::Output { what, .. } => {
                writeln!(source, "system --> tester : {time}: {}", characters(what))
            }
            Drawn::Fault { what, .. } => {
                writeln!(source, "note over system : {time}: {}", characters(what))
            }
            Drawn::Quiet { .. } | Drawn::LeftOut { .. } => {
                writeln!(source, "note over tester, system : {}", note(step, sequence.times))
            }
        };
    }
    let _ = writeln!(source, "note over tester, system : {}", characters(&ending(sequence)));
    source.push_str("@enduml\n");
    source
}

fn ending(sequence: &Sequence) -> String {
    let at = sequence.end.as_ref().map(|end| format!("{}: ", sequence.times.moment(end.at)));
    let at = at.unwrap_or_default();
    format!("{at}{}", sequence.verdict())
}

fn note(step: &Drawn, times: Times) -> String {
    match step {
        Drawn::Quiet { until } => format!("quiet until {}", times.moment(*until)),
        Drawn::LeftOut { steps } => {
            format!("{} left out", counted(u64::try_from(*steps).unwrap_or(u64::MAX), "step"))
        }
        _ => String::new(),
    }
}

/// What means something to Mermaid, as its numbered entities.
fn entities(text: &str) -> String {
    let mut source = String::new();
    for character in text.chars() {
        match character {
            '#' | ';' | '<' | '>' | '&' | '"' | '\'' | '`' | '%' | '\\' | '$' | '{' | '}' => {
                let _ = write!(source, "#{};", u32::from(character));
            }
            other => source.push(other),
        }
    }
    source
}

/// What may mean something to PlantUML, as its numbered characters. Twice the same sign may be
/// markup, where once is not.
fn characters(text: &str) -> String {
    let mut source = String::new();
    let mut before = ' ';
    for character in text.chars() {
        let plain = character.is_alphanumeric() || " .,()=+:?!_-/".contains(character);
        let doubled = character == before && "._-/=!".contains(character);
        if plain && !doubled {
            source.push(character);
        } else {
            let _ = write!(source, "<U+{:04X}>", u32::from(character));
        }
        before = character;
    }
    source
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_written_by_number() {
        assert_eq!(entities("a;b#<i>"), "a#59;b#35;#60;i#62;");
        assert_eq!(characters("//a\\n<b>"), "/<U+002F>a<U+005C>n<U+003C>b<U+003E>");
        assert_eq!(characters("level(3, 1/2)"), "level(3, 1/2)");
    }
}
