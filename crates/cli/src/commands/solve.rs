//! `tioga solve`: what a tester can enforce, with what strategy and how much cooperation.

use serde_json::json;
use tioga::games::{
    Answered, Question, parse_state, questions, require_observation, solve, standings,
};
use tioga::{Cancel, Effort, Failure, in_units, with_purpose, within};
use tioga_games::{Root, Standing};
use tioga_model::Model;

use crate::args::{GameArgs, SolveArgs};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::solve::{described, standing};
use crate::text::strategy;

/// Runs the command.
pub fn run(args: &SolveArgs, session: &mut Session) -> Result<Exit, Stop> {
    let game = &args.game;
    let (model, questions) = asked(&args.model, game, session)?;
    let states = args.at.iter().map(|text| {
        let state = parse_state(&model, text)?;
        Ok(Root { state: state.discrete, clocks: state.clocks })
    });
    let states: Vec<Root> = states.collect::<Result<_, Failure>>()?;
    let mut effort = effort(game, session);
    if (game.ranks || game.safety_first || !states.is_empty()) && !game.full_information {
        observable(&model, &effort.cancel)?;
    }
    if !states.is_empty() {
        return ranks(args, session, &model, &questions[0], &states, &mut effort);
    }
    let mut answers = Vec::new();
    for question in questions {
        answers.push(solve(&model, question, &args.options(), &mut effort)?);
    }
    drop(effort);
    report(args, session, &model, &answers)
}

/// The model and the questions that the options ask for.
pub fn asked(
    args: &crate::args::ModelArgs,
    game: &GameArgs,
    session: &mut Session,
) -> Result<(Model, Vec<Question>), Stop> {
    const HELP: &str = "give one with -q 'control: A<> …'";
    let mut loaded = session.read_asking(args, &game.query)?;
    if let Some(time) = game.within {
        let time = in_units(time, loaded.model.time_unit)?;
        loaded.model = within(&loaded.model, time)?;
    }
    let Some(purpose) = &game.purpose else {
        let found = questions(&loaded).map_err(|failure| failure.help_with(&["no-query"], HELP))?;
        return Ok((loaded.model, found));
    };
    let model = with_purpose(&loaded.model, purpose)?;
    let queries = model.queries.iter();
    let questions = queries.filter_map(|query| Question::of(query, String::new())).collect();
    Ok((model, questions))
}

/// Ranks need a model in which the tester can tell where it is.
pub fn observable(model: &Model, cancel: &Cancel) -> Result<(), Failure> {
    let help = "`--full-information` plays as if the tester saw every step";
    let codes = ["not-observable", "nondeterministic"];
    require_observation(model, cancel).map_err(|failure| failure.help_with(&codes, help))
}

/// How much work may be done.
pub fn effort(args: &GameArgs, session: &Session) -> Effort<'static> {
    let effort = session.effort(args.memory.limits(args.timeout));
    let threads = args.threads.map_or(effort.threads, usize::from);
    Effort { threads, ..effort }
}

/// `--at`: one line for each state.
fn ranks(
    args: &SolveArgs,
    session: &mut Session,
    model: &Model,
    question: &Question,
    states: &[Root],
    effort: &mut Effort<'_>,
) -> Result<Exit, Stop> {
    let (found, solution) = standings(model, question, states, &args.options(), effort)?;
    let scope = solution.game.terms().scope;
    let words: Vec<String> = found.iter().map(|one| standing(scope, *one)).collect();
    session.print(&(words.join("\n") + "\n"))?;
    session.set_result(json!({
        "query": question.text,
        "complete": solution.complete,
        "at": args.at.iter().zip(&words).map(|(state, rank)| {
            json!({ "state": state, "rank": rank })
        }).collect::<Vec<_>>(),
    }));
    let unknown = !solution.complete && found.iter().any(|one| *one != Standing::Fail);
    Ok(if unknown { Exit::Unknown } else { Exit::Success })
}

fn report(
    args: &SolveArgs,
    session: &mut Session,
    model: &Model,
    answers: &[Answered<'_>],
) -> Result<Exit, Stop> {
    let mut text = format!("{}\n", model.name);
    let mut results = Vec::new();
    let fair = args.game.ranks || args.game.safety_first;
    for answered in answers {
        let (shown, result) = described(model, answered, fair);
        text.push_str(&shown);
        results.push(result);
    }
    if let (Some(path), Some(answered)) = (&args.strategy, answers.last()) {
        let solution = answered.cooperative.as_ref().unwrap_or(&answered.solution);
        let contents = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => {
                format!("{:#}\n", strategy::json(solution, &answered.question.text))
            }
            Some("dot") => strategy::dot(solution),
            _ => strategy::text(solution),
        };
        session.write_file(path, contents.as_bytes())?;
        text.push_str(&format!("strategy written to {}\n", path.display()));
    }
    session.print(&text)?;
    session.set_results(results);
    Ok(Exit::of_queries(answers.iter().map(|answered| answered.holds)))
}
