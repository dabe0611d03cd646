//! `tioga grid`: grids of timed automata, their words, and runs replayed on them.

mod opened;
mod words;

use serde_json::json;
use tioga::Failure;
use tioga::grids::{
    count_words, grid_advice, grid_model, grid_purpose, judge, read_words, test_supports,
    word_graph,
};
use tioga::texts::{read_file, read_stdin};
use tioga_base::Diagnostic;
use tioga_grids::{Ends, SupportOptions, TimedWord, dot, replay_on};

use crate::args::{
    GridArgs, GridBuildArgs, GridCommand, GridCountArgs, GridInfoArgs, GridObserveArgs,
    GridProductArgs, GridReplayArgs,
};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::grid as text;
use opened::{Unnamed, built, opened};

/// The most states of a grid that is drawn.
const DRAWN_STATES: usize = 5000;

/// Runs the command.
pub fn run(args: &GridArgs, session: &mut Session) -> Result<Exit, Stop> {
    match &args.command {
        GridCommand::Info(args) => info(args, session),
        GridCommand::Build(args) => build(args, session),
        GridCommand::Product(args) => product(args, session),
        GridCommand::Words(args) => words::run(args, session),
        GridCommand::Count(args) => count(args, session),
        GridCommand::Observe(args) => observe(args, session),
        GridCommand::Replay(args) => replay(args, session),
    }
}

fn info(args: &GridInfoArgs, session: &mut Session) -> Result<Exit, Stop> {
    let (_, one, grid) = built(&args.grid, Unnamed::Ignored, Ends::Expanded, session)?;
    let advice = grid_advice(&one.product, &args.grid.fineness.options())?;
    session.print(&text::info(&one, &grid, &advice))?;
    session.set_result(text::info_json(&one, &grid, &advice));
    Ok(Exit::Success)
}

fn build(args: &GridBuildArgs, session: &mut Session) -> Result<Exit, Stop> {
    let ends = if args.final_ends { Ends::Final } else { Ends::Expanded };
    let (_, _, grid) = built(&args.grid, Unnamed::Ignored, ends, session)?;
    if grid.state_count() > DRAWN_STATES {
        let message = format!(
            "the grid has {} states, too many for a graph of at most {DRAWN_STATES}",
            grid.state_count()
        );
        let help =
            "`tioga grid info` says how large it is; a coarser `--granularity` makes it smaller";
        return Err(Diagnostic::global("too-large", message).help(help).into());
    }
    match &args.out {
        Some(path) => {
            session.write_file(path, dot(&grid).as_bytes())?;
            session.print(&format!("{}; written to {}\n", text::size(&grid), path.display()))?;
        }
        None => session.print_as_is(&dot(&grid))?,
    }
    session.set_result(text::grid_json(&grid));
    Ok(Exit::Success)
}

fn product(args: &GridProductArgs, session: &mut Session) -> Result<Exit, Stop> {
    let loaded = session.read(&args.model)?;
    let purpose = grid_purpose(&loaded.model, args.purpose.as_deref())?;
    let one = grid_model(&loaded.model, Some(&purpose))?;
    session.print(&text::product(&one.product))?;
    session.set_result(text::product_json(&one.product));
    Ok(Exit::Success)
}

fn count(args: &GridCountArgs, session: &mut Session) -> Result<Exit, Stop> {
    let (_, _, grid) = built(&args.grid, Unnamed::Needed, Ends::Expanded, session)?;
    let mut effort = session.effort(args.grid.memory.limits(args.grid.timeout));
    let graph = word_graph(&grid, &args.which.wanted(), u64::MAX, &mut effort)?;
    let number = count_words(&graph, args.which.criterion(), args.max_steps, &mut effort);
    drop(effort);
    let number = number.map_err(|failure| {
        let help = "`--max-steps` allows more; with `--length` fewer steps are needed";
        let mut all = tioga_base::Diagnostics::new();
        failure.diagnostics.iter().for_each(|one| all.push(one.clone().help(help)));
        Failure { diagnostics: all, ..failure }
    })?;
    session.print(&text::counted(&grid, &number))?;
    session.set_result(json!({
        "words": number.to_string(),
        "runs": !grid.is_deterministic(),
        "states": grid.state_count(),
        "on_the_way": graph.len(),
    }));
    Ok(if number.is_zero() { Exit::Negative } else { Exit::Success })
}

fn observe(args: &GridObserveArgs, session: &mut Session) -> Result<Exit, Stop> {
    let loaded = session.read(&args.model)?;
    let one = grid_model(&loaded.model, None)?;
    let case: TimedWord =
        args.case.parse().map_err(|error| Diagnostic::global("bad-word", format!("{error}")))?;
    let output = |name: &str| one.model.action(name).is_some_and(|at| !one.model.actions[at].input);
    if let Some(wrong) = case.0.iter().filter_map(|one| one.name()).find(|name| output(name)) {
        let message = format!("`{wrong}` is an output; a test case has inputs and delays only");
        return Err(Diagnostic::global("bad-word", message).into());
    }
    let how = SupportOptions { within_delays: args.within_delays, cut: args.cut, most: args.limit };
    let (runs, complete) = test_supports(&one.model, &args.fineness.options(), &case, &how)?;
    let lines: Vec<String> = runs.iter().map(ToString::to_string).collect();
    session.print(&lines.iter().map(|line| format!("{line}\n")).collect::<String>())?;
    if !complete {
        let message = format!("there are more than {} runs; `--limit` allows more", args.limit);
        session.warn(text::warning(message));
    }
    let observed: Vec<String> =
        runs.iter().map(|run| run.observed(&one.model).to_string()).collect();
    session.set_result(json!({ "runs": lines, "observed": observed, "complete": complete }));
    Ok(if runs.is_empty() { Exit::Negative } else { Exit::Success })
}

fn replay(args: &GridReplayArgs, session: &mut Session) -> Result<Exit, Stop> {
    let (_, one) = opened(&args.grid, Unnamed::Taken, session)?;
    let lines = match args.runs.as_os_str() == "-" {
        true => read_stdin(&mut session.texts)?,
        false => read_file(&mut session.texts, &args.runs)?,
    };
    let runs = read_words(&lines)?;
    // Undeclared actions and numbers of values are errors in the runs, and said so before anything is judged.
    let mut judged = judge(&one, &runs)?;
    if args.on_grid {
        let (_, _, grid) = built(&args.grid, Unnamed::Taken, Ends::Expanded, session)?;
        for (run, judged) in runs.iter().zip(&mut judged.runs) {
            let (on_grid, _) = replay_on(&grid, run)
                .map_err(|error| Diagnostic::global("bad-word", error.to_string()))?;
            judged.in_product = on_grid;
        }
        let all: Vec<_> = judged.runs.iter().map(|run| run.in_product.clone()).collect();
        (judged.fail, judged.desired) = tioga_grids::verdict(&one.product, &all);
    }
    session.print(&text::judged(&one, &runs, &judged))?;
    session.set_result(text::judged_json(&one, &runs, &judged));
    Ok(text::judged_exit(&one, &judged))
}
