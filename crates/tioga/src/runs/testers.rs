//! What online testing needs: a condition to reach, and the ranks that lead there.

use tioga_base::Diagnostic;
use tioga_games::{Root, SolveOptions, Standing};
use tioga_model::{Objective, Predicate};
use tioga_testcase::{Concept, RankTable, Scope, Terms};

use crate::failure::stopped;
use crate::games::{data_view, questions, solved};
use crate::{DataView, Effort, Failure, Loaded};

/// Where an online tester goes, and how.
#[derive(Debug)]
pub(super) struct Guide {
    pub goal: Predicate,
    pub ranks: RankTable,
    /// The classes of data that the ranks are about, if messages carry many values.
    pub data: Option<DataView>,
}

impl Guide {
    /// The way to the condition that was asked for when the model was read; nothing if none was.
    pub fn new(loaded: &Loaded, effort: &mut Effort<'_>) -> Result<Option<Self>, Failure> {
        if loaded.asked().is_empty() {
            return Ok(None);
        }
        let question = questions(loaded)?.swap_remove(0);
        let objective = question.objective.clone();
        let terms = Terms { objective, concept: Concept::Fair, scope: Scope::Cooperative };
        let options = SolveOptions {
            threads: effort.threads,
            cancel: effort.cancel.clone(),
            ..SolveOptions::default()
        };
        let data = data_view(&loaded.model, &question, effort)?;
        let model = data.as_ref().map_or(&loaded.model, DataView::model);
        let root = Root::initial(model);
        let roots = std::slice::from_ref(&root);
        let solution = solved(model, &question, terms, roots, options, effort)?;
        if effort.cancel.is_cancelled() {
            return Err(stopped("the search", &effort.cancel));
        }
        if !matches!(solution.standing(&root), Standing::Rank(_)) {
            let message = format!("{}: unreachable even with cooperation", question.text);
            return Err(Diagnostic::global("unreachable", message).into());
        }
        let ranks = solution.table();
        let Objective::Reach(goal) = question.objective else {
            let message = "online testing can only aim at a condition to reach";
            return Err(Diagnostic::global("unsupported", message).into());
        };
        drop(solution);
        Ok(Some(Self { goal, ranks, data }))
    }
}
