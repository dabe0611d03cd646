//! The meaning of a goal: the product of the model with it, and the states to reach there.

use tioga_base::{Cancel, Rational, Sources, Span};
use tioga_concrete::TraceEvent;
use tioga_data::has_many_values;
use tioga_model::{DataClasses, Direction, Model, Network, Objective};
use tioga_testcase::{Goal, TestCase};

use super::own_questions;
use crate::cover::{covering, covering_on};
use crate::data::{DataView, conditions, parts};
use crate::games::{Observation, Question, is_plain, observation, observation_limits};
use crate::older_goals::renewed;
use crate::read::{validated, walking, with_purpose, within};
use crate::{Effort, Failure, Loaded, read};

/// The reference that a test case or strategy is checked against.
pub(super) struct Aimed {
    pub model: Model,
    pub objective: Objective,
    pub span: Span,
    /// Whether the tester sees in which state the model is.
    pub clear: bool,
    /// Whether the purpose declares a restart action.
    pub restarts: bool,
}

/// The meaning of a goal. `None` if the model has nothing that it speaks of.
pub(super) fn aimed(
    loaded: &Loaded,
    goal: &Goal,
    cancel: &Cancel,
) -> Result<Option<Aimed>, Failure> {
    let model = &loaded.model;
    match &*renewed(loaded, goal) {
        Goal::Purpose(name) => {
            let purpose = model.purposes.iter().find(|own| own.process.name == *name);
            let Some(purpose) = purpose else { return Ok(None) };
            let restarts = purpose.restart.is_some();
            let product = with_purpose(model, name)?;
            Ok(of_queries(product, cancel).map(|aimed| Aimed { restarts, ..aimed }))
        }
        Goal::Walk(time) => Ok(of_queries(walking(model, *time)?, cancel)),
        Goal::Cover(items) => {
            let Some(network) = covering(model, items) else { return Ok(None) };
            let aimed = of_queries(validated(network)?, cancel);
            // Where the tester does not see everything, a test may go on after its goal.
            match covering_on(model, items) {
                Some(network) if aimed.as_ref().is_some_and(|aimed| !aimed.clear) => {
                    let aimed = of_queries(validated(network)?, cancel);
                    Ok(aimed.map(|aimed| Aimed { clear: false, ..aimed }))
                }
                _ => Ok(aimed),
            }
        }
        Goal::Query { query, within } => of_query(loaded, query, *within, cancel),
        Goal::Anything
        | Goal::Actions(_)
        | Goal::Reach { .. }
        | Goal::GridWord { .. }
        | Goal::Inputs { .. }
        | Goal::Confirm { .. }
        | Goal::Sentence(_) => Ok(None),
    }
}

/// The meaning of a query, which the model need not have.
fn of_query(
    loaded: &Loaded,
    query: &str,
    time: Option<Rational>,
    cancel: &Cancel,
) -> Result<Option<Aimed>, Failure> {
    let own = own_questions(loaded).into_iter().find(|own| own.text == query);
    if let Some(question) = own.filter(|_| time.is_none()) {
        return Ok(Some(of_question(loaded.model.clone(), &question, cancel)));
    }
    let mut aside = Sources::new();
    let Ok(asked) = read(loaded.source.clone(), &[query.to_owned()], &mut aside) else {
        return Ok(None);
    };
    let Some(query) = asked.asked().first().cloned() else { return Ok(None) };
    let network: &Network = &asked.model;
    let mut model = validated(Network { queries: vec![query], ..network.clone() })?;
    if let Some(time) = time {
        model = within(&model, time)?;
    }
    Ok(of_queries(model, cancel))
}

impl Aimed {
    /// Restricts the model to the values that a test case sends, if messages carry many.
    pub fn restrict(&mut self, case: &TestCase, cancel: &Cancel) {
        let mut classes = DataClasses::new();
        let mut many = false;
        for (id, channel) in self.model.channels.iter_ids() {
            let input = channel.open && channel.direction == Some(Direction::Input);
            if !input || !has_many_values(&channel.parameters) {
                continue;
            }
            many = true;
            let own = case.inputs.iter().filter(|action| action.channel == channel.name);
            let values = own.filter_map(|action| {
                let numbers = action.values.iter().map(|value| value.parse::<Rational>().ok());
                let event =
                    TraceEvent::Input(channel.name.clone(), numbers.collect::<Option<_>>()?);
                let seen = tioga_concrete::observable(&self.model, &event).ok()??;
                Some(seen.arguments)
            });
            classes.offer_everywhere(id, values.collect());
        }
        if many {
            self.model = self.model.clone().with_classes(classes);
            self.clear = is_clear(&self.model, cancel);
        }
    }

    /// Restricts the model to one state of each class of data, if messages carry many values: strategies
    /// and ranks are about these.
    pub fn take_classes(&mut self, cancel: &Cancel) -> Result<(), Failure> {
        let mut effort = Effort { cancel: cancel.clone(), ..Effort::default() };
        let asked = conditions(parts(&self.objective));
        let help = "what the solver says about such data cannot be checked";
        let view = DataView::of(&self.model, &asked, &mut effort);
        if let Some(view) = view.map_err(|failure| failure.help_with(&["data"], help))? {
            self.model = view.model().clone();
        }
        Ok(())
    }

    /// Gives unnamed moves of the environment names, and returns them.
    pub fn name_own_moves(&mut self, cancel: &Cancel) -> Result<Vec<String>, Failure> {
        let network: &Network = &self.model;
        let (network, own_moves) = network.clone().with_own_moves();
        self.model = validated(network)?;
        self.clear = is_clear(&self.model, cancel);
        Ok(own_moves)
    }
}

/// Whether a tester sees in which state a model is.
fn is_clear(model: &Model, cancel: &Cancel) -> bool {
    is_plain(model) || {
        let effort = Effort { cancel: cancel.clone(), ..Effort::default() };
        let limits = observation_limits(&effort, None);
        matches!(observation(model, limits), Ok(Observation::Clear))
    }
}

fn of_queries(model: Model, cancel: &Cancel) -> Option<Aimed> {
    let question = model.queries.iter().find_map(|query| Question::of(query, String::new()))?;
    Some(of_question(model, &question, cancel))
}

fn of_question(model: Model, question: &Question, cancel: &Cancel) -> Aimed {
    let clear = is_clear(&model, cancel);
    let (objective, span) = (question.objective.clone(), question.span);
    Aimed { model, objective, span, clear, restarts: false }
}
