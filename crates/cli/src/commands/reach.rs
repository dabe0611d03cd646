//! `tioga reach`: whether states can be reached or avoided for ever, with a run that does, or how many there are.

use tioga::trace::{run_end, trace};
use tioga::{ReachOptions, ReachQuestion, reach, reach_questions};
use tioga_explore::Order;
use tioga_symbolic::{Abstraction, ReachAnswer};

use super::walks::write_trace;
use crate::args::{AbstractionArg, OrderArg, ReachArgs};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::reach::{described, result};

/// Runs the command.
pub fn run(args: &ReachArgs, session: &mut Session) -> Result<Exit, Stop> {
    let loaded = session.read_asking(&args.model, &args.query)?;
    let model = &loaded.model;
    let questions = if args.all { Vec::new() } else { reach_questions(&loaded)? };
    let options = ReachOptions {
        abstraction: abstraction(args.abstraction),
        order: match args.order {
            OrderArg::Bfs => Order::BreadthFirst,
            OrderArg::Dfs => Order::DepthFirst,
        },
        max_states: args.search.max_states,
        divergent: args.non_zeno,
        symmetry: !args.no_symmetry,
        whole: args.whole,
    };
    let mut effort = args.search.effort(session);
    let mut answers = Vec::new();
    if !questions.iter().any(ReachQuestion::is_supported) {
        answers.push(reach(model, None, &options, &mut effort));
    }
    for question in questions {
        answers.push(reach(model, Some(question), &options, &mut effort));
    }
    drop(effort);
    let mut text = format!("{}\n", model.name);
    let mut results = Vec::new();
    let mut last_run = None;
    for reached in &answers {
        let verdict = reached.holds();
        let run = match &reached.answer {
            ReachAnswer::Reachable(steps) => Some((trace(model, steps), run_end(model, steps))),
            _ => None,
        };
        text.push_str(&described(model, reached, verdict, run.as_ref()));
        results.push(result(model, reached, verdict, run.as_ref()));
        last_run = run.map(|(trace, _)| trace).or(last_run);
    }
    if let Some(path) = &args.out {
        match &last_run {
            Some(trace) => {
                write_trace(session, path, trace)?;
                text.push_str(&format!("run written to {}\n", path.display()));
            }
            None => text.push_str("there is no run to write\n"),
        }
    }
    session.print(&text)?;
    session.set_results(results);
    Ok(Exit::of_queries(answers.iter().map(|reached| reached.holds())))
}

fn abstraction(argument: AbstractionArg) -> Abstraction {
    match argument {
        AbstractionArg::None => Abstraction::None,
        AbstractionArg::M => Abstraction::M,
        AbstractionArg::MPlus => Abstraction::MPlus,
        AbstractionArg::Lu => Abstraction::Lu,
        AbstractionArg::LuPlus => Abstraction::LuPlus,
        AbstractionArg::Alu => Abstraction::Alu,
    }
}
