//! A purpose from a run: it accepts exactly when the run is observed again.
//!
//! The model need not allow the whole run, such as a run that failed or the witness of a system that does not
//! conform. Then the purpose asks for the behaviour that the model allows instead of its end, at the same time
//! or later: the test case leads to the point where the run leaves the model, and a system that leaves it
//! there fails (HJM22, Proposition 34).

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tioga_base::{Diagnostic, Moment, Overflow, Rational, Sources};
use tioga_concrete::{Record, Trace, TraceEvent};
use tioga_estimate::Latencies;
use tioga_execute::{Event, RunRecord};
use tioga_model::{Channel, Direction, Model, Type};
use tioga_observe::{Finding, Logged, ModelWatcher};
use tioga_parse::clike::is_keyword;
use tioga_parse::syntax::Dialect;
use tioga_testcase::{Action, ModelSource, Side};

use crate::Failure;
use crate::read::read;
use crate::runs::recorded;
use crate::texts::read_file;
use crate::trace::parse_trace;

/// The source of a model with a purpose made from a run, and the name of the purpose. The run is a trace, or a
/// run of a journal: `FILE` for the first that failed or was an error, `FILE:NUMBER` for any other. With a slack, each
/// wait may differ by that; without one, waits have windows (`Slack::Windows`).
pub fn with_run(
    mut source: ModelSource,
    run: &str,
    slack: Option<Rational>,
    texts: &mut Sources,
) -> Result<(ModelSource, String), Failure> {
    let model = read(source.clone(), &[], texts)?.model;
    let (stem, observed) = observations(run, texts)?;
    let name = unused_name(&model, &stem);
    let slack = slack.map_or(Slack::Windows, Slack::Within);
    let text = purpose(&model, &name, &observed, slack)?;
    source.options.purposes.get_or_insert_default().push_str(&text);
    Ok((source, name))
}

/// The allowed difference between a run and the observations of its purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slack {
    /// Each moment may differ by this time.
    Within(Rational),
    /// Outputs may come at any moment; inputs keep their distance from the observation before.
    Outputs,
    /// The same, but inputs may be later, until the next whole unit of the model.
    Windows,
}

impl Slack {
    /// Whether outputs may come at any moment. Then inputs count from the observation before.
    fn leaves_outputs_open(self) -> bool {
        match self {
            Self::Within(_) => false,
            Self::Outputs | Self::Windows => true,
        }
    }
}

/// A purpose made from a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MadePurpose {
    /// Its name.
    pub name: String,
    /// Its text, to be added to the purposes of the model.
    pub text: String,
}

impl MadePurpose {
    /// Whether it asks for the same, whatever both are called.
    pub fn asks_the_same(&self, other: &Self) -> bool {
        self.text.replacen(&self.name, "", 1) == other.text.replacen(&other.name, "", 1)
    }
}

/// A purpose made from a run of another system than the model.
pub(crate) fn purpose_of_trace(
    model: &Model,
    stem: &str,
    trace: &Trace,
    slack: Slack,
) -> Result<MadePurpose, Failure> {
    let name = unused_name(model, stem);
    let observed = of_trace(trace).map_err(|_| too_long())?;
    let text = purpose(model, &name, &observed, slack)?;
    Ok(MadePurpose { name, text })
}

/// What was observed in a run, and what to call it.
fn observations(run: &str, texts: &mut Sources) -> Result<(String, Vec<Logged>), Failure> {
    let (path, number) = located(run);
    let stem =
        path.file_stem().map_or_else(|| "run".to_owned(), |stem| stem.to_string_lossy().into());
    let text = read_file(texts, &path)?;
    if text.lines().next().is_some_and(|line| line.contains("\"tioga-journal\"")) {
        let record = recorded(&path, number)?.record;
        return Ok((format!("{stem}_{}", record.run), of_record(&record)));
    }
    let file = texts.add(path.display().to_string(), text);
    let trace = parse_trace(texts, file)?;
    let observed = of_trace(&trace).map_err(|_| too_long())?;
    Ok((stem, observed))
}

/// The file, and the number of the run if there is one behind it.
fn located(run: &str) -> (PathBuf, Option<u64>) {
    let numbered =
        run.rsplit_once(':').and_then(|(file, number)| Some((file, number.parse().ok()?)));
    match numbered {
        Some((file, number)) if !Path::new(run).exists() => (file.into(), Some(number)),
        _ => (run.into(), None),
    }
}

fn of_record(record: &RunRecord) -> Vec<Logged> {
    let mut observed = Vec::new();
    for event in &record.events {
        match event {
            Event::Begin { .. } => observed.clear(),
            Event::Sent { at, action } => {
                observed.push(Logged::Action { at: *at, by: Side::Tester, action: action.clone() });
            }
            Event::Heard { at, action } => {
                observed.push(Logged::Action { at: *at, by: Side::System, action: action.clone() });
            }
            Event::Quiet { now } => observed.push(Logged::End { at: *now }),
            Event::Sending { .. } | Event::Fault { .. } | Event::End { .. } => {}
        }
    }
    observed
}

fn of_trace(trace: &Trace) -> Result<Vec<Logged>, Overflow> {
    let mut observed = Vec::new();
    let mut now = Rational::ZERO;
    for record in &trace.records {
        let taken = match record {
            Record::Delay(delay) => {
                now = now.add(*delay)?;
                observed.push(Logged::End { at: Moment::exactly(now) });
                continue;
            }
            Record::Step(taken) => taken,
        };
        let mut put = |by, channel: &str, values: &[Rational]| {
            let action = Action::new(channel, values);
            observed.push(Logged::Action { at: Moment::exactly(now), by, action });
        };
        match &taken.event {
            TraceEvent::Input(channel, values) => put(Side::Tester, channel, values),
            TraceEvent::Output(channel, values) => put(Side::System, channel, values),
            TraceEvent::Exchange(input, values, output, reply) => {
                put(Side::Tester, input, values);
                put(Side::System, output, reply);
            }
            TraceEvent::Internal(_) => {}
        }
    }
    Ok(observed)
}

/// A name that nothing in the model has.
fn unused_name(model: &Model, stem: &str) -> String {
    let fits = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = "Run_".chars().chain(stem.chars().map(fits)).collect();
    let used = |name: &str| {
        let purposes = model.purposes.iter().map(|one| &one.process);
        model.processes.iter().chain(purposes).any(|one| one.name == name)
    };
    let mut numbered = (2..).map(|number: u32| format!("{name}_{number}"));
    if !used(&name) {
        return name;
    }
    numbered.find(|name| !used(name)).unwrap_or(name)
}

/// How a run leaves the model.
enum Leaves {
    /// By an output at this moment, and whether the model has other outputs from then on.
    Output(Moment, bool),
    /// By silence.
    Silence,
}

/// An action of a run with its moment.
struct Seen<'o> {
    at: Moment,
    by: Side,
    action: &'o Action,
}

/// The actions of a run up to where it leaves the model, and how it does.
fn followed<'o>(
    model: &Model,
    observed: &'o [Logged],
) -> Result<(Vec<Seen<'o>>, Option<Leaves>), Failure> {
    let cannot = |error: tioga_estimate::Error| {
        let message = format!("the run cannot be followed on the model: {error}");
        Failure::from(Diagnostic::global("cannot-follow", message))
    };
    let mut watcher = ModelWatcher::of_model(model, &Latencies::default()).map_err(cannot)?;
    let mut seen = Vec::new();
    for line in observed {
        if watcher.quiet(line.at()).map_err(cannot)?.is_some() {
            return Ok((seen, Some(Leaves::Silence)));
        }
        let Logged::Action { at, by, action } = line else { continue };
        match watcher.logged(line).map_err(cannot)? {
            None => seen.push(Seen { at: *at, by: *by, action }),
            Some(Finding::Silence { .. }) => return Ok((seen, Some(Leaves::Silence))),
            Some(Finding::Output { expected, .. }) => {
                return Ok((seen, Some(Leaves::Output(*at, !expected.is_empty()))));
            }
            Some(_) => {
                let message =
                    format!("the run sends `{action}`, which the model does not take there");
                let note = format!("after {} inputs and outputs, at {at}", seen.len());
                return Err(Diagnostic::global("no-such-run", message).note(note).into());
            }
        }
    }
    Ok((seen, None))
}

/// The purpose as text.
fn purpose(
    model: &Model,
    name: &str,
    observed: &[Logged],
    slack: Slack,
) -> Result<String, Failure> {
    let (seen, leaves) = followed(model, observed)?;
    if seen.is_empty() && leaves.is_none() {
        let message = "nothing was sent or heard in the run, so there is nothing to test";
        return Err(Diagnostic::global("empty-run", message).into());
    }
    let reserved = |channel: &&Channel| {
        let word = channel.name.split('[').next().unwrap_or(&channel.name);
        is_keyword(word, Dialect::Tioga)
    };
    if let Some(channel) = visible(model).find(reserved) {
        let name = &channel.name;
        let message = format!("no purpose can name `{name}`: that is a word of Tioga's language");
        let help = "give the channel another name in the model";
        return Err(Diagnostic::error("reserved-name", channel.span, message).help(help).into());
    }
    // With exact moments, waits keep the constants small; moments between bounds are not to be added up.
    let waits = slack.leaves_outputs_open() || observed.iter().all(|line| line.at().is_exact());
    let steps = seen.len();
    let last = if leaves.is_some() { steps } else { steps - 1 };
    let mut text = format!("\npurpose {name} {{\n  clock t;\n  init location S0;\n");
    for position in 1..=last {
        let _ = writeln!(text, "  location S{position};");
    }
    text.push_str("  accept location Seen;\n  refuse location Gone;\n");
    let mut before = Moment::START;
    for (position, one) in seen.iter().enumerate() {
        let target = match position == steps - 1 && leaves.is_none() {
            true => "Seen".to_owned(),
            false => format!("S{}", position + 1),
        };
        let edges = Edges { model, source: position, since: before, waits, slack };
        edges.expected(&mut text, one, &target)?;
        before = one.at;
    }
    if let Some(leaves) = leaves {
        let edges = Edges { model, source: steps, since: before, waits, slack };
        edges.instead(&mut text, &leaves)?;
    }
    text.push_str("  otherwise self;\n}\n");
    Ok(text)
}

/// The edges of a location of the purpose.
struct Edges<'m> {
    model: &'m Model,
    source: usize,
    /// When the location is entered.
    since: Moment,
    /// Whether the clock counts from there; otherwise from the start of the run.
    waits: bool,
    /// How much earlier or later something may be.
    slack: Slack,
}

impl Edges<'_> {
    /// The bounds of a moment on the clock.
    fn window(&self, at: Moment) -> Result<(String, String), Failure> {
        let origin = if self.waits { self.since } else { Moment::START };
        let bound = |time: Rational, up: bool| {
            let time = time.max(Rational::ZERO);
            if time.denominator() <= FINEST {
                return Ok::<_, Overflow>(time);
            }
            let scaled = time.mul(Rational::integer(FINEST))?;
            let rounded = if up { scaled.ceil() } else { scaled.floor() };
            Rational::new(rounded, FINEST)
        };
        let slack = match self.slack {
            Slack::Within(slack) => slack,
            Slack::Outputs | Slack::Windows => Rational::ZERO,
        };
        let window = || {
            let low = at.earliest().sub(slack)?.sub(origin.latest())?;
            let high = at.latest().add(slack)?.sub(origin.earliest())?;
            let (low, mut high) = (bound(low, false)?, bound(high, true)?);
            if self.slack == Slack::Windows {
                let unit = Rational::integer(self.model.scale);
                high = Rational::new(high.mul(unit)?.floor() + 1, self.model.scale)?;
            }
            Ok::<_, Overflow>((low.to_string(), high.to_string()))
        };
        window().map_err(|_| too_long())
    }

    fn edge(&self, text: &mut String, target: &str, channel: &Channel, condition: &str) {
        let resets = if self.waits && target != "Gone" { " do t = 0" } else { "" };
        let when = if condition.is_empty() { String::new() } else { format!(" when {condition}") };
        let _ = writeln!(text, "  S{} -> {target} : {}{when}{resets};", self.source, used(channel));
    }

    /// The action goes on in its window; everything else that can be observed is another run.
    fn expected(&self, text: &mut String, one: &Seen<'_>, target: &str) -> Result<(), Failure> {
        let (low, high) = self.window(one.at)?;
        for channel in visible(self.model) {
            let way = match one.by {
                Side::Tester => Direction::Input,
                Side::System => Direction::Output,
            };
            if channel.name != one.action.channel || channel.direction != Some(way) {
                self.edge(text, "Gone", channel, "");
                continue;
            }
            let mut values: Vec<String> = Vec::new();
            for (position, value) in one.action.values.iter().enumerate() {
                let (equal, other) = compared(channel, position, value)?;
                let mut unlike = values.clone();
                unlike.push(other);
                self.edge(text, "Gone", channel, &unlike.join(" && "));
                values.push(equal);
            }
            if self.slack.leaves_outputs_open() && one.by == Side::System {
                self.edge(text, target, channel, &values.join(" && "));
                continue;
            }
            let with = |time: String| [&values[..], &[time]].concat().join(" && ");
            self.edge(text, "Gone", channel, &with(format!("t < {low}")));
            self.edge(text, "Gone", channel, &with(format!("t > {high}")));
            self.edge(text, target, channel, &with(format!("t >= {low} && t <= {high}")));
        }
        Ok(())
    }

    /// Where the run leaves the model: another output at that time or later. If the model has none, an input, but
    /// only when the system has had time enough to leave the model first.
    fn instead(&self, text: &mut String, leaves: &Leaves) -> Result<(), Failure> {
        for channel in visible(self.model) {
            let output = channel.direction == Some(Direction::Output);
            match leaves {
                Leaves::Silence => {
                    self.edge(text, if output { "Seen" } else { "Gone" }, channel, "");
                }
                Leaves::Output(_, true) if !output => self.edge(text, "Gone", channel, ""),
                Leaves::Output(at, _) => {
                    let longer = if output { Rational::ZERO } else { self.patience()? };
                    let from = at.earliest().add(longer).map_err(|_| too_long())?;
                    let (low, _) = self.window(Moment::exactly(from))?;
                    self.edge(text, "Gone", channel, &format!("t < {low}"));
                    self.edge(text, "Seen", channel, &format!("t >= {low}"));
                }
            }
        }
        Ok(())
    }

    /// How long a system may take for an output.
    fn patience(&self) -> Result<Rational, Failure> {
        self.model.patience().map_err(|_| too_long())
    }
}

/// The finest unit of a purpose: moments from clocks of machines are rounded outwards to it.
const FINEST: i64 = 1000;

fn visible(model: &Model) -> impl Iterator<Item = &Channel> {
    model.channels.iter().filter(|channel| channel.direction.is_some())
}

/// The action of a purpose on a channel, with names for its values.
fn used(channel: &Channel) -> String {
    let names: Vec<String> = (0..channel.parameters.len()).map(|one| format!("v{one}")).collect();
    let values = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
    let mark = if channel.direction == Some(Direction::Input) { '?' } else { '!' };
    format!("{}{values}{mark}", channel.name)
}

/// That a value is as it was, and that it is not.
fn compared(channel: &Channel, position: usize, value: &str) -> Result<(String, String), Failure> {
    let name = format!("v{position}");
    match channel.parameters.get(position) {
        Some(Type::Bool) if matches!(value, "1" | "true") => Ok((name.clone(), format!("!{name}"))),
        Some(Type::Bool) => Ok((format!("!{name}"), name)),
        Some(Type::Int { .. } | Type::Integer | Type::Rational) => {
            Ok((format!("{name} == {value}"), format!("{name} != {value}")))
        }
        _ => {
            let channel = &channel.name;
            let message = format!("the values of `{channel}` cannot be named in a purpose");
            Err(Diagnostic::global("unsupported", message).into())
        }
    }
}

fn too_long() -> Failure {
    Diagnostic::global("too-long", "the moments of the run do not fit in 64 bits").into()
}
