//! A person who plays the system. Commands are lines on standard input, so a game can be typed,
//! piped and tested alike.

use std::io::{self, IsTerminal};

use tioga::games::play::{Answer, End, Game, Round};
use tioga::words::{action, edges, times, windows};
use tioga_concrete::{Error, step_record};

use super::typed_answer::{Command, command, waits_without_end};
use crate::commands::typed::read_line;
use crate::exit::Stop;
use crate::output::Session;
use crate::text::play as story;
use crate::text::run::align;

/// What a person did so far.
pub struct Person {
    /// How many moves both sides may make.
    steps: usize,
    /// The rounds in which they had a choice.
    choices: Vec<usize>,
}

impl Person {
    /// A person who has not played yet.
    pub fn new(steps: usize) -> Self {
        Self { steps, choices: Vec::new() }
    }
}

/// Plays to the end. Where the system has no choice, the tester simply goes on.
pub fn play(
    person: &mut Person,
    game: &mut Game<'_>,
    session: &mut Session,
) -> Result<Result<End, Error>, Stop> {
    let mut input = io::stdin().lock();
    let echo = !io::stdin().is_terminal();
    loop {
        let round = match game.round() {
            Ok(Ok(round)) => round,
            Ok(Err(end)) => return Ok(Ok(end)),
            Err(error) => return Ok(Err(error)),
        };
        if game.moves() >= person.steps {
            return Ok(Ok(End::Steps));
        }
        let model = game.semantics.model();
        session.print(&story::round(model, game.table, &round))?;
        let mut answer = round.offers.is_empty().then_some(Answer::GoOn);
        if answer.is_none() {
            session.print(&offers(game, &round))?;
        }
        let mut undone = false;
        while answer.is_none() && !undone {
            session.print("> ")?;
            let Some(line) = read_line(&mut input) else {
                session.print("\n")?;
                return Ok(Ok(End::Quit));
            };
            if echo {
                session.print(&format!("{}\n", line.trim()))?;
            }
            match command(line.trim(), &round, times(game.semantics.model())) {
                Command::Quit => return Ok(Ok(End::Quit)),
                Command::Said(text) => session.print(&text)?,
                Command::Show => {
                    session.print(&story::round(model, game.table, &round))?;
                    session.print(&offers(game, &round))?;
                }
                Command::Undo => match person.choices.pop() {
                    Some(choice) => {
                        game.take_back(choice);
                        undone = true;
                    }
                    None => session.print("nothing to undo\n")?,
                },
                Command::Answer(given) => {
                    person.choices.push(game.rounds.len());
                    answer = Some(given);
                }
            }
        }
        let Some(answer) = answer else { continue };
        match game.play(round, answer) {
            Ok(end) => {
                if let Some(last) = game.rounds.last() {
                    session.print(&story::happened(model, last))?;
                }
                if let Some(end) = end {
                    return Ok(Ok(end));
                }
            }
            Err(error) => return Ok(Err(error)),
        }
    }
}

/// The system's moves with their numbers and windows.
fn offers(game: &Game<'_>, round: &Round) -> String {
    let rows = round.offers.iter().enumerate().map(|(index, choice)| {
        let record = step_record(game.semantics.model(), &choice.step);
        let taken = record.edges.as_deref().map_or_else(String::new, edges);
        let after = format!("after {}", windows(&choice.windows, times(game.semantics.model())));
        [(index + 1).to_string(), action(&record.event), after, taken]
    });
    let mut text = align(&rows.collect::<Vec<[String; 4]>>(), &[0]);
    if !waits_without_end(round) {
        text.push_str("  n  let the tester go on\n");
    }
    text
}
