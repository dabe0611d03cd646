//! Games as text and as JSON: what each round is about, what happened in it, and how it ended.

use serde_json::{Value, json};
use tioga_base::Rational;
use tioga_concrete::{TraceEvent, label_of, step_record};
use tioga_model::{Control, Model, Step};
use tioga_testcase::{Rank, RankTable, Scope};

use super::{state, strategy};
use tioga::games::play::{End, Game, Intention, Round};
use tioga::words::{action, amount, count, edges, times};

/// What a round is about: time, rank, state and what the tester intends.
pub fn round(model: &Model, table: &RankTable, round: &Round) -> String {
    let rank = round.rank.map(|rank| strategy::rank(table.terms.scope, rank));
    let rank = rank.map_or_else(String::new, |rank| format!(", rank {rank}"));
    let mut text = format!("\ntime {}{rank}\n", times(model).exact(round.time));
    text.push_str(&state::block(model, &round.state, "  "));
    text.push_str(&format!("  {:9}  {}\n", "tester", intention(model, round)));
    text
}

/// What happened in a round.
pub fn happened(model: &Model, round: &Round) -> String {
    let Some(happened) = &round.happened else { return String::new() };
    let shown = times(model);
    let told = match &happened.step {
        None => format!("nothing until {}", shown.exact(later(round.time, happened.delay))),
        Some(step) => {
            let record = step_record(model, step);
            let by = if step.control == Control::Controllable { "tester" } else { "system" };
            let after = if happened.delay.is_zero() {
                String::new()
            } else {
                format!(" after {}", shown.exact(happened.delay))
            };
            let taken = edges(&record.edges.unwrap_or_default());
            format!("{} by the {by}{after}  {taken}", action(&record.event))
        }
    };
    format!("  {:9}  {told}\n", "happens")
}

fn later(time: Rational, delay: Rational) -> Rational {
    time.add(delay).unwrap_or(time)
}

/// The names of moves, each once.
fn names(model: &Model, moves: &[Step]) -> Vec<String> {
    let mut names = Vec::new();
    for step in moves {
        let name = action(&label_of(model, step));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// When the tester stops waiting at the latest.
fn deadline(round: &Round) -> Option<Rational> {
    let Intention::Wait { until, .. } = &round.intention else { return None };
    let end = until.or_else(|| round.delays.upper().map(|(upper, _)| upper));
    end.map(|end| later(round.time, end))
}

/// What the tester intends in a round.
pub fn intention(model: &Model, round: &Round) -> String {
    let feared = names(model, &round.feared);
    let (mut text, awaited) = match &round.intention {
        Intention::Play(step) => {
            let record = step_record(model, step);
            let mut text = format!("plays {} now", action(&record.event));
            if matches!(record.event, TraceEvent::Internal(_)) {
                // The name says little, the edges say which one.
                text.push_str(&format!(", {}", edges(&record.edges.unwrap_or_default())));
            }
            (text, Vec::new())
        }
        Intention::Wait { awaited, .. } => {
            let awaited = names(model, awaited);
            let what = tioga::words::alternatives(&awaited);
            let text =
                match (awaited.is_empty(), deadline(round).map(|end| times(model).exact(end))) {
                    (false, Some(end)) => format!("waits for {what}, at most until {end}"),
                    (false, None) => format!("waits for {what}, as long as it takes"),
                    (true, Some(end)) => format!("waits until {end}"),
                    (true, None) => "waits for whatever comes".to_owned(),
                };
            (text, awaited)
        }
    };
    // The same answer may help at one moment and do harm at another.
    let (timely, harmful): (Vec<String>, Vec<String>) =
        feared.into_iter().partition(|name| awaited.contains(name));
    let mut needs = Vec::new();
    if !harmful.is_empty() {
        needs.push(format!("not to answer {} first", tioga::words::alternatives(&harmful)));
    }
    if !timely.is_empty() {
        let timely = tioga::words::alternatives(&timely);
        needs.push(format!("to answer {timely} at the right moment"));
    }
    if !needs.is_empty() {
        text.push_str(&format!("; needs the system {}", needs.join(" and ")));
    }
    text
}

/// How a game ended, as text, and whether that is what the tester wanted, if it is known; `failed` says whether
/// the state is a failure of the test.
pub fn ending(game: &Game<'_>, end: End, failed: bool) -> (String, Option<bool>) {
    let model = game.semantics.model();
    let after = format!("after {} and {}", count(game.moves(), "move"), amount(model, game.time));
    let held = format!("the objective was kept to {after}");
    match end {
        End::Reached if game.avoids => {
            (format!("nothing needs to be avoided any more {after}"), Some(true))
        }
        End::Reached => {
            let helped = match game.cooperations() {
                0 => "without help of the system".to_owned(),
                times => format!("the system cooperated {}", count(times, "time")),
            };
            (format!("the objective is reached {after}, {helped}"), Some(true))
        }
        End::Steps if game.avoids => (held + ", as many as --steps allows", Some(true)),
        End::Steps => (format!("stopped {after}; --steps allows more"), None),
        End::Idle if game.avoids => (held + ", and nothing more will happen", Some(true)),
        End::Stuck if game.avoids => (held + ", and nothing more can happen", Some(true)),
        End::Idle => {
            let why = "the system may idle for ever; a fair one would move";
            (format!("inconclusive {after}: {why}"), Some(false))
        }
        End::Stuck => {
            let why = "time cannot pass further, and no step is possible";
            (format!("inconclusive {after}: {why}"), Some(false))
        }
        End::Astray => astray(game, failed, &after),
        End::Quit => (format!("given up {after}"), None),
        End::Precision => {
            let why = "what is left needs delays too fine to be written";
            (format!("stopped {after}: {why}"), None)
        }
        End::Refused => ("the model refuses what the strategy advises".to_owned(), None),
    }
}

/// Why the tester does not know what to do.
fn astray(game: &Game<'_>, failed: bool, after: &str) -> (String, Option<bool>) {
    let model = game.semantics.model();
    let state = &game.state;
    if failed {
        return (format!("the test has failed {after}: {}", last(game)), Some(false));
    }
    if game.avoids && game.rank() == Some(Rank::ZERO) {
        return (format!("the objective is violated {after}: {}", last(game)), Some(false));
    }
    if !game.table.complete {
        let why = "a limit was reached before the game was solved";
        return (format!("unknown {after}: {why}"), None);
    }
    let scope = game.table.terms.scope;
    let why = match (game.avoids, scope) {
        (true, _) => "the system can enforce that the objective is violated",
        (false, Scope::Winning) => {
            "the tester cannot enforce the objective; without --strict-only it counts on help"
        }
        (false, _) => "the objective is unreachable even with cooperation",
    };
    let place = tioga::words::discrete_state(model, &state.discrete);
    (format!("inconclusive {after}: from {place}, {why}"), Some(false))
}

/// What happened last.
fn last(game: &Game<'_>) -> String {
    let happened = game.rounds.last().and_then(|round| round.happened.as_ref());
    let step = happened.and_then(|happened| happened.step.as_ref());
    match step {
        Some(step) => format!("{} came last", action(&label_of(game.semantics.model(), step))),
        None => "time alone led there".to_owned(),
    }
}

/// The game as JSON.
pub fn json(game: &Game<'_>, end: End, told: &str) -> Value {
    let model = game.semantics.model();
    let outcome = match end {
        End::Reached => "reached",
        End::Steps | End::Idle | End::Stuck if game.avoids => "held",
        End::Steps => "steps",
        End::Idle => "idle",
        End::Stuck => "stuck",
        End::Astray => "astray",
        End::Precision => "precision",
        End::Quit => "quit",
        End::Refused => "refused",
    };
    let rounds = game.rounds.iter().map(|round| round_json(model, game.table, round));
    json!({
        "model": model.name,
        "seed": game.trace.seed,
        "outcome": outcome,
        "reason": told,
        "moves": game.moves(),
        "time": state::number_json(game.time),
        "cooperations": (!game.avoids).then(|| game.cooperations()),
        "rounds": rounds.collect::<Vec<_>>(),
        "records": game.trace.record_values(),
        "end": state::json(model, &game.state),
    })
}

/// A round as JSON.
pub fn round_json(model: &Model, table: &RankTable, round: &Round) -> Value {
    let feared = names(model, &round.feared);
    let intention = match &round.intention {
        Intention::Play(step) => {
            json!({ "do": "play", "action": action(&label_of(model, step)), "feared": feared })
        }
        Intention::Wait { awaited, .. } => json!({
            "do": "wait",
            "until": deadline(round).map(state::number_json),
            "awaited": names(model, awaited),
            "feared": feared,
        }),
    };
    let happened = round.happened.as_ref().map(|happened| {
        let by = happened.step.as_ref().map(|step| match step.control {
            Control::Controllable => "tester",
            Control::Uncontrollable => "system",
        });
        let name = happened.step.as_ref().map(|step| action(&label_of(model, step)));
        let delay = state::number_json(happened.delay);
        json!({ "delay": delay, "by": by, "action": name })
    });
    json!({
        "time": state::number_json(round.time),
        "state": state::json(model, &round.state),
        "rank": round.rank.map(|rank| strategy::rank_json(table.terms.scope, rank, false)),
        "intention": intention,
        "happened": happened,
    })
}
