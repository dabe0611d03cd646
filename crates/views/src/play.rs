//! A game against a policy or a person, played anew from its start: the choices so far say where it is.

use serde_json::{Value, json};
use tioga_adapters::Policy;
use tioga_base::{Diagnostic, Rational};
use tioga_concrete::{Error, Semantics};
use tioga_testcase::Concept;

use crate::game::SolvedGame;
use crate::results::play as story;
use crate::simulation::{choice_json, failed};
use tioga::Failure;
use tioga::games::opponent::Opponent;
use tioga::games::play::{Answer, End, Game, Intention, Round};

/// The player of the system.
#[derive(Clone, PartialEq, Debug)]
pub enum Player {
    /// A policy, with the seed that decides its choices.
    Policy(Policy, u64),
    /// A person, with what they did so far where they had a choice: nothing, or a move of the offers after a delay.
    Person(Vec<Option<(usize, Rational)>>),
}

/// Plays a game, for so many moves at most. The answer is what `tioga play --format json` prints; `offers` are the
/// moves a person has now, if the game goes on.
///
/// # Errors
/// If a choice is none of the offers, or a state cannot be computed.
pub fn played(solved: &SolvedGame, player: &Player, moves: usize) -> Result<Value, Failure> {
    let model = solved.model();
    let seed = match player {
        Player::Policy(Policy::Random | Policy::Fair, seed) => Some(*seed),
        _ => None,
    };
    let game = Game::new(Semantics::new(model), &solved.table, solved.avoids, seed);
    let mut game = game.map_err(failed)?;
    let ended = match player {
        Player::Policy(policy, seed) => {
            let mut opponent = Opponent::new(*policy, *seed);
            Ok(loop {
                if let Some(end) = opponent.exchange(&mut game, moves).map_err(failed)? {
                    break end;
                }
            })
        }
        Player::Person(choices) => by_hand(&mut game, choices, moves)?,
    };
    let (end, waiting) = match ended {
        Ok(end) => (end, None),
        Err(round) => (End::Quit, Some(round)),
    };
    let discrete = &game.state.discrete;
    let marked = model.processes.iter().zip(&discrete.locations);
    let failed = solved.table.terms.concept == Concept::Fair
        && marked.into_iter().any(|(process, at)| process.locations[*at].marks.fail);
    let (told, good) = story::ending(&game, end, failed);
    let mut result = story::json(&game, end, &told);
    result["query"] = solved.query.clone().into();
    result["good"] = good.into();
    result["intentions"] = game.rounds.iter().map(|round| story::intention(model, round)).collect();
    result["waiting"] = waiting.map_or(Value::Null, |round| {
        let offers: Vec<Value> = round.offers.iter().map(|one| choice_json(model, one)).collect();
        let idle = matches!(round.intention, Intention::Wait { until: None, .. });
        let shown = story::round_json(model, game.table, &round);
        let intention = story::intention(model, &round);
        json!({ "round": shown, "intention": intention, "offers": offers, "may_pass": !idle })
    });
    Ok(result)
}

/// Plays what a person chose; gives back the round in which they have the next choice, or how the game ended.
fn by_hand(
    game: &mut Game<'_>,
    choices: &[Option<(usize, Rational)>],
    moves: usize,
) -> Result<Result<End, Round>, Failure> {
    let mut rest = choices.iter();
    loop {
        let round = match game.round().map_err(failed)? {
            Ok(round) => round,
            Err(end) => return Ok(Ok(end)),
        };
        if game.moves() >= moves {
            return Ok(Ok(End::Steps));
        }
        let answer = match (round.offers.is_empty(), rest.as_slice()) {
            (true, _) => Answer::GoOn,
            (false, []) => return Ok(Err(round)),
            (false, [choice, ..]) => {
                rest.next();
                given(&round, *choice)?
            }
        };
        let end: Result<Option<End>, Error> = game.play(round, answer);
        if let Some(end) = end.map_err(failed)? {
            return Ok(Ok(end));
        }
    }
}

fn given(round: &Round, choice: Option<(usize, Rational)>) -> Result<Answer, Failure> {
    let Some((offer, delay)) = choice else { return Ok(Answer::GoOn) };
    match round.offers.get(offer) {
        Some(one) if one.windows.contains(delay) => Ok(Answer::Move { offer, delay }),
        _ => {
            Err(Diagnostic::global("no-such-move", "the system has no such move at that moment")
                .into())
        }
    }
}
