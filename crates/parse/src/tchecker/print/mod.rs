//! Prints a model as `.tck`.
//!
//! The file means what the model means, or nothing is printed: every construct that TChecker lacks
//! is refused with its place. A guard with alternatives becomes several edges with the same effect.

mod events;
mod formula;
mod layout;
mod naming;
mod update;

use std::fmt::Write;

use tioga_base::Diagnostics;
use tioga_model::{Control, Edge, Location, Model, Network, Process, ProcessId};

use events::Events;
use formula::{Formulas, conjunction};
use layout::Layout;
use naming::Scope;

/// The model as `.tck` text, or the reasons why there is none.
pub fn print(model: &Model) -> Result<String, Diagnostics> {
    let network: &Network = model;
    let mut diagnostics = Diagnostics::new();
    let layout = Layout::new(network, &mut diagnostics);
    let mut formulas = Formulas { network, layout, diagnostics };
    let text = formulas.file();
    if formulas.diagnostics.has_errors() { Err(formulas.diagnostics) } else { Ok(text) }
}

impl Formulas<'_> {
    fn file(&mut self) -> String {
        let network = self.network;
        let mut text = String::new();
        if network.scale != 1 {
            let _ = writeln!(text, "# tioga: time scaled by {}", network.scale);
        }
        for name in self.environment() {
            let _ =
                writeln!(text, "# tioga: process {} is part of the environment", one_line(name));
        }
        for purpose in &network.purposes {
            let name = one_line(&purpose.process.name);
            let _ = writeln!(text, "# tioga: test purpose {name} is left out");
        }
        let _ = writeln!(text, "system:{}\n", Scope::default().give(&network.name));
        let mut scope = Scope::default();
        let names: Vec<String> =
            network.processes.iter().map(|process| scope.give(&process.name)).collect();
        let events = self.events(&names);
        let _ = writeln!(text, "{}\n{}", self.layout.text, events.text);
        for ((id, process), name) in network.processes.iter_ids().zip(&names) {
            self.process(id, process, name, &events, &mut text);
            text.push('\n');
        }
        text.push_str(&events.syncs);
        text
    }

    fn process(
        &mut self,
        id: ProcessId,
        process: &Process,
        name: &str,
        events: &Events,
        text: &mut String,
    ) {
        let _ = writeln!(text, "process:{name}");
        let mut scope = Scope::default();
        let mut locations = Vec::new();
        for (location_id, location) in process.locations.iter_ids() {
            let given = scope.give(&location.name);
            let initial = location_id == process.initial;
            if let Some(attributes) = self.location(location, initial) {
                let _ = writeln!(text, "location:{name}:{given}{attributes}");
            }
            locations.push(given);
        }
        for edge in &process.edges {
            let ends = [edge.source, edge.target]
                .map(|end| locations.get(end.0 as usize).map_or("", String::as_str));
            // A refusal is among the diagnostics; the remaining edges are still checked.
            let _ =
                self.edge(id, edge, &format!("edge:{name}:{}:{}", ends[0], ends[1]), events, text);
        }
    }

    fn location(&mut self, location: &Location, initial: bool) -> Option<String> {
        let mut attributes = Vec::new();
        let marks = location.marks;
        for (set, key) in
            [(initial, "initial:"), (marks.committed, "committed:"), (marks.urgent, "urgent:")]
        {
            if set {
                attributes.push(key.to_owned());
            }
        }
        let mut labels: Vec<String> = location.labels.iter().map(|label| plain(label)).collect();
        for (set, label) in [
            (marks.accept, "accept"),
            (marks.refuse, "refuse"),
            (marks.fail, "fail"),
            (marks.desired, "desired"),
        ] {
            if set {
                labels.push(label.to_owned());
            }
        }
        if !labels.is_empty() {
            attributes.push(format!("labels: {}", labels.join(",")));
        }
        match location.invariant.disjuncts.as_slice() {
            [] => attributes.push("invariant: 1 == 0".to_owned()),
            _ if location.invariant.is_always() => {}
            [conjunct] => {
                let alternatives = self.conjunct(conjunct, location.span)?;
                match alternatives.as_slice() {
                    [] => attributes.push("invariant: 1 == 0".to_owned()),
                    [atoms] => attributes.push(format!("invariant: {}", conjunction(atoms))),
                    _ => return self.refuse_disjunction(location),
                }
            }
            _ => return self.refuse_disjunction(location),
        }
        Some(list(&attributes))
    }

    fn refuse_disjunction<T>(&mut self, location: &Location) -> Option<T> {
        let what = format!("the invariant of `{}`, a disjunction,", location.name);
        self.refuse(location.span, &what, "an invariant is one conjunction")
    }

    fn edge(
        &mut self,
        process: ProcessId,
        edge: &Edge,
        head: &str,
        events: &Events,
        text: &mut String,
    ) -> Option<()> {
        if edge.reply.is_some() {
            return self.refuse(edge.span, "a Mealy step", "an edge has one event");
        }
        let printed = self.events_of(events, process, edge)?;
        if printed.is_empty() {
            let _ = writeln!(text, "# tioga: an edge without partner is left out");
            return Some(());
        }
        let effect = self.updates(&edge.updates, edge.span)?;
        let mut guards = Vec::new();
        for conjunct in &edge.guard.disjuncts {
            guards.extend(self.conjunct(conjunct, edge.span)?);
        }
        for event in printed {
            for guard in &guards {
                let mut atoms: Vec<String> = event.condition.iter().cloned().collect();
                atoms.extend_from_slice(guard);
                let mut attributes = Vec::new();
                if !atoms.is_empty() {
                    attributes.push(format!("provided: {}", conjunction(&atoms)));
                }
                if !effect.is_empty() {
                    attributes.push(format!("do: {effect}"));
                }
                match (edge.control, event.offered) {
                    (Control::Controllable, false) => attributes.push("controllable:".to_owned()),
                    (Control::Uncontrollable, true) => {
                        attributes.push("uncontrollable:".to_owned());
                    }
                    _ => {}
                }
                let _ = writeln!(text, "{head}:{}{}", event.name, list(&attributes));
            }
        }
        Some(())
    }
}

/// An attribute list, or nothing.
fn list(attributes: &[String]) -> String {
    if attributes.is_empty() { String::new() } else { format!("{{{}}}", attributes.join(" : ")) }
}

/// A label without the characters that mean something to the format.
fn plain(label: &str) -> String {
    let reserved = |c: char| c.is_whitespace() || ":@#{},".contains(c);
    label.replace(reserved, "_")
}

fn one_line(name: &str) -> String {
    name.replace(char::is_control, " ")
}
