//! What is said between tester and system, as types, values and names of TTCN-3.

use std::collections::{BTreeMap, BTreeSet};

use tioga_testcase::{Action, Side, Suite};

use crate::text::one_line;

/// The message types of a suite.
pub(super) struct Vocabulary {
    inputs: BTreeMap<String, Message>,
    outputs: BTreeMap<String, Message>,
    /// Inputs that are no messages.
    own_moves: BTreeSet<String>,
}

/// The type of what is sent or received on a channel.
pub(super) struct Message {
    /// Its name.
    pub name: String,
    /// The channel.
    pub channel: String,
    /// The types of the values.
    pub fields: Vec<Field>,
    /// How many values there are at least.
    pub always: usize,
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Integer,
    Boolean,
    Text,
}

impl Field {
    fn of(value: &str) -> Self {
        let digits = value.strip_prefix('-').unwrap_or(value);
        let plain = digits == "0" || !digits.starts_with('0');
        let number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match value {
            "true" | "false" => Self::Boolean,
            _ if number && plain => Self::Integer,
            _ => Self::Text,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Text => "universal charstring",
        }
    }
}

impl Vocabulary {
    pub fn new(suite: &Suite) -> Self {
        let gather = |side: Side, prefix: &str| {
            let mut messages: BTreeMap<String, Message> = BTreeMap::new();
            let mut taken = BTreeSet::new();
            for case in &suite.cases {
                let listed = match side {
                    Side::Tester => &case.inputs,
                    Side::System => &case.outputs,
                };
                let edges = case.places.iter().flat_map(|place| &place.edges);
                let used = edges.filter(|edge| edge.by == side).map(|edge| &edge.action);
                for action in listed.iter().chain(used) {
                    let channel = action.channel.clone();
                    let message = messages.entry(channel).or_insert_with_key(|channel| {
                        let name = unique(identifier(prefix, channel), &mut taken);
                        let (channel, always) = (channel.clone(), action.values.len());
                        Message { name, channel, fields: Vec::new(), always }
                    });
                    message.learn(action);
                }
            }
            messages
        };
        let own_moves =
            suite.cases.iter().flat_map(|case| case.own_moves.iter().cloned()).collect();
        let (inputs, outputs) = (gather(Side::Tester, "In_"), gather(Side::System, "Out_"));
        Self { inputs, outputs, own_moves }
    }

    /// Whether the tester does this by itself, without a message.
    pub fn is_own_move(&self, input: &Action) -> bool {
        self.own_moves.contains(&input.channel)
    }

    fn of(&self, side: Side) -> &BTreeMap<String, Message> {
        match side {
            Side::Tester => &self.inputs,
            Side::System => &self.outputs,
        }
    }

    /// The messages of a side, by channel.
    pub fn messages(&self, side: Side) -> impl Iterator<Item = &Message> {
        self.of(side).values()
    }

    /// An action as a value: `In_level:{ value1 := 3 }`.
    pub fn value(&self, side: Side, action: &Action) -> String {
        let Some(message) = self.of(side).get(&action.channel) else {
            return "omit".to_owned(); // Every action of the suite was learnt.
        };
        let fields = message.fields.iter().enumerate().map(|(index, field)| {
            let value = match action.values.get(index) {
                Some(value) if *field == Field::Text => literal(value),
                Some(value) => value.clone(),
                None => "omit".to_owned(),
            };
            format!("value{} := {value}", index + 1)
        });
        let fields: Vec<String> = fields.collect();
        if fields.is_empty() {
            return format!("{}:{{}}", message.name);
        }
        format!("{}:{{ {} }}", message.name, fields.join(", "))
    }
}

impl Message {
    /// Takes another action on the channel into account: a field that has values of two types is
    /// text.
    fn learn(&mut self, action: &Action) {
        self.always = self.always.min(action.values.len());
        for (index, value) in action.values.iter().enumerate() {
            let field = Field::of(value);
            match self.fields.get_mut(index) {
                None => self.fields.push(field),
                Some(known) if *known != field => *known = Field::Text,
                Some(_) => {}
            }
        }
    }
}

/// The prefix and what letters and digits there are.
pub(super) fn identifier(prefix: &str, text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = text.chars().take(60).map(plain).collect();
    format!("{prefix}{name}")
}

fn unique(name: String, taken: &mut BTreeSet<String>) -> String {
    let mut candidate = name.clone();
    let mut number = 2u64;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{name}_{number}");
        number += 1;
    }
    candidate
}

/// A string; what is not plain is written by its number, in groups of 8 bits.
fn literal(text: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut plain = String::new();
    for character in text.chars() {
        if (character.is_ascii_graphic() || character == ' ') && character != '\\' {
            plain.push(character);
            continue;
        }
        if !plain.is_empty() {
            parts.push(quoted(&std::mem::take(&mut plain)));
        }
        let [group, plane, row, cell] = u32::from(character).to_be_bytes();
        parts.push(format!("char({group}, {plane}, {row}, {cell})"));
    }
    if !plain.is_empty() || parts.is_empty() {
        parts.push(quoted(&plain));
    }
    parts.join(" & ")
}

/// Words for people, as a string of plain characters.
pub(super) fn words(text: &str) -> String {
    let mut plain = String::new();
    for character in one_line(text).replace('\\', "/").chars() {
        if character.is_ascii() {
            plain.push(character);
        } else {
            plain.push('?');
        }
    }
    quoted(&plain)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_made_of_plain_characters_and_numbers() {
        assert_eq!(literal("a\"b"), "\"a\"\"b\"");
        assert_eq!(literal("é\\x"), "char(0, 0, 0, 233) & char(0, 0, 0, 92) & \"x\"");
        assert_eq!(literal(""), "\"\"");
        assert_eq!(words("a\nb é"), "\"a/nb ?\"");
    }

    #[test]
    fn a_value_has_the_type_that_all_values_have() {
        let action = |values: &[&str]| Action {
            channel: "set".to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        let case = tioga_testcase::TestCase {
            name: "c".to_owned(),
            shape: tioga_testcase::Shape::Automaton,
            summary: tioga_testcase::Summary::default(),
            scale: 1,
            clocks: Vec::new(),
            inputs: vec![action(&["1", "true", "7"]), action(&["-20", "false", "x"])],
            outputs: vec![action(&[]), action(&["1"])],
            own_moves: Vec::new(),
            runs: None,
            patience: None,
            walk: None,
            places: Vec::new(),
            data: None,
            symbolic: None,
        };
        let vocabulary = Vocabulary::new(&Suite::new(vec![case]));
        let value = vocabulary.value(Side::Tester, &action(&["1", "true", "7"]));
        assert_eq!(value, "In_set:{ value1 := 1, value2 := true, value3 := \"7\" }");
        let value = vocabulary.value(Side::System, &action(&[]));
        assert_eq!(value, "Out_set:{ value1 := omit }");
    }
}
