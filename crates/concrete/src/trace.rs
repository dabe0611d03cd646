//! Traces: what happened in a run, in names, so that they outlive the model they came from.
//!
//! A trace alternates freely between delays and steps. A step may say which edges it took; if all
//! do, the run can be replayed exactly, otherwise only what is observable can be checked.

use std::fmt;

use tioga_base::Rational;

/// The version of both written forms.
pub const TRACE_VERSION: u32 = 1;

/// A recorded run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// The name of the model.
    pub model: String,
    /// The seed of the random walk that made it, if one did.
    pub seed: Option<u64>,
    /// What happened, in order.
    pub records: Vec<Record>,
}

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// Time passed, in written time units; not negative.
    Delay(Rational),
    /// A step was taken.
    Step(StepRecord),
}

/// A step that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepRecord {
    /// What it showed.
    pub event: TraceEvent,
    /// The edges taken, in the order of their updates, if they are known.
    pub edges: Option<Vec<EdgeRecord>>,
}

/// What a step showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceEvent {
    /// The system took an input.
    Input(String, Vec<Rational>),
    /// The system emitted an output.
    Output(String, Vec<Rational>),
    /// The system took an input and emitted an output in the same instant.
    Exchange(String, Vec<Rational>, String, Vec<Rational>),
    /// Nothing was visible; the name is the model's.
    Internal(Option<String>),
}

/// An edge that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeRecord {
    /// The process.
    pub process: String,
    /// The location it left.
    pub source: String,
    /// The location it entered.
    pub target: String,
    /// The position of the edge in its process, from 0.
    pub edge: u32,
}

impl Trace {
    /// Whether there is a step and every step says which edges it took. A trace of delays alone
    /// may have been observed, with internal steps left out.
    pub fn is_exact(&self) -> bool {
        let mut steps = self.records.iter().filter_map(|record| match record {
            Record::Delay(_) => None,
            Record::Step(taken) => Some(taken),
        });
        steps.clone().next().is_some() && steps.all(|taken| taken.edges.is_some())
    }

    /// The same trace without internal steps and without edges, delays added up.
    pub fn observable(&self) -> Result<Self, tioga_base::Overflow> {
        let mut records: Vec<Record> = Vec::new();
        for record in &self.records {
            match (record, records.last_mut()) {
                (Record::Delay(delay), Some(Record::Delay(sum))) => *sum = sum.add(*delay)?,
                (Record::Delay(delay), _) => records.push(Record::Delay(*delay)),
                (Record::Step(StepRecord { event: TraceEvent::Internal(_), .. }), _) => {}
                (Record::Step(taken), _) => {
                    let event = taken.event.clone();
                    records.push(Record::Step(StepRecord { event, edges: None }));
                }
            }
        }
        Ok(Self { records, ..self.clone() })
    }
}

/// Prints the readable form of the event, such as `input touch(1, 1/2)`.
impl fmt::Display for TraceEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(name, values) => write!(f, "input {}", Call(name, values)),
            Self::Output(name, values) => write!(f, "output {}", Call(name, values)),
            Self::Exchange(input, values, output, reply) => {
                write!(f, "step {} / {}", Call(input, values), Call(output, reply))
            }
            Self::Internal(None) => f.write_str("internal"),
            Self::Internal(Some(name)) => write!(f, "internal {}", Name(name)),
        }
    }
}

/// Prints `process: source -> target #edge`.
impl fmt::Display for EdgeRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (process, source, target) =
            (Name(&self.process), Name(&self.source), Name(&self.target));
        write!(f, "{process}: {source} -> {target} #{}", self.edge)
    }
}

struct Call<'a>(&'a str, &'a [Rational]);

impl fmt::Display for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Name(self.0).fmt(f)?;
        if self.1.is_empty() {
            return Ok(());
        }
        let values: Vec<String> = self.1.iter().map(Rational::to_string).collect();
        write!(f, "({})", values.join(", "))
    }
}

/// A name in the readable form: bare if it is made of letters, digits and `_ . [ ]`, otherwise
/// quoted with `\"`, `\\` and `\u{…}` for quotes, backslashes and control characters.
pub(crate) struct Name<'a>(pub &'a str);

/// Whether a character may stand in a bare name.
pub(crate) fn is_bare(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '[' | ']')
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `by` introduces the edges and therefore cannot be a bare name.
        if !self.0.is_empty() && self.0 != "by" && self.0.chars().all(is_bare) {
            return f.write_str(self.0);
        }
        f.write_str("\"")?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                _ if character.is_control() => write!(f, "\\u{{{:x}}}", u32::from(character))?,
                _ => write!(f, "{character}")?,
            }
        }
        f.write_str("\"")
    }
}
