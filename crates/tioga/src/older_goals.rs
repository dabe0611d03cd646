//! Goals of older suites, whose sentences only the model explains.

use std::borrow::Cow;

use tioga_testcase::Goal;

use crate::Loaded;
use crate::synthesis::items_of_sentence;

/// The goal that an older suite means, if it has a sentence for one: a query of the model, or coverage items.
pub(crate) fn renewed<'g>(loaded: &Loaded, goal: &'g Goal) -> Cow<'g, Goal> {
    let Some(sentence) = goal.sentence() else { return Cow::Borrowed(goal) };
    let mut queries = loaded.model.queries.iter();
    if queries.any(|query| loaded.query_text(query) == sentence) {
        return Cow::Owned(Goal::query(sentence));
    }
    match items_of_sentence(&loaded.model, sentence) {
        Some(items) => Cow::Owned(Goal::Cover(items)),
        None => Cow::Owned(Goal::query(sentence)),
    }
}
