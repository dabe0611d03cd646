//! Symbolic test cases checked against their model: timed words are sampled, and the verdicts of the test case are
//! compared with those of the model.
//!
//! The words come from a simulated system that behaves as the model and occasionally deviates: another output,
//! another value, another moment. The inputs are any that the test case has. The states of the model that explain
//! a word decide which continuations are allowed and whether the purpose is reached. They use no SetExp,
//! projections or registers.
//!
//! Of values without end that the system chooses for outputs (`b(w)! for w : integer`), those near the constants take
//! part: neither the simulated system nor a deviation sends another, so the words are words of the model.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use tioga_adapters::{Fault, Heard, ModelSystem, Policy, System};
use tioga_base::{Diagnostics, Moment, Rational, Sources};
use tioga_certify::{CheckCoverage, CheckOptions, CheckReport};
use tioga_concrete::Chance;
use tioga_execute::{Event, OnlineTester, RunLimits, Tester, drive};
use tioga_model::{Direction, Model, Objective, Predicate, Type};
use tioga_setexp::{Script, possible, values};
use tioga_terms::{Exact, Formula, SymbolId, Term};
use tioga_testcase::{Action, Goal, Side, SymbolicCase, TestCase, Verdict};

use super::CertifyFinding;
use crate::games::Question;
use crate::read::{read_within, with_purpose};
use crate::symbolic_testing::SymbolicTester;
use crate::{Failure, Loaded, read};

/// How many words are sampled for each choice of constants.
const WORDS: u32 = 10;

/// How far values that the system chooses are from the constants.
const FAR: i64 = 40;

/// The finding about a symbolic test case.
pub(super) fn finding(
    loaded: &Loaded,
    case: &TestCase,
    symbolic: &SymbolicCase,
    how: &CheckOptions,
) -> Result<CertifyFinding, Failure> {
    let script = match Script::of_case(symbolic) {
        Ok(script) => script,
        Err(wrong) => return Ok(CertifyFinding::Wrong(wrong)),
    };
    if let Some(wrong) = other_interface(&loaded.model, symbolic) {
        return Ok(CertifyFinding::Wrong(wrong));
    }
    let mut chance = Chance::new(how.seed);
    let mut taken = BTreeSet::new();
    let (mut events, mut plays) = (0, 0);
    while plays < how.plays {
        if how.cancel.is_cancelled() {
            return Ok(CertifyFinding::Open("the check was stopped".to_owned()));
        }
        let (constants, known) = match chosen(&script, &mut chance) {
            Ok(constants) => constants,
            Err(why) => return Ok(CertifyFinding::Open(why)),
        };
        let (fixed, window) = match with_constants(loaded, &script, &constants) {
            Ok(fixed) => fixed,
            Err(failure) => return Ok(CertifyFinding::Open(first(&failure.diagnostics))),
        };
        let Goal::Purpose(name) = &case.summary.goal else {
            return Ok(CertifyFinding::Wrong("it is not for a purpose of the model".to_owned()));
        };
        if !fixed.model.purposes.iter().any(|own| own.process.name == *name) {
            return Ok(CertifyFinding::Wrong(format!("the model has no purpose `{name}`")));
        }
        let whole = with_purpose(&fixed.model, name)?;
        let asked = whole.queries.iter().find_map(|query| Question::of(query, String::new()));
        let Some(Objective::Reach(goal) | Objective::Until(_, goal)) =
            asked.map(|question| question.objective)
        else {
            return Ok(CertifyFinding::Open("the purpose is not to reach something".to_owned()));
        };
        let words = Words {
            script: &script,
            known: &known,
            plain: &fixed.model,
            whole: &whole,
            goal: &goal,
            window,
        };
        // Without constants, one reading of the model is enough.
        let count = if script.constants.is_empty() { how.plays } else { WORDS };
        for number in 0..count {
            plays += 1;
            // A tester that does not know the constants fails less than the model.
            let informed = script.constants.is_empty() || number % 2 == 0;
            match words.play(informed, &mut chance, &mut taken) {
                Ok(more) => events += more,
                Err(Played::Wrong(wrong)) => return Ok(CertifyFinding::Wrong(wrong)),
                Err(Played::Open(why)) => return Ok(CertifyFinding::Open(why)),
            }
        }
    }
    Ok(CertifyFinding::Right(CheckReport {
        coverage: CheckCoverage::Sampled { regions: 0, plays, points: events },
        states: events,
        advised: taken.len() as u64,
        discrete_states: script.nodes.len(),
        exact: false,
        left_open: Some("timed words were sampled, and others are not checked"),
    }))
}

/// The model with these constants, and the values that take part if those that the system chooses are without end.
fn with_constants(
    loaded: &Loaded,
    script: &Script,
    constants: &BTreeMap<SymbolId, Rational>,
) -> Result<(Loaded, Option<RangeInclusive<i64>>), Failure> {
    let mut source = loaded.source.clone();
    for (symbol, value) in constants {
        source.options.settings.insert(script.symbols[*symbol].name.clone(), *value);
    }
    if let Ok(fixed) = read(source.clone(), &[], &mut Sources::new()) {
        return Ok((fixed, None));
    }
    let near = near(constants.values());
    let some = read_within(source, near.clone(), &mut Sources::new())?;
    Ok((some, Some(near)))
}

/// The values near the constants.
fn near<'v>(constants: impl Iterator<Item = &'v Rational>) -> RangeInclusive<i64> {
    let (mut low, mut high) = (0, 0);
    for value in constants {
        low = low.min(value.floor());
        high = high.max(value.floor());
    }
    low.saturating_sub(FAR)..=high.saturating_add(FAR)
}

fn first(diagnostics: &Diagnostics) -> String {
    let first = diagnostics.iter().next().map(|one| one.message.clone());
    first.unwrap_or_else(|| "the model cannot be read".to_owned())
}

/// Why a test case is for another interface.
fn other_interface(model: &Model, case: &SymbolicCase) -> Option<String> {
    for message in &case.messages {
        let direction = match message.by {
            Side::Tester => Direction::Input,
            Side::System => Direction::Output,
        };
        let own = model.channels.iter().find(|channel| channel.name == message.name);
        let Some(own) = own.filter(|channel| channel.direction == Some(direction)) else {
            return Some(format!("the model has no such message as `{}`", message.name));
        };
        let symbols: Vec<_> =
            message.carries.iter().filter_map(|id| case.symbols.get(*id as usize)).collect();
        let same = own.parameters.len() == symbols.len()
            && own.parameters.iter().zip(&symbols).all(|(ty, symbol)| {
                let (low, high) = ty.bounds().unzip();
                symbol.rational == (*ty == Type::Rational)
                    && (symbol.low, symbol.high) == (low, high)
            });
        if !same {
            return Some(format!("`{}` carries something else in the model", message.name));
        }
    }
    None
}

/// Values of the constants that the initial condition allows, and the condition that they have these.
fn chosen(
    script: &Script,
    chance: &mut Chance,
) -> Result<(BTreeMap<SymbolId, Rational>, Formula), String> {
    let mut solver = Exact::new();
    let mut chosen = BTreeMap::new();
    let mut known = script.initially.clone();
    for constant in &script.constants {
        let found = values(&mut solver, &script.symbols, &known).map_err(|why| why.to_string())?;
        let found = found.ok_or("no values of the constants are possible")?;
        let first = found.get(*constant).unwrap_or(Rational::ZERO);
        let other = first.add(Rational::integer(chance.number(-5..=5))).unwrap_or(first);
        let is = |value: Rational| {
            Formula::equal(&script.symbols, &Term::symbol(*constant), &Term::number(value))
                .map_err(|overflow| overflow.to_string())
        };
        let with = known.clone().and(is(other)?);
        let allowed = script.is_in_range(*constant, other)
            && possible(&mut solver, &script.symbols, &with).map_err(|why| why.to_string())?;
        let value = if allowed { other } else { first };
        known = known.and(is(value)?);
        chosen.insert(*constant, value);
    }
    Ok((chosen, known))
}

/// What a word shows.
enum Played {
    Wrong(String),
    Open(String),
}

/// A test case and the model that it is compared with.
struct Words<'w> {
    script: &'w Script,
    /// That the constants have the values that they have in the models.
    known: &'w Formula,
    /// The model alone, which is simulated.
    plain: &'w Model,
    /// The model with the purpose, which judges.
    whole: &'w Model,
    goal: &'w Predicate,
    /// The values that take part, if those are without end that the system chooses.
    window: Option<RangeInclusive<i64>>,
}

impl Words<'_> {
    /// Compares verdicts of one word, of a tester that knows the constants or does not; gives the number of its events.
    fn play(
        &self,
        informed: bool,
        chance: &mut Chance,
        taken: &mut BTreeSet<usize>,
    ) -> Result<u64, Played> {
        let open = |error: tioga_execute::Error| Played::Open(error.to_string());
        let mut script = self.script.with_any_choices(&mut |count| chance.position(count));
        if informed {
            script.initially = self.known.clone();
        }
        let seed = chance.number(0..=i64::MAX).unsigned_abs();
        let mut system = Unsteady {
            model: ModelSystem::new(self.plain, Policy::Random),
            outputs: outputs(self.plain),
            window: self.window.clone(),
            chance: Chance::new(seed),
            seen: vec![Rational::ZERO],
            waits: 0,
        };
        let mut tester = SymbolicTester::plain(&script, seed);
        let mut word = Vec::new();
        let limits = RunLimits { events: 60, ..RunLimits::default() };
        let ending = drive(&mut system, &mut tester, seed, &limits, &mut |event| {
            word.push(event.clone());
            Ok(())
        });
        let ending = ending.map_err(open)?;
        taken.extend(tester.nodes());
        // Where none of the values can be sent, the time of the model may stop.
        if self.window.is_some() && ending.outcome == tioga_execute::Outcome::Error {
            return Ok(word.len() as u64);
        }
        let mut judge = OnlineTester::observer(self.whole, self.goal).map_err(open)?;
        let mut said = None;
        for event in &word {
            let more = match event {
                Event::Sent { at, action } => judge.sent(action, *at),
                Event::Heard { at, action } => judge.heard(action, *at),
                Event::Quiet { now } => judge.quiet(*now),
                _ => Ok(None),
            };
            if let Some(conclusion) = more.map_err(open)? {
                said = Some(conclusion);
                break;
            }
        }
        let own = match ending.outcome {
            tioga_execute::Outcome::Pass => Some(Verdict::Pass),
            tioga_execute::Outcome::Fail => Some(Verdict::Fail),
            _ => None,
        };
        let model = said.as_ref().map(|said| said.verdict);
        let model = model.filter(|verdict| matches!(verdict, Verdict::Pass | Verdict::Fail));
        if own.is_none() && ending.reason.contains("which the test graph does not send now") {
            let shown: Vec<String> = word.iter().filter_map(shown).collect();
            return Err(Played::Wrong(format!("after {}: {}", shown.join(", "), ending.reason)));
        }
        // Of two messages at one instant the test case says nothing.
        let abstains = own.is_none() && ending.reason.contains("of which this method says nothing");
        let unknown = own.is_none() && ending.reason.contains("without knowing the constants");
        // What it takes for granted until then may need other constants.
        let misled = !informed && model == Some(Verdict::Fail) && own != Some(Verdict::Fail);
        if own == model || abstains || unknown || misled {
            return Ok(word.len() as u64);
        }
        let shown: Vec<String> = word.iter().filter_map(shown).collect();
        let verdict = |verdict: Option<Verdict>, reason: &str| match verdict {
            Some(Verdict::Pass) => "pass".to_owned(),
            Some(Verdict::Fail) => format!("fail ({reason})"),
            _ => format!("neither pass nor fail ({reason})"),
        };
        let by_model = said.as_ref().map_or("it goes on", |said| said.reason.as_str());
        Err(Played::Wrong(format!(
            "of {} it says {}, and the model says {}",
            shown.join(", "),
            verdict(own, &ending.reason),
            verdict(model, by_model)
        )))
    }
}

/// An event of a word in short.
fn shown(event: &Event) -> Option<String> {
    match event {
        Event::Sent { at, action } => Some(format!("{action}? at {at}")),
        Event::Heard { at, action } => Some(format!("{action}! at {at}")),
        Event::Quiet { now } => Some(format!("nothing until {now}")),
        _ => None,
    }
}

/// The outputs of a model, with how many values they carry.
fn outputs(model: &Model) -> Vec<(String, usize)> {
    let own = model.channels.iter().filter(|one| one.direction == Some(Direction::Output));
    own.map(|one| (one.name.clone(), one.parameters.len())).collect()
}

/// A system that behaves as a model, and now and then does something else.
struct Unsteady<'m> {
    model: ModelSystem<'m>,
    outputs: Vec<(String, usize)>,
    /// The values that it makes up lie within, if any may be chosen.
    window: Option<RangeInclusive<i64>>,
    chance: Chance,
    /// Values that were seen, which are likely to be compared.
    seen: Vec<Rational>,
    waits: u32,
}

impl Unsteady<'_> {
    fn note(&mut self, action: &Action) {
        self.seen.extend(action.values.iter().filter_map(|value| value.parse::<Rational>().ok()));
    }

    /// Any output, with values near those that were seen.
    fn invented(&mut self) -> Option<Action> {
        if self.outputs.is_empty() {
            return None;
        }
        let (channel, count) = self.outputs[self.chance.position(self.outputs.len())].clone();
        let mut values = Vec::new();
        for _ in 0..count {
            let near = self.seen[self.chance.position(self.seen.len())];
            let off = Rational::integer(self.chance.number(-1..=1));
            let value = near.add(off).unwrap_or(near);
            values.push(match &self.window {
                Some(some) => {
                    let (low, high) =
                        (Rational::integer(*some.start()), Rational::integer(*some.end()));
                    value.max(low).min(high)
                }
                None => value,
            });
        }
        Some(Action::new(channel, &values))
    }
}

impl System for Unsteady<'_> {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        self.model.begin(seed)
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        self.model.now()
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        self.note(input);
        self.model.send(input)
    }

    fn wait(&mut self, until: Rational, awaited: &[Action]) -> Result<Heard, Fault> {
        let now = self.model.now().latest();
        self.waits += 1;
        // At most one surprise after some events that are the model's.
        if until > now
            && self.chance.position(4) == 0
            && let Some(action) = self.invented()
        {
            let share = Rational::integer(self.chance.number(1..=16));
            let gap = until.sub(now).and_then(|gap| gap.mul(share));
            let at = gap.and_then(|gap| now.add(gap.div(Rational::integer(16))?)).unwrap_or(until);
            if let heard @ Heard::Output { .. } = self.model.wait(at, awaited)? {
                return Ok(heard);
            }
            self.note(&action);
            return Ok(Heard::Output { at: Moment::exactly(at), action });
        }
        let heard = self.model.wait(until, awaited)?;
        if let Heard::Output { action, .. } = &heard {
            let action = action.clone();
            self.note(&action);
        }
        Ok(heard)
    }

    fn finish(&mut self) -> Result<(), Fault> {
        self.model.finish()
    }
}
