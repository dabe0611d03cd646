//! `tioga solve`: what a tester can enforce, with what strategy and how much cooperation.

use serde_json::json;
use tioga::games::{
    Answered, Question, data_view, observation_limits, parse_state, questions, require_observation,
    solve, standings,
};
use tioga::{DataView, Diagnostic, Effort, Failure, in_units, with_purpose, within};
use tioga_games::{Root, Standing};
use tioga_model::{DiscreteState, Model};

use crate::args::{GameArgs, SolveArgs};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::solve::{described, standing};
use crate::text::strategy;

/// Runs the command.
pub fn run(args: &SolveArgs, session: &mut Session) -> Result<Exit, Stop> {
    let game = &args.game;
    let (model, questions) = asked(&args.model, game, session)?;
    let mut effort = effort(game, session);
    let views: Result<Vec<_>, _> =
        questions.iter().map(|question| data_view(&model, question, &mut effort)).collect();
    let views = views?;
    let data = views.first().and_then(Option::as_ref);
    let states = args.at.iter().map(|text| {
        let state = parse_state(&model, text)?;
        let discrete = match data {
            Some(view) => representative(view, &state.discrete, text)?,
            None => state.discrete,
        };
        Ok(Root { state: discrete, clocks: state.clocks })
    });
    let states: Vec<Root> = states.collect::<Result<_, Failure>>()?;
    let over = data.map_or(&model, DataView::model);
    if (game.ranks || game.safety_first || !states.is_empty()) && !game.full_information {
        observable(over, game.max_states, &effort)?;
    }
    if !states.is_empty() {
        return ranks(args, session, over, &questions[0], &states, &mut effort);
    }
    let mut answers = Vec::new();
    for (question, view) in questions.into_iter().zip(&views) {
        let over = view.as_ref().map_or(&model, DataView::model);
        answers.push((solve(over, question, &args.options(), &mut effort)?, view.as_ref()));
    }
    drop(effort);
    report(args, session, &model, &answers)
}

/// The state that stands for a state in the classes of data.
fn representative(
    view: &DataView,
    state: &DiscreteState,
    text: &str,
) -> Result<DiscreteState, Failure> {
    let found = view.representative(state).cloned();
    found.ok_or_else(|| {
        let message = format!("the rank of `{text}` is not known: no run reaches such data there");
        let note =
            "where messages carry many values, ranks are computed for reachable classes of data";
        Diagnostic::global("bad-state", message).note(note).into()
    })
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
pub fn observable(
    model: &Model,
    max_states: Option<usize>,
    effort: &Effort<'_>,
) -> Result<(), Failure> {
    let help = "`--full-information` plays as if the tester saw every step";
    let codes = ["not-observable", "nondeterministic"];
    let limits = observation_limits(effort, max_states);
    require_observation(model, limits).map_err(|failure| failure.help_with(&codes, help))
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
    answers: &[(Answered<'_>, Option<&DataView>)],
) -> Result<Exit, Stop> {
    let mut text = format!("{}\n", model.name);
    let mut results = Vec::new();
    let fair = args.game.ranks || args.game.safety_first;
    for (answered, data) in answers {
        let over = data.map_or(model, DataView::model);
        let (shown, result) = described(over, answered, fair, *data);
        text.push_str(&shown);
        results.push(result);
    }
    if let (Some(path), Some((answered, data))) = (&args.strategy, answers.last()) {
        let solution = answered.cooperative.as_ref().unwrap_or(&answered.solution);
        let contents = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => {
                format!("{:#}\n", strategy::json(solution, &answered.question.text, *data))
            }
            Some("dot") => strategy::dot(solution, *data),
            _ => strategy::text(solution, *data),
        };
        session.write_file(path, contents.as_bytes())?;
        text.push_str(&format!("strategy written to {}\n", path.display()));
    }
    session.print(&text)?;
    session.set_results(results);
    Ok(Exit::of_queries(answers.iter().map(|(answered, _)| answered.holds)))
}
