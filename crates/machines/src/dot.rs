//! Graphviz DOT as learning tools write machines: `s0 -> s1 [label="input/output"];`, and the initial state
//! is where a node named `__start…` leads.

use std::fmt::Write;

use crate::error::Error;
use crate::machine::{Machine, Transition};

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Name(String),
    Mark(char),
    Arrow,
}

/// Reads a machine.
///
/// The label of an edge is cut at its first slash, and blanks around both halves do not count. Semicolons
/// and the name of the graph may be missing, and names need not be quoted. Node labels are ignored.
///
/// # Errors
/// If the text is no graph, or the graph no deterministic machine.
pub fn read_dot(text: &str) -> Result<Machine, Error> {
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens: &tokens, at: 0 };
    let (name, states, edges) = reader.graph()?;
    let is_start = |name: &str| name.starts_with("__start");
    let mut initial = None;
    let mut transitions = Vec::new();
    for Edge { source, target, label, line } in edges {
        if is_start(&source) {
            if initial.is_some_and(|known| known != target) {
                let what = "there are several initial states".to_owned();
                return Err(Error::NotAMachine(what));
            }
            initial = Some(target);
            continue;
        }
        let Some(label) = label else {
            let what =
                format!("the edge from `{source}` to `{target}` in line {line} has no label");
            return Err(Error::NotAMachine(what));
        };
        let Some((input, output)) = label.split_once('/') else {
            let what = format!(
                "the edge from `{source}` to `{target}` in line {line} is labelled `{label}`, \
                 not `input/output`; machines whose outputs are at states (Moore) are not read"
            );
            return Err(Error::NotAMachine(what));
        };
        let (input, output) = (input.trim().to_owned(), output.trim().to_owned());
        transitions.push(Transition { source, input, output, target });
    }
    let Some(initial) = initial else {
        let what = "no edge from a node `__start0` says where it starts".to_owned();
        return Err(Error::NotAMachine(what));
    };
    let states = states.into_iter().filter(|state| !is_start(state));
    Machine::new(name, states, &initial, &transitions)
}

/// Writes a machine, so that [`read_dot`] reads it again.
pub fn write_dot(machine: &Machine) -> String {
    let mut text = format!("digraph {} {{\n", quoted(&machine.name));
    for state in machine.states() {
        let name = quoted(machine.state_name(state));
        let _ = writeln!(text, "  {name} [label={name}];");
    }
    for (source, input, output, target) in machine.transitions() {
        let label =
            quoted(&format!("{}/{}", machine.input_name(input), machine.output_name(output)));
        let (source, target) = (machine.state_name(source), machine.state_name(target));
        let _ = writeln!(text, "  {} -> {} [label={label}];", quoted(source), quoted(target));
    }
    let initial = quoted(machine.state_name(machine.initial()));
    let _ = writeln!(text, "  __start0 [label=\"\", shape=none];\n  __start0 -> {initial};\n}}");
    text
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

struct Edge {
    source: String,
    target: String,
    label: Option<String>,
    line: usize,
}

fn syntax(line: usize, message: impl Into<String>) -> Error {
    Error::Syntax { line, message: message.into() }
}

fn tokens(text: &str) -> Result<Vec<(Token, usize)>, Error> {
    let mut all = Vec::new();
    let mut line = 1;
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text).char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '\n' => line += 1,
            c if c.is_whitespace() => {}
            '#' | '/' if c == '#' || rest.peek().is_some_and(|(_, next)| *next == '/') => {
                while rest.peek().is_some_and(|(_, next)| *next != '\n') {
                    rest.next();
                }
            }
            '/' if rest.peek().is_some_and(|(_, next)| *next == '*') => {
                let begin = line;
                let mut before = ' ';
                rest.next();
                loop {
                    match rest.next() {
                        Some((_, '/')) if before == '*' => break,
                        Some((_, c)) => {
                            line += usize::from(c == '\n');
                            before = c;
                        }
                        None => return Err(syntax(begin, "this comment does not end")),
                    }
                }
            }
            '"' => {
                let begin = line;
                let mut name = String::new();
                loop {
                    match rest.next() {
                        Some((_, '"')) => break,
                        // Only a quote and a backslash are escaped; the rest is Graphviz's own.
                        Some((_, '\\')) => match rest.next() {
                            Some((_, c @ ('"' | '\\'))) => name.push(c),
                            Some((_, '\n')) => line += 1,
                            Some((_, c)) => name.extend(['\\', c]),
                            None => return Err(syntax(begin, "this text does not end")),
                        },
                        Some((_, c)) => {
                            line += usize::from(c == '\n');
                            name.push(c);
                        }
                        None => return Err(syntax(begin, "this text does not end")),
                    }
                }
                all.push((Token::Name(name), begin));
            }
            '-' if rest.peek().is_some_and(|(_, next)| *next == '>') => {
                rest.next();
                all.push((Token::Arrow, line));
            }
            '-' if rest.peek().is_some_and(|(_, next)| *next == '-') => {
                let message = "`--` is an edge without direction; a machine has `->`";
                return Err(syntax(line, message));
            }
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => all.push((Token::Mark(c), line)),
            '<' => return Err(syntax(line, "labels in HTML are not read")),
            c if is_bare(c) || c == '-' => {
                let mut end = at + c.len_utf8();
                while let Some((next, c)) = rest.peek().copied() {
                    if !is_bare(c) {
                        break;
                    }
                    end = next + c.len_utf8();
                    rest.next();
                }
                let begin = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
                all.push((Token::Name(text[begin + at..begin + end].to_owned()), line));
            }
            other => {
                return Err(syntax(
                    line,
                    format!("`{}` is not expected here", other.escape_debug()),
                ));
            }
        }
    }
    Ok(all)
}

fn is_bare(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.' || !c.is_ascii()
}

struct Reader<'t> {
    tokens: &'t [(Token, usize)],
    at: usize,
}

type Graph = (String, Vec<String>, Vec<Edge>);

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn line(&self) -> usize {
        let last = self.at.min(self.tokens.len().saturating_sub(1));
        self.tokens.get(last).map_or(1, |(_, line)| *line)
    }

    fn take(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(&Token::Mark(mark));
        self.at += usize::from(found);
        found
    }

    fn name(&mut self) -> Option<String> {
        let Some(Token::Name(name)) = self.peek() else { return None };
        let name = name.clone();
        self.at += 1;
        Some(name)
    }

    fn expect(&mut self, mark: char) -> Result<(), Error> {
        if self.take(mark) {
            Ok(())
        } else {
            Err(syntax(self.line(), format!("expected `{mark}`")))
        }
    }

    fn graph(&mut self) -> Result<Graph, Error> {
        let mut word = self.name();
        if word.as_deref().is_some_and(|word| word.eq_ignore_ascii_case("strict")) {
            word = self.name();
        }
        if !word.as_deref().is_some_and(|word| word.eq_ignore_ascii_case("digraph")) {
            return Err(syntax(self.line(), "expected `digraph`"));
        }
        let name = self.name().unwrap_or_else(|| "machine".to_owned());
        self.expect('{')?;
        let (mut states, mut edges) = (Vec::new(), Vec::new());
        loop {
            if self.take('}') {
                break;
            }
            if self.take(';') {
                continue;
            }
            let line = self.line();
            let Some(first) = self.name() else {
                let what = if self.peek().is_none() {
                    "the graph does not end with `}`"
                } else {
                    "expected a node"
                };
                return Err(syntax(line, what));
            };
            if first == "subgraph" {
                return Err(syntax(line, "subgraphs are not read"));
            }
            if self.take('=') {
                // An attribute of the graph.
                self.name().ok_or_else(|| syntax(line, "expected a value"))?;
                continue;
            }
            self.port()?;
            if self.peek() != Some(&Token::Arrow) {
                self.attributes()?;
                if !matches!(&first[..], "graph" | "node" | "edge") {
                    states.push(first);
                }
                continue;
            }
            let mut way = vec![first];
            while self.peek() == Some(&Token::Arrow) {
                self.at += 1;
                way.push(self.name().ok_or_else(|| syntax(line, "expected a node after `->`"))?);
                self.port()?;
            }
            let label = self.attributes()?;
            edges.extend(way.windows(2).map(|pair| Edge {
                source: pair[0].clone(),
                target: pair[1].clone(),
                label: label.clone(),
                line,
            }));
        }
        if self.at < self.tokens.len() {
            return Err(syntax(self.line(), "nothing is expected after the graph"));
        }
        Ok((name, states, edges))
    }

    /// A port of a node, which does not matter.
    fn port(&mut self) -> Result<(), Error> {
        while self.take(':') {
            self.name().ok_or_else(|| syntax(self.line(), "expected a port after `:`"))?;
        }
        Ok(())
    }

    /// The label among attributes, if there is one.
    fn attributes(&mut self) -> Result<Option<String>, Error> {
        let mut label = None;
        while self.take('[') {
            while !self.take(']') {
                if self.take(',') || self.take(';') {
                    continue;
                }
                let line = self.line();
                let key =
                    self.name().ok_or_else(|| syntax(line, "expected an attribute or `]`"))?;
                if self.take('=') {
                    let value = self.name().ok_or_else(|| syntax(line, "expected a value"))?;
                    if key.eq_ignore_ascii_case("label") {
                        label = Some(value);
                    }
                }
            }
        }
        Ok(label)
    }
}
