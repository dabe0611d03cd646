//! `tioga play`: the solver's strategy against a person or policy that plays the system.

mod person;
mod typed_answer;

use tioga::games::opponent::Opponent;
use tioga::games::play::{End, Game};
use tioga::games::{Question, data_view, solved, terms};
use tioga::words::count;
use tioga::{DataView, Effort, Failure};
use tioga_base::Diagnostic;
use tioga_concrete::{Error, Semantics};
use tioga_games::{Root, SolveOptions, Standing};
use tioga_testcase::Concept;

use super::solve::{asked, effort, observable};
use super::walks::{failed, write_trace};
use crate::args::{OpponentArg, PlayArgs};
use crate::exit::{Exit, Stop};
use crate::measure::timeout_flag;
use crate::output::Session;
use crate::text::{play as story, state};
use person::Person;

/// Runs the command.
pub fn run(args: &PlayArgs, session: &mut Session) -> Result<Exit, Stop> {
    if args.interactive && args.model.model == "-" {
        let diagnostic = Diagnostic::global(
            "two-readers",
            "the model and the commands cannot both come from standard input",
        );
        return Err(diagnostic.help("put the model into a file").into());
    }
    if args.game.query.len() > 1 {
        let message = "one game is played at a time, and there are several queries";
        return Err(Diagnostic::global("many-queries", message).help("give one -q").into());
    }
    let (model, mut questions) = asked(&args.model, &args.game, session)?;
    let question = questions.swap_remove(0);
    let terms = terms(&args.game.options(), &question, true);
    let mut effort = effort(&args.game, session);
    if args.interactive {
        // A person at the keyboard can leave with Ctrl-C at any time.
        effort = Effort { cancel: timeout_flag(args.game.timeout), ..effort };
    }
    let view = data_view(&model, &question, &mut effort)?;
    let model = view.as_ref().map_or(&model, DataView::model);
    if terms.concept == Concept::Fair && !args.game.full_information {
        observable(model, args.game.max_states, &effort)?;
    }
    let options = SolveOptions {
        threads: effort.threads,
        max_nodes: args.game.max_states,
        cancel: effort.cancel.clone(),
        ..SolveOptions::default()
    };
    let roots = [Root::initial(model)];
    let solution = solved(model, &question, terms, &roots, options, &mut effort)?;
    drop(effort);
    let table = solution.table();
    let seed = (!args.interactive
        && matches!(args.opponent, OpponentArg::Random | OpponentArg::Fair))
    .then_some(args.seed);
    let game = Game::new(Semantics::new(model), &table, solution.avoids(), seed);
    let mut game = match game {
        Ok(game) => game,
        Err(error) => return failed(session, error),
    };
    session.print(&heading(args, &game, &question))?;
    if let Some(view) = &view {
        let classes = count(view.count(), "class");
        session.print(&format!("data in {classes}; values shown stand for their class\n"))?;
    }
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
        let diagnostic = Diagnostic::global("wrong-strategy", message);
        return Err(Failure::internal(diagnostic.note(state::line(model, &game.state))).into());
    }
    if let Some(view) = &view
        && let Err(why) = game.make_real(view)
    {
        let message = format!("there are no values for what was played: {why}");
        return Err(Diagnostic::global("data", message).into());
    }
    if let Some(path) = &args.out {
        write_trace(session, path, &game.trace)?;
    }
    let root = Root { state: game.state.discrete.clone(), clocks: game.state.clocks.clone() };
    let failed = solution.standing(&root) == Standing::Fail;
    let (told, good) = story::ending(&game, end, failed);
    session.print(&format!("\n{told}\n"))?;
    if let Some(path) = &args.out {
        session.print(&format!("trace written to {}\n", path.display()))?;
    }
    let mut result = story::json(&game, end, &told);
    result["query"] = question.text.into();
    result["opponent"] = args.player().into();
    session.set_result(result);
    Ok(Exit::of_queries([good]))
}

fn heading(args: &PlayArgs, game: &Game<'_>, question: &Question) -> String {
    let opponent = match (args.interactive, game.trace.seed) {
        (true, _) => "you play the system; ? shows the commands".to_owned(),
        (_, Some(seed)) => format!("a {} opponent, seed {seed}", args.player()),
        (_, None) => {
            format!(
                "a{} {} opponent",
                if args.player() == "eager" { "n" } else { "" },
                args.player()
            )
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
    let mut opponent = Opponent::new(args.opponent.into(), args.seed);
    let mut shown = 0;
    loop {
        match opponent.exchange(game, args.steps) {
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
