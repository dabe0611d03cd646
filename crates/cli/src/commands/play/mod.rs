//! `tioga play`: the solver's strategy against somebody who plays the system.

mod game;
mod opponent;
mod person;
mod story;

use tioga_base::Diagnostic;
use tioga_concrete::{Error, Semantics};
use tioga_games::{Root, SolveOptions};
use tioga_testcase::Concept;

use super::simulate::{failed, write_trace};
use super::solve::{Question, questions, require_observation, solved, terms};
use crate::args::{OpponentArg, PlayArgs};
use crate::exit::{Exit, Stop};
use crate::load::{self, Loaded};
use crate::measure::{cancel_flag, threads, timeout_flag};
use crate::output::Session;
use game::{End, Game};
use opponent::Opponent;
use person::Person;

/// Runs the command.
pub fn run(args: &PlayArgs, session: &mut Session) -> Result<Exit, Stop> {
    if args.interactive && args.model.model == "-" {
        let diagnostic = Diagnostic::global(
            "two-readers",
            "the model and the commands cannot both come from standard input",
        );
        return Err(session.stop(diagnostic.help("put the model into a file")));
    }
    if args.game.query.len() > 1 {
        let message = "one game is played at a time, and there are several queries";
        return Err(session.stop(Diagnostic::global("many-queries", message).help("give one -q")));
    }
    let Loaded { document, model } =
        load::asked_within(session, &args.model, &args.game.query, args.game.within)?;
    let question = questions(&args.game, session, &document, &model)?.swap_remove(0);
    let terms = terms(&args.game, &question, true);
    if terms.concept == Concept::Fair {
        require_observation(&args.game, session, &model)?;
    }
    // A person at the keyboard can leave with Ctrl-C at any time.
    let limit = args.game.timeout;
    let cancel = if args.interactive { timeout_flag(limit) } else { cancel_flag(limit) };
    let options = SolveOptions {
        threads: threads(args.game.threads),
        max_nodes: args.game.max_states,
        cancel,
        ..SolveOptions::default()
    };
    let roots = [Root::initial(&model)];
    let solution = solved(&args.game, session, &model, &question, terms, &roots, &options)?;
    let table = solution.table();
    let seed = (!args.interactive && args.opponent == OpponentArg::Random).then_some(args.seed);
    let game = Game::new(Semantics::new(&model), &table, solution.avoids(), seed);
    let mut game = match game {
        Ok(game) => game,
        Err(error) => return failed(session, error),
    };
    session.print(&heading(args, &game, &question))?;
    let end = if args.interactive {
        person::play(&mut Person::new(args.steps), &mut game, session)?
    } else {
        watch(args, &mut game, session)?
    };
    let end = match end {
        Ok(end) => end,
        Err(error) => return failed(session, error),
    };
    if end == End::Refused {
        let message = "the strategy advises a move that the model does not allow here";
        let state = crate::text::state::line(&model, &game.state);
        return Err(session.fail(Diagnostic::global("wrong-strategy", message).note(state)));
    }
    if let Some(path) = &args.out {
        write_trace(session, path, &game.trace)?;
    }
    let (told, exit) = story::ending(&game, end, &solution);
    session.print(&format!("\n{told}\n"))?;
    if let Some(path) = &args.out {
        session.print(&format!("trace written to {}\n", path.display()))?;
    }
    let mut result = story::json(&game, end, &told);
    result["query"] = question.text.into();
    result["opponent"] = name(args).into();
    session.set_result(result);
    Ok(exit)
}

fn name(args: &PlayArgs) -> &'static str {
    match (args.interactive, args.opponent) {
        (true, _) => "person",
        (_, OpponentArg::Random) => "random",
        (_, OpponentArg::Lazy) => "lazy",
        (_, OpponentArg::Eager) => "eager",
        (_, OpponentArg::Hostile) => "hostile",
    }
}

fn heading(args: &PlayArgs, game: &Game<'_>, question: &Question) -> String {
    let opponent = match (args.interactive, game.trace.seed) {
        (true, _) => "you play the system; ? shows the commands".to_owned(),
        (_, Some(seed)) => format!("a random opponent, seed {seed}"),
        (_, None) => {
            format!("a{} {} opponent", if name(args) == "eager" { "n" } else { "" }, name(args))
        }
    };
    format!("{}, {}\n{opponent}\n", game.trace.model, question.text)
}

/// Lets an opponent play by itself.
fn watch(
    args: &PlayArgs,
    game: &mut Game<'_>,
    session: &mut Session,
) -> Result<Result<End, Error>, Stop> {
    let mut opponent = Opponent::new(args.opponent, args.seed);
    let mut shown = 0;
    loop {
        match exchange(args.steps, &mut opponent, game) {
            Ok(end) => {
                if let Some(round) = game.rounds.get(shown) {
                    let model = game.semantics.model();
                    let told =
                        story::round(model, game.table, round) + &story::happened(model, round);
                    shown += 1;
                    session.print(&told)?;
                }
                if let Some(end) = end {
                    return Ok(Ok(end));
                }
            }
            Err(error) => return Ok(Err(error)),
        }
    }
}

/// One round, and how the game ends if it does.
fn exchange(
    steps: usize,
    opponent: &mut Opponent,
    game: &mut Game<'_>,
) -> Result<Option<End>, Error> {
    let round = match game.round()? {
        Ok(round) => round,
        Err(end) => return Ok(Some(end)),
    };
    if game.moves() >= steps {
        return Ok(Some(End::Steps));
    }
    match opponent.answer(game, &round)? {
        Some(answer) => game.play(round, answer),
        None => Ok(Some(End::Precision)),
    }
}
