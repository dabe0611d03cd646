//! A network of one open process without variables as `.tioga` text, as the deterministic view of a
//! model is.

use std::collections::BTreeMap;
use std::fmt::Write;

use tioga_base::{Diagnostics, FileId, Rational};
use tioga_model::{
    BinaryOp, Bound, Channel, ChannelUse, ClockTerm, Code, Condition, Constraint, Direction, Edge,
    Expr, ExprId, Kind, Label, Network, Process, Type, Update,
};
use tioga_parse::clike::is_keyword;
use tioga_parse::syntax::Dialect;
use tioga_parse::{Format, parse, tioga};

/// The text, opened by these comment lines; or what cannot be written.
pub fn print(network: &Network, comments: &[String]) -> Result<String, String> {
    let mut text = String::new();
    for line in comments {
        line_of(&mut text, &format!("// {line}"));
    }
    line_of(&mut text, &format!("model {};", name(&network.name)));
    if let Some(unit) = network.time_unit {
        line_of(&mut text, &format!("time unit {} {};", unit.amount, unit.unit.name()));
    }
    line_of(&mut text, "");
    declare_channels(network, &mut text)?;
    for process in &network.processes {
        line_of(&mut text, "");
        write_process(network, process, &mut text)?;
    }
    // The formatter lays it out, and what it cannot read is an error here and not of the reader.
    let mut diagnostics = Diagnostics::new();
    let document = parse(Format::Tioga, FileId(0), &text, &mut diagnostics);
    let document = document.ok_or_else(|| format!("the text cannot be read again:\n{text}"))?;
    tioga::print(&document).map_err(|_| format!("the text cannot be laid out:\n{text}"))
}

fn line_of(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Declares the channels; elements of an array together.
fn declare_channels(network: &Network, text: &mut String) -> Result<(), String> {
    let mut arrays: Vec<(&str, &Channel, Vec<u64>)> = Vec::new();
    for channel in &network.channels {
        let (base, indices) = split(&channel.name)?;
        match arrays.iter_mut().find(|(known, ..)| *known == base) {
            Some((_, _, lengths)) => {
                for (length, index) in lengths.iter_mut().zip(indices) {
                    *length = (*length).max(index + 1);
                }
            }
            None => arrays.push((base, channel, indices.iter().map(|index| index + 1).collect())),
        }
    }
    // Plain channels of one direction in a row share a line.
    let mut plain: Vec<(&str, String)> = Vec::new();
    for (base, channel, lengths) in arrays {
        let direction = match channel.direction {
            Some(Direction::Input) => "input",
            Some(Direction::Output) => "output",
            None => "chan",
        };
        if lengths.is_empty() && channel.parameters.is_empty() {
            if plain.last().is_some_and(|(known, _)| *known != direction) {
                write_plain(&mut plain, text);
            }
            plain.push((direction, name(base)));
            continue;
        }
        write_plain(&mut plain, text);
        let mut line = format!("{direction} {}", name(base));
        for length in lengths {
            let _ = write!(line, "[{length}]");
        }
        if !channel.parameters.is_empty() {
            let mut types = Vec::new();
            for (position, ty) in channel.parameters.iter().enumerate() {
                if matches!(ty, Type::Scalar { .. } | Type::Array { .. } | Type::Record(_)) {
                    return Err(format!("the type of a parameter of `{base}` has no name"));
                }
                types.push(format!("{ty} v{}", position + 1));
            }
            let _ = write!(line, "({})", types.join(", "));
        }
        line_of(text, &format!("{line};"));
    }
    write_plain(&mut plain, text);
    Ok(())
}

fn write_plain(plain: &mut Vec<(&str, String)>, text: &mut String) {
    if let Some((direction, _)) = plain.first() {
        let names: Vec<&str> = plain.iter().map(|(_, name)| name.as_str()).collect();
        line_of(text, &format!("{direction} {};", names.join(", ")));
    }
    plain.clear();
}

/// The name of an array and the indices of an element; a plain channel has none.
fn split(full: &str) -> Result<(&str, Vec<u64>), String> {
    let mut parts = full.split(['[', ']']).filter(|part| !part.is_empty());
    let base = parts.next().unwrap_or(full);
    let indices = parts.map(str::parse).collect::<Result<_, _>>();
    indices.map(|indices| (base, indices)).map_err(|_| format!("`{full}` is no plain name"))
}

fn write_process(network: &Network, process: &Process, text: &mut String) -> Result<(), String> {
    line_of(text, &format!("automaton {} {{", name(&process.name)));
    let clocks: Vec<String> = network.clocks.iter().map(|clock| clock_name(&clock.name)).collect();
    if !clocks.is_empty() {
        line_of(text, &format!("clock {};\n", clocks.join(", ")));
    }
    for (id, location) in process.locations.iter_ids() {
        let mut line = String::new();
        if id == process.initial {
            line.push_str("init ");
        }
        for mark in location.marks.names().filter(|mark| *mark != "init") {
            let _ = write!(line, "{mark} ");
        }
        let _ = write!(line, "location {}", name(&location.name));
        let invariant = clock_condition(network, &location.invariant)?;
        if !invariant.is_empty() {
            let _ = write!(line, " invariant {invariant}");
        }
        line_of(text, &format!("{line};"));
    }
    line_of(text, "");
    for edge in &process.edges {
        line_of(text, &edge_text(network, process, edge)?);
    }
    line_of(text, "}");
    Ok(())
}

fn edge_text(network: &Network, process: &Process, edge: &Edge) -> Result<String, String> {
    let place = |id| name(&process.locations[id].name);
    let target = if edge.source == edge.target { "self".to_owned() } else { place(edge.target) };
    let mut line = format!("{} -> {target} : ", place(edge.source));
    match &edge.label {
        Label::Send(used) => line.push_str(&sent(network, used)?),
        Label::Receive(used) => {
            let mut values = BTreeMap::new();
            for data in edge.guard.disjuncts.iter().filter_map(|conjunct| conjunct.data) {
                received(&network.code, data, &mut values)?;
            }
            let values: Vec<String> = values.into_values().collect();
            let _ = write!(line, "{}?", applied(network, used, &values)?);
        }
        Label::Silent | Label::Plain(_) => return Err("an edge shows nothing".to_owned()),
    }
    if let Some(reply) = &edge.reply {
        let _ = write!(line, " / {}", sent(network, reply)?);
    }
    let guard = clock_condition(network, &edge.guard)?;
    if !guard.is_empty() {
        let _ = write!(line, " when {guard}");
    }
    let mut resets = Vec::new();
    for update in &edge.updates {
        let Update::Clock(update) = update else {
            return Err("an edge changes data".to_owned());
        };
        let Bound::Constant(value) = update.value else {
            return Err("a clock is set to a computed value".to_owned());
        };
        let clock = clock_name(&network.clocks[update.clock.clock].name);
        resets.push(format!("{clock} = {}", time(network, value)?));
    }
    if !resets.is_empty() {
        let _ = write!(line, " do {}", resets.join(", "));
    }
    line.push(';');
    Ok(line)
}

fn sent(network: &Network, used: &ChannelUse) -> Result<String, String> {
    let value = |expr: &ExprId| literal(&network.code, *expr);
    let values = used.arguments.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("{}!", applied(network, used, &values)?))
}

fn applied(network: &Network, used: &ChannelUse, values: &[String]) -> Result<String, String> {
    let (base, indices) = split(&network.channels[used.channel].name)?;
    let mut text = name(base);
    for index in indices {
        let _ = write!(text, "[{index}]");
    }
    if !values.is_empty() {
        let _ = write!(text, "({})", values.join(", "));
    }
    Ok(text)
}

/// The values that a condition on received values asks for, by their place in the frame.
fn received(code: &Code, expr: ExprId, values: &mut BTreeMap<u32, String>) -> Result<(), String> {
    match &code.nodes[expr].expr {
        Expr::Binary(BinaryOp::And, left, right) => {
            received(code, *left, values)?;
            received(code, *right, values)
        }
        Expr::Binary(BinaryOp::Eq, left, right) => match &code.nodes[*left].expr {
            Expr::Load(place) => {
                values.insert(place.offset, literal(code, *right)?);
                Ok(())
            }
            _ => Err("a condition is no comparison with a received value".to_owned()),
        },
        _ => Err("a condition is no comparison with a received value".to_owned()),
    }
}

fn literal(code: &Code, expr: ExprId) -> Result<String, String> {
    let node = &code.nodes[expr];
    match (&node.expr, node.kind) {
        (Expr::Int(value), Kind::Bool) => Ok((*value != 0).to_string()),
        (Expr::Int(value), _) => Ok(value.to_string()),
        (Expr::Rational(value), _) => Ok(value.to_string()),
        _ => Err("a value is not constant".to_owned()),
    }
}

/// The clock part of a conjunction; empty if there is none.
fn clock_condition(network: &Network, condition: &Condition) -> Result<String, String> {
    let [conjunct] = &condition.disjuncts[..] else {
        return Err("a condition is a disjunction".to_owned());
    };
    let mut parts: Vec<String> = Vec::new();
    let mut rest: &[Constraint] = &conjunct.clocks;
    while let Some((one, after)) = rest.split_first() {
        rest = after;
        // A lower and an upper bound that meet are an equality.
        if let Some((next, after)) = rest.split_first()
            && (one.left, one.right) == (next.right, next.left)
            && let (Bound::Constant(low), Bound::Constant(high)) = (one.bound, next.bound)
            && low == -high
        {
            rest = after;
            let upper = if one.left.is_some() { one } else { next };
            parts.push(comparison(network, upper, "==")?);
        } else {
            // Clocks are never negative.
            let zero = one.right.is_none() && one.bound == Bound::Constant(0) && !one.strict;
            let operator = match (zero, one.strict) {
                (true, _) => "==",
                (false, true) => "<",
                (false, false) => "<=",
            };
            parts.push(comparison(network, one, operator)?);
        }
    }
    Ok(parts.join(" && "))
}

fn comparison(network: &Network, one: &Constraint, operator: &str) -> Result<String, String> {
    let Bound::Constant(value) = one.bound else {
        return Err("a clock is compared with a computed value".to_owned());
    };
    let clock = |term: ClockTerm| clock_name(&network.clocks[term.clock].name);
    Ok(match (one.left, one.right) {
        (Some(left), None) => format!("{} {operator} {}", clock(left), time(network, value)?),
        (None, Some(right)) => {
            let operator = operator.replace('<', ">");
            format!("{} {operator} {}", clock(right), time(network, -value)?)
        }
        (Some(left), Some(right)) => {
            format!("{} - {} {operator} {}", clock(left), clock(right), time(network, value)?)
        }
        (None, None) => return Err("a condition has no clock".to_owned()),
    })
}

/// An amount of time as it is written.
fn time(network: &Network, value: i64) -> Result<String, String> {
    let time = Rational::new(value, network.scale);
    time.map(|time| time.to_string()).map_err(|_| "a constant is too large".to_owned())
}

/// A clock without the process it belongs to.
fn clock_name(full: &str) -> String {
    name(full.rsplit('.').next().unwrap_or(full))
}

/// A name that the language takes.
fn name(text: &str) -> String {
    let mut name: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) || name.is_empty() {
        name.insert(0, '_');
    }
    if is_keyword(&name, Dialect::Tioga) || name == "self" {
        name.push('_');
    }
    name
}
