//! Goals of online testing: what a run aims at, and the ranks that lead there.

use tioga_base::{Diagnostic, Rational};
use tioga_estimate::Latencies;
use tioga_execute::{OnlineOptions, OnlineTester};
use tioga_games::{Root, SolveOptions, Standing};
use tioga_model::{
    Conjunct, Expr, LocationId, Milestones, Model, Network, Objective, Predicate, ProcessId, Query,
};
use tioga_testcase::{Concept, Goal, RankTable, Scope, Terms};

use super::walk::walk_wait;
use crate::cover::covering_on;
use crate::failure::stopped;
use crate::games::{Question, classes, solved};
use crate::given_purpose::GivenPurpose;
use crate::older_goals::renewed;
use crate::read::{validated, with_final_purpose, within_time};
use crate::{DataView, Effort, Failure, Loaded, Reason};

/// The goal of an online tester, and the way to it.
#[derive(Debug)]
pub(crate) struct Guide {
    pub goal: Predicate,
    /// Where the goal can still be reached, if not everywhere. What leaves this set does not return.
    pub keep: Option<Predicate>,
    pub ranks: RankTable,
    /// The classes of data that the ranks are about, if messages carry many values.
    pub data: Option<DataView>,
}

impl Guide {
    /// The way to a condition of a model.
    fn of(
        model: &Model,
        question: Question,
        keep: Option<Predicate>,
        effort: &mut Effort<'_>,
    ) -> Result<Self, Failure> {
        let objective = question.objective.clone();
        let terms = Terms { objective, concept: Concept::Fair, scope: Scope::Cooperative };
        let options = SolveOptions {
            threads: effort.threads,
            cancel: effort.cancel.clone(),
            ..SolveOptions::default()
        };
        let help = "an online test without a purpose and without criteria follows such a model";
        let data = classes(model, &question, effort)
            .map_err(|failure| failure.help_with(&["data"], help))?;
        let model = data.as_ref().map_or(model, DataView::model);
        let root = Root::initial(model);
        let roots = std::slice::from_ref(&root);
        let solution = solved(model, &question, terms, roots, options, effort)?;
        if effort.cancel.is_cancelled() {
            return Err(stopped("the search", &effort.cancel));
        }
        if !matches!(solution.standing(&root), Standing::Rank(_)) {
            let message = format!("{}: unreachable even with cooperation", question.text);
            let failure = Failure::from(Diagnostic::global("unreachable", message));
            return Err(failure.because(Reason::Unreachable));
        }
        let ranks = solution.table();
        drop(solution);
        let (goal, keep) = match question.objective {
            Objective::Reach(goal) => (goal, keep),
            Objective::Until(own, goal) => (goal, Some(own)),
            _ => return Err(only_conditions(&question.text)),
        };
        Ok(Self { goal, keep, ranks, data })
    }
}

/// The answer to questions that a run without a test case cannot decide.
fn only_conditions(text: &str) -> Failure {
    let message = format!("online testing cannot aim at `{text}`, only at a condition to reach");
    let help = "ask for a condition to reach, or write a purpose";
    Diagnostic::global("unsupported", message).help(help).into()
}

/// What a run of online testing aims at: the model with that as objective, and the way there.
#[derive(Debug)]
pub struct OnlineGoal {
    pub(crate) model: Model,
    /// The way there; nothing for a random walk.
    pub(crate) guide: Option<Guide>,
    /// How long a random walk lasts.
    pub(crate) lasts: Option<Rational>,
}

impl OnlineGoal {
    /// Whether a run passes before anything is sent or heard.
    pub fn passes_at_once(&self) -> bool {
        let Some(guide) = &self.guide else { return false };
        let options = OnlineOptions {
            goal: Some(&guide.goal),
            keep: None,
            guide: None,
            actions: 0,
            lasts: None,
            longest_wait: Rational::ZERO,
            latencies: Latencies::NONE,
            seed: 0,
        };
        let tester = OnlineTester::new(&self.model, options);
        tester.and_then(|mut tester| tester.passes_at_once()).unwrap_or(false)
    }

    /// What a goal means for an online run.
    pub(crate) fn of(
        loaded: &Loaded,
        goal: &Goal,
        effort: &mut Effort<'_>,
    ) -> Result<Self, Failure> {
        let text = &goal.to_string();
        match &*renewed(loaded, goal) {
            // Who reaches its end stays there, so that nothing else has to be remembered.
            Goal::Purpose(name) => {
                Self::asked(with_final_purpose(&loaded.model, name)?, "", None, effort)
            }
            Goal::Walk(time) => {
                Ok(Self { model: loaded.model.clone(), guide: None, lasts: Some(*time) })
            }
            Goal::Reach { condition, within } => {
                let given = GivenPurpose::Reach { condition: condition.clone(), within: *within };
                let asked = given.query().and_then(|text| loaded.asked_as(&text).cloned());
                let query = asked.ok_or_else(|| unknown(text))?;
                let Some(time) = within else {
                    return Self::asked(has_reached(&loaded.model, &query)?, text, None, effort);
                };
                let network: &Network = &loaded.model;
                let model = validated(Network { queries: vec![query], ..network.clone() })?;
                let (model, in_time) = within_time(&model, *time)?;
                Self::asked(model, text, Some(in_time), effort)
            }
            Goal::Query { query, within: None } => {
                let mut queries = loaded.model.queries.iter();
                let own = queries.find(|own| loaded.query_text(own) == *query);
                let own = own.ok_or_else(|| unknown(text))?;
                // Whether the condition before an `until` held all the time is not followed.
                if !matches!(Question::of(own, String::new()), Some(one) if matches!(one.objective, Objective::Reach(_)))
                {
                    return Err(only_conditions(text));
                }
                Self::asked(has_reached(&loaded.model, own)?, text, None, effort)
            }
            Goal::Cover(items) => {
                let covering = covering_on(&loaded.model, items).ok_or_else(|| unknown(text))?;
                Self::asked(validated(covering)?, "", None, effort)
            }
            _ => Err(unknown(text)),
        }
    }

    /// How long the tester waits at most, if it could wait so long.
    pub(crate) fn wait(&self, longest: Rational) -> Rational {
        self.lasts.map_or(longest, |time| walk_wait(longest, time))
    }

    /// The only question that a model is asked. Without a text, the comment of the query has one.
    fn asked(
        model: Model,
        text: &str,
        keep: Option<Predicate>,
        effort: &mut Effort<'_>,
    ) -> Result<Self, Failure> {
        let mut queries = model.queries.iter();
        let question = queries.find_map(|query| Question::of(query, text.to_owned()));
        let question = question.ok_or_else(|| unknown(text))?;
        let guide = Guide::of(&model, question, keep, effort)?;
        Ok(Self { model, guide: Some(guide), lasts: None })
    }
}

/// A model with a query as the only one. If it asks for a location, it is enough that every explanation was there: a
/// hidden step may leave it unseen.
fn has_reached(model: &Model, query: &Query) -> Result<Model, Failure> {
    let network = Network::clone(model);
    validated(match location(model, query) {
        Some((process, location)) => {
            let entered = Milestones::entering(model, process, location);
            network.covering_milestones(&entered, query.comment.clone().unwrap_or_default())
        }
        None => Network { queries: vec![query.clone()], ..network },
    })
}

/// The location that a query asks for, if that is all.
fn location(model: &Model, query: &Query) -> Option<(ProcessId, LocationId)> {
    let question = Question::of(query, String::new())?;
    let Objective::Reach(Predicate::Holds(condition)) = question.objective else { return None };
    let [Conjunct { data: Some(data), clocks }] = &condition.disjuncts[..] else { return None };
    match model.code.nodes[*data].expr {
        Expr::At(process, location) if clocks.is_empty() => Some((process, location)),
        _ => None,
    }
}

fn unknown(purpose: &str) -> Failure {
    let message = format!("the model has nothing to aim at that is called `{purpose}`");
    Diagnostic::global("unknown-target", message).into()
}
