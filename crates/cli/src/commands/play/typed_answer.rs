//! What a person who plays the system types, and what it means in a round.

use tioga::games::play::{Answer, Intention, Round, earliest};
use tioga::words::windows;
use tioga_base::{Rational, Times};

use crate::commands::typed::delay;

const HELP: &str = "  \
  3        make move 3 as early as possible
  3 5/2    wait for 5/2, then make move 3
  n        let the tester do what it intends
  u        undo your last choice and what followed
  q        quit
  ?        show this help
";

/// What a command means.
pub enum Command {
    Answer(Answer),
    Undo,
    Show,
    Said(String),
    Quit,
}

/// Whether the tester would wait for ever.
pub fn waits_without_end(round: &Round) -> bool {
    matches!(round.intention, Intention::Wait { until: None, .. })
}

/// What a line means.
pub fn command(line: &str, round: &Round, times: Times) -> Command {
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
