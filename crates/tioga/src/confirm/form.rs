//! Whether a test case has the form of a confirming sequence: the interface of the model, one place for each input and one for
//! its answer, and clocks that go along with those of the model when the tester is on time.

use tioga_base::Rational;
use tioga_concrete::{Semantics, State, TraceEvent, observable};
use tioga_model::{Direction, Model};
use tioga_testcase::{
    Action, CaseBound, CasePlace, CaseRule, CaseSet, CaseZone, Goal, Shape, Side, Summary,
    TestCase, Verdict,
};

use super::certified::follow;

/// An input of the word, and the time that passes before it.
type Due<'w> = (Rational, &'w str);

/// What is wrong with the form of such a test case, if anything.
///
/// Pre: it can be followed.
pub fn form_flaw(model: &Model, written: &TestCase) -> Option<String> {
    let Goal::Confirm { way, sequence, .. } = &written.summary.goal else {
        return Some("its goal names no inputs".to_owned());
    };
    let Some((inputs, steps)) = inputs(&[way, sequence]) else {
        return Some("its goal names no inputs".to_owned());
    };
    if let Some(wrong) = frame(model, written, steps) {
        return Some(wrong);
    }
    if written.places.len() != 2 * inputs.len() + 1 {
        return Some("it has not one place for each input and answer of its word".to_owned());
    }
    let mut semantics = Semantics::new(model);
    let Ok(mut state) = semantics.initial() else {
        return Some("the model has no start".to_owned());
    };
    let mut clocks = vec![Rational::ZERO; written.clocks.len()];
    let mut left = steps;
    for (position, due) in inputs.iter().enumerate() {
        let at = 2 * position;
        let wrong = |why: &str| Some(format!("place {at}: {why}"));
        let [sending, waiting] = [&written.places[at], &written.places[at + 1]];
        if !names(model, sending, &state) || !names(model, waiting, &state) {
            return wrong("it is not where the model is");
        }
        if !sends(sending, due.1, at + 1, left) {
            return wrong(&format!("it does not send {} and nothing else", due.1));
        }
        if !is_due(written, &sending.rules[0], due.0) {
            return wrong(&format!("{} is not sent after {} time units", due.1, due.0));
        }
        if !awaits(waiting, at + 2, left - 1) {
            return wrong("it does not await one answer at once");
        }
        left -= 2;
        let (input, output) = (&sending.edges[0].action, &waiting.edges[0].action);
        let Some(after) = follow(&mut semantics, state, &[(due.0, input, Some(output))]) else {
            return wrong("the model does not answer so");
        };
        state = after;
        let moved = moved(&clocks, due.0, &sending.edges[0].sets, written.scale);
        let Some(moved) = moved else { return wrong("its numbers are too large") };
        clocks = moved;
        let own = clocks[..state.clocks.len()] == state.clocks[..];
        if !own || clocks.last() != Some(&Rational::ZERO) {
            return wrong("its input sets other clocks than that of the model");
        }
    }
    let end = written.places.len() - 1;
    let last = &written.places[end];
    let passes = matches!(&last.verdicts[..], [only] if only.verdict == Verdict::Pass && is_always(&only.zones));
    let ends = last.edges.is_empty() && last.rules.is_empty() && last.urgent.is_empty();
    let right = names(model, last, &state) && passes && ends;
    (!right).then(|| format!("place {end}: the word does not end there with a pass"))
}

/// The clocks after a delay and an input that sets some; nothing if the numbers are too large.
fn moved(
    clocks: &[Rational],
    delay: Rational,
    sets: &[CaseSet],
    scale: i64,
) -> Option<Vec<Rational>> {
    let mut clocks: Vec<Rational> =
        clocks.iter().map(|clock| clock.add(delay).ok()).collect::<Option<_>>()?;
    for set in sets {
        let source = set.source.map_or(Some(Rational::ZERO), |at| clocks.get(at as usize).copied());
        let more = Rational::new(set.value, scale).ok()?;
        *clocks.get_mut(set.clock as usize)? = source?.add(more).ok()?;
    }
    Some(clocks)
}

/// The inputs of words such as `a 1` and `2 b`, one after the other, with the delays before them, and how many actions
/// there are.
fn inputs<'w>(words: &[&'w str]) -> Option<(Vec<Due<'w>>, u32)> {
    let (mut inputs, mut delay) = (Vec::new(), Rational::ZERO);
    for symbol in words.iter().flat_map(|word| word.split_whitespace()) {
        match symbol.parse::<Rational>() {
            Ok(more) => delay = delay.add(more).ok()?,
            Err(_) => inputs.push((std::mem::replace(&mut delay, Rational::ZERO), symbol)),
        }
    }
    let steps = u32::try_from(2 * inputs.len()).ok()?;
    Some((inputs, steps))
}

/// What is wrong with what a test case says of itself and of its interface, if anything.
fn frame(model: &Model, written: &TestCase, steps: u32) -> Option<String> {
    let summary = Summary {
        model: model.name.clone(),
        goal: written.summary.goal.clone(),
        exact: true,
        rank: [0, 0, steps],
        unit: model.time_unit,
        ..Summary::default()
    };
    if written.summary != summary || written.shape != Shape::Tree {
        return Some("its summary is not that of its word".to_owned());
    }
    if !written.own_moves.is_empty() || written.data.is_some() || written.scale < 1 {
        return Some("it has parts that a word does not need".to_owned());
    }
    let own = model.clocks.iter().map(|clock| clock.name.clone());
    let theirs = model.clocks.iter().map(|clock| format!("{}'", clock.name));
    if !own.chain(theirs).chain(["t".to_owned()]).eq(written.clocks.iter().cloned()) {
        return Some(
            "its clocks are not those of the model, of the suspicious configuration and `t`"
                .to_owned(),
        );
    }
    let sides = [(&written.inputs, Direction::Input), (&written.outputs, Direction::Output)];
    for (actions, direction) in sides {
        let foreign = actions.iter().find(|action| !is_of(model, action, direction));
        if let Some(action) = foreign {
            return Some(format!("the model has no {} `{action}`", word_of(direction)));
        }
        let mut all = actions.iter().enumerate();
        if let Some((_, action)) = all.find(|(position, one)| actions[..*position].contains(*one)) {
            return Some(format!("the {} `{action}` is declared twice", word_of(direction)));
        }
        let channels = model.channels.iter();
        let mut plain = channels.filter(|channel| {
            channel.open && channel.direction == Some(direction) && channel.parameters.is_empty()
        });
        let missing = plain.find(|channel| actions.iter().all(|one| one.channel != channel.name));
        if let Some(channel) = missing {
            return Some(format!("the {} `{}` is missing", word_of(direction), channel.name));
        }
    }
    None
}

fn word_of(direction: Direction) -> &'static str {
    match direction {
        Direction::Input => "input",
        Direction::Output => "output",
    }
}

/// Whether an action is one of the model, with values that it may carry.
fn is_of(model: &Model, action: &Action, direction: Direction) -> bool {
    let values: Option<Vec<Rational>> =
        action.values.iter().map(|value| value.parse().ok()).collect();
    let Some(values) = values else { return false };
    let event = match direction {
        Direction::Input => TraceEvent::Input(action.channel.clone(), values),
        Direction::Output => TraceEvent::Output(action.channel.clone(), values),
    };
    matches!(observable(model, &event), Ok(Some(_)))
}

/// Whether a place says that the model is in a state.
fn names(model: &Model, place: &CasePlace, state: &State) -> bool {
    let [origin] = &place.origin[..] else { return false };
    let mut processes = model.processes.iter().zip(&state.discrete.locations);
    is_always(&place.invariant)
        && processes.any(|(process, at)| {
            process.name == origin.process && process.locations[*at].name == origin.location
        })
}

/// Whether a place sends this input, sooner or later, or ends inconclusively.
fn sends(place: &CasePlace, input: &str, next: usize, left: u32) -> bool {
    let [edge] = &place.edges[..] else { return false };
    let [send, wait] = &place.rules[..] else { return false };
    let ranked = |rule: &CaseRule| rule.rank == [0, 0, left] && rule.awaited.is_empty();
    edge.by == Side::Tester
        && edge.action.to_string().replace(' ', "") == input
        && edge.target as usize == next
        && place.urgent.is_empty()
        && (send.play, wait.play) == (Some(0), None)
        && (ranked(send), ranked(wait)) == (true, true)
        && is_always(&wait.zones)
        && place.verdicts.iter().all(|one| one.verdict == Verdict::Inconclusive)
}

/// Whether a rule begins after a delay.
fn is_due(written: &TestCase, rule: &CaseRule, delay: Rational) -> bool {
    let units = delay.mul(Rational::integer(written.scale)).ok().and_then(Rational::to_integer);
    let Some(units) = units else { return false };
    let right = u32::try_from(written.clocks.len() - 1).ok();
    let due = CaseBound { left: None, right, strict: false, bound: -units };
    let since = |bound: &CaseBound| bound.left.is_none() && bound.right == right;
    rule.zones.iter().all(|zone| match units {
        0 => !zone.iter().any(since),
        _ => zone.contains(&due),
    })
}

/// Whether a place awaits one answer, at once.
fn awaits(place: &CasePlace, next: usize, left: u32) -> bool {
    let [edge] = &place.edges[..] else { return false };
    let [rule] = &place.rules[..] else { return false };
    edge.by == Side::System
        && edge.target as usize == next
        && is_always(&edge.guard)
        && edge.sets.is_empty()
        && is_always(&place.urgent)
        && place.verdicts.is_empty()
        && rule.play.is_none()
        && rule.awaited == [0]
        && rule.rank == [0, 0, left]
        && is_always(&rule.zones)
}

fn is_always(zones: &[CaseZone]) -> bool {
    matches!(zones, [zone] if zone.is_empty())
}
