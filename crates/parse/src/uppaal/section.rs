//! Declarations, instances and the system line, as they follow each other in a text.

use tioga_base::Diagnostic;

use super::scope::{Scope, Text};
use super::unsupported::refuse_unsupported;
use super::{io, label, markers, xta_process};
use crate::clike::{Failed, Parsed, Parser};
use crate::syntax::{Instance, Item, ProcessUse, System};

/// Parses a whole text. What cannot be parsed is reported and skipped.
pub(super) fn items(parser: &mut Parser<'_>, context: &Text<'_>) -> Vec<Item> {
    let mut items = Vec::new();
    while !parser.at_end() {
        let before = parser.peek().span;
        match item(parser, context) {
            Ok(Some(item)) => items.push(item),
            Ok(None) => {}
            Err(Failed) => {
                parser.recover();
                // A stray `}` must not stop everything.
                if parser.at("}") || parser.peek().span == before {
                    parser.advance();
                }
            }
        }
    }
    markers::apply(&context.lexed.comments, context.scope, &mut items, parser.diagnostics);
    items
}

/// Parses one item, or nothing for a part that does not matter.
fn item(parser: &mut Parser<'_>, context: &Text<'_>) -> Parsed<Option<Item>> {
    let scope = context.scope;
    refuse_unsupported(parser)?;
    if parser.eat(";") {
        return Ok(None);
    }
    if scope != Scope::Local {
        if io::at_line(parser) {
            io::line(parser)?;
            return Ok(None);
        }
        if parser.at("system") {
            return Ok(Some(Item::System(system(parser)?)));
        }
        if (parser.at("progress") || parser.at("gantt")) && parser.is(1, "{") {
            skip_measures(parser);
            return Ok(None);
        }
        if at_instance(parser) {
            return Ok(Some(Item::Instance(instance(parser)?)));
        }
    }
    if scope == Scope::File {
        if parser.at("process") {
            return Ok(Some(Item::Template(xta_process::process(parser, context)?)));
        }
        if parser.at("query") && parser.is(1, "{") {
            return Ok(xta_process::query(parser, context)?.map(Item::Query));
        }
    }
    if parser.at_declaration() {
        return Ok(Some(Item::Declaration(parser.declaration()?)));
    }
    parser.complain(match scope {
        Scope::Local => "a declaration",
        Scope::Global => "a declaration, an instance or the system line",
        Scope::File => "a declaration, a process, an instance or the system line",
    })
}

/// Progress measures and charts say nothing about behaviour.
fn skip_measures(parser: &mut Parser<'_>) {
    let token = parser.advance();
    let what = if token.text == "progress" { "progress measures" } else { "gantt charts" };
    parser.diagnostics.push(
        Diagnostic::warning("ignored", token.span, format!("{what} are ignored"))
            .note("they do not change what the model does"),
    );
    let mut depth = 0usize;
    while !parser.at_end() {
        match parser.advance().text {
            "{" => depth += 1,
            "}" if depth <= 1 => return,
            "}" => depth -= 1,
            _ => {}
        }
    }
}

/// `P = T(…);` or `P(…) = T(…);`; no declaration starts with a name and one of these.
fn at_instance(parser: &Parser<'_>) -> bool {
    parser.is_name(0) && (parser.is(1, "=") || parser.is(1, ":=") || parser.is(1, "("))
}

fn instance(parser: &mut Parser<'_>) -> Parsed<Instance> {
    let name = parser.name("a process")?;
    let mut params = Vec::new();
    if parser.eat("(") && !parser.eat(")") {
        params = label::parameters(parser)?;
        parser.expect(")")?;
    }
    if !parser.eat(":=") {
        parser.expect("=")?;
    }
    let template = parser.name("a template")?;
    let arguments = arguments(parser)?.unwrap_or_default();
    parser.expect(";")?;
    let span = parser.span_from(name.span);
    Ok(Instance { name, params, template, arguments, span })
}

fn arguments(parser: &mut Parser<'_>) -> Parsed<Option<Vec<crate::syntax::Expr>>> {
    if !parser.eat("(") {
        return Ok(None);
    }
    let arguments = if parser.at(")") { Vec::new() } else { parser.expressions()? };
    parser.expect(")")?;
    Ok(Some(arguments))
}

fn system(parser: &mut Parser<'_>) -> Parsed<System> {
    let start = parser.expect("system")?;
    let mut system = Vec::new();
    loop {
        let name = parser.name("a process")?;
        let arguments = arguments(parser)?;
        let span = parser.span_from(name.span);
        system.push(ProcessUse { name, arguments, span });
        if parser.at("<") {
            let span = parser.peek().span;
            return parser.fail(
                Diagnostic::unsupported("priority", span, "process priorities are not supported")
                    .note("`<` in the system line gives the processes after it precedence")
                    .help("separate all processes with `,` if precedence does not matter"),
            );
        }
        if !parser.eat(",") {
            break;
        }
    }
    parser.expect(";")?;
    Ok(System { system, environment: Vec::new(), span: parser.span_from(start) })
}
