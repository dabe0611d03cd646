//! The answer to a query: about runs as `tioga reach` gives it, about games as `tioga solve` does, with a run to play.

use serde_json::{Value, json};
use tioga_base::Sources;
use tioga_explore::Order;
use tioga_model::Formula;
use tioga_symbolic::{Abstraction, ReachAnswer};
use tioga_testcase::ModelSource;

use crate::results::{reach as reach_result, solve as solve_result};
use tioga::games::{GameOptions, data_view, plan, questions, solve};
use tioga::trace::{run_end, trace};
use tioga::{DataView, Effort, Failure, ReachOptions, reach, reach_questions, read};

/// How many states a query may visit.
const STATES: u64 = 2_000_000;

/// Asks a model a query. The answer is what `--format json` prints, `kind` (`reach` or `game`) and a run to play
/// in `trace`, if there is one: a witness, a counterexample, or the intended run of a tester.
///
/// # Errors
/// If the model or the query is wrong, or a limit is reached.
pub fn answer(source: ModelSource, query: &str, effort: &mut Effort<'_>) -> Result<Value, Failure> {
    let mut texts = Sources::new();
    let loaded = read(source, &[query.to_owned()], &mut texts)?;
    let game = loaded
        .asked()
        .iter()
        .any(|one| matches!(one.formula, Formula::Control(_) | Formula::Cooperative(_)));
    if game {
        let question = questions(&loaded)?.swap_remove(0);
        let view = data_view(&loaded.model, &question, effort)?;
        let model = view.as_ref().map_or(&loaded.model, DataView::model);
        let options = GameOptions { max_states: Some(200_000), ..GameOptions::default() };
        let answered = solve(model, question, &options, effort)?;
        let (_, mut result) = solve_result::described(model, &answered, false, view.as_ref());
        let solution = answered.cooperative.as_ref().unwrap_or(&answered.solution);
        let records = plan(&loaded.model, solution, view.as_ref()).records;
        let run = tioga_concrete::Trace { model: model.name.clone(), seed: None, records };
        result["kind"] = "game".into();
        result["trace"] = json!(run.record_values());
        return Ok(result);
    }
    let options = ReachOptions {
        symmetry: true,
        whole: false,
        abstraction: Abstraction::Alu,
        order: Order::BreadthFirst,
        max_states: Some(STATES),
        divergent: false,
    };
    let question = reach_questions(&loaded)?.swap_remove(0);
    let reached = reach(&loaded.model, Some(question), &options, effort);
    let run = match &reached.answer {
        ReachAnswer::Reachable(steps) => {
            Some((trace(&loaded.model, steps), run_end(&loaded.model, steps)))
        }
        _ => None,
    };
    let mut result = reach_result::result(&loaded.model, &reached, reached.holds(), run.as_ref());
    result["kind"] = "reach".into();
    Ok(result)
}
