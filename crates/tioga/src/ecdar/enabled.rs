//! Components are input-enabled: an input that no edge takes changes nothing.
//!
//! ECDAR means a component so, and Reveaal adds the loops when it loads one. They are added here, too, so that every
//! command sees them: where the guards of a location and the invariants behind them leave an input out, within the
//! invariant, a loop takes it. Each component of a system is input-enabled by itself. Urgent inputs are left alone: one
//! that is always possible would stop time.

use std::path::Path;

use tioga_base::{ModelFormat, Sources};
use tioga_model::{Channel, Network};
use tioga_mutate::ignore_input;
use tioga_parse::raise::rewrite;
use tioga_testcase::{ModelSource, ReadOptions};

use super::component::{Inputs, refused};
use crate::Failure;
use crate::convert::{TargetFormat, made};
use crate::read::read;

/// The text of a model whose processes take their inputs at any time.
///
/// # Errors
/// If the text is no model, or a guard has no opposite that can be written.
pub(super) fn enabled(
    path: &Path,
    text: String,
    processes: &[Inputs],
    texts: &mut Sources,
) -> Result<String, Failure> {
    let (name, options) = (path.display().to_string(), ReadOptions::default());
    let source = ModelSource { name, format: ModelFormat::Xta, text, options };
    let loaded = read(source, &[], texts)?;
    let mut network = Network::clone(&loaded.model);
    for (name, inputs) in processes {
        let process = network.processes.iter_ids().find(|(_, one)| one.name == *name);
        let Some(process) = process.map(|(id, _)| id) else { continue };
        for input in inputs {
            let usual = |one: &Channel| one.name == *input && !one.urgent;
            let channel = network.channels.iter_ids().find(|(_, one)| usual(one));
            let Some(channel) = channel.map(|(id, _)| id) else { continue };
            if let Some(location) = ignore_input(&mut network, process, channel).first() {
                let location = &network.processes[process].locations[*location].name;
                let message = format!(
                    "when `{name}.{location}` takes `{input}` is too much to say the opposite of"
                );
                return Err(refused(path, message).into());
            }
        }
    }
    if network.processes == loaded.model.processes {
        return Ok(loaded.source.text);
    }
    let document = rewrite(&loaded.document, &loaded.model, &network, &[])?;
    made(&document, TargetFormat::Model(ModelFormat::Xta))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAMP: &str = "broadcast chan go, done;
process Lamp() {
clock x; bool b;
state A, B { x <= 4 }, C { x <= 0 };
init A;
trans
  A -> B { guard x >= 2; sync go?; },
  B -> A { guard x > 1 && x <= 3; sync go?; },
  B -> C { sync done!; assign x = 0; },
  C -> A { guard b; sync go?; };
}
system Lamp;
IO Lamp { done!, go? }
";

    fn loops(text: &str, inputs: &[&str]) -> Vec<String> {
        let inputs = inputs.iter().map(ToString::to_string).collect();
        let processes = [("Lamp".to_owned(), inputs)];
        let path = Path::new("Lamp.json");
        let made = enabled(path, text.to_owned(), &processes, &mut Sources::new()).unwrap();
        let added = made.lines().map(|line| line.trim().trim_end_matches([',', ';']).to_owned());
        added.filter(|line| line.contains("->") && !text.contains(line.as_str())).collect()
    }

    #[test]
    fn an_input_is_ignored_exactly_where_no_edge_takes_it() {
        // Nothing arrives in B after its invariant.
        let expected = [
            "A -> A { guard x < 2 || x > 4; sync go?; }",
            "B -> B { guard x <= 1 || x > 3; sync go?; }",
            "C -> C { guard !b; sync go?; }",
        ];
        assert_eq!(loops(LAMP, &["go"]), expected);
    }

    #[test]
    fn an_input_without_edges_is_always_ignored() {
        let text = LAMP.replace("done;", "done, stop;").replace("go? }", "go?, stop? }");
        let added = loops(&text, &["stop"]);
        assert_eq!(added, ["A", "B", "C"].map(|at| format!("{at} -> {at} {{ sync stop?; }}")));
    }

    #[test]
    fn an_urgent_input_is_left_alone() {
        let text = LAMP.replace("broadcast", "urgent broadcast").replace("guard x >= 2; ", "");
        let text = text.replace("guard x > 1 && x <= 3; ", "");
        assert_eq!(loops(&text, &["go"]), [""; 0]);
    }

    #[test]
    fn what_is_input_enabled_stays_as_it_was_written() {
        let text =
            "broadcast chan go;\nprocess Lamp() { state A; init A; trans A -> A { sync go?; }; }
system Lamp;\nIO Lamp { go? }\n";
        let processes = [("Lamp".to_owned(), vec!["go".to_owned()])];
        let path = Path::new("Lamp.json");
        let made = enabled(path, text.to_owned(), &processes, &mut Sources::new());
        assert_eq!(made.unwrap(), text);
    }
}
