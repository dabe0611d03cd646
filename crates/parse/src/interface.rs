//! Writes the interface of the system under test into a document.
//!
//! UPPAAL files cannot declare which channels are inputs and outputs and which processes belong to
//! the environment: options do, or it follows from the users of a channel. `.tioga` declares all of
//! it, so a conversion to `.tioga` writes the interface. Processes of the environment come last
//! there, which may change the order in which moves are enumerated, but not the set of moves.

use tioga_base::{Diagnostic, Diagnostics, Span};
use tioga_model::{Direction, Network, Role};

use crate::syntax::{
    Declaration, DeclarationKind, Declarator, Dialect, Document, Item, Name, ProcessUse, System,
    TemplateKind, TypeExpr, TypeKind,
};

/// The document with the interface of the network that was made from it, or what of that cannot be
/// expressed. Documents whose language can say it are returned as they are.
pub fn declare_interface(document: &Document, network: &Network) -> Result<Document, Diagnostics> {
    let mut declared = document.clone();
    if document.dialect != Dialect::Uppaal {
        return Ok(declared);
    }
    let mut diagnostics = Diagnostics::new();
    declared.items = Vec::new();
    for item in &document.items {
        match item {
            Item::Declaration(declaration) => {
                let parts = split(declaration, network, &mut diagnostics);
                declared.items.extend(parts.into_iter().map(Item::Declaration));
            }
            Item::System(system) => {
                let uses = system.system.iter().chain(&system.environment).cloned();
                declared.items.push(sides(uses.collect(), system.span, network, &mut diagnostics));
            }
            other => declared.items.push(other.clone()),
        }
    }
    let written = document.items.iter().any(|item| matches!(item, Item::System(_)));
    let environment = network.processes.iter().any(|process| process.role == Role::Environment);
    if !written && environment {
        let automata = document.templates().filter(|template| {
            template.kind == TemplateKind::Automaton && template.params.is_empty()
        });
        let uses = automata.map(|template| {
            let name = template.name.clone();
            ProcessUse { span: name.span, name, arguments: None }
        });
        let system = sides(uses.collect(), Span::default(), network, &mut diagnostics);
        declared.items.push(system);
    }
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(declared) }
}

/// A declaration of channels as several, one for each direction that occurs.
fn split(
    declaration: &Declaration,
    network: &Network,
    diagnostics: &mut Diagnostics,
) -> Vec<Declaration> {
    let DeclarationKind::Variables { constant, symbolic, meta, ty, declarators, .. } =
        &declaration.kind
    else {
        return vec![declaration.clone()];
    };
    let TypeKind::Channel(channel) = &ty.kind else { return vec![declaration.clone()] };
    let mut parts: Vec<(Option<Direction>, Vec<Declarator>)> = Vec::new();
    for declarator in declarators {
        let direction = direction(&declarator.name, network, diagnostics).or(channel.direction);
        match parts.last_mut() {
            Some((last, declarators)) if *last == direction => declarators.push(declarator.clone()),
            _ => parts.push((direction, vec![declarator.clone()])),
        }
    }
    let part = |(direction, declarators)| {
        let mut channel = *channel;
        channel.direction = direction;
        let ty = TypeExpr { kind: TypeKind::Channel(channel), span: ty.span };
        let (constant, symbolic, meta) = (*constant, *symbolic, *meta);
        let condition = None;
        let kind =
            DeclarationKind::Variables { constant, symbolic, meta, ty, declarators, condition };
        Declaration { kind, span: declaration.span }
    };
    parts.into_iter().map(part).collect()
}

/// The direction all channels of a declared name have.
fn direction(name: &Name, network: &Network, diagnostics: &mut Diagnostics) -> Option<Direction> {
    let belongs = |full: &str| {
        full.strip_prefix(name.text.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    };
    let mut found =
        network.channels.iter().filter(|one| belongs(&one.name)).map(|one| one.direction);
    let first = found.next()?;
    if found.any(|direction| direction != first) {
        let message = format!("the elements of `{}` go different ways", name.text);
        diagnostics.push(
            Diagnostic::error("inexpressible", name.span, message)
                .note("in .tioga an array of channels is an input, an output or internal")
                .help("give the whole array a direction with the interface options"),
        );
    }
    first
}

/// A system line with the processes of the environment on their side.
fn sides(
    uses: Vec<ProcessUse>,
    span: Span,
    network: &Network,
    diagnostics: &mut Diagnostics,
) -> Item {
    let mut line = System { system: Vec::new(), environment: Vec::new(), span };
    for one in uses {
        let belongs = |full: &str| {
            full.strip_prefix(one.name.text.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
        };
        let mut roles =
            network.processes.iter().filter(|process| belongs(&process.name)).map(|one| one.role);
        let role = roles.next().unwrap_or(Role::System);
        if roles.any(|other| other != role) {
            let message = format!("only some processes `{}` are environment", one.name.text);
            diagnostics.push(
                Diagnostic::error("inexpressible", one.span, message)
                    .note("in .tioga a process name stands on one side of the interface")
                    .help("name all of them as environment, or none"),
            );
        }
        match role {
            Role::System => line.system.push(one),
            Role::Environment => line.environment.push(one),
        }
    }
    Item::System(line)
}

#[cfg(test)]
mod tests {
    use tioga_base::FileId;

    use super::*;
    use crate::{Options, lower, tioga, uppaal};

    const LAMP: &str = "chan press, dim, bright, tick;
process Lamp() { state Off, On; init Off; trans Off -> On { sync press?; }, On -> Off { sync dim!; }; }
process User() { state U; init U; trans U -> U { sync press!; }; }
process Clock() { state C, D; init C; trans C -> D { sync tick!; }; }
process Ear() { state E; init E; trans E -> E { sync tick?; }; }
system Clock, User, Lamp, Ear;";

    fn converted(text: &str, environment: &[&str]) -> Result<String, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let document = uppaal::parse_xta(FileId(0), text, &mut diagnostics).unwrap();
        let environment = environment.iter().map(|&name| name.to_owned()).collect();
        let options = Options { environment, ..Options::default() };
        let network = lower(&document, &options, &mut diagnostics).unwrap();
        tioga::print(&declare_interface(&document, &network)?)
    }

    #[test]
    fn channels_get_their_directions_and_processes_their_sides() {
        let text = converted(LAMP, &["User"]).unwrap();
        for line in ["input press;", "output dim;", "chan bright, tick;"] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
        assert!(text.contains("system Clock, Lamp, Ear environment User;"), "{text}");
    }

    #[test]
    fn what_was_inferred_is_what_is_read_back() {
        let mut diagnostics = Diagnostics::new();
        let text = converted(LAMP, &["User"]).unwrap();
        let document = tioga::parse(FileId(0), &text, &mut diagnostics).unwrap();
        let network = lower(&document, &Options::default(), &mut diagnostics).unwrap();
        let direction = |name: &str| {
            network.channels.iter().find(|channel| channel.name == name).unwrap().direction
        };
        assert_eq!(direction("press"), Some(Direction::Input));
        assert_eq!(direction("dim"), Some(Direction::Output));
        assert_eq!(direction("tick"), None);
    }

    #[test]
    fn an_array_that_goes_both_ways_is_refused() {
        let text = "chan c[2];
process P() { state A; init A; trans A -> A { sync c[0]?; }, A -> A { sync c[1]!; }; }
system P;";
        let mut diagnostics = Diagnostics::new();
        let document = uppaal::parse_xta(FileId(0), text, &mut diagnostics).unwrap();
        let (inputs, outputs) = (vec!["c[0]".to_owned()], vec!["c[1]".to_owned()]);
        let options = Options { inputs, outputs, ..Options::default() };
        let network = lower(&document, &options, &mut diagnostics).unwrap();
        let refused = declare_interface(&document, &network).unwrap_err();
        assert_eq!(refused.iter().next().unwrap().code, "inexpressible");
    }
}
