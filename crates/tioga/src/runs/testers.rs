//! Goals of online testing: a condition to reach, and the ranks that lead there.

use tioga_base::Diagnostic;
use tioga_games::{Root, SolveOptions, Standing};
use tioga_model::{Model, Objective, Predicate};
use tioga_testcase::{Concept, RankTable, Scope, Summary, Terms, TestCase};

use super::interface::online_case;
use crate::failure::stopped;
use crate::games::{Question, data_view, questions, solved};
use crate::read::{validated, with_purpose};

use crate::synthesis::{Cover, Missed, WhyMissed, covering_on, targets};
use crate::{DataView, Effort, Failure, Loaded};

/// The goal of an online tester, and the way to it.
#[derive(Debug)]
pub(crate) struct Guide {
    pub goal: Predicate,
    pub ranks: RankTable,
    /// The classes of data that the ranks are about, if messages carry many values.
    pub data: Option<DataView>,
}

impl Guide {
    /// The way to the condition that was added when the model was read; nothing if there is none.
    pub fn new(loaded: &Loaded, effort: &mut Effort<'_>) -> Result<Option<Self>, Failure> {
        if loaded.asked().is_empty() {
            return Ok(None);
        }
        let question = questions(loaded)?.swap_remove(0);
        Self::of(&loaded.model, question, effort).map(Some)
    }

    /// The way to a condition of a model.
    fn of(model: &Model, question: Question, effort: &mut Effort<'_>) -> Result<Self, Failure> {
        let objective = question.objective.clone();
        let terms = Terms { objective, concept: Concept::Fair, scope: Scope::Cooperative };
        let options = SolveOptions {
            threads: effort.threads,
            cancel: effort.cancel.clone(),
            ..SolveOptions::default()
        };
        let data = data_view(model, &question, effort)?;
        let model = data.as_ref().map_or(model, DataView::model);
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
        let (Objective::Reach(goal) | Objective::Until(_, goal)) = question.objective else {
            let message = "online testing can only aim at a condition to reach";
            return Err(Diagnostic::global("unsupported", message).into());
        };
        drop(solution);
        Ok(Self { goal, ranks, data })
    }
}

/// The coverage item of a test case without test steps: the model with it as objective, and the way there.
#[derive(Debug)]
pub(crate) struct Covering {
    pub model: Model,
    pub guide: Guide,
}

impl Covering {
    /// The coverage item of a purpose.
    pub fn of(loaded: &Loaded, purpose: &str, effort: &mut Effort<'_>) -> Result<Self, Failure> {
        let unknown = || {
            let message = format!("the model has nothing to cover that is called `{purpose}`");
            Failure::from(Diagnostic::global("unknown-target", message))
        };
        let model = match purpose.strip_prefix("purpose ") {
            Some(name) => with_purpose(&loaded.model, name)?,
            None => validated(covering_on(&loaded.model, purpose).ok_or_else(unknown)?)?,
        };
        let mut queries = model.queries.iter();
        let question = queries.find_map(|query| Question::of(query, String::new()));
        let guide = Guide::of(&model, question.ok_or_else(unknown)?, effort)?;
        Ok(Self { model, guide })
    }
}

/// Test cases without test steps, one for each reachable coverage item, and the unreachable items.
pub fn online_cover(
    loaded: &Loaded,
    covers: &[Cover],
    effort: &mut Effort<'_>,
) -> Result<(Vec<TestCase>, Vec<Missed>), Failure> {
    let all: Vec<_> = covers.iter().flat_map(|cover| targets(&loaded.model, *cover)).collect();
    let (mut cases, mut missed) = (Vec::new(), Vec::new());
    for (number, target) in all.iter().enumerate() {
        effort.part(number, all.len(), "targets looked at");
        // The last way is the one with the least conditions.
        let Some(way) = target.ways.last() else { continue };
        let purpose = target.text_of(way);
        match Covering::of(loaded, &purpose, effort) {
            Ok(_) => {
                let (case, _) = online_case(&loaded.model, 0, None);
                let summary = Summary { purpose, ..case.summary };
                cases.push(TestCase { name: target.name.clone(), summary, ..case });
            }
            Err(failure) if failure.diagnostics.iter().any(|one| one.code == "unreachable") => {
                missed.push(Missed { purpose, why: WhyMissed::Unreachable });
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok((cases, missed))
}
