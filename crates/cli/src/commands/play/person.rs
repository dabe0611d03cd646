//! A person who plays the system. Commands are lines on standard input, so a game can be typed,
//! piped and tested alike.

use std::io::{self, IsTerminal};

use tioga_base::Rational;
use tioga_concrete::{Error, step_record};

use crate::commands::typed::{delay, read_line};
use crate::exit::Stop;
use crate::output::Session;
use crate::text::play as story;
use crate::text::run::align;
use tioga::games::play::{Answer, End, Game, Intention, Round, earliest};
use tioga::words::{action, edges, times, windows};
use tioga_base::Times;

const HELP: &str = "  \
  3        make move 3 as early as possible
  3 5/2    wait for 5/2, then make move 3
  n        let the tester do what it intends
  u        undo your last choice and what followed
  q        quit
  ?        show this help
";

/// What a person did so far.
pub struct Person {
    /// How many moves both sides may make.
    steps: usize,
    /// The rounds in which they had a choice.
    choices: Vec<usize>,
}

/// What a command means.
enum Command {
    Answer(Answer),
    Undo,
    Show,
    Said(String),
    Quit,
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

fn waits_without_end(round: &Round) -> bool {
    matches!(round.intention, Intention::Wait { until: None, .. })
}

fn command(line: &str, round: &Round, times: Times) -> Command {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match word {
        "" => Command::Show,
        "q" | "quit" => Command::Quit,
        "?" | "h" | "help" => Command::Said(HELP.to_owned()),
        "u" | "undo" => Command::Undo,
        "n" | "next" => go_on(round, times),
        _ => match word.parse::<usize>() {
            Ok(number) => make(number, rest.trim(), round, times),
            Err(_) => Command::Said(format!("`{word}` is no command; ? shows them\n")),
        },
    }
}

/// Letting the tester wait without end would end the game by accident, so it is refused.
fn go_on(round: &Round, times: Times) -> Command {
    if !waits_without_end(round) {
        return Command::Answer(Answer::GoOn);
    }
    Command::Said(match round.delays.upper() {
        Some((upper, _)) => {
            let end = round.time.add(upper).unwrap_or(upper);
            format!("time ends at {}: the system has to move by then\n", times.exact(end))
        }
        None => "the tester waits until you move; a system that idles for ever is not fair, and q \
                 ends the game\n"
            .to_owned(),
    })
}

fn make(number: usize, rest: &str, round: &Round, times: Times) -> Command {
    let offer = number.wrapping_sub(1);
    let Some(choice) = round.offers.get(offer) else {
        return Command::Said(format!("there is no move {number}\n"));
    };
    let wanted: Result<Rational, String> =
        if rest.is_empty() { Ok(earliest(&choice.windows)) } else { delay(rest, times) };
    match wanted {
        Ok(delay) if choice.windows.contains(delay) => {
            Command::Answer(Answer::Move { offer, delay })
        }
        Ok(_) => {
            let shown = windows(&choice.windows, times);
            Command::Said(format!("move {number} comes first after {shown} only\n"))
        }
        Err(complaint) => Command::Said(complaint),
    }
}
